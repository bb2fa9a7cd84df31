"""An inquiry holds what is kept about a player; two persons let it go."""

from zoneinfo import ZoneInfo

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.people.errors import InquiryOver, LastDayOver
from casino.people.models import Inquiry, Player
from casino.people.services.exclusions import end_of_day
from casino.people.services.locks import lock_player
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import room_of

# What the second person under a lifting must be allowed to do.
NEEDS_TO_LIFT_INQUIRY = "people.approve_lifting_inquiry"


@service("people.open_inquiry", private=["reason"])
def open_inquiry(command: Command, *, player_id: int, last_day: str = "", reason: str = "") -> Outcome:
    """
    Hold all that is kept about a player, to the end of a day (ISO 8601) or until two persons lift it.

    No screen of floor or cage shows it, and the player is not told.

    :raises NotFound: no such player.
    :raises LastDayOver: that day is over.
    """
    until = end_of_day(last_day, ZoneInfo(room_of(command.room_id).time_zone)) if last_day else None
    if until is not None and until <= command.at:
        raise LastDayOver
    player = lock_player(command, player_id)
    made = Inquiry.objects.create(
        room_id=command.room_id,
        player=player,
        reason=reason,
        began_at=command.at,
        until=until,
        made_by_id=command.staff_id,
    )
    return _about(player, inquiry=made.pk, until=until)


@service("people.lift_inquiry")
def lift_inquiry(command: Command, *, inquiry_id: int, approved_by_id: int) -> Outcome:
    """
    Let go what an inquiry holds. Two persons sign.

    `approved_by_id` has signed "inquiry.<id>" with their own PIN (`second_person`, before this command).

    :raises NotFound: no such inquiry.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed.
    :raises InquiryOver: it was lifted before, or has ended by itself.
    """
    found = Inquiry.objects.filter(id=inquiry_id, room_id=command.room_id).values_list("player_id", flat=True).first()
    if found is None:
        raise NotFound(what="inquiry")
    check_signed(command, approved_by_id, needs=NEEDS_TO_LIFT_INQUIRY, signs=f"inquiry.{inquiry_id}")
    player = lock_player(command, found)
    inquiry = Inquiry.objects.get(id=inquiry_id)
    if inquiry.lifted_at is not None or (inquiry.until is not None and inquiry.until <= command.at):
        raise InquiryOver
    inquiry.lifted_at = command.at
    inquiry.lifted_by_id, inquiry.lift_signed_by_id = command.staff_id, approved_by_id
    inquiry.save(update_fields=["lifted_at", "lifted_by_id", "lift_signed_by_id"])
    return _about(player, inquiry=inquiry.pk, signed_by=approved_by_id)


def _about(player: Player, **data: object) -> Outcome:
    # To no screen's ears: what the floor reads changes by nothing of it.
    return Outcome(chain=f"player.{player.pk}", data={"player_id": player.pk, **data})
