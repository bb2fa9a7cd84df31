"""The way from the floor's page of a table to its sheets."""

from collections.abc import Iterator

from django.template.loader import render_to_string

from casino.live.areas import Part

_RANK = 10


def at_table(*, number: int) -> Iterator[Part]:
    """Yield the way to the table's sheets. No query: a push of the page asks as much as before."""
    yield Part((_RANK,), render_to_string("paper/at_table.html", {"number": number}))
