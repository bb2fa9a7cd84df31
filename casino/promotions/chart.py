"""
The accounts of a promotion's fund, and what they hold; all are money, the owner's id is the fund's.

`free` is what periods can still be opened with, `reserved` what open ones have promised, `pending` what was won and is
still to be paid: each is a promise and never below zero. The others hold the other ends, so that all accounts of a fund
add up to zero and the ledger alone proves

    free + reserved + pending = put in - paid - splashed
"""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.ledger import chart, words
from casino.ledger.chart import MONEY, Kind, Owner, PostingLine

OWNER = "promotion"

ACCOUNTS: dict[str, Kind] = {
    "free": Kind(MONEY, _("promotion fund"), is_promise=True),
    "reserved": Kind(MONEY, _("promised in open periods"), is_promise=True),
    "pending": Kind(MONEY, _("won in promotions, to be paid"), is_promise=True),
    "put_in": Kind(MONEY, _("put into the fund by the house"), is_contra=True),
    "paid": Kind(MONEY, _("paid in promotions"), is_contra=True),
    "splashed": Kind(MONEY, _("given as chips into pots"), is_contra=True),
}
_TRANSFERS: dict[str, str | Promise] = {
    "promotion_fund": _("promotion: fund changed by the house"),
    "promotion_opened": _("promotion: promised in a period"),
    "promotion_won": _("promotion: won"),
    "promotion_unwon": _("promotion: not won, back in the fund"),
    "promotion_splashed": _("promotion: chips splashed in a pot"),
    "promotion_passed": _("promotion: no pot splashed, back in the fund"),
    "promotion_undecided": _("promotion: promised again, a decision was taken back"),
    "promotion_called_off": _("promotion: called off, back in the fund"),
}


def of_fund(fund_id: int, kind: str, cents: int) -> PostingLine:
    """Return a line on one of a fund's accounts."""
    return PostingLine(OWNER, fund_id, kind, cents)


def register() -> None:
    """Make the accounts known to the ledger, with their words."""
    chart.declare(OWNER, Owner(_("Promotion"), ACCOUNTS, rank=65))
    words.name_transfers(_TRANSFERS)
