"""The stage as tests use it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
import redis
from django.db import connection, connections, transaction
from pytest_django import DjangoDbBlocker
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from casino import clock
from casino.audit.services import append
from casino.live import notices
from casino.rooms.models import Room
from tests.support import servers
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.support.warm import WarmProcess


class Stage(BrushServer):
    """A real web process with the stage's audiences, and a room named "Stage" in its database."""

    def __init__(self, **where) -> None:
        super().__init__(**where)
        self.env |= {"DJANGO_SETTINGS_MODULE": "tests.live.stage_settings", "STAGE_NOTES_URL": os.environ["REDIS_URL"]}
        self.notes = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
        self.database_name = ""
        self.room = Room.objects.create(slug="stage", name="Stage")

    def _spawn(self, name: str, command: list[str]) -> WarmProcess:
        return super()._spawn(
            name, ["tests.live.stage_asgi:application" if "asgi" in part else part for part in command]
        )

    def open(
        self, *audiences: str, who: str = "floor", language: str = "en", origin: str | None = None, **options: Any
    ) -> ClientConnection:
        """Open a socket as a visitor of the stage."""
        query = "&".join([f"audience={audience}" for audience in audiences] + [f"language={language}"])
        opened: ClientConnection = connect(
            f"{self.socket_url}/live/?{query}",
            origin=Origin(origin or self.url),
            additional_headers={"Cookie": f"who={who}"},
            compression=None,
            **options,
        )
        return opened

    def rename(
        self, name: str, *, audiences: tuple[str, ...] = ("board",), heard: bool = True, logged: bool = True
    ) -> None:
        """Change what is shown, as a service would; with `heard` False its notice is lost."""
        with transaction.atomic():
            with as_owner():
                Room.objects.filter(pk=self.room.pk).update(name=name)
            if logged:
                append(
                    room_id=self.room.pk, chain="stage", name="stage.rename", result="done", command_id=uuid4(),
                    staff_id=1, device_id=None, at=clock.now(), audiences=audiences, content={},
                )  # fmt: skip
        if heard:
            notices.publish(room_id=self.room.pk, audiences=audiences)

    def break_subscription(self) -> None:
        """Cut the process off from Redis for a moment, as a dropped connection does."""
        ours = [client for client in self.notes.client_list() if client["name"] == f"{self.redis_prefix}:hub"]
        assert ours
        for client in ours:
            self.notes.client_kill_filter(_id=client["id"])

    def forget(self) -> None:
        """Forget what earlier tests left in the notes."""
        for key in self.notes.scan_iter(f"{self.redis_prefix}:stage:*"):
            self.notes.delete(key)

    def renders(self, audience: str = "board", language: str = "en") -> int:
        return int(self.get(f"renders:{audience}:{language}") or 0)

    def get(self, name: str) -> Any:
        return self.notes.get(f"{self.redis_prefix}:stage:{name}")

    def all(self, name: str) -> Any:
        return self.notes.lrange(f"{self.redis_prefix}:stage:{name}", 0, -1)

    def set(self, name: str, value: object) -> None:
        self.notes.set(f"{self.redis_prefix}:stage:{name}", str(value))


@pytest.fixture(scope="module")
def stage_process(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Stage]:
    """Run one stage for all tests of a module, on a database of its own: starting a process takes seconds."""
    folder = tmp_path_factory.mktemp("stage")
    with django_db_blocker.unblock(), servers.clone(servers.template_database()) as name:
        url = servers.with_database(os.environ["DATABASE_URL"], name)
        with using(name):
            server = Stage(database_url=url, redis_url=os.environ["REDIS_URL"], folder=folder)
        server.database_name = name
        try:
            yield server
        finally:
            server.stop()
            server.forget()
            server.notes.close()


@pytest.fixture
def stage(
    stage_process: Stage, django_db_blocker: DjangoDbBlocker, settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    """Run the stage as if it were new; `publish` of this process reaches it, and the test may commit."""
    hear(stage_process, settings, monkeypatch)
    stage_process.forget()
    with django_db_blocker.unblock(), using(stage_process.database_name):
        with as_owner():
            Room.objects.filter(pk=stage_process.room.pk).update(name="Stage")
        if stage_process.process is None:
            stage_process.start()
        yield stage_process
    if notices._client is not None:
        notices._client.close()


def hear(stage: Stage, settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what this process publishes reach the stage."""
    settings.REDIS_PREFIX, settings.REDIS_URL = stage.redis_prefix, stage.env["REDIS_URL"]
    monkeypatch.setattr(notices, "_client", None)
    monkeypatch.setattr(notices, "_silent_until", 0.0)


@contextmanager
def using(database_name: str) -> Iterator[None]:
    """Have this process talk to another database for a while."""
    before = connection.settings_dict["NAME"]
    _talk_to(database_name)
    try:
        yield
    finally:
        _talk_to(before)


def _talk_to(database_name: str) -> None:
    connections.close_all()
    # Only PostgreSQL's wrapper has a pool.
    connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict["NAME"] = database_name
