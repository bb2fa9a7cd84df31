"""A table that closes: who is still there, who goes where, and what can be taken back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tables.claims import NO_CLAIMS, ClaimsOfGame, claims
from tables.models import Opening, SeatDraw, Seating, Table, TableMove
from tables.rules.newcomers import Proposal, Why
from tables.selectors.next_steps import barred_now, by_draw, open_tables, steps_of
from tables.selectors.running import seatings_by_table, tables_of


@dataclass(frozen=True)
class FreeSeat:
    """
    A seat to which somebody can go; `game` is the short name of what is played there, "" for the same game.

    `runs` is that table's opening, where it was read: how somebody comes into its blinds is by its terms.
    """

    table_number: int
    seat_number: int
    game: str = ""
    runs: Opening | None = field(default=None, compare=False)

    @property
    def code(self) -> str:
        """Return table and seat as forms send them: "2/5"."""
        return f"{self.table_number}/{self.seat_number}"


@dataclass(frozen=True)
class Leaver:
    """A player still there, the card drawn ("" for none), and the seat that is proposed, if there is one."""

    seating: Seating
    card: str
    proposed: FreeSeat | None


@dataclass(frozen=True)
class Closing:
    """The board of a closing table. `must_draw`: seats are too few, or the book has its players draw for the choice."""

    hands_left: int | None
    leavers: Sequence[Leaver]
    seats: Sequence[FreeSeat]
    draw: SeatDraw | None
    must_draw: bool
    always_draws: bool
    moved: Sequence[TableMove]

    @property
    def same_game(self) -> int:
        """Return how many seats are free at the same game."""
        return sum(not seat.game for seat in self.seats)


def closing(table: Table) -> Closing:
    """
    Return the board of an open table that closes. Seven queries at most, and those of `barred`.
    """
    opening = table.opening
    assert opening is not None, "only an open table closes"
    tables, seatings = tables_of(table.room_id), seatings_by_table(table.room_id)
    claimed = claims().by_game(table.room_id)
    seats = _free_seats(table, tables, seatings, claimed)
    sitting = seatings.get(table.pk, [])
    draw = opening.seat_draws.order_by("-id").first()
    order = draw.order if draw and draw.drawn_at else []
    there = by_draw(sitting, order)
    kept = barred_now(table.room_id, seatings, claimed)
    steps = steps_of(tables, seatings, claimed=claimed, changes=(), kept=kept).get(opening.game.name, ())
    here = [step for step in steps if step.claim.why is Why.CLOSING_TABLE and step.claim.at_table == table.number]
    proposed = {step.claim.ref: _seat(step.seat) for step in here}
    cards = draw.cards if draw and draw.cards else {}
    always = opening.terms.moving.closed_table_always_draws
    same_game = sum(not seat.game for seat in seats)
    to_seat = sum(each.player_id not in kept.plays_no_more for each in sitting)
    moves = TableMove.objects.filter(seating_from__opening=opening, taken_back_at=None, seating_to__left_at=None)
    return Closing(
        hands_left=opening.hands_left(table.hand_number),
        leavers=[Leaver(each, cards.get(str(each.seat_number), ""), proposed.get(each.pk)) for each in there],
        seats=seats,
        draw=draw,
        must_draw=to_seat > 1 and not order and same_game > 0 and (always or to_seat > same_game),
        always_draws=always,
        moved=list(moves.select_related("seating_to__player", "seating_to__table").order_by("-id")),
    )


def free_seats(table: Table) -> list[FreeSeat]:
    """Return where players of a table can go: seats of its own game first, then others'. Three queries."""
    room_id = table.room_id
    return _free_seats(table, tables_of(room_id), seatings_by_table(room_id), claims().by_game(room_id))


def _free_seats(
    table: Table,
    tables: Iterable[Table],
    seatings: Mapping[int, Sequence[Seating]],
    claimed: Mapping[str, ClaimsOfGame],
) -> list[FreeSeat]:
    assert table.opening is not None, "only who sits at an open table goes elsewhere"
    seats: list[FreeSeat] = []
    for other in tables:
        if other.opening is None or other.pk == table.pk or other.opening.is_closing:
            continue
        game = other.opening.game
        (open_table,) = open_tables([other], seatings, claimed.get(game.name, NO_CLAIMS).promises)
        name = "" if game.is_same_game(table.opening.game) else game.short_name
        seats += [FreeSeat(other.number, seat, name, other.opening) for seat in open_table.free_seats]
    return sorted(seats, key=lambda seat: (bool(seat.game), seat.table_number, seat.seat_number))


def _seat(seat: Proposal) -> FreeSeat:
    return FreeSeat(seat.table_number, seat.seat_number)
