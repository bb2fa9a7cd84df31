"""
Who else has a say when somebody signs in on a device, or leaves it.

`people` knows doors and no tables. Other apps add theirs from their AppConfig (`tables`: the dealers' downs), and the
services call them inside their own transaction, with device and person locked. They never refuse: it has happened.
They return further screens to tell.
"""

from collections.abc import Callable, Sequence

from casino.commands.carrying_out import Command
from casino.people.models import Device

# Called with the command, the device as it is now, and who was signed in on it before.
on_handover: list[Callable[[Command, Device, int | None], Sequence[str]]] = []


def handed_over(command: Command, device: Device, *, before_id: int | None) -> list[str]:
    """Tell everybody who asked to be told; return the further screens that show it."""
    return [screen for tell in on_handover for screen in tell(command, device, before_id)]
