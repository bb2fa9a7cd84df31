"""A drawer pays the cash that lies in it and no more, and the vault fills it, by two."""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from casino.audit.models import Event
from casino.cage import services
from casino.cage.errors import CashShort, DrawerCountedFirst, PayoutNeedsSecond
from casino.cage.errors_vault import VaultCountedFirst
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import fills, paying
from casino.cage.services.fills import NEEDS, signs_for
from casino.cage.services.locks import follow_short
from casino.commands import carrying_out
from casino.commands.carrying_out import Answer, Command
from casino.commands.carrying_out import services as registered
from casino.errors import Malformed, Refusal
from casino.ledger.errors import PromiseTooSmall, VaultShort
from casino.ledger.models import Posting, Transfer
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import deposit_cents, house_figures
from casino.ledger.services import post
from casino.ledger.templatetags.money import money
from casino.live.render import fragment
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Staff
from casino.rows import read
from tests.cage.counting import closes, counts_vault, opens
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.filling import filled_at_once, filling_at_once
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import command, demo_person
from tests.support.books import fills_in_one_step
from tests.support.locks import at_once, meet
from tests.support.patience import PATIENCE_SECONDS
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

BILLION = 1_000_000_000_00


@pytest.fixture(autouse=True)
def _in_one_step(request: pytest.FixtureRequest) -> None:
    """Have the book let two fill a drawer in one step: here it is about what lies there, and not about the slip."""
    name = "desk" if "desk" in request.fixturenames else "committed_desk"
    fills_in_one_step(request.getfixturevalue(name).cast.room.pk)


def fill(
    desk: CageDesk,
    cents: int,
    what: str = "cash",
    *,
    kind: str = "fill",
    by: Staff | None = None,
    second: Staff | None = None,
    at: int = 0,
) -> Slip:
    return filled_at_once(by or desk.carla, second or desk.cast.frans, desk.drawers[at], cents, what, kind=kind)


def cash_out(desk: CageDesk, cents: int, by: Staff | None = None, **more: Any) -> Answer:
    arguments = more if "player_id" in more else {"unnamed": "gives_no_name"} | more
    return services.cash_out(command(by or desk.carla), drawer_id=desk.drawer_id, amount_cents=cents, **arguments)


def test_two_cash_outs_of_a_billion_leave_the_drawer_as_it_was(desk: CageDesk) -> None:
    for _ in range(2):
        with pytest.raises(Refusal):
            cash_out(desk, BILLION, player_id=desk.lee.pk)

    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH
    assert not Slip.objects.exists()


@pytest.mark.parametrize(("cents", "is_paid"), [(200_00, True), (201_00, False)])
def test_what_lies_there_is_paid_to_the_last_chip(desk: CageDesk, cents: int, is_paid: bool) -> None:
    fill(desk, FLOAT_CASH - 200_00, kind="credit")
    buy(desk, 500_00, "card")

    if is_paid:
        cash_out(desk, cents)
        assert drawer_figures(desk.drawer_id)["cash"] == 0
    else:
        with pytest.raises(CashShort):
            cash_out(desk, cents)
        assert drawer_figures(desk.drawer_id)["cash"] == 200_00


@pytest.mark.parametrize("cents", [1_00, 400_00])
def test_what_would_be_refused_anyway_tells_nothing_of_the_drawer(desk: CageDesk, cents: int) -> None:
    """Else a cashier finds what to count by asking for a deposit that is none, half of it each time."""
    fill(desk, FLOAT_CASH - 200_00, kind="credit")

    with pytest.raises(PromiseTooSmall):
        services.withdraw(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=cents)


def test_an_unsigned_payout_tells_nothing_of_the_drawer(desk: CageDesk) -> None:
    fill(desk, FLOAT_CASH, kind="credit")

    with pytest.raises(PayoutNeedsSecond):
        cash_out(desk, 40_000_00, player_id=desk.know(desk.lee).pk)


@pytest.mark.helsinki
def test_sums_that_are_tried_do_not_tell_what_is_to_be_counted(desk: CageDesk) -> None:
    """Else a cashier halves the sum each time, and knows it to the cent."""
    fill(desk, FLOAT_CASH - 200_00, kind="credit")
    known = desk.know(desk.lee).pk
    for cents in (400_00, 300_00, 250_00):
        with pytest.raises(CashShort):
            cash_out(desk, cents)
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "player_id": known}
    services.deposit(command(desk.carla), **arguments, amount_cents=10_00, method="card")

    # What it could pay is refused like what it could not, by whichever way it goes out.
    gives: list[Callable[[], object]] = [
        lambda: cash_out(desk, 225_00),
        lambda: cash_out(desk, 100_00),
        lambda: services.withdraw(command(desk.carla), **arguments, amount_cents=10_00),
        lambda: fill(desk, 1_00, kind="credit"),
        lambda: fill(desk, 1_00, "chips", kind="credit"),
    ]
    for give in gives:
        with pytest.raises(DrawerCountedFirst):
            give()
    assert "Pays nothing out until two have counted it" in fragment(desk.cast.room.pk, "cage.1", "en").html
    # What is no payout goes on; and once it was counted it begins anew.
    slip = buy(desk, 50_00)
    with pytest.raises(DrawerCountedFirst):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, 250_00, FLOAT_CHIPS - 50_00, 10_00)
    opens(desk.carla, desk.cast.frans, desk.drawer_id, cash=100_00)
    assert cash_out(desk, 100_00)


@pytest.mark.helsinki
@pytest.mark.parametrize("what", ["drawer", "vault"])
def test_of_tries_at_one_moment_no_more_tell_something_than_the_book_lets(
    desk: CageDesk, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Each is judged before any of them is noted: they would be as many more as there are at once."""
    fill(desk, FLOAT_CASH - 200_00, kind="credit")
    beyond = house_figures(desk.cast.room.pk)["vault_cash"] + 1_00
    tries = {"drawer": lambda: cash_out(desk, 300_00), "vault": lambda: fill(desk, beyond)}[what]
    refuse, waiting, codes = carrying_out._refuse, [1, 2, 3, 4], []

    def meets(call: Any, refusal: Refusal) -> Any:
        # What it did is undone, and before it is noted another comes as far, as on another tablet.
        if waiting:
            waiting.pop()
            with pytest.raises(Refusal) as other:
                tries()
            codes.append(other.value.code)
        return refuse(call, refusal)

    monkeypatch.setattr(carrying_out, "_refuse", meets)

    with pytest.raises(Refusal) as first:
        tries()

    short = {"drawer": "cash_short", "vault": "vault_short"}[what]
    assert [*codes, first.value.code] == [short, short, short, *[f"{what}_counted_first"] * 2]
    assert DrawerSession.objects.get(closed_at=None).short_payouts == (3 if what == "drawer" else 0)


@pytest.mark.helsinki
def test_sums_that_are_tried_do_not_tell_what_lies_in_the_vault(desk: CageDesk) -> None:
    """It is counted blind too, and by whom it gives to: whoever reads the books is told nothing new."""
    left = house_figures(desk.cast.room.pk)["vault_cash"]
    mari, frans = desk.cast.mari, desk.cast.frans
    for _ in range(4):
        with pytest.raises(VaultShort):
            fill(desk, left + 1_00, by=mari)
    for cents in (900_00, 100_00, 50_00):
        with pytest.raises(VaultShort):
            fill(desk, left + cents)

    for what in ("cash", "chips"):
        with pytest.raises(VaultCountedFirst):
            fill(desk, 1_00, what)
    closes(mari, frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    with pytest.raises(VaultCountedFirst):
        opens(desk.carla, frans, desk.drawer_id, cash=100_00)
    opens(desk.carla, frans, desk.drawer_id)
    # What goes into it goes on, and who may look gives out of it; once it was counted it begins anew.
    assert fill(desk, 100_00, by=mari)
    assert fill(desk, 10_00, kind="credit")
    lies = house_figures(desk.cast.room.pk)
    counts_vault(desk.carla, frans, lies["vault_cash"], lies["vault_chips"])
    assert fill(desk, 1_00)


@pytest.mark.helsinki
def test_that_the_vault_gives_nothing_stands_where_it_is_counted_filled_from_and_seen_to(desk: CageDesk) -> None:
    """Before it is so no screen tells how near it is, and no figure stands beside it."""
    room_id, carla = desk.cast.room.pk, at_desktop(desk.carla)
    sentence, beyond = "The vault gives nothing until it has been counted", house_figures(room_id)["vault_cash"] + 1_00

    def says() -> list[bool]:
        pages = [carla.get(path).content.decode() for path in ("/cage/vault/", "/cage/fills/")]
        floor = fragment(room_id, "floor", "en").html
        return [sentence in each for each in (*pages, floor)]

    stands = fragment(room_id, "fills", "en").html
    for _ in range(2):
        with pytest.raises(VaultShort):
            fill(desk, beyond)
    assert (says(), fragment(room_id, "fills", "en").html) == ([False] * 3, stands)
    with pytest.raises(VaultShort):
        fill(desk, beyond)

    assert (says(), fragment(room_id, "fills", "en").html == stands) == ([True] * 3, False)
    assert carla.get("/api/v1/cage/vault").json()["counted_first_since"] is not None
    assert '<a class="button" href="/cage/vault/">Count the vault</a>' in carla.get("/cage/fills/").content.decode()
    assert {"fills", "floor"} <= set(Event.objects.latest("id").audiences)
    lies = house_figures(room_id)
    counts_vault(desk.carla, desk.cast.frans, lies["vault_cash"], lies["vault_chips"])
    assert (says(), fragment(room_id, "fills", "en").html) == ([False] * 3, stands)


def test_what_another_reason_refuses_and_what_is_sent_again_are_no_tries(desk: CageDesk) -> None:
    fill(desk, FLOAT_CASH - 200_00, kind="credit")
    again = command(desk.carla)

    for _ in range(2):
        with pytest.raises(CashShort):
            services.cash_out(again, drawer_id=desk.drawer_id, amount_cents=300_00, unnamed="gives_no_name")
    with pytest.raises(PromiseTooSmall):
        services.withdraw(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)

    assert DrawerSession.objects.get(closed_at=None).short_payouts == 1


def test_each_service_that_a_drawer_may_be_too_short_for_notes_it() -> None:
    says = re.compile(r"\b(CashShort|ChipsShort|VaultCountedFirst)\b")
    named = {name for name, each in registered().items() if says.search(each.function.__doc__ or "")}
    vault = {name for name, each in registered().items() if "VaultShort" in (each.function.__doc__ or "")}

    assert {name for name, each in registered().items() if each.refused is follow_short} == named
    assert {"cage.cash_out", "cage.deliver_fill", "cage.give_unclaimed", "tables.fill_rack"} <= named
    # Managers read what lies in the vault.
    assert vault - named == {"cage.reverse_exchange", "ledger.stock_vault"}


def test_card_slips_pay_nobody_and_a_deposit_needs_no_cash(desk: CageDesk) -> None:
    fill(desk, FLOAT_CASH, kind="credit")
    buy(desk, 500_00, "card")

    with pytest.raises(CashShort):
        cash_out(desk, 100_00, player_id=desk.lee.pk)
    cash_out(desk, 100_00, player_id=desk.lee.pk, method="deposit")

    with pytest.raises(CashShort):
        services.withdraw(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=100_00)
    assert deposit_cents(desk.lee.pk) == 100_00


def test_the_refusal_names_a_fill_and_to_nobody_who_pays_what_lies_there(desk: CageDesk) -> None:
    fill(desk, FLOAT_CASH - 137_00, kind="credit")

    for by in (desk.cast.mari, desk.carla):
        with pytest.raises(CashShort, match="fill") as untold:
            cash_out(desk, 200_00, by=by)
        assert (untold.value.status, untold.value.data) == (422, {"number": 1, "asked_cents": 200_00})


def test_a_reversal_pays_no_more_than_lies_there_either(desk: CageDesk) -> None:
    slip = buy(desk, 300_00)
    fill(desk, FLOAT_CASH + 200_00, kind="credit")

    with pytest.raises(CashShort):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    fill(desk, 200_00)
    reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    assert drawer_figures(desk.drawer_id)["cash"] == 0


@pytest.mark.parametrize(("what", "float_cents"), [("cash", FLOAT_CASH), ("chips", FLOAT_CHIPS)])
def test_a_fill_comes_out_of_the_vault_with_a_number_and_two_names(desk: CageDesk, what: str, float_cents: int) -> None:
    before = house_figures(desk.cast.room.pk)[f"vault_{what}"]

    slip = fill(desk, 1_000_00, what)

    assert drawer_figures(desk.drawer_id)[what] == float_cents + 1_000_00
    assert house_figures(desk.cast.room.pk)[f"vault_{what}"] == before - 1_000_00
    assert (slip.kind, slip.method, slip.number, slip.status) == ("fill", what, 1, "paid")
    assert (slip.paid_by_id, slip.approved_by_id) == (desk.carla.pk, desk.cast.frans.pk)
    moved = Transfer.objects.get(id=slip.transfer_id or 0)
    assert (moved.kind, moved.made_by_id, moved.approved_by_id) == ("fill", desk.carla.pk, desk.cast.frans.pk)
    assert list(problems(desk.cast.room.pk)) == []


def test_what_is_too_much_goes_back_to_the_vault_and_no_more_than_is_there(desk: CageDesk) -> None:
    assert fill(desk, FLOAT_CASH, kind="credit").kind == "credit"
    assert fill(desk, FLOAT_CHIPS, "chips", kind="credit").number == 2

    for what in ("cash", "chips"):
        with pytest.raises(Refusal, match=r"Drawer 1 holds (less|fewer)"):
            fill(desk, 1_00, what, kind="credit")
    assert house_figures(desk.cast.room.pk)["vault_cash"] == 5_000_000


@pytest.mark.parametrize("what", ["cash", "chips"])
def test_an_empty_vault_fills_no_drawer_and_gives_no_float(desk: CageDesk, what: str) -> None:
    left = house_figures(desk.cast.room.pk)[f"vault_{what}"]
    fill(desk, left, what)

    with pytest.raises(VaultShort):
        fill(desk, 1_00, what)
    services.add_drawer(command(desk.cast.mari), number=2, name="Cage 2")
    floats: dict[str, Any] = {what: 1_00}
    with pytest.raises(VaultShort):
        opens(desk.carla, desk.cast.frans, Drawer.objects.get(number=2).pk, **floats)

    assert house_figures(desk.cast.room.pk)[f"vault_{what}"] == 0


def test_a_fill_is_signed_by_another_for_this_drawer_and_this_sum(desk: CageDesk) -> None:
    def take(by: Command, second: Staff, cents: int = 100_00) -> None:
        services.fill_drawer(by, drawer_id=desk.drawer_id, amount_cents=cents, what="cash", approved_by_id=second.pk)

    signs = signs_for("fill", drawer_id=desk.drawer_id, what="cash", amount_cents=100_00)
    with pytest.raises(NeedsSecondSignature):
        take(command(desk.carla), desk.cast.frans)
    with pytest.raises(NeedsSecondSignature):
        take(command(desk.carla), desk.carla)
    with pytest.raises(NeedsSecondSignature):
        take(desk.signed(desk.carla, desk.cast.frans, needs=NEEDS, signs=signs), desk.cast.frans, 900_00)
    with pytest.raises(Malformed):
        services.fill_drawer(
            command(desk.carla), drawer_id=desk.drawer_id, amount_cents=1, what="card", approved_by_id=1
        )
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH


def test_a_fill_is_voided_by_two_like_any_slip(desk: CageDesk) -> None:
    slip = fill(desk, 100_00)

    reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH
    assert house_figures(desk.cast.room.pk)["vault_cash"] == 5_000_000 - FLOAT_CASH


def test_the_database_knows_no_fill_signed_by_one(desk: CageDesk) -> None:
    slip = fill(desk, 100_00)

    for approver in (None, slip.paid_by_id):
        with (
            pytest.raises(IntegrityError, match=r"slip_(of_the_vault_is_signed|signed_by_another)"),
            transaction.atomic(),
        ):
            Slip.objects.filter(pk=slip.pk).update(approved_by=approver)


@pytest.mark.smoke
def test_two_payouts_at_once_cannot_pay_the_same_cash(committed_desk: CageDesk) -> None:
    desk = committed_desk
    fill(desk, FLOAT_CASH - 100_00, kind="credit")

    answers = at_once(6, lambda _: cash_out(desk, 60_00))

    # Which of them came before the drawer was too short that often is decided by who is fastest.
    names = Counter(type(each).__name__ for each in answers)
    assert (names["Answer"], names["CashShort"] + names["DrawerCountedFirst"]) == (1, 5)
    assert drawer_figures(desk.drawer_id)["cash"] == 40_00


@pytest.mark.slow
def test_without_the_drawers_lock_they_do(committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk, meet = committed_desk, at_the_same_moment(2)
    fill(desk, FLOAT_CASH - 100_00, kind="credit")
    monkeypatch.setattr(
        paying, "lock_drawer", lambda _command, drawer_id, **arguments: read(Drawer, "WHERE id = %s", drawer_id)[0]
    )
    monkeypatch.setattr(paying, "number_slip", lambda slip, _drawer: meet(slip))

    answers = at_once(2, lambda index: cash_out(desk, 60_00))

    assert [type(each) for each in answers] == [Answer, Answer]
    assert drawer_figures(desk.drawer_id)["cash"] == -20_00


def at_the_same_moment(number: int) -> Any:
    """Return what holds each payer back until so many have looked into the drawer, and gives each slip a number."""
    import threading

    barrier, numbers = threading.Barrier(number, timeout=PATIENCE_SECONDS), iter(range(2, number + 2))

    def meet(slip: Slip) -> None:
        barrier.wait()
        slip.number = next(numbers)

    return meet


@pytest.mark.smoke
@pytest.mark.parametrize("is_posted_before", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_drawers_cannot_be_filled_with_the_same_notes(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_posted_before: bool
) -> None:
    desk = committed_desk
    left = house_figures(desk.cast.room.pk)["vault_cash"]
    fill(desk, left - 100_00)
    # Signed before: who signs is locked too, and the second would wait there.
    first, second = [filling_at_once(desk.carla, desk.cast.frans, each, 60_00) for each in desk.drawers[:2]]

    def look_and_post(**arguments: Any) -> int:
        assert house_figures(desk.cast.room.pk)["vault_cash"] >= 60_00
        return post(**arguments)

    if not is_posted_before:
        # The vault's accounts are locked by the posting alone: whoever looks before it finds the same notes there.
        monkeypatch.setattr(fills, "post", look_and_post)
        monkeypatch.setattr(fills, "check_vault_gives", lambda *_: None)

    with pytest.raises(VaultShort) if is_posted_before else nullcontext():
        meet(first, second)

    assert house_figures(desk.cast.room.pk)["vault_cash"] == (40_00 if is_posted_before else -20_00)


# ---- At the window -----------------------------------------------------------------------------------


@pytest.fixture
def carla(desk: CageDesk) -> Client:
    return at_desktop(desk.carla)


def test_the_window_takes_a_fill_and_prints_its_slip(desk: CageDesk, carla: Client) -> None:
    form: dict[str, Any] = {"direction": "fill", "what": "cash", "amount": "1 000", "drawer_id": desk.drawer_id}

    wrong = tap(carla, "/cage/1/vault/", **form, username="frans", pin="0000")
    assert 'data-code="wrong_pin"' in wrong.content.decode()
    answer = tap(carla, "/cage/1/vault/", **form, username="frans", pin=demo_person("frans").pin)

    assert answer.status_code == 200
    assert "1–00001" in answer.content.decode()
    printed = carla.get(f"/cage/slips/{Slip.objects.get().pk}/").content.decode()
    assert "Fill" in printed
    assert "Frans" in printed


def test_a_payout_beyond_the_drawer_is_refused_where_the_tap_was(desk: CageDesk, carla: Client) -> None:
    fill(desk, FLOAT_CASH - 1_900_00, kind="credit")
    answer = tap(
        carla, "/cage/1/cash-out/", kind="cash_out", amount="1901", method="cash", player_id=desk.know(desk.lee).pk,
        drawer_id=desk.drawer_id,
    )  # fmt: skip

    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'data-code="cash_short"' in page
    assert money(1_900_00, desk.cast.room) not in page
    assert not Posting.objects.filter(transfer__kind="cash_out").exists()
