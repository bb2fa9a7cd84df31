"""The boxes' pages, what they leave to the floor, and what the day's end says of them."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest

from casino import clock
from casino.boxes import push
from casino.boxes.models import Box
from casino.boxes.selectors.todo import differing_lines, lacking_lines
from casino.ledger.templatetags.money import difference, money
from casino.people.models import Staff
from tables.models import Seating
from tables.services.corrections import void_settled_hand
from tables.services.seating import leave_seat
from tables.views.floor import render_table
from tests.boxes.hanging import Hanging
from tests.boxes.test_boxes import played, taken
from tests.cast import demo_person
from tests.jackpot.beats import SEVEN
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def in_words(house: House, cents: int) -> str:
    return money(cents, house.cast.room).replace("\xa0", " ")


def page(house: House, by: Staff, address: str) -> str:
    with clock.frozen(house.at):
        answer = at_desktop(by).get(address)
    assert answer.status_code == 200, answer
    return unescape(answer.content.decode()).replace("\xa0", " ")


def test_a_box_s_page_says_what_was_expected_once_it_is_counted_and_not_before(boxes: Hanging):
    house, cast = boxes.house, boxes.house.cast
    house.open(1, **SEVEN)
    hung = boxes.hang(7)
    lies = taken(played(house, 600_00, 80_00, 80_00))
    hanging = page(house, cast.carla, f"/boxes/{hung.pk}/")
    boxes.drop()
    before = page(house, cast.carla, f"/boxes/{hung.pk}/")
    boxes.count(hung, lies - 3, 1)
    after, auditors = (page(house, by, f"/boxes/{hung.pk}/") for by in (cast.carla, cast.olavi))

    expected, counted = in_words(house, lies * 1_00), in_words(house, lies * 1_00 + 2_00)
    over = difference(2_00, cast.room).replace("\xa0", " ")
    # The chips of the book are there, and no chip of so much.
    assert all(expected not in shown and "By the log" not in shown for shown in (hanging, before))
    assert ("pieces_100" in hanging, "pieces_100" in before) == (False, True)
    assert all(words in after for words in ("By the log", expected, counted, over, "Carla", "Frans", "Count it again"))
    assert (over in auditors, "pieces_100" in auditors) == (True, False)


def test_nobody_who_may_count_reads_anywhere_what_an_uncounted_box_should_hold(boxes: Hanging):
    house, cast = boxes.house, boxes.house.cast
    house.open(1, **SEVEN)
    boxes.hang(7)
    hands, void = played(house, 600_00, 600_00, 600_00), played(house, 60_00)
    in_log, beyond = taken(hands) * 1_00, taken(void) * 1_00
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=void[0].pk, reason="void")
    # The sheet that closes it shows what is left there once all have gone.
    for seating in Seating.objects.order_by("id"):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=198_00)
    addresses = (
        *("/floor/", "/floor/tables/1/", "/floor/tables/1/close/sheet/?on=floor", "/floor/tables/1/hands/", "/boxes/"),
        *("/api/v1/tables", "/api/v1/tables/1", "/api/v1/boxes/", "/api/v1/boxes/counts"),
    )
    shown = {address: page(house, cast.frans, address) for address in addresses}
    shown["fragment"] = render_table(room_id=house.room_id, number=1)

    assert house.boxes()["rake"] == (in_log, beyond)
    figures = [rf"(?<![\d ]){in_words(house, cents)}|\b{cents}\b" for cents in (in_log, in_log + beyond)]
    leak = re.compile("|".join([*figures, "beyond the log"]))
    assert {address: found.group() for address, text in shown.items() if (found := leak.search(text))} == {}


def test_a_blank_form_counts_nothing_and_an_empty_box_is_said_to_be_empty(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    boxes.hang(7)
    box = boxes.drop()
    signs: dict[str, Any] = {"username": "frans", "pin": demo_person("frans").pin, "version": box.version}
    with clock.frozen(house.at):
        statuses = [
            tap(at_desktop(house.cast.carla), f"/boxes/{box.pk}/count/", **{**signs, **fields}).status_code
            for fields in ({"pieces_100": " "}, {"is_empty": "yes"})
        ]

    assert (statuses, box.counts.get().cents) == ([400, 200], 0)


def test_each_sees_what_they_may_do_with_boxes(boxes: Hanging, monkeypatch: pytest.MonkeyPatch):
    house, cast = boxes.house, boxes.house.cast
    empty = page(house, cast.frans, "/boxes/")
    house.open(1, **SEVEN)
    boxes.hang(17)
    boxes.hang(18)
    boxes.hang(19)
    boxes.drop()
    floor, cashier, auditor = (page(house, by, "/boxes/") for by in (cast.frans, cast.carla, cast.olavi))

    assert "No table takes anything now" in empty
    assert "No box waits" in empty
    for shown, may_hang, may_count in ((floor, True, True), (cashier, False, True), (auditor, False, False)):
        assert ("/boxes/hang/" in shown, ">Count</a>" in shown) == (may_hang, may_count)
        assert all(f"Rake box {number}" in shown for number in (17, 18, 19))
    # What was done last there is taken back, and nothing before it; nothing where another was counted since.
    assert floor.count("/take-back/") == 1
    newest = Box.objects.get(number=19)
    monkeypatch.setattr(push, "NEWEST", 1)
    stands = push.render_boxes(room_id=house.room_id)
    assert [f'"{each.pk}"' in stands for each in Box.objects.order_by("id")] == [True, True, True], stands
    boxes.count(newest, 0)
    assert "/take-back/" not in page(house, cast.frans, "/boxes/")


def test_the_floor_is_told_of_counts_that_differ_and_where_a_box_is_missing(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    house.open(2, Noora=1)

    def lines_shown() -> list[tuple[int | None, str]]:
        with clock.frozen(house.at):
            lines = (*differing_lines(room_id=house.room_id), *lacking_lines(room_id=house.room_id))
        return [(line.table_number, line.text.replace("\xa0", " ")) for line in lines]

    nobody_numbers = lines_shown()
    first = boxes.hang(7)
    lies = taken(played(house, 40_00))
    boxes.hang(8)
    boxes.count(first, lies + 1)
    missing = "No numbered box hangs for all that is taken here"
    # No jackpot box of this room has a number.
    found = lines_shown()
    floor = page(house, house.cast.frans, "/floor/")

    assert nobody_numbers == []
    over = difference(1_00, house.cast.room).replace("\xa0", " ")
    assert found == [(1, f"Rake box 7: the count differs by {over} of {in_words(house, lies * 1_00)}"), (2, missing)]
    assert all(text in floor for _table, text in found)
    # A room that has hung none for two weeks does not number them any more.
    house.at += timedelta(days=15)
    assert missing not in str(lines_shown())


def test_the_day_s_end_says_which_boxes_wait_and_hinders_nobody(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    boxes.hang(7)
    boxes.hang(8)

    shown = page(house, house.cast.mari, "/cage/day/")

    assert "1 box waits to be counted. 1 box still hangs at its table." in shown
