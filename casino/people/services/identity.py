"""Whose document was seen."""

from zoneinfo import ZoneInfo

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.people.errors import DocumentOver
from casino.people.identity import also_shown_for
from casino.people.models import IdentityCheck
from casino.people.services.exclusions import about, parse_day
from casino.people.services.locks import lock_player
from casino.rooms.selectors import room_of


@service("people.check_identity", private=["full_name", "number"])
def check_identity(
    command: Command, *, player_id: int, full_name: str, document: str, number: str, valid_until: str = ""
) -> Outcome:
    """
    Note that somebody saw a player's document: whose it is, which and its number, and its last day (ISO 8601) if any.

    The answer's data: `document` and `valid_until`, and `also_of_id`, the record of another person for which the
    same one was shown before, None without one: the floor is told of both; the number and the name stay in people.

    :raises Malformed: no name, no number, no such document or day.
    :raises DocumentOver: its last day has passed.
    """
    if not (full_name and number):
        raise Malformed(field="number" if full_name else "full_name")
    if document not in IdentityCheck.Document.values:
        raise Malformed(field="document")
    last_day = parse_day(valid_until, field="valid_until") if valid_until else None
    if last_day is not None and last_day < command.at.astimezone(ZoneInfo(room_of(command.room_id).time_zone)).date():
        raise DocumentOver
    player = lock_player(command, player_id)
    also_of_id = also_shown_for(player, document=document, number=number)
    IdentityCheck.objects.create(
        room_id=command.room_id,
        player=player,
        document=document,
        number=number,
        full_name=full_name,
        also_of_id=also_of_id,
        valid_until=last_day,
        checked_at=command.at,
        checked_by_id=command.staff_id,
    )
    player.full_name = full_name
    player.save(update_fields=["full_name"])
    return about(player, document=document, valid_until=valid_until, also_of_id=also_of_id)
