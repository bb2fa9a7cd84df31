"""
Fill slips before anything moves: asked for, authorised by another, or refused.

Order of locks: the room, which numbers them, the gaming day, the place's own row (a table, a drawer), the slip's.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from casino.cage import fill_places, rules
from casino.cage.errors import AuthorisedByRequester, FillNotAt, FillOfNothing
from casino.cage.models_fills import FillSlip
from casino.cage.services.amounts import Pieces, check_known
from casino.cage.services.locks import lock_numbering, next_number
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, NotPermitted, Stale
from casino.ledger.chips import check_chips
from casino.rooms.models import Place
from casino.rooms.selectors import lock_open_day

# The fills' own page, and what the floor has to see to.
FILL_NEWS = ("fills",)
CHAIN = "vault"


@dataclass(frozen=True)
class Load:
    """Cash and chips by pieces, [[value in cents, how many], ...], and what they come to."""

    # Named as the columns of a `FillSlip` end that keep it: wished_cash, sent_cash, got_cash.
    cash: list[list[int]]
    chips: list[list[int]]
    cash_cents: int
    chips_cents: int

    @classmethod
    def by(cls, cash: Pieces, chips: Pieces) -> "Load":
        """Return the load of these pieces, those of one value added up; sums in cents."""
        return cls(rules.added_up(cash), rules.added_up(chips), rules.cents_of(cash), rules.cents_of(chips))

    def __str__(self) -> str:
        """Return the load as the second person signs it: cents of cash and of chips, "50000.120000"."""
        return f"{self.cash_cents}.{self.chips_cents}"


def read_load(command: Command, cash: Pieces, chips: Pieces) -> Load:
    """Return what pieces are, of which there may be none. :raises Malformed: there is no such piece, or below none."""
    check_known(command.room_id, cash=cash, chips=chips, at=command.at)
    return Load.by(cash, chips)


@service("cage.request_fill")
def request_fill(
    command: Command, *, kind: str, place_kind: str, place_number: int, cash: Pieces = (), chips: Pieces = ()
) -> Outcome:
    """
    Ask for a fill from the vault, or for a credit to it, by the pieces that are wished. Nothing moves yet.

    `place_kind` and `place_number`: to or from where, in the words of `fill_places`.

    :raises Malformed: it is what does not lie there; there is no such piece, kind or place.
    :raises FillOfNothing: it is nothing.
    :raises NotInChips: there are no such chips.
    :raises NotPermitted: the device stands elsewhere.
    :raises NotFound: there is no such drawer or table.
    :raises NoOpenDay, DrawerClosed: nothing is moved now, or not there.
    :raises Refusal: by the book it is not filled (`FillPlace.check_takes`).
    """
    if kind not in FillSlip.Kind.values:
        raise Malformed(field="kind")
    if place_kind not in fill_places.kinds():
        raise Malformed(field="place_kind")
    place = fill_places.of(place_kind)
    load = read_load(command, cash, chips)
    if not load.cash_cents and not load.chips_cents:
        raise FillOfNothing
    is_fill = kind == FillSlip.Kind.FILL
    check_chips(command.room_id, load.chips_cents if is_fill else -load.chips_cents, at=command.at)
    check_stands_at(command, place_kind, place_number)
    place_id = place.id_of(command.room_id, place_number)
    if load.cash_cents and not (rules.CASH in place.holds if is_fill else place.gives_cash(place_id)):
        raise Malformed(field="cash")
    if is_fill:
        place.check_takes(place_id, at=command.at)
    room = lock_numbering(command.room_id)
    day = lock_open_day(room.pk)
    place.lock(place_id)
    slip = FillSlip(
        room_id=command.room_id,
        number=next_number(FillSlip.objects.filter(room=room)),
        day=day,
        kind=kind,
        place_kind=place_kind,
        place_id=place_id,
        place_number=place_number,
        requested_at=command.at,
        requested_by_id=command.staff_id,
        **{f"wished_{name}": value for name, value in vars(load).items()},
    )
    slip.save(force_insert=True)
    return outcome_of(slip)


@service("cage.authorise_fill")
def authorise_fill(command: Command, *, fill_id: int, version: int | None = None) -> Outcome:
    """
    Let a fill or credit that was asked for be carried. Who asked for it never authorises it.

    :raises NotFound: there is no such slip.
    :raises Stale: it is no longer at `version`.
    :raises FillNotAt: it was authorised or refused before.
    :raises AuthorisedByRequester: whoever authorises now has requested it.
    """
    slip = lock_fill(command, fill_id, version, at={FillSlip.Status.REQUESTED})
    if slip.requested_by_id == command.staff_id:
        raise AuthorisedByRequester
    slip.status, slip.authorised_at = FillSlip.Status.AUTHORISED, command.ends(slip.requested_at)
    slip.authorised_by_id = command.staff_id
    return saved(slip, "status", "authorised_at", "authorised_by")


@service("cage.refuse_fill")
def refuse_fill(command: Command, *, fill_id: int, reason: str, version: int | None = None) -> Outcome:
    """
    Refuse a fill or credit, or call it off, as long as nothing is on its way. `reason` is a `FillSlip.Reason`.

    :raises NotFound, Stale: as `authorise_fill`.
    :raises FillNotAt: it is on its way, or over.
    """
    if reason not in FillSlip.Reason.values:
        raise Malformed(field="reason")
    slip = lock_fill(command, fill_id, version, at={FillSlip.Status.REQUESTED, FillSlip.Status.AUTHORISED})
    slip.status, slip.reason = FillSlip.Status.REFUSED, reason
    slip.ended_at, slip.ended_by_id = command.ends(slip.requested_at), command.staff_id
    return saved(slip, "status", "reason", "ended_at", "ended_by")


@service("cage.note_fill_print")
def note_fill_print(command: Command, *, fill_id: int) -> Outcome:
    """
    Note that a fill slip was printed: from the second time on it says "copy".

    :raises NotFound: there is no such slip.
    """
    slip = lock_fill(command, fill_id, None)
    slip.prints += 1
    slip.save(update_fields=["prints"])
    return Outcome(chain=CHAIN, data={"fill_id": slip.pk, "prints": slip.prints}, version=slip.version)


def lock_fill(
    command: Command, fill_id: int, version: int | None, *, at: Collection[str] = FillSlip.Status.values
) -> FillSlip:
    """
    Lock a fill slip as it is now.

    :raises NotFound: the room has none such.
    :raises Stale: it is no longer at `version` (None: not asked).
    :raises FillNotAt: it stands otherwise than `at` one of these.
    """
    slip = FillSlip.objects.select_for_update(no_key=True).filter(room_id=command.room_id, id=fill_id).first()
    if slip is None:
        raise NotFound(what="slip")
    if version is not None and slip.version != version:
        raise Stale(what="slip", version=slip.version)
    if slip.status not in at:
        raise FillNotAt(number=slip.number, status=slip.status)
    return slip


def look_at_fill(room_id: int, fill_id: int) -> FillSlip:
    """
    Return a fill slip without locking it: where it goes never changes, so that place can lock first.

    :raises NotFound: the room has none such.
    """
    slip = FillSlip.objects.filter(room_id=room_id, id=fill_id).first()
    if slip is None:
        raise NotFound(what="slip")
    return slip


def check_stands_at(command: Command, place_kind: str | None, place_number: int) -> None:
    """
    Let a device act at a place, None being the vault: the floor's everywhere, the cage's for the vault and its own
    drawer or a bank, else the one that stands there.

    :raises NotPermitted: it stands elsewhere.
    """
    stands = command.by.place
    if stands is None or stands[0] == Place.Kind.FLOOR:
        return
    if place_kind is None:
        if stands[0] != Place.Kind.CAGE:
            raise NotPermitted
    elif not fill_places.of(place_kind).is_at(stands, place_number, room_id=command.room_id):
        raise NotPermitted


def saved(slip: FillSlip, *fields: str) -> Outcome:
    """Store what has changed of a locked slip, with its next version, and return what is told of it."""
    slip.version += 1
    slip.save(update_fields=[*fields, "version"])
    return outcome_of(slip)


def outcome_of(slip: FillSlip, **more: Any) -> Outcome:
    """
    Return the outcome of whatever was done with a slip. What was sent is no part of it, nor what was wished while it is
    on its way: its count is blind.
    """
    wished = {"cash_cents": slip.wished_cash_cents, "chips_cents": slip.wished_chips_cents}
    data = {
        "fill_id": slip.pk,
        "number": slip.number,
        "kind": slip.kind,
        "status": slip.status,
        "place_kind": slip.place_kind,
        "place_number": slip.place_number,
        **({} if slip.is_blind else wished),
        **more,
    }
    there = fill_places.of(slip.place_kind).screens(slip.place_number)
    return Outcome(chain=CHAIN, data=data, version=slip.version, audiences=(*FILL_NEWS, *there))
