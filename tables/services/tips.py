"""Tips: the box is counted by two and emptied, and a day's tips are handed to payroll, a share for each dealer."""

from django.db.models import Max

from casino.cage.rules import added_up
from casino.cage.services.amounts import Pieces
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.ledger.chart import of_house
from casino.ledger.services import open_accounts, post
from casino.people.services.signatures import check_signed
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rulebooks.dealers import Tips
from tables.chart import TIPS, of_table
from tables.errors_racks import DealersStillDeal, NoTipsLeft, WhoseTips
from tables.models import Down, Table, TipCount, TipPayroll, TipShare, ToDo
from tables.owners import table_figures
from tables.selectors.tips import owed_of
from tables.services.racks import cents_counted
from tables.services.stacks import doubt_what_left
from tables.services.state import done, leave_to_the_floor, lock_table

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

    `approved_by_id` has signed `take_signs`. Where the house's tips are the dealer's own they are `dealer_id`'s, left
    out: of who deals there now, or did so last on this day. What had been noted to lie there (`count_tip_box`) is taken
    for counted now; where less is found the floor judges it. Chips that nobody had noted leave the chips in play.

    :raises Malformed: nothing was said of any chip, or there are no such chips.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: the room has no such table.
    :raises WhoseTips: they are a dealer's own, and that one has not dealt there on this day.
    """
    cents = cents_counted(command, pieces)
    check_signed(command, approved_by_id, needs=NEEDS, signs=take_signs(table_id, cents))
    room = _lock_room(command)
    day = lock_open_day(command.room_id)
    table = lock_table(command, table_id)
    dealer = _whose(command, table, day, dealer_id)
    noted = table_figures(table.pk).get("tip_box", 0)
    number = (table.tip_counts.aggregate(last=Max("number"))["last"] or 0) + 1
    transfer_id = None
    if noted or cents:
        # A room of before had no such account.
        open_accounts(room, "house", room.pk)
        transfer_id = post(
            room_id=table.room_id,
            day_id=day.pk,
            kind="tips_taken",
            lines=[
                of_table(table.pk, "tip_box", -noted),
                of_table(table.pk, "in_play", noted - cents),
                of_house(table.room_id, TIPS, cents),
            ],
            key=f"tips_taken.{table.pk}.{number}",
            made_by_id=command.staff_id,
            approved_by_id=approved_by_id,
            at=command.at,
            table_id=table.pk,
            about={"count": number},
        )
    count = TipCount.objects.create(
        room_id=table.room_id, table=table, number=number, day=day, at=command.at, by_id=command.staff_id,
        approved_by_id=approved_by_id, dealer_id=dealer, pieces=added_up(pieces), cents=cents, noted_cents=noted,
        transfer_id=transfer_id,
    )  # fmt: skip
    if cents > noted:
        doubt_what_left(command, table.pk, ToDo.Kind.TIPS_ABOVE_PLAY, cents=cents - noted)
    elif cents < noted:
        found = {"cents": cents, "noted_cents": noted}
        leave_to_the_floor(table, ToDo.Kind.TIPS_DIFFER, at=command.at, data=found)
    data = {"count": count.pk, "counted_cents": cents, "dealer": dealer, "approved_by_id": approved_by_id}
    return done(table, data={**data, "is_own": dealer is not None})


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
    room = _lock_room(command)
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
    for dealer_id, share in owed.shares.items():
        TipShare.objects.create(room=room, payroll=payroll, dealer_id=dealer_id, cents=share)
    data = {"payroll": payroll.pk, "gaming_day": str(of.date), "handed_cents": cents, "dealers": len(owed.shares)}
    return Outcome(chain="tips", data={**data, "approved_by_id": approved_by_id})


def _lock_room(command: Command) -> Room:
    # Which counts are handed on is told by the last one's id, so nobody counts meanwhile; and nobody hands on twice.
    return Room.objects.select_for_update(no_key=True).get(id=command.room_id)


def _whose(command: Command, table: Table, day: GamingDay, dealer_id: int | None) -> int | None:
    """Return whose tips they are; None where they are pooled. :raises WhoseTips: nobody's, or not theirs."""
    if rule_book_in_force(command.room_id, at=command.at)[1].dealers.tips == Tips.POOLED:
        return None
    dealt = Down.objects.filter(table=table, day=day).order_by("-began_at", "-id").values_list("dealer_id", flat=True)
    found = dealt.first() if dealer_id is None else dealt.filter(dealer_id=dealer_id).first()
    if found is None:
        raise WhoseTips
    return found
