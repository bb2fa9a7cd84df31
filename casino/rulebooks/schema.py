"""
The shape of a house's rule book. Each table of the TOML file is a struct here, each key a field.

Every amount is an integer of cents under a key that ends in `_cents` (TOML allows `2_00`), so nothing is rounded on
the way in. An optional maximum that is left out, or 0, means none.
"""

from enum import StrEnum
from math import gcd
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from casino.poker.buyins import BelowBlind, MinimumLimits
from casino.poker.calls import CallRunsFrom, MissedCall
from casino.poker.clock import ClockRunOut
from casino.poker.positions import ButtonRule
from casino.poker.rake import RakePolicy, RakeWay, Relief
from casino.poker.straddles import Straddle, largest_opening_stake
from casino.poker.table_change import StackKept
from casino.poker.time_charge import TimeCharge
from casino.rulebooks.absence import Absence
from casino.rulebooks.charges import (
    CHARGES,
    DropTerms,
    RakeTerms,
    ReliefTerms,
    ShareRakeTerms,
    StepRakeTerms,
    TierRakeTerms,
    TimeChargeTerms,
    registered_terms,
)
from casino.rulebooks.compliance import Compliance
from casino.rulebooks.dealers import Dealers
from casino.rulebooks.jackpots import Jackpot
from casino.rulebooks.promotions import HighHand, Promotion, SplashPot
from casino.rulebooks.units import (
    SEATS_MAX,
    Cents,
    ClauseId,
    Code,
    Family,
    Language,
    Minutes,
    OfferedMinutes,
    PositiveCents,
    Reason,
    RetentionDays,
    Seats,
    Seconds,
    Sentence,
    Text,
    VoucherDays,
)


class Structure(StrEnum):
    """How much may be bet."""

    NO_LIMIT = "no_limit"
    POT_LIMIT = "pot_limit"
    LIMIT = "limit"


class Game(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A game on offer.

    `big_bet_cents` is the larger betting unit of limit and left out elsewhere (H4.11: the big blind is the smaller
    unit). Without `rake` nothing is taken from pots (H1.91); with `drop` its tables are linked to the jackpot.
    `family` sets a game apart from another one of the same blinds: Banzai (U42, U46).
    `straddle` and `button` are what the game allows (H4.15-H4.21, R-§11); without `may_post_to_come_in` everybody waits
    for the big blind (U11, U36). A share of the pots and a `time_charge` are rounded down to
    `rake_chip_cents`, or to `smallest_chip_cents` where that is left out; blocks and tiers have to come out in
    `rake_chip_cents` where it is named. A table has one way of charging or none (L-P17, L-PQ6).

    `charges` are those of other kinds, by kind, of which an app says what its terms are (`register_terms`).

    A hand takes `players_min` players (U5, U12), but for one right after a hand of more (U13); `may_two_go_on` is the
    switch of UA1.
    """

    code: Code
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    variant: Literal["holdem", "omaha"]
    family: Family = ""
    structure: Structure
    small_blind_cents: PositiveCents
    big_blind_cents: PositiveCents
    big_bet_cents: Cents = 0
    buy_in_min_cents: PositiveCents
    buy_in_max_cents: Cents = 0
    seats: Seats
    smallest_chip_cents: PositiveCents
    straddle: Straddle = Straddle.OFF
    button: ButtonRule = ButtonRule.ROTATES
    may_post_to_come_in: bool = True
    players_min: Literal[2, 3] = 2
    may_two_go_on: bool = False
    rake: RakeTerms | None = None
    rake_chip_cents: Cents = 0
    rake_relief: tuple[ReliefTerms, ...] = ()
    is_rake_due_without_flop: bool = False  # RA8; H1.90 and U93 take none
    drop: DropTerms | None = None
    time_charge: TimeChargeTerms | None = None
    charges: dict[str, dict[str, Any]] = {}

    def __post_init__(self) -> None:
        if not self.name.isprintable():
            raise ValueError("name holds characters that nobody can see")
        if self.small_blind_cents > self.big_blind_cents:
            raise ValueError("small_blind_cents is above big_blind_cents")  # H4.10, H4.12
        if self.buy_in_max_cents and self.buy_in_max_cents < self.buy_in_min_cents:
            raise ValueError("buy_in_max_cents is below buy_in_min_cents")  # H2.17
        if (self.structure is Structure.LIMIT) != (self.big_bet_cents > 0):
            raise ValueError("big_bet_cents belongs to limit, and limit needs it")  # H4.11
        if any(cents % self.smallest_chip_cents for cents in (self.small_blind_cents, self.big_blind_cents)):
            raise ValueError("a blind cannot be paid in chips of smallest_chip_cents")
        if self.may_two_go_on and self.players_min == 2:
            raise ValueError("may_two_go_on says something of games that are dealt from three players on")  # U13, UA1
        if self.rake is None and (self.rake_relief or self.is_rake_due_without_flop):
            raise ValueError("rake_relief and is_rake_due_without_flop say something about a rake; there is none")
        if self.rake is not None and self.time_charge is not None:
            raise ValueError("rake and time_charge: a table has one way of charging at a time")  # L-P17, L-PQ6
        if self.time_charge is not None and self.drop is not None and self.drop.by_time:
            raise ValueError("time_charge and drop.by_time: a table pays one charge by the time")  # L-P17, H7.18
        self._check_chips()
        # What makes no policy is an error of the book, not of the first hand.
        _ = self.rake_policy, self.time_policy, self.drop_by_time, self.other_charges

    def _check_chips(self) -> None:
        """:raises ValueError: a rake by blocks or tiers could not be taken in the chip that the book names (L-PQ6)."""
        chip = self.rake_chip_cents or 1
        for terms in (self.rake, *(relief.rake for relief in self.rake_relief)):
            if isinstance(terms, StepRakeTerms) and (terms.charge_cents % chip or terms.maximum_cents % chip):
                raise ValueError("rake: charge_cents and maximum_cents are taken in chips of rake_chip_cents")
            if isinstance(terms, TierRakeTerms) and any(rake % chip for _pot, rake in terms.tiers):
                raise ValueError("rake: each tier is taken in chips of rake_chip_cents")

    @property
    def other_charges(self) -> dict[str, Struct]:
        """The terms of charges of other kinds than the schema has, by kind."""
        return registered_terms(self.charges)

    @property
    def charged_in(self) -> int:
        """The smallest chip, in cents, that the house takes its charge in, rounding down to it."""
        return self.rake_chip_cents or self.smallest_chip_cents

    @property
    def charge(self) -> str:
        """The kind of the house's charge, as the TOML names it; "time" by the time, "" for none (L-P17)."""
        if self.rake is not None:
            return str(self.rake.__struct_config__.tag)
        return "time" if self.time_charge else ""

    @property
    def time_policy(self) -> TimeCharge | None:
        return self.time_charge.charge(chip_cents=self.charged_in) if self.time_charge else None

    @property
    def opening_stake_max_cents(self) -> int:
        """The most that anybody posts before the cards: what a venue limits (L-P93, L-PQ20)."""
        return largest_opening_stake(self.straddle, big_blind_cents=self.big_blind_cents, seats=self.seats)

    @property
    def rake_policy(self) -> RakePolicy | None:
        if self.rake is None:
            return None
        reliefs = tuple(Relief(short.participants_max, self._way(short.rake)) for short in self.rake_relief)
        return RakePolicy(self._way(self.rake), reliefs, self.is_rake_due_without_flop)

    def _way(self, terms: RakeTerms) -> RakeWay:
        if isinstance(terms, ShareRakeTerms):
            return terms.way(chip_cents=self.charged_in)
        return terms.way()

    @property
    def drop_by_time(self) -> tuple[TimeCharge, ...]:
        """What the table may pay by the time instead of its drops (H7.18)."""
        return tuple(each.charge(chip_cents=self.charged_in) for each in self.drop.by_time) if self.drop else ()

    @property
    def is_jackpot_linked(self) -> bool:
        return self.drop is not None


class HouseInBook(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whose rules these are: `source` names the document, `languages` are the screens', the first by default."""

    name: Text
    source: Annotated[str, Meta(min_length=1)]
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")]
    languages: Annotated[tuple[Language, ...], Meta(min_length=1)]


class Venue(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Where the room stands, and what its licence allows there: a gaming hall or a casino (L-P1, L-P93).

    `opening_stake_max_cents` is the highest blind, ante or straddle at a cash table, none where it is left out (L-P94:
    later bets are not limited); `seats_max` the seats of a table (L-P48). The licence's figures change with it: they
    are the book's, dated as it is. What the licence leaves open of halls is the room's choice (L-PQ1):
    `has_cash_poker`, `has_jackpot`, and the `charges` that may be made there.
    """

    kind: Literal["hall", "casino"]
    opening_stake_max_cents: Cents = 0
    seats_max: Seats = SEATS_MAX
    has_cash_poker: bool = True
    has_jackpot: bool = True
    charges: tuple[Code, ...] = CHARGES

    def __post_init__(self) -> None:
        if unknown := set(self.charges) - {*CHARGES}:
            raise ValueError(f"charges: {', '.join(sorted(unknown))} is none of {', '.join(CHARGES)}")

    def check(self, game: Game) -> None:
        """:raises ValueError: the game, its jackpot or the way it charges is none of this venue's (L-PQ1)."""
        if not self.has_cash_poker:
            raise ValueError(f"{game.code}: this venue has no cash tables of poker (has_cash_poker, L-PQ1)")
        if game.is_jackpot_linked and not self.has_jackpot:
            raise ValueError(f"{game.code}: this venue has no jackpot (has_jackpot, L-PQ1)")
        if (charge := game.charge) and charge not in self.charges:
            raise ValueError(f"{game.code}: nothing is charged by {charge} at this venue (charges, L-PQ1)")

    def refuses(self, *, opening_stake_cents: int, seats: int) -> Literal["opening_stake", "seats"] | None:
        """Return which of the two is above what the licence allows here, None where neither is (L-P93, L-P48)."""
        if 0 < self.opening_stake_max_cents < opening_stake_cents:
            return "opening_stake"
        return "seats" if seats > self.seats_max else None


class Timers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    What the house counts down: a called player's time to come (H2.6), the clock on a player and how much of it is
    counted aloud (H1.71), the long break of the evening (H1.9, A2; left out or 0 where the house knows none: R-§4 and
    U35 limit every absence), the time of a penalty (H1.48): for how long at most, `penalty_minutes_max`, and which
    times the floor gives by one tap, `penalty_minutes`. Not in any source: how long a call lasts at least, however late
    it comes after the seat opened; what the floor grants to a called player who asks for more; how long a seat waits
    for a player who fetches chips; when who calls in has to be there.
    """

    call_seconds: Seconds
    # Where calls run from the opening of the seat: a late one still leaves the time to walk over (A21).
    call_least_seconds: Seconds = 60
    clock_seconds: Seconds
    clock_aloud_seconds: Seconds
    long_break_minutes: Annotated[int, Meta(ge=0, le=24 * 60)] = 0
    more_time_seconds: Seconds = 300
    chip_pickup_seconds: Seconds = 600
    call_in_minutes: Minutes = 60
    penalty_minutes_max: Minutes = 240
    penalty_minutes: OfferedMinutes = (10, 20, 30, 60)

    def __post_init__(self) -> None:
        if self.clock_aloud_seconds > self.clock_seconds:
            raise ValueError("clock_aloud_seconds is the last part of clock_seconds")  # H1.71
        if max(self.penalty_minutes) > self.penalty_minutes_max:
            raise ValueError("penalty_minutes offers more than penalty_minutes_max")


class Cage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    What one person does alone at the cage, what is asked again, and which amounts there are; no source says any of it.

    A cash-out, a withdrawal or a prize above `payout_alone_max_cents` is signed by a second person; 0: each one is.
    `payouts_alone_add_up`: what was paid to one player in a gaming day without a second signature counts together.
    The same buy-in for the same player and place within `same_again_seconds` is taken for a tap made twice; 0: never.
    Nobody buys, cashes, deposits or withdraws more than `amount_max_cents` at once: such a figure is a slip of the
    finger. A book that leaves it out, as those do that are kept from before there was one, has no such limit.
    `chips_cents` are the values of the room's chips; those that games are played and charged in are there besides.
    `usual_buy_in_big_blinds` is what most players buy, one tap away where a game's limits allow it. From
    `identity_from_cents` on in a gaming day, what a player brings, or what they are paid, takes a checked identity (0:
    nobody's does); `identity_linked`: both together count. A player's deposit holds
    `deposit_max_cents` at most (L-O2); a book that leaves it out has no such limit. What somebody left behind and
    nobody claims is held for `unclaimed_days`; then two managers may have the house keep it. `confirms_delivery`: chips
    that a seat asked for are on their way after they were paid, until the dealer or a runner says that they came.
    `vault_counted_daily`: a gaming day closes once the vault was counted on it, or a manager carries that over. A
    drawer that was too short for what it was to give `short_payouts_most` times since it was opened gives nothing more
    until it was counted: sum by sum such refusals tell what lies there. So does the vault, of a night, to whoever does
    not read the books. `fills_in_one_step`: two may bring something between the vault and a drawer or a rack at
    once, and the exception report counts each time; otherwise it goes its way as a fill slip, each step of which
    somebody signs for themselves.
    A voucher is taken for at most `voucher_days_max` after the gaming day on which it is issued; `voucher_days` are
    proposed.
    """

    payout_alone_max_cents: Cents = 5_000_00
    payouts_alone_add_up: bool = True
    same_again_seconds: Annotated[int, Meta(ge=0, le=600)] = 15
    amount_max_cents: PositiveCents | None = None
    usual_buy_in_big_blinds: Annotated[int, Meta(gt=0, le=1_000)] = 100
    identity_from_cents: Cents = 2_000_00
    identity_linked: bool = False
    deposit_max_cents: PositiveCents | None = None
    unclaimed_days: Annotated[int, Meta(gt=0, le=36_500)] = 365
    confirms_delivery: bool = False
    vault_counted_daily: bool = False
    short_payouts_most: Annotated[int, Meta(ge=1, le=100)] = 3
    fills_in_one_step: bool = False
    voucher_days: VoucherDays = 90
    voucher_days_max: VoucherDays = 1_098
    chips_cents: tuple[PositiveCents, ...] = (1_000_00, 500_00, 100_00, 25_00, 5_00, 1_00)

    def __post_init__(self) -> None:
        if self.voucher_days > self.voucher_days_max:
            raise ValueError("voucher_days is above voucher_days_max: what is proposed would be refused")


class Moving(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Changing tables, coming back, and what holds when a table closes.

    `stack_kept`: with what a player comes back who has left (H1.64), within `stack_kept_minutes` where the book says so
    (U46).
    `other_structure_frees_stack`: to another betting structure the player brings what they like (H1.67; R-§3-1: the
    whole stack). `two_fewer`, `table_one_first`: who may change at all (R-§3-2, R-§3-3). Of a closed table: whether its
    players pay for coming in like new ones (R-§3-4: not), fill a short stack up (A11), and draw for the choice of seats
    even where there are enough (R-§3-5; H2.10: where there are too few).
    """

    stack_kept: StackKept = StackKept.EVENING
    stack_kept_minutes: Minutes = 30
    other_structure_frees_stack: bool = True
    two_fewer: bool = False
    table_one_first: bool = False
    closed_table_pays: bool = True
    closed_table_tops_up: bool = False
    closed_table_always_draws: bool = False


class Signing(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Who may sign under whose command; no source says it.

    `prepared`: where after this gaming day's changes of sign-ins one person could be both, the signature is refused,
    or, in a room too small for that, taken and counted among the day's exceptions. `own_drawer`: likewise where
    both who count a drawer have paid from it. That who asks never approves no room switches off.
    """

    prepared: Literal["refused", "counted"] = "refused"
    own_drawer: Literal["refused", "counted"] = "refused"


class PeoplesData(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    For how many days what tells of people is kept. The licence says what is recorded (L-G18, L-O46), and of
    nothing for how long: all of it is the house's.

    A player who was not here for `player_days` is forgotten; the number of a document goes after `identity_days`
    without a visit, and of whoever wished to be forgotten with the name on it `identity_wish_days` after the last
    one (five years at most where it is not said): until then the house can say who brought and took large sums.
    `note_days` run from when a note about players was written, `exclusion_reason_days`, `apart_reason_days` and
    `inquiry_reason_days` from when what the reason stands under has ended, `pass_days` from when a phone's pass was
    given, `sign_in_days` from when a sign-in on a device has ended and `compliance_days` from when a compliance officer
    wrote a note. Who left is forgotten `staff_days` after that, at their own wish not before `staff_wish_days`: until
    then who did what has a name.
    """

    player_days: RetentionDays = 1_826
    identity_days: RetentionDays = 1_826
    note_days: RetentionDays = 1_826
    exclusion_reason_days: RetentionDays = 365
    apart_reason_days: RetentionDays = 365
    inquiry_reason_days: RetentionDays = 1_826
    pass_days: RetentionDays = 30
    sign_in_days: RetentionDays = 90
    compliance_days: RetentionDays = 1_826
    staff_days: RetentionDays = 1_826
    staff_wish_days: RetentionDays = 365
    identity_wish_days: RetentionDays | None = None

    def __post_init__(self) -> None:
        if self.identity_days > self.player_days:
            raise ValueError("identity_days is above player_days: a document's number goes with its player's name")
        if self.document_wish_days > self.identity_days:
            raise ValueError("identity_wish_days is above identity_days: time would be before the wish")
        if self.staff_wish_days > self.staff_days:
            raise ValueError("staff_wish_days is above staff_days: time would be before the wish")

    @property
    def document_wish_days(self) -> int:
        """For how many days a document is known after its player's own wish; books of before do not say it."""
        return min(1_826, self.identity_days) if self.identity_wish_days is None else self.identity_wish_days


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Readings of clauses that can be read in two ways, or that say nothing. `setting_clauses` gives their ids."""

    stack_below_big_blind: Annotated[BelowBlind, Meta(extra={"clauses": ("H1.62", "A7")})] = BelowBlind.OUT_OF_CHIPS
    buy_in_minimum_limits: Annotated[MinimumLimits, Meta(extra={"clauses": ("H2.15", "A8")})] = MinimumLimits.PURCHASE
    # Of the game's minimum, once an evening, out of chips; 0: pot limit has none either.
    pot_limit_short_buy_in_percent: Annotated[int, Meta(ge=0, le=99, extra={"clauses": ("H2.19", "H2.20")})] = 0
    jackpot_seats_max: Annotated[int, Meta(ge=2, le=10, extra={"clauses": ("H7.8", "A20")})] = 10
    call_runs_from: Annotated[CallRunsFrom, Meta(extra={"clauses": ("H2.6", "A21")})] = CallRunsFrom.CALL
    missed_call: Annotated[MissedCall, Meta(extra={"clauses": ("H2.6", "A21")})] = MissedCall.STRIKE
    missed_calls_max: Annotated[int, Meta(ge=1, le=9, extra={"clauses": ("H2.6", "A21")})] = 1
    clock_run_out: Annotated[ClockRunOut, Meta(extra={"clauses": ("H1.72", "A5")})] = ClockRunOut.CHECKS_OR_FOLDS


class Likely(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The clauses that each kind of incident is likeliest about, so that the floor picks one with a tap."""

    ruling: tuple[ClauseId, ...] = ()
    warning: tuple[ClauseId, ...] = ()
    penalty: tuple[ClauseId, ...] = ()
    inspected: tuple[ClauseId, ...] = ()
    returned: tuple[ClauseId, ...] = ()
    passed: tuple[ClauseId, ...] = ()


class RuleBook(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    A house's rules as data. `casino.rulebooks.reading` reads it.

    `clauses` are the house's clauses by the reason that stands on each: {"buy_in_first": "H2.14"}. A reason that is not
    among them is given without a clause. `sentences` are refusals in the house's own words, by language and reason,
    with the placeholders of ours; where it has none, ours are said.
    """

    house: HouseInBook
    timers: Timers
    venue: Venue | None = None
    absence: Absence = field(default_factory=Absence)
    dealers: Dealers = field(default_factory=Dealers)
    cage: Cage = field(default_factory=Cage)
    settings: Settings = field(default_factory=Settings)
    moving: Moving = field(default_factory=Moving)
    signing: Signing = field(default_factory=Signing)
    peoples_data: PeoplesData = field(default_factory=PeoplesData)
    compliance: Compliance = field(default_factory=Compliance)
    clauses: dict[Reason, ClauseId] = field(default_factory=dict)
    sentences: dict[Language, dict[Reason, Sentence]] = field(default_factory=dict)
    likely: Likely = field(default_factory=Likely)
    games: tuple[Game, ...] = ()
    jackpots: tuple[Jackpot, ...] = ()
    high_hands: tuple[HighHand, ...] = ()
    splash_pots: tuple[SplashPot, ...] = ()

    def __post_init__(self) -> None:
        for things, called in ((self.games, "games"), (self.jackpots, "jackpots"), (self.promotions, "promotions")):
            for what in ("code", "name"):
                values = [getattr(thing, what) for thing in things]
                if len(set(values)) < len(values):
                    raise ValueError(f"two {called} have the same {what}: {', '.join(values)}")
        offered = {game.code for game in self.games}
        for promotion in self.promotions:
            if unknown := set(promotion.games) - offered:
                raise ValueError(f"{promotion.code}: {', '.join(sorted(unknown))} is none of the games")
        fed = {jackpot.code for jackpot in self.jackpots}
        for game in self.games:
            if self.venue is not None:
                self.venue.check(game)
            if game.drop is not None and game.drop.jackpot is not None and game.drop.jackpot not in fed:
                raise ValueError(f"{game.code}: its drop feeds {game.drop.jackpot}, which is none of the jackpots")
            if game.is_jackpot_linked and game.seats > self.settings.jackpot_seats_max:
                raise ValueError(f"{game.code}: {game.seats} seats are too many for a jackpot game")  # H7.8, A20

    @property
    def promotions(self) -> tuple[Promotion, ...]:
        """What is paid out of a fund beside the jackpots."""
        return (*self.high_hands, *self.splash_pots)

    @property
    def chips_cents(self) -> tuple[int, ...]:
        """The values of all chips in the room, greatest first: the cage's, and those of its games."""
        played = (cents for game in self.games for cents in (game.smallest_chip_cents, game.charged_in))
        return tuple(sorted({*self.cage.chips_cents, *played}, reverse=True))

    @property
    def chip_cents(self) -> int:
        """What every amount of chips is a multiple of."""
        return gcd(*self.chips_cents)

    def leads(self, reason: str, sentence: str) -> str:
        """Return a sentence led by the clause on which this house founds its reason, if it has one: "H2.14: …"."""
        clause = self.clauses.get(reason, "")
        return f"{clause}: {sentence}" if clause else sentence

    def game(self, code: str) -> Game:
        """
        Return the game on offer with this code.

        :raises LookupError: the book has no such game.
        """
        for game in self.games:
            if game.code == code:
                return game
        raise LookupError(f"{self.house.name} offers no game {code!r}")
