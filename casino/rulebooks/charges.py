"""
What a house charges for a game, as its rule book says it: a rake, relief for short tables, a drop, a time charge; and
charges of other kinds, of which the app that registers a kind says what its terms are.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from casino.poker.drop import DropPolicy
from casino.poker.rake_ways import ShareRake, StepRake, TierRake
from casino.poker.time_charge import Payer, TimeCharge
from casino.rulebooks.shapes import learn
from casino.rulebooks.units import Cents, Code, Minutes, PositiveCents, Seats


class StepRakeTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="step"):
    """`kind = "step"`: a charge for each full block of the pots (H1.85, H1.87)."""

    block_cents: PositiveCents
    charge_cents: PositiveCents
    maximum_cents: Cents = 0

    def __post_init__(self) -> None:
        self.way()

    def way(self) -> StepRake:
        """Return the terms as what the game computes with."""
        return StepRake(self.block_cents, self.charge_cents, self.maximum_cents or None)


class ShareRakeTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="share"):
    """`kind = "share"`: hundredths of a per cent of all pots, a fixed sum, or both (L-P18-L-P20, U92-U94)."""

    rate_bp: Annotated[int, Meta(ge=0, le=100_00)] = 0
    fixed_cents: Cents = 0
    minimum_cents: Cents = 0
    maximum_cents: Cents = 0

    def __post_init__(self) -> None:
        self.way()

    def way(self, *, chip_cents: int = 1) -> ShareRake:
        """Return the terms as what the game computes with, taken in chips of `chip_cents`."""
        return ShareRake(self.rate_bp, self.fixed_cents, self.minimum_cents, self.maximum_cents or None, chip_cents)


class TierRakeTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="tiers"):
    """`kind = "tiers"`: pairs of a pot from which, and its rake (R-§28)."""

    tiers: Annotated[tuple[tuple[Cents, Cents], ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        self.way()

    def way(self) -> TierRake:
        """Return the terms as what the game computes with."""
        return TierRake(self.tiers)


class TimeChargeTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    What is paid for each started period instead of a rake, by each player or by the table (H1.91, L-P21, H7.18).

    `absent_pay`: also who is away when the time is taken; by H1.91 they do not, for they do not play.
    """

    per: Payer = Payer.PLAYER
    charge_cents: PositiveCents
    period_minutes: Minutes
    absent_pay: bool = False

    def charge(self, *, chip_cents: int) -> TimeCharge:
        """Return the terms as what the room computes with, taken in chips of `chip_cents`."""
        return TimeCharge(self.charge_cents, self.period_minutes, self.per, chip_cents, self.absent_pay)


class DropTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="per_hand"):
    """
    `kind = "per_hand"`: a charge on each hand with enough participants (H1.88, H7.16).

    `jackpot` is the code of the jackpot that it feeds, the book's first where it is left out. `by_time` is what a table
    may pay instead where all its players agree, each known by its period (H7.18).
    """

    charge_cents: PositiveCents
    participants_min: Seats
    jackpot: Code | None = None
    by_time: tuple[TimeChargeTerms, ...] = ()

    def __post_init__(self) -> None:
        if len({each.period_minutes for each in self.by_time}) < len(self.by_time):
            raise ValueError("drop.by_time: two charges for periods of the same length")  # H7.18
        if any(each.per != Payer.TABLE for each in self.by_time):
            raise ValueError('drop.by_time: the table pays it, per = "table"')  # H7.18

    def policy(self) -> DropPolicy:
        """Return the terms as what the game computes with."""
        return DropPolicy(self.charge_cents, self.participants_min)


RakeTerms: TypeAlias = StepRakeTerms | ShareRakeTerms | TierRakeTerms
# The ways of charging for play, as a book names them: each kind of rake, and by the time (L-P17).
CHARGES = (*(str(each.__struct_config__.tag) for each in get_args(RakeTerms)), "time")


class ReliefTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a hand pays instead that so many players begin at most (U95)."""

    participants_max: Seats
    rake: RakeTerms


# Of each other kind of charge, what a book says of it.
_REGISTERED: dict[str, type[Struct]] = {}


def register_terms(kind: str, terms: type[Struct]) -> None:
    """Have games of a book name this kind of charge: `[games.charges.promotion]` has the keys of `terms`."""
    learn(terms)
    _REGISTERED[kind] = terms


def registered_terms(charges: Mapping[str, Any]) -> dict[str, Struct]:
    """
    Return the terms of a game's charges of other kinds, by kind.

    :raises ValueError: no app has such a kind, a key is unknown or missing, or a value is not what its key takes.
    """
    return {kind: _terms(kind, keys) for kind, keys in charges.items()}


def _terms(kind: str, keys: Any) -> Struct:
    if kind not in _REGISTERED:
        there_are = ", ".join(sorted(_REGISTERED)) or "none"
        raise ValueError(f"charges.{kind} is none of the charges that have their terms here; there are: {there_are}")
    try:
        return msgspec.convert(keys, _REGISTERED[kind])
    except msgspec.ValidationError as error:
        # The place as part of the sentence: what msgspec says of it would be taken for a key of the game's own.
        says, _, place = str(error).replace("missing required field", "lacks").partition(" - at `$")
        raise ValueError(f"charges.{kind}{place.rstrip('`')}: {says}") from None
