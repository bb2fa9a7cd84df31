"""What kinds of incidents are called by people."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

KINDS: dict[str, str | Promise] = {
    "ruling": _("Ruling"),
    "warning": _("Warning"),
    "penalty": _("Penalty"),
    "inspected": _("Hand inspected"),
    "returned": _("Gain returned"),
    "passed": _("Chips passed"),
}
