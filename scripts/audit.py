"""
Ask pip-audit whether anything that the lock pins is known to be vulnerable, and say which servers would run.

Advisories know packages, not the PostgreSQL and the Redis inside them: their versions are printed, and one that nobody
maintains any more counts as vulnerable.

    make audit                  a service that cannot be reached is said and does not fail
    make audit ARGS=--strict    it fails: for a machine that is meant to reach it

Exit codes: 0 nothing known (or not checked), 1 something is (or not checked, with --strict).
"""

import json
import re
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
# The oldest major versions with releases of security fixes, as their makers said in November 2026.
OLDEST_MAINTAINED = {"PostgreSQL": 15, "Valkey": 8, "Redis": 7}


def main(arguments: list[str]) -> int:
    """Audit each lock, print what was found, and return the exit code."""
    is_strict = "--strict" in arguments
    code = 0
    for lock in LOCKS:
        findings, was_checked = read(*_output_of(lock))
        for line in findings:
            sys.stdout.write(f"{lock}: {line}\n")
        code |= int(bool(findings) and (was_checked or is_strict))
        if not findings:
            sys.stdout.write(f"{lock}: nothing known\n")
    for program in _servers():
        judged, is_old = judge(_version_of(program))
        sys.stdout.write(f"{program.name}: {judged}\n")
        code |= int(is_old)
    return code


def judge(version: str) -> tuple[str, bool]:
    """Return what is to be said of a server that names its version so, and whether it is too old to be maintained."""
    name = next((name for name in OLDEST_MAINTAINED if name in version), "")
    number = re.search(r"\d+(?:\.\d+)*", version)
    if not name or number is None:
        return f"not known: {version or 'it says no version'}", False
    if int(number[0].partition(".")[0]) < OLDEST_MAINTAINED[name]:
        return f"{name} {number[0]}, which nobody maintains: {OLDEST_MAINTAINED[name]} or newer", True
    return f"{name} {number[0]}", False


def _servers() -> list[Path]:
    """Return the programs that `make run` would start."""
    sys.path.insert(0, str(ROOT))
    from casino.embedded.home import CannotStart, embedded_programs

    try:
        postgres, redis = embedded_programs()
    except CannotStart as problem:
        sys.stdout.write(f"{problem}\n")
        return []
    return [postgres / "postgres", redis]


def _version_of(program: Path) -> str:
    ran = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)  # noqa: S603  # ours
    return ran.stdout.strip()


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


def _output_of(lock: str) -> tuple[str, str]:
    try:
        ran = subprocess.run(  # noqa: S603  # our own command, and the lock's name
            [*COMMAND, lock], cwd=ROOT, capture_output=True, text=True, check=False, timeout=SECONDS_MAX
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return "", str(problem)
    return ran.stdout, ran.stderr


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
