"""What is printed to play on by paper, as paper: A4, in each language, one sheet to a page, nothing cut off."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from casino import clock
from casino.paper.services import print_sheets
from casino.people.models import Player
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.models import Seating, TipReceipt
from tables.services.downs import end_down, push_dealer
from tables.services.seating import hold_seat
from tests.boxes.hanging import Hanging
from tests.browser.dealer_tablet import sign_in
from tests.browser.languages import LANGUAGES, faults, speak
from tests.browser.test_floor_lobby import house, shot
from tests.cast import enrolled
from tests.support.browser import Chromium, until
from tests.support.room import BrushServer
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks
from tests.tables.tipping import hand_on, take

__all__ = ["house"]
pytestmark = pytest.mark.browser
# A4 at 96 dots an inch, whole, and what is printed on between its margins of 12 mm.
A4, PRINTED_ON = ViewportSize(width=794, height=1123), ViewportSize(width=703, height=1032)


@pytest.fixture
def printed(house: House, brush_server: BrushServer) -> str:
    """Print an evening with something of everything at a full table; return the address of the sheets."""
    house.at = clock.now()
    names = ("Lee", "Kai", "Timo", "Mika", "Pekka", "Ville", "Aino", "Sara")
    house.open(1, **{name: seat for seat, name in enumerate(names, start=1)})
    house.open(2)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    house.settle(20_00)
    timo = Seating.objects.get(player__nickname="Timo")
    house.tap(hold_seat, table_id=house.table_id(), seating_id=timo.pk, is_held=True)
    for _ in range(9):
        house.settle(20_00)
    Hanging(house).hang(17)
    Hanging(house).hang(12, "drop")
    for nickname in ("Jo", "Riku", "Noora"):
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)
    first = Waiting.objects.earliest("place")
    house.tap(call_player, waiting_id=first.pk, table_id=house.table_id(), seat_number=9)
    Player.objects.filter(nickname="Kai").update(nickname="Maximiliana Alexandra Konstanz")
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    return f"/floor/paper/{house.tap(print_sheets).data['printing']}/"


def paper(chromium: Chromium, server: BrushServer, viewport: ViewportSize) -> Page:
    page = chromium.page("cage", viewport=viewport)
    host = urlsplit(server.url).hostname or ""
    page.context.add_cookies([{"name": "brush_device", "value": "token-floor-1", "domain": host, "path": "/"}])
    # Whether it asked to print stands in the page.
    page.add_init_script("window.print = () => { document.documentElement.dataset.printed = 'yes'; }")
    return page


def pages_of(page: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


@pytest.mark.slow
def test_it_prints_itself_one_sheet_to_a_page(printed: str, brush_server: BrushServer, chromium: Chromium) -> None:
    page = paper(chromium, brush_server, A4)
    page.goto(printed)

    assert page.locator("html").get_attribute("data-printed") == "yes"
    assert page.locator(".paper-sheet").count() == 3
    assert pages_of(page) == 3

    # Whoever loads it anew has printed it.
    page.reload()
    assert page.locator("html").get_attribute("data-printed") is None


@pytest.mark.slow
def test_nothing_of_a_sheet_is_cut_off_in_any_language(
    printed: str, brush_server: BrushServer, chromium: Chromium
) -> None:
    page = paper(chromium, brush_server, PRINTED_ON)
    page.emulate_media(media="print")
    found = []
    for language in LANGUAGES:
        speak(page, brush_server.url, language)
        page.goto(printed)
        for number, sheet in enumerate(page.locator(".paper-sheet").all()):
            sheet.scroll_into_view_if_needed()
            shot(page, f"paper-{number}-{language}")
        found += [f"in {language}: {fault}" for fault in faults(page)]
        if (pages := pages_of(page)) != 3:
            found.append(f"in {language}: {pages} pages")

    assert not found, "\n".join(found)


@pytest.mark.slow
def test_the_first_paper_of_a_receipt_of_tips_is_the_original(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(hours=3)
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    house.open(1, Lee=1, Kai=2)
    down = Racking(house).began(house.cast.anna)
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    take(house, 15, house.cast.anna)
    hand_on(house, 15_00)
    sign_in(enrolled(house.cast.room, "floor"), house.cast.mari)
    page = paper(chromium, brush_server, A4)
    # What is on the page when it is printed, over the pages that follow.
    page.add_init_script("""window.print = () => {
        const what = document.querySelector(".copy") ? "copy " : "original ";
        sessionStorage.setItem("papers", (sessionStorage.getItem("papers") ?? "") + what);
    }""")
    page.goto(f"{brush_server.url}/tips/receipts/{TipReceipt.objects.get().number}/")

    # Another window shows it from before anything was printed.
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate("() => { window.print = () => { window.isCopy = Boolean(document.querySelector('.copy')); }; }")

    page.bring_to_front()
    page.keyboard.press("F10")
    expect(page.locator("#print-word")).to_have_text("Print a copy")
    page.keyboard.press("F10")
    until(page, lambda: page.evaluate("sessionStorage.getItem('papers')") == "original copy ")
    expect(page.locator(".copy")).to_have_count(1)
    assert TipReceipt.objects.get().prints == 2
    other.bring_to_front()
    other.keyboard.press("F10")
    until(other, "window.isCopy === true")
