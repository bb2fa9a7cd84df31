"""What the log says of sheets that were printed."""

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import say

say({"paper.print_sheets": _("Printed to play on by paper: sheets {first_sheet} to {last_sheet}.")})
