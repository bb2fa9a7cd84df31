"""A house that others reach: never with secrets that everybody may read, and never as root."""

import asyncio
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, call_command
from django.db import connections

from casino import serving
from casino.embedded.home import Account, CannotStart
from casino.people.models import Staff
from casino.people.published import STAFF, who_has_published_secrets, why_not_to_open
from casino.people.secrets import pin_hash
from casino.reach import Reach, is_this_machine
from casino.rooms.models import Room
from casino.serving import kept_home, lifespan
from casino.supervisor import group as groups
from casino.supervisor.group import Group
from tests.conftest import Database
from tests.support.patience import PATIENCE_SECONDS
from tests.support.room import BrushServer
from tests.support.supervised import Supervised

LONG_KEY = "".join(chr(ord("a") + number % 26) for number in range(60))


@pytest.fixture
def nobody_special(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have this process be no root's: that is a reason of its own."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


async def elsewhere(step: Callable[[], None]) -> None:
    """Take a step on the database in a thread of its own."""

    def take() -> None:
        try:
            step()
        finally:
            connections.close_all()

    await asyncio.to_thread(take)


def give_other_secrets() -> None:
    for person in STAFF:
        other = {"password": make_password(f"another-{person.username}"), "pin": pin_hash("86420")}
        Staff.objects.filter(username=person.username).update(**other)


async def startup() -> str:
    """Return what a web process that is asked to begin answers: "" or why not."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(dict(message))

    await lifespan({"type": "lifespan"}, receive, send)
    return str(sent[0].get("message", ""))


async def answered_at(address: str) -> int:
    """Return the status that somebody gets who comes over this address of the machine's."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request"}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(dict(message))

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    await kept_home(application)({"type": "http", "server": (address, 8000), "headers": []}, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize(
    ("environment", "opened_by"),
    [
        ({}, ""),
        ({"BRUSH_ALLOWED_HOSTS": "localhost, brush.localhost,127.0.0.2,[::1]"}, ""),
        ({"BRUSH_PHONE_URL": "http://localhost:8000/"}, ""),
        ({"BRUSH_HTTPS": "1"}, "BRUSH_HTTPS=1"),
        ({"BRUSH_ALLOWED_HOSTS": "localhost,brush.lan"}, "the name brush.lan"),
        ({"BRUSH_ALLOWED_HOSTS": "*"}, "the name *"),
        ({"BRUSH_PHONE_URL": "https://brush.example"}, "the name brush.example"),
        ({"BRUSH_HOST": "0.0.0.0"}, "BRUSH_HOST=0.0.0.0"),
        ({"BRUSH_HOST": "::"}, "BRUSH_HOST=::"),
    ],
)
def test_what_opens_a_house_to_others(environment: dict[str, str], opened_by: str) -> None:
    assert Reach.of(environment).beyond_this_machine == opened_by


@pytest.mark.parametrize(
    ("name", "is_ours"), [("::ffff:127.0.0.1", True), ("::ffff:10.0.0.1", False), ("/run/s", True)]
)
def test_an_address_that_a_connection_came_over(name: str, is_ours: bool) -> None:
    assert is_this_machine(name) is is_ours


@pytest.mark.django_db
def test_a_published_password_or_pin_is_found_until_it_is_another() -> None:
    call_command("demo", verbosity=0)
    everybody = sorted(person.username for person in STAFF)
    assert who_has_published_secrets() == everybody

    give_other_secrets()
    assert why_not_to_open() == ""

    Staff.objects.filter(username="anna").update(pin=pin_hash("1212"))
    Staff.objects.filter(username="olavi").update(password=make_password("olavi-at-brush"))
    assert who_has_published_secrets() == ["anna", "olavi"]
    with pytest.raises(CommandError, match="anna, olavi"):
        call_command("demo", "--check")

    Staff.objects.filter(username="anna").update(is_active=False, is_on_shift=False)
    assert who_has_published_secrets() == ["olavi"]


@pytest.mark.django_db
def test_no_demo_room_is_made_in_a_house_that_others_reach(settings: Any) -> None:
    settings.OPEN_BY = "BRUSH_HTTPS=1"

    with pytest.raises(CommandError, match="open_room"):
        call_command("demo")

    assert not Room.objects.exists()


async def test_a_web_process_does_not_begin_for_others_until_the_secrets_are_others(
    demo_in: None, nobody_special: None, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "warm_up", lambda: None)
    settings.SECRET_KEY = LONG_KEY
    assert await startup() == ""
    settings.OPEN_BY = "BRUSH_HTTPS=1"

    refused = await startup()
    assert refused.startswith("BRUSH_HTTPS=1")
    assert "/people/" in refused

    await elsewhere(give_other_secrets)
    assert await startup() == ""


async def test_whoever_comes_over_another_address_is_turned_away_while_secrets_are_published(
    demo_in: None, nobody_special: None
) -> None:
    assert await answered_at("127.0.0.1") == 200
    assert await answered_at("192.0.2.7") == 403

    await elsewhere(give_other_secrets)
    assert await answered_at("192.0.2.7") == 200


async def test_root_faces_no_other_machine(demo_in: None, monkeypatch: pytest.MonkeyPatch) -> None:
    await elsewhere(give_other_secrets)
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    assert await answered_at("192.0.2.7") == 403
    assert await answered_at("127.0.0.1") == 200


@pytest.mark.slow
def test_a_bare_web_server_does_not_start_for_others_with_the_demo_room(live_room: BrushServer) -> None:
    live_room.stop()
    live_room.env["BRUSH_HTTPS"] = "1"

    with pytest.raises(RuntimeError, match="The README publishes"):
        live_room.start()


@pytest.mark.skipif(shutil.which("id") is None, reason="asks id(1)")
def test_what_people_reach_runs_for_root_as_somebody_else(open_folder: Path) -> None:
    group = Group(open_folder, host="127.0.0.1", port=1)
    (open_folder / "secret-key").write_text(LONG_KEY)
    output = open_folder / "told"
    output.touch()
    output.chmod(0o666)
    group._face = Account("nobody", 65534, 65534) if os.geteuid() == 0 else Account("me", os.getuid(), os.getgid())

    for name in ("web", "worker", "beat", "setup"):
        group._spawner(name, ["sh", "-c", f"id -u >{output}"])().wait()
        assert int(output.read_text()) == (os.geteuid() if name == "setup" else group._face.uid)


def test_root_serves_this_machine_only_where_nobody_else_can_run_what_people_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(groups, "_can_run_brush", lambda account, data_dir: False)

    Group(tmp_path, host="127.0.0.1", port=1)._find_a_face()
    assert "serves this machine only" in capsys.readouterr().out
    with pytest.raises(CannotStart, match=r"BRUSH_HOST=0\.0\.0\.0"):
        Group(tmp_path, host="0.0.0.0", port=1)._find_a_face()


@pytest.mark.slow
@pytest.mark.xdist_group("supervisor")
def test_make_run_does_not_open_the_demo_room_to_others(
    demo_in: None, committing_db: Database, open_folder: Path
) -> None:
    urls = {"DATABASE_URL": committing_db.url, "REDIS_URL": os.environ["REDIS_URL"], "BRUSH_REDIS_PREFIX": "test-open"}
    run = Supervised(open_folder / "var", BRUSH_HTTPS="1", BRUSH_ALLOWED_HOSTS="brush.lan", **urls)
    try:
        assert run.process.wait(timeout=PATIENCE_SECONDS) == 1
        assert "The README publishes" in run.output_text
        assert "Brush is ready" not in run.output_text
    finally:
        run.stop()
