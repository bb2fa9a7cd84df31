"""
`make run LIVE=1`: guests who sit down, play and go in the demo room, beside whoever taps there too.

Nothing is held against anything. Each act reads the present and taps; a refusal is an answer, for somebody else may
have been faster. Only guests of its own are got up, paid or sent for a walk; whoever sits at its tables is dealt in
like them.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from casino.simulation.behaviours.opening import FLOAT_CASH, FLOAT_CHIPS
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.broken import Broken
from casino.simulation.cards import Played, play
from casino.simulation.front_door import Answer, Device, Tally, Tap
from casino.simulation.staff import Staff

# What its guests are called: by this they are known again after a new start.
GUEST = "Guest "
GUESTS_MAX = 60
STEP_SECONDS = 1.0
# Every so many steps it prints how far it is.
PROGRESS_EVERY = 25
# Seats that are left for people.
SEATS_LEFT = 2
# Steps for which somebody else's hand stands as it is, before it is said that nobody logs it: less than a minute.
PATIENCE = 45
# Steps that fail one after the other, before everybody comes in anew; and how often that helps nothing.
FAILURES_MAX, RETURNS_MAX = 5, 3


@dataclass
class LiveHand:
    """A hand that its dealer deals: what was said of it, how the cards fall, and whose chips they are."""

    body: dict[str, Any]
    played: Played
    seatings: Mapping[int, int]
    is_beyond: bool = False


@dataclass
class Stacks:
    """The chips in front of each seating, as far as anybody can guess who has not seen every hand."""

    cents: dict[int, int] = field(default_factory=dict)
    put_in: dict[int, int] = field(default_factory=dict)

    def of(self, seating: Mapping[str, Any]) -> int:
        """Return a stack: what it was, and what has been put there since."""
        number, put_in = seating["id"], seating["chips_in_cents"]
        found = self.cents.get(number, 0) + put_in - self.put_in.get(number, 0)
        self.cents[number], self.put_in[number] = max(found, 0), put_in
        return self.cents[number]


class LivePlay:
    """The show while it runs."""

    def __init__(
        self, url: str, *, seed: int, tables: int, pause: float = STEP_SECONDS, say: Callable[[str], None]
    ) -> None:
        self.tally = Tally()
        self.step = 0
        # Hands that were logged, by the table's number.
        self.hands: Counter[int] = Counter()
        self._url, self._tables, self._pause, self._say = url, tables, pause, say
        self._rng = random.Random(seed)  # noqa: S311 - nobody wins anything here
        self._staff: Staff | None = None
        self._stacks = Stacks()
        self._hands: dict[str, LiveHand] = {}
        # Hands that somebody else deals, as they stood at which step: by the table's number.
        self._others: dict[int, tuple[Any, int]] = {}
        self._slips: list[int] = []
        self._gone: set[int] = set()
        self._acts: dict[Callable[[], bool], int] = {
            self._hand: 20, self._sits: 4, self._pays: 4, self._leaves: 1, self._walks: 1,
        }  # fmt: skip

    @property
    def staff(self) -> Staff:
        assert self._staff is not None, "nobody has come in yet"
        return self._staff

    def run(self, *, until: int | None = None) -> None:
        """Play until stopped, or for so many steps. :raises Broken: the house does not let anybody in any more."""
        failed = returns = 0
        while until is None or self.step < until:
            try:
                self._step()
                failed = returns = 0
            except Broken as broken:
                self._say(f"step {self.step:5}  {broken}")
                failed += 1
                if self._staff is None or failed > FAILURES_MAX:
                    returns += 1
                    if returns > RETURNS_MAX:
                        raise
                    self.goes_home()
            time.sleep(self._pause)

    def _step(self) -> None:
        if self._staff is None:
            self._come_in()
        if self.step % 25 == 0:
            self._keeps_the_evening()
        self.step += 1
        act = self._rng.choices(list(self._acts), list(self._acts.values()))[0]
        if not act():
            # A table fills quickly as long as there is nothing else to do.
            _ = self._pays() or self._sits()
        if self.step % PROGRESS_EVERY == 0:
            refused = sum(self.tally.refusals.values())
            self._say(
                f"step {self.step:5}  hands {self.hands.total()}  commands {self.tally.commands}  refused {refused}"
            )

    def _come_in(self) -> None:
        # Ids of its own at each start, whatever its number draws.
        staff = Staff(self._url, self.tally, random.SystemRandom())
        try:
            staff.come_in(tables=self._tables)
        except BaseException:
            staff.go_home()
            raise
        self._staff = staff

    def goes_home(self) -> None:
        """Close every connection."""
        if self._staff is not None:
            self._staff.go_home()
        self._staff = None

    # What it does

    def _keeps_the_evening(self) -> None:
        """Open day, drawer and tables where nothing of it runs; a day that was closed tonight stays closed."""
        staff = self.staff
        if staff.cage.get("/api/v1/cage/day").body["day"] is None:
            self._tap(staff.desktop, "cage/day/open")
        drawer = staff.cage.get("/api/v1/cage/drawers/1")
        if drawer.body["session"] is None:
            body = {
                "cash": pieces(FLOAT_CASH, CASH_VALUES),
                "chips": pieces(FLOAT_CHIPS),
                "second": staff.second("frans"),
            }
            self._tap(staff.cage, "cage/drawers/1/open", body, version=drawer.version)
        if self._open():
            return
        games = sorted(staff.floor.get("/api/v1/games").body, key=lambda game: str(game["name"]))
        for number in sorted(staff.tablets):
            seen = staff.floor.get(f"/api/v1/tables/{number}")
            what = {"game_id": games[number % len(games)]["id"], "feeds": None}
            self._tap(staff.floor, f"tables/{number}/open", what, version=seen.version)

    def _hand(self) -> bool:
        """A hand goes on at one of the tables: dealt, shown its flop, settled."""
        table = self._a_table()
        if table is None:
            return False
        now = table["hand"]
        if now is None:
            return self._deals(table)
        hand = self._hands.get(now["hand_id"])
        if hand is None:
            self._waits_for(table["number"], now)
        elif hand.played.is_beyond_initial_deal and not hand.is_beyond:
            hand.is_beyond = True
            self._tap(self.staff.tablets[table["number"]], f"tables/{table['number']}/hands/flop", _id(hand))
        else:
            self._settles(table["number"], hand)
        return True

    def _deals(self, table: dict[str, Any]) -> bool:
        expected, game = table["next_hand"], table["game"]
        if expected is None:
            return False
        sitting = {each["seat_number"]: each for each in table["seatings"] if not each["is_played_over"]}
        stacks = {seat: self._stacks.of(sitting[seat]) for seat in expected["dealt_in"]}
        have = {seat: stack for seat, stack in stacks.items() if stack >= game["big_blind_cents"]}
        if len(have) < 2:
            return False
        posts = {post["seat_number"]: post["live_cents"] + post["dead_cents"] for post in expected["posts"]}
        body = {
            "hand_id": str(self.staff.id()),
            "opening_id": table["opening_id"],
            **{name: expected[name] for name in ("dealt_in", "button", "small_blind", "big_blind")},
        }
        played = play(self._rng, stacks=have, posts=posts, big_blind=game["big_blind_cents"], chip=game["chip_cents"])
        is_dealt = self._tap(self.staff.tablets[table["number"]], f"tables/{table['number']}/hands/deal", body).is_done
        if is_dealt:
            seatings = {seat: each["id"] for seat, each in sitting.items()}
            self._hands[body["hand_id"]] = LiveHand(body, played, seatings)
        return is_dealt

    def _settles(self, number: int, hand: LiveHand) -> None:
        played = hand.played
        result = {"winners": [list(seats) for seats in played.winners], "pots": list(played.pots)}
        answer = self._tap(self.staff.tablets[number], f"tables/{number}/hands/settle", {**hand.body, **result})
        del self._hands[hand.body["hand_id"]]
        if not answer.is_done or "known" in answer.data:
            return
        self.hands[number] += 1
        for seat, cents in played.put_in.items():
            self._wins(hand, seat, -cents)
        if not played.pots:
            self._wins(hand, played.winners[0][0], sum(played.put_in.values()))
        for share in (share for shares in answer.data["shares"] for share in shares):
            self._wins(hand, share["seat_number"], share["cents"])

    def _wins(self, hand: LiveHand, seat: int, cents: int) -> None:
        seating = hand.seatings[seat]
        self._stacks.cents[seating] = max(self._stacks.cents.get(seating, 0) + cents, 0)

    def _waits_for(self, number: int, hand: Mapping[str, Any]) -> None:
        """Somebody else deals, or did before this show was begun."""
        stood, since = self._others.get(number, (None, 0))
        if stood != hand:
            self._others[number] = hand, self.step
        elif self.step - since > PATIENCE:
            self._tap(self.staff.tablets[number], f"tables/{number}/hands/skip", {"hand_id": hand["hand_id"]})

    def _sits(self) -> bool:
        """A guest sits down and asks the cage for chips; two seats are left for people."""
        table = self._a_table()
        if table is None:
            return False
        taken = {each["seat_number"] for each in table["seatings"]}
        free = [seat for seat in range(1, table["game"]["seats"] + 1) if seat not in taken]
        guest = self._a_guest() if len(free) > SEATS_LEFT else None
        if guest is None:
            return False
        least, most = table["game"]["buy_in_min_cents"], table["game"]["buy_in_max_cents"]
        cents = self._rng.randint(least // 100, (most or 4 * least) // 100) * 100
        body = {"player_id": guest, "chips_cents": cents, "chips_from": "cage", "entry": "waits"}
        answer = self._tap(self.staff.floor, f"tables/{table['number']}/seats/{self._rng.choice(free)}", body)
        if answer.is_done:
            self._slips.append(answer.data["slip_id"])
        elif answer.status != 409:
            # One night, one stack: who has taken more home than that comes back another day.
            self._gone.add(guest)
        return True

    def _pays(self) -> bool:
        """The cashier takes the money that a guest of ours brings."""
        if not self._slips:
            return False
        slip = self.staff.cage.get(f"/api/v1/cage/slips/{self._slips.pop(0)}").body
        body = {"drawer_number": 1, "method": "cash"}
        self._pay(f"cage/slips/{slip['id']}/take-money", body, slip["player_id"], version=slip["version"])
        return True

    def _pay(self, path: str, body: dict[str, Any], player_id: int, *, version: int | None = None) -> Answer:
        """Have money cross the counter; from the day's sum on the cashier sees a document first."""
        answer = self._tap(self.staff.cage, path, body, version=version)
        if answer.code == "identity_needed":
            seen = {"full_name": "Vieno Vieras", "document": "passport", "number": f"XP{player_id}"}
            self._tap(self.staff.cage, f"people/players/{player_id}/identity", seen)
            answer = self._tap(self.staff.cage, path, body, version=version)
        return answer

    def _leaves(self) -> bool:
        """A guest goes, soonest one who has nothing left; what they have is cashed out."""
        table = self._a_table()
        ours = self._ours(table) if table and table["hand"] is None else []
        if table is None or not ours:
            return False
        seating = min(ours, key=lambda each: (self._stacks.of(each) >= table["game"]["big_blind_cents"], each["id"]))
        number, stack = table["number"], self._stacks.of(seating)
        is_above = self.staff.floor.get(f"/api/v1/tables/{number}/counted?counted_cents={stack}").body["is_above_play"]
        body: dict[str, Any] = {"stack_cents": None if is_above else stack}
        left = self._tap(self.staff.tablets[number], f"tables/{number}/seatings/{seating['id']}/leave", body)
        if left.is_done and stack and not is_above:
            self._cashes_out(stack, seating["player"]["id"])
        self._gone.add(seating["player"]["id"])
        return True

    def _cashes_out(self, cents: int, player_id: int) -> None:
        """Chips of a guest come back for cash, or onto the deposit where there is too little, which the guest signs."""
        path, body = "cage/drawers/1/cash-outs", {"amount_cents": cents, "player_id": player_id}
        if self._pay(path, {**body, "method": "cash"}, player_id).is_done:
            return
        paid = self._pay(path, {**body, "method": "deposit"}, player_id)
        if paid.is_done:
            self._tap(self.staff.cage, f"cage/slips/{paid.data['slip_id']}/signature")

    def _walks(self) -> bool:
        """A guest goes for a walk, or is back from one."""
        table = self._a_table()
        ours = self._ours(table) if table else []
        if table is None or not ours:
            return False
        seating = next((each for each in ours if each["is_held"]), self._rng.choice(ours))
        path = f"tables/{table['number']}/seatings/{seating['id']}/hold"
        self._tap(self.staff.tablets[table["number"]], path, {"is_held": not seating["is_held"]})
        return True

    # What it sees

    def _open(self) -> list[dict[str, Any]]:
        found = self.staff.floor.get("/api/v1/tables").body
        return [table for table in found if table["is_open"] and table["number"] in self.staff.tablets]

    def _a_table(self) -> dict[str, Any] | None:
        found = self._open()
        return self._rng.choice(found) if found else None

    def _ours(self, table: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [each for each in table["seatings"] if each["player"]["nickname"].startswith(GUEST)]

    def _a_guest(self) -> int | None:
        """Return a guest who sits nowhere, one who is new if need be; None when enough have come tonight."""
        known = self.staff.floor.get("/api/v1/people/players?limit=100&search=Guest").body
        guests = [each for each in known if each["nickname"].startswith(GUEST)]
        tables = self.staff.floor.get("/api/v1/tables").body
        sitting = {each["player"]["id"] for table in tables for each in table["seatings"]}
        free = [each["id"] for each in guests if each["id"] not in sitting | self._gone]
        if free:
            return int(self._rng.choice(free))
        if len(guests) >= GUESTS_MAX:
            # Who has gone may come again.
            self._gone.clear()
            return None
        nickname = f"{GUEST}{self._rng.randint(1, 9999)}"
        answer = self._tap(self.staff.floor, "people/players", {"nickname": nickname})
        return int(answer.data["player_id"]) if answer.is_done else None

    def _tap(
        self, device: Device, path: str, body: Mapping[str, Any] | None = None, *, version: int | None = None
    ) -> Answer:
        return device.post(Tap(f"/api/v1/{path}", body or {}, device.headers_of(self.staff.id(), version=version)))


def _id(hand: LiveHand) -> dict[str, Any]:
    return {"hand_id": hand.body["hand_id"]}
