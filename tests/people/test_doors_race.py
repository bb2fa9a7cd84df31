"""What two do at once at the doors: with one code, with one token, at one device."""

from contextlib import nullcontext
from functools import partial

import pytest

from casino.audit.models import Event
from casino.errors import NotFound
from casino.people.errors import CodeUnknown
from casino.people.models import ApiToken, Device, EnrolmentCode
from casino.people.selectors import anyone_in
from casino.people.services import revoke_device
from casino.people.services.devices import enrol_device
from casino.people.services.tokens import revoke_api_token
from tests.cast import Cast, command, demo_person, enrolled, make_cast
from tests.people.test_doors import code_for
from tests.people.test_tokens import issued
from tests.support.locks import meet, without_lock

pytestmark = [
    pytest.mark.smoke,
    pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)]),
]


@pytest.fixture
def cast(committing_db: object) -> Cast:
    return make_cast(with_secrets=True)


def test_one_code_enrols_one_of_two_devices(cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    enrol = partial(enrol_device, code=code_for(cast))
    if not is_locked:
        without_lock(monkeypatch, EnrolmentCode)

    def enrols() -> None:
        enrol(command(anyone_in(cast.room)))

    with pytest.raises(CodeUnknown) if is_locked else nullcontext():
        meet(enrols, enrols)

    assert Device.objects.count() == (1 if is_locked else 2)


def test_a_token_ends_once(cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    issued(cast)
    token = ApiToken.objects.get()
    if not is_locked:
        without_lock(monkeypatch, ApiToken)

    def ends() -> None:
        revoke_api_token(command(cast.mari), api_token_id=token.pk)

    with pytest.raises(NotFound) if is_locked else nullcontext():
        meet(ends, ends)

    assert Event.objects.filter(name="people.revoke_api_token", result="done").count() == (1 if is_locked else 2)


def test_a_device_that_is_just_being_shut_out_gets_no_token(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    device = enrolled(cast.room, "table", 4)
    if not is_locked:
        without_lock(monkeypatch, Device)

    def issues() -> None:
        with pytest.raises(NotFound) if is_locked else nullcontext():
            issued(cast, pin=demo_person("mari").pin, staff_id=None, device_id=device.pk)

    meet(lambda: revoke_device(command(cast.mari), device_id=device.pk), issues, waits=is_locked)

    assert ApiToken.objects.filter(device=device, revoked_at=None).count() == (0 if is_locked else 1)
