"""
Rows that many tests begin with, made once per test process and put in again for each test after that.

What makes them goes through the services, some two hundred statements; putting them in again is one.
The ids are those of the first time, and what is added later gets ids of its own.
"""

import copy
from collections.abc import Callable, Iterator
from functools import wraps
from typing import TypeVar

from django.apps import apps
from django.db import connection, models

from casino.rooms.models import Room

Made = TypeVar("Made")


def kept(make: Callable[..., Made]) -> Callable[..., Made]:
    """
    Keep the rows and the result of `make` for each set of (hashable) arguments.

    Only where the database holds no room yet: beside another room `make` runs as it stands.
    """
    put_in: dict[object, tuple[str, Made]] = {}

    @wraps(make)
    def made(**arguments: object) -> Made:
        if Room.objects.exists():
            return make(**arguments)
        key = tuple(sorted(arguments.items()))
        if key not in put_in:
            result = make(**arguments)
            put_in[key] = (_statements(), copy.deepcopy(result))
            return result
        statements, result = put_in[key]
        with connection.cursor() as cursor:
            # One script is one transaction, also where a test commits: postings come with their transfer.
            cursor.execute(statements)
        return copy.deepcopy(result)

    return made


def rows() -> dict[str, list[str]]:
    """Return all rows of our own tables as they stand, by table, as text."""
    with connection.cursor() as cursor:
        held = {}
        for model in _models():
            table = model._meta.db_table
            cursor.execute(f"SELECT to_jsonb(kept)::text FROM {table} AS kept ORDER BY 1")
            held[table] = [text for (text,) in cursor.fetchall()]
    return held


def _statements() -> str:
    lines = []
    with connection.cursor() as cursor:
        for model in _models():
            table = model._meta.db_table
            cursor.execute(f"SELECT json_agg(kept)::text FROM {table} AS kept")
            (text,) = cursor.fetchone()
            if text is None:
                continue
            cursor.execute("SELECT quote_literal(%s)", [text])
            (quoted,) = cursor.fetchone()
            names = [f'"{field.column}"' for field in model._meta.local_concrete_fields if not field.generated]
            columns = ", ".join(names)
            given = f"json_populate_recordset(NULL::{table}, {quoted})"
            lines.append(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM {given}")
            if isinstance(model._meta.pk, models.AutoField):
                counter = f"pg_get_serial_sequence('{table}', 'id')"
                last = f"GREATEST(nextval({counter}), (SELECT max(id) FROM {table}))"
                lines.append(f"SELECT setval({counter}, {last})")
    return ";\n".join(lines)


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
