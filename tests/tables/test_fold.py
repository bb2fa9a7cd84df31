"""A tablet without a connection foresees its table as the server shows it, tap by tap: `fold.js` and the services."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.db import transaction

from tables.services.playing_over import play_over
from tables.services.seating import hold_seat, leave_seat, seat_player
from tests.support.scripts import run_script
from tests.support.two_houses import SECOND_BOOK
from tests.tables.conftest import House
from tests.tables.tablet_evening import KINDS, Shown, Stretch, TabletEvening
from tests.tables.tapped import kinds_of_taps

pytestmark = [pytest.mark.django_db, pytest.mark.rule("H1.84", "H4.26", "H4.27", "H4.36", "H5.36", "U12", "U13")]
# Of each tap: what the tablet shows then, what it would show had the server heard of the tap already, and of a settled
# hand what it says is taken and pushed.
FOLD = """async (stretches) => {
  const { fold } = await import("/static/brush/dealer/fold.js");
  const { chargePots, shares, sum } = await import("/static/brush/dealer/pots.js");
  const settled = ({ offer, hand, ahead }, { pots, winners, is_without_flop }) => {
    const start = hand?.start ?? ahead[0];
    if (!start) return null;
    const { dealt_in: dealt, button } = start;
    const isFlop = pots.length > 0 && !is_without_flop;
    const { taken, push } = chargePots({ pots, participants: dealt.length, charges: offer.charges, isFlop });
    return {
      taken: Object.entries(taken).map(([kind, by]) => [kind, sum(by)]),
      push,
      shares: push.map((cents, index) => shares(cents, winners[index], button, offer.chip)),
    };
  };
  return stretches.map(({ server, taps, after }) => {
    let table = server;
    return taps.map((tap, index) => {
      const shown = tap.command === "settle" ? settled(table, tap.body) : null;
      table = fold(table, [tap]);
      return [table, fold(after[index], [tap]), shown];
    });
  });
}"""


@pytest.mark.parametrize("house", ["helsinki", SECOND_BOOK], indirect=True, ids=["helsinki", "rautatie"])
def test_a_tablet_alone_foresees_each_tap(house: House) -> None:
    check(house, evenings=2, hands=10)


def test_on_an_evening_all_is_tapped_that_the_tablets_queue_may_hold() -> None:
    assert kinds_of_taps() == KINDS


class FirstWins(TabletEvening):
    """Evenings on which the pot is always pushed to the first player in turn."""

    def _winners(self, dealt_in: list[int]) -> list[int]:
        return dealt_in[:1]

    def leaves_seat(self, number: int) -> None:
        self.tap("leave", {"stack_cents": None}, leave_seat, seating=self.seat(number)["seating"])

    def waits(self, number: int, nickname: str) -> int:
        """Sit somebody down who waits for the big blind and goes away; return the seating."""
        about: Shown = {"seat_number": number, "player_id": self.house.player(nickname).pk, "entry": "waits"}
        chips = self.game.buy_in_min_cents
        done = self.house.tap(seat_player, table_id=self.table_id, chips_cents=chips, **about)
        seating: int = done.data["seating"]
        self.house.tap(hold_seat, table_id=self.table_id, seating_id=seating, is_held=True)
        return seating

    def is_back(self, seating: int, entry: str) -> None:
        body = {"is_held": False, "entry": entry}
        self.tap("hold", body, hold_seat, seating=seating, **body)

    def seat(self, number: int) -> Shown:
        found: Shown = self.now["seats"][number - 1]
        return found


@pytest.mark.parametrize("house", ["helsinki"], indirect=True)
def test_a_winner_who_has_left_and_who_is_back_and_chooses_again(house: House) -> None:
    """Leaving is tapped before the hand that was won; a way in is chosen anew before one is over (H4.39, H4.50)."""
    with transaction.atomic():
        played = FirstWins(house, 2)
        played.deals()
        first = played.now["hand"]["start"]["dealt_in"][0]
        name = played.seat(first)["name"]
        played.leaves_seat(first)
        played.settles()
        assert played.now["last"]["winners"] == [name]
        free = [seat["number"] for seat in played.now["seats"] if not seat["seating"]]
        others = iter(played._players())
        alone, holder = (played.waits(number, next(others)) for number in free[:2])
        over: Shown = {"player_id": house.player(next(others)).pk, "chips_cents": played.game.buy_in_min_cents}
        house.tap(play_over, table_id=played.table_id, seating_id=holder, **over)
        played.news()
        played.deals()
        for seating in (alone, holder):
            played.is_back(seating, "waits")
            played.is_back(seating, "posts")
        assert played.seat(free[0])["entry"] == played.seat(free[1])["holder"]["entry"] == "posts"
        played.settles()
        transaction.set_rollback(True)
    assert not list(differing(played.stretches))


@pytest.mark.slow
@pytest.mark.parametrize("house", ["helsinki", "royal", "unibet", SECOND_BOOK], indirect=True)
def test_a_tablet_alone_foresees_each_tap_all_night(house: House) -> None:
    played = check(house, evenings=16, hands=32, seed=2026)

    has_acts = any(stretch.server["offer"]["acts"] for stretch in played)
    taps = [tap["command"] for stretch in played for tap in stretch.taps]
    assert set(taps) == KINDS - (set() if has_acts else {"table-act"})
    assert taps.count("settle") > 450


def check(house: House, *, evenings: int, hands: int, seed: int = 0) -> list[Stretch]:
    """Play evenings, compare what the tablet says after each tap with what the server says; return what was played."""
    played = [each for number in range(seed, seed + evenings) for each in evening(house, number, hands)]
    wrong = list(islice(differing(played), 10))
    assert not wrong, "\n".join(wrong)
    return played


def differing(stretches: list[Stretch]) -> Iterator[str]:
    """Yield of each stretch the first difference; one process folds all of them."""
    answers = run_script(FOLD, [vars(each) for each in stretches])
    for stretch, folded in zip(stretches, answers, strict=True):
        for found in islice(differences(stretch, folded), 1):
            yield f"evening {stretch.evening}: {found}"


def evening(house: House, seed: int, hands: int) -> list[Stretch]:
    """Play an evening, which leaves nothing in the house; return its stretches."""
    with transaction.atomic():
        played = TabletEvening(house, seed)
        played.play(hands)
        transaction.set_rollback(True)
    return played.stretches


def differences(stretch: Stretch, folded: list[Any]) -> Iterator[str]:
    for index, (alone, again, expected) in enumerate(folded):
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
        if expected and not stretch.taps[index]["body"]["pot_is_at_least"]:
            yield from _charged_otherwise(expected, stretch.answers[index])


def _charged_otherwise(shown: Shown, answer: Shown) -> Iterator[str]:
    shares = [[[share["seat_number"], share["cents"]] for share in pot] for pot in answer["shares"]]
    taken = [[kind, answer[f"{kind}_cents"]] for kind, _ in shown["taken"]]
    for mine, servers in ((shown["push"], answer["push_cents"]), (shown["taken"], taken), (shown["shares"], shares)):
        if mine != servers:
            yield f"the tablet says {mine}, the server {servers}"


_SEAT = ("seating", "name", "entry", "missed", "straddles", "is_held")
_HAND = ("hand_id", "number", "is_beyond", "status", "pot", "is_at_least", "winners", "can_undo", "logged")


def shown(table: Shown) -> Shown:
    """Return what a tablet shows of its table that its own taps change."""
    names = ("hand_number", "is_draw_due", "is_first", "won_button", "betting_button", "undone")
    found = {name: table[name] for name in names}
    found["time"] = table["time"] and table["time"]["number"]
    # When it was dealt a tablet knows of the hands that it dealt, to the millisecond.
    found["undone"] = found["undone"] and {name: each for name, each in found["undone"].items() if name != "dealt_at"}
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
