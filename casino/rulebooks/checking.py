"""
A rule book as somebody edits it: everything that is wrong with a text, each with its line, and what a change changes.
"""

import difflib
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import inspect

from casino.rulebooks import reasons
from casino.rulebooks.reading import read_toml, wrong_keys
from casino.rulebooks.schema import Game, RuleBook

_AT_LINE = re.compile(r"\(at line (\d+)")
_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_.-]+)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+)\s*=")
_AT_PATH = re.compile(r" - at `\$\.?(.*)`$")
_MISSING_FIELD = re.compile(r"missing required field `(\w+)`")


@dataclass(frozen=True)
class Wrong:
    """
    One thing that is wrong with a text. `code` is one of "toml", "unknown_key", "missing_key", "value", "venue",
    "sentence".

    `line` is the one in the text where it stands, 1 where it cannot be told. `key` is its place ("games[0].rake"),
    empty where the text is no TOML; `nearest` the valid key most like an unknown one; `says` what the reader found, or
    what a sentence may fill in.
    """

    code: str
    line: int
    key: str = ""
    nearest: str = ""
    says: str = ""


@dataclass(frozen=True)
class BookChange:
    """One setting that differs: its place by names ("games › nlh-2-2 › rake › maximum_cents"); None: not there."""

    path: tuple[str, ...]
    before: Any
    after: Any


def what_is_wrong(text: str) -> tuple[Wrong, ...]:
    """Return everything that keeps `text` from being a rule book, in the order of its lines; nothing if it is one."""
    try:
        data = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        # Where something ends too early the reader names no line but the end.
        line = int(at[1]) if at else max(len(text.splitlines()), 1)
        return (Wrong("toml", line, says=_AT_LINE.split(str(error))[0].strip()),)
    lines = _lines_of_keys(text)
    wrong = [*_wrong_keys(data, lines)] or [*_wrong_values(data, lines)]
    if not wrong:
        book = msgspec.convert(data, RuleBook)
        wrong = [*_above_venue(book, lines), *_wrong_reasons(book, lines)]
    return tuple(sorted(wrong, key=lambda each: (each.line, each.key)))


def changes(before: str, after: str) -> tuple[BookChange, ...]:
    """
    Return the settings in which two rule books differ, in the order of the later one, what is gone last.

    Games are told apart by their codes: one moved up or down is no change.

    :raises tomllib.TOMLDecodeError: a text is no TOML.
    """
    old, new = (dict(_settings(read_toml(text))) for text in (before, after))
    return tuple(
        BookChange(path, old.get(path), new.get(path)) for path in {**new, **old} if old.get(path) != new.get(path)
    )


def changed_lines(before: str, after: str) -> tuple[str, ...]:
    """Return the lines in which two texts differ, as a unified diff without its head: "-old", "+new", "@@ … @@"."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1)
    return tuple(lines)[2:]


def _wrong_keys(data: Mapping[str, Any], lines: Mapping[str, int]) -> Iterator[Wrong]:
    for path, key, valid in wrong_keys(data, inspect.type_info(RuleBook), path=""):
        place = f"{path}{key}"
        if key in valid:
            yield Wrong("missing_key", _line_of(place, lines), place)
        else:
            yield _unknown(place, key, valid, lines)


def _unknown(place: str, key: str, valid: Collection[str], lines: Mapping[str, int]) -> Wrong:
    nearest = next(iter(difflib.get_close_matches(key, sorted(valid), n=1, cutoff=0.4)), "")
    return Wrong("unknown_key", _line_of(place, lines), place, nearest=nearest)


def _wrong_values(data: Mapping[str, Any], lines: Mapping[str, int]) -> Iterator[Wrong]:
    """Yield what is wrong with each table by itself, and where each is right, with the book as a whole."""
    wrong: list[Wrong | None] = []
    fields = {field.name: field for field in msgspec.structs.fields(RuleBook)}
    for name, value in data.items():
        if name == "games" and isinstance(value, list):
            wrong += [_refused(game, Game, f"games[{index}]", lines) for index, game in enumerate(value)]
        elif name in fields:
            wrong.append(_refused(value, fields[name].type, name, lines))
    if not any(wrong):
        wrong.append(_refused(data, RuleBook, "", lines))
    yield from (each for each in wrong if each is not None)


def _above_venue(book: RuleBook, lines: Mapping[str, int]) -> Iterator[Wrong]:
    """Yield the games that the licence does not allow where the room stands (L-P93, L-P48)."""
    for index, game in enumerate(book.games):
        if book.venue is None:
            return
        stake = game.opening_stake_max_cents
        if what := book.venue.refuses(opening_stake_cents=stake, seats=game.seats):
            # A straddle is an opening stake too (L-PQ20): where the blind alone would do, it is what is above.
            straddles = stake > game.big_blind_cents and game.big_blind_cents <= book.venue.opening_stake_max_cents
            key = "seats" if what == "seats" else "straddle" if straddles else "big_blind_cents"
            yield Wrong("venue", _line_of(f"games[{index}].{key}", lines), f"games[{index}].{key}")


def _wrong_reasons(book: RuleBook, lines: Mapping[str, int]) -> Iterator[Wrong]:
    """
    Yield the reasons that nothing is refused or said by, and the sentences that their refusal could not fill.

    `parse` lets both pass: a version that a room has kept is read as long as there is the room.
    """
    for reason in book.clauses:
        if reason not in reasons.all_reasons():
            yield _unknown(f"clauses.{reason}", reason, reasons.all_reasons(), lines)
    for language, sentences in book.sentences.items():
        for reason, sentence in sentences.items():
            place, ways = f"sentences.{language}.{reason}", reasons.names(reason)
            if reason not in reasons.registered():
                yield _unknown(place, reason, reasons.registered(), lines)
            elif not any(reasons.is_fit(sentence, names) for names in ways):
                says = " / ".join(", ".join(f"%({name})s" for name in names) for names in ways if names)
                yield Wrong("sentence", _line_of(place, lines), place, says=says)


def _refused(value: Any, shape: Any, place: str, lines: Mapping[str, int]) -> Wrong | None:
    try:
        msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        says = str(error)
        if at := _AT_PATH.search(says):
            says, place = says[: at.start()], ".".join(filter(None, (place, at[1]))).replace(".[", "[")
        if missing := _MISSING_FIELD.search(says):
            place = ".".join(filter(None, (place, missing[1])))
            return Wrong("missing_key", _line_of(place, lines), place)
        return Wrong("value", _line_of(place, lines), place, says=says)
    return None


def _line_of(place: str, lines: Mapping[str, int]) -> int:
    """Return the line of a key, or of the nearest table around it that the text has."""
    while place and place not in lines:
        place = place[: max(place.rfind("."), place.rfind("["), 0)]
    return lines.get(place, 1)


def _lines_of_keys(text: str) -> dict[str, int]:
    """
    Return on which line each table and key begins: {"timers": 8, "games[0].seats": 45}.

    What stands within braces or brackets has no line of its own: its key's holds for it.
    """
    line_of_key: dict[str, int] = {}
    table, count, depth = "", dict[str, int](), 0
    for number, line in enumerate(text.splitlines(), start=1):
        if depth == 0 and (header := _HEADER.match(line)):
            table = _place_of(header[2].split("."), count, begins_another=header[1] == "[[")
            line_of_key.setdefault(table, number)
        elif depth == 0 and (key := _KEY.match(line)):
            line_of_key.setdefault(f"{table}.{key[1]}" if table else key[1], number)
        if depth > 0 or not _HEADER.match(line):
            code = re.sub(r'"[^"]*"', "", line).partition("#")[0]
            depth += sum(code.count(mark) for mark in "[{") - sum(code.count(mark) for mark in "]}")
    return line_of_key


def _place_of(keys: Sequence[str], count: dict[str, int], *, begins_another: bool) -> str:
    """Return the place of a table's header: what lies in a list belongs to the list's newest entry."""
    place = ""
    for depth, key in enumerate(keys, start=1):
        place = f"{place}.{key}" if place else key
        if begins_another and depth == len(keys):
            count[place] = count.get(place, -1) + 1
        if place in count:
            place = f"{place}[{count[place]}]"
    return place


def _settings(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _settings(inner, (*path, key))
    elif isinstance(value, list) and all(isinstance(inner, dict) for inner in value):
        for index, inner in enumerate(value):
            named = str(inner.get("code", inner.get("participants_max", index + 1)))
            rest = {key: each for key, each in inner.items() if key not in {"code", "participants_max"}}
            yield (*path, named), True
            yield from _settings(rest, (*path, named))
    else:
        yield path, value
