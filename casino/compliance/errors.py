"""Refusals of the compliance officer's desk."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class OwnSuspicion(Refusal):
    """Who looks at suspicions does not look at those about themselves, or about what they did."""

    code = "compliance_own"
    status = 403
    sentence = _("This is about you, or about slips that you handled. Another compliance officer looks at it.")


class NoteOfOneThing(Refusal):
    """A note is on a player, on somebody on staff, or corrects one that was written before."""

    code = "compliance_note_of_one_thing"
    sentence = _("A note is about one player, about one person on staff, or corrects one note: choose one of them.")


class NotOneFinding(Refusal):
    """A finding rests on paid slips of one person, or of one desk where nobody was named."""

    code = "compliance_not_one_finding"
    sentence = _("These slips are no finding: they are not all paid, or not all of one person or one desk.")


class ReportHasItsDay(Refusal):
    """A report to the authority has its date and the authority's reference, and nothing else has them."""

    code = "compliance_report_has_its_day"
    sentence = _("A report to the authority has the day it was sent and the authority’s reference; nothing else has.")


class ReportedLater(Refusal):
    """A report that is noted was sent."""

    code = "compliance_reported_later"
    sentence = _("This report is to be sent on a day that has not come yet. Note it once it was sent.")


class CorrectsStanding(Refusal):
    """A note on a finding that was corrected is corrected by its newest correction."""

    code = "compliance_corrected_before"
    status = 409
    sentence = _("This note was corrected before. Look again, and correct the newest one.")
