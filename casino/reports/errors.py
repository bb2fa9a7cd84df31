"""What keeps a gaming day's report from being made."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoDayOfDate(Refusal):
    """Figures are those of a gaming day."""

    code = "report_no_day_of_date"
    status = 404
    sentence = _("No gaming day was opened on this date, so there is nothing to report.")


class NoDayInSpan(Refusal):
    """Figures are those of gaming days."""

    code = "report_no_day_in_span"
    status = 404
    sentence = _("No gaming day was opened from the first of these days to the last, so there is nothing to report.")


class SpanBackwards(Refusal):
    """A span begins with its first day."""

    code = "report_span_backwards"
    status = 400
    sentence = _("The last day is before the first one.")


class SpanTooLong(Refusal):
    """What is read at once is bounded: the log of each of the days is gone through."""

    code = "report_span_too_long"
    status = 400
    sentence = _("This report reads %(days)s days at most. Choose fewer.")


class OwnFigures(Refusal):
    """Who looks at suspicions does not look at their own."""

    code = "report_own_figures"
    status = 403
    sentence = _("These are your own figures. Another compliance officer looks at them.")


class PackOfNoDay(Refusal):
    """A pack is of gaming days."""

    code = "pack_of_no_day"
    status = 404
    sentence = _("No gaming day was opened on these dates, so there is nothing to pack.")


class PackOfOpenDay(Refusal):
    """What is still written cannot be packed once and for all."""

    code = "pack_of_open_day"
    status = 409
    sentence = _("One of these gaming days is still open. A pack is made of closed days: close it, or end before it.")


class PackOfOwnDrawer(Refusal):
    """A pack has all that was posted, and with it what is expected in a drawer that is still open."""

    code = "pack_of_own_drawer"
    status = 409
    sentence = _(
        "A drawer or bank that you opened, hold or have moved money in was open on these days and is not counted yet: "
        "it is counted blind. Have it counted, or have somebody else make the pack."
    )


class PackTooLong(Refusal):
    """A pack of years takes minutes, which no page waits for."""

    code = "pack_too_long"
    sentence = _(
        "These are %(days)s days, and a page makes a pack of at most %(most)s. Make several, or ask whoever runs the"
        " machine: manage.py audit_pack."
    )
