"""
Rows read and written in few statements, for the services that every tap at every table waits for.

The ORM builds a statement's text anew each time, for longer than PostgreSQL needs to carry it out, and a statement for
each row. Here a text is made once for each shape, so that the connection has it prepared; and whatever a service has
changed is written in one statement. What comes and goes are the same models: their columns, converters, constraints.
"""

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from typing import Any, LiteralString, Self, TypeVar
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import Field, Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.signals import post_save

from casino import seldom

M = TypeVar("M", bound=Model)

# Beside a row's fields: their values as PostgreSQL has them, in the order of its columns.
_STORED = "_stored"


def read(model: type[M], tail: LiteralString, *values: Any) -> list[M]:
    """
    Return the rows of one model. One statement.

    `tail` is a constant text, what follows FROM and the table's name: "WHERE room_id = %s FOR SHARE".
    """
    columns = _columns(model)
    with connection.cursor() as cursor:
        cursor.execute(_select(model, tail), values)
        return [columns.row(row) for row in cursor.fetchall()]


def read_joined(models: Sequence[type[Model]], tail: LiteralString, *values: Any) -> list[list[Any]]:
    """
    Return joined rows: of each model an instance, or None where a LEFT JOIN found nothing. One statement.

    In the constant `tail`, which begins with FROM, the tables keep their own names. A row that is joined to many (the
    game of three hundred who wait for it) is one instance, made once.
    """
    with connection.cursor() as cursor:
        cursor.execute(_select_joined(tuple(models), tail), values)
        return _split(models, cursor.fetchall())


def read_beside(model: type[M], beside: LiteralString, tail: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
    """
    Return the rows of one model, each with what is worked out beside it. One statement.

    Both texts are constant: `beside` is what follows the row's own columns ("now() - at, count(*)"), `tail` what
    follows the table's name, as in `read`.
    """
    columns = _columns(model)
    own = len(columns.fields)
    with connection.cursor() as cursor:
        cursor.execute(_select(model, tail, beside), values)
        return [(columns.row(row[:own]), *row[own:]) for row in cursor.fetchall()]


def read_seldom(models: Sequence[type[Model]], tail: LiteralString, *values: Any) -> list[list[Any]]:
    """As `read_joined`, of few rows that seldom change: a push asks once whether any of them have (`casino.seldom`)."""
    return _split(models, seldom.rows(_select_joined(tuple(models), tail), *values))


def text_made_once(query: Callable[..., "QuerySet[Any, Any]"]) -> Callable[..., list[tuple[Any, ...]]]:
    """
    Have the text of an ORM query of values made at its first call, and return its rows instead. One statement a call.

    `query` takes whole numbers alone, each of which stands in a condition as it is: it is called once, with others in
    their place.
    """
    stand_ins = {_STAND_IN + index: index for index in range(len(inspect.signature(query).parameters))}

    @cache
    def made() -> tuple[str, tuple[tuple[int | None, Any], ...], dict[int, Any]]:
        compiler = query(*stand_ins).query.get_compiler(DEFAULT_DB_ALIAS)
        text, values = compiler.as_sql()
        places = tuple((stand_ins.get(value) if type(value) is int else None, value) for value in values)
        assert {index for index, _value in places} >= set(stand_ins.values()), "a value is not in the text as it is"
        left = [value for index, value in places if index is None and isinstance(value, int) and value in stand_ins]
        assert not left, "a value is wrapped in one of its places"
        return text, places, compiler.get_converters([column[0] for column in compiler.select])

    @wraps(query)
    def rows(*given: int) -> list[tuple[Any, ...]]:
        text, places, converters = made()
        with connection.cursor() as cursor:
            cursor.execute(text, [value if index is None else given[index] for index, value in places])
            return [tuple(_converted(row, converters)) for row in cursor.fetchall()]

    return rows


def _converted(row: Sequence[Any], converters: dict[int, Any]) -> Iterator[Any]:
    for index, value in enumerate(row):
        converts, expression = converters.get(index, ((), None))
        for convert in converts:
            value = convert(value, expression, connection)
        yield value


# No id, amount or limit is one of these; they fit into every column of an id.
_STAND_IN = 2_147_000_000


def relate(row: Model, **related: Model | None) -> None:
    """Give a row what its foreign keys point to, as it was read: `row.game = game` without asking whether it may be."""
    row._state.fields_cache.update(related)


@dataclass(frozen=True)
class Update:
    """A row that was read or inserted here, of which what differs from then is written; nothing where nothing does."""

    row: Model


@dataclass(frozen=True)
class Insert:
    """New rows of one model, at least one. Their ids are not told, and to nobody who hears of what is saved."""

    rows: Sequence[Model]


Change = Update | Insert


def write(*changes: Change) -> None:
    """
    Write what has changed, all of it in one statement; none where nothing has.

    Which fields of a row have changed is seen by what was read: a list or an object that a field holds is given anew,
    not changed in place. The rows must be known to PostgreSQL before (no new row may name another new one), none may be
    named twice, and the caller holds the lock that owns them: in which order they are written is PostgreSQL's choice.
    """
    shape: list[Shape] = []
    values: list[Any] = []
    count = 0
    steps = list(_steps(changes))
    for model, fields, rows in steps:
        row_values = [_values(row, fields) for row in rows]
        values += map(list, zip(*row_values, strict=True)) if len(rows) > 1 else row_values[0]
        shape.append((model, fields, len(rows) > 1))
        count += len(rows)
    if not shape:
        return
    with connection.cursor() as cursor:
        cursor.execute(_written(tuple(shape)), values)
        (written,) = cursor.fetchone()
    assert written == count, f"{count - written} of {count} rows to be changed are not there"
    for _model, fields, rows in steps:
        if fields is not None:
            _note_written(rows[0], fields)


def _steps(changes: Sequence[Change]) -> Iterator[tuple[type[Model], tuple[str, ...] | None, Sequence[Model]]]:
    """Yield model, changed fields (None: new rows) and rows of each step, several rows in one where they can be."""
    for change in changes:
        if isinstance(change, Update):
            if fields := changed(change.row):
                yield type(change.row), fields, [change.row]
        else:
            model = type(change.rows[0])
            assert not post_save.has_listeners(model), f"somebody wants to hear of each new row of {model.__name__}"
            if _comes_apart(model):
                yield from ((model, None, [row]) for row in change.rows)
            else:
                yield model, None, change.rows


def insert(row: Model) -> None:
    """Write a new row, and tell it its id. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_inserted(type(row)), _values(row, None))
        (row.pk,) = cursor.fetchone()
    row._state.adding, row._state.db = False, connection.alias
    _note_written(row, None)


def _note_written(row: Model, fields: Collection[str] | None) -> None:
    """Note what is stored of a row now (None: all of a new one), and send the signal that its `save` would send."""
    _note_stored(row)
    if post_save.has_listeners(type(row)):
        names = None if fields is None else frozenset(fields)
        post_save.send(
            type(row), instance=row, created=fields is None, update_fields=names, raw=False, using=DEFAULT_DB_ALIAS
        )


def changed(row: Model) -> tuple[str, ...]:
    """Return the names of the fields that differ from what was read, inserted or written of a row, in their order."""
    stored = row.__dict__.get(_STORED)
    assert stored is not None, f"{row!r} was neither read nor inserted by casino.rows: nobody knows what has changed"
    now = row.__dict__
    fields = _columns(type(row)).fields
    return tuple(
        field.name
        for field, was in zip(fields, stored, strict=True)
        if now[field.attname] != was and not field.primary_key
    )


class Tracked(Model):
    """
    A model of which `changed` tells what differs where the ORM has read or made the row, too.
    """

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        super().save(*args, **options)
        _note_stored(self, options.get("update_fields"))

    def refresh_from_db(
        self, using: str | None = None, fields: Iterable[str] | None = None, from_queryset: QuerySet[Self] | None = None
    ) -> None:
        names = None if fields is None else list(fields)
        super().refresh_from_db(using, names, from_queryset)
        _note_stored(self, names)

    @classmethod
    def from_db(cls, *args: Any, **options: Any) -> Self:
        row = super().from_db(*args, **options)
        if not row.get_deferred_fields():
            _note_stored(row)
        return row

    def save_changed(self) -> None:
        """Write the fields that differ from what was read or saved of the row; nothing where none does."""
        write(Update(self))


def _note_stored(row: Model, names: Collection[str] | None = None) -> None:
    """Remember what is stored of a row: of the fields of these names, for others may have changed; or of all (None)."""
    columns, now = _columns(type(row)), row.__dict__
    stored = [now[name] for name in columns.names]
    if names is not None:
        both = zip(columns.fields, stored, now[_STORED], strict=True)
        stored = [value if field.name in names or field.attname in names else was for field, value, was in both]
    now[_STORED] = stored


@dataclass(frozen=True)
class _Columns:
    """A model's columns in their order, and what makes Python values of those that need it."""

    model: type[Model]
    fields: tuple["Field[Any, Any]", ...]
    names: tuple[str, ...]
    converters: tuple[tuple[int, Callable[..., Any], Any], ...]

    def row(self, read_values: Sequence[Any]) -> Any:
        values = list(read_values)
        for index, convert, expression in self.converters:
            values[index] = convert(values[index], expression, connection)
        # What `from_db` comes to with all columns there and nobody listening to its signals, in a third of its time.
        row = self.model.__new__(self.model)
        row.__dict__.update(zip(self.names, values, strict=True))
        row.__dict__[_STORED] = values
        row._state = state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        return row


@lru_cache
def _columns(model: type[Model]) -> _Columns:
    fields = tuple(model._meta.concrete_fields)
    expressions = [field.cached_col for field in fields]
    converters = [
        (index, convert, expression)
        for index, expression in enumerate(expressions)
        for convert in (
            *connection.ops.get_db_converters(expression),
            *expression.get_db_converters(connection),
        )
    ]
    return _Columns(model, fields, tuple(field.attname for field in fields), tuple(converters))


@lru_cache
def _select(model: type[Model], tail: str, beside: str = "") -> str:
    columns = f"{_list(model)}, {beside}" if beside else _list(model)
    return f"SELECT {columns} FROM {model._meta.db_table} {tail}"  # noqa: S608 - names of our own


@lru_cache
def _select_joined(models: tuple[type[Model], ...], tail: str) -> str:
    return f"SELECT {', '.join(map(_list, models))} {tail}"


def _list(model: type[Model]) -> str:
    return ", ".join(f'{model._meta.db_table}."{field.column}"' for field in _columns(model).fields)


def _split(models: Sequence[type[Model]], read_rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    parts: list[tuple[_Columns, int, int, dict[Any, Any]]] = []
    begin = 0
    for columns in map(_columns, models):
        end = begin + len(columns.fields)
        # By id, which comes first, and no row is without one: None stands for a row that is not there.
        parts.append((columns, begin, end, {None: None}))
        begin = end
    rows = []
    for values in read_rows:
        row = []
        for columns, begin, end, seen in parts:
            if (pk := values[begin]) not in seen:
                seen[pk] = columns.row(values[begin:end])
            row.append(seen[pk])
        rows.append(row)
    return rows


# The model, the fields of an update (None: a new row), and whether there are several rows.
Shape = tuple[type[Model], tuple[str, ...] | None, bool]


# A text for each set of fields that ever change together.
@lru_cache(maxsize=1024)
def _written(shape: tuple[Shape, ...]) -> str:
    parts = [_part(*each) for each in shape]
    steps = ", ".join(f"step_{number} AS ({part} RETURNING 1)" for number, part in enumerate(parts))
    counts = " + ".join(f"(SELECT count(*) FROM step_{number})" for number in range(len(parts)))  # noqa: S608
    return f"WITH {steps} SELECT {counts}"


def _part(model: type[Model], fields: tuple[str, ...] | None, is_several: bool) -> str:
    table = model._meta.db_table
    if fields is None:
        new = _fields(model, None)
        names = ", ".join(f'"{field.column}"' for field in new)
        if is_several:
            # An array for each column: a text with a place for each value of each row is long, and one for each length.
            columns = ", ".join(f"%s::{field.db_type(connection)}[]" for field in new)
            return f"INSERT INTO {table} ({names}) SELECT * FROM UNNEST({columns})"  # noqa: S608
        return f"INSERT INTO {table} ({names}) VALUES ({', '.join(['%s'] * len(new))})"  # noqa: S608
    changed = ", ".join(f'"{field.column}" = %s' for field in _fields(model, fields)[:-1])
    return f"UPDATE {table} SET {changed} WHERE id = %s"  # noqa: S608


@lru_cache
def _comes_apart(model: type[Model]) -> bool:
    """Say whether UNNEST would take its rows apart: it knows no array of arrays."""
    return any(isinstance(field, ArrayField) for field in _fields(model, None))


@lru_cache
def _inserted(model: type[Model]) -> str:
    return f"{_part(model, None, is_several=False)} RETURNING id"


@lru_cache
def _fields(model: type[Model], names: tuple[str, ...] | None) -> tuple["Field[Any, Any]", ...]:
    """Return the fields whose values a statement takes: those named and then the id, or all but the id."""
    if names is None:
        return tuple(field for field in model._meta.concrete_fields if not field.primary_key)
    by_name = {field.name: field for field in model._meta.concrete_fields}
    return (*(by_name[name] for name in names), by_name["id"])


# None goes out as it is, and so does what fields of these hold where it is of the type that they read: to ask each of a
# hand's hundred fields what PostgreSQL takes for it is a tenth of the tap. Other whole numbers do not: psycopg sends an
# int by the least type that holds it, and a statement would be prepared once for each. Ids go out so from Django, too.
_AS_IT_IS: dict[type["Field[Any, Any]"], type] = {
    models.CharField: str,
    models.TextField: str,
    models.BooleanField: bool,
    models.UUIDField: UUID,
    models.ForeignKey: int,
    models.PositiveSmallIntegerField: int,
}


@lru_cache
def _takes(model: type[Model], names: tuple[str, ...] | None) -> tuple[tuple[str, type | None, "Field[Any, Any]"], ...]:
    """Return of each field of `_fields` the attribute that holds its value, what goes out as it is, and the field."""
    return tuple((field.attname, _AS_IT_IS.get(type(field)), field) for field in _fields(model, names))


def _values(row: Model, names: tuple[str, ...] | None) -> list[Any]:
    # The connection itself: `connection` looks for the thread's own at each of a hundred questions.
    own, held, values = connections[DEFAULT_DB_ALIAS], row.__dict__, []
    for name, as_it_is, field in _takes(type(row), names):
        value = held[name]
        goes_out = value is None or type(value) is as_it_is
        values.append(value if goes_out else field.get_db_prep_save(value, connection=own))
    return values
