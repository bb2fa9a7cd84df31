"""A secret is tried only where tries are counted: not by repeating what was answered, under whatever id."""

import inspect
import json
import uuid
from datetime import timedelta

import pytest
from django.test import Client

from casino import clock
from casino.audit.models import Event
from casino.commands.carrying_out import services
from casino.commands.errors import CommandIdReused
from casino.people.errors import PinLocked, TooSoon, WrongPassword, WrongPin
from casino.people.models import Device, SignIn, Staff
from casino.people.services import second_person, set_pin, sign_in_at_desktop, sign_in_with_pin, sign_out_of_device
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled
from tests.people.event_texts import says
from tests.taps import on_device, tap

SECRETS = {"pin", "password", "code"}
# What sets a new secret has no old one to try.
SETS_ONE = {"people.add_staff", "people.add_shift_dealer", "people.set_pin", "people.set_password"}
WRONG = "9731"


def minutes(count: float):
    return TONIGHT + timedelta(minutes=count)


@pytest.fixture
def tablet(cast: Cast) -> Device:
    return enrolled(cast.room, "table", 4)


def at_tablet(tablet: Device, staff: Staff, pin: str, id: uuid.UUID, *, minute: float = 0) -> str:
    by = command(staff, device=Device.objects.select_related("place").get(pk=tablet.pk)).by
    answer = sign_in_with_pin(command(by, id=id, at=minutes(minute)), staff_id=staff.pk, pin=pin)
    return str(answer.data["sign_in_id"])


def at_desk(cast: Cast, username: str, password: str, id: uuid.UUID, *, minute: float = 0) -> int:
    anyone = command(cast.mari).by
    nobody = command(
        type(anyone)(room_id=cast.room.pk, staff_id=None, may=frozenset({"people.sign_in"})), id=id, at=minutes(minute)
    )
    return int(sign_in_at_desktop(nobody, username=username, password=password).data["staff_id"])


def test_every_secret_is_declared_as_one_and_tried_before_anything_is_answered():
    found = {}
    for name, service in services().items():
        parameters = inspect.signature(service.function).parameters
        if held := {each for each in parameters if SECRETS & set(each.split("_"))}:
            found[name] = (held == service.secret, service.proof is not None or name in SETS_ONE)

    assert len(found) > 6
    assert {name for name, holds in found.items() if holds != (True, True)} == set()


def test_a_lost_answer_comes_again_for_the_right_pin_and_signs_nobody_in_twice(cast, tablet):
    same, pin = uuid.uuid4(), demo_person("anna").pin
    first = at_tablet(tablet, cast.anna, pin, same)

    again = at_tablet(tablet, cast.anna, pin, same, minute=1)

    assert again == first
    assert SignIn.objects.count() == Event.objects.filter(name="people.sign_in_on_device").count() == 1


def test_a_wrong_pin_under_an_id_that_was_right_is_counted_waits_and_is_logged(cast, tablet):
    same = uuid.uuid4()
    at_tablet(tablet, cast.anna, demo_person("anna").pin, same)

    with pytest.raises(WrongPin) as wrong:
        at_tablet(tablet, cast.anna, WRONG, same)
    with pytest.raises(TooSoon):
        at_tablet(tablet, cast.anna, demo_person("anna").pin, same)
    for minute in range(1, 4):
        with pytest.raises(WrongPin):
            at_tablet(tablet, cast.anna, WRONG, same, minute=minute)
    with pytest.raises(PinLocked):
        at_tablet(tablet, cast.anna, WRONG, same, minute=5)
    with pytest.raises(PinLocked):
        at_tablet(tablet, cast.anna, demo_person("anna").pin, same, minute=9)

    assert wrong.value.data == {"tries_left": 4, "wait_seconds": 1}
    tries = Event.objects.filter(name="people.sign_in_on_device").order_by("id")
    assert [event.command_id == same for event in tries] == [True] + [False] * (len(tries) - 1)
    assert sum('"accepted":false' in event.text for event in tries) == 5
    assert not any(says(event.text, WRONG) for event in tries)


def test_a_wrong_pin_leaves_its_id_to_the_right_one(cast, tablet):
    same = uuid.uuid4()
    with pytest.raises(WrongPin):
        at_tablet(tablet, cast.anna, WRONG, same)

    assert at_tablet(tablet, cast.anna, demo_person("anna").pin, same, minute=1)


def test_an_old_sign_in_asked_for_again_signs_nobody_in_once_more(cast, tablet):
    same, pin = uuid.uuid4(), demo_person("anna").pin
    at_tablet(tablet, cast.anna, pin, same)
    sign_out_of_device(command(cast.anna, device=Device.objects.get(pk=tablet.pk)))

    at_tablet(tablet, cast.anna, pin, same, minute=1)

    tablet.refresh_from_db()
    assert tablet.signed_in is None


def test_a_new_pin_and_the_old_ones_id_open_nothing(cast, tablet):
    same = uuid.uuid4()
    at_tablet(tablet, cast.anna, demo_person("anna").pin, same)
    set_pin(command(cast.mari), staff_id=cast.anna.pk, pin="8642")

    with pytest.raises(WrongPin):
        at_tablet(tablet, cast.anna, demo_person("anna").pin, same, minute=1)


def test_a_password_under_an_id_out_of_the_log_is_a_try_like_any_other(cast):
    same = uuid.uuid4()
    at_desk(cast, "mari", demo_person("mari").password, same)
    logged = Event.objects.get(name="people.sign_in").command_id

    for _ in range(4):
        with pytest.raises(WrongPassword):
            at_desk(cast, "mari", "not-at-brush", logged)
    with pytest.raises(TooSoon):
        at_desk(cast, "mari", demo_person("mari").password, logged)

    assert at_desk(cast, "mari", demo_person("mari").password, same, minute=1) == cast.mari.pk
    assert Staff.objects.get(pk=cast.mari.pk).wrong_passwords == 0


@pytest.mark.parametrize("whose", ["mari", "carla"])
def test_no_id_tells_whether_a_name_is_somebodys(cast, whose):
    """Neither one that another signed in under, nor one of any other command."""
    used = command(cast.mari)
    set_pin(used, staff_id=cast.anna.pk, pin="8642")
    same = uuid.uuid4()
    at_desk(cast, "mari", demo_person("mari").password, same)

    answers = set()
    for username in (whose, f"nobody-{uuid.uuid4().hex[:8]}"):
        for id in (same, used.id):
            with pytest.raises(WrongPassword) as wrong:
                at_desk(cast, username, "not-at-brush", id)
            answers.add((wrong.value.code, json.dumps(wrong.value.data)))

    assert len(answers) == 1


def test_who_has_the_right_secret_is_told_that_the_id_was_for_something_else(cast):
    used = command(cast.mari)
    set_pin(used, staff_id=cast.anna.pk, pin="8642")

    with pytest.raises(CommandIdReused):
        at_desk(cast, "mari", demo_person("mari").password, used.id)


def test_a_second_signature_asked_for_again_tries_the_pin_again(cast):
    same = uuid.uuid4()

    def sign(pin: str) -> int:
        by = command(cast.carla, id=same)
        return second_person(by, username="frans", pin=pin, needs="cage.approve_reversal", signs="slip.17")

    assert sign(demo_person("frans").pin) == cast.frans.pk
    for _ in range(4):
        with pytest.raises(WrongPin):
            sign(WRONG)
    with pytest.raises(PinLocked):
        sign(WRONG)
    with pytest.raises(PinLocked):
        sign(demo_person("frans").pin)
    assert Staff.objects.get(pk=cast.frans.pk).wrong_pins == 5
    # Each stands in the log under an id of its own, with the id that the caller knows beside it.
    events = Event.objects.filter(name="people.sign_second").order_by("id")
    assert {json.loads(event.text)["part_of"] for event in events} == {str(same)}
    assert len({event.command_id for event in events} | {same}) == len(events) + 1 == 8


def test_a_second_signature_waits_and_makes_wait_as_a_sign_in_on_its_tablet_does(cast):
    cage = enrolled(cast.room, "cage")

    def sign(pin: str, *, minute: float = 0) -> int:
        by = command(cast.carla, device=cage, at=minutes(minute))
        return second_person(by, username="frans", pin=pin, needs="cage.approve_reversal", signs="slip.17")

    with pytest.raises(WrongPin) as wrong:
        sign(WRONG)
    with pytest.raises(TooSoon):
        sign(demo_person("frans").pin)
    with pytest.raises(TooSoon):
        at_tablet(cage, cast.carla, demo_person("carla").pin, uuid.uuid4())

    assert wrong.value.data == {"tries_left": 4, "wait_seconds": 1}
    assert sign(demo_person("frans").pin, minute=1) == cast.frans.pk
    cage.refresh_from_db()
    assert cage.wrong_pins == 0


def test_a_clock_that_was_set_back_leaves_no_password_waiting_whoever_has_it(cast):
    stranger = f"nobody-{uuid.uuid4().hex[:8]}"
    for username in ("carla", stranger):
        for _ in range(4):
            with pytest.raises(WrongPassword):
                at_desk(cast, username, "not-at-brush", uuid.uuid4(), minute=60)
        with pytest.raises(TooSoon):
            at_desk(cast, username, "not-at-brush", uuid.uuid4(), minute=60)

        with pytest.raises(WrongPassword):
            at_desk(cast, username, "not-at-brush", uuid.uuid4(), minute=0)


def test_setting_a_secret_again_tells_nothing_of_the_one_that_was_set(cast):
    first = command(cast.mari)
    answers = [set_pin(command(cast.mari, id=first.id), staff_id=cast.anna.pk, pin=pin) for pin in ("8642", WRONG)]

    assert [answer.data for answer in answers] == [{"staff_id": cast.anna.pk}] * 2
    assert [answer.is_replay for answer in answers] == [False, True]


def test_a_tablet_whose_answer_was_lost_is_let_in_by_the_same_tap(cast, tablet):
    """On its own page too: by then somebody is signed in there, and it is still the same command."""
    same, client = uuid.uuid4(), on_device("token-table-4")
    fields = {"staff_id": cast.anna.pk, "pin": demo_person("anna").pin}

    with clock.frozen(TONIGHT):
        answers = [tap(client, "/door/sign-in/", id=same, **fields) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert SignIn.objects.count() == 1


def test_a_desktop_whose_answer_was_lost_is_let_in_by_the_same_tap(cast):
    body = {"username": "mari", "password": demo_person("mari").password, "command_id": str(uuid.uuid4())}

    with clock.frozen(TONIGHT):
        answers = [Client().post("/sign-in/", body) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Event.objects.filter(name="people.sign_in").count() == 1


def test_it_finds_a_value_and_no_part_of_an_id() -> None:
    assert says('{"pin":"9731"}', "9731")
    assert says('{"pin":9731,"n":1}', "9731")
    assert not says('{"id":"0b19-9731-4c","at":"18:00:01.009731","hash":"f9731a"}', "9731")
