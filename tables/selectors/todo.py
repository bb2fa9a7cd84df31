"""
What the floor has to do, most urgent first, each with its reason and the one tap that answers it.

Two kinds: what a fact left to be judged (rows of `ToDo`), and what follows from how the tables stand.
Nothing here asks the clock: what is due only after a while carries the moment from which it is, and the
browser shows it then.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.cage.models import Slip
from casino.money import format_cents
from casino.people.models import Player, Staff
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rows import read, read_joined
from casino.text import isolated
from tables.models import Seating, Table, ToDo
from tables.selectors.running import Dealing

# How long the cage may take before the floor is asked to look.
CAGE_TAKES = timedelta(minutes=2)
# How long an open table may stay empty before somebody should seat players or close it.
EMPTY_FOR = timedelta(minutes=5)


@dataclass(frozen=True)
class Line:
    """
    One line of the to-do.

    `tone` is "wrong" (money or log differs), "soon" (somebody waits) or "later". `how` says what the tap
    does: "sheet" opens `address` as a sheet, "post" is done with it, "page" goes there. `shown_from` is the
    moment before which nobody needs to look.
    """

    key: str
    table_number: int | None
    urgency: int
    tone: str
    where: str
    text: str
    reason: str
    at: datetime
    how: str
    address: str
    label: str
    shown_from: datetime | None = None


@dataclass(frozen=True)
class Loose:
    """What the room has open besides its tables: rows to judge, waiting slips, uncounted stacks, locked people."""

    rows: Sequence[ToDo]
    slips: Sequence[Slip]
    uncounted: Sequence[Seating]
    locked: Sequence[Staff]


_TO_JUDGE = """FROM tables_todo JOIN tables_table ON tables_table.id = tables_todo.table_id
    WHERE tables_todo.room_id = %s AND tables_todo.done_at IS NULL
    AND (%s::bigint IS NULL OR tables_todo.table_id = %s) ORDER BY tables_todo.raised_at, tables_todo.id"""
_WAITING = """FROM cage_slip LEFT JOIN people_player ON people_player.id = cage_slip.player_id
    WHERE cage_slip.room_id = %s AND cage_slip.status = 'requested' AND cage_slip.kind = 'buy_in'
    AND cage_slip.destination = 'seat' ORDER BY cage_slip.requested_at, cage_slip.id"""

_LOCKED = "WHERE room_id = %s AND is_active AND locked_at IS NOT NULL ORDER BY locked_at, id"


@read_once
def loose_ends(room_id: int, *, table_id: int | None = None, day_id: int | None = None) -> Loose:
    """
    Return what is open in the room, or at one table. Four queries.

    `day_id` is whose uncounted departures count: of the open day, unless a table's own is given.
    """
    rows, slips = [], []
    for todo, table in read_joined((ToDo, Table), _TO_JUDGE, room_id, table_id, table_id):
        todo.table = table
        rows.append(todo)
    for slip, player in read_joined((Slip, Player), _WAITING, room_id):
        slip.player = player
        slips.append(slip)
    return Loose(
        rows=rows,
        slips=slips,
        uncounted=uncounted(room_id, table_id=table_id, day_id=day_id),
        locked=read(Staff, _LOCKED, room_id),
    )


_UNCOUNTED = """FROM tables_seating
    JOIN people_player ON people_player.id = tables_seating.player_id
    JOIN tables_table ON tables_table.id = tables_seating.table_id
    JOIN tables_opening ON tables_opening.id = tables_seating.opening_id
    JOIN rooms_gamingday ON rooms_gamingday.id = tables_opening.day_id
    WHERE tables_seating.room_id = %s AND tables_seating.left_at IS NOT NULL
    AND tables_seating.left_stack_cents IS NULL AND tables_seating.chips_in_cents > 0
    AND (%s::bigint IS NULL OR tables_seating.table_id = %s)"""
_LONGEST_FIRST = "ORDER BY tables_seating.left_at, tables_seating.id"
# Texts of their own, so that each is found by the day: seatings of all years are many.
_UNCOUNTED_NOW = f"{_UNCOUNTED} AND rooms_gamingday.closed_at IS NULL {_LONGEST_FIRST}"
_UNCOUNTED_THEN = f"{_UNCOUNTED} AND rooms_gamingday.id = %s {_LONGEST_FIRST}"


def uncounted(room_id: int, *, table_id: int | None = None, day_id: int | None = None) -> list[Seating]:
    """Return who left with chips and uncounted, on the open day or the one given, longest ago first. One query."""
    left = (Seating, Player, Table)
    found = []
    for seating, player, table in (
        read_joined(left, _UNCOUNTED_NOW, room_id, table_id, table_id)
        if day_id is None
        else read_joined(left, _UNCOUNTED_THEN, room_id, table_id, table_id, day_id)
    ):
        seating.player, seating.table = player, table
        found.append(seating)
    return found


def todo_lines(
    room: Room,
    *,
    tables: Sequence[Table],
    seatings: Mapping[int, Sequence[Seating]],
    dealers: Mapping[int, Dealing],
    loose: Loose,
) -> list[Line]:
    """Return the floor's to-do, most urgent first, in the active language. No query."""
    lines = [
        *(_buy_in(room, slip) for slip in loose.slips),
        *(_locked(person) for person in loose.locked),
        *(_row(room, todo) for todo in loose.rows),
        *(_uncounted(seating) for seating in loose.uncounted),
    ]
    asked = {slip.about.get("seating") for slip in loose.slips}
    for table in tables:
        if table.opening is not None:
            sitting = seatings.get(table.pk, ())
            lines += _of_open_table(table, sitting, has_dealer=table.place_id in dealers, asked=asked)
    return sorted(lines, key=lambda line: (line.urgency, line.at, line.key))


def _of_open_table(
    table: Table, sitting: Sequence[Seating], *, has_dealer: bool, asked: Iterable[int | None]
) -> Iterable[Line]:
    assert table.opening is not None
    if not sitting:
        yield _empty(table)
        return
    with_chips = [seating for seating in sitting if seating.chips_in_cents]
    if len(with_chips) >= 2 and not has_dealer:
        yield _no_dealer(table, len(with_chips), since=with_chips[1].sat_down_at)
    for seating in sitting:
        if not seating.chips_in_cents and seating.pk not in asked:
            yield _no_chips(table, seating)


def _buy_in(room: Room, slip: Slip) -> Line:
    table, seat = slip.about["table_number"], slip.about["seat_number"]
    money = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
    return Line(
        key=f"slip.{slip.pk}",
        table_number=table,
        urgency=1,
        tone="soon",
        where=seat_name(table, seat),
        text=_("%(player)s waits for %(money)s") % {"player": isolated(str(slip.player)), "money": money},
        reason=_("The cage has not taken the money yet. Go and see."),
        at=slip.requested_at,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table, seat]),
        label=_("Look"),
        shown_from=slip.requested_at + CAGE_TAKES,
    )


def _locked(person: Staff) -> Line:
    assert person.locked_at is not None
    return Line(
        key=f"staff.{person.pk}",
        table_number=None,
        urgency=2,
        tone="soon",
        where=_("Door"),
        text=_("%(person)s is locked out") % {"person": isolated(person.display_name)},
        reason=_("Too many wrong PINs. Make sure who it was."),
        at=person.locked_at,
        how="post",
        address=reverse("floor_unlock", args=[person.pk]),
        label=_("Unlock"),
    )


def _no_dealer(table: Table, players: int, *, since: datetime) -> Line:
    text = ngettext("%(players)s player and no dealer", "%(players)s players and no dealer", players)
    return Line(
        key=f"dealer.{table.number}",
        table_number=table.number,
        urgency=3,
        tone="soon",
        where=table_name(table.number),
        text=text % {"players": players},
        reason=_("Nobody is signed in on the table's tablet. Send a dealer."),
        at=since,
        how="page",
        address=reverse("floor_table", args=[table.number]),
        label=_("Open"),
    )


def _no_chips(table: Table, seating: Seating) -> Line:
    return Line(
        key=f"chips.{seating.pk}",
        table_number=table.number,
        urgency=4,
        tone="soon",
        where=seat_name(table.number, seating.seat_number),
        text=_("%(player)s has no chips") % {"player": isolated(str(seating.player))},
        reason=_("H1.60: not dealt in before chips are bought or brought."),
        at=seating.sat_down_at,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table.number, seating.seat_number]),
        label=_("Buy in"),
    )


def _uncounted(seating: Seating) -> Line:
    assert seating.left_at is not None
    return Line(
        key=f"left.{seating.pk}",
        table_number=seating.table.number,
        urgency=7,
        tone="later",
        where=seat_name(seating.table.number, seating.seat_number),
        text=_("%(player)s left uncounted") % {"player": isolated(str(seating.player))},
        reason=_("Enter the stack if known; else the cash-out supplies it."),
        at=seating.left_at,
        how="sheet",
        address=reverse("floor_departure_sheet", args=[seating.table.number, seating.pk]),
        label=_("Count"),
    )


def _empty(table: Table) -> Line:
    assert table.opening is not None
    return Line(
        key=f"empty.{table.number}",
        table_number=table.number,
        urgency=8,
        tone="later",
        where=table_name(table.number),
        text=_("Open, and nobody sits there"),
        reason=_("Seat players, or close the table."),
        at=table.opening.opened_at,
        how="page",
        address=reverse("floor_table", args=[table.number]),
        label=_("Open"),
        shown_from=table.opening.opened_at + EMPTY_FOR,
    )


def _row(room: Room, todo: ToDo) -> Line:
    is_missing = todo.kind in (ToDo.Kind.HAND_NOT_LOGGED, ToDo.Kind.HAND_ABANDONED)
    text, reason = todo_words(room, todo)
    return Line(
        key=f"todo.{todo.pk}",
        table_number=todo.table.number,
        urgency=5 if is_missing else 6,
        tone="wrong",
        where=table_name(todo.table.number),
        text=text,
        reason=reason,
        at=todo.raised_at,
        how="sheet",
        address=reverse("floor_todo_sheet", args=[todo.table.number, todo.pk]),
        label=_("Supply") if is_missing else _("Judge"),
    )


def todo_words(room: Room, todo: ToDo) -> tuple[str, str]:
    """Return a row of the to-do as a sentence and its reason, in the active language."""
    hand = todo.data.get("hand", "")
    if todo.kind == ToDo.Kind.HAND_DIFFERS:
        return _("Hand %(hand)s differs from the log") % {"hand": hand}, _differences(todo.data.get("what", ()))
    if todo.kind == ToDo.Kind.RAKE_DIFFERS:
        return _("Hand %(hand)s: the box got something else") % {"hand": hand}, _box(room, todo.data)
    if todo.kind == ToDo.Kind.HAND_NOT_LOGGED:
        return _("Hand %(hand)s was not logged") % {"hand": hand}, _("Enter what was dropped for rake and jackpot.")
    if todo.kind == ToDo.Kind.HAND_ABANDONED:
        text = _("Hand %(hand)s was dealt and never settled") % {"hand": hand}
        return text, _("The next hand was dealt. Enter what was dropped for rake and jackpot.")
    reason = _("It was played before hands that are in the log, or the log has it otherwise. Button and blinds stay.")
    return _("Hand %(hand)s came late") % {"hand": hand}, reason


def _differences(codes: Iterable[str]) -> str:
    words = {
        "positions": _("Button or blinds were elsewhere."),
        "positions_unsaid": _("Nobody said where the button was, and too few have chips in the log."),
        "dealt_in": _("Other players were dealt in."),
        "empty_seat_dealt_in": _("A seat was dealt in where nobody sits."),
        "winner_not_dealt_in": _("The winner was not dealt in."),
        "pot_missing": _("There was a flop, but nobody said how large the pot was."),
    }
    return " ".join(words.get(code, code) for code in codes)


def _box(room: Room, data: Mapping[str, int]) -> str:
    def money(name: str) -> str:
        return format_cents(data.get(name, 0), currency=room.currency, locale=room.locale)

    said = []
    if data.get("rake_due_cents") != data.get("rake_taken_cents"):
        said.append(
            _("Rake %(due)s was due, %(taken)s was taken.")
            % {"due": money("rake_due_cents"), "taken": money("rake_taken_cents")}
        )
    if data.get("drop_due_cents") != data.get("drop_taken_cents"):
        said.append(
            _("Jackpot drop %(due)s was due, %(taken)s was taken.")
            % {"due": money("drop_due_cents"), "taken": money("drop_taken_cents")}
        )
    return " ".join(said)


def table_name(number: int) -> str:
    """Return "Table 4" in the active language."""
    return _("Table %(number)s") % {"number": number}


def seat_name(table_number: int, seat_number: int) -> str:
    """Return "Table 4, seat 3" in the active language."""
    return _("Table %(table)s, seat %(seat)s") % {"table": table_number, "seat": seat_number}
