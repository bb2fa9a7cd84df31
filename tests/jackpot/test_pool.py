"""The pool: what its sum is, what it falls for, and what the database refuses."""

import uuid
from dataclasses import replace

import pytest
from django.db import IntegrityError, transaction

from casino.commands.carrying_out import Command
from casino.ledger.errors import PromiseTooSmall
from casino.ledger.proof import problems
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from jackpot.errors import NoPool, PoolNotOpen
from jackpot.models import Movement, Pool
from jackpot.selectors.pools import figures
from jackpot.services.pool import change, lock_pool, reserve_for_claim, top_up_to_seed
from tests.cast import command
from tests.jackpot.beats import base_sum
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


class PoolDesk:
    """Steps at one pool, each as a command of Mari's."""

    def __init__(self, house: House) -> None:
        self.house, self.day = house, lock_open_day(house.room_id)
        _, book = rule_book_in_force(house.room_id, at=house.at)
        self.jackpot = book.jackpots[0]
        self.pool = Pool.objects.get(room_id=house.room_id, code=self.jackpot.code)
        self.second = house.cast.frans.pk

    def command(self) -> Command:
        return replace(command(self.house.cast.mari, at=self.house.at), id=uuid.uuid4())

    def reserve(self, cents: int, claim_id: int = 1) -> Movement:
        return reserve_for_claim(
            self.command(), self.pool, day_id=self.day.pk, cents=cents, claim_id=claim_id, approved_by_id=self.second
        )

    def top_up(self) -> Movement | None:
        return top_up_to_seed(self.command(), self.pool, day_id=self.day.pk, seed_cents=self.jackpot.seed_cents)

    @property
    def sum(self) -> int | None:
        return base_sum(self.house.room_id, self.jackpot.code)


@pytest.fixture
def desk(house: House) -> PoolDesk:
    return PoolDesk(house)


@pytest.mark.rule("H7.33", "L-P43")
def test_a_claim_leaves_the_sum_at_once_and_waits_to_be_paid(desk):
    opened = desk.sum
    desk.reserve(700_00)
    left, topped = desk.sum, desk.top_up()

    seed = desk.jackpot.seed_cents
    assert (opened, left, topped.cents, desk.sum, desk.top_up()) == (seed, seed - 700_00, 700_00, seed, None)
    assert figures(desk.pool.pk) == {
        "sum": seed, "takings": 0, "pending": 700_00, "seed": -seed - 700_00, "collected": 0, "paid": 0, "corrected": 0,
        "moved": 0,
    }  # fmt: skip
    assert [problem for problem in problems(desk.house.room_id) if problem.what != "event"] == []
    with pytest.raises(PromiseTooSmall), transaction.atomic():
        desk.reserve(seed + 1)


@pytest.mark.parametrize(
    ("kind", "cents", "approved_by"),
    [
        pytest.param(Movement.Kind.TAKINGS, -1, "another", id="takings never lower it"),
        pytest.param(Movement.Kind.CLAIM, 1, "another", id="a claim never raises it"),
        pytest.param(Movement.Kind.CLAIM, -1, None, id="a claim is signed by two"),
        pytest.param(Movement.Kind.CORRECTION, -1, None, id="a correction down is signed by two"),
        pytest.param(Movement.Kind.CORRECTION, -1, "the same", id="who asks never approves"),
    ],
)
def test_the_sum_falls_for_few_reasons_and_never_by_one_person(desk, kind, cents, approved_by):
    ids = {"another": desk.second, "the same": desk.house.cast.mari.pk, None: None}

    desk.reserve(100_00)

    with pytest.raises(IntegrityError), transaction.atomic():
        change(desk.command(), desk.pool, kind=kind, cents=cents, day_id=desk.day.pk, approved_by_id=ids[approved_by])


def test_a_jackpot_without_a_pool_and_one_that_was_wound_down_are_refused_by_name(desk):
    with pytest.raises(NoPool):
        lock_pool(desk.house.room_id, "another")
    Pool.objects.filter(pk=desk.pool.pk).update(state=Pool.State.CLOSED, closed_at=desk.house.at)
    with pytest.raises(PoolNotOpen):
        lock_pool(desk.house.room_id, desk.jackpot.code)
