"""What PostgreSQL itself refuses, whoever asks: raw SQL, past every service."""

import io
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction

from casino.cage.chart import of_drawer
from casino.ledger.models import Account, Transfer
from casino.ledger.proof import problems
from tests.ledger.ledger_room import AT, DRAWER, LedgerRoom
from tests.support.owner import as_owner

pytestmark = pytest.mark.smoke


def sql(statement: str, arguments: Sequence[Any] = ()) -> None:
    """Run one statement and let deferred triggers judge it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, arguments)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ledger_posting SET cents = cents + 1",
        "DELETE FROM ledger_posting",
        "TRUNCATE ledger_posting",
        "UPDATE ledger_transfer SET kind = 'gift'",
        "DELETE FROM ledger_transfer",
        "TRUNCATE ledger_transfer CASCADE",
        "TRUNCATE ledger_account CASCADE",
        "DELETE FROM ledger_account",
        "UPDATE ledger_account SET is_promise = NOT is_promise",
        "UPDATE ledger_account SET unit = 'chips'",
    ],
)
def test_what_is_written_stays(committed_ledger: LedgerRoom, statement: str) -> None:
    committed_ledger.buy_chips(200_00)

    with as_owner(), pytest.raises(DatabaseError, match=r"Cannot|append-only"):
        sql(statement)


NEW_TRANSFER = (
    "INSERT INTO ledger_transfer (room_id, day_id, kind, key, at, about, made_in)"
    " VALUES (%s, %s, 'raw', 'raw', %s, '{}', 0) RETURNING id"
)


def raw_transfer(ledger: LedgerRoom, *cents: int) -> None:
    """Insert a transfer with these postings on the drawer's cash and outside."""
    accounts = Account.objects.filter(owner_kind="drawer", owner_id=DRAWER, kind__in=["cash", "outside"])
    ids = list(accounts.order_by("id").values_list("id", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(NEW_TRANSFER, [ledger.room.pk, ledger.day.pk, AT])
        transfer_id = cursor.fetchone()[0]
        for number, amount in enumerate(cents):
            cursor.execute(
                "INSERT INTO ledger_posting (transfer_id, account_id, cents) VALUES (%s, %s, %s)",
                [transfer_id, ids[number % 2], amount],
            )


@pytest.mark.parametrize(
    ("cents", "message"),
    [((100, -99), "does not sum to zero"), ((100,), "does not sum to zero"), ((), "has no postings")],
)
def test_at_commit_a_transfer_sums_to_zero(committed_ledger: LedgerRoom, cents: tuple[int, ...], message: str) -> None:
    with pytest.raises(IntegrityError, match=message), transaction.atomic():
        raw_transfer(committed_ledger, *cents)

    assert not Transfer.objects.filter(key="raw").exists()


def test_a_transfer_may_be_unbalanced_until_commit(committed_ledger: LedgerRoom) -> None:
    with transaction.atomic():
        raw_transfer(committed_ledger, 100, -40, 30, -90)

    assert Transfer.objects.filter(key="raw").exists()


def test_a_transfer_in_money_and_chips_is_zero_in_each(ledger: LedgerRoom) -> None:
    cash = Account.objects.get(owner_kind="drawer", owner_id=DRAWER, kind="cash")
    chips = Account.objects.get(owner_kind="drawer", owner_id=DRAWER, kind="chips")

    with pytest.raises(IntegrityError, match="does not sum to zero"):
        sql(
            "WITH made AS (" + NEW_TRANSFER + ") INSERT INTO ledger_posting (transfer_id, account_id, cents)"
            " SELECT made.id, line.account_id, line.cents FROM made,"
            " (VALUES (%s::bigint, 100::bigint), (%s::bigint, -100::bigint)) AS line (account_id, cents)",
            [ledger.room.pk, ledger.day.pk, AT, cash.pk, chips.pk],
        )


def test_nothing_is_added_to_a_transfer_that_was_made_before(committed_ledger: LedgerRoom) -> None:
    old = committed_ledger.buy_chips(200_00)
    cash = Account.objects.get(owner_kind="drawer", owner_id=DRAWER, kind="cash")

    with pytest.raises(IntegrityError, match="comes with its transfer"):
        sql(
            "INSERT INTO ledger_posting (transfer_id, account_id, cents) VALUES (%s, %s, 5), (%s, %s, -5)",
            [old, cash.pk, old, cash.pk],
        )


def test_a_posting_stays_in_its_room(ledger: LedgerRoom) -> None:
    other = open_other_room()

    with pytest.raises(IntegrityError, match="stays in its room"):
        sql(
            "WITH made AS (" + NEW_TRANSFER + ") INSERT INTO ledger_posting (transfer_id, account_id, cents)"
            " SELECT made.id, line.account_id, line.cents FROM made,"
            " (VALUES (%s::bigint, 100::bigint), (%s::bigint, -100::bigint)) AS line (account_id, cents)",
            [ledger.room.pk, ledger.day.pk, AT, other, other],
        )


def open_other_room() -> int:
    from casino.ledger.services import open_accounts
    from casino.rooms.models import Room

    room = Room.objects.create(slug="other", name="Other room")
    open_accounts(room, "house", room.pk)
    return Account.objects.get(owner_kind="house", owner_id=room.pk, kind="vault_cash").pk


def test_a_closed_day_takes_no_posting(ledger: LedgerRoom) -> None:
    ledger.day.closed_at, ledger.day.closed_by_id = AT, 1
    ledger.day.save(update_fields=["closed_at", "closed_by_id"])

    with pytest.raises(IntegrityError, match="takes no posting"), transaction.atomic():
        ledger.buy_chips(100)
    with pytest.raises(IntegrityError, match="takes no posting"):
        sql(NEW_TRANSFER, [ledger.room.pk, ledger.day.pk, AT])


def test_another_rooms_day_takes_no_posting(ledger: LedgerRoom) -> None:
    open_other_room()
    from casino.rooms.models import Room

    other = Room.objects.get(slug="other")

    with pytest.raises(IntegrityError, match="not of room"):
        sql(NEW_TRANSFER, [other.pk, ledger.day.pk, AT])


def test_who_asks_never_approves(ledger: LedgerRoom) -> None:
    with pytest.raises(IntegrityError, match="transfer_approved_by_another"), transaction.atomic():
        ledger.buy_chips(100, approved_by_id=1)


def test_a_promise_below_zero_is_refused_whoever_writes_it(ledger: LedgerRoom) -> None:
    with pytest.raises(IntegrityError, match="account_promise_never_below_zero"):
        sql("UPDATE ledger_account SET balance_cents = -1 WHERE is_promise")


def test_a_sound_ledger_holds(ledger: LedgerRoom) -> None:
    ledger.buy_chips(200_00)
    ledger.put_on_deposit(50_00)
    output = io.StringIO()

    call_command("ledger", "check", stdout=output)

    assert output.getvalue() == "The ledger holds.\n"


def test_the_check_says_which_account_does_not_hold(ledger: LedgerRoom) -> None:
    ledger.buy_chips(200_00)
    sql("UPDATE ledger_account SET balance_cents = balance_cents + 7 WHERE owner_kind = 'drawer' AND kind = 'chips'")
    output = io.StringIO()

    with pytest.raises(CommandError, match="1 problem"):
        call_command("ledger", "check", stderr=output)

    assert "(drawer.1.chips) says 1980007, its postings sum to 1980000" in output.getvalue()


def test_the_check_finds_what_got_past_the_triggers(committed_ledger: LedgerRoom) -> None:
    ledger = committed_ledger
    bought = ledger.buy_chips(200_00)
    ledger.put_on_deposit(50_00)
    # What the owner of the tables can do, and nobody else.
    with as_owner(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ledger_posting DISABLE TRIGGER USER")
        cursor.execute("UPDATE ledger_posting SET cents = cents + 1 WHERE transfer_id = %s AND cents > 0", [bought])
        cursor.execute("UPDATE ledger_account SET balance_cents = balance_cents + 3 WHERE kind = 'deposits_held'")

    found = {problem.what for problem in problems(ledger.room.pk)}

    assert found == {"balance", "zero", "contra"}


def test_the_check_finds_a_reversal_that_is_no_mirror(committed_ledger: LedgerRoom) -> None:
    ledger = committed_ledger
    bought = ledger.buy_chips(200_00)
    ledger.move(of_drawer(DRAWER, "cash", -1), of_drawer(DRAWER, "outside", 1), reverses_id=bought)

    assert [problem.what for problem in problems(ledger.room.pk)] == ["reversal"]
