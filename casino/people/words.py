"""What roles and places are called on screens."""

from django.utils.translation import gettext_lazy as _

from casino.people.permissions import Role
from casino.rooms.models import Place

ROLE_NAMES = {
    Role.MANAGER: _("manager"),
    Role.FLOOR: _("floor"),
    Role.DEALER: _("dealer"),
    Role.CASHIER: _("cashier"),
    Role.AUDITOR: _("auditor"),
    Role.COMPLIANCE: _("compliance"),
}
PLACE_NAMES = {
    Place.Kind.TABLE: _("Table"),
    Place.Kind.FLOOR: _("Floor"),
    Place.Kind.CAGE: _("Cage"),
    Place.Kind.DISPLAY: _("Display"),
}


def place_name(place: Place) -> str:
    """Return what a place is called in the active language: "Table 4"."""
    return f"{PLACE_NAMES[Place.Kind(place.kind)]} {place.number}"
