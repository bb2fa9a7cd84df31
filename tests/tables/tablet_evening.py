"""
Evenings at one table as a tablet without a connection lives them: each tap carried out by the services at once, and
kept as the tablet keeps it, with what the server shows then.

What the tablet cannot foresee (somebody sits down, changes seats, plays over) is news: it begins anew from there.
Whatever its queue may hold is tapped: also what changes nothing of the game, which neither side may show as if it did.
"""

import json
import random
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from casino.errors import Refusal
from casino.people.services import start_shift
from casino.poker.time_charge import TimeCharge, time_to_dict
from casino.rest import read
from jackpot.services.claims import call_bad_beat, withdraw_claim
from tables.api.bodies import PositionsBody, SettledBody, VoidHandBody, logged
from tables.floor_calls import FLOOR_CALLS
from tables.models import DeckChange, Game, PlayerClock
from tables.rules.time_paid import Paid
from tables.selectors.dealer import dealer_screen
from tables.services.chips import count_tip_box
from tables.services.clocks import call_clock, end_clock
from tables.services.corrections import undo_hand
from tables.services.disputes import set_pot_aside
from tables.services.downs import SETS_MAX, change_deck, push_dealer
from tables.services.floor_calls import call_floor
from tables.services.hands import deal_hand, settle_hand, show_flop, skip_hand, void_hand
from tables.services.opening import button_here, open_table, record_draw
from tables.services.playing_over import play_over
from tables.services.racks import check_rack
from tables.services.seat_change import change_seat
from tables.services.seating import choose_entry, hold_seat, leave_seat, seat_player, set_straddle
from tables.services.time_charges import take_time
from tables.services.tip_boxes import close_tips
from tests.support.owner import as_owner
from tests.tables.conftest import House

Shown = dict[str, Any]
# Without news for longer the hands ahead would come to their end.
TAPS_MOST = 12
# Of so many evenings one is paid by the time instead of a rake, in periods that begin while it is played.
BY_TIME_EACH = 4
TIME = time_to_dict(TimeCharge(charge_cents=3_00, period_minutes=1))


@dataclass
class Stretch:
    """What a tablet heard last, on which evening, its taps since, and what the server showed and answered to each."""

    evening: int
    server: Shown
    taps: list[Shown] = field(default_factory=list)
    after: list[Shown] = field(default_factory=list)
    answers: list[Shown] = field(default_factory=list)


class TabletEvening:
    """One evening by a seeded chance, with a game that it makes up; `stretches` is what happened."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.seed, self.chance, self.table_id = house, seed, random.Random(seed), house.table_id()
        self.stretches: list[Stretch] = []
        self.hands = self.down_id = self.clock_id = 0
        self.game = self._game(is_by_time=seed % BY_TIME_EACH == 1)
        self.house.tap(open_table, table_id=self.table_id, game_id=self.game.pk)
        for nickname, number in zip(self._players(), self._seats(self.chance.randrange(2, 7)), strict=False):
            self._sits_down(nickname, number)
        self.news()

    def _game(self, *, is_by_time: bool) -> Game:
        """Return a game of the book, played by rules of the blinds that the book need not have."""
        game = self.chance.choice(list(Game.objects.filter(room_id=self.house.room_id, is_offered=True).order_by("id")))
        rules: Shown = {
            "straddle": self.chance.choice(["off", "off", "live", "to_the_button", "mississippi"]),
            "button": self.chance.choice(["rotates", "rotates", "rotates", "to_the_winner", "two_buttons"]),
            "players_min": self.chance.choice([2, 2, 3]),
            "may_two_go_on": self.chance.random() < 0.5,
            "may_post_to_come_in": self.chance.random() < 0.8,
        }
        if is_by_time:
            charges = {kind: terms for kind, terms in game.charges.items() if kind != "rake"}
            rules |= {"time_charge": TIME, "charges": charges}
        with as_owner():
            Game.objects.filter(pk=game.pk).update(**rules)
        return game

    def play(self, hands: int) -> None:
        """Go on until so many hands have ended."""
        for _ in range(hands * 40):
            if self.hands >= hands:
                return
            self.step()

    def step(self) -> None:
        if len(self.stretches[-1].taps) >= TAPS_MOST or self.chance.random() < 0.06:
            # Nothing has happened since it was shown.
            self.stretches.append(Stretch(self.seed, self.now))
        elif not self._start():
            # Too few are there for a hand.
            self._newcomer()
            self.news()
            self.comes_back()
        elif self.chance.random() < 0.07:
            self.chance.choice([self._newcomer, self._changes_seat, self._plays_over])()
            self.news()
        else:
            weights = _IN_HAND if self.now["hand"] else _BETWEEN
            (act,) = self.chance.choices([each.does for each in weights], [each.weight for each in weights])
            act(self)

    @property
    def now(self) -> Shown:
        stretch = self.stretches[-1]
        return stretch.after[-1] if stretch.after else stretch.server

    def news(self) -> None:
        self.stretches.append(Stretch(self.seed, self._shown()))

    def _shown(self) -> Shown:
        shown: Shown = json.loads(json.dumps(dealer_screen(room_id=self.house.room_id, number=1).as_json()))
        return shown

    def tap(
        self, command: str, body: Shown, service: Callable[..., Any], *, seating: int | None = None, **arguments: Any
    ) -> None:
        """Carry a tap out, and keep it as the tablet does."""
        about = {} if seating is None else {"seating_id": seating}
        answer = self.house.tap(service, self.house.cast.anna, table_id=self.table_id, **about, **arguments)
        if command == "settle":
            # The tablet takes what is due.
            kinds = [charge["kind"] for charge in self.now["offer"]["charges"]]
            body |= {f"{kind}_taken_cents": answer.data[f"{kind}_cents"] for kind in kinds}
        stretch = self.stretches[-1]
        tap = {"command": command, "body": body, "seating": seating, "at": self.house.at.isoformat(), "isMine": True}
        stretch.taps.append(tap)
        stretch.after.append(self._shown())
        stretch.answers.append(answer.data)

    # ---- hands ----------------------------------------------------------------------------------------------

    def _start(self) -> Shown | None:
        now = self.now
        start: Shown | None = now["hand"]["start"] if now["hand"] else (now["ahead"] or [None])[0]
        return start

    def _positions(self, hand_id: str) -> Shown:
        now, start = self.now, self._start()
        assert start is not None
        names = ("dealt_in", "button", "small_blind", "big_blind")
        return {"hand_id": hand_id, "opening_id": now["opening_id"], **{name: start[name] for name in names}}

    def _hand_id(self) -> str:
        hand = self.now["hand"]
        return str(hand["hand_id"] if hand else uuid.UUID(int=self.chance.getrandbits(128), version=4))

    def _dealt_at(self) -> str | None:
        hand = self.now["hand"]
        return hand["dealt_at"] if hand else None

    def deals(self) -> None:
        if not self.now["ahead"]:
            return
        body = self._positions(self._hand_id()) | {"dealt_at": self.house.at.isoformat()}
        self.tap("deal", body, deal_hand, hand=logged(read(PositionsBody, body)))

    def flops(self) -> None:
        if not self.now["hand"]["is_beyond"]:
            hand_id = self._hand_id()
            self.tap("flop", {"hand_id": hand_id}, show_flop, hand_id=uuid.UUID(hand_id))

    def settles(self) -> None:
        start, offer = self._start(), self.now["offer"]
        if start is None:
            return
        hand, chance = self.now["hand"], self.chance
        is_flop = bool(hand and hand["is_beyond"]) or chance.random() < 0.6
        is_every_pot_typed = any(charge["is_due_without_flop"] for charge in offer["charges"])
        pots = [self._pot() for _ in range(chance.choice([1, 1, 1, 2, 3]))] if is_flop or is_every_pot_typed else []
        shared = [self._winners(start["dealt_in"]) for _ in pots or [0]]
        body = self._positions(self._hand_id()) | {
            "winners": shared,
            "pots": pots,
            "pot_is_at_least": bool(pots) and chance.random() < 0.1,
            "dealt_at": self._dealt_at(),
            "beyond_initial_deal_at": hand["beyond_at"] if hand and is_flop else None,
            "is_without_flop": bool(pots) and not is_flop,
            "again_of": (self.now["undone"] or {}).get("hand_id"),
        }
        self.hands += 1
        self.tap("settle", body, settle_hand, hand=logged(read(SettledBody, body)))

    def _pot(self) -> int:
        """Return a pot in cents: small ones, those about the ladder's steps, large ones, and odd chips."""
        big: int = self.now["offer"]["big_blind"]
        chip: int = self.now["offer"]["chip"]
        cents = self.chance.choice([2, 5, 12, 30, 80]) * big + self.chance.randrange(10 * big)
        return cents if self.chance.random() < 0.1 else max(chip, cents - cents % chip)

    def _winners(self, dealt_in: list[int]) -> list[int]:
        # Also who has left, or gave the seat back: their leaving may be tapped before the hand.
        count = self.chance.choice([1, 1, 1, 1, 2, 3])
        return self.chance.sample(dealt_in, min(count, len(dealt_in)))

    def skips(self) -> None:
        if self._start() is not None:
            body = self._positions(self._hand_id()) | {"dealt_at": self._dealt_at()}
            self.hands += 1
            self.tap("skip", body, skip_hand, hand=logged(read(PositionsBody, body)))

    def voids(self) -> None:
        reason = self.chance.choice(["misdeal", "void"])
        body = self._positions(self._hand_id()) | {"dealt_at": self._dealt_at(), "reason": reason}
        self.tap("void", body, void_hand, hand=logged(read(VoidHandBody, body)), reason=reason)

    def undoes(self) -> None:
        last = self.now["last"]
        if last and last["can_undo"]:
            self.tap("undo", {"hand_id": last["hand_id"]}, undo_hand, hand_id=uuid.UUID(last["hand_id"]))

    def draws(self) -> None:
        seats = [seat["number"] for seat in self.now["seats"] if seat["seating"]]
        if self.now["is_draw_due"] and seats:
            body = {"winner_seat": self.chance.choice(seats), "seats": seats}
            self.tap("draw", body, record_draw, **body)

    def moves_the_button(self) -> None:
        number = self.chance.randrange(1, len(self.now["seats"]) + 1)
        self.tap("button", {"seat_number": number}, button_here, seat_number=number)

    # ---- seats ----------------------------------------------------------------------------------------------

    def _somebody(self, is_so: Callable[[Shown], bool] = lambda seat: True) -> Shown | None:
        found = [seat for seat in self.now["seats"] if seat["seating"] and is_so(seat)]
        return self.chance.choice(found) if found else None

    def goes_away(self) -> None:
        if seat := self._somebody(lambda seat: not seat["is_held"]):
            self.tap("hold", {"is_held": True}, hold_seat, seating=seat["seating"], is_held=True)

    def comes_back(self) -> None:
        if (seat := self._somebody(lambda seat: bool(seat["is_held"]))) is None:
            return
        body = {"is_held": False} if seat["entry"] == "in" else {"is_held": False, "entry": self._way(seat)}
        self.tap("hold", body, hold_seat, seating=seat["seating"], **body)

    def holder_comes_back(self) -> None:
        if (seat := self._somebody(lambda seat: bool(seat["holder"]))) is None:
            return
        holder = seat["holder"]
        body: Shown = {"is_held": False}
        if holder["missed"] is not None:
            body["entry"] = self.chance.choice(self.now["offer"]["ways"][holder["missed"]])["entry"]
        self.tap("hold", body, hold_seat, seating=holder["seating"], **body)

    def _way(self, seat: Shown) -> str:
        ways = self.now["offer"]["ways"][seat["missed"]]
        return str(self.chance.choice(ways)["entry"])

    def leaves(self) -> None:
        if seat := self._somebody():
            self.tap("leave", {"stack_cents": None}, leave_seat, seating=seat["seating"])

    def chooses(self) -> None:
        if seat := self._somebody(lambda seat: seat["entry"] != "in" and not seat["holder"] and not seat["is_held"]):
            body = {"entry": self._way(seat)}
            self.tap("entry", body, choose_entry, seating=seat["seating"], **body)

    def straddles(self) -> None:
        if self.now["offer"]["has_straddles"] and (seat := self._somebody()):
            body = {"straddles": not seat["straddles"]}
            self.tap("straddle", body, set_straddle, seating=seat["seating"], **body)

    # ---- beside the game ------------------------------------------------------------------------------------

    def takes_time(self) -> None:
        time = self.now["time"]
        if time and time["begins_at"] and datetime.fromisoformat(time["begins_at"]) <= self.house.at:
            owed = {share["seat"]: share["cents"] for share in time["shares"] if share["cents"]}
            body = {"opening_id": time["opening_id"], "period": time["number"]}
            paid = [{"seat_number": seat, "cents": cents} for seat, cents in owed.items()]
            given = [Paid(seat, cents) for seat, cents in owed.items()]
            self.tap("time", body | {"paid": paid}, take_time, **body, paid=given)

    def counts_tips(self) -> None:
        body = {"counted_cents": self.chance.randrange(1, 60) * 50}
        self.tap("tips", body, count_tip_box, **body)

    def closes_tips(self) -> None:
        body = {"down_id": self._down()}
        self.tap("tips-close", body, close_tips, **body)

    def takes_the_rack_over(self) -> None:
        body = {"down_id": self._down()}
        self.tap("rack", body, check_rack, **body)

    def _down(self) -> int:
        """Return the dealer's down, which begins with the first tap that is about it."""
        if not self.down_id:
            anna = self.house.cast.anna
            self.house.tap(start_shift, staff_id=anna.pk)
            pushed = self.house.tap(push_dealer, table_id=self.table_id, dealer_id=anna.pk, down_id=None)
            self.down_id = pushed.data["down"]
            self.news()
        return self.down_id

    def changes_the_deck(self) -> None:
        colour = self.chance.choice(DeckChange.Colour.values)
        body: Shown = {"colour": colour, "set_number": self.chance.randrange(SETS_MAX) + 1}
        self.tap("deck", body, change_deck, **body)

    def calls_the_floor(self) -> None:
        body: Shown = {"reason": self.chance.choice(sorted(FLOOR_CALLS))}
        self.tap("floor-call", body, call_floor, **body)

    def calls_the_clock(self) -> None:
        if seat := self._somebody():
            self.tap("clock", {}, call_clock, seating=seat["seating"])
            self.clock_id = self.stretches[-1].answers[-1]["clock"]

    def ends_the_clock(self) -> None:
        if self.clock_id:
            body: Shown = {"clock_id": self.clock_id, "how": self.chance.choice(PlayerClock.How.values)}
            self.tap("clock-end", body, end_clock, **body)

    def sets_the_pot_aside(self) -> None:
        last = self.now["last"]
        if last and last["status"] == "settled" and last["pot"] and not last["is_at_least"]:
            self.tap("aside", {"hand_id": last["hand_id"]}, set_pot_aside, hand_id=uuid.UUID(last["hand_id"]))

    def calls_a_bad_beat(self) -> None:
        """Call a bad beat; the floor sees that none was, and the table deals on."""
        now = self.now
        about = now["hand"] or now["last"]
        if now["offer"]["acts"] and about and (now["hand"] or about["status"] == "settled"):
            hand_id = about["hand_id"]
            self.tap("table-act", {"hand_id": hand_id}, call_bad_beat, hand_id=uuid.UUID(hand_id))
            claim_id = self.stretches[-1].answers[-1]["claim"]
            self.house.tap(withdraw_claim, claim_id=claim_id, version=1)
            self.news()

    # ---- news -----------------------------------------------------------------------------------------------

    def _players(self) -> list[str]:
        seats = self.now["seats"] if self.stretches else []
        there = {each["name"] for seat in seats for each in (seat, seat["holder"]) if each}
        found = [nickname for nickname in self.house.cast.players if nickname not in there]
        return self.chance.sample(found, len(found))

    def _seats(self, count: int) -> list[int]:
        return self.chance.sample(range(1, self.game.seats + 1), min(count, self.game.seats))

    def _sits_down(self, nickname: str, number: int) -> None:
        chips = self.game.buy_in_min_cents if self.chance.random() < 0.95 else 0
        entry = self.chance.choice(["waits", "posts"]) if self.game.may_post_to_come_in else "waits"
        self._floor(
            seat_player, seat_number=number, player_id=self.house.player(nickname).pk, chips_cents=chips, entry=entry
        )

    def _free(self) -> list[int]:
        return [seat["number"] for seat in self.now["seats"] if not seat["seating"]]

    def _newcomer(self) -> None:
        if not self.now["hand"] and (free := self._free()) and (players := self._players()):
            self._sits_down(players[0], self.chance.choice(free))

    def _changes_seat(self) -> None:
        if (free := self._free()) and (seat := self._somebody()):
            posts = self.chance.random() < 0.5
            number = self.chance.choice(free)
            self._floor(change_seat, seating_id=seat["seating"], seat_number=number, posts=posts)

    def _plays_over(self) -> None:
        # A hand that was taken back is logged as of when it was dealt: whoever comes since paid nothing on it, and no
        # tablet knows since when they sit there.
        if self.now["undone"]:
            return
        seat = self._somebody(lambda seat: seat["is_held"] and not seat["holder"])
        if seat and (players := self._players()):
            player_id = self.house.player(players[0]).pk
            chips = self.game.buy_in_min_cents
            self._floor(play_over, seating_id=seat["seating"], player_id=player_id, chips_cents=chips)

    def _floor(self, service: Callable[..., Any], **arguments: Any) -> None:
        """Do as the floor does; what the house refuses just then does not happen."""
        with suppress(Refusal):
            self.house.tap(service, table_id=self.table_id, **arguments)


class Act(NamedTuple):
    """What happens on an evening, the kind of tap that it is, and how often."""

    does: Callable[[TabletEvening], None]
    kind: str
    weight: int


_SEATS = [
    Act(TabletEvening.goes_away, "hold", 5),
    Act(TabletEvening.comes_back, "hold", 9),
    Act(TabletEvening.holder_comes_back, "hold", 9),
    Act(TabletEvening.leaves, "leave", 2),
    Act(TabletEvening.chooses, "entry", 4),
    Act(TabletEvening.straddles, "straddle", 3),
]
_BESIDE = [
    Act(TabletEvening.takes_time, "time", 4),
    Act(TabletEvening.counts_tips, "tips", 1),
    Act(TabletEvening.closes_tips, "tips-close", 1),
    Act(TabletEvening.takes_the_rack_over, "rack", 1),
    Act(TabletEvening.changes_the_deck, "deck", 1),
    Act(TabletEvening.calls_the_floor, "floor-call", 1),
    Act(TabletEvening.ends_the_clock, "clock-end", 2),
    Act(TabletEvening.calls_a_bad_beat, "table-act", 1),
]
_IN_HAND = [
    Act(TabletEvening.flops, "flop", 20),
    Act(TabletEvening.settles, "settle", 80),
    Act(TabletEvening.skips, "skip", 3),
    Act(TabletEvening.voids, "void", 4),
    Act(TabletEvening.calls_the_clock, "clock", 3),
    *_SEATS,
    *_BESIDE,
]
_BETWEEN = [
    Act(TabletEvening.deals, "deal", 50),
    Act(TabletEvening.settles, "settle", 40),
    Act(TabletEvening.skips, "skip", 2),
    Act(TabletEvening.undoes, "undo", 6),
    Act(TabletEvening.draws, "draw", 30),
    Act(TabletEvening.moves_the_button, "button", 2),
    Act(TabletEvening.sets_the_pot_aside, "aside", 4),
    *_SEATS,
    *_BESIDE,
]
KINDS = {act.kind for act in _IN_HAND + _BETWEEN}
