# ruff: noqa: S607, T201 - it asks git, which is on PATH, and talks to a person in a terminal.
"""
Fail when a tracked file names the address of a package registry, an index or a mirror.

Where packages come from is a matter of the machine that installs them. A lock with an address in it
works on one machine and leaks its network to all others.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Put together, so that this file does not find itself.
HOSTS = ("py" + "pi", "python" + "hosted", "npm" + "js", "npm" + "mirror", "crates" + r"\.io", "mirror" + "s?")
HOST = "|".join(rf"[\w.-]*\b{name}\b[\w.-]*" for name in HOSTS)
PATTERNS = (
    re.compile(rf"(https?|ftp|file)://(\S*@)?({HOST})(:\d+)?(/|\s|$)", re.IGNORECASE),
    re.compile(r"https?://\S+/" + r"simple(/|\s|$)"),
    re.compile("--(extra-)?" + "index" + "-url|--trusted" + "-host|--find" + "-links"),
    re.compile(r"(deb|security)\." + r"debian\.org"),
)


def main() -> int:
    """Print each place; return 1 if there is one."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = [place for name in filter(None, listed.split("\0")) for place in places_in(ROOT / name, name)]
    print("\n".join(found) if found else "No file names a package registry's address.")
    return 1 if found else 0


def places_in(file: Path, name: str) -> list[str]:
    """Return `file:line: text` for each address in a file."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
        return []
    return [
        f"{name}:{number}: names a package registry or index: {line.strip()[:120]}"
        for number, line in enumerate(lines, 1)
        if any(pattern.search(line) for pattern in PATTERNS)
    ]


if __name__ == "__main__":
    sys.exit(main())
