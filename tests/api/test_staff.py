"""Who works here, and every door, through the REST interface alone."""

import json
import uuid
from typing import Any

import pytest
from django.test import Client

from casino.audit.models import Event
from casino.commands.models import AnsweredCommand
from casino.people.models import Device, Staff
from casino.people.secrets import pin_agrees, pin_hash
from tests.api.stage import Caller, Stage
from tests.cage.counting import lying
from tests.cast import TONIGHT, demo_person

PASSWORD = "nine tables tonight"


@pytest.fixture
def room(stage: Stage) -> Stage:
    """Return the room, whose people's PINs and passwords work."""
    for name, staff in stage.house.cast.staff.items():
        person = demo_person(name)
        staff.set_password(person.password)
        staff.save(update_fields=["password"])
    return stage


def browser() -> Caller:
    """Return somebody who is not known yet, and keeps the cookies that are given."""
    http = Client(enforce_csrf_checks=True, raise_request_exception=False)
    return Caller(http)


def known(caller: Caller) -> Caller:
    """Have a browser send the CSRF header that belongs to its cookie."""
    caller.headers["X-CSRFToken"] = caller.http.cookies["csrftoken"].value
    return caller


# Long enough that no hash or id in the log holds them by chance.
ANNAS_PIN, DANS_PIN = "24680864", "13579753"


def kept() -> str:
    """Return everything that log and answers keep."""
    rows = [event.text for event in Event.objects.all()], list(AnsweredCommand.objects.values_list("data", flat=True))
    return json.dumps(rows, default=str)


def test_a_person_joins_changes_and_leaves(stage: Stage):
    mari = stage.at_desktop(stage.house.cast.mari)
    person = {"username": "aino", "display_name": "Aino", "roles": ["dealer"], "pin": "2468", "password": PASSWORD}

    aino = mari.tap("people/staff", person)["staff_id"]
    mari.tap(f"people/staff/{aino}/roles", {"roles": ["floor", "dealer"]})
    mari.tap(f"people/staff/{aino}/pin", {"pin": "9753"})
    mari.tap(f"people/staff/{aino}/password", {"password": PASSWORD + "!"})
    stage.frans.tap(f"people/staff/{aino}/start-shift")

    row = Staff.objects.get(pk=aino)
    shown = next(each for each in mari.get("people/staff").body if each["id"] == aino)
    assert (row.roles, row.is_on_shift, pin_agrees("9753", row.pin)) == (["floor", "dealer"], True, True)
    assert row.check_password(PASSWORD + "!")
    assert set(shown) == {"id", "username", "display_name", "roles", "is_active", "is_on_shift", "is_locked"}
    mari.tap(f"people/staff/{aino}/deactivate")
    assert mari.post(f"people/staff/{aino}/pin", {"pin": "2468"}).code == "not_found"
    assert Staff.objects.get(pk=aino).pin == ""


def test_no_secret_is_kept_or_answered(stage: Stage):
    mari, dan = stage.at_desktop(stage.house.cast.mari), stage.house.cast.dan
    person = {"username": "aino", "display_name": "Aino", "roles": ["dealer"], "pin": "24681357", "password": PASSWORD}

    answers = [
        mari.post("people/staff", person),
        mari.post(f"people/staff/{dan.pk}/pin", {"pin": "97531864"}),
        mari.post(f"people/staff/{dan.pk}/password", {"password": PASSWORD}),
        mari.post(f"people/staff/{dan.pk}/password", {"password": "short pw"}),
    ]

    assert [each.status for each in answers] == [200, 200, 200, 422]
    for secret in ("24681357", "97531864", PASSWORD, "short pw", "Aino"):
        assert secret not in kept()
        assert secret not in json.dumps([each.body for each in answers])


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("staff", {"username": "ANNA", "display_name": "Anna", "roles": ["dealer"]}, "username_taken"),
        ("staff", {"username": "aino", "display_name": "Aino", "roles": ["dealer"], "pin": "1111"}, "pin_too_simple"),
        ("staff", {"username": "aino", "display_name": "Aino", "roles": ["owner"]}, "malformed"),
        ("staff", {"username": "aino", "display_name": "Aino", "roles": []}, "malformed"),
        ("staff", {"username": "aino", "display_name": "", "roles": ["dealer"]}, "malformed"),
        ("staff/{dan}/pin", {"pin": "1111"}, "pin_too_simple"),
        ("staff/{dan}/pin", {"pin": ""}, "malformed"),
        ("staff/{dan}/pin", {"pin": 2468}, "malformed"),
        ("staff/{dan}/password", {"password": "password"}, "password_too_simple"),
        ("staff/{dan}/password", {"password": "\ud800"}, "malformed"),
        ("staff/{mari}/roles", {"roles": ["floor"]}, "own_roles"),
        ("staff/{mari}/deactivate", {}, "last_manager"),
        ("staff/0/deactivate", {}, "not_found"),
    ],
)
def test_what_is_refused_about_people(stage: Stage, path: str, body: dict[str, Any], code: str):
    cast = stage.house.cast

    answer = stage.at_desktop(stage.house.cast.mari).post(
        "people/" + path.format(dan=cast.dan.pk, mari=cast.mari.pk), body
    )

    assert answer.code == code


@pytest.mark.parametrize("path", ["staff", "staff/{dan}/pin", "staff/{dan}/password", "staff/{dan}/roles"])
def test_people_are_the_manager_s_alone(stage: Stage, path: str):
    path = "people/" + path.format(dan=stage.house.cast.dan.pk)
    narrowed = stage.by_token(stage.house.cast.mari, roles=["floor", "cashier"])

    for caller in (stage.frans, stage.carla, stage.anna, stage.olavi, narrowed):
        assert caller.post(path, {"pin": "2468"}).code == "not_permitted"


def enrol(stage: Stage, kind: str = "table", number: int = 1) -> Caller:
    place = {"kind": kind, "number": number, "device_name": f"{kind} {number}"}
    code = stage.at_desktop(stage.house.cast.mari).tap("people/enrolment-codes", place)["code"]
    tablet = browser()
    tablet.tap("enrol", {"code": code})
    return known(tablet)


def test_a_tablet_is_enrolled_signed_in_on_handed_over_and_left(stage: Stage):
    anna, dan = stage.house.cast.anna, stage.house.cast.dan
    set_pins(anna=ANNAS_PIN, dan=DANS_PIN)
    tablet = enrol(stage)
    device = Device.objects.get()

    door = tablet.get("door").body
    assert (door["device_id"], door["place"]) == (device.pk, {"kind": "table", "number": 1})
    assert {anna.pk, dan.pk} <= {each["id"] for each in door["people"]}
    assert door["signed_in_id"] is None
    assert tablet.post("tables/1/hands/deal", {"hand_id": str(uuid.uuid4())}).code == "not_signed_in"

    annas = tablet.tap("door/sign-in", {"staff_id": anna.pk, "pin": ANNAS_PIN})
    dans = tablet.tap("door/sign-in", {"staff_id": dan.pk, "pin": DANS_PIN})
    here = tablet.get("door").body

    assert (annas["before_id"], dans["before_id"]) == (None, anna.pk)
    assert (here["signed_in_id"], here["sign_in_id"]) == (dan.pk, dans["sign_in_id"])
    assert [each["id"] for each in here["people"] if each["is_here"]] == [dan.pk]
    assert tablet.tap("door/sign-out") == {"staff_id": dan.pk}
    assert tablet.get("door").body["signed_in_id"] is None
    assert ANNAS_PIN not in kept()
    assert DANS_PIN not in kept()


def set_pins(**pins: str) -> None:
    for name, pin in pins.items():
        Staff.objects.filter(username=name).update(pin=pin_hash(pin))


def test_the_token_of_a_device_is_a_cookie_out_of_reach(stage: Stage):
    made = stage.at_desktop(stage.house.cast.mari).tap(
        "people/enrolment-codes", {"kind": "cage", "number": 1, "device_name": "Cage 1"}
    )
    tablet, command_id = browser(), uuid.uuid4()

    answer = tablet.post("enrol", {"code": made["code"].lower()}, id=command_id)
    again = browser().post("enrol", {"code": made["code"]}, id=command_id)

    cookie = tablet.http.cookies["brush_device"]
    assert set(answer.data) == {"device_id", "enrolment_code_id", "enrolled_by_id"}
    assert (bool(cookie["httponly"]), cookie["samesite"]) == (True, "Lax")
    assert cookie.value not in kept() + json.dumps(answer.body)
    assert (again.status, again.code) == (422, "enrolment_code_unknown")
    assert made["code"] not in kept()


def test_a_guessed_code_leaves_no_line_in_the_log(stage: Stage):
    before = Event.objects.count()

    assert browser().post("enrol", {"code": "AAAA-AAAA"}).code == "enrolment_code_unknown"
    assert browser().post("enrol", {}).code == "malformed"
    assert Event.objects.count() == before


def test_a_lost_answer_at_the_door_is_the_same_command_again(stage: Stage):
    set_pins(anna="2468")
    tablet, sign_in, sign_out = enrol(stage), uuid.uuid4(), uuid.uuid4()
    who = {"staff_id": stage.house.cast.anna.pk, "pin": "2468"}

    first, again = (tablet.post("door/sign-in", who, id=sign_in) for _ in range(2))
    left, left_again = (tablet.post("door/sign-out", id=sign_out) for _ in range(2))

    assert (first.data, left.data) == (again.data, left_again.data)
    assert [each.body["is_replay"] for each in (first, again, left, left_again)] == [False, True, False, True]


def test_wrong_pins_are_counted_make_wait_and_lock(stage: Stage):
    anna, dan = stage.house.cast.anna, stage.house.cast.dan
    set_pins(anna="2468", dan="1357")
    tablet = enrol(stage)
    wrong = {"staff_id": anna.pk, "pin": "9999"}

    refused, too_soon = tablet.post("door/sign-in", wrong), tablet.post("door/sign-in", wrong)

    assert (refused.status, refused.code, refused.body["data"]["tries_left"]) == (422, "wrong_pin", 4)
    assert (too_soon.status, too_soon.code, too_soon.headers["Retry-After"]) == (429, "too_soon", "1")
    Device.objects.update(pin_not_before_at=None)
    Staff.objects.filter(pk=anna.pk).update(wrong_pins=5, locked_at=TONIGHT)
    assert tablet.post("door/sign-in", wrong | {"pin": "2468"}).code == "pin_locked"
    stage.at_desktop(stage.house.cast.frans).tap(f"people/staff/{anna.pk}/unlock")
    assert tablet.post("door/sign-in", wrong | {"pin": "2468"}).status == 200
    stage.frans.tap(f"people/staff/{dan.pk}/end-shift")
    assert tablet.post("door/sign-in", {"staff_id": dan.pk, "pin": "1357"}).code == "not_on_shift"
    assert tablet.post("door/sign-in", {"staff_id": stage.house.cast.carla.pk, "pin": "1357"}).code == "not_permitted"


def test_a_device_s_token_signs_in_on_its_device(stage: Stage):
    set_pins(anna="2468")
    enrol(stage)
    program = stage.by_token(None, device=Device.objects.get())

    assert program.post("tables/1/hands/deal", {"hand_id": str(uuid.uuid4())}).code == "not_signed_in"
    program.tap("door/sign-in", {"staff_id": stage.house.cast.anna.pk, "pin": "2468"})

    assert Device.objects.get().signed_in == stage.house.cast.anna
    assert program.get("door").body["signed_in_id"] == stage.house.cast.anna.pk
    # A PIN that it gave would open tablets after its end.
    body = {"staff_id": stage.house.cast.anna.pk, "pin": "2468", "new_pin": "8642"}
    assert program.post("door/pin", body).code == "not_permitted"


def test_who_has_no_device_has_no_door(stage: Stage):
    for caller in (stage.mari, stage.anna):
        assert caller.get("door").code == "not_permitted"
        assert caller.post("door/sign-in", {"staff_id": 1, "pin": "2468"}).code == "not_permitted"
    assert browser().get("door").status == 401


def test_a_tablet_s_page_needs_its_csrf_header_at_the_door_too(stage: Stage):
    tablet = enrol(stage)
    tablet.headers.clear()

    assert tablet.post("door/sign-out").code == "form_too_old"
    assert tablet.post("enrol", {"code": "AAAA-AAAA"}).code == "form_too_old"


def test_a_tablet_that_moves_leaves_its_old_place(stage: Stage):
    tablet = enrol(stage)
    code = stage.at_desktop(stage.house.cast.mari).tap(
        "people/enrolment-codes", {"kind": "table", "number": 2, "device_name": "Tablet"}
    )["code"]

    tablet.tap("enrol", {"code": code})

    assert [device["place"]["number"] for device in stage.mari.get("people/devices").body] == [2]
    assert tablet.get("door").body["place"]["number"] == 2


def test_a_desktop_is_signed_in_and_out(room: Stage):
    desktop, mari = browser(), demo_person("mari")

    refused = desktop.post("sign-in", {"username": "mari", "password": "not that one"})
    answer = desktop.post("sign-in", {"username": "Mari", "password": mari.password})
    known(desktop)

    assert (refused.status, refused.code) == (422, "wrong_password")
    assert answer.data == {"accepted": True, "staff_id": room.house.cast.mari.pk}
    assert desktop.get("people/staff").status == 200
    assert desktop.tap("people/enrolment-codes", {"kind": "table", "number": 1, "device_name": "Tablet"})["code"]
    desktop.tap("sign-out")
    assert desktop.get("people/staff").status == 401
    assert mari.password not in kept()


def test_an_old_sign_in_sent_again_opens_nothing_with_an_old_password(room: Stage):
    frans, command_id = {"username": "frans", "password": demo_person("frans").password}, uuid.uuid4()
    assert browser().post("sign-in", frans, id=command_id).status == 200
    assert browser().post("sign-in", frans, id=command_id).body["is_replay"]

    room.at_desktop(room.house.cast.mari).tap(
        f"people/staff/{room.house.cast.frans.pk}/password", {"password": PASSWORD}
    )

    assert browser().post("sign-in", frans, id=command_id).code == "wrong_password"


def test_wrong_passwords_make_the_next_try_wait(room: Stage):
    wrong = {"username": "frans", "password": "not that one"}

    codes = [browser().post("sign-in", wrong).code for _ in range(5)]

    assert codes == ["wrong_password"] * 4 + ["too_soon"]
    assert browser().post("sign-in", {"username": "nobody", "password": "x"}).code == "wrong_password"


def test_nobody_signs_in_by_password_on_a_tablet(room: Stage):
    tablet = enrol(room)

    answer = tablet.post("sign-in", {"username": "mari", "password": demo_person("mari").password})

    assert answer.code == "not_permitted"


def test_one_enrols_two_sign_and_the_cage_reverses_over_rest_alone(room: Stage):
    set_pins(carla="2468", frans=DANS_PIN)
    window = enrol(room, "cage")
    window.tap("door/sign-in", {"staff_id": room.house.cast.carla.pk, "pin": "2468"})
    slip = f"cage/slips/{window.tap('cage/drawers/1/buy-ins', {'amount_cents': 50_00, 'method': 'cash'})['slip_id']}"
    version = window.get(slip).headers["ETag"]
    frans = {"username": "frans", "pin": DANS_PIN}

    void = window.tap(f"{slip}/reverse", {"reason": "wrong_amount", "second": frans}, If_Match=version)
    count = {**lying(5_000_00, 20_000_00), "second": frans}
    closed = window.tap("cage/drawers/1/close", count)

    # The first signature is under the drawer's float.
    signed = [(event.staff_id, json.loads(event.text)["args"]["signs"]) for event in _second_signatures()[1:]]
    assert void["status"] == "void"
    assert (closed["money_difference_cents"], closed["chips_difference_cents"]) == (0, 0)
    assert [staff_id for staff_id, _signs in signed] == [room.house.cast.carla.pk] * 2
    assert [signs.split(".")[0] for _staff_id, signs in signed] == ["slip", "drawer"]
    assert DANS_PIN not in kept()


def _second_signatures() -> list[Event]:
    return list(Event.objects.filter(name="people.sign_second").order_by("id"))
