"""What goes wrong between a tap and its answer, and with the machines."""

import contextlib
import http.client
import threading
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.front_door import MANNERS, Answer, Device, Tap

if TYPE_CHECKING:
    from casino.simulation.night import Night

KILLED_EVERY_STEPS_MIN = 60


@behaviour("bad Wi-Fi for the next tap", weight=8, fault="wifi")
def bad_wifi(night: "Night") -> str | None:
    """Its answer is lost, or it is sent again, or twice at once."""
    if night.manner is not None:
        return None
    night.manner = night.rng.choice(MANNERS)
    return night.manner.__name__.replace("_", " ")


@behaviour("a tablet in a dead corner", weight=1.5, fault="dead-corner")
def goes_offline(night: "Night") -> str | None:
    """From now on its taps wait on it."""
    found = [table for table in night.open_tables() if table.was_drawn and not table.is_offline]
    if not found:
        return None
    table = night.rng.choice(found)
    table.is_offline = True
    return f"table {table.number}"


@behaviour("a tablet comes back", weight=3, fault="dead-corner")
def comes_back(night: "Night") -> str | None:
    """What waited is sent in order, minutes after it was tapped."""
    found = [table for table in night.open_tables() if table.is_offline]
    if not found:
        return None
    table = max(found, key=lambda each: (len(each.waiting), each.number))
    if not table.waiting and night.rng.random() < 0.7:
        return None
    count = night.send_waiting(table)
    night.tally.faults["taps that waited on a tablet"] += count
    return f"table {table.number}: {count} taps"


@behaviour("progress arrives out of order", weight=2, fault="out-of-order")
def out_of_order(night: "Night") -> str | None:
    """Deal and Flop of a hand that has long been settled: known, and nothing moves."""
    found = [table for table in night.open_tables() if table.newest and not table.is_offline]
    if not found:
        return None
    table = night.rng.choice(found)
    rows = night.staff.floor.get(f"{table.api}/hands?status=settled&limit=5").body
    if not rows:
        return None
    hand = {"hand_id": night.rng.choice(rows)["hand_id"]}
    for path in ("deal", "flop", "skip") if night.rng.random() < 0.5 else ("flop", "deal"):
        night.done(night.staff.tablets[table.number], f"{table.api}/hands/{path}", hand)
    night.tally.faults["progress out of order"] += 1
    return f"table {table.number}"


@behaviour("the web process is killed", weight=0.6, fault="kill-web")
def is_killed(night: "Night") -> str | None:
    """With kill -9, under the next tap; it is started again, and the tap is sent again."""
    if not night.house.is_ours or night.manner is not None or night.step - night.killed_at < KILLED_EVERY_STEPS_MIN:
        return None
    night.killed_at = night.step
    delay = night.rng.choice([0.0, 0.005, 0.02, 0.05])

    def under_a_tap(device: Device, tap: Tap) -> Answer:
        device.tally.faults["web process killed"] += 1

        def send() -> None:
            with contextlib.suppress(http.client.HTTPException, OSError):
                device.send_apart(tap)

        sending = threading.Thread(target=send)
        sending.start()
        sending.join(delay)
        night.house.kill()
        sending.join()
        night.house.start()
        return device.send_until_answered(tap)

    night.manner = under_a_tap
    return "under the next tap"
