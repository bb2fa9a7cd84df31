"""
What the project puts together itself: the REST interface's own description, and the log's page and call, whose app
stands below whoever knows roles.
"""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import BOOKS, COMPLIANCE, PUBLIC, allow

allow(
    {
        "read.api_docs": PUBLIC,
        "page.audit": BOOKS | COMPLIANCE,
        "read.audit": BOOKS | COMPLIANCE,
    },
    shown_at_tables=[
        "read.api_docs",
    ],
)

add_desk(Desk("page.audit", "/log/", _("Log"), rank=60))
