"""A tablet without a connection foresees its table as the server shows it, tap by tap: `fold.js` and the services."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction

from tests.support.scripts import run_script
from tests.tables.conftest import SECOND_HOUSE, House
from tests.tables.tablet_evening import Shown, Stretch, TabletEvening

pytestmark = [pytest.mark.django_db, pytest.mark.rule("H1.84", "H4.26", "H4.27", "H4.36", "H5.36", "U12", "U13")]
# Of each tap: what the tablet shows then, what it would show had the server heard of the tap already, and of a settled
# hand what it says is taken and pushed.
FOLD = """async (stretches) => {
  const { fold } = await import("/static/brush/dealer/fold.js");
  const { settle, shares, sum } = await import("/static/brush/dealer/pots.js");
  const settled = ({ offer, hand, ahead }, { pots, winners, is_without_flop }) => {
    const start = hand?.start ?? ahead[0];
    if (!start) return null;
    const { dealt_in: dealt, button } = start;
    const isFlop = pots.length > 0 && !is_without_flop;
    const { taken, push } = settle({ pots, participants: dealt.length, charges: offer.charges, isFlop });
    return {
      taken: Object.entries(taken).map(([kind, by]) => [kind, sum(by)]),
      push,
      shares: push.map((cents, index) => shares(cents, winners[index], button, offer.chip)),
    };
  };
  return stretches.map(({ server, taps, after }) => {
    let table = server;
    return taps.map((tap, index) => {
      const said = tap.command === "settle" ? settled(table, tap.body) : null;
      table = fold(table, [tap]);
      return [table, fold(after[index], [tap]), said];
    });
  });
}"""


@pytest.mark.parametrize("house", ["helsinki", SECOND_HOUSE], indirect=True, ids=["helsinki", "rautatie"])
def test_a_tablet_alone_foresees_each_tap(house: House) -> None:
    check(house, evenings=2, hands=10)


@pytest.mark.slow
@pytest.mark.parametrize("house", ["helsinki", "royal", "unibet", SECOND_HOUSE], indirect=True)
def test_a_tablet_alone_foresees_each_tap_all_night(house: House) -> None:
    check(house, evenings=25, hands=20, seed=2026)


def check(house: House, *, evenings: int, hands: int, seed: int = 0) -> None:
    """Play evenings, and compare what the tablet says after each tap with what the server says."""
    wrong: list[str] = []
    for number in range(seed, seed + evenings):
        stretches = evening(house, number, hands)
        answers = run_script(FOLD, [vars(each) for each in stretches])
        for stretch, folded in zip(stretches, answers, strict=True):
            first = next(differences(stretch, folded), None)
            wrong += [f"evening {number}: {first}"] if first else []
    assert not wrong, "\n".join(wrong[:10])


def evening(house: House, seed: int, hands: int) -> list[Stretch]:
    """Play an evening and leave nothing of it in the house."""
    with transaction.atomic():
        played = TabletEvening(house, seed)
        played.play(hands)
        transaction.set_rollback(True)
    return played.stretches


def differences(stretch: Stretch, folded: list[Any]) -> Iterator[str]:
    for index, (alone, again, said) in enumerate(folded):
        taps = [tap["command"] for tap in stretch.taps[: index + 1]]
        here, server = shown(alone), shown(stretch.after[index])
        if here["last"] is None:
            # Which hand came before the one that was taken back no tablet knows that had heard of that one alone.
            server["last"] = None
        for name in server:
            if here[name] != server[name]:
                yield f"{taps}: {name} is {here[name]} on the tablet, {server[name]} on the server"
        if shown(again) != shown(stretch.after[index]):
            yield f"{taps}: heard of twice"
        if said and not stretch.taps[index]["body"]["pot_is_at_least"]:
            yield from _charged_otherwise(said, stretch.answers[index])


def _charged_otherwise(said: Shown, answer: Shown) -> Iterator[str]:
    shares = [[[share["seat_number"], share["cents"]] for share in pot] for pot in answer["shares"]]
    taken = [[kind, answer[f"{kind}_cents"]] for kind, _ in said["taken"]]
    for mine, servers in ((said["push"], answer["push_cents"]), (said["taken"], taken), (said["shares"], shares)):
        if mine != servers:
            yield f"the tablet says {mine}, the server {servers}"


_SEAT = ("seating", "name", "entry", "missed", "straddles", "is_held")
_HAND = ("hand_id", "number", "is_beyond", "status", "pot", "is_at_least", "winners", "can_undo", "said")


def shown(table: Shown) -> Shown:
    """Return what a tablet shows of its table that its own taps change."""
    names = ("hand_number", "is_draw_due", "is_first", "won_button", "betting_button", "undone")
    found = {name: table[name] for name in names}
    found |= {f"seat {seat['number']}": [seat[name] for name in _SEAT] + _holder(seat) for seat in table["seats"]}
    for which in ("hand", "last"):
        hand = table[which]
        found[which] = hand and {name: hand.get(name) for name in _HAND} | start(hand["start"])
    if table["last"]:
        # Where markers lay, the seats say by now.
        del found["last"]["laid_down"]
    return found | {"ahead": [start(each) for each in table["ahead"]]}


def _holder(seat: Shown) -> list[Any]:
    return [seat["holder"][name] for name in ("seating", "missed", "entry", "is_held")] if seat["holder"] else []


def start(hand: Shown) -> Shown:
    """Return what a hand begins with; in which order posts are named means nothing."""
    seats = {name: sorted(hand[name], key=lambda each: each["seat"]) for name in ("posts", "laid_down")}
    return {name: hand[name] for name in ("button", "small_blind", "big_blind", "dealt_in")} | seats
