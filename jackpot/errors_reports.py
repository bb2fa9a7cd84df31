"""What keeps a report of the jackpots from being made or signed."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class SpanBackwards(Refusal):
    """A span begins with its first day."""

    code = "jackpot_span_backwards"
    status = 400
    sentence = _("The last day is before the first one.")


class SpanAhead(Refusal):
    """Days to come have no figures."""

    code = "jackpot_span_ahead"
    status = 400
    sentence = _("These days have not all come yet. End with today at the latest.")


class NoDayInSpan(Refusal):
    """Figures are those of gaming days."""

    code = "jackpot_no_day_in_span"
    status = 400
    sentence = _("No gaming day was opened from the first of these days to the last, so there is nothing to report.")


class FiguresMoved(Refusal):
    """What is signed is what both have seen."""

    code = "jackpot_figures_moved"
    status = 409
    sentence = _("The figures have changed since your screen showed them. Look again, then sign.")
