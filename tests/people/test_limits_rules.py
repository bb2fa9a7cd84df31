"""The pure rules: a player's own limits, exclusions, and how long somebody has played."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.people.rules.exclusions import BAN, OWN, Excluded, holds, may_be_lifted, strictest
from casino.people.rules.limits import Limit, Wish, is_stricter, joined, limit_on, on, wish
from tables.rules.hours import played, plays_until

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
amounts = st.none() | st.integers(0, 1000)


@st.composite
def evenings(draw):
    """Return wishes in the order of their days, and the day of the last one."""
    day, wishes = 1, []
    for amount, days_later in draw(st.lists(st.tuples(amounts, st.integers(0, 2)), max_size=8)):
        day += days_later
        wishes.append(Wish(amount, day))
    return wishes, day


def test_a_limit_is_lowered_at_once_and_raised_the_next_day():
    set_first = [Wish(500, 1)]
    raised = [*set_first, Wish(800, 1)]
    lowered = [*raised, Wish(300, 1)]

    assert limit_on(1, set_first).amount == 500
    assert limit_on(1, raised) == Limit(500, coming=Wish(800, 1))
    assert limit_on(2, raised).amount == 800
    assert [limit_on(day, lowered).amount for day in (1, 2)] == [300, 300]
    assert limit_on(1, [*set_first, Wish(None, 1)]).amount == 500
    assert limit_on(2, [*set_first, Wish(None, 1)]).amount is None


@given(evening=evenings(), new=amounts)
def test_on_the_day_of_a_wish_no_limit_is_ever_loosened(evening, new):
    wishes, day = evening

    before, after = limit_on(day, wishes), limit_on(day, [*wishes, Wish(new, day)])

    assert not is_stricter(before.amount, after.amount)


@given(evening=evenings(), new=amounts)
def test_the_next_day_holds_what_was_asked_for_last(evening, new):
    wishes, day = evening

    assert limit_on(day + 1, [*wishes, Wish(new, day)]) == Limit(new)


@given(one=evenings(), other=evenings())
def test_of_two_records_the_stricter_limit_holds_from_the_merge_on(one, other):
    day = max(one[1], other[1])
    kept, gone = limit_on(day, one[0]), limit_on(day, other[0])

    both = kept
    for amount in joined(kept, gone):
        both = wish(both, Wish(amount, day))

    for then in (day, day + 1):
        for each in (on(kept, then), on(gone, then)):
            assert not is_stricter(each.amount, on(both, then).amount)
    assert both.amount in (kept.amount, gone.amount)


@pytest.mark.parametrize(
    ("excluded", "hours", "does_hold", "liftable"),
    [
        pytest.param(Excluded(BAN, None), 9999, True, True, id="a-ban-without-end"),
        pytest.param(Excluded(BAN, NOON), -1, True, True, id="a-ban-before-its-end"),
        pytest.param(Excluded(BAN, NOON), 0, False, False, id="a-ban-ends-by-itself"),
        pytest.param(Excluded(OWN, NOON), -1, True, False, id="own-wish-before-its-end"),
        pytest.param(Excluded(OWN, NOON), 9999, True, True, id="own-wish-holds-until-it-is-lifted"),
    ],
)
def test_when_an_exclusion_holds_and_when_two_may_lift_it(excluded, hours, does_hold, liftable):
    at = NOON + timedelta(hours=hours)

    assert (holds(excluded, at), may_be_lifted(excluded, at)) == (does_hold, liftable)


def test_of_several_exclusions_the_players_own_is_named_then_the_longest():
    short, long, endless = Excluded(BAN, NOON), Excluded(BAN, NOON + timedelta(days=9)), Excluded(BAN, None, "H1.76")
    own = Excluded(OWN, NOON - timedelta(days=1))
    at = NOON - timedelta(hours=1)

    assert strictest((short, long), at) == long
    assert strictest((short, endless, long), at) == endless
    assert strictest((short, own, endless), at) == own
    assert strictest((short,), NOON) is None
    assert strictest((), at) is None


def hour(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def test_two_seats_at_once_count_once_and_the_time_between_not_at_all():
    sat = [(hour(0), hour(2)), (hour(1), hour(3)), (hour(5), None)]

    assert played(sat, at=hour(6)) == timedelta(hours=4)
    assert plays_until(sat, limit_minutes=5 * 60, at=hour(6)) == hour(7)
    assert plays_until(sat, limit_minutes=4 * 60, at=hour(6)) == hour(6)


@given(
    sat=st.lists(st.tuples(st.integers(0, 600), st.none() | st.integers(0, 600)), max_size=6),
    at=st.integers(0, 600),
)
def test_nobody_plays_longer_than_the_clock_goes(sat, at):
    sittings = [
        (NOON + timedelta(minutes=began), None if long is None else NOON + timedelta(minutes=began + long))
        for began, long in sat
    ]
    now = NOON + timedelta(minutes=at)

    assert timedelta() <= played(sittings, at=now) <= timedelta(minutes=at)
