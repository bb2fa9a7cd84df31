"""Why a dealer calls the floor, by the codes that are stored and logged, and how people call it."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# The likeliest first: the tablet offers them in this order.
FLOOR_CALLS: dict[str, str | Promise] = {
    "ruling": _("A ruling"),
    "player": _("A player"),
    "chips": _("Chips or change"),
    "cards": _("Cards or equipment"),
    "relief": _("Somebody to take over"),
    "other": _("Something else"),
}
