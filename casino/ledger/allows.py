"""Accounts and postings: who may do what there, and the desk."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import BOOKS, FLOOR, MANAGER, allow

allow(
    {
        "page.ledger": BOOKS,
        "read.ledger": BOOKS,
        "ledger.stock_vault": MANAGER,
        # The second signature under it.
        "ledger.approve_vault": FLOOR,
    },
)

add_desk(Desk("page.ledger", "/ledger/", _("Ledger"), rank=50))
