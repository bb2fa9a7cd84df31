"""Claims on the floor's to-do."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.todo import ToDoLine
from casino.reading import read_once
from casino.rows import read_seldom, relate
from jackpot.models import Claim
from tables.models import Hand, Table

_OPEN = """FROM jackpot_claim JOIN tables_table ON tables_table.id = jackpot_claim.table_id
    JOIN tables_hand ON tables_hand.id = jackpot_claim.hand_id
    WHERE jackpot_claim.room_id = %s AND jackpot_claim.status = ANY(%s)
    ORDER BY jackpot_claim.called_at, jackpot_claim.id"""


def claim_lines(*, room_id: int) -> Iterator[ToDoLine]:
    """Yield a line for each claim that waits for somebody. One query."""
    for claim in _open(room_id):
        yield _line(claim)


@read_once
def _open(room_id: int) -> list[Claim]:
    claims = []
    for claim, table, hand in read_seldom((Claim, Table, Hand), _OPEN, room_id, list(Claim.OPEN)):
        relate(claim, table=table, hand=hand)
        claims.append(claim)
    return claims


def _line(claim: Claim) -> ToDoLine:
    text, label, tone = {
        Claim.Status.CALLED: (_("Bad beat called in hand %(number)s"), _("Enter the cards"), "wrong"),
        Claim.Status.ENTERED: (_("Claim about hand %(number)s: the checklist"), _("Go on"), "wrong"),
        Claim.Status.VERIFIED: (_("Claim about hand %(number)s is verified"), _("A manager signs"), "soon"),
    }[Claim.Status(claim.status)]
    waits = claim.status != Claim.Status.VERIFIED and not claim.is_disputed
    return ToDoLine(
        key=f"claim.{claim.pk}",
        table_number=claim.table.number,
        urgency=0 if waits else 4,
        tone=tone if waits else "later",
        where=_("Table %(number)s") % {"number": claim.table.number},
        text=text % {"number": claim.hand.number},
        reason=_("The table waits.") if waits else _("It is disputed.") if claim.is_disputed else "",
        at=claim.called_at,
        how="page",
        address=reverse("jackpot_claim", args=[claim.pk]),
        label=label,
    )
