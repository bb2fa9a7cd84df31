"""With what a player comes back who has left a game of the same stakes (one night, one stack)."""

from datetime import datetime, timedelta

from casino.people.standing import ids_of
from casino.poker.table_change import Because, Brings, Left, StackKept, brings_on_coming_back, brings_on_moving
from tables.claims import claims
from tables.errors_moves import StackNotCounted, StackToBring
from tables.models import Opening, Seating


def check_comes_back(seating: Seating, *, cents: int, at: datetime, was_requested: bool) -> bool:
    """
    Let the first chips in a seat pass of a player who has left these stakes; False for who has not.

    `was_requested`: they were allowed when they were asked for, and a stack that is counted otherwise meanwhile stops
    nobody at the cage.

    Rules: H1.64, H2.18, U46.
    :raises StackToBring: the stack that was left with is larger, or smaller and above the maximum.
    :raises StackNotCounted: it is not known.
    """
    try:
        brings = brings_back(seating.opening, seating.player_id, at=at, right_from=seating.right_from)
    except StackNotCounted:
        if not was_requested:
            raise
        return False
    if brings is None:
        return False
    if not was_requested and not brings.allows(cents):
        # A10: a stack above the maximum comes back whole, so neither less nor more.
        raise StackToBring(stack_cents=brings.least_cents, asked_cents=cents, reason=brings.why)
    return True


def brings_back(opening: Opening, player_id: int, *, at: datetime, right_from: Opening | None = None) -> Brings | None:
    """
    Return with what a player comes back to an opening's stakes; None for who has not left them.

    `right_from` is the game that closed under who comes here by right of it (R-§3-4). One query.

    :raises StackNotCounted: nobody knows with what they left.
    """
    if right_from is not None:
        return _brings_by_right(opening, player_id, right_from)
    return _brings(left_with(opening, player_id, at=at), opening, at=at)


def _brings(left: Left | None, opening: Opening, *, at: datetime) -> Brings | None:
    terms = opening.terms
    kept, minutes = terms.moving.stack_kept, terms.moving.stack_kept_minutes
    return brings_on_coming_back(left, at=at, game=terms.stakes, kept=kept, minutes=minutes)


def right_used(opening: Opening, player_id: int) -> Opening | None:
    """
    Return the game that closed under a player who waited by right of it and sits down now at a table of the same game.

    None where the book has such a player come in like a new one, or nothing of the kind is known. R-§3-4. One query.
    """
    if opening.terms.moving.closed_table_pays:
        return None
    return claims().right_of(opening, player_id)


def _brings_by_right(opening: Opening, player_id: int, closed: Opening) -> Brings | None:
    """Return what somebody brings who comes from a closed table: what a mover would (R-§3-1, R-§3-4)."""
    left = Seating.objects.filter(opening=closed, player_id=player_id, left_stack_cents__isnull=False)
    stack_cents = left.order_by("-left_at", "-id").values_list("left_stack_cents", flat=True).first()
    if not stack_cents:
        return None
    moving = opening.terms.moving
    return brings_on_moving(
        stack_cents,
        here=closed.terms.stakes,
        there=opening.terms.stakes,
        tops_up=moving.closed_table_tops_up,
        other_structure_frees_stack=moving.other_structure_frees_stack,
    )


def to_match(opening: Opening, player_id: int, *, at: datetime) -> tuple[Left | None, Because]:
    """
    Return the stack that a mover brings back who has left these stakes before, and why; None: as for anybody.

    All evening where one night is one stack (H1.64, A12); else only a stack that was above the maximum (U46).

    :raises StackNotCounted: nobody knows with what they left.
    """
    left = left_with(opening, player_id, at=at)
    brings = _brings(left, opening, at=at)
    return (None, Because.COMES_BACK) if brings is None else (left, brings.why)


def left_with(opening: Opening, player_id: int, *, at: datetime) -> Left | None:
    """
    Return the stack with which a player last left a game of these stakes, this evening or lately.

    :raises StackNotCounted: it was not counted.
    """
    moving, stakes = opening.terms.moving, opening.terms.stakes
    kept = moving.stack_kept
    if kept is StackKept.NOT or (kept is StackKept.ABOVE_MAXIMUM and stakes.max_cents is None):
        return None
    left = Seating.objects.filter(
        ids_of(player_id),
        left_at__isnull=False,
        chips_in_cents__gt=0,
        opening__game__structure=stakes.structure,
        opening__game__small_blind_cents=stakes.small_blind_cents,
        opening__game__big_blind_cents=stakes.big_blind_cents,
        opening__game__family=stakes.family,
    )
    if kept is StackKept.EVENING:
        left = left.filter(opening__day=opening.day_id)
    else:
        left = left.filter(left_at__gte=at - timedelta(minutes=moving.stack_kept_minutes))
    last = left.select_related("table").order_by("-left_at", "-id").first()
    if last is None:
        return None
    if last.left_stack_cents is None:
        why = Because.COMES_BACK if kept is StackKept.EVENING else Because.COMES_BACK_ABOVE_MAXIMUM
        raise StackNotCounted(table_number=last.table.number, seat_number=last.seat_number, reason=why)
    assert last.left_at is not None, "who has left was asked for"
    return Left(last.left_stack_cents, last.left_at)
