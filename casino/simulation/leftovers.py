"""What a show in the demo room that was stopped in mid-hand has left there, cleared up before the next one begins."""

from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours.opening import FLOAT_CASH, FLOAT_CHIPS
from casino.simulation.checks import Books
from casino.simulation.staff import Staff

if TYPE_CHECKING:
    from casino.simulation.night import Night


def clear_up(night: "Night", books: Books | None) -> None:
    """
    Open day and drawer where they are closed, empty and close the tables that the night plays at, and clear the lists.

    Where nobody knows any more who had which chips, the last one to leave a table takes along all that lies there.
    """
    staff = night.staff
    if staff.cage.get("/api/v1/cage/day").body["day"] is None:
        night.done(staff.desktop, "/api/v1/cage/day/open")
    drawer = staff.cage.get("/api/v1/cage/drawers/1")
    if drawer.body["session"] is None:
        said = {"cash_cents": FLOAT_CASH, "chips_cents": FLOAT_CHIPS}
        night.done(staff.cage, "/api/v1/cage/drawers/1/open", said, version=drawer.version)
    for number in sorted(staff.tablets):
        _empty(night, staff, number, books)
    # After the tables: a table that closes leaves its players' right to a seat on the list.
    for game in staff.floor.get("/api/v1/lists").body:
        for waits in (*game["called"], *game["waiting"]):
            night.done(staff.floor, f"/api/v1/waiting/{waits['id']}/drop-out")
    for table, seating in books.uncounted() if books else []:
        night.done(staff.floor, f"/api/v1/tables/{table}/seatings/{seating}/count", {"stack_cents": 0})
    for slip in staff.cage.get("/api/v1/cage/slips?status=requested&limit=100").body:
        night.done(staff.cage, f"/api/v1/cage/slips/{slip['id']}/cancel", version=slip["version"])


def _empty(night: "Night", staff: Staff, number: int, books: Books | None) -> None:
    api = f"/api/v1/tables/{number}"
    table: dict[str, Any] = staff.floor.get(api).body
    if not table["is_open"]:
        return
    if table["hand"]:
        said = {"hand_id": table["hand"]["hand_id"], "reason": "void"}
        night.done(staff.floor, f"{api}/hands/void", said)
    seatings = [seating["id"] for seating in table["seatings"]]
    for seating in seatings:
        stack = books.in_play(number) if books and seating == seatings[-1] else 0
        night.done(staff.floor, f"{api}/seatings/{seating}/leave", {"stack_cents": max(stack, 0)})
    night.done(staff.floor, f"{api}/close")
