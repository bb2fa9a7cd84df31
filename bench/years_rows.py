"""
Years of a room's past, loaded by COPY: gaming days, openings, guests, seatings, hands, slips, postings, the log.

Every row is one that the house itself could have written. What a transfer posts is taken from one that the house
made (a settled hand, a buy-in, a cash-out), so that it sums to zero as that one does; the log's chains are hashed;
accounts, hand numbers and slips' numbers go on where the past ends. `ledger check` and `audit verify` prove it.

The past has smaller ids than the present, as pasts do: `make_room` moves the sequences on, before the house opens.
"""

import io
import itertools
import random
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from bench import evening  # noqa: F401 - sets Django up, which the log's hashing needs
from casino.audit.hashes import canonical, link

HANDS_A_DAY = 300
PLAYERS_A_TABLE = 8
# What a hand, and the money around it, come to on average: here its three lines, four times in one transfer.
POSTINGS_A_HAND = 12
HANDS_A_GUEST = 100
FIRST_PRESENT_ID = 500_000_001
_MOVED = (
    "rooms_gamingday", "tables_opening", "tables_hand", "tables_handseat", "tables_handpot", "tables_handcharge",
    "tables_seating", "cage_slip", "cage_drawersession", "ledger_transfer", "ledger_posting", "audit_event",
    "people_player",
)  # fmt: skip


def make_room(url: str) -> None:
    """Have every id that the house gives from now on be larger than those of the years to come before it."""
    with psycopg.connect(url, autocommit=True) as connection:
        for table in _MOVED:
            statement = sql.SQL("ALTER SEQUENCE {} RESTART {}")
            connection.execute(statement.format(sql.Identifier(f"{table}_id_seq"), sql.Literal(FIRST_PRESENT_ID)))


@dataclass(frozen=True)
class Present:
    """What the past needs to know of the present: ids, and what a hand posts at each table."""

    room_id: int
    version_id: int
    game_id: int
    dealer_id: int
    cashier_id: int
    tables: list[tuple[int, int]]
    """(id, number) of each."""
    boxes: dict[int, tuple[int, int, int]]
    """By table: its accounts of rake, drop and chips in play."""
    drawer_id: int
    buy_in: list[tuple[int, int]]
    """(account, cents) of a buy-in for 200 € in cash at the drawer."""
    opens_at: datetime
    heads: dict[int, tuple[int, str]]
    """By table's number: its chain's head, from which the log goes on."""
    slips: int


class Past:
    """The years before, written in order; every table of the database gets one COPY for each stretch of days."""

    def __init__(self, connection: psycopg.Connection[Any], house: Present, *, hands: int) -> None:
        self.connection, self.house, self.hands = connection, house, hands
        self.ids = {name: itertools.count(1) for name in _MOVED}
        self.rng = random.Random(7)  # noqa: S311 - the same years every time
        self.balances: dict[int, int] = {}
        self.numbers = {table_id: 0 for table_id, _ in house.tables}
        self.heads, self.slips = dict(house.heads), house.slips
        self.guests = max(hands // HANDS_A_GUEST, 100)
        days = -(-hands // (HANDS_A_DAY * len(house.tables)))
        self.first_day = house.opens_at - timedelta(days=days)
        self.days = days
        self.buffers: dict[str, io.StringIO] = {}

    def load(self) -> None:
        """Write everything in one transaction; triggers look away meanwhile, and keys are checked at its end."""
        with self._unguarded():
            self._write_all()
        self.connection.commit()

    def _write_all(self) -> None:
        at = self.first_day.isoformat()
        self._write(
            "people_player", *((i, self.house.room_id, f"Past {i}", "", at, False) for i in range(1, self.guests + 1))
        )
        left = self.hands
        for day in range(self.days):
            left -= self._day(day, left)
            if sum(buffer.tell() for buffer in self.buffers.values()) > 32_000_000:
                self._copy()
        self._copy()
        self._carry_over()

    @contextmanager
    def _unguarded(self) -> Iterator[None]:
        """Take the triggers and the keys to other tables off; keys that come back are checked, row by row."""
        run = self.connection.execute
        keys = run(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
            "WHERE contype = 'f' AND conrelid = ANY(%s::regclass[])",
            [list(_MOVED)],
        ).fetchall()
        for table, name, _ in keys:
            run(sql.SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(sql.Identifier(table), sql.Identifier(name)))
        guarded = [*_MOVED, "ledger_account"]
        for table in guarded:
            run(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.Identifier(table)))
        yield
        for table in guarded:
            run(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(sql.Identifier(table)))
        for table, name, definition in keys:
            added = sql.SQL("ALTER TABLE {} ADD CONSTRAINT {} {}")
            run(added.format(sql.Identifier(table), sql.Identifier(name), sql.SQL(definition)))

    def _day(self, day: int, left: int) -> int:
        house, opened = self.house, self.first_day + timedelta(days=day)
        day_id, session_id = next(self.ids["rooms_gamingday"]), next(self.ids["cage_drawersession"])
        closed = (opened + timedelta(hours=14)).isoformat()
        who = house.cashier_id
        row = (day_id, house.room_id, opened.date().isoformat(), opened.isoformat(), who, closed, who, 0)
        self._write("rooms_gamingday", row)
        session = (session_id, house.drawer_id, day_id, 0, 0, opened.isoformat(), who, closed, who, day_id)
        self._write("cage_drawersession", session)
        dealt = 0
        for table_id, number in house.tables:
            hands = min(HANDS_A_DAY, left - dealt)
            if hands > 0:
                self._evening(day_id, session_id, table_id, number, opened, closed, hands)
                dealt += hands
        return dealt

    def _evening(
        self, day_id: int, session_id: int, table_id: int, number: int, opened: datetime, closed: str, hands: int
    ) -> None:
        house, opening = self.house, next(self.ids["tables_opening"])
        at = opened.isoformat()
        values = (
            opening,
            house.room_id,
            table_id,
            house.game_id,
            day_id,
            house.version_id,
            at,
            house.dealer_id,
            closed,
        )
        self._write("tables_opening", (*values, house.dealer_id))
        guests = self.rng.sample(range(1, self.guests + 1), PLAYERS_A_TABLE)
        for seat, guest in enumerate(guests, start=1):
            seating = next(self.ids["tables_seating"])
            sat = (
                seating,
                house.room_id,
                table_id,
                opening,
                guest,
                seat,
                "in",
                "f",
                20000,
                at,
                house.dealer_id,
                closed,
            )
            self._write("tables_seating", (*sat, 20000, 1))
            self._slip(day_id, session_id, guest, at)
        for hand in range(hands):
            self._hand(day_id, opening, table_id, number, guests, (opened + timedelta(seconds=120 * hand)).isoformat())

    def _slip(self, day_id: int, session_id: int, guest: int, at: str) -> None:
        house, slip = self.house, next(self.ids["cage_slip"])
        transfer = self._transfer(day_id, "buy_in", f"slip.{slip}", at, house.cashier_id, None, house.buy_in)
        self.slips += 1
        values = (slip, house.room_id, "buy_in", "paid", guest, 20000, "cash", "hands", "{}", 2, at, house.cashier_id)
        self._write(
            "cage_slip", (*values, session_id, house.drawer_id, self.slips, at, house.cashier_id, transfer, 1, "")
        )

    def _hand(self, day_id: int, opening: int, table_id: int, number: int, guests: Sequence[int], at: str) -> None:
        house, hand = self.house, next(self.ids["tables_hand"])
        self.numbers[table_id] += 1
        running = self.numbers[table_id]
        rake, drop, in_play = house.boxes[table_id]
        lines = [(rake, 400), (drop, 100), (in_play, -500)] * (POSTINGS_A_HAND // 3)
        transfer = self._transfer(day_id, "hand", f"hand.{hand}", at, house.dealer_id, table_id, lines)
        hand_id = uuid.UUID(int=self.rng.getrandbits(128), version=4)
        button = running % PLAYERS_A_TABLE
        seats = (button + 1, (button + 1) % PLAYERS_A_TABLE + 1, (button + 2) % PLAYERS_A_TABLE + 1)
        values = (hand, house.room_id, table_id, opening, day_id, running, hand_id, "settled", house.dealer_id)
        taken = ("beyond", 8600, "f", transfer, "{}", "")
        self._write("tables_hand", (*values, house.version_id, at, at, at, *seats, *taken))
        names = ("button", "small_blind", "big_blind")
        for seat, guest in enumerate(guests, start=1):
            row = (next(self.ids["tables_handseat"]), house.room_id, hand, guest, seat)
            post = names[seats.index(seat)] if seat in seats[1:] else ""
            self._write("tables_handseat", (*row, post, 200 if post else 0, 0))
        pot = next(self.ids["tables_handpot"])
        self._write("tables_handpot", (pot, house.room_id, hand, 0, 8600, f"{{{running % 8 + 1}}}"))
        for kind, cents in (("rake", 400), ("drop", 100)):
            charge = next(self.ids["tables_handcharge"])
            self._write("tables_handcharge", (charge, house.room_id, hand, kind, cents, cents, f"{{{cents}}}"))
        self._event(number, at, hand_id, {"hand": hand, "number": running})

    def _transfer(
        self, day_id: int, kind: str, key: str, at: str, by: int, table_id: int | None, lines: Iterable[tuple[int, int]]
    ) -> int:
        transfer = next(self.ids["ledger_transfer"])
        self._write("ledger_transfer", (transfer, self.house.room_id, day_id, kind, key, at, by, table_id, "{}", 0))
        for account, cents in lines:
            self._write("ledger_posting", (next(self.ids["ledger_posting"]), transfer, account, cents))
            self.balances[account] = self.balances.get(account, 0) + cents
        return transfer

    def _event(self, table: int, at: str, command_id: uuid.UUID, about: dict[str, Any]) -> None:
        house, chain = self.house, f"table.{table}"
        before, previous = self.heads[table]
        who = {"staff": house.dealer_id, "device": None, "room": house.room_id}
        header = {"chain": chain, "number": before + 1, "name": "tables.settle_hand", "result": "done", "at": at}
        text = canonical({**header, **who, "command": command_id, "data": about})
        own = link(previous, text)
        self.heads[table] = (before + 1, own)
        event = (next(self.ids["audit_event"]), house.room_id, chain, before + 1, previous, own, text)
        audiences = f"{{table.{table}.floor,table.{table}.dealer}}"
        self._write("audit_event", (*event, "tables.settle_hand", "done", command_id, house.dealer_id, at, audiences))

    def _write(self, table: str, *rows: Sequence[object]) -> None:
        buffer = self.buffers.setdefault(table, io.StringIO())
        for row in rows:
            buffer.write("\t".join(["\\N" if value is None else str(value) for value in row]) + "\n")

    def _copy(self) -> None:
        for table, buffer in self.buffers.items():
            with self.connection.cursor().copy(_COPY[table]) as copy:
                copy.write(buffer.getvalue())
        self.buffers = {}

    def _carry_over(self) -> None:
        """Have the present go on where the past ended: balances, numbers, heads of chains."""
        connection, room = self.connection, self.house.room_id
        for account, cents in self.balances.items():
            statement: LiteralString = "UPDATE ledger_account SET balance_cents = balance_cents + %s WHERE id = %s"
            connection.execute(statement, [cents, account])
        connection.execute("UPDATE cage_drawer SET slips_issued = %s WHERE id = %s", [self.slips, self.house.drawer_id])
        for table_id, number in self.house.tables:
            last, head = self.heads[number]
            connection.execute(
                "UPDATE tables_table SET hand_number = %s WHERE id = %s", [self.numbers[table_id], table_id]
            )
            connection.execute(
                "UPDATE audit_chain SET number = %s, hash = %s WHERE room_id = %s AND name = %s",
                [last, head, room, f"table.{number}"],
            )


def _columns(table: LiteralString, columns: LiteralString) -> tuple[str, LiteralString]:
    return table, f"COPY {table} (id, {columns}) FROM STDIN"


_COPY: dict[str, LiteralString] = dict(
    [
        _columns("people_player", "room_id, nickname, full_name, created_at, is_shown_as_number"),
        _columns("rooms_gamingday", "room_id, date, opened_at, opened_by_id, closed_at, closed_by_id, opened_after"),
        _columns(
            "cage_drawersession",
            "drawer_id, day_id, float_cash_cents, float_chips_cents, opened_at, opened_by_id, closed_at, closed_by_id, "
            "closed_day_id",
        ),
        _columns(
            "tables_opening",
            "room_id, table_id, game_id, day_id, rule_book_version_id, opened_at, opened_by_id, closed_at, "
            "closed_by_id",
        ),
        _columns(
            "tables_seating",
            "room_id, table_id, opening_id, player_id, seat_number, entry, is_held, chips_in_cents, sat_down_at, "
            "seated_by_id, left_at, left_stack_cents, version",
        ),
        _columns(
            "tables_hand",
            "room_id, table_id, opening_id, day_id, number, hand_id, status, dealer_id, rule_book_version_id, "
            "dealt_at, beyond_initial_deal_at, settled_at, button_seat, small_blind_seat, big_blind_seat, street, "
            "pot_cents, pot_is_at_least, transfer_id, before, reason",
        ),
        _columns("tables_handseat", "room_id, hand_id, player_id, seat_number, post, live_cents, dead_cents"),
        _columns("tables_handpot", "room_id, hand_id, index, cents, winner_seats"),
        _columns("tables_handcharge", "room_id, hand_id, kind, due_cents, taken_cents, by_pot"),
        _columns(
            "cage_slip",
            "room_id, kind, status, player_id, amount_cents, method, destination, about, version, requested_at, "
            "requested_by_id, session_id, drawer_id, number, paid_at, paid_by_id, transfer_id, prints, void_reason",
        ),
        _columns("ledger_transfer", "room_id, day_id, kind, key, at, made_by_id, table_id, about, made_in"),
        _columns("ledger_posting", "transfer_id, account_id, cents"),
        _columns(
            "audit_event",
            "room_id, chain, number, previous_hash, hash, text, name, result, command_id, staff_id, at, audiences",
        ),
    ]
)


def as_it_is(connection: psycopg.Connection[Any]) -> Present:
    """Return what the past needs to know of a house that has just opened and sold chips once for 200 €."""

    def rows(statement: LiteralString) -> Iterator[tuple[Any, ...]]:
        yield from connection.execute(statement).fetchall()

    (room_id,), (version_id,) = (
        next(rows("SELECT id FROM rooms_room")),
        next(rows("SELECT id FROM rooms_rulebookversion")),
    )
    staff = dict(rows("SELECT username, id FROM people_staff"))
    tables = [(table, number) for table, number in rows("SELECT id, number FROM tables_table ORDER BY number")]
    kinds = {(owner, kind): pk for pk, owner, kind in rows(
        "SELECT id, owner_id, kind FROM ledger_account WHERE owner_kind = 'table'"
    )}  # fmt: skip
    (game_id,) = next(rows("SELECT id FROM tables_game ORDER BY id LIMIT 1"))
    drawer_id, slips = next(rows("SELECT id, slips_issued FROM cage_drawer ORDER BY id LIMIT 1"))
    chains = {name: (number, head) for name, number, head in rows("SELECT name, number, hash FROM audit_chain")}
    heads = {number: chains[f"table.{number}"] for _, number in tables}
    (opens_at,) = next(rows("SELECT opened_at FROM rooms_gamingday"))
    buy_in = [(account, cents) for account, cents in rows(
        "SELECT account_id, cents FROM ledger_posting WHERE transfer_id = "
        "(SELECT transfer_id FROM cage_slip WHERE kind = 'buy_in' AND status = 'paid' ORDER BY id LIMIT 1) ORDER BY id"
    )]  # fmt: skip
    boxes = {
        table: (kinds[table, "rake_box"], kinds[table, "jackpot_box"], kinds[table, "in_play"]) for table, _ in tables
    }
    dealer, cashier = staff["anna"], staff["carla"]
    return Present(
        room_id, version_id, game_id, dealer, cashier, tables, boxes, drawer_id, buy_in, opens_at, heads, slips
    )


def load(url: str, *, hands: int) -> dict[str, int]:
    """Load so many hands and what goes with them; return how many rows each large table has then, and bytes in all."""
    with psycopg.connect(url) as connection:
        Past(connection, as_it_is(connection), hands=hands).load()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        counted = connection.execute(
            "SELECT relname, reltuples::bigint FROM pg_class WHERE relname = ANY(%s)", [list(_MOVED)]
        ).fetchall()
        size = connection.execute("SELECT pg_database_size(current_database())").fetchone()
    assert size is not None
    return {**dict(counted), "bytes": size[0]}
