"""Whether a player's identity was checked, and what documents are called."""

from datetime import date

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.people.erased import ERASED
from casino.people.models import IdentityCheck
from casino.people.standing import ids_of

DOCUMENTS = {
    IdentityCheck.Document.PASSPORT.value: _("passport"),
    IdentityCheck.Document.IDENTITY_CARD.value: _("identity card"),
    IdentityCheck.Document.DRIVING_LICENCE.value: _("driving licence"),
    IdentityCheck.Document.RESIDENCE_PERMIT.value: _("residence permit"),
}


def identity_of(player_id: int, *, on: date) -> IdentityCheck | None:
    """
    Return the newest check whose document is valid on a day; of this record or of one that was merged into it.

    What is left of a check whose number has gone proves nothing. One query.
    """
    valid = Q(valid_until=None) | Q(valid_until__gte=on)
    return IdentityCheck.objects.filter(ids_of(player_id), valid).exclude(number=ERASED).order_by("-id").first()
