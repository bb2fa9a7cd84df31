"""Questions about slips: those that wait, those that were paid, and one by itself."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, QuerySet, Sum

from casino.cage import deliveries
from casino.cage.about import AtSeat
from casino.cage.models import DrawerSession, RequestMoney, Slip
from casino.cage.rules import METHODS, NOT_ON_PAPER
from casino.cage.selectors.money import money_of, words
from casino.cage.selectors.paid_on import paid_on
from casino.people.standing import ids_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day

# Sales of racks that a page shows, the newest.
SOLD_SHOWN = 200


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


def session_sums(session: DrawerSession) -> list[tuple[str, str, int, int]]:
    """Return (kind, method, how many, cents) of a session's paid slips, by kind. One query."""
    return list(
        Slip.objects.filter(session=session, status=Slip.Status.PAID)
        .order_by("kind", "method")
        .values_list("kind", "method")
        .annotate(count=Count("id"), cents=Sum("amount_cents"))
    )
