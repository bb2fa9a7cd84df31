"""
What the log says, as sentences: what happened, to whom, where and for how much, each name a link to its own events.

Nothing here knows any app. Each says its own events in a `sentences.py`, found by its name, in texts whose blanks are
the keys of what was logged: `{player}`, `{rake_cents}`. What stands in a blank is written by its key: an amount
(`_cents`), or what a namer was registered for, which looks up all ids of a page at once.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from casino.audit.models import Chain, Event
from casino.money import MoneyFormat, format_cents

Values = dict[str, Any]
Text = str | Promise
# From the arguments and the data of an event, what a sentence needs of them besides.
More = Callable[[Values, Values], Values]


@dataclass(frozen=True)
class Part:
    """A piece of a sentence: its text, and where it leads ("" for nowhere)."""

    text: str
    url: str = ""


@dataclass(frozen=True)
class Reader:
    """For whom sentences are written: the room, whose money it is, and what this reader may open."""

    room_id: int
    currency: str
    locale: str
    may: Collection[str]

    @property
    def money_format(self) -> MoneyFormat:
        """How amounts are written in this room."""
        return MoneyFormat(self.currency, self.locale)


@dataclass(frozen=True)
class By:
    """A sentence for each value that stands under a key of the log; the first one for any other."""

    key: str
    texts: Mapping[Any, Text]

    def of(self, values: Values) -> Text:
        """Return the sentence for what was logged."""
        return self.texts.get(values.get(self.key), next(iter(self.texts.values())))


@dataclass(frozen=True)
class _Things:
    """What stands under some keys of the log: how it is written."""

    keys: tuple[str, ...]
    namer: "Namer"


# Of the ids on a page (never empty) the part for each; what it does not know is written as its number.
Namer = Callable[[Reader, set[Any]], Mapping[Any, Part]]
_texts: dict[str, Text | By] = {}
_more: dict[str, More] = {}
# What commands were called before, and what the same one is called now.
_now: dict[str, str] = {}
# What any command may have done besides, by the key under which it is logged.
_besides: dict[str, Text] = {}
_things: dict[str, _Things] = {}
_codes: dict[str, dict[str, Text]] = {}
_chains: dict[str, Text] = {}
# As many persons of a kind are looked for as a part of a name means: the log is searched for each of them.
NAMED_MAX = 50
_finders: list[Callable[[Reader, str], Iterable[tuple[str, int]]]] = []
_also: dict[str, list[Callable[[Collection[int]], Iterable[tuple[str, int]]]]] = {}


def say(
    texts: Mapping[str, Text | By], *, more: Mapping[str, More] | None = None, before: Mapping[str, str] | None = None
) -> None:
    """
    Add sentences by the command's name; `more` adds to what was logged what a sentence needs of it besides. `before`
    names what a command was called once, with its name now: the log keeps the name under which it was logged.
    """
    assert not texts.keys() & _texts.keys(), f"said twice: {sorted(texts.keys() & _texts.keys())}"
    _texts.update(texts)
    _more.update(more or {})
    _now.update(before or {})


def say_besides(texts: Mapping[str, Text]) -> None:
    """Add sentences that follow those of any command which logged something under their key, their one blank."""
    _besides.update(texts)


def name_things(keys: Sequence[str], namer: Namer) -> None:
    """Have what stands under any of these keys of the log written by a namer; the first of them names the kind."""
    for key in keys:
        assert key not in _things, f"{key} is named twice"
        _things[key] = _Things(tuple(keys), namer)


def name_codes(key: str, words: Mapping[str, Text]) -> None:
    """Have codes that stand under a key of the log ("reason") written in words; each app adds its own."""
    _codes.setdefault(key, {}).update(words)


def name_chains(prefix: str, text: Text) -> None:
    """Have chains offered by their number: "table" for "table.4", with the text "Table {number}"."""
    _chains[prefix] = text


def chains_of(room_id: int) -> list[tuple[str, str]]:
    """Return the chains that are offered by name, as (name, what it is called), by kind and number. One query."""
    pattern = rf"^({'|'.join(_chains)})\.[0-9]+$"
    names = Chain.objects.filter(room_id=room_id, name__regex=pattern).values_list("name", flat=True)
    parts = sorted((name.partition(".")[0], int(name.partition(".")[2])) for name in names)
    return [(f"{kind}.{number}", str(_chains[kind]).format(number=number)) for kind, number in parts]


def find_persons(finder: Callable[[Reader, str], Iterable[tuple[str, int]]]) -> None:
    """
    Have persons found by a part of their name: each as (kind of thing, id), ("player", 17).

    One more of a kind than `NAMED_MAX` is enough: it tells that there are others.
    """
    _finders.append(finder)


def also_as(kind: str, finder: Callable[[Collection[int]], Iterable[tuple[str, int]]]) -> None:
    """Have things of a kind found in the log as others too: a player as the seats taken, ("seating", 41)."""
    _also.setdefault(kind, []).append(finder)


def once_called(name: str) -> list[str]:
    """Return what commands whose name begins like this were called once."""
    return [before for before, now in _now.items() if now.startswith(name)]


def sentences() -> dict[str, list[Text]]:
    """Return the texts by command."""
    return {name: list(text.texts.values()) if isinstance(text, By) else [text] for name, text in _texts.items()}


def title_of(name: str) -> str:
    """
    Return what a command is called in a list: its sentence as far as the colon, with nothing in the blanks; all of it
    where that would be a blank alone.
    """
    text = _texts.get(_now.get(name, name), name)
    plain = next(iter(text.texts.values())) if isinstance(text, By) else text
    whole = re.sub(r"\{\w+\}", "…", str(plain))
    head = whole.partition(":")[0]
    return (head if re.search(r"\w", head) else whole).removesuffix(".")


def blanks_of(text: Text) -> list[str]:
    """Return the keys that a sentence needs."""
    return [key for _, key, _, _ in Formatter().parse(str(text)) if key]


def persons_named(reader: Reader, text: str) -> tuple[list[tuple[str, int]], bool]:
    """Return whom a part of a name means, as (kind, id), and whether it means more than `NAMED_MAX` of a kind."""
    counted: Counter[str] = Counter()
    named = []
    for kind, person_id in (found for finder in _finders for found in finder(reader, text)):
        counted[kind] += 1
        if counted[kind] <= NAMED_MAX:
            named.append((kind, person_id))
    return named, max(counted.values(), default=0) > NAMED_MAX


def pattern_of(persons: Iterable[tuple[str, int]]) -> str:
    """Return a regular expression that finds events which name any of these, under whatever key and in lists."""
    by_kind: dict[str, set[int]] = {}
    for kind, thing_id in persons:
        by_kind.setdefault(kind, set()).add(thing_id)
    for kind, ids in list(by_kind.items()):
        for finder in _also.get(kind, ()):
            for other, other_id in finder(ids):
                by_kind.setdefault(other, set()).add(other_id)
    patterns = []
    for kind, ids in by_kind.items():
        keys = _things[kind].keys if kind in _things else (kind,)
        patterns.append(rf'"({"|".join(keys)})":(\[([0-9]+,)*)?({"|".join(map(str, sorted(ids)))})[],}}]')
    return "|".join(patterns)


def written(kind: str, thing_id: int, reader: Reader) -> Part:
    """Return how one thing is named, by its kind ("player") and id; of an unknown kind its number. One query."""
    names = {_things[kind].namer: _things[kind].namer(reader, {thing_id})} if kind in _things else {}
    return _part(kind, thing_id, names, reader)


def named(kind: str, ids: set[int], reader: Reader) -> dict[int, str]:
    """Return what things of one kind ("staff") are called, by id; of what is not known nothing. One query."""
    return {thing_id: part.text for thing_id, part in _things[kind].namer(reader, ids).items()} if ids else {}


def sentences_of(events: Sequence[Event], reader: Reader) -> list[list[Part]]:
    """Return the sentence of each event, in parts. One query for each kind of thing that is named there."""
    sentences = [_text_of(event) for event in events]
    names = _named(sentences, reader)
    return [list(_parts(text, values, names, reader)) for text, values in sentences]


def _text_of(event: Event) -> tuple[str, Values]:
    logged = json.loads(event.text)
    args, data = logged.get("args", {}), logged.get("data", {})
    # What is a dictionary is said by `more` alone.
    given = {key: value for key, value in args.items() if value not in (None, "", []) and not isinstance(value, dict)}
    if event.result != "done":
        # What was asked for, as far as it can be written: the refusal itself is said beside it.
        amounts = [key for key in given if key.endswith("_cents") or key in _things]
        return _("{what} – not done").format(what=title_of(event.name)) + "".join(
            f" · {{{key}}}" for key in amounts
        ), given
    values = {**given, **{key: value for key, value in data.items() if value is not None}}
    name = _now.get(event.name, event.name)
    if name in _more:
        values |= _more[name](args, data)
    text = _texts.get(name, name)
    besides = [str(more) for key, more in _besides.items() if data.get(key)]
    return " ".join([str(text.of(values) if isinstance(text, By) else text), *besides]), values


def _named(sentences: Sequence[tuple[str, Values]], reader: Reader) -> dict[Namer, Mapping[Any, Part]]:
    ids: dict[Namer, set[Any]] = {}
    for text, values in sentences:
        for key in blanks_of(text):
            if key in _things and key in values:
                ids.setdefault(_things[key].namer, set()).update(_each(values[key]))
    return {namer: namer(reader, of_kind) for namer, of_kind in ids.items() if of_kind}


def _each(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _parts(text: str, values: Values, names: Mapping[Namer, Mapping[Any, Part]], reader: Reader) -> Iterator[Part]:
    for before, key, _spec, _conversion in Formatter().parse(text):
        if before:
            yield Part(before)
        if key:
            for index, value in enumerate(_each(values.get(key, "–"))):
                if index:
                    yield Part(", ")
                yield _part(key, value, names, reader)


def _part(key: str, value: Any, names: Mapping[Namer, Mapping[Any, Part]], reader: Reader) -> Part:
    if key in _things:
        return names.get(_things[key].namer, {}).get(value, Part(str(value)))
    if key in _codes:
        return Part(str(_codes[key].get(value, value)))
    if key.endswith("_cents") and isinstance(value, int):
        return Part(format_cents(value, currency=reader.currency, locale=reader.locale))
    return Part(str(value))
