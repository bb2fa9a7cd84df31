"""
An instance whose processes begin in hundredths of a second, and a database of its own that need not be migrated.

`manage.py simulate` starts its instances for real, and so do the first of the eight nights of `make test-all`.
"""

import os
import secrets
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from casino.embedded.home import postgres_programs
from casino.simulation.broken import Broken
from casino.simulation.instance import OwnInstance
from casino.simulation.machines import Database, Machines, fresh_database
from casino.supervisor.commands import manage_command
from tests.support import servers
from tests.support.patience import PATIENCE_SECONDS
from tests.support.warm import ancestor


class WarmInstance(OwnInstance):
    """An instance of its own, its processes forked from the ancestor of the tests' (`tests.support.warm`)."""

    def manage(self, *arguments: str) -> None:
        printed = self._log_file.with_name(f"manage-{secrets.token_hex(4)}.log")
        env = self._env | {"BRUSH_PROCESS": "manage"}
        if ancestor.start(manage_command(*arguments), env=env, log=printed).wait(timeout=PATIENCE_SECONDS) != 0:
            raise Broken(f"manage.py {' '.join(arguments)}", printed.read_text()[-2000:])

    def _spawner(self, name: str, command: list[str]) -> Callable[[], Any]:
        return lambda: ancestor.start(command, env=self._env_of(name), log=self._log_file)


class ColdAtFirst(WarmInstance):
    """An instance that starts for real; what is killed in its `warm_from`th night or later is forked then."""

    warm_from = 2
    _night = 0

    def begin_evening(self, night: int, *, book: str = "") -> None:
        self._night = night
        super().begin_evening(night, book=book)

    def manage(self, *arguments: str) -> None:
        kind = WarmInstance if self._night >= self.warm_from else OwnInstance
        kind.manage(self, *arguments)

    def _spawner(self, name: str, command: list[str]) -> Callable[[], Any]:
        forked, real = super()._spawner(name, command), OwnInstance._spawner(self, name, command)
        return lambda: (forked if self._night >= self.warm_from else real)()


@contextmanager
def copied_database(on: Machines) -> Iterator[Database]:
    """Make a database like the tests' template on other servers, yield its addresses, and drop it afterwards."""
    with fresh_database(on, fill=_copy_template) as database:
        yield database


def _copy_template(database: Database) -> None:
    programs = postgres_programs()
    assert programs is not None, "servers of their own come out of the wheel"
    template = servers.owner_url(servers.template_database())
    dump = [str(programs / "pg_dump"), "--no-owner", "--no-privileges", template]
    with subprocess.Popen(dump, stdout=subprocess.PIPE) as dumped:
        load = [str(programs / "psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", database.owner_url]
        subprocess.run(load, stdin=dumped.stdout, stdout=subprocess.DEVNULL, check=True)
    assert dumped.returncode == 0
    roles = {
        "DATABASE_URL": database.url,
        "BRUSH_OWNER_DATABASE_URL": database.owner_url,
        "BRUSH_SEALER_DATABASE_URL": database.sealer_url,
        "BRUSH_DATA_DIR": str(servers.DATA_DIR),
    }
    granted = ancestor.start(manage_command("grants"), env=os.environ | roles, log=servers.DATA_DIR / "grants.log")
    assert granted.wait(timeout=PATIENCE_SECONDS) == 0
