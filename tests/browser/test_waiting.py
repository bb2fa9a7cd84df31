"""The floor keeps its lists: join, call, seat, let go; every screen follows."""

from datetime import timedelta

import pytest
from playwright.sync_api import Route, expect

from casino import clock
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from casino.waiting.tasks import wake_calls
from tables.models import Seating
from tests.browser.test_floor_lobby import Opened, fits, house, opened, shot
from tests.tables.conftest import House

__all__ = ["house", "opened"]
pytestmark = pytest.mark.browser


def waits(house: House, *nicknames: str) -> None:
    house.at = clock.now()
    for nickname in nicknames:
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)


@pytest.mark.rule("H2.5", "H2.6", "H2.12")
def test_a_player_joins_is_called_and_sits_down(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika", "Pekka")
    floor = opened("floor", "/floor/")
    game = floor.locator(".game", has_text="No limit hold'em 2/2")

    game.locator(".list-add").tap()
    # What the search finds after the tap is too late to take the name away.
    searches: list[Route] = []
    floor.route("**/floor/players/**", lambda search: searches.append(search))
    with floor.expect_request("**/floor/players/**"):
        floor.locator("#q").fill("Pek")
    floor.locator("#candidates label", has_text="Sara").tap()
    with floor.expect_response("**/floor/players/**"):
        searches[0].continue_()
    floor.get_by_role("button", name="Onto the list").tap()
    expect(game.locator(".entry")).to_have_count(3)
    expect(game.locator(".entry").last).to_contain_text("Sara")
    shot(floor, "floor-50-list")

    game.get_by_role("button", name="Call T1/4").tap()
    called = game.locator(".entry.called")
    expect(called).to_contain_text("Mika")
    expect(called.locator("time")).to_contain_text("2:5")
    assert fits(floor)
    shot(floor, "floor-51-called")

    called.get_by_role("button", name="Seat").tap()
    expect(floor.locator("#candidates input:checked")).to_have_count(1)
    floor.locator("#chips").fill("200")
    shot(floor, "floor-52-seat-the-called")
    floor.get_by_role("button", name="Sit down in seat 4").tap()

    expect(game.locator(".entry")).to_have_count(2)
    assert Seating.objects.get(seat_number=4, left_at=None).player.nickname == "Mika"
    assert Waiting.objects.get(player__nickname="Mika").status == "seated"


@pytest.mark.slow
@pytest.mark.rule("H2.6", "H2.9")
def test_what_can_be_done_for_a_called_player(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika", "Pekka", "Jo")
    floor = opened("floor", "/floor/")
    game = floor.locator(".game", has_text="No limit hold'em 2/2")
    game.get_by_role("button", name="Call T1/4").tap()

    game.locator(".entry.called .entry-who").tap()
    shot(floor, "floor-53-called-sheet")
    floor.get_by_role("button", name="Grant more time").tap()
    expect(game.locator(".entry.called time")).to_contain_text("7:5")
    game.locator(".entry.called .entry-who").tap()
    floor.get_by_role("button", name="Take the call back").tap()
    expect(game.locator(".entry.called")).to_have_count(0)

    game.locator(".entry-who", has_text="Jo").tap()
    shot(floor, "floor-54-waiting-sheet")
    floor.locator("#before").select_option(label="Mika")
    floor.locator("#sheet label", has_text="The order was wrong").tap()
    floor.get_by_role("button", name="Move").tap()
    expect(game.locator(".entry").first).to_contain_text("Jo")

    game.locator(".entry-who", has_text="Pekka").tap()
    floor.get_by_role("button", name="Strike").tap()
    expect(game.locator(".entry")).to_have_count(2)
    game.locator(".list-add").tap()
    shot(floor, "floor-55-struck-lately")
    floor.get_by_role("button", name="Put back").tap()
    expect(game.locator(".entry")).to_have_count(3)


@pytest.mark.slow
@pytest.mark.rule("H2.6")
def test_a_call_that_runs_out_is_gone_from_every_screen(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika")
    floor, phone = opened("floor", "/floor/"), opened("phone", "/floor/")
    game = floor.locator(".game", has_text="No limit hold'em 2/2")
    game.get_by_role("button", name="Call T1/4").tap()
    expect(phone.locator(".entry.called")).to_have_count(1)

    wake_calls(at=clock.now() + timedelta(minutes=4))

    for page in (floor, phone):
        expect(page.locator(".entry")).to_have_count(0)
    assert Waiting.objects.get().status == "struck"
