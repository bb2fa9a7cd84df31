"""What tests of every area rely on: databases of their own, real processes, a real browser."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection, transaction

from casino.people.errors import CodeUnknown
from casino.people.services.addresses import code_tried, key_of_codes
from casino.rooms.models import Room
from tests.cast import TONIGHT
from tests.conftest import Database
from tests.support import servers
from tests.support.browser import DEVICES, Chromium
from tests.support.patience import PATIENCE_SECONDS, wait_until
from tests.support.room import BrushServer


def run_pytest(test: Path, **environment: str) -> str:
    """Run a test file that lies elsewhere with this conftest; return what pytest printed."""
    # pytest-django first: of two fixtures with one name the later plugin's counts.
    command = [sys.executable, "-m", "pytest", "-c", "pyproject.toml", "-p", "django", "-p", "tests.conftest"]
    ran = subprocess.run(
        [*command, "--override-ini", f"cache_dir={test.parent}", str(test)],
        cwd=servers.ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


@pytest.mark.xdist_group("a process of its own")
def test_who_distributes_tests_is_told_which_belong_together(request: pytest.FixtureRequest) -> None:
    is_distributed = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@a process of its own") is is_distributed


def _count(name: str) -> int:
    return Room.objects.filter(name=name).count()


@pytest.mark.parametrize("turn", [1, 2])
def test_what_a_db_test_writes_is_gone_for_the_next(db: None, turn: int) -> None:
    assert _count("written by a test") == 0

    Room.objects.create(slug="x", name="written by a test")

    assert _count("written by a test") == 1


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("tried", [{"address": "127.0.0.1"}, {"address": "192.0.2.7"}, {"by": "staff.17"}])
def test_wrong_codes_are_none_for_the_next(tried: dict[str, str], turn: int) -> None:
    counted = key_of_codes("voucher", "")
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert not list(client.scan_iter(f"{settings.REDIS_PREFIX}:code:*"))

        with pytest.raises(CodeUnknown), code_tried("voucher", **tried, at=TONIGHT):
            raise CodeUnknown

        assert client.hget(counted, "tries") == b"1"


@pytest.mark.parametrize("turn", [1, 2])
def test_what_a_committing_test_writes_is_seen_by_other_connections_but_not_by_the_next_test(
    committing_db: Database, turn: int
) -> None:
    assert _count("committed by a test") == 0

    with transaction.atomic():
        Room.objects.create(slug="x", name="committed by a test")

    counts: list[int] = []

    def look() -> None:
        counts.append(_count("committed by a test"))
        connection.close()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert counts == [1]


def test_the_databases_are_copies_and_not_the_rooms_own(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        name = cursor.fetchone()[0]

    assert name.startswith(servers.CLONE_PREFIX)


def test_a_copy_is_dropped_even_while_somebody_is_connected() -> None:
    with servers.clone(servers.template_database()) as name:
        lingering = psycopg.connect(servers.with_database(os.environ["DATABASE_URL"], name))

    with psycopg.connect(servers.owner_url()) as admin:
        found = admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
    lingering.close()
    assert found is None


def test_redis_answers_under_a_prefix_of_this_process() -> None:
    assert settings.REDIS_PREFIX.endswith(str(os.getpid()))
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        assert client.ping()


@pytest.mark.slow
def test_deferred_triggers_judge_before_the_test_ends(tmp_path: Path) -> None:
    # A run of its own, because the test in it has to fail.
    test = tmp_path / "test_deferred.py"
    test.write_text(
        """
from django.db import connection

def test_it(db):
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE seat (number int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        cursor.execute("INSERT INTO seat VALUES (3), (3)")
"""
    )

    printed = run_pytest(test)

    assert "1 failed" in printed
    assert "IntegrityError: duplicate key" in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fixture", "instead"), [("transactional_db", "committing_db"), ("live_server", "brush_server")]
)
def test_fixtures_that_flush_are_refused_by_name(tmp_path: Path, fixture: str, instead: str) -> None:
    test = tmp_path / "test_flush.py"
    test.write_text(f"def test_it({fixture}): ...")

    assert f"use {instead} instead of {fixture}" in run_pytest(test)


def test_a_real_server_serves_the_database_that_the_test_sees(brush_server: BrushServer) -> None:
    answer = httpx.get(f"{brush_server.url}/readyz")

    assert answer.json()["missing"] == ["worker"]
    brush_server.restart()
    assert httpx.get(f"{brush_server.url}/healthz").json() == {"alive": True}


@pytest.mark.slow
def test_a_worker_shows_its_heartbeat(brush_server: BrushServer) -> None:
    brush_server.start_worker()

    wait_until(
        lambda: httpx.get(f"{brush_server.url}/readyz", timeout=PATIENCE_SECONDS).status_code == 200,
        lambda: f"There was no heartbeat.\n{brush_server.log()}",
    )


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("device", DEVICES)
def test_the_browser_opens_pages_at_the_sizes_of_our_devices(chromium: Chromium, device: str) -> None:
    page = chromium.page(device)
    page.set_content("<!doctype html><meta name=viewport content='width=device-width'><p>Seat 3 is open</p>")

    size = page.evaluate("[innerWidth, innerHeight]")

    assert size == [DEVICES[device]["viewport"]["width"], DEVICES[device]["viewport"]["height"]]
    assert page.get_by_text("Seat 3").is_visible()


@pytest.mark.browser
def test_the_browser_reaches_the_server(chromium: Chromium, brush_server: BrushServer) -> None:
    page = chromium.page("floor", "/healthz")

    assert "alive" in page.content()


@pytest.mark.slow
@pytest.mark.parametrize(("required", "outcome"), [("0", "1 skipped"), ("1", "1 error")])
def test_without_a_browser_tests_are_skipped_loudly_and_in_ci_they_fail(
    tmp_path: Path, required: str, outcome: str
) -> None:
    test = tmp_path / "test_page.py"
    test.write_text("def test_it(chromium): ...")

    printed = run_pytest(test, BRUSH_CHROMIUM=str(tmp_path / "none"), BRUSH_REQUIRE_BROWSER=required)

    assert outcome in printed
    assert "NO BROWSER: there is no Chromium on this machine" in printed


@pytest.mark.slow
def test_the_demo_room_is_open_for_tests_of_screens(live_room: BrushServer) -> None:
    assert httpx.get(f"{live_room.url}/lobby/").status_code == 200
