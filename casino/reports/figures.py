"""
The figures of a gaming day, as its report has them. Pure: what was read and added up elsewhere
(`casino.reports.selectors.day`).

What is reckoned in two ways has both: `DayReport.differs` counts where they are not the same.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from casino.cage.selectors.carried_over import Carried
from casino.cage.selectors.deposits import AgeBand
from casino.cage.selectors.of_day import (
    CarriedOfDay,
    DrawerOfDay,
    ExchangeOfDay,
    NotesOfDay,
    SoldOfDay,
    VaultCountOfDay,
)
from casino.ledger.selectors.of_day import TrialOfDay
from casino.rooms.models import GamingDay
from tables.models import Opening
from tables.selectors.tips import DealersTips

# What is noteworthy of an opening, in the order in which it is told (L-G18, L-G20).
NOTES = (
    "undone", "void", "corrected", "not_logged", "disputes", "rulings", "penalties", "incidents", "overrules",
    "restrictions", "jackpot_hits", "caught_up",
)  # fmt: skip

_LEFT_OUT = _(
    "Trial balance, slips, foreign notes and what each player bought and was paid are not shown while a drawer or bank "
    "is open that you opened, hold or have moved money in: it is counted blind."
)


@dataclass(frozen=True)
class Charged:
    """
    What one kind of charge came to, in cents: due and taken by the log, and `posted` by the ledger.

    `logged_in_counted` of it lies in boxes that were counted since, None where none was. There undone hands had left
    what is `beyond` the log, and `over_short` is what the counts found besides, negative: it is missing.
    """

    due: int = 0
    taken: int = 0
    posted: int = 0
    logged_in_counted: int | None = None
    beyond: int = 0
    over_short: int | None = None

    def __add__(self, other: "Charged") -> "Charged":
        return Charged(
            self.due + other.due,
            self.taken + other.taken,
            self.posted + other.posted,
            _sum(self.logged_in_counted, other.logged_in_counted),
            self.beyond + other.beyond,
            _sum(self.over_short, other.over_short),
        )

    @property
    def counted(self) -> int | None:
        """What was counted; None where nothing was."""
        if self.logged_in_counted is None:
            return None
        return self.logged_in_counted + self.beyond + (self.over_short or 0)

    @property
    def uncounted(self) -> int:
        """What the ledger has put into boxes that nobody has counted yet."""
        return self.posted - (self.logged_in_counted or 0)

    @property
    def agrees(self) -> bool:
        return self.taken == self.posted


def _sum(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)


@dataclass(frozen=True)
class Ran:
    """
    What one opening came to on the day, or several of one game at a table; seconds are those in which it was open.

    `charges` is by the kind of charge, `notes` by `NOTES`. `tips_cents` were counted in the tip box; `over_short_cents`
    is by how much other counts at the table differed, negative: it is missing; of it `rack_over_short_cents` are chips
    of its rack and `rack_cash_over_short_cents` cash there.
    """

    table_number: int
    game: str
    seconds: int = 0
    hands: int = 0
    charges: Mapping[str, Charged] = field(default_factory=dict)
    tips_cents: int = 0
    over_short_cents: int = 0
    rack_over_short_cents: int = 0
    rack_cash_over_short_cents: int = 0
    notes: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, other: "Ran") -> "Ran":
        kinds = dict.fromkeys([*self.charges, *other.charges])
        return Ran(
            self.table_number,
            self.game,
            self.seconds + other.seconds,
            self.hands + other.hands,
            {kind: self.charges.get(kind, Charged()) + other.charges.get(kind, Charged()) for kind in kinds},
            self.tips_cents + other.tips_cents,
            self.over_short_cents + other.over_short_cents,
            self.rack_over_short_cents + other.rack_over_short_cents,
            self.rack_cash_over_short_cents + other.rack_cash_over_short_cents,
            Counter(self.notes) + Counter(other.notes),
        )


@dataclass(frozen=True)
class OpeningOfDay:
    """
    One time that a table ran a game (L-G17, L-G19); of what was posted at a table that ran nothing, all but `ran` is
    None. `book` and `book_number` are the version of the rule book under which it was opened, and `venue` is what it
    says of where the room stands: "hall", "casino", or nothing. `dealers` have dealt in it, in the order of pushing in.
    """

    ran: Ran
    opening: Opening | None = None
    book: str = ""
    book_number: int | None = None
    opened_by: str = ""
    venue: str = ""
    closed_by: str = ""
    dealer_ids: Sequence[int] = ()
    dealers: Sequence[str] = ()


@dataclass(frozen=True)
class DealerOfDay:
    """One dealer: downs with their seconds, hands that stand, and what was taken of them in cents by kind of charge."""

    staff_id: int | None
    name: str
    downs: int
    seconds: int
    hands: int
    taken: Mapping[str, int]


@dataclass(frozen=True)
class PlayerOfDay:
    """
    One player (None: whom the cage did not ask who they are): seconds in a seat, and what the cage sold and paid, in
    cents, without what was reversed; None in a report that is blind.
    """

    player_id: int | None
    nickname: str
    seconds: int
    bought_in_cents: int | None
    cashed_out_cents: int | None


@dataclass(frozen=True)
class Drawer:
    """
    A drawer's session, and what the ledger says was over or short there, in cents: beside the drawer's last session of
    the day what all of them came to.
    """

    session: DrawerOfDay
    posted_money_cents: int = 0
    posted_chips_cents: int = 0


@dataclass(frozen=True)
class Runner:
    """What a runner carried, and what the ledger says was over or short of it, in cents."""

    name: str
    carried: CarriedOfDay
    posted_cash_cents: int = 0
    posted_chips_cents: int = 0

    @property
    def agrees(self) -> bool:
        over_short = (self.carried.cash_over_short_cents, self.carried.chips_over_short_cents)
        return over_short == (self.posted_cash_cents, self.posted_chips_cents)


@dataclass(frozen=True)
class CashPlay:
    """What a dealer sold out of a table's rack; the same slips are among those of the day."""

    dealer: str
    sold: SoldOfDay

    @property
    def cents(self) -> int:
        return self.sold.cents - self.sold.back_cents - self.sold.never_cents


@dataclass(frozen=True)
class SlipKind:
    """The slips of one kind and method: paid and reversed on the day, in cents, and what their transfers moved."""

    kind: str
    method: str
    paid: int
    paid_cents: int
    back: int
    back_cents: int
    posted_cents: int

    @property
    def cents(self) -> int:
        return self.paid_cents - self.back_cents


@dataclass(frozen=True)
class Stretch:
    """
    A quarter of an hour, or an hour, of the night: seats that were held and seats at open tables, both on average and
    in tenths, hands, and what was taken of charges in cents by kind.
    """

    began_at: datetime
    seats_taken_tenths: int
    seats_tenths: int
    hands: int
    taken: Mapping[str, int]


@dataclass(frozen=True)
class DayReport:
    """
    One gaming day, as of `at`; `elsewhere` is what is noteworthy and belongs to no table, by `NOTES`.

    `carried` is what was open when it closed, in either stage; `counted_by` who closed it as counted, both names.
    `tips` is what each dealer gets of what was counted on the day, by name; empty where nothing was. Of a closed day it
    is as it stood then, and `tips_since` by how much it is another since: payroll may get a day's tips on a later one.
    `vault_posted` is what was posted of the vault's counts, money and chips, negative: it is missing.
    `is_blind`: it is without the trial balance, the slips, the foreign notes and what players bought and were paid, for
    whoever reads it opened or holds a drawer that is open, or moved something there.
    """

    day: GamingDay
    at: datetime
    openings: Sequence[OpeningOfDay]
    dealers: Sequence[DealerOfDay]
    players: Sequence[PlayerOfDay]
    drawers: Sequence[Drawer]
    runners: Sequence[Runner]
    slips: Sequence[SlipKind]
    trial: Sequence[TrialOfDay]
    deposits: Sequence[AgeBand]
    night: Sequence[Stretch]
    stretch_seconds: int
    elsewhere: Mapping[str, int]
    carried: Sequence[Carried] = ()
    counted_by: Sequence[str] = ()
    foreign_notes: Sequence[NotesOfDay] = ()
    exchanges: Sequence[ExchangeOfDay] = ()
    vault_counts: Sequence[VaultCountOfDay] = ()
    vault_posted: tuple[int, int] = (0, 0)
    tips: Sequence[DealersTips] = ()
    tips_since: Sequence[DealersTips] = ()
    cash_plays: Sequence[CashPlay] = ()
    is_blind: bool = False

    @property
    def is_open(self) -> bool:
        """Whether what comes today still changes it."""
        return self.day.closed_at is None

    @property
    def left_out(self) -> str:
        """What is not in it and why, in the active language; "" where nothing is left out."""
        return str(_LEFT_OUT) if self.is_blind else ""

    def blind(self) -> "DayReport":
        """Return it without all that says what drawers should hold: with one drawer players' sums tell it too."""
        players = [replace(each, bought_in_cents=None, cashed_out_cents=None) for each in self.players]
        return replace(self, players=players, trial=[], slips=[], foreign_notes=[], is_blind=True)

    @property
    def tables(self) -> list[Ran]:
        """What each game came to at each table, by table and in the order of opening."""
        by_table: dict[tuple[int, str], Ran] = {}
        for each in self.openings:
            key = each.ran.table_number, each.ran.game
            by_table[key] = by_table[key] + each.ran if key in by_table else each.ran
        return list(by_table.values())

    @property
    def is_empty(self) -> bool:
        """Whether nothing ran, was paid or posted."""
        moved = any(row.came_cents or row.went_cents for row in self.trial)
        paid = self.drawers or self.runners or self.slips or self.is_blind
        return not (self.openings or self.dealers or self.players or paid or moved)

    @property
    def sums(self) -> dict[tuple[str, str], tuple[int, int, int]]:
        """The trial balance's sums by unit and currency: before, moved, after. All of them should be nothing."""
        by_currency: dict[tuple[str, str], tuple[int, int, int]] = defaultdict(lambda: (0, 0, 0))
        for row in self.trial:
            before, moved, after = by_currency[row.unit, row.currency]
            moves = row.came_cents + row.went_cents
            by_currency[row.unit, row.currency] = before + row.opening_cents, moved + moves, after + row.closing_cents
        return dict(by_currency)

    @property
    def differs(self) -> int:
        """Return how many figures are not what they are when they are reckoned the other way."""
        return (
            sum(not charged.agrees for ran in self.tables for charged in ran.charges.values())
            + sum(each.cents != each.posted_cents for each in self.slips)
            + sum(each != (0, 0, 0) for each in self.sums.values())
            + sum(each.cents != each.posted_cents for each in self.drawer_sums)
            + sum(not each.agrees for each in self.runners)
            + sum(one != other for one, other in zip(self.vault_over_short, self.vault_posted, strict=True))
        )

    @property
    def vault_over_short(self) -> tuple[int, int]:
        """What all counts of the vault found, money and chips; negative: it is missing."""
        money = sum(each.money_over_short_cents for each in self.vault_counts)
        return money, sum(each.chips_over_short_cents for each in self.vault_counts)

    @property
    def drawer_sums(self) -> list["CountedInDrawer"]:
        """What each drawer was over or short of money, and of chips, as counted and as posted."""
        by_drawer: dict[tuple[int, str], CountedInDrawer] = {}
        for each in self.drawers:
            session = each.session
            for unit, cents, posted in (
                ("money", session.money_over_short_cents, each.posted_money_cents),
                ("chips", session.chips_over_short_cents, each.posted_chips_cents),
            ):
                before = by_drawer.get((session.number, unit), CountedInDrawer(session.number, unit, 0, 0))
                by_drawer[session.number, unit] = CountedInDrawer(
                    session.number, unit, before.cents + (cents or 0), before.posted_cents + posted
                )
        return list(by_drawer.values())


@dataclass(frozen=True)
class CountedInDrawer:
    """By how many cents of a unit a drawer was over or short, as its counts say and as was posted."""

    number: int
    unit: str
    cents: int
    posted_cents: int
