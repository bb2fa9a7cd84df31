"""
The clauses that the shipped books stand on: id, what each asks of Brush, and a sentence where it is at work.

Ids are those of the houses' rules (H4.28) and never change.
"""

import tomllib
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import msgspec
from msgspec import Struct

from casino.rulebooks.shapes import learn


class Duty(StrEnum):
    """What a clause asks of the software; the first of a clause's duties is the main one."""

    COMPUTE = "compute"  # calculate or enforce
    TRACK = "track"  # state to keep and show
    PROMPT = "prompt"  # remind staff, or help them decide
    RECORD = "record"  # keep an incident or ruling
    INFO = "info"  # text to look up
    ONLINE = "online"  # written for play over the net; its like in a live room


class Clause(Struct, frozen=True):
    """
    A clause; `summary` is in our own words, empty where no part of Brush works by it yet.

    `open` says why nothing proves it, of a clause that the work at hand is about.
    """

    id: str
    duties: tuple[Duty, ...]
    summary: str = ""
    open: str = ""

    @property
    def is_in_every_language(self) -> bool:
        """Whether the floor says it to players, or writes down what came of it: then it is in every language."""
        return bool(self.summary) and not {Duty.PROMPT, Duty.RECORD}.isdisjoint(self.duties)


class _Entry(Struct, frozen=True, forbid_unknown_fields=True):
    duties: tuple[Duty, ...]
    summary: str = ""
    open: str = ""


_Entries: TypeAlias = dict[str, _Entry]
learn(_Entries)


def clause(clause_id: str) -> Clause:
    """
    Return the clause, whichever book it belongs to.

    :raises LookupError: no book has it.
    """
    for book in books_with_clauses():
        for entry in clauses(book):
            if entry.id == clause_id:
                return entry
    raise LookupError(f"no rule book has a clause {clause_id!r}")


@cache
def clauses(book: str) -> tuple[Clause, ...]:
    """
    Return the clauses of a book in the order of its chapters.

    :raises LookupError: the book has no clauses listed.
    """
    if book not in books_with_clauses():
        raise LookupError(f"no clauses are listed for {book!r}")
    text = files(__package__).joinpath("clauses", f"{book}.toml").read_text(encoding="utf-8")
    entries = msgspec.convert(tomllib.loads(text), _Entries)
    return tuple(Clause(clause_id, entry.duties, entry.summary, entry.open) for clause_id, entry in entries.items())


@cache
def books_with_clauses() -> tuple[str, ...]:
    """Return the names of the books whose clauses are listed, in alphabetical order."""
    entries = (entry.name for entry in files(__package__).joinpath("clauses").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in entries if name.endswith(".toml")))
