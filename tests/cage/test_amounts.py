"""What the cage sells and buys back can be paid in the room's chips, and is no more than anybody would."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from casino.cage import services
from casino.cage.errors import TooMuchAtOnce
from casino.cage.models import Slip
from casino.ledger.chips import check_came_back
from casino.ledger.errors import NotInChips
from casino.rooms.models import RuleBookVersion
from casino.rooms.selectors import rule_book_in_force
from casino.rulebooks import load, shipped
from tests.cage.desk import CageDesk
from tests.cage.test_drawers_and_days import stocked
from tests.cast import TONIGHT, command
from tests.support.books import had_halves
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

CHIP_WORK = ["request", "buy_in", "cash_out", "fill", "credit", "vault"]


def act(desk: CageDesk, work: str, cents: int) -> Any:
    """Ask one thing of the cage for this amount."""
    by = command(desk.carla)
    drawer: dict[str, Any] = {"drawer_id": desk.drawer_id}
    lee: dict[str, Any] = {"player_id": desk.lee.pk}
    moved: dict[str, Any] = {**drawer, "amount_cents": cents, "what": "chips", "approved_by_id": desk.cast.mari.pk}
    doing: dict[str, Callable[[], Any]] = {
        "request": lambda: services.request_buy_in(by, amount_cents=cents, **lee),
        "buy_in": lambda: services.buy_in(by, amount_cents=cents, method="cash", **drawer),
        "cash_out": lambda: services.cash_out(by, amount_cents=cents, **drawer, unnamed="gives_no_name"),
        "deposit": lambda: services.deposit(by, amount_cents=cents, **drawer, **lee),
        "withdraw": lambda: services.withdraw(by, amount_cents=cents, **drawer, **lee),
        "fill": lambda: services.fill_drawer(by, **moved),
        "credit": lambda: services.return_to_vault(by, **moved),
        "vault": lambda: stocked(desk, cash_cents=0, chips_cents=cents),
    }
    return doing[work]()


@pytest.mark.parametrize("work", CHIP_WORK)
@pytest.mark.parametrize(
    ("cents", "nearest"),
    [(50_50, (50_00, 51_00)), (1, (1_00, 2_00)), (1_99, (1_00, 2_00))],
    ids=["between", "less-than-a-chip", "more-than-one"],
)
def test_chips_that_do_not_exist_are_refused_with_the_two_nearest(
    desk: CageDesk, work: str, cents: int, nearest: tuple[int, int]
) -> None:
    with pytest.raises(NotInChips) as refused:
        act(desk, work, cents)

    assert (refused.value.data["below_cents"], refused.value.data["above_cents"]) == nearest
    assert not Slip.objects.exists()


def test_where_the_clock_was_set_back_before_the_first_book_its_chips_come_back_alone(desk: CageDesk) -> None:
    room_id = desk.cast.room.pk
    long_before = TONIGHT - timedelta(days=9_000)
    book = rule_book_in_force(room_id, at=long_before)[1]

    check_came_back(room_id, 50_00, book, at=long_before)
    with pytest.raises(NotInChips):
        check_came_back(room_id, 50_50, book, at=long_before)


def test_chips_of_an_older_book_come_back_and_are_issued_no_more(desk: CageDesk) -> None:
    """They are out there, whatever the present book plays with: a player brings them, and the house takes them in."""
    had_halves(desk.cast.room.pk)

    for work in ("request", "buy_in", "fill", "vault"):
        with pytest.raises(NotInChips):
            act(desk, work, 50_50)
    for work in ("cash_out", "credit", "vault"):
        with pytest.raises(NotInChips):
            act(desk, work, -50_25 if work == "vault" else 50_25)
    act(desk, "cash_out", 50_50)
    act(desk, "vault", -50)
    check = at_desktop(desk.carla).get(
        reverse("cage_check", args=[1]), {"kind": "cash_out", "method": "cash", "amount": "50,50"}
    )

    assert Slip.objects.get().amount_cents == 50_50
    assert "data-check-refused" not in check.content.decode()


def test_money_in_safe_keeping_may_be_cents(desk: CageDesk) -> None:
    act(desk, "deposit", 50_50)
    act(desk, "withdraw", 1)

    assert Slip.objects.count() == 2


@pytest.mark.parametrize("work", ["request", "buy_in", "cash_out", "deposit", "withdraw"])
def test_more_than_anybody_would_bring_is_refused(desk: CageDesk, work: str) -> None:
    with pytest.raises(TooMuchAtOnce) as refused:
        act(desk, work, 1_000_000_000_00)

    most = desk.limits.amount_max_cents
    assert refused.value.data == {"asked_cents": 1_000_000_000_00, "limit_cents": most}
    assert not Slip.objects.exists()


def test_a_book_from_before_the_most_was_named_names_none(desk: CageDesk) -> None:
    """A kept book of crowns is not held to what another house's euros come to."""
    version, _book = rule_book_in_force(desk.cast.room.pk, at=TONIGHT)
    kept = re.sub(r"\n(amount|deposit)_max_cents = .*", "", RuleBookVersion.objects.get(pk=version).text)
    with as_owner():
        RuleBookVersion.objects.create(room=desk.cast.room, number=9, text=kept, holds_from=TONIGHT)

    desk.know(desk.lee)
    act(desk, "deposit", 1_000_000_00)

    assert Slip.objects.get().amount_cents == 1_000_000_00


@pytest.mark.helsinki
def test_each_page_of_the_till_says_it_before_and_after_enter(desk: CageDesk) -> None:
    carla = at_desktop(desk.carla)
    typed: dict[str, Any] = {"kind": "buy_in", "method": "cash"}
    check, buy = reverse("cage_check", args=[1]), reverse("cage_buy_in", args=[1])

    for amount, code, sentence in [
        ("50,50", "not_in_chips", "Nearest: 50\xa0€ or 51\xa0€."),
        ("0.01", "not_in_chips", "Nearest: 1\xa0€ or 2\xa0€."),
        ("1000000", "too_much_at_once", "100\xa0000\xa0€"),
    ]:
        question = carla.get(check, {**typed, "amount": amount}).content.decode()
        assert "data-check-refused" in question
        assert sentence in question
        answer = tap(carla, buy, **typed, amount=amount)
        assert answer.status_code == 422
        assert f'data-code="{code}"' in answer.content.decode()
        assert sentence in answer.content.decode()
    assert not Slip.objects.exists()


@pytest.mark.parametrize("name", shipped())
def test_every_book_names_its_chips_and_its_ceiling(name: str) -> None:
    book = load(name)

    chips = book.chips_cents
    assert list(chips) == sorted(set(chips), reverse=True)
    assert all(cents % chips[-1] == 0 for cents in chips)
    assert book.cage.amount_max_cents is not None
    for game in book.games:
        assert game.smallest_chip_cents in chips
        assert game.buy_in_min_cents % chips[-1] == 0
        assert max(game.buy_in_min_cents, game.buy_in_max_cents) <= book.cage.amount_max_cents
