"""A PIN or password that somebody else set opens the change of it by its owner, and signs nothing."""

import uuid
from typing import Any

import pytest

from casino.people.demo import seed_people
from casino.people.errors import SecretPublished, SecretToBeChanged, WrongPin
from casino.people.models import Device, Staff
from casino.people.selectors import actor_at_desktop
from casino.people.services import (
    add_shift_dealer,
    add_staff,
    change_pin_at_door,
    issue_token,
    second_person,
    set_password,
    set_pin,
    sign_in_with_pin,
)
from casino.rooms.demo import seed_room
from casino.rooms.models import GamingDay
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled
from tests.taps import at_desktop, on_device, tap

GIVEN_PIN, OWN_PIN = "8642", "9753"
GIVEN_PASSWORD, OWN_PASSWORD = "nine tables tonight", "ten tables tomorrow"


@pytest.fixture
def tablet(cast: Cast) -> Device:
    return enrolled(cast.room, "table", 4)


def sign_in(tablet: Device, staff_id: int, pin: str) -> Any:
    door = on_device(f"token-table-{tablet.place.number}")
    return tap(door, "/door/sign-in/", staff_id=staff_id, pin=pin)


def code_of(answer: Any) -> str:
    text = answer.content.decode()
    return text.partition('data-code="')[2].partition('"')[0] if answer.status_code >= 400 else ""


def give_pin_to(cast: Cast, how: str) -> int:
    if how == "set_pin":
        return int(set_pin(command(cast.mari), staff_id=cast.anna.pk, pin=GIVEN_PIN).data["staff_id"])
    if how == "add_staff":
        arguments: Any = {"username": "aino", "display_name": "Aino", "roles": ["dealer"]}
        staff_id = int(add_staff(command(cast.mari), pin=GIVEN_PIN, **arguments).data["staff_id"])
        Staff.objects.filter(pk=staff_id).update(is_on_shift=True)
        return staff_id
    GamingDay.objects.create(room=cast.room, date=TONIGHT.date(), opened_at=TONIGHT, opened_by_id=cast.mari.pk)
    return int(add_shift_dealer(command(cast.frans), display_name="Pit Pia", pin=GIVEN_PIN).data["staff_id"])


@pytest.mark.parametrize("how", ["set_pin", "add_staff", "add_shift_dealer"])
def test_a_pin_that_another_set_opens_only_the_change_of_it(cast: Cast, tablet: Device, how: str):
    staff_id = give_pin_to(cast, how)

    assert code_of(sign_in(tablet, staff_id, GIVEN_PIN)) == "secret_to_be_changed"
    tablet.refresh_from_db()
    assert tablet.signed_in is None
    assert code_of(sign_in(tablet, staff_id, "1111")) == "wrong_pin"
    Device.objects.update(pin_not_before_at=None)

    arguments: Any = {"staff_id": staff_id, "pin": GIVEN_PIN, "new_pin": OWN_PIN}
    assert tap(on_device("token-table-4"), "/door/pin/", **arguments).status_code == 200
    assert sign_in(tablet, staff_id, OWN_PIN).status_code == 200
    tablet.refresh_from_db()
    assert tablet.signed_in_id == staff_id


def test_a_pin_that_another_set_signs_nothing(cast: Cast):
    set_pin(command(cast.mari), staff_id=cast.frans.pk, pin=GIVEN_PIN)

    def sign(pin: str) -> int:
        needs = "cage.approve_reversal"
        return second_person(command(cast.carla), username="frans", pin=pin, needs=needs, signs="slip.17")

    with pytest.raises(SecretToBeChanged):
        sign(GIVEN_PIN)
    with pytest.raises(WrongPin):
        sign("1111")
    Staff.objects.filter(pk=cast.frans.pk).update(pin_set_by=Staff.SetBy.OWNER)
    assert sign(GIVEN_PIN) == cast.frans.pk


def test_a_pin_that_another_set_makes_no_token(cast: Cast):
    set_pin(command(cast.mari), staff_id=cast.carla.pk, pin=GIVEN_PIN)

    with pytest.raises(SecretToBeChanged):
        issue_token(command(cast.mari), name="till", roles=["cashier"], days=9, pin=GIVEN_PIN, staff_id=cast.carla.pk)


def test_a_manager_who_types_her_own_pin_into_the_people_page_chooses_it_again(cast: Cast):
    set_pin(command(cast.mari), staff_id=cast.mari.pk, pin=GIVEN_PIN)

    assert Staff.objects.get(pk=cast.mari.pk).is_pin_to_be_changed


def test_with_a_password_that_another_set_a_desktop_opens_nothing_but_its_change(cast: Cast):
    set_password(command(cast.mari), staff_id=cast.carla.pk, password=GIVEN_PASSWORD)
    client = at_desktop()

    form: Any = {"username": "carla", "password": GIVEN_PASSWORD, "command_id": str(uuid.uuid4())}
    assert client.post("/sign-in/", form)["Location"] == "/my-sign-in/"
    assert client.get("/cage/")["Location"] == "/my-sign-in/"
    assert client.get("/")["Location"] == "/my-sign-in/"
    assert code_of(tap(client, "/cage/1/open/")) == "secret_to_be_changed"
    assert code_of(tap(client, f"/people/{cast.anna.pk}/shift/", on_shift="0")) == "secret_to_be_changed"
    shown = client.get("/my-sign-in/").content.decode()
    assert ("/my-sign-in/password/" in shown, "/my-sign-in/pin/" in shown) == (True, False)
    arguments: Any = {"password": GIVEN_PASSWORD, "new_pin": OWN_PIN, "again": OWN_PIN}
    assert code_of(tap(client, "/my-sign-in/pin/", **arguments)) == "not_permitted"

    mine: Any = {"password": GIVEN_PASSWORD, "new_password": OWN_PASSWORD, "again": OWN_PASSWORD}
    assert tap(client, "/my-sign-in/password/", **mine).headers["HX-Redirect"] == "/"
    assert client.get("/cage/").status_code == 200


def test_over_rest_everything_else_is_refused_with_its_own_code(cast: Cast):
    set_password(command(cast.mari), staff_id=cast.carla.pk, password=GIVEN_PASSWORD)
    client = at_desktop(Staff.objects.get(pk=cast.carla.pk))

    def post(path: str, body: dict[str, Any]) -> Any:
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return client.post(f"/api/v1/{path}", body, content_type="application/json", headers=headers)

    refused = [client.get("/api/v1/people/players"), post("cage/drawers/1/buy-ins", {}), post("my-sign-in/pin", {})]
    assert [(each.status_code, each.json()["code"]) for each in refused] == [(403, "secret_to_be_changed")] * 3

    passwords = {"password": GIVEN_PASSWORD, "new_password": OWN_PASSWORD}
    assert post("my-sign-in/password", passwords).status_code == 200
    assert not Staff.objects.get(pk=cast.carla.pk).is_password_to_be_changed


@pytest.mark.parametrize(("opened_by", "is_exempt"), [("", True), ("BRUSH_HTTPS=1", False)])
def test_the_demos_published_secrets_are_exempt_on_this_machine_alone(db: None, settings, opened_by, is_exempt):
    settings.OPEN_BY = ""
    people = seed_people(seed_room(at=TONIGHT), at=TONIGHT)
    settings.OPEN_BY = opened_by
    anna, carla = people.staff["anna"], people.staff["carla"]
    device = enrolled(anna.room, "table", 4)

    assert code_of(sign_in(device, anna.pk, demo_person("anna").pin)) == ("" if is_exempt else "secret_to_be_changed")
    assert ("page.cage" in actor_at_desktop(carla).may) == is_exempt


def test_what_a_manager_sets_in_the_demo_is_exempt_nowhere(db: None):
    room = seed_room(at=TONIGHT)
    people = seed_people(room, at=TONIGHT)
    set_pin(command(people.staff["mari"]), staff_id=people.staff["anna"].pk, pin=GIVEN_PIN)

    again = seed_people(room, at=TONIGHT)

    assert again.staff["anna"].is_pin_to_be_changed


def test_who_chose_their_pin_on_the_pad_owns_it(cast: Cast, tablet: Device):
    set_pin(command(cast.mari), staff_id=cast.anna.pk, pin=GIVEN_PIN)
    by = command(cast.anna, device=Device.objects.select_related("place").get(pk=tablet.pk))

    change_pin_at_door(by, staff_id=cast.anna.pk, pin=GIVEN_PIN, new_pin=OWN_PIN)

    next_one = command(cast.anna, device=Device.objects.select_related("place").get(pk=tablet.pk))
    assert sign_in_with_pin(next_one, staff_id=cast.anna.pk, pin=OWN_PIN).data["staff_id"] == cast.anna.pk


def test_a_house_that_others_reach_takes_no_secret_of_the_readme(cast: Cast, settings: Any):
    settings.OPEN_BY = "BRUSH_HTTPS=1"
    dan, published = cast.dan.pk, demo_person("dan")
    tries = [
        lambda: set_pin(command(cast.mari), staff_id=dan, pin=published.pin),
        lambda: set_password(command(cast.mari), staff_id=dan, password=published.password),
    ]

    for give in tries:
        with pytest.raises(SecretPublished):
            give()

    settings.OPEN_BY = ""
    assert [give().data["staff_id"] for give in tries] == [dan, dan]
