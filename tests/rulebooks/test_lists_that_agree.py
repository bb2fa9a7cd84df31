"""Lists that stand in several places, as each has its own reader, and have to name the same things."""

from dataclasses import fields
from typing import get_args

import pytest
from django.conf import settings

from casino.poker.rake import RakeWay
from casino.rulebooks.charges import CHARGES
from casino.rulebooks.coverage import ROOT
from casino.rulebooks.schema import Venue
from casino.rulebooks.units import Language
from tables.selectors.posted import PostedRake


def test_a_book_may_have_the_languages_of_the_screens_and_no_others() -> None:
    assert set(get_args(Language)) == {code for code, _name in settings.LANGUAGES}


def test_each_kind_of_rake_in_a_book_is_a_way_of_the_game_with_its_words_on_the_posted_sheet() -> None:
    ways = {way.kind for way in get_args(RakeWay)}
    sheet = (ROOT / "templates/rulebooks/posted.html").read_text(encoding="utf-8")

    assert {*CHARGES} == ways | {"time"}
    assert ways <= {each.name for each in fields(PostedRake)}
    assert [way for way in ways if f"if rake.{way} %}}" not in sheet] == []


def test_a_venue_has_every_way_of_charging_unless_its_book_says_which_and_no_unknown_one() -> None:
    assert Venue(kind="hall").charges == CHARGES
    with pytest.raises(ValueError, match="by-weather is none of step, share, tiers, time"):
        Venue(kind="hall", charges=("step", "by-weather"))
