"""No test waits a fixed time: it waits for a state, as long as `tests/support/patience.py` says."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

TESTS = Path(settings.BASE_DIR) / "tests"
# Where it is looked again and again whether something is so, and where a dealer's finger rests.
MAY_WAIT = {"support/patience.py", "support/browser.py", "browser/dealer_tablet.py"}


def fixed_waits(source: str) -> Iterator[int]:
    """Return the lines that wait a fixed time; `sleep(0)` lets others have their turn."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        is_turn = name == "sleep" and [ast.unparse(each) for each in call.args] == ["0"]
        if name in ("sleep", "wait_for_timeout") and not is_turn:
            yield call.lineno


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("time.sleep(1)", [1]),
        ("from time import sleep\nsleep(seconds)", [2]),
        ("async def test():\n    await asyncio.sleep(0)\n    await asyncio.sleep(0.1)", [3]),
        ("page.wait_for_timeout(200)", [1]),
        ('subprocess.run(["python", "-c", "time.sleep(600)"])\nwait_until(lambda: True, "")', []),
    ],
)
def test_a_fixed_wait_is_found(source: str, lines: list[int]) -> None:
    assert list(fixed_waits(source)) == lines


def test_no_test_waits_a_fixed_time() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line}"
        for path in sorted(TESTS.rglob("*.py"))
        if path.relative_to(TESTS).as_posix() not in MAY_WAIT
        # Parsing all of them takes seconds.
        if "sleep" in (source := path.read_text()) or "wait_for_timeout" in source
        for line in fixed_waits(source)
    ]

    assert found == []
