"""What the exception report counts of promotions: what was noted, decided or opened, and then was not."""

from django.utils.translation import gettext_lazy as _

from casino.people.exception_report import add_kinds, by_shifts


def register() -> None:
    """Add the promotions' kinds to the exception report."""
    add_kinds(
        by_shifts("high_hands_taken_back", _("Hands of a promotion taken back"), "promotions.take_back_hand"),
        by_shifts("splashes_taken_back", _("Splashes taken back"), "promotions.take_back_splash"),
        by_shifts("decisions_taken_back", _("Decisions of a promotion taken back"), "promotions.take_back_decision"),
        by_shifts("periods_called_off", _("Periods of a promotion called off"), "promotions.call_off_period"),
    )
