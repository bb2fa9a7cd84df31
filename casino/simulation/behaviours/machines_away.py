"""
Processes and servers of the house are killed while it plays, and started again; its disk is full, and has room again.

Only a house that the simulator has started loses them, and PostgreSQL and Redis only where it has started them too. One
breaks at a time; after each the tap under way is answered, what was acknowledged stands, and every screen is right
within two seconds.
"""

import contextlib
import http.client
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from casino.simulation import checks
from casino.simulation.behaviours import behaviour
from casino.simulation.broken import Broken
from casino.simulation.front_door import BUSY, DISK_FULL, Answer, Device, Tap, must_be_same

if TYPE_CHECKING:
    from casino.simulation.instance import Instance
    from casino.simulation.night import Night

BROKEN_EVERY_STEPS_MIN = 60
# How long after the tap is sent: before the request is read, while it waits for its lock, after its commit.
DELAYS_SECONDS = (0.0, 0.005, 0.02, 0.05)
# A screen says within some seconds that the server is behind, or is not any more; a busy machine is given this long.
SHOWN_SECONDS_MAX = 30.0
# What cannot be played with servers that are not this run's own.
NEEDS_OWN_SERVERS = frozenset({"crash-postgres", "restart-redis", "redis-gone"})


def not_played(instance: "Instance", faults: frozenset[str]) -> str:
    """Return a sentence on the faults that this house cannot have, "" when it can have all of them."""
    if not instance.may_break("disk"):
        return "the house is not ours: its machines were left alone"
    left_out = sorted(faults & NEEDS_OWN_SERVERS) if not instance.may_break("Redis") else []
    return f"the servers are not this run's own: no {', '.join(left_out)}" if left_out else ""


@behaviour("the web process is killed", weight=0.6, fault="kill-web")
def web_is_killed(night: "Night") -> str | None:
    """Kill the web process (kill -9) while the next tap is under way, and start it again; the tap counts once."""
    return under_the_next_tap(night, "web", "web process killed")


@behaviour("PostgreSQL crashes", weight=0.4, fault="crash-postgres")
def postgres_crashes(night: "Night") -> str | None:
    """Crash PostgreSQL (kill -9) under the next tap, and start it again: what was acknowledged must stand."""
    return under_the_next_tap(night, "PostgreSQL", "PostgreSQL crashed")


@behaviour("Redis restarts", weight=0.4, fault="restart-redis")
def redis_restarts(night: "Night") -> str | None:
    """Restart Redis while the next tap is under way: it loses tasks and subscriptions, and the tap must be answered."""
    return under_the_next_tap(night, "Redis", "Redis restarted")


@behaviour("the worker is killed", weight=0.3, fault="kill-worker")
def worker_is_killed(night: "Night") -> str | None:
    """Kill the worker (kill -9) while the next tap is under way, and start it again: what time triggers must go on."""
    return under_the_next_tap(night, "worker", "worker killed", then=lambda: night.instance.feel_heart())


@behaviour("beat is killed", weight=0.3, fault="kill-beat")
def beat_is_killed(night: "Night") -> str | None:
    """Kill beat (kill -9) while the next tap is under way, and start it again: what time triggers must go on."""
    return under_the_next_tap(night, "beat", "beat killed", then=lambda: night.instance.feel_heart())


def under_the_next_tap(night: "Night", what: str, fault: str, *, then: Callable[[], None] | None = None) -> str | None:
    """
    Kill a process or server (`what`) while the next tap is under way, start it again, and send the tap until answered.

    A tap that was acknowledged before must get the same answer, as a replay; `then` is called after the answer. Return
    None where `what` may not break now, or something is already to happen to the next tap.
    """
    if night.manner is not None or not may_break(night, what):
        return None
    night.killed_at = night.step
    delay = night.rng.choice(DELAYS_SECONDS)

    def manner(device: Device, tap: Tap) -> Answer:
        device.tally.faults[fault] += 1
        acknowledged: list[Answer] = []

        def send() -> None:
            with contextlib.suppress(http.client.HTTPException, OSError):
                acknowledged.append(device.send_apart(tap))

        sending = threading.Thread(target=send)
        sending.start()
        sending.join(delay)
        night.instance.kill(what)
        night.instance.start(what)
        sending.join()
        answer = device.send_until_answered(tap)
        for before in acknowledged:
            must_be_same(tap, before, answer)
            if answer.json_body.get("is_replay") is False and answer.is_done:
                raise Broken("nothing happens twice", f"{tap.path} was acknowledged before {what} was killed")
        if then is not None:
            then()
        return answer

    night.manner = manner
    return "under the next tap"


def may_break(night: "Night", what: str) -> bool:
    """Say whether `what` may break now: it is ours, nothing else is away, and 60 steps passed since the last."""
    return night.instance.may_break(what) and night.step - night.killed_at >= BROKEN_EVERY_STEPS_MIN


@behaviour("Redis is gone", weight=0.4, fault="redis-gone")
def redis_is_gone(night: "Night") -> str | None:
    """Kill Redis and leave it away: taps must work on, and every screen must say that the server is behind."""
    if not may_break(night, "Redis"):
        return None
    night.killed_at = night.step
    night.tally.faults["Redis gone for a while"] += 1
    night.instance.kill("Redis")
    _screens_say(night, is_behind=True)
    return "and stays away"


@behaviour("Redis is back", weight=3, fault="redis-gone")
def redis_is_back(night: "Night") -> str | None:
    """Start Redis again: every screen must be right at once, and say that the server is not behind any more."""
    if "Redis" not in night.instance.away:
        return None
    night.instance.start("Redis")
    checks.check_screens(night.screens)
    _screens_say(night, is_behind=False)
    return "and heard"


def _screens_say(night: "Night", *, is_behind: bool) -> None:
    deadline = time.monotonic() + SHOWN_SECONDS_MAX
    for screen, _ in night.screens:
        # A page that reads nothing just now hears nothing either, and shows no audience.
        while screen.audiences and screen.is_behind is not is_behind:
            if time.monotonic() > deadline:
                raise Broken("a screen says whether the server is behind", f"{screen} says {screen.is_behind}")
            time.sleep(0.05)


@behaviour("the disk is full", weight=0.4, fault="full-disk")
def disk_is_full(night: "Night") -> str | None:
    """
    Fill the disk for the next tap: the house must say so in its refusal, and store nothing of the tap.

    Once there is room again the same tap is carried out. A tap that is refused for another reason stays refused.
    """
    if night.manner is not None or not may_break(night, "disk"):
        return None
    night.killed_at = night.step

    def manner(device: Device, tap: Tap) -> Answer:
        device.tally.faults["disk full"] += 1
        night.instance.kill("disk")
        refused = device.send(tap)
        night.instance.start("disk")
        if (refused.status, refused.code) == (BUSY, DISK_FULL) and str(
            refused.json_body.get("detail", refused.text)
        ).strip():
            answer = device.send_until_answered(tap)
        elif refused.status < 500 and not refused.is_done:
            # Refused before anything would have been stored, whatever room there is.
            answer = refused
        else:
            raise Broken("a full disk is said as that", f"{tap.path}: {refused.status} {refused.text[:300]}")
        if answer.is_done and answer.json_body.get("is_replay"):
            raise Broken("a full disk stores nothing", f"{tap.path}: its answer was there already")
        return answer

    night.manner = manner
    return "for the next tap"
