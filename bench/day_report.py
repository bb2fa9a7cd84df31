"""
The reports of a night of forty tables and fourteen thousand hands; the limit is reading its rows once.

    python -m bench.day_report

The limit adds up the same night's postings and charges in two statements of plain SQL, by turns with the report. The
night has counted boxes, downs and slips too, and is read as the open day and once it is closed, by the house's own view
and files: by the clock, and by the processor time of this process and PostgreSQL's, which other work on the machine
hardly makes longer.
"""

import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, LiteralString

import psutil
import psycopg

from bench.report import Row, show
from casino.simulation.instance import fresh_database, machines

ROUNDS = 5
TABLES, HANDS, SLIPS, DOWNS = 40, 14_000, 300, 20
GOAL_MS = 2_000.0
# Between two hands of a table, in seconds: ten hours in all.
BETWEEN = 100
FILL: tuple[LiteralString, ...] = (
    "ALTER TABLE ledger_transfer DISABLE TRIGGER USER",
    "ALTER TABLE ledger_posting DISABLE TRIGGER USER",
    """INSERT INTO tables_hand (room_id, table_id, opening_id, day_id, number, hand_id, status, dealer_id,
            rule_book_version_id, dealt_at, settled_at, street, pot_cents, pot_is_at_least, before, reason)
        SELECT opening.room_id, opening.table_id, opening.id, opening.day_id, n, gen_random_uuid(), 'settled',
            opening.opened_by_id, opening.rule_book_version_id,
            opening.opened_at + n * %(between)s * interval '1 second',
            opening.opened_at + n * %(between)s * interval '1 second', 'beyond', 8600, false, '{}', ''
        FROM tables_opening opening CROSS JOIN generate_series(1, %(hands)s) n WHERE opening.closed_at IS NULL""",
    """INSERT INTO ledger_transfer (room_id, day_id, kind, key, at, made_by_id, table_id, about, made_in)
        SELECT room_id, day_id, 'hand', 'bench.' || id, settled_at, dealer_id, table_id,
            jsonb_build_object('hand', id, 'number', number), 0 FROM tables_hand""",
    """UPDATE tables_hand SET transfer_id = transfer.id FROM ledger_transfer transfer
        WHERE transfer.kind = 'hand' AND (transfer.about ->> 'hand')::bigint = tables_hand.id""",
    """INSERT INTO ledger_posting (transfer_id, account_id, cents)
        SELECT transfer.id, account.id, line.cents FROM ledger_transfer transfer
        CROSS JOIN (VALUES ('rake_box', 400), ('jackpot_box', 100), ('in_play', -500)) line (kind, cents)
        JOIN ledger_account account ON account.owner_kind = 'table' AND account.owner_id = transfer.table_id
            AND account.kind = line.kind
        WHERE transfer.kind = 'hand' ORDER BY transfer.id""",
    """UPDATE ledger_account SET balance_cents = coalesce(
        (SELECT sum(cents) FROM ledger_posting WHERE account_id = ledger_account.id), 0)""",
    """INSERT INTO tables_handcharge (room_id, hand_id, kind, due_cents, taken_cents, by_pot)
        SELECT room_id, id, kind, cents, cents, ARRAY[cents] FROM tables_hand
        CROSS JOIN (VALUES ('rake', 400), ('drop', 100)) charge (kind, cents)""",
    """INSERT INTO boxes_box (room_id, table_id, charge, account, number, hung_after, hung_at, hung_by_id,
            dropped_after, dropped_at, dropped_by_id, is_counted, to_judge, version)
        SELECT account.room_id, account.owner_id, kind.charge, account.kind, account.owner_id, 0, now(), 1,
            (SELECT max(id) FROM ledger_posting), now(), 1, true, false, 1
        FROM ledger_account account JOIN (VALUES ('rake', 'rake_box'), ('drop', 'jackpot_box')) kind (charge, account)
            ON kind.account = account.kind WHERE account.owner_kind = 'table'""",
    """INSERT INTO boxes_boxcount (room_id, box_id, number, day_id, at, counted_by_id, approved_by_id, pieces, cents,
            expected_cents)
        SELECT box.room_id, box.id, 1, (SELECT max(id) FROM rooms_gamingday), now(), 1, 2, '[]', 100, 100
        FROM boxes_box box""",
    "ALTER TABLE ledger_transfer ENABLE TRIGGER USER",
    "ALTER TABLE ledger_posting ENABLE TRIGGER USER",
    "ANALYZE",
)
_READ: tuple[LiteralString, ...] = (
    """SELECT account.kind, count(*), sum(posting.cents) FROM ledger_transfer transfer
        JOIN ledger_posting posting ON posting.transfer_id = transfer.id
        JOIN ledger_account account ON account.id = posting.account_id GROUP BY 1""",
    """SELECT hand.opening_id, charge.kind, count(*), sum(charge.due_cents), sum(charge.taken_cents)
        FROM tables_hand hand JOIN tables_handcharge charge ON charge.hand_id = hand.id GROUP BY 1, 2""",
)


def main() -> int:
    """Fill a night, measure, and print."""
    with machines() as servers, fresh_database(servers) as database:
        os.environ |= {
            "DATABASE_URL": database.url,
            "REDIS_URL": servers.redis_url,
            "BRUSH_POOL_SIZE": "2",
            "BRUSH_SECRET_KEY": "benchmark-" + "k" * 40,
        }
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
        import django

        django.setup()
        stages = _measured(database.owner_url)
    night = f"{TABLES} tables, {HANDS:,} hands"
    for stage, took in stages.items():
        plain, _ = took.clock.pop("plain"), took.processor.pop("plain")
        show(
            f"The day's report, {stage}: {night}, against reading its postings and charges once",
            [Row(what, "ms", figures, plain, "less") for what, figures in took.clock.items()],
        )
        show("In milliseconds", [Row(what, "ms", figures, (), "less", GOAL_MS) for what, figures in took.clock.items()])
        show(
            "In milliseconds of processor time",
            [Row(what, "ms", figures, (), "less", GOAL_MS) for what, figures in took.processor.items()],
        )
    return 0


class _Took:
    """Milliseconds by what was done, by the clock and of processor time, those of each round in order."""

    def __init__(self, postmaster: int) -> None:
        self.clock: dict[str, list[float]] = {}
        self.processor: dict[str, list[float]] = {}
        self._postmaster = psutil.Process(postmaster)

    def times(self, what: str, act: Callable[[], Any], *, counts: bool) -> None:
        """Do it, and note what it took if it `counts`: what a process does once is not what a report costs."""
        began, used = time.perf_counter(), self._used()
        act()
        took = time.perf_counter() - began
        if counts:
            self.clock.setdefault(what, []).append(took * 1000)
            self.processor.setdefault(what, []).append((self._used() - used) * 1000)

    def _used(self) -> float:
        """Return the seconds of processor time that this process and PostgreSQL's have used so far."""
        servers = sum(sum(each.cpu_times()[:2]) for each in self._postmaster.children())
        return time.process_time() + float(servers)


def _measured(owner_url: str) -> dict[str, _Took]:
    """Return what each reading took, of the open night and of the closed one."""
    from casino import clock
    from casino.reports.selectors.day import day_report
    from casino.serving import warm_up
    from tests.acts.cage import close_all
    from tests.cage.carrying_over import carries
    from tests.taps import at_desktop

    house = _filled(owner_url)
    room, client = house.cast.room, at_desktop(house.cast.olavi, SERVER_NAME="127.0.0.1")
    warm_up()
    stages = {}
    with psycopg.connect(owner_url) as bare:
        postmaster = psutil.Process(bare.info.backend_pid).ppid()

        def rounds(stage: str, of: str) -> None:
            took = stages[stage] = _Took(postmaster)
            found = day_report(room)
            assert sum(ran.hands for ran in found.tables) == HANDS, "the whole night is read"
            for number in range(ROUNDS + 1):
                counts = number > 0
                took.times("plain", lambda: [bare.execute(each).fetchall() for each in _READ], counts=counts)
                took.times("the report", lambda: day_report(room), counts=counts)
                took.times("its page", lambda: client.get(f"/reports/{of}"), counts=counts)
                took.times("as CSV", lambda: client.get(f"/reports/day.csv{of}"), counts=counts)
                took.times("as a workbook", lambda: client.get(f"/reports/day.xlsx{of}"), counts=counts)
                took.times("the exceptions", lambda: client.get("/reports/exceptions/"), counts=counts)

        house.at += timedelta(hours=10)
        with clock.frozen(house.at):
            rounds("open", "")
        # All leave without their chips, which are in play by the log then: each table is carried over the day's end.
        close_all(house)
        day = carries(house)
        bare.commit()
        with clock.frozen(house.at):
            rounds("closed", f"?day={day.date}")
    return stages


def _filled(owner_url: str) -> Any:
    """Return a house with such a night, which is open."""
    from casino.cage.services import buy_in
    from casino.ledger.services import open_accounts
    from casino.people.models import Player
    from tables.models import Down, Opening
    from tests.tables.conftest import make_house
    from tests.tables.full_house import fill

    house = make_house()
    fill(house, tables=TABLES, waiting=0)
    openings = list(Opening.objects.filter(closed_at=None).order_by("id"))
    for opening in openings:
        open_accounts(house.cast.room, "table", opening.table_id)
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 20_00, "method": "cash"}
    for player in Player.objects.order_by("id")[:SLIPS]:
        house.tap(buy_in, house.cast.carla, player_id=player.pk, **arguments)
    dealers = [staff.pk for staff in house.cast.staff.values()]
    turns = [timedelta(minutes=30 * turn) for turn in range(DOWNS + 1)]
    Down.objects.bulk_create(
        Down(
            room=house.cast.room, table_id=opening.table_id, opening=opening, day_id=opening.day_id, how="floor",
            dealer_id=dealers[(number + turn) % len(dealers)], began_at=opening.opened_at + turns[turn],
            ended_at=opening.opened_at + turns[turn + 1],
        )
        for number, opening in enumerate(openings) for turn in range(DOWNS)
    )  # fmt: skip
    parameters = {"hands": HANDS // TABLES, "between": BETWEEN}
    with psycopg.connect(owner_url, autocommit=True) as owner:
        for statement in FILL:
            owner.execute(statement, parameters if "%(" in statement else None)
    return house


if __name__ == "__main__":
    sys.exit(main())
