"""
What the log says of compliance notes: that one was written and by whom.

Not which, about whom, of which finding or what: others read the log too. Officers, who read the notes themselves and
not those on them, are not told there that there are some: they could count.
"""

from django.utils.translation import gettext_lazy as _

from casino.audit.selectors import keep_from
from casino.audit.sentences import say
from casino.compliance.services import CHAIN

_WRITTEN = _("A compliance note was written.")

keep_from("read.findings", chain=CHAIN)
say({"compliance.write_note": _WRITTEN, "compliance.mark_finding": _WRITTEN})
