"""What failed runs once more, alone; what then passes is named, and nothing that is broken passes by it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import once_more
from tests.support.once_more import AGAIN_MAX
from tests.support.servers import ROOT

TREMBLES = """
from pathlib import Path
import pytest

@pytest.mark.xdist_group("a group")
@pytest.mark.parametrize("number", range({count}))
def test_trembles(number):
    before = Path(__file__).with_name(f"ran-{{number}}")
    if not before.exists():
        before.touch()
        raise AssertionError("not yet")

def test_passes():
    pass
"""


def run(folder: Path, **files: str) -> "subprocess.CompletedProcess[str]":
    (folder / "pytest.ini").write_text("[pytest]\n")
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "tests.support.once_more", "-n", "1", "--dist", "loadgroup"],
        cwd=folder,
        # Of all plugins the one that is needed: pytest then starts in a third of a second.
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": "-p xdist.plugin"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_what_trembles_is_named_and_the_run_is_green(tmp_path: Path) -> None:
    ran = run(tmp_path, test_some=TREMBLES.format(count=2))

    assert ran.returncode == 0, ran.stdout
    named = ran.stdout.partition("trembled:")[2].split()
    assert sorted(name.rpartition("::")[2] for name in named) == ["test_trembles[0]", "test_trembles[1]"]
    # Only what failed ran again.
    assert "2 failed, 1 passed" in ran.stdout
    assert "2 passed" in ran.stdout


@pytest.mark.parametrize(
    ("first", "failed", "again"),
    [
        pytest.param(1, ["test_some.py::test_trembles", "test_other.py::test_broken"], 1, id="fails twice"),
        pytest.param(
            1, [f"test_some.py::test_trembles[{number}]" for number in range(AGAIN_MAX + 1)], 0, id="too many"
        ),
        pytest.param(1, ["test_some.py::test_trembles", "test_other.py"], 0, id="a file that cannot be imported"),
        pytest.param(2, ["test_some.py::test_trembles"], 0, id="interrupted"),
        pytest.param(1, [], 0, id="nothing that could run again"),
        pytest.param(5, [], 0, id="nothing ran"),
    ],
)
def test_what_is_broken_stays_red(
    first: int, failed: list[str], again: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = [first, again]
    monkeypatch.setattr(once_more, "_pytest", lambda *arguments: codes.pop(0))
    monkeypatch.setattr(once_more, "_failed", lambda cache: tuple(failed))

    assert once_more.run([]).code != 0
    assert "trembled:" not in capsys.readouterr().out


def test_a_tests_id_is_its_own_without_the_group_it_ran_in(tmp_path: Path) -> None:
    kept = tmp_path / "v" / "cache"
    kept.mkdir(parents=True)
    (kept / "lastfailed").write_text(
        '{"a.py::test_one@g": true, "a.py::test_two[b@c]@g": true, "a.py::test_two[b@c]": true, "b.py::t": true}'
    )

    assert once_more._failed(tmp_path) == ("a.py::test_one", "a.py::test_two[b@c]", "a.py::test_two[b@c]", "b.py::t")
