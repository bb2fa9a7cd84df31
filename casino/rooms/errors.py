"""What the room itself refuses."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoOpenDay(Refusal):
    """Nothing is posted outside a gaming day."""

    code = "no_open_day"
    status = 409
    sentence = _("No gaming day is open. A manager opens the day first.")
