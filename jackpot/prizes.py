"""What the cage pays of a jackpot: a slip that waits for whoever won a share, or gets one at the jackpot's end."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from casino.cage.about import About
from casino.cage.deliveries import Destination
from casino.cage.models import Slip
from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine
from casino.people.models import Player
from jackpot.errors_claims import ShareDisputed, ShareStays
from jackpot.models import Claim, ClaimShare, Pool
from jackpot.push import CLAIMS, NEWS
from jackpot.services.pool import share_lines

DESTINATION = "jackpot"
AT_END = "jackpot_end"


@dataclass(frozen=True, kw_only=True)
class Won(About):
    """A share of a claim: their ids, and the numbers of the table and of the hand there, as the cage calls it."""

    claim: int
    share: int
    table: int
    hand: int


@dataclass(frozen=True, kw_only=True)
class AtItsEnd(About):
    """A share of a jackpot that was wound down: the pool's id and its code."""

    pool: int
    jackpot: str


class Share(Destination):
    """What a player won of a jackpot."""

    def check(self, slip: Slip, *, at: datetime) -> None:
        """Lock the share, which is paid once. :raises ShareDisputed: nobody is paid before the floor lets it go."""
        if _locked(slip).is_disputed:
            raise ShareDisputed

    def prize_lines(self, slip: Slip) -> Sequence[PostingLine]:
        """Return the pool's part: from what is to be paid, to what was."""
        pool_id = Claim.objects.values_list("pool_id", flat=True).get(id=Won.from_json(slip.about).claim)
        assert pool_id is not None, "an approved claim has its pool"
        return share_lines(pool_id, slip.amount_cents)

    def delivered(self, slip: Slip, command: Command) -> None:
        """Note on the claim's share by which slip and when it was paid."""
        ClaimShare.objects.filter(id=Won.from_json(slip.about).share).update(slip_id=slip.pk, paid_at=command.at)

    def taken_back(self, slip: Slip, command: Command) -> None:
        """Have the share wait at the cage again, under a slip of its own: the voided one keeps its number."""
        share = _locked(slip)
        share.slip_id, share.paid_at = wait_for(share, slip.player or share.player, command).pk, None
        share.save(update_fields=["slip_id", "paid_at"])

    def check_cancelled(self, slip: Slip) -> None:
        """:raises ShareStays: what was won is not taken away with a tap."""
        raise ShareStays

    def audiences(self, slip: Slip) -> Sequence[str]:
        """Return who hears that a share was paid."""
        return (CLAIMS,)

    def label(self, slip: Slip) -> str:
        """Return what the cage and the paper call it."""
        won = Won.from_json(slip.about)
        return _("Jackpot, table %(table)s, hand %(hand)s") % {"table": won.table, "hand": won.hand}


class ShareAtEnd(Destination):
    """What a player gets of a jackpot that was wound down: the slip is the share."""

    def prize_lines(self, slip: Slip) -> Sequence[PostingLine]:
        """Return the pool's part: from what is to be paid, to what was."""
        return share_lines(AtItsEnd.from_json(slip.about).pool, slip.amount_cents)

    def taken_back(self, slip: Slip, command: Command) -> None:
        """Have the share wait at the cage again, under a slip of its own."""
        assert slip.player is not None, "a share has its player"
        wait_at_end(command, Pool.objects.get(id=AtItsEnd.from_json(slip.about).pool), slip.player, slip.amount_cents)

    def check_cancelled(self, slip: Slip) -> None:
        """:raises ShareStays: what was promised is not taken away with a tap."""
        raise ShareStays

    def audiences(self, slip: Slip) -> Sequence[str]:
        """Return who hears that a share was paid."""
        return (NEWS,)

    def label(self, slip: Slip) -> str:
        """Return what the cage and the paper call it."""
        return _("Jackpot %(jackpot)s, paid out at its end") % {"jackpot": AtItsEnd.from_json(slip.about).jackpot}


def wait_at_end(command: Command, pool: Pool, player: Player, cents: int) -> Slip:
    """Have a share of a jackpot that ends wait at the cage for a player."""
    slip = Slip(
        room_id=pool.room_id,
        kind=Slip.Kind.PRIZE,
        player=_record_of(player),
        amount_cents=cents,
        destination=AT_END,
        about=AtItsEnd(pool=pool.pk, jackpot=pool.code).to_json(),
        requested_at=command.at,
        requested_by_id=command.staff_id,
    )
    slip.save(force_insert=True)
    return slip


def wait_for(share: ClaimShare, player: Player, command: Command) -> Slip:
    """Have a share wait at the cage for a player, under the record by which they are known now."""
    claim = share.claim
    slip = Slip(
        room_id=claim.room_id,
        kind=Slip.Kind.PRIZE,
        player=_record_of(player),
        amount_cents=share.cents,
        destination=DESTINATION,
        about=Won(claim=claim.pk, share=share.pk, table=claim.table.number, hand=claim.hand.number).to_json(),
        requested_at=command.at,
        requested_by_id=command.staff_id,
    )
    slip.save(force_insert=True)
    return slip


def _record_of(player: Player) -> Player:
    """Return the record that was kept: two may have been joined since the hand. Rarely a query."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


def _locked(slip: Slip) -> ClaimShare:
    # The share alone: the table that is joined to be read comes before the drawer, which is locked by now.
    shares = ClaimShare.objects.select_for_update(no_key=True, of=("self",))
    return shares.select_related("claim__table", "claim__hand").get(id=Won.from_json(slip.about).share)
