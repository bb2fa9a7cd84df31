"""The evening ends: hands are finished, players leave, tables close, the drawer is counted, the day closes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours.absences import comes_to_the_cage
from casino.simulation.behaviours.bad_beats import tables_deal_on
from casino.simulation.behaviours.banks import banks_at_the_end
from casino.simulation.behaviours.boxes import boxes_at_the_end
from casino.simulation.behaviours.cage import cash_out, seat_of
from casino.simulation.behaviours.days import close_operations, counts_at_the_end, stays_open
from casino.simulation.behaviours.deliveries import deliveries_at_the_end
from casino.simulation.behaviours.departures import put_count_right
from casino.simulation.behaviours.disputes import pay
from casino.simulation.behaviours.fills import fills_at_the_end
from casino.simulation.behaviours.floor import count_tips, supply
from casino.simulation.behaviours.hands import settle
from casino.simulation.behaviours.payouts import jackpots_rest
from casino.simulation.behaviours.phones import put_phones_away
from casino.simulation.behaviours.players import counted, leave
from casino.simulation.behaviours.playing_on import count_through, plays_on
from casino.simulation.behaviours.racks import racks_at_the_end
from casino.simulation.behaviours.takeover import turn_up
from casino.simulation.behaviours.tips import tips_at_the_end
from casino.simulation.behaviours.tips_own import boxes_apart_at_the_end
from casino.simulation.behaviours.vault_counts import vault_at_the_end
from casino.simulation.boxes import CASH_VALUES, pieces
from casino.simulation.front_door import Answer

if TYPE_CHECKING:
    from casino.simulation.night import Night
    from casino.simulation.table import Table

KEEPS_CHIPS_SHARE = 0.2
# How often a chip is overlooked when the drawer is counted, and which.
OVERLOOKED_SHARE, CHIP = 0.4, 25_00


def close_the_house(night: "Night") -> Iterator[str]:
    """Close everything in order; each yielded word is a step, after which everything is checked."""
    put_phones_away(night)
    yield from tables_deal_on(night)
    for table in night.open_tables():
        # Some dead tablets are found before their table closes, the others after it.
        if table.left_on_dead_tablets and night.rng.random() < 0.5:
            yield turn_up(night, table)
        yield from (_plays_on if plays_on(night, table) else close_table)(night, table)
    for _, table in sorted(night.tables.items()):
        while table.left_on_dead_tablets:
            yield turn_up(night, table)
        while table.not_logged:
            yield supply(night, table)
    for player in [player for player in night.felt.by_name() if player.uncounted]:
        assert player.uncounted is not None
        number, seating, stack = player.uncounted
        path = f"/api/v1/tables/{number}/seatings/{seating}/count"
        night.done(night.staff.floor, path, {"stack_cents": stack})
        counted(night, player)
        yield f"{player.nickname}'s stack is counted after all"
    for player in [player for player in night.felt.by_name() if player.miscounted]:
        yield put_count_right(night, player)
    for player in [player for player in night.felt.by_name() if player.carried]:
        yield comes_to_the_cage(night, player)
    yield from boxes_at_the_end(night)
    yield from jackpots_rest(night)
    for slip in night.staff.cage.get("/api/v1/cage/slips?status=requested&limit=100").body:
        if slip["kind"] == "prize":
            # What somebody won waits for them.
            continue
        night.done(night.staff.cage, f"/api/v1/cage/slips/{slip['id']}/cancel", version=slip["version"])
        if at := seat_of(night, slip["id"]):
            at[1].slip = None
        yield f"slip {slip['id']} is cancelled"
    for player in night.felt.by_name():
        # Some take chips home, and bring them another day.
        if player.pocket and night.rng.random() > KEEPS_CHIPS_SHARE:
            yield cash_out(night, player)
    yield from boxes_apart_at_the_end(night)
    yield from tips_at_the_end(night)
    # From here on nothing is tapped at a table.
    for table in night.open_tables():
        yield count_through(night, table)
    yield from fills_at_the_end(night)
    yield from banks_at_the_end(night)
    yield from racks_at_the_end(night)
    yield from _differences(night)
    if not stays_open(night, 1):
        yield _close_drawer(night)
    yield from vault_at_the_end(night)
    yield _close_day(night)
    yield from counts_at_the_end(night)
    table = next(iter(night.tables.values()))
    body = {"player_id": night.felt.by_name()[0].id}
    yield night.refused(night.staff.floor, f"{table.api}/seats/1", body, code="no_open_day")
    # A fact is not refused: it waits on its tablet until there is a day to write it on.
    yield night.refused(night.staff.floor, f"{table.api}/tips", {"counted_cents": 1_00}, code="waits_for_day")


def close_table(night: "Night", table: "Table") -> Iterator[str]:
    """Close one table in order, each yielded word a step."""
    yield from _last_hand(night, table)
    # A seat that was played over goes back to its holder, who leaves too.
    while sitters := table.sitters():
        leave(night, table, sitters[0], is_counted=True)
        yield f"{sitters[0].player.nickname} leaves table {table.number}"
    yield from _made_known(night, table)
    closed = night.done(night.staff.floor, f"{table.api}/close")
    calls_end(night, table, closed)
    table.is_open = False
    yield f"table {table.number} is closed"


def _plays_on(night: "Night", table: "Table") -> Iterator[str]:
    yield from _last_hand(night, table)
    yield from _made_known(night, table)


def _made_known(night: "Night", table: "Table") -> Iterator[str]:
    """Log what is not yet logged of a table: hands, tips, and that its last hand has ended."""
    while table.not_logged:
        yield supply(night, table)
    if table.felt.tips_uncounted:
        yield count_tips(night, table)
    if end_in_the_log(night, table):
        yield f"table {table.number}: its last hand is not in the log"


def _last_hand(night: "Night", table: "Table") -> Iterator[str]:
    """
    Play the evening's last hand at a table to its end. Its tablet's waiting taps are sent before, and afterwards chips
    on their way come, and disputed pots are paid.
    """
    if table.is_offline:
        yield f"table {table.number}: {night.send_waiting(table)} taps come late"
    if table.hand is not None:
        settle(night, table, table.hand)
        yield f"table {table.number}: the last hand"
    yield from deliveries_at_the_end(night, table)
    for pot in sorted(table.felt.pots_aside):
        yield pay(night, table, pot)


def _differences(night: "Night") -> Iterator[str]:
    """
    The floor states the chips that the log still has in play at each closed table as missing there; another sum is
    refused.
    """
    for number, table in sorted(night.tables.items()):
        missing = night.books.in_play(number) if night.books is not None else 0
        if table.is_open:
            continue
        # What differed there is stated below, or was found meanwhile.
        table.apart = set()
        if not missing:
            continue
        path = f"{table.api}/difference"
        night.refused(night.staff.floor, path, {"missing_cents": missing + CHIP}, code="stale")
        answer = night.done(night.staff.floor, path, {"missing_cents": missing})
        night.must_equal(f"what is stated at table {number}", answer.data["missing_cents"], missing)
        table.felt.difference += missing
        yield f"table {number}: {missing // 100} € is stated to be missing"


def calls_end(night: "Night", table: "Table", answer: Answer) -> None:
    """
    Put players who were called to a closing table back into their old places on the list. A call that has lapsed by
    time is not among those that the table ended.

    :raises Broken: the house has ended another call.
    """
    called = {wait.id: wait for wait in night.lists.promised(table.number).values()}
    ended = set(answer.data["calls_ended"])
    night.must_equal("whose calls end with a table", ended - set(called), set())
    for waiting in ended:
        called[waiting].waits_again()


def end_in_the_log(night: "Night", table: "Table") -> bool:
    """
    Skip the last hand where it goes on in the log alone, its settlement being on a dead tablet; return whether there
    was such a hand. Nothing else would end it before the table closes.
    """
    hand = night.staff.floor.get(table.api).body["hand"]
    if hand is None:
        return False
    night.done(night.staff.tablets[table.number], f"{table.api}/hands/skip", {"hand_id": hand["hand_id"]})
    return True


def _close_day(night: "Night") -> str:
    """
    Close the day for operations: whoever still waits is off every list, and nobody is put back on one of that evening.
    Return the journal's word.

    :raises Broken: the house takes others off the lists.
    """
    answer = close_operations(night)
    still = [wait for _, wait in night.lists.live()]
    night.must_equal("who waited until the end", sorted(answer.data["ended"]["waiting"]), sorted(w.id for w in still))
    night.jackpots.collect(night.drops(), night.jackpots.pools.values())
    for table in night.tables.values():
        table.drops.clear()
    for wait in still:
        wait.ends("dropped")
    for wait in (each for entries in night.lists.entries.values() for each in entries):
        wait.may_be_put_back = False
    return f"the day is closed, and {len(still)} wait no more"


def _close_drawer(night: "Night") -> str:
    """
    Have the cashier count the drawer blind and the floor sign; return the journal's word. Where the floor has splashed
    a pot out of it, the floor is refused and a second manager signs; the cashier alone is refused too. The count must
    find missing what was taken since the opening, on whichever day; where it overlooks a chip, as at times, a manager
    counts once more.
    """
    felt, drawer = night.felt, night.felt.drawer
    money, chips = differs = _differs(night)
    overlooked = CHIP if drawer.chips >= CHIP and night.rng.random() < OVERLOOKED_SHARE else 0
    lies = _lies(night, overlooked)
    floor = {**lies, "second": night.staff.second("frans")}
    path, body = "/api/v1/cage/drawers/1/close", floor
    if drawer.is_moved_by_floor:
        night.refused(night.staff.cage, path, floor, code="own_drawer")
        body = {**lies, "second": night.staff.second("petra")}
    night.refused(night.staff.cage, path, {**body, "second": night.staff.second("carla")}, code="same_person")
    answer = night.done(night.staff.cage, path, body)
    found = (answer.data["money_difference_cents"], answer.data["chips_difference_cents"])
    night.must_equal("what the drawer's count finds", found, (money, chips - overlooked))
    count = answer.data["count_id"]
    if overlooked:
        night.notes.counted_by(count)
        count = _recount(night, answer)
    night.notes.go_to_the_vault(count)
    night.days.counts(1, differs)
    felt.vault_cash += drawer.cash
    felt.vault_chips += drawer.chips
    felt.vault_card_slips += drawer.card_slips
    felt.chips_found_missing += drawer.chips_missing
    felt.taken_found_missing += drawer.taken
    drawer.taken.clear()
    drawer.cash = drawer.chips = drawer.card_slips = drawer.chips_missing = 0
    drawer.is_open = drawer.is_moved_by_floor = False
    return f"the drawer is counted{' twice' if overlooked else ''}"


def _recount(night: "Night", first: Answer) -> int:
    """
    A manager counts the drawer again, with whichever of cashier and floor did not count first; return the number of the
    count's row.
    """
    drawer, staff = night.felt.drawer, night.staff
    lies = _lies(night, 0)
    other = "frans" if first.data["counted_by_id"] == staff.id_of("carla") else "carla"
    path = f"/api/v1/cage/sessions/{first.data['session_id']}/recount"
    body = {**lies, "second": staff.second(other)}
    answer = night.done(staff.desktop, path, body, version=1)
    found = (answer.data["money_difference_cents"], answer.data["chips_difference_cents"])
    night.must_equal("what the drawer's recount finds", found, _differs(night))
    newest = staff.desktop.get("/api/v1/cage/counts?limit=1").body[0]
    night.must_equal("what the drawer held at last", (newest["number"], newest["chips_cents"]), (2, drawer.chips))
    return int(answer.data["count_id"])


def _differs(night: "Night") -> tuple[int, int]:
    """Return by how many cents the money and the chips in the drawer differ from the log."""
    drawer = night.felt.drawer
    return -night.notes.missing() - drawer.taken["cash"], -drawer.chips_missing - drawer.taken["chips"]


def _lies(night: "Night", overlooked: int) -> dict[str, Any]:
    """Return what staff count by pieces in the drawer, but for the chips that they overlook."""
    drawer = night.felt.drawer
    counted = {"cash": pieces(drawer.cash, CASH_VALUES), "chips": pieces(drawer.chips - overlooked)}
    return {**counted, "card_slips_cents": drawer.card_slips, "foreign": night.notes.pieces_in_drawer()}
