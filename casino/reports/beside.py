"""The way from the gaming day's page to the reports."""

from collections.abc import Iterator

from django.template.loader import render_to_string

from casino.ledger.selectors.accounts import days_of
from casino.live.areas import Part

_RANK, _SHOWN = 10, 30


def beside_day(*, room_id: int) -> Iterator[Part]:
    """Yield a link to the report of each of the newest gaming days, the open one first. One query."""
    if days := days_of(room_id, most=_SHOWN):
        yield Part((_RANK,), render_to_string("reports/beside_day.html", {"days": days}))
