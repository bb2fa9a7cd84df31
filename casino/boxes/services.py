"""
Boxes at tables: hung, changed, dropped, counted by two.

What happens at a table's box holds the table's lock, so no hand settles into it meanwhile; a count holds the box alone,
for nothing falls into a dropped one any more, and no table waits for it.
"""

from collections.abc import Mapping, Sequence

from django.db import IntegrityError, transaction

from casino.audit import held
from casino.boxes.errors import (
    AnotherSince,
    BoxCounted,
    BoxElsewhere,
    BoxHasChips,
    BoxOnReport,
    BoxReasonNeeded,
    BoxStillHangs,
    NothingToDrop,
    OwnBox,
    OwnBoxDiffers,
)
from casino.boxes.held import BOX_COUNT_REASON
from casino.boxes.models import Box, BoxCount
from casino.boxes.of_day import days_of_box
from casino.boxes.selectors.log import (
    COUNTED,
    Expected,
    InNoBox,
    beyond_of,
    expected_in,
    has_put_in,
    loose_at,
    with_chips,
)
from casino.cage.models import CarriedItem
from casino.cage.rules import added_up, cents_of
from casino.cage.services.amounts import check_chips
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.chart import of_house
from casino.ledger.services import open_accounts, post
from casino.people.services.signatures import check_signed
from casino.rooms.models import Room
from casino.rooms.selectors import lock_open_day
from tables.audiences import of_table as seen_by
from tables.charges import ChargeKind, charge_codes, kind_of, missing_account
from tables.chart import OWNER, of_table
from tables.models import Table
from tables.owners import newest_postings
from tables.services.boxes import counted_in_box
from tables.services.state import lock_table

# What the second person under a count must be allowed to do.
NEEDS = "boxes.sign_count"
# Whom it is told.
NEWS = "boxes"
NUMBER_MAX = 9_999


def count_signs(box_id: int, *, version: int, cents: int, reason: str = "") -> str:
    """Return what the second person signs: which box, as it stands, how much both counted, and why it has no number."""
    signed = f"box.{box_id}.{version}.{cents}"
    return f"{signed}.{reason}" if reason else signed


@service("boxes.hang_box")
def hang_box(command: Command, *, table_id: int, charge: str, number: int, instead_of: int | None = None) -> Outcome:
    """
    Hang a numbered box at a table; the one that hangs there is dropped in the same act.

    `charge` is the kind of charge that falls into it, `instead_of` the box that the asker sees hanging there, None for
    none. What fell there in no numbered box waits to be counted by itself.

    :raises NotFound: there is no such table.
    :raises Malformed: no such kind of charge, or no such number.
    :raises Stale: another box hangs there.
    :raises BoxElsewhere: it hangs somewhere, or waits to be counted.
    """
    kind = _kind(charge)
    if not 1 <= number <= NUMBER_MAX:
        raise Malformed(field="number")
    table = lock_table(command, table_id)
    dropped = _hanging(table, charge, instead_of)
    here = newest_postings(table, [kind.box]).get(kind.box, 0)
    if dropped is not None:
        # Before the next one hangs: of a kind one box hangs at a table, and the database sees to it at once.
        _drop(command, dropped, here)
    else:
        loose = _loose(command, table, kind)
        dropped = _drop_loose(command, table, kind, here, loose)
        if dropped is None:
            # Nothing, or less than that since a hand was taken back: the box that hangs now has it.
            here = loose.after
    in_use = Box.objects.filter(Box.OPEN, room_id=table.room_id, charge=charge, number=number)
    try:
        # A table of its own lock may be just hanging the same number: the database has the last word.
        with transaction.atomic():
            box = Box.objects.create(
                room_id=table.room_id, table=table, charge=charge, account=kind.box, number=number, hung_after=here,
                hung_at=command.at, hung_by_id=command.staff_id, replaces=dropped,
            )  # fmt: skip
    except IntegrityError:
        other = in_use.select_related("table").first()
        raise BoxElsewhere(number=number, table_number=other.table.number if other else table.number) from None
    changed = {"dropped": dropped.pk} if dropped is not None else {}
    return _done(table, box, {**changed, "is_changed": dropped is not None and dropped.number is not None})


@service("boxes.drop_box")
def drop_box(command: Command, *, table_id: int, charge: str, box_id: int | None = None) -> Outcome:
    """
    Take the box down that hangs at a table: it waits to be counted, and nothing hangs there.

    `box_id` is the one that the asker sees hanging. None: what fell there in no numbered box is taken down.

    :raises NotFound: there is no such table.
    :raises Malformed: no such kind of charge.
    :raises Stale: another box hangs there, or none.
    :raises NothingToDrop: none hangs, and the log has put nothing there.
    """
    kind = _kind(charge)
    table = lock_table(command, table_id)
    box = _hanging(table, charge, box_id)
    here = newest_postings(table, [kind.box]).get(kind.box, 0)
    if box is not None:
        _drop(command, box, here)
    else:
        box = _drop_loose(command, table, kind, here, _loose(command, table, kind))
    if box is None:
        raise NothingToDrop(table_number=table.number)
    return _done(table, box, {"is_numbered": box.number is not None})


@service("boxes.take_back")
def take_back(command: Command, *, box_id: int, version: int) -> Outcome:
    """
    Take back the last thing done at a table's box: what was dropped hangs again, what was hung never was.

    A box that was dropped for it hangs again too.

    :raises NotFound: there is no such box, or it was taken back.
    :raises Stale: something was done with it since `version`.
    :raises AnotherSince: it is not the last one there.
    :raises BoxCounted: it was counted, or the one that it replaced was.
    :raises BoxOnReport: what fell in no numbered box stands on the report of a day that is closed as counted.
    :raises BoxHasChips: it was hung, and the log has put something there since: that lies in no other box.
    """
    seen = Box.objects.filter(room_id=command.room_id, id=box_id, taken_back_at=None).first()
    if seen is None:
        raise NotFound(what="box")
    table = lock_table(command, seen.table_id)
    box = _lock_box(command, box_id, version)
    newest = Box.objects.filter(table=table, charge=box.charge, taken_back_at=None).order_by("-id")
    if newest.values_list("id", flat=True).first() != box.pk:
        raise AnotherSince
    if box.is_counted:
        raise BoxCounted
    hangs = box.dropped_after is None
    if hangs and with_chips(box.room_id, [box.pk]):
        raise BoxHasChips
    if not hangs and box.number is not None:
        _hang_again(box)
    else:
        _never_was(command, box)
    if hangs and box.replaces_id is not None:
        # Only once the other is gone: of a kind one box hangs at a table, and the database sees to it at once. Locked,
        # for whoever counts the replaced one just now holds it alone, and has it refused here.
        before = Box.objects.select_for_update(no_key=True).get(id=box.replaces_id)
        if before.is_counted:
            raise BoxCounted
        if before.number is None:
            _never_was(command, before)
        else:
            _hang_again(before)
    return _done(table, box, {"was_hung": hangs})


@service("boxes.count_box")
def count_box(
    command: Command,
    *,
    box_id: int,
    version: int,
    pieces: Sequence[Mapping[str, int]],
    approved_by_id: int,
    reason: str = "",
) -> Outcome:
    """
    Count a dropped box with another person: what was counted goes to the vault, what differs to its own account.

    `pieces`: how many there are of each value, as `cents_of`. The count is a fact, and no amount is refused; what was
    expected is in the answer, after it. A box that was counted before is counted again: the newest count holds.
    `reason` is why it has no number, one of `BoxCount.Reason`, of one that has none (`Box.needs_reason`).
    `approved_by_id` has signed `count_signs` (`people.services.second_person`, before this command). It is posted on
    the open day, on whichever the box was dropped.

    :raises Malformed: nobody says of anything how many there are, an empty box has 0 of something; the room never had
        such a chip; there is no such reason, or the box has a number.
    :raises NeedsSecondSignature: nobody else signed it, or not this.
    :raises NoOpenDay: no gaming day is open.
    :raises NotFound: there is no such box.
    :raises Stale: something was done with it since `version`: it was just counted, say.
    :raises BoxStillHangs: it was not dropped.
    :raises OwnBox: one of both has dealt into it.
    :raises BoxReasonNeeded: it has no number, and nobody says why.
    """
    if not pieces:
        raise Malformed(field="pieces")
    check_chips(command.room_id, pieces, at=command.at, field="pieces")
    cents = cents_of(pieces)
    check_signed(
        command, approved_by_id, needs=NEEDS, signs=count_signs(box_id, version=version, cents=cents, reason=reason)
    )
    day = lock_open_day(command.room_id)
    box = _lock_box(command, box_id, version)
    if box.dropped_after is None:
        raise BoxStillHangs
    if has_put_in(box, [command.staff_id, approved_by_id]):
        raise OwnBox
    _check_reason(box, reason)
    expected = expected_in(box)
    before = box.counts.order_by("-number").first()
    count = BoxCount(
        room_id=box.room_id,
        box=box,
        number=before.number + 1 if before else 1,
        day=day,
        at=command.at,
        counted_by_id=command.staff_id,
        approved_by_id=approved_by_id,
        pieces=added_up(pieces),
        cents=cents,
        expected_cents=expected.cents,
        reason=reason,
    )
    of_days = days_of_box(box)
    count.transfer_id = _post(command, box, count, before, expected, of_days)
    # Once it is posted: a count that is kept never changes, so it has its transfer from the start.
    count.save(force_insert=True)
    # Only now: what was expected above has counted it too.
    was_beyond = counted_in_box(beyond_of(box), command=command)
    # What differs otherwise than the count before is looked at anew.
    box.is_counted, box.to_judge = True, count.difference_cents != 0
    _save(box, "is_counted", "to_judge")
    data = {
        "box": box.pk,
        "table": box.table.number,
        "count": count.pk,
        "number": count.number,
        "counted_cents": count.cents,
        "expected_cents": count.expected_cents,
        "difference_cents": count.difference_cents,
        "approved_by_id": approved_by_id,
        "differs": bool(count.difference_cents),
        # It is posted today, whichever day they are.
        "of_days": of_days,
    }
    if reason:
        held.note(BOX_COUNT_REASON.kind, count.pk)
        data["no_number_reason"] = reason
    audiences = (NEWS, *seen_by(box.table)) if was_beyond else (NEWS,)
    return Outcome(chain="boxes", data=data, version=box.version, audiences=audiences)


@service("boxes.judge_count")
def judge_count(command: Command, *, box_id: int, version: int) -> Outcome:
    """
    Take a box whose count differs off the floor's to-do, having looked at it.

    :raises NotFound: there is no such box, or nothing to judge about it.
    :raises Stale: it was counted again since `version`, or somebody else judged it.
    :raises OwnBoxDiffers: by who has dealt into it: what is missing may be theirs.
    """
    box = _lock_box(command, box_id, version)
    if not box.to_judge:
        raise NotFound(what="box")
    if has_put_in(box, [command.staff_id]):
        raise OwnBoxDiffers
    box.to_judge = False
    box.judged_at, box.judged_by_id = command.ends(box.counts.latest("number").at), command.staff_id
    _save(box, "to_judge", "judged_at", "judged_by_id")
    data = {"box": box.pk, "table": box.table.number}
    return Outcome(chain="boxes", data=data, version=box.version, audiences=(NEWS,))


def _check_reason(box: Box, reason: str) -> None:
    if reason and (reason not in BoxCount.Reason or not box.needs_reason):
        raise Malformed(field="reason")
    if box.needs_reason and not reason:
        raise BoxReasonNeeded


def _kind(charge: str) -> ChargeKind:
    if charge not in charge_codes():
        raise Malformed(field="charge")
    return kind_of(charge)


def _hanging(table: Table, charge: str, seen: int | None) -> Box | None:
    """Return the box that hangs at a locked table, locked. :raises Stale: it is another one than was seen, or none."""
    hanging = Box.objects.select_for_update(no_key=True).filter(Box.HANGS, table=table, charge=charge).first()
    if (hanging.pk if hanging else None) != seen:
        raise Stale(what="box", version=hanging.version if hanging else 0)
    return hanging


def _lock_box(command: Command, box_id: int, version: int) -> Box:
    locked = Box.objects.select_for_update(no_key=True).filter(room_id=command.room_id, id=box_id, taken_back_at=None)
    box = locked.first()
    if box is None:
        raise NotFound(what="box")
    if box.version != version:
        raise Stale(what="box", version=box.version)
    return box


def _loose(command: Command, table: Table, kind: ChargeKind) -> InNoBox:
    """
    Return what lies at a locked table in no numbered box, of the kind.

    What fell there on days before any box hung there is put into one of its own, which is counted if the room wants to.
    """
    in_no_box = loose_at(table.room_id, [kind], [table.pk]).get((table.pk, kind.code), InNoBox())
    if in_no_box.before:
        _unnumbered(command, table, kind, after=0, until=in_no_box.after)
    return in_no_box


def _drop_loose(command: Command, table: Table, kind: ChargeKind, here: int, loose: InNoBox) -> Box | None:
    """Have what fell at a table in no numbered box wait to be counted by itself; None where nothing did."""
    if loose.cents <= 0:
        return None
    # From the log's beginning on it would be one of before. Its first posting lies in no box: the house begins with it.
    return _unnumbered(command, table, kind, after=max(loose.after, 1), until=here)


def _unnumbered(command: Command, table: Table, kind: ChargeKind, *, after: int, until: int) -> Box:
    return Box.objects.create(
        room_id=table.room_id, table=table, charge=kind.code, account=kind.box, hung_after=after, hung_at=command.at,
        hung_by_id=command.staff_id, dropped_after=until, dropped_at=command.at, dropped_by_id=command.staff_id,
    )  # fmt: skip


def _drop(command: Command, box: Box, here: int) -> None:
    box.dropped_after = here
    box.dropped_at, box.dropped_by_id = command.ends(box.hung_at), command.staff_id
    _save(box, "dropped_after", "dropped_at", "dropped_by_id")


def _hang_again(box: Box) -> None:
    box.dropped_after = box.dropped_at = box.dropped_by_id = None
    _save(box, "dropped_after", "dropped_at", "dropped_by_id")


def _never_was(command: Command, box: Box) -> None:
    """:raises BoxOnReport: what fell in no numbered box would be in none again, and a day's report carries it."""
    if box.number is None and CarriedItem.objects.filter(stage="counted", kind="box", number=box.pk).exists():
        raise BoxOnReport
    box.taken_back_at, box.taken_back_by_id = command.ends(box.hung_at), command.staff_id
    _save(box, "taken_back_at", "taken_back_by_id")


def _save(box: Box, *fields: str) -> None:
    box.version += 1
    box.save(update_fields=[*fields, "version"])


def _post(
    command: Command, box: Box, count: BoxCount, before: BoxCount | None, expected: Expected, of_days: list[str]
) -> int | None:
    """
    Move what a count found into the vault, and return the transfer's id; None where nothing moves.

    The first empties the box of what the log had put there. What lay there beyond the log comes from the chips in play,
    to which the hand's taking back had given it. A later one moves by how much it differs from the last.
    """
    logged, beyond = (0, 0) if before else (expected.logged, expected.beyond)
    more = count.cents - (before.cents if before else 0)
    if not (logged or beyond or more):
        return None
    # Tables of before had no account for what is missing.
    open_accounts(Room.objects.get(id=box.room_id), OWNER, box.table_id)
    return post(
        room_id=box.room_id,
        day_id=count.day_id,
        kind=COUNTED,
        lines=[
            of_table(box.table_id, box.account, -logged),
            of_table(box.table_id, "in_play", -beyond),
            of_house(box.room_id, "vault_chips", more),
            of_table(box.table_id, missing_account(box.charge), logged + beyond - more),
        ],
        key=f"box.{box.pk}.{count.number}",
        made_by_id=command.staff_id,
        approved_by_id=count.approved_by_id,
        at=command.at,
        table_id=box.table_id,
        about={"box": box.pk, "number": box.number, "count": count.number, "of_days": of_days},
    )


def _done(table: Table, box: Box, data: Mapping[str, object]) -> Outcome:
    data = {"box": box.pk, "table": table.number, **data}
    return Outcome(chain=table.chain, data=data, version=box.version, audiences=(NEWS,))
