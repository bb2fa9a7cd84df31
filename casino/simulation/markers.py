"""
The missed blind markers as the felt has them: who was away when the blinds came round (H4.35-H4.43, A38, A40).

Made from what everybody at the table sees, and not from the house's rules. Where nobody could say (a hand without its
positions, a tablet that was away, somebody who has changed seats) a player's markers are not known, until the player
is dealt in again and owes nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from casino.poker.seats import clockwise
from casino.simulation.broken import Broken

NO_THIRD = "no third missed-blind marker"
AS_ON_THE_FELT = "missed-blind markers as on the felt"
COST = "what a way back costs is what the player paid"
KINDS = ("", "small", "both")


@dataclass(frozen=True)
class InFront:
    """
    What lies in front of a player; who was never dealt in is new, and misses nothing (H4.24).

    `owed_back` is what a holder owes on coming back, whose big blind of this orbit was paid by another (A40); None:
    all that lies there.
    """

    missed: str = ""
    was_in: bool = False
    owed_back: str | None = None


@dataclass(frozen=True)
class Away:
    """A player who is not there when a hand is dealt; in a `holder`'s seat somebody else plays."""

    seat: int
    seating: int
    player: int
    is_holder: bool = False


@dataclass
class Markers:
    """The markers of one table, from one opening of it to its closing."""

    # By seating; who is not named here has markers that nobody could tell.
    known: dict[int, InFront] = field(default_factory=dict)
    # Seat and player of the newest hand's big blind, None where nobody could tell.
    big_blind: tuple[int, int] | None = None
    # What players who came back paid for it: live and dead by player, by hand, until the log was asked.
    paid: dict[str, dict[int, tuple[int, int]]] = field(default_factory=dict)
    # How many were laid down, and how many players came back for their price.
    laid_down: int = 0
    ways_back: int = 0
    _coming: dict[int, str] = field(default_factory=dict)
    _paid_for: set[int] = field(default_factory=set)
    _dealt_in: tuple[int, ...] = ()
    _next_big_blind: tuple[int, int] | None = None

    def opens(self) -> None:
        """Begin anew for another opening of the table: nobody's markers are known."""
        self.loses_track()

    def sits_down(self, seating: int) -> None:
        """Somebody new: after the first hand they are in no blinds yet; before it everybody is in (A36)."""
        if self.big_blind is not None:
            self.known[seating] = InFront()

    def comes_back(self, holder: int, holder_player: int, *, over: int, over_player: int) -> None:
        """A seat is its holder's again, for whom the blinds of this orbit may have been paid, or some of them (A40)."""
        front = self.known.get(holder)
        if front is None or front.owed_back is None:
            return
        if over not in self.known:
            self.forgets(holder)
            return
        owed = max(front.owed_back, self.known[over].missed, key=KINDS.index)
        self.known[holder] = InFront(owed, was_in=True)
        if self.big_blind is not None and self.big_blind[1] == over_player and not owed:
            self.big_blind = (self.big_blind[0], holder_player)

    def is_alone(self, holder: int) -> None:
        """Note that the over player has left a holder's seat: the holder owes all that lies in front of it."""
        if holder in self.known:
            self.known[holder] = replace(self.known[holder], owed_back=None)

    def forgets(self, seating: int) -> None:
        """Note that this player's markers are unknown until they are dealt in and owe nothing."""
        self.known.pop(seating, None)

    def loses_track(self) -> None:
        """Note that everybody's markers and the last big blind are unknown."""
        self.known, self.big_blind = {}, None
        self._coming, self._paid_for, self._dealt_in, self._next_big_blind = {}, set(), (), None

    def deal(self, seats: int, *, dealt_in: Iterable[int], big_blind: tuple[int, int], away: Iterable[Away]) -> None:
        """
        Note whom the blinds pass in a hand dealt to these seatings; `big_blind` is its seat and player. Counts once it
        is played.
        """
        self._coming, self._paid_for, self._dealt_in, self._next_big_blind = {}, set(), tuple(dealt_in), big_blind
        if self.big_blind is None:
            return
        order = clockwise(range(1, seats + 1), after=self.big_blind[0])
        passed = set(order[: order.index(big_blind[0])]) if big_blind[0] != self.big_blind[0] else set()
        for each in away:
            front = self.known.get(each.seating)
            if each.is_holder and each.seat == big_blind[0]:
                self._paid_for.add(each.seating)
            if front is not None and (front.was_in or front.missed):
                now = self._missed(each, front.missed, passed, big_blind[0])
                if now != front.missed:
                    self._coming[each.seating] = now

    def _missed(self, each: Away, missed: str, passed: set[int], big_blind: int) -> str:
        """Both, where the big blind went past (H4.38); the small one after a big blind that was paid (H4.36)."""
        has_paid_the_big_one = (each.seat, each.player) == self.big_blind
        if each.is_holder and has_paid_the_big_one:
            return missed or "small"
        if each.seat in passed or (each.is_holder and each.seat == big_blind):
            return "both"
        return missed or ("small" if has_paid_the_big_one else "")

    def played(self) -> None:
        """The hand was played: who was dealt in owes nothing, who was passed has the markers (H4.36-H4.43)."""
        if self._next_big_blind is None:
            self.loses_track()
            return
        for seating in self._dealt_in:
            self.known[seating] = InFront(was_in=True)
        owed_back = {seating: self.known[seating].missed for seating in self._paid_for & self.known.keys()}
        for seating, missed in self._coming.items():
            if seating in self.known:
                self.known[seating] = replace(self.known[seating], missed=missed, was_in=True)
                self.laid_down += 1
        for seating, owed in owed_back.items():
            self.known[seating] = replace(self.known[seating], owed_back=owed)
        self.big_blind = self._next_big_blind
        self._coming, self._paid_for, self._dealt_in, self._next_big_blind = {}, set(), (), None

    def all_are_new(self, seatings: Iterable[int]) -> bool:
        """Nobody of a game that went on is left in it: they begin together, and nobody owes the others (A36)."""
        fronts = [self.known.get(seating) for seating in seatings]
        return all(front is not None and (front.missed or not front.was_in) for front in fronts)

    def owed(self, seating: int, *, small_blind: int, big_blind: int) -> tuple[int, int] | None:
        """
        Return what this one pays to be dealt in outside of the blinds, live and dead: H4.31, H4.40, H4.42.

        None where nobody could tell.
        """
        front = self.known.get(seating)
        if front is None:
            return None
        if not front.missed:
            return (0, 0) if front.was_in else (big_blind, 0)
        return (small_blind, 0) if front.missed == "small" else (big_blind, small_blind)

    def pays(self, hand: str, player: int, seating: int, cost: tuple[int, int]) -> None:
        """
        Note what a player with markers pays to come back: live and dead cents, compared with the log's by `check_paid`.
        """
        if self.known[seating].missed:
            self.paid.setdefault(hand, {})[player] = cost
            self.ways_back += 1

    # What the log says of it

    def follow(self, rows: Iterable[tuple[int, str, str]], *, is_log_current: bool) -> None:
        """
        Check the seats of the log (seating, markers, entry); where `is_log_current`, against the felt too.

        :raises Broken: a third marker, a marker before somebody who is in the blinds, or others than on the felt.
        """
        for seating, missed, entry in rows:
            if missed not in KINDS or (missed and entry == "in"):
                raise Broken(NO_THIRD, f"seating {seating}: {missed!r}, {entry}")
            front = self.known.get(seating)
            if is_log_current and front is not None and front.missed != missed:
                raise Broken(AS_ON_THE_FELT, f"seating {seating}: {missed!r}, on the felt {front}")

    def check_paid(self, rows: Iterable[tuple[str, int, int, int]]) -> None:
        """
        Hold what the log says was posted (hand, player, live and dead cents) against what was paid on the felt.

        :raises Broken: a player has posted something else than was paid.
        """
        charged: dict[str, dict[int, tuple[int, int]]] = {}
        for hand, player, live, dead in rows:
            charged.setdefault(hand, {})[player] = (live, dead)
        for hand in charged.keys() & self.paid.keys():
            for player, cost in self.paid.pop(hand).items():
                if charged[hand].get(player) != cost:
                    raise Broken(COST, f"hand {hand}, player {player}: {charged[hand].get(player)}, on the felt {cost}")


def check_price(markers: Markers, expected: dict[str, Any], sitter: Any, *, hand: str, game: dict[str, Any]) -> None:
    """
    Hold what the tablet asks of one who is dealt in outside of the blinds against what the felt says is owed.

    :raises Broken: it asks something else.
    """
    owed = markers.owed(sitter.seating, small_blind=game["small_blind_cents"], big_blind=game["big_blind_cents"])
    posts = [post for post in expected["posts"] if post["seat_number"] == sitter.seat]
    # In a straddle all that is owed is contained (H4.34, H4.43).
    if owed is None or any(post["kind"] == "straddle" for post in posts):
        return
    posted = sum(post["live_cents"] for post in posts), sum(post["dead_cents"] for post in posts)
    if posted != owed:
        raise Broken(COST, f"seat {sitter.seat} is asked {posted}, and owes {owed}: {markers}; {expected}")
    markers.pays(hand, sitter.player.id, sitter.seating, owed)
