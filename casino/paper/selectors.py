"""What a room needs to play on by paper: as it stands now, and as it was printed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Max, Min

from casino.boxes.models import Box
from casino.cage.models import Slip
from casino.paper.facts import EntryFacts, ListFacts, ListsFacts, SeatFacts, TableFacts, lists_facts, table_facts
from casino.paper.models import Printing, Sheet
from casino.people.models import Player
from casino.people.selectors import staff_names
from casino.poker.positions import Entry, NextHand
from casino.waiting.models import Waiting
from casino.waiting.selectors.lists import NOBODY, GameList, lists_by_game
from tables.charges import charge_codes
from tables.claims import Promise
from tables.models import DeckChange, Down, Opening, Seating, Table, TableChange, TimeTaken
from tables.selectors.floor_table import marks_of
from tables.selectors.next_hand import next_hand_at
from tables.selectors.next_steps import table_changes
from tables.selectors.running import seatings_by_table, tables_of


@dataclass(frozen=True)
class OnPaper:
    """What is to be printed: the lists, and each open table by its number."""

    lists: ListsFacts
    tables: Sequence[tuple[Table, Opening, TableFacts]]


@dataclass(frozen=True)
class _Around:
    """
    What stands at tables beside their seats: by the table, `requested` and `changes` by the seating, `numbers` and
    `times` by the opening.
    """

    downs: Mapping[int, Down]
    decks: Mapping[int, DeckChange]
    boxes: Mapping[int, Sequence[Box]]
    numbers: Mapping[int, int]
    requested: Mapping[int, int]
    changes: Mapping[int, TableChange]
    times: Mapping[int, TimeTaken]


def room_on_paper(room_id: int) -> OnPaper:
    """
    Return what the room needs to play on by paper, as it stands. Nine queries, however many tables are open.

    No table is locked for it: what is tapped meanwhile may be on one sheet and not yet on another.
    """
    tables = tables_of(room_id)
    seatings, lists = seatings_by_table(room_id), lists_by_game(room_id)
    called = {
        (promise.table_id, promise.seat_number): promise
        for each in lists.values()
        for entry in each.called
        if (promise := entry.promise) is not None
    }
    around = _around(room_id, tables)
    running = [(table, table.opening) for table in tables if table.opening is not None]
    return OnPaper(
        _lists(lists, running),
        [
            (table, opening, _table(table, opening, seatings.get(table.pk, ()), called, around))
            for table, opening in running
        ],
    )


def _around(room_id: int, tables: Iterable[Table]) -> _Around:
    downs = Down.objects.filter(room_id=room_id, ended_at=None)
    decks = DeckChange.objects.filter(room_id=room_id).order_by("table", "-id").distinct("table")
    boxes: dict[int, list[Box]] = {}
    for box in Box.objects.filter(Box.HANGS, room_id=room_id).order_by("id"):
        boxes.setdefault(box.table_id, []).append(box)
    slips = Slip.objects.filter(room_id=room_id, status=Slip.Status.REQUESTED, kind=Slip.Kind.BUY_IN)
    taken = TimeTaken.objects.filter(opening__in=[table.opening_id for table in tables], taken_back_at=None)
    return _Around(
        downs={down.table_id: down for down in downs},
        decks={deck.table_id: deck for deck in decks},
        boxes=boxes,
        numbers={table.opening_id: table.number for table in tables if table.opening_id},
        changes={change.seating_id: change for change in table_changes(room_id)},
        times={each.opening_id: each for each in taken.order_by("opening", "-number").distinct("opening")},
        requested={slip.seat.seating: slip.amount_cents for slip in slips if slip.seat},
    )


def _table(
    table: Table,
    opening: Opening,
    sitting: Sequence[Seating],
    called: Mapping[tuple[int, int], Promise],
    around: _Around,
) -> TableFacts:
    is_drawn = (opening.draw, opening.last, table.hand_id) != (None, None, None)
    coming = next_hand_at(opening, sitting) if is_drawn else None
    by_seat = {seating.seat_number: seating for seating in sitting}
    down, deck = around.downs.get(table.pk), around.decks.get(table.pk)
    hanging, time = around.boxes.get(table.pk, ()), around.times.get(opening.pk)
    return TableFacts(
        seats=tuple(
            _taken(by_seat[number], opening, coming, around)
            if number in by_seat
            else _free(number, called.get((table.pk, number)))
            for number in range(1, opening.game.seats + 1)
        ),
        hand_number=table.hand_number,
        is_in_hand=table.hand_id is not None,
        hands_left=opening.hands_left(table.hand_number),
        feeds=around.numbers.get(opening.feeds_id) if opening.feeds_id else None,
        dealer_id=down.dealer_id if down else None,
        dealer_since=down.began_at if down else None,
        deck_colour=deck.colour if deck else "",
        deck_set=deck.set_number if deck else 0,
        charges=tuple(code for code in charge_codes() if code in opening.terms.charges),
        boxes=tuple((box.charge, box.number) for box in hanging if box.number is not None),
        time_number=time.number if time else 0,
        time_began_at=time.began_at if time else None,
        time_minutes=opening.terms.time_charge.period_minutes if opening.terms.time_charge else 0,
    )


def _free(number: int, promise: Promise | None) -> SeatFacts:
    if promise is None:
        return SeatFacts(number)
    return SeatFacts(number, called_id=promise.player.pk, called_until=promise.until)


def _taken(seating: Seating, opening: Opening, coming: NextHand | None, around: _Around) -> SeatFacts:
    holder, change = seating.holder, around.changes.get(seating.pk)
    cost = (0, 0)
    if seating.entry != Entry.IN:
        ways = opening.terms.ways_in(seating.missed)
        cost = next(((way.live_cents, way.dead_cents) for way in ways if way.live_cents or way.dead_cents), cost)
    return SeatFacts(
        number=seating.seat_number,
        player_id=seating.player_id,
        marks=marks_of(seating.seat_number, coming),
        missed=seating.missed,
        entry=seating.entry,
        live_cents=cost[0],
        dead_cents=cost[1],
        is_held=seating.is_held,
        away_since=seating.away_since,
        away_limit_at=seating.away_limit_at,
        buttons_passed=seating.buttons_passed,
        is_on_long_break=seating.is_on_long_break,
        is_barred=seating.barred_since is not None,
        straddles=seating.straddles,
        over_for_id=holder.player_id if holder else None,
        holder_missed=holder.missed if holder else "",
        wishes_seat=None if seating.change_wished_at is None else seating.change_to or 0,
        wishes_table=None if change is None else change.to_table.number if change.to_table else 0,
        chips_in_cents=seating.chips_in_cents,
        asks_cents=around.requested.get(seating.pk, 0),
    )


def _lists(lists: Mapping[str, GameList], running: Sequence[tuple[Table, Opening]]) -> ListsFacts:
    tables: dict[str, list[int]] = {}
    for table, opening in running:
        tables.setdefault(opening.game.name, []).append(table.number)
    return ListsFacts(
        tuple(
            ListFacts(
                game=name,
                tables=tuple(tables.get(name, ())),
                called=tuple(map(_entry, lists.get(name, NOBODY).called)),
                waiting=tuple(map(_entry, lists.get(name, NOBODY).present)),
                call_ins=tuple(map(_entry, lists.get(name, NOBODY).call_ins)),
            )
            for name in sorted({*tables, *lists}, key=lambda name: (name not in tables, name))
        )
    )


def _entry(entry: Waiting) -> EntryFacts:
    return EntryFacts(
        player_id=entry.player_id,
        joined_at=entry.joined_at,
        by_right=entry.right_from_id is not None,
        missed_calls=entry.missed_calls,
        table=entry.table.number if entry.table else None,
        seat=entry.seat_number,
        called_at=entry.called_at,
        until=entry.holds_until,
        is_on_the_way=entry.on_the_way_at is not None,
        fetches_chips=entry.fetches_chips_until is not None,
        check_in_by=entry.check_in_by,
    )


@dataclass(frozen=True)
class Printed:
    """A printing with its sheets by number, and what people are called now, by their ids."""

    printing: Printing
    lists: Sequence[tuple[Sheet, ListsFacts]]
    tables: Sequence[tuple[Sheet, TableFacts]]
    players: Mapping[int, str]
    staff: Mapping[int, str]


def printed(room_id: int, printing_id: int) -> Printed | None:
    """Return what was printed then, None where the room has no such printing. Four queries, whatever it has."""
    printing = Printing.objects.filter(room_id=room_id, id=printing_id).first()
    if printing is None:
        return None
    sheets = list(printing.sheets.select_related("table", "opening__game").order_by("number"))
    tables = [(sheet, table_facts(sheet.facts)) for sheet in sheets if sheet.table_id]
    lists = [(sheet, lists_facts(sheet.facts)) for sheet in sheets if not sheet.table_id]
    people = set[int]().union(*(facts.player_ids for _, facts in tables), *(facts.player_ids for _, facts in lists))
    dealers = {facts.dealer_id for _, facts in tables if facts.dealer_id}
    return Printed(
        printing,
        lists,
        tables,
        players=dict(Player.objects.filter(id__in=people).values_list("id", "nickname")),
        staff=staff_names({printing.printed_by_id, *dealers}),
    )


@dataclass(frozen=True)
class PrintingRow:
    """A printing as it is listed: its first sheet and its last, and who printed it."""

    printing: Printing
    first: int
    last: int
    by: str


def last_printings(room_id: int, *, most: int) -> list[PrintingRow]:
    """Return the newest printings, the last one first. Two queries."""
    printings = Printing.objects.filter(room_id=room_id).order_by("-id")
    rows = list(printings.annotate(first=Min("sheets__number"), last=Max("sheets__number"))[:most])
    names = staff_names(row.printed_by_id for row in rows)
    return [PrintingRow(row, row.first, row.last, names.get(row.printed_by_id, "")) for row in rows]
