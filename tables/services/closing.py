"""Closing a table: the last orbit, and the draw where seats are too few."""

from casino import chance
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed
from casino.poker.draw import draw_order
from casino.rows import Update
from tables.claims import claims
from tables.errors import SeatEmpty
from tables.errors_moves import NoDrawPrepared, NotClosing
from tables.models import SeatDraw
from tables.services.state import done, lock_table, opening_of, sitting

# More is no last orbit.
HANDS_MAX = 60


@service("tables.announce_last_orbit")
def announce_last_orbit(command: Command, *, table_id: int, hands: int | None = None) -> Outcome:
    """
    Announce the table's last orbit: it closes after so many more hands, one for each player if left out.

    A hand in progress does not count. Announced again, the newer count holds. Nobody new sits down from now on: whoever
    was called here waits again in the old place, and is not called anew if the table goes on after all.

    Rules: H2.22, A24.
    :raises TableClosed: it runs nothing.
    :raises Malformed: more hands than any orbit has.
    """
    if hands is not None and not 0 <= hands <= HANDS_MAX:
        raise Malformed(field="hands")
    table = lock_table(command, table_id)
    opening = opening_of(table)
    if hands is None:
        hands = sum(seating.may_be_dealt_in for seating in sitting(table))
    opening.last_hand_number = table.hand_number + hands
    opening.save(update_fields=["last_hand_number"])
    ended = claims().nobody_new(command, table)
    data = {"hands": hands, "last_hand_number": opening.last_hand_number, "calls_ended": [*ended.refs]}
    return done(table, data=data, audiences=ended.screens)


@service("tables.take_back_last_orbit")
def take_back_last_orbit(command: Command, *, table_id: int) -> Outcome:
    """
    Let a table go on whose last orbit was announced.

    :raises NotClosing: it was not.
    """
    table = lock_table(command, table_id)
    opening = opening_of(table)
    if not opening.is_closing:
        raise NotClosing(table_number=table.number)
    opening.last_hand_number = None
    return done(table, data={}, changes=[Update(opening)])


@service("tables.prepare_seat_draw")
def prepare_seat_draw(command: Command, *, table_id: int, seats: list[int]) -> Outcome:
    """
    Bind the house to a draw among these seats of a closing table: the commitment is shown before any card.

    Prepared again, with other seats, the draw before is void. Rules: H2.10, A22, R-§3-5.
    :raises NotClosing: the table goes on.
    :raises Malformed: fewer than two seats.
    :raises SeatEmpty: nobody sits in one of them.
    """
    table = lock_table(command, table_id)
    opening = opening_of(table)
    if not opening.is_closing:
        raise NotClosing(table_number=table.number)
    if len(set(seats)) < 2:
        raise Malformed(field="seats")
    if set(seats) - {seating.seat_number for seating in sitting(table)}:
        raise SeatEmpty
    seed = chance.new_seed()
    # Of a draw whose cards were shown the commitment and the seed stay, for whoever wants to verify it.
    # Before the next one: one draw is prepared at a time, and the database sees to it at once.
    opening.seat_draws.filter(drawn_at=None).delete()
    draw = SeatDraw.objects.create(
        room_id=command.room_id, opening=opening, seed=seed, commitment=chance.commitment(seed),
        seats=sorted(set(seats)), prepared_at=command.at,
    )  # fmt: skip
    return done(table, data={"draw": draw.pk, "seats": draw.seats, "commitment": draw.commitment})


@service("tables.draw_seats")
def draw_seats(command: Command, *, table_id: int) -> Outcome:
    """
    Show the cards of the draw that was prepared, and its seed: each seat one, from the lowest number on.

    The highest card chooses first, ties by Bridge Rank Order. Rules: H2.10, A22, R-§3-5.
    :raises NoDrawPrepared: none was, or its cards are out.
    """
    table = lock_table(command, table_id)
    draw = opening_of(table).seat_draws.filter(drawn_at=None).first()
    if draw is None:
        raise NoDrawPrepared
    # A deck has more cards than there are seats.
    cards = dict(zip(draw.seats, chance.deck(draw.seed), strict=False))
    draw.drawn_at = command.ends(draw.prepared_at)
    draw.cards = {str(seat): card for seat, card in cards.items()}
    draw.order = list(draw_order(cards))
    draw.save(update_fields=["drawn_at", "cards", "order"])
    data = {"draw": draw.pk, "cards": draw.cards, "order": draw.order, "commitment": draw.commitment}
    return done(table, data={**data, "seed": draw.seed})
