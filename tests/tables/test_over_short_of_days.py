"""What is found over or short at tables and on fill slips stands among the counts of its day, stated or carried."""

import re
from datetime import timedelta

import pytest

from casino import clock
from casino.cage.day_counts import counts_of, version_of
from casino.ledger.templatetags.money import difference
from casino.rooms.models import GamingDay
from tables.services.chips import count_tip_box
from tables.services.differences import state_difference
from tables.services.stacks import count_stack
from tests.cage.filling import Filling
from tests.jackpot.beats import SEVEN
from tests.tables.conftest import House
from tests.tables.racking import Racking
from tests.tables.test_differences import closed, states
from tests.tables.test_playing_on import counts_through, stacks_of
from tests.tables.tipping import dealt, take
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

ONE_DIFFERS, NONE_DIFFERS = ("1 count differs", "1 count differs"), ("no count differs", "nothing differs")


def pages(house: House, day: GamingDay) -> list[str]:
    """Return a day's report, and its own page."""
    with clock.frozen(house.at):
        return [
            at_desktop(house.cast.mari).get(path).text for path in (f"/reports/?day={day.date}", f"/cage/day/{day.pk}/")
        ]


def chips(house: House, day: GamingDay) -> tuple[str, ...]:
    """Return what both say of its counts in all, "" where they say nothing."""
    says = re.compile(r'<span class="chip (?:wrong|go)">(no count differs|nothing differs|\d+ counts? differs?)<')
    return tuple((says.findall(page) or [""])[0] for page in pages(house, day))


def lines(house: House, day: GamingDay) -> dict[str, str]:
    """Return what differs of a day as its own page lists it: by name, money and chips."""
    table = pages(house, day)[1].partition('id="day-counts"')[2].partition("</table>")[0]
    rows = [re.sub(r"\s*(<[^>]+>\s*)+", "|", row).strip("|").split("|", 1) for row in table.split("<tr>")[2:]]
    return {name.strip("\u2068\u2069"): differs for name, differs in rows if differs != "–|–"}


def of_chips(house: House, cents: int) -> str:
    """Return how a day's page writes what differs where chips are counted alone."""
    return f"–|{difference(cents, house.cast.room)}"


@pytest.mark.slow
def test_what_is_missing_at_a_table_that_plays_on_differs_stated_or_carried(house: House) -> None:
    house.open(1, **SEVEN)
    house.settle(60_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
    house.close_drawer()
    first = GamingDay.objects.get()
    assert chips(house, first) == NONE_DIFFERS
    cents = counts_through(house, stacks=stacks_of(house, cents=199_00), stands=False).data["difference_cents"]
    missing = {"table 1": of_chips(house, cents)}
    assert (chips(house, first), lines(house, first)) == (ONE_DIFFERS, missing)

    signed = version_of(counts_of(first))
    house.close_day()
    first.refresh_from_db()
    second = house.next_day(hours=8)
    assert (chips(house, first), lines(house, first)) == (ONE_DIFFERS, missing)
    # The second close signs what it did.
    assert version_of(counts_of(first)) == signed
    assert chips(house, second) == ("", "")

    counts_through(house, stacks=stacks_of(house, cents=199_00))
    house.tap(state_difference, table_id=house.table_id(), missing_cents=-cents)
    assert [lines(house, day) for day in (first, second)] == [missing] * 2


def test_what_is_missing_at_a_closed_table_differs_until_what_explains_it_was_stated_back(house: House) -> None:
    lee, _kai = closed(house, 190_00, 200_00)
    house.close_drawer()
    day = GamingDay.objects.get()
    missing = {"table 1": of_chips(house, -10_00)}
    assert lines(house, day) == missing
    states(house, 10_00)
    assert (chips(house, day), lines(house, day)) == (ONE_DIFFERS, missing)

    lee.refresh_from_db()
    house.tap(count_stack, table_id=lee.table_id, seating_id=lee.pk, stack_cents=200_00, version=lee.version)

    # It lies in play the other way, and is nothing together.
    assert chips(house, day) == NONE_DIFFERS


def test_what_one_opening_misses_and_another_has_too_much_are_two_differences(house: House) -> None:
    closed(house, 190_00, 200_00)
    states(house, 10_00)
    house.at += timedelta(minutes=1)
    closed(house, 210_00, 200_00)
    house.close_drawer()
    day = GamingDay.objects.get()
    assert (chips(house, day), lines(house, day)) == (ONE_DIFFERS, {"table 1": "–|±0"})

    states(house, -10_00)

    assert (chips(house, day), lines(house, day)) == (ONE_DIFFERS, {"table 1": "–|±0"})
    found = at_desktop(house.cast.mari).get(f"/api/v1/cage/days/{day.pk}").json()["found"]
    assert [(each["item"], each["chips_difference_cents"]) for each in found] == [("table.1", 0)]


def test_a_tip_box_that_misses_what_was_noted_is_a_line_of_its_own(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    dealt(house, (house.cast.anna, 30))
    house.tap(count_tip_box, table_id=house.table_id(), counted_cents=10_00)
    take(house, 5)
    house.close_drawer()
    day = GamingDay.objects.get()

    assert lines(house, day)["tip box of table 1"] == of_chips(house, -5_00)


def test_a_stack_that_nobody_counted_is_no_count_that_differs(house: House) -> None:
    closed(house, None, 200_00)
    house.close_drawer()
    day = GamingDay.objects.get()
    assert chips(house, day) == NONE_DIFFERS

    house.close_day()
    day.refresh_from_db()

    assert chips(house, day) == NONE_DIFFERS


def test_a_rack_and_a_fill_slip_that_differ_are_named(house: House) -> None:
    Racking(house).begin(counted_pushes_per_day=0)
    Racking(house).count(195)
    house.at += timedelta(minutes=1)
    fills = Filling(house.cast, at=house.at)
    slip = fills.counts(fills.sent(10_00, 5_00), 10_00)
    house.close_drawer(short_cents=0)
    day = GamingDay.objects.get()

    found = lines(house, day)

    assert found["rack of table 1"] == found[f"fill slip {slip.number}"] == of_chips(house, -5_00)
    assert chips(house, day)[0] == f"{len(found)} counts differ"
