"""Questions to the cage."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, Max, QuerySet, Sum

from casino.cage import deliveries
from casino.cage.about import AtSeat
from casino.cage.chart import DRAWER
from casino.cage.models import Drawer, DrawerCount, DrawerSession, RequestMoney, Slip
from casino.cage.money import money_of, words
from casino.cage.notes import counted_values
from casino.cage.paid_on import paid_on
from casino.cage.rules import METHODS, NOT_ON_PAPER
from casino.errors import NotFound
from casino.ledger.models import Posting
from casino.ledger.selectors import figures
from casino.people.models import Staff
from casino.people.standing import ids_of, may_sign
from casino.reading import read_once
from casino.rooms.models import GamingDay
from casino.rooms.selectors import books_so_far, open_day, rule_book_in_force
from casino.rows import read_seldom

# What moves a drawer by a slip, which is its payer's, and what counts it. All else is by whoever made it, of any app. A
# reversal goes out of the session in which it is made, whichever session its slip was of.
_BY_SLIP_OR_COUNT = (*Slip.Kind.values, "drawer_opened", "drawer_closed", "drawer_recounted")
# Sales of racks that a page shows, the newest.
SOLD_SHOWN = 200
_DAYS_THAT_WAIT = "FROM rooms_gamingday WHERE room_id = %s AND counts_wait ORDER BY date, id"


@dataclass(frozen=True)
class WaitingSlip:
    """
    One slip that waits for money, as the cage's screen shows it. `was_paid`: the money was taken before Brush knew of
    it, by the means `paid_by`, "" where nobody knows. `money`: who has the money now, None where the player has it and
    nobody ever took it.
    """

    slip_id: int
    version: int
    kind: str
    player_id: int | None
    nickname: str
    amount_cents: int
    label: str
    requested_at: datetime
    was_paid: bool = False
    paid_by: str = ""
    money: RequestMoney | None = None
    money_words: str = ""

    @property
    def methods(self) -> str:
        """By which means it may be paid, one word behind the other."""
        possible = METHODS.get(self.kind, ())
        return " ".join(each for each in possible if not self.was_paid or each not in NOT_ON_PAPER)

    @property
    def is_carried(self) -> bool:
        """Whether its money is on its way: the cage is still to receive it."""
        return self.money is not None and self.money.is_held and self.money.money_with != RequestMoney.With.CAGE


@dataclass(frozen=True)
class Values:
    """By which values cash and chips are counted: cents, greatest first."""

    cash: tuple[int, ...]
    chips: tuple[int, ...]


@dataclass(frozen=True)
class Window:
    """One drawer as its window shows it. What is expected in it is no part of this: counts are blind."""

    drawer: Drawer
    session: DrawerSession | None
    slips: list[Slip]
    slips_count: int


def waiting_slips(room_id: int) -> list[WaitingSlip]:
    """
    Return the slips that wait for money, oldest first; prizes stand on the card of who comes for them. One query,
    besides what destinations ask for labels.
    """
    slips = Slip.objects.filter(room_id=room_id, status=Slip.Status.REQUESTED).exclude(kind=Slip.Kind.PRIZE)
    return _as_waiting(slips)


def prizes_of(room_id: int, player_id: int) -> list[WaitingSlip]:
    """Return the prizes that wait for a player, oldest first. One query, besides what destinations ask for labels."""
    slips = Slip.objects.filter(room_id=room_id, status=Slip.Status.REQUESTED, kind=Slip.Kind.PRIZE)
    return _as_waiting(slips.filter(player_id=player_id))


def _as_waiting(slips: QuerySet[Slip]) -> list[WaitingSlip]:
    return [
        WaitingSlip(
            slip_id=slip.pk,
            version=slip.version,
            kind=slip.kind,
            player_id=slip.player_id,
            nickname=slip.player.nickname if slip.player else "",
            amount_cents=slip.amount_cents,
            label=deliveries.of(slip).label(slip.where_player_sits()),
            requested_at=slip.requested_at,
            was_paid=deliveries.of(slip).was_paid,
            paid_by=deliveries.of(slip).paid_by(slip),
            money=money_of(slip),
            money_words=words(money_of(slip)),
        )
        for slip in slips.select_related("player", "money__staff").order_by("requested_at", "id")
    ]


def drawers(room_id: int) -> list[Drawer]:
    """Return the room's drawers by number. One query."""
    return list(Drawer.objects.filter(room_id=room_id, place_kind="").order_by("number"))


def windows(room_id: int) -> list[Drawer]:
    """Return the drawers that stand at the cage, by number: no runner's banks. One query."""
    return list(Drawer.objects.filter(room_id=room_id, is_bank=False, place_kind="").order_by("number"))


def drawer_id(room_id: int, number: int) -> int:
    """Return the id of the room's drawer of this number. One query. :raises NotFound: there is none."""
    pk = Drawer.objects.filter(room_id=room_id, number=number).values_list("id", flat=True).first()
    if pk is None:
        raise NotFound(what="drawer")
    return pk


def drawer_numbers(ids: Iterable[int]) -> dict[int, str]:
    """Return the numbers of drawers by their ids, for the ledger's page. One query."""
    return {pk: str(number) for pk, number in Drawer.objects.filter(id__in=set(ids)).values_list("id", "number")}


def drawer_figures(drawer_id: int) -> dict[str, int]:
    """Return the balances of one drawer's accounts by kind, in cents: what a count is held against. One query."""
    return figures(DRAWER, drawer_id)


def moved_besides(drawer_id: Any, since: Any) -> QuerySet[Posting]:
    """Return what moved a drawer since a moment besides its slips and counts; each may be an `OuterRef`."""
    postings = Posting.objects.filter(account__owner_kind=DRAWER, account__owner_id=drawer_id, transfer__at__gte=since)
    return postings.exclude(transfer__kind__in=_BY_SLIP_OR_COUNT)


def payers_of(session: DrawerSession) -> set[int]:
    """
    Return who has put something into the session's drawer or taken it out, by id: somebody else counts it. One query.

    They paid a slip or reversed one, counted a fill there or gave a credit to its runner, took in what was found or
    gave it out, moved something there by another app's service; or they hold it, where it is a runner's bank.
    """
    slips = Slip.objects.filter(session=session).order_by().values_list("paid_by_id")
    until = session.closed_at or datetime.max.replace(tzinfo=UTC)
    moved = moved_besides(session.drawer_id, session.opened_at).filter(transfer__at__lte=until)
    by = slips.union(moved.order_by().values_list("transfer__made_by_id"))
    held = set() if session.holder_id is None else {session.holder_id}
    return held | {staff_id for (staff_id,) in by if staff_id is not None}


def counted_in(session: DrawerSession) -> list[DrawerCount]:
    """Return a session's counts, first one first; none while its drawer is open. One query."""
    return list(DrawerCount.objects.filter(session=session).order_by("number"))


def values_counted(room_id: int, *, at: datetime) -> Values:
    """
    Return by which values a drawer is counted: the currency's notes and coins, and chips of every book so far, for what
    an older one issued comes back. Two queries.
    """
    book = rule_book_in_force(room_id, at=at)[1]
    chips = {value for each in (book, *books_so_far(room_id, at=at)) for value in each.chips_cents}
    return Values(counted_values(book.house.currency), tuple(sorted(chips, reverse=True)))


def window(room_id: int, number: int, *, most: int = 60) -> Window | None:
    """Return one drawer with its newest slips of this session, at most `most`. Four queries."""
    drawer = Drawer.objects.filter(room_id=room_id, number=number, place_kind="").first()
    if drawer is None:
        return None
    session = DrawerSession.objects.filter(drawer=drawer, closed_at=None).select_related("opened_by", "day").first()
    if session is None:
        return Window(drawer, None, [], 0)
    slips = Slip.objects.filter(session=session)
    newest = list(slips.select_related("player").order_by("-number")[:most])
    return Window(drawer, session, newest, slips.count())


@dataclass(frozen=True)
class UnnamedToday:
    """What was paid on the open day for chips of guests without a name, over every window, and when last."""

    count: int
    cents: int
    last_at: datetime | None


def unnamed_today(room_id: int) -> UnnamedToday:
    """Return what was paid on the open day for chips of guests without a name, over all windows. Two queries."""
    day = open_day(room_id)
    if day is None:
        return UnnamedToday(0, 0, None)
    paid = Slip.objects.filter(
        paid_on(day.room_id, [day.pk]), kind=Slip.Kind.CASH_OUT, player=None, status=Slip.Status.PAID
    )
    sums = paid.aggregate(count=Count("id"), cents=Sum("amount_cents"), last_at=Max("paid_at"))
    return UnnamedToday(sums["count"], sums["cents"] or 0, sums["last_at"])


def slip_of(room_id: int, slip_id: int) -> Slip | None:
    """Return a slip with everybody and everything that its paper names. One query."""
    return (
        Slip.objects.filter(room_id=room_id, id=slip_id)
        .select_related(
            "player",
            "drawer",
            "paid_by",
            "voided_by",
            "void_approved_by",
            "requested_by",
            "approved_by",
            "refused",
            "signed__seen_by",
            "money__staff",
            "chips__staff",
            "chips__delivered_by",
            "notes__rate",
            "voucher",
        )
        .first()
    )


def slip_numbered(room_id: int, drawer_number: int, number: int) -> int | None:
    """Return the id of a slip by its drawer's number and its own. One query."""
    slips = Slip.objects.filter(room_id=room_id, drawer__number=drawer_number, number=number)
    return slips.values_list("id", flat=True).first()


def sold_by_racks(day: GamingDay) -> list[Slip]:
    """Return the newest slips of what racks sold on a day, with whom it was sold to, and by whom. One query."""
    slips = Slip.objects.filter(session__day=day).exclude(drawer__place_kind="").exclude(drawer=None)
    return list(slips.select_related("player", "paid_by", "drawer").order_by("-id")[:SOLD_SHOWN])


def has_cashed_out_since(room_id: int, player_id: int, *, since: datetime) -> bool:
    """Say whether the cage has paid a player's chips out since that moment, and it stands. One query."""
    paid = Slip.objects.filter(ids_of(player_id), room_id=room_id, paid_at__gte=since)
    return paid.filter(kind=Slip.Kind.CASH_OUT, status=Slip.Status.PAID).exists()


def was_carried(room_id: int, player_id: int, *, destination: str, seating_id: int) -> bool:
    """Say whether a slip waits for the chips of a seating that staff carry, or was paid for them. One query."""
    of_seating = AtSeat.of_seating(seating_id)
    slips = Slip.objects.filter(ids_of(player_id), of_seating, room_id=room_id, destination=destination)
    return slips.filter(status__in=[Slip.Status.REQUESTED, Slip.Status.PAID]).exists()


def closed_session(room_id: int, session_id: int) -> tuple[DrawerSession, list[DrawerCount]] | None:
    """Return a closed session and its counts, first one first; None while it is open. Three queries."""
    session = (
        DrawerSession.objects.filter(drawer__room_id=room_id, drawer__place_kind="", id=session_id)
        .filter(closed_at__isnull=False)
        .select_related("drawer", "day", "closed_day", "opened_by", "opened_with", "closed_by", "holder")
        .first()
    )
    if session is None:
        return None
    counts = DrawerCount.objects.filter(session=session).select_related("counted_by", "counted_with")
    return session, list(counts.prefetch_related("notes").order_by("number"))


def counted_today(drawer: Drawer) -> list[DrawerSession]:
    """Return a drawer's sessions that were counted and closed on the open day, the newest first. One query."""
    sessions = DrawerSession.objects.filter(drawer=drawer, closed_day__isnull=False, closed_day__closed_at=None)
    return list(sessions.order_by("-id"))


def last_counts(room_id: int, *, offset: int = 0, most: int = 50) -> list[DrawerCount]:
    """Return what was counted in the room's drawers, the newest first, recounts beside first counts. Two queries."""
    counts = DrawerCount.objects.filter(session__drawer__room_id=room_id).order_by("-id").prefetch_related("notes")
    return list(counts.select_related("session__drawer", "session__closed_day")[offset : offset + most])


def closed_sessions(room_id: int, *, most: int = 12) -> list[DrawerSession]:
    """Return the sessions that were counted and closed last, newest first. One query."""
    sessions = DrawerSession.objects.filter(drawer__room_id=room_id, drawer__place_kind="", closed_at__isnull=False)
    return list(sessions.select_related("drawer", "closed_day").order_by("-closed_day", "-id")[:most])


@read_once
def days_that_wait(room_id: int) -> list[GamingDay]:
    """Return the gaming days that are closed for operations and not as counted yet, the oldest first. One query."""
    return [day for (day,) in read_seldom((GamingDay,), _DAYS_THAT_WAIT, room_id)]


def session_sums(session: DrawerSession) -> list[tuple[str, str, int, int]]:
    """Return (kind, method, how many, cents) of a session's paid slips, by kind. One query."""
    return list(
        Slip.objects.filter(session=session, status=Slip.Status.PAID)
        .order_by("kind", "method")
        .values_list("kind", "method")
        .annotate(count=Count("id"), cents=Sum("amount_cents"))
    )


def approvers(room_id: int, *, needs: str, without: Container[int | None]) -> list[Staff]:
    """Return who may sign at the cage, the floor or a desk, as people say (`may_sign`). One query."""
    return may_sign(room_id, needs=needs, without=without)
