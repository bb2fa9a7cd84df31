"""
What a table is, said plainly: who sits where, who owes what, which hands stand, where its chips are.

No code of the house: its rules are said here once more, in other words.
"""

from dataclasses import dataclass, field
from uuid import UUID

SEATS, MIN_CENTS, MAX_CENTS, BIG_BLIND_CENTS = 10, 100_00, 400_00, 2_00


@dataclass
class Sitting:
    """One player in one seat, now or before; `opening` counts the table's openings."""

    row: int
    seat: int
    player: int
    opening: int
    entry: str
    chips: int = 0
    is_held: bool = False
    has_left: bool = False
    stack: int | None = None
    # How many had left before.
    left_as: int = 0
    missed: str = ""
    after_hand: int = 0
    version: int = 1

    @property
    def is_dealt_in(self) -> bool:
        return not self.is_held and self.chips > 0


@dataclass
class Played:
    """A hand: who was dealt in, what lies in the boxes for it, and how the table was before it."""

    row: int
    id: UUID
    number: int
    opening: int
    dealer: int
    players: dict[int, int]
    button: int
    small_blind: int | None
    big_blind: int
    moves: bool
    newcomers: dict[int, tuple[str, str]]
    missed: dict[int, tuple[str, str, str]]
    before: tuple["Played | None", int | None]
    status: str = "dealt"
    is_beyond: bool = False
    rake: int = 0
    drop: int = 0
    corrects: bool = False

    @property
    def positions(self) -> tuple[int | None, ...]:
        return self.button, self.small_blind, self.big_blind


def rake_of(pot_cents: int) -> int:
    """One euro per full twenty, ten at most (H1.83, H1.85)."""
    return min(pot_cents // 20_00 * 1_00, 10_00)


def drop_of(players: int, *, is_beyond: bool) -> int:
    """One euro from six players on, when a card came after the initial deal (H1.88, H1.90)."""
    return 1_00 if players >= 6 and is_beyond else 0


def purchase(cents: int, stack: int | str | None) -> str:
    """Return what the house refuses a purchase with, "" where it sells (H1.62, H2.14-H2.17)."""
    if stack is None:
        return "buy_in_over_maximum" if cents > MAX_CENTS else "stack_needed"
    has = stack if isinstance(stack, int) else MAX_CENTS if stack == "full" else 0
    if cents > max(MAX_CENTS - has, 0):
        return "buy_in_over_maximum"
    least = min(MIN_CENTS, MAX_CENTS - has) if has < BIG_BLIND_CENTS else 1
    return "buy_in_under_minimum" if cents < least else ""


def first_purchase(cents: int, left: int | str | None) -> str:
    """Return the same of the first chips in a seat; `left` is with what the player last left, None: not (H1.64)."""
    if left is None:
        return purchase(cents, 0)
    if isinstance(left, str):
        return "stack_not_counted"
    least = max(left, MIN_CENTS)
    return "" if least <= cents <= max(least, MAX_CENTS) else "stack_to_bring"


@dataclass
class TableModel:
    """One table, as somebody who watches it would say it."""

    row: int
    openings: int = 0
    is_open: bool = False
    sittings: list[Sitting] = field(default_factory=list)
    hands: list[Played] = field(default_factory=list)
    number: int = 0
    version: int = 0
    last: Played | None = None
    button_here: int | None = None
    draw_winner: int | None = None
    chips: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("in_play", "rake_box", "jackpot_box", "tip_box", "hands"), 0)
    )

    @property
    def seated(self) -> dict[int, Sitting]:
        return {each.seat: each for each in self.sittings if not each.has_left}

    @property
    def in_progress(self) -> Played | None:
        return next((hand for hand in self.hands if hand.status == "dealt"), None)

    @property
    def has_begun(self) -> bool:
        return self.last is not None or self.in_progress is not None

    def move(self, cents: int, *, out_of: str, into: str) -> None:
        self.chips[out_of] -= cents
        self.chips[into] += cents

    def open(self) -> None:
        self.openings += 1
        self.is_open, self.last, self.button_here, self.draw_winner = True, None, None, None

    def seat_refused(self, seat: int, player: int, cents: int, left: int | str | None, *, elsewhere: bool) -> str:
        """
        Return the code with which nobody is seated, "" where they are; `left` as for `first_purchase`.

        `elsewhere`: the player sits at another table.
        """
        if not self.is_open:
            return "table_closed"
        if not 1 <= seat <= SEATS:
            return "no_such_seat"
        if any(each.player == player for each in self.seated.values()):
            return "already_seated"
        if seat in self.seated:
            return "seat_taken"
        if elsewhere:
            return "sits_elsewhere"
        return first_purchase(cents, left) if cents else ""

    def back_refused(self, sitting: Sitting, version: int, *, elsewhere: bool) -> str:
        """Return the code with which a leaving stays, "" where it is taken back; `elsewhere` as for `seat_refused`."""
        if version != sitting.version:
            return "stale"
        if not self.is_open or sitting.opening != self.openings:
            return "table_closed_since"
        if any(each.player == sitting.player for each in self.seated.values()):
            return "already_seated"
        if sitting.seat in self.seated:
            return "seat_taken"
        if elsewhere:
            return "sits_elsewhere"
        same = (each for each in self.sittings if sitting.player == each.player or sitting.seat == each.seat)
        return "seat_used_since" if any(each.row > sitting.row for each in same) else ""

    def entry_after_leaving_taken_back(self, sitting: Sitting) -> str:
        """Whoever missed a hand is new; whoever left during one that was played on with them is in (H4.24, H4.30)."""
        hands = [each for each in self.hands if each.opening == self.openings and not each.corrects]
        counted = [each for each in hands if each.status not in {"void", "undone"}]
        since = [each for each in counted if each.row > sitting.after_hand]
        if any(sitting.player not in each.players.values() for each in since):
            return "waits" if sitting.entry == "in" else sitting.entry
        during = [each for each in counted if each.row == sitting.after_hand and each.status != "dealt"]
        return "in" if any(sitting.player in each.players.values() for each in during) else sitting.entry

    def undo_refused(self, hand: Played, dealer: int) -> str:
        """Return the code with which a hand stays, "" where its dealer takes it back."""
        later = (each for each in self.hands if each.row > hand.row and each.moves and not each.corrects)
        is_newest = hand.moves and hand.opening == self.openings and self.is_open and not any(later)
        if hand.status not in {"settled", "not_logged"} or self.in_progress is not None or not is_newest:
            return "nothing_to_undo"
        return "" if hand.dealer == dealer else "not_your_hand"

    def take(self, hand: Played, rake: int, drop: int) -> None:
        """Put rake and drop of a hand into their boxes, in place of what lay there for it."""
        self.move(rake - hand.rake, out_of="in_play", into="rake_box")
        self.move(drop - hand.drop, out_of="in_play", into="jackpot_box")
        hand.rake, hand.drop = rake, drop

    def move_on(self, hand: Played) -> None:
        """Let the next hand follow from this one."""
        if hand.moves:
            self.last, self.button_here = hand, None
            for sitting in self.seated.values():
                if sitting.row in hand.newcomers:
                    sitting.entry, sitting.missed = "in", ""
                if sitting.row in hand.missed:
                    sitting.entry, sitting.missed = "waits", hand.missed[sitting.row][-1]

    def end(self, hand: Played, status: str) -> None:
        """End a hand that has no pot in the log."""
        hand.status = status
        if status == "not_logged":
            self.move_on(hand)
        else:
            self.give_number_back(hand)

    def undo(self, hand: Played) -> None:
        self.take_back(hand, "undone")
        self.last, self.button_here = hand.before
        for sitting in self.seated.values():
            if sitting.row in hand.newcomers:
                sitting.entry, sitting.missed = hand.newcomers[sitting.row]
            if sitting.row in hand.missed:
                sitting.entry, sitting.missed = hand.missed[sitting.row][:2]
        self.give_number_back(hand)

    def take_back(self, hand: Played, status: str) -> None:
        self.take_out(hand)
        hand.status = status

    def take_out(self, hand: Played) -> None:
        rake, drop = hand.rake, hand.drop
        self.take(hand, 0, 0)
        hand.rake, hand.drop = rake, drop

    def give_number_back(self, hand: Played) -> None:
        if self.number == hand.number:
            self.number -= 1

    # ---- what must hold of every hand that is dealt as the rules ask

    def check_positions(self, hand: Played, *, with_clauses: int | None) -> None:
        """
        Fail unless a hand just dealt is what the felt asks for (H4.22-H4.32, H4.52, A36, A37).

        Called before the hand is among `hands`. With a button that the dealer laid somewhere only the blinds follow.
        """
        there = {seat: each for seat, each in self.seated.items() if each.is_dealt_in}
        if len(there) < 2:
            assert not hand.players
            return
        assert hand.players == {seat: there[seat].player for seat in hand.players}, "dealt in who is not there"
        assert hand.big_blind in hand.players
        assert hand.small_blind in {None, *hand.players}
        assert hand.big_blind not in {hand.button, hand.small_blind}
        if with_clauses is None or len(hand.players) == 2:
            assert hand.button in hand.players
        if len(hand.players) == 2:
            assert hand.small_blind == hand.button
        if self.last is None:
            assert set(hand.players) == set(there) or with_clauses is not None
            if with_clauses is None:
                winner = self.draw_winner or SEATS
                assert hand.button == next(seat for seat in _back_from(winner) if seat in there)
            return
        # Whoever held the button or a blind on the hand before, and sits there still or again, goes on.
        held = {(seat, self.last.players.get(seat or 0)) for seat in self.last.positions}
        rotating = {seat for seat, each in there.items() if each.entry == "in" or (seat, each.player) in held}
        posting = {seat for seat, each in there.items() if each.entry == "posts"} - rotating
        if with_clauses is None and len(rotating) >= 3:
            assert set(hand.players) == rotating | posting | {hand.big_blind}
            assert hand.big_blind == self._turn(set(there))

    def missed_with(self, hand: Played) -> dict[int, tuple[str, str, str]]:
        """
        Return whom the blinds pass with a hand just dealt, by row: entry and markers before, markers after.

        Both, where the big blind went past; the small one where its turn was after a big blind that was paid. Of the
        first hand the button says where the small one should have been (H4.23, H4.35-H4.38).
        """
        if not hand.players:
            return {}
        if self.last is None:
            small = hand.small_blind or hand.button
            at_small, passed = _between(hand.button, small), _between(small, hand.big_blind)
        else:
            last = self.last
            paid = self.seated.get(last.big_blind)
            is_paid = paid is not None and paid.player == last.players.get(last.big_blind)
            at_small, passed = {last.big_blind} if is_paid else set(), _between(last.big_blind, hand.big_blind)
        found = {}
        for seat, each in self.seated.items():
            if not each.is_dealt_in and (each.entry == "in" or each.missed):
                now = "both" if seat in passed else each.missed or ("small" if seat in at_small else "")
                if now != each.missed:
                    found[each.row] = each.entry, each.missed, now
        return found

    def _turn(self, there: set[int]) -> int:
        """Whoever sits first after the last big blind posts it; a newcomer in that very seat before them (H4.29)."""
        assert self.last is not None
        seat, player = self.last.big_blind, self.last.players.get(self.last.big_blind)
        sitting = self.seated.get(seat)
        if seat in there and sitting is not None and sitting.player != player:
            return seat
        order: list[int] = [*range(seat + 1, SEATS + 1), *range(1, seat + 1)]
        return next(each for each in order if each in there)


def _between(first: int, last: int) -> set[int]:
    """Return the seats that somebody passes who goes clockwise from one to the other; none from a seat to itself."""
    way = range(first + 1, last) if first <= last else [*range(first + 1, SEATS + 1), *range(1, last)]
    return set(way)


def _back_from(seat: int) -> tuple[int, ...]:
    """Return all seats counter-clockwise from this one on."""
    return (*range(seat, 0, -1), *range(SEATS, seat, -1))
