"""What the lists do when something stands about a player, or two records of one person are joined."""

from collections.abc import Container, Sequence

from django.utils.translation import gettext as _

from casino.commands.carrying_out import Command
from casino.people.elsewhere import Elsewhere
from casino.people.models import Player
from casino.rooms.models import Room
from casino.waiting.errors import AlreadyCalled, BothRecordsWait, PlayerStillWaits
from casino.waiting.models import Waiting
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.services.state import end_entry, locked_if_live, save_entry, touch
from tables.audiences import ROOM, of_table


class OnLists(Elsewhere):
    """
    Lists of a player. The lists are locked after the tables of `tables.whereabouts`, which is registered before.
    """

    def excluded(self, command: Command, player: Player) -> Sequence[str]:
        """Strike the player off every list, also one who is called."""
        live = Waiting.objects.filter(player=player, status__in=Waiting.LIVE).order_by("waiting_list_id")
        audiences: list[str] = []
        for waiting_list, entry in locked_if_live(command, live):
            table = end_entry(command, entry, Waiting.Status.STRUCK, why="excluded")
            touch(waiting_list)
            audiences += (*(of_table(table) if table else ()), *phones_on_list(waiting_list.pk, player.pk))
        return audiences

    def merging(self, *, kept: Player, gone: Player, apart: Sequence[int]) -> None:
        """
        Refuse to join records that both wait for one game, or are both called.

        :raises BothRecordsWait, AlreadyCalled: what has to end first.
        """
        live = Waiting.objects.filter(player__in=[kept, gone], status__in=Waiting.LIVE)
        games = [entry.waiting_list.game for entry in live.select_related("waiting_list__game").order_by("id")]
        twice = next((game for game in games if games.count(game) > 1), None)
        if twice is not None:
            raise BothRecordsWait(game=twice.name)
        if live.filter(status=Waiting.Status.CALLED).count() > 1:
            raise AlreadyCalled

    def merged(
        self, command: Command, *, kept: Player, gone: Player, day_id: int, approved_by_id: int
    ) -> Sequence[str]:
        """Have the kept record wait where the other one did, in the same places."""
        live = Waiting.objects.filter(player=gone, status__in=Waiting.LIVE).order_by("waiting_list_id")
        phones: list[str] = []
        for waiting_list, entry in locked_if_live(command, live):
            entry.player = kept
            save_entry(entry, "player")
            touch(waiting_list)
            phones += phones_on_list(waiting_list.pk, kept.pk)
        return (*ROOM, *dict.fromkeys(phones))

    def erasing(self, player_ids: Sequence[int]) -> None:
        """:raises PlayerStillWaits: who asks to be forgotten is on a list."""
        live = Waiting.objects.filter(player_id__in=player_ids, status__in=Waiting.LIVE)
        entry = live.select_related("waiting_list__game").order_by("id").first()
        if entry is not None:
            raise PlayerStillWaits(game=entry.waiting_list.game.name)

    def known_today(self, room: Room, player: Player, *, may: Container[str]) -> Sequence[str]:
        """Return for what the player waits, or is called. One query."""
        entries = Waiting.objects.filter(player=player, status__in=Waiting.LIVE).order_by("id")
        return [
            (_("called for %(game)s") if entry.status == Waiting.Status.CALLED else _("waits for %(game)s"))
            % {"game": entry.waiting_list.game.name}
            for entry in entries.select_related("waiting_list__game")
        ]
