"""
What stands on a sheet of paper, as its row keeps it: ids of people, never their names; amounts in cents.

A sheet says how its table stood when it was printed, however much later somebody looks at it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec


@dataclass(frozen=True)
class SeatFacts:
    """
    One seat; a free one has no `player_id`, but `called_id` where somebody was called to it, until `called_until`.

    `marks` is what the next hand brings, as on the floor's page: "button", "small_blind", "big_blind",
    "betting_button". `missed` and `entry` are as in `Seating`, `live_cents` and `dead_cents` what it costs to come in
    at once. `asks_cents` waits at the cage. `over_for_id`: plays over in the seat of that player, who has
    `holder_missed` (H4.48). `wishes_seat`: would like that seat, 0 any other; `wishes_table` that table, 0 any other.
    """

    number: int
    player_id: int | None = None
    called_id: int | None = None
    called_until: datetime | None = None
    marks: tuple[str, ...] = ()
    missed: str = ""
    entry: str = "in"
    live_cents: int = 0
    dead_cents: int = 0
    is_held: bool = False
    away_since: datetime | None = None
    away_limit_at: datetime | None = None
    buttons_passed: int = 0
    is_on_long_break: bool = False
    is_barred: bool = False
    straddles: bool = False
    over_for_id: int | None = None
    holder_missed: str = ""
    wishes_seat: int | None = None
    wishes_table: int | None = None
    chips_in_cents: int = 0
    asks_cents: int = 0


@dataclass(frozen=True)
class TableFacts:
    """
    One open table. `hand_number` is its newest hand, which `is_in_hand` says is still played. `hands_left`: it closes
    after so many more (H2.22). `feeds` is the number of the table that it keeps full. `charges` are the kinds that its
    hands pay; `boxes` those that hang, as (kind of charge, number). `time_number` is the newest period of a time charge
    that was taken, which began at `time_began_at`; a period has `time_minutes`, 0 where nothing is charged by the time.
    """

    seats: tuple[SeatFacts, ...]
    hand_number: int
    is_in_hand: bool
    hands_left: int | None
    feeds: int | None
    dealer_id: int | None
    dealer_since: datetime | None
    deck_colour: str
    deck_set: int
    charges: tuple[str, ...]
    boxes: tuple[tuple[str, int], ...]
    time_number: int = 0
    time_began_at: datetime | None = None
    time_minutes: int = 0

    def periods(self, most: int) -> list[tuple[int, datetime | None]]:
        """Return the next periods of the time charge, each with when it begins, None where no one was taken yet."""
        if not self.time_minutes:
            return []
        span, began = timedelta(minutes=self.time_minutes), self.time_began_at
        return [(self.time_number + n, began + span * n if began else None) for n in range(1, most + 1)]

    @property
    def player_ids(self) -> set[int]:
        people = ((seat.player_id, seat.called_id, seat.over_for_id) for seat in self.seats)
        return {each for of_seat in people for each in of_seat if each}


@dataclass(frozen=True)
class EntryFacts:
    """
    Somebody on a list. `by_right`: before the list, since a table closed (H2.11). A call goes to `table` and `seat`,
    which are kept until `until`. `check_in_by`: has called in, and is not there yet. `missed_calls` went by (H2.6).
    """

    player_id: int
    joined_at: datetime
    by_right: bool = False
    missed_calls: int = 0
    table: int | None = None
    seat: int | None = None
    called_at: datetime | None = None
    until: datetime | None = None
    is_on_the_way: bool = False
    fetches_chips: bool = False
    check_in_by: datetime | None = None


@dataclass(frozen=True)
class ListFacts:
    """The list of one game, with the numbers of the tables that run it: who is called, who waits, who has called in."""

    game: str
    tables: tuple[int, ...]
    called: tuple[EntryFacts, ...]
    waiting: tuple[EntryFacts, ...]
    call_ins: tuple[EntryFacts, ...]


@dataclass(frozen=True)
class ListsFacts:
    """Every list of the room on which somebody is, or whose game runs."""

    lists: tuple[ListFacts, ...]

    @property
    def player_ids(self) -> set[int]:
        return {entry.player_id for each in self.lists for entry in (*each.called, *each.waiting, *each.call_ins)}


def as_json(of_sheet: object) -> dict[str, Any]:
    """Return facts, or what was entered of a sheet, as a row keeps them."""
    data: dict[str, Any] = msgspec.to_builtins(of_sheet)
    return data


def table_facts(kept: Mapping[str, Any]) -> TableFacts:
    """Return what a table's sheet has kept."""
    return msgspec.convert(kept, TableFacts)


def lists_facts(kept: Mapping[str, Any]) -> ListsFacts:
    """Return what the sheet of the lists has kept."""
    return msgspec.convert(kept, ListsFacts)
