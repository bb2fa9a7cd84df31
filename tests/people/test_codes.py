"""Codes that somebody types who is not known yet: wrong ones are counted by address and in all."""

import uuid
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta

import pytest
import uvicorn
from django.test import Client
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from casino import clock
from casino.errors import Busy
from casino.people.errors import CodeUnknown, TooSoon
from casino.people.models import Device
from casino.people.services import addresses, make_enrolment_code
from casino.supervisor.commands import web_environment
from tests.cast import TONIGHT, Cast, command

FREE, _ = addresses.CODES_AT_ONE_ADDRESS


@pytest.fixture(autouse=True)
def _counts_of_its_own(settings) -> Iterator[None]:
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{uuid.uuid4().hex[:8]}"
    with clock.frozen(TONIGHT):
        yield


def guess(address: str = "192.0.2.7", *, seconds: float = 0) -> str:
    """Try a wrong code; return what became of it."""
    try:
        with addresses.code_tried("enrolment", address=address, at=TONIGHT + timedelta(seconds=seconds)):
            raise CodeUnknown
    except (CodeUnknown, TooSoon) as refused:
        return f"{refused.code} {refused.data.get('wait_seconds', '')}".strip()


def test_wrong_codes_from_one_address_wait_longer_each_time_and_others_do_not():
    answers = [guess() for _ in range(FREE + 2)]
    later = [guess(seconds=second) for second in (1, 1, 3, 3)]

    assert answers == ["enrolment_code_unknown"] * (FREE + 1) + ["too_soon 1"]
    assert later == ["enrolment_code_unknown", "too_soon 2", "enrolment_code_unknown", "too_soon 4"]
    assert guess("192.0.2.8") == "enrolment_code_unknown"


def test_of_many_addresses_together_one_a_second_is_taken():
    free, _ = addresses.CODES_IN_ALL
    answers = Counter(guess(f"10.0.{number // 250}.{number % 250}") for number in range(free + 50))

    assert answers == {"enrolment_code_unknown": free + 1, "too_soon 1": 49}
    assert guess("198.51.100.1", seconds=1) == "enrolment_code_unknown"
    assert guess("198.51.100.2", seconds=1) == "too_soon 1"


def test_who_has_half_the_world_of_addresses_is_one():
    answers = {guess(f"2001:db8:1:2::{number:x}") for number in range(FREE + 2)}

    assert "too_soon 1" in answers
    assert guess("2001:db8:1:3::1") == "enrolment_code_unknown"
    assert guess("::ffff:192.0.2.7") == guess("192.0.2.7") == guess("") == "enrolment_code_unknown"


def test_a_right_code_is_no_try_and_takes_no_wait_away():
    for _ in range(2 * FREE):
        with addresses.code_tried("enrolment", address="192.0.2.7", at=TONIGHT):
            pass
    for _ in range(FREE + 1):
        guess()

    with pytest.raises(TooSoon), addresses.code_tried("enrolment", address="192.0.2.7", at=TONIGHT):
        pytest.fail("tried while it waits")


def test_a_clock_that_was_set_back_leaves_no_code_waiting():
    for _ in range(FREE + 3):
        guess(seconds=7200)

    assert guess() == "enrolment_code_unknown"


def test_no_code_is_tried_while_nobody_can_count(settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    with pytest.raises(Busy), addresses.code_tried("enrolment", address="192.0.2.7", at=TONIGHT):
        pytest.fail("tried and not counted")


@pytest.mark.parametrize("path", ["/enrol/", "/my/", "/api/v1/enrol"])
def test_each_place_where_a_code_is_typed_counts_it(cast: Cast, path: str, settings):
    settings.PHONE_URL = "https://phones.example"
    code = make_enrolment_code(command(cast.mari), kind="table", number=4, device_name="Tablet 4").data["code"]

    def typed(text: str, address: str) -> int:
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        client = Client(REMOTE_ADDR=address)
        if path.startswith("/api/"):
            return client.post(path, {"code": text}, "application/json", headers=headers).status_code
        return client.post(path, {"code": text}, headers=headers).status_code

    tries = [typed("AAAA-CCCC", "192.0.2.7") for _ in range(FREE + 1)]

    assert set(tries) == {401 if path == "/my/" else 422}
    assert typed(str(code), "192.0.2.7") == 429
    assert not Device.objects.exists()
    if path != "/my/":
        assert typed(str(code), "192.0.2.8") in {200, 302}


@pytest.mark.parametrize(("https", "believed"), [("1", "203.0.113.9"), ("", "127.0.0.1"), (None, "127.0.0.1")])
async def test_a_proxy_is_believed_only_by_a_house_that_has_one(monkeypatch, https: str | None, believed: str):
    for name, value in web_environment({} if https is None else {"BRUSH_HTTPS": https}).items():
        monkeypatch.setenv(name, value)
    seen: list[str] = []

    async def application(scope, _receive, _send) -> None:
        seen.append(scope["client"][0])

    trusted = uvicorn.Config(application).forwarded_allow_ips
    scope = {"type": "http", "client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", b"203.0.113.9")]}
    await ProxyHeadersMiddleware(application, trusted)(scope, None, None)  # type: ignore[arg-type]  # neither is used

    assert seen == [believed]
