"""What the log says of the auditor's packs."""

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import say

say({"reports.make_pack": _("Made the auditor’s pack of {first_date} to {last_date}, of digest {digest}.")})
