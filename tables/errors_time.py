"""What is refused about time charges."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoTimeCharge(Refusal):
    """A table charges in one way: this one by its hands, or not at all (L-P17)."""

    code = "no_time_charge"
    sentence = _("Table %(table_number)s charges nothing by the time.")


class NoSuchPeriod(Refusal):
    """What a table may pay by the time instead, and for periods of which length, its rule book says (H7.18)."""

    code = "no_such_period"
    sentence = _("Table %(table_number)s cannot pay that by %(minutes)s minutes: its rule book has no such charge.")


class TimeOwed(Refusal):
    """What has begun is paid by the terms under which it began: others hold after it (L-P23)."""

    code = "time_owed"
    status = 409
    sentence = _("Period %(number)s of the time charge has begun. Take it, or let it go, and try again.")


class TimeDayClosed(Refusal):
    """What a closed day took stays: its takings have been counted."""

    code = "time_day_closed"
    status = 409
    sentence = _("Period %(number)s cannot be taken back: its day is closed.")


class NobodyToAgree(Refusal):
    """All players of the table agree to pay by the time (H7.18): where nobody sits, nobody does."""

    code = "nobody_to_agree"
    sentence = _("Nobody sits at table %(table_number)s. Those who are to pay by the time have to agree.")


class TimeNotDue(Refusal):
    """A period is paid when it begins (H7.18)."""

    code = "time_not_due"
    sentence = _("This period has not begun yet.")
