"""
A day closes in two stages: a manager carries over what is open; two close it as counted, that night or the next day.
"""

from collections.abc import Iterator
from datetime import date
from itertools import cycle, product
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.boxes import drop_loose
from casino.simulation.boxes import KINDS, Box
from casino.simulation.broken import Broken
from casino.simulation.days import COUNTED, OPERATIONS, Day
from casino.simulation.front_door import Answer

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage"
AT_ONCE_SHARE = 0.5
REASONS = ("looked_into", "somebody_gone", "no_time", "nothing_to_find")
REASONS_NOT_COUNTED = ("looked_into", "under_seal", "not_found")


def close_operations(night: "Night") -> Answer:
    """Close the day for operations; what the night's faults left behind is carried over, each thing with a reason."""
    path, mari, fills = f"{API}/day/close", night.staff.desktop, night.fills.all
    today = mari.get(f"{API}/day").body["day"]["id"]
    night.refused(mari, f"{API}/days/{today}/counted", _signed(night, {}), code="day_still_open", version=0)
    answer, carrying = night.tap(mari, path), []
    if answer.code == "day_leaves_open":
        left = [f"{kind}.{number}" for kind, number in answer.body["data"]["still_open"]]
        # What is left hangs on the moment here and there: nothing is drawn for it.
        carrying = [{"item": word, "reason": reason} for word, reason in zip(left, cycle(REASONS), strict=False)]
        answer = night.done(mari, path, {"carrying": carrying})
    elif not answer.is_done:
        raise Broken("the day closes when all is finished", f"POST {path}: {answer.text[:400]}")
    day = night.days.closes(answer.data["day_id"], night.boxes.all, fills)
    night.must_equal("which day has closed", day.id, today)
    over = night.vouchers.end_with(date.fromisoformat(answer.data["date"]))
    night.must_equal("vouchers that are over with a day", answer.data["ended"].get("vouchers", []), over)
    day.carried = {(OPERATIONS, each["item"]): each["reason"] for each in carrying}
    words = {each["item"] for each in carrying}
    differ = {word for word in words if word.split(".")[0] in {"fill_differs", "runner"}}
    night.must_equal("what of runners a day leaves open", differ, set(day.fills))
    return answer


def counts_at_the_end(night: "Night") -> Iterator[str]:
    """Some days are closed as counted at once, the others on the next day: boxes are counted and posted then."""
    day = night.days.all[-1]
    if night.rng.random() < AT_ONCE_SHARE and not _in_no_box(_seen(night, day)):
        yield close_counts(night, day)


@behaviour("a day is closed as counted", weight=3)
def is_counted(night: "Night") -> str | None:
    """Two of those who read the books do it; what fell and lies in no box is dropped first."""
    waiting = night.days.waiting()
    return close_counts(night, night.rng.choice(waiting)) if waiting else None


def close_counts(night: "Night", day: Day) -> str:
    """Close a day as counted: what counts found is what was stolen, forgotten or overlooked, and no more."""
    mari, path = night.staff.desktop, f"{API}/days/{day.id}/counted"
    if _in_no_box(seen := _seen(night, day)):
        night.refused(mari, path, _signed(night, {}), code="drop_first", version=seen.version)
        for place in product(sorted(night.tables), KINDS):
            if place in night.boxes.since and place not in night.boxes.hanging:
                drop_loose(night, place)
        seen = _seen(night, day)
    boxes = _as_counted(night, day, seen)
    waiting = [each["item"] for each in seen.body["counts"] if not each["counts"]]
    carrying = dict(zip(waiting, cycle(REASONS_NOT_COUNTED), strict=False))
    body = _signed(night, carrying)
    if waiting:
        night.refused(mari, path, _signed(night, {}), code="counts_missing", version=seen.version)
    alone = {**body, "second": night.staff.second("mari")}
    night.refused(mari, path, alone, code="same_person", version=seen.version)
    night.refused(mari, path, body, code="stale", version=seen.version + 1)
    told = night.done(mari, path, body, version=seen.version).data
    said = (told["money_difference_cents"], told["chips_difference_cents"], len(told["carried"]))
    night.must_equal("by how much a day differs", said, (*day.differs_cents(boxes), len(waiting)))
    night.refused(mari, path, body, code="counts_are_closed", version=seen.version)
    day.is_counted = True
    day.carried |= {(COUNTED, word): reason for word, reason in carrying.items()}
    night.days.played["counted"] += 1
    night.days.played["carried"] += len(day.carried)
    return f"day {day.id}: {len(boxes)} boxes, {len(waiting)} carried"


def _as_counted(night: "Night", day: Day, seen: Answer) -> list[Box]:
    """Hold what is told of a day's counts, and what became of what it carried, against the felt; return its boxes."""
    items = {each["item"]: each for each in seen.body["counts"]}
    drawers = [word for word in items if word.split(".")[0] == "drawer"]
    differ = {word: tuple(items[word][f"{name}_difference_cents"] for name in ("money", "chips")) for word in drawers}
    night.must_equal("what a day says of its drawers and banks", differ, day.drawers)
    if not night.tally.faults["clock set back"]:
        missing = [box.id for box in day.boxes if box.number and f"box.{box.id}" not in items]
        night.must_equal("boxes of a day that are not counted of it", missing, [])
    ours = [box for box in night.boxes.all if f"box.{box.id}" in items]
    found = {f"box.{box.id}": (bool(box.is_counted), box.difference) for box in ours}
    told = {word: (bool(items[word]["counts"]), items[word]["chips_difference_cents"]) for word in found}
    night.must_equal("what a day says of its boxes", told, found)
    became = {each["item"]: each["is_open"] for each in seen.body["carried"]}
    is_open = {word: fill.differs for word, fill in day.fills.items()}
    night.must_equal("what became of fills that differed", {word: became[word] for word in is_open}, is_open)
    return ours


def _seen(night: "Night", day: Day) -> Answer:
    return night.staff.desktop.get(f"{API}/days/{day.id}")


def _in_no_box(seen: Answer) -> bool:
    return any(not each["may_wait"] and not each["counts"] for each in seen.body["counts"])


def _signed(night: "Night", carrying: dict[str, str]) -> dict[str, Any]:
    items = [{"item": word, "reason": reason} for word, reason in carrying.items()]
    return {"carrying": items, "second": night.staff.second("olavi")}
