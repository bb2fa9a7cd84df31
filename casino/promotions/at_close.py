"""What of the promotions outlasts the close of a gaming day: who closes it reads it before, and nothing ends."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.cage.day_ends import DayEnd
from casino.commands.carrying_out import Command
from casino.money import format_cents
from casino.promotions.models import Period, Prize
from casino.promotions.terms import name_of, terms_of
from casino.rooms.selectors import room_of
from casino.text import isolated


def _warning(room_id: int) -> str:
    """Return which periods are undecided and which prizes unpaid, "" for neither. Two queries."""
    lines = []
    if periods := ", ".join(_periods(room_id)):
        lines.append(_("Periods of promotions that are not decided: %(periods)s.") % {"periods": periods})
    if prizes := ", ".join(_prizes(room_id)):
        lines.append(_("Prizes of promotions that still wait at the cage: %(prizes)s.") % {"prizes": prizes})
    return " ".join(lines)


def _periods(room_id: int) -> Iterator[str]:
    here = ZoneInfo(room_of(room_id).time_zone)
    undecided = Period.objects.filter(room_id=room_id, status=Period.Status.OPEN).select_related("fund")
    for period in undecided.order_by("begins_at", "id"):
        begins, ends = (date_format(at.astimezone(here), "H:i") for at in (period.begins_at, period.ends_at))
        yield f"{name_of([terms_of(period)[0]], period.fund.code)} {begins}–{ends}"


def _prizes(room_id: int) -> Iterator[str]:
    room = room_of(room_id)
    waiting = Prize.objects.filter(entry__period__room_id=room_id, paid_at=None, taken_back_at=None).select_related(
        "player"
    )
    for prize in waiting.order_by("id"):
        money = format_cents(prize.cents, currency=room.currency, locale=room.locale)
        yield f"{isolated(prize.player.nickname)} {money}"


def _end(command: Command) -> dict[str, list[int]]:
    """End nothing: a period is decided and a prize paid on the next day too."""
    return {}


PROMISED = DayEnd(warning=_warning, end=_end, page=("page.promotions", "promotions"))
