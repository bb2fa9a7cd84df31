"""The floor's tablet, a phone and the lobby's television in a real browser, fed by one real server."""

import os
import re
import uuid
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from casino.people.models import Device, SignIn, Staff
from tables.models import Hand, Seating
from tables.services.hands import settle_hand, skip_hand
from tests.cast import enrolled
from tests.conftest import Database
from tests.support.browser import Chromium, until
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.browser

Opened = Callable[..., Page]


@pytest.fixture
def house(committing_db: Database) -> House:
    return make_house()


@pytest.fixture
def opened(house: House, brush_server: BrushServer, chromium: Chromium) -> Opened:
    """Open a page as the floor's enrolled tablet with Frans signed in, or as a television nobody enrolled."""
    device = enrolled(house.cast.room, "floor")
    signed_in = SignIn.objects.create(id=uuid.uuid4(), device=device, staff=house.cast.frans, began_at=house.at)
    Device.objects.filter(pk=device.pk).update(
        signed_in=house.cast.frans, signed_in_at=house.at, sign_in_id=signed_in.pk
    )

    def opened(kind: str, path: str, **options: str) -> Page:
        page = chromium.page(kind, **options)
        if kind != "lobby":
            host = urlsplit(brush_server.url).hostname or ""
            cookie = {"name": "brush_device", "value": "token-floor-1", "domain": host, "path": "/"}
            page.context.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict in all but name
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("data-connection", "live")
        return page

    return opened


def shot(page: Page, name: str) -> None:
    """Keep a picture where BRUSH_SCREENSHOTS says; nowhere otherwise."""
    if folder := os.environ.get("BRUSH_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")


def fits(page: Page) -> bool:
    """Say whether the page shows itself whole: nothing scrolls but lists, and nothing is wider than its panel."""
    return bool(
        page.evaluate(
            """() => {
                const main = document.querySelector("main");
                const root = document.documentElement;
                const wide = [...document.querySelectorAll("main .panel, main .panel > *")].some(
                    (panel) => panel.scrollWidth > panel.clientWidth + 1);
                return root.scrollHeight <= innerHeight && root.scrollWidth <= innerWidth
                    && main.scrollHeight <= main.clientHeight + 1 && !wide;
            }"""
        )
    )


def hard_to_read(wall: Page) -> list[str]:
    """Return what nobody reads from eight metres: what is smaller than 34 px, cut off or above something else."""
    found: list[str] = wall.evaluate(
        """() => {
            const shown = (each) => each.getClientRects().length > 0;
            const isText = (node) => node.nodeType === 3 && node.textContent.trim();
            const written = (each) => [...each.childNodes].some(isText);
            const texts = [...document.querySelectorAll("main *")].filter((each) => shown(each) && written(each));
            const bottom = (each) => each.getBoundingClientRect().bottom;
            const side = Math.max(...[...document.querySelector(".lobby-side").children].map(bottom));
            const sum = document.querySelector(".lobby-sum").getBoundingClientRect().top;
            return [
                ...texts.filter((each) => parseFloat(getComputedStyle(each).fontSize) < 34),
                ...document.querySelectorAll(":is(.lobby-head, .lobby-side, .lobby-sum) *").values()
                    .filter((each) => each.clientWidth && each.scrollWidth > each.clientWidth + 1),
            ].map((each) => each.textContent.trim()).concat(side > sum ? ["the column on the right"] : []);
        }"""
    )
    return found


@pytest.mark.slow
def test_a_table_is_opened_and_filled_and_every_screen_sees_it(house: House, opened: Opened) -> None:
    floor, wall = opened("floor", "/floor/"), opened("lobby", "/lobby/")
    phone = opened("phone", "/floor/")
    expect(floor.locator("#todo")).to_contain_text("All is well")
    expect(wall.locator(".lobby-games")).to_contain_text("not open yet")

    floor.locator(".tile.closed").first.tap()
    floor.locator("#sheet .game-choice").first.tap()

    expect(floor.locator("#sheet")).not_to_be_visible()
    tile = floor.locator("a.tile").first
    expect(tile).to_contain_text("0/10")
    expect(wall.locator(".lobby-game").first).to_contain_text("opening: players are being seated")
    tile.tap()
    floor.locator(".seat-row.free").nth(2).tap()
    floor.locator("#q").press_sequentially("lee", delay=80)
    expect(floor.locator("#candidates .choices label")).to_have_count(2)
    floor.locator("#candidates .choices label").first.tap()
    floor.get_by_label("brings them along").tap()
    floor.locator("#chips").fill("50")
    floor.get_by_role("button", name="Sit down in seat 3").tap()
    refusal = floor.locator("#sheet [role=alert]")
    expect(refusal).to_contain_text("H2.14")
    floor.locator("[data-fills=chips]").nth(1).tap()
    floor.get_by_role("button", name="Sit down in seat 3").tap()

    expect(floor.locator("#sheet")).not_to_be_visible()
    expect(floor.locator(".seat-row").nth(2)).to_contain_text(re.compile(r"Lee.*200\s€", re.S))
    phone.locator("#show-tables").check(force=True)
    expect(phone.locator("a.tile").first).to_contain_text("1/10")
    expect(wall.locator(".lobby-figure").nth(1)).to_have_text("1")


@pytest.mark.slow
def test_a_new_player_sits_down_asks_the_cage_and_leaves(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2)
    page = opened("floor", "/floor/tables/1/")

    page.locator(".seat-row").nth(4).tap()
    page.locator("#q").press_sequentially("Zed", delay=80)
    expect(page.locator("#nickname")).to_have_value("Zed")
    page.locator("[data-fills=chips]").first.tap()
    page.get_by_role("button", name="Sit down in seat 5").tap()
    expect(page.locator(".seat-row").nth(4)).to_contain_text(re.compile(r"Zed.*asks 100\s€", re.S))

    page.locator(".seat-row").first.tap()
    page.locator("#leave-stack").fill("240")
    page.get_by_role("button", name="Leaves with this stack").tap()
    expect(page.locator("#confirm-question")).to_have_text("Lee leaves seat 1 with 240 €?")
    page.locator("#confirm [data-no]").tap()
    assert Seating.objects.filter(player__nickname="Lee", left_at=None).exists()
    page.get_by_role("button", name="Leaves with this stack").tap()
    page.locator("#confirm [data-yes]").tap()
    expect(page.locator(".seat-row").first).to_contain_text("free")
    assert Seating.objects.get(player__nickname="Lee").left_stack_cents == 240_00


@pytest.mark.slow
def test_the_to_do_is_worked_off_where_it_stands(house: House, opened: Opened) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=house.logged())
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)
    page = opened("floor", "/floor/")

    page.get_by_role("button", name=re.compile("Dan is locked out")).tap()
    expect(page.get_by_text("Dan is locked out")).to_have_count(0)
    page.get_by_role("button", name=re.compile("was not logged")).tap()
    page.locator("#rake_taken").fill("3")
    page.locator("#drop_taken").fill("0")
    page.get_by_role("button", name="Supply the hand").tap()

    expect(page.get_by_text("was not logged")).to_have_count(0)
    assert Hand.objects.get().taken("rake") == 3_00


@pytest.mark.slow
def test_a_push_that_is_faster_than_the_answer_does_no_harm(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2)
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)
    page = opened("floor", "/floor/")

    def late(route: Route) -> None:
        answer = route.fetch()
        expect(page.get_by_text("Dan is locked out")).to_have_count(0)
        route.fulfill(response=answer)

    page.route("**/unlock/", late)
    with page.expect_response("**/unlock/"):
        page.get_by_role("button", name=re.compile("Dan is locked out")).tap()

    # The answer has come, and what it does to the page is done.
    until(page, "!document.querySelector('.htmx-request, .htmx-swapping, .htmx-settling')")
    expect(page.locator("#todo")).to_contain_text("no dealer")


@pytest.mark.slow
def test_a_push_leaves_an_open_sheet_and_what_was_typed_alone(house: House, opened: Opened) -> None:
    table = house.open(1, Lee=1, Kai=2)
    page = opened("floor", "/floor/tables/1/")
    page.locator(".seat-row").nth(3).tap()
    page.locator("#chips").fill("250")

    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=house.logged(40_00, winners=(2,)))

    expect(page.locator(".hand-row")).to_have_count(1)
    expect(page.locator("#chips")).to_have_value("250")
    expect(page.locator("#sheet")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "fi-FI"])
def test_every_screen_shows_itself_whole_at_its_size(house: House, opened: Opened, locale: str) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6, Sara=7)
    house.settle(86_00, taken={"rake": 1_00})
    house.settle()
    house.seat("Riku", 9, chips=0)
    language = locale[:2]

    for kind, path, name in (
        ("floor", "/floor/", "floor"),
        ("floor", "/floor/tables/1/", "floor-table"),
        ("phone", "/floor/", "floor-phone"),
        ("phone", "/floor/tables/1/", "floor-table-phone"),
        ("lobby", "/lobby/", "lobby"),
    ):
        page = opened(kind, path, locale=locale)
        shot(page, f"{name}-{language}")
        assert fits(page), f"{name} in {language}"
        page.context.close()


@pytest.mark.slow
def test_a_phone_says_of_which_date_a_line_is_where_it_is_not_tonights(house: House, opened: Opened) -> None:
    house.close_drawer(short_cents=5_00)
    house.close_day()
    house.next_day(hours=20)
    house.open(1, Lee=1, Kai=2)

    page = opened("phone", "/floor/")
    shot(page, "floor-phone-dated")

    before, tonights = (page.locator(".todo-line", has_text=text) for text in ("The count differs", "no dealer"))
    expect(before.locator(".todo-at")).to_have_text(re.compile(r"20\.11\. \d\d:\d\d"))
    expect(before.locator(".todo-at")).to_be_visible()
    expect(tonights.locator(".todo-at")).to_be_hidden()
    assert fits(page)


@pytest.mark.slow
def test_a_wall_with_too_many_games_turns_its_pages(house: House, opened: Opened) -> None:
    game = house.game()
    for number in range(12):
        game.pk, game.name = None, f"No limit hold'em {number + 10}/{number + 10}"
        with as_owner():
            game.save()
    page = opened("lobby", "/lobby/")

    expect(page.locator("#lobby-pages")).to_be_visible()
    expect(page.locator("#lobby-page-words")).to_have_text(re.compile(r"^1/[23]$"))
    first = page.locator(".lobby-game:visible").first.inner_text()
    expect(page.locator("#lobby-page-words")).to_have_text(re.compile(r"^2/"))
    assert page.locator(".lobby-game:visible").first.inner_text() != first


@pytest.mark.slow
def test_a_table_that_comes_to_rest_leaves_the_wall_s_figures_by_itself(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1, Mika=2)
    for number in (1, 2):
        house.settle(20_00, number=number)
    page = opened("lobby", "/lobby/")

    def comes_to_show(seconds: tuple[int, int], figures: list[str], words: str) -> None:
        """Wait until the wall says so by itself while its tables run for so long: a push may have said otherwise."""
        page.wait_for_function(
            """([seconds, figures, words]) => {
                const row = document.querySelector(".lobby-game");
                const elements = [...row.querySelectorAll("[data-figure]"), document.getElementById("lobby-free")];
                const shown = elements.map((each) => each.innerText);
                const said = row.querySelector(".lobby-name").innerText;
                const until = (seconds) => new Date(Date.now() + seconds * 1000).toISOString();
                const free = [8, 7];
                const tables = seconds.map((each, i) => ({ until: until(each), seated: 2, free: free[i] }));
                row.dataset.tables = JSON.stringify(tables);
                return String(shown) === String(figures) && said.includes(words)
                    && said.includes("not confirmed") === Boolean(words);
            }""",
            arg=[seconds, figures, words],
        )

    comes_to_show((900, 900), ["2", "4", "15", "15"], "")
    comes_to_show((900, -900), ["1", "2", "8", "8"], "Table 2 not confirmed")
    shot(page, "lobby-one-table-rests")
    comes_to_show((-900, -900), ["2", "4", "15", "0"], "not confirmed")


@pytest.mark.slow
def test_a_wall_without_its_server_keeps_what_it_showed_and_says_its_age(
    house: House, opened: Opened, brush_server: BrushServer
) -> None:
    house.open(1, Lee=1)
    page = opened("lobby", "/lobby/")

    brush_server.kill()

    expect(page.locator("html")).to_have_attribute("data-connection", "gone")
    expect(page.locator(".lobby-name").first).to_contain_text("No limit hold'em 2/2")
    expect(page.locator(".lobby-age")).not_to_be_empty()
