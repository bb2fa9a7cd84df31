"""What the floor calls the codes with which a list's order is changed."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# Why somebody was put elsewhere on a list.
REORDER_WORDS: dict[str, str | Promise] = {
    "wrong_order": _("The order was wrong"),
    "house_error": _("The house’s mistake"),
    "moved_back": _("Came back from another table"),
    "manager": _("The manager decided"),
}
