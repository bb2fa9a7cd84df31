"""
Rake and jackpot boxes: the floor hangs, changes and drops them, two count them; at times chips are stolen from one.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.behaviours import behaviour
from casino.simulation.boxes import KINDS, Box, Place, pieces

if TYPE_CHECKING:
    from casino.simulation.night import Night

API = "/api/v1/boxes"
TAKEN_BACK_SHARE, MET_SHARE, COUNTED_AGAIN_SHARE = 0.15, 0.2, 0.15
STAYS_SHARE, UNTIL_TOMORROW_SHARE = 0.4, 0.3


@behaviour("a box is hung or changed", weight=4)
def is_hung(night: "Night") -> str | None:
    """
    The floor hangs a box, and drops the one that hung there in the same act; a box that hangs at another table is
    refused. At times the box was hung by mistake, and is taken back.
    """
    places = _places(night)
    if not places:
        return None
    place = night.rng.choice(places)
    elsewhere = [box for box in night.boxes.hanging.values() if box.place != place and box.place[1] == place[1]]
    if elsewhere and night.rng.random() < 0.2:
        taken = _hangs(night, place, night.rng.choice(elsewhere).number or 0)
        return night.refused(night.staff.floor, f"{API}/hang", taken, code="box_elsewhere")
    if night.rng.random() < TAKEN_BACK_SHARE:
        return _hung_by_mistake(night, place)
    box = _hang(night, place)
    return f"box {box.number} at table {place[0]}, {place[1]}"


@behaviour("a box is dropped", weight=1)
def is_dropped(night: "Night") -> str | None:
    """
    The floor drops the box of a place, and at times takes that back. Where no box hangs, it drops the chips that fell
    there loose.
    """
    places = _places(night)
    if not places:
        return None
    place = night.rng.choice(places)
    box = night.boxes.hanging.get(place)
    if box is None:
        return drop_loose(night, place)
    _drop(night, box)
    if night.rng.random() < TAKEN_BACK_SHARE:
        night.done(night.staff.floor, f"{API}/{box.id}/take-back", version=_version(night, box))
        night.boxes.hanging[place], box.dropped = box, None
        night.boxes.played["taken back"] += 1
    return f"box {box.number} of table {place[0]}, {place[1]}"


@behaviour("a box is counted", weight=3)
def is_counted(night: "Night") -> str | None:
    """
    A cashier counts a dropped box blind with a second person, and at times counts it once more. Where no box waits, a
    count of one that still hangs is refused.
    """
    waiting = night.boxes.waiting()
    if not waiting:
        hanging = [box for _, box in sorted(night.boxes.hanging.items())]
        if not hanging:
            return None
        body, box = {"pieces": pieces(0), "second": night.staff.second("frans")}, night.rng.choice(hanging)
        version = _version(night, box)
        return night.refused(night.staff.cage, _count(box), body, code="box_still_hangs", version=version)
    return count(night, night.rng.choice(waiting))


@behaviour("chips are gone from a box", weight=0.5)
def is_robbed(night: "Night") -> str | None:
    """Somebody steals chips from a dropped box; nobody taps anything, and its count must find them missing."""
    boxes = [box for box in night.boxes.waiting() if box.chips > 0]
    if not boxes:
        return None
    box = night.rng.choice(boxes)
    cents = night.rng.choice([value for value in (1_00, 5_00, 25_00, box.chips) if value <= box.chips])
    box.stolen += cents
    night.boxes.stolen[box.place] += cents
    _felt(night, box.place).takes_out(box.place[1], cents)
    night.felt.stolen += cents
    night.boxes.played["robbed"] += 1
    return f"{cents // 100} € of box {box.id}"


@behaviour("the floor looks at a count that differs", weight=2)
def is_judged(night: "Night") -> str | None:
    boxes = [box for box in night.boxes.all if box.differs]
    if not boxes:
        return None
    box = night.rng.choice(boxes)
    version = _judge_version(night, box)
    # Whoever put something into the box does not judge it: the floor may have, and the manager never does.
    night.done(night.staff.desktop, f"{API}/{box.id}/judge", version=version)
    box.differs = False
    night.boxes.played["judged"] += 1
    return f"box {box.id}"


def boxes_at_the_end(night: "Night") -> Iterator[str]:
    """Drop most of the hanging boxes and count most of the dropped ones; the others wait for tomorrow. Yield each."""
    for _, box in sorted(night.boxes.hanging.items()):
        if night.rng.random() >= STAYS_SHARE:
            _drop(night, box)
            yield f"box {box.number} of table {box.place[0]} is dropped"
    for box in night.boxes.waiting():
        if night.rng.random() >= UNTIL_TOMORROW_SHARE:
            yield count(night, box)


def count(night: "Night", box: Box) -> str:
    """
    Count a dropped box, the cashier with a manager; return the journal's word. The house must expect what the log put
    there while it hung, and state the difference. Two cashiers are refused, and a box without a number needs a reason.
    """
    found, place, boxes = box.chips, box.place, night.boxes
    body = {"pieces": pieces(found), "second": night.staff.second("mari")}
    if box.number is None:
        night.refused(night.staff.cage, _count(box), body, code="box_reason_needed", version=_version(night, box))
        body["reason"] = "none_hung"
    version = _version(night, box)
    alone = {**body, "second": night.staff.second("carla")}
    night.refused(night.staff.cage, _count(box), alone, code="same_person", version=version)
    answer = _met(night, box, body, version) if night.rng.random() < MET_SHARE else None
    answer = answer or night.done(night.staff.cage, _count(box), body, version=version).data
    expected = answer["expected_cents"] if box.by_the_log is None else box.by_the_log
    answered = {name: answer[name] for name in ("counted_cents", "expected_cents", "difference_cents")}
    ours = {"counted_cents": found, "expected_cents": expected, "difference_cents": found - expected}
    night.must_equal(f"the count of box {box.id}", answered, ours)
    box.is_counted, box.differs, box.difference = True, found != expected, found - expected
    boxes.expected[place] += expected
    boxes.counted[place] += found
    _felt(night, place).takes_out(place[1], found)
    night.felt.vault_chips += found
    boxes.played["counted"] += 1
    boxes.played["differ"] += box.differs
    if night.rng.random() < COUNTED_AGAIN_SHARE:
        _count_again(night, box, body, answer["number"])
    return f"box {box.id} of table {place[0]}: {found / 100:.2f} €, {found - expected} differs"


def _met(night: "Night", box: Box, body: dict[str, Any], version: int) -> dict[str, Any] | None:
    """
    Have both cashiers count a box at the same moment, each with the floor: one count stands. Return its answer, or None
    where the floor has put something into the box itself, and both are refused. The manager does not sign here: she
    may not, for a cashier whom she has taken on that evening.
    """
    body = {**body, "second": night.staff.second("frans")}
    given = [Given(device, _count(box), body, version) for device in (night.staff.cage, night.staff.cage_too)]
    answers = at_once(night, *given)
    if all(answer.code == "own_box" for answer in answers):
        return None
    return dict(answers[only_one(given, answers, refused={"stale"})].data)


def _count_again(night: "Night", box: Box, body: dict[str, Any], number: int) -> None:
    """Count the same chips of a box again: no chips move, and the second count has the next number."""
    version = night.staff.cage.get(f"{API}/counts?limit=1").body[0]["box_version"]
    again = night.done(night.staff.cage, _count(box), body, version=version).data
    night.must_equal("the number of a count", again["number"], number + 1)
    night.boxes.played["counted again"] += 1


def _hang(night: "Night", place: Place) -> Box:
    boxes, number, sums = night.boxes, night.boxes.next_number(), night.sums_at(place)
    answer = night.done(night.staff.floor, f"{API}/hang", _hangs(night, place, number)).data
    was = boxes.hanging.get(place)
    night.must_equal("whether a box was changed", answer["is_changed"], was is not None)
    if was is not None:
        boxes.drop(was, sums)
    elif "dropped" in answer:
        _lay_loose(night, place, answer["dropped"])
    begins = boxes.since.get(place, sums) if was is None and "dropped" not in answer else sums
    boxes.hanging[place] = Box(answer["box"], place, number, begins)
    boxes.all.append(boxes.hanging[place])
    boxes.played["hung"] += 1
    return boxes.hanging[place]


def _hung_by_mistake(night: "Night", place: Place) -> str:
    """
    Hang a box and take it back before anything falls in; return the journal's word. What fell at the place before, if
    anything, lies in a box of its own from then on.
    """
    if night.boxes.since[place].logged:
        night.boxes.begun.add(place)
    number = night.boxes.next_number()
    box = night.done(night.staff.floor, f"{API}/hang", _hangs(night, place, number)).data["box"]
    night.done(night.staff.floor, f"{API}/{box}/take-back", version=_by_id(night, box)["version"])
    night.boxes.played["taken back"] += 1
    return f"box {number} was none of table {place[0]}"


def _drop(night: "Night", box: Box) -> None:
    table, charge = box.place
    body = {"table_number": table, "charge": charge, "box_id": box.id}
    night.done(night.staff.floor, f"{API}/drop", body)
    night.boxes.drop(box, night.sums_at(box.place))
    night.boxes.played["dropped"] += 1


def drop_loose(night: "Night", place: Place) -> str:
    """
    Drop the chips that fell at a place where no box hung; return the journal's word. Refused where the log has put
    nothing there.
    """
    body = {"table_number": place[0], "charge": place[1], "box_id": None}
    sums, since = night.sums_at(place), night.boxes.since[place]
    if sums.logged is not None and since.logged is not None and sums.logged <= since.logged:
        return night.refused(night.staff.floor, f"{API}/drop", body, code="nothing_to_drop")
    answer = night.tap(night.staff.floor, f"{API}/drop", body)
    if answer.is_done:
        _lay_loose(night, place, answer.data["box"])
    return f"what fell at table {place[0]}, {place[1]}"


def _lay_loose(night: "Night", place: Place, box_id: int) -> None:
    boxes = night.boxes
    box = Box(box_id, place, None, boxes.since[place])
    boxes.all.append(box)
    boxes.drop(box, night.sums_at(place))


def _hangs(night: "Night", place: Place, number: int) -> dict[str, Any]:
    hanging = night.boxes.hanging.get(place)
    table, charge = place
    instead = hanging.id if hanging else None
    return {"table_number": table, "charge": charge, "number": number, "instead_of": instead}


def _places(night: "Night") -> list[Place]:
    """Return the places of open tables whose games take that charge, where the sums of what fell there are known."""
    return [
        (table.number, kind)
        for table in night.open_tables()
        for kind in KINDS
        if table.game[kind] and (table.number, kind) in night.boxes.since
    ]


def _felt(night: "Night", place: Place) -> Any:
    return night.tables[place[0]].felt


def _by_id(night: "Night", box_id: int) -> dict[str, Any]:
    found = night.staff.floor.get(API + "/").body
    return next(each for each in found if each["id"] == box_id)


def _version(night: "Night", box: Box) -> int:
    return int(_by_id(night, box.id)["version"])


def _judge_version(night: "Night", box: Box) -> int:
    counts = night.staff.floor.get(f"{API}/counts?limit=100").body
    return int(next(each["box_version"] for each in counts if each["box_id"] == box.id))


def _count(box: Box) -> str:
    return f"{API}/{box.id}/count"
