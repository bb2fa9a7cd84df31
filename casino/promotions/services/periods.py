"""A period of a promotion: opened with what its fund covers, and called off by two."""

from datetime import datetime, timedelta

from django.db.models import QuerySet

from casino import chance
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.services.signatures import check_signed
from casino.promotions.chart import of_fund
from casino.promotions.errors import CarriedIsGone, PeriodIsOver, PeriodsOverlap
from casino.promotions.models import Fund, Period, Splash
from casino.promotions.rules import splash_moments
from casino.promotions.services.funds import check_covers, done, lock_fund, move, step
from casino.promotions.terms import promotion_of
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from casino.rulebooks.promotions import HighHand, SplashPot

# As many as a day and a night can hold of the shortest that anybody runs.
PERIODS_MOST = 48
# What the manager who signs under a period must be allowed to do.
NEEDS = "promotions.sign_period"
_DECIDED = ("status", "reserved_cents", "decided_at", "decided_by", "approved_by", "transfer_id")


def call_off_signs(period_id: int, *, version: int, reason: str) -> str:
    """Return what is signed: which period, as its promotion stands, and why."""
    return f"call_off_period.{period_id}.{version}.{reason}"


@service("promotions.open_periods")
def open_periods(command: Command, *, promotion: str, begins_at: datetime | None = None, number: int = 1) -> Outcome:
    """
    Open so many periods of a promotion, one after the other from a moment on, now where none is said.

    What they pay is promised at once: the fund has to cover all of them. What nobody won before is paid by the first.

    :raises Malformed: none, or more than `PERIODS_MOST`, or it begins before now, or at no whole minute.
    :raises NoOpenDay, NoPromotion: as they say.
    :raises NotFound: nobody has put money in.
    :raises PeriodsOverlap: another period of the promotion runs then.
    :raises FundTooSmall: the fund does not cover them.
    """
    if not 1 <= number <= PERIODS_MOST:
        raise Malformed(field="number")
    day = lock_open_day(command.room_id)
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    terms = promotion_of(book, promotion)
    fund = lock_fund(command.room_id, promotion)
    # Whole minutes, as everybody reads it; nothing that was shown before is promised anything afterwards.
    begins, length = begins_at or command.at.replace(second=0, microsecond=0), timedelta(minutes=terms.period_minutes)
    if begins.second or begins.microsecond or begins < command.at - timedelta(minutes=1):
        raise Malformed(field="begins_at")
    running = Period.objects.filter(fund=fund, begins_at__lt=begins + number * length, ends_at__gt=begins)
    if running.exclude(status=Period.Status.CALLED_OFF).exists():
        raise PeriodsOverlap
    carried = 0
    if isinstance(terms, HighHand):
        carried, fund.carried_cents = fund.carried_cents, 0
    promised = carried + number * terms.amount_cents
    check_covers(fund, promised)
    step(fund)
    periods = [
        Period.objects.create(
            room_id=fund.room_id,
            fund=fund,
            begins_at=begins + at * length,
            ends_at=begins + (at + 1) * length,
            amount_cents=terms.amount_cents + (carried if at == 0 else 0),
            carried_cents=carried if at == 0 else 0,
            reserved_cents=terms.amount_cents + (carried if at == 0 else 0),
            rule_book_version_id=version_id,
            opened_at=command.at,
            opened_by_id=command.staff_id,
            seed=chance.new_seed() if isinstance(terms, SplashPot) else "",
        )
        for at in range(number)
    ]
    if isinstance(terms, SplashPot):
        for period in periods:
            plan_splashes(period, terms)
    lines = [of_fund(fund.pk, "free", -promised), of_fund(fund.pk, "reserved", promised)]
    move(command, fund, day_id=day.pk, kind="promotion_opened", lines=lines)
    return done(fund, {"periods": [period.pk for period in periods], "number": number, "amount_cents": promised})


@service("promotions.call_off_period")
def call_off_period(command: Command, *, period_id: int, version: int, reason: str, approved_by_id: int) -> Outcome:
    """
    Call a period off: nobody wins it, and what it promised is free in the fund again, but for what was carried
    to it: the next open one pays that, or the next that is opened. Hands stay on record.

    `version` is the fund's. `approved_by_id` is a manager who has signed `call_off_signs`.

    :raises Malformed: the reason is none of `Period.Reason`.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NoOpenDay, NotFound, Stale: as they say.
    :raises PeriodIsOver: it was decided.
    """
    if reason not in Period.Reason.values:
        raise Malformed(field="reason")
    signs = call_off_signs(period_id, version=version, reason=reason)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    fund, period = lock_period(command.room_id, period_id, version=version)
    back = period.reserved_cents
    stays = carry_over(fund, period, period.carried_cents)
    period.reason = reason
    open_splashes(period).update(status=Splash.Status.CALLED_OFF)
    decide(command, period, Period.Status.CALLED_OFF, approved_by_id=approved_by_id)
    step(fund)
    lines = [of_fund(fund.pk, "reserved", stays - back), of_fund(fund.pk, "free", back - stays)]
    about = {"period": period.pk}
    move(
        command, fund, day_id=day.pk, kind="promotion_called_off", lines=lines, approved_by_id=approved_by_id,
        about=about,
    )  # fmt: skip
    data = {"period_id": period.pk, "amount_cents": back, "called_off_for": reason, "approved_by_id": approved_by_id}
    return done(fund, data)


def carry_over(fund: Fund, period: Period, cents: int) -> int:
    """
    Have the next open period pay what nobody has won in one; return how much stays promised for it.

    Where none is open yet it goes back to the fund, and is carried to the next that is opened.
    """
    later = Period.objects.filter(fund=fund, status=Period.Status.OPEN, begins_at__gte=period.ends_at, seed="")
    following = later.order_by("begins_at", "id").first()
    if following is None:
        fund.carried_cents += cents
        return 0
    _carry(following, cents)
    return cents


def carry_back(fund: Fund, period: Period, cents: int) -> int:
    """
    Take back from wherever it is what `carry_over` gave on of a period; return how much of it was promised there.

    It may have gone further since: a period that was called off gave it on, or the next that was opened took it.

    :raises CarriedIsGone: it was taken out of the fund.
    """
    left = cents
    later = Period.objects.filter(fund=fund, status=Period.Status.OPEN, begins_at__gte=period.ends_at)
    for each in later.filter(carried_cents__gt=0).order_by("begins_at", "id"):
        back = min(left, each.carried_cents)
        if back:
            _carry(each, -back)
        left -= back
    if left > fund.carried_cents:
        raise CarriedIsGone
    fund.carried_cents -= left
    return cents - left


def _carry(period: Period, cents: int) -> None:
    for field in ("amount_cents", "carried_cents", "reserved_cents"):
        setattr(period, field, getattr(period, field) + cents)
    period.save(update_fields=["amount_cents", "carried_cents", "reserved_cents"])


def plan_splashes(period: Period, terms: SplashPot) -> None:
    """Write when pots are splashed in a new period; the moments follow from its seed."""
    moments = splash_moments(
        period.seed, begins_at=period.begins_at, ends_at=period.ends_at, number=terms.splashes, moments=terms.moments
    )
    Splash.objects.bulk_create(
        Splash(period=period, number=number, cents=terms.each_cents, due_at=at)
        for number, at in enumerate(moments, start=1)
    )


def open_splashes(period: Period) -> QuerySet[Splash]:
    """Return those splashes of a period that are to come, or drawn and not done."""
    return Splash.objects.filter(period=period, status__in=[Splash.Status.COMING, Splash.Status.DRAWN])


def look_at_period(room_id: int, period_id: int) -> Period:
    """Return a period without locking its promotion. One query. :raises NotFound: the room has no such period."""
    period = Period.objects.filter(room_id=room_id, id=period_id).select_related("fund").first()
    if period is None:
        raise NotFound(what="period")
    return period


def lock_period(room_id: int, period_id: int, *, version: int | None = None) -> tuple[Fund, Period]:
    """
    Lock the promotion of an open period, and return its fund and the period as it is then. Three queries.

    :raises NotFound, Stale: as `lock_fund`.
    :raises PeriodIsOver: it was decided, or called off.
    """
    fund, period = lock_any_period(room_id, period_id, version=version)
    if not period.is_open:
        raise PeriodIsOver
    return fund, period


def lock_any_period(room_id: int, period_id: int, *, version: int | None) -> tuple[Fund, Period]:
    """Do the same of a period that need not be open. :raises NotFound, Stale: as `lock_fund`."""
    fund = lock_fund(room_id, look_at_period(room_id, period_id).fund.code, version=version)
    period = Period.objects.get(id=period_id)
    period.fund = fund
    return fund, period


def decide(command: Command, period: Period, status: Period.Status, *, approved_by_id: int) -> None:
    """Write the last word on a period: nothing is promised of it any more."""
    period.status, period.reserved_cents = status, 0
    period.decided_at, period.decided_by_id, period.approved_by_id = command.at, command.staff_id, approved_by_id
    period.save(update_fields=[*_DECIDED, "reason"])


def undecide(period: Period) -> None:
    """Have a decided period be open again, with all that it pays promised."""
    period.status, period.reserved_cents = Period.Status.OPEN, period.amount_cents
    period.decided_at = period.decided_by = period.approved_by = period.transfer_id = None
    period.save(update_fields=_DECIDED)
