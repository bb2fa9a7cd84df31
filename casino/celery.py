"""
The Celery application: work that time triggers, or that need not hold up a tap.

    celery -A casino.celery:app worker
    celery -A casino.celery:app beat

Beat keeps its schedule in memory: nothing is scheduled far ahead (due moments are rows, which a task
wakes each second), so there is no file that a kill -9 could spoil.
"""

import gc
import os
import warnings
from typing import Any
from urllib.parse import parse_qs, urlsplit

from celery import Celery
from celery.signals import setup_logging, worker_init, worker_shutdown
from django.conf import settings
from kombu.transport.redis import Channel

from casino import health, secret_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")


def broker_url(redis_url: str) -> str:
    """Return a Redis URL as Celery spells it: behind a socket it has a scheme and a query of its own."""
    parts = urlsplit(redis_url)
    if parts.scheme != "unix":
        return redis_url
    database = parse_qs(parts.query).get("db", ["0"])[0]
    login = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return f"redis+socket://{login}{parts.path}?virtual_host={database}"


def configuration() -> dict[str, Any]:
    """Return Celery's settings; asked for when first needed, so that importing this reads no settings."""
    return {
        "broker_url": broker_url(settings.REDIS_URL),
        "broker_connection_retry_on_startup": True,
        # Whoever takes a tick has it, and nothing is kept in Redis until it is done: the next one does its work.
        "broker_transport_options": {"global_keyprefix": f"{settings.REDIS_PREFIX}:celery:", "ack_emulation": False},
        # Results are rows in the database, not messages.
        "task_ignore_result": True,
        "enable_utc": True,
        "timezone": settings.TIME_ZONE,
        "worker_hijack_root_logger": False,
        "worker_send_task_events": False,
        # A tick that came too late is worth nothing, for the next one does its work: without this, a worker
        # that comes back after an hour would be met by thousands.
        "beat_schedule": BEAT_SCHEDULE,
        "beat_scheduler": "celery.beat:Scheduler",
        "beat_max_loop_interval": 1,
    }


BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "heartbeat": {
        "task": "casino.celery.heartbeat",
        "schedule": health.HEARTBEAT_SECONDS,
        "options": {"expires": 2 * health.HEARTBEAT_SECONDS},
    },
    "wake what is due": {
        "task": "tables.tasks.wake",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "jackpots that take drops at once": {
        "task": "jackpot.tasks.wake",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "wake what is due on lists": {
        "task": "casino.waiting.tasks.wake",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "draw tables of splash pots": {
        "task": "casino.promotions.tasks.wake",
        "schedule": 1.0,
        "options": {"expires": 1},
    },
    "forget people by time": {
        "task": "casino.people.tasks.forget",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
    "forget old answers": {
        "task": "casino.commands.tasks.forget_answers",
        "schedule": 3600.0,
        "options": {"expires": 3600},
    },
}

# Root is a fine user for a room on a laptop; nothing here unpickles, which is what the warning is about.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

# Nor are ticks put back when a connection breaks: Celery 5.7 wants to do so with an address that it has just thrown
# away, an error on which the worker ended whenever Redis went while a tick was under way.
Channel.do_restore = False

app = Celery("brush")
app.add_defaults(configuration)
app.autodiscover_tasks()


@setup_logging.connect  # type: ignore[untyped-decorator]  # Celery has no types
def keep_our_logging(**_: object) -> None:
    """Keep Celery from setting up logging: settings have done it (casino.logs)."""


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery has no types
def refuse_without_a_secret(**_: object) -> None:
    """Keep a worker from working with a key that is none."""
    if reason := secret_key.why_not_to_serve():
        raise SystemExit(reason)


@worker_shutdown.connect  # type: ignore[untyped-decorator]  # Celery has no types
def leave_all_as_it_lies(**_: object) -> None:
    """
    Let the process end without looking for cycles in all that it has loaded.

    Its tasks are done and its connections closed by then, and the memory goes with the process. On a busy machine
    the search took more than the three seconds that the supervisor gives, which killed a worker that had stopped.
    """
    gc.freeze()


@app.task  # type: ignore[untyped-decorator]  # Celery has no types
def heartbeat() -> None:
    """Say that a worker does what beat asks."""
    health.beat_heart()
