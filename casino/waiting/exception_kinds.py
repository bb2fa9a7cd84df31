"""What the exception report counts of the waiting lists."""

from django.utils.translation import gettext_lazy as _

from casino.people.exception_report import add_kinds, by_shifts


def register() -> None:
    """Add the lists' kinds to the exception report."""
    add_kinds(
        by_shifts("reordered", _("Lists put in another order"), "waiting.reorder_list"),
        by_shifts("calls_taken_back", _("Calls taken back"), "waiting.take_back_call"),
        by_shifts("put_back", _("Players put back on a list"), "waiting.take_back_strike"),
    )
