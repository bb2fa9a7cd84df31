"""Real threads, real connections: what two do at once happens once, or one after the other."""

from contextlib import nullcontext
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from casino.cage import services
from casino.cage.errors import SlipNotWaiting
from casino.cage.errors_days import DayNotFinished
from casino.cage.models import CarriedItem, Drawer, DrawerSession, Slip
from casino.cage.services import close_day
from casino.commands.carrying_out import Answer
from casino.ledger.errors import AlreadyPosted, PromiseTooSmall
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import deposit_cents
from casino.rooms.errors import NoOpenDay
from casino.rooms.models import GamingDay
from tests.cage.counting import carried, closes, opens
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk, new_id
from tests.cast import command
from tests.support.locks import at_once, meet, without_lock

pytestmark = pytest.mark.smoke


def test_two_cashiers_who_take_money_for_one_slip_pay_it_once(committed_desk: CageDesk) -> None:
    desk = committed_desk
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)

    def work(index: int) -> Answer:
        by = (desk.carla, desk.cast.mari)[index % 2]
        drawer_id = desk.drawers[index % 2]
        return services.take_money(command(by), slip_id=request.data["slip_id"], drawer_id=drawer_id, method="cash")

    answers = at_once(8, work)

    assert sorted(type(each).__name__ for each in answers) == ["Answer", *["SlipNotWaiting"] * 7]
    slip = Slip.objects.get()
    assert slip.status == "paid"
    assert Transfer.objects.filter(kind="buy_in").count() == 1
    assert list(problems(desk.cast.room.pk)) == []


@pytest.mark.parametrize("is_cancelled_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_slip_is_cancelled_or_its_money_is_taken(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_cancelled_first: bool, is_locked: bool
) -> None:
    desk = committed_desk
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    cancels = partial(services.cancel_slip, command(desk.cast.frans), slip_id=request.data["slip_id"])
    takes = partial(
        services.take_money,
        command(desk.carla),
        slip_id=request.data["slip_id"],
        drawer_id=desk.drawer_id,
        method="cash",
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


def test_the_same_command_id_fifty_times_pays_once(committed_desk: CageDesk) -> None:
    desk, same = committed_desk, new_id()

    outcomes = at_once(
        50,
        lambda _: services.buy_in(
            command(desk.carla, id=same), drawer_id=desk.drawer_id, amount_cents=200_00, method="cash"
        ),
    )

    answers = [each for each in outcomes if isinstance(each, Answer)]
    assert len(answers) == 50, outcomes
    assert sum(not answer.is_replay for answer in answers) == 1
    assert Slip.objects.count() == 1


def test_two_drawers_cannot_pay_one_deposit_twice(committed_desk: CageDesk) -> None:
    """
    Without the player's lock the ledger would refuse the second in the same words (`tests/ledger/test_posting.py`).

    What that lock is for is shown where it alone decides: `test_deposit_max.py`, `test_identity.py`.
    """
    desk = committed_desk
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=100_00)

    arguments: dict[str, Any] = {"player_id": desk.lee.pk, "amount_cents": 60_00}
    pays = [partial(services.withdraw, command(desk.carla), drawer_id=each, **arguments) for each in desk.drawers[:2]]

    with pytest.raises(PromiseTooSmall):
        meet(*pays)

    assert deposit_cents(desk.lee.pk) == 40_00


def test_one_drawer_numbers_its_slips_without_gap_or_twin(committed_desk: CageDesk) -> None:
    desk = committed_desk

    answers = at_once(
        12,
        lambda _: services.buy_in(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=10_00, method="cash"),
    )

    assert not [each for each in answers if isinstance(each, Exception)]
    assert list(Slip.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 13))


def test_without_the_drawers_lock_two_slips_would_get_one_number(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = committed_desk
    without_lock(monkeypatch, Drawer)

    def pays() -> None:
        services.buy_in(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=10_00, method="cash")

    # The ledger has the last word.
    with pytest.raises(AlreadyPosted):
        meet(pays, pays)

    assert list(Slip.objects.values_list("number", flat=True)) == [1]


@pytest.mark.parametrize("is_posted_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_closing_the_day_waits_for_whoever_is_just_posting(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_posted_first: bool, is_locked: bool
) -> None:
    desk = committed_desk
    for drawer_id in desk.drawers:
        closes(desk.carla, desk.cast.frans, drawer_id, FLOAT_CASH, FLOAT_CHIPS)

    def posts() -> None:
        opens(desk.carla, desk.cast.frans, desk.drawer_id, 1_00, 1_00)

    def ends() -> None:
        close_day(command(desk.cast.mari))

    if not is_locked:
        without_lock(monkeypatch, GamingDay)

    # Either the day was still open for a drawer, and does not close; or it closed, and no drawer opened. Without the
    # day's lock it closes over a drawer that it does not see, or the database alone refuses the posting.
    late = pytest.raises(NoOpenDay) if is_locked else pytest.raises(IntegrityError, match="takes no posting")
    with late if not is_posted_first else pytest.raises(DayNotFinished) if is_locked else nullcontext():
        meet(*((posts, ends) if is_posted_first else (ends, posts)))

    assert GamingDay.objects.filter(closed_at=None).exists() == (is_posted_first and is_locked)
    assert DrawerSession.objects.filter(closed_at=None).exists() == is_posted_first
    found = ["over_days"] if is_posted_first and not is_locked else []
    assert [each.what for each in problems(desk.cast.room.pk)] == found


@pytest.mark.parametrize("is_counted_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_drawer_that_is_counted_while_the_day_closes_over_it_is_counted_or_carried(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_counted_first: bool, is_locked: bool
) -> None:
    desk, drawer_id = committed_desk, committed_desk.drawer_id
    for each in desk.drawers:
        closes(desk.cast.mari, desk.cast.frans, each, FLOAT_CASH, FLOAT_CHIPS)
    opens(desk.carla, desk.cast.frans, drawer_id, 100_00, 100_00)

    def counts() -> None:
        closes(desk.cast.mari, desk.cast.frans, drawer_id, 95_00, 100_00)

    def carries() -> None:
        carrying = [carried("drawer.1", "stays_open")]
        # What the count leaves to be judged is carried too, where it comes first.
        carrying += [carried("doubt.1")] if is_counted_first else []
        close_day(command(desk.cast.mari), carrying=carrying)

    if not is_locked:
        without_lock(monkeypatch, GamingDay)

    # Without the day's lock the database alone refuses the count, or the drawer is counted and carried.
    late = pytest.raises(NoOpenDay) if is_locked else pytest.raises(IntegrityError, match="takes no posting")
    with nullcontext() if is_counted_first else late:
        meet(*((counts, carries) if is_counted_first else (carries, counts)))

    assert not GamingDay.objects.filter(closed_at=None).exists()
    assert DrawerSession.objects.filter(closed_at=None).exists() != is_counted_first
    assert CarriedItem.objects.filter(kind="drawer").exists() == (not is_counted_first or not is_locked)
    assert list(problems(desk.cast.room.pk)) == []
