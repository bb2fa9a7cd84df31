"""Tokens of programs: whose they are, how long they hold, what they never do, and what the log says of them."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from casino import clock
from casino.audit.models import Event
from casino.errors import Malformed
from casino.people.errors import PinLocked, RolesTooWide, WrongPin
from casino.people.models import ApiToken, Device, Staff
from casino.people.selectors import actor_on_device, api_tokens_of
from casino.people.services import (
    change_own_password,
    change_own_pin,
    change_roles,
    deactivate_staff,
    end_shift,
    enrol_with_code,
    issue_token,
    make_enrolment_code,
    revoke_device,
    set_password,
    set_pin,
    start_shift,
)
from casino.people.services.tokens import DAYS_MAX
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled
from tests.people.event_texts import says


def issued(cast: Cast, *, pin: str = "", **more: Any) -> str:
    arguments: dict[str, Any] = {"name": "board", "roles": ["floor"], "days": 30, "staff_id": cast.frans.pk} | more
    return str(issue_token(command(cast.mari), pin=pin or demo_person("frans").pin, **arguments).data["token"])


def call(token: str, path: str, body: Any = None, *, minutes: float = 0, tapped_at: str = "") -> Any:
    sent = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid.uuid4()), "If-Match": '"1"'}
    sent |= {"X-Tapped-At": tapped_at} if tapped_at else {}
    with clock.frozen(TONIGHT + timedelta(minutes=minutes)):
        if body is None:
            return Client().get(f"/api/v1/{path}", headers=sent)
        return Client().post(f"/api/v1/{path}", body, "application/json", headers=sent)


def test_a_token_is_issued_by_the_pin_of_whom_it_speaks_for_and_wrong_ones_count(cast: Cast):
    assert issued(cast)
    for _ in range(4):
        with pytest.raises(WrongPin):
            issued(cast, pin=demo_person("mari").pin)
    with pytest.raises(PinLocked):
        issued(cast, pin=demo_person("mari").pin)

    assert (Staff.objects.get(pk=cast.frans.pk).wrong_pins, ApiToken.objects.count()) == (5, 1)
    assert not any(says(text, "2468") for text in Event.objects.values_list("text", flat=True))


def test_a_devices_token_is_issued_by_the_managers_own_pin(cast: Cast):
    device = enrolled(cast.room, "table", 4)
    with pytest.raises(WrongPin):
        issued(cast, staff_id=None, device_id=device.pk)

    assert issued(cast, staff_id=None, device_id=device.pk, pin=demo_person("mari").pin)


@pytest.mark.parametrize("what", [{"is_active": False, "is_on_shift": False}, {"roles": ["floor"]}])
def test_a_devices_token_ends_with_the_manager_who_made_it(cast: Cast, what: dict[str, Any]):
    device = enrolled(cast.room, "table", 4)
    token = issued(cast, staff_id=None, device_id=device.pk, pin=demo_person("mari").pin)
    assert call(token, "door").status_code == 200

    Staff.objects.filter(pk=cast.mari.pk).update(**what)

    assert call(token, "door").status_code == 401


@pytest.mark.parametrize("goes_elsewhere", [False, True])
def test_a_devices_tokens_end_with_the_device_and_the_event_names_them(cast: Cast, goes_elsewhere: bool):
    device = enrolled(cast.room, "table", 4)
    issued(cast)
    issued(cast, staff_id=None, device_id=device.pk, pin=demo_person("mari").pin)
    of_device = ApiToken.objects.latest("id")

    if goes_elsewhere:
        code = make_enrolment_code(command(cast.mari), kind="table", number=5, device_name="Tablet 5").data["code"]
        here = command(actor_on_device(device, staff=None))
        data = enrol_with_code(here, code=code, address="127.0.0.1").data
    else:
        data = revoke_device(command(cast.mari), device_id=device.pk).data

    of_device.refresh_from_db()
    assert data["api_tokens_ended"] == [of_device.pk]
    assert of_device.revoked_at == TONIGHT
    assert [token.staff_id for token in api_tokens_of(cast.room.pk, at=TONIGHT)] == [cast.frans.pk]


def test_what_was_left_open_by_versions_before_is_over_with_the_upgrade(cast: Cast):
    device, stays = enrolled(cast.room, "table", 4), enrolled(cast.room, "table", 5)
    for each in (device, stays):
        issued(cast, staff_id=None, device_id=each.pk, pin=demo_person("mari").pin)
    of_somebody = issued(cast)

    def upgrade() -> None:
        with connection.cursor() as cursor:
            cursor.execute(import_module("casino.people.migrations.0010_tokens_of_what_is_gone").OF_WHAT_IS_GONE)

    # As before the services ended them.
    Device.objects.filter(pk=device.pk).update(revoked_at=TONIGHT)

    upgrade()

    assert [token.device_id for token in api_tokens_of(cast.room.pk, at=TONIGHT)] == [stays.pk, None]
    Staff.objects.filter(pk__in=(cast.mari.pk, cast.frans.pk)).update(is_active=False, is_on_shift=False)
    upgrade()
    assert api_tokens_of(cast.room.pk, at=TONIGHT) == []
    assert call(of_somebody, "door").status_code == 401


def test_a_token_has_no_wider_roles_than_its_person(cast: Cast):
    with pytest.raises(RolesTooWide):
        issued(cast, roles=["floor", "manager"])

    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("days", [0, -1, DAYS_MAX + 1])
def test_a_token_holds_for_a_year_at_most(cast: Cast, days: int):
    with pytest.raises(Malformed):
        issued(cast, days=days)


def test_a_token_ends_by_itself(cast: Cast):
    token = issued(cast, days=1)

    assert call(token, "tables", minutes=24 * 60 - 1).status_code == 200
    assert call(token, "tables", minutes=24 * 60).status_code == 401


def left_alone(cast: Cast) -> None:
    end_shift(command(cast.mari), staff_id=cast.frans.pk)
    change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["floor", "dealer", "auditor"])


@pytest.mark.parametrize(
    ("what", "status"),
    [
        (left_alone, 200),
        (lambda cast: change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["dealer"]), 401),
        (lambda cast: set_pin(command(cast.mari), staff_id=cast.frans.pk, pin="8642"), 401),
        (lambda cast: set_password(command(cast.mari), staff_id=cast.frans.pk, password="ten tables tomorrow"), 401),
        (lambda cast: deactivate_staff(command(cast.mari), staff_id=cast.frans.pk), 401),
        (lambda cast: change_own_pin(command(cast.frans), password=_password("frans"), new_pin="8642"), 401),
        (
            lambda cast: change_own_password(
                command(cast.frans), password=_password("frans"), new_password="ten tables tomorrow"
            ),
            401,
        ),
    ],
)
def test_what_takes_away_what_a_token_was_issued_by_ends_it_for_good(
    cast: Cast, what: Callable[[Cast], Any], status: int
):
    mine, others = issued(cast), issued(cast, staff_id=cast.mari.pk, pin=demo_person("mari").pin)
    of_device = issued(cast, staff_id=None, device_id=enrolled(cast.room, "table", 4).pk, pin=demo_person("mari").pin)
    assert call(mine, "tables").status_code == 200

    what(cast)
    ended = Event.objects.filter(text__contains="api_tokens_ended")
    assert (call(mine, "tables").status_code, ended.count()) == (status, int(status == 401))
    assert call(others, "tables").status_code == call(of_device, "door").status_code == 200

    Staff.objects.filter(pk=cast.frans.pk).update(is_active=True, roles=["floor", "dealer"])
    assert call(mine, "tables").status_code == status


def test_a_devices_token_ends_with_the_pin_that_it_was_issued_by(cast: Cast):
    of_device = issued(cast, staff_id=None, device_id=enrolled(cast.room, "table", 4).pk, pin=demo_person("mari").pin)

    set_pin(command(cast.mari), staff_id=cast.mari.pk, pin="8642")

    assert call(of_device, "door").status_code == 401


@pytest.mark.parametrize("kind", ["", "cage"])
def test_a_cashiers_token_rests_between_their_shifts(cast: Cast, kind: str):
    at = {"device_id": enrolled(cast.room, kind, 1).pk} if kind else {}
    token = issued(cast, roles=["cashier"], staff_id=cast.carla.pk, pin=demo_person("carla").pin, **at)
    added = [call(token, "people/players", {"nickname": "Zoe"}).status_code]

    end_shift(command(cast.mari), staff_id=cast.carla.pk)
    rests = call(token, "people/players", {"nickname": "Zac"})
    start_shift(command(cast.mari), staff_id=cast.carla.pk)
    added.append(call(token, "people/players", {"nickname": "Zac"}).status_code)

    assert (rests.status_code, rests.json()["code"]) == (403, "token_rests")
    assert (call(token, "people/staff", {}).json()["code"], added) == ("not_permitted", [200, 200])


def _password(name: str) -> str:
    return demo_person(name).password


def test_the_last_use_is_kept_to_the_minute_and_written_once_in_it(cast: Cast):
    token = issued(cast)
    kept = []
    for seconds in (0, 30, 59, 61):
        call(token, "tables", minutes=seconds / 60)
        kept.append(ApiToken.objects.get().last_used_at)

    assert kept == [TONIGHT] * 3 + [TONIGHT + timedelta(seconds=61)]


def test_the_log_names_the_token_that_a_command_came_by(cast: Cast):
    token = issued(cast)

    assert call(token, "people/players", {"nickname": "Zoe"}).status_code == 200
    refused = call(token, "people/players", {"nickname": "zoe"})

    events = [json.loads(each.text) for each in Event.objects.filter(name="people.add_player").order_by("-id")[:2]]
    assert refused.status_code == 422
    assert {(event["token"], event["staff"]) for event in events} == {(ApiToken.objects.get().pk, cast.frans.pk)}
    assert "token" not in json.loads(Event.objects.get(name="people.issue_api_token").text)


@pytest.mark.parametrize(("ago", "kept"), [(4, 4), (6, 0), (600, 0)])
def test_a_program_tells_no_moment_of_long_ago(cast: Cast, ago: int, kept: int):
    token = issued(cast)
    moment = (TONIGHT + timedelta(minutes=600 - ago)).isoformat()

    call(token, "people/players", {"nickname": "Zoe"}, minutes=600, tapped_at=moment)

    event = json.loads(Event.objects.filter(name="people.add_player").latest("id").text)
    assert event["tapped_at"] == (TONIGHT + timedelta(minutes=600 - kept)).isoformat()


@pytest.mark.parametrize(
    ("path", "body", "what"),
    [
        ("people/exclusions/1/lift", {"second": {"username": "frans", "pin": "2468"}}, (422, "no_program_signs")),
        ("rule-book/approve", {}, (403, "not_permitted")),
        ("people/tokens", {"name": "x", "roles": ["floor"], "days": 1, "pin": "1357"}, (403, "not_permitted")),
        ("people/staff", {"username": "eve", "display_name": "Eve", "roles": ["manager"]}, (403, "not_permitted")),
        ("people/staff/shift-dealers", {"display_name": "Eve", "pin": "8642"}, (403, "not_permitted")),
        ("people/staff/2/roles", {"roles": ["manager"]}, (403, "not_permitted")),
        ("people/staff/2/pin", {"pin": "8642"}, (403, "not_permitted")),
        ("people/staff/2/password", {"password": "eve-was-here-too"}, (403, "not_permitted")),
        ("people/staff/2/unlock", {}, (403, "not_permitted")),
        ("people/enrolment-codes", {"kind": "floor", "number": 2, "device_name": "Eve"}, (403, "not_permitted")),
    ],
)
def test_no_program_signs_asks_for_a_signature_makes_another_or_opens_a_door(
    cast: Cast, path: str, body: dict[str, Any], what: tuple[int, str]
):
    token = issued(cast, roles=["manager", "floor"], staff_id=cast.mari.pk, pin=demo_person("mari").pin)

    answer = call(token, path, body)

    assert (answer.status_code, answer.json()["code"]) == what
    assert not Event.objects.filter(name="people.sign_second").exists()
    assert Staff.objects.get(pk=cast.frans.pk).wrong_pins == 0
