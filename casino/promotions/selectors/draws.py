"""What everybody is told of a draw: what binds the house before, what is drawn so far, and the seed at the end."""

from collections.abc import Iterable

from casino import chance
from casino.promotions.models import Period, Splash


def commitment_of(period: Period) -> str:
    """Return the hash that binds the house to a period's draw, "" where nothing is drawn."""
    return chance.commitment(period.seed) if period.seed else ""


def seed_of(period: Period) -> str:
    """Return a period's seed once nothing more is drawn from it, "" before: whoever knew it knew where and when."""
    return "" if period.is_open else period.seed


def known_splashes(period: Period) -> list[Splash]:
    """Return the splashes that everybody knows: those with a table, and all once the period is over. One query."""
    return known_by_period([period]).get(period.pk, [])


def known_by_period(periods: Iterable[Period]) -> dict[int, list[Splash]]:
    """Return the same of several periods, by their ids. One query."""
    known = {period.pk: period for period in periods}
    by_period: dict[int, list[Splash]] = {}
    for splash in Splash.objects.filter(period__in=known).select_related("table").order_by("number"):
        if splash.status != Splash.Status.COMING or not known[splash.period_id].is_open:
            by_period.setdefault(splash.period_id, []).append(splash)
    return by_period
