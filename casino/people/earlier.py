"""
Taps under a sign-in that has ended: what waited on a tablet without a connection, and what only says so.

A table's tablet goes on alone while its connection is away, and by the time its taps arrive somebody else may deal
there, or nobody. They stay their tapper's where three things hold: the sign-in was this device's, the tap bears the
secret whose hash came with the PIN, and it was made before the sign-in ended, hours ago at most. What lacks one of
these is neither lost nor believed: the app that owns the fact keeps it for the floor. So is a fact from the page of a
dealer at a desktop where somebody else is signed in by now. Nothing else ever comes under an ended sign-in: no request,
no reading, nothing of the cage, people, ledger or devices.
"""

import hmac
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from casino.commands.carrying_out import Actor
from casino.people.models import Device, SignIn, Staff
from casino.people.permissions import QUEUED
from casino.people.secrets import digest
from casino.people.selectors import actor_at_desktop, actor_on_device
from casino.rooms.models import Room
from casino.text import id_from_text

# A night without a connection; what turns up later is for the floor to judge.
PROVES_FOR = timedelta(hours=12)


class Distrust(StrEnum):
    """Why a tap under an ended sign-in is not believed."""

    UNKNOWN = "unknown"
    NO_PROOF = "no_proof"
    TOO_OLD = "too_old"
    AFTER_ITS_END = "after_its_end"
    ANOTHER_SIGNED_IN = "another_signed_in"


@dataclass(frozen=True)
class EarlierTap:
    """
    A tap under a sign-in that is not the device's present one.

    `tapped_at` lies between that sign-in's beginning and its end, unless there is a `doubt`: then it is only what the
    tap says. `staff_id` is whose sign-in it was, None where the device never had it.
    """

    tapped_at: datetime
    staff_id: int | None
    doubt: Distrust | None


def earlier_tap(device: Device, sign_in_id: UUID, *, proof: str, tapped_at: datetime, at: datetime) -> EarlierTap:
    """Return what is known of a tap that names an earlier sign-in; `proof` is its secret, "" for none. One query."""
    sign_in = SignIn.objects.filter(pk=sign_in_id, device=device).first()
    if sign_in is None:
        return EarlierTap(tapped_at, None, Distrust.UNKNOWN)
    # A sign-in may have begun later than its taps, by a clock that was set back since.
    return EarlierTap(
        min(max(tapped_at, sign_in.began_at), at),
        sign_in.staff_id,
        _doubt(sign_in, proof=proof, tapped_at=tapped_at, at=at),
    )


def _doubt(sign_in: SignIn, *, proof: str, tapped_at: datetime, at: datetime) -> Distrust | None:
    if not sign_in.proof_hash or not hmac.compare_digest(digest(proof), sign_in.proof_hash):
        return Distrust.NO_PROOF
    if sign_in.ended_at is None:
        return None
    if at - sign_in.ended_at > PROVES_FOR:
        return Distrust.TOO_OLD
    return Distrust.AFTER_ITS_END if tapped_at > sign_in.ended_at else None


def anothers_tap(room: Room, named: str, *, command: str, tapped_at: datetime) -> EarlierTap | None:
    """
    Return what is known of a tap from the page of somebody else than who is signed in at that desktop.

    `named` is whose page it says it is ("staff.3"). None where it is nobody's of this room who may carry `command` out,
    or no fact at a table. At most one query.
    """
    staff_id = id_from_text(named.removeprefix("staff."))
    if command not in QUEUED or staff_id is None:
        return None
    staff = Staff.objects.filter(pk=staff_id, room=room, is_active=True).first()
    if staff is None or command not in actor_at_desktop(staff).may:
        return None
    return EarlierTap(tapped_at, staff.pk, Distrust.ANOTHER_SIGNED_IN)


def proof_of(device: Device) -> str:
    """Return the hash of the secret that proves taps under the device's present sign-in, "" for none. One query."""
    if device.sign_in_id is None:
        return ""
    return SignIn.objects.filter(pk=device.sign_in_id).values_list("proof_hash", flat=True).first() or ""


def actor_of_earlier(device: Device, tap: EarlierTap) -> Actor:
    """
    Return the actor of a tap under an earlier sign-in: its tapper, for what tablets queue and nothing else.

    One in doubt is nobody's: the device by itself. Both say under whom the tap was sent.
    """
    itself = replace(actor_on_device(device, staff=None), sent_by_id=device.signed_in_id)
    return itself if tap.doubt else replace(itself, staff_id=tap.staff_id, may=frozenset(QUEUED))
