"""The bar's money: what lies in its till, and where it comes from."""

from casino.ledger import chart
from casino.ledger.chart import MONEY, Kind, Owner, PostingLine

OWNER = "bar"


def of_bar(bar_id: int, kind: str, cents: int) -> PostingLine:
    """Return a line on one of the bar's accounts."""
    return PostingLine(OWNER, bar_id, kind, cents)


def register() -> None:
    """Make the accounts known to the ledger, with their words."""
    till = {"till": Kind(MONEY, "money in the till"), "drunk": Kind(MONEY, "paid for drinks", is_contra=True)}
    chart.declare(OWNER, Owner("Bar", till, rank=95))
