"""
Logging hands: progress while they are played, and the settlement that stands alone.

All of these are facts. Whatever the log thinks, the hand was played and the pot was pushed: it is
recorded as it was, and what does not agree goes on the floor's to-do.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Sum

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.poker.positions import LastHand
from casino.rows import Change, Update
from tables.charges import charge_codes, due_name, taken_name
from tables.errors_hands import TableHeld
from tables.models import Hand, Seating, Table, ToDo
from tables.owners import table_figures
from tables.rules.logged import LoggedHand, check_readable
from tables.rules.settling import HandSettlement, SettledHand, settlement_of, to_judge
from tables.rules.shares import shares_of
from tables.services.arrival import Arrival, arrive
from tables.services.boxes import taken_over
from tables.services.dealing import Dealt, as_dealt, end_hand_before, stored
from tables.services.next_hand import give_number_back, moved_on, not_logged
from tables.services.playing_over import give_promised, paid_for_holders
from tables.services.settling import apply_settlement, counts_from, data_of_charges, data_of_hand
from tables.services.state import done, leave_to_the_floor, lock_day_and_table_for_fact, nothing_left_to_judge


@service("tables.deal_hand")
def deal_hand(command: Command, *, table_id: int, hand: LoggedHand) -> Outcome:
    """
    Record that a hand was dealt (H3.1): from now until the pot is pushed its players stand fixed (H1.1).

    Progress only: `hand.winners` and `hand.pots` are not looked at, and nothing is posted. What comes after newer
    hands is no progress any more.

    :raises TableHeld: the hand before waits for the floor, and the cards of this one are taken back. Once it is played
        it is a fact like any other (`settle_hand`).
    """
    arrived = arrive(command, table_id, hand)
    table = arrived.table
    if arrived.row is not None:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    if arrived.is_late:
        return done(table, data={"hand": str(hand.hand_id), "late": True})
    if table.held_for:
        raise TableHeld
    end_hand_before(command, arrived)
    dealt = as_dealt(command, arrived)
    changes = stored(dealt, table)
    row = table.hand = dealt.row
    _differs(row, dealt.to_judge, table=table, at=command.at)
    return done(table, data=data_of_hand(row), changes=changes)


@service("tables.show_flop")
def show_flop(command: Command, *, table_id: int, hand_id: UUID) -> Outcome:
    """Record that the hand went beyond the initial deal: rake and drop become due (H1.90). Progress only."""
    # Nothing is posted here; without an open day the Flop waits on its tablet, as its Deal does.
    _day, table = lock_day_and_table_for_fact(command, table_id)
    changes = []
    if table.hand is not None and table.hand.hand_id == hand_id and table.hand.beyond_initial_deal_at is None:
        table.hand.beyond_initial_deal_at = command.tapped_at
        table.hand.street = "beyond"
        changes = [Update(table.hand)]
    return done(table, data={"hand": str(hand_id)}, changes=changes)


@service("tables.settle_hand")
def settle_hand(command: Command, *, table_id: int, hand: LoggedHand) -> Outcome:
    """
    Settle a hand: who won what, rake and drop into their boxes, button and blinds on to the next hand.

    Never refused, only unreadable (`check_readable`).
    A hand that comes late is posted today and put on the floor's to-do, and moves nothing; one that was given up as
    not logged is supplied by it.

    Rules: H1.82-H1.90, H4.26-H4.29, H7.16.
    """
    arrived = arrive(command, table_id, hand)
    table, opening = arrived.table, arrived.opening
    check_readable(hand, seats=opening.game.seats)
    if arrived.is_over and arrived.row is not None and arrived.row.status != Hand.Status.NOT_LOGGED:
        if _is_another(arrived.row, hand):
            _came_late(arrived.row, table=table, at=command.at)
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    end_hand_before(command, arrived)
    dealt = as_dealt(command, arrived)
    decided = _decide(dealt, arrived, tapped_at=command.tapped_at, in_play_cents=_in_play_cents(dealt.row, arrived))
    changes = _apply(command, dealt, decided, arrived)
    return done(
        table,
        data={
            **data_of_hand(dealt.row, is_late=arrived.is_late),
            **data_of_charges(decided.settled.settlement),
            **_pushed(dealt.row, decided.settled, chip_cents=opening.game.chip_cents),
        },
        changes=changes,
    )


@dataclass(frozen=True)
class _Decided:
    """
    How a hand ended, codes for what of it the floor has to judge, and the hand as the next one follows from it: None of
    one that moves nothing any more.
    """

    settled: SettledHand
    to_judge: tuple[str, ...]
    last: LastHand | None


def _decide(dealt: Dealt, arrived: Arrival, *, tapped_at: datetime, in_play_cents: int | None) -> _Decided:
    """
    Return all that follows from a hand as it was logged and the table as it was. Nothing is asked or written.

    Where the winner gets the button, it follows from who shared the main pot (H4.15-H4.17, A33).
    """
    row, dealt_in, terms = dealt.row, dealt.players.keys(), dealt.row.opening.terms
    hand, policies = _with_progress(arrived.hand, row), row.charges_due
    settlement = settlement_of(hand, participants=len(dealt_in), policies=policies, kinds=charge_codes())
    reasons = to_judge(
        hand,
        dealt_in=dealt_in,
        policies=policies,
        is_every_pot_typed=terms.is_every_pot_typed,
        in_play_cents=in_play_cents,
    )
    at, beyond_at = counts_from(row, tapped_at, arrived.day), row.beyond_initial_deal_at
    settled = SettledHand.logged(hand, settlement, at=at, beyond_initial_deal_at=beyond_at)
    button, winners = arrived.opening.betting_button, hand.winners_of(0)
    last = None if arrived.is_over else row.as_last(dealt.players, winner_seats=winners, betting_button=button)
    return _Decided(settled, (*dealt.to_judge, *reasons), last)


def _apply(command: Command, dealt: Dealt, decided: _Decided, arrived: Arrival) -> list[Change]:
    """
    Store the hand if it is new, post what was taken, and put on the to-do what is to be judged; return what else is to
    be stored.
    """
    table, row, settled = arrived.table, dealt.row, decided.settled
    changes = stored(dealt, table)
    # First: it takes off the to-do whatever is of this hand, and what is left to the floor below is of it too.
    if arrived.is_over:
        nothing_left_to_judge(row.pk, table_id=row.table_id, command=command)
    row.dealer_id, row.again_of = command.by.staff_id, arrived.again_of
    changes += apply_settlement(row, settled, day=arrived.day, table=table, command=command)
    _differs(row, decided.to_judge, table=table, at=command.at)
    _charged_otherwise(row, settled.settlement, table=table, at=command.at)
    if arrived.is_late:
        _came_late(row, table=table, at=command.at)
    changes += taken_over(arrived.hand.again_of, table=table, command=command)
    if not arrived.is_over:
        changes += moved_on(row, decided.last, table=table, opening=arrived.opening, at=settled.at)
    return changes


def _pushed(row: Hand, settled: SettledHand, *, chip_cents: int) -> dict[str, Any]:
    """Return what is pushed by pot, and each winner's share of it; nothing where nobody counted the pots."""
    pushes = () if settled.pot_is_at_least else settled.settlement.push_by_pot
    button = row.button_seat
    return {
        "push_cents": list(pushes),
        "shares": [
            shares_of(cents, winners, button=button, chip_cents=chip_cents)
            for cents, (_, winners) in zip(pushes, settled.pots, strict=False)
        ],
    }


@service("tables.skip_hand")
def skip_hand(command: Command, *, table_id: int, hand: LoggedHand) -> Outcome:
    """
    Record "hand not logged": button and blinds move on; rake and drop are asked for later.

    Only `hand.hand_id` and the positions are looked at.
    """
    arrived = arrive(command, table_id, hand)
    table = arrived.table
    if arrived.is_over:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    end_hand_before(command, arrived)
    dealt = as_dealt(command, arrived)
    changes = stored(dealt, table)
    # Whoever says so may take it back, also where the dealer before them dealt it.
    dealt.row.dealer_id = command.by.staff_id
    changes += not_logged(
        dealt.row, dealt.players, table=table, opening=arrived.opening, at=command.at, kind=ToDo.Kind.HAND_NOT_LOGGED
    )
    data = data_of_hand(dealt.row, is_late=arrived.is_late)
    return done(table, data=data, changes=changes)


@service("tables.void_hand")
def void_hand(command: Command, *, table_id: int, hand: LoggedHand, reason: str) -> Outcome:
    """
    Record a misdeal or a void hand: it is dealt again with the same button, blinds and newcomers.

    In the quick log no chips were posted, so none move (H3.19, H3.25). `reason` is "misdeal" or "void".

    :raises Malformed: another reason.
    """
    if reason not in {"misdeal", "void"}:
        raise Malformed(field="reason")
    arrived = arrive(command, table_id, hand)
    table = arrived.table
    if arrived.is_over:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    end_hand_before(command, arrived)
    dealt = as_dealt(command, arrived)
    changes = stored(dealt, table)
    row = dealt.row
    row.status, row.reason = Hand.Status.VOID, reason
    row.ended_at, row.ended_by_id = command.tapped_at, command.by.staff_id
    if table.hand_id == row.pk:
        table.hand = None
    give_number_back(row, table)
    changes.append(Update(row))
    # The holder is there again, whatever becomes of the hand: the next deal is theirs.
    if (kept := row.in_turn) and (paid_for := give_promised(kept.gives_back, at=command.tapped_at)):
        changes += paid_for_holders(arrived.opening, paid_for)
    data = {**data_of_hand(row, is_late=arrived.is_late), "reason": reason}
    return done(table, data=data, changes=changes)


def _came_late(row: Hand, *, table: Table, at: datetime) -> None:
    leave_to_the_floor(table, ToDo.Kind.LATE_FACT, at=at, data={"hand": row.number, "hand_row": row.pk})


def _is_another(row: Hand, hand: LoggedHand) -> bool:
    """Say whether the log has another hand under this id than the one that was settled."""
    stands = row.status in {Hand.Status.SETTLED, Hand.Status.CORRECTED}
    return not stands or row.pot_cents != hand.pot_cents


def _differs(row: Hand, reasons: Sequence[str], *, table: Table, at: datetime) -> None:
    if reasons:
        data = {"hand": row.number, "hand_row": row.pk, "what": list(reasons)}
        leave_to_the_floor(table, ToDo.Kind.HAND_DIFFERS, at=at, data=data)


def _with_progress(hand: LoggedHand, row: Hand) -> LoggedHand:
    """A Flop that was tapped counts, even where the settlement forgot to say so."""
    if hand.beyond_initial_deal_at is None and row.beyond_initial_deal_at is not None:
        return replace(hand, beyond_initial_deal_at=row.beyond_initial_deal_at)
    return hand


def _in_play_cents(row: Hand, arrived: Arrival) -> int | None:
    """
    Return what lay in play when a hand was played: what lies there now, before its charges are taken, and the stacks
    that have been counted of who left since.

    None where nobody needs it, without a query: only a pot that is larger than the least buy-in may be more, as few
    are; and of what comes late or is of a game that has ended it cannot be told any more. Else two queries.
    """
    table = arrived.table
    is_past = arrived.is_late or row.opening_id != table.opening_id
    if is_past or sum(arrived.hand.pots) <= row.opening.terms.buy_ins.min_cents:
        return None
    left = Seating.objects.filter(opening_id=row.opening_id, left_at__gt=arrived.played_at)
    gone_cents = left.aggregate(cents=Sum("left_stack_cents"))["cents"] or 0
    return table_figures(table.pk).get("in_play", 0) + gone_cents


def _charged_otherwise(row: Hand, settlement: HandSettlement, *, table: Table, at: datetime) -> None:
    """Have the floor judge what was taken otherwise than it was due."""
    if settlement.differs:
        data = {"hand": row.number, "hand_row": row.pk}
        data |= {due_name(kind): cents for kind, cents in settlement.due().items()}
        data |= {taken_name(kind): cents for kind, cents in settlement.taken().items()}
        leave_to_the_floor(table, ToDo.Kind.RAKE_DIFFERS, at=at, data=data)
