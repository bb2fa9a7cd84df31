"""A command that is sent again after a lost answer has its first one, at both doors; and nothing is done twice."""

import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.doors.walking import Walk, filled, next_ids, undone, walk
from tests.doors.way import Way
from tests.doors.ways import WAYS, Named
from tests.support.servers import ROOT
from tests.tables.conftest import House, house

__all__ = ["house", "walk"]

# What cannot have its first answer, by its call, and why.
_NOT_AGAIN = {
    "/api/v1/my-sign-in/password": "another password ends every sign-in with the one before, also that which sent it",
    "/api/v1/enrol": "a code is good once, and whoever sends it has no sign-in by which to be known again",
}


@pytest.mark.slow
def test_each_tap_and_call_that_is_sent_again_has_its_first_answer(walk: Walk) -> None:
    walk(WAYS, _lost)


def test_who_signs_is_wired_once_for_both_doors() -> None:
    doors = [
        path
        for app in ("casino", "tables", "jackpot", "tournaments")
        for path in Path(ROOT, app).rglob("*.py")
        if path.stem.startswith(("api", "views")) or {"api", "views"} & set(path.parts)
    ]

    assert [str(path) for path in doors if "second_person(" in path.read_text()] == []
    assert len(doors) > 50


def _lost(way: Way, by: Callable[[House], Client], house: House) -> Iterator[str]:
    """Yield what goes wrong when the answers of a way are lost, by the page and by the call."""
    names, key = Named(house), str(uuid.uuid4())
    page, call = filled(way.page, names), "/api/v1/" + filled(way.call, names)
    form, body = filled(way.form, names), json.dumps(filled(way.body, names))
    version = names[f"{way.version}_version"] if way.version else None
    if version is not None:
        form = {**form, "version": version}
    match = {} if version is None else {"If-Match": f'"{version}"'}

    def tap() -> Any:
        return by(house).post(page, form, headers={"HX-Request": "true", "Idempotency-Key": key})

    def send() -> Any:
        return by(house).post(call, body, content_type="application/json", headers={"Idempotency-Key": key} | match)

    if call in _NOT_AGAIN:
        return
    before = next_ids()
    for at, post in ((page, tap), (call, send)):
        with undone(before):
            first, again = post(), post()
        if again.status_code != first.status_code:
            yield f"{at} {way.id}: {first.status_code}, then {again.status_code} {again.content[:200]!r}"
        elif post is send and again.headers["Content-Type"] == "application/json" and not again.json()["is_replay"]:
            yield f"{at} {way.id}: done twice"
