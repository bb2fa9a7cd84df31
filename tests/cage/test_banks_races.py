"""What two do at once with a runner's bank happens once, or one after the other."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import IntegrityError

from casino.cage import services
from casino.cage.errors import DrawerClosed, SlipNotWaiting
from casino.cage.errors_banks import HoldsABank
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.commands.carrying_out import Answer
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.people.models import Player, Staff
from tests.cage.banking import adds_bank, gives_bank, signed_bank
from tests.cage.counting import closes
from tests.cage.desk import SEAT, CageDesk, with_seat
from tests.cast import command
from tests.support.locks import meet, without_lock

pytestmark = pytest.mark.smoke


@pytest.fixture
def desk(committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch) -> CageDesk:
    """Return a desk whose Lee asks for chips to a seat, and whose Dan holds the bank that is its last drawer."""
    with_seat(committed_desk, monkeypatch)
    committed_desk.drawers.append(adds_bank(committed_desk.cast))
    gives_bank(committed_desk.carla, committed_desk.cast.dan, committed_desk.drawers[-1])
    arguments: dict[str, Any] = {"player_id": committed_desk.lee.pk, "amount_cents": 200_00, "seat": SEAT}
    services.request_buy_in(command(committed_desk.cast.anna), **arguments)
    return committed_desk


def sells(desk: CageDesk) -> Answer:
    return services.sell_from_bank(command(desk.cast.dan), slip_id=Slip.objects.get().pk)


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_request_that_is_tapped_at_the_table_and_at_the_cage_is_paid_once(
    desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    slip_id = Slip.objects.get().pk
    cash: dict[str, Any] = {"slip_id": slip_id, "drawer_id": desk.drawer_id, "method": "cash"}
    if not is_locked:
        without_lock(monkeypatch, Slip)
        # Whoever waits for the player finds the slip paid too; a guest without a name has no such row.
        without_lock(monkeypatch, Player)

    with pytest.raises(SlipNotWaiting) if is_locked else nullcontext():
        meet(lambda: services.take_money(command(desk.carla), **cash), lambda: sells(desk))

    assert Transfer.objects.filter(kind="buy_in").count() == (1 if is_locked else 2)
    assert list(problems(desk.cast.room.pk)) == []


def closing(desk: CageDesk) -> Callable[[], Answer]:
    return lambda: closes(desk.carla, desk.cast.frans, desk.drawers[-1], 0, 5_000_00)


def test_a_bank_that_is_just_being_counted_sells_no_more(desk: CageDesk) -> None:
    def comes_late() -> None:
        with pytest.raises(DrawerClosed):
            sells(desk)

    meet(closing(desk), comes_late)

    assert not any(drawer_figures(desk.drawers[-1]).values())


def test_without_its_lock_it_would_sell_after_its_count(desk: CageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    without_lock(monkeypatch, Drawer)

    meet(closing(desk), lambda: sells(desk))

    assert DrawerSession.objects.get(drawer=desk.drawers[-1]).closed_at is not None
    assert drawer_figures(desk.drawers[-1])["chips"] == -200_00


@pytest.mark.parametrize("is_locked", [True, False])
def test_two_banks_at_once_are_not_one_runners(
    desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    first, second = [signed_bank(desk.carla, desk.cast.anna, adds_bank(desk.cast, number=each)) for each in (12, 13)]
    if not is_locked:
        without_lock(monkeypatch, Staff)

    # The constraint has the last word.
    with pytest.raises(HoldsABank if is_locked else IntegrityError):
        meet(first, second)

    assert DrawerSession.objects.filter(holder=desk.cast.anna).count() == 1
