"""
A gaming day closes in two stages: a manager closes it for operations and carries over what is open; two close it as
counted, that night or the next day.
"""

from collections.abc import Iterator
from datetime import date
from itertools import cycle, product, repeat
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.boxes import drop_loose
from casino.simulation.behaviours.playing_on import open_of
from casino.simulation.behaviours.signatures import fetch_back
from casino.simulation.boxes import KINDS, Box
from casino.simulation.broken import Broken
from casino.simulation.days import COUNTED, OPERATIONS, Day
from casino.simulation.front_door import Answer

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/cage"
AT_ONCE_SHARE = 0.5
# How often a drawer or bank that could be counted at the day's end stays open over it.
STAYS_SHARE = 0.35
REASONS = ("looked_into", "somebody_gone", "no_time", "nothing_to_find")
# The reasons for which a drawer or a bank stays open, and the kinds of item that these two are.
STAY = ("stays_open", "under_seal", "somebody_gone", "looked_into", "no_time")
STAYING = {"drawer", "bank"}
# The kinds of open item that the felt knows of too: what a day carries of them is held against it.
LEFT = {
    "fill_differs", "runner", "vault", "vault_differs", "on_way", "plays_on", "over_short", "unsigned", *STAYING,
}  # fmt: skip
REASONS_NOT_COUNTED = ("looked_into", "under_seal", "not_found")


def is_today(night: "Night") -> None:
    """Note which gaming day runs."""
    day = night.staff.desktop.get(f"{API}/day").body["day"]
    night.days.dates[day["id"]] = day["date"]


def stays_open(night: "Night", number: int) -> bool:
    """
    Draw whether a drawer or bank stays open over the day's end. A manager is refused to carry over one that they opened
    themselves: it is counted.
    """
    opening, mari = night.days.opening_of(number), night.staff.desktop
    if night.rng.random() >= STAYS_SHARE:
        return False
    if is_own := opening.by == night.staff.id_of("mari"):
        body = {"carrying": [{"item": opening.word, "reason": STAY[0]}]}
        night.refused(mari, f"{API}/day/close", body, code="carries_own")
    return not is_own


def close_operations(night: "Night") -> Answer:
    """
    Close the day for operations, and return the answer. A manager carries over each open item with a reason; items in
    which mari had a part are refused to her, and another manager closes the day. Closing it as counted before that is
    refused.
    """
    path, mari, by = f"{API}/day/close", night.staff.desktop, night.staff.desktop
    today = mari.get(f"{API}/day").body["day"]["id"]
    night.refused(mari, f"{API}/days/{today}/counted", _signed(night, {}), code="day_still_open", version=0)
    fetch_back(night)
    answer, carrying = night.tap(mari, path), []
    night.must_equal("what of the day's end is mari's own", _own_of(answer), night.vault.left_by("mari"))
    if answer.code == "carries_own":
        by = night.staff.another_manager()
        answer = night.tap(by, path)
    if answer.code == "day_leaves_open":
        left = [f"{kind}.{number}" for kind, number in answer.body["data"]["still_open"]]
        # What is left hangs on the moment here and there: nothing is drawn for it.
        reasons = {"plays_on": repeat("plays_on"), **dict.fromkeys(STAYING, cycle(STAY))}
        others = cycle(REASONS)
        carrying = [{"item": word, "reason": next(reasons.get(word.split(".")[0], others))} for word in left]
        answer = night.done(by, path, {"carrying": carrying})
    elif not answer.is_done:
        raise Broken("the day closes when all is finished", f"POST {path}: {answer.text[:400]}")
    if by is not mari:
        night.staff.sign_in(by, "frans")
        night.days.played["closed by another"] += 1
    night.must_equal("which day has closed", answer.data["day_id"], today)
    for opening in night.days.open_now():
        opening.over.append(today)
        night.days.played[f"{opening.word.split('.')[0]} carried"] += 1
    day = night.days.closes(today, night.boxes.all, night.vault.of(today), _open(night, today))
    night.vault.played["forgotten"] += "vault.1" in day.left
    over = night.vouchers.end_with(date.fromisoformat(answer.data["date"]))
    night.must_equal("vouchers that are over with a day", answer.data["ended"].get("vouchers", []), over)
    day.carried = {(OPERATIONS, each["item"]): each["reason"] for each in carrying}
    found = {each["item"] for each in carrying if each["item"].split(".")[0] in LEFT}
    night.must_equal("what a day leaves open", found, day.left)
    _as_reported(night, today)
    return answer


def _own_of(answer: Answer) -> set[str]:
    if answer.code != "carries_own":
        return set()
    return {f"{kind}.{number}" for kind, number in answer.body["data"]["still_open"]}


def _as_reported(night: "Night", day: int) -> None:
    """Hold the drawer and banks in a closed day's report against what was open on it, and what its counts found."""
    openings, dates = [each for each in night.days.openings if each.was_open_on(day)], night.days.dates
    ours = [
        (each.number, dates[each.day] if each.day != day else None, day in each.over)
        + (each.found if each.counted == day else (None, None))
        for each in sorted(openings, key=lambda each: (each.number, each.session))
    ]
    report = night.staff.desktop.get(f"/api/v1/reports/day?date={dates[day]}").body
    names = ("number", "carried_from", "is_carried", "money_over_short_cents", "chips_over_short_cents")
    reported = [tuple(each[name] for name in names) for each in report["drawers"]]
    # On the first day somebody else may have had the drawer before.
    night.must_equal(
        "what a day's report says of its drawers and banks", [each for each in reported if each in ours], ours
    )
    night.must_equal("figures of a day's report that differ", report["differs"], 0)
    for opening in openings:
        if not opening.is_bank and opening.over:
            when = "later" if opening.day != day else "before"
            night.days.played[f"slips {when}"] += sum(each["paid"] for each in report["slips"])


def _open(night: "Night", day: int) -> set[str]:
    """
    Return what is open at a day's end, by its words in calls: fills and counts of the vault that differ, chips on their
    way and slips that no player has signed; the drawers, banks and tables that were carried over this day's end; and
    the vault where it must be counted daily, and nobody has counted it as of this day.
    """
    words = {f"fill_differs.{each.number}" for each in night.fills.all if each.differs}
    words |= {f"vault_differs.{each.number}" for each in night.vault.counts if each.is_open}
    words |= {each.word for each in night.days.open_now() if day in each.over}
    words |= {f"on_way.{each.slip}" for each in night.deliveries.all if each.is_open}
    words |= {f"unsigned.{each.slip}" for each in night.papers.unsigned(day)}
    words |= open_of(night, day)
    return words | ({"vault.1"} if night.plan.daily_vault and not night.vault.is_counted_since(day) else set())


def counts_at_the_end(night: "Night") -> Iterator[str]:
    """
    Close about half of the days as counted on the same night; the others follow on a later day, and so does one of
    which chips lie in no box. Yield each step's word.
    """
    day = night.days.all[-1]
    if night.rng.random() < AT_ONCE_SHARE and not _in_no_box(_seen(night, day)):
        yield close_counts(night, day)


@behaviour("a day is closed as counted", weight=3)
def is_counted(night: "Night") -> str | None:
    """A manager closes a day as counted, and an auditor signs; chips that fell where no box hung are dropped first."""
    waiting = night.days.waiting()
    return close_counts(night, night.rng.choice(waiting)) if waiting else None


def close_counts(night: "Night", day: Day) -> str:
    """
    Close a day as counted, what is not counted being carried over with a reason; return the journal's word. What its
    counts differ by must be what was stolen, forgotten or overlooked. Refused while chips lie in no box, without a
    reason for each missing count, to one person alone, for a wrong version, and a second time.
    """
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
    data = night.done(mari, path, body, version=seen.version).data
    answered = (data["money_difference_cents"], data["chips_difference_cents"], len(data["carried"]))
    night.must_equal("by how much a day differs", answered, (*day.differs_cents(boxes), len(waiting)))
    night.refused(mari, path, body, code="counts_are_closed", version=seen.version)
    _as_reported(night, day.id)
    day.is_counted = True
    day.carried |= {(COUNTED, word): reason for word, reason in carrying.items()}
    night.days.played["counted"] += 1
    night.days.played["carried"] += len(day.carried)
    return f"day {day.id}: {len(boxes)} boxes, {len(waiting)} carried"


def _as_counted(night: "Night", day: Day, seen: Answer) -> list[Box]:
    """
    Hold a day's counts, and what became of the items that it carried over, against the felt; return the boxes that are
    counted of it.

    :raises Broken: they differ.
    """
    items = {each["item"]: each for each in seen.body["counts"]}
    by_two = [word for word in items if word.split(".")[0] in {"drawer", "vault"}]
    differ = {word: tuple(items[word][f"{name}_difference_cents"] for name in ("money", "chips")) for word in by_two}
    ours = day.drawers | {f"vault.{count.id}": count.difference for count in day.vault}
    night.must_equal("what a day says of its drawers, banks and vault", differ, ours)
    if not night.tally.faults["clock set back"]:
        missing = [box.id for box in day.boxes if box.number and f"box.{box.id}" not in items]
        night.must_equal("boxes of a day that are not counted of it", missing, [])
    boxes = [box for box in night.boxes.all if f"box.{box.id}" in items]
    found = {f"box.{box.id}": (bool(box.is_counted), box.difference) for box in boxes}
    answered = {word: (bool(items[word]["counts"]), items[word]["chips_difference_cents"]) for word in found}
    night.must_equal("what a day says of its boxes", answered, found)
    became = {each["item"]: each["is_open"] for each in seen.body["carried"]}
    still = _open(night, day.id)
    is_open = {word: word in still for word in sorted(day.left)}
    night.must_equal("what became of what a day left open", {word: became[word] for word in is_open}, is_open)
    return boxes


def _seen(night: "Night", day: Day) -> Answer:
    return night.staff.desktop.get(f"{API}/days/{day.id}")


def _in_no_box(seen: Answer) -> bool:
    return any(not each["may_wait"] and not each["counts"] for each in seen.body["counts"])


def _signed(night: "Night", carrying: dict[str, str]) -> dict[str, Any]:
    items = [{"item": word, "reason": reason} for word, reason in carrying.items()]
    return {"carrying": items, "second": night.staff.second("olavi")}
