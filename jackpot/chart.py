"""
The accounts of a pool, and what they hold; all are money, the owner's id is the pool's.

`sum` is displayed, and is a promise to the players; so is `pending`, what approved claims have yet to pay. The others
hold the other ends, one for each way in which money comes and goes, so that the ledger alone proves

    sum + pending + takings = collected + seed - paid ± corrected ± moved

and all accounts of a pool add up to zero. `takings` are those of the day: they lie in the tables' boxes while it is
played (`jackpot.selectors.takings`), pass through this account when they are rolled up, and stay on it where
corrections of older days have made them negative. What the house has put in and not recovered is `seed`, negative.
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.ledger import chart, words
from casino.ledger.chart import MONEY, Kind, Owner, PostingLine

OWNER = "jackpot"

ACCOUNTS: dict[str, Kind] = {
    "sum": Kind(MONEY, _("jackpot sum"), is_promise=True),
    "takings": Kind(MONEY, _("takings of the day")),
    "pending": Kind(MONEY, _("claims to be paid"), is_promise=True),
    "seed": Kind(MONEY, _("put in by the house"), is_contra=True),
    "collected": Kind(MONEY, _("collected of hands"), is_contra=True),
    "paid": Kind(MONEY, _("paid to players"), is_contra=True),
    "corrected": Kind(MONEY, _("corrected by two"), is_contra=True),
    "moved": Kind(MONEY, _("moved between jackpots"), is_contra=True),
}
_TRANSFERS: dict[str, str | Promise] = {
    "jackpot_seed": _("jackpot: put in by the house"),
    "jackpot_collected": _("jackpot: takings collected"),
    "jackpot_takings": _("jackpot: takings added to the sum"),
    "jackpot_claim": _("jackpot: claim approved"),
    "jackpot_paid": _("jackpot: share paid"),
    "jackpot_correction": _("jackpot: sum corrected"),
    "jackpot_covered": _("jackpot: drops taken back are covered by the house"),
    "jackpot_seed_recovered": _("jackpot: taken back by the house"),
    "jackpot_moved_out": _("jackpot: moved to another"),
    "jackpot_moved_in": _("jackpot: moved from another"),
    "jackpot_paid_out": _("jackpot: paid out at its end"),
}


def of_pool(pool_id: int, kind: str, cents: int) -> PostingLine:
    """Return a line on one of a pool's accounts."""
    return PostingLine(OWNER, pool_id, kind, cents)


def register() -> None:
    """Make the accounts known to the ledger, with their words."""
    chart.declare(OWNER, Owner(_("Jackpot"), ACCOUNTS, rank=60))
    words.name_transfers(_TRANSFERS)
