"""Who waits before everybody since a table closed under them."""

from dataclasses import dataclass

from casino.waiting.models import Waiting
from tables.models import Seating


@dataclass(frozen=True)
class WaitsFirst:
    """A player who waits before the list, and the seating that ended with it."""

    entry: Waiting
    left: Seating | None


def with_right(opening_id: int) -> list[WaitsFirst]:
    """Return who waits by right since a game closes, in order. Two queries at most."""
    live = Waiting.objects.filter(right_from=opening_id, status__in=Waiting.LIVE)
    entries = list(live.select_related("player").order_by("place", "id"))
    if not entries:
        return []
    # Of each the seating that ended last: nobody sits down at a closing table but who takes a leaving back.
    gone = Seating.objects.filter(
        opening=opening_id, left_at__isnull=False, player__in=[each.player for each in entries]
    )
    left = {seating.player_id: seating for seating in gone.order_by("left_at", "id")}
    return [WaitsFirst(entry, left.get(entry.player_id)) for entry in entries]
