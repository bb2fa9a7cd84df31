"""
May these chips be sold to this player? Who may not play buys none, a limit of the player's own is kept, and a tap made
twice sells once.
"""

from datetime import timedelta

from django.db.models import Max, Q, Sum
from django.db.models.functions import Greatest

from casino.cage import deliveries
from casino.cage.about import AtSeat
from casino.cage.errors import OverOwnBuyInLimit, SameBuyIn
from casino.cage.models import Slip
from casino.cage.selectors.paid_on import paid_on
from casino.commands.carrying_out import Command
from casino.people.models import OwnLimit
from casino.people.services.locks import lock_player
from casino.people.services.playing import lock_for_play
from casino.people.standing import ids_of
from casino.rooms.models import GamingDay
from casino.rulebooks import RuleBook


def lock_whose(command: Command, slip: Slip, day: GamingDay) -> None:
    """
    Lock the player of a slip that is asked for or paid, where two of one player meet, and check a buy-in.

    One statement; two for whoever is watched, three for whoever has a limit. What leaves the house is theirs, whatever
    stands about them, and what they have paid is paid: it is not asked.

    :raises NotFound: the room knows no such player.
    :raises PlayerBanned, PlayerExcludedOwnWish: who may not play buys nothing.
    :raises OverOwnBuyInLimit: more than the player's own limit leaves today.
    """
    if slip.player_id is None:
        return
    if slip.kind != Slip.Kind.BUY_IN or deliveries.of(slip).was_paid:
        lock_player(command, slip.player_id)
        return
    player, standing = lock_for_play(command, slip.player_id, day_id=day.pk)
    limit = standing.limit(OwnLimit.Kind.BUY_IN)
    if limit is None:
        return
    left = max(limit - bought_cents(player.pk, day=day, without=slip.pk), 0)
    if slip.amount_cents > left:
        raise OverOwnBuyInLimit(limit_cents=limit, left_cents=left, asked_cents=slip.amount_cents)


def bought_cents(player_id: int, *, day: GamingDay, without: int | None = None) -> int:
    """
    Return what a player has bought on a gaming day or asked for, in cents, less one slip. One query.

    What waits counts too, or two waiting slips would pass a limit that each alone keeps. What was carried over
    from the day before counts on the open one.
    """
    paid, requested = Q(paid_on(day.room_id, [day.pk]), status=Slip.Status.PAID), Q(status=Slip.Status.REQUESTED)
    counted = Slip.objects.filter(ids_of(player_id), paid | requested, kind=Slip.Kind.BUY_IN).exclude(pk=without or 0)
    return int(counted.aggregate(total=Sum("amount_cents"))["total"] or 0)


def check_not_twice(command: Command, slip: Slip, book: RuleBook) -> None:
    """
    Let a new buy-in pass, unless the same was asked for or paid just now: player, place and amount. The player is
    locked.

    Of a guest without a name nobody knows whether it is the same one. One query.

    :raises SameBuyIn: it was, within the book's `cage.same_again_seconds`.
    """
    if slip.player_id is None or not book.cage.same_again_seconds:
        return
    since = command.at - timedelta(seconds=book.cage.same_again_seconds)
    place = AtSeat.of_seating(slip.seat.seating) if slip.seat else Q()
    # What waited for long and was paid just now may be the very one that somebody believes to be unpaid.
    twins = Slip.objects.filter(
        Q(requested_at__gt=since) | Q(paid_at__gt=since),
        place,
        player_id=slip.player_id,
        kind=Slip.Kind.BUY_IN,
        amount_cents=slip.amount_cents,
        destination=slip.destination,
        status__in=[Slip.Status.REQUESTED, Slip.Status.PAID],
    )
    last_at = twins.aggregate(at=Max(Greatest("requested_at", "paid_at")))["at"]
    if last_at is not None:
        seconds = max((command.at - last_at) // timedelta(seconds=1), 0)
        raise SameBuyIn(amount_cents=slip.amount_cents, seconds=seconds)
