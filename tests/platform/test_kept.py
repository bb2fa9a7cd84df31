"""Rows that tests begin with are put in again as they were made."""

from inspect import unwrap

import pytest
from django.db import transaction

from casino.audit.selectors import breaks
from casino.ledger.proof import problems
from tests.support.kept import kept, rows
from tests.tables.conftest import make_house

pytestmark = pytest.mark.django_db


def test_what_is_put_in_again_is_what_was_made_and_holds():
    once = kept(unwrap(make_house))
    before = transaction.savepoint()
    made = once()
    first = rows()
    transaction.savepoint_rollback(before)

    house = once()

    assert rows() == first
    assert len(first["people_staff"]) == 6
    assert (house.room_id, house.table(2).number) == (made.room_id, 2)
    # What comes after gets ids of its own.
    house.open(Lee=1)
    assert house.table().opening is not None
    assert not list(breaks(house.room_id))
    assert not list(problems(house.room_id))
