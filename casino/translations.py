"""
The texts of Brush in other languages, without the gettext programs.

English is what stands in the code. `collect` finds every text in Python, in templates and of the clauses; `update`
brings a language's django.po in step with it and compiles django.mo, and `problems` says what is
wrong with a translation. Both files are committed, so that whoever runs Brush needs no build step.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

# Clauses are data; what the floor says of them to players is a text like any other.
CLAUSES = Path("casino", "rulebooks", "clauses")
SPOKEN_DUTIES = {"prompt", "record"}
SOURCE_FOLDERS = ("casino", "tables", "jackpot", "tournaments", "templates")
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
TRANSLATORS = "Translators:"
_PLACEHOLDER = re.compile(r"%\((?P<old>\w+)\)|\{(?P<new>\w+)[^{}]*\}|%[sd]")
# Dates would change with every run and in every merge; the others are blanks of a form that nobody fills in.
_IDLE_HEADERS = re.compile(
    rb'^"(POT-Creation-Date|PO-Revision-Date|Generated-By|Project-Id-Version|Report-Msgid-Bugs-To|'
    rb"Last-Translator|Language-Team):.*\n",
    re.MULTILINE,
)
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


def collect(root: Path) -> Catalog:
    """Return all texts below `root` that are marked for translation, with the files they stand in."""
    catalog = Catalog(charset="utf-8")
    for file in sorted(_sources(root)):
        text = file.read_text("utf-8")
        if file.suffix != ".py":
            # What is no text to translate comes out as letters in its place; indented, they are no Python.
            text = "\n".join(line.lstrip() for line in templatize(text, origin=str(file)).splitlines())
        for _, function, messages, comments in extract_python(
            BytesIO(text.encode()), KEYWORDS, [TRANSLATORS], {"encoding": "utf-8"}
        ):
            message_id, context = _arrange(KEYWORDS[function], messages)
            if message_id:
                location = (file.relative_to(root).as_posix(), 0)
                notes = [note.removeprefix(TRANSLATORS).strip() for note in comments]
                catalog.add(message_id, locations=[location], context=context, auto_comments=notes)
    for file in sorted((root / CLAUSES).glob("*.toml")):
        for clause in tomllib.loads(file.read_text("utf-8")).values():
            if clause.get("summary") and SPOKEN_DUTIES & set(clause["duties"]):
                catalog.add(clause["summary"], locations=[(file.relative_to(root).as_posix(), 0)])
    return catalog


def update(root: Path, language: str) -> None:
    """Bring a language's django.po in step with the code, keeping what is translated, and compile it."""
    file = po_file(root, language)
    catalog = load(root, language)
    catalog.update(collect(root), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    file.parent.mkdir(parents=True, exist_ok=True)
    output = BytesIO()
    write_po(output, catalog, width=120, sort_output=True, include_lineno=False, omit_header=False)
    file.write_bytes(_IDLE_HEADERS.sub(b"", output.getvalue()))
    file.with_suffix(".mo").write_bytes(compiled(load(root, language)))


def load(root: Path, language: str) -> Catalog:
    """Return the translations of a language as they are on disk."""
    file = po_file(root, language)
    if not file.exists():
        catalog = Catalog(locale=language, project="Brush", charset="utf-8")
        catalog.header_comment = (
            "# What Brush says, in another language. `make messages` keeps it in step with the code."
        )
        catalog.fuzzy = False
        return catalog
    with file.open("rb") as source:
        return read_po(source, locale=language, charset="utf-8", abort_invalid=True)


def compiled(catalog: Catalog) -> bytes:
    """Return what django.mo has to hold for these translations."""
    catalog.creation_date = catalog.revision_date = _NO_DATE
    output = BytesIO()
    write_mo(output, catalog)
    return output.getvalue()


def po_file(root: Path, language: str) -> Path:
    """Return where the translations of a language are."""
    return root / "locale" / language / "LC_MESSAGES" / "django.po"


def problems(root: Path, *languages: str) -> list[str]:
    """Return what is missing or wrong in these languages, one sentence each; none: they are complete."""
    source = collect(root)
    return [problem for language in languages for problem in _problems(root, language, source)]


def _problems(root: Path, language: str, source: Catalog) -> list[str]:
    target, keys = load(root, language), _keys(source)
    wrong = list(_differences(source, target, language))
    for message in target:
        if message.id and (message.id, message.context) in keys:
            wrong += [f"{language}: {problem}: {_shown(message)}" for problem in _faults(message)]
    mo = po_file(root, language).with_suffix(".mo")
    if not wrong and (not mo.exists() or mo.read_bytes() != compiled(target)):
        wrong.append(f"{language}: django.mo is not what django.po says; run `make messages`")
    return wrong


def _sources(root: Path) -> Iterator[Path]:
    for folder in SOURCE_FOLDERS:
        for pattern in ("*.py", "*.html", "*.txt"):
            for file in (root / folder).rglob(pattern):
                if "migrations" not in file.parts and (file.suffix == ".py" or "templates" in file.parts):
                    yield file


def _arrange(
    spec: tuple[int | tuple[int, str], ...] | None, messages: object
) -> tuple[str | tuple[str, str] | None, str | None]:
    """Return the id and the context out of a call's arguments, of which those that are no literals are None."""
    arguments = messages if isinstance(messages, tuple) else (messages,)
    context, texts = None, []
    for entry in spec or (1,):
        position = entry[0] if isinstance(entry, tuple) else entry
        value = arguments[position - 1] if position <= len(arguments) else None
        if value is None:
            return None, None
        if isinstance(entry, tuple):
            context = value
        else:
            texts.append(value)
    return (texts[0], context) if len(texts) == 1 else ((texts[0], texts[1]), context)


def _keys(catalog: Catalog) -> set[tuple[object, str | None]]:
    return {(message.id, message.context) for message in catalog if message.id}


def _differences(source: Catalog, target: Catalog, language: str) -> Iterator[str]:
    known, wanted = _keys(target), _keys(source)
    for message in source:
        if message.id and (message.id, message.context) not in known:
            places = ", ".join(sorted({place for place, _ in message.locations}))
            yield f"{language}: not in django.po: {_shown(message)} ({places})"
    for message in target:
        if message.id and (message.id, message.context) not in wanted:
            yield f"{language}: no longer in the code: {_shown(message)}"


def _faults(message: Message) -> Iterator[str]:
    originals = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
    if not all(strings):
        yield "not translated"
        return
    if message.fuzzy:
        yield "marked fuzzy"
    # A singular may say "one seat" for "%(count)s seats"; beyond that the same must be filled in.
    allowed, needed = _placeholders(originals), _placeholders(originals[:1]) & _placeholders(originals[-1:])
    for string in strings:
        if not needed <= _placeholders([string]) <= allowed:
            yield f"placeholders differ in {string!r}"
        if string[:1].isspace() != originals[0][:1].isspace() or string[-1:].isspace() != originals[0][-1:].isspace():
            yield f"begins or ends with other white space in {string!r}"


def _placeholders(texts: Iterable[str]) -> set[str]:
    return {match.group(0) for text in texts for match in _PLACEHOLDER.finditer(text)}


def _shown(message: Message) -> str:
    text = message.id[0] if isinstance(message.id, tuple) else message.id
    return repr(text) + (f" (context {message.context!r})" if message.context else "")
