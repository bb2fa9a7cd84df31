"""What a push asks about the rack, and what is left to the floor where nobody counted it. Steps of other services."""

import json
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from casino import chance
from casino.audit.models import Event
from casino.commands.carrying_out import Command
from casino.errors import Refusal
from casino.ledger.models import Account
from casino.rooms.models import GamingDay
from casino.rooms.selectors import night_began_after
from casino.rulebooks.dealers import Rack
from tables.audiences import of_table
from tables.chart import OWNER, RACK, RACK_CASH
from tables.errors_racks import RackShort
from tables.models import Down, Hand, Opening, RackCheck, Table, ToDo
from tables.rules.racks import Push, counts_done, drawn_among
from tables.selectors.racks import counted_since_play, is_as_checked
from tables.services.state import leave_to_the_floor, lock_table, opening_of

# The commands that count a rack: at a push, and by the floor.
_AT_PUSH = "tables.check_rack"
_COUNTS = (_AT_PUSH, "tables.count_rack", "tables.close_rack", "tables.clear_rack")
# A tap that takes longer was kept by its tablet.
_ON_ITS_WAY = timedelta(minutes=1)


def check_at_push(command: Command, table: Table, day: GamingDay | None) -> bool | None:
    """
    Return what a push at the locked table asks about its rack: True a count, which was just drawn; False a count or "as
    left"; None nothing, for the house keeps no rack or none lies there.

    A count that was drawn before and never made goes to the floor. A rack that was asked for more than it held, too
    often since its last count, is counted. One query where no rack is kept, else three, and one more where it sells.
    """
    opening = Opening.objects.filter(id=table.opening_id or 0).first()
    if opening is None or day is None:
        return None
    terms = _rack_terms(opening)
    if not terms.is_kept or not lies_there(table):
        return None
    downs = _pushes_on(table, day)
    pushes = [_push(down) for down in downs]
    if downs and pushes[-1].is_missed:
        _left_to_the_floor(command, table, downs[-1])
    if terms.sells and opening.has_cash_plays and _sold_short(table).exists():
        return True
    below = drawn_among(
        pushes,
        within=terms.counted_within_pushes,
        per_day=terms.counted_pushes_per_day,
        is_closing=opening.is_closing,
    )
    # Nobody plays against this draw, and nothing of it is kept before the push: there is nothing to be bound to.
    return chance.number(chance.new_seed(), "rack", below) == 0


def follow_opening(command: Command, table: Table, opening: Opening) -> None:
    """
    Ask for the rack of a table that opens, where one lies there: it is on the floor's to-do until somebody has counted
    it or taken it over as it was left. Whoever did so before the opening has, unless somebody played or bought since.
    No query where no rack is kept, else a few.
    """
    if not _rack_terms(opening).is_kept or not lies_there(table):
        return
    if is_taken_over(table):
        return
    data = {"opening": opening.pk}
    leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data=data)


def follow_closing(command: Command, table: Table, opening: Opening) -> None:
    """
    Leave it to the floor where a table that closes has had too few counts at a push, and ask for the count of its
    closing, unless it was counted since the last hand. No query where no rack is kept, else a few.
    """
    terms = _rack_terms(opening)
    if not terms.is_kept:
        return
    # Whoever has not looked at it by now counts it with the closing.
    _to_count(table, "opening").update(done_at=command.at, done_by_id=command.by.staff_id)
    if lies_there(table) and not is_counted_since_play(table):
        data = {"closing": opening.pk}
        leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data=data)
    follow_shift(command, table, opening, plays_on=False)


def follow_shift(command: Command, table: Table, opening: Opening, *, plays_on: bool) -> None:
    """
    Leave it to the floor where the locked table's rack was counted at too few pushes of the day of an opening that is
    over, though hands were played: nobody may have pushed at all. No query where no rack is kept, else a few.
    """
    terms = _rack_terms(opening)
    if not terms.is_kept:
        return
    downs = _pushes_on(table, opening.day)
    if downs and _push(downs[-1]).is_missed:
        _left_to_the_floor(command, table, downs[-1])
    done = counts_done([_push(down) for down in downs])
    is_due = bool(downs) or (lies_there(table) and Hand.objects.filter(opening=opening).exists())
    if is_due and done < terms.counted_pushes_per_day:
        data = {"done": done, "needed": terms.counted_pushes_per_day, "plays_on": plays_on}
        leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data=data)


def follow_refused_sale(command: Command, refusal: Refusal, *, table_id: int, **_arguments: Any) -> tuple[str, ...]:
    """
    Leave it to the floor where a rack was too short for `short_sales_max` sales since it was counted last; return the
    screens to tell. What a refused sale leaves behind, in its own transaction.
    """
    if refusal.code != RackShort.code:
        return ()
    table = lock_table(command, table_id)
    most = _rack_terms(opening_of(table)).short_sales_max
    # The one that is just refused is logged after this.
    if _refused_since_count(table) + 1 < most or _sold_short(table).exists():
        return ()
    leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data={"asked": most})
    return tuple(of_table(table))


def _rack_terms(opening: Opening) -> Rack:
    """Return what the book of an opening says of racks."""
    # Not by its terms, which read its game too: in a house without racks a push costs one query.
    return opening.book.dealers.rack


def _refused_since_count(table: Table) -> int:
    """
    Return how many sales the rack of a locked table was too short for, of this night. Three queries.

    By places in the log: the clock may have been set back since.
    """
    tonight = Event.objects.filter(room_id=table.room_id, id__gt=night_began_after(table.room_id))
    events = tonight.filter(name="tables.sell_from_rack", result=RackShort.code, id__gt=_counted_at(table, tonight))
    return sum(json.loads(text)["args"]["table_id"] == table.pk for text in events.values_list("text", flat=True))


def _counted_at(table: Table, among: QuerySet[Event]) -> int:
    """Return the place in the log where a locked table's rack was counted last, 0 for not there. Two queries."""
    if not RackCheck.objects.filter(table=table, cents__isnull=False).exists():
        return 0
    events = among.filter(chain=table.chain, name__in=_COUNTS, result="done").order_by("-number")
    # The newest of them nearly always tells.
    for place, name, at, text in events.values_list("id", "name", "at", "text").iterator(chunk_size=20):
        event = json.loads(text)
        is_kept = name == _AT_PUSH and _was_kept(datetime.fromisoformat(event["tapped_at"]), at)
        is_count = event["data"].get("how", "as_left") != "as_left" and not event["data"].get("known")
        if is_count and not is_kept:
            return int(place)
    return 0


def _was_kept(tapped_at: datetime, at: datetime) -> bool:
    """Whether a tablet had a count waiting: it has seen nothing of what was asked meanwhile."""
    return at - tapped_at > _ON_ITS_WAY


def _sold_short(table: Table) -> QuerySet[ToDo]:
    """Return what stands on the floor's to-do since a rack was asked too often, and until it is counted."""
    return _to_count(table, "asked")


def _to_count(table: Table, *why: str) -> QuerySet[ToDo]:
    to_dos = ToDo.objects.filter(table=table, kind=ToDo.Kind.RACK_NOT_COUNTED, done_at=None)
    return to_dos.filter(data__has_any_keys=why)


def follow_count(command: Command, table: Table, *, counted_at: datetime) -> None:
    """
    Take off the to-do that a rack was asked too often, or that its count is asked for: it was counted, now and not
    before. A step of the count; one query.
    """
    if _was_kept(counted_at, command.at):
        return
    to_dos = _to_count(table, "asked", "opening", "closing")
    to_dos.update(done_at=command.at, done_by_id=command.by.staff_id)


def follow_as_left(command: Command, table: Table, *, tapped_at: datetime) -> None:
    """
    Take off the to-do that a rack is asked for as its table opens: it is as it was left, now and not before. One query.
    """
    if _was_kept(tapped_at, command.at):
        return
    _to_count(table, "opening").update(done_at=command.at, done_by_id=command.by.staff_id)


def is_counted_since_play(table: Table) -> bool:
    """Say whether the chips of a table's rack were counted after its newest hand and sale (`counted_since_play`)."""
    return table.pk in counted_since_play([table.pk])


def is_taken_over(table: Table) -> bool:
    """
    Say whether a table's rack was counted for its opening, or said to be as it was left, and nobody has played or
    bought since. At most two queries.
    """
    newest = RackCheck.objects.filter(table=table).order_by("-number").first()
    return newest is not None and newest.kind == RackCheck.Kind.OPENING and is_as_checked(newest)


def lies_there(table: Table) -> bool:
    """Whether the log has chips in the table's rack, or cash. One query."""
    kinds = (RACK, RACK_CASH)
    racks = Account.objects.filter(room_id=table.room_id, owner_kind=OWNER, owner_id=table.pk, kind__in=kinds)
    return racks.exclude(balance_cents=0).exists()


def cash_lies_there(table: Table) -> bool:
    """Whether the log has cash in the table's rack. One query."""
    racks = Account.objects.filter(room_id=table.room_id, owner_kind=OWNER, owner_id=table.pk, kind=RACK_CASH)
    return racks.exclude(balance_cents=0).exists()


def _pushes_on(table: Table, day: GamingDay) -> list[Down]:
    downs = Down.objects.filter(table=table, day=day, counts_rack__isnull=False)
    return list(downs.prefetch_related("rack_checks").order_by("id"))


def _push(down: Down) -> Push:
    counted = any(check.is_counted for check in down.rack_checks.all())
    return Push(is_drawn=bool(down.counts_rack), was_counted=counted)


def _left_to_the_floor(command: Command, table: Table, down: Down) -> None:
    data = {"down": down.pk, "dealer": down.dealer_id}
    leave_to_the_floor(table, ToDo.Kind.RACK_NOT_COUNTED, at=command.at, data=data)
