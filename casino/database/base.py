"""
Django's PostgreSQL, but for which connection its pool gives out, and what it is asked first.

The one that came back last: PostgreSQL plans what a connection has not asked before, ten times for some of it, so eight
that take turns take eight times as long to know it all. And a connection is not asked whether it is there, which was a
trip to the server before each request and each push: where the server hangs up, the socket has something to read. A
server that is gone without a word is found by neither; TCP's own limits find it (`casino.settings`).
"""

import select
from datetime import UTC, datetime
from typing import Any, ClassVar

import psycopg
from django.db.backends.base.base import NO_DB_ALIAS
from django.db.backends.postgresql import base
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg_pool import ConnectionPool


class Pool(ConnectionPool["psycopg.Connection[Any]"]):
    """psycopg's pool, whose newest connection is the next one; the oldest is closed first, where none needs it."""

    def _get_ready_connection(self, timeout: float | None) -> "psycopg.Connection[Any] | None":
        # Under the pool's lock. It takes from the left, and puts back on the right.
        self._pool.rotate(1)
        return super()._get_ready_connection(timeout)


# Taps, pages and pushes send some two hundred texts. psycopg keeps a hundred prepared: of more the seldom ones push
# each other out, and PostgreSQL plans them anew each time.
PREPARED_MAX = 300


class MomentLoader(Loader):
    """
    Reads a timestamptz of a session in UTC, ten times as fast as psycopg's own loader, which goes by a pattern.

    Django takes it for its cursors as long as their zone is this one, and else registers its own.

    :raises ValueError: it is infinite, before the year 1 or after 9999. No column of ours holds such a moment.
    """

    timezone = UTC

    def load(self, data: Buffer) -> datetime:
        return datetime.fromisoformat(str(data, "ascii"))


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection as Django has it, from such a pool."""

    _connection_pools: ClassVar[dict[str, Pool]] = {}

    def _configure_connection(self, connection: "psycopg.Connection[Any]") -> Any:
        connection.prepared_max = PREPARED_MAX
        connection.adapters.register_loader("timestamptz", MomentLoader)
        return super()._configure_connection(connection)  # type: ignore[misc]  # its stubs lack it

    @property
    def pool(self) -> "Pool | None":
        options = self.settings_dict["OPTIONS"].get("pool")
        if self.alias == NO_DB_ALIAS or not options:
            return None
        if self.alias not in self._connection_pools:
            made = Pool(
                kwargs={**self.get_connection_params(), "autocommit": True},
                open=False,
                configure=self._configure_connection,
                check=check_open,
                **options,
            )
            # Of several threads at once the first one's.
            self._connection_pools.setdefault(self.alias, made)
        return self._connection_pools[self.alias]


def check_open(connection: "psycopg.Connection[Any]") -> None:
    """See that an idle connection is there. :raises OperationalError: the server has closed it."""
    # Not select(), which takes no number above 1023: among two thousand sockets a connection may have a higher one.
    poller = select.poll()
    poller.register(connection.fileno(), select.POLLIN)
    if poller.poll(0):
        ConnectionPool.check_connection(connection)
