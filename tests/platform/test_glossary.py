"""
One word for one idea: the glossary has each once, in order, nothing is said by a word that it lists as wrong, and no
name in Python, a script, a style or a template holds a part that it lists as saying nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8")
OURS = ("casino", "jackpot", "tables", "tournaments", "templates", "static")
BESIDE = ("bench", "deploy", "docs", "scripts", "tests")
KINDS = {".css", ".html", ".js", ".md", ".py", ".toml", ".ts"}
# The list itself, and its test.
LISTS = {ROOT / "docs" / "glossary.md", Path(__file__)}
ROW = re.compile(r"^\| (.+?) \| (.*?) \|", re.MULTILINE)
EXPLAINED = re.compile(r"^\| (.+?) \| .*? ?\| (.+?) \|$", re.MULTILINE)
# What is stored or sent keeps its name, and so does what Python calls by it: where each may stand.
KEPT_NAMES = {
    # In the data of a refusal: callers of the interface read it.
    "asked_cents": ("casino/cage/", "casino/ledger/", "tables/", "tests/house/"),
    # In a jackpot's claim: a field of calls and forms, of stored hands, and of what a repeated command is compared by.
    "told": ("jackpot/", "tests/jackpot/"),
    # Why a compliance note was written: a migration holds the label that Django makes of it.
    "TOLD": ("casino/compliance/models.py",),
}
# Strings and comments: of Python, of a script, of a style.
NO_CODE = re.compile(
    r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|' + r"'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\\n])*'|#[^\n]*", re.DOTALL
)

NO_SCRIPT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`', re.DOTALL)
NO_STYLE = re.compile(r"/\*.*?\*/", re.DOTALL)
# What names a template gives: classes, ids, and data for scripts.
GIVEN_NAMES = re.compile(r'\b(?:class|id|for)="([^"]*)"|\b(data-[\w-]+)')


def words() -> list[str]:
    """Return the words of the glossary, in its order."""
    return [word for word, _finnish in rows(GLOSSARY.partition("\n## ")[0])]


def terms() -> list[str]:
    """Return what the glossary explains: each part of "over, short", with what it is of, as "push (of a pot)"."""
    return [term for word in words() for term in word.split(", ")]


def unqualified(listed: Iterable[str]) -> list[str]:
    """Return the terms that stand for several things of which one does not say what it is of."""
    bare = Counter(term.partition(" (")[0] for term in listed)
    return [term for term in listed if bare[term] > 1]


def synonyms() -> dict[str, str]:
    """Return the word to say by each that is not said."""
    return {each: instead for listed, instead in rows(section("Not these words")) for each in listed.split(", ")}


def section(heading: str) -> str:
    """Return what the glossary has below a heading, up to the next."""
    return GLOSSARY.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def rows(text: str) -> list[tuple[str, str]]:
    """Return the first two columns of a table."""
    return [(row[1], row[2]) for row in ROW.finditer(text) if row[1] not in {"word", "not", "---"}]


def code_of(suffix: str, source: str) -> str:
    """Return of a file what holds names, and no sentences."""
    if suffix == ".html":
        return " ".join(value or data for value, data in GIVEN_NAMES.findall(source))
    return {".py": NO_CODE, ".css": NO_STYLE}.get(suffix, NO_SCRIPT).sub(" ", source)


def names_with(parts: Iterable[str], code: str) -> set[str]:
    """Return the names that hold one of these words as a part; no test's, which is a sentence."""
    part = rf"(?i:{'|'.join(parts)})"
    holds, whole = re.compile(rf"\b\w*{part}\w*"), re.compile(rf"(?:^|_|(?<=[a-z])(?=[A-Z])){part}(?:$|_|(?=[A-Z]))")
    return {name for name in holds.findall(code) if whole.search(name) and name[:5] != "test_"}


def finder(listed: Iterable[str]) -> re.Pattern[str]:
    """Return what finds the listed words, in sentences or in names of any style, also where there are many of it."""

    def spelled(word: str) -> str:
        parts = re.split(r"[ -]", word)
        written = "[ _-]?".join(f"[{part[0]}{part[0].upper()}]{part[1:]}" for part in parts)
        return f"{written}|{'_'.join(parts).upper()}"

    return re.compile(rf"(?<![a-z])(?:{'|'.join(map(spelled, listed))})s?(?![a-z])")


def test_each_word_stands_once_in_its_order() -> None:
    listed = words()

    assert len(listed) > 100
    assert [word for word in listed if listed.count(word) > 1] == []
    assert listed == sorted(listed, key=str.lower)
    assert {each for instead in synonyms().values() for each in instead.split(", ")} <= set(terms())


def test_a_word_for_several_things_says_each_time_of_what_it_is():
    assert unqualified(terms()) == []
    assert unqualified(["push (of a pot)", "push", "down", "claim (to a seat)", "claim (to a jackpot)"]) == ["push"]


def test_no_word_is_explained_as_two():
    """A second meaning behind a semicolon ("of screens, …", "on a list, …") is a word of its own."""
    second = re.compile(r"; (?:of|on|for|in) (?:a |the )?[\w ]+, ")

    assert [row[1] for row in EXPLAINED.finditer(GLOSSARY) if second.search(row[2])] == []
    assert second.search("where a device stands; on a list, a player's number")


def test_a_listed_synonym_is_found() -> None:
    found = finder(["croupier", "wait list"])
    texts = ["class WaitListEntry:", "the croupiers' turn", "wait_list = 1", "WAIT_LIST", "Wait lists", "await lists"]

    assert [bool(found.search(text)) for text in texts] == [True, True, True, True, True, False]


def read() -> Iterator[Path]:
    """Yield what is held against the glossary: code, books, screens, scripts, tests and documents."""
    for file in (*ROOT.glob("*.md"), *(file for top in (*OURS, *BESIDE) for file in (ROOT / top).rglob("*"))):
        if file.suffix in KINDS and "migrations" not in file.parts and file not in LISTS:
            yield file


def test_documents_scripts_and_tests_are_read_too() -> None:
    found = {str(file.relative_to(ROOT)) for file in read()}

    assert {
        "README.md", "CHANGELOG.md", "docs/changing.md", "static/brush/cage.js", "static/brush/dealer/table.d.ts",
        "templates/cage/desk.html", "casino/rulebooks/helsinki.toml", "tests/conftest.py", "bench/floor.py",
    } <= found  # fmt: skip


def test_nothing_is_said_by_another_word_than_the_glossarys() -> None:
    listed = synonyms()
    wrong = finder(listed)

    found = [
        f"{file.relative_to(ROOT)}: {match[0]!r} (docs/glossary.md says what to say)"
        for file in read()
        if (match := wrong.search(file.read_text("utf-8")))
    ]

    assert len(listed) > 10
    assert found == []


def test_a_part_that_says_nothing_is_found_in_names_alone() -> None:
    source = """class AlreadyAsked:\n    'asked'\n    def said_by(self, *, unsaid, asked_cents): ...  # was_said\n"""

    script = """// said\nconst { whenAsked } = "asked"; /** told */ export function tell(isTold) {}\n"""
    style = """/* what is said */ .phone-said { color: red } #untold {}"""
    template = """<p class="told {{ x }}" data-when-asked="said">said</p><input name="told">"""

    def found(suffix: str, text: str) -> set[str]:
        return names_with(["asked", "said", "told"], code_of(suffix, text))

    assert found(".py", source) == {"AlreadyAsked", "said_by", "asked_cents"}
    assert found(".js", script) == {"whenAsked", "isTold"}
    assert found(".css", style) == {"said"}
    assert found(".html", template) == {"told", "asked"}
    assert names_with(["told"], "def test_it_is_told(): return is_told, untold, retold_at, TOLD_SHARE") == {
        "is_told", "TOLD_SHARE",
    }  # fmt: skip


def test_no_name_holds_a_part_that_says_nothing() -> None:
    parts = [part for part, _instead in rows(section("Not in names"))]
    named = {".py", ".js", ".ts", ".css", ".html"}
    sources = {file.relative_to(ROOT).as_posix(): file for file in read() if file.suffix in named}

    found = {
        f"{path}: {name} (docs/glossary.md says what to say)"
        for path, file in sources.items()
        for name in names_with(parts, code_of(file.suffix, file.read_text("utf-8")))
        if not path.startswith(KEPT_NAMES.get(name, ()))
    }

    assert {Path(path).suffix for path in sources} == named
    assert parts == ["asked", "said", "told"]
    assert found == set()
