"""What the ledger does when two records of one person are joined: the deposit moves, by a transfer."""

from collections.abc import Sequence

from casino.commands.carrying_out import Command
from casino.ledger.chart import of_player
from casino.ledger.selectors.accounts import deposit_cents
from casino.ledger.services import open_accounts, post
from casino.people.elsewhere import Elsewhere
from casino.people.models import Player
from casino.rooms.selectors import room_of


class InTheLedger(Elsewhere):
    """
    Accounts of players. An account is its owner's by id and stays so for ever: what the house owes under the record
    that is given up is posted over to the kept one, signed by both managers. The old account stays at zero.
    """

    def merged(
        self, command: Command, *, kept: Player, gone: Player, day_id: int, approved_by_id: int
    ) -> Sequence[str]:
        """Post the deposit of the record that is given up over to the kept one."""
        cents = deposit_cents(gone.pk)
        if not cents:
            return ()
        open_accounts(room_of(command.room_id), "player", kept.pk)
        post(
            room_id=command.room_id,
            day_id=day_id,
            kind="deposit_joined",
            lines=[of_player(gone.pk, -cents), of_player(kept.pk, cents)],
            key=f"merge.{gone.pk}",
            made_by_id=command.by.staff_id,
            approved_by_id=approved_by_id,
            at=command.at,
            about={"kept": kept.pk, "gone": gone.pk},
        )
        return ()
