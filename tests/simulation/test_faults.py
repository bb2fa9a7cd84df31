"""Each fault, thrown into an evening that is being played: what was acknowledged stands once, and screens are right."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest

from casino.health import HEARTBEAT_SECONDS_MAX
from casino.simulation import checks
from casino.simulation.behaviours import Behaviour, all_behaviours, all_faults, behaviours_with
from casino.simulation.behaviours.closing import close_table
from casino.simulation.behaviours.closing_early import SITTERS_MAX
from casino.simulation.behaviours.hands import settle
from casino.simulation.behaviours.machines_away import not_played
from casino.simulation.behaviours.players import leave
from casino.simulation.behaviours.takeover import turn_up
from casino.simulation.front_door import Answer, Device, Tap, WrongClock
from casino.simulation.instance import Instance, OwnInstance
from casino.simulation.machines import Database, Machines, own_machines
from casino.simulation.playing import Plan, Simulation
from casino.simulation.slow_screen import SlowScreen
from casino.simulation.table import Table
from tests.simulation.warm_instance import WarmInstance, copied_database
from tests.support.patience import PATIENCE_SECONDS

# One evening for all of it.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("faults")]
NO_FAULTS = behaviours_with(frozenset())
# An end to waiting for what is drawn.
STEPS_MAX = 400


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    with own_machines() as own:
        yield own


@pytest.fixture(scope="module")
def evening(machines: Machines, tmp_path_factory: pytest.TempPathFactory) -> Iterator["Evening"]:
    """One evening for all tests here, as in a room: what one fault had left wrong, the next one's checks would find."""
    with playing(machines, tmp_path_factory.mktemp("evening"), Plan(seed=7, hours=1000, tables=2)) as found:
        yield found


@contextmanager
def playing(machines: Machines, folder: Path, plan: Plan) -> Iterator["Evening"]:
    with copied_database(machines) as database:
        instance = WarmInstance(
            database=database, redis_url=machines.redis_url, folder=folder, has_worker=True, on=machines
        )
        simulation = Simulation(instance, plan, say=lambda line: None)
        try:
            simulation.take_step("the evening begins", simulation.begin_evening)
            evening = Evening(simulation)
            evening.until(lambda: sum(table.hands_dealt for table in evening.night.tables.values()) >= 2 * plan.tables)
            yield evening
        finally:
            simulation.night.go_home()
            instance.stop()


class Evening:
    """A night that is played by hand: so many steps, then a fault, then more."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.night = simulation, simulation.night

    def play(self, steps: int, behaviours: tuple[Behaviour, ...] = NO_FAULTS) -> None:
        for _ in range(steps):
            self.simulation.take_step("", lambda: self.simulation.one_of(behaviours))

    def until(self, is_so) -> None:
        for _ in range(STEPS_MAX):
            if is_so():
                return
            self.play(1)
        raise AssertionError("it never came to that")

    def does(self, name: str) -> bool:
        """Have one behaviour happen; False where there was nothing for it to do."""
        (behaviour,) = (each for each in all_behaviours() if each.name == name)
        self.night.killed_at = -1000
        return self.simulation.take_step(name, lambda: behaviour.do(self.night))

    def until_taps_wait(self, count: int) -> None:
        """
        Have a tablet in a dead corner until so many taps wait on it.

        Who lost everything cannot ask it for chips: where too few are left to play, it comes back and one goes anew.
        """
        for _ in range(STEPS_MAX):
            away = next((table for table in self.night.tables.values() if table.is_offline), None)
            if away is None:
                self.does("a tablet in a dead corner")
            elif len(away.waiting) >= count:
                return
            elif away.hand is None and sum(sitter.stack > 0 for sitter in away.sitters()) < 2:
                self.night.send_waiting(away)
            self.play(1)
        raise AssertionError(f"{count} taps never waited")

    def holds(self, steps: int = 8) -> None:
        """Play the tap that is under way and some more, and hold everything against the felt."""
        self.until(lambda: self.night.manner is None)
        self.play(steps)
        checks.check_screens(self.night.screens)
        self.night.instance.prove()

    def counted(self, fault: str) -> int:
        return self.night.tally.faults[fault]

    def rows(self, question: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.night.instance.database_url) as connection:
            return connection.execute(question).fetchall()


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("the answer to the next tap is lost", "answer lost, sent again"),
        ("the next tap is sent again", "sent again after its answer"),
        ("the next tap is sent twice at once", "sent twice at once"),
        ("the web process is killed", "web process killed"),
        ("the worker is killed", "worker killed"),
        ("beat is killed", "beat killed"),
        ("PostgreSQL crashes", "PostgreSQL crashed"),
        ("Redis restarts", "Redis restarted"),
        ("the disk is full", "disk full"),
    ],
)
def test_under_the_next_tap(evening, name, fault):
    before = evening.counted(fault)

    assert evening.does(name)
    evening.holds()

    assert evening.counted(fault) == before + 1
    assert not evening.night.instance.away


def test_a_full_disk_is_full_for_all_taps_that_meet(evening):
    before = evening.counted("disk full"), evening.counted("commands that met")

    for _ in range(3):
        assert evening.does("the disk is full")
        evening.until(lambda: evening.does("two people tell the log of one hand"))

    assert evening.counted("disk full") == before[0] + 3
    assert evening.counted("commands that met") >= before[1] + 6
    evening.holds()


def test_redis_is_gone_and_comes_back(evening):
    night = evening.night
    frames = sum(screen.frames for screen, _ in night.screens)

    assert evening.does("Redis is gone")
    evening.play(15)
    checks.check_screens(night.screens)

    assert all(screen.is_behind for screen, _ in night.screens)
    assert sum(screen.frames for screen, _ in night.screens) > frames
    assert evening.does("Redis is back")
    assert not any(screen.is_behind for screen, _ in night.screens)
    night.instance.feel_heart()
    evening.holds()


def test_a_tablet_comes_back_with_ten_taps_and_more(evening):
    night = evening.night
    before = evening.counted("ten taps and more waited on a tablet")

    evening.until_taps_wait(10)
    evening.until(lambda: evening.does("a tablet comes back"))

    assert evening.counted("ten taps and more waited on a tablet") == before + 1
    assert not any(table.waiting for table in night.tables.values())
    evening.holds()


def test_progress_that_arrives_out_of_order_moves_nothing(evening):
    evening.until(lambda: evening.does("progress arrives out of order"))

    evening.holds()


def test_another_tablet_takes_over_and_the_dead_one_turns_up(evening):
    evening.until_taps_wait(1)
    evening.until(lambda: evening.does("another tablet takes a table over"))
    evening.play(10)

    assert evening.does("a dead tablet turns up")
    assert evening.counted("taps found on a dead tablet")
    evening.holds()


@pytest.mark.parametrize(
    ("how", "is_early"),
    [
        pytest.param("it is settled", True, id="settled, and it closes early"),
        pytest.param("a hand is not logged", False, id="not logged, and it closes in the morning"),
    ],
)
def test_a_table_closes_whose_last_hand_is_on_a_dead_tablet(machines, tmp_path, how, is_early):
    with playing(machines, tmp_path, Plan(seed=7, hours=1000, tables=1)) as evening:
        night, (table,) = evening.night, evening.night.open_tables()
        # A table with a pot that is disputed does not close early.
        evening.until(lambda: table.hand is not None and table.hand.number is not None and not table.felt.pots_aside)
        hand = table.hand
        assert hand is not None
        table.is_offline = True
        if how == "it is settled":
            settle(night, table, hand)
        else:
            assert evening.does(how)
        assert evening.does("another tablet takes a table over")

        if is_early:
            # Who played over another leaves the seat to its holder, who leaves it then.
            while len(sitters := table.sitters()) > SITTERS_MAX:
                leave(night, table, sitters[-1], is_counted=True)
            table.newest = table.newest or hand.number
            assert evening.does("the floor closes a table that has become short")
        else:
            assert list(close_table(night, table))[-1].endswith("is closed")
        night.instance.prove()
        assert turn_up(night, table)

        assert hand.id not in table.unlogged
        assert (hand.number in table.not_logged) is (how != "it is settled")
        night.instance.prove()


def test_a_screen_that_does_not_read_shows_the_newest_when_it_does(evening):
    night = evening.night

    assert evening.does("a screen hangs")
    (slow,) = (screen for screen, _ in night.screens if isinstance(screen, SlowScreen))
    evening.play(10)
    checks.check_screens(night.screens)

    assert slow.frames == 0
    assert evening.does("a hanging screen reads again")
    assert slow.frames > 0
    assert not any(isinstance(screen, SlowScreen) for screen, _ in night.screens)
    evening.holds()


def test_a_screen_that_never_reads_costs_nobody_anything(evening):
    """What the network holds for it fills up, then the house keeps the newest of each and nothing more."""
    night = evening.night
    web = psutil.Process(night.instance.web_pid)
    read = [screen for screen, _ in night.screens if screen.page in {"/floor/", "/lobby/"} and screen.language == "en"]
    evening.play(30)
    memory, before = web.memory_info().rss, sum(screen.frames for screen in read)

    def plays_on() -> int:
        """Play thirty steps; return how much the screens that read were sent since the beginning."""
        evening.play(30)
        checks.check_screens(night.screens)
        return int(sum(screen.frames for screen in read) - before)

    assert evening.does("a screen hangs")
    (slow,) = (screen for screen, _ in night.screens if isinstance(screen, SlowScreen))
    full, held = plays_on(), -1
    for _ in range(20):
        if held == (held := _held_by_the_network(urlsplit(night.instance.url).port)):
            break
        full = plays_on()
    else:
        pytest.fail("the network always takes more")
    plays_on()
    later = plays_on()
    assert web.memory_info().rss - memory < 20_000_000
    assert evening.does("a hanging screen reads again")
    # Of what came once the network was full, less than half.
    assert 0 < slow.frames < (full + later) / 2
    evening.holds()


def _held_by_the_network(port: int) -> int:
    """Return how many bytes a port has sent or is to send that no receiver's system has taken yet."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(row[4].partition(":")[0], 16) for row in rows if row[1].endswith(f":{port:04X}"))


@pytest.mark.parametrize("minutes", [-12, 12, -5])
def test_the_clock_of_the_house_is_set(evening, minutes):
    night = evening.night
    table = night.open_tables()[0]
    late = "SELECT count(*) FROM tables_todo WHERE kind = 'late_fact'"
    before, late_before = table.hands_dealt, evening.rows(late)

    night.set_clock(timedelta(minutes=minutes))
    evening.until(lambda: table.hands_dealt >= before + 2)

    assert evening.rows(late) == late_before
    evening.holds()


def test_a_moment_by_a_wrong_clock_is_recorded_within_the_sign_in_and_now(evening):
    night = evening.night
    # Before it somebody's taps may have come after somebody else had signed in there.
    ((newest,),) = evening.rows("SELECT max(id) FROM audit_event")
    for _ in range(6):
        assert evening.does("a tablet's clock is wrong")
        evening.until(lambda: night.manner is None)

    for text, began_at in evening.rows(
        "SELECT text, (SELECT max(began_at) FROM people_signin WHERE device_id = event.device_id AND began_at <= at)"
        f" FROM audit_event event WHERE id > {newest} ORDER BY id"
    ):
        event = json.loads(text)
        tapped_at, at = (datetime.fromisoformat(event[name]) for name in ("tapped_at", "at"))
        assert tapped_at <= at
        assert began_at is None or tapped_at >= began_at, event
    evening.holds()


def test_who_deals_a_hand_by_a_clock_that_is_behind_says_nothing_new_of_it(evening, monkeypatch):
    night, answered = evening.night, threading.Event()
    send_until_answered = Device.send_until_answered

    class BehindAndFirst(WrongClock):
        def __call__(self, device: Device, tap: Tap) -> Answer:
            answer = super().__call__(device, tap)
            answered.set()
            return answer

    def afterwards(device: Device, tap: Tap) -> Answer:
        assert answered.wait(10)
        return send_until_answered(device, tap)

    evening.until(lambda: night.manner is None and all(_is_between_hands(table) for table in night.tables.values()))
    with monkeypatch.context() as patch:
        patch.setattr(Device, "send_until_answered", afterwards)
        night.manner = BehindAndFirst(night.now, timedelta(hours=-3))
        assert evening.does("two people tell the log of one hand")

    (table,) = (table for table in night.tables.values() if table.hand is not None)
    assert table.hand.number
    evening.holds()


@pytest.mark.parametrize(
    "name",
    [
        "a hand is said not to be logged, and then it is",
        "a pot is mistyped and undone",
        "the dealer takes a hand back while the floor deals the next",
    ],
)
def test_what_hangs_on_the_order_of_hands_is_not_tapped_by_a_clock_that_is_behind(evening, name):
    night = evening.night
    evening.until(lambda: night.manner is None and all(_is_between_hands(table) for table in night.tables.values()))
    night.manner = WrongClock(night.now, timedelta(hours=-3))

    evening.does(name)

    evening.holds()


def _is_between_hands(table: Table) -> bool:
    has_chips = [sitter for sitter in table.sitters() if sitter.stack and not sitter.is_held]
    return table.hand is None and not table.is_offline and table.was_drawn and len(has_chips) >= 2


def test_what_is_not_ours_is_left_alone(evening, monkeypatch):
    night = evening.night
    machines = [each for each in all_behaviours() if each.do.__module__.endswith(("machines_away", "machines_time"))]
    monkeypatch.setattr(night, "killed_at", -1000)
    monkeypatch.setattr(night, "instance", Instance(night.instance.url, database_url=night.instance.database_url))

    assert [each.name for each in machines if each.do(night) is not None] == ["a tablet's clock is wrong"]
    assert "left alone" in not_played(night.instance, all_faults())
    night.manner = None


def test_servers_of_others_are_not_crashed(tmp_path):
    instance = OwnInstance(
        database=Database("postgresql://theirs", "postgresql://theirs"), redis_url="redis://theirs", folder=tmp_path
    )

    assert instance.may_break("web")
    assert not instance.may_break("PostgreSQL")
    assert not instance.may_break("Redis")
    assert not instance.may_break("worker")
    left_out = not_played(instance, frozenset({"redis-gone", "crash-postgres", "kill-web"}))
    assert "no crash-postgres, redis-gone" in left_out


def test_a_seal_follows_after_the_sealer_was_killed(evening):
    instance = evening.night.instance
    instance.kill("sealer")
    before = evening.rows("SELECT count(*) FROM audit_seal")
    instance.start("sealer")

    deadline = time.monotonic() + 2 * PATIENCE_SECONDS
    while evening.rows("SELECT count(*) FROM audit_seal") == before:
        assert time.monotonic() < deadline, instance.log()
        evening.play(5)
    evening.holds()


def test_redis_is_gone_for_half_a_minute(evening):
    """Twice as long as a heartbeat is remembered."""
    night, ends = evening.night, time.monotonic() + 2 * HEARTBEAT_SECONDS_MAX

    assert evening.does("Redis is gone")
    while time.monotonic() < ends:
        evening.play(10)
        checks.check_screens(night.screens)
    assert evening.does("Redis is back")
    night.instance.feel_heart()
    evening.holds()
