"""The gaming day's report as tables of figures, in the order in which they are read: tables, people, the night."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.reports import sheets_cage
from casino.reports.figures import NOTES, Charged, DayReport, Ran
from casino.reports.sheet import Column, Sheet, Text, Unit, sums
from tables.charges import ChargeKind, charge_kinds
from tables.selectors.tips import DealersTips

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
    "restrictions": gettext_lazy("Players banned"),
    "jackpot_hits": gettext_lazy("Jackpot hits"),
    "caught_up": gettext_lazy("Hands caught up from paper"),
}

_VENUES: dict[str, Text] = {"hall": gettext_lazy("gaming hall"), "casino": gettext_lazy("casino")}


def sheets_of(report: DayReport) -> Iterator[Sheet]:
    """Yield the tables of a report, in the order in which they are read; a table without rows too."""
    yield _tables(report)
    yield _openings(report)
    yield _dealers(report)
    yield _tips("tips", gettext_lazy("Tips by dealer"), report.tips)
    if report.tips_since:
        yield _tips("tips_since", gettext_lazy("Tips by dealer: since the day has closed"), report.tips_since, "change")
    yield _players(report)
    yield sheets_cage.drawers(report)
    yield sheets_cage.runners(report)
    if not report.is_blind:
        yield sheets_cage.slips(report)
    if report.cash_plays:
        yield sheets_cage.cash_plays(report)
    if report.foreign_notes:
        yield sheets_cage.foreign_notes(report)
    if report.exchanges:
        yield sheets_cage.exchanges(report)
    if report.vault_counts:
        yield sheets_cage.vault_counts(report)
    yield sheets_cage.deposits(report)
    yield sheets_cage.carried(report)
    yield from sheets_cage.trial(report)
    yield _night(report)


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
    charged: dict[str, int | None] = {}
    for kind in kinds:
        of = ran.charges.get(kind.code, Charged())
        figures = (of.due, of.taken, of.posted, of.counted, of.beyond, of.over_short, of.uncounted)
        charged |= {column.name: cents for column, cents in zip(_charge_columns(kind), figures, strict=True)}
    return charged


_OPEN, _HANDS = (
    Column("open_seconds", pgettext_lazy("how long", "Open"), "seconds"),
    Column("hands", gettext_lazy("Hands"), "count"),
)
_HOURLY = Column("hands_an_hour", gettext_lazy("an hour"), "tenths")


def _tables(report: DayReport) -> Sheet:
    kinds, of_it = list(charge_kinds()), gettext_lazy("Of it in racks")
    # Chips and cash of a rack may come to nothing together: what they are of is shown with them.
    in_racks = any(ran.rack_over_short_cents or ran.rack_cash_over_short_cents for ran in report.tables)
    columns = [
        Column("table", gettext_lazy("Table"), "text"),
        Column("game", gettext_lazy("Game")),
        _OPEN,
        _HANDS,
        _HOURLY,
        *(column for kind in kinds for column in _charge_columns(kind)),
        Column("tips", gettext_lazy("Tips"), "cents", is_rare=True),
        Column("over_short", gettext_lazy("Over or short at counts"), "change", is_rare=not in_racks),
        Column("rack_over_short", pgettext_lazy("what the vault gives", "chips"), "change", of_it, is_rare=True),
        Column("rack_cash_over_short", gettext_lazy("cash"), "change", of_it, is_rare=True),
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
            "rack_over_short": ran.rack_over_short_cents,
            "rack_cash_over_short": ran.rack_cash_over_short_cents,
        }
        for ran in report.tables
    ]
    total = sums(columns, rows)
    total["hands_an_hour"] = _an_hour(total.get("hands", 0), total.get("open_seconds", 0))
    chains = [f"table.{ran.table_number}" for ran in report.tables]
    return Sheet("tables", gettext_lazy("Tables and games"), columns, rows, total if rows else None, chains)


def _openings(report: DayReport) -> Sheet:
    blinds, buy_ins = gettext_lazy("Blinds"), gettext_lazy("Buy-in")
    columns = [
        Column("table", gettext_lazy("Table")),
        Column("game", gettext_lazy("Game")),
        Column("venue", gettext_lazy("Venue"), is_rare=True),
        Column("rule_book", gettext_lazy("Rule book")),
        Column("small_blind", gettext_lazy("small"), "cents", blinds),
        Column("big_blind", gettext_lazy("big"), "cents", blinds),
        Column("buy_in_min", gettext_lazy("least"), "cents", buy_ins),
        Column("buy_in_max", gettext_lazy("most"), "cents", buy_ins),
        Column("opened_at", gettext_lazy("Opened"), "moment"),
        Column("closed_at", gettext_lazy("Closed"), "moment"),
        Column("opened_by", gettext_lazy("Opened by")),
        Column("closed_by", gettext_lazy("Closed by")),
        Column("dealers", gettext_lazy("Dealers")),
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
                "venue": str(_VENUES.get(each.venue, "")),
                "rule_book": f"{each.book} {each.book_number}",
                "small_blind": game.small_blind_cents,
                "big_blind": game.big_blind_cents,
                "buy_in_min": game.buy_in_min_cents,
                "buy_in_max": game.buy_in_max_cents,
                "opened_at": opening.opened_at,
                "closed_at": opening.closed_at,
                "opened_by": each.opened_by,
                "closed_by": each.closed_by,
                "dealers": ", ".join(each.dealers),
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
    total = sums(columns, rows)
    total["hands_an_hour"] = _an_hour(total.get("hands", 0), total.get("dealt_seconds", 0))
    note = gettext_lazy("What was taken is that of hands; what a table pays by the time is nobody’s.")
    return Sheet("dealers", gettext_lazy("Dealers"), columns, rows, total if rows else None, note=note)


def _tips(name: str, title: Text, tips: Sequence[DealersTips], unit: Unit = "cents") -> Sheet:
    columns = [
        Column("dealer", gettext_lazy("Dealer")),
        Column("dealt_seconds", gettext_lazy("Dealt"), "seconds"),
        Column("share", pgettext_lazy("tips", "Share"), unit),
        Column("handed", pgettext_lazy("tips", "To payroll"), unit),
        Column("owed", pgettext_lazy("tips", "Still owed"), unit),
    ]
    rows = [
        {
            "dealer": each.name,
            "dealt_seconds": each.seconds,
            "share": each.cents,
            "handed": each.handed_cents,
            "owed": each.owed_cents,
        }
        for each in tips
    ]
    note = gettext_lazy("Of what two have counted on this day; what lies in tip boxes uncounted is not in it.")
    return Sheet(name, title, columns, rows, sums(columns, rows) if rows else None, note=note)


def _players(report: DayReport) -> Sheet:
    columns = [
        Column("player_id", gettext_lazy("Number"), "text"),
        Column("player", gettext_lazy("Player")),
        Column("seated_seconds", gettext_lazy("In a seat"), "seconds"),
    ]
    if not report.is_blind:
        columns += [
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
    return Sheet("players", gettext_lazy("Players"), columns, rows, sums(columns, rows) if rows else None)


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
    return Sheet("night", gettext_lazy("Through the night"), columns, rows, sums(columns, rows))
