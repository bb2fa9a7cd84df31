"""
The gaming day: it opens, and it closes in two stages, for operations and as counted.

It closes for operations when nothing of it is open any more but what a manager carries over with a reason, and the next
one may open. It closes as counted by two, once all that is counted of it has been; several days may wait for that.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from casino.audit import held
from casino.audit.selectors import newest_event_id
from casino.cage import day_counts, open_items
from casino.cage.audiences import DAY, EVERY_WINDOW
from casino.cage.day_begins import begin_with_day
from casino.cage.day_ends import audiences_of_day, end_with_day
from casino.cage.errors_days import (
    CarriesOwn,
    CarriesOwnCount,
    CountsAreClosed,
    CountsMissing,
    DayAlreadyOpen,
    DayHasBeen,
    DayLeavesOpen,
    DayNotFinished,
    DayStillOpen,
    DropFirst,
)
from casino.cage.held import DAY_COUNTED
from casino.cage.selectors.carried_over import COUNTED, OPERATIONS
from casino.cage.selectors.days import closed_today, date_in
from casino.cage.selectors.refused import news_of, unseen
from casino.cage.services.carrying_over import carry, check_reasons, reasons_of
from casino.chance import new_seed
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, Stale
from casino.ledger.selectors.balances import balances_digest
from casino.people.passes import phones_of_day
from casino.people.selectors import prepared_signatures
from casino.people.services import end_shift_dealers
from casino.people.services.signatures import check_signed
from casino.reading import reading_once
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day_alone, lock_room, room_of, rule_books_digest
from casino.rooms.selectors import open_day as day_that_is_open

_SCREENS = (EVERY_WINDOW, DAY)


@service("cage.open_day")
def open_day(command: Command) -> Outcome:
    """
    Open the gaming day, named for the date on the room's own calendar at this moment, and what begins with it.

    :raises DayAlreadyOpen: one is open.
    :raises DayHasBeen: this date's day was opened and closed before.
    """
    # The room's row keeps two managers from opening two days; the database has the last word anyway.
    room = lock_room(command.room_id)
    if day_that_is_open(room.pk):
        raise DayAlreadyOpen
    if closed := closed_today(room.pk, at=command.at):
        raise DayHasBeen(date=closed.date.isoformat(), opens_at=f"{closed.opens_at:%H:%M}")
    assert command.by.staff_id is not None
    day = GamingDay.objects.create(
        room=room, date=date_in(room, command.at), opened_at=command.at, opened_by_id=command.by.staff_id,
        opened_after=newest_event_id(),
    )  # fmt: skip
    begun, audiences = begin_with_day(command, day.pk)
    data = {"day_id": day.pk, "date": day.date.isoformat(), **({"begun": begun} if begun else {})}
    return Outcome(chain="day", data=data, audiences=(*_SCREENS, *audiences))


@service("cage.close_day")
def close_day(command: Command, *, carrying: Sequence[Mapping[str, str]] = ()) -> Outcome:
    """
    Close the gaming day for operations. It takes no posting any more, and what is found later is posted another day.

    `carrying` names what is left open, each with the reason: {"item": "doubt.1", "reason": "looked_into"}. It stays on
    the day's report. What was finished meanwhile needs no reason, and is not carried.

    A drawer or bank that is carried goes on, and is counted on a later day: nothing of it is posted here. What somebody
    may not count or judge themselves they never carry either, whatever they manage: another manager closes the day.

    Waits for every command that is just posting on this day, and keeps new ones out meanwhile. What ends with the day
    by itself is ended here too (`day_ends`), and the answer says what it was, and how many signatures were exceptions.

    :raises Malformed: it names something twice, or a reason that is none for it.
    :raises NoOpenDay: no day is open.
    :raises DayNotFinished: something is open that is finished first; it says what.
    :raises DayLeavesOpen: something is not finished, and the manager does not carry it.
    :raises CarriesOwn: what others are to count or judge of the manager's would be put off.
    """
    reasons = reasons_of(carrying)
    day = lock_open_day_alone(command.room_id)
    # A tap that posts nothing does not wait for the day: no table is another in what is finished than in what is left.
    with reading_once():
        if still := open_items.still_open(command.room_id):
            raise DayNotFinished(still_open=[list(item) for item in still])
        left = open_items.may_be_carried(command.room_id)
    check_reasons(reasons, {each.word: each.reasons for each in left})
    if own := [[each.kind, each.number] for each in open_items.own_of(left, command.room_id, command.staff_id)]:
        raise CarriesOwn(still_open=own)
    if unsaid := [[each.kind, each.number] for each in left if each.word not in reasons]:
        raise DayLeavesOpen(still_open=unsaid)
    # What the cage refused on it stands at the tables no more.
    refused_news = [news for each in unseen(command.room_id) for news in news_of(each.slip)]
    # While the night is still this day's.
    exceptions = prepared_signatures(command.room_id)
    # People before lists: the one order of locks.
    left_with_it = end_shift_dealers(command, day_id=day.pk)
    ended, audiences = end_with_day(command), audiences_of_day(command.room_id)
    items = [(each.kind, each.number, each.rows, reasons[each.word]) for each in left]
    carried = carry(command, day, OPERATIONS, items)
    day.closed_at, day.closed_by_id = command.ends(day.opened_at), command.by.staff_id
    day.closed_after, day.counts_wait, day.balances_seed = newest_event_id(), True, new_seed()
    day.save(update_fields=["closed_at", "closed_by_id", "closed_after", "counts_wait", "balances_seed"])
    # After all that ended with it: what that has posted is in the balances.
    data = {
        "day_id": day.pk,
        "date": day.date.isoformat(),
        "ended": ended,
        "prepared_signatures": exceptions,
        "carried": carried,
        "stands": _stands(day),
        **left_with_it,
    }
    return Outcome(chain="day", data=data, audiences=(*_SCREENS, *audiences, *refused_news, *phones_of_day(day.pk)))


def _stands(day: GamingDay) -> dict[str, Any]:
    """
    Return how the room stands as a day closes, for the log to answer for: what lies on all accounts, which rule books
    it has, and in which currency and time zone it is. Three queries.
    """
    newest, books = rule_books_digest(day.room_id)
    room = room_of(day.room_id)
    return {
        "balances": balances_digest(day.room_id, seed=day.balances_seed),
        "rule_books": books,
        "newest_rule_book_version": newest,
        "slug": room.slug,
        "currency": room.currency,
        "time_zone": room.time_zone,
    }


# What the second person under a day's counts must be allowed to do.
NEEDS = "cage.sign_counts"


def counts_sign(day_id: int, *, version: int, carrying: Sequence[Mapping[str, str]]) -> str:
    """Return what the second person signs: which day, after how many counts, and what of it is carried and why."""
    carried = ",".join(f"{word}={reason}" for word, reason in sorted(reasons_of(carrying).items()))
    return f"day.{day_id}.{version}.{hashlib.sha256(carried.encode()).hexdigest()[:16] if carried else ''}"


@service("cage.close_counts")
def close_counts(
    command: Command, *, day_id: int, version: int, approved_by_id: int, carrying: Sequence[Mapping[str, str]] = ()
) -> Outcome:
    """
    Close a gaming day as counted, once it is closed for operations: all that is counted of it has been, or is carried.

    `version` is `day_counts.version_of` what both have seen; `carrying` is as in `close_day`. `approved_by_id` has
    signed `counts_sign` (`people.services.second_person`, before this command). What is found after it about that day
    is posted on the open day and names it.

    :raises Malformed: as `close_day`.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NotFound: there is no such day.
    :raises DayStillOpen: it is not closed for operations.
    :raises CountsAreClosed: it is closed as counted, or was before there were two stages.
    :raises Stale: something of it was counted since.
    :raises DropFirst: chips of it lie at a table in no box.
    :raises CarriesOwnCount: one of both had a part in what is not counted, and may not count it either.
    :raises CountsMissing: something is neither counted nor carried.
    """
    reasons = reasons_of(carrying)
    check_signed(command, approved_by_id, needs=NEEDS, signs=counts_sign(day_id, version=version, carrying=carrying))
    # Of two pairs who close it as counted at once the second finds it closed.
    day = GamingDay.objects.select_for_update(no_key=True).filter(room_id=command.room_id, id=day_id).first()
    if day is None:
        raise NotFound(what="gaming day")
    if day.closed_at is None:
        raise DayStillOpen
    if not day.counts_wait:
        raise CountsAreClosed(date=day.date.isoformat())
    counts = day_counts.counts_of(day, lock=True)
    if day_counts.version_of(counts) != version:
        raise Stale(what="gaming day", version=day_counts.version_of(counts))
    waiting = [each for each in counts if not each.counts]
    check_reasons(reasons, {each.word: day_counts.REASONS for each in waiting})
    if drop := [[each.kind, each.id] for each in waiting if not each.may_wait]:
        raise DropFirst(items=drop)
    if own := day_counts.not_theirs(waiting, reasons, (command.staff_id, approved_by_id)):
        raise CarriesOwnCount(items=[[each.kind, each.id] for each in own])
    if missing := [[each.kind, each.id] for each in waiting if each.word not in reasons]:
        raise CountsMissing(items=missing)
    items = [(each.kind, each.id, [each.id], reasons[each.word]) for each in waiting]
    carried = carry(command, day, COUNTED, items)
    day.counts_wait, day.counted_at = False, command.ends(day.closed_at)
    day.counted_by_id, day.counted_with_id = command.staff_id, approved_by_id
    day.save(update_fields=["counts_wait", "counted_at", "counted_by_id", "counted_with_id"])
    held.note(DAY_COUNTED.kind, day.pk)
    data = {
        "day_id": day.pk,
        "date": day.date.isoformat(),
        "carried": carried,
        "approved_by_id": approved_by_id,
        "money_difference_cents": sum(each.money_cents for each in counts),
        "chips_difference_cents": sum(each.chips_cents for each in counts),
    }
    return Outcome(chain="day", data=data, audiences=_SCREENS)
