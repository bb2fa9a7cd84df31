"""Who straddles for how much, and who acts first (H4.13, H4.18-H4.21, R3, R-§11, A34, RA5). Amounts are cents."""

from enum import StrEnum

from casino.poker.seats import clockwise


class Straddle(StrEnum):
    """What a game allows of straddles."""

    OFF = "off"
    LIVE = "live"  # the player next after the big blind, twice the big blind (H4.18)
    MISSISSIPPI = "mississippi"  # anybody, the button first, then counter-clockwise; one a hand (H4.20, A34)
    TO_THE_BUTTON = "to_the_button"  # one after the other up to the button, each twice the one before (R3, R-§11)


def straddles(
    rule: Straddle, *, order: tuple[int, ...], button: int, wanting: frozenset[int], big_blind_cents: int
) -> tuple[tuple[int, int], ...]:
    """
    Return (seat, live straddle) in the order in which they are posted.

    `order` are the seats that are dealt in and post no blind, clockwise from the big blind; `wanting` are those who
    straddle whenever they may. To the button: whoever is next after the big blind begins; declines that player, the
    button alone may still (R-§11-4, RA5).
    """
    first = 2 * big_blind_cents
    if not order or rule is Straddle.OFF:
        return ()
    if rule is Straddle.MISSISSIPPI:
        return next((((seat, first),) for seat in reversed(order) if seat in wanting), ())
    if order[0] in wanting:
        willing = [seat for seat in order if seat in wanting]
        last = 1 if rule is Straddle.LIVE else len(willing)
        return tuple((seat, first * 2**index) for index, seat in enumerate(willing[:last]))
    if rule is Straddle.TO_THE_BUTTON and order[-1] == button and button in wanting:
        return ((button, first),)
    return ()


def first_to_act(dealt_in: tuple[int, ...], *, after: int) -> int:
    """
    Return who opens the first betting round: the next after the big blind (H4.13), or after the last straddler, who
    acts last (H4.19, H4.21, R-§11-3).
    """
    return clockwise(dealt_in, after=after)[0]


def largest_opening_stake(rule: Straddle, *, big_blind_cents: int, seats: int) -> int:
    """
    Return the most that anybody posts before the cards of a hand, with `seats` seats at the table, in cents.

    Straddles count as opening stakes (L-PQ20); to the button everybody between the big blind and the button may.
    """
    if rule is Straddle.OFF:
        return big_blind_cents
    doublings = max(seats - 2, 1) if rule is Straddle.TO_THE_BUTTON else 1
    return big_blind_cents * int(2**doublings)
