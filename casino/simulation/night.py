"""
What behaviours see of a simulation: the felt, the lists, who works tonight, and the house behind its front door.

What they need of the house they ask through `tap` (whatever the answer), `done` (nothing may refuse it) and `refused`
(must be refused, and change nothing). Who plays the nights is `casino.simulation.playing`.
"""

import json
import random
import re
import uuid
from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from casino.simulation import checks
from casino.simulation.banks import Banks
from casino.simulation.boxes import Boxes, Place, Sums
from casino.simulation.broken import Broken
from casino.simulation.checks import Books
from casino.simulation.days import Days
from casino.simulation.deliveries import Deliveries
from casino.simulation.felt import Felt
from casino.simulation.fills import Fills
from casino.simulation.foreign import Notes
from casino.simulation.front_door import Answer, Device, Manner, Tally, Tap, WrongClock
from casino.simulation.instance import FIRST_EVENING, Instance
from casino.simulation.jackpots import Dropped, Jackpots
from casino.simulation.lists import Lists
from casino.simulation.papers import Papers
from casino.simulation.plan import Plan
from casino.simulation.promotions import Promotions
from casino.simulation.racks import Racks
from casino.simulation.screens import LANGUAGES, Screen
from casino.simulation.staff import Staff
from casino.simulation.table import Table, Then, Waiting
from casino.simulation.tips import Tips
from casino.simulation.vault import Vault
from casino.simulation.vouchers import Vouchers

_ROW = re.compile(r"/(seatings|slips|todos|hands|boxes|closed|fills|days|receipts|vouchers|exchanges|counts)/\d+")
# How often a refusal beside which time did something is asked for anew.
_AGAIN_MAX = 3
_NAMED = re.compile(r'"(instead_of|box_id|down_id|item|voucher|rate_id|slip_id)": (\d+|"[^"]*")')


class Night:
    """A night of the simulation, as behaviours see it."""

    def __init__(self, instance: Instance, plan: Plan) -> None:
        self.instance, self.plan = instance, plan
        self.rng = random.Random(plan.seed)  # noqa: S311 - a seed that replays is what it is for
        self.tally = Tally()
        self.felt = Felt()
        self.lists = Lists()
        self.jackpots = Jackpots()
        self.boxes = Boxes()
        self.promotions = Promotions()
        self.fills = Fills()
        self.banks = Banks()
        self.racks = Racks()
        self.days = Days()
        self.vouchers = Vouchers()
        self.notes = Notes()
        self.tips = Tips()
        self.vault = Vault()
        self.deliveries = Deliveries()
        self.papers = Papers()
        self.tables: dict[int, Table] = {}
        # The rows of the house, None where it has none that can be asked.
        self.books: Books | None = None
        self.step = 0
        self.number = 0
        # Seconds since the evening began, by the night's own count.
        self.seconds = 0.0
        # When the evening began, by the house's clock.
        self.began_at = instance.now()
        # How the next tap travels, None for as it should.
        self.manner: Manner | None = None
        self.killed_at = -1000
        self.taps_anew = 0
        # Players' phones by the player's id, as long as their passes hold.
        self.phones: dict[int, Device] = {}
        self.has_phones = True
        self.screens: list[tuple[Screen, Device]] = []
        # Every command of the night as it was given, for holding two nights of one number against each other.
        self.journal: list[str] = []
        self._staff: Staff | None = None

    @property
    def staff(self) -> Staff:
        assert self._staff is not None, "the doors open when the first evening begins"
        return self._staff

    @property
    def chips(self) -> int:
        """Return every chip that there is."""
        parts = (self.felt, self.fills, self.banks, self.racks, self.tips, self.deliveries)
        return sum(part.chips for part in parts)

    def come_in(self) -> None:
        """Have everybody who works tonight come in, with their devices."""
        self._staff = Staff(self.instance.url, self.tally, self.rng)
        self._staff.come_in(tables=self.plan.tables)
        if self.instance.database_url:
            self.books = Books(self.instance.database_url)

    def go_home(self) -> None:
        """Close every connection."""
        for screen, _ in self.screens:
            screen.close()
        if self.books is not None:
            self.books.close()
        if self._staff is not None:
            self._staff.go_home()

    def sums_at(self, place: Place) -> Sums:
        """Return what has fallen into the boxes of a place until now, and how much of it the log knows."""
        number, kind = place
        fell = self.felt.tables[number].fell[kind]
        if self.books is None:
            return Sums(fell, None)
        return Sums(fell, self.books.logged_at(place) + self.boxes.expected[place])

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
        """Give a command and return its answer, which may be a refusal."""
        headers = device.headers_of(id or self.id(), version=version, tapped_at=tapped_at)
        manner, self.manner = self.manner, None
        self.write_down(device, path, body, headers["Idempotency-Key"])
        answer = device.post(Tap(path, body or {}, headers), manner=manner)
        self.look_after(manner)
        return answer

    def tap_anew(
        self,
        device: Device,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        id: uuid.UUID | None = None,
        **more: Any,
    ) -> Answer:
        """Give a command once more because of what time did: nothing is drawn for it, and the journal has it once."""
        self.taps_anew += 1
        seed = f"{self.plan.seed} {self.step} {self.taps_anew} {device.name} {path}"
        headers = device.headers_of(id or uuid.uuid5(uuid.NAMESPACE_URL, seed), **more)
        return device.post(Tap(path, body or {}, headers))

    @property
    def is_next_tap_timely(self) -> bool:
        """Say whether the next tap tells its moment right; else a hand of which it is the first word comes late."""
        return not isinstance(self.manner, WrongClock)

    def look_after(self, manner: Manner | None) -> None:
        """Whatever was under a tap: once all have their answers, every screen of one language, in turn, is right."""
        if manner is not None:
            language = LANGUAGES[self.step % len(LANGUAGES)]
            checks.check_screens([each for each in self.screens if each[0].language == language])

    def write_down(self, device: Device, path: str, body: Mapping[str, Any] | None, command_id: str) -> None:
        """Note a command in the journal, without numbers of rows, which hang on who came first, and papers' letters."""
        where = _ROW.sub(r"/\1/n", path)
        payload = _NAMED.sub(r'"\1": n', json.dumps(body))
        self.journal.append(f"{self.step} {device.name}: {where} {payload} {command_id}")

    def done(self, device: Device, path: str, body: Mapping[str, Any] | None = None, **more: Any) -> Answer:
        """Give a command that nothing may refuse. :raises Broken: it was refused."""
        answer = self.tap(device, path, body, **more)
        if not answer.is_done:
            raise Broken("what may be done is done", f"POST {path} {body} by {device.name}: {answer.text[:400]}")
        return answer

    def refused(
        self, device: Device, path: str, body: Mapping[str, Any] | None = None, *, code: str, **more: Any
    ) -> str:
        """
        Give a command that must be refused with this code, and change nothing. :raises Broken: otherwise.

        What time does meanwhile is no change of the refusal's: a worker wakes whenever something is due. Then the rows
        tell nothing of this one, and it is given anew; what time disturbs each time is counted (`Tally.disturbed`).
        """
        tap = self.tap
        for _ in range(1 + _AGAIN_MAX):
            by_time = self.books.newest_by_time() if self.books else 0
            before = self.books.state() if self.books else ""
            answer = tap(device, path, body, **more)
            # Given anew it may be refused for what time has done.
            if answer.code != code and (tap == self.tap or answer.is_done):
                seen = f"POST {path} {body} by {device.name}: {answer.status} {answer.text[:300]}"
                raise Broken(f"refused with {code}", seen)
            if self.books is None or self.books.state() == before:
                break
            if self.books.newest_by_time() == by_time:
                raise Broken("a refusal changes nothing", f"POST {path} {body} by {device.name}: {answer.code}")
            tap = self.tap_anew
        else:
            self.tally.disturbed[code] += 1
        return code

    def must_equal(self, what: str, found: object, expected: object) -> None:
        """Hold what the house answered against the felt. :raises Broken: they differ."""
        if found != expected:
            raise Broken("what the house answers equals the felt", f"{what}: {found}, on the felt {expected}")

    def at_table(self, table: Table, path: str, body: Mapping[str, Any], then: Then) -> None:
        """The dealer taps: now, or into the tablet's queue while it has no connection. `then` gets the answer."""
        if table.is_offline:
            moment = self.instance.now().isoformat()
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
        return self.books is not None

    def set_clock(self, by: timedelta) -> None:
        """Set the house's clock, forth or back. :raises Broken: it is not ours."""
        latest = self.instance.jump(by)
        if self.books is not None:
            self.books.clock_was(latest)

    def now(self) -> datetime:
        """Return the time by the house's clock."""
        return self.instance.now()

    def open_tables(self) -> list[Table]:
        """Return the tables that run a game, by number."""
        return [self.tables[number] for number in sorted(self.tables) if self.tables[number].is_open]

    def dealer_at(self, number: int) -> str:
        """Return who deals at a table, "" where it is closed."""
        return self.staff.at_table[number] if self.tables[number].is_open else ""

    @property
    def first_day(self) -> date:
        """Return the gaming day of the first evening."""
        return FIRST_EVENING.date()

    @property
    def newest_day(self) -> date:
        """Return the gaming day of this evening."""
        return self.first_day + timedelta(days=self.number)

    def today(self) -> str:
        """Return the date of the open gaming day, as calls say it."""
        return str(self.staff.desktop.get("/api/v1/cage/day").body["day"]["date"])

    def played_by_part(self) -> list[tuple[str, str]]:
        """Return what was played of all that is reckoned apart, each with its name."""
        parts: dict[str, Counter[str]] = {
            "boxes": self.boxes.played,
            "fills": self.fills.played,
            "banks": self.banks.played,
            "racks": self.racks.played,
            "days": self.days.played,
            "vouchers": self.vouchers.played,
            "notes": self.notes.played,
            "tips": self.tips.played,
            "vault": self.vault.played,
            "papers": self.papers.played,
        }
        if self.plan.deliveries:
            parts["deliveries"] = self.deliveries.played
        if self.plan.jackpots:
            parts |= {"jackpots": self.jackpots.played, "promotions": self.promotions.played}
        return [
            (name, ", ".join(f"{what} {count}" for what, count in sorted(played.items())) or "none")
            for name, played in parts.items()
        ]

    def drops(self) -> list[Dropped]:
        """Return what the log says that tonight's hands dropped, by table and hand."""
        return [table.drops[hand] for _, table in sorted(self.tables.items()) for hand in sorted(table.drops)]
