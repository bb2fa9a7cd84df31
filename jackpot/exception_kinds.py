"""What the exception report counts of jackpots: sums that were corrected, and claims that were taken back."""

from django.utils.translation import gettext_lazy as _

from casino.people.exception_report import add_kinds, by_shifts


def register() -> None:
    """Add the jackpots' kinds to the exception report."""
    add_kinds(
        by_shifts("jackpots_corrected", _("Jackpots’ sums corrected"), "jackpot.correct_sum"),
        by_shifts("claims_taken_back", _("Jackpot claims taken back"), "jackpot.withdraw_claim"),
    )
