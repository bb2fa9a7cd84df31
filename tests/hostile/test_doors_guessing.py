"""Whoever guesses: PINs and passwords, one at a time and many at once, for names that exist and for others."""

import uuid
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from casino import clock
from casino.people.models import Device, Staff
from casino.people.services import revoke_api_token, revoke_device, unlock_person
from casino.people.services.secrets_tried import WRONG_PINS_MAX
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled, make_cast
from tests.hostile import planted
from tests.hostile.planted import Reply, by_token, call
from tests.support.locks import at_once
from tests.taps import at_desktop, on_device, tap

GUESSES = 12
WRONG = "no-such-password"


def guessed_at_once(guess: Callable[[int], Reply]) -> Counter[object]:
    """Guess from many threads in the same moment; return the answers, counted."""
    return Counter(at_once(GUESSES, lambda number: guess(number).what))


def password(username: str, text: str) -> Reply:
    body = {"username": username, "password": text}
    return call(Client(), "/api/v1/sign-in", "post", body)


def pin(number: int, staff: Staff, text: str = "9999") -> Reply:
    return planted.read(tap(on_device(f"token-table-{number}"), "/door/sign-in/", staff_id=staff.pk, pin=text))


def test_many_passwords_at_once_are_no_more_tries_than_one_after_another(committing_db):
    cast = make_cast(with_secrets=True)
    with clock.frozen(TONIGHT):
        serial = Counter(password("carla", WRONG).what for _ in range(GUESSES))
        parallel = guessed_at_once(lambda _: password("frans", WRONG))

    assert serial == parallel == {(422, "wrong_password"): 4, (429, "too_soon"): GUESSES - 4}
    assert Staff.objects.get(pk=cast.frans.pk).wrong_passwords == 4


def test_many_tries_at_once_at_a_name_that_nobody_has_are_like_any_others(committing_db):
    make_cast()
    name = f"nobody-{uuid.uuid4().hex[:8]}"
    with clock.frozen(TONIGHT):
        answers = guessed_at_once(lambda _: password(name, WRONG))

    assert answers == {(422, "wrong_password"): 4, (429, "too_soon"): GUESSES - 4}


def test_many_pins_at_once_on_many_tablets_are_no_more_tries_than_five(committing_db):
    cast = make_cast(with_secrets=True)
    # One more than guess: a tablet of which somebody guessed waits.
    for number in range(GUESSES + 1):
        enrolled(cast.room, "table", number + 1)
    with clock.frozen(TONIGHT):
        answers = guessed_at_once(lambda number: pin(number + 1, cast.anna))
        right = pin(GUESSES + 1, cast.anna, demo_person("anna").pin)

    assert answers == {(422, "wrong_pin"): WRONG_PINS_MAX - 1, (422, "pin_locked"): GUESSES - WRONG_PINS_MAX + 1}
    assert right.what == (422, "pin_locked")
    assert Staff.objects.get(pk=cast.anna.pk).wrong_pins == WRONG_PINS_MAX


def test_many_pins_at_once_on_one_tablet_are_one_try(committing_db):
    cast = make_cast(with_secrets=True)
    enrolled(cast.room, "table", 1)
    people = [cast.anna, cast.dan, cast.frans]
    with clock.frozen(TONIGHT):
        answers = guessed_at_once(lambda number: pin(1, people[number % 3]))

    assert answers == {(422, "wrong_pin"): 1, (429, "too_soon"): GUESSES - 1}


def test_one_code_typed_on_many_tablets_at_once_enrols_one(committing_db):
    cast = make_cast()
    with clock.frozen(TONIGHT):
        body = {"kind": "table", "number": 4, "device_name": "T"}
        text = call(at_desktop(cast.mari), "/api/v1/people/enrolment-codes", "post", body).text
        code = text.split('"code":"')[1][:9]
        answers = guessed_at_once(lambda _: call(Client(), "/api/v1/enrol", "post", {"code": code}))

    assert answers == {(200, ""): 1, (422, "enrolment_code_unknown"): GUESSES - 1}
    assert Device.objects.count() == 1


@pytest.fixture
def cast(db: None):
    return make_cast(with_secrets=True)


@pytest.mark.parametrize("username", ["carla", "nobody-of-that-name", "CARLA ", "olavi\u0301"])
def test_a_name_that_exists_is_told_from_none_by_no_answer(cast: Cast, username: str):
    answers = []
    for second in range(12):
        with clock.frozen(TONIGHT + timedelta(seconds=second)):
            answers.append(password(username, WRONG).what)

    wrong, soon = (422, "wrong_password"), (429, "too_soon")
    assert answers == [wrong] * 5 + [soon, wrong, soon, soon, soon, wrong, soon]


def test_a_name_without_a_password_is_like_any_other(cast: Cast):
    Staff.objects.filter(pk=cast.dan.pk).update(password="!")
    Staff.objects.filter(pk=cast.olavi.pk).update(is_active=False, is_on_shift=False)
    with clock.frozen(TONIGHT):
        answers = {name: [password(name, WRONG).what for _ in range(6)] for name in ("carla", "dan", "olavi", "x")}

    assert len({tuple(answer) for answer in answers.values()}) == 1, answers


def test_a_revoked_token_opens_nothing(cast: Cast):
    headers = by_token(cast.frans)
    assert call(Client(), "/api/v1/tables", "get", None, **headers).status == 200
    token_id = cast.frans.apitoken_set.get().pk

    revoke_api_token(command(cast.mari), api_token_id=token_id)

    assert call(Client(), "/api/v1/tables", "get", None, **headers).what == (401, "token_unknown")


def test_a_shut_out_tablet_opens_nothing_by_cookie_token_or_earlier_sign_in(cast: Cast):
    tablet, device = planted.signed_in_at(cast.room, "table", 1, cast.anna)
    headers, sign_in = by_token(None, device), str(Device.objects.get(pk=device.pk).sign_in_id)

    revoke_device(command(cast.mari), device_id=device.pk)

    assert call(Client(), "/api/v1/tables", "get", None, **headers).status == 401
    for more in ({}, {"X-Sign-In": sign_in, "X-Tapped-At": TONIGHT.isoformat()}):
        assert call(tablet, "/api/v1/tables/1/hands/settle", "post", {}, **more).status == 401
    assert tap(tablet, "/door/sign-in/", staff_id=cast.anna.pk, pin=demo_person("anna").pin).status_code == 401


def test_a_session_that_was_signed_out_is_nobodys(cast: Cast):
    client = Client()
    body = {"username": "frans", "password": demo_person("frans").password, "command_id": str(uuid.uuid4())}
    client.post("/sign-in/", body)
    kept = client.cookies["sessionid"].value

    tap(client, "/sign-out/")
    thief = Client()
    thief.cookies["sessionid"] = kept

    assert thief.get("/floor/").status_code == 302
    assert call(thief, "/api/v1/tables", "get", None).status == 401


def test_unlocking_gives_five_tries_and_not_more(cast: Cast):
    enrolled(cast.room, "table", 1)
    tries = 0
    for evening in range(2):
        for minute in range(8):
            with clock.frozen(TONIGHT + timedelta(hours=evening, minutes=2 * minute)):
                tries += pin(1, cast.anna).what[1] == "wrong_pin"
        unlock_person(command(cast.frans), staff_id=cast.anna.pk)

    assert tries == 2 * (WRONG_PINS_MAX - 1)
