"""A player's pass for the evening, and how public screens show the player."""

from django.conf import settings
from django.db.models import Max

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.people.errors import PhonesOff
from casino.people.models import Player, PlayerPass
from casino.people.news import PLAYERS
from casino.people.secrets import code_digest, digest, new_code, new_token
from casino.people.services.locks import lock_player
from casino.rooms.selectors import lock_open_day, lock_room


@service("people.give_pass")
def give_pass(command: Command, *, player_id: int) -> Outcome:
    """
    Give a player a pass for the open day, instead of the one they may have.

    The answer's data hold its `token` (the link's) and `code` (to be typed) once.

    :raises PhonesOff: no phone could reach the page.
    :raises NotFound: the room knows no such player.
    """
    if not settings.PHONE_URL:
        raise PhonesOff
    day = lock_open_day(command.room_id)
    player = lock_player(command, player_id)
    before = end_pass(command, player)
    token, code = new_token(), new_code()
    made = PlayerPass.objects.create(
        room_id=command.room_id,
        player=player,
        day=day,
        token_hash=digest(token),
        code_hash=code_digest(code),
        given_by_id=command.staff_id,
        given_at=command.at,
    )
    return Outcome(
        chain=f"player.{player.pk}",
        data={"player_id": player.pk, "pass": made.pk},
        audiences=before,
        reveal={"token": token, "code": code},
    )


@service("people.revoke_pass")
def revoke_pass(command: Command, *, player_id: int) -> Outcome:
    """
    End a player's pass at once; an open page says so.

    :raises NotFound: the room knows no such player, or the player has no pass.
    """
    player = lock_player(command, player_id)
    ended = end_pass(command, player)
    if not ended:
        raise NotFound(what="pass")
    return Outcome(chain=f"player.{player.pk}", data={"player_id": player.pk}, audiences=ended)


def end_pass(command: Command, player: Player) -> tuple[str, ...]:
    """End the locked player's pass, if there is one; return its audience."""
    held = PlayerPass.objects.filter(player=player, revoked_at=None).first()
    if held is None:
        return ()
    held.revoked_at = command.at
    held.save(update_fields=["revoked_at"])
    return (held.audience,)


@service("people.show_as_number")
def show_as_number(command: Command, *, player_id: int, is_number: bool) -> Outcome:
    """
    Show a player on public screens by a number instead of the nickname, or by the nickname again, as they wish.

    The number is the player's for good. At a table the dealer goes on calling players by name.

    :raises NotFound: the room knows no such player.
    """
    # The room's row owns the numbers: two players asking at once would get the same one.
    lock_room(command.room_id)
    player = lock_player(command, player_id)
    if is_number and player.number is None:
        highest = Player.objects.filter(room_id=command.room_id).aggregate(highest=Max("number"))["highest"]
        player.number = (highest or 0) + 1
    player.is_shown_as_number = is_number
    player.save(update_fields=["number", "is_shown_as_number"])
    data = {"player_id": player.pk, "number": player.number, "is_number": is_number}
    return Outcome(chain=f"player.{player.pk}", data=data, audiences=PLAYERS)
