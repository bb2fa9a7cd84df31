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

from casino.commands.carrying_out import services
from casino.people.permissions import MAY, Role
from casino.rest import REQUIRED, input_of
from tests.doors.routes import all_routes, import_all_services
from tests.doors.walking import Walk, filled, next_ids, undone, walk
from tests.doors.way import Names, Way
from tests.doors.ways import ONE_DOOR, WAYS, Named
from tests.tables.conftest import House, house

__all__ = ["house", "walk"]


@pytest.mark.parametrize("each", [12, pytest.param(1, marks=pytest.mark.slow)])
def test_a_tap_and_a_call_leave_the_same_rows(walk: Walk, monkeypatch: pytest.MonkeyPatch, each: int) -> None:
    # Salts, codes and tokens come the same by both doors.
    drawn = random.Random()
    monkeypatch.setattr(os, "urandom", drawn.randbytes)
    monkeypatch.setattr(random, "_urandom", drawn.randbytes)
    # Before this one the page has drawn a form's.
    monkeypatch.setattr("casino.people.services.devices.new_token", lambda: "token-of-an-enrolled-device")

    walk(WAYS[::each], partial(_differences, drawn=drawn))


def test_every_command_is_walked_or_has_one_door_by_design() -> None:
    declared = {input_of(view).command for view in _calls()}
    calls: list[Any] = [resolve("/api/v1/" + re.sub(r"{\w+}", "1", way.call)).func for way in WAYS]
    walked = {input_of(call.cls).command for call in calls}

    assert walked | ONE_DOOR.keys() == declared
    assert not walked & ONE_DOOR.keys()


def test_what_has_no_call_is_given_by_time_by_a_phone_or_inside_another() -> None:
    """Else a page could have a command of its own, which no call knows and nobody walks."""
    import_all_services()
    of_calls = {input_of(each).command for each in _calls()}

    ours = {name for name, each in services().items() if not each.function.__module__.startswith("tests.")}
    uncalled = ours - of_calls

    assert uncalled == WITHOUT_CALL | {name for name in uncalled if MAY[name] == {Role.TIME}}


# What a player's phone does, which holds a pass and no token; what becomes of a tablet's tap that nobody vouches for;
# and a second person's signature, which is part of another command.
WITHOUT_CALL = {
    "waiting.ask_more_time", "waiting.drop_by_phone", "waiting.say_on_the_way", "tables.keep_tap", "people.sign_second",
}  # fmt: skip


def _calls() -> set[Any]:
    """Return the views of all calls that carry out a command."""
    views = {route.api_view for route in all_routes() if route.api_view is not None}
    return {view for view in views if hasattr(getattr(view, "post", None), "input")}


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
    tables = sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)} - NOT_COMPARED)
    query = " UNION ALL ".join(f"SELECT '{name}', {name}::text FROM {name}" for name in tables)
    with connection.cursor() as cursor:
        cursor.execute(query)
        return set(cursor.fetchall())


# Sessions and what Django keeps for itself.
NOT_COMPARED = {"django_session", "django_content_type", "django_migrations"}


def _input(response: Any) -> Any:
    return input_of(response.resolver_match.func.cls)
