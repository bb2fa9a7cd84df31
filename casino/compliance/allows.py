"""The compliance officer's desk: what looks like structuring, and notes. Nobody else sees any of it."""

from django.utils.translation import gettext_lazy as _

from casino.people.desks import Desk, add_desk
from casino.people.permissions import COMPLIANCE, allow

allow(
    {
        "page.findings": COMPLIANCE,
        "read.findings": COMPLIANCE,
        "compliance.write_note": COMPLIANCE,
        "compliance.mark_finding": COMPLIANCE,
    },
    # A suspicion is a person's judgement: no program writes one, or says that it was explained. Nor does one read any:
    # managers make tokens, and are not to know of it.
    never_by_token=["read.findings", "compliance.write_note", "compliance.mark_finding"],
)

add_desk(Desk("page.findings", "/compliance/", _("Compliance"), rank=58))
