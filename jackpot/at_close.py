"""What of the jackpots outlasts the close of a gaming day: the manager reads it before, and it keeps no day open."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from casino.cage.models import Slip
from casino.money import format_cents
from casino.rooms.selectors import room_of
from casino.text import isolated
from jackpot.models import Claim
from jackpot.prizes import AT_END, DESTINATION
from jackpot.selectors.judging import standing_hand
from jackpot.words_claims import STATUSES


def outlasts(room_id: int) -> str:
    """
    Return which claims are undecided and which shares unpaid, as sentences in the active language; "" for neither.

    A disputed claim may take days, and who won a share fetches it when they come (H7.10). Two queries, and one
    for each claim.
    """
    lines = []
    if claims := ", ".join(_claims(room_id)):
        lines.append(_("Claims to a jackpot that wait over the day’s end: %(claims)s.") % {"claims": claims})
    if shares := ", ".join(_shares(room_id)):
        lines.append(_("Shares of a jackpot that still wait at the cage: %(shares)s.") % {"shares": shares})
    return " ".join(lines)


def _claims(room_id: int) -> Iterator[str]:
    claims = Claim.objects.filter(room_id=room_id, status__in=Claim.OPEN).select_related("table", "hand")
    for claim in claims.order_by("called_at", "id"):
        about = {"table": claim.table.number, "hand": standing_hand(claim).number}
        if claim.is_disputed:
            yield _("table %(table)s, hand %(hand)s (disputed)") % about
        else:
            yield _("table %(table)s, hand %(hand)s (%(status)s)") % {**about, "status": STATUSES[claim.status]}


def _shares(room_id: int) -> Iterator[str]:
    room = room_of(room_id)
    waiting = Slip.objects.filter(room_id=room_id, kind=Slip.Kind.PRIZE, status=Slip.Status.REQUESTED)
    for slip in waiting.filter(destination__in=[DESTINATION, AT_END]).select_related("player").order_by("id"):
        assert slip.player is not None, "a share has its player"
        money = format_cents(slip.amount_cents, currency=room.currency, locale=room.locale)
        yield f"{isolated(slip.player.nickname)} {money}"
