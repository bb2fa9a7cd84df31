"""The rows that one tap wrote, written again by prepared statements alone: what its commit costs at the least."""

import time
from typing import Any

import psycopg
from psycopg import sql
from psycopg.types.json import set_json_loads


class Commit:
    """
    The rows of a tap, and tables of the same shape to write them into.

    The copies have the columns, checks and indexes of the originals; no trigger and no foreign key slows them down.
    """

    def __init__(self, owner_url: str) -> None:
        self._connection = psycopg.connect(owner_url, autocommit=True, prepare_threshold=0)
        # What is JSON goes back as the text it came as.
        set_json_loads(lambda text: text.decode() if isinstance(text, bytes) else str(text), self._connection)
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._inserts: dict[str, sql.Composed] = {}

    def newest(self) -> int:
        """Return the number that the next transaction of this cluster will have."""
        found = self._connection.execute("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint").fetchone()
        assert found is not None
        return int(found[0])

    def learn(self, *, since: int) -> None:
        """Take as the tap's rows all that were written by this transaction or a later one."""
        self._connection.execute("CREATE SCHEMA raw")
        names = self._connection.execute("SELECT relname FROM pg_stat_user_tables WHERE schemaname = 'public'")
        for (name,) in names.fetchall():
            table = sql.Identifier(name)
            written = sql.SQL("SELECT * FROM public.{} WHERE xmin::text::bigint >= %s").format(table)
            found = self._connection.execute(written, [since])
            if rows := found.fetchall():
                self._connection.execute(sql.SQL("CREATE TABLE raw.{0} (LIKE public.{0} INCLUDING ALL)").format(table))
                places = sql.SQL(", ").join([sql.Placeholder()] * len(found.description or ()))
                self._rows[name] = rows
                self._inserts[name] = sql.SQL("INSERT INTO raw.{} OVERRIDING SYSTEM VALUE VALUES ({})").format(
                    table, places
                )

    @property
    def count(self) -> int:
        """Return how many rows the tap wrote."""
        return sum(len(rows) for rows in self._rows.values())

    def seconds(self) -> float:
        """Write all rows in one transaction, and return how long that took with its commit."""
        begun = time.perf_counter()
        with self._connection.transaction(), self._connection.cursor() as cursor:
            for name, rows in self._rows.items():
                cursor.executemany(self._inserts[name], rows)
        took = time.perf_counter() - begun
        self._connection.execute(
            sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(sql.Identifier("raw", name) for name in self._rows))
        )
        return took

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()
