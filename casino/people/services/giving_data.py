"""Somebody is given what is kept about them: who they are was seen, two persons sign, and the log says that it was."""

from django.utils import translation

from casino.commands.carrying_out import Command, Outcome, service
from casino.people.errors import OwnData
from casino.people.person_file import person_file, staff_file
from casino.people.services.locks import lock_player, lock_staff_ever
from casino.people.services.signatures import check_signed

# What the second person under it must be allowed to do.
NEEDS_TO_GIVE = "people.approve_giving_data"


@service("people.give_data")
def give_data(command: Command, *, player_id: int, document: str, language: str, approved_by_id: int) -> Outcome:
    """
    Give a player all that is kept about them, in their language, who has shown a `document` of this kind.

    The answer's `file`, a `PersonFile`, is given this once and neither stored nor logged.
    `approved_by_id` has signed "data.<player>" with their own PIN (`second_person`, before this command).

    :raises NotFound: no such player.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed.
    """
    check_signed(command, approved_by_id, needs=NEEDS_TO_GIVE, signs=f"data.{player_id}")
    player = lock_player(command, player_id)
    with translation.override(language):
        file = person_file(player, at=command.at)
    data = {"player_id": player.pk, "document": document, "language": language, "signed_by": approved_by_id}
    return Outcome(chain=f"player.{player.pk}", data=data, reveal={"file": file})


@service("people.give_staff_data")
def give_staff_data(command: Command, *, staff_id: int, document: str, language: str, approved_by_id: int) -> Outcome:
    """
    Give somebody who works here or did all that is kept about them, as `give_data` does a player.

    `approved_by_id` has signed "data.staff.<staff>" with their own PIN (`second_person`, before this command).

    :raises NotFound: nobody of this room, or erased.
    :raises OwnData: they would give it themselves, or sign.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed.
    """
    if staff_id in (command.staff_id, approved_by_id):
        raise OwnData
    check_signed(command, approved_by_id, needs=NEEDS_TO_GIVE, signs=f"data.staff.{staff_id}")
    staff = lock_staff_ever(command, staff_id)
    with translation.override(language):
        file = staff_file(staff, at=command.at)
    data = {"staff_id": staff.pk, "document": document, "language": language, "signed_by": approved_by_id}
    return Outcome(chain=f"staff.{staff.pk}", data=data, reveal={"file": file})
