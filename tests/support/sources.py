"""What the house runs, read as sources: each is parsed and walked once, in the one process of the group "sources"."""

import ast
import functools
from collections.abc import Iterator

from casino.rulebooks.coverage import ROOT

CODE = ("casino", "tables", "jackpot", "tournaments")


@functools.cache
def nodes(text: str) -> tuple[ast.AST, ...]:
    """Return all that a source is made of."""
    return tuple(ast.walk(ast.parse(text)))


def sources(*folders: str, ending: str = "py") -> Iterator[tuple[str, str]]:
    """Yield (path, text) of what the house runs, migrations left out: they are history."""
    for folder in folders:
        start = ROOT / folder
        for path in [start] if start.is_file() else sorted(start.rglob(f"*.{ending}")):
            if "migrations" not in path.parts:
                yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
