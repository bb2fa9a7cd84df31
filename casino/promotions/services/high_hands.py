"""A high hand: hands are entered while a period runs, and once it has ended the best of them wins, signed by two."""

from datetime import datetime

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.services.signatures import check_signed
from casino.poker.cards import SameCard
from casino.poker.ranking import RankedHand, WrongCards, rank_hand
from casino.poker.variants import Variant
from casino.promotions.chart import of_fund
from casino.promotions.errors import (
    EarlierUndecided,
    EntryIsGone,
    GameTakesNoPart,
    HandEntered,
    HandTooLow,
    NotInPeriod,
    PeriodStillRuns,
    SameEntrant,
)
from casino.promotions.models import Entry, Period, Prize
from casino.promotions.prizes import wait_for
from casino.promotions.rules import qualifies, shares
from casino.promotions.selectors import leaders, standing
from casino.promotions.services.funds import done, move, step
from casino.promotions.services.periods import NEEDS, carry_over, decide, lock_period
from casino.promotions.services.whose import ShownHand, Whose, check_stand, whose_hand
from casino.promotions.terms import game_names, high_hand_of
from casino.rooms.selectors import lock_open_day
from casino.rulebooks.promotions import HighHand, Unwon
from jackpot.checking import cards_in
from jackpot.errors import BoardNotDealt, CardTwice, HandNotDealt


def decision_signs(period_id: int, *, version: int) -> str:
    """Return what a manager signs: which period is decided, as its promotion stands."""
    return f"decide_period.{period_id}.{version}"


@service("promotions.enter_hand")
def enter_hand(command: Command, *, period_id: int, hand: ShownHand, shown_at: datetime | None = None) -> Outcome:
    """
    Enter a hand that was shown at a table, at `shown_at` or just now: it leads if none is better.

    :raises NotFound: no such period, table or hand.
    :raises WhichHand, HandNotPlayed: as `whose_hand`.
    :raises PeriodIsOver, NotInPeriod: the period was decided, or did not run when the hand was shown.
    :raises NobodyThere: nobody sits in the seat, or was dealt in there.
    :raises GameTakesNoPart: the promotion is not played there.
    :raises NotACard, CardTwice, BoardNotDealt, HandNotDealt: these are no cards that the variant deals.
    :raises HandTooLow: it is lower than the rules ask for.
    :raises HandEntered: it stands already.
    """
    fund, period = lock_period(command.room_id, period_id)
    book, promotion = high_hand_of(period)
    if shown_at is not None:
        _check_within(command, period, shown_at)
    whose = whose_hand(command, hand, shown_at)
    _check_within(command, period, whose.shown_at)
    if whose.game.name not in game_names(book, promotion):
        raise GameTakesNoPart
    entry = _judged(period, promotion, whose, hand)
    entry.shown_at, entry.entered_at, entry.entered_by_id = whose.shown_at, command.at, command.staff_id
    same = Entry.objects.filter(period=period, player_id=entry.player_id, taken_back_at=None)
    if same.filter(cards=entry.cards, board=entry.board).exists():
        raise HandEntered
    entry.save(force_insert=True)
    step(fund)
    leads = entry in leaders(period, standing(period))
    of = {"period_id": period.pk, "entry_id": entry.pk, "player_id": entry.player_id}
    where = {"table": whose.table.number, "seat": entry.seat_number}
    return done(fund, {**of, **where, "made": entry.made, "leads": leads})


def _check_within(command: Command, period: Period, at: datetime) -> None:
    if not period.begins_at <= at < period.ends_at or at > command.at:
        raise NotInPeriod


def _judged(period: Period, promotion: HighHand, whose: Whose, hand: ShownHand) -> Entry:
    """Return the row of a hand that takes part, not stored yet. :raises Refusal: it does not."""
    variant = Variant(hand.variant or whose.game.variant)
    least = promotion.criterion(variant)
    if least is None:
        raise GameTakesNoPart
    own, board = cards_in(hand.cards), cards_in(hand.board)
    ranked = _ranked(variant, own, board)
    if not qualifies(ranked, least):
        raise HandTooLow
    return Entry(
        period=period,
        table=whose.table,
        hand=whose.hand,
        seat_number=hand.seat_number,
        player_id=whose.player_id,
        variant=variant.value,
        cards=" ".join(sorted(own)),
        # In no order: the same hand is one, however its board is typed.
        board=" ".join(sorted(board)),
        five=" ".join(ranked.cards),
        made=ranked.worth.made.value,
        ranks=list(ranked.worth.ranks),
    )


def _ranked(variant: Variant, own: tuple[str, ...], board: tuple[str, ...]) -> RankedHand:
    """:raises CardTwice, BoardNotDealt, HandNotDealt: the variant deals no such cards."""
    try:
        return rank_hand(variant, own, board)
    except SameCard as wrong:
        raise CardTwice(card=wrong.card) from None
    except WrongCards as wrong:
        if wrong.where == "board":
            raise BoardNotDealt(expected=wrong.expected, got=wrong.got) from None
        raise HandNotDealt(number=1, expected=wrong.expected, got=wrong.got) from None


@service("promotions.take_back_hand")
def take_back_hand(command: Command, *, entry_id: int, reason: str) -> Outcome:
    """
    Take back a hand that was entered wrongly, with a reason: it stays on record, and leads no more.

    :raises Malformed: the reason is none of `Entry.Reason`.
    :raises NotFound: no such hand.
    :raises PeriodIsOver, EntryIsGone: its period was decided, or it was taken back before.
    """
    if reason not in Entry.Reason.values:
        raise Malformed(field="reason")
    seen = Entry.objects.filter(id=entry_id, period__room_id=command.room_id).first()
    if seen is None:
        raise NotFound(what="hand")
    fund, period = lock_period(command.room_id, seen.period_id)
    entry = Entry.objects.get(id=entry_id)
    if entry.taken_back_at is not None:
        raise EntryIsGone
    entry.taken_back_at, entry.taken_back_by_id, entry.reason = command.at, command.staff_id, reason
    entry.save(update_fields=["taken_back_at", "taken_back_by", "reason"])
    step(fund)
    return done(fund, {"period_id": period.pk, "entry_id": entry.pk, "taken_back_for": reason})


@service("promotions.decide_period")
def decide_period(command: Command, *, period_id: int, version: int, approved_by_id: int) -> Outcome:
    """
    Decide a period that has ended: the best hand wins, and its prize waits at the cage; or nobody does.

    `version` is the fund's. `approved_by_id` is a manager who neither asks, nor entered a winning hand or took one
    back, and has signed `decision_signs`. Winners who share get equal shares; what rounding leaves goes back to the
    fund.

    :raises NeedsSecondSignature, SameEntrant: nobody signed it, or not this, or who had a hand in it.
    :raises NoOpenDay, NotFound, Stale, PeriodIsOver: as they say.
    :raises PeriodStillRuns, EarlierUndecided: it has not ended, or one before it is undecided.
    :raises HandStandsNoMore: what the winner held was voided or changed since.
    """
    check_signed(command, approved_by_id, needs=NEEDS, signs=decision_signs(period_id, version=version))
    day = lock_open_day(command.room_id)
    fund, period = lock_period(command.room_id, period_id, version=version)
    _book, terms = high_hand_of(period)
    if command.at < period.ends_at:
        raise PeriodStillRuns
    if Period.objects.filter(fund=fund, status=Period.Status.OPEN, begins_at__lt=period.begins_at).exists():
        raise EarlierUndecided
    won = leaders(period, standing(period))
    taken_back = Entry.objects.filter(period=period, taken_back_by_id=approved_by_id)
    if approved_by_id in {entry.entered_by_id for entry in won} or taken_back.exists():
        raise SameEntrant
    check_stand(won)
    amount, about = period.amount_cents, {"period": period.pk}
    each, left = shares(amount, len(won)) if won else (0, amount)
    decide(command, period, Period.Status.WON if won else Period.Status.UNWON, approved_by_id=approved_by_id)
    rolled = 0 if won or terms.unwon is Unwon.STAYS else carry_over(fund, period, amount)
    step(fund)
    lines = [
        of_fund(fund.pk, "reserved", rolled - amount),
        of_fund(fund.pk, "pending", amount - left),
        of_fund(fund.pk, "free", left - rolled),
    ]
    kind = "promotion_won" if won else "promotion_unwon"
    if rolled < amount:
        lines = [line for line in lines if line.cents]
        move(command, fund, day_id=day.pk, kind=kind, lines=lines, approved_by_id=approved_by_id, about=about)
    # A prize is something: of less than a cent each nothing is shared, and it went back to the fund.
    for entry in won if each else ():
        prize = Prize.objects.create(entry=entry, player=entry.player, cents=each)
        Prize.objects.filter(pk=prize.pk).update(slip_id=wait_for(prize, command).pk)
    data = {
        "period_id": period.pk,
        "is_won": bool(won),
        "entry_ids": [entry.pk for entry in won],
        "player_ids": [entry.player_id for entry in won],
        "prize_cents": each,
        "amount_cents": amount,
        "approved_by_id": approved_by_id,
    }
    return done(fund, data, audiences=("cage",) if won else ())
