"""A wish for another seat done with one tap on the map; a table that closes, whose called player keeps the place."""

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.services.seat_change import ask_seat_change
from tests.browser.test_floor_lobby import Opened, fits, house, opened, shot
from tests.tables.conftest import House
from tests.tables.test_moving import sits

__all__ = ["house", "opened"]
pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.rule("H2.13", "H4.45", "H2.22")
def test_a_wish_is_done_with_one_tap_and_a_closing_table_takes_nobody(house: House, opened: Opened) -> None:
    house.at = clock.now()
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    timo = sits(house, "Timo")
    house.tap(ask_seat_change, table_id=table.pk, seating_id=timo.pk, seat_number=6)
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Sara").pk).data["waiting"]
    floor = opened("floor", "/floor/")

    line = floor.locator(".todo-line", has_text="would like seat 6, which is free")
    expect(line).to_contain_text("H2.13")
    shot(floor, "next-1-wish")
    line.locator("button").tap()
    expect(line).to_have_count(0)
    assert sits(house, "Timo").seat_number == 6

    house.tap(call_player, waiting_id=waits, table_id=table.pk, seat_number=4)
    page = opened("floor", "/floor/tables/1/")
    page.get_by_role("button", name="Close").tap()
    expect(page.locator("#sheet")).to_contain_text("1 player called here waits again then, in the old place.")
    shot(page, "next-2-close")
    page.get_by_role("button", name="Last orbit: 3 hands").tap()
    expect(page.locator(".close-left")).to_have_text("3 more hands")
    assert Waiting.objects.get(id=waits).status == "waiting"
    page.goto("/floor/tables/1/")
    expect(page.locator("#seats")).not_to_contain_text("Seat a player")
    assert fits(page)
    page.locator(".seat-row.free").first.tap()
    expect(page.locator("#sheet")).to_contain_text("nobody new sits down here")
    shot(page, "next-3-free-seat")
    page.locator("#sheet").get_by_role("button", name="Close table 1").tap()
    expect(page.get_by_role("button", name="Goes on after all")).to_be_visible()
