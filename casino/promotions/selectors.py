"""Questions about promotions."""

from collections.abc import Iterable

from casino.ledger.models import Account
from casino.promotions.chart import ACCOUNTS, OWNER
from casino.promotions.models import Entry, Fund, Period
from casino.promotions.rules import Shown, winners
from casino.promotions.terms import terms_of
from casino.rulebooks.promotions import HighHand


def figures(fund: Fund | None) -> dict[str, int]:
    """Return what a fund's accounts hold by kind, in cents (`promotions.chart`), 0 where it has none. One query."""
    if fund is None:
        return dict.fromkeys(ACCOUNTS, 0)
    found = Account.objects.filter(owner_kind=OWNER, owner_id=fund.pk)
    return {**dict.fromkeys(ACCOUNTS, 0), **dict(found.values_list("kind", "balance_cents"))}


def fund_names(ids: Iterable[int]) -> dict[int, str]:
    """Return the codes of funds by their ids, for the ledger. One query."""
    return dict(Fund.objects.filter(id__in=set(ids)).values_list("id", "code"))


def standing(period: Period) -> list[Entry]:
    """Return the hands of a period that were not taken back, in the order in which they were shown. One query."""
    found = Entry.objects.filter(period=period, taken_back_at=None).select_related("table", "player", "hand")
    return list(found.order_by("shown_at", "id"))


def leaders(period: Period, entries: Iterable[Entry]) -> list[Entry]:
    """Return which of these hands win, or would if it ended now, in the order in which they were shown."""
    _book, promotion = terms_of(period)
    if not isinstance(promotion, HighHand):
        return []
    by_id = {entry.pk: entry for entry in entries}
    shown = (Shown(entry.pk, entry.player_id, entry.worth, entry.shown_at) for entry in by_id.values())
    return [by_id[each.id] for each in winners(shown, ties=promotion.ties)]
