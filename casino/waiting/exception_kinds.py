"""What the exception report counts of the waiting lists."""

from django.utils.translation import gettext_lazy as _

from casino.people.exception_report import SHIFTS, ExceptionKind, add_kinds


def register() -> None:
    """Add the lists' kind to the exception report."""
    add_kinds(
        ExceptionKind(
            "reordered", _("Lists put in another order"), SHIFTS, "waiting.reorder_list", "waiting.reorder_list"
        )
    )
