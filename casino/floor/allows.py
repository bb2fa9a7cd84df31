"""The floor's map: who may see it, and whose desk it is."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import FLOOR, allow
from casino.rooms.models import Place

allow(
    {
        "page.floor": FLOOR,
        "audience.floor": FLOOR,
    },
)

add_desk(Desk("page.floor", "/floor/", _("Floor"), rank=10, first_at=Place.Kind.FLOOR))
