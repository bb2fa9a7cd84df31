"""Who sits where at the tables, as acts."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from casino.people.services import second_person
from casino.rooms.models import RuleBookVersion
from tables.models import Opening, Seating
from tables.services import absence_limits, chips, moving, playing_over, requests, seat_change, seating, stacks
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.evening import Acts, Evening


def _elsewhere(evening: Evening) -> None:
    evening.house.open(2, Mika=1)


def _moving(evening: Evening) -> Callable[[], Any]:
    _elsewhere(evening)
    evening.asks(Seating.objects.get(pk=evening.sits(2)), 100_00, stack=50_00)
    to = evening.house.table_id(2)
    return evening.at_table(
        moving.move_player, seating_id=evening.sits(2), to_table_id=to, seat_number=5, stack_cents=200_00
    )


def _moving_back(evening: Evening) -> Callable[[], Any]:
    _moving(evening)()
    table = evening.house.table(2)
    sits = Seating.objects.get(table=table, seat_number=5, left_at=None)
    return lambda: evening.house.tap(moving.take_back_move, table_id=table.pk, seating_id=sits.pk)


def _asking(evening: Evening) -> Callable[[], Any]:
    _elsewhere(evening)
    return evening.at_table(requests.ask_table_change, seating_id=evening.sits(2))


def _asking_no_more(evening: Evening) -> Callable[[], Any]:
    _asking(evening)()
    return evening.at_table(requests.end_table_change, seating_id=evening.sits(2), why="refused")


def _picking_up(evening: Evening) -> Callable[[], Any]:
    house, pk = evening.house, evening.away(2)
    # For longer than any book has it, and somebody would have the seat.
    house.at += timedelta(minutes=30)
    Seating.objects.filter(pk=pk).update(buttons_passed=2)
    evening.waits()
    tap = command(house.cast.frans, at=house.at)
    signs = absence_limits.signature(pk, 90_00)
    mari = second_person(tap, username="mari", pin="1357", needs=absence_limits.NEEDS, signs=signs)
    return lambda: absence_limits.pick_up_stack(
        tap, table_id=evening.table.pk, seating_id=pk, stack_cents=90_00, counted_with_id=mari
    )


def _changing_back(evening: Evening) -> Callable[[], Any]:
    pk = evening.sits(2)
    evening.at_table(seat_change.change_seat, seating_id=pk, seat_number=7)()
    return evening.at_table(seat_change.take_back_seat_change, seating_id=pk)


def _breaking(evening: Evening) -> Callable[[], Any]:
    # Not every book knows a long break.
    evening.house.reads("long_break_minutes = 30", part="timers")
    newest = RuleBookVersion.objects.latest("number")
    with as_owner():
        Opening.objects.update(rule_book_version_id=newest.pk)
    return evening.at_table(absence_limits.set_long_break, evening.house.cast.anna, seating_id=evening.sits(2))


ACTS: Acts = {
    "tables.seat_player": lambda evening: lambda: evening.house.seat("Mika", 6),
    "tables.choose_entry": lambda evening: evening.at_table(
        seating.choose_entry, seating_id=evening.house.seat("Mika", 6).pk, entry="posts"
    ),
    "tables.move_player": _moving,
    "tables.take_back_move": _moving_back,
    "tables.ask_table_change": _asking,
    "tables.end_table_change": _asking_no_more,
    "tables.hold_seat": lambda evening: evening.at_table(
        seating.hold_seat, evening.house.cast.anna, seating_id=evening.sits(2), is_held=True
    ),
    "tables.set_straddle": lambda evening: evening.at_table(
        seating.set_straddle, evening.house.cast.anna, seating_id=evening.sits(2), straddles=True
    ),
    "tables.set_long_break": _breaking,
    "tables.set_absence_limit": lambda evening: evening.at_table(
        absence_limits.set_absence_limit, seating_id=evening.away(2), minutes=9
    ),
    "tables.pick_up_stack": _picking_up,
    "tables.ask_seat_change": lambda evening: evening.at_table(
        seat_change.ask_seat_change, evening.house.cast.anna, seating_id=evening.sits(2)
    ),
    "tables.change_seat": lambda evening: evening.at_table(
        seat_change.change_seat, seating_id=evening.sits(2), seat_number=7
    ),
    "tables.take_back_seat_change": _changing_back,
    "tables.play_over": lambda evening: evening.at_table(
        playing_over.play_over, seating_id=evening.away(2), player_id=evening.house.player("Mika").pk
    ),
    "tables.leave_seat": lambda evening: evening.at_table(
        seating.leave_seat, evening.house.cast.anna, seating_id=evening.sits(2)
    ),
    "tables.count_stack": lambda evening: evening.at_table(
        stacks.count_stack, seating_id=evening.left(), stack_cents=100_00
    ),
    "tables.take_back_leaving": lambda evening: evening.at_table(
        seating.take_back_leaving, evening.house.cast.anna, seating_id=evening.left(), version=3
    ),
    "tables.bring_chips": lambda evening: evening.at_table(
        chips.bring_chips, seating_id=evening.sits(2), chips_cents=100_00, stack=50_00
    ),
}
