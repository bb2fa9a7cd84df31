"""
What Brush writes to its log: one JSON object a line, or plain lines for a person at a terminal.

Every line written while a request is served carries that request's id, which came with the request
(a proxy's, say) or was made here, and goes back in the answer, so that a complaint can be followed
from a screen through the proxy to the database. Lines hold routes and ids, never raw addresses:
those may contain a player's token.
"""

import json
import logging
import logging.config
import os
import re
import secrets
import time
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the request that is being served here, or "" outside one."""

_SANE_ID = re.compile(r"[A-Za-z0-9._:-]{8,64}")
# What every record has anyway; anything beyond it was handed in with `extra=`.
_ORDINARY: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "request_id", "taskName"}
_log = logging.getLogger("casino.requests")


def configure(*, as_json: bool) -> None:
    """Send what all parts of a process log to stderr, as JSON or as plain lines."""
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"ours": {"()": JsonFormatter if as_json else PlainFormatter}},
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "ours"}},
            "root": {"handlers": ["stderr"], "level": "INFO"},
            "loggers": {
                # These bring handlers of their own along; everything is to pass through ours.
                "uvicorn": {"handlers": [], "propagate": True, "level": "INFO"},
                "uvicorn.error": {"handlers": [], "propagate": True, "level": "INFO"},
                # RequestIdMiddleware says it once, with the id.
                "uvicorn.access": {"handlers": [], "propagate": False, "level": "CRITICAL"},
                "django": {"handlers": [], "propagate": True, "level": "INFO"},
                "django.server": {"handlers": [], "propagate": False},
                # A refusal is an ordinary answer; what went wrong is logged as an error with its traceback.
                "django.request": {"level": "ERROR"},
                # One line for each task, every second, drowns the rest.
                "celery.worker.strategy": {"level": "WARNING"},
                "celery.app.trace": {"level": "WARNING"},
                "celery.beat": {"level": "WARNING"},
                "psycopg.pool": {"level": "ERROR"},
            },
        }
    )


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for whatever collects logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON: time, level, logger, message, request id, then what `extra` held."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "process": os.environ.get("BRUSH_PROCESS", ""),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if current := request_id.get():
            line["request_id"] = current
        line |= _extra(record)
        if record.exc_info and record.exc_info[0]:
            line["exception"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, default=str, ensure_ascii=False)


class PlainFormatter(logging.Formatter):
    """Lines that a person reads as they pass: `21:42:03 web    warning: the message`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as a line, with its traceback below it."""
        clock = time.strftime("%H:%M:%S", time.localtime(record.created))
        process = os.environ.get("BRUSH_PROCESS", "")
        level = "" if record.levelno == logging.INFO else f"{record.levelname.lower()}: "
        extra = "".join(f" {key}={value}" for key, value in _extra(record).items())
        line = f"{clock} {process:<6} {level}{record.getMessage()}{extra}"
        if record.exc_info and record.exc_info[0]:
            line += "\n" + "".join(traceback.format_exception(*record.exc_info)).rstrip()
        return line


def _extra(record: logging.LogRecord) -> dict[str, Any]:
    # Django hands its request object in, uvicorn a coloured copy of the message.
    return {
        key: value
        for key, value in vars(record).items()
        if key not in _ORDINARY and key not in ("request", "color_message", "websocket")
    }


class RequestIdMiddleware:
    """Give each request its id, send it back as X-Request-ID, and log one line for the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Serve a request."""
        token = request_id.set(id_of(request))
        began = time.perf_counter()
        try:
            return _finish(request, self.get_response(request), began)
        finally:
            request_id.reset(token)


def id_of(request: HttpRequest) -> str:
    """Return the id that came with a request, if it looks like one, else a new one."""
    offered = request.headers.get("X-Request-ID", "")
    return offered if _SANE_ID.fullmatch(offered) else secrets.token_hex(8)


def _finish(request: HttpRequest, response: HttpResponseBase, began: float) -> HttpResponseBase:
    response.headers["X-Request-ID"] = request_id.get()
    route = request.resolver_match.route if request.resolver_match else "(no route)"
    # Somebody asks the health views every few seconds, and static files tell nobody anything.
    quiet = route in ("healthz", "readyz", "(no route)")
    _log.log(
        logging.DEBUG if quiet else logging.INFO,
        "%s /%s %d",
        request.method,
        route,
        response.status_code,
        extra={"ms": round((time.perf_counter() - began) * 1000, 1)},
    )
    return response
