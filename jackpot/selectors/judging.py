"""A claim's hand as it was entered, judged: from rows to the rules and back. Reads, and writes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from casino.cage.notes import coin_cents
from casino.poker.variants import Variant
from casino.rooms.selectors import rule_book
from casino.rulebooks import RuleBook
from casino.rulebooks.jackpots import Jackpot
from jackpot.checking import cards_in, jackpot_of, judged_by
from jackpot.errors_claims import SeatNotDealtIn, SeatTwice
from jackpot.models_claims import Claim
from jackpot.rules import claims
from jackpot.rules.payout import Base, Payout, payout_of
from tables.models import Hand, HandSeat
from tables.selectors.same_hand import log_of


@dataclass(frozen=True)
class SeatCards:
    """One hand at the end: whose seat, its cards in any spelling ("As Ah"), whether it was shown (A-H7.5)."""

    seat_number: int
    cards: str
    is_shown: bool = True


@dataclass(frozen=True)
class EnteredHand:
    """
    A hand as it is entered on the card pad; `variant` "" is the game's own.

    `away_seats` got cards and were not at their seats (H7.4). `told`: somebody talked of their cards (L-P45). Calls and
    stored hands say it by this word; the rule's own is `was_talked_about`.
    """

    board: str
    hands: tuple[SeatCards, ...]
    variant: str = ""
    away_seats: tuple[int, ...] = ()
    told: bool = False


@dataclass(frozen=True)
class JudgedClaim:
    """
    What became of a claim under the book of its hand. `seats` are those that took part, `hand_seats` those whose cards
    were entered, in the order of `judged.hands`.
    """

    book: RuleBook
    jackpot: Jackpot
    played: claims.PlayedHand
    judged: claims.Judged
    seats: tuple[HandSeat, ...]
    hand_seats: tuple[int, ...]

    @cached_property
    def roles(self) -> dict[int, claims.Role]:
        """The role of each who took part, by seat: who showed nothing is one of the others."""
        # Not strict: of a variant in which nothing can be won no hand is judged.
        named = dict(zip(self.hand_seats, (role for _hand, role in self.judged.hands), strict=False))
        return {seat.seat_number: named.get(seat.seat_number, claims.Role.OTHER) for seat in self.seats}

    def pays(self, sum_cents: int) -> tuple[Payout, Base] | None:
        """Return what it pays of a sum, and the base after it; None where it fails."""
        coin = coin_cents(self.book.house.currency)
        return payout_of(self.played, self.judged, self.jackpot, sum_cents=sum_cents, coin_cents=coin)


def standing_hand(claim: Claim) -> Hand:
    """
    Return the hand as the log has it now: corrected since, or undone and logged again. One query.

    What has its number is another hand, where it was void, or undone and never logged again.
    """
    return log_of(claim.hand_id)[-1]


def seats_of(hand: Hand) -> list[HandSeat]:
    """Return who was dealt in, by seat, with their players. One query."""
    return list(HandSeat.objects.filter(hand=hand).select_related("player").order_by("seat_number"))


def as_kept(entered: EnteredHand, *, variant: str) -> dict[str, Any]:
    """Return an entered hand as `Claim` keeps it, cards in one spelling. :raises NotACard: something is none."""
    return {
        "variant": entered.variant or variant,
        "board": list(cards_in(entered.board)),
        "hands": [
            {"seat": each.seat_number, "cards": list(cards_in(each.cards)), "is_shown": each.is_shown}
            for each in entered.hands
        ],
        "away_seats": sorted(set(entered.away_seats)),
        "told": entered.told,
    }


def judge_entered(claim: Claim, entered: dict[str, Any], seats: Sequence[HandSeat]) -> JudgedClaim:
    """
    Judge a hand as it was entered, by the book under which it was played, and by who was dealt in.

    :raises SeatNotDealtIn: cards or an absence of somebody who was not.
    :raises SeatTwice: two hands of one seat, or a hand of somebody who was away: its share would be nobody's.
    :raises Refusal: the cards are none that the variant deals.
    """
    book = rule_book(claim.rule_book_version_id)
    jackpot = jackpot_of(book, claim.code)
    dealt_in, away = {seat.seat_number for seat in seats}, set(entered["away_seats"])
    hands = entered["hands"]
    numbers = [*away, *(hand["seat"] for hand in hands)]
    for number in numbers:
        if number not in dealt_in:
            raise SeatNotDealtIn(seat_number=number)
        if numbers.count(number) > 1:
            raise SeatTwice(seat_number=number)
    played = claims.PlayedHand(
        variant=Variant(entered["variant"]),
        board=tuple(entered["board"]),
        hands=tuple(claims.ShownHand(tuple(hand["cards"]), is_shown=hand["is_shown"]) for hand in hands),
        dealt_in=len(dealt_in),
        away=len(away),
        was_talked_about=entered["told"],
    )
    took_part = tuple(seat for seat in seats if seat.seat_number not in away)
    return JudgedClaim(
        book, jackpot, played, judged_by(played, jackpot), took_part, tuple(hand["seat"] for hand in hands)
    )


def found_of(claim: Claim) -> JudgedClaim:
    """Return what became of a claim whose cards are entered. Three queries."""
    return judge_entered(claim, claim.entered, seats_of(standing_hand(claim)))
