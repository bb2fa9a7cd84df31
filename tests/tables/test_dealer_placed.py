"""The tablet places button, blinds and straddles for a button that lies somewhere as the house does."""

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from casino.poker.blinds import next_hand, with_button_here
from casino.poker.missed import Missed
from casino.poker.positions import BlindTerms, ButtonRule, Entry, LastHand, NextHand, Occupant, PostKind
from casino.poker.seat_change import is_further_from_the_blinds
from casino.poker.straddles import Straddle
from tests.support.browser import Chromium
from tests.support.room import BrushServer

SEED = 20_26
TERMS = BlindTerms(2_00, 4_00, seats=9, button=ButtonRule.TO_THE_WINNER)
SCRIPT = """async (tables) => {
  const { placed, wonButton } = await import("/static/brush/dealer/placed.js");
  return JSON.stringify(JSON.parse(tables).map(({ table, winners, before }) => {
    const button = wonButton(winners, before);
    return [button, placed(table, button)];
  }));
}"""

FURTHER = """async (changes) => {
  const { isFurther } = await import("/static/brush/dealer/placed.js");
  return JSON.parse(changes).map(([table, from, to]) => isFurther(table, from, to));
}"""


def some_tables() -> list[dict[str, Any]]:
    chance = random.Random(SEED)
    tables = []
    for index in range(600):
        seats = sorted(chance.sample(range(1, 10), chance.randrange(1, 10)))
        is_first = index % 10 == 0
        entries = [*Entry, Entry.IN, Entry.IN]
        people = []
        for seat in seats:
            entry = chance.choice(entries)
            missed = Missed.NONE if entry is Entry.IN else chance.choice(list(Missed))
            people.append(
                Occupant(seat, 100 + seat, entry, chance.random() < 0.15, missed, straddles=chance.random() < 0.3)
            )
        held = [each.seat_number for each in people if each.is_held]
        tables.append(
            {
                "people": people,
                # Why nobody deals them in: away, without chips (H1.60), or they may not play any more.
                "why": {seat: chance.choice(["is_held", "has_no_chips", "sees_floor"]) for seat in held},
                "terms": replace(
                    TERMS,
                    straddle=chance.choice(list(Straddle)),
                    players_min=chance.choice([2, 3]),
                    may_two_go_on=chance.random() < 0.3,
                ),
                "was_heads_up": chance.random() < 0.4,
                "is_first": is_first,
                "winners": [] if is_first else chance.sample(range(1, 10), chance.randrange(0, 4)),
                "before": chance.randrange(1, 10),
            }
        )
    return tables


@pytest.mark.rule("H4.15", "H4.17", "U12", "U13")
def test_the_tablet_and_the_house_agree(brush_server: BrushServer, chromium: Chromium) -> None:
    tables = some_tables()
    page = chromium.page("dealer", "/healthz")

    # One text each way: Playwright looks into each value of a list for a hundred times as long.
    answers = json.loads(page.evaluate(SCRIPT, json.dumps([as_json(table) for table in tables])))

    for table, (button, start) in zip(tables, answers, strict=True):
        hand = asked_by_the_house(table, button=button)
        assert start == (as_start(hand) if hand else None), table


def asked_by_the_house(table: dict[str, Any], *, button: int) -> NextHand | None:
    if table["is_first"]:
        hand = next_hand(table["people"], None, terms=table["terms"], first_button=button)
        assert hand == with_button_here(table["people"], None, seat_number=button, terms=table["terms"])
        return hand
    # Nobody there held anything on the hand before: the entry alone says who is in rotation.
    last = LastHand(table["before"], None, None, None, 1, 1, table["was_heads_up"], tuple(table["winners"]))
    assert last.won_button(before=last.button_seat) == button
    hand = next_hand(table["people"], last, terms=table["terms"])
    assert hand == with_button_here(table["people"], last, seat_number=button, terms=table["terms"])
    return hand


def as_start(hand: NextHand) -> dict[str, Any]:
    blinds = {PostKind.SMALL_BLIND, PostKind.BIG_BLIND}
    posts = [
        {"seat": post.seat_number, "live": post.live_cents, "dead": post.dead_cents, "kind": post.kind}
        for post in hand.posts
        if post.kind not in blinds
    ]
    placed = {"button": hand.button, "small_blind": hand.small_blind, "big_blind": hand.big_blind}
    return placed | {"dealt_in": list(hand.dealt_in), "posts": posts, "laid_down": []}


def as_json(table: dict[str, Any]) -> dict[str, Any]:
    people = {each.seat_number: each for each in table["people"]}
    seats = []
    for number in range(1, 10):
        each = people.get(number)
        seat: dict[str, Any] = {"number": number, "seating": each and each.player_id}
        if each:
            seat |= {
                "entry": each.entry,
                "missed": each.missed.markers,
                "is_held": table["why"].get(number) == "is_held",
                "has_chips": table["why"].get(number) != "has_no_chips",
                "sees_floor": table["why"].get(number) == "sees_floor",
                "straddles": each.straddles,
            }
        seats.append(seat)
    terms = table["terms"]
    offer = {"straddle": terms.straddle, "small_blind": 2_00, "big_blind": 4_00}
    offer |= {"players_min": terms.players_min, "may_two_go_on": terms.may_two_go_on}
    button, played = table["before"], [1, 2] if table["was_heads_up"] else [1, 2, 3]
    last = None if table["is_first"] else {"start": {"button": button, "big_blind": button, "dealt_in": played}}
    shown = {"seats": seats, "offer": offer, "is_first": table["is_first"], "hand": None, "last": last}
    return {"table": shown, "winners": table["winners"], "before": table["before"]}


@pytest.mark.rule("H4.46", "H4.47")
def test_they_agree_on_what_is_further_from_the_blinds(brush_server: BrushServer, chromium: Chromium) -> None:
    tables = [table for table in some_tables() if 0 < len(table["people"]) < 9 and not table["is_first"]]
    changes = [(table, *some_change(table)) for table in tables]
    page = chromium.page("dealer", "/healthz")

    asked = [[as_json(table)["table"], *seats] for table, *seats in changes]
    answers = page.evaluate(FURTHER, json.dumps(asked))

    for (table, here, there), answer in zip(changes, answers, strict=True):
        last = LastHand(1, None, None, None, table["before"], 1)
        expected = is_further_from_the_blinds(table["people"], last, from_seat=here, to_seat=there)
        assert answer is expected, (table, here, there)


def some_change(table: dict[str, Any]) -> tuple[int, int]:
    """Return a seat where somebody sits, and a free one."""
    taken = {each.seat_number for each in table["people"]}
    return min(taken), max(set(range(1, 10)) - taken)
