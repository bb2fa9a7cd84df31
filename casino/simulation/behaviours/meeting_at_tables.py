"""
Several people tap at one table at the same moment; the lock on the table's row has all but the first wait.

Each behaviour here ends on the same felt whoever was first (see `casino.simulation.at_once`).
"""

from typing import TYPE_CHECKING, Any

from casino.simulation.at_once import Given, all_done, at_once, only_one, put_right
from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.cage import see_document, sold_to_seat
from casino.simulation.behaviours.hands import next_hand, playable, pushed, settle
from casino.simulation.behaviours.players import may_sit
from casino.simulation.broken import Broken
from casino.simulation.felt import Player, Sitter
from casino.simulation.front_door import Answer
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night


@behaviour("two people fill one seat", weight=2.5)
def two_for_one_seat(night: "Night") -> str | None:
    """
    Two of the floor, the desktop and the table's tablet seat two players in one seat at once.

    The house must seat one and refuse the other, for the seat is taken. Then the floor swaps them if the wrong one won.
    """
    table, players = _online(night, seats=1), _waiting(night)
    if table is None or len(players) < 2:
        return None
    seat = night.rng.choice(table.free_seats())
    right, wrong = night.rng.sample(players, 2)
    given = _seating(night, table, (right, seat), (wrong, seat))
    won = only_one(given, answers := at_once(night, *given, at=table), refused={"seat_taken"})
    seating = answers[won].data["seating"]
    if won != 0:
        # The felt has drawn who is to sit here; whoever was faster gets up again.
        put_right(night, night.staff.floor, f"{table.api}/seatings/{seating}/leave", {"stack_cents": 0})
        seating = put_right(night, night.staff.floor, given[0].path, given[0].body).data["seating"]
    table.felt.sit_down(Sitter(right, seating, seat))
    wrong.left = None
    return f"{right.nickname} and {wrong.nickname}, table {table.number}, seat {seat}"


@behaviour("one player is given two seats", weight=1.5)
def two_seats_for_one(night: "Night") -> str | None:
    table, players = _online(night, seats=2), _waiting(night)
    if table is None or not players:
        return None
    player = night.rng.choice(players)
    right, wrong = night.rng.sample(table.free_seats(), 2)
    given = _seating(night, table, (player, right), (player, wrong))
    won = only_one(given, answers := at_once(night, *given, at=table), refused={"already_seated"})
    seating = answers[won].data["seating"]
    if won != 0:
        put_right(night, night.staff.floor, f"{table.api}/seatings/{seating}/leave", {"stack_cents": 0})
        seating = put_right(night, night.staff.floor, given[0].path, given[0].body).data["seating"]
    table.felt.sit_down(Sitter(player, seating, right))
    # Somebody may have sat there for a moment: no earlier leaving of that seat can be taken back.
    table.felt.seatings[wrong] = 0
    return f"{player.nickname}, table {table.number}, seats {right} and {wrong}"


@behaviour("a hand is settled while the floor seats and the cage is paid", weight=8)
def settled_meanwhile(night: "Night") -> str | None:
    """
    A dealer settles a hand while the floor seats a player, the cage takes the money for chips of a seat, or both.

    The house must carry out all of it: what comes during a hand holds from the next (H1.1).
    """
    table = _with_a_hand_in_the_log(night)
    if table is None or table.hand is None:
        return None
    hand = table.hand
    free, players = [] if table.is_closing else table.free_seats(), _waiting(night)
    paid = next((each for each in table.sitters() if each.slip and not table.is_in_hand(each.seat)), None)
    if paid is None and not (free and players):
        return None
    body, settled = pushed(night, table, hand)
    given = [Given(night.staff.tablets[table.number], f"{table.api}/hands/settle", body)]
    if free and players:
        player, seat = night.rng.choice(players), night.rng.choice(free)
        given.append(Given(night.staff.floor, f"{table.api}/seats/{seat}", {"player_id": player.id}))
    if paid is not None:
        see_document(night, paid.player)
        slip = night.staff.cage.get(f"/api/v1/cage/slips/{paid.slip}").body
        body = {"drawer_number": 1, "method": "cash"}
        given.append(Given(night.staff.cage, f"/api/v1/cage/slips/{paid.slip}/take-money", body, slip["version"]))
    answers = all_done(given, at_once(night, *given, at=table))
    settled(answers[0])
    if free and players:
        table.felt.sit_down(Sitter(player, answers[1].data["seating"], seat))
    if paid is not None:
        sold_to_seat(night, table, paid, answers[-1].data)
    return f"table {table.number}: {len(given)} at once"


@behaviour("two people tell the log of one hand", weight=2.5)
def logged_twice(night: "Night") -> str | None:
    """The dealer and the floor deal, or settle, the same hand at once: the house must log it once and answer both."""
    table = playable(night)
    if table is None or table.is_offline:
        return None
    hand = table.hand or next_hand(night, table)
    if hand is None:
        return None
    if not hand.taps:
        hand.taps.append("dealt")
        hand.number = _log_twice(night, table, "deal", hand.positions).data.get("number")
        return f"table {table.number}: dealt"
    body, settled = pushed(night, table, hand)
    settled(_log_twice(night, table, "settle", body))
    return f"table {table.number}: settled"


@behaviour("the dealer takes a hand back while the floor deals the next", weight=1.5)
def undone_or_dealt(night: "Night") -> str | None:
    """
    A dealer undoes a settled hand while the floor deals the next: the undo comes first, or must be refused (H3.1).

    Then the floor voids the hand it dealt, and also the one before where its undo was refused. One more is played, so
    that the felt is the same whoever was first. Only at tables where everybody has chips and is dealt in.
    """
    tables = [table for table in night.open_tables() if _is_calm(table)]
    if not tables or not night.is_next_tap_timely:
        return None
    table = night.rng.choice(tables)
    hand = next_hand(night, table)
    if hand is None:
        return None
    tablet, floor = night.staff.tablets[table.number], night.staff.floor
    settle(night, table, hand)
    expected = tablet.get(table.api).body["next_hand"]
    if expected is None or not _is_calm(table):
        return f"table {table.number}: somebody is out of chips, and nobody deals"
    dealt = {name: expected[name] for name in ("dealt_in", "button", "small_blind", "big_blind")}
    dealt["hand_id"] = str(night.id())
    given = [
        Given(tablet, f"{table.api}/hands/undo", {"hand_id": str(hand.id)}),
        Given(floor, f"{table.api}/hands/deal", dealt),
    ]
    undone, dealt_next = at_once(night, *given, at=table)
    if not dealt_next.is_done or undone.code not in {"", "nothing_to_undo"}:
        raise Broken(
            "undo or deal", f"{undone.status} {undone.text[:300]}; {dealt_next.status} {dealt_next.text[:300]}"
        )
    put_right(night, floor, f"{table.api}/hands/void", {**dealt, "reason": "misdeal"})
    if not undone.is_done:
        rows = floor.get(f"{table.api}/hands?status=settled&limit=5").body
        row = next(row for row in rows if row["hand_id"] == str(hand.id))
        put_right(night, floor, f"{table.api}/hands/{row['id']}/void", {"reason": "void"})
    assert table.newest is not None, "it was settled just now"
    table.was_voided(table.newest)
    table.newest = None
    _play_by_eye(night, table)
    return f"table {table.number}"


@behaviour("two people supply one hand", weight=1.5)
def supplied_twice(night: "Night") -> str | None:
    tables = [table for table in night.open_tables() if table.not_logged]
    if not tables:
        return None
    table = night.rng.choice(tables)
    number = min(table.not_logged)
    rake, drop = table.not_logged[number]
    rows = night.staff.floor.get(f"{table.api}/hands?status=not_logged&limit=100").body
    row = next(row for row in rows if row["number"] == number)
    path, body = f"{table.api}/hands/{row['id']}/supply", {"rake_taken_cents": rake, "drop_taken_cents": drop}
    given = [Given(device, path, body) for device in (night.staff.floor, night.staff.desktop)]
    only_one(given, at_once(night, *given, at=table), refused={"hand_already_supplied"})
    table.was_supplied(number)
    return f"table {table.number}: hand {number}"


def _log_twice(night: "Night", table: Table, what: str, body: dict[str, Any]) -> Answer:
    """Deal or settle (`what`) one hand on the table's tablet and on the floor's; return the answer of the first."""
    path = f"{table.api}/hands/{what}"
    given = [Given(device, path, body) for device in (night.staff.tablets[table.number], night.staff.floor)]
    # By a clock that is behind, newer hands were dealt before this one: that deal is no progress, and answered so.
    nothing_new = {"known", "late"} if what == "deal" and not night.is_next_tap_timely else {"known"}
    answers = all_done(given, at_once(night, *given, at=table))
    new = [answer for answer in answers if not answer.data.keys() & nothing_new]
    if len(new) != 1:
        raise Broken("a hand is new once", f"{what}: {[answer.data for answer in answers]}")
    return new[0]


def _play_by_eye(night: "Night", table: Table) -> None:
    """Play a hand with button and blinds as on the felt; the floor judges what the to-do then says that differs."""
    table.felt.markers.loses_track()
    hand = next_hand(night, table, by_log=False)
    assert hand is not None, "everybody here has chips"
    seats = hand.positions["dealt_in"]
    hand.positions |= {"button": hand.button, "small_blind": seats[0], "big_blind": seats[1]}
    settle(night, table, hand)
    for todo in night.staff.floor.get("/api/v1/todos?limit=100").body:
        if todo["table_number"] == table.number and todo["kind"] == "hand_differs":
            put_right(night, night.staff.floor, f"{table.api}/todos/{todo['id']}/judge")


def _is_calm(table: Table) -> bool:
    """
    Say whether a table is between hands and everybody there has chips and no held seat.

    Then a hand that is dealt to all who sit there is the one that the log expects.
    """
    sitters = table.sitters()
    return (
        table.was_drawn
        and not table.is_offline
        and not table.is_held
        and table.hand is None
        and len(sitters) >= 2
        and all(sitter.stack and not sitter.is_held for sitter in sitters)
    )


def _online(night: "Night", *, seats: int) -> Table | None:
    tables = [table for table in night.open_tables() if not table.is_offline and not table.is_closing]
    tables = [table for table in tables if len(table.free_seats()) >= seats]
    return night.rng.choice(tables) if tables else None


def _with_a_hand_in_the_log(night: "Night") -> Table | None:
    # From the first hand on whoever sits down is new (H4.24), whether this hand is settled before or after.
    tables = [table for table in night.open_tables() if table.hand and table.hand.number and not table.is_offline]
    return night.rng.choice(tables) if tables else None


def _waiting(night: "Night") -> list[Player]:
    return [player for player in night.felt.by_name() if player.table is None and may_sit(player)]


def _seating(night: "Night", table: Table, *seats: tuple[Player, int]) -> list[Given]:
    devices = [night.staff.floor, night.staff.desktop, night.staff.tablets[table.number]]
    drawn = night.rng.sample(devices, len(seats))
    return [
        Given(device, f"{table.api}/seats/{seat}", {"player_id": player.id})
        for device, (player, seat) in zip(drawn, seats, strict=True)
    ]
