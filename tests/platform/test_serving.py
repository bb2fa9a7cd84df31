"""Who is not served: a house without a secret, a body beyond reason, a name that is not the house's."""

import asyncio
import gc
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.conf import settings as django_settings
from django.http import HttpResponse
from django.test import override_settings
from django.urls import resolve

from casino import grants, serving
from casino import settings as settings_module
from casino.embedded.processes import free_port
from casino.secret_key import why_not_to_serve
from casino.serving import COLLECT_AFTER, Http, lifespan, limited
from casino.supervisor.commands import web_command, worker_command
from tests.support.patience import PATIENCE_SECONDS
from tests.support.room import BrushServer
from tests.support.servers import ROOT

# As htmx and a tablet's queue have it.
SCREEN_SECONDS = 8
LONG_KEY = "".join(chr(ord("a") + number % 26) for number in range(60))


@pytest.mark.parametrize("key", ["", "short", "a" * 60])
def test_a_key_that_is_none_is_no_reason_to_serve(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRUSH_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("BRUSH_SECRET_KEY", key)
    monkeypatch.setattr(settings_module, "DATA_DIR", tmp_path)

    with override_settings(SECRET_KEY=settings_module._secret_key()):
        assert "BRUSH_SECRET_KEY" in why_not_to_serve()


@pytest.mark.slow
@pytest.mark.parametrize("process", ["web", "worker"])
@pytest.mark.parametrize("key", ["", "short", "a" * 60])
def test_without_a_real_secret_nothing_serves(process: str, key: str, tmp_path: Path) -> None:
    command = web_command(host="127.0.0.1", port=free_port()) if process == "web" else worker_command()
    env = {name: value for name, value in os.environ.items() if not name.startswith("BRUSH_")}
    env |= {"BRUSH_DATA_DIR": str(tmp_path), "BRUSH_SECRET_KEY": key}

    ended = subprocess.run(
        command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )

    assert ended.returncode != 0
    assert "BRUSH_SECRET_KEY" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr


@pytest.mark.slow
def test_the_deployment_check_sees_a_missing_secret(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("BRUSH_")}
    env |= {"BRUSH_DATA_DIR": str(tmp_path), "BRUSH_HTTPS": "1"}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]

    missing = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    given = subprocess.run(
        command, cwd=ROOT, env=env | {"BRUSH_SECRET_KEY": LONG_KEY}, capture_output=True, text=True, check=False
    )

    assert (missing.returncode, given.returncode) == (1, 0), missing.stderr + given.stderr
    assert "security.W009" in missing.stderr


async def test_with_a_secret_the_server_may_begin(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SECRET_KEY = LONG_KEY
    # It looks at the database in a thread of its own, which would outlive this test.
    looked: list[bool] = []
    monkeypatch.setattr(grants, "say_if_unguarded", lambda: looked.append(True))
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(dict(message))

    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    try:
        await lifespan({"type": "lifespan"}, receive, send)

        # A hub has threads take turns sooner; a process without screens has none.
        assert sys.getswitchinterval() == interval
        assert gc.get_freeze_count() > 0
        assert gc.get_threshold()[0] == COLLECT_AFTER
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()

    assert [message["type"] for message in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert looked == [True]


def endless(size: int) -> Iterator[bytes]:
    for _ in range(size // 1000):
        yield b"x" * 1000


def test_a_body_beyond_reason_is_not_even_stored(brush_server: BrushServer) -> None:
    size = 4 * django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    headers = {"Content-Type": "application/json"}
    address = f"{brush_server.url}/api/v1/sign-in"

    announced = httpx.post(address, content=b"x" * size, headers=headers)
    # Without a length, in chunks, no limit of Django's applies.
    chunked = httpx.post(address, content=endless(size), headers=headers)
    small = httpx.post(address, content=b"{}", headers=headers)

    assert [answer.status_code for answer in (announced, chunked, small)] == [413, 413, 400]
    assert announced.json()["code"] == chunked.json()["code"] == "too_large"


async def test_a_body_stops_being_read_where_it_is_too_much(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2500
    chunks, sent = endless(100_000), []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": next(chunks), "more_body": True}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(dict(message))

    async def greedy(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["more_body"]:
            pass

    await limited(greedy)({"type": "http", "headers": []}, receive, send)

    assert sent[0]["status"] == 413
    assert json.loads(sent[1]["body"])["code"] == "too_large"
    assert len(list(chunks)) == 97


class Held(Http):
    """Requests that last until they are let go, and wait for their turn, in a house of two connections."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, turn_seconds: float = PATIENCE_SECONDS) -> None:
        monkeypatch.setattr(serving, "TURN_SECONDS_MAX", turn_seconds)
        monkeypatch.setattr(django_settings, "DATABASES", {"default": {"OPTIONS": {"pool": {"max_size": 2}}}})
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.let_go = threading.Event()

    def respond(self, scope: Any, body: Any) -> HttpResponse:
        self.loop.call_soon_threadsafe(self.begun.put_nowait, scope["path"])
        self.let_go.wait(PATIENCE_SECONDS)
        body.close()
        return HttpResponse()

    async def serve(self, path: str) -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "http.request"}

        async def send(message: Mapping[str, Any]) -> None:
            pass

        await self({"path": path}, receive, send)

    async def next_begun(self, count: int) -> list[str]:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return sorted([await self.begun.get() for _ in range(count)])


async def test_as_many_requests_at_once_as_there_are_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    taps = asyncio.gather(*(held.serve(f"/{number}") for number in range(5)))

    assert await held.next_begun(2) == ["/0", "/1"]
    # Neither whoever asks how the process is nor any number of strangers waits for them, or keeps them waiting.
    beside = asyncio.gather(held.serve("/readyz"), *(held.serve("/sign-in/") for _ in range(30)))
    assert await held.next_begun(31) == ["/readyz", *["/sign-in/"] * 30]

    held.let_go.set()
    await asyncio.gather(taps, beside)
    assert await held.next_begun(3) == ["/2", "/3", "/4"]


async def test_while_strangers_wait_to_sign_in_a_tap_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    strangers = asyncio.gather(*(held.serve("/api/v1/sign-in") for _ in range(30)))
    await held.next_begun(30)

    tap = asyncio.ensure_future(held.serve("/tap"))
    assert await held.next_begun(1) == ["/tap"]

    held.let_go.set()
    await asyncio.gather(strangers, tap)


async def test_a_request_waits_for_its_turn_no_longer_than_that(monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch, turn_seconds=0.05)
    taps = asyncio.gather(*(held.serve(f"/{number}") for number in range(30)))

    # They go on, and the pool of connections tells them that the house is busy, before their screens give up.
    assert len(await held.next_begun(30)) == 30

    held.let_go.set()
    await taps
    assert held.begun.empty()


def test_busy_is_told_before_a_screen_gives_up() -> None:
    assert serving.TURN_SECONDS_MAX + settings_module.POOL_SECONDS_MAX < SCREEN_SECONDS
    assert all(resolve(path) for path in serving.WITHOUT_TURN)


def test_behind_tls_no_cookie_of_ours_travels_in_the_clear() -> None:
    script = "import casino.settings as s; print({n: getattr(s, n) for n in dir(s) if n.endswith('COOKIE_SECURE')})"
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=os.environ | {"BRUSH_HTTPS": "1"}, capture_output=True, text=True
    )

    flags = dict.fromkeys(["CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE", "SESSION_COOKIE_SECURE"], True)
    assert ran.stdout.strip() == str(flags), ran.stderr
