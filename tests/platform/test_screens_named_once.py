"""Which screens a service tells is said by names that stand once: each app's own in its `audiences.py`, or as news."""

import ast
from collections.abc import Iterator

import pytest

from tests.support.sources import CODE, nodes, sources

pytestmark = pytest.mark.xdist_group("sources")
NAMES = {"audiences", "told", "screens", "hears"}


def audience_values(text: str) -> Iterator[ast.expr]:
    """Yield what a source tells screens, as an argument or by a name that is given to one."""
    for node in nodes(text):
        if isinstance(node, ast.Assign):
            names = {to.id for to in node.targets if isinstance(to, ast.Name)}
            yield from [node.value] if names & NAMES else []
        elif isinstance(node, ast.keyword) and node.arg == "audiences":
            yield node.value


def spelled(value: ast.expr) -> list[str]:
    """Return the strings among what is told: a tuple's, a list's, or those of either way of a choice."""
    if isinstance(value, ast.Tuple | ast.List):
        return [text for each in value.elts for text in spelled(each)]
    if isinstance(value, ast.Starred):
        return spelled(value.value)
    if isinstance(value, ast.IfExp):
        return [*spelled(value.body), *spelled(value.orelse)]
    is_text = isinstance(value, ast.JoinedStr) or (isinstance(value, ast.Constant) and isinstance(value.value, str))
    return [ast.unparse(value)] if is_text else []


def test_no_service_spells_the_name_of_a_screen():
    found = {
        path: texts
        for path, text in sources(*CODE)
        if "/services" in path or path.endswith(("catching_up.py", "catching_up_lists.py"))
        if (texts := [each for value in audience_values(text) for each in spelled(value)])
    }

    assert found == {}
