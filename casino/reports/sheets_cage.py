"""The gaming day's report as tables of figures: the cage, what was carried over, and the trial balance."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from casino.cage.labels import KINDS, METHODS
from casino.cage.selectors.of_day import DrawerOfDay
from casino.ledger.chart import CHART
from casino.reports.figures import DayReport
from casino.reports.sheet import Column, Sheet, Text, sums
from casino.text import isolated


def drawers(report: DayReport) -> Sheet:
    """Return the drawers' sessions with what was counted in them."""
    counted = gettext_lazy("Counted")
    over_short = gettext_lazy("Over or short")
    columns = [
        Column("drawer", gettext_lazy("Drawer")),
        Column("opened_at", gettext_lazy("Opened"), "moment"),
        Column("closed_at", gettext_lazy("Closed"), "moment"),
        Column("carried", gettext_lazy("Carried over"), is_rare=True),
        Column("counts", gettext_lazy("Counts"), "count"),
        Column("cash", gettext_lazy("cash"), "cents", counted),
        Column("card_slips", gettext_lazy("card slips"), "cents", counted),
        Column("foreign_notes", pgettext_lazy("how a slip is paid", "foreign notes"), "cents", counted, is_rare=True),
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
            # Of a bank with the runner who held it.
            "drawer": " · ".join(filter(None, (str(each.number), each.name, each.holder))),
            "opened_at": each.opened_at,
            "closed_at": each.closed_at,
            "carried": _carried_drawer(each),
            "counts": each.counts,
            "cash": each.cash_cents,
            "card_slips": each.card_slips_cents,
            "foreign_notes": each.foreign_cents,
            "chips": each.chips_cents,
        }
        for unit, cents in (("money", each.money_over_short_cents), ("chips", each.chips_over_short_cents)):
            # What was posted of a drawer's counts is of all its sessions, and stands beside the last one.
            both = by_drawer[each.number, unit]
            wrong = both.posted_cents - both.cents if last[each.number] == index else 0
            row |= {f"{unit}_over_short": cents, f"{unit}_posted": (cents or 0) + wrong if cents or wrong else cents}
        rows.append(row)
    chains = [f"drawer.{each.number}" for each in sessions]
    total = sums(columns, rows) if rows else None
    return Sheet("drawers", gettext_lazy("Drawers of the cage"), columns, rows, total, chains)


def _carried_drawer(session: DrawerOfDay) -> str | None:
    """Return over which ends of the day a drawer was carried, None where over none."""
    came, went = session.carried_from, _("not counted on this day") if session.is_carried else ""
    since = pgettext("drawer carried over", "from %(date)s") % {"date": f"{came:%-d.%-m.%Y}"} if came else ""
    return ", ".join(filter(None, (since, went))) or None


def runners(report: DayReport) -> Sheet:
    """Return what runners carried of fills and credits, and what two found missing of it where it went."""
    given, over_short = pgettext_lazy("to the runner", "Given"), gettext_lazy("Over or short")
    columns = [
        Column("runner", gettext_lazy("Runner")),
        Column("fills", gettext_lazy("Fill slips"), "count"),
        Column("cash", gettext_lazy("cash"), "cents", given),
        Column("chips", pgettext_lazy("what the vault gives", "chips"), "cents", given),
        Column("cash_over_short", gettext_lazy("cash"), "change", over_short),
        Column("cash_posted", gettext_lazy("in the ledger"), "change", over_short, agrees_with="cash_over_short"),
        Column("chips_over_short", pgettext_lazy("what the vault gives", "chips"), "change", over_short),
        Column("chips_posted", gettext_lazy("in the ledger"), "change", over_short, agrees_with="chips_over_short"),
    ]
    rows = [
        {
            "runner": each.name,
            "fills": each.carried.count,
            "cash": each.carried.cash_cents,
            "chips": each.carried.chips_cents,
            "cash_over_short": each.carried.cash_over_short_cents,
            "cash_posted": each.posted_cash_cents,
            "chips_over_short": each.carried.chips_over_short_cents,
            "chips_posted": each.posted_chips_cents,
        }
        for each in report.runners
    ]
    total = sums(columns, rows) if rows else None
    return Sheet("runners", gettext_lazy("Carried by runners"), columns, rows, total)


def slips(report: DayReport) -> Sheet:
    """Return the slips by kind and method."""
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


def cash_plays(report: DayReport) -> Sheet:
    """Return what was sold out of racks, by table and dealer."""
    sold, back, never = gettext_lazy("Sold"), gettext_lazy("Reversed"), gettext_lazy("Never sold")
    columns = [
        Column("table", gettext_lazy("Table")),
        Column("dealer", gettext_lazy("Dealer")),
        Column("slips", gettext_lazy("slips"), "count", sold),
        Column("sold", gettext_lazy("amount"), "cents", sold),
        Column("reversed", gettext_lazy("slips"), "count", back),
        Column("reversed_amount", gettext_lazy("amount"), "cents", back),
        Column("never_sold", gettext_lazy("slips"), "count", never, is_rare=True),
        Column("never_sold_amount", gettext_lazy("amount"), "cents", never, is_rare=True),
        Column("amount", gettext_lazy("Left"), "cents"),
    ]
    rows = [
        {
            "table": str(each.sold.place_number),
            "dealer": each.dealer,
            "slips": each.sold.count,
            "sold": each.sold.cents,
            "reversed": each.sold.back,
            "reversed_amount": each.sold.back_cents,
            "never_sold": each.sold.never,
            "never_sold_amount": each.sold.never_cents,
            "amount": each.cents,
        }
        for each in report.cash_plays
    ]
    chains = [f"table.{each.sold.place_number}" for each in report.cash_plays]
    note = gettext_lazy("These slips are among those of the cage too.")
    if any(each.sold.never for each in report.cash_plays):
        note = gettext_lazy(
            "These slips are among those of the cage too. What was never sold its counts have found as chips too many"
            " and as much cash missing: in the table’s over and short that comes to nothing."
        )
    title = gettext_lazy("Sold from racks, for cash")
    return Sheet("cash_plays", title, columns, rows, sums(columns, rows), chains, note=note)


def foreign_notes(report: DayReport) -> Sheet:
    """Return the foreign notes by drawer and currency: what was taken and what was found, by face and by worth."""
    taken, counted = gettext_lazy("Taken for chips"), gettext_lazy("Counted")
    face, worth = pgettext_lazy("notes", "face"), gettext_lazy("worth")
    columns = [
        Column("drawer", gettext_lazy("Drawer")),
        Column("currency", gettext_lazy("Currency")),
        Column("slips", gettext_lazy("slips"), "count", taken),
        Column("face", face, "count", taken),
        Column("amount", worth, "cents", taken),
        Column("counted_face", face, "count", counted),
        Column("counted", worth, "cents", counted),
        Column("over_short", gettext_lazy("Over or short"), "change"),
    ]
    rows = [
        {
            "drawer": str(each.number),
            "currency": each.currency,
            "slips": each.slips,
            "face": each.face_cents // 100,
            "amount": each.cents,
            "counted_face": None if each.counted_face_cents is None else each.counted_face_cents // 100,
            "counted": each.counted_cents,
            "over_short": None if each.counted_cents is None else each.counted_cents - each.cents,
        }
        for each in report.foreign_notes
    ]
    note = gettext_lazy(
        "Without what was given back when a slip was reversed. Valued at the rate at which it was taken."
    )
    return Sheet("foreign_notes", gettext_lazy("Foreign notes"), columns, rows, note=note)


def exchanges(report: DayReport) -> Sheet:
    """Return the foreign notes that went out of the vault to be exchanged, and what was got for them."""
    columns = [
        Column("exchange", pgettext_lazy("foreign notes", "Exchange")),
        Column("currency", gettext_lazy("Currency")),
        Column("face", pgettext_lazy("notes", "face"), "count"),
        Column("worth", gettext_lazy("They stood at"), "cents"),
        Column("got", pgettext_lazy("exchange", "Got"), "cents"),
        Column("difference", gettext_lazy("Difference"), "change"),
    ]
    rows = [
        {
            "exchange": f"{each.number} · {pgettext('exchange', 'taken back')}" if each.is_back else str(each.number),
            "currency": each.currency,
            "face": each.face_cents // 100,
            "worth": each.worth_cents,
            "got": each.got_cents,
            "difference": each.difference_cents,
        }
        for each in report.exchanges
    ]
    # Faces are of several currencies.
    total = {**sums(columns, rows), "face": None}
    return Sheet("exchanges", gettext_lazy("Foreign notes exchanged"), columns, rows, total)


def vault_counts(report: DayReport) -> Sheet:
    """Return the counts of the vault; what was posted of them all stands beside the last one."""
    counted, over_short = gettext_lazy("Counted"), gettext_lazy("Over or short")
    columns = [
        Column("count", pgettext_lazy("vault", "Count")),
        Column("counted_at", gettext_lazy("When"), "moment"),
        Column("by", gettext_lazy("Counted by")),
        Column("cash", gettext_lazy("cash"), "cents", counted),
        Column("card_slips", gettext_lazy("card slips"), "cents", counted),
        Column("foreign_notes", pgettext_lazy("how a slip is paid", "foreign notes"), "cents", counted, is_rare=True),
        Column("chips", pgettext_lazy("what the vault gives", "chips"), "cents", counted),
        Column("money_over_short", gettext_lazy("money"), "change", over_short),
        Column("money_posted", gettext_lazy("in the ledger"), "change", over_short, agrees_with="money_over_short"),
        Column("chips_over_short", pgettext_lazy("what the vault gives", "chips"), "change", over_short),
        Column("chips_posted", gettext_lazy("in the ledger"), "change", over_short, agrees_with="chips_over_short"),
    ]
    wrong = [posted - over for posted, over in zip(report.vault_posted, report.vault_over_short, strict=True)]
    rows = []
    for each in report.vault_counts:
        beside = wrong if each is report.vault_counts[-1] else [0, 0]
        rows.append(
            {
                "count": str(each.number),
                "counted_at": each.counted_at,
                "by": f"{isolated(each.counted_by)}, {isolated(each.counted_with)}",
                "cash": each.cash_cents,
                "card_slips": each.card_slips_cents,
                "foreign_notes": each.foreign_cents,
                "chips": each.chips_cents,
                "money_over_short": each.money_over_short_cents,
                "money_posted": each.money_over_short_cents + beside[0],
                "chips_over_short": each.chips_over_short_cents,
                "chips_posted": each.chips_over_short_cents + beside[1],
            }
        )
    # One count after the other is of the same vault.
    total = {
        name: cents if name.endswith(("_short", "_posted")) else None for name, cents in sums(columns, rows).items()
    }
    return Sheet("vault_counts", gettext_lazy("The vault, counted"), columns, rows, total, ["vault"] * len(rows))


def deposits(report: DayReport) -> Sheet:
    """Return the deposits after the day by their age."""
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
    total = sums(columns, rows) if rows else None
    return Sheet("deposits", gettext_lazy("Deposits by age"), columns, rows, total, note=note)


_STAGES: dict[str, Text] = {
    "operations": gettext_lazy("closed for operations"),
    "counted": pgettext_lazy("day", "closed as counted"),
}


def carried(report: DayReport) -> Sheet:
    """Return what was carried over, and what became of it."""
    columns = [
        Column("item", gettext_lazy("Carried over")),
        Column("stage", gettext_lazy("When the day was")),
        Column("amount", gettext_lazy("Amount"), "change", is_rare=True),
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
            "amount": each.cents,
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


def trial(report: DayReport) -> Iterator[Sheet]:
    """Yield the trial balance of each unit and currency."""
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
        yield Sheet(f"trial_{unit}", _UNITS[unit], columns, rows, sums(columns, rows))
