"""A tap changes several screens in several languages: what they show alike is read once."""

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.errors import NotFound
from casino.live.render import Fragment, fragment, one_snapshot
from tables.models import Seating
from tables.services.by_time import pay_by_time
from tables.services.corrections import undo_hand
from tables.services.setup import add_table
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses

ALIKE = [("floor", "fi"), ("lobby", "en"), ("lobby", "fi")]
# What tells the statements by which a tablet reads its table, the newest hand, and who was dealt in.
OF_A_TABLE = ("tables_table.number = ANY", "of_game (table_id, opening_id)", "FROM tables_handseat seat JOIN")
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


@pytest.mark.helsinki
def test_tablets_that_are_pushed_together_read_their_tables_together(house: House) -> None:
    house.tap(add_table, house.cast.mari, number=3)
    # A hand in progress after another; a game that goes on otherwise since its newest hand; a hand that was undone.
    house.open(1, Lee=1, Kai=2)
    house.settle(20_00)
    house.deal(1)
    house.open(2, Timo=3, Jo=4, Pekka=5)
    house.settle(30_00, number=2, winners=(4,))
    everybody = list(Seating.objects.filter(table__number=2).values_list("id", flat=True))
    house.tap(pay_by_time, table_id=house.table_id(2), kind="drop", minutes=60, consents=everybody)
    house.open(3, Mika=6, Ville=7)
    house.settle(40_00, number=3, winners=(7,))
    undone = house.settle(50_00, number=3, winners=(6,))
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(3), hand_id=undone.hand_id)
    tablets = [f"table.{number}.dealer" for number in (1, 2, 3, 4)]

    def pushed(*together: str) -> tuple[list[Fragment], Counter[str]]:
        with CaptureQueriesContext(connection) as queries, one_snapshot(house.room_id, audiences=together) as shown:
            fragments = [shown(each, "en") for each in together]
        return fragments, Counter(part for part in OF_A_TABLE for query in queries if part in query["sql"])

    alone = [pushed(each) for each in tablets[:3]]
    fragments, statements = pushed(*tablets[:3])

    assert [each.html for each in fragments] == [one.html for (one,), _ in alone]
    assert all(text in each.html for text, each in zip(("Lee", "Jo", "Ville"), fragments, strict=True))
    assert statements == dict.fromkeys(OF_A_TABLE, 1)
    assert [each for _, each in alone] == [statements] * 3
    # The room has no table 4: that one alone fails.
    with one_snapshot(house.room_id, audiences=tablets) as shown:
        assert shown(tablets[0], "en").html == fragments[0].html
        with pytest.raises(NotFound):
            shown(tablets[3], "en")
