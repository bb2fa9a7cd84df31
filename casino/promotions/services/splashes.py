"""
Splash pots: when one is due a table is drawn for it, and the floor puts chips into that table's next pot.

The draw is bound before: the period's seed is committed to when it is opened, and shown when the period is over, with
the tables that played at each moment, so that anybody computes moments and tables again (`promotions.rules`).
"""

import uuid
from datetime import datetime

from casino.cage.audiences import at_window
from casino.cage.chart import of_drawer
from casino.cage.models import DrawerSession
from casino.cage.services.locks import lock_drawer, open_session
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.services.signatures import check_signed
from casino.people.waking import command_of_time
from casino.promotions.chart import of_fund
from casino.promotions.errors import (
    DoneByYourself,
    DrawerCountedSince,
    PeriodIsOver,
    SplashIsOver,
    SplashNotNoted,
)
from casino.promotions.models import Fund, Period, Splash
from casino.promotions.rules import splashed_table
from casino.promotions.services.funds import done, lock_fund, move, move_back, step
from casino.promotions.services.periods import open_splashes
from casino.promotions.terms import game_names, terms_of
from casino.rooms.selectors import lock_open_day, lock_open_day_for_fact, open_day
from tables.audiences import floor_of
from tables.chart import of_table
from tables.models import Seating, Table

_DRAWS = uuid.UUID("6c1f0b6e-3f55-4d0c-a1c8-7f2f3c0d9a41")
# Fewer play no hand.
PLAYERS_LEAST = 2
# What whoever signs that a splash is taken back must be allowed to do: they see that its chips are not in the pot.
NEEDS = "promotions.sign_splash"


def taking_back_signs(splash_id: int, *, version: int, reason: str) -> str:
    """Return what is signed: which splash is taken back, as its promotion stands, and why."""
    return f"take_back_splash.{splash_id}.{version}.{reason}"


@service("promotions.draw_splash")
def draw_splash(command: Command, *, splash_id: int) -> Outcome:
    """
    Draw the table of a splash that is due, among those that play then; where none does it is passed over.

    :raises NotFound: no such splash.
    :raises SplashIsOver: somebody was faster, or it is not due.
    :raises NoOpenDay: nothing is played.
    """
    day = lock_open_day(command.room_id)
    fund, splash = _locked(command, splash_id, Splash.Status.COMING)
    if splash.due_at > command.at:
        raise SplashIsOver
    splash.tables = _playing(splash.period)
    step(fund)
    if not splash.tables:
        _pass_over(command, fund, splash, "no_tables", day_id=day.pk)
        return done(fund, {"splash": splash.number, "period_id": splash.period_id, "is_drawn": False})
    number = splashed_table(splash.period.seed, splash=splash.number, tables=splash.tables)
    splash.table = Table.objects.get(room_id=command.room_id, number=number)
    splash.status, splash.drawn_at = Splash.Status.DRAWN, command.at
    splash.save(update_fields=["status", "tables", "table", "drawn_at"])
    return done(fund, {"splash": splash.number, "period_id": splash.period_id, "is_drawn": True, "table": number})


@service("promotions.note_splash")
def note_splash(command: Command, *, splash_id: int, drawer_id: int) -> Outcome:
    """
    Note that the pot was splashed with chips out of a drawer: they are in play at the table from now on.

    :raises NotFound: no such splash or drawer.
    :raises SplashIsOver: it was done or passed over, or no table is drawn.
    :raises NotPermitted: the tablet is neither the floor's nor the drawer's.
    :raises DrawerClosed: no chips came from there.
    """
    day = lock_open_day_for_fact(command.room_id)
    drawer = lock_drawer(command, drawer_id, is_floors_too=True)
    session = open_session(drawer)
    fund, splash = _locked(command, splash_id, Splash.Status.DRAWN)
    assert splash.table is not None, "a drawn splash has its table"
    step(fund)
    lines = [
        of_drawer(drawer.pk, "chips", -splash.cents),
        of_table(splash.table.pk, "in_play", splash.cents),
        of_fund(fund.pk, "reserved", -splash.cents),
        of_fund(fund.pk, "splashed", splash.cents),
    ]
    about = {"splash": splash.pk}
    splash.transfer_id = move(command, fund, day_id=day.pk, kind="promotion_splashed", lines=lines, about=about)
    splash.status, splash.drawer_id, splash.session_id = Splash.Status.SPLASHED, drawer.pk, session.pk
    _end(command, splash, "transfer_id", "drawer_id", "session_id")
    data = {"splash": splash.number, "period_id": splash.period_id, "table": splash.table.number}
    audiences = (*at_window(drawer.number), floor_of(splash.table))
    return done(fund, {**data, "amount_cents": splash.cents, "drawer_id": drawer.pk}, audiences=audiences)


@service("promotions.take_back_splash")
def take_back_splash(command: Command, *, splash_id: int, version: int, reason: str, approved_by_id: int) -> Outcome:
    """
    Take back that a pot was splashed: the chips are in the drawer again, and the pot is still to be splashed.

    A period that this splash had ended is open again. `version` is the fund's. `approved_by_id` neither asks nor noted
    the splash, and has signed `taking_back_signs`.

    :raises Malformed: the reason is none of `Splash.BackFor`.
    :raises NeedsSecondSignature, DoneByYourself: nobody signed it, or not this, or who had noted it.
    :raises NoOpenDay, NotFound, Stale: as they say.
    :raises SplashNotNoted: its chips are in no pot.
    :raises PeriodIsOver: its period was called off.
    :raises DrawerCountedSince: the drawer was counted and closed since.
    """
    if reason not in Splash.BackFor.values:
        raise Malformed(field="reason")
    signs = taking_back_signs(splash_id, version=version, reason=reason)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    seen = _look_at(command, splash_id)
    if seen.drawer_id is None:
        raise SplashNotNoted
    drawer = lock_drawer(command, seen.drawer_id, is_floors_too=True)
    fund, splash = _lock(command, seen, version=version)
    if splash.status != Splash.Status.SPLASHED:
        raise SplashNotNoted
    if splash.period.status == Period.Status.CALLED_OFF:
        raise PeriodIsOver
    if approved_by_id == splash.done_by_id:
        raise DoneByYourself
    if not DrawerSession.objects.filter(id=splash.session_id or 0, closed_at=None).exists():
        raise DrawerCountedSince(number=drawer.number)
    assert splash.table is not None, "chips were moved to a table"
    assert splash.transfer_id is not None, "by a transfer"
    step(fund)
    about = {"splash": splash.pk, "reason": reason}
    move_back(command, fund, splash.transfer_id, day_id=day.pk, approved_by_id=approved_by_id, about=about)
    _draw_again(splash)
    data = {"splash": splash.number, "period_id": splash.period_id, "table": splash.table.number}
    data |= {"amount_cents": splash.cents, "drawer_id": drawer.pk}
    audiences = (*at_window(drawer.number), floor_of(splash.table))
    return done(fund, {**data, "splash_back_for": reason, "approved_by_id": approved_by_id}, audiences=audiences)


@service("promotions.pass_splash")
def pass_splash(command: Command, *, splash_id: int, reason: str) -> Outcome:
    """
    Pass a drawn splash over that could not be done, with a reason: its money is free in the fund again.

    :raises Malformed: the reason is none of `Splash.Reason`.
    :raises NotFound, SplashIsOver, NoOpenDay: as they say.
    """
    if reason not in Splash.Reason.values:
        raise Malformed(field="reason")
    day = lock_open_day(command.room_id)
    fund, splash = _locked(command, splash_id, Splash.Status.DRAWN)
    step(fund)
    _pass_over(command, fund, splash, reason, day_id=day.pk)
    return done(fund, {"splash": splash.number, "period_id": splash.period_id, "passed_for": reason})


def _locked(command: Command, splash_id: int, status: Splash.Status) -> tuple[Fund, Splash]:
    """Lock the promotion of a splash. :raises NotFound: there is none. :raises SplashIsOver: it has another status."""
    fund, splash = _lock(command, _look_at(command, splash_id))
    if splash.status != status or not splash.period.is_open:
        raise SplashIsOver
    return fund, splash


def _look_at(command: Command, splash_id: int) -> Splash:
    """Return a splash without locking its promotion. :raises NotFound: the room has no such one."""
    splash = Splash.objects.filter(id=splash_id, period__room_id=command.room_id).select_related("period__fund").first()
    if splash is None:
        raise NotFound(what="splash")
    return splash


def _lock(command: Command, seen: Splash, *, version: int | None = None) -> tuple[Fund, Splash]:
    """Lock the promotion of a splash, and return both as they are then. :raises Stale: as `lock_fund`."""
    fund = lock_fund(command.room_id, seen.period.fund.code, version=version)
    splash = Splash.objects.select_related("period", "table").get(id=seen.pk)
    splash.period.fund = fund
    return fund, splash


def _playing(period: Period) -> list[int]:
    """Return the numbers of the tables that can be drawn now, in their order. Two queries."""
    names = game_names(*terms_of(period))
    sits = Seating.objects.filter(room_id=period.room_id, left_at=None, away_since=None)
    seats = list(sits.filter(table__opening__game__name__in=names).values_list("table__number", flat=True))
    return sorted({number for number in seats if seats.count(number) >= PLAYERS_LEAST})


def _pass_over(command: Command, fund: Fund, splash: Splash, reason: str, *, day_id: int) -> None:
    splash.status, splash.reason = Splash.Status.PASSED, reason
    lines = [of_fund(fund.pk, "reserved", -splash.cents), of_fund(fund.pk, "free", splash.cents)]
    move(command, fund, day_id=day_id, kind="promotion_passed", lines=lines, about={"splash": splash.pk})
    _end(command, splash, "reason", "tables")


def _end(command: Command, splash: Splash, *fields: str) -> None:
    """Write what became of a splash: its money is promised no more, and the last one ends the period."""
    splash.done_at, splash.done_by_id = command.at, command.by.staff_id
    splash.save(update_fields=["status", "done_at", "done_by_id", *fields])
    period = splash.period
    period.reserved_cents -= splash.cents
    if not open_splashes(period).exists():
        period.status, period.decided_at = Period.Status.DONE, command.at
    period.save(update_fields=["reserved_cents", "status", "decided_at"])


def _draw_again(splash: Splash) -> None:
    """Have a splash that was noted wait again at its table, its money promised, and its period open."""
    splash.status = Splash.Status.DRAWN
    splash.done_at = splash.done_by_id = splash.drawer_id = splash.session_id = splash.transfer_id = None
    splash.save(update_fields=["status", "done_at", "done_by_id", "drawer_id", "session_id", "transfer_id"])
    period = splash.period
    period.reserved_cents += splash.cents
    period.status, period.decided_at = Period.Status.OPEN, None
    period.save(update_fields=["reserved_cents", "status", "decided_at"])


def draw_due(*, at: datetime) -> None:
    """Draw a table for each splash that is due by then, in rooms that are open. One query, where nothing is due."""
    due = Splash.objects.filter(status=Splash.Status.COMING, due_at__lte=at, period__status=Period.Status.OPEN)
    for splash_id, room_id in due.order_by("due_at", "id").values_list("id", "period__room_id"):
        if open_day(room_id) is not None:
            # Two workers in the same second give one command.
            draw_splash(command_of_time(room_id, uuid.uuid5(_DRAWS, str(splash_id)), at), splash_id=splash_id)
