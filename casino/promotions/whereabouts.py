"""What promotions do when a player asks to be forgotten."""

from collections.abc import Sequence

from casino.people.elsewhere import Elsewhere
from casino.promotions.errors import HandStillCounts
from casino.promotions.models import Entry, Period, Prize


class InPromotions(Elsewhere):
    """Hands of a player that may win, and prizes."""

    def erasing(self, player_ids: Sequence[int]) -> None:
        """:raises HandStillCounts: a period with a hand of theirs is open, or a prize not paid."""
        hands = Entry.objects.filter(player_id__in=player_ids, taken_back_at=None, period__status=Period.Status.OPEN)
        prizes = Prize.objects.filter(player_id__in=player_ids, paid_at=None, taken_back_at=None)
        if hands.exists() or prizes.exists():
            raise HandStillCounts
