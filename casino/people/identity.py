"""Whether a player's identity was checked, and what documents are called."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from casino import seldom
from casino.people.erased import ERASED
from casino.people.models import IdentityCheck, Player
from casino.people.models_identity import PLAIN_NUMBER
from casino.people.standing import ids_of
from casino.reading import read_once

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


# A later check of either by such a document ends it: that one says itself which it is.
_SHOWN_TWICE = """
    SELECT one.id, one.nickname, other.id, other.nickname, seen.checked_at
    FROM people_identitycheck seen
    JOIN people_player shown ON shown.id = seen.player_id
    JOIN people_player before ON before.id = seen.also_of_id
    JOIN people_player one ON one.id = coalesce(shown.merged_into_id, shown.id)
    JOIN people_player other ON other.id = coalesce(before.merged_into_id, before.id)
    WHERE seen.room_id = %s AND seen.also_of_id IS NOT NULL AND one.id <> other.id
        AND one.erased_at IS NULL AND other.erased_at IS NULL AND NOT EXISTS (
            SELECT FROM people_identitycheck later
            WHERE later.player_id IN (seen.player_id, seen.also_of_id, one.id, other.id)
                AND later.document = seen.document AND later.id > seen.id)
    ORDER BY seen.id
"""


@dataclass(frozen=True)
class OneDocument:
    """Two records, by (id, nickname), for which one document was shown, and since when that is known."""

    one: tuple[int, str]
    other: tuple[int, str]
    at: datetime


@read_once
def shown_twice(room_id: int) -> Sequence[OneDocument]:
    """
    Return the records of a room for which one document was shown: they are one person, or one of them was mistaken.

    Joining the two ends it, and so does a later check of either by a document of that kind. One query.
    """
    rows = seldom.rows(_SHOWN_TWICE, room_id)
    return [OneDocument((a, a_name), (b, b_name), at) for a, a_name, b, b_name, at in rows]


def others_with_document(room_id: int, player_id: int) -> Sequence[str]:
    """Return the nicknames of other records for which a player's document was shown. One query."""
    pairs = [(each.one, each.other) for each in shown_twice(room_id)]
    return [name for one, (_id, name) in (*pairs, *((b, a) for a, b in pairs)) if one[0] == player_id]


def also_shown_for(player: Player, *, document: str, number: str) -> int | None:
    """
    Return the record of another person for which this document was shown first, None without one. One query.

    Of a record only the newest check by a document of that kind counts: what was noted wrongly was noted again.
    """
    later = IdentityCheck.objects.filter(player=OuterRef("player"), document=document, id__gt=OuterRef("id"))
    # By this very expression: `identity_check_by_number` is made of it.
    seen = IdentityCheck.objects.alias(plain=PLAIN_NUMBER).filter(
        ~Exists(later),
        room_id=player.room_id,
        document=document,
        plain=number.replace(" ", "").upper(),
        player__erased_at=None,
    )
    check = seen.exclude(ids_of(player.pk)).order_by("id").first()
    return check.player_id if check else None
