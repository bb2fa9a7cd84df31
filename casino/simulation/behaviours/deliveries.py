"""
Chips that a seat has paid for, in rooms whose rule book has their delivery confirmed. A runner takes them, they come to
the seat, and the dealer, a runner or the floor confirms it: at once, late, never, or by mistake.

At times a runner steals some of them: exactly that is missing at their table, and while nobody confirms that they came
the slip and the day name who had them.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.at_the_table import between_hands, change_seats
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.deliveries import CAGE, RUNNER, Delivery
from casino.simulation.front_door import Device
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

PLAYER, NOT_THERE = "player", "not_there"
# How often nobody confirms at once that chips came, or at all before their table closes.
UNCONFIRMED_SHARE, NEVER_CONFIRMED_SHARE, TWICE_SHARE = 0.3, 0.25, 0.2
# How often a thief takes all of it.
ALL_SHARE = 0.3
STOLEN = (1_00, 5_00, 25_00, 100_00)


@behaviour("a runner takes paid chips", weight=25, of="deliveries")
def is_carried(night: "Night") -> str | None:
    """
    A runner takes paid chips from the cashier or from another runner, and signs. Refused once somebody has confirmed by
    mistake that they came. Whoever takes chips counts them: those of which some were stolen stay where they are.
    """
    deliveries = [each for each in night.deliveries.on_way() if not each.gone]
    if not deliveries:
        return None
    delivery = night.rng.choice(deliveries)
    runners = [name for name in night.staff.runners() if name != delivery.holder]
    if not runners:
        return None
    runner = night.rng.choice(runners)
    device, body = night.rng.choice([night.staff.cage, night.staff.floor]), {"chips_with": RUNNER}
    if runner == "carlo":
        device = night.staff.cage_too
    signed = body if runner == "carlo" else body | {"second": night.staff.second(runner)}
    if delivery.confirmed_by:
        return night.refused(device, _path(delivery), signed, code="chips_not_on_way")
    may_travel_badly(night)
    data = night.done(device, _path(delivery), signed).data
    delivery.goes_to(runner, RUNNER)
    _as_felt(night, delivery, data)
    night.deliveries.played["carried"] += 1
    return f"{runner}, {delivery.cents // 100} € for {delivery.sitter.player.nickname}"


@behaviour("a runner brings paid chips back to the cage", weight=6, of="deliveries")
def is_brought_back(night: "Night") -> str | None:
    """
    A runner brings paid chips back, none of them stolen, and the cashier takes them; the same tap on their table's
    tablet is refused.
    """
    deliveries = [
        each for each in night.deliveries.on_way() if each.chips_with == RUNNER and not each.gone and each.is_open
    ]
    if not deliveries:
        return None
    delivery, body = night.rng.choice(deliveries), {"chips_with": CAGE}
    if tablet := _tablet(night, delivery):
        night.refused(tablet, _path(delivery), body, code="not_permitted")
    data = night.done(night.staff.cage, _path(delivery), body).data
    delivery.goes_to("carla", CAGE)
    _as_felt(night, delivery, data)
    night.deliveries.played["brought back"] += 1
    return f"{delivery.cents // 100} € for {delivery.sitter.player.nickname}"


@behaviour("paid chips come to their seat", weight=20, of="deliveries")
def come(night: "Night") -> str | None:
    """
    Paid chips come to their seat, without those that were stolen. The dealer, the floor or the runner confirms it; at
    times nobody does for long.
    """
    deliveries = night.deliveries.on_way()
    if not deliveries:
        return None
    delivery = night.rng.choice(deliveries)
    gone = delivery.gone
    delivery.comes()
    night.deliveries.played["come"] += 1
    night.deliveries.played["come with less"] += gone > 0
    if delivery.is_open and night.rng.random() >= UNCONFIRMED_SHARE:
        return confirm(night, delivery)
    return f"{(delivery.cents - gone) // 100} € for {delivery.sitter.player.nickname}, and nobody says so"


@behaviour("somebody says after all that paid chips came", weight=4, of="deliveries")
def confirms_late(night: "Night") -> str | None:
    found = [each for each in night.deliveries.all if each.has_come and each.is_open]
    return _confirms_one_of(night, found, "said late")


@behaviour("somebody says by mistake that paid chips came", weight=6, of="deliveries")
def confirms_by_mistake(night: "Night") -> str | None:
    """
    Somebody confirms paid chips that are still on their way, as if another seat's were taken for them; the house must
    take their word.
    """
    found = [each for each in night.deliveries.on_way() if each.is_open]
    return _confirms_one_of(night, found, "said by mistake")


@behaviour("that paid chips came is taken back", weight=15, of="deliveries")
def is_taken_back(night: "Night") -> str | None:
    """
    Whoever confirmed by mistake that paid chips came, or the floor, takes that back: the chips are with their holder
    again. Refused to another dealer, for a confirmation of an earlier evening, and a second time.
    """
    deliveries = [each for each in night.deliveries.on_way() if each.is_wrong]
    if not deliveries:
        return None
    delivery, body = night.rng.choice(deliveries), {"chips_with": NOT_THERE}
    path, staff, tablet = _path(delivery), night.staff, _tablet(night, delivery)
    if delivery.confirmed_night != night.number:
        return night.refused(staff.floor, path, body, code="chips_not_on_way")
    devices = [staff.floor]
    if tablet and staff.at_table[delivery.table.number] == delivery.confirmed_by:
        devices.append(tablet)
    elif tablet:
        night.refused(tablet, path, body, code="not_permitted")
    may_travel_badly(night)
    device = night.rng.choice(devices)
    data = night.done(device, path, body).data
    delivery.confirmed_by = ""
    _as_felt(night, delivery, data)
    night.refused(device, path, body, code="chips_not_on_way")
    night.deliveries.played["taken back"] += 1
    return f"{delivery.cents // 100} € for {delivery.sitter.player.nickname}, with {delivery.holder}"


@behaviour("a player changes seats while their chips are on their way", weight=6, of="deliveries")
def changes_seats(night: "Night") -> str | None:
    """
    A player changes seats between two hands while paid chips are on their way: the chips are the player's, in whichever
    seat.
    """
    table = between_hands(night)
    found = [sitter for sitter in table.sitters() if night.deliveries.waits(sitter)] if table else []
    if table is None or not found or not table.free_seats():
        return None
    night.deliveries.played["changed seats"] += 1
    return change_seats(night, table, night.rng.choice(found))


@behaviour("a runner takes some of the chips that they carry", weight=14, of="deliveries")
def is_robbed(night: "Night") -> str | None:
    """A runner steals some of the chips that they carry, or all, which then never come; nobody taps anything."""
    deliveries = [each for each in night.deliveries.on_way() if each.chips_with == RUNNER]
    if not deliveries:
        return None
    delivery = night.rng.choice(deliveries)
    cents = delivery.lies
    if (some := [value for value in STOLEN if value < cents]) and night.rng.random() >= ALL_SHARE:
        cents = night.rng.choice(some)
    delivery.is_robbed(cents)
    night.felt.stolen += cents
    night.deliveries.played["robbed"] += 1
    night.deliveries.played["robbed of all"] += not delivery.lies
    return f"{delivery.holder}, {cents // 100} € of {delivery.cents // 100} €"


def deliveries_at_the_end(night: "Night", table: Table) -> Iterator[str]:
    """
    Before a table closes, have chips on their way come to it; yield each step's word. What nobody confirms then is
    carried over the day's end.
    """
    for delivery in [each for each in night.deliveries.all if each.table is table.felt]:
        if delivery.lies:
            delivery.comes()
            yield f"{delivery.cents // 100} € come to table {table.number}"
        if delivery.has_come and delivery.is_open and night.rng.random() >= NEVER_CONFIRMED_SHARE:
            yield confirm(night, delivery)


def confirm(night: "Night", delivery: Delivery) -> str:
    """
    Have somebody tap that chips came: the dealer, the floor, or at the cage a runner who is a cashier; at times twice.
    """
    staff, body = night.staff, {"chips_with": PLAYER}
    ways: list[tuple[str, Device, str]] = [("the floor", staff.floor, "frans")]
    # A dealer confirms nothing for a player who no longer sits there.
    if (tablet := _tablet(night, delivery)) and delivery.sitter in delivery.table.sitters.values():
        ways += [("a dealer", tablet, staff.at_table[delivery.table.number])] * 3
    if delivery.holder == "carlo":
        ways += [("a runner", staff.cage_too, "carlo")] * 3
    who, device, name = night.rng.choice(ways)
    may_travel_badly(night)
    data = night.done(device, _path(delivery), body).data
    delivery.confirm(name, night.number)
    _as_felt(night, delivery, data)
    if night.rng.random() < TWICE_SHARE:
        _as_felt(night, delivery, night.done(staff.floor, _path(delivery), body).data)
    night.deliveries.played[f"said by {who}"] += 1
    return f"{name}, {delivery.cents // 100} € for {delivery.sitter.player.nickname}"


def _confirms_one_of(night: "Night", found: list[Delivery], how: str) -> str | None:
    """Confirm one of these, and count it as `how`; None where there are none."""
    night.deliveries.played[how] += bool(found)
    return confirm(night, night.rng.choice(found)) if found else None


def _as_felt(night: "Night", delivery: Delivery, data: dict[str, object]) -> None:
    """
    Hold an answer against the felt: with whom the chips are, and whether they are confirmed.

    :raises Broken: it differs.
    """
    answered = [data[name] for name in ("amount_cents", "chips_with", "chips_staff_id", "is_delivered")]
    ours = [delivery.cents, delivery.chips_with, night.staff.id_of(delivery.holder), not delivery.is_open]
    night.must_equal("where paid chips are", answered, ours)


def _tablet(night: "Night", delivery: Delivery) -> Device | None:
    """Return the tablet of the table to which chips go, None while it has no connection."""
    number = delivery.table.number
    return None if night.tables[number].is_offline else night.staff.tablets[number]


def _path(delivery: Delivery) -> str:
    return f"/api/v1/cage/slips/{delivery.slip}/chips"
