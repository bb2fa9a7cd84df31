"""What failed runs once more, alone; what then passes is named, and nothing that is broken passes by it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
BROKEN = "def test_broken():\n    raise AssertionError('always')\n"
UNREADABLE = "import nothing_of_this_name\n"


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


def test_what_trembles_is_named_and_the_run_is_green(tmp_path: Path) -> None:
    ran = run(tmp_path, test_some=TREMBLES.format(count=2))

    assert ran.returncode == 0, ran.stdout
    named = ran.stdout.partition("trembled:")[2].split()
    assert sorted(name.rpartition("::")[2] for name in named) == ["test_trembles[0]", "test_trembles[1]"]
    # Only what failed ran again.
    assert "2 failed, 1 passed" in ran.stdout
    assert "2 passed" in ran.stdout


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"test_some": TREMBLES.format(count=1), "test_other": BROKEN}, id="fails twice"),
        pytest.param({"test_some": TREMBLES.format(count=AGAIN_MAX + 1)}, id="too many at once"),
        pytest.param({"test_some": TREMBLES.format(count=1), "test_other": UNREADABLE}, id="not all of it ran"),
    ],
)
def test_what_is_broken_stays_red(tmp_path: Path, files: dict[str, str]) -> None:
    ran = run(tmp_path, **files)

    assert ran.returncode != 0
    assert "trembled:" not in ran.stdout
