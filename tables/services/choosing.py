"""
What the floor gives by its own choice, as a page and a call both do it: a seat, another seat or table.

Each carries one command out, and records with it whom the house's order had proposed (`overruling`).
"""

from functools import partial
from typing import Any

from casino.commands.carrying_out import Answer, Command
from casino.people.services import NewPlayer
from tables.models import Table
from tables.rules.newcomers import Whose, Why
from tables.selectors.next_hand import seated
from tables.services.moving import forbidden_change, move_player
from tables.services.overruling import chosen, chosen_of_closing, played_over, whose_by_claim
from tables.services.playing_over import play_over
from tables.services.seat_change import change_seat
from tables.services.seating import seat_player


def seat(
    command: Command,
    table: Table,
    seat_number: int,
    *,
    player_id: int | None = None,
    new_player: NewPlayer | None = None,
    overrule: str = "",
    **arguments: Any,
) -> Answer:
    """Sit a player down. :raises Refusal: as `seat_player`."""
    who: dict[str, Any] = {"player_id": player_id, "new_player": new_player}
    give = partial(seat_player, table_id=table.pk, seat_number=seat_number, **who, **arguments)
    whose = whose_by_claim(table, player_id or 0)
    return chosen(command, table, seat_number, give, game_id=_game_id(table), whose=whose, reason=overrule)


def change(
    command: Command, table: Table, seat_number: int, *, seating_id: int, overrule: str = "", **arguments: Any
) -> Answer:
    """
    Let a player change seats at the table. :raises Refusal: as `change_seat`.

    The seat that is left goes to who waits, so none of them is passed over; but for who plays over and leaves none.
    """
    give = partial(change_seat, table_id=table.pk, seating_id=seating_id, seat_number=seat_number, **arguments)
    over = next((each for each in seated(table.pk) if each.pk == seating_id and each.holder), None)
    weakest = Why.IN_TURN if over else Why.SEAT_CHANGE
    whose = whose_by_claim(table, over.player_id) if over else Whose(is_waiting=False, ref=seating_id)
    return chosen(
        command, table, seat_number, give, game_id=_game_id(table), whose=whose, reason=overrule, weakest=weakest
    )


def over(
    command: Command,
    table: Table,
    *,
    seating_id: int,
    player_id: int | None = None,
    overrule: str = "",
    **arguments: Any,
) -> Answer:
    """Let somebody, known or new, play in an absent player's seat. :raises Refusal: as `play_over`."""
    give = partial(play_over, table_id=table.pk, seating_id=seating_id, player_id=player_id, **arguments)
    return played_over(command, table, seating_id, give, player_id=player_id or 0, reason=overrule)


def move(
    command: Command,
    here: Table,
    there: Table,
    seat_number: int,
    *,
    seating_id: int,
    overrule: str = "",
    **arguments: Any,
) -> Answer:
    """
    Move a player to a seat at another table; the reason goes along, since a book may ask for it (R-§3).

    :raises Refusal: as `move_player`.
    """
    to: dict[str, Any] = {"to_table_id": there.pk, "seat_number": seat_number, "overrule": overrule}
    give = partial(move_player, table_id=here.pk, seating_id=seating_id, **to, **arguments)
    if here.opening is not None and here.opening.is_closing:
        return chosen_of_closing(command, here, there, seat_number, give, seating_id=seating_id, reason=overrule)
    whose = Whose(is_waiting=False, ref=seating_id)
    forbidden = forbidden_change(here, there) if overrule else ""
    return chosen(
        command, there, seat_number, give,
        game_id=_game_id(there), whose=whose, reason=overrule, forbidden=forbidden,
    )  # fmt: skip


def _game_id(table: Table) -> int:
    return table.opening.game_id if table.opening else 0
