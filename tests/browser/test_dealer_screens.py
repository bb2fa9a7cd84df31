"""How the dealer's tablet looks: pictures for people, and what must hold at its size."""

import gzip
import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from casino.people.models import Player
from tables.models import Game
from tests.browser.dealer_tablet import Tablet, at_table, tablet_of
from tests.conftest import Database
from tests.jackpot.beats import Beats
from tests.support.browser import STANDS_STILL, Chromium, until
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

NICKNAMES = ["Lee", "Kai", "Timo", "Mika", "Pekka", "Jo", "Sara"]
LONG = ["Maximilian-Aurelius", "Öljyprinssi von Hanko", "Kultakutri", "WWWWWWWWWWWWWWW", "Äijä Å Östersjö"]
# Compressed, as a proxy (or collectstatic) sends it; a bare `make run` sends the same files as they are.
# What every tap needs, with racks, tip boxes and sales at the table in it.
BYTES_MAX = 84_000

Shot = Callable[[Tablet, str], None]


@pytest.fixture
def house(committing_db: Database) -> House:
    return make_house()


LOCALES = {"en": "en-GB", "fi": "fi-FI", "da": "da-DK", "cs": "cs-CZ", "sv": "sv-SE"}


@pytest.fixture(params=["en", *(pytest.param(name, marks=pytest.mark.slow) for name in ("fi", "da", "cs", "sv"))])
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def open_table(house: House, brush_server: BrushServer, chromium: Chromium, language: str) -> Callable[..., Tablet]:
    def opened(**options: Any) -> Tablet:
        return at_table(chromium, brush_server, house, locale=LOCALES[language], **options)

    return opened


@pytest.fixture
def shot(language: str) -> Shot:
    """Keep a picture where BRUSH_SCREENSHOTS says; nowhere otherwise. What is cut off fails either way."""
    folder = os.environ.get("BRUSH_SCREENSHOTS")

    def take(tablet: Tablet, name: str) -> None:
        until(tablet.page, STANDS_STILL)
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            tablet.page.screenshot(path=Path(folder) / f"dealer-{name}-{language}.png")
        assert not cut_off(tablet.page), f"{name} in {language}: cut off"

    return take


def cut_off(page: Page) -> list[str]:
    """Return what does not fit: buttons and figures wider or higher than their place, and a page that scrolls."""
    return list(
        page.evaluate(
            """() => [document.scrollingElement, document.querySelector(".felt"),
                ...document.querySelectorAll(".button, .side > *, .bar, .middle, .entered, .seat-card, .acts")]
              .filter((each) => each && each.getClientRects().length)
              .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
              .map((each) => `${each.className}: ${each.textContent.trim().slice(0, 60)}`)"""
        )
    )


@pytest.mark.slow
def test_a_hand_from_the_draw_to_the_answer(house: House, open_table: Callable[..., Tablet], shot: Shot) -> None:
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5, Pekka=6, Jo=7, Sara=8)
    tablet = open_table()

    shot(tablet, "01-draw")
    tablet.tap("draw")
    shot(tablet, "02-draw-seat")
    tablet.seat(8)
    shot(tablet, "03-ready")
    tablet.tap("deal")
    shot(tablet, "04-dealt")
    tablet.tap("flop")
    shot(tablet, "05-flop")
    tablet.tap("pot")
    shot(tablet, "06-pot-empty")
    tablet.type("86")
    shot(tablet, "07-pot")
    tablet.seat(2)
    shot(tablet, "08-answer")
    tablet.tap("undo")
    shot(tablet, "09-undo")
    tablet.yes()
    shot(tablet, "10-taken-back")
    tablet.type("20")
    shot(tablet, "11-less-in-the-pot")
    tablet.page.locator('[data-key="+100"]').tap()
    shot(tablet, "12-more-in-the-pot")
    tablet.seat(5)
    shot(tablet, "13-logged-again")


@pytest.mark.slow
def test_side_pots_split_and_menus(house: House, open_table: Callable[..., Tablet], shot: Shot) -> None:
    tablet_of(house, house.cast.anna)
    house.open(**{nickname: seat for seat, nickname in enumerate(NICKNAMES, start=1)})
    house.settle(30_00)
    house.seat("Ville", 9)
    house.seat("Aino", 8, chips=0) if "Aino" in house.cast.players else None
    tablet = open_table()

    tablet.seat(9)
    shot(tablet, "10-newcomer")
    tablet.tap("post")
    tablet.tap("deal")
    tablet.tap("pot")
    tablet.type("186")
    tablet.tap("side-pot")
    tablet.type("86")
    shot(tablet, "11-side-pots")
    tablet.tap("split")
    tablet.seat(3)
    tablet.seat(5)
    shot(tablet, "12-split")
    tablet.tap("split")
    shot(tablet, "13-main-pot")
    tablet.seat(1)
    shot(tablet, "14-answer-pots")
    tablet.wait_until_calm()
    tablet.tap("menu")
    shot(tablet, "15-menu")
    tablet.page.keyboard.press("Escape")
    tablet.tap("deal")
    tablet.tap("menu")
    shot(tablet, "16-menu-in-hand")
    tablet.tap("void")
    shot(tablet, "17-void")
    tablet.yes()
    tablet.seat(2)
    shot(tablet, "18-player")
    tablet.tap("buy-in")
    tablet.type("100")
    tablet.tap("send-pad")
    shot(tablet, "19-stack-asked")


@pytest.mark.slow
def test_ten_long_names_and_a_tablet_nobody_signed_in_on(
    house: House, open_table: Callable[..., Tablet], shot: Shot
) -> None:
    device = tablet_of(house, house.cast.anna)
    house.open()
    for seat in range(1, 11):
        player = Player.objects.create(room=house.cast.room, nickname=f"{LONG[seat % 5]} {seat}", created_at=house.at)
        house.cast.players[player.nickname] = player
        house.seat(player.nickname, seat)
    house.settle(1_234_00, winners=(1, 2, 3))
    tablet = open_table()

    shot(tablet, "20-long-names")
    tablet.tap("pot")
    tablet.type("98765")
    tablet.tap("split")
    for seat in (2, 4, 6, 8):
        tablet.seat(seat)
    shot(tablet, "21-four-share")
    tablet.tap("split")
    shot(tablet, "22-answer-four")

    device.refresh_from_db()
    device.signed_in = device.signed_in_at = device.sign_in_id = None
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])
    tablet.page.reload()
    expect(tablet.page.locator(".pin-prompt a")).to_be_visible()
    shot(tablet, "23-signed-out")


@pytest.mark.slow
def test_no_two_seats_touch_at_a_table_of_any_size(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    tablet_of(house, house.cast.anna)
    house.open()
    Beats(house).corrected(99_999_99)
    tablet = at_table(chromium, brush_server, house)
    for seats in range(2, 13):
        with as_owner():
            Game.objects.filter(room_id=house.room_id).update(seats=seats)
        tablet.page.reload()
        check_ring(tablet.page, seats)


def check_ring(page: Page, seats: int) -> None:
    """Seat 1 is at the dealer's left, the others follow clockwise, all within the felt, apart, and off the sum."""
    expect(page.locator("html")).to_have_attribute("data-connection", "live")
    expect(page.locator("#live .seat")).to_have_count(seats)
    # All in one breath: asked one by one, a redrawn seat is nowhere for a moment.
    felt, *boxes, jackpot = page.evaluate(
        """() => [...document.querySelectorAll(".felt, #live .seat, .felt-jackpot")].map((each) => {
          const { x, y, width, height } = each.getBoundingClientRect();
          return { x, y, width, height };
        })"""
    )
    assert len(boxes) == seats
    for index, a in enumerate(boxes):
        assert felt["x"] <= a["x"] <= felt["x"] + felt["width"] - a["width"] + 1
        assert felt["y"] <= a["y"] <= felt["y"] + felt["height"] - a["height"] + 1
        for b in (*boxes[:index], jackpot):
            is_apart = any(
                one[way] + one[size] <= other[way]
                for way, size in (("x", "width"), ("y", "height"))
                for one, other in ((a, b), (b, a))
            )
            assert is_apart, f"seats of {seats} touch"
    centre = (felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] / 2)
    # Clockwise from the dealer at the bottom: the angle from there grows from seat to seat.
    turns = [
        math.atan2(centre[0] - box["x"] - box["width"] / 2, box["y"] + box["height"] / 2 - centre[1]) % math.tau
        for box in boxes
    ]
    assert turns == sorted(turns)


@pytest.mark.slow
def test_the_page_is_light(house: House, brush_server: BrushServer, chromium: Chromium) -> None:
    tablet_of(house, house.cast.anna)
    house.open(**{nickname: seat for seat, nickname in enumerate(NICKNAMES, start=1)})
    sizes: dict[str, int] = {}
    tablet = at_table(chromium, brush_server, house)
    tablet.page.on("response", lambda response: sizes.update({response.url: len(gzip.compress(response.body()))}))

    tablet.page.reload()
    expect(tablet.page.locator("html")).to_have_attribute("data-connection", "live")

    assert not any("htmx" in url for url in sizes)
    assert sum(sizes.values()) < BYTES_MAX, sizes
