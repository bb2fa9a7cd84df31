"""What the floor does otherwise than the house's order proposes: kept with what was proposed, and why."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace

from casino.commands.carrying_out import Answer, Command, Note, add_note
from casino.errors import Malformed
from tables.claims import claims
from tables.models import Seating, Table
from tables.rules.newcomers import Step, Whose, Why, drawn_before, passed_over
from tables.rules.reasons import OVERRULE_REASONS
from tables.selectors.next_steps import draws_of, steps_by_game

_NAME = "tables.note_overrule"
add_note(_NAME)
# What gives a seat, called with the command that gives it.
Give = Callable[[Command], Answer]


def overruled(
    table: Table, *, game_id: int, proposed: Mapping[str, object], done: Mapping[str, object], reason: str = ""
) -> Note:
    """
    Return what is noted where the floor chose otherwise than was proposed: whom, which seat, and why; and what it did
    instead.

    A fact, in the chain of the table whose seat was given: the choice stands. `proposed` and `done` hold ids, numbers
    and codes. `reason` is empty where nobody gave one.

    :raises Malformed: the reason is none of `OVERRULE_REASONS`.
    """
    if reason and reason not in OVERRULE_REASONS:
        raise Malformed(field="overrule")
    data = {"game": game_id, "table": table.pk, "proposed": dict(proposed), "done": dict(done), "reason": reason}
    return Note(_NAME, table.chain, data)


def chosen(
    command: Command,
    table: Table,
    seat_number: int,
    give: Give,
    *,
    game_id: int,
    whose: Whose,
    reason: str,
    weakest: Why = Why.IN_TURN,
    forbidden: str = "",
) -> Answer:
    """
    Let the floor give a seat, and record it where the house's order proposed something else, with the same command.

    `give` gives it; `reason` says why, or is empty. `weakest` is the last kind of claim that can be
    passed over. `forbidden` is the code of the refusal that the floor sets aside by its reason: it is recorded also
    where nobody else was to get the seat.

    :raises Refusal: as `give`.
    """
    # Looked at before the seat is given: afterwards nothing proposes it any more.
    game = table.opening.game.name if table.opening else ""
    steps = steps_by_game(command.room_id).get(game, ())
    step = passed_over(steps, whose=whose, table_number=table.number, seat_number=seat_number, weakest=weakest)
    proposed = _proposed(step)
    if forbidden:
        proposed = (proposed or {}) | {"forbidden": forbidden}
    return _noting(command, proposed, table, seat_number, give, game_id=game_id, whose=whose, reason=reason)


def chosen_of_closing(
    command: Command,
    table: Table,
    there: Table,
    seat_number: int,
    give: Give,
    *,
    seating_id: int,
    reason: str,
) -> Answer:
    """
    Let the floor move a player out of a table that closes, and record it where somebody drew higher for that seat.

    Nobody has a stronger claim than who sits at a closing table, and until cards are drawn they choose among themselves
    (H2.10, R-§3-5).

    :raises Refusal: as `give`.
    """
    opening = table.opening
    step = None
    if opening is not None and draws_of([opening.pk]):
        steps = steps_by_game(command.room_id).get(opening.game.name, ())
        mine = [each for each in steps if each.claim.at_table == table.number]
        step = drawn_before(mine, seating_id=seating_id, table_number=there.number, seat_number=seat_number)
    game_id = opening.game_id if opening is not None else 0
    whose = Whose(is_waiting=False, ref=seating_id)
    return _noting(command, _proposed(step), there, seat_number, give, game_id=game_id, whose=whose, reason=reason)


def played_over(command: Command, table: Table, seating_id: int, give: Give, *, player_id: int, reason: str) -> Answer:
    """
    Let somebody play in an absent player's seat; record it where a seat of their own is proposed to them (H4.48).

    That seat is nobody's next one, so nobody else is passed over by it.

    :raises Refusal: as `give`.
    """
    game_id = table.opening.game_id if table.opening else 0
    seat_number = Seating.objects.filter(id=seating_id, table=table).values_list("seat_number", flat=True).first()
    whose = whose_by_claim(table, player_id)
    return chosen(command, table, seat_number or 0, give, game_id=game_id, whose=whose, reason=reason)


def whose_by_claim(table: Table, player_id: int) -> Whose:
    """Return by what a player gets a seat who does not sit at a table of its game. One query."""
    ref = claims().ref_of(table.opening.game, player_id) if table.opening else 0
    return Whose(is_waiting=True, ref=ref)


def _noting(
    command: Command,
    proposed: Mapping[str, object] | None,
    table: Table,
    seat_number: int,
    give: Give,
    *,
    game_id: int,
    whose: Whose,
    reason: str,
) -> Answer:
    """Give the seat, and record with the same command that somebody else was to get it, or somebody another one."""
    if proposed is not None:
        did = {"of_list": whose.is_waiting, "ref": whose.ref, "table": table.number, "seat": seat_number}
        note = overruled(table, game_id=game_id, proposed=proposed, done=did, reason=reason)
        command = replace(command, notes=(*command.notes, note))
    return give(command)


def _proposed(step: Step | None) -> dict[str, object] | None:
    if step is None:
        return None
    return {"why": step.claim.why, "ref": step.claim.ref, **asdict(step.seat), "reason": step.reason}
