"""Dividing a pot among those who share it (H5.36, H5.37, H5.42, A52)."""

from collections.abc import Sequence


def split_pot(cents: int, *, winners_clockwise_from_button: Sequence[int], unit_cents: int) -> dict[int, int]:
    """
    Return each winner's share in cents, by seat, in the order given; the shares add up to the pot.

    `cents` is one pot as it is pushed, rake and drop taken; main and side pots are divided each on its own (H5.42).
    `unit_cents` is the smallest chip in play (A52). Odd chips go one each, beginning next to the button (H5.37); what
    is smaller than a chip, if anything, goes to the seat after the last odd chip.
    `casino.poker.seats.clockwise(seats, after=button)` gives the order.

    :raises ValueError: no winner or one named twice, a negative pot, or a unit that is not positive.
    """
    winners = tuple(winners_clockwise_from_button)
    if not winners or len(set(winners)) < len(winners):
        raise ValueError(f"winners are one or more different seats, not {list(winners)}")
    if cents < 0 or unit_cents <= 0:
        raise ValueError("a pot is not negative and a chip is worth something")
    chips, less_than_a_chip = divmod(cents, unit_cents)
    each, odd = divmod(chips, len(winners))
    shares = [(each + (index < odd)) * unit_cents for index in range(len(winners))]
    shares[odd] += less_than_a_chip
    return dict(zip(winners, shares, strict=True))
