"""
Two questions that a supervisor, a proxy or a person asks: is this process alive, and can it work?

`/healthz` answers from the process alone. `/readyz` looks at what a tap needs: the database, Redis,
and a worker that did its heartbeat of late, for without one no call expires and no level ends.
"""

import logging
import threading
from datetime import timedelta
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, connections
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from psycopg_pool import PoolTimeout

from casino import clock

HEARTBEAT_SECONDS = 2
"""How often beat has a worker say that it lives."""

HEARTBEAT_SECONDS_MAX = 15
"""How old the last heartbeat may be until the worker counts as gone."""

DATABASE_SECONDS_MAX = 1.5
"""How long the database may take to answer. With Redis's second it stays below the askers' three."""

SEALS_SECONDS_MAX = 180
"""How old the last seal of a room that works may be until seals count as late; one comes each minute."""

_log = logging.getLogger(__name__)
_logged_missing: list[str] = []
_logged_late: list[str] = []
_question: "_Question | None" = None


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that this process serves requests."""
    return JsonResponse({"alive": True})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """
    Answer 200 when everything that a tap needs is there, else 503 with what is missing.

    Late seals ("seals" in `late`) keep nobody from tapping, and are a reason to look at the sealer.
    """
    global _logged_missing, _logged_late
    missing = what_is_missing()
    late = _question.late if _question and "database" not in missing else []
    if late != _logged_late:
        _log.warning("late: %s", ", ".join(late) or "nothing any more")
        _logged_late = late
    if missing != _logged_missing:
        _log.warning("missing: %s", ", ".join(missing) or "nothing any more")
        _logged_missing = missing
    response = JsonResponse({"ready": not missing, "missing": missing, "late": late}, status=503 if missing else 200)
    # Said above, once; Django would log an error for each time that somebody asks.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def what_is_missing() -> list[str]:
    """Return which of "database", "redis" and "worker" cannot be reached, in that order."""
    missing = [] if _database_answers() else ["database"]
    try:
        heartbeat = redis_client().get(heartbeat_key())
    except redis.RedisError:
        return [*missing, "redis", "worker"]
    return missing if heartbeat else [*missing, "worker"]


def what_is_late() -> list[str]:
    """Return ["seals"] when a room that has a log was not sealed for minutes. One query."""
    since = clock.now() - timedelta(seconds=SEALS_SECONDS_MAX)
    try:
        with connection.cursor() as cursor:
            cursor.execute(_LATE, [since])
            return ["seals"] if cursor.fetchone()[0] else []
    except (DatabaseError, InterfaceError, PoolTimeout):
        # There is no such table yet, or the database has just gone; others say so.
        return []


_LATE = """
    SELECT EXISTS (
        SELECT FROM rooms_room room LEFT JOIN LATERAL (
            SELECT at FROM audit_seal WHERE room_id = room.id AND number IS NOT NULL ORDER BY number DESC LIMIT 1
        ) seal ON true
        WHERE coalesce(seal.at < %s, EXISTS (SELECT FROM audit_chain WHERE room_id = room.id))
    )
"""


def beat_heart() -> None:
    """Leave a mark in Redis that goes away by itself unless the next one follows."""
    redis_client().set(heartbeat_key(), "alive", ex=HEARTBEAT_SECONDS_MAX)


def heartbeat_key() -> str:
    """Return the key of the worker's mark."""
    return f"{settings.REDIS_PREFIX}:heartbeat:worker"


@cache
def redis_client() -> "redis.Redis":
    """Return this process's client for such small questions; it gives up after a second."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1)


class _Question(threading.Thread):
    """Small questions to the database, in a thread of their own: a server that hangs holds it for minutes."""

    def __init__(self) -> None:
        super().__init__(name="readyz", daemon=True)
        self.is_answered = False
        self.late: list[str] = []

    def run(self) -> None:
        """Ask, and note that there was an answer."""
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
                self.is_answered = True
            self.late = what_is_late()
        except (DatabaseError, InterfaceError, PoolTimeout):
            pass
        finally:
            connections.close_all()


def _database_answers() -> bool:
    global _question
    question = _question
    # While one hangs nobody adds another: each would hold a connection of the pool.
    if question is None or not question.is_alive():
        question = _question = _Question()
        question.start()
    question.join(DATABASE_SECONDS_MAX)
    return question.is_answered
