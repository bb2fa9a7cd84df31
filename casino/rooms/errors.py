"""What the room itself refuses."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoOpenDay(Refusal):
    """Nothing is posted outside a gaming day."""

    code = "no_open_day"
    status = 409
    sentence = _("No gaming day is open. A manager opens the day first.")


class WaitsForDay(Refusal):
    """
    A fact is never refused: without an open day it waits on its tablet, and is tried again.

    Its status is 503, which is stored as no command's answer and a tablet's queue does not drop.
    """

    code = "waits_for_day"
    status = 503
    sentence = _("No gaming day is open. This waits on the tablet until a manager opens the day.")
