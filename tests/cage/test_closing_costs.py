"""
What the checklist of a day's end and both its closings say to the database: as much, however much is open.

What ends with the day by a posting or a sign-out of its own is none of it: each voucher whose last day it was, and each
dealer who was there for this day alone.
"""

from dataclasses import dataclass

import pytest

from casino.cage import open_items
from casino.cage.day_counts import counts_of, version_of
from casino.cage.models import CarriedItem
from casino.cage.services import close_counts, close_day
from casino.cage.services.days import counts_sign
from casino.ledger.proof import problems
from casino.rooms.models import GamingDay
from casino.waiting.models import Waiting
from tests.cage.counting import carried, carrying, signed
from tests.cage.several_open import SeveralOpen, statements, undone
from tests.tables.conftest import House, house

__all__ = ["house"]

pytestmark = pytest.mark.two_houses

# In the order of `Costs`.
CHECKLIST, OPERATIONS, COUNTS = 41, 74, 21
# What is there of each batch; drawer 1 besides.
OPEN = {
    "drawer": 1, "bank": 1, "fill": 2, "request": 1, "owed_back": 1, "on_way": 1, "doubt": 1, "fill_differs": 1,
    "unsigned": 1, "plays_on": 2, "over_short": 2, "to_judge": 1, "uncounted": 1, "in_play": 1,
}  # fmt: skip


@dataclass(frozen=True)
class Costs:
    """How many statements each took."""

    checklist: int
    operations: int
    counts: int


def costs(house: House, batches: int) -> Costs:
    """Close the day in both stages with so many of each thing open, and take that back."""
    checklist = open_items.checklist(house.room_id)
    assert {check.kind: len(check.carried) for check in checklist if check.carried} == {
        kind: batches * number + (kind == "drawer") for kind, number in OPEN.items()
    }
    lines = statements(lambda: open_items.checklist(house.room_id))
    carry = carrying(house.room_id)
    at = house.at
    with undone():
        operations = statements(lambda: house.tap(close_day, house.cast.mari, carrying=carry))
        assert CarriedItem.objects.count() == len(carry)
        assert Waiting.objects.filter(status=Waiting.Status.DROPPED).count() == batches
        counts = _close_counts(house, batches)
        assert list(problems(house.room_id)) == []
    house.at = at
    return Costs(len(lines), len(operations), len(counts))


def _close_counts(house: House, batches: int) -> list[str]:
    mari, olavi, day = house.cast.mari, house.cast.olavi, GamingDay.objects.get(room_id=house.room_id)
    found = counts_of(day)
    waits = [carried(each.word, "under_seal") for each in found if not each.counts]
    assert len(waits) == batches == sum(each.kind == "box" and each.counts == 1 for each in found)
    version = version_of(found)
    signing = signed(
        mari, olavi, counts_sign(day.pk, version=version, carrying=waits), needs="cage.sign_counts", at=house.at
    )
    close = {"day_id": day.pk, "version": version, "approved_by_id": olavi.pk}
    return statements(lambda: close_counts(signing, **close, carrying=waits))


@pytest.mark.slow
@pytest.mark.smoke
def test_a_days_end_says_as_much_to_the_database_whatever_is_open(house: House) -> None:
    night = SeveralOpen(house)
    for _ in range(2):
        night.more()
    several = costs(house, 2)
    for _ in range(2):
        night.more()

    assert costs(house, 4) == several == Costs(CHECKLIST, OPERATIONS, COUNTS)
