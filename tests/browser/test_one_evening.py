"""
The README's tour, tapped on real pages at once: the floor, the cage, the dealer and the lobby.

A table is opened, three players are seated and bought in, five hands are logged (two of them while
the dealer's connection is cut), the lobby is seen changing by itself, one player is cashed out, and
the result is read in the ledger.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from casino import clock
from casino.people.published import STAFF
from casino.rooms.models import Room
from tables.models import Hand, Table, ToDo
from tables.owners import table_figures
from tests.browser.dealer_tablet import CALM_MS, WAITING, finger_rests
from tests.cast import enrolled
from tests.support.browser import Chromium, until
from tests.support.room import BrushServer

pytestmark = pytest.mark.browser
SEATS = {1: "Lee", 2: "Kai", 3: "Timo"}
# Where to put pictures of the screens (`make pictures`: docs/screens); unset: none are taken.
PICTURES = os.environ.get("BRUSH_SCREENSHOTS")


@pytest.fixture
def desk(live_room: BrushServer, chromium: Chromium) -> Callable[[str, str, str], Page]:
    """Return a page of this device, with this person signed in, at this address."""

    def open_page(device: str, username: str, path: str) -> Page:
        page = chromium.page(device, f"/sign-in/?next={path}")
        person = next(each for each in STAFF if each.username == username)
        page.fill("[name=username]", person.username)
        page.fill("[name=password]", person.password)
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url: url.endswith(path))
        return page

    return open_page


def picture(page: Page, name: str) -> None:
    """Take a picture of a screen as it stands, and where a fresh page shows the same, one in Finnish."""
    if not PICTURES:
        return
    folder = Path(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    page.mouse.move(0, 0)
    page.screenshot(path=folder / f"{name}.png", animations="disabled")
    if page.context.browser is None or name.endswith(("-alone", "-slip")):
        return
    state, size = page.context.storage_state(), page.viewport_size
    finnish = page.context.browser.new_context(storage_state=state, viewport=size, locale="fi-FI")
    other = finnish.new_page()
    other.goto(page.url)
    other.wait_for_load_state("networkidle")
    other.screenshot(path=folder / f"{name}-fi.png", animations="disabled")
    finnish.close()


def more_pictures(chromium: Chromium, live_room: BrushServer, floor: Page, manager: Page) -> None:
    """Take pictures of what the tour passes by: the map, a phone, the door of a tablet, people, the day, the log."""
    floor.goto("/floor/")
    picture(floor, "floor")
    phone = chromium.page("phone")
    phone.context.add_cookies(floor.context.cookies())  # type: ignore[arg-type]  # cookies as they were given
    phone.goto(floor.url)
    picture(phone, "floor-phone")
    for name, path in (("people", "/people/"), ("day", "/cage/day/"), ("log", "/log/"), ("api", "/api/docs/")):
        manager.goto(path)
        picture(manager, name)
    tablet = chromium.page("dealer")
    enrolled(Room.objects.get(), "table", 1, at=clock.now())
    cookie = {"name": "brush_device", "value": "token-table-1", "url": live_room.url}
    tablet.context.add_cookies([cookie])  # type: ignore[list-item]  # a plain dictionary is what it takes
    tablet.goto("/door/")
    picture(tablet, "door")


def sheet(floor: Page) -> Locator:
    return floor.locator("#sheet[open]")


def seat_with_buy_in(floor: Page, seat: int, nickname: str, chips: str) -> None:
    floor.locator(".seat-row.free").filter(has=floor.locator(".seat-number", has_text=re.compile(f"^{seat}$"))).click()
    with floor.expect_response(lambda response: f"q={nickname}" in response.url):
        sheet(floor).get_by_placeholder("Search by nickname").press_sequentially(nickname, delay=60)
    sheet(floor).get_by_role("radio", name=nickname, exact=True).check()
    sheet(floor).locator("#chips").fill(chips)
    sheet(floor).get_by_role("button", name=f"Sit down in seat {seat}").click()
    expect(floor.locator(".seat-row").filter(has_text=nickname)).to_be_visible()


def take_the_money(cage: Page) -> None:
    cage.keyboard.press("F8")
    expect(cage.locator("#till-request")).to_be_visible()
    cage.keyboard.press("Enter")
    expect(cage.locator("#check[open]")).to_be_visible()
    cage.keyboard.press("Enter")
    expect(cage.locator("#check[open]")).to_have_count(0)


def log_hand(dealer: Page, *, pot: str, winner: int) -> None:
    for does in ("deal", "flop", "pot"):
        dealer.locator(f'#bar [data-do="{does}"]').tap()
    for digit in pot:
        dealer.locator(f'[data-key="{digit}"]').tap()
    dealer.locator(f'#live [data-seat="{winner}"] button').tap()
    finger_rests(dealer, CALM_MS)


@pytest.mark.slow
def test_an_evening_from_opening_the_table_to_the_cash_out(live_room, chromium, desk):
    lobby = chromium.page("lobby", "/lobby/")
    floor = desk("floor", "frans", "/floor/tables/1/")
    cage = desk("cage", "carla", "/cage/")
    dealer = desk("dealer", "anna", "/tables/1/")
    expect(dealer.locator("main")).to_contain_text("closed")

    # The floor opens the table; the dealer's tablet and the lobby know at once.
    floor.locator(".table-acts").get_by_role("button", name="Open table").click()
    sheet(floor).get_by_role("button", name="No limit hold'em 2/2").click()
    expect(dealer.locator("main")).not_to_contain_text("closed")
    for seat, nickname in SEATS.items():
        seat_with_buy_in(floor, seat, nickname, "200")
    expect(lobby.locator("#live")).to_contain_text(re.compile(r"\b7\b"))

    # The cage takes the money that the seats asked for, by keyboard alone.
    expect(cage.locator(".request")).to_have_count(3)
    picture(cage, "cage")
    for waiting in (2, 1, 0):
        take_the_money(cage)
        expect(cage.locator(".request")).to_have_count(waiting)
    expect(floor.locator(".figures-panel")).to_contain_text("600")

    # The button is drawn. Three hands with the server, two without.
    dealer.locator('#bar [data-do="draw"]').tap()
    dealer.locator('#live [data-seat="1"] button').tap()
    for pot, winner in (("44", 1), ("86", 2), ("20", 3)):
        log_hand(dealer, pot=pot, winner=winner)
    expect(floor.locator("#hands")).to_contain_text("86")
    picture(dealer, "dealer")
    dealer.context.set_offline(True)
    expect(dealer.locator("html")).to_have_attribute("data-connection", "gone")
    log_hand(dealer, pot="60", winner=1)
    log_hand(dealer, pot="40", winner=2)
    picture(dealer, "dealer-alone")
    assert Hand.objects.count() == 3
    dealer.context.set_offline(False)
    expect(dealer.locator("html")).to_have_attribute("data-connection", "live")
    until(dealer, lambda: dealer.evaluate(WAITING) == 0)
    picture(floor, "floor-table")
    picture(lobby, "lobby")

    # One player leaves with the stack counted, and is cashed out.
    floor.locator(".seat-row").filter(has_text="Timo").click()
    sheet(floor).locator("#leave-stack").fill("150")
    sheet(floor).get_by_role("button", name="Leaves with this stack").click()
    floor.locator("#confirm [data-yes]").click()
    expect(floor.locator(".seat-row").filter(has_text="Timo")).to_have_count(0)
    cage.keyboard.press("Escape")
    cage.locator("#till [name=kind][value=cash_out]").check(force=True)
    with cage.expect_response(lambda response: "q=Timo" in response.url):
        cage.locator("#player-search").press_sequentially("Timo", delay=60)
    cage.locator("#players").get_by_text("Timo", exact=True).click()
    expect(cage.locator("#player-card")).to_contain_text("Timo")
    cage.fill("#till-amount", "150")
    cage.keyboard.press("Enter")
    expect(cage.locator("#check[open]")).to_be_visible()
    cage.keyboard.press("Enter")
    expect(cage.locator("#slip")).to_contain_text("Timo")
    expect(cage.locator("#slip")).to_contain_text("150")
    picture(cage, "cage-slip")

    # The ledger has it all: pots of 44, 86, 20, 60 and 40 pay 2, 4, 1, 3 and 2 of rake; three players pay no drop.
    table = Table.objects.get(number=1)
    hands = [(hand.number, hand.pot_cents, hand.taken("rake"), hand.status) for hand in Hand.objects.order_by("number")]
    pots = [(44_00, 2_00), (86_00, 4_00), (20_00, 1_00), (60_00, 3_00), (40_00, 2_00)]
    assert hands == [(number, pot, rake, "settled") for number, (pot, rake) in enumerate(pots, start=1)]
    figures = table_figures(table.pk)
    assert (figures["rake_box"], figures["jackpot_box"], figures["in_play"]) == (12_00, 0, 600_00 - 12_00 - 150_00)
    assert not ToDo.objects.filter(done_at=None).exists()
    manager = desk("cage", "mari", "/ledger/")
    expect(manager.locator("main")).to_contain_text("12")
    picture(manager, "ledger")
    if PICTURES:
        more_pictures(chromium, live_room, floor, manager)
    call_command("ledger", "check")
    call_command("audit", "verify")
    assert "Traceback" not in live_room.log()
