"""Boxes for tests: hung, changed, dropped and counted at a house's tables, one tap each."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from casino.boxes import services
from casino.boxes.models import Box, BoxCount
from casino.cage.rules import cents_of
from casino.commands.carrying_out import Answer, Command
from casino.people.models import Staff
from tests.cage.counting import signed
from tests.tables.conftest import House


@dataclass
class Hanging:
    """What staff do with the boxes of a house."""

    house: House

    def hangs(self, charge: str = "rake", table: int = 1) -> Box | None:
        return Box.objects.filter(Box.HANGS, table=self.house.table_id(table), charge=charge).first()

    def hang(self, number: int, charge: str = "rake", *, table: int = 1) -> Box:
        """Hang a box, instead of the one that hangs there."""
        now = self.hangs(charge, table)
        arguments: dict[str, Any] = {"table_id": self.house.table_id(table), "charge": charge, "number": number}
        answer = self.house.tap(services.hang_box, **arguments, instead_of=now.pk if now else None)
        return Box.objects.get(id=answer.data["box"])

    def drop(self, charge: str = "rake", *, table: int = 1) -> Box:
        now = self.hangs(charge, table)
        arguments: dict[str, Any] = {"table_id": self.house.table_id(table), "charge": charge}
        answer = self.house.tap(services.drop_box, **arguments, box_id=now.pk if now else None)
        return Box.objects.get(id=answer.data["box"])

    def take_back(self, box: Box) -> Answer:
        version = Box.objects.values_list("version", flat=True).get(id=box.pk)
        return self.house.tap(services.take_back, box_id=box.pk, version=version)

    def signed(self, box: Box, pieces: list[dict[str, int]], *, by: Staff, second: Staff) -> Command:
        """Return the command under which somebody counts a box, signed by another."""
        self.house.at += timedelta(seconds=1)
        version = Box.objects.values_list("version", flat=True).get(id=box.pk)
        signs = services.count_signs(box.pk, version=version, cents=cents_of(pieces), reason=reason_of(box))
        return signed(by, second, signs, needs=services.NEEDS, at=self.house.at)

    def count(self, box: Box, *euros: int, by: Staff | None = None, second: Staff | None = None) -> BoxCount:
        """Count a box: chips of 1 € each, and of 5 €, as many as given."""
        by, second = by or self.house.cast.carla, second or self.house.cast.frans
        pieces = pieces_of(*euros)
        signing = self.signed(box, pieces, by=by, second=second)
        version = Box.objects.values_list("version", flat=True).get(id=box.pk)
        arguments: dict[str, Any] = {"box_id": box.pk, "version": version, "pieces": pieces, "reason": reason_of(box)}
        answer = services.count_box(signing, **arguments, approved_by_id=second.pk)
        return BoxCount.objects.get(id=answer.data["count"])


def reason_of(box: Box) -> str:
    """Return why a box has no number, "" of one that has."""
    return "none_hung" if box.needs_reason else ""


def pieces_of(ones: int, fives: int = 0) -> list[dict[str, int]]:
    return [{"value_cents": 1_00, "count": ones}, {"value_cents": 5_00, "count": fives}]
