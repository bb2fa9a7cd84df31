"""
Queued taps that nobody can vouch for: neither lost nor believed, but kept for the floor, who enters them or does not.

What makes a tap doubtful is decided at the door (`casino.people.earlier`): no proof, too old, tapped after its sign-in
had ended, or under one that this tablet never had. The tablet is told that it arrived, or its queue would stand still.
"""

import functools
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, get_type_hints

import msgspec
from django.db.models import Q, QuerySet

from casino.audit.hashes import canonical
from casino.audit.models import Event
from casino.commands.carrying_out import DONE, Answer, Command, Outcome, service, services
from casino.errors import NotFound
from casino.people.standing import newest_day_id
from casino.rulebooks.shapes import learn
from tables.models import Hand, Seating, Table, ToDo
from tables.selectors.todo_taps import dealer_then
from tables.services import (
    chips,
    clocks,
    corrections,
    disputes,
    downs,
    hands,
    opening,
    racks,
    seating,
    time_charges,
    tip_boxes,
)
from tables.services.state import done, leave_to_the_floor, lock_table

# How many of one tablet's taps the floor judges one by one in an evening. A night of twelve hours without a connection
# and without proof makes less: 360 hands at most, each of which is one line once it is settled. What comes above is in
# the log, and a line that says how many: whoever holds a tablet's cookie must not fill the floor's to-do.
KEPT_MAX = 500

# A settlement stands alone: what its tablet said of the hand before is in it.
_PROGRESS = ("tables.deal_hand", "tables.show_flop")
_ENDS_A_HAND = ("tables.settle_hand", "tables.skip_hand", "tables.void_hand")


@dataclass(frozen=True)
class KeptTap:
    """
    A tap as its tablet sent it: the command's name and its arguments but for the table.

    `staff_id` is whose sign-in it names, None for nobody's; `doubt` a `casino.people.earlier.Distrust`.
    """

    name: str
    arguments: Mapping[str, Any]
    staff_id: int | None
    doubt: str


@functools.cache
def _shape(name: str) -> type[msgspec.Struct]:
    """Return what the arguments of a command are read back into: its service's own, but for the table."""
    function = services()[name].function
    hints = get_type_hints(function)
    fields: list[Any] = []
    for each in inspect.signature(function).parameters.values():
        if each.name not in {"command", "table_id"}:
            optional = () if each.default is each.empty else (each.default,)
            fields.append((each.name, hints[each.name], *optional))
    shape = msgspec.defstruct(name.replace(".", "_"), fields, kw_only=True)
    learn(shape)
    return shape


# Their services are registered where their modules are imported.
_MODULES = (chips, clocks, corrections, disputes, downs, hands, opening, racks, seating, time_charges, tip_boxes)


def keep(command: Command, *, table_id: int, tap: KeptTap) -> Answer:
    """
    Keep a doubtful tap for the floor, unless this very tap was carried out, or kept, before its answer was lost.

    Two queries of its own. :raises NotFound: the room has no such table.
    """
    before = Event.objects.filter(command_id=command.id, device_id=command.by.device_id, result=DONE)
    if before.filter(name__in=(tap.name, "tables.keep_tap")).exists():
        return Answer(data={"known": True}, version=None, is_replay=True)
    return keep_tap(command, table_id=table_id, tap=tap)


@service("tables.keep_tap")
def keep_tap(command: Command, *, table_id: int, tap: KeptTap) -> Outcome:
    """Put a doubtful tap on the floor's to-do, above `KEPT_MAX` as one of the line that counts them; see `keep`."""
    table = lock_table(command, table_id)
    data = json.loads(canonical({"tap": tap.name, "arguments": tap.arguments, "doubt": tap.doubt}))
    data |= {"staff": tap.staff_id, "tapped_at": command.tapped_at.isoformat()}
    if seating_id := tap.arguments.get("seating_id"):
        data["seat"] = Seating.objects.filter(id=seating_id, table=table).values_list("seat_number", flat=True).first()
    if tap.name in _ENDS_A_HAND:
        _drop_progress(command, table, data["arguments"]["hand"]["hand_id"])
    mine = ToDo.objects.filter(table=table, kind=ToDo.Kind.TAP_KEPT, data__device=command.by.device_id)
    data |= {"device": command.by.device_id, "day": newest_day_id(command.room_id)}
    # What the end of its hand took off again counts no more; nobody judged that.
    one_by_one = mine.filter(Q(done_at=None) | Q(done_by_id__isnull=False)).exclude(data__has_key="more")
    if one_by_one.filter(data__day=data["day"]).count() >= KEPT_MAX:
        data = {"device": command.by.device_id, "more": 1 + _take_over_line(command, mine)}
    todo = leave_to_the_floor(table, ToDo.Kind.TAP_KEPT, at=command.at, data=data)
    return done(table, data={"kept": True, "todo": todo.pk})


def _take_over_line(command: Command, mine: QuerySet[ToDo]) -> int:
    """Take the tablet's line of how many more off the to-do, for the next one, and return its number; 0 for none."""
    line = mine.filter(done_at=None, data__has_key="more").first()
    if line is None:
        return 0
    ToDo.objects.filter(pk=line.pk).update(done_at=command.at)
    return int(line.data["more"])


def _drop_progress(command: Command, table: Table, hand_id: str) -> None:
    kept = ToDo.objects.filter(table=table, done_at=None, kind=ToDo.Kind.TAP_KEPT, data__tap__in=_PROGRESS)
    dealt, beyond = kept.filter(data__arguments__hand__hand_id=hand_id), kept.filter(data__arguments__hand_id=hand_id)
    (dealt | beyond).update(done_at=command.at)


@service("tables.enter_tap")
def enter_tap(command: Command, *, table_id: int, todo_id: int) -> Outcome:
    """
    Enter a kept tap: the floor says that it was so, and the fact is the floor's, of the moment that the tap names. A
    hand that the log had not is of the dealer whose down it was then, on this day.

    :raises NotFound: it is not there, or was judged by somebody else.
    :raises Refusal: as the fact's own service.
    """
    waiting = ToDo.objects.filter(
        id=todo_id, table_id=table_id, room_id=command.room_id, kind=ToDo.Kind.TAP_KEPT, done_at=None
    )
    todo = waiting.first()
    if todo is None or "more" in todo.data:
        raise NotFound(what="todo")
    name = todo.data["tap"]
    fields = msgspec.structs.asdict(msgspec.convert(todo.data["arguments"], _shape(name)))
    tapped_at = min(datetime.fromisoformat(todo.data["tapped_at"]), command.at)
    # Not `judge` and then the fact: both happen, or neither. The fact's own service locks, in its own order.
    outcome = services()[name].function(replace(command, tapped_at=tapped_at), table_id=table_id, **fields)
    # Under the table's lock, which the fact's service took: of two who enter it at once the other finds it judged.
    if not waiting.update(done_at=command.at, done_by_id=command.by.staff_id):
        raise NotFound(what="todo")
    data = {**outcome.data, "todo": todo_id, "tap": name}
    dealer_id = dealer_then(todo) if "hand" in fields and "known" not in outcome.data else None
    if dealer_id is not None:
        Hand.objects.filter(table_id=table_id, hand_id=fields["hand"].hand_id).update(dealer_id=dealer_id)
        data["dealer"] = dealer_id
    return replace(outcome, data=data)
