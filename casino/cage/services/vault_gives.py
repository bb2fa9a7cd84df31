"""
What the vault gives: what lies in it and no more.

Its count is blind, so that whoever may not look up what lies there learns it by no sums that are tried: after the
book's `cage.short_payouts_most` of a night that it was too short for, it gives them nothing until it was counted.
"""

from collections.abc import Iterable

from casino.cage.selectors.vault_counts import NEWS, check_not_counted_first
from casino.commands.carrying_out import Command
from casino.ledger.chart import VAULT, PostingLine
from casino.ledger.services import check_vault_gave
from casino.rooms.selectors import lock_room


def check_vault_gives(command: Command, lines: Iterable[PostingLine]) -> None:
    """
    Let the vault give what a transfer of these lines, just posted, has taken out of it. Two queries, where it gave
    something, or a few. Each refusal is a try (`follow_short`).

    :raises VaultCountedFirst: it was too short too often, and whoever asks may not look up what lies there.
    :raises VaultShort: it held less.
    """
    lines = list(lines)
    if any(line.owner_kind == "house" and line.kind in VAULT and line.cents < 0 for line in lines):
        check_not_counted_first(command.room_id, command.staff_id, at=command.at)
    check_vault_gave(command.room_id, lines)


def follow_vault_short(command: Command) -> tuple[str, ...]:
    """
    Count a try, in the transaction that logs it: the log is what they are counted by, under the room's lock. Return the
    screens to tell, of each try alike: so none tells how many there were.

    :raises VaultCountedFirst: others came first, at the same moment.
    """
    lock_room(command.room_id)
    check_not_counted_first(command.room_id, command.staff_id, at=command.at)
    return (NEWS,)
