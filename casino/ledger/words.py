"""What the ledger's places, accounts and transfers are called by people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

PLACES: dict[str, str | Promise] = {
    "table": _("Table"),
    "drawer": _("Drawer"),
    "runner": _("Runner"),
    "house": _("House"),
    "player": _("Player"),
}

ACCOUNTS: dict[str, str | Promise] = {
    "float": _("float"),
    "in_play": _("chips in play"),
    "tip_box": _("tip box"),
    "difference": _("missing at counts"),
    "set_aside": _("disputed pots, set aside"),
    "hands": _("in players' hands"),
    "cash": pgettext_lazy("account", "cash"),
    "chips": pgettext_lazy("account", "chips"),
    "card_slips": _("card slips"),
    "over_short": _("money missing"),
    "chips_over_short": _("chips missing"),
    "outside": _("brought and taken by players"),
    "deposits_held": _("held for deposits"),
    "carried": _("chips carried"),
    "carried_cash": _("cash carried"),
    "vault_cash": _("cash in the vault"),
    "vault_chips": _("chips in the vault"),
    "vault_card_slips": _("card slips in the vault"),
    "chips_issued": _("chips issued"),
    "house_money": _("the house's own money"),
    "deposit": pgettext_lazy("account", "deposit"),
}

TRANSFERS: dict[str, str | Promise] = {
    "buy_in": _("buy-in"),
    "cash_out": _("cash-out"),
    "deposit": pgettext_lazy("transfer", "deposit"),
    "withdrawal": _("withdrawal"),
    "deposit_joined": _("deposit of two records joined"),
    "reversal": _("reversal"),
    "vault_stocked": _("vault stocked"),
    "fill": _("fill from the vault"),
    "credit": _("credit to the vault"),
    "drawer_opened": _("drawer opened"),
    "drawer_closed": _("drawer counted and closed"),
    "chips_brought": _("chips brought to a seat"),
    "leave": _("left the table"),
    "hand": _("hand settled"),
    "tips_counted": _("tip box counted"),
    "time_charge": _("time charge"),
    "pot_set_aside": _("disputed pot set aside"),
    "disputed_pot_paid": _("disputed pot paid"),
}


def name_owner(owner_kind: str, words: str | Promise, transfers: Mapping[str, str | Promise]) -> None:
    """Say what owners of a kind are called that an app has declared, and the transfers that it makes."""
    PLACES[owner_kind] = words
    TRANSFERS.update(transfers)


def name_account(kind: str, words: str | Promise) -> None:
    """Say what accounts of a kind are called that an app has declared (`casino.ledger.chart.declare`)."""
    ACCOUNTS[kind] = words


def transfer_name(kind: str) -> str:
    """Return what a transfer's kind is called; a kind that has no words yet is shown by its code."""
    return str(TRANSFERS.get(kind, kind.replace("_", " ")))
