"""Hands and what is judged of them, as acts."""

from collections.abc import Callable
from typing import Any

from casino.commands.carrying_out import Actor
from casino.people.permissions import may_of
from casino.rooms.models import Place
from tables.models import ToDo
from tables.services import corrections, hands, kept_taps
from tests.cast import command
from tests.tables.conftest import House
from tests.tables.evening import Acts, Evening


def _judging(evening: Evening) -> Callable[[], Any]:
    evening.house.settle(60_00, taken={"rake": 2_00})
    return evening.at_table(corrections.judge, todo_id=ToDo.objects.get(done_at=None).pk)


def _doubtful() -> kept_taps.KeptTap:
    return kept_taps.KeptTap("tables.count_tip_box", {"counted_cents": 5_00}, staff_id=None, doubt="no_proof")


def keep_a_tap(house: House) -> None:
    """Have a tablet send a tap that nobody vouches for: five euros of tips were counted."""
    may = may_of((), Place.Kind.TABLE)
    keeper = Actor(room_id=house.room_id, staff_id=None, may=may, place=(Place.Kind.TABLE, 1))
    kept_taps.keep_tap(command(keeper, at=house.at), table_id=house.table_id(), tap=_doubtful())


def _entering(evening: Evening) -> Callable[[], Any]:
    keep_a_tap(evening.house)
    return evening.at_table(kept_taps.enter_tap, todo_id=ToDo.objects.get(done_at=None).pk)


ACTS: Acts = {
    "tables.deal_hand": lambda evening: evening.at_table(
        hands.deal_hand, evening.house.cast.anna, hand=evening.house.logged()
    ),
    "tables.show_flop": lambda evening: evening.at_table(
        hands.show_flop, evening.house.cast.anna, hand_id=evening.house.deal().hand_id
    ),
    "tables.settle_hand": lambda evening: evening.at_table(
        hands.settle_hand, evening.house.cast.anna, hand=evening.house.logged(60_00, taken={"rake": 1_00})
    ),
    "tables.skip_hand": lambda evening: evening.at_table(
        hands.skip_hand, evening.house.cast.anna, hand=evening.house.logged()
    ),
    "tables.void_hand": lambda evening: evening.at_table(
        hands.void_hand, evening.house.cast.anna, hand=evening.house.deal(), reason="misdeal"
    ),
    "tables.undo_hand": lambda evening: evening.at_table(
        corrections.undo_hand, evening.house.cast.anna, hand_id=evening.hand.hand_id
    ),
    "tables.void_settled_hand": lambda evening: evening.at_table(
        corrections.void_settled_hand, hand_row_id=evening.hand.pk, reason="logged_twice"
    ),
    "tables.correct_hand": lambda evening: evening.at_table(
        corrections.correct_hand, hand_row_id=evening.hand.pk, hand=evening.house.logged(80_00), reason="wrong_pot"
    ),
    "tables.supply_hand": lambda evening: evening.at_table(
        corrections.supply_hand, hand_row_id=evening.skipped().pk, taken={"rake": 1_00, "drop": 0}
    ),
    "tables.judge": _judging,
    "tables.keep_tap": lambda evening: lambda: keep_a_tap(evening.house),
    "tables.enter_tap": _entering,
}

# What a flop says the tablet that showed it has; the log keeps it.
QUIET = {"tables.show_flop"}
