"""Above the book's sum nobody pays out alone."""

import re
from typing import Any

import pytest
from django.test import Client

from casino.cage import services
from casino.cage.errors import PayoutNeedsSecond, PayoutsNeedSecond
from casino.cage.models import Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services.paying import NEEDS, payout_signs
from casino.ledger.models import Transfer
from casino.ledger.selectors.accounts import deposit_cents
from casino.people.errors import NeedsSecondSignature, SecondMayNot
from casino.people.models import Staff
from casino.rulebooks.reading import load, shipped
from tests.cage.desk import FLOAT_CASH, CageDesk
from tests.cage.filling import Filling
from tests.cage.test_identity import in_text, with_book
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import command, demo_person
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def rich(desk: CageDesk) -> CageDesk:
    """A desk with chips out and cash for them, and something on Lee's deposit: more of each than one pays alone."""
    filling = Filling(desk.cast)
    filling.counts(filling.sent(20_000_00), 20_000_00)
    desk.know(desk.lee)
    buy(desk, 15_000_00, "card", player_id=desk.lee.pk)
    services.deposit(
        command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=9_000_00, method="card"
    )
    return desk


def pay(
    desk: CageDesk, work: Any, cents: int, *, second: Staff | None = None, signed_cents: int = 0, **more: Any
) -> Slip:
    by = command(desk.carla)
    if second is not None:
        signs = payout_signs(drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=signed_cents or cents)
        by = desk.signed(desk.carla, second, needs=NEEDS, signs=signs)
        more["approved_by_id"] = second.pk
    answer = work(by, drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=cents, **more)
    return Slip.objects.get(id=answer.data["slip_id"])


WAYS: list[Any] = [
    pytest.param(services.cash_out, {}, id="cash-out"),
    pytest.param(services.cash_out, {"method": "deposit"}, id="onto the deposit"),
    pytest.param(services.withdraw, {}, id="withdrawal"),
]


@pytest.mark.parametrize(("work", "more"), WAYS)
def test_up_to_the_sum_one_pays_and_above_it_two(rich: CageDesk, work: Any, more: dict[str, Any]) -> None:
    before, alone_cents = drawer_figures(rich.drawer_id), rich.limits.payout_alone_max_cents
    with pytest.raises(PayoutNeedsSecond, match=in_text(alone_cents)):
        pay(rich, work, alone_cents + 1_00, **more)
    assert drawer_figures(rich.drawer_id) == before

    slip = pay(rich, work, alone_cents + 1_00, second=rich.cast.frans, **more)
    assert (slip.paid_by_id, slip.approved_by_id) == (rich.carla.pk, rich.cast.frans.pk)
    assert Transfer.objects.get(id=slip.transfer_id or 0).approved_by_id == rich.cast.frans.pk
    if work is services.cash_out:
        assert pay(rich, work, alone_cents, **more).approved_by_id is None


@pytest.mark.parametrize(("work", "more"), WAYS)
def test_nor_does_one_pay_more_in_parts_to_one_player_in_a_day(rich: CageDesk, work: Any, more: dict[str, Any]) -> None:
    alone_cents = rich.limits.payout_alone_max_cents
    rest_cents = alone_cents - 1_500_00
    pay(rich, work, 1_500_00, **more)
    with pytest.raises(PayoutsNeedSecond, match=f"{in_text(alone_cents + 1_00)}.*{in_text(alone_cents)}") as refused:
        pay(rich, work, rest_cents + 1_00, **more)
    assert refused.value.data == {"limit_cents": alone_cents, "total_cents": alone_cents + 1_00}

    # What two have signed is looked at; what one has paid alone stays counted.
    assert pay(rich, work, rest_cents + 1_00, second=rich.cast.frans, **more).approved_by_id == rich.cast.frans.pk
    last = pay(rich, work, rest_cents, **more)
    with pytest.raises(PayoutsNeedSecond):
        pay(rich, services.cash_out, 1_00)
    reverse(rich, last, signed(rich, last), rich.cast.frans)
    pay(rich, services.cash_out, rest_cents)


def test_by_whatever_way_each_euro_counts_once_for_one_player_alone(rich: CageDesk) -> None:
    most_of_it = rich.limits.payout_alone_max_cents - 1_000_00
    pay(rich, services.cash_out, most_of_it, method="deposit")
    pay(rich, services.withdraw, most_of_it)
    pay(rich, services.cash_out, 1_000_00)
    for work in (services.cash_out, services.withdraw):
        with pytest.raises(PayoutsNeedSecond):
            pay(rich, work, 1_00)
    # Of guests without a name nobody knows which is which.
    for _ in range(4):
        arguments: dict[str, Any] = {"drawer_id": rich.drawer_id, "amount_cents": 1_900_00, "unnamed": "gives_no_name"}
        services.cash_out(command(rich.carla), **arguments)


def test_a_book_may_let_each_payout_stand_by_itself(rich: CageDesk) -> None:
    with_book(rich, lambda text: text.replace("[cage]", "[cage]\npayouts_alone_add_up = false"))

    for _ in range(2):
        assert pay(rich, services.cash_out, rich.limits.payout_alone_max_cents).approved_by_id is None


def test_a_signature_holds_for_its_own_sum_and_by_another_alone(rich: CageDesk) -> None:
    with pytest.raises(NeedsSecondSignature):
        pay(rich, services.cash_out, 9_000_00, second=rich.cast.frans, signed_cents=6_000_00)
    with pytest.raises(NeedsSecondSignature):
        pay(rich, services.cash_out, 9_000_00, approved_by_id=rich.carla.pk)
    with pytest.raises(NeedsSecondSignature):
        pay(rich, services.cash_out, 9_000_00, approved_by_id=rich.cast.frans.pk)
    with pytest.raises(SecondMayNot):
        pay(rich, services.cash_out, 9_000_00, second=rich.cast.anna)


def test_every_book_says_from_which_sum_on() -> None:
    sums = {book: load(book).cage.payout_alone_max_cents for book in shipped()}

    assert sums == {"helsinki": 5_000_00, "unibet": 5_000_00, "royal": 35_000_00, "czech": 125_000_00}


@pytest.mark.helsinki
def test_the_sheet_asks_for_the_second_person_and_the_slip_names_them(rich: CageDesk) -> None:
    carla: Client = at_desktop(rich.carla)
    form: dict[str, Any] = {"kind": "cash_out", "amount": "6000", "method": "cash", "player_id": rich.lee.pk}
    page = carla.get("/cage/1/check/", form).content.decode()
    assert 'name="pin"' in page
    assert "Frans" in page
    assert 'name="pin"' not in carla.get("/cage/1/check/", form | {"amount": "5000"}).content.decode()
    pay(rich, services.cash_out, 1_000_00)
    in_parts = carla.get("/cage/1/check/", form | {"amount": "4001"}).content.decode()
    assert ('name="pin"' in in_parts, "With this one 5\xa0001\xa0€ today, more than 5\xa0000" in in_parts) == (
        True,
        True,
    )
    card = carla.get(f"/cage/players/{rich.lee.pk}/").content.decode()
    assert re.search(r"two sign above</dt><dd>4\s000\s€", card)

    form["drawer_id"] = rich.drawer_id
    alone = tap(carla, "/cage/1/cash-out/", **form)
    assert 'data-code="payout_needs_second"' in alone.content.decode()
    wrong = tap(carla, "/cage/1/cash-out/", **form, username="frans", pin="0000")
    assert 'data-code="wrong_pin"' in wrong.content.decode()
    paid = tap(carla, "/cage/1/cash-out/", **form, username="frans", pin=demo_person("frans").pin)
    assert "Frans" in paid.content.decode()
    assert deposit_cents(rich.lee.pk) == 9_000_00
    assert drawer_figures(rich.drawer_id)["cash"] == FLOAT_CASH + 20_000_00 - 7_000_00
