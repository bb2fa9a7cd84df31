"""What the floor has to do about people at work: a push that is due, a disputed pot that waits for its decision."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.todo import Line
from casino.money import format_cents
from casino.people.models import Staff
from casino.reading import read_once
from casino.rooms.models import Room
from casino.rooms.selectors import rule_book
from casino.rows import read_joined
from casino.text import isolated
from tables.models import DisputedPot, Down, Hand, Table
from tables.selectors.todo import table_name

_DEALING = """FROM tables_down JOIN people_staff ON people_staff.id = tables_down.dealer_id
    WHERE tables_down.room_id = %s AND tables_down.ended_at IS NULL ORDER BY tables_down.began_at, tables_down.id"""
_APART = """FROM tables_disputedpot JOIN tables_hand ON tables_hand.id = tables_disputedpot.hand_id
    WHERE tables_disputedpot.room_id = %s AND tables_disputedpot.resolved_at IS NULL ORDER BY tables_disputedpot.id"""


def work_lines(room: Room, tables: Sequence[Table]) -> list[Line]:
    """Return the lines of the to-do about people at work. Two queries."""
    by_id = {table.pk: table for table in tables}
    dealing, apart = _dealing(room.pk), _apart(room.pk)
    return [*_pushes(dealing, by_id), *(_decide(room, pot, hand, by_id[pot.table_id]) for pot, hand in apart)]


@read_once
def _dealing(room_id: int) -> list[list[Any]]:
    return read_joined((Down, Staff), _DEALING, room_id)


@read_once
def _apart(room_id: int) -> list[list[Any]]:
    return read_joined((DisputedPot, Hand), _APART, room_id)


def _pushes(dealing: Iterable[Sequence[Any]], by_id: dict[int, Table]) -> Iterable[Line]:
    for down, dealer in dealing:
        table = by_id[down.table_id]
        if table.opening is None:
            continue
        minutes = rule_book(table.opening.rule_book_version_id).dealers.down_minutes
        yield Line(
            key=f"push.{table.number}",
            table_number=table.number,
            urgency=3,
            tone="soon",
            where=table_name(table.number),
            text=_("%(dealer)s is due to be relieved") % {"dealer": isolated(str(dealer))},
            reason=_("A push every %(minutes)s minutes. See who is free.") % {"minutes": minutes},
            at=down.began_at,
            how="page",
            address=reverse("floor_dealers"),
            label=_("Dealers"),
            shown_from=down.began_at + timedelta(minutes=minutes),
        )


def _decide(room: Room, pot: DisputedPot, hand: Hand, table: Table) -> Line:
    money = format_cents(pot.cents, currency=room.currency, locale=room.locale)
    return Line(
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
