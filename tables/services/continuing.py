"""A running table goes on otherwise between two hands: an opening that continues the one before."""

from collections.abc import Collection, Sequence
from datetime import datetime

from casino.commands.carrying_out import Command
from casino.errors import Stale
from casino.rooms.models import GamingDay
from tables.charges import ByTime
from tables.errors import HandToLogAgain
from tables.errors_moves import NotAllConsent
from tables.errors_time import TimeOwed
from tables.models import Game, Hand, Opening, Seating, Table
from tables.selectors.continued import openings_before
from tables.selectors.time_charges import free_until, time_due
from tables.services.must_move import linked
from tables.services.state import lock_table_and


def lock_with_linked(command: Command, table_id: int) -> tuple[Table, list[Table]]:
    """
    Lock a table and those at the other ends of its must-move link, by id; return it, and them in that order.

    :raises Stale: a link came while this waited for the table.
    """
    # Without a lock: which others there are has to be known before the first is locked, for tables go by id.
    mine = Table.objects.filter(id=table_id, room_id=command.room_id).first()
    table, others = lock_table_and(command, table_id, [other.pk for other in linked(mine)] if mine is not None else [])
    now = [other.pk for other in linked(table)]
    if not others.keys() >= set(now):
        raise Stale(what="table", version=table.version)
    return table, [others[each] for each in now]


def check_all_consent(there: Sequence[Seating], consents: Collection[int]) -> None:
    """
    Let pass what everybody at a table agrees to: `consents` are the seatings whose players do.

    Whose seat it is is asked: also who is away, and both where one plays over in the other's seat (H4.48).

    :raises NotAllConsent: somebody has not agreed.
    """
    missing = [seating for seating in there if seating.pk not in consents]
    if missing:
        raise NotAllConsent(missing=len(missing))


def check_none_to_log_again(old: Opening) -> None:
    """:raises HandToLogAgain: the newest hand was undone, and is to be logged again as it was dealt."""
    in_turn = Hand.objects.filter(opening=old, corrects=None).exclude(Hand.MOVES_NOTHING)
    newest = in_turn.order_by("-id").first()
    if newest is not None and newest.status == Hand.Status.UNDONE:
        raise HandToLogAgain(hand_number=newest.number)


def check_no_time_owed(old: Opening, there: Sequence[Seating], *, at: datetime) -> None:
    """:raises TimeOwed: a period of the time charge has begun that was neither taken nor let go."""
    time = time_due(old, there)
    if time is not None and time.is_due(at):
        raise TimeOwed(number=time.number)


def continued(
    command: Command, old: Opening, *, day: GamingDay, game: Game, book_version_id: int, by_time: ByTime | None
) -> Opening:
    """
    End an opening, and return the one with which its table goes on: button, blinds and links as they lie.

    `by_time` is what the table pays by the time from the next hand on instead of a charge of its hands. What it had
    paid so runs to its end: until then hands pay none of that charge (H7.18), unless it feeds something else now.
    """
    # Before the next one is there: a table has one opening that is not closed, and the database sees to it at once.
    old.closed_at, old.closed_by_id = command.ends(old.opened_at), command.by.staff_id
    old.save(update_fields=["closed_at", "closed_by_id"])
    new = Opening(
        room_id=command.room_id, table=old.table, game=game, day=day, rule_book_version_id=book_version_id,
        # At one moment, so that a hand which names no opening is of the one or the other by its own.
        opened_at=old.closed_at, opened_by_id=command.staff_id, draw=old.draw, last=old.last,
        button_here=old.button_here, continues=old, feeds=old.feeds,
        by_time=by_time.as_json() if by_time else None, has_cash_plays=old.has_cash_plays,
    )  # fmt: skip
    new.free_until = free_until(new, [old, *openings_before(old)])
    new.save()
    return new
