"""What the ledger's events say in the log."""

from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import say

say({"ledger.stock_vault": _("The vault got {cash_cents} in cash and {chips_cents} in chips.")})
