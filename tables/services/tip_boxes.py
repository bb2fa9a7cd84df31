"""A dealer's tips closed at the push: their box is taken along, and the next dealer's begins empty."""

from django.db.models import Max, QuerySet

from casino.audit import held
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, NotPermitted
from casino.ledger.models import Posting
from casino.rulebooks.dealers import Tips
from tables.errors_racks import TipsNotedSince, TipsWentOn, TipsWereCounted
from tables.held import CLOSED_TIPS_BACK
from tables.models import ClosedTips, Down, TipCount
from tables.selectors.tip_boxes import (
    dealt_into,
    dealt_since,
    emptied,
    last_down_of_box,
    noted_in_box,
    noted_since,
    tips_at,
)
from tables.services.state import done, lock_day_and_table_for_fact

# Who may count a box that was taken along says also that it was not.
FLOORS = "tables.take_closed_tips"


@service("tables.close_tips")
def close_tips(command: Command, *, table_id: int, down_id: int) -> Outcome:
    """
    Close a dealer's tips: they have taken the table's box along as it was, and an empty one hangs. A fact.

    `down_id` is their down. They are the tips until its end, until now where it goes on: what is noted after that is
    the next dealer's. Nothing is counted or posted; two count the box later (`take_tips`). What was closed or counted
    before changes nothing, nor does anybody close theirs where the table's tips are pooled (`tips_at`).

    :raises NotFound: the room has no such table, or it never had that down.
    """
    day, table = lock_day_and_table_for_fact(command, table_id)
    down = Down.objects.filter(table=table, id=down_id).first()
    if down is None:
        raise NotFound(what="down")
    data = {"down": down.pk, "dealer": down.dealer_id}
    boxes = emptied(table)
    are_pooled = tips_at(table, boxes, at=command.at) == Tips.POOLED
    if are_pooled or not dealt_since(table, boxes, at=command.at).filter(id=down.pk).exists():
        return done(table, data={**data, "is_closed": False})
    # Of all that was posted: what a count took out of the box is not on its own account alone.
    place = Posting.objects.aggregate(last=Max("id"))["last"] or 0
    number = (table.closed_tips.aggregate(last=Max("number"))["last"] or 0) + 1
    until, has_ended = down.ended_at or command.at, down.ended_at is not None
    closed = ClosedTips.objects.create(
        room_id=table.room_id,
        table=table,
        number=number,
        day=day,
        down=down,
        until=until,
        at=command.at,
        by_id=command.by.staff_id or down.dealer_id,
        # Theirs at least: nobody could count what is nobody's.
        seconds=dealt_into(table, until=until, last=down if has_ended else None) or {down.dealer_id: 1},
        noted_cents=noted_in_box(table, until=until, place=down.tips_place if has_ended else place),
        place=place,
        last_down_id=last_down_of_box(table, down, boxes),
        counts_before=table.tip_counts.aggregate(last=Max("number"))["last"] or 0,
    )
    return done(table, data={**data, "closed": closed.pk, "is_closed": True})


@service("tables.take_back_closed_tips")
def take_back_closed_tips(command: Command, *, table_id: int, closed_id: int) -> Outcome:
    """
    Take back that a dealer's box was taken along (`close_tips`): it was said by mistake, and the box never left.

    The floor does, and whoever said it as long as nobody has noted a tip since; only the last one at a table, before
    the box is counted or the next one is. What had been noted to lie in it lies in the one that hangs there.

    :raises NotFound: the room has no such table, nobody took such a box along there, or that was taken back.
    :raises TipsWereCounted: that box has been counted.
    :raises TipsWentOn: the next box was taken along or counted meanwhile.
    :raises NotPermitted: somebody else said it.
    :raises TipsNotedSince: tips were noted since; the floor takes it back.
    """
    # Nothing of the day is read, but it is held open; between two days the tablet keeps the tap.
    _day, table = lock_day_and_table_for_fact(command, table_id)
    closed = ClosedTips.objects.filter(table=table, id=closed_id, taken_back_at=None).first()
    if closed is None:
        raise NotFound(what="closed_tips")
    if not closed.waits:
        raise TipsWereCounted
    later = ClosedTips.objects.filter(table=table, taken_back_at=None, number__gt=closed.number)
    if later.exists() or _counted_since(closed).exists():
        raise TipsWentOn
    if FLOORS not in command.by.may:
        if closed.by_id != command.by.staff_id:
            raise NotPermitted
        if noted_since(closed):
            raise TipsNotedSince
    closed.waits, closed.taken_back_by_id = False, command.staff_id
    closed.taken_back_at = command.ends(closed.at)
    closed.save(update_fields=["waits", "taken_back_at", "taken_back_by_id"])
    held.note(CLOSED_TIPS_BACK.kind, closed.pk)
    return done(table, data={"closed": closed.pk, "down": closed.down_id, "dealer": closed.down.dealer_id})


def _counted_since(closed: ClosedTips) -> QuerySet[TipCount]:
    """
    Return the counts of the box that hangs at a table since it was said that a dealer took theirs along: by their
    numbers, for the clock may have been set back; of what an older release closed, by moments.
    """
    counts = TipCount.objects.filter(table_id=closed.table_id, closed=None)
    if closed.counts_before is None:
        return counts.filter(at__gt=closed.until)
    return counts.filter(number__gt=closed.counts_before)
