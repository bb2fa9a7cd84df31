"""
Who else has a say when somebody signs in on a device, or leaves it.

`people` knows doors and no tables. Other apps add theirs from their AppConfig (`tables`: the dealers' downs), and the
services call them inside their own transaction, with devices and person locked. They never refuse: it has happened.
They return further screens to tell.
"""

from collections.abc import Callable, Sequence

from casino.commands.carrying_out import Command
from casino.people.models import Device

# Called with the command, the devices as they are now, and who was signed in on them before: one where somebody signs
# in, or all that one person leaves by it, so that whoever locks something for each can do so in an order of their own.
on_handover: list[Callable[[Command, Sequence[Device], int | None], Sequence[str]]] = []


def handed_over(command: Command, devices: Sequence[Device], *, before_id: int | None) -> list[str]:
    """Tell everybody who asked to be told; return the further screens that show it."""
    return [screen for tell in on_handover for screen in tell(command, devices, before_id)]
