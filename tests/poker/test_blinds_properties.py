"""Random comings and goings between hands, and what must hold on every one of them."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casino.poker.blinds import after, as_last, hands_ahead, next_hand, with_button_here
from casino.poker.positions import BlindTerms, Entry, LastHand, NextHand, Occupant, PostKind

SEATS = 9
TERMS = BlindTerms(1_00, 2_00, SEATS)


@dataclass(frozen=True)
class Dealt:
    """A hand together with those who sat there, and the hand before it."""

    occupants: tuple[Occupant, ...]
    last: LastHand | None
    hand: NextHand
    by_felt: bool

    @property
    def present(self) -> set[int]:
        return {o.seat_number for o in self.occupants if not o.is_held}

    def player(self, seat: int | None) -> int | None:
        return next((o.player_id for o in self.occupants if o.seat_number == seat), None)


@st.composite
def nights(draw: st.DrawFn, *, arrivals_only: bool = False, felt: bool = True) -> list[Dealt]:
    """A table through some hands: people come, leave, hold seats; now and then the felt says otherwise."""
    ids = iter(range(1, 1000))
    first = draw(st.sets(st.integers(1, SEATS), min_size=2))
    occupants = tuple(Occupant(seat, next(ids)) for seat in sorted(first))
    last: LastHand | None = None
    night: list[Dealt] = []
    for _ in range(draw(st.integers(1, 25))):
        if night:
            free = sorted(set(range(1, SEATS + 1)) - {o.seat_number for o in occupants})
            if not arrivals_only:
                gone = draw(st.sets(st.sampled_from([o.seat_number for o in occupants]), max_size=3))
                toggled = draw(st.sets(st.integers(1, SEATS), max_size=1))
                free = sorted({*free, *gone})
                occupants = tuple(
                    replace(o, is_held=o.is_held ^ (o.seat_number in toggled))
                    for o in occupants
                    if o.seat_number not in gone
                )
            sitting = draw(st.sets(st.sampled_from(free), max_size=2)) if free else set()
            while len(occupants) + len(sitting) < 2:
                sitting |= {draw(st.sampled_from(free))}
            entries = st.sampled_from([Entry.WAITS, Entry.POSTS])
            occupants += tuple(Occupant(seat, next(ids), draw(entries)) for seat in sorted(sitting))
        by_felt = felt and draw(st.integers(0, 9)) == 9
        seat = draw(st.integers(1, SEATS))
        hand = (
            with_button_here(occupants, last, seat_number=seat, terms=TERMS)
            if by_felt
            else next_hand(occupants, last, first_button=seat, terms=TERMS)
        )
        if hand is None:
            assert sum(not o.is_held for o in occupants) < 2
            continue
        night.append(Dealt(occupants, last, hand, by_felt))
        last, occupants = as_last(hand, occupants), after(hand, occupants)
    return night


@pytest.mark.rule("H2.2", "H4.9", "H4.27", "H4.31")
@given(night=nights())
def test_every_hand_is_whole(night):
    for dealt in night:
        hand, kinds = dealt.hand, [post.kind for post in dealt.hand.posts]
        rotating = {o.seat_number for o in dealt.occupants if o.entry is Entry.IN and not o.is_held}

        assert set(hand.dealt_in) <= dealt.present
        assert len(hand.dealt_in) == len(set(hand.dealt_in)) >= 2
        assert rotating <= set(hand.dealt_in)
        assert set(hand.dealt_in) | set(hand.waiting) == {o.seat_number for o in dealt.occupants}
        assert not set(hand.dealt_in) & set(hand.waiting)
        assert hand.big_blind in hand.dealt_in
        assert hand.big_blind not in {hand.button, hand.small_blind}
        assert kinds.count(PostKind.BIG_BLIND) == 1
        assert kinds.count(PostKind.SMALL_BLIND) == (hand.small_blind is not None)
        assert len({post.seat_number for post in hand.posts}) == len(hand.posts)
        assert (hand.small_blind == hand.button) == (len(hand.dealt_in) == 2)
        assert dealt.by_felt or hand.dealt_in[-1] == hand.button


@pytest.mark.rule("H4.9", "H4.28")
@given(night=nights())
def test_going_clockwise_from_the_button_the_small_blind_comes_before_the_big(night):
    for dealt in night:
        hand = dealt.hand
        order = [seat for seat in hand.dealt_in if seat in {hand.small_blind, hand.big_blind}]
        if len(hand.dealt_in) > 2 and hand.small_blind is not None:
            assert order == [hand.small_blind, hand.big_blind]


@pytest.mark.rule("H4.30")
@given(night=nights(felt=False))
def test_a_waiting_newcomer_comes_in_through_the_big_blind_alone(night):
    for dealt in night:
        had_rotation = any(o.entry is Entry.IN and not o.is_held for o in dealt.occupants)
        for o in dealt.occupants:
            if o.entry is Entry.WAITS and o.seat_number in dealt.hand.dealt_in and had_rotation and dealt.last:
                assert dealt.hand.big_blind == o.seat_number


@pytest.mark.rule("H4.28")
@given(night=nights(felt=False))
def test_with_three_or_more_the_small_blind_is_last_hands_big_blind_or_nobody(night):
    for dealt in night:
        last, hand = dealt.last, dealt.hand
        rotating = {o.seat_number for o in dealt.occupants if o.entry is Entry.IN and not o.is_held}
        if last is None or len(hand.dealt_in) == 2 or not rotating:
            continue
        stayed = dealt.player(last.big_blind_seat) == last.big_blind_player_id
        is_there = stayed and last.big_blind_seat in dealt.present
        assert hand.small_blind == (last.big_blind_seat if is_there else None)


@pytest.mark.rule("H4.26", "H4.32")
@given(night=nights(arrivals_only=True, felt=False))
def test_a_newcomer_gets_the_button_only_after_big_and_small_blind(night):
    original = {o.player_id for o in night[0].occupants}
    for before, between, now in zip(night, night[1:], night[2:], strict=False):
        holder = now.player(now.hand.button)
        has_it_anew = between.player(between.hand.button) != holder
        if holder not in original and has_it_anew and not now.hand.is_heads_up:
            assert before.player(before.hand.big_blind) == holder
            assert between.player(between.hand.small_blind) == holder


@pytest.mark.rule("H4.6", "H4.27")
@given(first=st.sets(st.integers(1, SEATS), min_size=2), button=st.integers(1, SEATS))
def test_while_nobody_comes_or_goes_everybody_posts_each_blind_once_an_orbit(first, button):
    occupants = [Occupant(seat, seat) for seat in first]

    orbit = hands_ahead(occupants, None, count=len(first), first_button=button, terms=TERMS)

    assert {hand.big_blind for hand in orbit} == first
    assert {hand.small_blind for hand in orbit} == first
    assert {hand.button for hand in orbit} == first


@given(night=nights(felt=False), count=st.integers(1, 25))
def test_the_hands_ahead_are_those_that_come(night, count):
    """Also once they have gone round the table and are not decided one by one any more."""
    start = night[-1]
    ahead = hands_ahead(start.occupants, start.last, count=count, first_button=start.hand.button, terms=TERMS)

    assert len(ahead) == count
    assert start.last is None or ahead[0] == start.hand
    occupants, last = start.occupants, start.last
    for hand in ahead:
        assert hand == next_hand(occupants, last, terms=TERMS, first_button=start.hand.button)
        occupants, last = after(hand, occupants), as_last(hand, occupants)
