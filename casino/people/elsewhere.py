"""
What the rest of the house does when something stands about a player, two records become one, or somebody is erased.

People know no table, drawer or account. Apps that do register themselves in their AppConfig, and are called inside the
command's own transaction, after the gaming day (where one is held) and whoever it is about were locked:

    excluded(...)        the player may not play from now on: off the lists, out of the next hand
    included(...)        nothing keeps the player from playing any more
    kept_apart(...)      the two of each pair do not sit at one table from now on
    limits_changed(...)  the player's own limits are others now
    merging(...)         raise the refusal, if two records cannot be joined just now
    merged(...)          the first record is the person's only one now: bring what was the second's
    erasing(...)         raise the refusal, if something still holds a player who asks to be forgotten
    erasing_staff(...)   raise the refusal, if something is still in the name of somebody who left
    known_today(...)     what an app knows of a player today, as sentences in the active language

Those that may refuse return nothing, `known_today` returns sentences, and all others further screens to tell.
"""

from collections.abc import Container, Sequence

from casino.commands.carrying_out import Command
from casino.people.models import Player
from casino.people.standing import Standing
from casino.rooms.models import Room


class Elsewhere:
    """An app with rows of players. The base does nothing."""

    def excluded(self, command: Command, player: Player) -> Sequence[str]:
        """Take the player off whatever they wait for, and have the floor end what they play."""
        return ()

    def included(self, command: Command, player: Player) -> Sequence[str]:
        """Let the player go on where the exclusion still left them."""
        return ()

    def kept_apart(self, command: Command, pairs: Sequence[tuple[int, int]]) -> Sequence[str]:
        """Tell the floor where the two of a pair sit together now (H1.75); all of them are locked, by their ids."""
        return ()

    def limits_changed(self, command: Command, player: Player, standing: Standing) -> Sequence[str]:
        """Have what was computed from the limits follow them."""
        return ()

    def merging(self, *, kept: Player, gone: Player, apart: Sequence[int]) -> None:
        """
        Ask whether the two records can be joined now. `apart` are who was kept apart from the one that is given up.

        :raises Refusal: they cannot, and what has to happen first.
        """

    def merged(
        self, command: Command, *, kept: Player, gone: Player, day_id: int, approved_by_id: int
    ) -> Sequence[str]:
        """Bring over what goes on: what is waited for, what is open, what is owed."""
        return ()

    def erasing(self, player_ids: Sequence[int]) -> None:
        """
        Ask whether somebody can be erased now; `player_ids` are their records.

        :raises Refusal: something holds them, and what has to happen first.
        """

    def erasing_staff(self, staff_id: int) -> None:
        """
        Ask whether somebody who left can be erased now.

        :raises StillAnswersFor: money, a table or a box is in their name.
        """

    def known_today(self, room: Room, player: Player, *, may: Container[str]) -> Sequence[str]:
        """Return what is known of the player today, for the page of somebody who may do these things."""
        return ()


_apps: list[Elsewhere] = []


def register(app: Elsewhere) -> None:
    """Make an app known, once, from its AppConfig."""
    _apps.append(app)


def everywhere() -> tuple[Elsewhere, ...]:
    """Return the apps, the highest first: tables are locked before drawers, and accounts come last."""
    return tuple(reversed(_apps))
