"""The cage: money for chips that seats have requested, chips over the counter, cash-outs, deposits."""

from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import put_right
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.players import counted
from casino.simulation.behaviours.signatures import is_paid
from casino.simulation.broken import Broken
from casino.simulation.deliveries import CAGE, Delivery
from casino.simulation.felt import Player, Sitter
from casino.simulation.front_door import Answer
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

DRAWER = "/api/v1/cage/drawers/1"
# Above what the demo room's book has one cashier pay out alone.
PAID_ALONE_MAX = 5_000_00
# What moves a deposit however it is paid, by the ends of its addresses.
OF_DEPOSIT = ("/deposits", "/withdrawals")


@behaviour("the cashier takes money for a slip", weight=26)
def takes_money(night: "Night") -> str | None:
    """
    The cashier takes cash or a card for the oldest slip of a seat's buy-in. Where the player has left the seat
    meanwhile that is refused, and the cashier cancels the slip.
    """
    waiting = night.staff.cage.get("/api/v1/cage/slips?status=requested&limit=100").body
    slips = [slip for slip in waiting if slip["kind"] == "buy_in"]
    if not slips:
        return None
    slip = slips[-1]
    at = seat_of(night, slip["id"])
    method = "card" if night.rng.random() < 0.3 else "cash"
    body = {"drawer_number": 1, "method": method}
    path = f"/api/v1/cage/slips/{slip['id']}"
    if at is None:
        night.refused(night.staff.cage, f"{path}/take-money", body, code="seat_empty", version=slip["version"])
        night.done(night.staff.cage, f"{path}/cancel", version=slip["version"])
        return f"slip {slip['id']} is cancelled: nobody sits there any more"
    table, sitter = at
    data = paid(night, sitter.player, f"{path}/take-money", body, version=slip["version"]).data
    sold_to_seat(night, table, sitter, data, method)
    return f"{slip['amount_cents'] // 100} € for {sitter.player.nickname} at table {table.number}"


def sold_to_seat(night: "Night", table: Table, sitter: Sitter, data: dict[str, Any], method: str = "cash") -> None:
    """
    Note on the felt that the cage has sold the chips that a seat requested. They are in its stack at once, or on their
    way where the rule book has their delivery confirmed; the log has them at the seat in either case.

    :raises Broken: `data` does not say whether they are on their way as the rule book has it.
    """
    cents = data["amount_cents"]
    _pays_in(night, sitter.player, cents, method)
    night.felt.drawer.chips -= cents
    sitter.put_in += cents
    sitter.slip = None
    night.must_equal(
        "whether paid chips are on their way", data.get("is_delivered"), False if night.plan.deliveries else None
    )
    if not night.plan.deliveries:
        sitter.stack += cents
        return
    if data["chips_staff_id"] != night.staff.id_of("carla"):
        # Where two cashiers met, either may have sold them: whoever it was, they are with her then.
        put_right(night, night.staff.cage, f"/api/v1/cage/slips/{data['slip_id']}/chips", {"chips_with": CAGE})
    night.deliveries.is_sent(Delivery(data["slip_id"], table.felt, sitter, cents, "carla", cents))


@behaviour("a player buys chips at the cage", weight=3)
def buys_chips(night: "Night") -> str | None:
    player = at_the_counter(night)
    if player is None or player.pocket:
        return None
    cents = night.rng.choice([100_00, 200_00, 400_00, 500_00])
    method = "deposit" if player.deposit >= cents else night.rng.choice(["cash", "cash", "card"])
    body = {"amount_cents": cents, "method": method, "player_id": player.id, "again": True}
    paid(night, player, f"{DRAWER}/buy-ins", body)
    if method == "deposit":
        player.deposit -= cents
    else:
        _pays_in(night, player, cents, method)
    # Once in a while a chip too many goes over the counter; the drawer's count will find it.
    wrong = 5_00 if night.rng.random() < 0.06 else 0
    night.felt.drawer.chips -= cents + wrong
    night.felt.drawer.chips_missing += wrong
    player.pocket += cents + wrong
    return f"{player.nickname}, {cents // 100} € by {method}{', a chip too many' if wrong else ''}"


@behaviour("a player cashes out", weight=5)
def cashes_out(night: "Night") -> str | None:
    """
    The cashier buys all chips in the pocket of a player who sits nowhere; so a stack that left its seat uncounted is
    counted by the slip.
    """
    players = [player for player in night.felt.by_name() if player.table is None and player.pocket]
    return cash_out(night, night.rng.choice(players)) if players else None


def cash_out(night: "Night", player: Player) -> str:
    """
    Buy all chips of a player's pocket back, in cash or onto the deposit, and always onto the deposit where the drawer's
    cash is not enough; return the journal's word.
    """
    if player.uncounted and player.pocket != player.uncounted[2]:
        raise Broken("the simulator", f"{player.nickname} mixed an uncounted stack with other chips")
    cents, method = player.pocket, "deposit" if night.rng.random() < 0.15 else "cash"
    if method == "cash" and cents > night.felt.drawer.cash:
        method = "deposit"
    body = {"amount_cents": cents, "method": method, "player_id": player.id}
    cashed_out(night, player, method, slip=_pays_out(night, player, "cash-outs", body).data["slip_id"])
    return f"{player.nickname}, {cents // 100} € by {method}"


def signed(night: "Night", body: dict[str, Any], *, before_cents: int = 0) -> dict[str, Any]:
    """
    Return a payout's body, with a second person's signature where its sum needs one; `before_cents` was paid to that
    player before.
    """
    is_large = body["amount_cents"] + before_cents > PAID_ALONE_MAX
    return body | {"second": night.staff.second("frans")} if is_large else body


def _pays_out(night: "Night", player: Player, path: str, body: dict[str, Any]) -> Answer:
    """Pay a player out; a sum that one person may not pay alone is refused, until a second one signs."""
    if (by_two := signed(night, body)) != body:
        night.refused(night.staff.cage, f"{DRAWER}/{path}", body, code="payout_needs_second")
    return paid(night, player, f"{DRAWER}/{path}", by_two)


def paid(
    night: "Night",
    player: Player,
    path: str,
    body: dict[str, Any],
    *,
    version: int | None = None,
    prize_cents: int | None = None,
) -> Answer:
    """
    Have money cross the counter, and return the answer. Where the day's sum needs an identity check the cashier sees a
    document and taps again; where it is more than one person may pay alone a second one signs. Afterwards the player
    signs a slip that moves a deposit.

    :raises Broken: it is refused for anything else.
    """
    answer = night.tap(night.staff.cage, path, body, version=version)
    # The slip of a carried stack says no amount, nor does that of a prize.
    cents = body.get("amount_cents", player.carried) if prize_cents is None else prize_cents
    if answer.code in {"payouts_need_second", "payout_needs_second"} and cents + player.paid_out > PAID_ALONE_MAX:
        body = body | {"second": night.staff.second("frans")}
        answer = night.tap(night.staff.cage, path, body, version=version)
    if answer.code == "identity_needed" and not player.is_known:
        see_document(night, player)
        answer = night.tap(night.staff.cage, path, body, version=version)
    if not answer.is_done:
        raise Broken("what may be paid is paid", f"POST {path} {body}: {answer.text[:400]}")
    is_paid(night, answer.data["slip_id"], moves_deposit=body.get("method") == "deposit" or path.endswith(OF_DEPOSIT))
    return answer


def see_document(night: "Night", player: Player) -> None:
    """The cashier records a player's identity check, unless a document was seen before."""
    if not player.is_known:
        seen = {"full_name": f"{player.nickname} Virtanen", "document": "passport", "number": f"XP{player.id}"}
        night.done(night.staff.cage, f"/api/v1/people/players/{player.id}/identity", seen)
        player.is_known = True


def cashed_out(night: "Night", player: Player, method: str, *, slip: int | None) -> None:
    """
    Move all chips of a player's pocket into the drawer, and their worth to the player in cash or onto the deposit.

    `slip` has counted the stack that the player left uncounted, None if somebody else has.
    """
    cents = player.pocket
    if player.uncounted:
        if slip is not None:
            night.felt.counted_by_slip[slip] = (player.nickname, *player.uncounted)
        counted(night, player)
    player.paid_out += cents
    player.pocket, player.left = 0, None
    night.felt.drawer.chips += cents
    if method == "deposit":
        player.deposit += cents
    else:
        _pays_in(night, player, -cents, "cash")


@behaviour("a deposit is taken or paid", weight=2.5)
def keeps_money(night: "Night") -> str | None:
    player = at_the_counter(night)
    if player is None:
        return None
    cents = 100_00 * night.rng.randint(1, 5)
    if player.deposit and night.felt.drawer.cash >= player.deposit:
        cents = player.deposit
        _pays_out(night, player, "withdrawals", {"amount_cents": cents, "player_id": player.id})
        player.deposit = 0
        player.paid_out += cents
        _pays_in(night, player, -cents, "cash")
        return f"{player.nickname} gets {cents // 100} €"
    paid(night, player, f"{DRAWER}/deposits", {"amount_cents": cents, "method": "cash", "player_id": player.id})
    player.deposit += cents
    _pays_in(night, player, cents, "cash")
    return f"{player.nickname} leaves {cents // 100} €"


def at_the_counter(night: "Night") -> Player | None:
    """Draw a guest who sits nowhere and has left no stack uncounted; None where there is none."""
    players = [player for player in night.felt.by_name() if player.table is None and player.uncounted is None]
    return night.rng.choice(players) if players else None


def seat_of(night: "Night", slip_id: int) -> tuple[Table, Sitter] | None:
    for table in night.open_tables():
        for sitter in table.everybody():
            if sitter.slip == slip_id:
                return table, sitter
    return None


def _pays_in(night: "Night", player: Player, cents: int, method: str) -> None:
    """
    Move money in cents from a player into the drawer, by card or in cash; negative: cash back to the player.

    :raises Broken: the drawer pays more cash than it has.
    """
    drawer = night.felt.drawer
    if method == "card":
        drawer.card_slips += cents
    else:
        drawer.cash += cents
    player.money -= cents
    if drawer.cash < 0:
        raise Broken("the simulator", "the drawer has paid more cash than it had")
