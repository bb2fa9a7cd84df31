"""What the cage does that other screens show, as acts."""

from collections.abc import Callable
from typing import Any

from casino.cage.day_counts import counts_of
from casino.cage.services import (
    cancel_slip,
    cash_out,
    judge_fill,
    note_chips,
    note_money,
    note_refusal_seen,
    open_day,
    refuse_request,
    sell_from_bank,
    take_money,
)
from casino.people.services import start_shift
from casino.rooms.models import GamingDay
from tables.models import Seating, Table
from tables.services import downs, opening, seating
from tests.acts.boxes import dropped
from tests.cage.bad_night import BadNight
from tests.cage.banking import adds_bank, gives_bank
from tests.cage.counting import carried, closes, recounts
from tests.cage.delivering import sends_chips
from tests.cage.filling import Filling
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.evening import Acts, Evening
from tests.tables.racking import opened_with_racks


def _with_slip(evening: Evening, act: Callable[[int], Any]) -> Callable[[], Any]:
    slip = evening.requested()
    return lambda: act(slip)


def _refuses(house: House, slip: int) -> Any:
    return house.tap(refuse_request, house.cast.carla, slip_id=slip, reason="card_declined")


def _saying_they_came(evening: Evening) -> Callable[[], Any]:
    house = evening.house
    slip = sends_chips(house, house.seat("Mika", 5, chips=0), 200_00)
    return lambda: house.tap(note_chips, slip_id=slip, chips_with="player")


def _selling_from_bank(evening: Evening) -> Callable[[], Any]:
    house = evening.house
    gives_bank(house.cast.carla, house.cast.dan, adds_bank(house.cast, at=house.at), at=house.at)
    return _with_slip(evening, lambda slip: house.tap(sell_from_bank, house.cast.dan, slip_id=slip))


def _seeing_refusal(evening: Evening) -> Callable[[], Any]:
    slip = evening.requested()
    _refuses(evening.house, slip)
    return lambda: evening.house.tap(note_refusal_seen, slip_id=slip)


def _cashing_out(evening: Evening) -> Callable[[], Any]:
    evening.left()
    house = evening.house
    kai = house.player("Kai").pk
    return lambda: house.tap(cash_out, house.cast.carla, drawer_id=house.drawer_id, amount_cents=150_00, player_id=kai)


def close_tables(house: House) -> None:
    """Have everybody leave, without chips, and close all tables."""
    for sits in Seating.objects.filter(left_at=None):
        house.tap(seating.leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=0)
    for table in Table.objects.exclude(opening=None):
        house.tap(opening.close_table, table_id=table.pk)


def close_all(house: House) -> None:
    """Bring the house to where the day can be closed: nobody sits, no table runs, no drawer is open."""
    close_tables(house)
    house.count_drawer()


def end_day(house: House) -> None:
    """Close the day that is open, so that another one may be opened today."""
    close_all(house)
    house.close_day()
    with as_owner():
        GamingDay.objects.update(date="2026-11-01")


def _deals(house: House) -> None:
    """Have somebody deal: who has dealt that day is on the page of its dealers, for as long as it lasts."""
    house.tap(start_shift, staff_id=house.cast.anna.pk)
    house.tap(downs.push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)


def _closing_day(house: House) -> Callable[[], Any]:
    _deals(house)
    close_all(house)
    return house.close_day


def _opening_day(house: House) -> Callable[[], Any]:
    _deals(house)
    end_day(house)
    return lambda: house.tap(open_day, house.cast.mari)


def _recounting(house: House) -> Callable[[], Any]:
    carla, cast = house.cast.carla, house.cast
    closes(carla, cast.mari, house.drawer_id, 5_000_00, 20_000_00, at=house.at)
    return lambda: recounts(cast.mari, cast.frans, 4_995_00, 20_000_00, at=house.at)


def _fill_authorised(house: House) -> Callable[[], Any]:
    filling = Filling(house.cast, at=house.at)
    slip = filling.asks(50_00)
    return lambda: filling.authorises(slip)


def _fill_called_off(house: House) -> Callable[[], Any]:
    filling = Filling(house.cast, at=house.at)
    slip = filling.asks(50_00)
    return lambda: filling.refuses(slip)


def _fill_given(house: House) -> Callable[[], Any]:
    filling = Filling(house.cast, at=house.at)
    slip = filling.authorised(50_00)
    return lambda: filling.sends(slip, 50_00)


def _fill_counted(house: House, reason: str = "") -> Callable[[], Any]:
    # At a table its page shows from now on that chips lie there.
    opened_with_racks(house.room_id)
    filling = Filling(house.cast, at=house.at)
    slip = filling.sent(0, 50_00, at=("table", 1))
    return lambda: filling.counts(slip, 0, 45_00, reason=reason)


def _fill_judged(house: House) -> Callable[[], Any]:
    filling = Filling(house.cast, at=house.at)
    slip = filling.counts(filling.sent(50_00), 45_00)
    return lambda: house.tap(judge_fill, house.cast.mari, fill_id=slip.pk)


def _closing_counts(house: House) -> Callable[[], Any]:
    box = dropped(house)
    close_all(house)
    house.close_day()
    night = BadNight(house, box, box, GamingDay.objects.latest("id").pk)
    carrying = [carried(each.word, "under_seal") for each in counts_of(night.day) if not each.counts]
    return lambda: night.close_counts(carrying=carrying)


ACTS: Acts = {
    "cage.request_fill": lambda evening: lambda: Filling(evening.house.cast, at=evening.house.at).asks(50_00),
    "cage.authorise_fill": lambda evening: _fill_authorised(evening.house),
    "cage.refuse_fill": lambda evening: _fill_called_off(evening.house),
    "cage.deliver_fill": lambda evening: _fill_given(evening.house),
    "cage.verify_fill": lambda evening: _fill_counted(evening.house),
    "cage.return_fill": lambda evening: _fill_counted(evening.house, reason="closed"),
    "cage.judge_fill": lambda evening: _fill_judged(evening.house),
    "cage.request_buy_in": lambda evening: lambda: evening.requested(),
    "cage.cancel_slip": lambda evening: _with_slip(evening, lambda slip: evening.house.tap(cancel_slip, slip_id=slip)),
    "cage.take_money": lambda evening: _with_slip(
        evening,
        lambda slip: evening.house.tap(
            take_money, evening.house.cast.carla, slip_id=slip, drawer_id=evening.house.drawer_id, method="cash"
        ),
    ),
    "cage.refuse_request": lambda evening: _with_slip(evening, lambda slip: _refuses(evening.house, slip)),
    "cage.note_money": lambda evening: _with_slip(
        evening, lambda slip: evening.house.tap(note_money, slip_id=slip, money_with="runner")
    ),
    "cage.note_chips": lambda evening: _saying_they_came(evening),
    "cage.sell_from_bank": _selling_from_bank,
    "cage.note_refusal_seen": _seeing_refusal,
    "cage.cash_out": _cashing_out,
    "cage.recount_drawer": lambda evening: _recounting(evening.house),
    "cage.close_day": lambda evening: _closing_day(evening.house),
    "cage.close_counts": lambda evening: _closing_counts(evening.house),
    "cage.open_day": lambda evening: _opening_day(evening.house),
}
