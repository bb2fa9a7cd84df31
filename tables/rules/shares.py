"""What each winner of a pot is pushed."""

from collections.abc import Sequence

from casino.poker.seats import clockwise
from casino.poker.split import split_pot

Share = dict[str, int]


def shares_of(push_cents: int | None, winners: Sequence[int], *, button: int | None, chip_cents: int) -> list[Share]:
    """
    Return the winners' shares of one pot, {seat_number, cents} clockwise from the button; they add up to `push_cents`.

    Empty where nobody can say: nobody counted the pot (None), or chips are odd and nobody told where the button was.

    Rules: H5.36, H5.37, A52.
    """
    # Hands of before could name a winner twice, who shares once all the same.
    winners = tuple(dict.fromkeys(winners))
    if push_cents is None:
        return []
    if button is None and push_cents % (chip_cents * len(winners)) and len(winners) > 1:
        return []
    order = clockwise(winners, after=button or 0)
    by_seat = split_pot(push_cents, winners_clockwise_from_button=order, unit_cents=chip_cents)
    return [{"seat_number": seat, "cents": cents} for seat, cents in by_seat.items()]
