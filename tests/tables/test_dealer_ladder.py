"""The tablet computes rake, drop, pushes and shares as the house does: the same hands through both."""

import random
from dataclasses import asdict
from typing import Any

import pytest

from casino.poker.charged_pots import ChargedPots, charge_pots
from casino.poker.drop import DropPolicy, drop_to_dict
from casino.poker.rake import RakePolicy, Relief, rake_by_pot, rake_to_dict
from casino.poker.rake_ways import ShareRake, StepRake, TierRake
from casino.poker.seats import clockwise
from casino.poker.split import split_pot
from tables.charges import on_tablet, policies_of
from tables.models import Game
from tables.selectors.ladder import Ladder, ladder_of
from tests.poker.marks import main_pays_all_above
from tests.support.scripts import run_script
from tests.tables.promotion.kind import registered

WAYS = [
    None,
    StepRake(block_cents=20_00, charge_cents=1_00),
    StepRake(block_cents=10_00, charge_cents=1_00, maximum_cents=10_00),
    StepRake(block_cents=20_00, charge_cents=1_00, maximum_cents=3_50),
    StepRake(block_cents=7_50, charge_cents=50),
    ShareRake(rate_bp=5_50, minimum_cents=1, maximum_cents=3_00),
    ShareRake(rate_bp=3_33, fixed_cents=75, chip_cents=50),
    ShareRake(fixed_cents=2_00),
    TierRake(((0, 2_00), (100_01, 3_00), (200_01, 5_00))),
]
RELIEFS = [(), (Relief(3, ShareRake(rate_bp=5_50, maximum_cents=1_50)), Relief(5, StepRake(40_00, 1_00)))]
DROPS = [None, DropPolicy(charge_cents=1_00, participants_min=6), DropPolicy(charge_cents=2_50, participants_min=4)]
CLAUSES = [[24_00, 16_00], [18_00, 6_00], [18_00, 18_00, 18_00], [20_00, 20_00], [1, 19_99], [0, 40_00], [50], []]
SEED = 20_26
SCRIPT = """async (hands) => {
  const pots = await import("/static/brush/dealer/pots.js");
  return hands.map(({ hand, ladder, total, split }) => [
    pots.chargePots(hand), pots.rakeOf(ladder, total), pots.mainPaysAllAbove(ladder, total),
    pots.shares(split.cents, split.seats, split.button, split.chip),
  ]);
}"""


def some_hands() -> list[dict[str, Any]]:
    chance = random.Random(SEED)
    pots = [*CLAUSES, *([chance.choice([chance.randrange(300), chance.randrange(90_000)]) for _ in range(n)]
                        for n in [1, 2, 3, 4] * 500)]  # fmt: skip
    return [
        {
            "pots": each,
            "way": chance.choice(WAYS),
            "relief": chance.choice(RELIEFS),
            "drop": chance.choice(DROPS),
            "promotion": chance.choice([None, {"over_cents": 50_00, "chip_cents": 1_00}]),
            "participants": chance.randrange(2, 11),
            "total": chance.randrange(100_000),
            "seats": chance.sample(range(1, 11), chance.randrange(1, 5)),
            "button": chance.randrange(1, 11),
            "cents": chance.randrange(20_000),
            "chip": chance.choice([50, 1_00, 5_00]),
            "is_flop": chance.random() < 0.8,
            "is_due_without_flop": chance.random() < 0.5,
        }
        for each in pots
    ]


def test_the_tablet_and_the_house_agree() -> None:
    hands = some_hands()

    with registered():
        answers = run_script(SCRIPT, [as_json(hand) for hand in hands])
        settlements = [settled(hand) for hand in hands]

    for hand, due, (taken, rake, above, shares) in zip(hands, settlements, answers, strict=True):
        way = hand["way"]
        assert taken["push"] == list(due.push_by_pot), hand
        assert taken["taken"] == {
            kind: list(due.by_pot.get(kind, [0] * len(hand["pots"]))) for kind in ("rake", "drop", "promotion")
        }, hand
        assert rake == (sum(rake_by_pot([hand["total"]], way=way)) if way else 0), hand
        assert above == (main_pays_all_above(hand["total"], way=way) if way else 0), hand
        winners = clockwise(hand["seats"], after=hand["button"])
        split = split_pot(hand["cents"], winners_clockwise_from_button=winners, unit_cents=hand["chip"])
        assert [tuple(share) for share in shares] == list(split.items()), hand


def as_json(hand: dict[str, Any]) -> dict[str, Any]:
    return {
        "hand": {
            "pots": hand["pots"],
            "participants": hand["participants"],
            "isFlop": hand["is_flop"],
            "charges": [asdict(charge) for charge in on_tablet(game_of(hand).charges)],
        },
        "ladder": asdict(ladder_of(hand["way"])),
        "total": hand["total"],
        "split": {name: hand[name] for name in ("cents", "seats", "button", "chip")},
    }


def game_of(hand: dict[str, Any]) -> Game:
    rake = RakePolicy(hand["way"], hand["relief"], hand["is_due_without_flop"]) if hand["way"] else None
    terms = {
        "rake": rake_to_dict(rake) if rake else None,
        "drop": drop_to_dict(hand["drop"]) if hand["drop"] else None,
        "promotion": hand["promotion"],
    }
    return Game(charges={kind: each for kind, each in terms.items() if each})


def settled(hand: dict[str, Any]) -> ChargedPots:
    return charge_pots(
        pots=hand["pots"],
        participants=hand["participants"],
        beyond_initial_deal=hand["is_flop"],
        charges=policies_of(game_of(hand).charges),
    )


@pytest.mark.rule("H1.83")
def test_a_ladder_ends_with_the_maximum_or_says_how_it_goes_on() -> None:
    ladder = ladder_of(StepRake(block_cents=10_00, charge_cents=1_00, maximum_cents=2_00))
    endless = ladder_of(StepRake(block_cents=20_00, charge_cents=1_00))

    assert ladder == Ladder(((0, 0), (10_00, 1_00), (20_00, 2_00)), None, 20_00, is_by_block=True)
    assert endless == Ladder(((0, 0), (20_00, 1_00), (40_00, 2_00)), (20_00, 1_00), None, is_by_block=True)
