"""A sheet that is filled in while Brush is down, and caught up afterwards."""

import uuid
from datetime import datetime, timedelta
from typing import Any

from casino.commands.carrying_out import Answer
from casino.paper.catching_up import catch_up, catch_up_signs
from casino.paper.entered import ChipLine, DeckLine, DownLine, Entered, HandLine, SeatLine, TimeLine
from casino.paper.models import Sheet
from casino.paper.services import print_sheets
from casino.paper.signers import NEEDS
from casino.people.models import Staff
from casino.people.services import second_person
from tables.rules.time_paid import Paid
from tests.cast import command, demo_person
from tests.tables.conftest import House

__all__ = ["ChipLine", "DeckLine", "DownLine", "HandLine", "Outage", "Paid", "SeatLine", "TimeLine"]


class Outage:
    """Brush is down for 45 minutes at table 1, whose sheet was printed just before."""

    def __init__(self, house: House, *, table: int = 1) -> None:
        self.house = house
        first = house.tap(print_sheets).data["printing"]
        self.printing = first
        self.sheet = Sheet.objects.get(printing=first, table__number=table).number
        self.from_at = house.at + timedelta(seconds=1)
        house.at += timedelta(minutes=46)
        self.until_at = self.from_at + timedelta(minutes=45)

    def at(self, minutes: int) -> datetime:
        return self.from_at + timedelta(minutes=minutes)

    def written(self, **on_it: Any) -> Entered:
        return Entered(from_at=self.from_at, until_at=self.until_at, **on_it)

    def enter(
        self, *, by: Staff | None = None, dealer: str = "anna", names: dict[str, str] | None = None,
        id: uuid.UUID | None = None, sheet: int | None = None, overrule: str = "not_signed_in", **on_it: Any,
    ) -> Answer:  # fmt: skip
        """Enter what is on the sheet; the floor does, and the dealer signs, whom it names where nobody has dealt."""
        house = self.house
        house.at += timedelta(seconds=1)
        given = command(by or house.cast.frans, at=house.at, id=id)
        arguments: dict[str, Any] = {
            "number": sheet or self.sheet, "entered": self.written(**on_it), "names": names or {},
        }  # fmt: skip
        person = demo_person(dealer)
        signer = second_person(
            given, username=person.username, pin=person.pin, needs=NEEDS, signs=catch_up_signs(**arguments)
        )
        return catch_up(given, **arguments, approved_by_id=signer, overrule=overrule)
