"""
What the log says of compliance notes: that one was written and by whom.

Not which, about whom, of which finding or what: others read the log too.
"""

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import say

_WRITTEN = _("A compliance note was written.")

say({"compliance.write_note": _WRITTEN, "compliance.mark_finding": _WRITTEN})
