"""Rows that tests begin with are put in again as they were made."""

from inspect import unwrap

import pytest
from django.db import transaction

from casino.audit.selectors import breaks
from casino.ledger.proof import problems
from casino.rooms.models import Room, RuleBookVersion
from casino.rooms.selectors import book_name, rule_book_in_force
from tests.cast import TONIGHT, Cast, make_cast
from tests.doors.walking import next_ids, undone
from tests.support.books import OWN_IDS, adds_to_book
from tests.support.kept import first_step, kept, rows
from tests.support.owner import as_owner
from tests.support.two_houses import SECOND_BOOK
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


def test_a_first_step_comes_to_the_same_when_it_is_put_in():
    house_made = kept(unwrap(make_house))
    turns = []
    for _ in range(4):
        begun = transaction.savepoint()
        house = house_made()
        house.open(Lee=1, Kai=2)
        turns.append((rows(), house.at))
        # It goes on from there: the chains, the sums, the next ids.
        house.settle(40_00)
        assert not list(breaks(house.room_id))
        assert not list(problems(house.room_id))
        transaction.savepoint_rollback(begun)

    # Twice it was done, by commands with ids of their own; then what the second came to was put in.
    assert turns[0] != turns[1]
    assert turns[1] == turns[2] == turns[3]
    counts = [{name: len(found) for name, found in shown.items()} for shown, _ in turns]
    assert counts[0] == counts[1]


@pytest.mark.parametrize("is_first", [True, False])
def test_a_step_is_put_in_only_while_nothing_else_has_changed(is_first: bool):
    house_made = kept(unwrap(make_house))
    done = []
    for _ in range(4):
        begun = transaction.savepoint()
        house_made()
        if not is_first:
            with as_owner():
                Room.objects.update(name="Another")
        first_step("a step", lambda: done.append("done"))
        transaction.savepoint_rollback(begun)

    assert len(done) == (2 if is_first else 4)


def test_what_is_put_in_leaves_the_ids_to_tests_that_they_give_themselves():
    # Else a version that the house makes later has the id, and a process that has read it takes it for another text.
    def make():
        house = unwrap(make_house)()
        adds_to_book(house.room_id, "\n")
        return house

    once = kept(make)
    for _ in range(2):
        begun = transaction.savepoint()
        house = once()
        newest = RuleBookVersion.objects.latest("number")
        made = RuleBookVersion(
            room_id=house.room_id, book=newest.book, number=newest.number + 1, digest="", text="", holds_from=house.at
        )
        with as_owner():
            made.save()
        transaction.savepoint_rollback(begun)

    assert newest.pk >= OWN_IDS > made.pk


def test_houses_that_were_made_in_two_databases_each_have_their_own_book():
    def whose(made: Cast) -> str:
        version_id, _ = rule_book_in_force(made.room.pk, at=TONIGHT)
        return book_name(version_id)

    made, books = kept(unwrap(make_cast)), ("helsinki", SECOND_BOOK)
    for book in books:
        # As each is the first in its own: the ids are the same.
        with undone(next_ids()):
            made(book=book)
    begun, found = transaction.savepoint(), []
    for book in books:
        found.append(whose(made(book=book)))
        transaction.savepoint_rollback(begun)

    assert found == ["helsinki", "rautatie"]
