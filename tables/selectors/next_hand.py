"""What the next hand at a table asks of its players."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from casino.people.models import Player
from casino.poker.blinds import after, as_last, hands_ahead, next_hand, with_button_here
from casino.poker.positions import ButtonRule, NextHand, Occupant
from casino.reading import read_once
from casino.rows import read_seldom
from tables.models import Opening, Seating, at_seats

_SEATED = """FROM tables_seating JOIN people_player ON people_player.id = tables_seating.player_id
    WHERE tables_seating.table_id = %s AND tables_seating.left_at IS NULL ORDER BY tables_seating.seat_number"""


@read_once
def seated(table_id: int) -> list[Seating]:
    """Return who plays at the table now, by seat. One query."""
    sitting = []
    for seating, player in read_seldom((Seating, Player), _SEATED, table_id):
        seating.player = player
        sitting.append(seating)
    return at_seats(sitting)


def seated_at(table_id: int, at: datetime, *, since: datetime | None = None) -> list[Seating]:
    """
    Return who sat at the table at that moment, or at the latest since another one, by seat: nobody twice, and one in
    each. One query.

    A command that waited for the table is as old as its tap, so two sittings may overlap: the later one counts.
    """
    still = Q(left_at__isnull=True) | Q(left_at__gt=since or at)
    sat = list(Seating.objects.filter(still, table_id=table_id, sat_down_at__lte=at).order_by("sat_down_at", "id"))
    by_player = {each.player_id: each for each in sat}
    by_seat = {each.seat_number: each for each in sat if by_player[each.player_id] is each}
    return [by_seat[number] for number in sorted(by_seat)]


def occupants(seatings: Iterable[Seating]) -> tuple[Occupant, ...]:
    """Return the seats as the rules of the blinds see them."""
    return tuple(seating.occupant for seating in seatings)


def next_hand_at(opening: Opening, seatings: Sequence[Seating]) -> NextHand | None:
    """
    Return the expected hand: button, blinds, who is dealt in; None while too few can play.

    Rules: H4.26-H4.32, A37, H4.51-H4.53, U12, U13. Where the dealer said "the button is here", the felt wins.
    """
    return _next_hand(opening, occupants(seatings))


def _next_hand(opening: Opening, now: Sequence[Occupant]) -> NextHand | None:
    terms = opening.terms.blinds
    if opening.button_here is not None:
        return with_button_here(now, opening.hand_before, seat_number=opening.button_here, terms=terms)
    return next_hand(now, opening.hand_before, terms=terms, first_button=opening.draw_winner)


def next_hands_at(opening: Opening, now: Sequence[Occupant], *, count: int) -> tuple[NextHand, ...]:
    """
    Return the next hands as they are expected while nobody comes or goes: a tablet without a connection goes on with
    them. Where the winner gets the button only the first can be said (H4.15).
    """
    first, terms = _next_hand(opening, now), opening.terms.blinds
    if first is None:
        return ()
    if terms.button is ButtonRule.TO_THE_WINNER:
        return (first,)
    return (first, *hands_ahead(after(first, now), as_last(first, now), count=count - 1, terms=terms))
