"""
The limit: a settled hand's very rows, written by a program that knows nothing but SQL.

One connection, one transaction a hand, prepared statements, several rows in one statement where there are several.
It claims, locks and logs as the service does, and reads only what it writes back. It computes nothing: rake, drop and
the seats are constants of the room that it writes for.
"""

import hashlib
import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from bench.settling_room import POT_CENTS, TAKEN, WINNER

CLAIM = """INSERT INTO commands_claim (room_id, command_id, body_hash, code, data, at)
    VALUES (%s, %s, %s, '', '{}', %s) ON CONFLICT (room_id, command_id) DO NOTHING"""
DAY = "SELECT id FROM rooms_gamingday WHERE room_id = %s AND closed_at IS NULL FOR SHARE"
TABLE = "SELECT opening_id, hand_id, hand_number, version FROM tables_table WHERE id = %s FOR NO KEY UPDATE"
LAST = "SELECT last FROM tables_opening WHERE id = %s"
HAND_DEALT = "SELECT button_seat, small_blind_seat, big_blind_seat FROM tables_hand WHERE id = %s"
HAND = """INSERT INTO tables_hand (room_id, table_id, opening_id, day_id, number, hand_id, status, dealer_id,
    rule_book_version_id, dealt_at, button_seat, small_blind_seat, big_blind_seat, before, street,
    pot_is_at_least, reason)
    VALUES (%s, %s, %s, %s, %s, %s, 'dealt', %s, %s, %s, %s, %s, %s, %s, 'initial', false, '')
    RETURNING id"""
SEATS = """INSERT INTO tables_handseat
    (room_id, hand_id, player_id, seat_number, post, live_cents, dead_cents) VALUES """
POT = """INSERT INTO tables_handpot (room_id, hand_id, index, cents, winner_seats)
    VALUES (%s, %s, 0, %s, %s)"""
CHARGES = """INSERT INTO tables_handcharge (room_id, hand_id, kind, due_cents, taken_cents, by_pot)
    VALUES (%s, %s, 'rake', %s, %s, %s), (%s, %s, 'drop', %s, %s, %s)"""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TRANSFER = """INSERT INTO ledger_transfer (room_id, day_id, kind, key, at, made_by_id, table_id, about, made_in)
    VALUES (%s, %s, 'hand', %s, %s, %s, %s, %s, 0) RETURNING id"""
POSTINGS = """INSERT INTO ledger_posting (transfer_id, account_id, cents)
    VALUES (%s, %s, %s), (%s, %s, %s), (%s, %s, %s)"""
BALANCES = """WITH held AS (SELECT id FROM ledger_account WHERE id IN (%s, %s, %s) ORDER BY id FOR NO KEY UPDATE)
    UPDATE ledger_account SET balance_cents = balance_cents + moved.cents
    FROM held JOIN (VALUES (%s::bigint, %s::bigint), (%s, %s), (%s, %s)) AS moved (id, cents) USING (id)
    WHERE ledger_account.id = held.id"""
SETTLED = """UPDATE tables_hand SET status = 'settled', dealer_id = %s, settled_at = %s, beyond_initial_deal_at = %s,
    street = 'beyond', pot_cents = %s, transfer_id = %s WHERE id = %s"""
OPENING = "UPDATE tables_opening SET last = %s, button_here = NULL WHERE id = %s"
NEXT = "UPDATE tables_table SET hand_id = NULL, hand_number = %s, version = %s WHERE id = %s"
HEAD = "SELECT number, hash FROM audit_chain WHERE room_id = %s AND name = %s FOR NO KEY UPDATE"
EVENT = """WITH event AS (INSERT INTO audit_event (room_id, chain, number, previous_hash, hash, text, name, result,
    command_id, staff_id, at, audiences) VALUES (%s, %s, %s, %s, %s, %s, %s, 'done', %s, %s, %s, %s))
    UPDATE audit_chain SET number = %s, hash = %s WHERE room_id = %s AND name = %s"""
ANSWER = "UPDATE commands_claim SET code = 'done', data = %s, version = %s WHERE room_id = %s AND command_id = %s"


@dataclass(frozen=True)
class RawTable:
    """What the program knows of a table beforehand."""

    id: int
    number: int
    players: tuple[int, ...]
    rule_book_version_id: int
    # Ids of the accounts in `TAKEN`'s order, and of the chips in play.
    accounts: tuple[int, int, int]


class Raw:
    """A client that settles hands by SQL alone."""

    def __init__(self, url: str, *, room_id: int, dealer_id: int) -> None:
        self.connection = psycopg.connect(url, autocommit=True)
        self.cursor = self.connection.cursor()
        self.room_id, self.dealer_id = room_id, dealer_id

    def settle(self, table: RawTable, hand_id: uuid.UUID, at: datetime, *, is_dealt: bool) -> None:
        """Write one settled hand, in a transaction of its own; `is_dealt`: its row is there since it was dealt."""
        self._do("BEGIN")
        self.write(table, hand_id, at, is_dealt=is_dealt)
        self._do("COMMIT")

    def write(self, table: RawTable, hand_id: uuid.UUID, at: datetime, *, is_dealt: bool) -> None:
        """Write one settled hand inside the caller's transaction."""
        room, command_id = self.room_id, uuid.uuid4()
        self._do(CLAIM, room, command_id, "0" * 64, at)
        (day_id,) = self._one(DAY, room)
        opening_id, row_id, number, version = self._one(TABLE, table.id)
        if is_dealt:
            button, small, big = self._one(HAND_DEALT, row_id)
        else:
            (last,) = self._one(LAST, opening_id)
            number += 1
            button, small, big = (last[seat] % 9 + 1 for seat in ("button_seat", "small_blind_seat", "big_blind_seat"))
            before = Jsonb({"last": last, "entries": {}, "button_here": None})
            (row_id,) = self._one(
                HAND,
                *(room, table.id, opening_id, day_id, number, hand_id, self.dealer_id, table.rule_book_version_id),
                *(at, button, small, big, before),
            )
            self._seats(table, row_id, small=small, big=big)
        rake, drop = TAKEN.values()
        self._do(POT, room, row_id, POT_CENTS, [WINNER])
        self._do(CHARGES, room, row_id, rake, rake, [rake], room, row_id, drop, drop, [drop])
        about = Jsonb({"hand": row_id, "number": number})
        (transfer_id,) = self._one(TRANSFER, room, day_id, f"hand.{row_id}", at, self.dealer_id, table.id, about)
        cents = (rake, drop, -rake - drop)
        lines = list(zip(table.accounts, cents, strict=True))
        self._do(POSTINGS, *(value for account, moved in lines for value in (transfer_id, account, moved)))
        self._do(BALANCES, *table.accounts, *(value for line in sorted(lines) for value in line))
        self._do(SETTLED, self.dealer_id, at, at, POT_CENTS, transfer_id, row_id)
        self._do(OPENING, Jsonb(_last(table, button, small, big)), opening_id)
        self._do(NEXT, number, version + 1, table.id)
        answer = {"table": table.number, "hand": str(hand_id), "number": number, "rake_cents": rake}
        answer |= {"drop_cents": drop, "push_cents": [POT_CENTS - rake - drop]}
        posted = ",".join(f"{account}:{moved}" for account, moved in lines)
        epoch = (at - EPOCH) // timedelta(microseconds=1)
        # As the ledger's own statement takes it (casino/ledger/posting.py), for the proofs at the end.
        transfer = (
            f'[{transfer_id}, {room}, {day_id}, "hand", "hand.{row_id}", {self.dealer_id}, null, {table.id}, null,'
            f' {{"hand": {row_id}, "number": {number}}}, {epoch // 10**6}.{epoch % 10**6:06}, "{posted}"]'
        )
        rows = {"transfer": {str(transfer_id): hashlib.sha256(transfer.encode()).hexdigest()}}
        self._log(table, command_id, at, version + 1, answer, rows)
        self._do(ANSWER, Jsonb(answer), version + 1, room, command_id)

    def _seats(self, table: RawTable, row_id: int, *, small: int, big: int) -> None:
        posts = {small: ("small_blind", 2_00), big: ("big_blind", 2_00)}
        rows = [
            (self.room_id, row_id, player, seat, *posts.get(seat, ("", 0)), 0)
            for seat, player in enumerate(table.players, start=1)
        ]
        self._do(SEATS + ", ".join(["(%s, %s, %s, %s, %s, %s, %s)"] * len(rows)), *(v for row in rows for v in row))

    def _log(
        self,
        table: RawTable,
        command_id: uuid.UUID,
        at: datetime,
        version: int,
        answer: dict[str, Any],
        rows: dict[str, Any],
    ) -> None:
        chain = f"table.{table.number}"
        number, previous = self._one(HEAD, self.room_id, chain)
        # As much text as the service's event has, and hashed the same way.
        content = {
            "args": {"table_id": table.id, "hand": {"hand_id": answer["hand"], "pots": [POT_CENTS]} | dict(_UNSAID)},
            "at": at.isoformat(),
            "chain": chain,
            "command": str(command_id),
            "data": answer,
            "device": None,
            "name": "tables.settle_hand",
            "number": number + 1,
            "result": "done",
            "room": self.room_id,
            "rows": rows,
            "rule_book_version": table.rule_book_version_id,
            "staff": self.dealer_id,
            "tapped_at": at.isoformat(),
            "version": version,
        }
        text = json.dumps(content, sort_keys=True, separators=(",", ":"))
        own = hashlib.sha256(f"{previous}\n{text}".encode()).hexdigest()
        audiences = [f"{chain}.dealer", f"{chain}.floor", "floor", "lobby", "ledger"]
        self._do(
            EVENT,
            *(self.room_id, chain, number + 1, previous, own, text, "tables.settle_hand", command_id),
            *(self.dealer_id, at, audiences, number + 1, own, self.room_id, chain),
        )

    def _do(self, statement: Any, *values: Any) -> None:
        self.cursor.execute(statement, values, prepare=True)

    def _one(self, statement: Any, *values: Any) -> Any:
        return self.cursor.execute(statement, values, prepare=True).fetchone()


# What a hand of which the tablet says only winner and pot leaves open.
_UNSAID: dict[str, Any] = dict.fromkeys(
    ("button", "small_blind", "big_blind", "dealt_at", "beyond_initial_deal_at")
) | {"taken": {}, "dealt_in": [], "pot_is_at_least": False, "winners": [[WINNER]]}


def _last(table: RawTable, button: int, small: int, big: int) -> dict[str, Any]:
    return {
        "button_seat": button,
        "button_player_id": table.players[button - 1],
        "small_blind_seat": small,
        "small_blind_player_id": table.players[small - 1],
        "big_blind_seat": big,
        "big_blind_player_id": table.players[big - 1],
        "was_heads_up": False,
    }
