"""
Which clauses of each book the code works by, and which tests prove it: `python -m casino.rulebooks.coverage`.

Code cites clauses in its docstrings and comments (H4.28, or H4.26-H4.29 for a span), tests mark theirs with
`@pytest.mark.rule("H4.28")`. Both are read as text, nothing is imported or run. The exit status is 1 when a test
marks a clause that no book has.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from casino.rulebooks.clauses import Clause, Duty, books_with_clauses, clauses

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("casino", "tables", "jackpot", "tournaments", "static", "templates", "tests")
# These two speak of ids without working by any clause.
SPEAK_OF_IDS = {"casino/rulebooks/clauses.py", "casino/rulebooks/coverage.py"}
HEADINGS = {
    Duty.COMPUTE: "Computed",
    Duty.TRACK: "Tracked",
    Duty.PROMPT: "Prompted",
    Duty.RECORD: "Recorded",
    Duty.INFO: "To be looked up",
}

# "H4.26-H4.29", "H4.26-29" and "H4.26–H4.29" are spans; "H1.8" is not found inside "H1.88" nor in "E-H1.86a".
CITATION = re.compile(r"(?<![\w-])(H\d+)\.(\d+)(?![\w])(?:[-–](?:\1\.)?(\d+)(?!\w))?")


@dataclass
class Evidence:
    """Where clauses are cited (files) and proved (tests), by clause id; paths are relative to the root."""

    cited: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    proved: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def citations(text: str) -> set[str]:
    """Return the ids of the clauses that a text cites, spans spelled out."""
    found = set()
    for chapter, first, last in CITATION.findall(text):
        found |= {f"{chapter}.{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def marks(source: str) -> Iterator[tuple[str, str]]:
    """Yield (test, clause id) for each `@pytest.mark.rule(...)` on a test or on the class around it."""
    yield from _marks_in(ast.parse(source).body, inherited=())


def gather(root: Path = ROOT) -> Evidence:
    """Return what code and tests under `root` say about clauses."""
    evidence = Evidence()
    for path in _sources(root):
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        is_test = "tests" in path.relative_to(root).parts
        if is_test and path.suffix == ".py":
            for test, clause_id in marks(text):
                evidence.proved[clause_id].append(f"{name}::{test}")
        elif not is_test and name not in SPEAK_OF_IDS:
            for clause_id in citations(text):
                evidence.cited[clause_id].append(name)
    return evidence


def unknown(evidence: Evidence) -> list[str]:
    """Return the marked ids that no book has."""
    known = {clause.id for book in books_with_clauses() for clause in clauses(book)}
    return sorted(set(evidence.proved) - known)


def report(evidence: Evidence) -> Iterator[str]:
    """Yield the lines of the matrix, book by book and duty by duty."""
    for book in books_with_clauses():
        listed = clauses(book)
        at_work = [clause for clause in listed if clause.id in evidence.cited or clause.id in evidence.proved]
        proved = [clause for clause in at_work if clause.id in evidence.proved]
        yield f"{book}: {len(listed)} clauses, {len(at_work)} at work in code, {len(proved)} of them proved by tests"
        for duty, heading in HEADINGS.items():
            yield from _section(heading, (clause for clause in listed if clause.duties[0] is duty), evidence)
        yield ""


def main() -> int:
    """Print the matrix; return 1 if a test marks an unknown clause."""
    evidence = gather()
    for line in report(evidence):
        sys.stdout.write(f"{line}\n")
    strangers = unknown(evidence)
    for clause_id in strangers:
        sys.stderr.write(f"no rule book has {clause_id}, marked by {', '.join(evidence.proved[clause_id])}\n")
    return 1 if strangers else 0


def _section(heading: str, listed: Iterable[Clause], evidence: Evidence) -> Iterator[str]:
    yield f"\n{heading}"
    not_yet = []
    for clause in listed:
        cited, proved = evidence.cited.get(clause.id, []), evidence.proved.get(clause.id, [])
        if not cited and not proved:
            not_yet.append(clause.id)
            continue
        yield f"  {clause.id:<7} {clause.summary}".rstrip()
        yield f"          code:  {', '.join(cited) or 'nowhere cited'}"
        yield f"          tests: {', '.join(proved) or 'none yet'}"
    if not_yet:
        yield f"  not yet: {' '.join(not_yet)}"


def _sources(root: Path) -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".py", ".js", ".html"} or (path.suffix == ".toml" and path.parent.name == "rulebooks"):
                yield path


def _marks_in(body: list[ast.stmt], *, inherited: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for node in body:
        if not isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        ids = (*inherited, *(clause_id for decorator in node.decorator_list for clause_id in _ids_in(decorator)))
        if isinstance(node, ast.ClassDef):
            yield from _marks_in(node.body, inherited=ids)
        elif node.name.startswith("test"):
            yield from ((node.name, clause_id) for clause_id in dict.fromkeys(ids))


def _ids_in(decorator: ast.expr) -> Iterator[str]:
    """Yield the ids of every `mark.rule(...)` in a decorator, those of single parameters (`marks=`) included."""
    for node in ast.walk(decorator):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.rule"):
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


if __name__ == "__main__":
    sys.exit(main())
