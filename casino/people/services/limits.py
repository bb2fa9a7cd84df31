"""Limits that players set for themselves."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.people.elsewhere import everywhere
from casino.people.models import OwnLimit, Player
from casino.people.rules.limits import Limit
from casino.people.services.exclusions import about, watch
from casino.people.services.locks import lock_player
from casino.people.standing import newest_day_id, standing_of

# A day has no more minutes, and nobody buys in for more than a billion.
MOST = {OwnLimit.Kind.BUY_IN: 10**11, OwnLimit.Kind.HOURS: 24 * 60}


@service("people.set_own_limit")
def set_own_limit(command: Command, *, player_id: int, kind: str, amount: int | None) -> Outcome:
    """
    Write down the limit that a player asks for: cents of buy-ins or minutes of play in a gaming day, None for none.

    What leaves less holds at once, what leaves more from the next gaming day. The answer's data: `holds` is "now" or
    "next_day".

    :raises Malformed: no such kind of limit, or beyond reason.
    """
    if kind not in OwnLimit.Kind.values:
        raise Malformed(field="kind")
    if amount is not None and not 0 <= amount <= MOST[OwnLimit.Kind(kind)]:
        raise Malformed(field="amount")
    player = lock_player(command, player_id)
    limit = write_wish(command, player, kind=kind, amount=amount)
    audiences = tell_limits(command, player)
    holds = "now" if limit.coming is None else "next_day"
    return about(player, audiences, kind=kind, amount=amount, holds=holds)


def write_wish(command: Command, player: Player, *, kind: str, amount: int | None) -> Limit:
    """Add one wish of a locked player, and return the limit as it is then."""
    day_id = newest_day_id(command.room_id)
    OwnLimit.objects.create(
        room_id=command.room_id,
        player=player,
        kind=kind,
        amount=amount,
        day_id=day_id or None,
        wished_at=command.at,
        noted_by_id=command.staff_id,
    )
    watch(player)
    return standing_of(player, day_id=day_id).limits[kind]


def tell_limits(command: Command, player: Player) -> list[str]:
    """Have the other apps follow the locked player's limits; return the screens to tell."""
    standing = standing_of(player, day_id=newest_day_id(command.room_id))
    return [screen for app in everywhere() for screen in app.limits_changed(command, player, standing)]
