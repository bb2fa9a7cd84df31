"""Everybody's own PIN and password: changed by who knows the old one, at a tablet's door or at a desktop."""

import json
from typing import Any

import pytest

from casino.audit.models import Event
from casino.people.errors import (
    NotOnShift,
    PasswordTooSimple,
    PinLocked,
    PinTooSimple,
    SameSecret,
    TooSoon,
    WrongPassword,
    WrongPin,
)
from casino.people.models import Device, Staff
from casino.people.secrets import pin_agrees
from casino.people.selectors import actor_on_device
from casino.people.services import (
    change_own_password,
    change_own_pin,
    change_pin_at_door,
    end_shift,
)
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled
from tests.taps import at_desktop, on_device, tap

OTHER_PIN, OTHER_PASSWORD = "8642", "nine tables tonight"


@pytest.fixture
def tablet(cast: Cast) -> Device:
    return enrolled(cast.room, "table", 4)


def change_at(tablet: Device, staff: Staff, *, old: str = "", new: str = OTHER_PIN, minute: int = 0) -> None:
    door = actor_on_device(Device.objects.select_related("place").get(pk=tablet.pk), staff=None)
    at = TONIGHT.replace(minute=minute)
    change_pin_at_door(command(door, at=at), staff_id=staff.pk, pin=old or demo_person(staff.username).pin, new_pin=new)


def pin_of(staff: Staff, pin: str) -> bool:
    return pin_agrees(pin, Staff.objects.get(pk=staff.pk).pin)


def test_at_a_tablets_door_who_knows_the_old_pin_takes_a_new_one(cast: Cast, tablet: Device):
    change_at(tablet, cast.anna)

    assert pin_of(cast.anna, OTHER_PIN)
    tablet.refresh_from_db()
    assert tablet.signed_in is None


def test_a_wrong_old_pin_counts_like_any_try(cast: Cast, tablet: Device):
    for tried in range(4):
        with pytest.raises(WrongPin):
            change_at(tablet, cast.anna, old="9999", minute=tried * 2)
    with pytest.raises(PinLocked):
        change_at(tablet, cast.anna, old="9999", minute=20)
    with pytest.raises(PinLocked):
        change_at(tablet, cast.anna, minute=40)

    assert pin_of(cast.anna, demo_person("anna").pin)


def test_the_same_pin_again_is_no_new_one(cast: Cast, tablet: Device):
    with pytest.raises(SameSecret):
        change_at(tablet, cast.anna, new=demo_person("anna").pin)
    with pytest.raises(PinTooSimple):
        change_at(tablet, cast.anna, new="1111")


def test_only_who_may_sign_in_there_changes_a_pin_at_a_door(cast: Cast, tablet: Device):
    end_shift(command(cast.frans), staff_id=cast.anna.pk)

    with pytest.raises(NotOnShift):
        change_at(tablet, cast.anna)


def test_at_a_desktop_the_password_lets_one_take_a_pin_or_another_password(cast: Cast):
    password = demo_person("carla").password
    change_own_pin(command(cast.carla), password=password, new_pin=OTHER_PIN)
    change_own_password(command(cast.carla), password=password, new_password=OTHER_PASSWORD)

    assert pin_of(cast.carla, OTHER_PIN)
    assert Staff.objects.get(pk=cast.carla.pk).check_password(OTHER_PASSWORD)


@pytest.mark.parametrize("what", ["pin", "password"])
def test_a_wrong_password_at_a_desktop_counts_like_any_try(cast: Cast, what: str):
    def change() -> None:
        if what == "pin":
            change_own_pin(command(cast.carla), password="not this one", new_pin=OTHER_PIN)
        else:
            change_own_password(command(cast.carla), password="not this one", new_password=OTHER_PASSWORD)

    for _ in range(4):
        with pytest.raises(WrongPassword):
            change()
    with pytest.raises(TooSoon):
        change()
    assert not pin_of(cast.carla, OTHER_PIN)


def test_a_change_whose_answer_was_lost_gets_it_when_it_is_sent_again(cast: Cast, tablet: Device):
    """By then the old secret is none any more: the new one is tried, and counted: the id of a change opens nothing."""
    door = actor_on_device(Device.objects.select_related("place").get(pk=tablet.pk), staff=None)
    pin: dict[str, Any] = {"staff_id": cast.anna.pk, "pin": demo_person("anna").pin, "new_pin": OTHER_PIN}
    password: dict[str, Any] = {"password": demo_person("carla").password, "new_password": OTHER_PASSWORD}
    at_door, at_desk = command(door), command(cast.carla)
    change_pin_at_door(at_door, **pin)
    change_own_password(at_desk, **password)

    assert change_pin_at_door(at_door, **pin).is_replay
    assert change_own_password(at_desk, **password).is_replay
    for minute, guess in ((1, demo_person("anna").pin), (2, "9753")):
        again = command(door, id=at_door.id, at=TONIGHT.replace(minute=minute))
        with pytest.raises(WrongPin):
            change_pin_at_door(again, **pin | {"pin": "7531", "new_pin": guess})
        assert Staff.objects.get(pk=cast.anna.pk).wrong_pins == minute
    with pytest.raises(WrongPassword):
        change_own_password(at_desk, **password | {"new_password": "ten tables tonight"})
    # Under an id of its own it is a try of the old one.
    elsewhere = command(door, at=TONIGHT.replace(minute=9))
    with pytest.raises(WrongPin):
        change_pin_at_door(elsewhere, **pin)
    with pytest.raises(WrongPassword):
        change_own_password(command(cast.carla), **password)


def test_a_new_password_is_judged_and_is_another_one(cast: Cast):
    password = demo_person("carla").password

    with pytest.raises(PasswordTooSimple):
        change_own_password(command(cast.carla), password=password, new_password="short")
    with pytest.raises(SameSecret):
        change_own_password(command(cast.carla), password=password, new_password=password)


def test_no_secret_is_in_the_log(cast: Cast, tablet: Device):
    change_at(tablet, cast.anna)
    change_own_pin(command(cast.carla), password=demo_person("carla").password, new_pin="864297")
    change_own_password(command(cast.carla), password=demo_person("carla").password, new_password=OTHER_PASSWORD)

    texts = " ".join(Event.objects.values_list("text", flat=True))
    typed = ("864297", OTHER_PASSWORD, demo_person("carla").password, f'"{OTHER_PIN}"', '"1212"')
    assert not [secret for secret in typed if secret in texts]
    changes = Event.objects.filter(name__in=["people.change_pin_on_device", "people.change_own_pin"])
    assert {json.loads(event.text)["data"]["staff_id"] for event in changes} == {cast.anna.pk, cast.carla.pk}


# ---- the screens


def test_a_tablets_door_takes_the_change(cast: Cast, tablet: Device):
    client = on_device("token-table-4")

    answer = tap(client, "/door/pin/", staff_id=cast.anna.pk, pin="1212", new_pin=OTHER_PIN)

    assert answer.status_code == 200, answer.content
    assert pin_of(cast.anna, OTHER_PIN)
    assert (
        'data-code="wrong_pin"'
        in tap(client, "/door/pin/", staff_id=cast.anna.pk, pin="1212", new_pin="9753").content.decode()
    )


def test_my_sign_in_ends_the_other_sessions_and_keeps_this_one(cast: Cast):
    here, elsewhere = at_desktop(cast.carla), at_desktop(cast.carla)
    assert "/my-sign-in/" in here.get("/cage/").content.decode()
    assert here.get("/my-sign-in/").status_code == 200

    arguments: Any = {"password": demo_person("carla").password, "new_password": OTHER_PASSWORD}
    refused = tap(here, "/my-sign-in/password/", **arguments, again="not the same")
    assert 'data-code="not_the_same_twice"' in refused.content.decode()
    assert tap(here, "/my-sign-in/password/", **arguments, again=OTHER_PASSWORD).status_code == 200

    assert here.get("/my-sign-in/").status_code == 200
    assert elsewhere.get("/my-sign-in/")["Location"].startswith("/sign-in/")


def test_my_sign_in_takes_a_pin(cast: Cast):
    arguments: Any = {"password": demo_person("carla").password, "new_pin": OTHER_PIN, "again": OTHER_PIN}

    assert tap(at_desktop(cast.carla), "/my-sign-in/pin/", **arguments).status_code == 200
    assert pin_of(cast.carla, OTHER_PIN)
