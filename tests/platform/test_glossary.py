"""One word for one idea: the glossary has each once, in order, and nothing is said by a word that it lists as wrong."""

import re
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


def words() -> list[str]:
    """Return the words of the glossary, in its order."""
    table = GLOSSARY.partition("## Not these words")[0]
    return [row[1] for row in ROW.finditer(table) if row[1] not in {"word", "---"}]


def synonyms() -> dict[str, str]:
    """Return the word to say by each that is not said."""
    table = GLOSSARY.partition("## Not these words")[2]
    rows = [row for row in ROW.finditer(table) if row[1] not in {"not", "---"}]
    return {each: row[2] for row in rows for each in row[1].split(", ")}


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
    assert {each for instead in synonyms().values() for each in instead.split(", ")} <= set(listed)


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
