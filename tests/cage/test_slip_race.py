"""A slip that two decide about at once is decided once."""

from contextlib import nullcontext
from functools import partial

import pytest
from django.db import IntegrityError

from casino.cage import services
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import Slip
from tests.cage.desk import CageDesk
from tests.cast import command
from tests.support.locks import without_lock
from tests.tables.test_lock_order import meet


@pytest.mark.smoke
@pytest.mark.parametrize("is_cancelled_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_slip_is_cancelled_or_its_money_is_taken(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_cancelled_first: bool, is_locked: bool
) -> None:
    desk = committed_desk
    asked = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    cancels = partial(services.cancel_slip, command(desk.cast.frans), slip_id=asked.data["slip_id"])
    takes = partial(
        services.take_money, command(desk.carla), slip_id=asked.data["slip_id"], drawer_id=desk.drawer_id, method="cash"
    )
    first, late = (cancels, takes) if is_cancelled_first else (takes, cancels)
    if not is_locked:
        without_lock(monkeypatch, Slip)

    # A paid slip that is cancelled all the same would have a number: the constraint has the last word.
    last = nullcontext() if is_cancelled_first else pytest.raises(IntegrityError, match="slip_has_its_number_once_paid")
    with pytest.raises(SlipNotWaiting) if is_locked else last:
        meet(first, late)

    slip = Slip.objects.get()
    assert (slip.cancelled_at is not None, slip.paid_at is not None) == (
        is_cancelled_first, not is_cancelled_first or not is_locked,
    )  # fmt: skip
