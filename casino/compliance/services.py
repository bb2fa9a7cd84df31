"""
Writing compliance notes. Nothing of what they say enters the log, nor about whom: others read that.

Notes are only ever added, so two officers who write at once both stand, and the newer mark holds.
"""

from collections.abc import Sequence
from datetime import date
from zoneinfo import ZoneInfo

from casino.cage.models import Slip
from casino.cage.selectors.identity import all_claimed_cash
from casino.commands.carrying_out import Command, Outcome, service
from casino.compliance.errors import (
    CorrectsStanding,
    NoteOfOneThing,
    NotOneFinding,
    OwnSuspicion,
    ReportedLater,
    ReportHasItsDay,
)
from casino.compliance.models import ComplianceNote
from casino.compliance.selectors.handled import handled_among, notes_resting_on
from casino.errors import NotFound
from casino.people.models import Player, Staff
from casino.rooms.selectors import room_of

CHAIN = "compliance"


@service("compliance.write_note", private=["player_id", "staff_id", "corrects_id", "text", "reason"])
def write_note(
    command: Command,
    *,
    text: str,
    reason: str = ComplianceNote.Reason.BOOKS,
    player_id: int | None = None,
    staff_id: int | None = None,
    corrects_id: int | None = None,
) -> Outcome:
    """
    Write a note on a player, on somebody on staff, or one that corrects another; compliance alone reads it.

    `reason` is a `ComplianceNote.Reason`; of a correction it is always that.

    :raises NoteOfOneThing: it is on none of these, or on more than one; or a correction corrects nothing.
    :raises NotFound: nobody, or no note, of this room; or the note is on whoever writes, or on slips that they handled.
    :raises OwnSuspicion: it is on whoever writes.
    :raises CorrectsStanding: the note was corrected before.
    """
    if sum(each is not None for each in (player_id, staff_id, corrects_id)) != 1:
        raise NoteOfOneThing
    if corrects_id is not None:
        return _corrected(command, corrects_id, text)
    if reason == ComplianceNote.Reason.CORRECTS:
        raise NoteOfOneThing
    if staff_id is not None:
        if staff_id == command.staff_id:
            raise OwnSuspicion
        _check_there(Staff.objects.filter(id=staff_id, room_id=command.room_id).exists(), what="person")
    if player_id is not None:
        _check_there(Player.objects.filter(id=player_id, room_id=command.room_id).exists(), what="player")
    return _written(command, ComplianceNote(player_id=player_id, staff_id=staff_id, reason=reason, text=text))


@service("compliance.mark_finding", private=[
    "kind", "slip_ids", "claim_ids", "mark", "text", "reason", "reported_on", "reference",
])  # fmt: skip
def mark_finding(
    command: Command,
    *,
    kind: str,
    slip_ids: Sequence[int],
    mark: str,
    text: str,
    reason: str = ComplianceNote.Reason.BOOKS,
    reported_on: str | None = None,
    reference: str = "",
    claim_ids: Sequence[int] = (),
) -> Outcome:
    """
    Write a note on a finding, and say with `mark` (a `ComplianceNote.Mark`) how it stands from now on.

    `slip_ids` and `claim_ids` are the slips and the claims of lost cash that it rests on; of a report to the authority
    are `reported_on` (ISO 8601), `reference`.

    :raises NotOneFinding: these are none, not all paid, or not all of one person or one desk.
    :raises OwnSuspicion: who writes has handled one of them, or another one of a note that rests on one of them.
    :raises ReportHasItsDay: a report without day or reference, or either without a report.
    :raises ReportedLater: that day has not come yet.
    """
    if len({bool(reported_on), bool(reference), mark == ComplianceNote.Mark.REPORTED}) != 1:
        raise ReportHasItsDay
    sent = date.fromisoformat(reported_on) if reported_on else None
    if sent is not None and sent > command.at.astimezone(ZoneInfo(room_of(command.room_id).time_zone)).date():
        raise ReportedLater
    if reason == ComplianceNote.Reason.CORRECTS:
        raise NoteOfOneThing
    note = ComplianceNote(
        kind=kind, slip_ids=sorted(set(slip_ids)), claim_ids=sorted(set(claim_ids)), mark=mark, reason=reason,
        text=text, reported_date=sent, reference=reference,
    )  # fmt: skip
    note.player_id = _whose(command, note)
    return _written(command, note)


def _whose(command: Command, note: ComplianceNote) -> int | None:
    """Return the player of a finding's slips and claims, the kept record of merged ones; None: nobody was named."""
    slips = Slip.objects.filter(id__in=note.slip_ids, room_id=command.room_id)
    claims = all_claimed_cash(command.room_id).filter(id__in=note.claim_ids)
    rows = list(slips.values_list("player_id", "player__merged_into", "drawer_id", "paid_at"))
    rows += claims.values_list("claimed_by_id", "claimed_by__merged_into", "drawer_id", "ended_at")
    people = {merged or player for player, merged, _drawer, _paid in rows}
    desks = {drawer for _player, _merged, drawer, _paid in rows}
    is_unnamed = note.kind == ComplianceNote.Kind.UNNAMED
    whole = len(rows) == len(note.sources) and all(paid_at for *_rest, paid_at in rows)
    if not whole or len(people) != 1 or (people == {None}) != is_unnamed or (is_unnamed and len(desks) != 1):
        raise NotOneFinding
    noted = {source for each in notes_resting_on(command.room_id, note.sources) for source in each.sources}
    if handled_among(command.staff_id, noted | note.sources):
        raise OwnSuspicion
    return people.pop()


def _corrected(command: Command, note_id: int, text: str) -> Outcome:
    # Locked, so that of two officers who correct it at once the second one reads the first one's.
    wrong = ComplianceNote.objects.select_for_update(no_key=True).filter(id=note_id, room_id=command.room_id).first()
    # One answer for both: whom a note is on is not told by trying its number.
    if wrong is None or wrong.staff_id == command.staff_id or handled_among(command.staff_id, wrong.sources):
        raise NotFound(what="note")
    if ComplianceNote.objects.filter(corrects=wrong).exists():
        raise CorrectsStanding
    note = ComplianceNote(
        player_id=wrong.player_id, staff_id=wrong.staff_id, kind=wrong.kind, slip_ids=wrong.slip_ids,
        claim_ids=wrong.claim_ids, reason=ComplianceNote.Reason.CORRECTS, corrects=wrong, text=text,
    )  # fmt: skip
    return _written(command, note)


def _check_there(is_there: bool, *, what: str) -> None:
    if not is_there:
        raise NotFound(what=what)


def _written(command: Command, note: ComplianceNote) -> Outcome:
    note.room_id, note.written_at, note.written_by_id = command.room_id, command.at, command.staff_id
    note.save(force_insert=True)
    # Others read the log, and who finds a number there that is not among the notes shown to them knows of one on them.
    return Outcome(chain=CHAIN, reveal={"note": note.pk})
