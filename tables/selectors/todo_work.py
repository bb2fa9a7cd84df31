"""What the floor has to do about people at work: a push that is due, a disputed pot that waits for its decision."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino import seldom
from casino.live.todo import ToDoLine
from casino.money import format_cents
from casino.people.models import Staff
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rows import read_seldom
from casino.rulebooks.dealers import Tips
from casino.text import isolated
from tables.models import DisputedPot, Down, Hand, Table
from tables.rules.rotation import Worked, break_due_at
from tables.selectors.rotation import turns_of
from tables.selectors.tip_boxes import Unclosed, unclosed
from tables.selectors.todo import table_name

_DEALING = """FROM tables_down JOIN people_staff ON people_staff.id = tables_down.dealer_id
    WHERE tables_down.room_id = %s AND tables_down.ended_at IS NULL ORDER BY tables_down.began_at, tables_down.id"""
# A night's worth of downs says all about a dealer's rest, however long the log is.
_BEFORE = """SELECT earlier.dealer_id, earlier.began_at, earlier.ended_at FROM tables_down now
    JOIN tables_down earlier ON earlier.room_id = now.room_id AND earlier.dealer_id = now.dealer_id
    AND earlier.ended_at IS NOT NULL AND earlier.began_at > now.began_at - interval '12 hours'
    WHERE now.room_id = %s AND now.ended_at IS NULL ORDER BY earlier.began_at, earlier.id"""
_APART = """FROM tables_disputedpot JOIN tables_hand ON tables_hand.id = tables_disputedpot.hand_id
    WHERE tables_disputedpot.room_id = %s AND tables_disputedpot.resolved_at IS NULL ORDER BY tables_disputedpot.id"""


def work_lines(room: Room, tables: Sequence[Table]) -> list[ToDoLine]:
    """
    Return the lines of the to-do about people at work. Two queries, one more where anybody deals, another where tips
    are each dealer's own.
    """
    by_id = {table.pk: table for table in tables}
    dealing, apart = _dealing(room.pk), _apart(room.pk)
    earlier = _earlier(room.pk) if dealing else {}
    own = {table.pk for table in tables if table.opening and table.opening.terms.dealers.tips == Tips.PER_DEALER}
    mixed = [each for each in unclosed(room.pk) if each.table_id in own] if dealing and own else []
    # One line for a table, of who left it first.
    first = {each.table_id: each for each in reversed(mixed)}
    return [
        *_pushes(dealing, by_id, earlier),
        *(_decide(room, pot, hand, by_id[pot.table_id]) for pot, hand in apart),
        *(_close_tips(each, by_id[each.table_id]) for each in first.values()),
    ]


@read_once
def _dealing(room_id: int) -> list[list[Any]]:
    return read_seldom((Down, Staff), _DEALING, room_id)


@read_once
def _apart(room_id: int) -> list[list[Any]]:
    return read_seldom((DisputedPot, Hand), _APART, room_id)


@read_once
def _earlier(room_id: int) -> dict[int, list[Worked]]:
    """Return what those who deal now have dealt before, by dealer. One query."""
    found: dict[int, list[Worked]] = {}
    for dealer_id, began_at, ended_at in seldom.rows(_BEFORE, room_id):
        found.setdefault(dealer_id, []).append(Worked(began_at, ended_at))
    return found


def _pushes(
    dealing: Iterable[Sequence[Any]], by_id: dict[int, Table], earlier: Mapping[int, Sequence[Worked]]
) -> Iterable[ToDoLine]:
    for down, dealer in dealing:
        table = by_id[down.table_id]
        if table.opening is None:
            continue
        rules = turns_of(table.opening.terms.dealers)
        pushed_at = rules.due_at(down.began_at)
        breaks_at = break_due_at(down.began_at, earlier.get(down.dealer_id, ()), rules)
        line = ToDoLine(
            key=f"push.{table.number}",
            table_number=table.number,
            urgency=3,
            tone="soon",
            where=table_name(table.number),
            text=_("%(dealer)s is due to be relieved") % {"dealer": isolated(str(dealer))},
            reason=_("A push every %(minutes)s minutes. See who is free.") % {"minutes": rules.down.seconds // 60},
            at=down.began_at,
            how="page",
            address=reverse("floor_dealers"),
            label=_("Dealers"),
            shown_from=pushed_at,
            shown_until=breaks_at,
        )
        if pushed_at < breaks_at:
            yield line
        yield replace(
            line,
            key=f"break.{table.number}",
            text=_("%(dealer)s is due a break") % {"dealer": isolated(str(dealer))},
            reason=_("That makes %(downs)s downs in a row. See who is free.") % {"downs": rules.downs_before_break},
            shown_from=breaks_at,
            shown_until=None,
        )


def _decide(room: Room, pot: DisputedPot, hand: Hand, table: Table) -> ToDoLine:
    money = format_cents(pot.cents, currency=room.currency, locale=room.locale)
    return ToDoLine(
        key=f"pot.{pot.pk}",
        table_number=table.number,
        urgency=2,
        tone="wrong",
        where=table_name(table.number),
        text=_("Pot of hand %(hand)s is disputed: %(money)s") % {"hand": hand.number, "money": money},
        cited="pot_set_aside",
        reason=_("It lies apart until you decide. The day stays open for it."),
        at=pot.set_aside_at,
        how="sheet",
        address=reverse("floor_pot_sheet", args=[table.number, pot.pk]),
        label=_("Decide"),
    )


def _close_tips(left: Unclosed, table: Table) -> ToDoLine:
    return ToDoLine(
        key=f"tips.{table.number}",
        table_number=table.number,
        urgency=3,
        tone="soon",
        where=table_name(table.number),
        text=_("The tips of %(dealer)s were not closed at the push") % {"dealer": isolated(left.name)},
        reason=_("Else they are shared with the next dealer, by the time dealt. Taken along, or counted by two?"),
        at=left.ended_at,
        how="sheet",
        address=reverse("floor_tips_sheet", args=[table.number]),
        label=_("Tip box"),
    )
