"""Racks for tests: a book that keeps them, dealers who push in, and every check as one tap."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from casino import chance
from casino.cage.rules import cents_of
from casino.commands.carrying_out import Answer
from casino.people.models import Staff
from casino.people.services import start_shift
from casino.rooms.models import RuleBookVersion
from casino.rooms.selectors import rule_book_in_force
from tables.models import Down, Opening, RackCheck, Table
from tables.services import racks
from tables.services.downs import push_dealer
from tests.cage.counting import CHIPS, pieces, signed
from tests.cage.filling import Filling
from tests.support.books import says_in_book
from tests.support.owner import as_owner
from tests.tables.conftest import House


def pieces_of(euros: int) -> list[dict[str, int]]:
    """Return so many euros, or of what the room counts in, in chips that each book has."""
    return pieces(euros * 100, CHIPS)


def keeps_racks(room_id: int, **more: Any) -> None:
    """Have a room's book keep racks from now on, by these other keys of `dealers.rack`."""
    now = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    text = "\n".join(line for line in now.text.split("\n") if not line.startswith(("rack =", "tips =")))
    tips = more.pop("tips", "pooled")
    keys = {"is_kept": "true", "counted_pushes_per_day": 1, "counted_within_pushes": 6} | more
    rack = ", ".join(f"{key} = {value}" for key, value in keys.items())
    text = text.replace("[dealers]\n", f'[dealers]\ntips = "{tips}"\nrack = {{ {rack} }}\n')
    says_in_book(room_id, text, holds_from=now.holds_from + timedelta(seconds=1))


def opened_with_racks(room_id: int, **more: Any) -> None:
    """Have a room's book keep racks, as `keeps_racks`, and be the one under which its running tables were opened."""
    keeps_racks(room_id, **more)
    newest = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    with as_owner():
        Opening.objects.filter(table__room_id=room_id, closed_at=None).update(rule_book_version_id=newest.pk)


def by_slip(house: House, kind: str, chips: int, cash: int = 0, *, table: int = 1) -> None:
    """Have Dan carry a fill to a table's rack, or a credit from it, all its way; cents."""
    cast = house.cast
    house.at += timedelta(seconds=1)
    filling = Filling(cast, at=house.at)
    slip = filling.authorised(cash, chips, kind=kind, at=("table", table), by=cast.carla)
    if kind == "fill":
        filling.counts(filling.sends(slip, cash, chips), cash, chips, by=cast.frans, second=cast.anna)
    else:
        filling.counts(filling.sends(slip, cash, chips, by=cast.frans), cash, chips, second=cast.mari)


@dataclass
class Racking:
    """What dealers and the floor do with a rack."""

    house: House

    def begin(self, euros: int = 200, **terms: Any) -> Table:
        """Open table 1 in a house that keeps racks, with so much in its rack; Anna and Dan are on shift."""

        def opened() -> None:
            keeps_racks(self.house.room_id, **terms)
            for person in (self.house.cast.anna, self.house.cast.dan):
                self.house.tap(start_shift, staff_id=person.pk)
            self.house.open(Lee=1, Kai=2)
            self.fill(euros)

        self.house.begins(("racks", euros, *terms.items()), opened)
        return self.house.table()

    def fill(self, euros: int, table: int = 1) -> None:
        """Have so much come into a rack, as the book has it: by a fill slip, or in one step."""
        if self.is_one_step:
            self.fill_at_once(euros, table)
        else:
            by_slip(self.house, "fill", euros * 100, table=table)

    def fill_at_once(self, euros: int, table: int = 1) -> Answer:
        return self._signed(racks.fill_rack, racks.fill_signs, euros, table)

    def close(self, euros: int, table: int = 1) -> RackCheck:
        """Have two count a rack at its closing; it stays."""
        return self._check(self._signed(racks.close_rack, racks.close_signs, euros, table))

    def clear(self, euros: int, table: int = 1) -> RackCheck:
        """Have a rack counted by two at its closing and brought to the vault: by a credit slip, or in one step."""
        if self.is_one_step:
            return self.clear_at_once(euros, table)
        check = self.close(euros, table)
        by_slip(self.house, "credit", euros * 100, table=table)
        return check

    def clear_at_once(self, euros: int, table: int = 1) -> RackCheck:
        return self._check(self._signed(racks.clear_rack, racks.clear_signs, euros, table))

    @property
    def is_one_step(self) -> bool:
        return rule_book_in_force(self.house.room_id, at=self.house.at)[1].cage.fills_in_one_step

    def push(self, dealer: Staff, table: int = 1, *, draws: bool | None = None, monkeypatch: Any = None) -> Down:
        """Have a dealer push in; with `draws` the draw says whether the rack is counted."""
        self.house.at += timedelta(minutes=30)
        now = Down.objects.filter(table=self.house.table_id(table), ended_at=None).first()
        if draws is not None:
            monkeypatch.setattr(chance, "number", lambda _seed, _what, _below: 0 if draws else 1)
        arguments: dict[str, Any] = {"dealer_id": dealer.pk, "down_id": now.pk if now else None}
        answer = self.house.tap(push_dealer, table_id=self.house.table_id(table), **arguments)
        return Down.objects.get(id=answer.data["down"])

    def began(self, dealer: Staff) -> Down:
        """Have a dealer come on shift and push in, whatever is drawn."""
        self.house.tap(start_shift, staff_id=dealer.pk)
        return self.push(dealer)

    def check(self, down: Down, euros: int | None = None, by: Staff | None = None) -> RackCheck:
        pieces = None if euros is None else pieces_of(euros)
        arguments: dict[str, Any] = {"down_id": down.pk, "pieces": pieces}
        return self._check(self.house.tap(racks.check_rack, by, table_id=down.table_id, **arguments))

    def count(self, euros: int, kind: str = "floor", table: int = 1) -> RackCheck:
        arguments: dict[str, Any] = {"kind": kind, "pieces": pieces_of(euros)}
        return self._check(self.house.tap(racks.count_rack, table_id=self.house.table_id(table), **arguments))

    def _signed(self, service: Any, signs: Any, euros: int, table: int) -> Answer:
        by, second, table_id = self.house.cast.frans, self.house.cast.mari, self.house.table_id(table)
        self.house.at += timedelta(seconds=1)
        pieces = pieces_of(euros)
        signing = signed(by, second, signs(table_id, cents_of(pieces)), needs=racks.NEEDS, at=self.house.at)
        answer: Answer = service(signing, table_id=table_id, pieces=pieces, approved_by_id=second.pk)
        return answer

    def _check(self, answer: Answer) -> RackCheck:
        return RackCheck.objects.get(id=answer.data["check"])
