"""
Who holds the button and posts what on the next hand (H4.18-H4.44, H4.51-H4.53, A36-A38, A41).

Facts in, decision out. A table is its occupants (who sits where, and whether they are in rotation)
and its last hand (who held what). `next_hand` decides; `after` and `as_last` give the facts from
which the hand after it is decided, so a dealer's tablet without a connection can go on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, cycle, islice

from casino.poker.missed import Missed, between, marked, owed_to_come_back
from casino.poker.placement import Facts, Placement, felt_placement, opening_placement, rotated_placement
from casino.poker.positions import (
    BlindTerms,
    ButtonRule,
    Entry,
    LastHand,
    NextHand,
    Occupant,
    Post,
    PostKind,
)
from casino.poker.seats import clockwise
from casino.poker.straddles import Straddle, first_to_act, straddles


def next_hand(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    terms: BlindTerms,
    first_button: int | None = None,
) -> NextHand | None:
    """
    Return the button, the blinds and who is dealt in on the next hand; None while too few can play.

    `last` is None before the first hand: who is in rotation took part in the draw or came in time (A36), and
    `first_button` is the seat that won it (H4.22). Without a draw the highest seat has the button, as
    in tournaments, where nothing is drawn. `first_button` is not looked at later.

    :raises ValueError: a seat outside the table, or two people in one seat, or one in two.
    Rules: H2.2, H4.6, H4.9, H4.18-H4.44, H4.51-H4.53, A36-A38, A41, U5, U12, U13.
    """
    _check(occupants, seats=terms.seats)
    facts = _facts(occupants, last)
    if not _are_enough(facts, last, terms):
        return None
    if last is None:
        placement = opening_placement(facts, button=first_button if first_button is not None else terms.seats)
    elif terms.button is ButtonRule.TO_THE_WINNER:
        placement = felt_placement(facts, button=last.won_button(before=last.button_seat))
    else:
        placement = rotated_placement(facts)
    return _hand(placement, occupants, facts, terms, last)


def with_button_here(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    seat_number: int,
    terms: BlindTerms,
) -> NextHand | None:
    """
    Return the next hand with the button where the dealer says it lies: the felt wins.

    The blinds follow from it clockwise (H4.9): the small blind to the next player in rotation, the big
    blind to the next one there. `seat_number` may be empty: with three or more the button lies there, with
    two it belongs to the nearest player in rotation counter-clockwise, who posts the small blind (H4.52).
    Before the first hand it is as if the draw had been won there (H4.22).

    :raises ValueError: as `next_hand`, or `seat_number` is outside the table.
    """
    _check(occupants, seats=terms.seats)
    if not 1 <= seat_number <= terms.seats:
        raise ValueError(f"seat {seat_number} is outside a table of {terms.seats}")
    facts = _facts(occupants, last)
    if not _are_enough(facts, last, terms):
        return None
    place = opening_placement if last is None else felt_placement
    return _hand(place(facts, button=seat_number), occupants, facts, terms, last)


def missed_with(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    button: int,
    small_blind: int | None,
    big_blind: int,
    terms: BlindTerms,
) -> dict[int, Missed]:
    """
    Return the markers that a hand lays down whose button and blinds are where the felt has them: by seat, all that
    lie there then. `next_hand` says the same of the hand that it asks for.

    Rules: H4.35-H4.38.
    """
    placement = Placement(button, small_blind, big_blind, frozenset())
    return _markers(placement, {o.seat_number: o for o in occupants}, _facts(occupants, last), terms)


def missed_while_played_over(holder: Occupant, last: LastHand | None, *, big_blind: int, terms: BlindTerms) -> Missed:
    """
    Return the markers before an absent player whose seat is played over, once a hand is dealt with its big blind there:
    the turn is the holder's too, although the other one pays it (H4.50).
    """
    if terms.button is ButtonRule.TO_THE_WINNER or last is None or not (holder.entry is Entry.IN or holder.missed):
        return holder.missed
    seat = holder.seat_number
    if (last.big_blind_seat, last.big_blind_player_id) == (seat, holder.player_id):
        # Who paid the big blind has the small one next, also where the other one pays the big blind anew (H4.29).
        return holder.missed or Missed.SMALL
    passed = between(last.big_blind_seat, big_blind, seats=terms.seats) | {big_blind}
    return marked({seat: holder.missed}, passed=passed, at_small_blind=None).get(seat, holder.missed)


def as_last(hand: NextHand, occupants: Sequence[Occupant], *, winner_seats: tuple[int, ...] = ()) -> LastHand:
    """
    Return `hand` as the hand before the next one; `occupants` are those who sat there when it was dealt,
    `winner_seats` those who shared its main pot.
    """
    return LastHand.played(
        {o.seat_number: o.player_id for o in occupants},
        button=hand.button,
        small_blind=hand.small_blind,
        big_blind=hand.big_blind,
        was_heads_up=hand.is_heads_up,
        winner_seats=winner_seats,
        betting_button=hand.betting_button,
    )


def after(hand: NextHand, occupants: Sequence[Occupant]) -> tuple[Occupant, ...]:
    """
    Return the occupants once `hand` was played: whoever was dealt in is in rotation and owes nothing (H4.30, H4.31,
    H4.39-H4.43); whoever missed a blind waits for the big blind, unless they choose to post on coming back.

    Not for a void hand: there everybody owes what they owed before it (H3.19).
    """
    dealt_in, missed = set(hand.dealt_in), dict(hand.missed)

    def then(occupant: Occupant) -> Occupant:
        if occupant.seat_number in dealt_in:
            # Mostly it is so already, and thirty hands ahead of ten players are to be said after each hand.
            is_same = occupant.entry is Entry.IN and occupant.missed is Missed.NONE
            return occupant if is_same else replace(occupant, entry=Entry.IN, missed=Missed.NONE)
        if occupant.seat_number in missed:
            return replace(occupant, entry=Entry.WAITS, missed=missed[occupant.seat_number])
        return occupant

    return tuple(map(then, occupants))


def hands_ahead(
    occupants: Sequence[Occupant],
    last: LastHand | None,
    *,
    count: int,
    terms: BlindTerms,
    first_button: int | None = None,
) -> tuple[NextHand, ...]:
    """
    Return the next `count` hands as they are expected if nobody comes or goes; empty while too few can play.

    It travels with the dealer's page, which goes on with it when the connection is gone. Where the winner gets the
    button only the first of them can be said (H4.15); of two buttons the one for the betting order stays in all of them
    where it lies now, though it goes to whoever wins (H4.16).
    """
    if terms.button is ButtonRule.TO_THE_WINNER:
        count = min(count, 1)
    return _hands_ahead(tuple(occupants), last, count, terms, first_button)


# Tablets are told the same hands over and over, for as long as nobody comes or goes.
@lru_cache(maxsize=1024)
def _hands_ahead(
    occupants: tuple[Occupant, ...], last: LastHand | None, count: int, terms: BlindTerms, first_button: int | None
) -> tuple[NextHand, ...]:
    hands: list[NextHand] = []
    # Once everybody is in rotation the hands go round: what follows from the same facts follows again.
    begins: dict[tuple[Sequence[Occupant], LastHand | None], int] = {}
    while len(hands) < count:
        if (begin := begins.setdefault((occupants, last), len(hands))) < len(hands):
            return tuple(islice(chain(hands[:begin], cycle(hands[begin:])), count))
        hand = next_hand(occupants, last, terms=terms, first_button=first_button)
        if hand is None:
            break
        hands.append(hand)
        occupants, last = after(hand, occupants), as_last(hand, occupants)
    return tuple(hands)


def _check(occupants: Sequence[Occupant], *, seats: int) -> None:
    numbers = [o.seat_number for o in occupants]
    if any(not 1 <= number <= seats for number in numbers):
        raise ValueError(f"a seat of {sorted(numbers)} is outside a table of {seats}")
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"two people in one seat: {sorted(numbers)}")
    if len({o.player_id for o in occupants}) < len(occupants):
        raise ValueError("one person in two seats")


def _facts(occupants: Sequence[Occupant], last: LastHand | None) -> Facts:
    there = {o.seat_number: o for o in occupants if not o.is_held}

    def still(seat: int | None, player_id: int | None) -> int | None:
        # A seat counts as its player's only while that same person is in it: a newcomer in a blind's seat
        # has paid nothing.
        return seat if seat is not None and seat in there and there[seat].player_id == player_id else None

    held_last = (
        still(last.button_seat, last.button_player_id) if last else None,
        still(last.small_blind_seat, last.small_blind_player_id) if last else None,
        still(last.big_blind_seat, last.big_blind_player_id) if last else None,
    )
    rotating = {seat for seat, o in there.items() if o.entry is Entry.IN or seat in held_last}
    if last is None and len(rotating) < 2:
        # Whoever was there before the first hand has gone: the others begin it together (A36).
        rotating = set(there)
    return Facts(
        present=frozenset(there),
        rotating=frozenset(rotating),
        posting=frozenset(seat for seat, o in there.items() if o.entry is Entry.POSTS and seat not in rotating),
        button_seat=last.button_seat if last else 0,
        big_blind_seat=last.big_blind_seat if last else 0,
        button=held_last[0],
        small_blind=held_last[1],
        big_blind=held_last[2],
        big_blind_absent=last.big_blind_seat if last and _is_absent(occupants, last) else None,
    )


def _are_enough(facts: Facts, last: LastHand | None, terms: BlindTerms) -> bool:
    """
    Say whether so many are there that a hand is dealt, or two in rotation are left of a hand of more players (U5, U12,
    U13); whether those two go on after that hand is the house's choice (UA1).
    """
    if len(facts.present) >= terms.players_min:
        return True
    are_left = last is not None and (terms.may_two_go_on or not last.was_heads_up)
    return are_left and len(facts.present) == 2 and facts.rotating == facts.present


def _is_absent(occupants: Sequence[Occupant], last: LastHand) -> bool:
    """Say whether the last big blind's player holds that seat without being there: the small blind's turn is missed."""
    last_big = (last.big_blind_seat, last.big_blind_player_id)
    return any(o.is_held and (o.seat_number, o.player_id) == last_big for o in occupants)


def _hand(
    placement: Placement, occupants: Sequence[Occupant], facts: Facts, terms: BlindTerms, last: LastHand | None
) -> NextHand:
    """Return the hand at these places: with who straddles, what is posted, and which markers are laid down."""
    by_seat = {o.seat_number: o for o in occupants}
    dealt_in = placement.dealt_in | _coming_in_with_a_straddle(placement, by_seat, terms)
    blinds = {placement.small_blind, placement.big_blind}
    straddled = straddles(
        terms.straddle if len(dealt_in) > 2 else Straddle.OFF,
        order=tuple(seat for seat in clockwise(dealt_in, after=placement.big_blind) if seat not in blinds),
        button=placement.button,
        wanting=frozenset(seat for seat in dealt_in if by_seat[seat].straddles or _straddles_in(by_seat[seat])),
        big_blind_cents=terms.big_blind_cents,
    )
    betting_button = _betting_button(placement, last) if terms.button is ButtonRule.TWO_BUTTONS else None
    last_blind = straddled[-1][0] if straddled else placement.big_blind
    return NextHand(
        button=placement.button,
        small_blind=placement.small_blind,
        big_blind=placement.big_blind,
        dealt_in=clockwise(dealt_in, after=placement.button),
        posts=tuple(_posts(placement, by_seat, dict(straddled), terms)),
        waiting=tuple(sorted(by_seat.keys() - dealt_in)),
        first_to_act=first_to_act(tuple(dealt_in), after=betting_button or last_blind),
        missed=tuple(sorted(_markers(placement, by_seat, facts, terms).items())),
        betting_button=betting_button,
    )


def _betting_button(placement: Placement, last: LastHand | None) -> int:
    """Return where the button for the betting order lies: with the winner, at first where the other one is (H4.16)."""
    before = last.betting_button_seat if last else None
    return last.won_button(before=before or last.button_seat) if last else placement.button


def _coming_in_with_a_straddle(
    placement: Placement, by_seat: Mapping[int, Occupant], terms: BlindTerms
) -> frozenset[int]:
    """Return the seat next after the big blind if its player waits there to straddle (H4.34, H4.43)."""
    if terms.straddle not in {Straddle.LIVE, Straddle.TO_THE_BUTTON} or len(placement.dealt_in) < 2:
        return frozenset()
    willing = {seat for seat, o in by_seat.items() if not o.is_held and _straddles_in(o)} - placement.dealt_in
    first = clockwise(placement.dealt_in | willing, after=placement.big_blind)[0]
    return frozenset({first} & willing)


def _straddles_in(occupant: Occupant) -> bool:
    return occupant.entry is Entry.STRADDLES


def _posts(
    placement: Placement, by_seat: Mapping[int, Occupant], straddled: Mapping[int, int], terms: BlindTerms
) -> Iterator[Post]:
    if placement.small_blind is not None:
        yield Post(placement.small_blind, PostKind.SMALL_BLIND, terms.small_blind_cents)
    yield Post(placement.big_blind, PostKind.BIG_BLIND, terms.big_blind_cents)
    # In a straddle the new player's blind is contained, and missed blinds are not payable (H4.34, H4.43).
    for seat in clockwise(placement.newcomers - straddled.keys(), after=placement.big_blind):
        missed = by_seat[seat].missed
        live, dead = owed_to_come_back(
            missed, small_blind_cents=terms.small_blind_cents, big_blind_cents=terms.big_blind_cents
        )
        yield Post(seat, PostKind.MISSED if missed else PostKind.NEW_PLAYER, live, dead)
    yield from (Post(seat, PostKind.STRADDLE, cents) for seat, cents in straddled.items())


def _markers(
    placement: Placement, by_seat: Mapping[int, Occupant], facts: Facts, terms: BlindTerms
) -> dict[int, Missed]:
    """Return the markers that this hand lays down; a player who was never in rotation is new and gets none (H4.24)."""
    if terms.button is ButtonRule.TO_THE_WINNER:
        # Nobody's turn is passed where the winner takes the blinds along.
        return {}
    absent = {seat: o.missed for seat, o in by_seat.items() if o.is_held and (o.entry is Entry.IN or o.missed)}
    if facts.big_blind_seat:
        passed = between(facts.big_blind_seat, placement.big_blind, seats=terms.seats)
        return marked(absent, passed=passed, at_small_blind=facts.big_blind_absent)
    # The first hand: the small blind went past whom it should have met first, the big blind past the others (H4.23).
    small = placement.small_blind or placement.button
    skipped = between(placement.button, small, seats=terms.seats) & absent.keys()
    passed = between(small, placement.big_blind, seats=terms.seats)
    return {**dict.fromkeys(skipped, Missed.SMALL), **marked(absent, passed=passed, at_small_blind=None)}
