"""
Cash plays, in nights of racks: dealers sell chips out of a rack for cash, which lies in it until it is carried away.

A sale is one tap, whether the seat has requested the chips or not. At times a wrong sum is logged, or a dealer steals
cash: exactly that is missing, or too much, at the rack's next count, and the count points to the dealers (`racks`).
"""

from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, at_once, only_one
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import see_document
from casino.simulation.behaviours.faults import may_travel_badly
from casino.simulation.felt import Sitter
from casino.simulation.front_door import Device
from casino.simulation.racks import CASH, SHORT_SALES_MAX, Rack, Sale
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

MET_SHARE, FLOOR_SHARE, WRONG_SHARE, REFUSED_SHARE = 0.2, 0.25, 0.3, 0.2
# This refusal does not say that too little lies there: whoever reads it may count the rack.
SHORT = "rack_short_unseen"
# By how much a sum is wrong, and what a dealer takes at once.
WRONG, TAKEN = (-50_00, -10_00, 5_00, 10_00, 100_00), (5_00, 20_00, 50_00)
# What a seat was brought, and what its player has bought on the day of a sale.
_BROUGHT = """
    SELECT seating.chips_in_cents, (
        SELECT sum(other.amount_cents)::bigint
        FROM cage_slip other JOIN cage_drawersession session ON session.id = other.session_id
        WHERE other.player_id = slip.player_id AND other.kind = 'buy_in' AND session.day_id = own.day_id
            AND other.status = 'paid'
    )
    FROM cage_slip slip JOIN cage_drawersession own ON own.id = slip.session_id, tables_seating seating
    WHERE slip.id = %s AND seating.id = %s
"""
REASONS = ("wrong_amount", "wrong_player", "not_handed_over")
NEVER_SOLD_FOR = ("wrong_player", "not_handed_over")


@behaviour("a dealer sells what a seat waits for", weight=12, of="racks")
def sells_the_requested(night: "Night") -> str | None:
    """
    A dealer or the floor sells the chips that a seat has requested; a tap that does not name the request is refused. At
    times both sell them at the same moment, and one sale must stand. At times another sum of chips and cash changes
    hands than was logged: only the next count finds that.
    """
    found = [(table, sitter) for table in _selling(night) for sitter in table.sitters() if sitter.slip]
    if not found:
        return None
    table, sitter = night.rng.choice(found)
    slip = night.staff.cage.get(f"/api/v1/cage/slips/{sitter.slip}").body
    cents, rack = slip["amount_cents"], night.racks.of(table.number)
    given = _given(night, cents)
    if cents > rack.expected_chips or not 0 < given <= rack.lies:
        return None
    see_document(night, sitter.player)
    path = _path(table, sitter)
    unseen = {"amount_cents": cents, "stack_cents": sitter.stack}
    night.refused(night.staff.tablets[table.number], path, unseen, code="stale")
    body = {**unseen, "slip_id": slip["id"], "slip_version": slip["version"]}
    if night.rng.random() < MET_SHARE:
        taps = [Given(device, path, body) for device in _devices(night, table)]
        answers = at_once(night, *taps)
        first = only_one(taps, answers, refused={"stale"})
        data, device = answers[first].data, taps[first].device
    else:
        data, device = _taps(night, table, path, body)
    sitter.slip = None
    return _is_sold(night, table, sitter, data, cents=cents, given=given, device=device)


@behaviour("a dealer sells chips to a seat", weight=12, of="racks")
def sells(night: "Night") -> str | None:
    """
    A dealer or the floor sells chips for cash to a seat that has requested none. At times another sum is logged than
    changed hands: the next count finds the difference.
    """
    found = _buyers(night)
    if not found:
        return None
    table, sitter, (least, most) = night.rng.choice(found)
    rack = night.racks.of(table.number)
    most = min(most, rack.expected_chips)
    if least > most:
        return None
    cents = night.rng.randint(least // 100, most // 100) * 100
    given = _given(night, cents)
    body = {"amount_cents": cents, "stack_cents": sitter.stack, "again": True}
    see_document(night, sitter.player)
    if not 0 < given <= rack.lies:
        return None
    data, device = _taps(night, table, _path(table, sitter), body)
    return _is_sold(night, table, sitter, data, cents=cents, given=given, device=device)


@behaviour("a dealer asks a rack for more than lies there", weight=6, of="racks")
def asks_too_much(night: "Night") -> str | None:
    """
    A dealer or the floor sells more chips than lie in the rack by the log, up to three times: each sale is refused. The
    third since the rack's last count puts it on the floor's to-do, to be counted. A tap that is given anew, because
    time changed something meanwhile, counts as one more.
    """
    found = [
        (table, sitter, (max(least, night.racks.of(table.number).expected_chips + 1_00), most))
        for table, sitter, (least, most) in _buyers(night)
    ]
    found = [(table, sitter, (least, most)) for table, sitter, (least, most) in found if least <= most]
    if not found:
        return None
    table, sitter, (least, most) = night.rng.choice(found)
    rack, refusals = night.racks.of(table.number), night.tally.refusals
    see_document(night, sitter.player)
    for _ in range(night.rng.randint(1, SHORT_SALES_MAX)):
        cents, before = night.rng.randint(least // 100, most // 100) * 100, refusals[SHORT]
        body = {"amount_cents": cents, "stack_cents": sitter.stack, "again": True}
        night.refused(_devices(night, table)[night.rng.random() < FLOOR_SHARE], _path(table, sitter), body, code=SHORT)
        for _ in range(refusals[SHORT] - before):
            rack.refuses_short_sale()
        night.racks.played["refused"] += 1
    night.racks.played["asked too often"] += rack.is_on_todo
    return f"table {table.number}, {rack.refused} since its count"


@behaviour("a dealer taps a sale that never is", weight=3, of="racks")
def sells_nothing(night: "Night") -> str | None:
    """
    A dealer or the floor logs a sale that was not made, as with a tap on the wrong seat: neither chips nor cash change
    hands.
    """
    # To a seat that has bought chips before: else the log would have someone play who has none.
    found = [each for each in _buyers(night) if each[1].put_in]
    if not found:
        return None
    table, sitter, (least, most) = night.rng.choice(found)
    most = min(most, night.racks.of(table.number).expected_chips)
    if least > most:
        return None
    cents = night.rng.randint(least // 100, most // 100) * 100
    see_document(night, sitter.player)
    body = {"amount_cents": cents, "stack_cents": sitter.stack, "again": True}
    data, device = _taps(night, table, _path(table, sitter), body)
    return _is_sold(night, table, sitter, data, cents=cents, given=0, device=device)


@behaviour("a sale that never was is taken back", weight=10, of="racks")
def never_was(night: "Night") -> str | None:
    """
    The cashier voids a sale that was never made, and a manager signs: once counts have found its chips there and its
    cash missing, and on its own day. Refused before the rack is counted, and to one person alone. Where counts have
    found less than the sale nobody tries.
    """
    there = [
        (table, rack, sale)
        for number, table in sorted(night.tables.items())
        for rack in [night.racks.of(number)]
        for sale in rack.sales
        if sale.never_was and not sale.is_void and sale.night == night.number
    ]
    found = [each for each in there if each[1].explains(each[2])]
    if night.rng.random() < REFUSED_SHARE:
        found = [each for each in there if each[2].counts == each[1].counts]
    if not found:
        return None
    table, rack, sale = night.rng.choice(found)
    path = f"/api/v1/cage/slips/{sale.slip}/never-sold"
    body = {"reason": night.rng.choice(NEVER_SOLD_FOR), "second": night.staff.second("mari")}
    if sale.counts == rack.counts:
        return night.refused(night.staff.cage, path, body, code="rack_not_counted")
    alone = {**body, "second": night.staff.second("carla")}
    night.refused(night.staff.cage, path, alone, code="same_person")
    before = _brought(night, sale)
    may_travel_badly(night)
    night.done(night.staff.cage, path, body)
    rack.takes_out(sale)
    table.felt.sold_wrongly -= sale.cents
    night.must_equal(
        "what was brought to a seat, and bought by its player",
        _brought(night, sale),
        [cents - sale.cents for cents in before],
    )
    night.racks.played["never sold"] += 1
    return f"{sale.cents // 100} € at table {table.number}"


@behaviour("a sale out of a rack is reversed", weight=10, of="racks")
def is_reversed(night: "Night") -> str | None:
    """
    The cashier reverses a sale out of a rack, and a manager signs; one person alone is refused. Refused also on a later
    day, after a count of the rack, and where too little cash lies in it by the log.

    The chips come out of the buyer's stack; nothing happens while they are played with, or are not all there.
    """
    found = [
        (table, sale)
        for _, table in sorted(night.tables.items())
        for sale in night.racks.of(table.number).sales
        if not sale.is_void and sale.cents == sale.given
    ]
    # Most that are wrong are seen at once; the others are many, and each is refused.
    still = [each for each in found if not _why_not(night, night.racks.of(each[0].number), each[1])]
    found = found if night.rng.random() < REFUSED_SHARE else still
    if not found:
        return None
    table, sale = night.rng.choice(found)
    rack, sitter, cage = night.racks.of(table.number), _who_has_it(table, sale), night.staff.cage
    path = f"/api/v1/cage/slips/{sale.slip}/reverse"
    version = night.staff.desktop.get(f"/api/v1/cage/slips/{sale.slip}").body["version"]
    body = {"reason": night.rng.choice(REASONS), "second": night.staff.second("mari")}
    if code := _why_not(night, rack, sale):
        night.racks.played["not reversed"] += 1
        return night.refused(cage, path, body, code=code, version=version)
    if sitter is None or sale.given > rack.cash:
        return None
    alone = {**body, "second": night.staff.second("carla")}
    night.refused(cage, path, alone, code="same_person", version=version)
    may_travel_badly(night)
    night.done(cage, path, body, version=version)
    rack.takes_back(sale)
    sitter.stack -= sale.given
    sitter.put_in -= sale.given
    sitter.player.money += sale.given
    night.racks.played["reversed"] += 1
    return f"{sale.given // 100} € at table {table.number}"


@behaviour("a dealer takes cash out of the rack", weight=2, of="racks")
def is_robbed(night: "Night") -> str | None:
    """
    A dealer steals cash from the rack; nobody taps anything, and its next count must find that missing. Only a dealer
    who has taken the rack over, or sold out of it, is a thief.
    """
    racks = {table.number: night.racks.of(table.number) for table in night.open_tables()}
    tables = [night.tables[number] for number, rack in racks.items() if rack.cash > 0 and (not rack.asks or rack.sold)]
    if not tables:
        return None
    table = night.rng.choice(tables)
    rack, dealer = night.racks.of(table.number), night.dealer_at(table.number)
    cents = night.rng.choice([value for value in (*TAKEN, rack.cash) if value <= rack.cash])
    rack.is_robbed(dealer, CASH, cents)
    night.racks.played["cash robbed"] += 1
    return f"{dealer}, {cents // 100} € at table {table.number}"


def _selling(night: "Night") -> list[Table]:
    """Return the open tables whose tablets have a connection, and where a rack ever lay."""
    tables = [table for table in night.open_tables() if not table.is_offline]
    return [table for table in tables if night.racks.of(table.number).was_filled]


def _brought(night: "Night", sale: Sale) -> list[int]:
    """
    Return by the log what was brought to the seat of a sale, and bought by its player on the sale's day, both in cents;
    [] where the night reads no books.
    """
    return [cents or 0 for cents in night.books.rows(_BROUGHT, sale.slip, sale.seating)[0]] if night.books else []


def _buyers(night: "Night") -> list[tuple[Table, Sitter, tuple[int, int]]]:
    """Return each seat to which its table's rack may sell now, with the least and the most in cents."""
    return [
        (table, sitter, limits)
        for table in _selling(night)
        for sitter in table.sitters()
        if not night.deliveries.waits(sitter) and (limits := _may_buy(table, sitter)) is not None
    ]


def _may_buy(table: Table, sitter: Sitter) -> tuple[int, int] | None:
    """
    Return the least and the most in cents that a seat may buy now; None where it waits for chips, is in a hand, or
    needs none.
    """
    least, most = table.game["buy_in_min_cents"], table.game["buy_in_max_cents"]
    # Who comes back has to bring as much as they left with.
    if sitter.slip or table.is_in_hand(sitter.seat) or (sitter.player.has_left and not sitter.put_in):
        return None
    if not sitter.stack:
        return least, most or 4 * least
    room = most - sitter.stack if most else least
    is_low = table.game["big_blind_cents"] <= sitter.stack < least
    return (1_00, room) if is_low and room >= 1_00 and table.hand is None else None


def _given(night: "Night", cents: int) -> int:
    """Draw how many chips are really given, and paid, where a sale of `cents` is logged: at times another sum."""
    return cents - night.rng.choice(WRONG) if night.rng.random() < WRONG_SHARE else cents


def _taps(night: "Night", table: Table, path: str, body: dict[str, Any]) -> tuple[Any, Device]:
    """Sell by one tap on the table's tablet or the floor's; return the answer's data and the device."""
    device = _devices(night, table)[night.rng.random() < FLOOR_SHARE]
    may_travel_badly(night)
    return night.done(device, path, body).data, device


def _is_sold(night: "Night", table: Table, sitter: Sitter, data: Any, *, cents: int, given: int, device: Device) -> str:
    """
    Move a sale on the felt: chips to the seat, cash into the rack; return the journal's word.

    :raises Broken: `data` differs.
    """
    rack, staff = night.racks.of(table.number), night.staff
    answered = {name: data[name] for name in ("status", "method", "destination", "number", "amount_cents")}
    ours = {"status": "paid", "method": "cash", "destination": "seat", "number": len(rack.sales) + 1}
    night.must_equal(f"a sale out of the rack of table {table.number}", answered, ours | {"amount_cents": cents})
    dealer = staff.at_table[table.number]
    seller = "frans" if device is staff.floor else dealer
    sale = Sale(data["slip_id"], sitter.seating, cents, given, seller, rack.counts, night.number)
    rack.sells(sale, dealer)
    table.felt.sold_wrongly += cents - given
    sitter.player.money -= given
    sitter.stack += given
    sitter.put_in += given
    night.racks.played["sold"] += 1
    night.racks.played["sold wrongly"] += given != cents
    return f"{seller}, {given // 100} € at table {table.number}{f', said {cents // 100}' if given != cents else ''}"


def _why_not(night: "Night", rack: Rack, sale: Sale) -> str:
    """Return the code with which the reversal of a sale is refused, "" where it is not."""
    if sale.night != night.number:
        return "rack_day_over"
    if sale.counts != rack.counts:
        return "rack_counted_since"
    return "rack_cash_short" if sale.cents > rack.expected_cash else ""


def _who_has_it(table: Table, sale: Sale) -> Sitter | None:
    """
    Return the player who has the chips of a sale in front and is in no hand; None where there is none, or the table has
    no connection.
    """
    if table.is_offline:
        return None
    for sitter in table.sitters():
        # Where a seat bought nothing else, the sale must be the whole stack: no seat keeps chips that it never bought.
        is_all = sitter.put_in == sale.given == sitter.stack
        is_there = is_all or min(sitter.stack, sitter.put_in - 1) >= sale.given
        if sitter.seating == sale.seating and is_there and not table.is_in_hand(sitter.seat):
            return sitter
    return None


def _devices(night: "Night", table: Table) -> list[Device]:
    return [night.staff.tablets[table.number], night.staff.floor]


def _path(table: Table, sitter: Sitter) -> str:
    return f"{table.api}/seatings/{sitter.seating}/sell"
