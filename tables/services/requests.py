"""Players who ask for another table of their game (H2.8): the wish, and how it ends but by moving."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from tables.errors_moves import ChangeAlreadyWished, ChangeNotWished
from tables.errors_seats import OtherGame
from tables.models import Table, TableChange
from tables.services.state import done, lock_table, opening_of, seating_of

# Why a wish ends that was not granted.
ENDS = frozenset({"refused", "withdrawn"})


@service("tables.ask_table_change")
def ask_table_change(command: Command, *, table_id: int, seating_id: int, to_table_id: int | None = None) -> Outcome:
    """
    Note that a player asks for another table of the game, or for a certain one (`to_table_id`); in order of asking.

    :raises SeatEmpty: the player has left.
    :raises NotFound: the room has no such table, or it is the player's own.
    :raises OtherGame: that table runs another game; its list is the way there (H2.7).
    :raises ChangeAlreadyWished: the player wishes for another table already.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    wanted = None
    if to_table_id is not None:
        tables = Table.objects.filter(room_id=command.room_id, id=to_table_id).exclude(id=table.pk)
        wanted = tables.select_related("opening__game").first()
        if wanted is None:
            raise NotFound(what="table")
        if wanted.opening is None or not wanted.opening.game.is_same_game(opening_of(table).game):
            raise OtherGame(table_number=wanted.number)
    if _open_wish(seating.pk) is not None:
        raise ChangeAlreadyWished
    change = TableChange.objects.create(
        room_id=command.room_id, seating=seating, to_table=wanted, wished_at=command.at, noted_by_id=command.by.staff_id
    )
    data = {"seating": seating.pk, "player": seating.player_id, "change": change.pk}
    return done(table, data={**data, "to_table": wanted.number if wanted else None})


@service("tables.end_table_change")
def end_table_change(command: Command, *, table_id: int, seating_id: int, why: str) -> Outcome:
    """
    End a player's wish for another table: refused by the floor, or withdrawn.

    :raises Malformed: `why` is neither "refused" nor "withdrawn".
    :raises SeatEmpty: the player has left.
    :raises ChangeNotWished: there is no such wish, or no longer.
    """
    if why not in ENDS:
        raise Malformed(field="why")
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    change = _open_wish(seating.pk)
    if change is None:
        raise ChangeNotWished
    change.ended_at, change.ended_by_id, change.ended_why = command.ends(change.wished_at), command.by.staff_id, why
    change.save(update_fields=["ended_at", "ended_by_id", "ended_why"])
    return done(table, data={"seating": seating.pk, "player": seating.player_id, "change": change.pk})


def _open_wish(seating_id: int) -> TableChange | None:
    return TableChange.objects.filter(seating=seating_id, ended_at=None).first()
