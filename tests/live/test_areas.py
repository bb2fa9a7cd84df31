"""News that nobody would hear are refused where they are given, and not when they are told."""

from collections.abc import Iterator

import pytest

from casino.live import areas
from casino.live.areas import Area, Part
from casino.live.audiences import Audience, all_audiences, heard_by, register


@pytest.fixture(autouse=True)
def _known_audiences(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("casino.live.audiences._audiences", {})
    heard_by.cache_clear()
    yield
    heard_by.cache_clear()


def test_news_of_an_area_of_one_table_say_at_which() -> None:
    edge: Area[Part] = Area("number")
    register(Audience(name="dealer", pattern="table.{number}.dealer", render=lambda **_: "", shows=(edge,)))

    with pytest.raises(AssertionError, match=r"bar\.poured does not say"):
        edge.give(lambda **_: (), news=("bar.poured",))
    edge.give(lambda **_: (), news=("bar.poured.{number}",))

    assert heard_by("bar.poured.4") == ("table.4.dealer",)


def test_an_audience_of_one_table_hears_no_news_that_do_not_say_at_which() -> None:
    whole: Area[Part] = Area()
    whole.give(lambda **_: (), news=("bar.poured",))

    for more in ({"hears": ("bar.poured",)}, {"shows": (whole,)}):
        with pytest.raises(AssertionError, match=r"bar\.poured does not say"):
            register(Audience(name="dealer", pattern="table.{number}.dealer", render=lambda **_: "", **more))


def test_what_only_pages_show_has_no_news() -> None:
    with pytest.raises(AssertionError, match="nobody hears"):
        Area[Part](is_pushed=False).give(lambda **_: (), news=("bar.poured",))


def test_each_area_that_is_pushed_is_shown_by_an_audience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    shown = {id(area) for audience in all_audiences().values() for area in audience.shows}

    pushed = {name: area for name, area in vars(areas).items() if isinstance(area, Area) and area.is_pushed}

    assert {name for name, area in pushed.items() if id(area) not in shown} == set()
    assert pushed["AT_TABLE"] is areas.AT_TABLE
