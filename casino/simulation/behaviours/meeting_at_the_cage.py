"""Two people tap at the same moment: at one slip, at one drawer, or one at the cage and one elsewhere."""

from typing import TYPE_CHECKING

from casino.simulation.at_once import Given, all_done, at_once, only_one, put_right
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import cashed_out, see_document, signed, sold_to_seat
from casino.simulation.broken import Broken
from casino.simulation.felt import Sitter
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

DRAWER = "/api/v1/cage/drawers/1"


@behaviour("two cashiers take money for one slip", weight=4)
def two_for_one_slip(night: "Night") -> str | None:
    """Two cashiers take the money for one slip at once: the house must book it once, and refuse the other as stale."""
    found = _with_a_slip(night)
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    see_document(night, sitter.player)
    slip = night.staff.cage.get(f"/api/v1/cage/slips/{sitter.slip}").body
    path, body = f"/api/v1/cage/slips/{sitter.slip}/take-money", {"drawer_number": 1, "method": "cash"}
    given = [Given(cashier, path, body, slip["version"]) for cashier in (night.staff.cage, night.staff.cage_too)]
    answers = at_once(night, *given)
    sold_to_seat(night, table, sitter, answers[only_one(given, answers, refused={"stale"})].data)
    return f"{sitter.player.nickname}, table {table.number}"


@behaviour("two cashiers pay from one drawer", weight=5)
def two_at_one_drawer(night: "Night") -> str | None:
    """One cashier sells chips while another cashes a player out, at one drawer: the slips' numbers must differ."""
    guests = [player for player in night.felt.by_name() if player.table is None and player.uncounted is None]
    buyers, sellers = [each for each in guests if not each.pocket], [each for each in guests if each.pocket]
    if not buyers or not sellers:
        return None
    buyer, seller = night.rng.choice(buyers), night.rng.choice(sellers)
    bought, sold, drawer = 100_00 * night.rng.randint(1, 5), seller.pocket, night.felt.drawer
    if sold > drawer.cash:
        return None
    for each in (buyer, seller):
        see_document(night, each)
    buys = {"amount_cents": bought, "method": "cash", "player_id": buyer.id, "again": True}
    sells = signed(
        night, {"amount_cents": sold, "method": "cash", "player_id": seller.id}, before_cents=seller.paid_out
    )
    given = [
        Given(night.staff.cage, f"{DRAWER}/buy-ins", buys),
        Given(night.staff.cage_too, f"{DRAWER}/cash-outs", sells),
    ]
    answers = all_done(given, at_once(night, *given))
    numbers = [answer.data["number"] for answer in answers]
    if len(set(numbers)) != 2:
        raise Broken("each slip of a drawer has a number of its own", f"two have {numbers[0]}")
    drawer.sells_to_pocket(buyer, bought)
    drawer.sells_to_pocket(seller, -sold)
    seller.paid_out += sold
    return f"{buyer.nickname} buys {bought // 100} €, {seller.nickname} sells {sold // 100} €"


@behaviour("a player leaves while the cage takes the money", weight=1.5)
def leaves_or_buys(night: "Night") -> str | None:
    """
    A player leaves a seat while the cage takes the money for its chips: the departure must hold in either case.

    Where the cage was first, two reverse the slip. Otherwise the seat is empty: the money must be refused, and the cage
    cancels the slip.
    """
    found = [
        (table, sitter)
        for table, sitter in _with_a_slip(night)
        if not table.is_in_hand(sitter.seat) and not table.is_offline
    ]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    see_document(night, sitter.player)
    cage, path = night.staff.cage, f"/api/v1/cage/slips/{sitter.slip}"
    leave = f"{table.api}/seatings/{sitter.seating}/leave"
    take = {"drawer_number": 1, "method": "cash"}
    given = [
        Given(night.staff.tablets[table.number], leave, {"stack_cents": sitter.stack}),
        Given(cage, f"{path}/take-money", take, cage.get(path).body["version"]),
    ]
    left, paid = at_once(night, *given, at=table)
    if not left.is_done or paid.code not in {"", "seat_empty"}:
        raise Broken("leaving or paying", f"{left.status} {left.text[:300]}; {paid.status} {paid.text[:300]}")
    table.felt.get_up(sitter)
    version = cage.get(path).body["version"]
    if paid.is_done:
        body = {"reason": "not_handed_over", "second": night.staff.second("frans")}
        put_right(night, cage, f"{path}/reverse", body, version=version)
    else:
        put_right(night, cage, f"{path}/cancel", version=version)
    return f"{sitter.player.nickname}, table {table.number}"


@behaviour("a stack is counted while it is cashed out", weight=2)
def counted_or_cashed_out(night: "Night") -> str | None:
    """
    The floor counts the stack of a player who has left while the cage cashes it out: it must leave play once.

    The cash-out must be done. The count is done too, or refused as stale; then the floor counts by the new version.
    """
    players = [
        player
        for player in night.felt.by_name()
        if player.uncounted and player.pocket == player.uncounted[2] and player.pocket <= night.felt.drawer.cash
    ]
    if not players:
        return None
    player = night.rng.choice(players)
    see_document(night, player)
    assert player.uncounted is not None
    number, seating, stack = player.uncounted
    count = f"/api/v1/tables/{number}/seatings/{seating}/count"
    sells = signed(
        night, {"amount_cents": stack, "method": "cash", "player_id": player.id}, before_cents=player.paid_out
    )
    given = [
        Given(night.staff.floor, count, {"stack_cents": stack}),
        Given(night.staff.cage, f"{DRAWER}/cash-outs", sells),
    ]
    counted, paid = at_once(night, *given)
    if not paid.is_done or counted.code not in {"", "stale"}:
        raise Broken("counted or cashed out", f"count: {counted.text[:300]}; cash-out: {paid.text[:300]}")
    if not counted.is_done:
        # The floor's count is the one that stands, whoever was first.
        seen = night.staff.floor.get(f"/api/v1/tables/{number}/seatings/{seating}")
        put_right(night, night.staff.floor, count, {"stack_cents": stack}, version=seen.version)
    cashed_out(night, player, "cash", slip=None)
    return f"{player.nickname}, {stack // 100} €"


def _with_a_slip(night: "Night") -> list[tuple[Table, Sitter]]:
    return [(table, sitter) for table in night.open_tables() for sitter in table.sitters() if sitter.slip]
