"""
The gaming day's report and the auditor's pack of many, for who reads the books; the exception report, which shows
people to compliance alone.
"""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import BOOKS, COMPLIANCE, allow

allow(
    {
        "page.day_report": BOOKS,
        "read.day_report": BOOKS,
        "page.packs": BOOKS,
        "audience.packs": BOOKS,
        "reports.make_pack": BOOKS,
        # The room's sums; of people only with what follows.
        "page.exceptions": BOOKS | COMPLIANCE,
        "read.exceptions": BOOKS | COMPLIANCE,
        "page.exception_cases": COMPLIANCE,
        "read.suspicions": COMPLIANCE,
    }
)

# Who reads the books comes by the day's page.
add_desk(Desk("page.exceptions", "/reports/exceptions/", _("Exceptions"), rank=57, instead_of="page.day"))
