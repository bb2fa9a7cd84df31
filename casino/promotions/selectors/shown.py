"""What pages and the wall show of promotions: each with its fund, the period that comes first, and who leads it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from casino import clock
from casino.hand_words import hand_words
from casino.poker.ranking import Worth
from casino.promotions.models import Entry, Fund, Period, Prize, Splash
from casino.promotions.selectors.draws import commitment_of, known_by_period, seed_of
from casino.promotions.selectors.funds import figures
from casino.promotions.selectors.periods import drawn_of, leaders, prize_of, standing_of, with_prizes
from casino.promotions.terms import name_of, terms_of
from casino.promotions.words import CALLED_OFF_FOR, PASSED_FOR, SPLASHES, STATUSES, TAKEN_BACK_FOR, Text
from casino.reading import read_once
from casino.rooms.selectors import rule_book, rule_book_in_force
from casino.rows import read_seldom, relate
from casino.rulebooks.promotions import Promotion, SplashPot


@dataclass(frozen=True)
class ShownEntry:
    """A hand: what it is called, whether it leads or has won, why it was taken back ("" if it stands), its prize."""

    entry: Entry
    words: str
    leads: bool
    taken_back_for: Text = ""
    prize: Prize | None = None


@dataclass(frozen=True)
class ShownPeriod:
    """A period with its hands, the best first; whether it has begun and ended by now; why it was called off."""

    period: Period
    status: Text
    entries: tuple[ShownEntry, ...]
    has_begun: bool
    has_ended: bool
    splashes: tuple[tuple[Splash, Text, Text], ...]
    commitment: str
    seed: str
    why: Text = ""

    @property
    def best(self) -> tuple[ShownEntry, ...]:
        """The hands that lead, or have won."""
        return tuple(each for each in self.entries if each.leads)

    @property
    def is_paid(self) -> bool:
        """Whether the cage has paid a prize of it."""
        return any(each.prize is not None and each.prize.paid_at is not None for each in self.entries)


@dataclass(frozen=True)
class ShownPromotion:
    """
    A promotion: its code, its name, its fund (None before any money was put in) and what lies there in cents.

    `terms` are those of the book in force, None where it has the promotion no more.
    """

    code: str
    name: str
    terms: Promotion | None
    fund: Fund | None
    held: dict[str, int]

    @property
    def is_splash(self) -> bool:
        """Whether pots are splashed, as far as the book in force says."""
        return isinstance(self.terms, SplashPot)

    @property
    def version(self) -> int:
        """What a request about it decides on."""
        return self.fund.version if self.fund is not None else 0


def promotions(room_id: int) -> list[ShownPromotion]:
    """Return the promotions of the book in force, then those whose fund is left. Two queries, one more for each."""
    _version_id, book = rule_book_in_force(room_id, at=clock.now())
    made = {fund.code: fund for fund in Fund.objects.filter(room_id=room_id).order_by("id")}
    terms = {each.code: each for each in book.promotions}
    return [
        ShownPromotion(
            code,
            terms[code].name if code in terms else _last_name(made[code]),
            terms.get(code),
            made.get(code),
            figures(made.get(code)),
        )
        for code in dict.fromkeys([*terms, *made])
    ]


def _last_name(fund: Fund) -> str:
    """Return what a promotion was called that has left the book: as in its newest period. One query."""
    last = Period.objects.filter(fund=fund).order_by("-begins_at", "-id").first()
    return name_of([rule_book(last.rule_book_version_id)] if last is not None else [], fund.code)


def open_periods(room_id: int, code: str = "") -> list[Period]:
    """Return the periods that are not decided yet, of one promotion or of all, in the order of time. One query."""
    periods = Period.objects.filter(room_id=room_id, status=Period.Status.OPEN).select_related("fund")
    periods = periods.filter(fund__code=code) if code else periods
    return list(periods.order_by("begins_at", "id"))


def shown_periods(periods: Iterable[Period]) -> list[ShownPeriod]:
    """Return periods as a page shows them, in their order. Three queries, however many they are."""
    some = list(periods)
    hands: dict[int, list[Entry]] = {}
    rows = Entry.objects.filter(period__in=some).select_related("table", "player", "hand")
    for entry in with_prizes(rows):
        hands.setdefault(entry.period_id, []).append(entry)
    pots = known_by_period(some)
    return [_shown(period, hands.get(period.pk, []), pots.get(period.pk, [])) for period in some]


def _shown(period: Period, rows: list[Entry], splashes: list[Splash]) -> ShownPeriod:
    best = {entry.pk for entry in leaders(period, (row for row in rows if row.taken_back_at is None))}
    ranked = sorted(rows, key=lambda row: (row.taken_back_at is not None, row.pk not in best, row.shown_at, row.pk))
    entries = tuple(
        ShownEntry(row, hand_words(row.worth), row.pk in best, TAKEN_BACK_FOR.get(row.reason, ""), prize_of(row))
        for row in ranked
    )
    pots = tuple((pot, SPLASHES[pot.status], PASSED_FOR.get(pot.reason, "")) for pot in splashes)
    at, why = clock.now(), CALLED_OFF_FOR.get(period.reason, "")
    return ShownPeriod(
        period,
        STATUSES[period.status],
        entries,
        period.begins_at <= at,
        period.ends_at <= at,
        pots,
        commitment_of(period),
        seed_of(period),
        why,
    )


@dataclass(frozen=True)
class Runs:
    """
    For the wall: a period that is not decided, what its promotion is called, and who leads it.

    It is shown from `shown_from` on, when the one before it has ended; the first of a promotion always (None).
    """

    period: Period
    name: str
    best: tuple[tuple[int, int, Worth], ...]
    is_splash: bool = False
    drawn: tuple[int, ...] = ()
    shown_from: datetime | None = None

    @property
    def leads(self) -> list[tuple[int, int, str]]:
        """Who leads: table, seat, and what the hand is called in the active language."""
        return [(table, seat, hand_words(worth)) for table, seat, worth in self.best]


_OPEN = """FROM promotions_period JOIN promotions_fund ON promotions_fund.id = promotions_period.fund_id
    WHERE promotions_period.room_id = %s AND promotions_period.status = %s
    ORDER BY promotions_period.begins_at, promotions_period.id"""


@read_once
def running(room_id: int) -> list[Runs]:
    """
    Return the periods that are not decided, in the order of time, with the table, seat and hand of who leads, or the
    tables whose next pot is splashed.

    It depends on rows alone, and on no clock: the wall's own says which of them run. A query, and two if any.
    """
    before: dict[int, Period] = {}
    periods = []
    for period, fund in read_seldom((Period, Fund), _OPEN, room_id, Period.Status.OPEN):
        relate(period, fund=fund)
        periods.append(period)
    hands, pots = standing_of(periods), drawn_of(periods)
    runs = []
    for period in periods:
        earlier = before.get(period.fund_id)
        from_then = earlier.ends_at if earlier is not None else None
        runs.append(_runs(period, hands.get(period.pk, []), pots.get(period.pk, []), from_then))
        before[period.fund_id] = period
    return runs


def _runs(period: Period, hands: list[Entry], drawn: list[int], shown_from: datetime | None) -> Runs:
    book, terms = terms_of(period)
    leads = tuple((entry.table.number, entry.seat_number, entry.worth) for entry in leaders(period, hands))
    is_splash = isinstance(terms, SplashPot)
    return Runs(period, name_of([book], period.fund.code), leads, is_splash, tuple(sorted(set(drawn))), shown_from)


def now_of(runs: Iterable[Runs], *, at: datetime) -> dict[str, Runs]:
    """Return of each promotion, by its code, the period that runs at a moment, else the next, else the newest."""
    now: dict[str, Runs] = {}
    for each in runs:
        code = each.period.fund.code
        if code not in now or now[code].period.ends_at <= at:
            now[code] = each
    return now


def stands(room_id: int) -> list[tuple[str, str]]:
    """Return the version of each promotion, with what of it is still to be paid. A query, and one more for each."""
    funds = Fund.objects.filter(room_id=room_id).order_by("id")
    return [(fund.code, f"{fund.version}.{figures(fund)['pending']}") for fund in funds]
