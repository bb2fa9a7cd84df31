"""
One simulation: so many nights, each opened, played step by step, checked after every step, and closed.

A step is one behaviour, drawn by its weight from those that can do something now.
"""

import time
from collections.abc import Callable, Iterator

from casino.simulation import checks_counted
from casino.simulation.behaviours import Behaviour, behaviours_with
from casino.simulation.behaviours.closing import close_the_house
from casino.simulation.behaviours.opening import come_in, know_the_boxes, open_the_house
from casino.simulation.broken import Broken
from casino.simulation.checks import check_screens
from casino.simulation.checks_jackpots import check_sums_shown
from casino.simulation.instance import Instance
from casino.simulation.night import Night
from casino.simulation.plan import Failed, Plan

__all__ = ["Failed", "Plan", "Simulation"]

HANDS_AN_HOUR = 30
# How many steps one hand makes, with all that happens around it.
STEPS_A_HAND = 3.4


class Simulation:
    """The nights of a plan, played in a house. `night` is what behaviours see of it."""

    def __init__(self, instance: Instance, plan: Plan, *, say: Callable[[str], None]) -> None:
        self.instance, self.plan = instance, plan
        self.night = Night(instance, plan)
        self.doing = ""
        self.sound_until = 0
        self._say = say
        self._begun = time.monotonic()
        self._chips = 0

    @property
    def is_closing(self) -> bool:
        """Say whether the evening is over: nobody comes any more."""
        return self.night.seconds >= self.plan.hours * 3600

    # Playing

    def run(self) -> None:
        """Play all nights. :raises Failed: something did not hold."""
        try:
            for number in range(self.plan.nights):
                self.night.number = number
                self.night.seconds = 0.0
                self.take_step("the evening begins", self.begin_evening)
                if not self._play():
                    return
            self.doing = "the last proof"
            self.instance.prove()
        except Exception as problem:
            broken = problem if isinstance(problem, Broken) else Broken("the simulator itself", repr(problem))
            raise Failed(
                self.plan, self.night.step, self.doing, broken, sound_until=self.sound_until, log=self.instance.log()
            ) from problem
        finally:
            self.night.go_home()

    def _play(self) -> bool:
        """Play an evening to its end; False where the plan stops before that."""
        behaviours = behaviours_with(self.plan.faults, self.plan.of)
        mean = 3600 / (HANDS_AN_HOUR * STEPS_A_HAND * self.plan.tables)
        while not self.is_closing:
            if self._is_stopped():
                return False
            self.night.seconds += self.night.rng.expovariate(1 / mean)
            self.take_step("", lambda: self.one_of(behaviours))
        self.night.manner = None
        closing: Iterator[str] = close_the_house(self.night)
        while not self._is_stopped():
            if not self.take_step("closing", lambda: next(closing, None)):
                return True
        return False

    def _is_stopped(self) -> bool:
        return self.plan.until is not None and self.night.step >= self.plan.until

    def take_step(self, doing: str, play: Callable[[], str | None]) -> bool:
        """Play a step and check all that hangs on it; False where there was nothing left to play."""
        self.doing, begun = doing, self.night.seconds
        self.night.step += 1
        done = play()
        self.doing = done or self.doing
        self._check()
        if self.night.step % 50 == 0:
            self._say(self.progress())
        assert self.night.seconds >= begun
        return done is not None

    def one_of(self, behaviours: tuple[Behaviour, ...]) -> str:
        """Draw behaviours until one has something to do; return what it did."""
        left = list(behaviours)
        while left:
            drawn = self.night.rng.choices(left, [each.weight for each in left])[0]
            self.doing = drawn.name
            did = drawn.do(self.night)
            if did is not None:
                if drawn.fault:
                    self.night.tally.switches[drawn.fault] += 1
                return f"{drawn.name}: {did}" if did else drawn.name
            left.remove(drawn)
        return "nothing"

    def begin_evening(self) -> str:
        """Open the house; on the first evening everybody comes in before."""
        night = self.night
        self.instance.begin_evening(night.number, book=self.plan.book())
        night.began_at = self.instance.now()
        if night.number == 0:
            come_in(night)
            self._chips = night.chips
        else:
            open_the_house(night)
        know_the_boxes(night)
        return "the evening begins"

    # Checking and telling

    def _check(self) -> None:
        night = self.night
        if night.chips != self._chips:
            raise Broken("the simulator", f"the felt had {self._chips} cents of chips and has {night.chips}")
        if (books := night.books) is not None:
            tables = night.tables.values()
            books.check(night.felt, night.lists, tables, night.boxes, now=night.now)
            if self.plan.jackpots:
                books.check_jackpots(night.jackpots, tables)
                books.check_promotions(night.promotions)
            for check in checks_counted.CHECKS:
                check(books.rows, night)
            for table in night.felt.tables.values():
                table.promised = set(night.lists.promised(table.number))
        first = self.plan.all_checks_from
        # A replayed prefix ends with everything that may have failed there.
        all_checks = self._is_stopped() or (first is not None and night.step >= first)
        if all_checks or night.step % self.plan.proof_every == 0:
            self.instance.prove()
        if all_checks or night.step % self.plan.screens_every == 0 or self.doing == "the day is closed":
            check_screens(night.screens)
            if self.plan.jackpots:
                check_sums_shown(night)
            self.sound_until = night.step

    def progress(self) -> str:
        """Return the line that tells how far it is."""
        night, tally = self.night, self.night.tally
        hands = sum(table.hands_dealt for table in night.tables.values())
        return (
            f"night {night.number + 1}/{self.plan.nights} {night.seconds / 3600:4.1f} h  step {night.step:5}  "
            f"hands {hands:5}  commands {tally.commands:6}  refused {sum(tally.refusals.values()):4}  "
            f"p50 {tally.percentile(0.5):4.0f} ms  p99 {tally.percentile(0.99):5.0f} ms"
        )

    def _markers_line(self) -> str:
        """Return how many missed-blind markers were laid down, and how many players came back for their price."""
        markers = [table.felt.markers for table in self.night.tables.values()]
        down, back = sum(each.laid_down for each in markers), sum(each.ways_back for each in markers)
        return f"{down} laid down, {back} players back for their price"

    def summary(self) -> str:
        """Return what there is to tell at the end."""
        night, tally = self.night, self.night.tally
        hands = sum(table.hands_dealt for table in night.tables.values())
        took = time.monotonic() - self._begun
        frames = sum(screen.frames for screen, _ in night.screens)
        lines = [
            f"seed {self.plan.seed}: {night.number + 1} night(s), {night.step} steps in {took:.0f} s",
            f"  hands     {hands}",
            f"  commands  {tally.commands} ({tally.commands / max(took, 1):.0f} a second), readings {tally.readings}",
            f"  latency   p50 {tally.percentile(0.5):.0f} ms, p99 {tally.percentile(0.99):.0f} ms",
            f"  markers   {self._markers_line()}",
            *(f"  {name:9} {counts}" for name, counts in night.played_by_part()),
            f"  screens   {len(night.screens)}, {frames} fragments",
            "  refusals  " + (", ".join(f"{code} {count}" for code, count in sorted(tally.refusals.items())) or "none"),
            "  disturbed "
            + (", ".join(f"{code} {count}" for code, count in sorted(tally.disturbed.items())) or "none"),
            "  faults    " + (", ".join(f"{name} {count}" for name, count in sorted(tally.faults.items())) or "none"),
        ]
        return "\n".join(lines)
