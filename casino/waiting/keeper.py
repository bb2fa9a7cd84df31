"""What the tables ask of the lists, and have them do: the lists as the keeper of claims to seats."""

from collections.abc import Collection, Mapping

from django.db.models import Q

from casino.commands.carrying_out import Command
from casino.people.models import Player
from casino.reading import read_once
from casino.rows import read_seldom, relate
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.lists import lists_by_game
from casino.waiting.selectors.phones import phones_on_list
from casino.waiting.selectors.prints import list_prints
from casino.waiting.services.after_call import calls_end
from casino.waiting.services.lists import sits_down
from casino.waiting.services.state import ENDED, lock_list, save_entry, touch
from tables.claims import Claims, ClaimsOfGame, Ended, Promise
from tables.models import Game, Opening, Table, of_game


def _live(game: Game) -> Q:
    return of_game(game, "waiting_list__game") & Q(status__in=Waiting.LIVE)


_CALLED_TO = """FROM waiting_waiting JOIN people_player ON people_player.id = waiting_waiting.player_id
    WHERE waiting_waiting.table_id = %s AND waiting_waiting.status = 'called' ORDER BY waiting_waiting.id"""


@read_once
def _promises_at(table_id: int) -> dict[int, Promise]:
    by_seat = {}
    for entry, player in read_seldom((Waiting, Player), _CALLED_TO, table_id):
        relate(entry, player=player)
        if (promise := entry.promise) is not None:
            by_seat[promise.seat_number] = promise
    return by_seat


class Lists(Claims):
    """The waiting lists."""

    def anybody_waits(self, game: Game, *, but: int) -> bool:
        """Say whether anybody but that player waits in the room: who has called in can take no seat yet."""
        return Waiting.objects.filter(_live(game), check_in_by=None).exclude(player=but).exists()

    def by_game(self, room_id: int) -> Mapping[str, ClaimsOfGame]:
        return {name: game_list.claims for name, game_list in lists_by_game(room_id).items()}

    def prints(self, room_id: int) -> Mapping[str, str]:
        return list_prints(room_id)

    def promises_at(self, table_id: int) -> Mapping[int, Promise]:
        return _promises_at(table_id)

    def promised_at(self, table_id: int) -> Mapping[int, int]:
        called = Waiting.objects.filter(table=table_id, status=Waiting.Status.CALLED)
        return {seat: player for seat, player in called.values_list("seat_number", "player_id") if seat is not None}

    def promised_among(self, table_ids: Collection[int]) -> frozenset[int]:
        called = Waiting.objects.filter(table__in=table_ids, status=Waiting.Status.CALLED)
        return frozenset(called.values_list("table_id", flat=True).distinct())

    def promised_to(self, player_id: int) -> tuple[Table, int] | None:
        called = Waiting.objects.filter(player_id=player_id, status=Waiting.Status.CALLED)
        entry = called.select_related("table__opening__game").first()
        return (entry.table, entry.seat_number) if entry and entry.table and entry.seat_number else None

    def ref_of(self, game: Game, player_id: int) -> int:
        return Waiting.objects.filter(_live(game), player_id=player_id).values_list("id", flat=True).first() or 0

    def right_of(self, opening: Opening, player_id: int) -> Opening | None:
        waits = Waiting.objects.filter(_live(opening.game), player_id=player_id, right_from__isnull=False)
        entry = waits.select_related("right_from__game").first()
        return entry.right_from if entry else None

    def met(self, command: Command, table: Table, game: Game, player_id: int) -> Ended:
        return sits_down(command, table, game, player_id)

    def met_by_going_back(
        self, command: Command, table: Table, game: Game, player_id: int, *, was: int | None
    ) -> Ended:
        entry = Waiting.objects.filter(id=was or 0, room_id=command.room_id).first()
        # Both lists at once, in the order of their ids.
        either = of_game(game, "game") | Q(pk=entry.waiting_list_id if entry else None)
        lists = WaitingList.objects.filter(either, room_id=command.room_id).order_by("pk")
        list(lists.select_for_update(no_key=True, of=("self",)))
        met = sits_down(command, table, game, player_id)
        return Ended(met.refs, (*met.screens, *(_wait_again(command, entry.pk) if entry else ())))

    def nobody_new(self, command: Command, table: Table) -> Ended:
        return calls_end(command, table)

    def goes_on(self, game: Game) -> None:
        """With new terms of the same game its list goes on: whoever waits keeps the place (H2.3)."""
        before = WaitingList.objects.filter(of_game(game, "game")).exclude(game=game)
        if not WaitingList.objects.filter(game=game).exists() and (newest := before.order_by("-game_id").first()):
            WaitingList.objects.filter(id=newest.pk).update(game=game)


def _wait_again(command: Command, waiting_id: int) -> tuple[str, ...]:
    """Put a player back on the list that a move ended; return the phones that show it."""
    entry = Waiting.objects.get(id=waiting_id)
    waiting_list = lock_list(command, entry.waiting_list_id)
    if waiting_list.entries.filter(player_id=entry.player_id, status__in=Waiting.LIVE).exists():
        return ()
    entry.status, entry.ended_at, entry.ended_by_id, entry.ended_why = Waiting.Status.WAITING, None, None, ""
    save_entry(entry, *ENDED)
    touch(waiting_list)
    return phones_on_list(waiting_list.pk, entry.player_id)
