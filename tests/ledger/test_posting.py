"""Moving money and chips: one statement, whole or not at all."""

from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.cage.chart import of_drawer
from casino.cage.selectors.drawers import drawer_figures
from casino.ledger.chart import CHART, PostingLine, of_player
from casino.ledger.errors import AlreadyPosted, AlreadyReversed, PromiseTooSmall
from casino.ledger.models import Account, Posting, Transfer
from casino.ledger.selectors.accounts import account_statement, deposit_cents, room_figure, trial_balance
from casino.ledger.services import open_accounts, reverse
from casino.rooms.models import GamingDay
from tables.chart import of_table
from tables.owners import table_figures
from tests.ledger.ledger_room import AT, DRAWER, PLAYER, TABLE, LedgerRoom, open_ledger
from tests.support.locks import at_once, meet, without_constraint

pytestmark = pytest.mark.smoke


def take_back(ledger: LedgerRoom, transfer_id: int, key: str = "back") -> int:
    return reverse(room_id=ledger.room.pk, day_id=ledger.day.pk, transfer_id=transfer_id, key=key, made_by_id=1, at=AT)


def test_a_transfer_of_twelve_lines_is_one_statement(ledger: LedgerRoom) -> None:
    lines = [of_table(TABLE, "in_play", -600), *[of_table(TABLE, "rake_box", 100)] * 5]
    lines += [of_drawer(DRAWER, "chips", -100), *[of_table(TABLE, "tip_box", 40)] * 5]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        ledger.move(*lines)

    assert len(queries) == 1
    assert table_figures(TABLE)["rake_box"] == 500
    assert Posting.objects.order_by("-id").values_list("cents", flat=True)[:12][11] == -600


def test_reversing_asks_three_statements_and_mirrors(ledger: LedgerRoom) -> None:
    before = drawer_figures(DRAWER)
    bought = ledger.buy_chips(200_00)

    with CaptureQueriesContext(connection) as queries:
        back = take_back(ledger, bought)

    assert len(queries) == 3
    assert drawer_figures(DRAWER) == before
    assert Transfer.objects.get(id=back).reverses_id == bought


def test_a_transfer_is_reversed_once(ledger: LedgerRoom) -> None:
    bought = ledger.buy_chips(200_00)
    take_back(ledger, bought)

    with pytest.raises(AlreadyReversed), transaction.atomic():
        take_back(ledger, bought, key="back again")


def test_a_key_is_taken_once(ledger: LedgerRoom) -> None:
    ledger.buy_chips(200_00, key="slip.1.1")

    with pytest.raises(AlreadyPosted), transaction.atomic():
        ledger.buy_chips(200_00, key="slip.1.1")

    assert drawer_figures(DRAWER)["hands"] == 200_00


def test_a_promise_refuses_to_go_below_zero_and_nothing_moves(ledger: LedgerRoom) -> None:
    ledger.put_on_deposit(100_00)

    with pytest.raises(PromiseTooSmall), transaction.atomic():
        ledger.put_on_deposit(-100_01)

    assert deposit_cents(PLAYER) == 100_00


def test_a_counted_place_takes_any_count(ledger: LedgerRoom) -> None:
    ledger.move(of_table(TABLE, "float", -9_999_999_00), of_table(TABLE, "difference", 9_999_999_00))

    assert table_figures(TABLE)["float"] == -9_999_999_00


def test_lines_of_one_account_are_netted(ledger: LedgerRoom) -> None:
    ledger.put_on_deposit(10_00)

    ledger.move(of_player(PLAYER, -15_00), of_player(PLAYER, 15_00))

    assert deposit_cents(PLAYER) == 10_00


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([of_table(TABLE, "in_play", 100), of_table(TABLE, "rake_box", -99)], id="not zero"),
        pytest.param([of_drawer(DRAWER, "cash", 100), of_drawer(DRAWER, "chips", -100)], id="money for chips"),
        pytest.param([of_table(TABLE, "in_play", 0)], id="nothing"),
        pytest.param([of_table(99, "in_play", 100), of_table(TABLE, "in_play", -100)], id="never opened"),
    ],
)
def test_wrong_code_is_caught_at_its_own_line(ledger: LedgerRoom, lines: list[PostingLine]) -> None:
    with pytest.raises(AssertionError), transaction.atomic():
        ledger.move(*lines)


def test_the_chart_knows_no_other_accounts() -> None:
    with pytest.raises(AssertionError):
        PostingLine("table", 4, "cash", 1)


def test_opening_accounts_again_changes_nothing(ledger: LedgerRoom) -> None:
    ledger.buy_chips(200_00)
    before = list(Account.objects.order_by("id").values())

    open_accounts(ledger.room, "drawer", DRAWER)

    assert list(Account.objects.order_by("id").values()) == before
    assert len([row for row in before if row["owner_kind"] == "drawer"]) == len(CHART["drawer"].accounts)


def test_the_trial_balance_is_zero_per_unit_and_hands_are_summed_over_shards(ledger: LedgerRoom) -> None:
    ledger.buy_chips(300_00)
    ledger.move(of_table(TABLE, "hands", -120_00), of_table(TABLE, "in_play", 120_00))

    rows = trial_balance(ledger.room.pk)

    assert {unit: sum(row.cents for row in rows if row.unit == unit) for unit in ("money", "chips")} == {
        "money": 0,
        "chips": 0,
    }
    assert room_figure(ledger.room.pk, "hands") == 180_00
    assert next(row for row in rows if (row.owner_kind, row.kind) == ("table", "in_play")).cents == 120_00


def test_a_statement_runs_backwards_with_the_balance_after_each_line(ledger: LedgerRoom) -> None:
    for cents in (100, 200, 300):
        ledger.buy_chips(cents)
    account = Account.objects.get(owner_kind="drawer", owner_id=DRAWER, kind="hands")

    lines = account_statement(account, most=2)

    assert [(line.cents, line.after_cents) for line in lines] == [(300, 600), (200, 300)]
    assert [line.after_cents for line in account_statement(account, offset=2)] == [100]
    assert account_statement(account, day_id=ledger.day.pk + 1) == []


def test_an_earlier_days_statement_shows_what_was_there_then(ledger: LedgerRoom) -> None:
    for cents in (100, 200):
        ledger.buy_chips(cents)
    first_day = ledger.day
    GamingDay.objects.filter(pk=first_day.pk).update(closed_at=AT, closed_by_id=1)
    tomorrow = AT + timedelta(days=1)
    ledger.day = GamingDay.objects.create(room=ledger.room, date=tomorrow.date(), opened_at=tomorrow, opened_by_id=1)
    ledger.buy_chips(400)
    account = Account.objects.get(owner_kind="drawer", owner_id=DRAWER, kind="hands")

    then, now = (account_statement(account, day_id=day.pk) for day in (first_day, ledger.day))

    assert [(line.cents, line.after_cents) for line in then] == [(200, 300), (100, 100)]
    assert [(line.cents, line.after_cents) for line in now] == [(400, 700)]
    assert [line.after_cents for line in account_statement(account, day_id=first_day.pk, offset=1)] == [100]


def test_fifty_at_once_on_the_same_accounts_lose_nothing_and_never_deadlock(committing_db: object) -> None:
    ledger = open_ledger()

    def work(number: int) -> None:
        # Half of them name the accounts the other way round.
        lines = [of_table(TABLE, "in_play", -1), of_table(TABLE, "rake_box", 1), of_drawer(DRAWER, "chips", 0)]
        lines = lines if number % 2 else lines[::-1]
        for turn in range(5):
            ledger.move(*lines, key=f"race.{number}.{turn}")

    assert at_once(10, work) == [None] * 10
    assert table_figures(TABLE) | {"in_play": -50, "rake_box": 50} == table_figures(TABLE)


@pytest.mark.parametrize("is_constrained", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_who_empty_one_deposit_at_once_one_is_refused(committing_db: object, is_constrained: bool) -> None:
    ledger = open_ledger()
    ledger.put_on_deposit(100_00)
    if not is_constrained:
        without_constraint(Account, "account_promise_never_below_zero")

    def pays() -> None:
        with transaction.atomic():
            ledger.put_on_deposit(-60_00)

    with pytest.raises(PromiseTooSmall) if is_constrained else nullcontext():
        meet(pays, pays)

    assert deposit_cents(PLAYER) == (40_00 if is_constrained else -20_00)
