"""A sheet that is caught up at the floor's tablet: each part whole on its screen, then looked at, signed and shown."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.paper.models import CaughtUp, Sheet
from casino.paper.services import print_sheets
from casino.people.models import Staff
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.models import Hand, Seating
from tables.services.downs import push_dealer
from tests.boxes.hanging import Hanging
from tests.browser.dealer_tablet import sign_in
from tests.browser.languages import faults, speak
from tests.browser.test_floor_lobby import fits, house, shot
from tests.cast import demo_person, enrolled
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House
from tests.tables.test_time_charges import Timed

__all__ = ["house"]
pytestmark = pytest.mark.browser
PARTS = ("time", "hands", "chips", "seats")


@pytest.fixture
def sheet(house: House, brush_server: BrushServer) -> str:
    """Play an evening, print, and go on by paper for a while; return the address of the table's sheet."""
    house.at = clock.now() - timedelta(minutes=50)
    names = ("Lee", "Kai", "Timo", "Mika", "Pekka", "Ville")
    house.open(1, **{name: seat for seat, name in enumerate(names, start=1)})
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    Hanging(house).hang(17)
    for _ in range(3):
        house.settle(20_00)
    number = house.tap(print_sheets).data["last_sheet"]
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    return f"/floor/paper/sheets/{number}/"


def floor(chromium: Chromium, server: BrushServer) -> Page:
    page = chromium.page("floor")
    host = urlsplit(server.url).hostname or ""
    page.context.add_cookies([{"name": "brush_device", "value": "token-floor-1", "domain": host, "path": "/"}])
    return page


def part(page: Page, name: str) -> None:
    page.locator(f"#part-{name}").check(force=True)


def fill(page: Page, **fields: str) -> None:
    for name, value in fields.items():
        field = page.locator(f'[name="{name}"]')
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)


@pytest.fixture
def lists(house: House, brush_server: BrushServer) -> str:
    """Timo is called, Mika and Jo wait at a table that pays by the time; return the address of the lists' sheet."""
    house.at = clock.now() - timedelta(minutes=50)
    timed = Timed(house)
    for name in ("Mika", "Jo", "Pekka"):
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(name).pk)
    house.settle(0)
    timed.take(1)
    number = house.tap(print_sheets).data["first_sheet"]
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    return f"/floor/paper/lists/{number}/"


def filled(page: Page, dealer_id: int) -> None:
    """Fill in what the example of docs/on-paper.md has."""
    since, until = (page.locator(f"#{name}").input_value() for name in ("from", "until"))
    fill(page, down_1_dealer=str(dealer_id), down_1_from=since, down_1_until=until)
    part(page, "hands")
    fill(page, hands="5", line_1_button="1", line_1_taken_rake="4", line_1_taken_drop="1", line_2_taken_rake="2,50")
    part(page, "chips")
    fill(page, chip_1_seat="2", chip_1_at=since, chip_1_left="counted", chip_1_stack="340")
    fill(page, chip_2_seat="2", chip_2_name="Riku", chip_2_chips="200", chip_2_paid="cash", chip_2_slip="7")
    part(page, "seats")
    fill(page, seat_3_stands="away", seat_3_missed="both", button="5")


@pytest.mark.slow
def test_a_sheet_is_caught_up_at_the_floors_tablet(
    sheet: str, house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    page = floor(chromium, brush_server)
    page.goto(sheet)
    for name in PARTS:
        part(page, name)
        assert fits(page), name
        scrolls = page.locator(f".part-{name} .scroll").evaluate("each => each.scrollHeight - each.clientHeight")
        assert scrolls <= 1, (name, scrolls)
    part(page, "time")
    filled(page, house.cast.anna.pk)
    for name in PARTS:
        part(page, name)
        shot(page, f"catch-up-{name}")

    # A slip of the finger is said by its line, and nothing that was typed is lost.
    part(page, "hands")
    fill(page, hands="1")
    part(page, "look")
    expect(page.locator("#catch-refusal")).to_contain_text("line 2 is filled in")
    shot(page, "catch-up-refused")
    part(page, "hands")
    expect(page.locator('[name="line_2_taken_rake"]')).to_have_value("2,50")
    fill(page, hands="5")
    part(page, "look")
    expect(page.locator("#looked")).to_contain_text("Riku came")
    shot(page, "catch-up-look")
    assert fits(page)

    page.locator("#sign-by").select_option("anna")
    page.locator("#sign-pin").fill(demo_person("anna").pin)
    page.locator("#looked button").click()
    expect(page.locator(".recorded")).to_contain_text("signed by Frans and Anna")
    shot(page, "catch-up-recorded")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 1

    assert CaughtUp.objects.get().figures["rake_cents"] == 6_50
    assert Hand.objects.filter(from_sheet__isnull=False).count() == 5
    assert Seating.objects.get(seat_number=2, left_at=None).player.nickname == "Riku"
    page.goto("/floor/tables/1/")
    shot(page, "catch-up-table")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fi", "da", "cs", "sv"])
def test_nothing_of_it_is_cut_off_in_any_language(
    sheet: str, house: House, brush_server: BrushServer, chromium: Chromium, language: str
) -> None:
    page = floor(chromium, brush_server)
    speak(page, brush_server.url, language)
    Staff.objects.filter(pk=house.cast.anna.pk).update(is_on_shift=False)
    page.goto(sheet)
    filled(page, house.cast.anna.pk)
    found = []
    for name in (*PARTS, "look"):
        part(page, name)
        if name == "look":
            # Where nobody of those can sign who dealt, a question more stands there.
            page.locator("#sign-why").wait_for()
        shot(page, f"catch-up-{name}-{language}")
        found += [f"{name}: {fault}" for fault in faults(page)]
        found += [] if fits(page) else [f"{name}: does not fit"]

    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fi", "da", "cs", "sv"])
def test_the_lists_are_caught_up_at_the_floors_tablet(
    lists: str, house: House, brush_server: BrushServer, chromium: Chromium, language: str
) -> None:
    page = floor(chromium, brush_server)
    speak(page, brush_server.url, language)
    page.goto(f"/floor/paper/{Sheet.objects.latest('id').printing_id}/")
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2
    page.emulate_media(media="print")
    shot(page, f"lists-printed-{language}")
    page.emulate_media(media="screen")
    page.goto(f"/floor/paper/sheets/{Sheet.objects.latest('id').number}/")
    part(page, "hands")
    shot(page, f"catch-up-time-slip-{language}")
    found = [f"time slip: {fault}" for fault in faults(page)]
    page.goto(lists)
    assert fits(page)
    since = page.locator("#from").input_value()
    fill(page, list_1_at=since, list_1_name="Newcomer", list_1_what="joined")
    fill(page, list_2_at=since, list_2_name="Jo", list_2_what="struck")
    shot(page, f"lists-{language}")
    found += [f"lists: {fault}" for fault in faults(page)]
    part(page, "look")
    expect(page.locator("#looked")).to_contain_text("Newcomer")
    shot(page, f"lists-look-{language}")
    found += [f"look: {fault}" for fault in faults(page)]
    page.locator("#sign-by").select_option("anna")
    page.locator("#sign-pin").fill(demo_person("anna").pin)
    page.locator("#looked button").click()
    expect(page.locator(".recorded")).to_contain_text("Newcomer")
    shot(page, f"lists-recorded-{language}")

    assert not found, "\n".join(found)
    live = Waiting.objects.filter(status__in=Waiting.LIVE).order_by("place")
    assert list(live.values_list("player__nickname", flat=True)) == ["Mika", "Pekka", "Newcomer"]
