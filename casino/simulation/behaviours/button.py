"""Where the button is, and how newcomers come into the blinds."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour

if TYPE_CHECKING:
    from casino.simulation.night import Night


@behaviour("the button is put where it lies", weight=1.5)
def is_moved(night: "Night") -> str | None:
    """
    The dealer or the floor puts the button before a seated player between two hands, wherever the house has it: the
    next hand's blinds follow from there.
    """
    tables = [
        table
        for table in night.open_tables()
        if table.was_drawn and table.felt.sitters and table.hand is None and not table.is_offline
    ]
    if not tables:
        return None
    table = night.rng.choice(tables)
    body = {"seat_number": night.rng.choice(table.sitters()).seat}
    night.done(night.rng.choice([night.staff.tablets[table.number], night.staff.floor]), f"{table.api}/button", body)
    return f"table {table.number}, seat {body['seat_number']}"


@behaviour("a newcomer posts, or waits after all", weight=4)
def chooses(night: "Night") -> str | None:
    """
    A newcomer posts instead of waiting, or waits instead of posting. Refused for a player who is in the blinds already,
    and for an over player who would wait (H4.49).
    """
    tables = [table for table in night.open_tables() if table.felt.sitters]
    if not tables:
        return None
    table = night.rng.choice(tables)
    device = night.staff.floor if table.is_offline else night.staff.tablets[table.number]
    seating = night.rng.choice(device.get(table.api).body["seatings"])
    path, body = (
        f"{table.api}/seatings/{seating['id']}/entry",
        {"entry": "waits" if seating["entry"] == "posts" else "posts"},
    )
    if seating["entry"] == "in":
        return night.refused(device, path, body, code="not_a_new_player", version=seating["version"])
    seat = seating["seat_number"]
    is_over = seat in table.felt.played_over and table.felt.sitters[seat].seating == seating["id"]
    if is_over and body["entry"] == "waits":
        # H4.49
        return night.refused(device, path, body, code="over_player_posts", version=seating["version"])
    night.done(device, path, body, version=seating["version"])
    night.refused(device, path, body, code="stale", version=seating["version"])
    return f"table {table.number}, seat {seating['seat_number']}: {body['entry']}"
