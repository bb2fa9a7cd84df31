"""The tablet computes rake, drop, pushes and shares as the house does: the same hands through both."""

import random
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pytest

from casino.poker.drop import DropPolicy
from casino.poker.rake import RakePolicy, Relief, main_pot_pays_all_above, total_rake
from casino.poker.rake_ways import ShareRake, StepRake, TierRake
from casino.poker.seats import clockwise
from casino.poker.settlement import settle
from casino.poker.split import split_pot
from tables.selectors.ladder import Ladder, ladder_of
from tests.support.browser import Chromium
from tests.support.room import BrushServer

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
  return hands.map(({ hand, total, split }) => [
    pots.settle(hand), pots.rakeOf(hand.offer.rake, total), pots.mainPaysAllAbove(hand.offer.rake, total),
    pots.shares(split.cents, split.seats, split.button, split.chip),
  ]);
}"""


def some_hands() -> list[dict[str, Any]]:
    chance = random.Random(SEED)
    pots = [*CLAUSES, *([chance.choice([chance.randrange(300), chance.randrange(90_000)]) for _ in range(n)]
                        for n in [1, 2, 3, 4] * 60)]  # fmt: skip
    return [
        {
            "pots": each,
            "way": chance.choice(WAYS),
            "relief": chance.choice(RELIEFS),
            "drop": chance.choice(DROPS),
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


def test_the_tablet_and_the_house_agree(brush_server: BrushServer, chromium: Chromium) -> None:
    hands = some_hands()
    page = chromium.page("dealer", "/healthz")

    answers = page.evaluate(SCRIPT, [as_json(hand) for hand in hands])

    for hand, (taken, rake, above, shares) in zip(hands, answers, strict=True):
        way = hand["way"]
        policy = RakePolicy(way, hand["relief"], hand["is_due_without_flop"]) if way else None
        due = settle(
            pots=hand["pots"],
            participants=hand["participants"],
            beyond_initial_deal=hand["is_flop"],
            rake=policy,
            drop=hand["drop"],
        )
        assert (taken["rake"], taken["drop"], taken["push"]) == as_lists(
            due.rake_by_pot, due.drop_by_pot, due.push_by_pot
        ), hand
        assert rake == (total_rake([hand["total"]], way=way) if way else 0), hand
        assert above == (main_pot_pays_all_above(hand["total"], way=way) if way else 0), hand
        winners = clockwise(hand["seats"], after=hand["button"])
        split = split_pot(hand["cents"], winners_clockwise_from_button=winners, unit_cents=hand["chip"])
        assert [tuple(share) for share in shares] == list(split.items()), hand


def as_json(hand: dict[str, Any]) -> dict[str, Any]:
    return {
        "hand": {
            "pots": hand["pots"],
            "participants": hand["participants"],
            "isFlop": hand["is_flop"],
            "offer": {
                "rakes_without_flop": hand["is_due_without_flop"],
                "rake": asdict(ladder_of(hand["way"])),
                "relief": [
                    [short.participants_max, asdict(ladder_of(short.way))] for short in hand["relief"] if hand["way"]
                ],
                "drop": asdict(hand["drop"]) if hand["drop"] else None,
            },
        },
        "total": hand["total"],
        "split": {name: hand[name] for name in ("cents", "seats", "button", "chip")},
    }


def as_lists(*amounts: Sequence[int]) -> tuple[list[int], ...]:
    return tuple(list(each) for each in amounts)


@pytest.mark.rule("H1.83")
def test_a_ladder_ends_with_the_maximum_or_says_how_it_goes_on() -> None:
    ladder = ladder_of(StepRake(block_cents=10_00, charge_cents=1_00, maximum_cents=2_00))
    endless = ladder_of(StepRake(block_cents=20_00, charge_cents=1_00))

    assert ladder == Ladder(((0, 0), (10_00, 1_00), (20_00, 2_00)), None, 20_00, is_by_block=True)
    assert endless == Ladder(((0, 0), (20_00, 1_00), (40_00, 2_00)), (20_00, 1_00), None, is_by_block=True)
