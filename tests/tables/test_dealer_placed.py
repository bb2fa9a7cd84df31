"""The tablet says what the next hands begin with as the house does: button, blinds, straddles, posts and markers."""

import random
from dataclasses import asdict, replace
from typing import Any

import pytest

from casino.poker.blinds import after, as_last, hands_ahead, next_hand, with_button_here
from casino.poker.missed import Missed
from casino.poker.positions import BlindTerms, ButtonRule, Entry, LastHand, NextHand, Occupant, PostKind
from casino.poker.seat_change import is_further_from_the_blinds
from casino.poker.straddles import Straddle
from tables.selectors.places import held_on
from tests.support.scripts import run_script

SEED, SEATS, STRANGER = 20_26, 9, 7
TERMS = BlindTerms(2_00, 4_00, seats=SEATS)
PLACED = """async (tables) => {
  const { handsAhead } = await import("/static/brush/dealer/placed.js");
  return tables.map(({ round, places }) => handsAhead(round, places).slice(0, 3));
}"""
FURTHER = """async (changes) => {
  const { isFurther } = await import("/static/brush/dealer/placed.js");
  return changes.map(([table, from, to]) => isFurther(table, from, to));
}"""


def some_tables(count: int = 3000) -> list[dict[str, Any]]:
    chance = random.Random(SEED)
    tables = []
    for index in range(count):
        seats = sorted(chance.sample(range(1, SEATS + 1), chance.randrange(1, SEATS + 1)))
        entries = [*Entry, Entry.IN, Entry.IN]
        people = []
        for seat in seats:
            entry = chance.choice(entries)
            missed = Missed.NONE if entry is Entry.IN else chance.choice(list(Missed))
            people.append(
                Occupant(seat, 100 + seat, entry, chance.random() < 0.2, missed, straddles=chance.random() < 0.3)
            )
        held = [each.seat_number for each in people if each.is_held]
        tables.append(
            {
                "people": people,
                # Why nobody deals them in: away, without chips (H1.60), or they may not play any more.
                "why": {seat: chance.choice(["is_held", "has_no_chips", "sees_floor"]) for seat in held},
                "terms": replace(
                    TERMS,
                    button=chance.choice([ButtonRule.ROTATES, ButtonRule.ROTATES, *ButtonRule]),
                    straddle=chance.choice(list(Straddle)),
                    players_min=chance.choice([2, 3]),
                    may_two_go_on=chance.random() < 0.3,
                ),
                "last": None if index % 10 == 0 else some_hand(chance),
                "here": chance.choice([None, None, None, chance.randrange(1, SEATS + 1)]),
                "drawn": chance.choice([None, chance.randrange(1, SEATS + 1)]),
            }
        )
    return tables


def some_hand(chance: random.Random) -> LastHand:
    """Return a hand whose players sit where they sat, but for some who have gone, with strangers in their seats."""
    button, small, big = chance.sample(range(1, SEATS + 1), 3)
    who = {seat: 100 + seat if chance.random() < 0.8 else STRANGER for seat in (button, small, big)}
    is_dead, was_heads_up = chance.random() < 0.2, chance.random() < 0.3
    return LastHand.played(
        who,
        button=button,
        small_blind=None if is_dead else small,
        big_blind=big,
        was_heads_up=was_heads_up,
        winner_seats=tuple(chance.sample(range(1, SEATS + 1), chance.randrange(0, 4))),
    )


@pytest.mark.rule("H4.15", "H4.17", "H4.26", "H4.27", "H4.28", "H4.36", "H4.38", "U12", "U13")
def test_the_tablet_and_the_house_agree() -> None:
    tables = some_tables()

    answers = run_script(PLACED, [as_json(table) for table in tables])

    for table, starts in zip(tables, answers, strict=True):
        expected = [as_start(hand) for hand in expected_by_the_house(table)]
        assert starts == expected, table


def expected_by_the_house(table: dict[str, Any]) -> list[NextHand]:
    people, last, terms = table["people"], table["last"], table["terms"]
    if table["here"] is not None:
        hand = with_button_here(people, last, seat_number=table["here"], terms=terms)
    else:
        hand = next_hand(people, last, terms=terms, first_button=table["drawn"])
    if hand is None:
        return []
    # Where the winner gets the button, only one can be said.
    more = 0 if terms.button is ButtonRule.TO_THE_WINNER else 2
    return [hand, *hands_ahead(after(hand, people), as_last(hand, people), count=more, terms=terms)]


def as_start(hand: NextHand) -> dict[str, Any]:
    blinds = {PostKind.SMALL_BLIND, PostKind.BIG_BLIND}
    posts = [
        {"seat": post.seat_number, "live": post.live_cents, "dead": post.dead_cents, "kind": post.kind}
        for post in hand.posts
        if post.kind not in blinds
    ]
    placed = {"button": hand.button, "small_blind": hand.small_blind, "big_blind": hand.big_blind}
    laid_down = [{"seat": seat, "missed": missed.markers} for seat, missed in hand.missed]
    return placed | {"dealt_in": list(hand.dealt_in), "posts": posts, "laid_down": laid_down}


def as_json(table: dict[str, Any]) -> dict[str, Any]:
    people = {each.seat_number: each for each in table["people"]}
    seats = []
    for number in range(1, SEATS + 1):
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
    offer = {"straddle": terms.straddle, "small_blind": 2_00, "big_blind": 4_00, "button": terms.button}
    offer |= {"players_min": terms.players_min, "may_two_go_on": terms.may_two_go_on}
    places = {"last": as_held(table["last"]), "button_here": table["here"], "drawn": table["drawn"]}
    return {"round": {"seats": seats, "offer": offer}, "places": places}


def as_held(last: LastHand | None) -> dict[str, Any] | None:
    held = held_on(last, {100 + seat: 100 + seat for seat in range(1, SEATS + 1)})
    return asdict(held) if held else None


@pytest.mark.rule("H4.46", "H4.47")
def test_they_agree_on_what_is_further_from_the_blinds() -> None:
    tables = [table for table in some_tables(600) if 0 < len(table["people"]) < SEATS and table["last"]]
    changes = [(table, *some_change(table)) for table in tables]
    tables_json = [as_json(table) for table in tables]

    answers = run_script(
        FURTHER, [[{**each["round"], **each}, *seats] for each, (_, *seats) in zip(tables_json, changes, strict=True)]
    )

    for (table, here, there), answer in zip(changes, answers, strict=True):
        expected = is_further_from_the_blinds(table["people"], table["last"], from_seat=here, to_seat=there)
        assert answer is expected, (table, here, there)


def some_change(table: dict[str, Any]) -> tuple[int, int]:
    """Return a seat where somebody sits, and a free one."""
    taken = {each.seat_number for each in table["people"]}
    return min(taken), max(set(range(1, SEATS + 1)) - taken)
