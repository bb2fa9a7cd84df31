"""What the house does next with its free seats, as lines of the floor's to-do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from casino.live.todo import ToDoLine
from casino.poker.seat_change import is_further_from_the_blinds
from casino.text import isolated
from tables.models import Seating, Table
from tables.rules.newcomers import Step, Why
from tables.selectors.absences import wish_line
from tables.selectors.next_hand import occupants
from tables.selectors.todo import seat_name, table_name


def step_lines(
    steps: Mapping[str, Sequence[Step]], *, tables: Sequence[Table], seatings: Mapping[int, Sequence[Seating]]
) -> Iterator[ToDoLine]:
    """
    Yield a line for each player who is to move or change seats, and for each table that closes; whoever keeps claims
    shows what is to be done about them.
    """
    proposed = [step for found in steps.values() for step in found if not step.claim.is_waiting]
    sitting = {seating.pk: seating for found in seatings.values() for seating in found} if proposed else {}
    by_number = {table.number: table for table in tables}
    for step in proposed:
        if step.claim.why is Why.SEAT_CHANGE:
            table = by_number[step.seat.table_number]
            yield _change(step, table, sitting[step.claim.ref], seatings.get(table.pk, ()))
            continue
        # Who leaves a closing table is the business of its own sheet.
        if step.claim.why is not Why.CLOSING_TABLE and step.claim.ref in sitting:
            yield _move(step, sitting[step.claim.ref])
    for table in tables:
        if table.opening is not None and table.opening.is_closing:
            yield _closing(table, seatings.get(table.pk, ()))


def _change(step: Step, table: Table, seating: Seating, there: Sequence[Seating]) -> ToDoLine:
    """Return the line of a change of seats: done with the tap where nothing is to be asked, for it costs nothing."""
    line = wish_line(table, seating, seat_number=step.seat.seat_number)
    assert table.opening is not None
    is_further = is_further_from_the_blinds(
        occupants(there),
        table.opening.hand_before,
        from_seat=seating.seat_number,
        to_seat=step.seat.seat_number,
    )
    if is_further:
        return line
    return replace(
        line,
        how="post",
        address=reverse("floor_change", args=[table.number, seating.pk]),
        values=(("seat_number", step.seat.seat_number), ("version", seating.version)),
        label=_("Changes seats"),
    )


def _move(step: Step, seating: Seating) -> ToDoLine:
    here, there = step.claim.at_table or 0, step.seat.table_number
    reasons = {
        Why.MUST_MOVE: _("Must-move: the main game is kept full. Sat there longest."),
        Why.TABLE_CHANGE: _("Asked for it first."),
    }
    return ToDoLine(
        key=f"step.{seating.pk}",
        table_number=there,
        urgency=2,
        tone="soon",
        where=seat_name(there, step.seat.seat_number),
        text=_("free: %(player)s from table %(table)s, seat %(seat)s")
        % {"player": isolated(str(seating.player)), "table": here, "seat": seating.seat_number},
        cited=step.claim.why.value,
        reason=reasons[step.claim.why],
        at=seating.sat_down_at,
        how="sheet",
        address=reverse("floor_move_sheet", args=[here, seating.pk]),
        label=_("Move over"),
    )


def _closing(table: Table, sitting: Iterable[Seating]) -> ToDoLine:
    assert table.opening is not None
    left = table.opening.hands_left(table.hand_number) or 0
    players = len(list(sitting))
    still_there = ngettext("%(players)s player is still to go.", "%(players)s players are still to go.", players)
    text = ngettext("closes after %(hands)s more hand", "closes after %(hands)s more hands", left) % {"hands": left}
    return ToDoLine(
        key=f"closing.{table.number}",
        table_number=table.number,
        urgency=4 if left else 1,
        tone="soon",
        where=table_name(table.number),
        text=text if left else _("the last hand is dealt"),
        cited="table_closes" if players else "",
        reason=(still_there % {"players": players}) if players else _("Everybody has gone: close the table."),
        at=table.opening.opened_at,
        how="sheet",
        address=reverse("floor_close_sheet", args=[table.number]),
        label=_("Go on"),
    )
