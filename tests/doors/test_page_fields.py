"""What a page alone sends with a tap, and wrong: no tap is refused for it that was carried out."""

import ast
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
from tests.support.sources import CODE, nodes, sources
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


# What pages read of a form by themselves, by file: where they go on to and on which screen it was, which of two
# commands is meant or about whom it is, and what a page says in another shape than a call: a time by the room's clock,
# a text of many lines, a whole sheet of paper, a secret that is typed twice.
BY_HAND = {
    "casino/cage/views/desk.py": {"q"}, "casino/cage/views/money.py": {"at"},
    "casino/cage/views/paying.py": {"slip_id"}, "casino/cage/views/unclaimed.py": {"drawer_number"},
    "casino/cage/views/vault.py": {"direction"}, "casino/compliance/views.py": {"next"},
    "casino/paper/views_catch_up.py": {"all of it"}, "casino/paper/views_lists.py": {"all of it"},
    "casino/people/views/kept.py": {"other_id", "staff_id"}, "casino/people/views/looks.py": {"next", "theme"},
    "casino/people/views/own.py": {"again"}, "casino/people/views/player.py": {"kind", "other_id"},
    "casino/people/views/signing_in.py": {"next", "username"}, "casino/people/views/staff.py": {"on", "on_shift"},
    "casino/waiting/views/phone.py": {"code"}, "tables/views/books.py": {"holds_from", "text"},
    "tables/views/floor.py": {"on"}, "tables/views/incidents.py": {"seating_id", "table_number"},
    "tables/views/moves.py": {"flow", "from"},
}  # fmt: skip
# Where forms are read for all of them.
READERS = {"casino/people/http.py", "casino/people/inputs.py"}


@pytest.mark.xdist_group("sources")
def test_what_a_command_is_told_is_read_by_what_its_call_declares() -> None:
    """Else two readings of one command drift apart: who adds a field that a page reads by itself says why here."""
    found = {
        path: names
        for path, text in sources(*CODE)
        if path not in READERS and (names := {name for node in nodes(text) for name in _read_by_hand(node)})
    }

    assert found == BY_HAND


def _read_by_hand(node: ast.AST) -> Iterator[str]:
    """Yield the field that a source reads of a form here without a body; "all of it" where the form is handed on."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Attribute) and inner.attr == "POST":
            # `POST.get(name)` is read below, at its call.
            if isinstance(node, ast.Subscript):
                yield _name(node.slice)
            elif isinstance(node, ast.Compare):
                yield _name(node.left)
            elif not isinstance(node, ast.Attribute):
                yield "all of it"
    if isinstance(node, ast.Call):
        called, of_form = node.func, {"form_int", "form_int_or_none", "form_choice", "form_flag"}
        if isinstance(called, ast.Name) and called.id in of_form:
            yield _name(node.args[1])
        elif isinstance(called, ast.Attribute) and ast.unparse(called.value).endswith(".POST"):
            yield _name(node.args[0])


def _name(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ast.unparse(node)
