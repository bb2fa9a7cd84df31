"""
What a player brings who changes tables or comes back (H1.64-H1.67, U46), and who may change at all (R-§3).

Amounts are cents.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum


class StackKept(StrEnum):
    """With what a player comes back who has left a game."""

    EVENING = "evening"  # with what they left with, all evening (H1.64, H2.18)
    ABOVE_MAXIMUM = "above_maximum"  # with a stack that was above the maximum buy-in, for a while (U46)
    NOT = "not"  # with what they like


@dataclass(frozen=True)
class Stakes:
    """
    What makes two games of the same stakes (A9, A12: the variant does not), and a game's limits.

    `family` sets games apart that have the same blinds and are others all the same, "" for the ordinary ones: Banzai is
    played with shallow stacks, and remembers its own (U42-U46).
    """

    structure: str
    small_blind_cents: int
    big_blind_cents: int
    min_cents: int
    max_cents: int | None = None
    family: str = ""

    def are_those_of(self, other: "Stakes") -> bool:
        """Say whether betting structure, blinds and family are the same."""
        mine = (self.structure, self.small_blind_cents, self.big_blind_cents, self.family)
        return mine == (other.structure, other.small_blind_cents, other.big_blind_cents, other.family)


@dataclass(frozen=True)
class Left:
    """With what a player left a game of these stakes, and when."""

    cents: int
    at: datetime


class Because(StrEnum):
    """Why a player brings what they bring, and what forbids a change."""

    COMES_BACK = "stack_comes_back"  # H1.64
    COMES_BACK_ABOVE_MAXIMUM = "stack_above_maximum_comes_back"  # U46
    WHOLE_STACK = "moves_with_whole_stack"  # H1.65, R-§3-1
    OTHER_STAKES = "moves_to_other_stakes"  # H1.66
    OTHER_STRUCTURE = "moves_to_other_structure"  # H1.67
    FILLS_UP = "fills_up_to_minimum"  # H2.14, A11
    LEAVES_TWO_FEWER = "leaves_two_fewer"  # R-§3-2
    LEAVES_TABLE_ONE_FEWER = "leaves_table_one_fewer"  # R-§3-3


@dataclass(frozen=True)
class Brings:
    """What is put on the table: at least and at most (None: no most), and why."""

    least_cents: int
    most_cents: int | None
    why: Because

    def allows(self, cents: int) -> bool:
        """Say whether so much may be brought."""
        return cents >= self.least_cents and (self.most_cents is None or cents <= self.most_cents)


def brings_on_moving(
    stack_cents: int,
    *,
    here: Stakes,
    there: Stakes,
    tops_up: bool = True,
    other_structure_frees_stack: bool = True,
    left_there: Left | None = None,
    left_why: Because = Because.COMES_BACK,
) -> Brings:
    """
    Return what a player puts on the new table who leaves the old one with `stack_cents`.

    `tops_up`: a stack below the new table's minimum is filled up to it; so does whoever moves by their own wish (A11).
    `left_there`: what was left at these stakes earlier that evening, and is to be brought back by `left_why`; of
    that and the stack the larger counts (A12).

    Rules: H1.65 (same stakes), H1.66 (other stakes: no more than the maximum), H1.67 (other structure), R-§3-1.
    """
    if here.structure != there.structure and other_structure_frees_stack:
        return Brings(there.min_cents, there.max_cents, Because.OTHER_STRUCTURE)
    least, why = stack_cents, Because.WHOLE_STACK
    if not here.are_those_of(there) and other_structure_frees_stack:
        least, why = min(stack_cents, there.max_cents or stack_cents), Because.OTHER_STAKES
    if left_there is not None and left_there.cents > least:
        least, why = left_there.cents, left_why
    if tops_up and least < there.min_cents:
        least, why = there.min_cents, Because.FILLS_UP
    return Brings(least, least, why)


def brings_on_coming_back(
    left: Left | None, *, at: datetime, game: Stakes, kept: StackKept, minutes: int
) -> Brings | None:
    """
    Return what a player puts on the table who comes back to these stakes; None where that is as for anybody.

    A stack above the maximum comes back whole (A10); a smaller one may be bought up to it.

    Rules: H1.64, H2.18 (never under the minimum buy-in), A9, U46.
    """
    if left is None or kept is StackKept.NOT:
        return None
    if kept is StackKept.ABOVE_MAXIMUM:
        is_above = game.max_cents is not None and left.cents > game.max_cents
        is_kept = is_above and at - left.at <= timedelta(minutes=minutes)
        return Brings(left.cents, left.cents, Because.COMES_BACK_ABOVE_MAXIMUM) if is_kept else None
    least = max(left.cents, game.min_cents)
    return Brings(least, None if game.max_cents is None else max(least, game.max_cents), Because.COMES_BACK)


def against_change(
    *,
    left_players: int,
    entered_players: int,
    left_number: int,
    second_players_after: int | None = None,
    two_fewer: bool,
    table_one_first: bool,
) -> Because | None:
    """
    Return what forbids a change between two tables of the same limits, None where none does.

    Players are counted before the change; `second_players_after` are those of table 2 after it, None where it plays
    something else. Rules: R-§3-2 (R6, RA2: the table left may not have two fewer), R-§3-3 (R7: nor table 1 fewer than
    table 2).
    """
    if two_fewer and entered_players >= left_players:
        return Because.LEAVES_TWO_FEWER
    is_first = left_number == 1 and second_players_after is not None
    if table_one_first and is_first and left_players - 1 < (second_players_after or 0):
        return Because.LEAVES_TABLE_ONE_FEWER
    return None
