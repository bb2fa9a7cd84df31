"""
Ask pip-audit whether anything that the lock pins is known to be vulnerable.

    make audit                  a service that cannot be reached is said and does not fail
    make audit ARGS=--strict    it fails: for a machine that is meant to reach it

Exit codes: 0 nothing known (or not checked), 1 something is (or not checked, with --strict).
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.txt", "requirements-dev.txt")
COMMAND = (
    sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json",
    "--progress-spinner", "off", "--timeout", "15", "--requirement",
)  # fmt: skip
SECONDS_MAX = 300


def main(arguments: list[str]) -> int:
    """Audit each lock, print what was found, and return the exit code."""
    is_strict = "--strict" in arguments
    code = 0
    for lock in LOCKS:
        said, was_checked = read(*_asked(lock))
        for line in said:
            sys.stdout.write(f"{lock}: {line}\n")
        code |= int(bool(said) and (was_checked or is_strict))
        if not said:
            sys.stdout.write(f"{lock}: nothing known\n")
    return code


def read(output: str, complaints: str) -> tuple[list[str], bool]:
    """
    Return a line for each vulnerability that pip-audit tells of, and whether it could check at all.

    Where it could not, the one line says why: its last complaint.
    """
    try:
        found: list[dict[str, Any]] = json.loads(output)["dependencies"]
    except (ValueError, KeyError, TypeError):
        why = [line.strip() for line in complaints.splitlines() if line.strip()] or ["pip-audit said nothing"]
        return [f"not checked, the advisory service did not answer: {why[-1][:200]}"], False
    lines = [
        f"{each['name']} {each['version']}: {bad['id']}, mended in {', '.join(bad['fix_versions']) or 'no version yet'}"
        for each in found
        for bad in each.get("vulns", ())
    ]
    # What it left out it could not judge: said, and no vulnerability.
    skipped = [each for each in found if "skip_reason" in each]
    if not skipped:
        return lines, True
    left_out = (
        f"not checked: {len(skipped)} of {len(found)} packages, the first one because: {skipped[0]['skip_reason']}"
    )
    return [*lines, left_out], bool(lines)


def _asked(lock: str) -> tuple[str, str]:
    try:
        ran = subprocess.run(  # noqa: S603  # our own command, and the lock's name
            [*COMMAND, lock], cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS_MAX
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return "", str(problem)
    return ran.stdout, ran.stderr


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
