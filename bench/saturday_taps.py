"""
The people of a Saturday: each table's dealer taps hand after hand, and around it players buy, walk about and change.

They run in a process of their own, so that what they cost is not the house's; each table is a thread, which waits for
one answer before its next tap, as a tablet does. A tap that is late for its moment goes at once.
"""

import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from casino.simulation.broken import Broken
from casino.simulation.front_door import Answer, Device, Tally, Tap

HANDS_AN_HOUR = 30
# In every so many hands of a table. With three taps a hand: about 117 commands an hour and table.
BUYS_EVERY, WALKS_EVERY, CHANGES_EVERY = 7, 8, 15


@dataclass(frozen=True)
class Key:
    """What opens the door for a device, fit to be handed to another process."""

    name: str
    cookies: dict[str, str]
    sign_in_id: str

    @classmethod
    def of(cls, device: Device) -> "Key":
        """Return the key of a device."""
        return cls(device.name, dict(device.cookies), device.sign_in_id)

    def device(self, url: str) -> Device:
        """Return a device that this key opens the door for."""
        made = Device(url, self.name, Tally())
        made.cookies, made.sign_in_id = dict(self.cookies), self.sign_in_id
        return made


@dataclass(frozen=True)
class Place:
    """One table, its people's devices, the drawer that its players use, and the seating of the seat that changes."""

    number: int
    tablet: Key
    floor: Key
    cage: Key
    drawer: int
    seatings: dict[int, int]


@dataclass
class Taps:
    """What became of the taps: seconds that each took by what it was, how late they went out, and what was refused."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    late: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)

    @property
    def all_seconds(self) -> list[float]:
        return [each for several in self.seconds.values() for each in several]

    def add(self, other: "Taps") -> None:
        """Take another table's taps in."""
        for name, several in other.seconds.items():
            self.seconds.setdefault(name, []).extend(several)
        self.late += other.late
        self.refused += other.refused


def play(urls: Sequence[str], places: list[Place], fold: float, seconds: float, warm_up: float) -> Taps:
    """
    Play at all tables for so long, time running `fold` times as fast; count from the end of the warm-up on.

    The tables are shared out evenly among the web processes at these addresses.
    """
    begins = time.perf_counter() + 0.5
    with ThreadPoolExecutor(len(places)) as threads:
        played = threads.map(
            lambda index, place: _Dealing(urls[index % len(urls)], place, fold, begins + warm_up).until(
                begins + warm_up + seconds, begins, index
            ),
            range(len(places)),
            places,
        )
        found = Taps()
        for each in played:
            found.add(each)
    return found


class _Dealing:
    """One table, hand after hand."""

    def __init__(self, url: str, place: Place, fold: float, counts_from: float) -> None:
        self.place = place
        self.api = f"/api/v1/tables/{place.number}"
        self.cashes = f"/api/v1/cage/drawers/{place.drawer}"
        self.tablet, self.floor, self.cage = (key.device(url) for key in (place.tablet, place.floor, place.cage))
        self.hand_seconds = 3600 / HANDS_AN_HOUR / fold
        self.counts_from = counts_from
        self.seatings = dict(place.seatings)
        self.taps = Taps()

    def until(self, ends: float, begins: float, index: int) -> Taps:
        """Play until this moment; tables do not deal in step."""
        hand, at = 0, begins + self.hand_seconds * (index * 0.618 % 1)
        try:
            while at < ends and time.perf_counter() < ends:
                for share, tap in self._taps_of(hand + index):
                    self._wait_for(at + share * self.hand_seconds)
                    if time.perf_counter() >= ends:
                        break
                    tap()
                hand, at = hand + 1, at + self.hand_seconds
        finally:
            for device in (self.tablet, self.floor, self.cage):
                device.close()
        return self.taps

    def _taps_of(self, hand: int) -> Iterator[tuple[float, Any]]:
        """Yield what is tapped around one hand, each at its share of the hand's time."""
        body = {"hand_id": str(uuid.uuid4())}
        whole = {**body, "winners": [[1]], "pots": [(20 + hand % 9 * 20) * 100]}
        yield 0.0, lambda: self._give("deal", self.tablet, f"{self.api}/hands/deal", body)
        if hand % BUYS_EVERY == 0:
            yield 0.1, lambda: self._buys(3 + hand // BUYS_EVERY % (len(self.seatings) - 2))
        yield 0.3, lambda: self._give("flop", self.tablet, f"{self.api}/hands/flop", body)
        yield 0.7, lambda: self._give("settle", self.tablet, f"{self.api}/hands/settle", whole)
        if hand % WALKS_EVERY < 2:
            held = {"is_held": hand % WALKS_EVERY == 0}
            yield (
                0.8,
                lambda: self._give("away, back", self.tablet, f"{self.api}/seatings/{self.seatings[3]}/hold", held),
            )
        if hand % CHANGES_EVERY == 5:
            yield 0.85, self._changes

    def _buys(self, seat: int) -> None:
        """A player asks for chips, and the cage takes the money."""
        body = {"amount_cents": 100_00, "stack_cents": 150_00}
        path = f"{self.api}/seatings/{self.seatings[seat]}/buy-in"
        if answer := self._give("ask for a buy-in", self.tablet, path, body):
            slip = f"/api/v1/cage/slips/{answer.data['slip_id']}"
            paid = {"drawer_number": self.place.drawer, "method": "cash"}
            # The cashier's screen was pushed it; asking stands in for that.
            self._give("take money", self.cage, f"{slip}/take-money", paid, version=self.cage.get(slip).version)

    def _changes(self) -> None:
        """The player in seat 2 leaves and is cashed out; a new guest buys chips and sits down there."""
        stack = {"stack_cents": 200_00}
        if not self._give("leave", self.tablet, f"{self.api}/seatings/{self.seatings[2]}/leave", stack):
            return
        cents = {"amount_cents": 200_00, "method": "cash"}
        unnamed = {**cents, "unnamed": "bought_today"}
        self._give("cash-out", self.cage, f"{self.cashes}/cash-outs", unnamed)
        came = self._give(
            "new guest", self.floor, "/api/v1/people/players", {"nickname": f"Late {uuid.uuid4().hex[:12]}"}
        )
        if came is None:
            return
        player = {"player_id": came.data["player_id"]}
        self._give("buy-in", self.cage, f"{self.cashes}/buy-ins", {**cents, **player})
        sat = self._give("seat", self.floor, f"{self.api}/seats/2", {**player, "chips_cents": 200_00})
        if sat is not None:
            self.seatings[2] = sat.data["seating"]

    def _give(self, name: str, device: Device, path: str, body: Mapping[str, Any], **more: Any) -> Answer | None:
        """Give a command and count it; None where it was not carried out."""
        try:
            answer = device.post(Tap(path, body, device.headers_of(uuid.uuid4(), **more)))
        except (Broken, OSError) as problem:
            self.taps.refused.append(f"{name}: {problem}")
            return None
        if not answer.is_done:
            self.taps.refused.append(f"{name}: {answer.code}")
            return None
        if time.perf_counter() >= self.counts_from:
            self.taps.seconds.setdefault(name, []).append(answer.seconds)
        return answer

    def _wait_for(self, moment: float) -> None:
        now = time.perf_counter()
        if now < moment:
            time.sleep(moment - now)
        if now >= self.counts_from:
            self.taps.late.append(max(now - moment, 0.0))
