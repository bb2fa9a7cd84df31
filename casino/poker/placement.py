"""
Where button and blinds go, seat numbers only. `blinds.py` calls this, and nothing else does.

Besides the clauses there are tables that no clause thought of. The readings taken for them, each said again
where it is decided, keep three things in this order: somebody whose turn it is posts the big blind (H4.27);
the button goes to somebody in rotation (H4.26); newcomers come in one by one through the big blind.
"""

from dataclasses import dataclass, replace

from casino.poker.seats import clockwise


@dataclass(frozen=True)
class Facts:
    """
    Seats before the next hand. `present`: there and not held. `rotating` and `posting` are parts of it; the
    rest wait for the big blind. `button_seat` and `big_blind_seat` are the last hand's seats, 0 before the first;
    `button`, `small_blind` and `big_blind` the same where their player still sits there, else None. `big_blind_absent`
    is the last big blind's seat while its player holds it and is not there.
    """

    present: frozenset[int]
    rotating: frozenset[int]
    posting: frozenset[int]
    button_seat: int
    big_blind_seat: int
    button: int | None
    small_blind: int | None
    big_blind: int | None
    big_blind_absent: int | None = None

    @property
    def turn(self) -> int:
        """
        The seat whose turn the big blind is: the first one present after the last big blind's seat. If that
        player has left, a newcomer already in that seat comes first (H4.29, A37).
        """
        order = clockwise(self.present, after=self.big_blind_seat)
        has_newcomer_in_seat = self.big_blind is None and order[-1] == self.big_blind_seat
        return order[-1] if has_newcomer_in_seat else order[0]


@dataclass(frozen=True)
class Placement:
    """Seats of a hand. `newcomers` owe a new player's blind: dealt in by posting, not by the big blind."""

    button: int
    small_blind: int | None
    big_blind: int
    dealt_in: frozenset[int]
    newcomers: frozenset[int] = frozenset()


def first_placement(present: frozenset[int], *, button: int) -> Placement:
    """
    Return the placement where all who are there begin together and nobody owes anything (A36).

    An empty `button` seat gives it to the nearest player counter-clockwise, as A37 does later.
    """
    order = clockwise(present, after=button)
    # Clockwise from the button its own seat comes last, and so does the nearest player counter-clockwise.
    holder = order[-1]
    if len(present) == 2:
        return _heads_up(present, button=holder)
    return Placement(holder, order[0], order[1], present)


def opening_placement(facts: Facts, *, button: int) -> Placement:
    """
    Return the placement of a table's first hand, for those who were there before it was begun.

    Who came during a first hand that was then undone or void is new (H4.24): dealt in by posting (H4.31), else waiting.
    Two play alone (A41): of two the button posts the small blind.
    """
    begun = first_placement(facts.rotating, button=button)
    if len(facts.rotating) == 2:
        return begun
    return replace(begun, dealt_in=begun.dealt_in | facts.posting, newcomers=facts.posting)


def rotated_placement(facts: Facts) -> Placement:
    """Return the placement that follows from the last hand (A37, A41)."""
    if not facts.rotating:
        return _began_anew(facts)
    big = facts.turn
    dealt_in = facts.rotating | facts.posting | {big}
    button = _button(facts, big=big)
    if button is None or len(dealt_in) == 2:
        return _two_of(facts, big=big)
    newcomers = facts.posting - {big}
    return Placement(button, facts.big_blind, big, dealt_in, newcomers)


def felt_placement(facts: Facts, *, button: int) -> Placement:
    """Return the placement with the button lying at `button`, which may be an empty seat."""
    if not facts.rotating:
        return first_placement(facts.present, button=button)
    others = clockwise(facts.present - {button}, after=button)
    small = next((seat for seat in others if seat in facts.rotating), None)
    following = others if small is None else others[others.index(small) + 1 :]
    # A newcomer said to be on the button has been taken into the game, and what that costs is a new player's
    # blind (H4.31).
    dealt_in = facts.rotating | facts.posting | (facts.present & {button}) | set(following[:1])
    if len(facts.present) == 2 or len(dealt_in) == 2 or not following:
        return _felt_heads_up(facts, button=button, small=small)
    big = following[0]
    return Placement(button, small, big, dealt_in, dealt_in - facts.rotating - {big})


def _felt_heads_up(facts: Facts, *, button: int, small: int | None) -> Placement:
    """
    Return the hand of two for a button said to be at `button`: newcomers who sit between it and the only other
    player in rotation wait for the next hand (A41). From an empty seat the button goes to the nearest player in
    rotation counter-clockwise, since with two it posts a blind (H4.52).
    """
    holder = button if button in facts.present else clockwise(facts.rotating, after=button)[-1]
    other = small if small not in {None, holder} else clockwise(facts.present, after=holder)[0]
    assert other is not None
    return _heads_up(frozenset({holder, other}), button=holder)


def _button(facts: Facts, *, big: int) -> int | None:
    """
    Return the seat of the button with three or more, or None where nobody in rotation is free to hold it.

    The last small blind's player; else it stays; else the nearest player in rotation counter-clockwise from
    where it was (A37). Whoever posts a blind now is passed over: H4.28 places the button by the big blind,
    and three players need three places.
    """
    blinds = {big, facts.big_blind}
    by_right = [seat for seat in (facts.small_blind, facts.button) if seat is not None]
    counter_clockwise = reversed(clockwise(facts.rotating, after=facts.button_seat))
    return next((seat for seat in (*by_right, *counter_clockwise) if seat not in blinds), None)


def _two_of(facts: Facts, *, big: int) -> Placement:
    """
    Return the hand of two, also where more sit there but no third player in rotation is free for the button.

    A41 reads it so for growth from two to three: the newcomer who sits between button and big blind comes in
    on the next hand as big blind, one who wanted to post included. The same here wherever it happens.
    """
    two = _the_two(facts, big=big)
    # The larger blind of the last hand has the button (H4.51); else the smaller; else it stays (A41).
    for seat in (facts.big_blind, facts.small_blind, facts.button):
        if seat is not None and seat in two:
            return _heads_up(two, button=seat)
    # Neither posted and the holder is gone: whose turn it is posts the big blind (H4.27), the other deals;
    # but a player in rotation has the button before a newcomer (H4.26).
    rotating = two & facts.rotating
    return _heads_up(two, button=next(iter(rotating if len(rotating) == 1 else two - {big})))


def _the_two(facts: Facts, *, big: int) -> frozenset[int]:
    if len(facts.rotating) == 2:
        return facts.rotating
    # One player in rotation, with the next newcomer. If the turn came to that player, the one after posts:
    # nobody else has a right to the button.
    (alone,) = facts.rotating
    return frozenset({alone, big if big != alone else clockwise(facts.present, after=alone)[0]})


def _began_anew(facts: Facts) -> Placement:
    """
    Return the first hand of those who came after the game's first players had all gone.

    Nobody there has paid anything, so nobody owes the others a new player's blind: they begin as after a draw
    (A36), only that the big blind keeps its turn (H4.27), and the button lies as far before it as it should.
    """
    before_turn = clockwise(facts.present, after=facts.turn)[:-1]
    return first_placement(facts.present, button=before_turn[-2:][0])


def _heads_up(two: frozenset[int], *, button: int) -> Placement:
    """Return the placement of two: the button posts the small blind, the other the big blind (H4.52)."""
    (other,) = two - {button}
    return Placement(button, small_blind=button, big_blind=other, dealt_in=two)
