"""The second signature: another person's own sign-in under what is being done."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from casino.audit.models import Event
from casino.commands.carrying_out import DONE, Answer, Command, Outcome, name_of, service
from casino.errors import NotPermitted
from casino.people.errors import (
    NeedsSecondSignature,
    NoProgramSigns,
    NotOnShift,
    NotSignedIn,
    SamePerson,
    SecondMayNot,
    SignaturePrepared,
)
from casino.people.models import Staff
from casino.people.news import LOCKED
from casino.people.permissions import MAY, may_of
from casino.people.rules.signing import SignInChange, is_prepared
from casino.people.services.locks import lock_device, lock_staff
from casino.people.services.secrets_tried import not_accepted, or_refusal, pin_refusal
from casino.people.services.strangers import turn_signer_away
from casino.rooms.selectors import night_began_after, rule_book_in_force

# What lets one person sign in another's place, and what lets them ask in it.
_GIVES_SECRET = ["people.add_staff", "people.add_shift_dealer", "people.set_pin", "people.set_password"]
_CHANGES_SIGN_IN = [*_GIVES_SECRET, "people.change_roles", "people.unlock_person"]


def second_person(command: Command, *, username: str, pin: str, needs: str, signs: str) -> int:
    """
    Return the id of the second person who signs the command, by their own name and PIN typed on the same screen.

    `needs` is the permission that the second person must hold ("cage.approve_reversal"); `signs` names
    what is signed ("slip.17"): both stand in the log beside the two persons. Call it before the service
    that takes `approved_by_id`, never inside one: a wrong PIN must stay counted.

    :raises NoProgramSigns: it came by a token.
    :raises SamePerson: who asks never approves, whatever roles they hold.
    :raises NotOnShift: the second person is not at work, so that their PIN opens no tablet either.
    :raises SecondMayNot: the second person may not approve this.
    :raises SignaturePrepared: after today's changes of sign-ins one person could be both.
    :raises WrongPin: name and PIN do not go together, or nobody has that name.
    :raises PinLocked: five wrong ones; the floor unlocks the person.
    :raises SecretToBeChanged: somebody else set that PIN.
    :raises TooSoon: the tablet still waits.
    """
    if command.by.token_id is not None:
        raise NoProgramSigns
    assert needs in MAY, f"nobody may {needs}: declare it in its app's allows.py"
    staff = Staff.objects.filter(room_id=command.room_id, username__iexact=username, is_active=True).first()
    if staff is None:
        turn_signer_away(command, username=username, pin=pin)
    # A command of its own, and yet the same one when the first is repeated: the PIN is tried again, and signs once.
    own = replace(command, id=uuid.uuid5(command.id, "second person"), part_of=command.id)
    answer = sign_second(own, staff_id=staff.pk, pin=pin, needs=needs, signs=signs)
    return int(or_refusal(answer).data["staff_id"])


def by_two(
    work: Callable[..., Answer], *, needs: str, signs: Callable[..., str], signer: str = "approved_by_id"
) -> Callable[..., Answer]:
    """
    Return a service as one that a second person signs on the same screen, as both doors call it.

    It takes `second`, the second person's name and PIN, beside what `work` takes, whose `signer` it fills;
    None where nobody signs, and then `work` says whether that will do. `signs` is given all the rest by name, and says
    what is signed by it (`second_person`).

    :raises NotPermitted: whoever taps may not give this command; nobody's PIN is tried for them.
    """
    name = name_of(work)

    def signed(command: Command, *, second: Mapping[str, Any] | None, **arguments: Any) -> Answer:
        if second is None:
            return work(command, **arguments)
        if name not in command.by.may:
            raise NotPermitted
        signed_by = second_person(command, **second, needs=needs, signs=signs(**arguments))
        return work(command, **arguments, **{signer: signed_by})

    return signed


def _try_pin(command: Command, *, staff_id: int, pin: str, needs: str, signs: str) -> Outcome | None:
    if command.by.staff_id is None:
        raise NotSignedIn
    if staff_id == command.by.staff_id:
        raise SamePerson
    device = lock_device(command, command.by.device_id) if command.by.device_id is not None else None
    staff = lock_staff(command, staff_id)
    why = pin_refusal(staff, device, pin, command.at)
    if why is not None:
        return not_accepted(why, chain=f"staff.{staff.pk}", staff_id=staff.pk, audiences=LOCKED)
    return None


@service("people.sign_second", secret=["pin"], proof=_try_pin)
def sign_second(command: Command, *, staff_id: int, pin: str, needs: str, signs: str) -> Outcome:
    """Record the signature; see `second_person`, which turns a wrong PIN into its refusal."""
    staff = lock_staff(command, staff_id)
    chain = f"staff.{staff.pk}"
    if not staff.is_on_shift:
        return not_accepted(NotOnShift(), chain=chain, staff_id=staff.pk)
    if needs not in may_of(staff.roles):
        return not_accepted(SecondMayNot(), chain=chain, staff_id=staff.pk)
    try:
        # Returned, like the refusals above: raised, it would undo what the right PIN did to the counters.
        exception = check_unprepared(command, asker_id=command.staff_id, signer_id=staff.pk)
    except SignaturePrepared as why:
        return not_accepted(why, chain=chain, staff_id=staff.pk)
    return Outcome(chain=chain, data={"accepted": True, "staff_id": staff.pk, **exception})


def check_unprepared(command: Command, *, asker_id: int, signer_id: int) -> dict[str, bool]:
    """
    Return what an exception adds to the data of the command that signs: nothing, or that it was prepared.

    Prepared: after what was changed since the last day closed, one person could be both (`rules.signing.is_prepared`).
    The room's rule book may take such a signature and count it. One query, and one for the book where it is prepared.

    :raises SignaturePrepared: the book does not.
    """
    tonight = Event.objects.filter(
        room_id=command.room_id, name__in=_CHANGES_SIGN_IN, result=DONE, id__gt=night_began_after(command.room_id)
    )
    rows = tonight.filter(staff_id__isnull=False).values_list("staff_id", "chain", "name")
    changes = [
        SignInChange(by, int(chain.removeprefix("staff.")), name in _GIVES_SECRET) for by, chain, name in rows if by
    ]
    if not is_prepared(changes, asker_id=asker_id, signer_id=signer_id):
        return {}
    _, book = rule_book_in_force(command.room_id, at=command.at)
    if book.signing.prepared == "refused":
        raise SignaturePrepared
    return {"prepared": True}


def is_signed(command: Command, staff_id: int, *, needs: str, signs: str) -> bool:
    """
    Say whether this second person really signed this command by their own sign-in. One query.

    `second_person` asked for the PIN before the command began, and the log holds it: an id alone, from whatever
    caller, is no signature.
    """
    event = Event.objects.filter(
        room_id=command.room_id,
        command_id=uuid.uuid5(command.id, "second person"),
        name="people.sign_second",
        staff_id=command.by.staff_id,
    ).first()
    if event is None:
        return False
    recorded = json.loads(event.text)
    args = recorded["args"]
    accepted = bool(recorded["data"].get("accepted"))
    return accepted and (args["staff_id"], args["needs"], args["signs"]) == (staff_id, needs, signs)


def check_signed(command: Command, staff_id: int, *, needs: str, signs: str) -> None:
    """:raises NeedsSecondSignature: the second person is not a second one, or has not signed this."""
    if staff_id == command.by.staff_id or not is_signed(command, staff_id, needs=needs, signs=signs):
        raise NeedsSecondSignature
