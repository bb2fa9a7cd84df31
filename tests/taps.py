"""Tapping as a browser does: a client for a person at a desktop or a tablet at its place, and a tap's headers."""

import uuid
from typing import Any

from django.http import HttpResponse
from django.test import Client

from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Staff


def at_desktop(staff: Staff | None = None, **options: Any) -> Client:
    """Return a browser at a desktop, with this person's session."""
    client = Client(**options)
    if staff is not None:
        client.force_login(staff)
    return client


def on_device(token: str, **options: Any) -> Client:
    """Return the browser of an enrolled device whose cookie holds `token`."""
    client = Client(**options)
    client.cookies[DEVICE_COOKIE] = token
    return client


def tap(client: Client, path: str, *, id: uuid.UUID | None = None, headers: Any = None, **fields: Any) -> HttpResponse:
    """Post a form as htmx does, with a command id of its own unless one is given."""
    sent = {"HX-Request": "true", "Idempotency-Key": str(id or uuid.uuid4()), **(headers or {})}
    return client.post(path, fields, headers=sent)  # type: ignore[return-value]  # the test client's subclass of it
