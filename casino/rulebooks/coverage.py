"""
Which clauses of each book the code works by, and which tests prove it: `make rules`, to be read as docs/rules.md says.

Code cites clauses in its docstrings and comments (H4.28, or H4.26-H4.29 for a span), tests mark theirs with
`@pytest.mark.rule("H4.28")`. Both are read as text, nothing is imported or run. The exit status is 1 when a test
marks a clause that no book has.
"""

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from casino.rulebooks.clauses import Clause, Duty, books_with_clauses, clauses

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("casino", "tables", "jackpot", "tournaments", "static", "templates", "tests")
# These speak of ids without working by any clause: the list of them, and whoever plays a room for trying it out.
SPEAK_OF_IDS = ("casino/rulebooks/clauses.py", "casino/rulebooks/coverage.py", "casino/simulation/")
HEADINGS = {
    Duty.COMPUTE: "Computed",
    Duty.TRACK: "Tracked",
    Duty.PROMPT: "Prompted",
    Duty.RECORD: "Recorded",
    Duty.INFO: "To be looked up",
    Duty.ONLINE: "Written for play over the net",
}

# "H4.26-H4.29", "H4.26-29", "H4.26–H4.29" and "L-P18-L-P20" are spans.
_SPAN_ENDS = re.compile(r"[-–](\D*(?:\d+\.)?)(\d+)(?!\w)")


@dataclass
class Evidence:
    """Where clauses are cited (files) and proved (tests), by clause id; paths are relative to the root."""

    cited: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    proved: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def citations(text: str) -> set[str]:
    """Return the ids of the clauses that a text cites, spans spelled out."""
    ids = set()
    for cited in _pattern().finditer(text):
        ids.add(cited[0])
        prefix = cited[0].rstrip("0123456789")
        end = _SPAN_ENDS.match(text, cited.end())
        if end and prefix != cited[0] and end[1] in {"", prefix}:
            ids |= {f"{prefix}{number}" for number in range(int(cited[0][len(prefix) :]), int(end[2]) + 1)}
    return ids


@cache
def _pattern() -> re.Pattern[str]:
    """
    Return what finds ids of the shapes that the listed clauses have: any number where they have one, any small letter
    behind it. Longer shapes first: the parts of a paragraph belong to it ("R-§18-3").

    "H1.8" is not found inside "H1.88" nor in "E-H1.86a".
    """
    ids = {clause.id for book in books_with_clauses() for clause in clauses(book)}
    shapes = {re.sub(r"(?<=\\d\+)[a-z]", "[a-z]", re.sub(r"\d+", r"\\d+", re.escape(each))) for each in ids}
    return re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(shapes, key=len, reverse=True))})(?!\w)")


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
        elif not is_test and not name.startswith(SPEAK_OF_IDS):
            for clause_id in citations(text):
                evidence.cited[clause_id].append(name)
    return evidence


def unknown(evidence: Evidence) -> list[str]:
    """Return the marked ids that no book has."""
    known = {clause.id for book in books_with_clauses() for clause in clauses(book)}
    return sorted(set(evidence.proved) - known)


class Standing(StrEnum):
    """How far Brush is with a clause; the value is the word that `make rules` prints."""

    PROVED = "proved"  # at work, and a test holds it
    IN_PART = "in part"  # a test holds some of it; `open` says what is missing
    OPEN = "open"  # looked at and left, with the reason
    UNPROVED = "no test"  # code names it, and no test holds it
    NOT_YET = "not yet"  # nothing works by it


def standing(clause: Clause, evidence: Evidence) -> Standing:
    """Return how far Brush is with a clause."""
    if evidence.proved.get(clause.id):
        return Standing.IN_PART if clause.open else Standing.PROVED
    if clause.open:
        return Standing.OPEN
    return Standing.UNPROVED if evidence.cited.get(clause.id) else Standing.NOT_YET


def report(evidence: Evidence) -> Iterator[str]:
    """Yield the lines of the matrix: how to read it, a line for each book, then book by book and duty by duty."""
    yield from LEGEND
    yield ""
    yield f"{'':<10}{'clauses':>8}" + "".join(f"{each:>9}" for each in Standing)
    for book in books_with_clauses():
        counted = Counter(standing(clause, evidence) for clause in clauses(book))
        yield f"{book:<10}{counted.total():>8}" + "".join(f"{counted[each]:>9}" for each in Standing)
    for book in books_with_clauses():
        yield f"\n\n{book.upper()}"
        for duty, heading in HEADINGS.items():
            yield from _section(heading, [each for each in clauses(book) if each.duties[0] is duty], evidence)


LEGEND = (
    "Each clause of each house's rules, by its id, under what it asks of Brush, and how far Brush is with it:",
    f"  {Standing.PROVED}   Brush works by it, and the tests that are named hold it",
    f"  {Standing.IN_PART}  tests hold some of it; what is missing is said",
    f"  {Standing.OPEN}     looked at and left, for the reason that is said",
    f"  {Standing.UNPROVED}  code names it, and no test holds it",
    f"  {Standing.NOT_YET}  nothing works by it: listed by its id alone",
    "The sentences are ours and short; the ids lead to the house's own words. A test is named by what it claims.",
)


def main() -> int:
    """Print the matrix; return 1 if a test marks an unknown clause."""
    evidence = gather()
    for line in report(evidence):
        sys.stdout.write(f"{line}\n")
    strangers = unknown(evidence)
    for clause_id in strangers:
        sys.stderr.write(f"no rule book has {clause_id}, marked by {', '.join(evidence.proved[clause_id])}\n")
    return 1 if strangers else 0


def _section(heading: str, listed: Sequence[Clause], evidence: Evidence) -> Iterator[str]:
    if not listed:
        return
    yield f"\n{heading}"
    not_yet = []
    for clause in listed:
        how_far = standing(clause, evidence)
        if how_far is Standing.NOT_YET:
            not_yet.append(clause.id)
            continue
        yield f"  {clause.id:<8} {how_far:<8} {clause.summary}".rstrip()
        if clause.open:
            yield from _wrapped("open: ", clause.open)
        if cited := evidence.cited.get(clause.id):
            yield from _wrapped("code: ", ", ".join(cited))
        for path, tests in groupby(evidence.proved.get(clause.id, ()), key=lambda test: test.partition("::")[0]):
            names = "; ".join(test.partition("::")[2].removeprefix("test_").replace("_", " ") for test in tests)
            yield from _wrapped("tests: ", f"{path}: {names}")
    if not_yet:
        yield from _wrapped(f"{Standing.NOT_YET}: ", " ".join(not_yet), indent=2)


def _wrapped(label: str, text: str, *, indent: int = 11) -> list[str]:
    first = " " * indent + label
    return wrap(text, 120, initial_indent=first, subsequent_indent=" " * len(first), break_on_hyphens=False)


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
