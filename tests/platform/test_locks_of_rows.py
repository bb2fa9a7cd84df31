"""Rows are locked so that others may name them meanwhile: a foreign key's check waits for a plain FOR UPDATE."""

import ast
import re

import pytest

from tests.support.sources import CODE, nodes, sources

pytestmark = pytest.mark.xdist_group("sources")
_PLAIN = re.compile(r"\bFOR UPDATE\b")


def keeps_others_waiting(text: str) -> list[str]:
    """Return what in a source locks rows with FOR UPDATE, without NO KEY."""
    calls = [
        ast.unparse(each)
        for each in nodes(text)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "select_for_update"
        if "no_key=True" not in {ast.unparse(keyword) for keyword in each.keywords}
    ]
    texts = [each.value for each in nodes(text) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return calls + [each for each in texts if _PLAIN.search(each)]


def test_no_row_is_locked_against_those_who_name_it():
    found = {path: kept for path, text in sources(*CODE) if (kept := keeps_others_waiting(text))}

    assert found == {}, "say no_key=True, or FOR NO KEY UPDATE (tables/services/state.py: _lock_row)"


def test_what_locks_rows_against_those_who_name_them_is_found():
    assert keeps_others_waiting('rows.select_for_update(of=("self",)).get()') == [
        "rows.select_for_update(of=('self',))"
    ]
    assert keeps_others_waiting("rows.select_for_update(no_key=False)")
    assert keeps_others_waiting('read(Table, "WHERE id = %s FOR UPDATE")') == ["WHERE id = %s FOR UPDATE"]
    assert keeps_others_waiting('rows.select_for_update(no_key=True); read(Table, "FOR NO KEY UPDATE")') == []
