"""What a page alone sends with a tap, and wrong: no tap is refused for it that was carried out."""

import uuid
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from casino.commands import carrying_out
from tests.doors.walking import Walk, filled, next_ids, undone, walk
from tests.doors.way import Way
from tests.doors.ways import WAYS, Named
from tests.tables.conftest import House, house

__all__ = ["house", "walk"]

# What may be read once the command is carried out, for whatever stands there refuses nothing; each with wrong values.
READ_LATE = {
    "on": ("table.999.floor", "nowhere", "table.0.floor"),  # the screen of the tap
    "at": ("999999999", "\u00b2", "-1"),  # the table's page to go on to
    "flow": ("closing", "\u00b2", "-1"),  # whether the closing table's sheet stays open
    "next": ("//elsewhere.example", "\u00b2", "-1"),  # the page to go on to
    "given": ("", "\u00b2", "-1"),  # of a page's address: whether its data was just given out
}


class Reads:
    """Which fields of a form were read since the tap's command was carried out."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_done = False
        self.late: set[str] = set()
        for name in ("__getitem__", "__contains__", "getlist"):
            self._watch(monkeypatch, name)
        decide = carrying_out._carry_out

        def carry_out(call: Any) -> Any:
            answer, refusal = decide(call)
            self.is_done = self.is_done or refusal is None
            return answer, refusal

        monkeypatch.setattr(carrying_out, "_carry_out", carry_out)

    def _watch(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        read: Callable[..., Any] = getattr(QueryDict, name)

        def watched(form: QueryDict, field: str, *rest: Any) -> Any:
            if self.is_done:
                self.late.add(field)
            return read(form, field, *rest)

        monkeypatch.setattr(QueryDict, name, watched)


@pytest.mark.parametrize("each", [31, pytest.param(1, marks=pytest.mark.slow)])
def test_no_tap_is_refused_for_a_field_once_it_is_carried_out(
    walk: Walk, monkeypatch: pytest.MonkeyPatch, each: int
) -> None:
    walk(WAYS[::each], partial(_refused_late, reads=Reads(monkeypatch)))


def _refused_late(way: Way, by: Callable[[House], Client], house: House, reads: Reads) -> Iterator[str]:
    names, before = Named(house), next_ids()
    page, form = filled(way.page, names), filled(way.form, names)
    if way.version:
        form = {**form, "version": names[f"{way.version}_version"]}
    for nth in range(3):
        wrong = {name: values[nth] for name, values in READ_LATE.items()}
        headers = {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4()), "X-Shown-On": wrong["on"]}
        reads.is_done, reads.late = False, set()
        with undone(before):
            answer = by(house).post(page, {**wrong, **form}, headers=headers)
        if answer.status_code >= 400:
            done = "and was carried out" if reads.is_done else "though READ_LATE says that this refuses nothing"
            yield f"{page} {way.id}: {answer.status_code} {done} {answer.content[:120]!r}"
        if unlisted := reads.late - READ_LATE.keys():
            yield f"{page} {way.id}: {', '.join(sorted(unlisted))} is read after the command"
