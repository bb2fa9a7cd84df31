"""
What the floor has to do at the tables, most urgent first, each with its reason and the one tap that answers it.

Two kinds: what a fact left to be judged (rows of `ToDo`), and what follows from how the tables stand.
Nothing here asks the clock: what is due only after a while carries the moment from which it is, and the
browser shows it then.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.cage.models import Slip
from casino.cage.selectors.money import shown_from, why_it_waits
from casino.live.todo import ToDoLine, in_order
from casino.money import format_cents
from casino.patience import LOGGED_AGAIN_WITHIN, TABLE_EMPTY_FOR
from casino.rooms.models import Room
from casino.rulebooks.schema import RuleBook
from casino.text import isolated
from tables.models import Seating, Table, ToDo
from tables.selectors.running import Dealing, enough_play
from tables.selectors.todo_judging import todo_words
from tables.selectors.todo_loose import Loose


def with_clauses(lines: Iterable[ToDoLine], tables: Iterable[Table]) -> list[ToDoLine]:
    """Return the lines with the clauses of the house whose tables these are. No query, once each book has been read."""
    lines = list(lines)
    openings = {table.number: table.opening for table in tables if table.opening} if lines else {}
    if not openings:
        # What stands before the first table is opened has no clause of a game.
        return lines
    # A list's line stands at no table, and its fragment hangs on rows, never on the time: not the book in force.
    newest = max(openings.values(), key=lambda opening: opening.rule_book_version_id)

    def book_of(line: ToDoLine) -> RuleBook:
        return openings.get(line.table_number or 0, newest).book

    return [
        replace(line, reason=book_of(line).leads(line.cited, line.reason)) if line.cited else line for line in lines
    ]


def todo_lines(
    room: Room,
    *,
    tables: Sequence[Table],
    seatings: Mapping[int, Sequence[Seating]],
    dealers: Mapping[int, Dealing],
    loose: Loose,
    more: Iterable[ToDoLine] = (),
) -> list[ToDoLine]:
    """Return the floor's to-do with what `more` there is, most urgent first, in the active language. No query."""
    requested = requested_for(loose.slips)
    return in_order(
        more,
        loose_lines(room, loose, tables=tables, seatings=seatings),
        *(open_table_lines(table, seatings, dealers=dealers, requested=requested) for table in tables),
    )


def loose_lines(
    room: Room, loose: Loose, *, tables: Sequence[Table], seatings: Mapping[int, Sequence[Seating]]
) -> list[ToDoLine]:
    """Return the lines of what is open besides what stands at the tables now. No query."""
    return [
        *(_buy_in(room, slip, has_left=_has_left(slip, tables, seatings)) for slip in loose.slips),
        *(_row(room, todo) for todo in loose.rows),
        *(_uncounted(seating) for seating in loose.uncounted),
    ]


def open_table_lines(
    table: Table,
    seatings: Mapping[int, Sequence[Seating]],
    *,
    dealers: Mapping[int, Dealing],
    requested: Container[int],
) -> Iterator[ToDoLine]:
    """Yield the lines of what stands at a table now; `requested` as in `without_chips`. No query."""
    if table.opening is None:
        return
    sitting, has_dealer = seatings.get(table.pk, ()), table.place_id in dealers
    if not sitting:
        # That it is to be closed is a line of its own.
        if not table.opening.is_closing:
            yield _empty(table)
        return
    if enough_play(table.opening, sitting) and not has_dealer:
        came = sorted(seating.sat_down_at for seating in sitting if seating.may_be_dealt_in)
        yield _no_dealer(table, len(came), since=came[table.opening.game.players_min - 1])
    lack = without_chips(sitting, requested)
    for seating in sitting:
        # An absent holder's stack lies there too, while somebody plays over (H4.48).
        for each in filter(None, (seating.holder, seating)):
            if each.barred_since is not None:
                yield _barred(table, each)
        if seating.barred_since is None and seating.plays_until is not None:
            yield _hours_over(table, seating)
        if seating in lack:
            yield _no_chips(table, seating)


def requested_for(slips: Iterable[Slip]) -> set[int]:
    """Return the ids of the seatings for which these slips wait. No query."""
    return {slip.seat.seating for slip in slips if slip.seat}


def without_chips(sitting: Iterable[Seating], requested: Container[int]) -> list[Seating]:
    """Return who sits there without chips and waits for none; `requested` has the ids of those who do. No query."""
    return [seating for seating in sitting if not seating.chips_in_cents and seating.pk not in requested]


def _has_left(slip: Slip, tables: Iterable[Table], seatings: Mapping[int, Sequence[Seating]]) -> bool:
    """Say whether nobody sits any more where a slip's chips would go; of a table that is not shown nobody knows."""
    seat = slip.seat
    if seat is None or all(table.pk != seat.table for table in tables):
        return False
    there = (each for seating in seatings.get(seat.table, ()) for each in (seating, seating.holder))
    return all(each is None or each.pk != seat.seating for each in there)


def _buy_in(room: Room, slip: Slip, *, has_left: bool) -> ToDoLine:
    assert slip.seat is not None, "a slip of these is for a seat"
    table, seat = slip.seat.table_number, slip.seat.seat_number
    money = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
    if has_left:
        return ToDoLine(
            key=f"slip.{slip.pk}",
            table_number=table,
            urgency=1,
            tone="soon",
            where=seat_name(table, seat),
            text=_("%(player)s has left, and had asked for %(money)s")
            % {"player": isolated(str(slip.player)), "money": money},
            reason=_("The cage cannot sell chips for an empty seat."),
            at=slip.requested_at,
            how="post",
            address=reverse("floor_cancel", args=[table, slip.pk]),
            values=(("version", slip.version),),
            label=_("Take it back"),
        )
    return ToDoLine(
        key=f"slip.{slip.pk}",
        table_number=table,
        urgency=1,
        tone="soon",
        where=seat_name(table, seat),
        text=_("%(player)s waits for %(money)s") % {"player": isolated(str(slip.player)), "money": money},
        reason=why_it_waits(slip),
        at=slip.requested_at,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table, seat]),
        label=_("Look"),
        shown_from=shown_from(slip),
    )


def _no_dealer(table: Table, players: int, *, since: datetime) -> ToDoLine:
    text = ngettext("%(players)s player and no dealer", "%(players)s players and no dealer", players)
    return ToDoLine(
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


def _no_chips(table: Table, seating: Seating) -> ToDoLine:
    return ToDoLine(
        key=f"chips.{seating.pk}",
        table_number=table.number,
        urgency=4,
        tone="soon",
        where=seat_name(table.number, seating.seat_number),
        text=_("%(player)s has no chips") % {"player": isolated(str(seating.player))},
        cited="no_chips",
        reason=_("Not dealt in before chips are bought or brought."),
        at=seating.sat_down_at,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table.number, seating.seat_number]),
        label=_("Buy in"),
    )


def _barred(table: Table, seating: Seating) -> ToDoLine:
    assert seating.barred_since is not None
    return ToDoLine(
        key=f"barred.{seating.pk}",
        table_number=table.number,
        urgency=0,
        tone="wrong",
        where=seat_name(table.number, seating.seat_number),
        text=_("%(player)s may not play any more") % {"player": isolated(str(seating.player))},
        reason=_("Finish the hand, count the stack, let the player leave, and pay."),
        at=seating.barred_since,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table.number, seating.seat_number]),
        label=_("Count"),
    )


def _hours_over(table: Table, seating: Seating) -> ToDoLine:
    assert seating.plays_until is not None
    return ToDoLine(
        key=f"hours.{seating.pk}",
        table_number=table.number,
        urgency=3,
        tone="soon",
        where=seat_name(table.number, seating.seat_number),
        text=_("%(player)s has played their own hours") % {"player": isolated(str(seating.player))},
        reason=_("The player's own limit of hours a day is reached. Tell the player; the seat stays theirs."),
        at=seating.plays_until,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table.number, seating.seat_number]),
        label=_("Look"),
        shown_from=seating.plays_until,
    )


def _uncounted(seating: Seating) -> ToDoLine:
    assert seating.left_at is not None
    return ToDoLine(
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


def _empty(table: Table) -> ToDoLine:
    assert table.opening is not None
    return ToDoLine(
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
        shown_from=table.opening.opened_at + TABLE_EMPTY_FOR,
    )


def _row(room: Room, todo: ToDo) -> ToDoLine:
    is_missing = todo.kind in (ToDo.Kind.HAND_NOT_LOGGED, ToDo.Kind.HAND_ABANDONED)
    is_call = todo.kind == ToDo.Kind.FLOOR_CALLED
    text, reason = todo_words(room, todo)
    return ToDoLine(
        key=f"todo.{todo.pk}",
        table_number=todo.table.number,
        urgency=0 if is_call else 5 if is_missing else 6,
        tone="soon" if is_call else "wrong",
        where=table_name(todo.table.number),
        text=text,
        reason=reason,
        at=todo.raised_at,
        how="sheet",
        address=reverse("floor_todo_sheet", args=[todo.table.number, todo.pk]),
        label=_("Supply") if is_missing else _("Look") if is_call else _("Judge"),
        shown_from=judged_from(todo),
        cited="players_kept_apart" if todo.kind == ToDo.Kind.KEPT_APART else "",
    )


def judged_from(todo: ToDo) -> datetime | None:
    """Return the moment before which nobody needs to look at it; None where somebody should now."""
    return todo.raised_at + LOGGED_AGAIN_WITHIN if todo.kind == ToDo.Kind.BOX_DIFFERS else None


def table_name(number: int) -> str:
    """Return "Table 4" in the active language."""
    return _("Table %(number)s") % {"number": number}


def seat_name(table_number: int, seat_number: int) -> str:
    """Return "Table 4, seat 3" in the active language."""
    return _("Table %(table)s, seat %(seat)s") % {"table": table_number, "seat": seat_number}
