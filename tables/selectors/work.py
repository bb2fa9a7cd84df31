"""What goes on at one table beside the game: a clock, penalties, disputed pots, the deck, the dealer's down."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casino import seldom
from casino.cage.notes import counted_values
from casino.poker.clock import ClockRunOut
from casino.reading import read_once
from casino.rooms.selectors import rule_book
from casino.rulebooks import RuleBook
from casino.rulebooks.dealers import Tips
from tables.selectors.rotation import COLOURS, NO_DECK, Deck
from tables.selectors.tip_boxes import Unclosed, unclosed

# One statement: every hand that is dealt renders the table's tablet.
_WORK = """
SELECT opening.rule_book_version_id, (
    SELECT json_build_object('id', clock.id, 'seat', seating.seat_number, 'name', player.nickname,
        'called_at', clock.called_at, 'ends_at', clock.ends_at)
    FROM tables_playerclock clock
    JOIN tables_seating seating ON seating.id = clock.seating_id
    JOIN people_player player ON player.id = seating.player_id
    WHERE clock.table_id = a_table.id AND clock.ended_at IS NULL AND clock.hand_id IS NOT DISTINCT FROM a_table.hand_id
), (
    SELECT json_agg(json_build_object('id', incident.id, 'seat', seating.seat_number, 'name', player.nickname,
        'ends_at', incident.ends_at) ORDER BY incident.ends_at, incident.id)
    FROM tables_seating seating
    JOIN tables_incidentplayer named ON named.player_id = seating.player_id
    JOIN tables_incident incident ON incident.id = named.incident_id
    JOIN people_player player ON player.id = seating.player_id
    WHERE seating.table_id = a_table.id AND seating.left_at IS NULL
        AND incident.ends_at IS NOT NULL AND incident.ended_at IS NULL
), (
    SELECT json_agg(json_build_object('id', pot.id, 'hand', hand.number, 'cents', pot.cents) ORDER BY pot.id)
    FROM tables_disputedpot pot JOIN tables_hand hand ON hand.id = pot.hand_id
    WHERE pot.table_id = a_table.id AND pot.room_id = a_table.room_id AND pot.resolved_at IS NULL
), (
    SELECT json_build_object('colour', deck.colour, 'set', deck.set_number, 'at', deck.at)
    FROM tables_deckchange deck WHERE deck.table_id = a_table.id ORDER BY deck.id DESC LIMIT 1
), (
    SELECT json_build_object('id', down.id, 'began_at', down.began_at, 'dealer', down.dealer_id,
        'table', down.table_id, 'counts', down.counts_rack, 'sells', opening.has_cash_plays, 'has_cash', EXISTS (
            SELECT FROM ledger_account account
            WHERE account.room_id = a_table.room_id AND account.owner_kind = 'table'
                AND account.owner_id = a_table.id AND account.kind = 'rack_cash' AND account.balance_cents <> 0),
        'is_checked', down.counts_rack IS NULL OR EXISTS (
            SELECT FROM tables_rackcheck found WHERE found.down_id = down.id
                AND (found.cents IS NOT NULL OR NOT down.counts_rack)))
    FROM tables_down down WHERE down.table_id = a_table.id AND down.ended_at IS NULL
), EXISTS (
    SELECT FROM tables_todo todo
    WHERE todo.room_id = a_table.room_id AND todo.table_id = a_table.id AND todo.kind = 'floor_called'
        AND todo.done_at IS NULL
)
FROM tables_table a_table LEFT JOIN tables_opening opening ON opening.id = a_table.opening_id
WHERE a_table.room_id = %s AND a_table.number = %s
"""


@dataclass(frozen=True)
class RunningClock:
    """A clock on a player. `aloud_seconds` at its end are counted aloud; `is_dead`: what runs out is a dead hand."""

    id: int
    seat: int
    name: str
    ends_at: datetime
    aloud_seconds: int
    is_dead: bool


@dataclass(frozen=True)
class Penalty:
    """A penalty of somebody who sits there: out until `ends_at`."""

    id: int
    seat: int
    name: str
    ends_at: datetime


@dataclass(frozen=True)
class SetAside:
    """A disputed pot that lies apart, by its hand's number."""

    id: int
    hand: int
    cents: int


@dataclass(frozen=True)
class RackDue:
    """
    A rack that is to be taken over: by whom, with which down; `is_counted`: it is not on offer as it was left. `chips`
    and `cash` are the values to count by, the greatest first, as the tablet's script reads them; no cash where none is
    taken for chips and none lies there.
    """

    down: int
    dealer: int
    is_counted: bool
    chips: str
    cash: str


@dataclass(frozen=True)
class Work:
    """
    What goes on at a table beside the game.

    `is_deck_due`: a dealer has pushed in and no deck has been recorded since (H1.11). `rack` is to be taken over.
    `tips` are of who dealt before, and not closed yet. `floor_called`: nobody from the floor has looked yet.
    """

    clock: RunningClock | None = None
    penalties: Sequence[Penalty] = ()
    pots: Sequence[SetAside] = ()
    deck: Deck = NO_DECK
    is_open: bool = False
    is_deck_due: bool = False
    rack: RackDue | None = None
    tips: Unclosed | None = None
    floor_called: bool = False

    @property
    def is_quiet(self) -> bool:
        return not (self.clock or self.penalties or self.pots)


@read_once
def table_work(room_id: int, number: int) -> Work:
    """Return what goes on at a table beside the game. One query, one more where tips are each dealer's own."""
    rows = seldom.rows(_WORK, room_id, number)
    if not rows:
        return Work()
    version_id, *rest = rows[0]
    *rest, floor_called = rest
    clock, penalties, pots, deck, down = (json.loads(each) if isinstance(each, str) else each for each in rest)
    book = rule_book(version_id) if version_id is not None else None
    deck_in_play = _deck(deck)
    return Work(
        clock=_clock(clock, book) if clock and book else None,
        penalties=[Penalty(**{**each, "ends_at": _moment(each["ends_at"])}) for each in penalties or ()],
        pots=[SetAside(**each) for each in pots or ()],
        deck=deck_in_play,
        is_open=book is not None,
        rack=_rack(down, book) if down and book and not down["is_checked"] else None,
        tips=_tips(room_id, down["table"]) if down and book and book.dealers.tips == Tips.PER_DEALER else None,
        is_deck_due=bool(down) and (deck_in_play.at is None or deck_in_play.at < _moment(down["began_at"])),
        floor_called=floor_called,
    )


def _clock(row: dict[str, Any], book: RuleBook) -> RunningClock:
    return RunningClock(
        id=row["id"],
        seat=row["seat"],
        name=row["name"],
        ends_at=_moment(row["ends_at"]),
        aloud_seconds=book.timers.clock_aloud_seconds,
        is_dead=book.settings.clock_run_out == ClockRunOut.DEAD,
    )


def _rack(down: dict[str, Any], book: RuleBook) -> RackDue:
    # Smaller coins than the smallest chip too: several of them make one up.
    cash = counted_values(book.house.currency)
    sells = book.dealers.rack.sells and down["sells"]
    return RackDue(
        down["id"],
        down["dealer"],
        bool(down["counts"]),
        " ".join(map(str, book.chips_cents)),
        " ".join(map(str, cash if sells or down["has_cash"] else ())),
    )


def _tips(room_id: int, table_id: int) -> Unclosed | None:
    # Of several the one who left last: what is closed with theirs is what lies in the box.
    return next((each for each in reversed(unclosed(room_id)) if each.table_id == table_id), None)


def _deck(row: dict[str, Any] | None) -> Deck:
    return Deck(row["colour"], row["set"], COLOURS[row["colour"]], _moment(row["at"])) if row else NO_DECK


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
