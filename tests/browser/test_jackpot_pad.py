"""Cards are tapped on the pad of the floor's tablet or typed at a desk, and the hand is judged at once."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.dealer_tablet import sign_in
from tests.browser.languages import faults
from tests.browser.test_floor_lobby import house, shot
from tests.cast import demo_person, enrolled
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]
pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_a_hand_is_tapped_and_judged_at_once(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    page = chromium.page("floor")
    host = urlsplit(brush_server.url).hostname or ""
    page.context.add_cookies([{"name": "brush_device", "value": "token-floor-1", "domain": host, "path": "/"}])
    page.goto("/floor/")
    page.get_by_role("link", name="Jackpot").tap()
    expect(page.locator("#jackpot-result")).to_contain_text("Enter the board")
    shot(page, "jackpot-1-empty")

    page.get_by_label("Dealt in").select_option("8")
    for card in ["Ah", "Kd", "Kh", "5c", "Ks", "As", "Ad", "Kc", "Qd"]:
        page.locator(f'[data-card="{card}"]').tap()

    # Each card went where one was missing: the board, the first hand, the second.
    assert [page.locator(field).input_value() for field in ("#cards-board", "#cards-1", "#cards-2", "#cards-3")] == [
        "A♥ K♦ K♥ 5♣ K♠", "A♠ A♦", "K♣ Q♦", "",
    ]  # fmt: skip
    answer = page.locator("#jackpot-result")
    expect(answer.get_by_role("heading")).to_have_text("It qualifies · category 1")
    expect(answer).to_contain_text("H7.22")
    shot(page, "jackpot-2-qualifies")
    assert not faults(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")

    # A tap on a card that lies somewhere takes it away, and the next one goes there.
    page.locator('[data-card="As"]').tap()
    expect(answer).to_contain_text("Cards in hand 1: 1. There should be 2.")
    page.locator('[data-card="9s"]').tap()
    expect(page.locator("#cards-1")).to_have_value("A♦ 9♠")
    expect(answer.get_by_role("heading")).to_have_text("It does not qualify")
    # What was entered is the page's address.
    page.reload()
    expect(page.locator("#cards-1")).to_have_value("A♦ 9♠")
    expect(page.locator('[data-card="9s"]')).to_have_attribute("aria-pressed", "true")

    # Another game: as many cards as it deals, and a board only where there is one.
    page.get_by_label("Game").select_option("soko")
    expect(page.locator("#cards-board")).to_be_hidden()
    page.locator("#cards-1").tap()
    for card in ["9c", "9h", "2c", "4d", "4h", "4c", "2d", "2h"]:
        page.locator(f'[data-card="{card}"]').tap()
    expect(page.locator("#cards-1")).to_have_value("A♦ 9♠ 9♣ 9♥ 2♣")
    expect(page.locator("#cards-2")).to_have_value("K♣ Q♦ 4♦ 4♥ 4♣")


@pytest.mark.slow
def test_cards_are_typed_at_a_desk(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    page = chromium.page("cage", "/sign-in/?next=/jackpot/")
    page.fill("[name=username]", "mari")
    page.fill("[name=password]", demo_person("mari").password)
    page.keyboard.press("Enter")
    page.locator("#jackpot-sum").fill("12 345,67")
    page.get_by_label("Dealt in").select_option("9")

    page.locator("#cards-board").focus()
    # From field to field by itself, as each is full; a row more for the third who shows a hand.
    page.keyboard.type("ah adjh jdth")
    page.keyboard.type("7h7s")

    expect(page.locator("#cards-board")).to_have_value("A♥ A♦ J♥ J♦ 10♥")
    expect(page.locator("#cards-1")).to_have_value("7♥ 7♠")
    page.get_by_label("Game").select_option("omaha")
    page.locator("#cards-1").fill("")
    page.locator("#cards-1").focus()
    page.keyboard.type("kh qh 2c 3c as ac 2d 3d js jc 4d 5d")

    answer = page.locator("#jackpot-result")
    expect(answer.get_by_role("heading")).to_have_text("It qualifies · category 1")
    expect(answer).to_contain_text("4 938,26")
    shot(page, "jackpot-3-desk")
    assert not faults(page)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
