"""The stage as tests use it."""

import os
import subprocess
from collections.abc import Iterator
from uuid import uuid4

import pytest
import redis
from django.db import transaction
from websockets.sync.client import connect

from casino import clock
from casino.audit.services import append
from casino.live import notices
from casino.rooms.models import Room
from tests.support.room import BrushServer


class Stage(BrushServer):
    """A real web process with the stage's audiences, and a room named "Stage" in its database."""

    def __init__(self, **where) -> None:
        super().__init__(**where)
        self.env |= {"DJANGO_SETTINGS_MODULE": "tests.live.stage_settings", "STAGE_NOTES_URL": os.environ["REDIS_URL"]}
        self.notes = redis.Redis.from_url(os.environ["REDIS_URL"], decode_responses=True)
        self.room = Room.objects.create(slug="stage", name="Stage")

    def _spawn(self, name: str, command: list[str]) -> subprocess.Popen[bytes]:
        return super()._spawn(
            name, ["tests.live.stage_asgi:application" if "asgi" in part else part for part in command]
        )

    def open(self, *audiences: str, who: str = "floor", language: str = "en", origin: str | None = None, **options):
        """Open a socket as a visitor of the stage."""
        query = "&".join([f"audience={audience}" for audience in audiences] + [f"language={language}"])
        return connect(
            f"{self.socket_url}/live/?{query}",
            origin=origin or self.url,
            additional_headers={"Cookie": f"who={who}"},
            compression=None,
            **options,
        )

    def rename(
        self, name: str, *, audiences: tuple[str, ...] = ("board",), heard: bool = True, logged: bool = True
    ) -> None:
        """Change what is shown, as a service would; with `heard` False its notice is lost."""
        with transaction.atomic():
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

    def renders(self, audience: str = "board", language: str = "en") -> int:
        return int(self.get(f"renders:{audience}:{language}") or 0)

    def get(self, name: str) -> str | None:
        return self.notes.get(f"{self.redis_prefix}:stage:{name}")

    def all(self, name: str) -> list[str]:
        return self.notes.lrange(f"{self.redis_prefix}:stage:{name}", 0, -1)

    def set(self, name: str, value: object) -> None:
        self.notes.set(f"{self.redis_prefix}:stage:{name}", str(value))


@pytest.fixture
def stage(committing_db, tmp_path, settings, monkeypatch) -> Iterator[Stage]:
    """Run the stage; `publish` of this process reaches it."""
    server = Stage(database_url=committing_db.url, redis_url=os.environ["REDIS_URL"], folder=tmp_path)
    settings.REDIS_PREFIX = server.redis_prefix
    settings.REDIS_URL = os.environ["REDIS_URL"]
    monkeypatch.setattr(notices, "_client", None)
    monkeypatch.setattr(notices, "_silent_until", 0.0)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        for key in server.notes.scan_iter(f"{server.redis_prefix}*"):
            server.notes.delete(key)
        server.notes.close()
        if notices._client is not None:
            notices._client.close()
