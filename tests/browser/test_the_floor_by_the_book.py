"""
A floor person's evening by the book: forty players, four tables, every screen that the evening passes.

List, call, strike, seat, break, missed blinds, move, close, a ban, a penalty; then the screens that others see of it.
With BRUSH_SCREENSHOTS the screens are kept as pictures (`make pictures`), in other languages too where asked for.
"""

import os
import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.ledger.proof import problems
from casino.people.models import Device, Player, SignIn
from casino.people.services import start_shift
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.lists import call_player, join_list
from tables.models import Opening, Seating
from tables.services.clocks import call_clock
from tables.services.closing import announce_last_orbit
from tables.services.downs import push_dealer
from tables.services.setup import add_table
from tests.browser.dealer_tablet import at_table, tablet_of
from tests.browser.test_floor_lobby import Opened, fits, house, opened
from tests.browser.test_phones import phone_with_pass
from tests.cast import demo_person
from tests.support.browser import Chromium, until
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house", "opened"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]
PICTURES = os.environ.get("BRUSH_SCREENSHOTS")
# "fi-FI da-DK": every waypoint is kept, in these languages too; unset: those of `FOR_THE_DOCS`, in English.
LANGUAGES = os.environ.get("BRUSH_SCREENSHOT_LANGUAGES", "").split()
FOR_THE_DOCS = {
    "14-waiting-sheet", "21-seat", "23-away-sheet", "40-map-closing", "42-drawn", "50-dealers", "53-posted",
    "56-banned", "61-phone-called", "62-lobby", "71-dealer",
}  # fmt: skip
GUESTS = (
    "Aleksanteri", "Bo", "Charlotte-Amalie", "Dorte", "Esa", "Frida", "Gunnar", "Hynek", "Iida", "Jarmila", "Kimmo",
    "Lumi", "Mogens", "Nela", "Oona", "Přemysl", "Quincy", "Raakel", "Søren", "Tuija", "Ulrika", "Vratislav",
    "Wille", "Xenia", "Yrjö", "Zdeněk", "Åke", "Örjan",
)  # fmt: skip


def look(page: Page, name: str) -> None:
    """Keep a picture of what is shown, an open sheet too; in the other languages as a fresh page shows the same."""
    # A sheet that is still on its way would open again after a tap on "Back".
    until(page, "!document.querySelector('.htmx-request')")
    if not PICTURES or not (LANGUAGES or name in FOR_THE_DOCS):
        return
    folder = Path(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png", animations="disabled")
    sheet = page.evaluate(
        "() => document.querySelector('#sheet[open]') && performance.getEntriesByType('resource')"
        ".map((each) => each.name).filter((each) => each.includes('/sheet/') || each.includes('/rest/')).pop()"
    )
    assert page.context.browser is not None
    for locale in LANGUAGES:
        state = page.context.storage_state()
        other = page.context.browser.new_context(
            storage_state=state, viewport=page.viewport_size, locale=locale, has_touch=True,
            is_mobile=(page.viewport_size or {"width": 0})["width"] < 500,
        )  # fmt: skip
        fresh = other.new_page()
        fresh.goto(page.url)
        fresh.wait_for_load_state("networkidle")
        if sheet:
            fresh.evaluate("(url) => htmx.ajax('GET', url, {target: '#sheet-content', swap: 'innerHTML'})", sheet)
            until(fresh, "!!document.querySelector('#sheet[open]') && !document.querySelector('.htmx-request')")
        fresh.screenshot(path=folder / f"{name}-{locale[:2]}.png", animations="disabled")
        other.close()


@pytest.fixture
def evening(house: House) -> House:
    """Four tables where hands are played, thirty-two of the forty seated, seven on its list and one on another."""
    house.at = clock.now() - timedelta(minutes=50)
    for number in (3, 4):
        house.tap(add_table, house.cast.mari, number=number)
    for name in GUESTS:
        house.cast.players[name] = Player.objects.create(room=house.cast.room, nickname=name, created_at=house.at)
    people = list(house.cast.players)
    for number, count in ((1, 10), (2, 9), (3, 8), (4, 5)):
        house.open(number)
        for seat in range(1, count + 1):
            house.seat(people.pop(0), seat, number=number)
        for pot in (86_00, 44_00, 120_00):
            house.settle(pot, number=number)
    house.at = clock.now() - timedelta(minutes=22)
    for nickname in people[:6]:
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player(people[6]).pk, is_call_in=True)
    house.tap(join_list, game_id=house.game("No limit hold'em 5/5").pk, player_id=house.player(people[7]).pk)
    WaitingList.objects.update(seats_opened=7, measured_minutes=150, measured_at=clock.now() - timedelta(minutes=2))
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    house.tap(push_dealer, table_id=house.table_id(1), dealer_id=house.cast.anna.pk)
    house.at = clock.now()
    return house


def sheet_of(floor: Page, nickname: str) -> None:
    floor.locator(".seat-row", has_text=nickname).tap()
    expect(floor.locator("#sheet")).to_be_visible()


@pytest.mark.rule("H2.5", "H2.6", "H2.8", "H2.10", "H2.12")
def test_an_evening_on_the_floor(evening: House, opened: Opened, chromium: Chromium, brush_server: BrushServer) -> None:
    house = evening
    floor = opened("floor", "/floor/")
    look(floor, "10-map")
    game = floor.locator(".game", has_text="No limit hold'em 2/2")

    # The list: one joins, one is called, another struck and put back.
    game.locator(".list-add").tap()
    look(floor, "11-join")
    floor.get_by_role("button", name="Back", exact=True).tap()
    first = Waiting.objects.filter(waiting_list__game=house.game()).order_by("place")[0].player.nickname
    second = Waiting.objects.filter(waiting_list__game=house.game()).order_by("place")[1].player.nickname
    game.locator(".entry-act").first.tap()
    called = game.locator(".entry.called")
    expect(called).to_contain_text(first)
    look(floor, "12-called")
    called.locator(".entry-who").tap()
    look(floor, "13-called-sheet")
    floor.get_by_role("button", name="Back", exact=True).tap()
    game.locator(".entry-who", has_text=second).tap()
    look(floor, "14-waiting-sheet")
    floor.get_by_role("button", name="Strike").tap()
    expect(game.locator(".entry", has_text=second)).to_have_count(0)
    game.locator(".list-add").tap()
    floor.get_by_role("button", name="Put back").tap()
    expect(game.locator(".entry", has_text=second)).to_have_count(1)

    # A seat for who was called.
    called.get_by_role("button", name="Seat").tap()
    floor.get_by_label("brings them along").tap()
    floor.locator("#chips").fill("200")
    look(floor, "15-seat-the-called")
    floor.get_by_role("button", name=re.compile("Sit down in seat")).tap()
    expect(called).to_have_count(0)
    assert Seating.objects.get(player__nickname=first, left_at=None)
    assert fits(floor)

    # One table: a break, both blinds missed, back, another seat, another table.
    table = opened("floor", "/floor/tables/3/")
    look(table, "20-table")
    who = Seating.objects.filter(table__number=3, left_at=None).order_by("seat_number").select_related("player")
    held, mover = who[2], who[4]
    sheet_of(table, held.player.nickname)
    look(table, "21-seat")
    table.get_by_role("button", name="Long break").tap()
    expect(table.locator(".seat-row.held")).to_have_count(1)
    for _ in range(9):
        house.settle(20_00, number=3)
    house.at = clock.now()
    held.refresh_from_db()
    assert held.missed == "both"
    table.reload()
    look(table, "22-away")
    sheet_of(table, held.player.nickname)
    look(table, "23-away-sheet")
    table.locator("#sheet").get_by_role("button", name=re.compile("ost")).first.tap()
    expect(table.locator(".seat-row.held")).to_have_count(0)
    sheet_of(table, mover.player.nickname)
    table.get_by_role("button", name="Another seat…").tap()
    look(table, "24-another-seat")
    table.get_by_role("button", name="Back", exact=True).tap()
    sheet_of(table, mover.player.nickname)
    table.get_by_role("button", name="To another table").tap()
    look(table, "25-another-table")
    table.get_by_role("button", name="Back", exact=True).tap()

    # What went wrong is written down.
    table.get_by_role("button", name="Incident", exact=True).tap()
    table.get_by_role("button", name="Penalty").tap()
    look(table, "26-penalty")
    table.locator("#sheet label", has_text=mover.player.nickname).tap()
    table.locator("#sheet label", has_text="20 min").tap()
    table.locator("#text").fill("Threw the cards at the dealer")
    table.get_by_role("button", name="Write it down").tap()
    expect(table.locator(".table-work")).to_contain_text("sits out until")
    for button, name in (("Stakes", "27-stakes"), ("Tip box", "28-tips"), ("Who left", "29-left")):
        table.get_by_role("button", name=button).tap()
        look(table, name)
        table.get_by_role("button", name="Back", exact=True).tap()
    table.locator("#hands .hand-tap").first.tap()
    look(table, "30-hand")
    table.get_by_role("button", name="Back", exact=True).tap()

    # Table 4 closes: its five draw for the seats of the others.
    house.tap(announce_last_orbit, table_id=house.table_id(4), hands=1)
    house.settle(40_00, number=4)
    floor.reload()
    look(floor, "40-map-closing")
    closing = opened("floor", "/floor/tables/4/")
    closing.get_by_role("button", name="Close").tap()
    look(closing, "41-close")
    closing.get_by_role("button", name="These draw for the seats").tap()
    expect(closing.locator(".commitment")).to_be_visible()
    closing.get_by_role("button", name="Draw the cards").tap()
    expect(closing.locator(".card-drawn").first).to_be_visible()
    look(closing, "42-drawn")
    # Four hands have taken 14 € of rake from the thousand that lay there.
    while closing.locator(".close-row").count():
        row = closing.locator(".close-row").first
        name = row.locator(".seat-name").inner_text()
        row.locator("[name=stack]").fill("200" if closing.locator(".close-row").count() > 1 else "186")
        row.locator("button.primary").tap()
        expect(closing.locator(".close-row", has_text=name)).to_have_count(0)
    closing.get_by_role("button", name="Close the table", exact=True).tap()
    closing.locator("#confirm [data-yes]").tap()
    expect(closing.locator("#sheet")).not_to_be_visible()
    assert Opening.objects.get(table__number=4).closed_at is not None
    assert list(problems(house.room_id)) == []

    # Dealers, incidents, the posted sheet, a player who is banned.
    for path, name in (
        ("/floor/dealers/", "50-dealers"), ("/floor/incidents/", "52-incidents"),
        ("/posted/", "53-posted"), ("/posted/3/", "54-posted-table"),
    ):  # fmt: skip
        floor.goto(path)
        look(floor, name)
    floor.goto(f"/people/players/{mover.player_id}/")
    look(floor, "55-player")
    floor.locator("summary", has_text="Ban").tap()
    floor.locator("#ban-clause").fill("H1.76")
    floor.locator("#ban-why").fill("Marked cards")
    floor.get_by_role("button", name="Ban").tap()
    floor.get_by_role("button", name="Yes, ban").tap()
    expect(floor.locator(".player-head")).to_contain_text("banned")
    look(floor, "56-banned")
    floor.goto("/floor/")
    look(floor, "57-map-after")
    assert fits(floor)
    floor.get_by_text(f"{mover.player.nickname} may not play any more").tap()
    floor.locator("#leave-stack").fill("180")
    floor.get_by_role("button", name="Leaves with this stack").tap()
    floor.get_by_role("button", name="Leaves", exact=True).tap()
    expect(floor.get_by_text("may not play any more")).to_have_count(0)

    # The wall and a phone.
    entry = Waiting.objects.filter(waiting_list__game=house.game(), status="waiting").order_by("place")[0]
    phone = phone_with_pass(floor, chromium, entry.player.nickname)
    look(phone, "60-phone")
    house.at = clock.now()
    house.tap(call_player, waiting_id=entry.pk, table_id=house.table_id(3), seat_number=mover.seat_number)
    expect(phone.locator(".phone-called")).to_be_visible()
    look(phone, "61-phone-called")
    wall = opened("lobby", "/lobby/")
    look(wall, "62-lobby")
    small = opened("phone", "/floor/")
    look(small, "63-floor-phone")
    small.goto("/floor/tables/3/")
    look(small, "64-table-phone")

    # The tablet at table 3: a clock, an absence, a called seat.
    device = tablet_of(house, house.cast.dan, number=3)
    began_at = clock.now() - timedelta(minutes=17)
    with as_owner():
        SignIn.objects.filter(device=device).update(began_at=began_at)
    Device.objects.filter(pk=device.pk).update(signed_in_at=began_at)
    sitting = Seating.objects.filter(table__number=3, left_at=None).order_by("seat_number")
    tablet = at_table(chromium, brush_server, house, number=3)
    tablet.seat(sitting[0].seat_number)
    look(tablet.page, "70-dealer-seat")
    tablet.tap("long-break")
    # Until when is the server's to say: the tablet foresees nothing here.
    expect(tablet.seat_of(sitting[0].seat_number)).to_contain_text("away")
    house.at = clock.now()
    house.deal(number=3)
    house.tap(call_clock, table_id=house.table_id(3), seating_id=sitting[1].pk)
    expect(tablet.page.locator(".clock-left")).to_be_visible()
    look(tablet.page, "71-dealer")
    tablet.tap("menu")
    look(tablet.page, "72-dealer-menu")

    assert "Traceback" not in brush_server.log()


def test_the_rule_book_s_page(evening: House, brush_server: BrushServer, chromium: Chromium) -> None:
    page = chromium.page("cage", "/sign-in/?next=/rule-books/")
    page.fill("[name=username]", "mari")
    page.fill("[name=password]", demo_person("mari").password)
    page.keyboard.press("Enter")
    expect(page.locator("#book-text")).to_be_visible()
    look(page, "80-books")
