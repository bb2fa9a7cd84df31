"""The jackpot's pages: who may try a hand, whose desk it is, and the rules, which are announced to everybody."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import FLOOR, PUBLIC, allow

allow(
    {
        "page.jackpot": FLOOR,
        "read.jackpots": FLOOR,
        "page.jackpot_rules": PUBLIC,
    },
    shown_at_tables=["page.jackpot_rules"],
)

add_desk(Desk("page.jackpot", "/jackpot/", _("Jackpot"), rank=65))
