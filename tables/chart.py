"""The accounts of a table; each kind of charge adds its own box (`tables/charges.py`)."""

from django.utils.translation import gettext_lazy as _

from casino.ledger import chart, words
from casino.ledger.chart import CHIPS, HANDS, MONEY, Kind, Owner, PostingLine, in_hands

OWNER = "table"
RACK, RACK_MISSING = "float", "rack_over_short"
# What is missing of chips in play and of the tip box; negative: there was too much.
DIFFERENCE = "difference"
# Of cash for which chips were sold out of the rack.
RACK_CASH, RACK_CASH_MISSING, OUTSIDE = "rack_cash", "rack_cash_over_short", "outside"
# Of the house.
TIPS = "tips"


def of_table(table_id: int, kind: str, cents: int) -> PostingLine:
    """Return a line on one of a table's accounts."""
    return PostingLine(OWNER, table_id, kind, cents)


def register() -> None:
    """Make the accounts known to the ledger, with their words."""
    chart.declare(
        OWNER,
        Owner(
            _("Table"),
            {
                # The dealer's rack.
                RACK: Kind(CHIPS, _("chips in the rack")),
                "in_play": Kind(CHIPS, _("chips in play"), is_sold=True),
                "tip_box": Kind(CHIPS, _("tip box")),
                DIFFERENCE: Kind(CHIPS, _("missing at counts")),
                # The same of the rack alone.
                RACK_MISSING: Kind(CHIPS, _("rack over/short")),
                # Cash in the rack, until the cage has changed it; what counts found missing of it.
                RACK_CASH: Kind(MONEY, _("cash in the rack")),
                RACK_CASH_MISSING: Kind(MONEY, _("rack cash over/short")),
                # Money that players brought (negative) for chips sold out of the rack.
                OUTSIDE: Kind(MONEY, _("brought and taken by players"), is_contra=True),
                # Disputed pots, counted, each under its hand's name, until the floor has decided.
                "set_aside": Kind(CHIPS, _("disputed pots, set aside")),
                HANDS: in_hands(),
            },
            rank=10,
        ),
    )
    # Counted by two, apart in the vault: the dealers', until payroll has them.
    chart.add_account("house", TIPS, Kind(CHIPS, _("tips, owed to dealers"), is_promise=True))
    words.name_transfers(
        {
            "chips_brought": _("chips brought to a seat"),
            "leave": _("left the table"),
            "hand": _("hand settled"),
            "tips_counted": _("tip box counted"),
            "tips_taken": _("tips counted by two"),
            "tips_to_payroll": _("tips handed to payroll"),
            "difference_stated": _("table over or short, as stated"),
            "rack_filled": _("rack filled"),
            "rack_counted": _("rack counted"),
            "rack_to_vault": _("rack counted, to the vault"),
            "time_charge": _("time charge"),
            "pot_set_aside": _("disputed pot set aside"),
            "disputed_pot_paid": _("disputed pot paid"),
        }
    )
