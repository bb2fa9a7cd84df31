"""
Rows that many tests begin with, made once per test process and put in again for each test after that.

What makes them goes through the services, some two hundred statements; putting them in again is one.
The ids are those of the first time, and what is added later gets ids of its own. Rows that were made in different
databases may have the same ids.
"""

import pickle
from collections.abc import Callable, Hashable, Iterator
from functools import wraps
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, models

from casino.rooms.models import Room, RuleBookVersion
from casino.rooms.selectors import _books, rule_book
from casino.rulebooks.schema import RuleBook
from tests.support.books import OWN_IDS

Made = TypeVar("Made")
Books = dict[int, tuple[str, RuleBook]]
# What was put in last, and the steps since, with the state of its transaction right after.
_put_in_last: tuple[Hashable, tuple[str, int]] | None = None
_steps: dict[Hashable, tuple[str, bytes]] = {}
_done_once: set[Hashable] = set()


def kept(make: Callable[..., Made]) -> Callable[..., Made]:
    """
    Keep the rows and the result of `make` for each set of (hashable) arguments.

    Only where the database holds no room yet: beside another room `make` runs as it stands.
    """
    put_in: dict[object, tuple[str, bytes, Books]] = {}

    @wraps(make)
    def made(**arguments: object) -> Made:
        global _put_in_last
        if Room.objects.exists():
            return make(**arguments)
        key = tuple(sorted(arguments.items()))
        if key not in put_in:
            result = make(**arguments)
            put_in[key] = (_script({}, _rows()), pickle.dumps(result), _books_read())
        else:
            statements, pickled, books = put_in[key]
            _execute(statements)
            # This process may have read another text under the id.
            _books.update(books)
            # A copy of one's own, in a tenth of the time that copy.deepcopy takes.
            result = pickle.loads(pickled)
        _put_in_last = ((id(made), key), _transaction())
        return result

    return made


def first_step(key: Hashable, act: Callable[[], Made]) -> Made:
    """
    Do the first thing that happens after rows were put in, or, from the third time on, put in what it came to.

    `key` names it, with all that it hangs on. Where anything else has changed a row since, or where tests commit, it is
    done. A first step may be followed by another, which is kept as what comes after it.
    """
    global _put_in_last
    if not connection.in_atomic_block or _put_in_last is None or _put_in_last[1] != _transaction():
        return act()
    step = (_put_in_last[0], key)
    if step in _steps:
        statements, pickled = _steps[step]
        _execute(statements)
        result: Made = pickle.loads(pickled)
    elif step in _done_once:
        before = _rows()
        result = act()
        _steps[step] = (_script(before, _rows()), pickle.dumps(result))
    else:
        # Many steps are one test's own: to keep what they came to costs more than doing them.
        _done_once.add(step)
        result = act()
    _put_in_last = (step, _transaction())
    return result


def _books_read() -> Books:
    ids = list(RuleBookVersion.objects.values_list("id", flat=True))
    for version_id in ids:
        rule_book(version_id)
    return {version_id: _books[version_id] for version_id in ids}


def _transaction() -> tuple[str, int]:
    """Return which transaction this is, and how many rows it has changed so far."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_current_xact_id()::text, sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint"
            " FROM pg_stat_xact_user_tables"
        )
        name, changed = cursor.fetchone()
        return name, changed


def rows() -> dict[str, list[str]]:
    """Return all rows of our own tables as they stand, by table, as text."""
    with connection.cursor() as cursor:
        held = {}
        for model in _models():
            table = model._meta.db_table
            cursor.execute(f"SELECT to_jsonb(kept)::text FROM {table} AS kept ORDER BY 1")
            held[table] = [text for (text,) in cursor.fetchall()]
    return held


def _rows() -> dict[type[models.Model], dict[Any, str]]:
    """Return all rows of our own tables by model and primary key, each as JSON."""
    with connection.cursor() as cursor:
        held = {}
        for model in _models():
            key = model._meta.pk.column
            cursor.execute(f"SELECT {key}, to_json(kept)::text FROM {model._meta.db_table} AS kept ORDER BY {key}")
            held[model] = dict(cursor.fetchall())
    return held


def _script(before: dict[type[models.Model], dict[Any, str]], after: dict[type[models.Model], dict[Any, str]]) -> str:
    """Return the statements that lead from the rows before to those after."""
    lines = []
    for model, rows_after in after.items():
        rows_before = before.get(model, {})
        assert rows_before.keys() <= rows_after.keys(), "what is kept deletes nothing"
        new = [row for key, row in rows_after.items() if key not in rows_before]
        changed = [row for key, row in rows_after.items() if rows_before.get(key, row) != row]
        table, key = model._meta.db_table, model._meta.pk.column
        names = [f'"{field.column}"' for field in model._meta.local_concrete_fields if not field.generated]
        columns = ", ".join(names)
        if new:
            lines.append(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {_given(table, new)}")
            if isinstance(model._meta.pk, models.AutoField):
                counter = f"pg_get_serial_sequence('{table}', 'id')"
                last = f"GREATEST(nextval({counter}), (SELECT max(id) FROM {table} WHERE id < {OWN_IDS}))"
                lines.append(f"SELECT setval({counter}, {last})")
        if changed:
            values = ", ".join(f"given.{name}" for name in names)
            given = f"{_given(table, changed)} AS given"
            lines.append(f"UPDATE {table} SET ({columns}) = ({values}) FROM {given} WHERE {table}.{key} = given.{key}")
    return ";\n".join(lines)


def _given(table: str, json_rows: list[str]) -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_literal(%s)", [f"[{','.join(json_rows)}]"])
        (quoted,) = cursor.fetchone()
    return f"json_populate_recordset(NULL::{table}, {quoted})"


def _execute(statements: str) -> None:
    with connection.cursor() as cursor:
        # One script is one transaction, also where a test commits: postings come with their transfer. It is the
        # owner's, who alone may write whole rows over.
        cursor.execute(f"SET ROLE NONE;\n{statements};\nRESET ROLE")


def _models() -> Iterator[type[models.Model]]:
    """Yield the models of our apps, each after those that its rows point at."""
    ours = [model for model in apps.get_models() if model.__module__.startswith(("casino.", "tables.", "jackpot."))]
    seen: set[type[models.Model]] = set()

    def after_those_it_needs(model: type[models.Model]) -> Iterator[type[models.Model]]:
        if model in seen:
            return
        seen.add(model)
        for field in model._meta.local_concrete_fields:
            if field.related_model in ours:
                yield from after_those_it_needs(field.related_model)
        yield model

    for model in ours:
        yield from after_those_it_needs(model)
