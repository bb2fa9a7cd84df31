"""The cage refuses what was asked for, with a reason; the floor has seen it."""

from casino.cage import deliveries
from casino.cage.errors import SlipNotWaiting
from casino.cage.models import RefusedRequest, Slip
from casino.cage.selectors.refused import news_of
from casino.cage.services.locks import lock_slip, look_at_slip, own_chain, screens, slip_data
from casino.cage.services.requests import cancel_waiting
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound


@service("cage.refuse_request")
def refuse_request(command: Command, *, slip_id: int, reason: str, version: int | None = None) -> Outcome:
    """
    Refuse chips that were asked for: the slip is cancelled, the floor is told why, players that they see the floor.

    `reason` is one of `RefusedRequest.Reason`.

    :raises Malformed: no such reason.
    :raises NotFound: no such slip.
    :raises Stale: the slip is no longer at `version`.
    :raises SlipNotWaiting: it was paid or cancelled before, or is none that asks for chips.
    """
    if reason not in RefusedRequest.Reason.values:
        raise Malformed(field="reason")
    seen = look_at_slip(command.room_id, slip_id)
    deliveries.of(seen).lock(seen)
    slip = lock_slip(command.room_id, slip_id, version=version)
    # What was paid before Brush knew of it is asked for no more: it is confirmed, or taken away.
    asks = slip.kind == Slip.Kind.BUY_IN and not deliveries.of(slip).was_paid
    if slip.status != Slip.Status.REQUESTED or not asks:
        raise SlipNotWaiting
    audiences = cancel_waiting(command, slip)
    RefusedRequest.objects.create(
        slip=slip, reason=reason, refused_at=command.ends(slip.requested_at), refused_by_id=command.staff_id
    )
    data = {**slip_data(slip), "refused_for": reason}
    return Outcome(chain=own_chain(command.by), data=data, version=slip.version, audiences=(*audiences, *news_of(slip)))


@service("cage.note_refusal_seen")
def note_refusal_seen(command: Command, *, slip_id: int) -> Outcome:
    """
    Note that the floor knows that the cage refused a request: it goes off the to-do and off the table's tablet.

    :raises NotFound: no such request was refused, or somebody has seen it.
    """
    slip = look_at_slip(command.room_id, slip_id)
    deliveries.of(slip).lock(slip)
    refused = RefusedRequest.objects.filter(slip=slip).first()
    unseen = RefusedRequest.objects.filter(slip=slip, seen_at=None)
    # Asked again in the statement: of two who have seen it at once the second changes nothing.
    if refused is None or not unseen.update(seen_at=command.ends(refused.refused_at), seen_by_id=command.staff_id):
        raise NotFound(what="slip")
    audiences = (*screens(slip), *news_of(slip))
    return Outcome(chain=own_chain(command.by), data={"slip_id": slip.pk}, version=slip.version, audiences=audiences)
