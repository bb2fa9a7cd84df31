"""An inquiry holds what is kept about a player, or about somebody on staff; two persons let it go."""

from datetime import datetime
from zoneinfo import ZoneInfo

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound
from casino.people.errors import InquiryOver, LastDayOver, NeedsSecondSignature
from casino.people.models import Inquiry, Player, Staff
from casino.people.services.exclusions import end_of_day
from casino.people.services.locks import lock_player, lock_staff_ever
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
    until = _until(command, last_day)
    player = lock_player(command, player_id)
    made = _made(command, reason, until, player=player)
    return _about(player, inquiry=made.pk, until=until)


@service("people.open_staff_inquiry", private=["reason"])
def open_staff_inquiry(command: Command, *, staff_id: int, last_day: str = "", reason: str = "") -> Outcome:
    """
    Hold all that is kept about somebody who works here or did, to the end of a day or until two persons lift it.

    They are not shown it, whatever they manage, and lift it neither by themselves nor with a second person.

    :raises NotFound: nobody of this room, or erased.
    :raises LastDayOver: that day is over.
    """
    until = _until(command, last_day)
    staff = lock_staff_ever(command, staff_id)
    made = _made(command, reason, until, staff=staff)
    return _about(staff, inquiry=made.pk, until=until)


def _until(command: Command, last_day: str) -> datetime | None:
    until = end_of_day(last_day, ZoneInfo(room_of(command.room_id).time_zone)) if last_day else None
    if until is not None and until <= command.at:
        raise LastDayOver
    return until


def _made(command: Command, reason: str, until: datetime | None, **about: Player | Staff) -> Inquiry:
    return Inquiry.objects.create(
        room_id=command.room_id,
        reason=reason,
        began_at=command.at,
        until=until,
        made_by_id=command.staff_id,
        **about,
    )


@service("people.lift_inquiry")
def lift_inquiry(command: Command, *, inquiry_id: int, approved_by_id: int) -> Outcome:
    """
    Let go what an inquiry holds. Two persons sign.

    `approved_by_id` has signed "inquiry.<id>" with their own PIN (`second_person`, before this command).

    :raises NotFound: no such inquiry, or it is about whoever asks.
    :raises NeedsSecondSignature: the second person is not a second one, has not signed, or it is about them.
    :raises InquiryOver: it was lifted before, or has ended by itself.
    """
    row = Inquiry.objects.filter(id=inquiry_id, room_id=command.room_id).first()
    if row is None or row.staff_id == command.staff_id:
        raise NotFound(what="inquiry")
    check_signed(command, approved_by_id, needs=NEEDS_TO_LIFT_INQUIRY, signs=f"inquiry.{inquiry_id}")
    if row.staff_id == approved_by_id:
        raise NeedsSecondSignature
    person = lock_player(command, row.player_id) if row.player_id else lock_staff_ever(command, row.staff_id or 0)
    # Read anew under the lock: of two who lift it at once the second finds it lifted.
    inquiry = Inquiry.objects.get(id=inquiry_id)
    if inquiry.lifted_at is not None or (inquiry.until is not None and inquiry.until <= command.at):
        raise InquiryOver
    inquiry.lifted_at = command.at
    inquiry.lifted_by_id, inquiry.lift_signed_by_id = command.staff_id, approved_by_id
    inquiry.save(update_fields=["lifted_at", "lifted_by_id", "lift_signed_by_id"])
    return _about(person, inquiry=inquiry.pk, signed_by=approved_by_id)


def _about(person: Player | Staff, **data: object) -> Outcome:
    # To no screen's ears: what the floor reads changes by nothing of it.
    if isinstance(person, Staff):
        return Outcome(chain=f"staff.{person.pk}", data={"staff_id": person.pk, "of": "staff", **data})
    return Outcome(chain=f"player.{person.pk}", data={"player_id": person.pk, **data})
