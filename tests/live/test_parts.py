"""Parts of a fragment: kept by what they show, in each language, and made of plain values alone."""

from dataclasses import dataclass

import pytest
from django.utils import translation

from casino.live.templatetags.live import part, parts
from casino.reading import keeping
from tables.models import Table
from tables.selectors.floor import TileShown

TILE = "tables/floor_tile.html"


def tile(**shown: object) -> TileShown:
    as_usual = {
        "number": 4, "game": "No limit hold'em 2/2", "short_game": "NLH 2/2", "filled": 7, "seats": 10,
        "hands_left": None, "dealing": None, "pace": None, "trouble": "empty", "trouble_from": None,
    }  # fmt: skip
    return TileShown(**{**as_usual, **shown})  # type: ignore[arg-type]


def test_a_part_that_shows_the_same_is_the_one_drawn_before():
    with keeping((7, 1)):
        first = part(TILE, tile=tile(), time_zone="Europe/Helsinki")

        assert part(TILE, tile=tile(), time_zone="Europe/Helsinki") is first
        assert part(TILE, tile=tile(filled=8), time_zone="Europe/Helsinki") != first


def test_a_page_draws_each_part_anew():
    """What a push kept wrongly is found by a page, which is made of what is read and drawn then."""
    with keeping((7, 1)):
        first = part(TILE, tile=tile(), time_zone="Europe/Helsinki")

    again = part(TILE, tile=tile(), time_zone="Europe/Helsinki")

    assert again == first
    assert again is not first
    assert parts(TILE, "tile", [tile()], time_zone="Europe/Helsinki") == first


def test_each_language_has_its_own():
    with translation.override("en"):
        english = part(TILE, tile=tile(), time_zone="Europe/Helsinki")
    with translation.override("fi"):
        assert part(TILE, tile=tile(), time_zone="Europe/Helsinki") != english


def test_many_parts_are_each_the_one_drawn_before():
    tiles = [tile(number=number) for number in (1, 2)]
    one_by_one = [part(TILE, tile=each, time_zone="Europe/Helsinki") for each in tiles]

    assert parts(TILE, "tile", tiles, time_zone="Europe/Helsinki") == "".join(one_by_one)


def test_a_row_of_the_database_is_not_kept():
    """It equals itself also when it has changed."""

    @dataclass(frozen=True)
    class Shown:
        table: Table

    for shown in (Table(id=1), Shown(Table(id=1))):
        with pytest.raises(AssertionError, match="may show something else"):
            part(TILE, tile=shown, time_zone="Europe/Helsinki")
