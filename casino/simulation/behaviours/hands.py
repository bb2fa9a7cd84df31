"""Hands: played on the felt, and logged as dealers log them, well or badly."""

from typing import TYPE_CHECKING, Any

from casino.simulation.behaviours import behaviour
from casino.simulation.behaviours.players import hold
from casino.simulation.boxes import KINDS
from casino.simulation.broken import Broken
from casino.simulation.cards import play
from casino.simulation.front_door import Answer
from casino.simulation.markers import check_price
from casino.simulation.table import HandOnFelt, Table, Then

if TYPE_CHECKING:
    from casino.simulation.night import Night

TIP_SHARE = 0.3


@behaviour("a hand goes on", weight=100)
def goes_on(night: "Night") -> str | None:
    """
    A table's hand goes one step on: the dealer taps Deal, then mostly Flop, then logs pots and winners.

    A third of the hands, and all that begin without a connection, are dealt and settled with one tap.
    """
    table = playable(night)
    if table is None:
        return None
    hand = table.hand
    if hand is None:
        hand = next_hand(night, table)
        if hand is None:
            return None
        if table.is_offline or night.rng.random() < 0.35:
            settle(night, table, hand)
            return f"table {table.number}: settled alone"
        return _deal(night, table, hand)
    if "flop" not in hand.taps and hand.played.is_beyond_initial_deal and night.rng.random() < 0.85:
        hand.taps.append("flop")
        night.at_table(table, "hands/flop", {"hand_id": str(hand.id)}, lambda answer: None)
        return f"table {table.number}: flop"
    settle(night, table, hand)
    return f"table {table.number}: settled"


@behaviour("a hand is not logged", weight=3)
def is_forgotten(night: "Night") -> str | None:
    """The dealer forgets to log a hand and taps that it was not logged; its rake and drop lie in the boxes."""
    at = _hand(night)
    if at is None:
        return None
    table, hand = at
    _take(table, hand)
    night.at_table(table, "hands/skip", hand.positions, lambda answer: _not_logged(table, hand, answer))
    return f"table {table.number}"


@behaviour("a hand is said not to be logged, and then it is", weight=2)
def is_logged_after_all(night: "Night") -> str | None:
    """
    The dealer taps that a hand was not logged, undoes that, and logs the hand under a new id.

    Without a connection, or where the next tap has a wrong time, the dealer only logs it.
    """
    at = _hand(night)
    if at is None:
        return None
    table, hand = at
    if not table.is_offline and night.is_next_tap_timely:
        tablet = night.staff.tablets[table.number]
        night.done(tablet, f"{table.api}/hands/skip", hand.positions)
        night.done(tablet, f"{table.api}/hands/undo", {"hand_id": str(hand.id)})
        _is_dealt_anew(table, hand)
        hand = HandOnFelt(night.id(), hand.played, hand.button, hand.positions, hand.participants, hand.game)
        hand.positions = {**hand.positions, "hand_id": str(hand.id)}
    settle(night, table, hand)
    return f"table {table.number}"


@behaviour("a hand is left open in the log", weight=1.5)
def is_abandoned(night: "Night") -> str | None:
    """
    The dealer does not settle a hand that was dealt, but logs the next: the house must have the first as not logged.

    Where no next hand can be dealt, the dealer taps that the first was not logged.
    """
    table = playable(night)
    if table is None or table.hand is None or table.hand.number is None or table.is_offline:
        return None
    if not night.is_next_tap_timely:
        return None
    left = table.hand
    _take(table, left)
    hand = next_hand(night, table, by_log=False)
    if hand is None:
        # Too few have chips for one more hand: the dealer taps that this one was not logged.
        night.at_table(table, "hands/skip", left.positions, lambda answer: _not_logged(table, left, answer))
        return f"table {table.number}: no hand after it"
    settle(night, table, hand)
    assert left.number is not None
    table.was_not_logged(left, left.number)
    return f"table {table.number}: hand {left.number}"


@behaviour("a misdeal, or a void hand", weight=2.5)
def is_void(night: "Night") -> str | None:
    """The dealer voids the hand in progress, as a misdeal or otherwise; every player gets back what they put in."""
    at = _hand(night)
    if at is None:
        return None
    table, hand = at
    for seat, cents in hand.played.put_in.items():
        table.felt.push(seat, cents)
    table.hand = None
    body = {**hand.positions, "reason": night.rng.choice(["misdeal", "void"])}
    night.at_table(table, "hands/void", body, lambda answer: None)
    return f"table {table.number}"


@behaviour("a pot is mistyped and undone", weight=3)
def is_mistyped(night: "Night") -> str | None:
    """
    The dealer logs a pot wrong, as a tenth or 20 € too much, drops what is due of that, undoes it and logs it right.

    The second log moves only what rake and drop were too little or too much; the house must compute both as expected.
    A hand that ends before the flop, has no connection or would be tapped with a wrong time is settled right at once.
    """
    at = _hand(night)
    if at is None:
        return None
    table, hand = at
    if table.is_offline or not night.is_next_tap_timely or not hand.played.is_beyond_initial_deal:
        settle(night, table, hand)
        return f"table {table.number}: settled as it was"
    right = hand.played.pots
    wrong = (_a_tenth(right[0]) if night.rng.random() < 0.5 else right[0] + 100 * 20, *right[1:])
    settled = table.settlement(hand, wrong)
    # No dealer drops more than there is; a pot typed far too large is noticed at the latest then.
    dropped = (settled.of("rake"), settled.of("drop"))
    tablet = night.staff.tablets[table.number]
    answer = night.done(tablet, f"{table.api}/hands/settle", {**_whole(hand), "pots": list(wrong)})
    _as_computed(answer, *dropped)
    night.done(tablet, f"{table.api}/hands/undo", {"hand_id": answer.data["hand"]})
    due = table.settlement(hand, right)
    _is_dealt_anew(table, hand)
    again = HandOnFelt(night.id(), hand.played, hand.button, hand.positions, hand.participants, hand.game)
    again.positions = {**hand.positions, "hand_id": str(again.id)}
    # The first drop stays in the box, and the undo has stated it; the second log takes it over.
    table.felt.drop(rake=dropped[0], drop=dropped[1])
    _push(night, table, again, rake=due.of("rake") - dropped[0], drop=due.of("drop") - dropped[1])
    body = {**_whole(again), "again_of": answer.data["hand"]}
    answer = night.done(tablet, f"{table.api}/hands/settle", body)
    _as_computed(answer, due.of("rake"), due.of("drop"))
    _logged(table, again, answer)
    return f"table {table.number}: {sum(wrong) // 100} € instead of {sum(right) // 100} €"


@behaviour("a pot is mistyped, and nobody sees it", weight=1.5)
def is_mistyped_unseen(night: "Night") -> str | None:
    """
    The dealer takes rake and drop of the right pot but logs a tenth of it, and nobody sees it.

    The counts of the boxes find too much by what the log computes too little, and by the log that is still in play.
    A hand that ends before the flop, has no connection or would be tapped with a wrong time is settled right.
    """
    at = _hand(night)
    if at is None:
        return None
    table, hand = at
    right = hand.played.pots
    if table.is_offline or not night.is_next_tap_timely or not hand.played.is_beyond_initial_deal:
        settle(night, table, hand)
        return f"table {table.number}: settled as it was"
    wrong = (_a_tenth(right[0]), *right[1:])
    logged, due = table.settlement(hand, wrong), table.settlement(hand, right)
    _push(night, table, hand, rake=due.of("rake"), drop=due.of("drop"))
    body = {**_whole(hand), "pots": list(wrong)}
    answer = night.done(night.staff.tablets[table.number], f"{table.api}/hands/settle", body)
    _as_computed(answer, logged.of("rake"), logged.of("drop"))
    _logged(table, hand, answer)
    for kind in KINDS:
        night.boxes.mistyped[table.number, kind] += logged.of(kind) - due.of(kind)
    night.boxes.played["mistyped"] += logged.of("rake") != due.of("rake")
    return f"table {table.number}: {sum(wrong) // 100} € instead of {sum(right) // 100} €"


def _a_tenth(pot_cents: int) -> int:
    """Return what is typed instead of a pot where a digit is left out."""
    return max(pot_cents // 10 // 100 * 100, 100)


def settle(night: "Night", table: Table, hand: HandOnFelt) -> None:
    """Have the dealer take a hand's rake and drop, push its pots to the winners, and log it."""
    body, answered = pushed(night, table, hand)
    night.at_table(table, "hands/settle", body, answered)


def pushed(night: "Night", table: Table, hand: HandOnFelt) -> tuple[dict[str, Any], Then]:
    """Take a hand's rake and drop and push its pots; return the body that logs it, and what checks the answer."""
    _first_word(night, table, hand)
    played = hand.played
    rake = drop = 0
    body = _whole(hand)
    if played.is_beyond_initial_deal:
        due = table.settlement(hand, played.pots)
        rake, drop = due.of("rake"), due.of("drop")
        if len(played.pots) > 1 and len(set(played.winners)) == 1 and night.rng.random() < 0.5:
            # One player won them all: the total alone is enough.
            body |= {"pots": [sum(played.pots)], "winners": [list(played.winners[0])]}
    _push(night, table, hand, rake=rake, drop=drop)

    def answered(answer: Answer) -> None:
        _as_computed(answer, rake, drop)
        _logged(table, hand, answer)

    return body, answered


def _first_word(night: "Night", table: Table, hand: HandOnFelt) -> None:
    """Forget the felt's markers where a hand's first tap has a wrong time: a hand that comes late moves none."""
    if not hand.taps and not night.is_next_tap_timely:
        table.felt.markers.loses_track()


def _deal(night: "Night", table: Table, hand: HandOnFelt) -> str:
    _first_word(night, table, hand)
    hand.taps.append("dealt")

    def answered(answer: Answer) -> None:
        # Progress of a hand that was dealt before newer ones has no number.
        hand.number = answer.data.get("number")

    night.at_table(table, "hands/deal", hand.positions, answered)
    return f"table {table.number}: dealt"


def playable(night: "Night") -> Table | None:
    """Return a table at which a hand is being played or can be."""
    tables = [table for table in night.open_tables() if table.hand or _able(table)]
    return night.rng.choice(tables) if tables else None


def _hand(night: "Night") -> tuple[Table, HandOnFelt] | None:
    """Return a table with the hand that is being played there, or with a new one; None where nobody can play."""
    table = playable(night)
    hand = (table.hand or next_hand(night, table)) if table else None
    return (table, hand) if table and hand else None


def _able(table: Table) -> bool:
    return table.was_drawn and not table.is_held and sum(1 for sitter in table.sitters() if sitter.stack) >= 2


def next_hand(night: "Night", table: Table, *, by_log: bool = True, to_the_end: bool = False) -> HandOnFelt | None:
    """
    Deal the next hand on the felt to the seats that the tablet shows; return None where fewer than two are dealt in.

    Without a connection, or where the log is behind (`by_log` False), all who have chips and no held seat are dealt in.
    `to_the_end`: there is a flop. :raises Broken: the tablet shows a seat without chips.
    """
    if table.is_offline or not by_log:
        expected = by_eye(table)
    else:
        _look_round(night, table)
        expected = night.staff.tablets[table.number].get(table.api).body["next_hand"]
    if expected is None:
        return None
    dealt_in = sorted(seat for seat in expected["dealt_in"] if table.felt.sitters[seat].stack)
    if len(dealt_in) < 2:
        return None
    if set(dealt_in) != set(expected["dealt_in"]):
        raise Broken("the next hand is for who has chips", f"{expected['dealt_in']} against {dealt_in}")
    played = play(
        night.rng,
        stacks={seat: table.felt.sitters[seat].stack for seat in dealt_in},
        posts={post["seat_number"]: post["live_cents"] + post["dead_cents"] for post in expected["posts"]},
        big_blind=table.game["big_blind_cents"],
        chip=table.game["chip_cents"],
        to_the_end=to_the_end,
    )
    hand_id = night.id()
    body: dict[str, Any] = {"hand_id": str(hand_id), "opening_id": table.opening_id, "dealt_in": dealt_in}
    if by_log and not table.is_offline:
        body |= {
            "button": expected["button"],
            "small_blind": expected["small_blind"],
            "big_blind": expected["big_blind"],
        }
    hand = HandOnFelt(hand_id, played, expected["button"], body, len(dealt_in), table.game["name"])
    table.bets(hand)
    if not night.is_next_tap_timely:
        # The next tap has a wrong time, and a hand that comes late moves neither button nor markers.
        table.felt.markers.loses_track()
    elif "big_blind" in body:
        _check_prices(table, expected, str(hand_id))
    return hand


def _check_prices(table: Table, expected: dict[str, Any], hand: str) -> None:
    blinds = {expected["small_blind"], expected["big_blind"]}
    if table.felt.markers.all_are_new(table.felt.sitters[seat].seating for seat in expected["dealt_in"]):
        return
    for seat in set(expected["dealt_in"]) - blinds:
        check_price(table.felt.markers, expected, table.felt.sitters[seat], hand=hand, game=table.game)


def _is_dealt_anew(table: Table, hand: HandOnFelt) -> None:
    """Forget the felt's markers where a hand dealt earlier is logged as new: who was away then is not in the log."""
    if hand.taps:
        table.felt.markers.loses_track()


def by_eye(table: Table) -> dict[str, Any] | None:
    seats = [sitter.seat for sitter in table.sitters() if sitter.stack and not sitter.is_held]
    if len(seats) < 2:
        return None
    blinds = (table.game["small_blind_cents"], table.game["big_blind_cents"])
    posts = [
        {"seat_number": seat, "live_cents": cents, "dead_cents": 0} for seat, cents in zip(seats, blinds, strict=False)
    ]
    return {"dealt_in": seats, "button": seats[-1], "posts": posts}


def _look_round(night: "Night", table: Table) -> None:
    """Have the dealer hold each seat that ran out of chips, and deal in most held seats that have some (70 %)."""
    for sitter in table.sitters():
        if not sitter.stack and sitter.put_in and not sitter.is_held:
            hold(night, table, sitter, is_held=True)
            sitter.player.comes_back = True
        elif sitter.stack and sitter.is_held and night.rng.random() < 0.7:
            hold(night, table, sitter, is_held=False)


def _take(table: Table, hand: HandOnFelt) -> None:
    """End a hand on the felt: the rake and drop due go into the boxes, the pots to the winners; nothing is logged."""
    due = table.settlement(hand, hand.played.pots)
    table.pays(hand, rake=due.of("rake"), drop=due.of("drop"))


def _push(night: "Night", table: Table, hand: HandOnFelt, *, rake: int, drop: int) -> None:
    table.pays(hand, rake=rake, drop=drop)
    winner = hand.played.winners[0][0]
    chip = table.game["chip_cents"]
    if table.felt.sitters[winner].stack >= 20 * chip and night.rng.random() < TIP_SHARE:
        table.felt.tip(winner, chip)


def _whole(hand: HandOnFelt) -> dict[str, Any]:
    return {
        **hand.positions,
        "winners": [list(seats) for seats in hand.played.winners],
        "pots": list(hand.played.pots),
    }


def _as_computed(answer: Answer, rake: int, drop: int) -> None:
    data = answer.data
    if "known" in data:
        raise Broken("a hand is new once", f"{data}")
    if (data["rake_cents"], data["drop_cents"]) != (rake, drop):
        raise Broken("rake and drop as the tablet shows them", f"{data}, on the felt {rake} and {drop}")


def _logged(table: Table, hand: HandOnFelt, answer: Answer) -> None:
    table.newest = answer.data["number"]
    table.was_logged(hand, answer.data["number"], drop=answer.data["drop_cents"])


def _not_logged(table: Table, hand: HandOnFelt, answer: Answer) -> None:
    # Where a dead tablet's tap comes late, the log may have given the hand up by itself before.
    number = hand.number if "known" in answer.data else answer.data["number"]
    assert number is not None
    table.was_not_logged(hand, number)
