"""The cage's accounts: of its drawers, and of who carries chips and cash across the room."""

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from casino.ledger import chart, words
from casino.ledger.chart import CHIPS, HANDS, MONEY, VAULT, Kind, Owner, PostingLine, in_hands

DRAWER = "drawer"
# Staff, who owns what they carry.
RUNNER = "runner"
# What lies with a runner: chips, and cash.
CARRIED = ("carried", "carried_cash")
# What lies in the vault, and is counted there.
IN_VAULT = VAULT | {"vault_foreign_notes"}


def of_drawer(drawer_id: int, kind: str, cents: int) -> PostingLine:
    """Return a line on one of a drawer's accounts."""
    return PostingLine(DRAWER, drawer_id, kind, cents)


def register() -> None:
    """Make the accounts known to the ledger, with their words."""
    chart.declare(
        DRAWER,
        Owner(
            _("Drawer"),
            {
                "cash": Kind(MONEY, pgettext_lazy("account", "cash")),
                "chips": Kind(CHIPS, pgettext_lazy("account", "chips")),
                "card_slips": Kind(MONEY, _("card slips")),
                # At what they were taken for, in the room's money.
                "foreign_notes": Kind(MONEY, _("foreign notes")),
                # What counts found missing; negative: there was too much.
                "over_short": Kind(MONEY, _("money missing")),
                "chips_over_short": Kind(CHIPS, _("chips missing")),
                HANDS: in_hands(),
                # Money that players brought (negative) and took away, at this drawer.
                "outside": Kind(MONEY, _("brought and taken by players"), is_contra=True),
                # The other end of the deposits taken and paid at this drawer.
                "deposits_held": Kind(MONEY, _("held for deposits"), is_contra=True),
            },
            rank=20,
        ),
    )
    carried = {
        "carried": Kind(CHIPS, _("chips carried")),
        "carried_cash": Kind(MONEY, _("cash carried")),
        # What counts found missing of what was carried; negative: there was too much.
        "over_short": Kind(MONEY, _("money missing")),
        "chips_over_short": Kind(CHIPS, _("chips missing")),
    }
    chart.declare(RUNNER, Owner(_("Runner"), carried, rank=30))
    chart.add_account("house", "vault_foreign_notes", Kind(MONEY, _("foreign notes in the vault")))
    # What less was got for such notes than they stood at; negative: there was more.
    chart.add_account("house", "exchange_difference", Kind(MONEY, _("lost by exchanging notes")))
    # What counts found missing there; negative: there was too much.
    chart.add_account("house", "vault_missing", Kind(MONEY, _("money missing in the vault")))
    chart.add_account("house", "vault_chips_missing", Kind(CHIPS, _("chips missing in the vault")))
    # What vouchers promise, and its other end.
    chart.add_account("house", "vouchers", Kind(MONEY, _("vouchers"), is_promise=True))
    chart.add_account("house", "vouchers_given", Kind(MONEY, _("given away as vouchers"), is_contra=True))
    # What was found and nobody has claimed, and its other end.
    chart.add_account("house", "unclaimed", Kind(MONEY, _("found and unclaimed"), is_promise=True))
    chart.add_account("house", "unclaimed_held", Kind(MONEY, _("held for what was found"), is_contra=True))
    words.name_transfers(
        {
            "buy_in": _("buy-in"),
            "cash_out": _("cash-out"),
            "deposit": pgettext_lazy("transfer", "deposit"),
            "withdrawal": _("withdrawal"),
            "never_sold": _("never sold from the rack"),
            "unclaimed_found": _("found and taken in"),
            "unclaimed_claimed": _("found, given to its owner"),
            "unclaimed_kept": _("found, kept by the house"),
            "voucher_issued": _("voucher issued"),
            "voucher_over": _("voucher over"),
            "voucher_void": _("voucher void"),
            "notes_exchanged": _("foreign notes exchanged"),
            "vault_counted": _("vault counted"),
            "fill": _("fill from the vault"),
            "credit": _("credit to the vault"),
            "card_slip_fetched": _("card slip out of the vault"),
            "drawer_opened": _("drawer opened"),
            "drawer_closed": _("drawer counted and closed"),
            "drawer_recounted": _("drawer counted again"),
            "fill_sent": _("given to a runner"),
            "fill_verified": _("taken from a runner"),
            "fill_returned": _("brought back by a runner"),
        }
    )
