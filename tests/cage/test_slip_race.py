"""A slip that two decide about at once is decided once."""

from contextlib import nullcontext

import pytest

from casino.cage import services
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import Slip
from tests.cage.desk import CageDesk
from tests.cast import command
from tests.support.locks import without_lock
from tests.tables.test_lock_order import meet


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_for_a_slip_that_is_just_being_cancelled_no_money_is_taken(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    asked = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    slip_id = asked.data["slip_id"]
    if not is_locked:
        without_lock(monkeypatch, Slip)

    def comes_late() -> None:
        with pytest.raises(SlipNotWaiting) if is_locked else nullcontext():
            services.take_money(command(desk.carla), slip_id=slip_id, drawer_id=desk.drawer_id, method="cash")

    meet(lambda: services.cancel_slip(command(desk.cast.frans), slip_id=slip_id), comes_late)

    slip = Slip.objects.get()
    assert slip.cancelled_at is not None
    assert slip.status == ("cancelled" if is_locked else "paid")
