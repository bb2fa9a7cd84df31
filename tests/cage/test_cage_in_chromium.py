"""A cashier at the keyboard, in a real browser: from a name to a slip without touching the mouse."""

import pytest
from playwright.sync_api import Page, Route, expect

from casino import clock
from casino.cage import services
from casino.cage.models import Slip
from casino.people.models import Player
from tests.cage.desk import CageDesk, open_desk
from tests.cage.foreign import rate
from tests.cast import command, demo_person
from tests.support.browser import Chromium, until
from tests.support.room import BrushServer

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(brush_server: BrushServer) -> CageDesk:
    return open_desk()


def sit_down(chromium: Chromium) -> Page:
    """Sign Carla in and open her window."""
    page = chromium.page("cage", "/sign-in/?next=/cage/1/")
    page.fill("#username", "carla")
    page.fill("#password", demo_person("carla").password)
    page.press("#password", "Enter")
    expect(page.locator("#player-search")).to_be_focused()
    return page


def test_a_buy_in_takes_a_name_an_amount_and_two_enters(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)

    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("[data-chosen]")).to_contain_text("Lee")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type("200")
    expect(page.locator("#running")).to_contain_text("200 €")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    assert not Slip.objects.exists()
    page.keyboard.press("Enter")

    expect(page.locator("#slip .number")).to_have_text("1–00001")
    expect(page.locator("#window .slip-row")).to_contain_text("Lee")
    expect(page.locator("#player-search")).to_be_focused()
    assert Slip.objects.get().amount_cents == 200_00

    # What a table asks for comes by itself, and F8 takes it.
    kai = desk.cast.players["Kai"].pk
    services.request_buy_in(command(desk.cast.anna, at=clock.now()), player_id=kai, amount_cents=100_00)
    expect(page.locator("[data-request]")).to_contain_text("Kai")
    page.keyboard.press("F8")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-request]")).to_have_count(0)
    assert Slip.objects.get(number=2).amount_cents == 100_00


@pytest.mark.slow
def test_what_is_printed_again_is_a_copy_and_what_to_hand_over_stays(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    is_copy = "() => document.querySelector('.slip').textContent.includes('COPY')"
    page.context.add_init_script(f"""
        const printed = JSON.parse(sessionStorage.printed ?? "[]"), isCopy = {is_copy};
        window.print = () => {{ printed.push(isCopy()); sessionStorage.printed = JSON.stringify(printed); }};
    """)
    page.reload()
    expect(page.locator("#player-search")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("130")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    # In a sheet the browser's own keys take no focus away.
    page.evaluate("document.addEventListener('keydown', (event) => { window.isMine = event.defaultPrevented; })")
    for key in ("F3", "F6", "F7"):
        page.keyboard.press(key)
        assert page.evaluate("window.isMine"), key
    page.keyboard.press("Enter")
    expect(page.locator("#slip .hand-over .pieces li").first).to_be_visible()

    page.keyboard.press("F10")
    expect(page.locator("#print")).to_contain_text("Print a copy")
    page.keyboard.press("F10")
    until(page, "sessionStorage.printed === '[false,true]'")

    expect(page.locator("#slip .hand-over .pieces li").first).to_be_visible()
    expect(page.locator("#player-search")).to_be_focused()
    # Its own page too, to which the paper's QR code leads.
    slip = Slip.objects.get()
    page.goto(f"{page.url.split('/cage/')[0]}/cage/slips/{slip.pk}/")
    page.keyboard.press("F10")
    until(page, "sessionStorage.printed === '[false,true,true]'")
    slip.refresh_from_db()
    assert slip.prints == 3


@pytest.mark.slow
def test_a_name_typed_in_a_hurry_is_still_that_name(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)

    page.keyboard.type("lee")
    page.keyboard.press("Enter")

    expect(page.locator("[data-chosen]")).to_contain_text("Lee")
    expect(page.locator("#till-amount")).to_be_focused()


@pytest.mark.slow
def test_a_name_typed_before_the_page_has_its_scripts_is_looked_for(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    scripts: list[Route] = []
    page.route("**/htmx*.js", lambda route: scripts.append(route))
    page.reload(wait_until="commit")
    page.locator("#player-search").press_sequentially("lee")
    until(page, lambda: bool(scripts))
    for script in scripts:
        script.continue_()

    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")


@pytest.mark.slow
def test_the_same_letter_finds_again_once_a_player_was_chosen_by_it(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    page.keyboard.type("l")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("[data-chosen]")).to_contain_text("Lee")
    page.keyboard.press("Escape")
    expect(page.locator("#player-search")).to_be_focused()

    page.keyboard.type("l")

    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")


@pytest.mark.slow
def test_a_new_player_is_chosen_before_being_added(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)

    page.keyboard.type("Zoltan")
    page.keyboard.press("Enter")
    expect(page.locator("#players [aria-selected=true]")).to_contain_text("Zoltan")
    assert not Player.objects.filter(nickname="Zoltan").exists()
    page.keyboard.press("Enter")

    expect(page.locator("[data-chosen]")).to_contain_text("Zoltan")


@pytest.mark.slow
def test_a_push_takes_neither_focus_nor_what_was_typed(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    page.keyboard.press("F3")
    page.keyboard.type("Sa")
    at = clock.now()

    services.request_buy_in(command(desk.cast.anna, at=at), player_id=desk.cast.players["Kai"].pk, amount_cents=100_00)

    expect(page.locator("[data-request]")).to_contain_text("Kai")
    expect(page.locator("#player-search")).to_be_focused()
    expect(page.locator("#player-search")).to_have_value("Sa")
    expect(page.locator("input[value=cash_out]")).to_be_checked()


@pytest.mark.slow
def test_a_request_is_paid_by_card_with_four_keys(desk: CageDesk, chromium: Chromium) -> None:
    services.request_buy_in(
        command(desk.cast.anna, at=clock.now()), player_id=desk.cast.players["Kai"].pk, amount_cents=100_00
    )
    page = sit_down(chromium)

    page.keyboard.press("F8")
    page.keyboard.press("F9")
    page.keyboard.press("Enter")
    expect(page.locator("#check")).to_contain_text("Charge the card")
    expect(page.locator("#check [data-go]")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page.locator("#slip")).to_contain_text("Kai")
    expect(page.locator("[data-request]")).to_have_count(0)
    assert Slip.objects.get().method == "card"


@pytest.mark.slow
def test_escape_backs_out_step_by_step_and_moves_nothing(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    page.keyboard.press("Enter")
    page.keyboard.type("50")
    page.keyboard.press("Enter")
    expect(page.locator("#check")).to_be_visible()

    page.keyboard.press("Escape")
    expect(page.locator("#check")).to_be_hidden()
    expect(page.locator("#till-amount")).to_have_value("50")
    page.keyboard.press("Escape")
    expect(page.locator("#till-amount")).to_have_value("")
    assert not Slip.objects.exists()


@pytest.mark.slow
def test_a_reversal_asks_for_the_second_persons_pin(desk: CageDesk, chromium: Chromium) -> None:
    services.buy_in(command(desk.carla, at=clock.now()), drawer_id=desk.drawer_id, amount_cents=100_00, method="cash")
    page = sit_down(chromium)
    page.click("#window .slip-row")
    page.click("[data-opens=reverse]")
    page.select_option("#reverse-by", "frans")
    page.fill("#reverse-pin", "0000")
    page.click("#reverse button.danger")
    expect(page.locator("#reverse [role=alert]")).to_contain_text("not the right PIN")
    expect(page.locator("#reverse-pin")).to_have_value("")
    expect(page.locator("#reverse-pin")).to_be_focused()

    page.fill("#reverse-pin", demo_person("frans").pin)
    page.click("#reverse button.danger")

    expect(page.locator("#slip .void")).to_be_visible()
    expect(page.locator("#player-search")).to_be_focused()
    expect(page.locator("#window .slip-row")).to_contain_text("void")


CONTRAST = """kbd => {
  const parts = (text) => text.match(/[0-9.]+/g).map(Number).slice(0, 3);
  const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const style = getComputedStyle(kbd), over = Number(style.opacity);
  const ground = parts(getComputedStyle(kbd.closest("button")).backgroundColor);
  const ink = parts(style.color).map((c, i) => c * over + ground[i] * (1 - over));
  const both = [light(ink), light(ground)].sort((a, b) => b - a);
  return (both[0] + 0.05) / (both[1] + 0.05);
}"""


@pytest.mark.slow
def test_reversing_and_closing_have_keys_and_what_is_handed_over_is_changed(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    assert page.locator("#till-go kbd").evaluate(CONTRAST) >= 4.5
    page.keyboard.press("Enter")
    page.keyboard.type("100")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    pieces = page.locator("#check .pieces li")
    expect(pieces).to_have_text(["1 × 100 €"])
    page.click("#check [data-break]")
    expect(pieces).to_have_text(["4 × 25 €"])
    page.keyboard.press("Enter")
    expect(pieces).to_have_text(["3 × 25 €", "5 × 5 €"])
    page.click("#check [data-go]")
    expect(page.locator("#slip .pieces li")).to_have_text(["3 × 25 €", "5 × 5 €"])

    page.keyboard.press("Escape")
    expect(page.locator("#slip [data-slip]")).to_have_count(0)
    page.keyboard.press("Shift+F3")
    expect(page.locator("#reverse-reason")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+F4")
    _a_drawer_is_counted_by_keys(page)


def _a_drawer_is_counted_by_keys(page: Page) -> None:
    """Enter goes on from value to value and to who signs; what they come to is said, and a wrong PIN loses nothing."""
    expect(page.locator("[name=cash_50000]")).to_be_focused()
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    expect(page.locator("[name=cash_20000]")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("1")
    expect(page.locator("#cash-sum")).to_have_text("5 100 €")
    page.fill("[name=chips_10000]", "199")
    expect(page.locator("#chips-sum")).to_have_text("19 900 €")
    page.focus("#count-card")
    for at in ("#count-by", "#count-pin"):
        page.keyboard.press("Enter")
        expect(page.locator(at)).to_be_focused()
    page.keyboard.type("0000")
    page.keyboard.press("Enter")
    expect(page.locator("#close-drawer-refusal [role=alert]")).to_be_visible()
    expect(page.locator("[name=cash_50000]")).to_have_value("10")

    page.fill("#count-pin", demo_person("frans").pin)
    page.keyboard.press("Enter")

    expect(page.locator(".counts tfoot")).to_contain_text("0 €")
    page.get_by_role("link", name="Count it again").click()
    expect(page.locator("[name=cash_50000]")).to_be_focused()
    expect(page.locator("main")).not_to_contain_text("5 100")
    page.keyboard.press("Escape")
    expect(page.locator(".counts")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en-GB", "fi-FI"])
def test_the_window_fits_its_screen_without_scrolling(desk: CageDesk, chromium: Chromium, language: str) -> None:
    kai = desk.cast.players["Kai"].pk
    rate(desk.cast.mari, at=clock.now())
    services.request_buy_in(command(desk.cast.anna, at=clock.now()), player_id=kai, amount_cents=2_500_00)
    page = chromium.page("cage", "/sign-in/?next=/cage/1/", locale=language)
    page.fill("#username", "carla")
    page.fill("#password", demo_person("carla").password)
    page.press("#password", "Enter")
    expect(page.locator("#till-go")).to_be_in_viewport()

    # Its keys are there once its scripts are.
    page.wait_for_load_state("load")
    fits = "document.querySelector('.till').scrollHeight <= document.querySelector('.till').clientHeight"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(fits)
    # What it makes in the day and that the identity is wanted stand above the button, not behind it.
    page.keyboard.press("F8")
    expect(page.locator("#running")).to_be_visible()
    expect(page.locator("#identity-needed")).to_be_visible()
    assert page.evaluate(fits)
    # Nor does what is counted push down the button that ends it.
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+F4")
    expect(page.locator("#close-drawer .hot")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Escape")
    # Foreign notes, a card and what they make in the day fit above the button too.
    page.keyboard.press("F7")
    page.keyboard.type("Lee")
    expect(page.locator("#players [role=option]").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type("100")
    page.locator("label:has([name=method][value=foreign])").click()
    expect(page.locator("#foreign-field")).to_be_visible()
    assert page.evaluate(fits)
    # Zoomed in by half the button lies over what scrolls, but never over what is typed in.
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 911, "height": 512})
    page.keyboard.press("F7")
    page.keyboard.type("Kai")
    expect(page.locator("#players [role=option]").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    button, typed = page.locator("#till-go").bounding_box(), page.locator("#till-amount").bounding_box()
    assert button is not None
    assert typed is not None
    assert button["y"] >= typed["y"] + typed["height"]


@pytest.mark.slow
def test_a_voucher_that_is_refused_is_typed_anew_in_its_place(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    page.fill("#till-amount", "50")
    page.check("input[name=method][value=voucher]", force=True)
    page.fill("#till-voucher", "1-AAAA")
    page.press("#till-voucher", "Enter")
    expect(page.locator("#till-wrong")).to_contain_text("no such voucher")
    expect(page.locator("#till-voucher")).to_be_focused()

    page.keyboard.type("2-BBBB")

    expect(page.locator("#till-voucher")).to_have_value("2-BBBB")
