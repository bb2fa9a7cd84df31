"""What the bar shows on screens of the house."""

from collections.abc import Iterator

from django.utils.html import format_html

from casino.live.areas import FELT, PERSON, TILES, WALL, Part

# What was poured, and for which table.
POURED, AT_TABLE = "bar.poured", "bar.poured.{number}"
glasses: list[int] = []


def register() -> None:
    """Give what the bar has to show."""
    for area in (TILES, WALL):
        area.give(poured, news=(POURED,))
    FELT.give(poured, news=(AT_TABLE,))
    PERSON.give(poured)


def poured(**about: int) -> Iterator[Part]:
    """Yield how many glasses were poured tonight, wherever it is asked."""
    yield Part((50,), format_html("<li>{} glasses tonight</li>", len(glasses)))
