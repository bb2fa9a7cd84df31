"""The houses' rake as their books have it, held against the sources' figures hand by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from casino.poker.charged_pots import charge_pots
from casino.poker.rake import RakePolicy
from casino.rulebooks import Game, load

VECTORS = json.loads((Path(__file__).parent / "vectors" / "rake.json").read_text(encoding="utf-8"))


def hands(house: str) -> list[Any]:
    return [pytest.param(house, hand, id=f"{hand['game']}-{hand['pot_cents']}") for hand in VECTORS[house]]


@pytest.mark.rule("U92", "U93", "U94", "U95", "R-§28")
@pytest.mark.parametrize(("house", "hand"), [*hands("unibet"), *hands("royal")])
def test_the_book_takes_what_the_source_says(house, hand):
    settled = charge_pots(
        pots=[hand["pot_cents"]],
        participants=hand["players"],
        beyond_initial_deal=hand["is_beyond_initial_deal"],
        charges={"rake": rake_at(load(house).game(hand["game"]))},
    )

    assert settled.of("rake") == hand["rake_cents"]


@pytest.mark.rule("U92")
@pytest.mark.parametrize("maximum", VECTORS["unibet_maximum_from"], ids=lambda maximum: maximum["game"])
def test_the_maximum_begins_where_the_source_puts_it(maximum):
    policy = load("unibet").game(maximum["game"]).rake_policy

    assert policy is not None
    assert policy.way.maximum_from_cents() == maximum["pot_cents"]


@pytest.mark.rule("U4", "U43", "U95")
def test_unibet_says_what_its_source_says():
    book = load("unibet")
    most = {game.code: of_three(10_000_00, rake_at(game)) for game in book.games}

    assert {game.seats for game in book.games} == {6}
    assert [most[code] for code in ("nlh-nl4", "nlh-nl10", "nlh-nl400", "banzai-nl1")] == [50, 1_00, 1_50, 1_00]
    banzai = [game for game in book.games if game.code.startswith("banzai")]
    assert [game.buy_in_max_cents for game in banzai] == [10 * game.big_blind_cents for game in banzai]


def of_three(pot_cents: int, policy: RakePolicy) -> int:
    return charge_pots(pots=[pot_cents], participants=3, beyond_initial_deal=True, charges={"rake": policy}).of("rake")


def rake_at(game: Game) -> RakePolicy:
    assert game.rake_policy is not None
    return game.rake_policy
