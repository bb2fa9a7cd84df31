"""A player's own phone beside the floor's tablet, the wall and the table's tablet: what one does, the others show."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.lists import call_player, drop_out, join_list
from tests.browser.test_floor_lobby import Opened, fits, hard_to_read, house, opened, shot
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house", "opened"]
pytestmark = pytest.mark.browser
GAME = "No limit hold'em 2/2"


def waits(house: House, *nicknames: str) -> None:
    house.at = clock.now() - timedelta(minutes=20)
    for nickname in nicknames:
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)


def phone_with_pass(floor: Page, chromium: Chromium, nickname: str, **options: str) -> Page:
    """Let the floor give a pass from the list's sheet, and type its code on a phone."""
    floor.locator(".entry-who", has_text=nickname).tap()
    floor.get_by_role("button", name="Phone and screens").tap()
    floor.get_by_role("button", name="Give a pass").tap()
    code = floor.locator(".pass-code").inner_text()
    expect(floor.locator(".pass-qr")).to_be_visible()
    shot(floor, "floor-60-pass")
    floor.get_by_role("button", name="Back").tap()
    phone = chromium.page("phone", "/my/", **options)
    shot(phone, f"phone-0-code-{options.get('locale', 'en')[:2]}")
    phone.locator("#code").fill(code)
    phone.locator(".sign-in-go").tap()
    expect(phone.locator("html")).to_have_attribute("data-connection", "live")
    return phone


@pytest.mark.slow
@pytest.mark.rule("H2.5", "H2.6")
def test_a_called_player_answers_from_the_phone_and_the_floor_decides(
    house: House, opened: Opened, chromium: Chromium
) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika", "Pekka")
    floor = opened("floor", "/floor/")
    game = floor.locator(".game", has_text=GAME)
    phone = phone_with_pass(floor, chromium, "Pekka")
    expect(phone.locator(".phone-figure")).to_have_text("2")
    shot(phone, "phone-1-waits")

    floor.get_by_role("button", name=re.compile("call Mika")).tap()
    expect(phone.locator(".phone-figure")).to_have_text("1")
    floor.get_by_role("button", name=re.compile("call Pekka")).tap()
    expect(phone.locator(".phone-called")).to_contain_text("Table 1, seat 5")
    expect(phone.locator(".phone-countdown")).to_have_text(re.compile("2:5"))
    expect(phone).to_have_title(re.compile("You are called"))
    shot(phone, "phone-2-called")

    phone.get_by_role("button", name="On my way").tap()
    expect(game.locator(".entry.called", has_text="Pekka")).to_contain_text("on the way")
    phone.get_by_role("button", name="Ask for more time").tap()
    expect(phone.get_by_text("The floor decides")).to_be_visible()
    expect(phone.locator(".phone-countdown")).to_have_text(re.compile("2:"))
    shot(phone, "phone-3-asked")
    shot(floor, "floor-61-asked")
    floor.locator("#todo").get_by_role("button", name=re.compile("asks for more time")).tap()
    floor.locator("#sheet").get_by_role("button", name="Grant more time").tap()
    expect(phone.locator(".phone-countdown")).to_have_text(re.compile("7:"))

    phone.get_by_role("button", name="Drop me").tap()
    shot(phone, "phone-4-drop")
    phone.locator("#confirm [data-no]").tap()
    expect(game.locator(".entry.called")).to_have_count(2)
    phone.get_by_role("button", name="Drop me").tap()
    phone.locator("#confirm [data-yes]").tap()
    expect(game.locator(".entry.called")).to_have_count(1)
    expect(phone.locator(".phone-live")).to_contain_text("you left the list")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
def test_an_answer_holds_whatever_changed_while_it_was_asked(house: House, opened: Opened, chromium: Chromium) -> None:
    """A fragment that comes while a question is open does not take away the button that asked."""
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika", "Pekka")
    floor = opened("floor", "/floor/")
    phone = phone_with_pass(floor, chromium, "Pekka")
    expect(phone.locator(".phone-figure")).to_have_text("2")

    phone.get_by_role("button", name="Drop me").tap()
    house.at = clock.now()
    house.tap(drop_out, waiting_id=Waiting.objects.get(player=house.player("Mika")).pk)
    expect(floor.locator(".entry-who", has_text="Mika")).to_have_count(0)
    phone.locator("#confirm [data-yes]").tap()

    expect(phone.locator(".phone-live")).to_contain_text("you left the list")
    assert not Waiting.objects.filter(ended_at=None).exists()


@pytest.mark.smoke
@pytest.mark.slow
@pytest.mark.rule("H2.6")
def test_a_call_runs_out_by_itself_on_three_screens_at_once(
    house: House, opened: Opened, chromium: Chromium, brush_server: BrushServer
) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika", "Sara")
    floor, wall = opened("floor", "/floor/"), opened("lobby", "/lobby/")
    phone = phone_with_pass(floor, chromium, "Mika")
    # Called so long ago that two seconds of the three minutes are left; without a worker nothing ends.
    house.at = clock.now() - timedelta(seconds=178)
    entry = Waiting.objects.get(player=house.player("Mika"))
    house.tap(call_player, waiting_id=entry.pk, table_id=house.table_id(), seat_number=4)

    expect(floor.locator(".entry.called")).to_contain_text("Mika")
    expect(wall.locator(".lobby-called")).to_contain_text("Mika")
    expect(phone.locator(".phone-called")).to_be_visible()
    shot(wall, "lobby-60-called")
    assert hard_to_read(wall) == []
    brush_server.start_worker()

    expect(phone.locator(".phone-live")).to_contain_text("your call ran out")
    expect(floor.locator(".entry.called")).to_have_count(0)
    expect(wall.locator(".lobby-called")).to_have_count(0)
    assert Waiting.objects.get(pk=entry.pk).status == "struck"
    # The seat that came free is offered to the next one.
    expect(floor.get_by_role("button", name=re.compile("call Sara"))).to_be_visible()


@pytest.mark.slow
def test_a_pass_that_the_floor_ends_shows_nothing_any_more(house: House, opened: Opened, chromium: Chromium) -> None:
    waits(house, "Mika")
    floor = opened("floor", "/floor/")
    phone = phone_with_pass(floor, chromium, "Mika")

    floor.locator(".entry-who", has_text="Mika").tap()
    floor.get_by_role("button", name="Phone and screens").tap()
    shot(floor, "floor-62-phone-sheet")
    floor.get_by_role("button", name="End the pass").tap()

    expect(phone.locator(".phone-live")).to_contain_text("This pass has ended")
    phone.reload()
    expect(phone.locator("#code")).to_be_visible()


@pytest.mark.slow
def test_the_printed_pass_is_the_pass_alone(house: House, opened: Opened, chromium: Chromium) -> None:
    waits(house, "Mika")
    floor = opened("floor", "/floor/")
    floor.locator(".entry-who", has_text="Mika").tap()
    floor.get_by_role("button", name="Phone and screens").tap()
    floor.get_by_role("button", name="Give a pass").tap()

    floor.emulate_media(media="print")

    expect(floor.locator(".pass-qr")).to_be_visible()
    expect(floor.locator("main")).not_to_be_visible()
    expect(floor.locator("#sheet header")).not_to_be_visible()
    shot(floor, "floor-63-printed")


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "fi-FI", "da-DK", "cs-CZ", "sv-SE"])
def test_page_and_wall_are_whole_in_every_language(
    house: House, opened: Opened, chromium: Chromium, locale: str
) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika")
    floor = opened("floor", "/floor/")
    phone = phone_with_pass(floor, chromium, "Mika", locale=locale)
    floor.get_by_role("button", name=re.compile("call Mika")).tap()

    expect(phone.locator(".phone-called")).to_be_visible()
    shot(phone, f"phone-5-called-{locale[:2]}")
    assert phone.locator("html").get_attribute("lang") == locale[:2]
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wall = opened("lobby", "/lobby/", locale=locale)
    shot(wall, f"lobby-5-called-{locale[:2]}")
    assert hard_to_read(wall) == []


@pytest.mark.slow
@pytest.mark.rule("H2.6")
def test_the_tables_tablet_shows_who_is_called_to_its_free_seat(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    waits(house, "Mika")
    entry = Waiting.objects.get()
    house.at = clock.now()
    house.tap(call_player, waiting_id=entry.pk, table_id=house.table_id(), seat_number=5)
    tablet = opened("dealer", "/tables/1/")

    expect(tablet.locator('[data-seat="5"] .seat-called')).to_contain_text(re.compile("Mika.*2:5", re.S))
    shot(tablet, "dealer-60-called")


@pytest.mark.slow
def test_the_wall_and_the_floor_show_ranges_ages_and_call_ins_apart(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.at = clock.now() - timedelta(minutes=3)
    house.settle(40_00)
    waits(house, "Mika", "Pekka")
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Jo").pk, is_call_in=True)
    WaitingList.objects.update(seats_opened=7, measured_minutes=150, measured_at=clock.now() - timedelta(minutes=2))

    floor, wall = opened("floor", "/floor/"), opened("lobby", "/lobby/")

    expect(floor.locator(".entry.absent")).to_contain_text("Jo")
    expect(wall.locator(".lobby-game").first).to_contain_text("3 min ago")
    wall.locator(".lobby-fresh time").first.evaluate("(each) => { each.dataset.since = new Date().toISOString(); }")
    expect(wall.locator(".lobby-game").first).to_contain_text("seats as of now")
    expect(wall.locator(".lobby-call-ins")).to_contain_text("1")
    expect(wall.locator(".lobby-phone img")).to_be_visible()
    shot(floor, "floor-64-lists")
    shot(wall, "lobby-61-honest")
    assert fits(floor)
    assert fits(wall)
