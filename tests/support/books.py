"""Further versions of a room's rule book, for what no book of the tests says."""

import re
from datetime import timedelta
from itertools import count

from casino.rooms.models import RuleBookVersion
from casino.rulebooks import digest
from tests.support.owner import as_owner

# Beyond the ids that the house itself gives: processes keep a book by its id, and a test that undoes what others did
# gives the next ids again.
OWN_IDS = 10**9
_IDS = count(OWN_IDS)


def adds_to_book(room_id: int, text: str, **more: object) -> RuleBookVersion:
    """Have a room's book hold with this text at its end, since the newest one does or from `holds_from` on."""
    now = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    return says_in_book(room_id, now.text + text, **more)


def says_in_book(room_id: int, text: str, **more: object) -> RuleBookVersion:
    """Have a room's book be this text, since the newest one holds or from `holds_from` on."""
    now = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    more = {"holds_from": now.holds_from} | more
    with as_owner():
        return RuleBookVersion.objects.create(
            id=next(_IDS), room_id=room_id, book=now.book, number=now.number + 1, text=text, digest=digest(text), **more
        )


def fills_in_one_step(room_id: int, *, is_so: bool = True) -> RuleBookVersion:
    """Have a room's book let two fill a drawer at once, or not."""
    text = RuleBookVersion.objects.filter(room_id=room_id).latest("number").text
    return says_in_book(room_id, re.sub(r"(?<=\nfills_in_one_step = )\w+", str(is_so).lower(), text))


def had_halves(room_id: int) -> RuleBookVersion:
    """Have a room's book of long before have chips of a half, which are out there still."""
    now = RuleBookVersion.objects.filter(room_id=room_id).latest("number")
    text = re.sub(r"\nchips_cents = .*", "\nchips_cents = [10000, 500, 100, 50]", now.text)
    return says_in_book(room_id, text, holds_from=now.holds_from - timedelta(days=300))
