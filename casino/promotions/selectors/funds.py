"""Questions about the funds of promotions: what they hold, and what they are called."""

from collections.abc import Iterable

from django.db.models import Q, Sum

from casino.ledger.models import Account
from casino.promotions.chart import ACCOUNTS, OWNER
from casino.promotions.models import Fund, Period, Prize, Splash


def figures(fund: Fund | None) -> dict[str, int]:
    """Return what a fund's accounts hold by kind, in cents (`promotions.chart`), 0 where it has none. One query."""
    if fund is None:
        return dict.fromkeys(ACCOUNTS, 0)
    accounts = Account.objects.filter(owner_kind=OWNER, owner_id=fund.pk)
    return {**dict.fromkeys(ACCOUNTS, 0), **dict(accounts.values_list("kind", "balance_cents"))}


def held_by_rows(fund: Fund) -> dict[str, int]:
    """Return what the fund's periods, prizes and splashes say that those accounts hold, in cents. Three queries."""
    prizes = Prize.objects.filter(entry__period__fund=fund, taken_back_at=None)
    waiting = Sum("cents", filter=Q(paid_at=None), default=0)
    won = prizes.aggregate(pending=waiting, paid=Sum("cents", filter=Q(paid_at__isnull=False), default=0))
    splashed = Splash.objects.filter(period__fund=fund, status=Splash.Status.SPLASHED)
    return {
        "reserved": Period.objects.filter(fund=fund).aggregate(cents=Sum("reserved_cents", default=0))["cents"],
        **won,
        "splashed": splashed.aggregate(cents=Sum("cents", default=0))["cents"],
    }


def fund_names(ids: Iterable[int]) -> dict[int, str]:
    """Return the codes of funds by their ids, for the ledger. One query."""
    return dict(Fund.objects.filter(id__in=set(ids)).values_list("id", "code"))
