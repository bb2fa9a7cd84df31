# ruff: noqa: T201 - it starts what keeps the machine busy, and talks to a person in a terminal.
"""
What trembles: `python -m tests.support.tremble <times> <pytest's arguments>` beside a load that keeps all cores busy.

It ends with how often each test failed and then passed alone, and is red where one failed twice in a run, or where more
than one trembled in it.
"""

import contextlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

from tests.support import once_more

BUSY = "while True: pass"


def main(times: int, arguments: list[str]) -> int:
    """Run so often; return the exit code."""
    outcomes = []
    for number in range(1, times + 1):
        print(f"\n== {number} of {times}", flush=True)
        with busy_cores():
            outcomes.append(once_more.run(arguments))
    trembled = Counter(name for outcome in outcomes for name in outcome.trembled)
    broken = Counter(name for outcome in outcomes if outcome.code for name in outcome.failed)
    print(f"\n{times} times: {sum(not outcome.failed and not outcome.code for outcome in outcomes)} without a tremble")
    for what, names in (("trembled", trembled), ("failed twice, or beside too many others", broken)):
        for name, count in names.most_common():
            print(f"  {what} {count} times: {name}")
    return int(any(outcome.code or len(outcome.trembled) > 1 for outcome in outcomes))


@contextlib.contextmanager
def busy_cores() -> Iterator[None]:
    """Keep every core busy with something else."""
    others = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
