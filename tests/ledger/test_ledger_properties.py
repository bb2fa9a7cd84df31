"""Whatever is posted in whatever order: the trial balance is zero, chips are conserved, the check finds nothing."""

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.cage.chart import of_drawer
from casino.ledger.chart import PostingLine
from casino.ledger.errors import AlreadyReversed, PromiseTooSmall
from casino.ledger.models import Account
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import deposit_cents, trial_balance
from casino.ledger.services import reverse
from tables.chart import of_table
from tests.ledger.ledger_room import AT, DRAWER, PLAYER, TABLE, LedgerRoom, open_ledger

pytestmark = [pytest.mark.smoke, pytest.mark.django_db]

amounts = st.integers(1, 500_00)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("buy"), amounts),
        st.tuples(st.just("sit"), amounts),
        st.tuples(st.just("rake"), amounts),
        st.tuples(st.just("deposit"), amounts),
        st.tuples(st.just("withdraw"), amounts),
        st.tuples(st.just("count"), st.integers(-50, 50).filter(bool)),
        st.tuples(st.just("reverse"), st.integers(0, 20)),
    ),
    max_size=12,
)


def lines_of(step: str, cents: int) -> list[PostingLine]:
    return {
        "sit": [of_table(TABLE, "hands", -cents), of_table(TABLE, "in_play", cents)],
        "rake": [of_table(TABLE, "in_play", -cents), of_table(TABLE, "rake_box", cents)],
        "count": [of_drawer(DRAWER, "cash", cents), of_drawer(DRAWER, "over_short", -cents)],
    }[step]


def take(ledger: LedgerRoom, step: str, value: int, made: list[int]) -> int | None:
    """Take one step; return the transfer it made, if it is one that can be reversed."""
    if step == "buy":
        return ledger.buy_chips(value)
    if step in ("deposit", "withdraw"):
        return ledger.put_on_deposit(value if step == "deposit" else -value)
    if step == "reverse":
        if made:
            reverse(
                room_id=ledger.room.pk,
                day_id=ledger.day.pk,
                transfer_id=made[value % len(made)],
                key=f"back.{ledger.moves}.{value}.{len(made)}",
                made_by_id=1,
                at=AT,
            )
        return None
    return ledger.move(*lines_of(step, value))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(steps=steps)
def test_nothing_is_made_or_lost(db: None, steps: list[tuple[str, int]]) -> None:
    undo = transaction.savepoint()
    ledger = open_ledger()
    made: list[int] = []
    for step, value in steps:
        try:
            with transaction.atomic():
                transfer_id = take(ledger, step, value, made)
        except (PromiseTooSmall, AlreadyReversed):
            continue
        if transfer_id is not None:
            made.append(transfer_id)

    rows = trial_balance(ledger.room.pk)
    issued = Account.objects.get(room=ledger.room, kind="chips_issued").balance_cents
    places = sum(row.cents for row in rows if row.unit == "chips" and row.kind != "chips_issued")
    assert sum(row.cents for row in rows if row.unit == "money") == 0
    assert places == -issued == 2_000_000
    assert deposit_cents(PLAYER) >= 0
    assert list(problems(ledger.room.pk)) == []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    transaction.savepoint_rollback(undo)
