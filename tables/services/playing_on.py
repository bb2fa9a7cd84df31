"""
A table that plays on over the gaming day's end: counted through between two hands, and gone on with on the next day.

Until the next day opens nothing can be written: what its tablet taps waits there. With the day its opening is continued
by another, of that day, with the same game and the same people, so that all that counts by the day begins anew.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import F, Q

from casino.audit import held
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, Stale
from casino.ledger.chips import check_chips
from casino.people.standing import standing_of
from casino.rooms.models import GamingDay
from casino.rows import Update, write
from tables.audiences import of_table
from tables.claims import claims
from tables.errors import HandInProgress
from tables.errors_counts import MoreThanInPlay
from tables.errors_moves import TableCloses
from tables.errors_seats import SeatPromised
from tables.held import SITTING
from tables.models import CountedThrough, Seating, Table, ToDo
from tables.owners import table_figures
from tables.services.continuing import check_no_time_owed, check_none_to_log_again, continued
from tables.services.downs import go_on_with_day
from tables.services.must_move import follow_stakes, linked
from tables.services.protection import hours_until
from tables.services.rack_pushes import follow_shift
from tables.services.state import done, leave_to_the_floor, lock_day_and_table, lock_table, opening_of, save_seating


@service("tables.count_through")
def count_through(
    command: Command, *, table_id: int, version: int, stacks: Sequence[Mapping[str, int]], stands: bool = False
) -> Outcome:
    """
    Count every stack at a table between two hands, so that it plays on over the gaming day's end.

    `stacks`: {"seating_id": 41, "stack_cents": 200_00} of everybody whose seat it is, who is away too. Nothing is
    posted: the answer says by how much they differ from what the log has in play, which includes the tips in the box.
    It holds until the next tap at the table. `stands`: more than lies in play was counted again.

    :raises TableClosed: it runs nothing.
    :raises Stale: the table has changed since the screen showed `version`.
    :raises HandInProgress, HandToLogAgain: a hand is being played, or is to be logged again.
    :raises TableCloses: its last orbit has been announced.
    :raises SeatPromised: somebody is called to a seat here: who comes sits down first, or the call ends.
    :raises TimeOwed: a period of the time charge has begun that was neither taken nor let go.
    :raises Malformed: somebody's stack is missing, or somebody is named who does not sit there.
    :raises NotInChips: there are no such chips.
    :raises MoreThanInPlay: they come to more than lies in play. If that stands, the floor judges it.
    """
    day, table = lock_day_and_table(command, table_id)
    opening = opening_of(table)
    if version != table.version:
        raise Stale(what="table", version=table.version)
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)
    if opening.is_closing:
        raise TableCloses(table_number=table.number)
    check_none_to_log_again(opening)
    if promised := claims().promised_at(table.pk):
        raise SeatPromised(seat_number=min(promised))
    # Under the table's lock: nobody sits down or gets up until the count is kept.
    there = list(Seating.objects.filter(table=table, left_at=None).order_by("seat_number", "id"))
    check_no_time_owed(opening, there, at=command.at)
    counted = _read(command, there, stacks)
    count_data = _count_data(table, counted)
    _look_twice(command, table, count_data, stands=stands)
    # Before the count is kept: it holds at the version that this tap itself has made, and at no later one.
    outcome = done(table, data=count_data)
    CountedThrough.objects.create(
        room_id=command.room_id, table=table, opening=opening, day=day, at=command.at, counted_by_id=command.staff_id,
        stacks=[[each.pk, each.seat_number, cents] for each, cents in counted], cents=outcome.data["counted_cents"],
        in_play_cents=outcome.data["in_play_cents"], table_version=table.version,
    )  # fmt: skip
    return outcome


def play_on(command: Command, day_id: int) -> dict[str, list[int]]:
    """
    Go on, on a day that opens, with what still runs; return the numbers of the tables, and the openings with which each
    of them goes on. Locks them all, by id.
    """
    day = GamingDay.objects.get(id=day_id)
    running = Table.objects.filter(room_id=command.room_id, opening__isnull=False).order_by("id")
    tables = {pk: lock_table(command, pk) for pk in running.values_list("id", flat=True)}
    for table in tables.values():
        _continue(command, day, table, [tables[other.pk] for other in linked(table) if other.pk in tables])
    openings = [table.opening_id for table in tables.values() if table.opening_id is not None]
    return {"tables": [table.number for table in tables.values()], "openings": openings}


def of_running_tables(room_id: int) -> tuple[str, ...]:
    """Return the screens that show the tables that run. One query."""
    tables = Table.objects.filter(room_id=room_id, opening__isnull=False).order_by("id")
    return tuple(dict.fromkeys(name for table in tables for name in of_table(table)))


def _continue(command: Command, day: GamingDay, table: Table, others: list[Table]) -> None:
    old = opening_of(table)
    follow_shift(command, table, old, plays_on=True)
    # What it feeds may just have gone on too.
    old.refresh_from_db(fields=["feeds"])
    new = continued(command, old, day=day, game=old.game, book_version_id=old.rule_book_version_id, by_time=old.agreed)
    if old.last_hand_number is not None:
        # Announced while no day was open.
        new.last_hand_number = old.last_hand_number
        new.save(update_fields=["last_hand_number"])
    there = Seating.objects.filter(table=table, left_at=None)
    there.update(opening=new, short_buy_in_cents=0)
    for seating_id in there.order_by("id").values_list("id", flat=True):
        # The new day's log names who sits from its beginning on.
        held.note(SITTING.kind, seating_id)
    # Whoever is on a long break comes back from it; the evening's next one is another.
    there.exclude(is_held=True, long_break_at=F("away_since")).update(long_break_at=None)
    for seating in (
        there.filter(Q(plays_until__isnull=False) | Q(player__is_watched=True)).select_related("player").order_by("id")
    ):
        # Hours are of a day. Who changes the limit at this moment waits for the table, and has the last word.
        standing = standing_of(seating.player, day_id=day.pk)
        seating.plays_until = hours_until(seating.player_id, standing, day_id=day.pk, at=command.at)
        save_seating(seating)
    follow_stakes(old, new, others)
    table.opening = new
    table.version += 1
    write(Update(table))
    go_on_with_day(command, table, day)


def _read(command: Command, there: Sequence[Seating], stacks: Sequence[Mapping[str, int]]) -> list[tuple[Seating, int]]:
    cents_by_seating = {each["seating_id"]: each["stack_cents"] for each in stacks}
    if len(cents_by_seating) != len(stacks) or cents_by_seating.keys() != {seating.pk for seating in there}:
        raise Malformed(field="stacks")
    for cents in cents_by_seating.values():
        if cents < 0:
            raise Malformed(field="stacks")
        check_chips(command.room_id, cents, at=command.at)
    return [(seating, cents_by_seating[seating.pk]) for seating in there]


def _look_twice(command: Command, table: Table, count_data: Mapping[str, Any], *, stands: bool) -> None:
    """
    Ask back once about stacks that cannot be; of those that stand the floor judges the newest count, and each once.

    :raises MoreThanInPlay: they come to more than lies in play.
    """
    over = count_data["difference_cents"]
    if over > 0 and not stands:
        raise MoreThanInPlay(asked_cents=count_data["counted_cents"], limit_cents=max(count_data["in_play_cents"], 0))
    data = {"opening": table.opening_id, "cents": count_data["counted_cents"], "over_cents": over}
    doubted = ToDo.objects.filter(table=table, kind=ToDo.Kind.STACK_ABOVE_PLAY, data__opening=table.opening_id)
    doubted.filter(done_at=None).exclude(data=data).update(done_at=command.at, done_by_id=command.by.staff_id)
    # To judge it is a tap at the table, after which the same stacks are counted once more.
    if over > 0 and not doubted.filter(data=data).exists():
        leave_to_the_floor(table, ToDo.Kind.STACK_ABOVE_PLAY, at=command.at, data=data)


def _count_data(table: Table, counted: Sequence[tuple[Seating, int]]) -> dict[str, Any]:
    cents, in_play = sum(stack for _seating, stack in counted), table_figures(table.pk)["in_play"]
    return {
        "counted_cents": cents,
        "in_play_cents": in_play,
        "difference_cents": cents - in_play,
        "players": [seating.player_id for seating, _stack in counted],
        "differs": cents != in_play,
    }
