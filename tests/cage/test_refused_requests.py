"""The cage refuses chips that were asked for: the floor reads why, players that they see the floor."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Route, expect

from casino import clock
from casino.cage import services
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import RefusedRequest, Slip
from casino.errors import Malformed, NotFound, NotPermitted, Stale
from casino.ledger.proof import problems
from casino.live.render import fragment
from tests.browser.test_floor_lobby import shot
from tests.cage.desk import CageDesk, open_desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cast import TONIGHT, command
from tests.support.browser import Chromium
from tests.support.locks import meet, without_lock
from tests.support.room import BrushServer
from tests.tables.conftest import House, house
from tests.tables.evening import Evening
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]


def asks(desk: CageDesk) -> int:
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    return int(request.data["slip_id"])


def refuses(desk: CageDesk, slip_id: int, **more: Any) -> Any:
    arguments: dict[str, Any] = {"slip_id": slip_id, "reason": "card_declined"} | more
    return services.refuse_request(command(desk.carla), **arguments)


def test_a_refused_request_waits_no_more_and_keeps_its_reason(desk: CageDesk) -> None:
    slip_id = asks(desk)
    for wrong in ({"reason": "bad_mood"}, {"version": 7}):
        with pytest.raises((Malformed, Stale)):
            refuses(desk, slip_id, **wrong)
    with pytest.raises(NotPermitted):
        services.refuse_request(command(desk.cast.anna), slip_id=slip_id, reason="no_money")

    answer = refuses(desk, slip_id, version=1)

    slip = Slip.objects.get()
    assert (slip.status, slip.refused.reason, slip.refused.refused_by) == ("cancelled", "card_declined", desk.carla)
    assert (answer.data["refused_for"], answer.version) == ("card_declined", 2)
    with pytest.raises(SlipNotWaiting):
        refuses(desk, slip_id)
    with pytest.raises(SlipNotWaiting):
        services.take_money(command(desk.carla), slip_id=slip_id, drawer_id=desk.drawer_id, method="cash")
    assert list(problems(desk.cast.room.pk)) == []
    assert "Card declined" in at_desktop(desk.carla).get(f"/cage/slips/{slip_id}/").content.decode()


def test_what_is_cancelled_after_the_clock_was_set_back_ends_when_it_began(desk: CageDesk) -> None:
    slip_id = asks(desk)

    services.cancel_slip(command(desk.carla, at=TONIGHT - timedelta(minutes=5)), slip_id=slip_id)

    slip = Slip.objects.get()
    assert slip.cancelled_at == slip.requested_at


def test_the_floor_has_seen_it_once(desk: CageDesk) -> None:
    slip_id = asks(desk)
    with pytest.raises(NotFound):
        services.note_refusal_seen(command(desk.cast.frans), slip_id=slip_id)
    refuses(desk, slip_id)
    assert "Card declined" in fragment(desk.cast.room.pk, "floor", "en").html

    services.note_refusal_seen(command(desk.cast.frans), slip_id=slip_id)

    with pytest.raises(NotFound):
        services.note_refusal_seen(command(desk.cast.frans), slip_id=slip_id)
    assert "Card declined" not in fragment(desk.cast.room.pk, "floor", "en").html
    assert RefusedRequest.objects.get().seen_by == desk.cast.frans


def test_at_the_table_players_read_that_they_see_the_floor_and_no_reason(house: House, settings: Any) -> None:
    settings.PHONE_URL = "https://phones.example"
    slip_id = Evening(house).requested()
    seat = Slip.objects.get(pk=slip_id).seat
    assert seat is not None
    dealers = f"table.{seat.table_number}.dealer"
    arguments = {"slip_id": slip_id, "reason": "own_limit"}
    house.tap(services.refuse_request, house.cast.carla, **arguments)

    shown = fragment(house.room_id, dealers, "en").html
    assert f"Seat {seat.seat_number}: see the floor" in shown
    assert "own limit" not in shown
    floor: Client = at_desktop(house.cast.frans)
    assert "own limit" in fragment(house.room_id, "floor", "en").html
    sheet = floor.get(f"/floor/tables/{seat.table_number}/seats/{seat.seat_number}/sheet/").content.decode()
    assert "The cage refused" in sheet
    assert "own limit" in sheet

    assert tap(floor, f"/cage/slips/{slip_id}/refusal-seen/", on="floor").status_code == 200

    assert "see the floor" not in fragment(house.room_id, dealers, "en").html


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_refused_and_paid_at_once_is_one_of_the_two(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    slip_id = asks(desk)
    pays: dict[str, Any] = {"slip_id": slip_id, "drawer_id": desk.drawer_id, "method": "cash"}
    if not is_locked:
        without_lock(monkeypatch, Slip)

    with pytest.raises(SlipNotWaiting) if is_locked else nullcontext():
        meet(lambda: refuses(desk, slip_id), lambda: services.take_money(command(desk.carla), **pays))

    assert RefusedRequest.objects.exists()
    assert Slip.objects.filter(status="paid").exists() != is_locked
    assert list(problems(desk.cast.room.pk)) == []


@pytest.mark.browser
@pytest.mark.slow
def test_the_keyboard_alone_refuses_the_request_that_was_taken(brush_server: BrushServer, chromium: Chromium) -> None:
    desk = open_desk()
    for nickname, cents in (("Lee", 200_00), ("Kai", 50_00)):
        arguments: dict[str, Any] = {"player_id": desk.cast.players[nickname].pk, "amount_cents": cents}
        services.request_buy_in(command(desk.cast.anna, at=clock.now()), **arguments)
    page = sit_down(chromium)
    expect(page.locator("[data-request]")).to_have_count(2)
    page.locator("[data-request]", has_text="Kai").click()
    expect(page.locator("#till-request")).to_contain_text("Kai")

    page.keyboard.press("Shift+F8")
    expect(page.locator("#refuse")).to_contain_text("Kai")
    expect(page.locator("#refuse input[name=reason]").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    shot(page, "till-refuse")
    page.keyboard.press("Enter")

    expect(page.locator("#refuse")).to_be_hidden()
    expect(page.locator("[data-request]")).to_have_count(1)
    expect(page.locator("#till-request")).to_be_hidden()
    expect(page.locator("#player-search")).to_be_focused()
    assert RefusedRequest.objects.get().reason == "no_money"
    page.keyboard.press("Shift+F8")
    expect(page.locator("#refuse")).to_contain_text("Lee")
    page.keyboard.press("Escape")
    expect(page.locator("#refuse")).to_be_hidden()
    shot(page, "till-refused")


@pytest.mark.browser
@pytest.mark.slow
def test_a_card_that_comes_after_its_request_was_refused_chooses_nobody(
    brush_server: BrushServer, chromium: Chromium
) -> None:
    desk = open_desk()
    kai = desk.cast.players["Kai"].pk
    services.request_buy_in(command(desk.cast.anna, at=clock.now()), player_id=kai, amount_cents=50_00)
    page = sit_down(chromium)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(f"**/cage/players/{kai}/", hold)
    page.locator("[data-request]", has_text="Kai").click()
    page.keyboard.press("Shift+F8")
    expect(page.locator("#refuse input[name=reason]").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#refuse")).to_be_hidden()
    expect(page.locator("#player-search")).to_be_focused()

    page.evaluate("document.addEventListener('htmx:afterRequest', () => { document.body.dataset.hasCome = ''; })")
    held[0].continue_()
    expect(page.locator("body[data-has-come]")).to_have_count(1)

    assert page.locator("#player-card").inner_html().strip() == ""
    assert page.locator("#till-player").input_value() == ""
    expect(page.locator("#player-search")).to_be_focused()
