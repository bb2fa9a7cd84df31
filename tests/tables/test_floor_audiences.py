"""
Every service tells the screens that it changes.

A screen that was open before a tap is shown anew when its audience is told. So whatever fragment a
service changes must be among the audiences that its event names: then the open screen equals a fresh page.
"""

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from casino.audit.models import Event
from casino.cage.days import close_day, open_day
from casino.cage.services import cancel_slip, cash_out, close_drawer, request_buy_in, take_money
from casino.commands.frame import Command, services
from casino.live.render import fragment
from casino.people.models import Device, Staff
from casino.people.selectors import actor_on_device
from casino.people.services import add_player, sign_in_on_device, sign_out_of_device, unlock_person
from casino.rooms.models import GamingDay
from tables.models import Game, Hand, Seating, ToDo
from tables.services import chips, corrections, hands, opening, seating, setup
from tests.cast import enrolled
from tests.tables.conftest import House

SCREENS = ("floor", "lobby", "table.1.floor", "table.2.floor", "table.1.dealer", "table.2.dealer", "cage")


def shown(house: House) -> dict[str, str]:
    """Return what every screen shows now."""
    return {screen: fragment(house.room_id, screen, "en").html for screen in SCREENS}


def changed_and_told(house: House, act: Callable[[], Any]) -> tuple[set[str], set[str]]:
    before = shown(house)
    newest = Event.objects.order_by("-id").values_list("id", flat=True)[0]
    act()
    after = shown(house)
    events = Event.objects.filter(id__gt=newest)
    assert events, "the act was no command"
    told = {name for event in events for name in event.audiences}
    return {screen for screen in SCREENS if before[screen] != after[screen]}, told


class Evening:
    """Table 1 in the middle of an evening; each method sets something up and returns the act to be watched."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open(1, Lee=1, Kai=2, Timo=3)
        self.hand = house.settle(40_00)

    def at_table(self, service: Callable[..., Any], by: Staff | None = None, **args: Any) -> Callable[[], Any]:
        return lambda: self.house.tap(service, by, table_id=self.table.pk, **args)

    def sits(self, seat: int) -> int:
        return Seating.objects.get(table=self.table, seat_number=seat, left_at=None).pk

    def left(self) -> int:
        kai = self.sits(2)
        self.house.tap(seating.leave_seat, table_id=self.table.pk, seating_id=kai)
        return kai

    def asked(self) -> int:
        mika = self.house.seat("Mika", 5, chips=0)
        about = {"table": self.table.pk, "table_number": 1, "seating": mika.pk, "seat_number": 5}
        answer = self.house.tap(
            request_buy_in, player_id=mika.player_id, amount_cents=200_00, destination="seat", about=about
        )
        return int(answer.data["slip_id"])

    def skipped(self) -> Hand:
        hand = self.house.logged()
        self.house.tap(hands.skip_hand, self.house.cast.anna, table_id=self.table.pk, hand=hand)
        return Hand.objects.get(hand_id=hand.hand_id)


def _acts(evening: Evening) -> dict[str, Callable[[], Callable[[], Any]]]:
    """Return, by the name of its command, what sets the stage and returns the act."""
    house, cast, at_table = evening.house, evening.house.cast, evening.at_table
    anna, logged = cast.anna, house.logged
    return {
        "tables.add_table": lambda: lambda: house.tap(setup.add_table, cast.mari, number=3),
        "tables.offer_games": lambda: _offering(house),
        "tables.open_table": lambda: (
            lambda: house.tap(opening.open_table, table_id=house.table(2).pk, game_id=house.game().pk)
        ),
        "tables.close_table": lambda: _closing(house),
        "tables.record_draw": lambda: _drawing(house),
        "tables.button_here": lambda: at_table(opening.button_here, anna, seat_number=3),
        "tables.seat_player": lambda: lambda: house.seat("Mika", 6),
        "tables.choose_entry": lambda: at_table(
            seating.choose_entry, seating_id=house.seat("Mika", 6).pk, wants_to_post=True
        ),
        "tables.hold_seat": lambda: at_table(seating.hold_seat, anna, seating_id=evening.sits(2), is_held=True),
        "tables.leave_seat": lambda: at_table(seating.leave_seat, anna, seating_id=evening.sits(2)),
        "tables.count_stack": lambda: at_table(seating.count_stack, seating_id=evening.left(), stack_cents=100_00),
        "tables.take_back_leaving": lambda: at_table(
            seating.take_back_leaving, anna, seating_id=evening.left(), version=3
        ),
        "tables.bring_chips": lambda: at_table(
            chips.bring_chips, seating_id=evening.sits(2), chips_cents=100_00, stack=50_00
        ),
        "tables.count_tip_box": lambda: at_table(chips.count_tip_box, counted_cents=5_00),
        "tables.deal_hand": lambda: at_table(hands.deal_hand, anna, hand=logged()),
        "tables.show_flop": lambda: at_table(hands.show_flop, anna, hand_id=house.deal().hand_id),
        "tables.settle_hand": lambda: at_table(hands.settle_hand, anna, hand=logged(60_00, rake_taken_cents=1_00)),
        "tables.skip_hand": lambda: at_table(hands.skip_hand, anna, hand=logged()),
        "tables.void_hand": lambda: at_table(hands.void_hand, anna, hand=house.deal(), reason="misdeal"),
        "tables.undo_hand": lambda: at_table(corrections.undo_hand, anna, hand_id=evening.hand.hand_id),
        "tables.void_settled_hand": lambda: at_table(
            corrections.void_settled_hand, hand_row_id=evening.hand.pk, reason="logged_twice"
        ),
        "tables.correct_hand": lambda: at_table(
            corrections.correct_hand, hand_row_id=evening.hand.pk, hand=logged(80_00), reason="wrong_pot"
        ),
        "tables.supply_hand": lambda: at_table(
            corrections.supply_hand, hand_row_id=evening.skipped().pk, rake_taken_cents=1_00, drop_taken_cents=0
        ),
        "tables.judge": lambda: _judging(evening),
        "cage.request_buy_in": lambda: lambda: evening.asked(),
        "cage.cancel_slip": lambda: _with_slip(evening, lambda slip: house.tap(cancel_slip, slip_id=slip)),
        "cage.take_money": lambda: _with_slip(
            evening,
            lambda slip: house.tap(take_money, cast.carla, slip_id=slip, drawer_id=house.drawer_id, method="cash"),
        ),
        "cage.cash_out": lambda: _cashing_out(evening),
        "cage.close_day": lambda: _closing_day(house),
        "cage.open_day": lambda: _opening_day(house),
        "people.add_player": lambda: lambda: house.tap(add_player, nickname="Somebody new"),
        "people.unlock_person": lambda: _unlocking(house),
        "people.sign_in_on_device": lambda: _signing_in(house),
        "people.sign_out_of_device": lambda: _signing_out(house),
    }


def _closing(house: House) -> Callable[[], Any]:
    house.open(2)
    return lambda: house.tap(opening.close_table, table_id=house.table(2).pk)


def _offering(house: House) -> Callable[[], Any]:
    Game.objects.filter(pk=house.game().pk).update(seats=9)
    return lambda: house.tap(setup.offer_games, house.cast.mari)


def _drawing(house: House) -> Callable[[], Any]:
    table = house.open(2, Mika=1, Jo=4, Sara=6)
    return lambda: house.tap(opening.record_draw, table_id=table.pk, winner_seat=4, seats=[1, 4, 6])


def _judging(evening: Evening) -> Callable[[], Any]:
    evening.house.settle(60_00, rake_taken_cents=1_00)
    return evening.at_table(corrections.judge, todo_id=ToDo.objects.get(done_at=None).pk)


def _with_slip(evening: Evening, act: Callable[[int], Any]) -> Callable[[], Any]:
    slip = evening.asked()
    return lambda: act(slip)


def _cashing_out(evening: Evening) -> Callable[[], Any]:
    evening.left()
    house = evening.house
    kai = house.player("Kai").pk
    return lambda: house.tap(cash_out, house.cast.carla, drawer_id=house.drawer_id, amount_cents=150_00, player_id=kai)


def _closing_day(house: House) -> Callable[[], Any]:
    for sits in Seating.objects.filter(left_at=None):
        house.tap(seating.leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=0)
    house.tap(opening.close_table, table_id=house.table().pk)
    nothing = {"cash_cents": 0, "chips_cents": 0, "card_slips_cents": 0}
    house.tap(close_drawer, house.cast.mari, drawer_id=house.drawer_id, **nothing)
    return lambda: house.tap(close_day, house.cast.mari)


def _opening_day(house: House) -> Callable[[], Any]:
    _closing_day(house)()
    GamingDay.objects.update(date="2026-11-01")
    return lambda: house.tap(open_day, house.cast.mari)


def _unlocking(house: House) -> Callable[[], Any]:
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)
    return lambda: house.tap(unlock_person, staff_id=house.cast.dan.pk)


def _on_tablet(house: House, service: Callable[..., Any], **args: Any) -> Any:
    device = Device.objects.select_related("place", "signed_in").get(place__kind="table")
    who = actor_on_device(device, staff=device.signed_in)
    return service(Command(id=uuid.uuid4(), by=who, tapped_at=house.at, at=house.at), **args)


def _signing_in(house: House) -> Callable[[], Any]:
    enrolled(house.cast.room, "table", 1)
    return lambda: _on_tablet(house, sign_in_on_device, staff_id=house.cast.anna.pk, pin="1212")


def _signing_out(house: House) -> Callable[[], Any]:
    _signing_in(house)()
    return lambda: _on_tablet(house, sign_out_of_device)


NAMES = [
    *sorted(name for name in services() if name.startswith("tables.")),
    "cage.cancel_slip",
    "cage.cash_out",
    "cage.close_day",
    "cage.open_day",
    "cage.request_buy_in",
    "cage.take_money",
    "people.add_player",
    "people.sign_in_on_device",
    "people.sign_out_of_device",
    "people.unlock_person",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_screen_that_was_open_before_equals_a_fresh_page(house: House, name: str) -> None:
    act = _acts(Evening(house))[name]()

    changed, told = changed_and_told(house, act)

    assert changed <= told, f"{name} changes {sorted(changed - told)} and does not tell them"
    # The stage was set so that something happens: an act that changes no screen would prove nothing.
    assert changed or name in {"people.add_player", "tables.show_flop"}


def test_a_fragment_does_not_change_while_nothing_happens(house: House) -> None:
    evening = Evening(house)
    evening.asked()
    evening.skipped()

    assert shown(house) == shown(house)
