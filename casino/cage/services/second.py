"""The second person under a cage's command."""

from casino.cage.errors import NeedsAnotherApprover
from casino.commands.carrying_out import Command
from casino.people.services.signatures import is_signed


def signed_by(command: Command, staff_id: int, *, needs: str, signs: str) -> int:
    """
    Return the second person's id, if they really signed this command by their own sign-in.

    :raises NeedsAnotherApprover: nobody signed, it was another one, or they signed something else.
    """
    if not is_signed(command, staff_id, needs=needs, signs=signs):
        raise NeedsAnotherApprover
    return staff_id
