"""
To which table and seat of a game the next player goes, and who that is (H2.11-H2.13, A54, A55).

Facts in, proposals out: what the house does next, and why, as a code. Staff may do otherwise; then it is recorded.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from casino.poker.table_change import Because, against_change
from casino.rulebooks.schema import Moving


class Why(StrEnum):
    """By what somebody has a claim to a seat, the strongest first."""

    CLOSING_TABLE = "closing_table"  # H2.11, R-§3-4: still sits at a table that closes
    CLOSED_TABLE = "closed_table"  # H2.11: waits by right, since that table closed
    SEAT_CHANGE = "seat_change"  # H2.13, H4.45: at the same table, so it takes nobody's seat
    MUST_MOVE = "must_move"  # the house's: the main game is kept full out of the one that feeds it
    TABLE_CHANGE = "table_change"  # H2.8, R-§3
    IN_TURN = "waiting_list"  # H2.3, A54: waits for the game; books and screens know it as the list


class Chosen(StrEnum):
    """Why a list offers the seat of this table."""

    ONLY_TABLE = "only_table"  # H2.5: no other table has a seat for this player
    FEWEST_PLAYERS = "fewest_players"  # H2.12, A55
    OPENED_FIRST = "opened_first"  # H2.12: of equal ones


@dataclass(frozen=True)
class OpenTable:
    """
    A table of the game: how many sit or are called there, when it was opened, which seats are free.

    `feeds` is the number of the main game's table to which its players must move on. `is_closing`: nobody new goes
    there.
    """

    number: int
    players: int
    opened_at: datetime
    free_seats: tuple[int, ...]
    feeds: int | None = None
    is_closing: bool = False


@dataclass(frozen=True)
class SeatClaim:
    """
    Somebody's claim to a seat of the game. `ref` names the row it stands in: a seating, or that of who waits.

    `rank` orders the claims of one kind. `at_table` is where the player sits now, `to_table` and `to_seat` what was
    asked for, None where any will do. `not_at` are tables where the player may not sit, or sits already.
    """

    why: Why
    ref: int
    rank: int
    at_table: int | None = None
    to_table: int | None = None
    to_seat: int | None = None
    not_at: frozenset[int] = frozenset()

    @property
    def is_waiting(self) -> bool:
        """Whether somebody waits for the game, and `ref` is the keeper's (`tables/claims.py`); else it is a seating."""
        return self.why in {Why.CLOSED_TABLE, Why.IN_TURN}


@dataclass(frozen=True)
class Proposal:
    """The seat that the house offers next, and why it is this one: a value of `Chosen` or `Why`."""

    table_number: int
    seat_number: int
    reason: str


@dataclass(frozen=True)
class Step:
    """What the house does next: whose claim is met, with which seat, and why."""

    claim: SeatClaim
    seat: Proposal

    @property
    def reason(self) -> str:
        """Return why it is this player; of who waits in turn, why it is this table."""
        return self.seat.reason if self.claim.why is Why.IN_TURN else self.claim.why.value


def proposal(tables: Sequence[OpenTable]) -> Proposal | None:
    """
    Return the seat to offer next, None where none is free.

    The table with fewer players (A55); of equal ones that which was opened earlier (H2.12). The seat is the first free
    one; the player may choose another (A54).
    """
    open_to = sorted(
        filter(_has_room, tables),
        key=lambda table: (table.players, table.opened_at, table.number),
    )
    if not open_to:
        return None
    first = open_to[0]
    if len(open_to) == 1:
        why = Chosen.ONLY_TABLE
    else:
        why = Chosen.OPENED_FIRST if open_to[1].players == first.players else Chosen.FEWEST_PLAYERS
    return Proposal(first.number, min(first.free_seats), why.value)


def next_steps(
    tables: Sequence[OpenTable],
    claims: Sequence[SeatClaim],
    *,
    terms: Moving | None = None,
    beside: Sequence[OpenTable] = (),
) -> tuple[Step, ...]:
    """
    Return what to do with the game's free seats, one step for each claim that can be met, the strongest first.

    Claims are met in the order of `Why`, those of a kind in their own; each takes its seat from those after it. A
    claim to a table or seat that is not free, or that the house's terms or something about the player forbid, waits and
    holds nobody up. Who goes to another table by one claim needs no second seat there by another one. `beside` are
    tables of the same stakes at which something else is dealt: changes are judged by their players too (R-§3, A9).

    Rules: H2.3, H2.8, H2.11-H2.13, A54, A55, R-§3-2, R-§3-3.
    """
    now = {table.number: table for table in tables}
    others = {table.number: table for table in beside}
    order = list(Why)
    steps = []
    going: set[int] = set()
    for claim in sorted(claims, key=lambda claim: (order.index(claim.why), claim.rank, claim.ref)):
        seat = _seat_for(claim, now, terms or Moving(), beside=others)
        if seat is None or (claim.ref in going and not claim.is_waiting):
            continue
        if not claim.is_waiting and seat.table_number != claim.at_table:
            going.add(claim.ref)
        steps.append(Step(claim, seat))
        entered = now[seat.table_number]
        free = tuple(number for number in entered.free_seats if number != seat.seat_number)
        now[entered.number] = replace(entered, players=entered.players + 1, free_seats=free)
        if claim.at_table in now:
            left = now[claim.at_table]
            now[left.number] = replace(left, players=left.players - 1)
    return tuple(steps)


class Whose(NamedTuple):
    """
    Who gets a seat: `ref` is the row of what waits for it (`is_waiting`: a list's entry, say), else their seating.

    0: they wait for no seat of the game.
    """

    is_waiting: bool
    ref: int


def passed_over(
    steps: Sequence[Step],
    *,
    whose: Whose,
    table_number: int,
    seat_number: int,
    weakest: Why = Why.IN_TURN,
) -> Step | None:
    """
    Return the step that is not taken where somebody gets this seat, None where nothing else was proposed.

    Their own step to another table is passed over, unless another one of theirs leads to this table, and so is a
    stronger claim to this seat; among the free seats of their table they choose (A54). What is weaker than `weakest` is
    not passed over.
    """
    own = [step for step in steps if (step.claim.is_waiting, step.claim.ref) == whose]
    meant = next((step for step in own if step.seat.table_number == table_number), None)
    order = list(Why)
    for step in steps:
        if step is meant or order.index(step.claim.why) > order.index(weakest):
            return None
        if step in own:
            if meant is None:
                return step
        elif (step.seat.table_number, step.seat.seat_number) == (table_number, seat_number):
            return step
    return None


def drawn_before(steps: Sequence[Step], *, seating_id: int, table_number: int, seat_number: int) -> Step | None:
    """
    Return the step of somebody of the same closing table who drew a higher card and whose seat this is, None where
    there is none: the highest card chooses first, and who chooses may take another seat than was proposed.

    Rules: H2.10, A22, R-§3-5.
    """
    for step in (step for step in steps if step.claim.why is Why.CLOSING_TABLE):
        if step.claim.ref == seating_id:
            return None
        if (step.seat.table_number, step.seat.seat_number) == (table_number, seat_number):
            return step
    return None


def _seat_for(
    claim: SeatClaim, now: dict[int, OpenTable], terms: Moving, *, beside: dict[int, OpenTable]
) -> Proposal | None:
    """Return the seat that meets a claim, None where there is none just now."""
    if claim.why is Why.SEAT_CHANGE:
        here = now.get(claim.at_table or 0)
        seats = here.free_seats if here else ()
        wanted = [seat for seat in seats if claim.to_seat in {None, seat}]
        return Proposal(claim.at_table or 0, min(wanted), claim.why.value) if wanted else None
    # Most tables of a full house have no seat, and three hundred claims ask.
    with_room = filter(_has_room, now.values())
    return proposal([table for table in with_room if _is_open_to(claim, table, now, terms, beside)])


def _has_room(table: OpenTable) -> bool:
    return bool(table.free_seats) and not table.is_closing


def _is_open_to(
    claim: SeatClaim, table: OpenTable, now: dict[int, OpenTable], terms: Moving, beside: dict[int, OpenTable]
) -> bool:
    if table.number == claim.at_table or table.number in claim.not_at or claim.to_table not in {None, table.number}:
        return False
    is_fed = claim.at_table in now and now[claim.at_table].feeds == table.number
    if claim.why is Why.MUST_MOVE:
        return is_fed
    changes = claim.why is Why.TABLE_CHANGE or (claim.is_waiting and not is_fed)
    return not changes or against(claim.at_table, table.number, beside | now, terms) is None


def against(left: int | None, entered: int, now: dict[int, OpenTable], terms: Moving) -> Because | None:
    """Return what forbids a change from one of these tables to another, None where none does (R-§3)."""
    if left not in now or entered not in now:
        return None
    second = now[2].players + (1 if entered == 2 else 0) if 2 in now else None
    return against_change(
        left_players=now[left].players,
        entered_players=now[entered].players,
        left_number=left,
        second_players_after=second,
        two_fewer=terms.two_fewer,
        table_one_first=terms.table_one_first,
    )
