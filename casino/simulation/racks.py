"""
Dealers' racks on the felt: what lies in each, chips and the cash for which some were sold, what was put there, and who
has sat there since it was counted. Cents.

Nothing here has heard of the house's downs: who takes chips out of a rack has dealt there since its last count. What
the simulated room's book says of racks stands here too.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

CHIPS, CASH = "chips", "cash"
# So many counts are drawn and made on a day, each after at most so many pushes.
PER_DAY, WITHIN = 2, 3
# A rack that was asked for more than lies there so often since its last count is on the floor's to-do until the next.
SHORT_SALES_MAX = 3
_KEPT = (
    f"rack = {{ is_kept = true, counted_pushes_per_day = {PER_DAY}, counted_within_pushes = {WITHIN}, "
    f"sells = true, short_sales_max = {SHORT_SALES_MAX} }}"
)


def added_to(book: str) -> str:
    """Return a book by which racks are brought to tables, and chips sold out of them."""
    kept, count = re.subn(r"^rack = .*$", _KEPT, book, flags=re.MULTILINE)
    assert count == 1, "the book says nothing of racks"
    return kept


@dataclass(frozen=True)
class Theft:
    """
    What the dealer of a table has made missing in its rack, of chips or cash: taken out of it, or sold with a wrong
    sum, by which there may be too much (negative).
    """

    dealer: str
    what: str
    cents: int


@dataclass
class Sale:
    """
    Chips that were sold out of a rack for cash: the number of the slip's row, and to which seating.

    `cents` were logged, `given` really changed hands, 0 where it never was. `counts` says how often that rack had been
    counted before, and `night` on which night it was.
    """

    slip: int
    seating: int
    cents: int
    given: int
    seller: str
    counts: int
    night: int
    is_void: bool = False

    @property
    def never_was(self) -> bool:
        """Say whether it was logged though neither chips nor cash changed hands."""
        return not self.given


@dataclass
class Push:
    """A push at which a rack lay there: whether a count was drawn, and whether it was counted then."""

    is_drawn: bool
    was_counted: bool = False


@dataclass
class Rack:
    """
    A table's rack, in cents: the chips (`lies`) and the `cash` that really lie there. What the log expects is that with
    what `thefts` since the last count have taken.

    `dealers` have sat there since the last count, the one of that moment first, each time that they came; before it was
    ever filled, nobody. `short` is what counts find missing. `asks` is the down for which nobody has taken it over yet.
    """

    lies: int = 0
    cash: int = 0
    thefts: list[Theft] = field(default_factory=list)
    dealers: list[str] = field(default_factory=list)
    was_filled: bool = False
    short: Counter[str] = field(default_factory=Counter)
    # What each count has found: chips too many, and cash too little.
    found: list[tuple[int, int]] = field(default_factory=list)
    sales: list[Sale] = field(default_factory=list)
    # Of this gaming day.
    pushes: list[Push] = field(default_factory=list)
    asks: int | None = None
    # Whoever deals there has sold some of it.
    sold: bool = False
    # How often more was asked for than lies there, since its last count on this evening, and how often that went to the
    # floor's to-do on all; whether it is there.
    refused: int = 0
    left_to_floor: int = 0
    is_on_todo: bool = False

    def missing(self, what: str) -> int:
        """
        Return what of chips or cash (`what`) is missing since the last count, in cents; negative: too much lies there.
        """
        return sum(theft.cents for theft in self.thefts if theft.what == what)

    @property
    def counts(self) -> int:
        """Return how often it was counted."""
        return len(self.found)

    @property
    def expected_chips(self) -> int:
        """Return the chips in cents that lie there by the log: thefts and wrong sums not subtracted."""
        return self.lies + self.missing(CHIPS)

    @property
    def expected_cash(self) -> int:
        """Return the cash in cents that lies there by the log: thefts and wrong sums not subtracted."""
        return self.cash + self.missing(CASH)

    @property
    def is_empty(self) -> bool:
        """Say whether nothing lies there, neither really nor by the log."""
        return not (self.lies or self.expected_chips or self.cash or self.expected_cash)

    def moves(self, cents: int, *, cash: int = 0, dealer: str) -> None:
        """Chips and cash are put there, or (negative) taken away; `dealer` deals there, "" for nobody."""
        self.lies += cents
        self.cash += cash
        if cents > 0 and not self.was_filled:
            self.was_filled, self.dealers = True, [dealer] if dealer else []

    def sells(self, sale: Sale, dealer: str) -> None:
        """Sell chips for as much cash; where another sum was logged, the next count finds the difference in both."""
        self.lies -= sale.given
        self.cash += sale.given
        if wrong := sale.cents - sale.given:
            # By what was said more chips went, and more cash came.
            self.thefts += [Theft(dealer, CHIPS, -wrong), Theft(dealer, CASH, wrong)]
        self.sales.append(sale)
        self.sold = True

    def takes_back(self, sale: Sale) -> None:
        """Reverse a sale: its chips come back into the rack, and its cash leaves it."""
        sale.is_void = True
        self.lies += sale.given
        self.cash -= sale.given

    def explains(self, sale: Sale) -> bool:
        """
        Say whether the counts since a sale have found its chips too many and its cash too little, beyond what other
        sales come to that are said to have never been, and whether that leaves as much to each of those before it.
        """
        never = [each for each in self.sales if each.is_void and each.never_was and each.night == sale.night]
        taken = sum(each.cents for each in never)
        since = {each.counts for each in (sale, *never) if each.counts <= sale.counts}
        sums = [sum(found) - taken for counts in since for found in zip(*self.found[counts:], strict=True)]
        return sale.counts < self.counts and min(sums) >= sale.cents

    def takes_out(self, sale: Sale) -> None:
        """Void a sale that never was: what counts have found of it is no longer missing (cash) or too much (chips)."""
        sale.is_void = True
        self.short[CHIPS] += sale.cents
        self.short[CASH] -= sale.cents

    def is_robbed(self, dealer: str, what: str, cents: int) -> None:
        """Take chips or cash in cents that the log does not know of: the dealer steals them."""
        if what == CHIPS:
            self.lies -= cents
        else:
            self.cash -= cents
        self.thefts.append(Theft(dealer, what, cents))

    def refuses_short_sale(self) -> None:
        """More was to be sold than lies there by the log, and refused: the third such sale is on the floor's to-do."""
        self.refused += 1
        if self.refused >= SHORT_SALES_MAX and not self.is_on_todo:
            self.is_on_todo = True
            self.left_to_floor += 1

    def must_be_counted(self, *, is_closing: bool) -> bool:
        """
        Say whether a push now is certain to be drawn: it was asked for too much too often, the last one was missed, or
        it is the last of so many.
        """
        if self.is_on_todo:
            return True
        if self.pushes and self.pushes[-1].is_drawn and not self.pushes[-1].was_counted:
            return True
        done = [push.is_drawn and push.was_counted for push in self.pushes]
        since = next((at for at, is_done in enumerate(reversed(done)) if is_done), len(done))
        return since >= WITHIN - 1 or (is_closing and sum(done) < PER_DAY)

    def is_counted(self, *, dealer: str) -> None:
        """
        Count chips and cash: what is missing goes to `short`, and the thefts and refusals begin anew; `dealer` deals
        there now.
        """
        self.found.append((-self.missing(CHIPS), self.missing(CASH)))
        for theft in self.thefts:
            self.short[theft.what] += theft.cents
        self.thefts, self.dealers = [], [dealer] if dealer else []
        self.refused, self.is_on_todo = 0, False


@dataclass
class Racks:
    """All racks, by the numbers of their tables."""

    at: dict[int, Rack] = field(default_factory=dict)
    # What the house says of racks from before the first night.
    before: dict[tuple[int, str], int] | None = None
    played: Counter[str] = field(default_factory=Counter)

    @property
    def chips(self) -> int:
        """Return the chips that lie in all racks."""
        return sum(rack.lies for rack in self.at.values())

    def of(self, number: int) -> Rack:
        """Return a table's rack."""
        return self.at.setdefault(number, Rack())
