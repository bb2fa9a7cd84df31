"""
Who pushes in where next, so that downs stay even and nobody deals on and on.

No source says any of it: the figures are the house's (`dealers` of its rule book). The line is simple enough to be
told aloud: whoever has rested longest goes to the table that is due first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta


@dataclass(frozen=True)
class Turns:
    """How long a down is, after how many in a row a dealer rests, and what counts as a rest."""

    down: timedelta
    downs_before_break: int
    rest: timedelta

    def due_at(self, began_at: datetime) -> datetime:
        """Return when a down that began then is over."""
        return began_at + self.down


@dataclass(frozen=True)
class Worked:
    """One stretch that a dealer has dealt; `ended_at` None while it goes on."""

    began_at: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True)
class TableNeeds:
    """A table that deals, and its book's `turns`: who deals there since when; nobody, where a dealer is missing."""

    number: int
    dealer_id: int | None
    since: datetime | None
    turns: Turns


@dataclass(frozen=True)
class Dealer:
    """
    Somebody on shift. `in_a_row` counts downs since the last rest before the newest one, the one that goes on among
    them, as each of the `Turns` counts by which a table deals tonight; `free_since` is None at a table.
    """

    id: int
    downs: int
    in_a_row: Mapping[Turns, int]
    free_since: datetime | None

    def rested_at(self, turns: Turns) -> datetime:
        """Return from when somebody who is free has rested."""
        assert self.free_since is not None, "who deals does not rest"
        return self.free_since + turns.rest

    def in_a_row_at(self, at: datetime, turns: Turns) -> int:
        """Return how many downs in a row somebody who is free would bring along then."""
        return 0 if self.rested_at(turns) <= at else self.in_a_row[turns]


@dataclass(frozen=True)
class Push:
    """
    A proposal: the dealer relieves whoever is at the table, from `ready_at` on.

    `due_at` is when the down there is over, None where nobody deals. `dealer_id` None: nobody is free at all.
    """

    table_number: int
    dealer_id: int | None
    due_at: datetime | None
    ready_at: datetime | None


def in_a_row(stretches: Sequence[Worked], turns: Turns, *, at: datetime) -> int:
    """
    Return how many downs a dealer has dealt since the last rest, as of `at`; 0 for who is rested then.

    A stretch counts for one down, and for one more with each full down beyond that it lasts: who is not relieved
    works on. `stretches` are in order of time.
    """
    count, free_since = 0, None
    for worked in stretches:
        if free_since is not None and worked.began_at - free_since >= turns.rest:
            count = 0
        length = (worked.ended_at or at) - worked.began_at
        count += max(1, round(length / turns.down))
        free_since = worked.ended_at
    if free_since is not None and at - free_since >= turns.rest:
        return 0
    return count


def break_due_at(began_at: datetime, earlier: Sequence[Worked], turns: Turns) -> datetime:
    """
    Return when somebody who has dealt since `began_at` is due a break; `earlier` are the stretches before, in order.

    It is when the downs in a row are as many as the house allows: at once, where they were when this one began.
    """
    before = in_a_row(earlier, turns, at=began_at) if earlier else 0
    return began_at + max(turns.downs_before_break - before, 0) * turns.down


def proposal(tables: Iterable[TableNeeds], dealers: Iterable[Dealer], *, at: datetime) -> tuple[Push, ...]:
    """
    Return who pushes in at each table next, the table that is due first; nobody twice.

    Rested ones go first, then who has dealt fewest in a row, then who has been free longest; between equals, who has
    dealt fewest downs. A dealer who is relieved may be proposed for a later table. Who has dealt `downs_before_break`
    in a row is proposed only once rested: where nobody else is free, that is when the push is ready. All of it is by
    the turns of the table that they would go to (L-P23).
    """
    dealers = list(dealers)
    free = [dealer for dealer in dealers if dealer.free_since is not None]
    at_tables = {dealer.id: dealer for dealer in dealers if dealer.free_since is None}
    pushes = []
    for table in sorted(tables, key=_due_first):
        turns = table.turns
        due_at = turns.due_at(table.since) if table.since else None
        ready_at = max(due_at, at) if due_at else at
        chosen = _next(free, turns, at=ready_at)
        if chosen is not None:
            free.remove(chosen)
            if chosen.in_a_row_at(ready_at, turns) >= turns.downs_before_break:
                ready_at = chosen.rested_at(turns)
            if relieved := at_tables.pop(table.dealer_id or 0, None):
                free.append(replace(relieved, free_since=ready_at))
        chosen_id = chosen.id if chosen else None
        pushes.append(Push(table.number, chosen_id, due_at, ready_at if chosen else None))
    return tuple(pushes)


def _next(free: Sequence[Dealer], turns: Turns, *, at: datetime) -> Dealer | None:
    able = [dealer for dealer in free if dealer.in_a_row_at(at, turns) < turns.downs_before_break]
    if able:
        return min(able, key=lambda dealer: (dealer.in_a_row_at(at, turns), dealer.free_since, dealer.downs, dealer.id))
    return min(free, key=lambda dealer: (dealer.rested_at(turns), dealer.id), default=None)


def _due_first(table: TableNeeds) -> tuple[bool, float, int]:
    due_at = table.turns.due_at(table.since).timestamp() if table.since else 0
    return table.since is not None, due_at, table.number
