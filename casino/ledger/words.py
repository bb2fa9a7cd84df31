"""What transfers are called by people."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TRANSFERS: dict[str, str | Promise] = {
    "deposit_joined": _("deposit of two records joined"),
    "reversal": _("reversal"),
    "vault_stocked": _("vault stocked"),
}


def name_transfers(transfers: Mapping[str, str | Promise]) -> None:
    """Say what the transfers are called that an app makes, by their kind."""
    TRANSFERS.update(transfers)


def transfer_name(kind: str) -> str:
    """Return what a transfer's kind is called; a kind that has no words yet is shown by its code."""
    return str(TRANSFERS.get(kind, kind.replace("_", " ")))
