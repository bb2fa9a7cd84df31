"""What the jackpots do when a player asks to be forgotten."""

from collections.abc import Sequence

from casino.people.elsewhere import Elsewhere
from jackpot.errors_claims import ClaimStillOpen
from jackpot.models import Claim, ClaimShare


class InClaims(Elsewhere):
    """Claims whose hand a player was dealt into, and shares of them."""

    def erasing(self, player_ids: Sequence[int]) -> None:
        """:raises ClaimStillOpen: a claim is not decided, or a share not paid."""
        dealt_in = Claim.objects.filter(status__in=Claim.OPEN, hand__seats__player_id__in=player_ids)
        if ClaimShare.objects.filter(player_id__in=player_ids, paid_at=None).exists() or dealt_in.exists():
            raise ClaimStillOpen
