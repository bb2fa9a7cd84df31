"""A tap changes several screens in several languages: what they show alike is read once."""

from typing import Any

from casino.live.render import fragment, one_snapshot
from tests.tables.conftest import House

ALIKE = [("floor", "fi"), ("lobby", "en"), ("lobby", "fi")]
ALL = [("floor", "en"), *ALIKE, ("table.1.dealer", "en"), ("table.1.dealer", "fi")]


def test_what_several_screens_show_is_read_once(house: House, django_assert_num_queries: Any) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2)
    house.settle(20_00)

    with one_snapshot(house.room_id) as fragment_of:
        shown = [fragment_of("floor", "en")]
        # The lobby's own: the jackpots' sums with their book, and the promotions that run.
        with django_assert_num_queries(3):
            shown += [fragment_of(audience, language) for audience, language in ALIKE]
        shown.append(fragment_of("table.1.dealer", "en"))
        with django_assert_num_queries(0):
            shown.append(fragment_of("table.1.dealer", "fi"))

    assert len({(each.audience, each.html) for each in shown}) == len(shown)
    assert {each.html for each in shown} == {fragment(house.room_id, *which).html for which in ALL}


def test_outside_of_one_snapshot_everything_is_read_anew(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    before = fragment(house.room_id, "floor", "en")

    house.seat("Timo", 3)

    assert fragment(house.room_id, "floor", "en").html != before.html
