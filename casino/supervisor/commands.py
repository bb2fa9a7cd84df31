"""The commands of Brush's processes, the same for `make run` and for tests; compose spells them out."""

import sys
from collections.abc import Mapping

# How long a web process lets open sockets and answers finish when it is asked to stop.
WEB_GRACE_SECONDS = 2
LIVE_TABLES = 3
FRAME_BYTES_MAX = 65536


def web_command(*, host: str, port: int) -> list[str]:
    """Return the command of a web process: HTTP and sockets."""
    return [
        sys.executable, "-m", "uvicorn", "casino.asgi:application",
        "--host", host, "--port", str(port),
        "--timeout-graceful-shutdown", str(WEB_GRACE_SECONDS),
        # One ready frame goes to many sockets; compressing it for each costs more than it saves.
        "--ws-per-message-deflate", "false", "--ws", "casino.live.protocol:ScreenProtocol",
        "--http", "casino.heads:BoundedHeads",
        # What a screen sends is not read; nobody needs to be able to send megabytes of it.
        "--ws-max-size", str(FRAME_BYTES_MAX),
        "--no-access-log", "--no-server-header",
    ]  # fmt: skip


def web_environment(given: Mapping[str, str]) -> dict[str, str]:
    """
    Return what a web process is told about proxies: one on this machine is believed in a house that says it has one.

    Otherwise whoever reaches the port could name any address as their own, and tries are counted by address.
    """
    return {"FORWARDED_ALLOW_IPS": "127.0.0.1,::1" if given.get("BRUSH_HTTPS") == "1" else ""}


def worker_command() -> list[str]:
    """Return the command of a Celery worker; its tasks are short and wait for the database, so threads do."""
    return [
        sys.executable, "-m", "celery", "--app", "casino.celery:app", "--quiet", "worker",
        "--pool", "threads", "--concurrency", "4",
        # What workers tell each other: there is one, and how it is, its heartbeat in PostgreSQL says.
        "--without-gossip", "--without-mingle", "--without-heartbeat",
    ]  # fmt: skip


def beat_command() -> list[str]:
    """Return the command of beat, whose schedule is in memory."""
    return [
        sys.executable, "-m", "celery", "--app", "casino.celery:app", "--quiet", "beat",
        "--scheduler", "celery.beat:Scheduler", "--pidfile=",
    ]  # fmt: skip


def sealer_command() -> list[str]:
    """Return the command of the sealer, which signs the log's heads once a minute."""
    return manage_command("sealer")


def manage_command(*arguments: str) -> list[str]:
    """Return the command line that runs `manage.py` with these arguments."""
    return [sys.executable, "manage.py", *arguments]


def live_command(url: str, *, seed: int) -> list[str]:
    """Return the command that plays in the demo room at a pace that people can watch, for as long as it is let."""
    return manage_command("simulate", "--against", url, "--live", "--seed", str(seed), "--tables", str(LIVE_TABLES))
