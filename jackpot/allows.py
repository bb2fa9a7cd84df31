"""The jackpot's page: who may try a hand there, and whose desk it is."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import FLOOR, allow

allow(
    {
        "page.jackpot": FLOOR,
        "read.jackpots": FLOOR,
    },
)

add_desk(Desk("page.jackpot", "/jackpot/", _("Jackpot"), rank=65))
