"""Rule books from TOML: read, checked key by key, and named by their digest."""

import difflib
import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from casino.rulebooks.clauses import books_with_clauses
from casino.rulebooks.schema import RuleBook, Settings
from casino.rulebooks.shapes import learn

learn(RuleBook)

_KEPT_AS = re.compile(r"[A-Za-z0-9_-]{1,40}\Z")


class RuleBookError(ValueError):
    """
    A text that is no rule book. `source` is the file or what the text was called; `key` and `nearest` are set where
    a key is unknown: its place, and the valid key most like it (None if none is).
    """

    def __init__(self, source: str, problem: str, *, key: str | None = None, nearest: str | None = None) -> None:
        super().__init__(f"{source}: {problem}")
        self.source = source
        self.key = key
        self.nearest = nearest


def shipped() -> tuple[str, ...]:
    """Return the names of the rule books that come with Brush, in alphabetical order."""
    entries = (entry.name for entry in files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in entries if name.endswith(".toml")))


def known_as(name: str) -> str:
    """
    Return what a room keeps a book as: a shipped one's name, or that of another house's file without its ending.

    :raises LookupError, OSError, RuleBookError: as `load`; or the file is called as nothing can be kept, or as a
        house whose document is not its own.
    """
    if not name.endswith(".toml"):
        return name
    stem = Path(name).stem
    if not _KEPT_AS.match(stem):
        raise RuleBookError(name, "a rule book's file is called by 1 to 40 letters, digits, hyphens and underscores")
    # By that name a room finds the clauses of a document.
    if stem in {*shipped(), *books_with_clauses()} and shipped_as(load(name)) != stem:
        raise RuleBookError(name, f"{stem} is the name of another house's document; call the file otherwise")
    return stem


def text_of(name: str) -> str:
    """
    Return the text of a rule book as it stands in its file: a shipped one's name, or the path of another house's TOML.

    :raises LookupError: no book of this name is shipped.
    :raises OSError: the file cannot be read.
    :raises RuleBookError: it is no text in UTF-8.
    """
    if name.endswith(".toml"):
        try:
            return Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise RuleBookError(name, f"this is no text in UTF-8 ({error.reason} at byte {error.start})") from None
    if name not in shipped():
        raise LookupError(f"no rule book {name!r}; there are: {', '.join(shipped())}")
    return files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8")


@cache
def load(name: str) -> RuleBook:
    """
    Return a rule book by its name, or by the path of its file.

    :raises LookupError: no book of this name is shipped.
    :raises OSError: the file cannot be read.
    :raises RuleBookError: its text is not a rule book.
    """
    return parse(text_of(name), source=f"{name.removesuffix('.toml')}.toml")


def shipped_as(book: RuleBook) -> str:
    """Return which shipped book's document a text names as its source, "" where it names none of them."""
    return next((name for name in shipped() if load(name).house.source == book.house.source), "")


def parse(text: str, *, source: str, kept_as: str = "") -> RuleBook:
    """
    Return the rule book written in `text`, TOML; `source` is what errors call it.

    `kept_as` is the shipped book that a room knows it by: a text from before books named their clauses has its.

    :raises RuleBookError: it is not TOML, a key is unknown or missing, or a value is not what its key takes.
    """
    try:
        data = read_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise RuleBookError(source, str(error)) from error
    # Nothing ever read it; versions that rooms have kept from before it was taken out may hold it.
    data.pop("two_persons", None)
    _refuse_wrong_keys(data, source=source)
    _cite_as_shipped(data, kept_as=kept_as)
    try:
        return msgspec.convert(data, RuleBook)
    except msgspec.ValidationError as error:
        raise RuleBookError(source, str(error).replace("`$.", "`")) from error


def _cite_as_shipped(data: dict[str, Any], *, kept_as: str) -> None:
    """Give a text from before books named their clauses those of the shipped book of the same document."""
    if "clauses" in data:
        return
    house = data.get("house")
    source = house.get("source") if isinstance(house, dict) else None
    for name in shipped():
        known = tomllib.loads(text_of(name))
        if name == kept_as or known["house"]["source"] == source:
            data |= {key: known[key] for key in ("clauses", "likely") if key in known and key not in data}


def read_toml(text: str) -> dict[str, Any]:
    """Return what a text says. :raises tomllib.TOMLDecodeError: it is no TOML, or none that can be followed."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except (RecursionError, ValueError) as error:
        # Brackets within brackets beyond Python's patience, or a number with thousands of digits.
        raise tomllib.TOMLDecodeError(str(error)) from None


def digest(text: str) -> str:
    """Return the SHA-256 of a rule book's text in hex: a version is known by it."""
    return hashlib.sha256(text.encode()).hexdigest()


def setting_clauses() -> dict[str, tuple[str, ...]]:
    """Return for each setting the clause and the ambiguity that it settles: {"jackpot_seats_max": ("H7.8", "A20")}."""
    info = inspect.type_info(Settings)
    assert isinstance(info, inspect.StructType)
    return {
        setting.name: setting.type.extra["clauses"]
        for setting in info.fields
        if isinstance(setting.type, inspect.Metadata) and setting.type.extra
    }


def _refuse_wrong_keys(data: Mapping[str, Any], *, source: str) -> None:
    # msgspec would refuse most of them too, but cannot say which key was meant.
    for path, key, valid in wrong_keys(data, inspect.type_info(RuleBook), path=""):
        if key in valid:
            raise RuleBookError(source, f"{path}{key} is missing", key=f"{path}{key}")
        nearest = next(iter(difflib.get_close_matches(key, valid, n=1)), None)
        hint = f"did you mean {nearest}?" if nearest else f"there are: {', '.join(sorted(valid))}"
        raise RuleBookError(source, f"{path}{key} is not a key; {hint}", key=f"{path}{key}", nearest=nearest)


def wrong_keys(data: Any, shape: inspect.Type, *, path: str) -> Iterator[tuple[str, str, list[str]]]:
    """
    Yield (path of the table, key, the table's valid keys) for each key that `shape` does not have, and for a `kind`
    that is missing: with one kind in the schema msgspec would do without, and the book would break with a second.
    """
    if isinstance(shape, inspect.Metadata):
        yield from wrong_keys(data, shape.type, path=path)
    elif isinstance(shape, inspect.UnionType):
        yield from wrong_keys(data, _chosen(data, shape), path=path)
    elif isinstance(shape, inspect.VarTupleType) and isinstance(data, list):
        for index, item in enumerate(data):
            yield from wrong_keys(item, shape.item_type, path=f"{path.removesuffix('.')}[{index}].")
    elif isinstance(shape, inspect.StructType) and isinstance(data, dict):
        fields = {field.encode_name: field.type for field in shape.fields}
        kind = [shape.tag_field] if shape.tag_field else []
        valid = [*fields, *kind]
        yield from ((path, key, valid) for key in data if key not in valid)
        yield from ((path, key, valid) for key in kind if key not in data)
        for key, inner in fields.items():
            yield from wrong_keys(data.get(key), inner, path=f"{path}{key}.")


def _chosen(data: Any, union: inspect.UnionType) -> inspect.Type:
    """Return the struct of a union that `data` means by its kind, else the union's first type."""
    structs = [option for option in union.types if isinstance(option, inspect.StructType)]
    kind = data.get("kind") if isinstance(data, dict) else None
    meant = next((struct for struct in structs if struct.tag == kind), None)
    return meant or (structs[0] if structs else union.types[0])
