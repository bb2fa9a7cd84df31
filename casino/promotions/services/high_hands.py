"""A high hand: hands are entered while a period runs, and once it has ended the best of them wins, signed by two."""

from datetime import datetime

from casino.cage.audiences import EVERY_WINDOW
from casino.cage.models import Slip
from casino.cage.notes import coin_cents
from casino.cage.services.locks import lock_slip
from casino.cage.services.requests import cancel_waiting
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.services import mirror
from casino.people.services.signatures import check_signed
from casino.poker.cards import SameCard
from casino.poker.ranking import RankedHand, WrongCards, rank_hand
from casino.poker.variants import Variant
from casino.promotions.chart import of_fund
from casino.promotions.errors import (
    DoneByYourself,
    EarlierUndecided,
    EntryIsGone,
    GameTakesNoPart,
    HandEntered,
    HandTooLow,
    LaterDecided,
    NotDecided,
    NotInPeriod,
    PeriodStillRuns,
    PrizePaid,
    SameEntrant,
)
from casino.promotions.models import Entry, Fund, Period, Prize
from casino.promotions.prizes import wait_for
from casino.promotions.rules import qualifies, shares
from casino.promotions.selectors.periods import leaders, standing, standing_prizes
from casino.promotions.services.funds import check_covers, done, move, move_back, step
from casino.promotions.services.periods import (
    NEEDS,
    carry_back,
    carry_over,
    decide,
    lock_any_period,
    lock_period,
    look_at_period,
    undecide,
)
from casino.promotions.services.whose import ShownHand, Whose, check_stand, whose_hand
from casino.promotions.terms import game_names, high_hand_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day
from casino.rulebooks.promotions import HighHand, Unwon
from jackpot.checking import cards_in
from jackpot.errors import BoardNotDealt, CardTwice, HandNotDealt


def decision_signs(period_id: int, *, version: int) -> str:
    """Return what a manager signs: which period is decided, as its promotion stands."""
    return f"decide_period.{period_id}.{version}"


def taking_back_signs(period_id: int, *, version: int, reason: str) -> str:
    """Return what a manager signs: which period's decision is taken back, as its promotion stands, and why."""
    return f"take_back_decision.{period_id}.{version}.{reason}"


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
    book, terms = high_hand_of(period)
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
    coin = coin_cents(book.house.currency)
    each, left = shares(amount, len(won), coin_cents=coin) if won else (0, amount)
    rolled = 0 if won or terms.unwon is Unwon.STAYS else carry_over(fund, period, amount)
    step(fund)
    lines = [
        of_fund(fund.pk, "reserved", rolled - amount),
        of_fund(fund.pk, "pending", amount - left),
        of_fund(fund.pk, "free", left - rolled),
    ]
    kind = "promotion_won" if won else "promotion_unwon"
    if rolled < amount:
        period.transfer_id = move(
            command, fund, day_id=day.pk, kind=kind, lines=lines, approved_by_id=approved_by_id, about=about
        )
    decide(command, period, Period.Status.WON if won else Period.Status.UNWON, approved_by_id=approved_by_id)
    # A prize is something: of less than a coin each nothing is shared, and it went back to the fund.
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
    return done(fund, data, audiences=(EVERY_WINDOW,) if won else ())


@service("promotions.take_back_decision")
def take_back_decision(command: Command, *, period_id: int, version: int, reason: str, approved_by_id: int) -> Outcome:
    """
    Take back that a period was won, or not: it is open again, its money promised, and it is decided anew.

    Prizes that wait at the cage are cancelled with their slips; what was carried to a later period is carried back.
    `version` is the fund's. `approved_by_id` is a manager who neither asks nor asked for the decision, and has signed
    `taking_back_signs`.

    :raises Malformed: the reason is none of `Period.BackFor`.
    :raises NeedsSecondSignature, DoneByYourself: nobody signed it, or not this, or who had decided it.
    :raises NoOpenDay, NotFound, Stale: as they say.
    :raises NotDecided: nobody has said who won it.
    :raises LaterDecided: a later period was decided since.
    :raises PrizePaid: a prize of it was paid.
    :raises CarriedIsGone, FundTooSmall: its money was taken out, or promised to others, since.
    """
    if reason not in Period.BackFor.values:
        raise Malformed(field="reason")
    signs = taking_back_signs(period_id, version=version, reason=reason)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    # Slips come before funds: whoever pays one holds it, and waits for no fund.
    seen = standing_prizes(look_at_period(command.room_id, period_id))
    slips = [lock_slip(command.room_id, slip_id, version=None) for slip_id in sorted(_slips_of(seen))]
    fund, period = lock_any_period(command.room_id, period_id, version=version)
    if period.status not in (Period.Status.WON, Period.Status.UNWON):
        raise NotDecided
    later = Period.objects.filter(fund=fund, begins_at__gt=period.begins_at)
    if later.filter(status__in=[Period.Status.WON, Period.Status.UNWON]).exists():
        raise LaterDecided
    if approved_by_id == period.decided_by_id:
        raise DoneByYourself
    prizes = standing_prizes(period)
    if _slips_of(prizes) != _slips_of(seen):
        raise Stale(what="fund", version=fund.version)
    audiences = _cancelled(command, slips)
    for prize in prizes:
        prize.taken_back_at = command.at
        prize.save(update_fields=["taken_back_at"])
    _promise_again(command, fund, period, day=day, pending=sum(prize.cents for prize in prizes), by=approved_by_id)
    was_won = period.status == Period.Status.WON
    undecide(period)
    data = {
        "period_id": period.pk,
        "was_won": was_won,
        "amount_cents": period.amount_cents,
        "slip_ids": [slip.pk for slip in slips],
        "decision_back_for": reason,
        "approved_by_id": approved_by_id,
    }
    return done(fund, data, audiences=audiences)


def _slips_of(prizes: list[Prize]) -> set[int]:
    return {prize.slip_id for prize in prizes if prize.slip_id is not None}


def _cancelled(command: Command, slips: list[Slip]) -> list[str]:
    """Take the locked slips of prizes away, and return the screens to tell. :raises PrizePaid: one was paid."""
    for slip in slips:
        if slip.status != Slip.Status.REQUESTED:
            raise PrizePaid(number=slip.number, drawer=slip.drawer.number if slip.drawer else 0)
    return sorted({audience for slip in slips for audience in cancel_waiting(command, slip)})


def _promise_again(command: Command, fund: Fund, period: Period, *, day: GamingDay, pending: int, by: int) -> None:
    """
    Move the money of a decided period to what is promised, and carry back what went to another period.

    The decision's own transfer is reversed; what differs now, because what was carried went further since, is moved.
    """
    _book, terms = high_hand_of(period)
    amount, about = period.amount_cents, {"period": period.pk}
    is_carried = period.status == Period.Status.UNWON and terms.unwon is not Unwon.STAYS
    promised = carry_back(fund, period, amount) if is_carried else 0
    check_covers(fund, amount - pending - promised)
    step(fund)
    moves = {"reserved": amount - promised, "pending": -pending, "free": pending + promised - amount}
    if period.transfer_id is not None:
        for line in mirror(period.transfer_id):
            moves[line.kind] -= line.cents
        move_back(command, fund, period.transfer_id, day_id=day.pk, approved_by_id=by, about=about)
    lines = [of_fund(fund.pk, kind, cents) for kind, cents in moves.items()]
    if any(moves.values()):
        kind = "promotion_undecided"
        move(command, fund, day_id=day.pk, kind=kind, lines=lines, approved_by_id=by, about=about)
