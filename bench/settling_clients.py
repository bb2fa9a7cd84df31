"""
Clients that settle hands, each a process with a connection and tables of its own: through the service, or by SQL.

A pass is every table of every client settled once. Who must be dealt to beforehand is, unmeasured, through the
services; then all clients start together.
"""

import os
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Literal

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
django.setup()

# Imported late: models need the app registry.
from django.db import connection, transaction  # noqa: E402

from bench.settling_parts import parts_of  # noqa: E402
from bench.settling_raw import Raw, RawTable  # noqa: E402
from bench.settling_room import POT_CENTS, TAKEN, WINNER, make_room  # noqa: E402
from casino import clock  # noqa: E402
from casino.audit.selectors import breaks  # noqa: E402
from casino.commands.carrying_out import Answer, Command  # noqa: E402
from casino.ledger.models import Account  # noqa: E402
from casino.ledger.proof import problems  # noqa: E402
from casino.people.models import Staff  # noqa: E402
from casino.people.selectors import actor_at_desktop  # noqa: E402
from tables.models import Seating, Table  # noqa: E402
from tables.rules.logged import LoggedHand  # noqa: E402
from tables.services.hands import deal_hand, settle_hand, show_flop  # noqa: E402

Side = Literal["brush", "raw"]

COUNTS = """SELECT relname, n_tup_ins, n_tup_upd FROM pg_stat_xact_user_tables
    WHERE n_tup_ins + n_tup_upd > 0"""


@dataclass(frozen=True)
class Pass:
    """What a client is asked for: whose way, and whether the hands were dealt and seen to flop before."""

    side: Side
    is_dealt: bool


class Client:
    """One client at its tables, in its own process."""

    def __init__(self, table_ids: list[int]) -> None:
        self.tables = [_raw_table(table) for table in Table.objects.filter(id__in=table_ids).select_related("opening")]
        dealer = Staff.objects.get(username="anna")
        self.by = actor_at_desktop(dealer)
        self.raw = Raw(os.environ["DATABASE_URL"], room_id=dealer.room_id, dealer_id=dealer.pk)
        self._hand_ids: dict[int, uuid.UUID] = {}

    def prepare(self, wanted: Pass) -> None:
        """Have every table where the pass begins."""
        self._hand_ids = {table.id: uuid.uuid4() for table in self.tables}
        if wanted.is_dealt:
            for table in self.tables:
                self._tap(deal_hand, table, hand=LoggedHand(hand_id=self._hand_ids[table.id], winners=()))
                self._tap(show_flop, table, hand_id=self._hand_ids[table.id])

    def settle_all(self, wanted: Pass) -> float:
        """Settle one hand at each table; return the seconds."""
        began = time.perf_counter()
        for table in self.tables:
            self.settle(table, wanted)
        return time.perf_counter() - began

    def settle(self, table: RawTable, wanted: Pass) -> None:
        """Settle the hand at one table."""
        hand_id = self._hand_ids[table.id]
        if wanted.side == "raw":
            self.raw.settle(table, hand_id, clock.now(), is_dealt=wanted.is_dealt)
            return
        hand = LoggedHand(hand_id=hand_id, winners=((WINNER,),), pots=(POT_CENTS,))
        answer = self._tap(settle_hand, table, hand=hand)
        taken = {"rake_box": answer.data["rake_cents"], "jackpot_box": answer.data["drop_cents"]}
        assert taken == TAKEN, f"the other side takes {TAKEN}"

    def parts(self, wanted: Pass) -> dict[str, Any]:
        """Return where the time of the service goes, over every table once: milliseconds a hand by part."""
        self.prepare(wanted)
        return parts_of(lambda: self.settle_all(wanted), hands=len(self.tables))

    def touched(self, wanted: Pass) -> Counter[str]:
        """Return how many rows one settled hand inserts and updates, by table; it is rolled back again."""
        self.prepare(wanted)
        table = self.tables[0]
        if wanted.side == "raw":
            with self.raw.connection.transaction(force_rollback=True):
                before = _counts(self.raw.connection)
                self.raw.write(table, self._hand_ids[table.id], clock.now(), is_dealt=wanted.is_dealt)
                after = _counts(self.raw.connection)
        else:
            with transaction.atomic():
                before = _counts(connection.cursor())
                self.settle(table, wanted)
                after = _counts(connection.cursor())
                transaction.set_rollback(True)
        # What was dealt is settled after all, so that nothing stands in the way of the next one who asks.
        self.settle_all(wanted)
        return after - before

    def _tap(self, service: Any, table: RawTable, **args: Any) -> Answer:
        at: datetime = clock.now()
        command = Command(id=uuid.uuid4(), by=self.by, tapped_at=at, at=at)
        answer: Answer = service(command, table_id=table.id, **args)
        return answer


def _raw_table(table: Table) -> RawTable:
    assert table.opening is not None
    players = (
        Seating.objects.filter(table=table, left_at=None).order_by("seat_number").values_list("player_id", flat=True)
    )
    accounts = dict(Account.objects.filter(owner_kind="table", owner_id=table.pk).values_list("kind", "id"))
    return RawTable(
        id=table.pk,
        number=table.number,
        players=tuple(players),
        rule_book_version_id=table.opening.rule_book_version_id,
        accounts=(accounts["rake_box"], accounts["jackpot_box"], accounts["in_play"]),
    )


def _counts(database: Any) -> Counter[str]:
    """Return what this session has written that the statistics do not have yet: only differences mean anything."""
    found: Counter[str] = Counter()
    for name, inserted, updated in database.execute(COUNTS):
        found[f"{name} inserted"], found[f"{name} updated"] = inserted, updated
    return found


class Clients:
    """The parent's side: processes that wait for what to do."""

    def __init__(self, count: int, *, tables_each: int) -> None:
        spawn = get_context("spawn")
        self.tables_each = tables_each
        pairs = [spawn.Pipe() for _ in range(count)]
        self._pipes = [ours for ours, _ in pairs]
        self._processes = [spawn.Process(target=serve, args=(theirs,), daemon=True) for _, theirs in pairs]
        for process in self._processes:
            process.start()
        table_ids = self.ask("room", count * tables_each)
        for index, pipe in enumerate(self._pipes):
            pipe.send(("sit", table_ids[index * tables_each : (index + 1) * tables_each]))
        for pipe in self._pipes:
            pipe.recv()

    def rate(self, wanted: Pass, *, clients: int) -> float:
        """Return hands a second that so many clients settle in one pass, from the start to the last one's end."""
        pipes = self._pipes[:clients]
        for step in ("prepare", "settle_all"):
            for pipe in pipes:
                pipe.send((step, wanted))
            answers = [pipe.recv() for pipe in pipes]
        return clients * self.tables_each / float(max(answers))

    def ask(self, what: str, argument: Any = None) -> Any:
        """Ask the first client for something."""
        self._pipes[0].send((what, argument))
        return self._pipes[0].recv()

    def close(self) -> None:
        """Send everybody home."""
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.close()
            process.join(5)


def serve(pipe: Connection) -> None:
    """Do what the parent asks, until it hangs up."""
    client: Client | None = None
    for what, argument in _requests(pipe):
        if what == "room":
            pipe.send(make_room(tables=argument))
        elif what == "sit":
            client = Client(argument)
            pipe.send(None)
        elif what == "proof":
            room_id = client.by.room_id if client else 0
            pipe.send([*map(str, problems(room_id)), *map(str, breaks(room_id))])
        else:
            pipe.send(getattr(client, what)(argument))


def _requests(pipe: Connection) -> Iterator[tuple[str, Any]]:
    try:
        while True:
            yield pipe.recv()
    except EOFError:
        return
