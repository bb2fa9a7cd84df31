"""Each transfer, slip and count is held against its event, both ways: what no command wrote is found."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage import services
from casino.cage.chart import of_drawer
from casino.cage.models import DrawerCount, Slip
from casino.ledger.chart import of_house
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.ledger.services import post
from casino.rooms.selectors import open_day
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_drawers_and_days import count
from tests.cage.test_paying import buy
from tests.cast import TONIGHT, command
from tests.support.owner import as_owner

pytestmark = [pytest.mark.smoke, pytest.mark.two_houses]
GUARDED = ("audit_event", "ledger_transfer", "ledger_posting", "cage_slip", "cage_drawercount")


@pytest.fixture
def tampered(desk: CageDesk) -> Callable[..., None]:
    """Do what only the database's owner can: change rows with all triggers switched off."""

    def change(*statements: str) -> None:
        with as_owner(), connection.cursor() as cursor:
            # What the test itself did is judged now: a table with judgements to come cannot be altered.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for table in GUARDED:
                cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            for statement in statements:
                cursor.execute(statement)
            for table in GUARDED:
                cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    return change


def found(desk: CageDesk) -> list[tuple[str, int, str]]:
    """Return what `audit verify` finds, having seen that `ledger check` finds it too."""
    broken = [(each.chain, each.number, each.problem) for each in breaks(desk.cast.room.pk)]
    by_the_ledger = [problem.detail for problem in problems(desk.cast.room.pk) if problem.what == "event"]
    assert by_the_ledger == [f"{kind} {number}: {problem}" for kind, number, problem in broken]
    return broken


def test_a_forged_balanced_transfer_has_no_event(desk: CageDesk) -> None:
    buy(desk)
    day = open_day(desk.cast.room.pk)
    assert day is not None
    # Every guard of the ledger lets it pass: it sums to zero, on the open day, and balances follow.
    forged = post(
        room_id=desk.cast.room.pk,
        day_id=day.pk,
        kind="vault_stocked",
        lines=[of_house(desk.cast.room.pk, "vault_cash", -100_00), of_drawer(desk.drawer_id, "cash", 100_00)],
        key="vault.0",
        made_by_id=desk.carla.pk,
        at=TONIGHT,
    )

    assert found(desk) == [("transfer", forged, "no event knows it")]
    with pytest.raises(CommandError, match="1 problem"):
        call_command("ledger", "check", stdout=StringIO(), stderr=StringIO())


def test_a_transfer_posted_otherwise_than_its_event_says_is_found(
    desk: CageDesk, tampered: Callable[..., None]
) -> None:
    transfer = buy(desk).transfer_id

    tampered(
        f"UPDATE ledger_posting SET cents = cents * 2 WHERE transfer_id = {transfer}",
        f"UPDATE ledger_account SET balance_cents = balance_cents + (SELECT sum(cents) / 2 FROM ledger_posting"
        f" WHERE transfer_id = {transfer} AND account_id = ledger_account.id)"
        f" WHERE id IN (SELECT account_id FROM ledger_posting WHERE transfer_id = {transfer})",
    )

    assert found(desk) == [("transfer", transfer, "it is not what its event says")]


def test_a_transfer_that_was_taken_out_is_known_to_its_event(desk: CageDesk, tampered: Callable[..., None]) -> None:
    slip = buy(desk)

    tampered(
        f"UPDATE ledger_account SET balance_cents = balance_cents - (SELECT sum(cents) FROM ledger_posting"
        f" WHERE transfer_id = {slip.transfer_id} AND account_id = ledger_account.id)"
        f" WHERE id IN (SELECT account_id FROM ledger_posting WHERE transfer_id = {slip.transfer_id})",
        f"DELETE FROM ledger_posting WHERE transfer_id = {slip.transfer_id}",
        f"DELETE FROM ledger_transfer WHERE id = {slip.transfer_id}",
        f"DELETE FROM cage_slip WHERE id = {slip.pk}",
    )

    gone = "the log knows it, and it is not there"
    assert found(desk) == [("slip", slip.pk, gone), ("transfer", slip.transfer_id, gone)]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE {table} SET {column} = {column} + 1", "it is not what its event says"),
        ("DELETE FROM {table}", "the log knows it, and it is not there"),
    ],
    ids=["changed", "deleted"],
)
@pytest.mark.parametrize(
    ("kind", "table", "column"),
    [("slip", "cage_slip", "amount_cents"), ("count", "cage_drawercount", "cash_cents")],
    ids=["slip", "count"],
)
def test_a_slip_or_a_count_that_somebody_touched_is_found(
    desk: CageDesk, tampered: Callable[..., None], kind: str, table: str, column: str, statement: str, problem: str
) -> None:
    slip = buy(desk)
    count(desk, desk.cast.mari, FLOAT_CASH + slip.amount_cents, FLOAT_CHIPS - slip.amount_cents)
    touched = {"slip": slip.pk, "count": DrawerCount.objects.get().pk}[kind]

    tampered(statement.format(table=table, column=column))

    kinds = ["count", "count_by_two"] if kind == "count" and "DELETE" in statement else [kind]
    assert found(desk) == [(each, touched, problem) for each in kinds]


def test_a_slip_that_no_command_wrote_is_found(desk: CageDesk, tampered: Callable[..., None]) -> None:
    slip = buy(desk)
    slip.pk, slip.number = None, 2
    slip.save(force_insert=True)

    assert found(desk) == [("slip", slip.pk, "no event knows it")]


def test_what_was_written_since_a_moment_is_held_and_what_is_older_is_not_asked(
    desk: CageDesk, tampered: Callable[..., None]
) -> None:
    old, paid, later = buy(desk), buy(desk), TONIGHT + timedelta(hours=1)
    services.note_print(command(desk.carla, at=later), slip_id=paid.pk)
    new = services.request_buy_in(command(desk.cast.frans, at=later), player_id=desk.lee.pk, amount_cents=50_00)

    def since_then() -> list[tuple[str, int]]:
        return [(each.chain, each.number) for each in breaks(desk.cast.room.pk, since=later)]

    assert since_then() == []
    tampered("UPDATE cage_slip SET amount_cents = amount_cents + 1")
    assert since_then() == [("slip", paid.pk), ("slip", int(new.data["slip_id"]))]
    assert old.pk not in [number for _, number in since_then()]


def test_a_slip_is_held_through_all_that_becomes_of_it(desk: CageDesk) -> None:
    request = services.request_buy_in(command(desk.cast.frans), player_id=desk.lee.pk, amount_cents=50_00)
    services.take_money(command(desk.carla), slip_id=request.data["slip_id"], drawer_id=desk.drawer_id, method="cash")
    services.note_print(command(desk.carla), slip_id=request.data["slip_id"])
    services.cancel_slip(
        command(desk.cast.frans),
        slip_id=services.request_buy_in(command(desk.cast.frans), player_id=desk.lee.pk, amount_cents=60_00).data[
            "slip_id"
        ],
    )
    count(desk, desk.cast.mari, 0, 0)

    assert found(desk) == []
    assert [Slip.objects.count(), DrawerCount.objects.count()] == [2, 1]


def test_what_is_older_than_the_first_fingerprint_needs_a_command_of_its_moment(
    desk: CageDesk, tampered: Callable[..., None]
) -> None:
    """A house of before goes on: its events name no rows, and only the moments agree."""
    buy(desk)
    # As a version wrote it that knew nothing of fingerprints; the chains are another test's.
    tampered("UPDATE audit_event SET text = (text::jsonb - 'rows')::text")
    assert [each for each in problems(desk.cast.room.pk) if each.what == "event"] == []
    transfer = Transfer.objects.order_by("id").last()
    assert transfer is not None

    tampered(f"UPDATE ledger_transfer SET at = at + interval '1 second' WHERE id = {transfer.pk}")

    assert [each.detail for each in problems(desk.cast.room.pk)] == [f"transfer {transfer.pk}: no event knows it"]


def test_what_is_older_stays_so_when_the_clock_is_set_back(desk: CageDesk, tampered: Callable[..., None]) -> None:
    buy(desk)
    tampered("UPDATE audit_event SET text = (text::jsonb - 'rows')::text")

    requested_at = TONIGHT - timedelta(minutes=5)
    services.request_buy_in(command(desk.cast.frans, at=requested_at), player_id=desk.lee.pk, amount_cents=50_00)

    assert '"rows":{' in Event.objects.latest("id").text
    assert [each for each in problems(desk.cast.room.pk) if each.what == "event"] == []


def test_a_log_that_cannot_be_read_is_said_to_be_so(desk: CageDesk, tampered: Callable[..., None]) -> None:
    event = Event.objects.order_by("id").last()
    assert event is not None

    tampered(f"UPDATE audit_event SET text = '\"rows\":{{' WHERE id = {event.pk}")

    assert [each.chain for each in breaks(desk.cast.room.pk)] == [event.chain, "event"]
