"""
The shape of a house's rule book. Each table of the TOML file is a struct here, each key a field.

Every amount is an integer of cents under a key that ends in `_cents` (TOML allows `2_00`), so nothing is rounded on
the way in. An optional maximum that is left out, or 0, means none.
"""

from enum import StrEnum
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from casino.poker.buyins import BelowBlind, BuyInLimits, MinimumLimits
from casino.poker.drop import DropPolicy
from casino.poker.rake import RakePolicy, StepRake

Cents: TypeAlias = Annotated[int, Meta(ge=0)]
PositiveCents: TypeAlias = Annotated[int, Meta(gt=0)]
Seconds: TypeAlias = Annotated[int, Meta(gt=0)]
Seats: TypeAlias = Annotated[int, Meta(ge=2, le=12)]  # H2.2
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
Code: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]


class Structure(StrEnum):
    """How much may be bet."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    LIMIT = "limit"


class StepRakeTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="step"):
    """`kind = "step"`: a charge for each full block of the pots (H1.85, H1.87)."""

    block_cents: PositiveCents
    charge_cents: PositiveCents
    maximum_cents: Cents = 0

    def __post_init__(self) -> None:
        self.policy()

    def policy(self) -> StepRake:
        """Return the terms as what the game computes with."""
        return StepRake(self.block_cents, self.charge_cents, self.maximum_cents or None)


class DropTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="per_hand"):
    """`kind = "per_hand"`: a charge on each hand with enough participants (H1.88, H7.16)."""

    charge_cents: PositiveCents
    participants_min: Seats

    def policy(self) -> DropPolicy:
        """Return the terms as what the game computes with."""
        return DropPolicy(self.charge_cents, self.participants_min)


# Each further way of charging is a struct of its own with its `kind`, and joins its union.
RakeTerms: TypeAlias = StepRakeTerms


class Game(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A game on offer.

    `big_bet_cents` is the larger betting unit of limit and left out elsewhere (H4.11: the big blind is the smaller
    unit). Without `rake` nothing is taken from pots (H1.91); with `drop` its tables are linked to the jackpot.
    """

    code: Code
    name: Text
    variant: Literal["holdem"]
    structure: Structure
    small_blind_cents: PositiveCents
    big_blind_cents: PositiveCents
    big_bet_cents: Cents = 0
    buy_in_min_cents: PositiveCents
    buy_in_max_cents: Cents = 0
    seats: Seats
    smallest_chip_cents: PositiveCents
    rake: RakeTerms | None = None
    drop: DropTerms | None = None

    def __post_init__(self) -> None:
        if self.small_blind_cents > self.big_blind_cents:
            raise ValueError("small_blind_cents is above big_blind_cents (H4.10, H4.12)")
        if self.buy_in_max_cents and self.buy_in_max_cents < self.buy_in_min_cents:
            raise ValueError("buy_in_max_cents is below buy_in_min_cents (H2.17)")
        if (self.structure is Structure.LIMIT) != (self.big_bet_cents > 0):
            raise ValueError("big_bet_cents belongs to limit, and limit needs it (H4.11)")
        if any(cents % self.smallest_chip_cents for cents in (self.small_blind_cents, self.big_blind_cents)):
            raise ValueError("a blind cannot be paid in chips of smallest_chip_cents")

    @property
    def rake_policy(self) -> RakePolicy | None:
        return self.rake.policy() if self.rake else None

    @property
    def drop_policy(self) -> DropPolicy | None:
        return self.drop.policy() if self.drop else None

    @property
    def is_jackpot_linked(self) -> bool:
        return self.drop is not None

    @property
    def may_state_pot(self) -> bool:
        """Whether players may be told the size of the pot before the betting is over (H1.29)."""
        return self.structure is Structure.POT_LIMIT


class House(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose rules these are: `source` names the document, `languages` are the screens', the first by default."""

    name: Text
    source: Annotated[str, Meta(min_length=1)]
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    languages: Annotated[tuple[Literal["cs", "da", "en", "fi", "sv"], ...], Meta(min_length=1)]


class Timers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    What the house counts down: a called player's time to come (H2.6), the clock on a player and how much of it is
    counted aloud (H1.71), the long break of the evening (H1.9, A2).
    """

    call_seconds: Seconds
    clock_seconds: Seconds
    clock_aloud_seconds: Seconds
    long_break_minutes: Annotated[int, Meta(gt=0)]

    def __post_init__(self) -> None:
        if self.clock_aloud_seconds > self.clock_seconds:
            raise ValueError("clock_aloud_seconds is the last part of clock_seconds (H1.71)")


class TwoPersons(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    What takes two persons. A small room may switch one off; each use then stands in the exception report.

    `reversals`: money taken back after it was taken. `drawer_counts`: a drawer counted by somebody else than its
    cashier. `chip_transfers`: fills and credits between vault, cage and tables.
    """

    reversals: bool = True
    drawer_counts: bool = True
    chip_transfers: bool = True


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Readings of clauses that can be read in two ways, or that say nothing. `setting_clauses` gives their ids."""

    stack_below_big_blind: Annotated[BelowBlind, Meta(extra={"clauses": ("H1.62", "A7")})] = BelowBlind.OUT_OF_CHIPS
    buy_in_minimum_limits: Annotated[MinimumLimits, Meta(extra={"clauses": ("H2.15", "A8")})] = MinimumLimits.PURCHASE
    jackpot_seats_max: Annotated[Seats, Meta(extra={"clauses": ("H7.8", "A20")})] = 10


class RuleBook(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A house's rules as data. `casino.rulebooks.reading` reads it."""

    house: House
    timers: Timers
    two_persons: TwoPersons = field(default_factory=TwoPersons)
    settings: Settings = field(default_factory=Settings)
    games: Annotated[tuple[Game, ...], Meta(min_length=1)]

    def __post_init__(self) -> None:
        codes = [game.code for game in self.games]
        if len(set(codes)) < len(codes):
            raise ValueError(f"two games have the same code: {', '.join(codes)}")
        for game in self.games:
            if game.is_jackpot_linked and game.seats > self.settings.jackpot_seats_max:
                raise ValueError(f"{game.code}: {game.seats} seats are too many for a jackpot game (H7.8, A20)")

    def game(self, code: str) -> Game:
        """
        Return the game on offer with this code.

        :raises LookupError: the book has no such game.
        """
        for game in self.games:
            if game.code == code:
                return game
        raise LookupError(f"{self.house.name} offers no game {code!r}")

    def buy_in_limits(self, game: Game) -> BuyInLimits:
        """Return what may be bought at `game`, by this house's readings (A7, A8)."""
        return BuyInLimits(
            min_cents=game.buy_in_min_cents,
            max_cents=game.buy_in_max_cents or None,
            big_blind_cents=game.big_blind_cents,
            below_blind=self.settings.stack_below_big_blind,
            minimum_limits=self.settings.buy_in_minimum_limits,
        )
