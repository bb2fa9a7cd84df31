"""/healthz, /readyz and the log: who lives, what is missing, and how a request is followed."""

import io
import json
import logging
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import ResolverMatch

from casino import celery, clock, health, logs
from casino.people.services import add_player
from tests.audit.sealing import seal
from tests.cast import command, make_cast
from tests.conftest import Database
from tests.support.patience import PATIENCE_SECONDS, wait_until


@pytest.fixture(autouse=True)
def fresh_client() -> Iterator[None]:
    health.redis_client.cache_clear()
    health._logged_missing, health._logged_late = [], []
    yield
    health.redis_client.cache_clear()


@pytest.fixture
def no_heartbeat() -> None:
    health.redis_client().delete(health.heartbeat_key())


# Health


def test_a_process_that_serves_is_alive_without_a_database(client: Client) -> None:
    answer = client.get("/healthz")

    assert (answer.status_code, answer.json()) == (200, {"alive": True})


def test_with_database_redis_and_a_heartbeat_it_is_ready(db: None, client: Client) -> None:
    celery.heartbeat()

    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()) == (200, {"ready": True, "missing": [], "late": []})


def test_without_a_heartbeat_the_worker_is_missing(db: None, no_heartbeat: None, client: Client) -> None:
    answer = client.get("/readyz")

    assert (answer.status_code, answer.json()) == (503, {"ready": False, "missing": ["worker"], "late": []})


def test_seals_that_do_not_come_are_late_and_keep_nobody_from_tapping(
    committing_db: Database, client: Client, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    celery.heartbeat()
    cast = make_cast()
    add_player(command(cast.frans), nickname="Zoe")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "missing": [], "late": ["seals"]})
    with pytest.raises(CommandError, match="late: seals"):
        call_command("health", only="seals")

    seal(tmp_path)

    assert client.get("/readyz").json()["late"] == []
    call_command("health", only="seals", stdout=io.StringIO())
    with clock.frozen(clock.now() + timedelta(seconds=health.SEALS_SECONDS_MAX + 60)):
        assert health.what_is_late() == ["seals"]
    assert [record.message for record in caplog.records if "late" in record.message] == [
        "late: seals",
        "late: nothing any more",
    ]


def test_a_heartbeat_goes_away_by_itself() -> None:
    health.beat_heart()

    seconds_left = health.redis_client().ttl(health.heartbeat_key())

    assert 0 < int(seconds_left) <= health.HEARTBEAT_SECONDS_MAX
    assert health.HEARTBEAT_SECONDS_MAX > 3 * health.HEARTBEAT_SECONDS


def test_without_redis_nobody_knows_of_a_worker(db: None, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "REDIS_URL", "redis://127.0.0.1:1/0")

    assert client.get("/readyz").json()["missing"] == ["redis", "worker"]


def test_a_database_that_does_not_answer_is_missing(db: None, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    celery.heartbeat()
    monkeypatch.setattr(health, "_database_answers", lambda: False)

    assert client.get("/readyz").json()["missing"] == ["database"]


def test_a_database_that_hangs_is_missing_too_and_is_asked_one_question(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, questions = threading.Event(), []

    class Hanging:
        def cursor(self) -> Any:
            questions.append(1)
            assert goes_on.wait(PATIENCE_SECONDS)
            return connection.cursor()

    celery.heartbeat()
    monkeypatch.setattr(health, "connection", Hanging())
    # Whoever asks (the supervisor, a container) gives up after three seconds, and would blame the web process.
    assert health.DATABASE_SECONDS_MAX + health.redis_client().get_connection_kwargs()["socket_timeout"] < 3

    with monkeypatch.context() as hurried:
        hurried.setattr(health, "DATABASE_SECONDS_MAX", 0.05)
        assert client.get("/readyz").json()["missing"] == ["database"]
        assert client.get("/readyz").status_code == 503
    # Both were answered while the database still hung.
    assert health._question is not None
    assert health._question.is_alive()
    assert len(questions) == 1

    goes_on.set()
    wait_until(lambda: client.get("/readyz").status_code == 200, "the database answers, and is missing still")


def test_a_container_without_a_web_process_asks_by_command(db: None, no_heartbeat: None) -> None:
    with pytest.raises(CommandError, match="missing: worker"):
        call_command("health", only="worker")

    celery.heartbeat()
    call_command("health", only="worker", stdout=io.StringIO())


# Celery


@pytest.mark.parametrize(
    ("ours", "celerys"),
    [
        ("redis://:secret@redis:6379/0", "redis://:secret@redis:6379/0"),
        ("unix:///room/sockets/redis?db=0", "redis+socket:///room/sockets/redis?virtual_host=0"),
        ("unix://:secret@/room/redis?db=3", "redis+socket://:secret@/room/redis?virtual_host=3"),
    ],
)
def test_celery_is_told_where_redis_is_in_its_own_spelling(ours: str, celerys: str) -> None:
    assert celery.broker_url(ours) == celerys


def test_nothing_is_scheduled_in_a_file_and_no_tick_outlives_its_use() -> None:
    assert celery.configuration()["beat_scheduler"] == "celery.beat:Scheduler"
    assert all("expires" in entry["options"] for entry in celery.BEAT_SCHEDULE.values())


# Logs


def _line(formatter: logging.Formatter, message: str, **fields: Any) -> str:
    record = logging.makeLogRecord({"name": "tables", "levelno": 30, "levelname": "WARNING", "msg": message, **fields})
    return formatter.format(record)


def test_a_line_is_one_json_object_with_what_was_handed_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRUSH_PROCESS", "worker")

    line = json.loads(_line(logs.JsonFormatter(), "seat %s is\nfree", args=("Ä",), table=4, created=0.0))

    assert line == {
        "at": "1970-01-01T00:00:00.000+00:00",
        "level": "warning",
        "process": "worker",
        "logger": "tables",
        "message": "seat Ä is\nfree",
        "table": 4,
    }


def test_an_error_brings_its_traceback_along_in_both_forms() -> None:
    try:
        raise ValueError("no such seat")
    except ValueError as error:
        exc_info = (type(error), error, error.__traceback__)

    assert "no such seat" in json.loads(_line(logs.JsonFormatter(), "x", exc_info=exc_info))["exception"]
    assert "Traceback" in _line(logs.PlainFormatter(), "x", exc_info=exc_info)


def test_a_person_reads_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRUSH_PROCESS", "web")

    assert _line(logs.PlainFormatter(), "no answer", table=4)[8:] == " web    warning: no answer table=4"


def _serve(request: HttpRequest, *, route: str = "tables/<int:number>/") -> tuple[HttpResponse, list[str]]:
    seen = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(logs.request_id.get())
        request.resolver_match = ResolverMatch(view, (), {}, route=route)
        return HttpResponse("ok")

    response = logs.RequestIdMiddleware(view)(request)
    assert isinstance(response, HttpResponse)
    return response, seen


def test_a_request_keeps_the_id_it_came_with() -> None:
    response, seen = _serve(RequestFactory().get("/", headers={"X-Request-ID": "proxy-0123456789"}))

    assert seen == ["proxy-0123456789"]
    assert response["X-Request-ID"] == "proxy-0123456789"
    assert logs.request_id.get() == ""


@pytest.mark.parametrize("offered", ["", "short", "x" * 65, 'a"b{}1234567', "line\nbreak-12345"])
def test_an_id_that_could_spoil_the_log_is_replaced(offered: str) -> None:
    request = RequestFactory().get("/")
    request.META["HTTP_X_REQUEST_ID"] = offered

    response, seen = _serve(request)

    assert seen[0] != offered
    assert len(response["X-Request-ID"]) == 16


def test_two_requests_have_two_ids() -> None:
    first, second = (_serve(RequestFactory().get("/"))[0]["X-Request-ID"] for _ in range(2))

    assert first != second


def test_the_log_names_the_route_and_never_a_token_in_the_address(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="casino.requests"):
        _serve(RequestFactory().get("/mine/secret-token/?q=name"), route="mine/<token>/")

    assert [record.getMessage() for record in caplog.records] == ["GET /mine/<token>/ 200"]


def test_redis_is_asked_with_a_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(health.redis_client(), redis.Redis)
    assert health.redis_client().get_connection_kwargs()["socket_timeout"] == 1
