"""
The gaming day's report as tables of figures, one and the same for the screen, paper, CSV and a workbook.

A column says what its figures are; how they are written is whoever's who shows them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from casino.cage.labels import KINDS, METHODS
from casino.ledger.chart import CHART
from casino.reports.figures import NOTES, Charged, DayReport, Ran
from tables.charges import ChargeKind, charge_kinds

Text = str | Promise
# Cents of a sum and of a difference, seconds, tenths, hundredths, how many, a moment, the time of day, words.
Unit = Literal["cents", "change", "seconds", "tenths", "hundredths", "count", "moment", "clock", "text"]

_SUM = gettext_lazy("Sum")
NOTE_WORDS: dict[str, Text] = {
    "undone": gettext_lazy("Undone hands"),
    "void": gettext_lazy("Void hands"),
    "corrected": gettext_lazy("Corrected hands"),
    "not_logged": gettext_lazy("Hands not logged"),
    "disputes": gettext_lazy("Disputed pots"),
    "rulings": gettext_lazy("Rulings"),
    "penalties": gettext_lazy("Warnings and penalties"),
    "incidents": gettext_lazy("Other incidents"),
    "overrules": gettext_lazy("Done otherwise than proposed"),
    "jackpot_hits": gettext_lazy("Jackpot hits"),
    "caught_up": gettext_lazy("Hands caught up from paper"),
}


@dataclass(frozen=True)
class Column:
    """
    One column: `name` as files call it, what it is in words, and in which unit; `over` stands above several.

    `is_rare`: where it says nothing anywhere, screens leave it out. What is reckoned the other way `agrees_with` the
    column of that name; screens show it where it does not.
    """

    name: str
    words: Text
    unit: Unit = "text"
    over: Text = ""
    is_rare: bool = False
    agrees_with: str = ""


@dataclass(frozen=True)
class Sheet:
    """
    A table of figures: a row is values by the columns' names, None where nothing is known. `total` is the sum of all
    rows, beside `total_words`. `chains` are the names of the log's chains of the rows, "" where a row has none; or
    `urls` says where each leads.
    """

    name: str
    title: Text
    columns: Sequence[Column]
    rows: Sequence[Mapping[str, Any]]
    total: Mapping[str, Any] | None = None
    chains: Sequence[str] = ()
    note: Text = ""
    urls: Sequence[str] = ()
    total_words: Text = _SUM

    def differs(self, row: Mapping[str, Any], column: Column) -> bool:
        """Whether a figure is not what it is when it is reckoned the other way."""
        return bool(column.agrees_with) and row.get(column.name) != row.get(column.agrees_with)

    def shown(self) -> list[Column]:
        """Return the columns that screens show."""
        return [column for column in self.columns if self._is_shown(column)]

    def _is_shown(self, column: Column) -> bool:
        if column.agrees_with:
            return any(self.differs(row, column) for row in self.rows)
        return not column.is_rare or any(row.get(column.name) for row in self.rows)


def sheets_of(report: DayReport) -> Iterator[Sheet]:
    """Yield the tables of a report, in the order in which they are read; a table without rows too."""
    yield _tables(report)
    yield _openings(report)
    yield _dealers(report)
    yield _players(report)
    yield _drawers(report)
    yield _slips(report)
    yield _deposits(report)
    yield _carried(report)
    yield from _trial(report)
    yield _night(report)


def _sums(columns: Iterable[Column], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sum of each column of amounts, counts and times; None where no row knows any."""
    found = {}
    for column in columns:
        known = [row[column.name] for row in rows if row.get(column.name) is not None]
        if column.unit in {"cents", "change", "count", "seconds"} and known:
            found[column.name] = sum(known)
    return found


def _an_hour(hands: int, seconds: int) -> int | None:
    """Return hands per hour in tenths; None where nobody dealt."""
    return round(hands * 36_000 / seconds) if seconds else None


# ---- tables


def _charge_columns(kind: ChargeKind) -> list[Column]:
    over, code = kind.words.title, kind.code
    return [
        Column(f"{code}_due", pgettext_lazy("a charge", "due"), "cents", over),
        Column(f"{code}_taken", pgettext_lazy("a charge", "taken"), "cents", over),
        Column(f"{code}_posted", gettext_lazy("in the ledger"), "cents", over, agrees_with=f"{code}_taken"),
        Column(f"{code}_counted", gettext_lazy("counted"), "cents", over),
        Column(f"{code}_beyond", gettext_lazy("of undone hands"), "change", over, is_rare=True),
        Column(f"{code}_over_short", gettext_lazy("over or short"), "change", over),
        Column(f"{code}_uncounted", gettext_lazy("not counted yet"), "cents", over, is_rare=True),
    ]


def _charged(ran: Ran, kinds: Iterable[ChargeKind]) -> dict[str, int | None]:
    found: dict[str, int | None] = {}
    for kind in kinds:
        of = ran.charges.get(kind.code, Charged())
        figures = (of.due, of.taken, of.posted, of.counted, of.beyond, of.over_short, of.uncounted)
        found |= {column.name: cents for column, cents in zip(_charge_columns(kind), figures, strict=True)}
    return found


_OPEN, _HANDS = (
    Column("open_seconds", pgettext_lazy("how long", "Open"), "seconds"),
    Column("hands", gettext_lazy("Hands"), "count"),
)
_HOURLY = Column("hands_an_hour", gettext_lazy("an hour"), "tenths")


def _tables(report: DayReport) -> Sheet:
    kinds = list(charge_kinds())
    columns = [
        Column("table", gettext_lazy("Table"), "text"),
        Column("game", gettext_lazy("Game")),
        _OPEN,
        _HANDS,
        _HOURLY,
        *(column for kind in kinds for column in _charge_columns(kind)),
        Column("tips", gettext_lazy("Tips"), "cents", is_rare=True),
        Column("over_short", gettext_lazy("Over or short at counts"), "change", is_rare=True),
    ]
    rows = [
        {
            "table": str(ran.table_number),
            "game": ran.game,
            "open_seconds": ran.seconds,
            "hands": ran.hands,
            "hands_an_hour": _an_hour(ran.hands, ran.seconds),
            **_charged(ran, kinds),
            "tips": ran.tips_cents,
            "over_short": ran.over_short_cents,
        }
        for ran in report.tables
    ]
    total = _sums(columns, rows)
    total["hands_an_hour"] = _an_hour(total.get("hands", 0), total.get("open_seconds", 0))
    chains = [f"table.{ran.table_number}" for ran in report.tables]
    return Sheet("tables", gettext_lazy("Tables and games"), columns, rows, total if rows else None, chains)


def _openings(report: DayReport) -> Sheet:
    blinds, buy_ins = gettext_lazy("Blinds"), gettext_lazy("Buy-in")
    columns = [
        Column("table", gettext_lazy("Table")),
        Column("game", gettext_lazy("Game")),
        Column("rule_book", gettext_lazy("Rule book")),
        Column("small_blind", gettext_lazy("small"), "cents", blinds),
        Column("big_blind", gettext_lazy("big"), "cents", blinds),
        Column("buy_in_min", gettext_lazy("least"), "cents", buy_ins),
        Column("buy_in_max", gettext_lazy("most"), "cents", buy_ins),
        Column("opened_at", gettext_lazy("Opened"), "moment"),
        Column("closed_at", gettext_lazy("Closed"), "moment"),
        Column("opened_by", gettext_lazy("Opened by")),
        *(Column(name, NOTE_WORDS[name], "count", is_rare=True) for name in NOTES),
    ]
    rows, chains = [], []
    for each in report.openings:
        opening, game = each.opening, each.opening.game if each.opening else None
        if opening is None or game is None:
            continue
        chains.append(f"table.{each.ran.table_number}")
        rows.append(
            {
                "table": str(each.ran.table_number),
                "game": game.name,
                "rule_book": f"{each.book} {each.book_number}",
                "small_blind": game.small_blind_cents,
                "big_blind": game.big_blind_cents,
                "buy_in_min": game.buy_in_min_cents,
                "buy_in_max": game.buy_in_max_cents,
                "opened_at": opening.opened_at,
                "closed_at": opening.closed_at,
                "opened_by": each.opened_by,
                **{name: each.ran.notes.get(name, 0) for name in NOTES},
            }
        )
    if report.elsewhere:
        chains.append("")
        rows.append({"table": "", "game": _("not at a table"), **report.elsewhere})
    return Sheet("openings", gettext_lazy("Openings of tables"), columns, rows, chains=chains)


# ---- people


def _taken_columns() -> list[Column]:
    taken = pgettext_lazy("a charge", "taken")
    return [Column(f"{kind.code}_taken", taken, "cents", kind.words.title) for kind in charge_kinds()]


def _taken(by_kind: Mapping[str, int]) -> dict[str, int]:
    return {f"{kind.code}_taken": by_kind.get(kind.code, 0) for kind in charge_kinds()}


def _dealers(report: DayReport) -> Sheet:
    columns = [
        Column("dealer", gettext_lazy("Dealer")),
        Column("downs", gettext_lazy("Downs"), "count"),
        Column("dealt_seconds", gettext_lazy("Dealt"), "seconds"),
        _HANDS,
        _HOURLY,
        *_taken_columns(),
    ]
    rows = [
        {
            "dealer": each.name if each.staff_id else _("no dealer named"),
            "downs": each.downs,
            "dealt_seconds": each.seconds,
            "hands": each.hands,
            "hands_an_hour": _an_hour(each.hands, each.seconds),
            **_taken(each.taken),
        }
        for each in report.dealers
    ]
    total = _sums(columns, rows)
    total["hands_an_hour"] = _an_hour(total.get("hands", 0), total.get("dealt_seconds", 0))
    note = gettext_lazy("What was taken is that of hands; what a table pays by the time is nobody’s.")
    return Sheet("dealers", gettext_lazy("Dealers"), columns, rows, total if rows else None, note=note)


def _players(report: DayReport) -> Sheet:
    columns = [
        Column("player_id", gettext_lazy("Number"), "text"),
        Column("player", gettext_lazy("Player")),
        Column("seated_seconds", gettext_lazy("In a seat"), "seconds"),
        Column("bought_in", gettext_lazy("Bought in"), "cents"),
        Column("cashed_out", gettext_lazy("Cashed out"), "cents"),
    ]
    rows = [
        {
            "player_id": str(each.player_id or ""),
            "player": each.nickname if each.player_id else _("no player named"),
            "seated_seconds": each.seconds,
            "bought_in": each.bought_in_cents,
            "cashed_out": each.cashed_out_cents,
        }
        for each in report.players
    ]
    return Sheet("players", gettext_lazy("Players"), columns, rows, _sums(columns, rows) if rows else None)


# ---- cage


def _drawers(report: DayReport) -> Sheet:
    counted = gettext_lazy("Counted")
    over_short = gettext_lazy("Over or short")
    columns = [
        Column("drawer", gettext_lazy("Drawer")),
        Column("opened_at", gettext_lazy("Opened"), "moment"),
        Column("closed_at", gettext_lazy("Closed"), "moment"),
        Column("counts", gettext_lazy("Counts"), "count"),
        Column("cash", gettext_lazy("cash"), "cents", counted),
        Column("card_slips", gettext_lazy("card slips"), "cents", counted),
        Column("chips", pgettext_lazy("what the vault gives", "chips"), "cents", counted),
        Column("money_over_short", gettext_lazy("money"), "change", over_short),
        Column("money_posted", gettext_lazy("in the ledger"), "change", over_short, agrees_with="money_over_short"),
        Column("chips_over_short", pgettext_lazy("what the vault gives", "chips"), "change", over_short),
        Column("chips_posted", gettext_lazy("in the ledger"), "change", over_short, agrees_with="chips_over_short"),
    ]
    by_drawer = {(each.number, each.unit): each for each in report.drawer_sums}
    sessions = [each.session for each in report.drawers]
    last = {each.number: index for index, each in enumerate(sessions)}
    rows = []
    for index, each in enumerate(sessions):
        row: dict[str, Any] = {
            "drawer": f"{each.number} · {each.name}",
            "opened_at": each.opened_at,
            "closed_at": each.closed_at,
            "counts": each.counts,
            "cash": each.cash_cents,
            "card_slips": each.card_slips_cents,
            "chips": each.chips_cents,
        }
        for unit, cents in (("money", each.money_over_short_cents), ("chips", each.chips_over_short_cents)):
            # What was posted of a drawer's counts is of all its sessions, and stands beside the last one.
            both = by_drawer[each.number, unit]
            wrong = both.posted_cents - both.cents if last[each.number] == index else 0
            row |= {f"{unit}_over_short": cents, f"{unit}_posted": (cents or 0) + wrong if cents or wrong else cents}
        rows.append(row)
    chains = [f"drawer.{each.number}" for each in sessions]
    total = _sums(columns, rows) if rows else None
    return Sheet("drawers", gettext_lazy("Drawers of the cage"), columns, rows, total, chains)


def _slips(report: DayReport) -> Sheet:
    paid, back = gettext_lazy("Paid"), gettext_lazy("Reversed")
    columns = [
        Column("kind", gettext_lazy("Slips")),
        Column("method", gettext_lazy("How")),
        Column("paid", gettext_lazy("slips"), "count", paid),
        Column("paid_amount", gettext_lazy("amount"), "cents", paid),
        Column("reversed", gettext_lazy("slips"), "count", back),
        Column("reversed_amount", gettext_lazy("amount"), "cents", back),
        Column("amount", gettext_lazy("Left"), "cents"),
        Column("posted", gettext_lazy("in the ledger"), "cents", agrees_with="amount"),
    ]
    rows = [
        {
            "kind": str(KINDS.get(each.kind, each.kind)),
            "method": str(METHODS.get(each.method, each.method)),
            "paid": each.paid,
            "paid_amount": each.paid_cents,
            "reversed": each.back,
            "reversed_amount": each.back_cents,
            "amount": each.cents,
            "posted": each.posted_cents,
        }
        for each in report.slips
    ]
    return Sheet("slips", gettext_lazy("Slips of the cage"), columns, rows)


def _deposits(report: DayReport) -> Sheet:
    columns = [
        Column("age", gettext_lazy("Lies there for")),
        Column("deposits", gettext_lazy("Deposits"), "count"),
        Column("amount", gettext_lazy("amount"), "cents"),
    ]
    rows: list[dict[str, Any]] = [
        {
            "age": _("%(first)s to %(last)s days") % {"first": each.from_days, "last": each.to_days}
            if each.to_days is not None
            else _("%(first)s days and more") % {"first": each.from_days},
            "deposits": each.count,
            "amount": each.cents,
        }
        for each in report.deposits
    ]
    note = gettext_lazy("After the day, by how long the oldest part of each has lain.")
    total = _sums(columns, rows) if rows else None
    return Sheet("deposits", gettext_lazy("Deposits by age"), columns, rows, total, note=note)


_STAGES: dict[str, Text] = {
    "operations": gettext_lazy("closed for operations"),
    "counted": pgettext_lazy("day", "closed as counted"),
}


def _carried(report: DayReport) -> Sheet:
    columns = [
        Column("item", gettext_lazy("Carried over")),
        Column("stage", gettext_lazy("When the day was")),
        Column("reason", gettext_lazy("Because")),
        Column("by", gettext_lazy("Carried by")),
        Column("carried_at", gettext_lazy("Carried"), "moment"),
        Column("became", gettext_lazy("What became of it")),
        Column("done_at", pgettext_lazy("carried", "Finished"), "moment"),
    ]
    rows = [
        {
            "item": each.name,
            "stage": str(_STAGES[each.item.stage]),
            "reason": each.reason,
            "by": each.by,
            "carried_at": each.item.carried_at,
            "became": pgettext("carried", "still open") if each.is_open else pgettext("carried", "finished"),
            "done_at": each.done_at,
        }
        for each in report.carried
    ]
    return Sheet("carried", gettext_lazy("Carried over the day’s end"), columns, rows)


_UNITS: dict[str, Text] = {
    "money": gettext_lazy("Trial balance of the money"),
    "chips": gettext_lazy("Trial balance of the chips"),
}


def _trial(report: DayReport) -> Iterator[Sheet]:
    columns = [
        Column("owner", gettext_lazy("Where")),
        Column("account", gettext_lazy("Account")),
        Column("before", gettext_lazy("Before the day"), "cents"),
        Column("came", gettext_lazy("In"), "cents"),
        Column("went", gettext_lazy("Out"), "cents"),
        Column("after", gettext_lazy("After the day"), "cents"),
    ]
    for unit, currency in sorted({(row.unit, row.currency) for row in report.trial}, reverse=True):
        rows = [
            {
                "owner": str(CHART[row.owner_kind].words),
                "account": str(CHART[row.owner_kind].accounts[row.kind].words),
                "before": row.opening_cents,
                "came": row.came_cents,
                "went": row.went_cents,
                "after": row.closing_cents,
            }
            for row in report.trial
            if (row.unit, row.currency) == (unit, currency)
        ]
        yield Sheet(f"trial_{unit}", _UNITS[unit], columns, rows, _sums(columns, rows))


def _night(report: DayReport) -> Sheet:
    columns = [
        Column("from", gettext_lazy("From"), "clock"),
        Column("seats_taken", gettext_lazy("taken"), "tenths", gettext_lazy("Seats, on average")),
        Column("seats", gettext_lazy("at open tables"), "tenths", gettext_lazy("Seats, on average")),
        _HANDS,
        *_taken_columns(),
    ]
    rows = [
        {
            "from": each.began_at,
            "seats_taken": each.seats_taken_tenths,
            "seats": each.seats_tenths,
            "hands": each.hands,
            **_taken(each.taken),
        }
        for each in report.night
    ]
    return Sheet("night", gettext_lazy("Through the night"), columns, rows, _sums(columns, rows))
