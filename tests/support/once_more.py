# ruff: noqa: T201 - it starts pytest, with the words that it was given, and talks to a person in a terminal.
"""
pytest, and then what failed once more: `python -m tests.support.once_more <pytest's arguments>`.

What failed runs a second time, alone, in one process. What then passes is printed under `trembled:`, and the run
counts as passed: the defect is the test's, and has a name now. What fails twice, or more than five at once, is red.
Nothing else is ever tried again.
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

AGAIN_MAX = 5


@dataclass(frozen=True)
class Outcome:
    """How a run ended: an exit code as of pytest, and which tests failed; those that `trembled` passed then."""

    code: int
    failed: tuple[str, ...] = ()
    trembled: tuple[str, ...] = ()


def run(arguments: list[str]) -> Outcome:
    """Run pytest with these arguments, and once more what failed; say on the way what trembled."""
    with tempfile.TemporaryDirectory(prefix="brush-once-more-") as folder:
        code = _pytest(*arguments, "--override-ini", f"cache_dir={folder}")
        failed = _failed(Path(folder))
    # Anything but "some tests failed" (an interruption, a file that cannot be imported) says nothing of the others.
    if code != 1 or not failed or not all("::" in name for name in failed):
        return Outcome(code, failed)
    if len(failed) > AGAIN_MAX:
        print(f"\n{len(failed)} tests failed; no more than {AGAIN_MAX} are tried once more.")
        return Outcome(code, failed)

    print("\nonce more, alone:", *failed, sep="\n  ", flush=True)
    if code := _pytest("--numprocesses=0", *failed):
        return Outcome(code, failed)
    print("\ntrembled:", *failed, sep="\n  ", flush=True)
    return Outcome(0, failed, trembled=failed)


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


def _failed(cache: Path) -> tuple[str, ...]:
    """Return the ids of the tests that failed, without the group by which they were distributed."""
    kept = cache / "v" / "cache" / "lastfailed"
    names = json.loads(kept.read_text()) if kept.exists() else {}
    return tuple(name.rpartition("@")[0] if "@" in name and not name.endswith("]") else name for name in names)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]).code)
