"""A deposit holds no more than the book lets one hold, by whatever way money comes there; what goes back, goes back."""

import re
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage import services
from casino.cage.errors import DepositFull
from casino.cage.models import Slip
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import deposit_cents
from casino.people.models import Player
from casino.people.services import check_identity
from casino.rulebooks.reading import load, shipped
from tests.browser.languages import speak
from tests.browser.test_floor_lobby import shot
from tests.cage.desk import CageDesk, open_desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cage.test_deposits_held import puts
from tests.cage.test_identity import in_text, out, with_book
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import command
from tests.support.browser import Chromium
from tests.support.locks import meet, without_lock
from tests.support.room import BrushServer
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def most(desk: CageDesk) -> int:
    cents = desk.limits.deposit_max_cents
    assert cents is not None
    return cents


@pytest.fixture
def nearly_full(desk: CageDesk) -> CageDesk:
    """A desk where 100 more fit on Lee's deposit, and Lee has 1,000 in chips."""
    desk.know(desk.lee)
    buy(desk, 1_000_00, "card", player_id=desk.lee.pk)
    puts(desk, most(desk) - 100_00)
    return desk


def card_onto(desk: CageDesk, cents: int) -> None:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "player_id": desk.lee.pk, "method": "card"}
    services.deposit(command(desk.carla), amount_cents=cents, **arguments)


def chips_onto(desk: CageDesk, cents: int) -> None:
    out(desk, cents, "deposit")


def carried_chips_onto(desk: CageDesk, cents: int) -> None:
    """Chips that were announced from a table and wait at the cage."""
    slip = Slip.objects.create(
        room=desk.cast.room,
        kind="cash_out",
        player=desk.lee,
        amount_cents=cents,
        requested_at=command(desk.carla).at,
        requested_by=desk.carla,
    )
    services.take_money(command(desk.carla), slip_id=slip.pk, drawer_id=desk.drawer_id, method="deposit")


WAYS = [puts, card_onto, chips_onto, carried_chips_onto]


@pytest.mark.rule("L-O2")
@pytest.mark.parametrize("way", WAYS)
def test_what_does_not_fit_is_refused_by_every_way_and_what_fits_is_not(
    nearly_full: CageDesk, way: Callable[[CageDesk, int], object]
) -> None:
    desk, slips = nearly_full, Slip.objects.filter(status="paid").count()

    with pytest.raises(DepositFull) as refused:
        way(desk, 101_00)

    assert refused.value.data == {
        "limit_cents": most(desk),
        "held_cents": most(desk) - 100_00,
        "fits_cents": 100_00,
    }
    assert (deposit_cents(desk.lee.pk), Slip.objects.filter(status="paid").count()) == (most(desk) - 100_00, slips)
    way(desk, 100_00)
    assert deposit_cents(desk.lee.pk) == most(desk)
    with pytest.raises(DepositFull, match=f"{in_text(0)} more fit"):
        way(desk, 1_00)


@pytest.mark.helsinki
def test_the_refusal_says_on_which_clause_it_stands_and_what_fits(nearly_full: CageDesk) -> None:
    tapped = tap(
        at_desktop(nearly_full.carla), "/cage/1/deposit/", player_id=nearly_full.lee.pk, amount="101", method="cash"
    )

    assert tapped.status_code == 422
    says = tapped.content.decode().replace("\xa0", " ")
    assert "L-O2: A deposit holds 20 000 € at most. 19 900 € lie on this one, so 100 € more fit." in says


@pytest.mark.rule("L-O2")
def test_what_is_paid_in_cash_or_off_the_deposit_is_not_asked(nearly_full: CageDesk) -> None:
    desk = nearly_full
    out(desk, 200_00)
    buy(desk, 200_00, "deposit", player_id=desk.lee.pk)
    puts(desk, 300_00)

    assert deposit_cents(desk.lee.pk) == most(desk)


def test_a_slip_that_is_taken_back_puts_back_what_lay_there(nearly_full: CageDesk) -> None:
    desk = nearly_full
    buy(desk, 200_00, "deposit", player_id=desk.lee.pk)
    played = Slip.objects.get(kind="buy_in", method="deposit")
    puts(desk, 300_00)

    reverse(desk, played, signed(desk, played), desk.cast.frans)

    assert deposit_cents(desk.lee.pk) == most(desk) + 200_00
    assert list(problems(desk.cast.room.pk)) == []
    with pytest.raises(DepositFull, match=f"{in_text(0)} more fit"):
        puts(desk, 1_00)


def test_a_book_that_names_no_most_has_none(nearly_full: CageDesk) -> None:
    held = deposit_cents(nearly_full.lee.pk)
    with_book(nearly_full, lambda text: re.sub(r"\ndeposit_max_cents = .*", "", text))

    puts(nearly_full, 5_000_00)

    assert deposit_cents(nearly_full.lee.pk) == held + 5_000_00


def test_only_helsinkis_book_has_the_licences_figure() -> None:
    assert {book: load(book).cage.deposit_max_cents for book in shipped()} == {
        "helsinki": 20_000_00,
        "unibet": None,
        "royal": None,
        "czech": None,
    }


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_windows_at_once_do_not_pass_the_most_together(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    desk.know(desk.lee)
    puts(desk, most(desk) - 100_00)

    arguments: dict[str, Any] = {"player_id": desk.lee.pk, "amount_cents": 100_00}
    first, second = [
        partial(services.deposit, command(desk.carla), drawer_id=each, **arguments) for each in desk.drawers[:2]
    ]
    if not is_locked:
        without_lock(monkeypatch, Player)

    with pytest.raises(DepositFull) if is_locked else nullcontext():
        meet(first, second)

    assert deposit_cents(desk.lee.pk) == most(desk) + (0 if is_locked else 100_00)


@pytest.mark.helsinki
def test_the_question_and_the_card_say_it_before_enter(nearly_full: CageDesk) -> None:
    carla, lee = at_desktop(nearly_full.carla), nearly_full.lee.pk
    form: dict[str, Any] = {"kind": "deposit", "amount": "101", "method": "cash", "player_id": lee}

    page = carla.get("/cage/1/check/", form).content.decode()
    assert "data-check-refused" in page
    assert "L-O2" in page
    assert "data-check-refused" not in carla.get("/cage/1/check/", form | {"amount": "100"}).content.decode()
    assert 'data-deposit="1990000"' in carla.get(f"/cage/players/{lee}/").content.decode()
    assert 'data-deposit-max="2000000"' in carla.get("/cage/1/").content.decode()


@pytest.mark.browser
@pytest.mark.parametrize("language", ["en", "fi"])
@pytest.mark.slow
def test_the_till_says_what_fits_while_it_is_typed(
    brush_server: BrushServer, chromium: Chromium, language: str
) -> None:
    desk = open_desk()
    at = clock.now()
    seen = {"full_name": "Lee Virtanen", "document": "passport", "number": "XP1234567"}
    check_identity(command(desk.carla, at=at), player_id=desk.lee.pk, **seen)
    puts(desk, 19_900_00, at=at)
    page = sit_down(chromium)
    speak(page, brush_server.url, language)
    page.reload()
    line = page.locator("#deposit-full")
    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type("101")
    expect(line).to_be_hidden()
    page.keyboard.press("F4")
    expect(line).to_be_visible()
    expect(line).to_contain_text("100 €".replace(" ", "\xa0"))
    shot(page, f"till-deposit-full-{language}")
    page.keyboard.press("F3")
    expect(line).to_be_hidden()
    page.keyboard.press("F9")
    expect(line).to_be_visible()
    page.keyboard.press("Control+A")
    page.keyboard.type("100")
    expect(line).to_be_hidden()
    page.keyboard.press("Control+A")
    page.keyboard.type("101")
    page.keyboard.press("Enter")
    expect(page.locator("#till-wrong")).to_contain_text("L-O2")
    expect(line).to_be_hidden()
    shot(page, f"till-deposit-refused-{language}")
