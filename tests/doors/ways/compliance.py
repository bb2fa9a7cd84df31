"""The compliance officer's notes and marks, by both doors."""

from django.test import Client

from casino.cage.models import Slip
from casino.cage.services import buy_in
from casino.people.models import Staff
from tests.cast import TONIGHT
from tests.doors.way import NewestOf, Way
from tests.tables.conftest import House
from tests.taps import at_desktop

NEWEST: NewestOf = {"bought": Slip}


def officer(house: House) -> Client:
    """Return the browser of somebody who holds compliance and nothing else."""
    staff, _is_new = Staff.objects.get_or_create(
        room=house.cast.room, username="vera",
        defaults={"display_name": "Vera", "roles": ["compliance"], "created_at": TONIGHT},
    )  # fmt: skip
    return at_desktop(staff)


def bought(house: House) -> None:
    arguments = {"drawer_id": house.drawer_id, "amount_cents": 1_800_00, "method": "cash"}
    house.tap(buy_in, house.cast.carla, player_id=house.player("Riku").pk, **arguments)


_SENT = {"reported_on": "2026-11-20", "reference": "FIU 7"}
_MARK = {"kind": "just_below", "mark": "reported", "text": "No answer when asked", "reason": "told", **_SENT}

WAYS = [
    Way(
        "/compliance/notes/write/",
        "compliance/notes/write",
        {"player_id": "{riku}", "text": "Asks for the sum", "reason": "told"},
        {"player_id": "{riku}", "text": "Asks for the sum", "reason": "told"},
        by=officer,
    ),
    Way(
        "/compliance/findings/mark/",
        "compliance/findings/mark",
        {**_MARK, "slip_ids": "{bought}"},
        {**_MARK, "slip_ids": ["{bought}"]},
        before=bought,
        by=officer,
    ),
]
