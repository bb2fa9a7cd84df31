"""What keeps a gaming day's report from being made."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoDayOfDate(Refusal):
    """Figures are those of a gaming day."""

    code = "report_no_day_of_date"
    status = 404
    sentence = _("No gaming day was opened on this date, so there is nothing to report.")
