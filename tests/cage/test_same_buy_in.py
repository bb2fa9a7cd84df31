"""The same buy-in within seconds is a tap made twice, unless somebody says that it is another one."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from casino.cage import services
from casino.cage.errors import SameBuyIn
from casino.cage.models import Slip
from casino.commands.carrying_out import Answer
from casino.people.models import Player
from tests.cage.desk import CageDesk
from tests.cast import TONIGHT, command
from tests.support.locks import meet, without_lock
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def ask(desk: CageDesk, cents: int = 200_00, *, after: float = 0, **more: Any) -> Answer:
    by = command(desk.cast.anna, at=TONIGHT + timedelta(seconds=after))
    return services.request_buy_in(by, player_id=more.pop("player_id", desk.lee.pk), amount_cents=cents, **more)


def buy(desk: CageDesk, *, after: float = 0, **more: Any) -> Answer:
    by = command(desk.carla, at=TONIGHT + timedelta(seconds=after))
    args: dict[str, Any] = {"player_id": desk.lee.pk, "amount_cents": 200_00, "method": "cash"} | more
    return services.buy_in(by, drawer_id=desk.drawer_id, **args)


@pytest.mark.parametrize("work", [ask, buy])
def test_the_second_of_two_within_seconds_is_asked_about_and_passes_on_purpose(desk: CageDesk, work: Any) -> None:
    work(desk)

    with pytest.raises(SameBuyIn, match="3 s ago") as refused:
        work(desk, after=3)
    assert refused.value.status == 409
    assert Slip.objects.count() == 1

    work(desk, after=4, again=True)
    assert Slip.objects.count() == 2


@pytest.mark.parametrize(("of_it", "after", "is_same"), [(1, -1, True), (1, 0, False), (0, -5, True)])
def test_the_book_says_for_how_long(desk: CageDesk, of_it: int, after: int, is_same: bool) -> None:
    ask(desk)
    after += of_it * desk.limits.same_again_seconds

    if is_same:
        with pytest.raises(SameBuyIn):
            ask(desk, after=after)
    else:
        ask(desk, after=after)


def test_another_sum_another_player_and_one_that_was_taken_back_are_others(desk: CageDesk) -> None:
    requested = ask(desk)
    ask(desk, 250_00)
    ask(desk, player_id=desk.cast.players["Kai"].pk)
    services.cancel_slip(command(desk.cast.frans), slip_id=requested.data["slip_id"])
    ask(desk)

    assert Slip.objects.count() == 4


def test_of_guests_without_a_name_nobody_knows_whether_they_are_one(desk: CageDesk) -> None:
    for _ in range(2):
        buy(desk, player_id=None)

    assert Slip.objects.count() == 2


def test_a_slip_that_waited_is_paid_at_once_as_ever(desk: CageDesk) -> None:
    slip_id = ask(desk).data["slip_id"]

    services.take_money(command(desk.carla), slip_id=slip_id, drawer_id=desk.drawer_id, method="cash")

    assert Slip.objects.get().status == "paid"


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_devices_at_once_ask_once(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    if not is_locked:
        without_lock(monkeypatch, Player)

    with pytest.raises(SameBuyIn) if is_locked else nullcontext():
        meet(*[lambda: ask(committed_desk)] * 2)

    assert Slip.objects.count() == (1 if is_locked else 2)


def test_the_sheet_offers_to_say_so(desk: CageDesk) -> None:
    carla: Client = at_desktop(desk.carla)
    form: dict[str, Any] = {
        "kind": "buy_in", "amount": "200", "method": "cash", "player_id": desk.lee.pk, "drawer_id": desk.drawer_id
    }  # fmt: skip
    tap(carla, "/cage/1/buy-in/", **form)

    twice = tap(carla, "/cage/1/buy-in/", **form)
    assert twice.status_code == 409
    assert "data-again" in twice.content.decode()
    assert Slip.objects.count() == 1

    assert tap(carla, "/cage/1/buy-in/", **form, again="1").status_code == 200
    assert Slip.objects.count() == 2
