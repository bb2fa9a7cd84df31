"""What is said of claims, in the reader's language."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy

from jackpot.models import Claim, ClaimCheck

Text = str | Promise
STATUSES: dict[str, Text] = {
    Claim.Status.CALLED: pgettext_lazy("claim", "called"),
    Claim.Status.ENTERED: pgettext_lazy("claim", "cards entered"),
    Claim.Status.VERIFIED: pgettext_lazy("claim", "verified"),
    Claim.Status.APPROVED: pgettext_lazy("claim", "approved"),
    Claim.Status.REFUSED: pgettext_lazy("claim", "refused"),
    Claim.Status.WITHDRAWN: pgettext_lazy("claim", "withdrawn"),
}
REASONS: dict[str, Text] = {
    Claim.Reason.DOES_NOT_QUALIFY: _("The hands do not qualify"),
    Claim.Reason.TALK: _("Somebody spoke of their cards"),
    Claim.Reason.DECK: _("The deck was not right"),
    Claim.Reason.NOT_PRESENT: _("Too few were at their seats"),
    Claim.Reason.MISTAPPED: _("Tapped by mistake"),
    Claim.Reason.OTHER: pgettext_lazy("why a claim ends", "Another reason"),
}
DISPUTES: dict[str, Text] = {
    Claim.Dispute.CARDS: _("Which cards they were"),
    Claim.Dispute.PLAYERS: _("Who was in the hand"),
    Claim.Dispute.TALK: _("Whether somebody spoke of their cards"),
    Claim.Dispute.SHARES: _("Who gets which share"),
    Claim.Dispute.OTHER: pgettext_lazy("what is disputed", "Something else"),
}
# What is to be done, and what stands there once it is.
ITEMS: dict[str, Text] = {
    ClaimCheck.Item.DECK: _("The deck is counted and checked"),
    ClaimCheck.Item.HANDS: _("The hands and the board are kept aside"),
    ClaimCheck.Item.SURVEILLANCE: _("Surveillance has the pictures"),
    ClaimCheck.Item.WITNESSES: _("Somebody on staff saw it"),
    ClaimCheck.Item.IDENTITIES: _("Who they are who took part is known"),
}
# What refusals name in their data, looked up when they are said.
THINGS = (gettext_noop("claim"),)
