"""What everybody is told of a draw: what binds the house before, what is drawn so far, and the seed at the end."""

from casino import chance
from casino.promotions.models import Period, Splash


def commitment_of(period: Period) -> str:
    """Return the hash that binds the house to a period's draw, "" where nothing is drawn."""
    return chance.commitment(period.seed) if period.seed else ""


def seed_of(period: Period) -> str:
    """Return a period's seed once nothing more is drawn from it, "" before: whoever knew it knew where and when."""
    return "" if period.is_open else period.seed


def told_splashes(period: Period) -> list[Splash]:
    """Return the splashes that everybody knows: those with a table, and all once the period is over. One query."""
    found = Splash.objects.filter(period=period).select_related("table").order_by("number")
    return list(found.exclude(status=Splash.Status.COMING) if period.is_open else found)
