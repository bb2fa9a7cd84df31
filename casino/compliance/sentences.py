"""
What the log says of compliance notes: that one was written, or a finding was marked, and by whom.

Not which, about whom, of which finding or what: others read the log too. Officers, who read the notes themselves and
not those on them, are not told there that there are some: they could count.
"""

from django.utils.translation import gettext_lazy as _

from casino.audit.selectors import keep_from
from casino.audit.sentences import say
from casino.compliance.services import CHAIN

keep_from("read.findings", chain=CHAIN)
say(
    {
        "compliance.write_note": _("A compliance note was written."),
        "compliance.mark_finding": _("A finding was marked by compliance."),
    }
)
