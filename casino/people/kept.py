"""
What is kept about people, by kind: what for, for how long, and what goes when that is over.

Each app declares the kinds of its own tables in its `kept_data.py`, which is found by its name:

    keep(Kind("tables.play", _("Seats and hands"), purpose=_("…"), rows=(Rows(Seating, ("player",)),), …))
    about_nobody(Hand, "reason post", "codes of the game")

`tests/people/test_kept_data.py` walks all models: a column that can hold something about a person belongs to a kind, or
is named there as about nobody with the reason. Who on staff did something is an id in every app; what it leads to is
one kind, of the people's own (`people.staff`). An app says besides what of it somebody who works here is told
(`staff_data`).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, Max, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Greatest
from django.utils.functional import Promise

from casino.rulebooks.schema import PeoplesData

Text = str | Promise


@dataclass(frozen=True)
class Rows:
    """
    A table that holds something about players, in these `columns`.

    `player` is the path to whom it is about. With `at`, the moment under which a row stands, each row tells that its
    player was here then.
    """

    model: type[Model]
    columns: tuple[str, ...]
    player: str = "player"
    at: str = ""


@dataclass(frozen=True)
class Retention:
    """
    How long, and what then.

    `days` reads the book; `counts_from` says in words from when they count. `due` returns the rows of one table, of a
    room by its id, whose moment was before the given one; `about` names the columns with the ids of the players that
    such a row is about, `about_staff` those of staff, and `remove` empties or deletes rows, by their ids, for a moment;
    what is removed already is due no more. `may_go` is asked of each row once its people are locked, where more holds
    it than an inquiry.
    """

    days: Callable[[PeoplesData], int]
    counts_from: Text
    removes: Text
    due: Callable[[int, datetime], QuerySet[Any]]
    remove: Callable[[Sequence[int], datetime], None]
    about: tuple[str, ...] = ("player_id",)
    about_staff: tuple[str, ...] = ()
    may_go: Callable[[Any, datetime], bool] = lambda _row_id, _at: True


@dataclass(frozen=True)
class Cents:
    """An amount among what is told, in minor units of the room's currency."""

    cents: int


@dataclass(frozen=True)
class DataTable:
    """What somebody is told of a kind: a row is texts, figures, moments, days and amounts, None where there is none."""

    heads: tuple[Text, ...]
    rows: Sequence[Sequence[Any]]


# What the records of one player, or the one of somebody on staff, tell them.
DataReader = Callable[[Sequence[int]], Iterable[DataTable]]


@dataclass(frozen=True)
class Kind:
    """
    One kind of data about people. `count` tells how many of it a room keeps (None: nobody is told, for a figure would
    tell of what is kept from them), `player_data` what goes into a player's own file: nothing about others, and without
    it nothing, for the reason in `not_given`. `staff_data` is what of it goes into the file of somebody who works here.

    Without `retention` it stands as long as the books do, under ids that name nobody once who it is about was erased.
    """

    code: str
    title: Text
    purpose: Text
    rows: tuple[Rows, ...]
    count: Callable[[int], int] | None
    retention: Retention | None = None
    player_data: DataReader | None = None
    not_given: str = ""
    staff_data: DataReader | None = None


# What is known for a while of documents after their player's own wish.
KIND_OF_ERASED = "people.identity_of_erased"
_kinds: list[Kind] = []
_about_nobody: dict[type[Model], dict[str, str]] = {}


def keep(*kinds: Kind) -> None:
    """Declare kinds of data, from an app's `kept_data.py`."""
    for kind in kinds:
        assert kind.code not in {each.code for each in _kinds}, f"declared twice: {kind.code}"
        _kinds.append(kind)


def about_nobody(model: type[Model], columns: str, why: str) -> None:
    """Declare columns of a table, by name with spaces between them, that tell nothing about a person, and why."""
    _about_nobody.setdefault(model, {}).update(dict.fromkeys(columns.split(), why))


def kinds() -> tuple[Kind, ...]:
    """Return every kind, the people's own first."""
    return tuple(_kinds)


def kind_of(code: str) -> Kind:
    """Return a kind by its code."""
    return next(each for each in _kinds if each.code == code)


def declared() -> Iterable[tuple[type[Model], str, str]]:
    """Yield each declared column: its model, its name, and the kind's code, or "" where it is about nobody."""
    for kind in _kinds:
        yield from ((rows.model, column, kind.code) for rows in kind.rows for column in rows.columns)
    for model, columns in _about_nobody.items():
        yield from ((model, column, "") for column in columns)


def was_here_since(at: datetime) -> Q:
    """Return the condition, on players, that some row of any app tells they were here at that moment or later."""
    here_since = Q(created_at__gte=at)
    for rows in (rows for kind in _kinds for rows in kind.rows if rows.at):
        here: dict[str, Any] = {rows.player: OuterRef("pk"), f"{rows.at}__gte": at}
        here_since |= Q(Exists(rows.model._default_manager.filter(**here)))
    return here_since


def last_here() -> Greatest:
    """Return, for a query of players, the newest moment of which `was_here_since` knows."""
    newest = [
        Subquery(
            rows.model._default_manager.filter(**{rows.player: OuterRef("pk")})
            .order_by()
            .values(rows.player)
            .annotate(newest_at=Max(rows.at))
            .values("newest_at")
        )
        for kind in _kinds
        for rows in kind.rows
        if rows.at
    ]
    return Greatest(F("created_at"), *newest)
