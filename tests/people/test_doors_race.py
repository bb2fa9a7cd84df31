"""What two do at once at the doors: with one code, with one token, at one device."""

from contextlib import AbstractContextManager, nullcontext
from functools import partial

import pytest
from django.db import connection

from casino.audit.models import Event
from casino.errors import NotFound
from casino.people.errors import CodeUnknown
from casino.people.models import ApiToken, Device, EnrolmentCode
from casino.people.selectors import anyone_in
from casino.people.services import make_enrolment_code, revoke_device
from casino.people.services.devices import enrol_device
from casino.people.services.tokens import revoke_api_token
from tests.cast import Cast, command, demo_person, enrolled, make_cast
from tests.people.test_tokens import issued
from tests.support.locks import without_lock
from tests.tables.test_lock_order import meet

pytestmark = [
    pytest.mark.smoke,
    pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)]),
]


@pytest.fixture
def cast(committing_db: object) -> Cast:
    return make_cast(with_secrets=True)


def refused(error: type[Exception], *, is_locked: bool) -> AbstractContextManager[object]:
    return pytest.raises(error) if is_locked else nullcontext()


def makes_code(cast: Cast) -> str:
    made = make_enrolment_code(command(cast.mari), kind="table", number=4, device_name="Tablet 4")
    return str(made.data["code"])


def test_one_code_enrols_one_of_two_devices(cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    enrol = partial(enrol_device, code=makes_code(cast))
    if not is_locked:
        without_lock(monkeypatch, EnrolmentCode)

    def enrols() -> None:
        enrol(command(anyone_in(cast.room)))

    def comes_late() -> None:
        with refused(CodeUnknown, is_locked=is_locked):
            enrols()

    meet(enrols, comes_late)

    assert Device.objects.count() == (1 if is_locked else 2)
    connection.close()


def test_a_token_ends_once(cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    issued(cast)
    token = ApiToken.objects.get()
    if not is_locked:
        without_lock(monkeypatch, ApiToken)

    def ends() -> None:
        revoke_api_token(command(cast.mari), api_token_id=token.pk)

    def comes_late() -> None:
        with refused(NotFound, is_locked=is_locked):
            ends()

    meet(ends, comes_late)

    assert Event.objects.filter(name="people.revoke_api_token", result="done").count() == (1 if is_locked else 2)
    connection.close()


def test_a_device_that_is_just_being_shut_out_gets_no_token(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    device = enrolled(cast.room, "table", 4)
    if not is_locked:
        without_lock(monkeypatch, Device)

    def issues() -> None:
        with refused(NotFound, is_locked=is_locked):
            issued(cast, pin=demo_person("mari").pin, staff_id=None, device_id=device.pk)

    meet(lambda: revoke_device(command(cast.mari), device_id=device.pk), issues, waits=is_locked)

    assert ApiToken.objects.filter(device=device, revoked_at=None).count() == (0 if is_locked else 1)
    connection.close()
