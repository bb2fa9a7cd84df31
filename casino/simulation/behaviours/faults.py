"""What bad Wi-Fi does to a tap and its answer; each fault has a switch of its own."""

from typing import TYPE_CHECKING

from casino.simulation.behaviours import behaviour
from casino.simulation.front_door import Manner, answer_lost, sent_again_later, sent_twice_at_once

if TYPE_CHECKING:
    from casino.simulation.night import Night

# So many taps wait on a tablet that was without a connection for minutes.
MANY_TAPS = 10
BADLY_SHARE = 0.4


@behaviour("the answer to the next tap is lost", weight=3, fault="answer-lost")
def loses_an_answer(night: "Night") -> str | None:
    return _travels(night, answer_lost)


@behaviour("the next tap is sent again", weight=3, fault="sent-again")
def sends_again(night: "Night") -> str | None:
    return _travels(night, sent_again_later)


@behaviour("the next tap is sent twice at once", weight=3, fault="sent-twice")
def sends_twice(night: "Night") -> str | None:
    return _travels(night, sent_twice_at_once)


def may_travel_badly(night: "Night") -> None:
    """
    Have the answer to the next tap lost, or the tap sent again or twice at once, in two of five cases.

    Behaviours call this before a tap that would do harm if it counted twice. It draws only faults that are switched on,
    and does nothing where something is already to happen to the next tap.
    """
    manners = {"answer-lost": answer_lost, "sent-again": sent_again_later, "sent-twice": sent_twice_at_once}
    switches = sorted(night.plan.faults & set(manners))
    if night.manner is None and switches and night.rng.random() < BADLY_SHARE:
        switch = night.rng.choice(switches)
        night.manner = manners[switch]
        night.tally.switches[switch] += 1


def _travels(night: "Night", manner: Manner) -> str | None:
    if night.manner is not None:
        return None
    night.manner = manner
    return manner.__name__.replace("_", " ")


@behaviour("a tablet in a dead corner", weight=1.5, fault="dead-corner")
def goes_offline(night: "Night") -> str | None:
    """The tablet of an open table loses its connection: from now on the dealer's taps wait on it."""
    tables = [table for table in night.open_tables() if table.was_drawn and not table.is_offline]
    if not tables:
        return None
    table = night.rng.choice(tables)
    table.is_offline = True
    return f"table {table.number}"


@behaviour("a tablet comes back", weight=6, fault="dead-corner")
def comes_back(night: "Night") -> str | None:
    """
    The tablet on which most taps wait has a connection again and sends them in order, with the times of the taps.

    The house must carry out each. With fewer than ten taps on it the tablet mostly (85 %) stays without a connection.
    """
    tables = [table for table in night.open_tables() if table.is_offline]
    if not tables:
        return None
    table = max(tables, key=lambda each: (len(each.waiting), each.number))
    if len(table.waiting) < MANY_TAPS and night.rng.random() < 0.85:
        return None
    count = night.send_waiting(table)
    night.tally.faults["taps that waited on a tablet"] += count
    night.tally.faults["ten taps and more waited on a tablet"] += count >= MANY_TAPS
    return f"table {table.number}: {count} taps"


@behaviour("progress arrives out of order", weight=2, fault="out-of-order")
def out_of_order(night: "Night") -> str | None:
    """A tablet sends Deal, Flop, at times Skip of a settled hand: the house must accept them, and nothing moves."""
    tables = [table for table in night.open_tables() if table.newest and not table.is_offline]
    if not tables:
        return None
    table = night.rng.choice(tables)
    rows = night.staff.floor.get(f"{table.api}/hands?status=settled&limit=5").body
    if not rows:
        return None
    hand = {"hand_id": night.rng.choice(rows)["hand_id"]}
    for path in ("deal", "flop", "skip") if night.rng.random() < 0.5 else ("flop", "deal"):
        night.done(night.staff.tablets[table.number], f"{table.api}/hands/{path}", hand)
    night.tally.faults["progress out of order"] += 1
    return f"table {table.number}"
