"""
Every command through both doors: a page's tap and an API call leave the same rows, log and answer included.

Both run from the same state, in savepoints that are rolled back, with the same command id at the same moment and the
same next ids: what is stored afterwards is then equal to the letter, or the doors differ.
"""

import json
import os
import random
import re
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import resolve

from casino.rest import REQUIRED, input_of
from tests.doors.routes import all_routes
from tests.doors.walking import Walk, filled, next_ids, undone, walk
from tests.doors.way import Names, Way
from tests.doors.ways import ONE_DOOR, WAYS, Named
from tests.tables.conftest import House, house

__all__ = ["house", "walk"]


@pytest.mark.parametrize("each", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_a_tap_and_a_call_leave_the_same_rows(walk: Walk, monkeypatch: pytest.MonkeyPatch, each: int) -> None:
    # Salts, codes and tokens come the same by both doors.
    drawn = random.Random()
    monkeypatch.setattr(os, "urandom", drawn.randbytes)
    monkeypatch.setattr(random, "_urandom", drawn.randbytes)
    # Before this one the page has drawn a form's.
    monkeypatch.setattr("casino.people.services.devices.new_token", lambda: "token-of-an-enrolled-device")

    walk(WAYS[::each], partial(_differences, drawn=drawn))


def test_every_command_is_walked_or_has_one_door_by_design() -> None:
    declared = {
        input_of(view).command
        for view in {route.api_view for route in all_routes() if route.api_view is not None}
        if hasattr(getattr(view, "post", None), "input")
    }
    calls: list[Any] = [resolve("/api/v1/" + re.sub(r"{\w+}", "1", way.call)).func for way in WAYS]
    walked = {input_of(call.cls).command for call in calls}

    assert walked | ONE_DOOR.keys() == declared
    assert not walked & ONE_DOOR.keys()


def _differences(way: Way, by: Callable[[House], Client], house: House, drawn: random.Random) -> Iterator[str]:
    key, names = str(uuid.uuid4()), Named(house)
    page, call = filled(way.page, names), "/api/v1/" + filled(way.call, names)
    form, body = filled(way.form, names), filled(way.body, names)
    version = names[f"{way.version}_version"] if way.version else None
    sent = {"HX-Request": "true", "Idempotency-Key": key}
    by_form = form if version is None else {**form, "version": version}
    by_header = {"Idempotency-Key": key} | ({} if version is None else {"If-Match": f'"{version}"'})

    def tap(form: Names, headers: Names) -> Any:
        return by(house).post(page, form, headers=headers)

    def calls(headers: Names) -> Any:
        return by(house).post(call, json.dumps(body), content_type="application/json", headers=headers)

    before = next_ids()
    with undone(before):
        drawn.seed(way.page)
        tapped, after_tap = tap(by_form, sent), _rows()
    with undone(before):
        drawn.seed(way.page)
        called, after_call = calls(by_header), _rows()
    # A page that opens a door leads on.
    if tapped.status_code not in {200, 302} or called.status_code != 200:
        yield f"{way.page} {way.id}: {tapped.status_code} {tapped.content!r}, {called.status_code} {called.content!r}"
        return
    for row in sorted(after_tap ^ after_call):
        yield f"{way.page} {way.id}: {'page' if row in after_tap else 'call'} alone: {row}"
    if _input(called).version == REQUIRED:
        with undone(before):
            unsaid = tap(form, sent).status_code, calls({"Idempotency-Key": key}).status_code
        if unsaid != (428, 428):
            yield f"{way.page}: without a version {unsaid}"


def _rows() -> set[tuple[str, str]]:
    """Return every row of the house: what was answered, logged, posted and changed."""
    tables = sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)} - NOT_ASKED)
    query = " UNION ALL ".join(f"SELECT '{name}', {name}::text FROM {name}" for name in tables)
    with connection.cursor() as cursor:
        cursor.execute(query)
        return set(cursor.fetchall())


# Sessions and what Django keeps for itself.
NOT_ASKED = {"django_session", "django_content_type", "django_migrations"}


def _input(response: Any) -> Any:
    return input_of(response.resolver_match.func.cls)
