"""
One simulation: so many nights, each opened, played step by step, checked after every step, and closed.

A step is one behaviour, drawn by its weight from those that can do something now. What it needs of the house it
asks through `tap` (whatever the answer), `done` (nothing may refuse it) and `refused` (must be refused, and change
nothing).
"""

import json
import random
import re
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from casino.simulation import checks
from casino.simulation.behaviours import Behaviour, behaviours_with
from casino.simulation.boxes import KINDS, Boxes, Place, Sums
from casino.simulation.broken import Broken
from casino.simulation.checks import Books
from casino.simulation.checks_jackpots import check_sums_shown
from casino.simulation.felt import Felt, Player, TableFelt
from casino.simulation.front_door import Answer, Device, Manner, Tally, Tap, WrongClock
from casino.simulation.house import FIRST_EVENING, House
from casino.simulation.jackpots import Dropped, Jackpots, book
from casino.simulation.lists import Lists
from casino.simulation.plan import Failed, Plan
from casino.simulation.promotions import Promotions
from casino.simulation.screens import Screen, open_screens
from casino.simulation.staff import Staff
from casino.simulation.table import Table, Then, Waiting

__all__ = ["Failed", "Night", "Plan"]

HANDS_AN_HOUR = 30
# How many steps one hand makes, with all that happens around it.
STEPS_A_HAND = 3.4
_ROW = re.compile(r"/(seatings|slips|todos|hands|boxes)/\d+")
_BOX = re.compile(r'"(instead_of|box_id)": \d+')


class Night:
    """The simulation while it runs, as behaviours see it."""

    def __init__(self, house: House, plan: Plan, *, say: Callable[[str], None]) -> None:
        self.house, self.plan = house, plan
        self.rng = random.Random(plan.seed)  # noqa: S311 - a seed that replays is what it is for
        self.tally = Tally()
        self.felt = Felt()
        self.lists = Lists()
        self.jackpots = Jackpots()
        self.boxes = Boxes()
        self.promotions = Promotions()
        self.tables: dict[int, Table] = {}
        self.step = 0
        self.number = 0
        # Seconds since the evening began, by the night's own count.
        self.seconds = 0.0
        self.doing = ""
        # When the evening began, by the house's clock.
        self.began_at = house.now()
        # How the next tap travels, None for as it should.
        self.manner: Manner | None = None
        self.killed_at = -1000
        # Players' phones by the player's id, as long as their passes hold.
        self.phones: dict[int, Device] = {}
        self.has_phones = True
        self.screens: list[tuple[Screen, Device]] = []
        self.sound_until = 0
        # Every command of the night as it was given, for holding two nights of one number against each other.
        self.journal: list[str] = []
        self._say = say
        self._begun = time.monotonic()
        self._books: Books | None = None
        self._staff: Staff | None = None
        self._chips = 0

    @property
    def staff(self) -> Staff:
        assert self._staff is not None, "the doors open when the first evening begins"
        return self._staff

    @property
    def is_closing(self) -> bool:
        """Say whether the evening is over: nobody comes any more."""
        return self.seconds >= self.plan.hours * 3600

    # Playing

    def run(self) -> None:
        """Play all nights. :raises Failed: something did not hold."""
        try:
            for number in range(self.plan.nights):
                self.number = number
                self.seconds = 0.0
                self._take_step("the evening begins", self._begin_evening)
                if not self._play():
                    return
            self.doing = "the last proof"
            self.house.prove()
        except Exception as problem:
            broken = problem if isinstance(problem, Broken) else Broken("the simulator itself", repr(problem))
            raise Failed(
                self.plan, self.step, self.doing, broken, sound_until=self.sound_until, log=self.house.log()
            ) from problem
        finally:
            for screen, _ in self.screens:
                screen.close()
            if self._books is not None:
                self._books.close()
            if self._staff is not None:
                self._staff.go_home()

    def _play(self) -> bool:
        """Play an evening to its end; False where the plan stops before that."""
        from casino.simulation.behaviours.closing import close_the_house

        behaviours = behaviours_with(self.plan.faults, jackpots=self.plan.jackpots)
        mean = 3600 / (HANDS_AN_HOUR * STEPS_A_HAND * self.plan.tables)
        while not self.is_closing:
            if self._is_stopped():
                return False
            self.seconds += self.rng.expovariate(1 / mean)
            self._take_step("", lambda: self._one_of(behaviours))
        self.manner = None
        closing: Iterator[str] = close_the_house(self)
        while not self._is_stopped():
            if not self._take_step("closing", lambda: next(closing, None)):
                return True
        return False

    def _is_stopped(self) -> bool:
        return self.plan.until is not None and self.step >= self.plan.until

    def _take_step(self, doing: str, play: Callable[[], str | None]) -> bool:
        self.doing = doing
        begun = self.seconds
        self.step += 1
        done = play()
        self.doing = done or self.doing
        self._check()
        if self.step % 50 == 0:
            self._say(self.progress())
        assert self.seconds >= begun
        return done is not None

    def _one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        """Draw behaviours until one has something to do; return what it did."""
        left = list(behaviours)
        while left:
            drawn = self.rng.choices(left, [each.weight for each in left])[0]
            self.doing = drawn.name
            did = drawn.do(self)
            if did is not None:
                if drawn.fault:
                    self.tally.switches[drawn.fault] += 1
                return f"{drawn.name}: {did}" if did else drawn.name
            left.remove(drawn)
        return "nothing"

    def _begin_evening(self) -> str:
        from casino.simulation.behaviours.opening import open_the_house

        self.house.begin_evening(self.number, book=book() if self.plan.jackpots else "")
        self.began_at = self.house.now()
        if self._staff is None:
            self._staff = Staff(self.house.url, self.tally, self.rng)
            self._staff.come_in(tables=self.plan.tables)
            self._know_the_room()
            if self.plan.jackpots:
                self._staff.take_on_a_manager()
            self.screens = open_screens(self._staff, self.house.url)
        else:
            open_the_house(self)
        self._know_the_boxes()
        return "the evening begins"

    def _know_the_boxes(self) -> None:
        """What falls tonight where no box has hung yet lies in none; places with boxes of before are left alone."""
        is_first = self.number == 0
        taken = {(box["table_number"], box["charge"]) for box in self.staff.floor.get("/api/v1/boxes/").body}
        for place in ((number, kind) for number in sorted(self.tables) for kind in KINDS):
            is_free = place not in taken and not self.felt.tables[place[0]].lies(place[1])
            if is_free if is_first else place in self.boxes.since and not self.boxes.is_known(place):
                self.boxes.since[place] = self.sums_at(place)

    def sums_at(self, place: Place) -> Sums:
        """Return what has fallen into the boxes of a place until now, and how much of it the log knows."""
        number, kind = place
        fell = self.felt.tables[number].fell[kind]
        if self._books is None:
            return Sums(fell, None)
        return Sums(fell, self._books.logged_at(place) + self.boxes.expected[place])

    def _know_the_room(self) -> None:
        if self.house.database_url:
            self._books = Books(self.house.database_url)
        closed = [table["number"] for table in self.staff.desktop.get("/api/v1/tables").body if not table["is_open"]]
        if not set(self.staff.tablets) <= set(closed):
            raise Broken("the simulator", f"it plays at tables 1 to {self.plan.tables}; closed are {closed}")
        self.tables = {number: Table(TableFelt(number)) for number in sorted(self.staff.tablets)}
        self.felt.tables = {number: table.felt for number, table in self.tables.items()}
        for guest in self.staff.floor.get("/api/v1/people/players?limit=100").body:
            self.felt.players[guest["nickname"]] = Player(guest["id"], guest["nickname"])
        if self._books is not None:
            self._books.begin(self.felt, self.tables.values())
        self.felt.drawer.is_open = True
        self._chips = self.felt.chips

    # What behaviours ask of the house

    def id(self) -> uuid.UUID:
        """Return the id of a command or a hand, drawn like everything else."""
        return self.staff.id()

    def tap(
        self,
        device: Device,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        version: int | None = None,
        id: uuid.UUID | None = None,
        tapped_at: str = "",
    ) -> Answer:
        """Give a command; it may be refused."""
        headers = device.headers_of(id or self.id(), version=version, tapped_at=tapped_at)
        manner, self.manner = self.manner, None
        self.write_down(device, path, body, headers["Idempotency-Key"])
        answer = device.post(Tap(path, body or {}, headers), manner=manner)
        self.look_after(manner)
        return answer

    @property
    def is_next_tap_timely(self) -> bool:
        """Say whether the next tap tells its moment right; else a hand of which it is the first word comes late."""
        return not isinstance(self.manner, WrongClock)

    def look_after(self, manner: Manner | None) -> None:
        """Whatever was under a tap: once all who tapped have their answers, every screen is right."""
        if manner is not None:
            checks.check_screens(self.screens)

    def write_down(self, device: Device, path: str, body: Mapping[str, Any] | None, command_id: str) -> None:
        """Note a command in the journal; the numbers of rows hang on who came first, and are left out."""
        where = _ROW.sub(r"/\1/n", path)
        said = _BOX.sub(r'"\1": n', json.dumps(body))
        self.journal.append(f"{self.step} {device.name}: {where} {said} {command_id}")

    def done(self, device: Device, path: str, body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        """Give a command that nothing may refuse. :raises Broken: it was refused."""
        answer = self.tap(device, path, body, **more)
        if not answer.is_done:
            raise Broken("what may be done is done", f"POST {path} {body} by {device.name}: {answer.text[:400]}")
        return answer

    def refused(
        self, device: Device, path: str, body: Mapping[str, Any] | None = None, *, code: str, **more: Any
    ) -> str:
        """Give a command that must be refused with this code, and change nothing. :raises Broken: otherwise."""
        before = self._books.state() if self._books else ""
        answer = self.tap(device, path, body, **more)
        if answer.code != code:
            seen = f"POST {path} {body} by {device.name}: {answer.status} {answer.text[:300]}"
            raise Broken(f"refused with {code}", seen)
        if self._books and self._books.state() != before:
            raise Broken("a refusal changes nothing", f"POST {path} {body} by {device.name}: {code}")
        return code

    def must_equal(self, what: str, found: object, expected: object) -> None:
        """Hold what the house answered against the felt. :raises Broken: they differ."""
        if found != expected:
            raise Broken("what the house answers equals the felt", f"{what}: {found}, on the felt {expected}")

    def at_table(self, table: Table, path: str, body: Mapping[str, Any], then: Then) -> None:
        """The dealer taps: now, or into the tablet's queue while it has no connection. `then` gets the answer."""
        if table.is_offline:
            moment = self.house.now().isoformat()
            table.waiting.append(Waiting(f"{table.api}/{path}", body, self.id(), moment, then))
            return
        then(self.done(self.staff.tablets[table.number], f"{table.api}/{path}", body))

    def send_waiting(self, table: Table) -> int:
        """The tablet is back: send what waited, in order, with the times at which it was tapped."""
        table.is_offline = False
        waiting, table.waiting = table.waiting, []
        tablet = self.staff.tablets[table.number]
        for tap in waiting:
            tap.then(self.done(tablet, tap.path, tap.body, id=tap.id, tapped_at=tap.tapped_at))
        return len(waiting)

    @property
    def has_lists(self) -> bool:
        """Say whether lists are played: what time does to them can be told from the rows alone."""
        return self._books is not None

    def now(self) -> datetime:
        """Return the time by the house's clock."""
        return self.house.now()

    def open_tables(self) -> list[Table]:
        """Return the tables that run a game, by number."""
        return [self.tables[number] for number in sorted(self.tables) if self.tables[number].is_open]

    @property
    def first_day(self) -> date:
        """Return the gaming day of the first evening."""
        return FIRST_EVENING.date()

    @property
    def newest_day(self) -> date:
        """Return the gaming day of this evening."""
        return self.first_day + timedelta(days=self.number)

    def drops(self) -> list[Dropped]:
        """Return what the log says that tonight's hands dropped, by table and hand."""
        return [table.drops[hand] for _, table in sorted(self.tables.items()) for hand in sorted(table.drops)]

    # Checking and telling

    def _check(self) -> None:
        if self.felt.chips != self._chips:
            raise Broken("the simulator", f"the felt had {self._chips} cents of chips and has {self.felt.chips}")
        if self._books is not None:
            self._books.check(self.felt, self.lists, self.tables.values(), self.boxes, now=self.house.now())
            if self.plan.jackpots:
                self._books.check_jackpots(self.jackpots, self.tables.values())
                self._books.check_promotions(self.promotions)
            for table in self.felt.tables.values():
                table.promised = set(self.lists.promised(table.number))
        first = self.plan.all_checks_from
        # A replayed prefix ends with everything that may have failed there.
        all_checks = self._is_stopped() or (first is not None and self.step >= first)
        if all_checks or self.step % self.plan.proof_every == 0:
            self.house.prove()
        if all_checks or self.step % self.plan.screens_every == 0 or self.doing == "the day is closed":
            checks.check_screens(self.screens)
            if self.plan.jackpots:
                check_sums_shown(self)
            self.sound_until = self.step

    def progress(self) -> str:
        """Return the line that tells how far it is."""
        hands = sum(table.hands_dealt for table in self.tables.values())
        return (
            f"night {self.number + 1}/{self.plan.nights} {self.seconds / 3600:4.1f} h  step {self.step:5}  "
            f"hands {hands:5}  commands {self.tally.commands:6}  refused {sum(self.tally.refusals.values()):4}  "
            f"p50 {self.tally.percentile(0.5):4.0f} ms  p99 {self.tally.percentile(0.99):5.0f} ms"
        )

    def markers_told(self) -> str:
        """Return how many missed-blind markers the felt has followed, and how many players came back for them."""
        markers = [table.felt.markers for table in self.tables.values()]
        down, back = sum(each.laid_down for each in markers), sum(each.ways_back for each in markers)
        return f"{down} laid down, {back} players back for their price"

    def summary(self) -> str:
        """Return what there is to tell at the end."""
        tally, hands = self.tally, sum(table.hands_dealt for table in self.tables.values())
        took = time.monotonic() - self._begun
        frames = sum(screen.frames for screen, _ in self.screens)
        lines = [
            f"seed {self.plan.seed}: {self.number + 1} night(s), {self.step} steps in {took:.0f} s",
            f"  hands     {hands}",
            f"  commands  {tally.commands} ({tally.commands / max(took, 1):.0f} a second), readings {tally.readings}",
            f"  latency   p50 {tally.percentile(0.5):.0f} ms, p99 {tally.percentile(0.99):.0f} ms",
            f"  markers   {self.markers_told()}",
            f"  boxes     {self.boxes.told()}",
            *([f"  jackpots  {self.jackpots.told()}"] if self.plan.jackpots else []),
            *([f"  promotions {self.promotions.told()}"] if self.plan.jackpots else []),
            f"  screens   {len(self.screens)}, {frames} fragments",
            "  refusals  " + (", ".join(f"{code} {count}" for code, count in sorted(tally.refusals.items())) or "none"),
            "  faults    " + (", ".join(f"{name} {count}" for name, count in sorted(tally.faults.items())) or "none"),
        ]
        return "\n".join(lines)
