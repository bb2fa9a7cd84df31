"""What is done about people, as acts."""

import uuid
from collections.abc import Callable
from typing import Any

from casino.commands.carrying_out import Command
from casino.people.models import Device, Staff
from casino.people.selectors import actor_on_device
from casino.people.services import (
    add_player,
    add_shift_dealer,
    end_shift,
    revoke_pass,
    show_as_number,
    sign_in_on_device,
    sign_out_of_device,
    start_shift,
    unlock_person,
)
from tests.cast import enrolled
from tests.tables.conftest import House
from tests.tables.evening import Acts, Evening


def _numbering(evening: Evening) -> Callable[[], Any]:
    evening.waits(is_called=True)
    player_id = evening.house.player("Mika").pk
    return lambda: evening.house.tap(show_as_number, player_id=player_id, is_number=True)


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


def _starting(evening: Evening) -> Callable[[], Any]:
    house, dan = evening.house, evening.house.cast.dan
    house.tap(end_shift, staff_id=dan.pk)
    return lambda: house.tap(start_shift, staff_id=dan.pk)


def _ending(evening: Evening) -> Callable[[], Any]:
    house, dan = evening.house, evening.house.cast.dan
    house.tap(start_shift, staff_id=dan.pk)
    return lambda: house.tap(end_shift, staff_id=dan.pk)


ACTS: Acts = {
    "people.revoke_pass": lambda evening: (
        lambda: evening.house.tap(revoke_pass, player_id=evening.house.player("Mika").pk)
    ),
    "people.show_as_number": _numbering,
    "people.add_player": lambda evening: lambda: evening.house.tap(add_player, nickname="Somebody new"),
    "people.unlock_person": lambda evening: _unlocking(evening.house),
    "people.sign_in_on_device": lambda evening: _signing_in(evening.house),
    "people.sign_out_of_device": lambda evening: _signing_out(evening.house),
    "people.start_shift": _starting,
    "people.end_shift": _ending,
    "people.add_shift_dealer": lambda evening: (
        lambda: evening.house.tap(add_shift_dealer, display_name="Pia", pin="5871")
    ),
}

# A player who is added sits and waits nowhere yet.
QUIET = {"people.add_player"}
