"""Tapping as a browser does: a client for a person at a desktop or a tablet at its place, and a tap's headers."""

import uuid
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpResponse
from django.test import Client
from django.utils.crypto import get_random_string

from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Staff


def at_desktop(staff: Staff | None = None, **options: Any) -> Client:
    """Return a browser at a desktop, with this person's session."""
    client = Client(**options)
    if staff is not None:
        client.cookies[settings.SESSION_COOKIE_NAME] = _session_of(staff)
    return client


def _session_of(staff: Staff) -> str:
    """Return the key of a session like that of `force_login`, which takes fourteen statements for it and not one."""
    signed_in = SessionStore()
    says = {
        SESSION_KEY: str(staff.pk),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: staff.get_session_auth_hash(),
    }
    row = Session(get_random_string(32), signed_in.encode(says), signed_in.get_expiry_date())
    row.save(force_insert=True)
    return row.session_key


def on_device(token: str, **options: Any) -> Client:
    """Return the browser of an enrolled device whose cookie holds `token`."""
    client = Client(**options)
    client.cookies[DEVICE_COOKIE] = token
    return client


def tap(client: Client, path: str, *, id: uuid.UUID | None = None, headers: Any = None, **fields: Any) -> HttpResponse:
    """Post a form as htmx does, with a command id of its own unless one is given."""
    sent = {"HX-Request": "true", "Idempotency-Key": str(id or uuid.uuid4()), **(headers or {})}
    return client.post(path, fields, headers=sent)  # type: ignore[return-value]  # the test client's subclass of it
