"""Which seat a new player is offered."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from, tuples

from casino.rulebooks import load
from casino.rulebooks.schema import Moving
from tables.rules.newcomers import (
    Chosen,
    OpenTable,
    Proposal,
    SeatClaim,
    Step,
    Whose,
    Why,
    next_steps,
    passed_over,
    proposal,
)

EARLY, LATE = datetime(2026, 11, 20, 18, tzinfo=UTC), datetime(2026, 11, 20, 19, tzinfo=UTC)


@pytest.mark.rule("H2.12")
def test_of_equal_tables_the_one_opened_earlier_is_filled_first():
    tables = [OpenTable(1, 7, LATE, (3,)), OpenTable(2, 7, EARLY, (8, 5))]

    assert proposal(tables) == Proposal(2, 5, "opened_first")


@pytest.mark.rule("H2.12", "U-R2")
def test_else_the_one_with_fewer_players():
    tables = [OpenTable(1, 8, EARLY, (3,)), OpenTable(2, 6, LATE, (5,))]

    assert proposal(tables) == Proposal(2, 5, "fewest_players")


@pytest.mark.rule("H2.5", "H2.12", "R-§1.1-1", "U6", "U-R2")
@pytest.mark.parametrize("book", ["helsinki", "royal", "unibet"])
def test_each_house_says_by_which_clause_a_seat_is_offered(book):
    assert set(Chosen) <= load(book).clauses.keys()


def test_where_no_seat_is_free_none_is_offered():
    assert proposal([OpenTable(1, 9, EARLY, ())]) is None
    assert proposal([]) is None


def claim(why: Why, ref: int, rank: int = 0, **more: Any) -> SeatClaim:
    return SeatClaim(why, ref, rank, **more)


def seats_proposed(steps: tuple[Step, ...]) -> list[tuple[int, int, int, str]]:
    return [(step.claim.ref, step.seat.table_number, step.seat.seat_number, step.reason) for step in steps]


def test_a_table_that_closes_takes_nobody():
    assert proposal([OpenTable(1, 3, EARLY, (5,), is_closing=True), OpenTable(2, 8, LATE, (9,))]) == Proposal(
        2, 9, "only_table"
    )


@pytest.mark.rule("H1.75")
def test_a_claim_skips_tables_where_its_player_may_not_sit_and_holds_nobody_up():
    tables = [OpenTable(1, 7, EARLY, (3,)), OpenTable(2, 8, LATE, (5,))]
    first = SeatClaim(Why.IN_TURN, 1, 1, not_at=frozenset({1}))
    nowhere = SeatClaim(Why.IN_TURN, 2, 2, not_at=frozenset({1, 2}))

    steps = next_steps(tables, [first, nowhere, claim(Why.IN_TURN, 3, 3)])

    assert [(step.claim.ref, step.seat.table_number) for step in steps] == [(1, 2), (3, 1)]


@pytest.mark.rule("R-§3-3")
@pytest.mark.parametrize(("at_table_two", "is_proposed"), [(3, True), (6, False)])
def test_a_table_of_the_same_stakes_counts_for_a_change_whatever_it_deals(at_table_two, is_proposed):
    """A9: table 1 may not have fewer than table 2, also where that one deals another game."""
    tables = [OpenTable(1, 6, EARLY, ()), OpenTable(3, 2, LATE, (5,))]
    beside = [OpenTable(2, at_table_two, LATE, ())]

    steps = next_steps(
        tables, [claim(Why.TABLE_CHANGE, 1, at_table=1)], terms=Moving(table_one_first=True), beside=beside
    )

    assert bool(steps) is is_proposed


@pytest.mark.rule("H2.11")
def test_players_of_a_closed_table_come_before_the_list():
    table = OpenTable(1, 8, EARLY, (4, 7))
    claims = [claim(Why.IN_TURN, 1), claim(Why.CLOSED_TABLE, 2, 30), claim(Why.TABLE_CHANGE, 3, at_table=9)]

    assert seats_proposed(next_steps([table], claims)) == [(2, 1, 4, "closed_table"), (3, 1, 7, "table_change")]


@pytest.mark.rule("H2.12", "H2.3")
def test_the_list_goes_to_the_shorter_table_and_each_step_counts_for_the_next():
    tables = [OpenTable(1, 7, EARLY, (3, 4)), OpenTable(2, 7, LATE, (5,)), OpenTable(3, 6, LATE, (1,))]
    claims = [claim(Why.IN_TURN, ref, ref) for ref in (1, 2, 3, 4, 5)]

    assert seats_proposed(next_steps(tables, claims)) == [
        (1, 3, 1, "fewest_players"),
        (2, 1, 3, "opened_first"),
        (3, 2, 5, "fewest_players"),
        (4, 1, 4, "only_table"),
    ]


def test_requests_of_one_kind_are_met_in_their_order():
    table = OpenTable(1, 8, EARLY, (4,))
    claims = [claim(Why.TABLE_CHANGE, 1, 20, at_table=2), claim(Why.TABLE_CHANGE, 2, 10, at_table=3)]

    assert [step.claim.ref for step in next_steps([table], claims)] == [2]


def test_a_request_for_another_table_holds_nobody_up():
    tables = [OpenTable(1, 8, EARLY, (4,)), OpenTable(2, 9, LATE, ())]
    claims = [claim(Why.TABLE_CHANGE, 1, at_table=3, to_table=2), claim(Why.IN_TURN, 2)]

    assert [step.claim.ref for step in next_steps(tables, claims)] == [2]


@pytest.mark.rule("H2.13", "H4.45")
def test_a_change_of_seat_at_the_table_comes_before_anybody_new_and_waits_for_its_seat():
    table = OpenTable(1, 8, EARLY, (4,))
    claims = [claim(Why.IN_TURN, 1), claim(Why.SEAT_CHANGE, 2, at_table=1, to_seat=4)]

    assert seats_proposed(next_steps([table], claims)) == [(2, 1, 4, "seat_change")]
    assert seats_proposed(next_steps([table], [claim(Why.SEAT_CHANGE, 2, at_table=1, to_seat=6)])) == []


def test_the_main_game_is_kept_full_out_of_the_one_that_feeds_it():
    main = OpenTable(1, 8, EARLY, (4, 6))
    feeder = OpenTable(2, 5, LATE, (9,), feeds=1)
    claims = [
        claim(Why.IN_TURN, 1),
        claim(Why.MUST_MOVE, 2, 20, at_table=2),
        claim(Why.MUST_MOVE, 3, 10, at_table=2),
    ]

    assert seats_proposed(next_steps([main, feeder], claims)) == [
        (3, 1, 4, "must_move"),
        (2, 1, 6, "must_move"),
        (1, 2, 9, "only_table"),
    ]


def test_must_move_games_feed_each_other_in_a_chain():
    tables = [OpenTable(1, 8, EARLY, (4,)), OpenTable(2, 8, LATE, (5,), feeds=1), OpenTable(3, 4, LATE, (1,), feeds=2)]
    claims = [claim(Why.MUST_MOVE, 1, 5, at_table=3), claim(Why.MUST_MOVE, 2, at_table=2)]

    assert seats_proposed(next_steps(tables, claims)) == [(2, 1, 4, "must_move"), (1, 2, 5, "must_move")]


@pytest.mark.rule("R-§3-2", "R-§3-3", "R6", "R7")
def test_changes_that_the_house_forbids_are_not_proposed():
    royal = Moving(two_fewer=True, table_one_first=True)
    equal = [OpenTable(3, 8, EARLY, (9,)), OpenTable(4, 8, LATE, (9,))]
    first = [OpenTable(1, 8, EARLY, (9,)), OpenTable(2, 7, LATE, (9,))]

    assert next_steps(equal, [claim(Why.TABLE_CHANGE, 1, at_table=3)], terms=royal) == ()
    assert next_steps(first, [claim(Why.TABLE_CHANGE, 1, at_table=1)], terms=royal) == ()
    assert len(next_steps(equal, [claim(Why.TABLE_CHANGE, 1, at_table=3)])) == 1


@pytest.mark.rule("R-§3-2", "R-§3-3")
def test_who_waits_for_the_game_at_which_they_sit_is_called_to_no_table_that_a_change_may_not_lead_to():
    royal = Moving(two_fewer=True, table_one_first=True)
    equal = [OpenTable(3, 8, EARLY, (9,)), OpenTable(4, 8, LATE, (9,))]
    seated, new = claim(Why.IN_TURN, 1, at_table=3), claim(Why.IN_TURN, 2)

    assert [step.claim for step in next_steps(equal, [seated, new], terms=royal)] == [new]
    assert [step.claim for step in next_steps(equal, [seated], terms=Moving())] == [seated]


def test_who_chooses_another_seat_of_the_table_overrules_nobody_and_who_takes_anothers_does():
    """A54."""
    tables = [OpenTable(1, 7, EARLY, (3, 4, 9)), OpenTable(2, 8, LATE, (5,))]
    steps = next_steps(tables, [claim(Why.IN_TURN, 1, 1), claim(Why.IN_TURN, 2, 2)])
    first, second = steps

    assert passed_over(steps, whose=Whose(True, 1), table_number=1, seat_number=3) is None
    assert passed_over(steps, whose=Whose(True, 1), table_number=1, seat_number=9) is None
    assert passed_over(steps, whose=Whose(True, 1), table_number=2, seat_number=5) == first
    assert passed_over(steps, whose=Whose(True, 2), table_number=1, seat_number=3) == first
    assert passed_over(steps, whose=Whose(True, 9), table_number=1, seat_number=4) == second
    assert passed_over(steps, whose=Whose(True, 9), table_number=1, seat_number=9) is None


@given(
    lists(tuples(sampled_from(list(Why)), integers(1, 4), integers(0, 9)), max_size=12),
    lists(lists(integers(1, 9), unique=True, max_size=4), min_size=4, max_size=4),
)
def test_no_seat_is_proposed_twice_and_nobody_weaker_gets_one_that_a_stronger_claim_could_have(drawn, free):
    tables = [
        OpenTable(n + 1, 9 - len(seats), EARLY, tuple(seats), feeds=1 if n else None) for n, seats in enumerate(free)
    ]
    claims = [claim(why, ref, minutes, at_table=at) for ref, (why, at, minutes) in enumerate(drawn)]

    steps = next_steps(tables, claims)

    seats = [(step.seat.table_number, step.seat.seat_number) for step in steps]
    assert len(seats) == len(set(seats))
    assert all(seat in free[number - 1] for number, seat in seats)
    order = [list(Why).index(step.claim.why) for step in steps]
    assert order == sorted(order)
