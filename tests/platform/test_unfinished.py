"""Who begins a request and never ends it, and who has secrets hashed for nothing: neither stops the house's tablets."""

import asyncio
import json
import socket
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any

import httpx
import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.db import connection, connections, transaction
from django.test import Client
from uvicorn import Config
from uvicorn.server import ServerState

from casino import heads
from casino.errors import Busy
from casino.heads import UNFINISHED_MAX, BoundedHeads
from casino.people import hashing
from casino.people.hashing import HASHES_AT_ONCE, among_passwords
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Staff
from casino.people.services.addresses import WRONG_PASSWORDS_MAX
from casino.rooms.models import Room
from tests.cast import demo_person, enrolled, make_cast
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.room import BrushServer
from tests.taps import at_desktop

HEAD = b"POST / HTTP/1.1\r\nHost: localhost\r\n"
BODY = HEAD + b"Content-Length: 100\r\n\r\nab"
CSRF = "a" * 32
# After so long a screen gives up and keeps its tap for later.
SCREEN_SECONDS = 8
WHOLE = HEAD + b"Content-Length: 2\r\n\r\nab"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Read a body and answer."""
    while (message := await receive()).get("more_body"):
        pass
    if message["type"] == "http.request":
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})


@pytest.fixture
async def port() -> AsyncIterator[int]:
    """Serve `application` by the protocol of ours on a port."""
    config = Config(application, http=BoundedHeads, log_level="critical")
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: BoundedHeads(config=config, server_state=state, app_state={}), "127.0.0.1", 0
    )
    yield server.sockets[0].getsockname()[1]
    server.close()
    for open_one in list(state.connections):
        open_one.transport.abort()
    await asyncio.sleep(0)


async def begun(port: int, sent: bytes, *, address: str = "127.0.0.1") -> tuple[asyncio.StreamReader, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(sent)
    return reader, writer


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """Return the first line of all that comes until the other end hangs up."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        return (await reader.read()).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "sent", [BODY, *(pytest.param(sent, marks=pytest.mark.slow) for sent in (b"", b"\r\n", HEAD, HEAD + b"\r\nPOST"))]
)
async def test_a_request_that_does_not_become_whole_is_closed(
    port: int, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heads, "REQUEST_SECONDS_MAX", 0.1)
    reader, writer = await begun(port, sent)

    assert b" 408 " in await end_of(reader) or sent.endswith(b"POST")
    assert heads._unfinished == {}
    writer.close()


async def test_what_is_whole_is_answered_and_waits_for_the_next_as_ever(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, writer = await begun(port, WHOLE + WHOLE)

    for _ in range(2):
        assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
    assert heads._unfinished == {}
    writer.close()


async def test_the_oldest_of_an_address_gives_way_and_nobody_elses(port: int) -> None:
    others, neighbour = await begun(port, BODY, address="127.0.0.2")
    kept = [await begun(port, BODY) for _ in range(UNFINISHED_MAX)]
    reader, writer = await begun(port, WHOLE)

    assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
    assert b" 408 " in await end_of(kept[0][0])
    neighbour.write(b"x" * 98)
    assert b" 200 " in await others.readuntil(b"\r\n\r\n")
    for _, each in [*kept, (reader, writer), (others, neighbour)]:
        each.close()


async def test_behind_a_proxy_an_address_is_the_one_that_it_names(port: int) -> None:
    forwarded = HEAD + b"X-Forwarded-For: 192.0.2.%d\r\nContent-Length: 100\r\n\r\n"

    _, first = await begun(port, forwarded % 1)
    _, second = await begun(port, forwarded % 2)
    both = {"192.0.2.1", "192.0.2.2"}
    await asyncio.to_thread(wait_until, lambda: set(heads._unfinished) == both, "one of them was not noted")

    first.close()
    second.close()


# Hashing


def test_few_secrets_are_hashed_at_once_and_a_pin_does_not_wait_behind_passwords(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate, lock = threading.Event(), threading.Lock()
    inside, most = 0, 0
    encode = Argon2PasswordHasher.encode

    def counted(self: Any, password: str, salt: str) -> str:
        nonlocal inside, most
        with lock:
            inside += 1
            most = max(most, inside)
        if password.startswith("password"):
            gate.wait(PATIENCE_SECONDS)
        try:
            return encode(self, password, salt)
        finally:
            with lock:
                inside -= 1

    monkeypatch.setattr(Argon2PasswordHasher, "encode", counted)
    monkeypatch.setattr(hashing, "TURN_SECONDS_MAX", PATIENCE_SECONDS)

    def password(number: int) -> str:
        with among_passwords():
            return make_password(f"password {number}")

    with ThreadPoolExecutor(24) as threads:
        hashes = [threads.submit(password, number) for number in range(24)]
        # All others wait for the one in there; a PIN does not.
        assert check_password("1357", make_password("1357"))
        gate.set()
        assert len({each.result() for each in hashes}) == 24

    assert most <= HASHES_AT_ONCE


def test_whose_turn_does_not_come_is_told_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "TURN_SECONDS_MAX", 0.01)

    def another() -> None:
        with pytest.raises(Busy), among_passwords():
            pass

    with among_passwords(), ThreadPoolExecutor(1) as threads:
        threads.submit(another).result()


class _Place:
    """The place among the passwords, which nobody gets before the gate opens."""

    def __init__(self) -> None:
        self.gate, self.lock, self.waiting = threading.Event(), threading.Lock(), 0

    def acquire(self, timeout: float) -> bool:
        with self.lock:
            self.waiting += 1
        return self.gate.wait(PATIENCE_SECONDS)

    def release(self) -> None:
        """All go on at once."""


def test_who_waits_for_a_password_takes_no_tablet_its_connection_and_nobody_a_row(
    committing_db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast = make_cast(with_secrets=True)
    enrolled(cast.room, "table", 1)
    place, tablet = _Place(), Client(headers={"Cookie": f"{DEVICE_COOKIE}=token-table-1"})
    mari, carla = at_desktop(cast.mari), at_desktop(cast.carla)
    monkeypatch.setattr(hashing, "_passwords", place)
    # As many as there are connections, this thread's too.
    most = connection.settings_dict["OPTIONS"]["pool"]["max_size"]
    connections.close_all()
    new_pin = {"password": demo_person("mari").password, "new_pin": "864297"}
    new_password = {"password": demo_person("carla").password, "new_password": "ten tables tomorrow"}
    own = [partial(post, mari, "my-sign-in/pin", new_pin), partial(post, carla, "my-sign-in/password", new_password)]
    names = ["frans" if number % 2 else f"nobody-{number}" for number in range(most - len(own))]
    tried = [*own, *(partial(sign_in, name, "wrong-wrong", "127.0.0.1") for name in names)]

    def alone(call: Callable[[], Any]) -> Any:
        """Call as a request of its own does, with a connection out of the pool."""
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(tried) + 1) as threads:
        waiting = [threads.submit(alone, each) for each in tried]
        try:
            wait_until(lambda: place.waiting == len(tried) or any(each.done() for each in waiting), "nobody waits")
            assert place.waiting == len(tried)
            assert threads.submit(alone, lambda: tablet.get("/api/v1/door").status_code).result() == 200
            with transaction.atomic():
                assert len(Staff.objects.select_for_update(nowait=True)) == len(cast.staff)
        finally:
            place.gate.set()
        answers = [each.result() for each in waiting]
    assert answers[:2] == [200, 200]
    # Four tries at one name are free, however many come at once.
    nobodys, of_frans = answers[2::2], sorted(answers[3::2])
    assert (nobodys, of_frans) == ([422] * len(nobodys), [422] * 4 + [429] * (len(of_frans) - 4))


def post(client: Client, path: str, body: dict[str, str]) -> int:
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    answer = client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=headers)
    return int(answer.status_code)


def sign_in(username: str, password: str, address: str) -> int:
    return post(Client(REMOTE_ADDR=address), "sign-in", {"username": username, "password": password})


@pytest.mark.django_db
def test_who_tries_many_names_from_one_address_waits_and_others_do_not(settings: Any) -> None:
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{uuid.uuid4()}"
    make_cast(with_secrets=True)

    # What goes well does not count.
    assert [sign_in("mari", "mari-at-brush", "192.0.2.7") for _ in range(3)] == [200] * 3
    answers = [sign_in(f"name-{number}", "guess", "192.0.2.7") for number in range(WRONG_PASSWORDS_MAX + 2)]

    assert answers == [422] * WRONG_PASSWORDS_MAX + [429] * 2
    assert sign_in("mari", "mari-at-brush", "192.0.2.7") == 429
    assert sign_in("mari", "mari-at-brush", "192.0.2.8") == 200
    # The same two, as a socket of both kinds of address names them.
    assert sign_in("mari", "mari-at-brush", "::ffff:192.0.2.7") == 429
    assert sign_in("mari", "mari-at-brush", "::ffff:192.0.2.8") == 200
    assert sign_in("nobody", "guess", "127.0.0.1") == 422


@pytest.mark.django_db
def test_who_found_no_place_has_tried_nothing(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{uuid.uuid4()}"
    make_cast(with_secrets=True)

    with monkeypatch.context() as busy:
        busy.setattr(hashing, "_passwords", threading.BoundedSemaphore(1))
        busy.setattr(hashing, "TURN_SECONDS_MAX", 0.001)
        with hashing._passwords:
            tried = [sign_in("mari", "mari-at-brush", "192.0.2.7") for _ in range(WRONG_PASSWORDS_MAX + 1)]
    assert tried == [503] * (WRONG_PASSWORDS_MAX + 1)

    assert sign_in("mari", "mari-at-brush", "192.0.2.7") == 200


@pytest.mark.django_db
def test_without_redis_who_tries_is_only_wrong(settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    make_cast(with_secrets=True)

    assert {sign_in(f"name-{number}", "guess", "192.0.2.7") for number in range(WRONG_PASSWORDS_MAX + 2)} == {422}
    assert sign_in("mari", "mari-at-brush", "192.0.2.7") == 200


# All of it at once


@pytest.fixture
def attacked(live_room: BrushServer) -> Iterator[BrushServer]:
    """Attack a running room from another address of this machine's: heads, bodies, names, and its description."""
    ended = threading.Event()

    def hold(sent: bytes) -> None:
        with ExitStack() as held:
            while not ended.is_set():
                for _ in range(UNFINISHED_MAX):
                    wire = socket.create_connection(("127.0.0.1", live_room.port), source_address=("127.0.0.2", 0))
                    held.enter_context(wire).sendall(sent)
                ended.wait(0.5)
                held.close()

    def ask(number: int) -> None:
        transport = httpx.HTTPTransport(local_address="127.0.0.2")
        with httpx.Client(transport=transport, base_url=live_room.url, timeout=PATIENCE_SECONDS) as client:
            while not ended.is_set():
                body = {"username": f"name-{uuid.uuid4()}", "password": "guess"}
                client.post("/api/v1/sign-in", json=body, headers={"Idempotency-Key": str(uuid.uuid4())})
                if number == 0:
                    client.get("/api/schema/")

    with ThreadPoolExecutor(10) as threads:
        attacks = [threads.submit(hold, HEAD), threads.submit(hold, BODY), *(threads.submit(ask, n) for n in range(6))]
        try:
            yield live_room
        finally:
            ended.set()
    for each in attacks:
        each.result()


@pytest.mark.slow
def test_none_of_it_stops_a_tablet_of_the_house(attacked: BrushServer) -> None:
    room = Room.objects.get()
    enrolled(room, "table", 1)
    anna, dan = (Staff.objects.get(username=username) for username in ("anna", "dan"))
    tablet = httpx.Client(base_url=attacked.url, timeout=SCREEN_SECONDS)
    tablet.cookies.update({DEVICE_COOKIE: "token-table-1", "csrftoken": CSRF})

    with tablet:
        for person, pin in [(anna, "1212"), (dan, "3434")] * 5:
            answer = tablet.post(
                "/api/v1/door/sign-in",
                json={"staff_id": person.pk, "pin": pin},
                headers={"Idempotency-Key": str(uuid.uuid4()), "X-CSRFToken": CSRF},
            )
            assert answer.status_code == 200, answer.text
            assert tablet.get("/api/v1/door").json()["signed_in_id"] == person.pk
