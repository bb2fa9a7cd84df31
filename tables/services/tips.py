"""Tips: the box is counted by two and emptied, and a day's tips are handed to payroll, a share for each dealer."""

from dataclasses import dataclass

from django.db.models import Max

from casino.audit import held
from casino.cage.rules import added_up
from casino.cage.services.amounts import Pieces
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.ledger.chart import of_house
from casino.ledger.services import open_accounts, post
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day, lock_room
from casino.rulebooks.dealers import Tips
from tables.chart import DIFFERENCE, TIPS, of_table
from tables.errors_racks import DealersStillDeal, NoTipsLeft, TipsWereCounted, WhoseTips
from tables.held import TIP_COUNT_MISSING, TIP_COUNT_OF
from tables.models import ClosedTips, Down, Table, TipCount, TipPayroll, TipReceipt, TipShare, ToDo
from tables.selectors.tip_boxes import (
    dealers_of,
    dealers_of_closed,
    dealt_into,
    emptied,
    last_down_of_box,
    noted_in_box,
    tips_at,
)
from tables.selectors.tips import owed_of
from tables.services.racks import cents_counted
from tables.services.stacks import doubt_what_left
from tables.services.state import done, leave_to_the_floor, lock_day_and_table

# What the second person must be allowed to do: under a count of the box, and under what goes to payroll.
NEEDS, NEEDS_PAYROLL = "tables.sign_tips", "tables.sign_payroll"


def take_signs(table_id: int, cents: int) -> str:
    """Return what the second person signs under a count: of which table's tip box, and how much both have counted."""
    return f"tips.{table_id}.{cents}"


def payroll_signs(day: str, cents: int) -> str:
    """Return what the second person signs when tips go to payroll: of which gaming day, and how much."""
    return f"tips.payroll.{day}.{cents}"


@service("tables.take_tips")
def take_tips(
    command: Command, *, table_id: int, pieces: Pieces, approved_by_id: int, dealer_id: int | None = None
) -> Outcome:
    """
    Count a table's tip box with another person and empty it: its chips are kept apart in the vault, the dealers' own.

    `approved_by_id` has signed `take_signs`. Where the house's tips are the dealer's own they are `dealer_id`'s; left
    out, of who has dealt since the box was hung, and of several by the time that each has dealt meanwhile. What had
    been noted to lie in it (`count_tip_box`) is taken for counted now; where less is found the rest is missing at the
    table (`difference`), and the floor judges it. Chips that nobody had noted leave the chips in play.

    :raises Malformed: nothing was said of any chip, or there are no such chips.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: the room has no such table.
    :raises WhoseTips: they are a dealer's own, and that one has dealt there neither since the box was hung nor on this
        day.
    """
    counting = _counting(command, table_id, pieces, approved_by_id)
    whose = _whose(command, counting.table, counting.day, dealer_id)
    return _taken(command, counting, whose, noted_cents=noted_in_box(counting.table))


@service("tables.take_closed_tips")
def take_closed_tips(
    command: Command,
    *,
    table_id: int,
    closed_id: int,
    pieces: Pieces,
    approved_by_id: int,
    dealer_id: int | None = None,
) -> Outcome:
    """
    Count a tip box that a dealer had taken along (`close_tips`), with another person; as `take_tips`, theirs alone.

    They are tips of the day on which they were closed, and are posted on the open one. With `dealer_id`, where the
    wrong one was said to have taken the box, they are that dealer's.

    :raises Malformed, NeedsSecondSignature, NoOpenDay: as `take_tips`.
    :raises NotFound: the room has no such table, nobody took such a box along there, or that was taken back.
    :raises TipsWereCounted: that box has been counted.
    :raises WhoseTips: that dealer has neither dealt into it nor at that table on its day.
    """
    counting = _counting(command, table_id, pieces, approved_by_id)
    closed = ClosedTips.objects.filter(table=counting.table, id=closed_id).first()
    if closed is None:
        raise NotFound(what="closed_tips")
    if closed.taken_back_at is not None:
        raise NotFound(what="closed_tips")
    if not closed.waits:
        raise TipsWereCounted
    if dealer_id is not None and dealer_id not in dealers_of_closed(closed):
        raise WhoseTips
    whose = _of(closed.dealt) if dealer_id is None else _Whose(dealer_id)
    return _taken(command, counting, whose, noted_cents=closed.noted_cents, closed=closed)


@service("tables.hand_tips_on")
def hand_tips_on(command: Command, *, day: str, cents: int, approved_by_id: int) -> Outcome:
    """
    Hand a gaming day's tips to payroll, all that are not handed on yet: each dealer's share stands from now on.

    `day` is its date in ISO 8601, `cents` how much the asker saw, which `approved_by_id` has signed (`payroll_signs`).
    The chips become the house's own; it pays the shares with the wages. It is posted on the open day, of whichever the
    tips are.

    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: the room had no such day.
    :raises NoTipsLeft: another sum is left than the asker saw, or none, or nobody has dealt whose they could be.
    :raises DealersStillDeal: a down of that day goes on.
    """
    check_signed(command, approved_by_id, needs=NEEDS_PAYROLL, signs=payroll_signs(day, cents))
    # Nobody hands on twice.
    room = lock_room(command.room_id)
    today = lock_open_day(command.room_id)
    of = GamingDay.objects.filter(room_id=command.room_id, date=day).order_by("-id").first() if day else None
    if of is None:
        raise NotFound(what="day")
    if Down.objects.filter(room_id=room.pk, day=of, ended_at=None).exists():
        raise DealersStillDeal
    owed = owed_of(of, at=command.at)
    if owed.cents != cents or not owed.is_anybodys:
        raise NoTipsLeft
    last = TipCount.objects.filter(room_id=room.pk, day=of).latest("id")
    number = (TipPayroll.objects.filter(day=of).aggregate(last=Max("number"))["last"] or 0) + 1
    transfer_id = post(
        room_id=room.pk,
        day_id=today.pk,
        kind="tips_to_payroll",
        lines=[of_house(room.pk, TIPS, -cents), of_house(room.pk, "vault_chips", cents)],
        key=f"tips_payroll.{of.pk}.{number}",
        made_by_id=command.staff_id,
        approved_by_id=approved_by_id,
        at=command.at,
        about={"day": of.pk, "number": number},
    )
    payroll = TipPayroll.objects.create(
        room=room, day=of, number=number, posted_on=today, at=command.at, by_id=command.staff_id,
        approved_by_id=approved_by_id, last_count_id=last.pk, cents=cents, seconds=owed.seconds,
        transfer_id=transfer_id,
    )  # fmt: skip
    last_receipt = TipReceipt.objects.filter(room=room).aggregate(last=Max("number"))["last"] or 0
    for receipt, (dealer_id, cents_of_theirs) in enumerate(owed.shares.items(), last_receipt + 1):
        share = TipShare.objects.create(room=room, payroll=payroll, dealer_id=dealer_id, cents=cents_of_theirs)
        TipReceipt.objects.create(room=room, share=share, number=receipt)
    data = {"payroll": payroll.pk, "gaming_day": str(of.date), "handed_cents": cents, "dealers": len(owed.shares)}
    return Outcome(chain="tips", data={**data, "approved_by_id": approved_by_id})


@service("tables.note_tip_receipt")
def note_tip_receipt(command: Command, *, number: int) -> Outcome:
    """
    Note that a dealer's receipt was printed: from the second time on it says "copy".

    :raises NotFound: the room has no receipt of this number.
    """
    receipt = TipReceipt.objects.select_for_update(no_key=True).filter(room_id=command.room_id, number=number).first()
    if receipt is None:
        raise NotFound(what="receipt")
    receipt.prints += 1
    receipt.save(update_fields=["prints"])
    return Outcome(chain="tips", data={"number": receipt.number, "prints": receipt.prints})


@dataclass(frozen=True)
class _Counting:
    """What two have counted at a table, which is locked."""

    table: Table
    day: GamingDay
    pieces: Pieces
    cents: int
    approved_by_id: int


@dataclass(frozen=True)
class _Whose:
    """Whose tips they are: one dealer's, or, by dealer, for how long each of several has dealt; neither: pooled."""

    dealer_id: int | None = None
    seconds: dict[int, int] | None = None


def _counting(command: Command, table_id: int, pieces: Pieces, approved_by_id: int) -> _Counting:
    cents = cents_counted(command, pieces)
    check_signed(command, approved_by_id, needs=NEEDS, signs=take_signs(table_id, cents))
    # Which counts are handed on is told by the last one's id: nobody counts while that is done.
    room = lock_room(command.room_id)
    day, table = lock_day_and_table(command, table_id)
    # A room of before had no such account.
    open_accounts(room, "house", room.pk)
    return _Counting(table, day, pieces, cents, approved_by_id)


def _whose(command: Command, table: Table, day: GamingDay, dealer_id: int | None) -> _Whose:
    """Return whose the tips of the box are that hangs there. :raises WhoseTips: nobody's, or not that dealer's."""
    if tips_at(table, emptied(table), at=command.at) == Tips.POOLED:
        return _Whose()
    if dealer_id is None and (dealt := dealt_into(table, until=command.at)):
        return _of(dealt)
    # Somebody is named; or nobody has dealt since the last count, and the box is the last one's.
    there = dealers_of(table, day)
    if not there or dealer_id not in {None, *there}:
        raise WhoseTips
    return _Whose(there[0] if dealer_id is None else dealer_id)


def _of(dealt: dict[int, int]) -> _Whose:
    return _Whose(seconds=dealt) if len(dealt) > 1 else _Whose(next(iter(dealt)))


def _taken(
    command: Command, counting: _Counting, whose: _Whose, *, noted_cents: int, closed: ClosedTips | None = None
) -> Outcome:
    """Put apart what was counted, note whose it is, and leave to the floor what does not agree with what was noted."""
    table, cents = counting.table, counting.cents
    number = (table.tip_counts.aggregate(last=Max("number"))["last"] or 0) + 1
    missing_cents = max(noted_cents - cents, 0)
    transfer_id = None
    if noted_cents or cents:
        transfer_id = post(
            room_id=table.room_id,
            day_id=counting.day.pk,
            kind="tips_taken",
            lines=[
                of_table(table.pk, "tip_box", -noted_cents),
                of_table(table.pk, "in_play", noted_cents - cents - missing_cents),
                of_table(table.pk, DIFFERENCE, missing_cents),
                of_house(table.room_id, TIPS, cents),
            ],
            key=f"tips_taken.{table.pk}.{number}",
            made_by_id=command.staff_id,
            approved_by_id=counting.approved_by_id,
            at=command.at,
            table_id=table.pk,
            about={"count": number},
        )
    count = TipCount.objects.create(
        room_id=table.room_id, table=table, number=number, day=closed.day if closed else counting.day, at=command.at,
        by_id=command.staff_id, approved_by_id=counting.approved_by_id, dealer_id=whose.dealer_id,
        seconds=whose.seconds, closed=closed, pieces=added_up(counting.pieces), cents=cents, noted_cents=noted_cents,
        missing_cents=missing_cents, transfer_id=transfer_id, last_down_id=None if closed else last_down_of_box(table),
    )  # fmt: skip
    if closed or whose.seconds:
        held.note(TIP_COUNT_OF.kind, count.pk)
    if missing_cents:
        held.note(TIP_COUNT_MISSING.kind, count.pk)
    if cents > noted_cents:
        doubt_what_left(command, table.pk, ToDo.Kind.TIPS_ABOVE_PLAY, cents=cents - noted_cents)
    elif cents < noted_cents:
        differs = {"cents": cents, "noted_cents": noted_cents}
        leave_to_the_floor(table, ToDo.Kind.TIPS_DIFFER, at=command.at, data=differs)
    data = {"count": count.pk, "counted_cents": cents, "dealer": whose.dealer_id}
    is_own = "shared" if whose.seconds else whose.dealer_id is not None
    return done(table, data={**data, "approved_by_id": counting.approved_by_id, "is_own": is_own})
