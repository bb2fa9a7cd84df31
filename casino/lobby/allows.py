"""The lobby's wall, which is public: everybody who passes the television reads it."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import PUBLIC, allow
from casino.rooms.models import Place

allow(
    {
        "page.lobby": PUBLIC,
        "audience.lobby": PUBLIC,
    },
    shown_at_tables=[
        "page.lobby",
        "audience.lobby",
    ],
)

add_desk(Desk("page.lobby", "/lobby/", _("Lobby"), rank=90, first_at=Place.Kind.DISPLAY, is_for_nobody=True))
