"""
Debian's PostgreSQL 15 and Redis 7 for one command: `python -m tests.support.debian make test`.

The command finds them in DATABASE_URL and REDIS_URL. They listen on loopback, on ports that were free,
run as an ordinary user in a folder of their own, and are gone when the command ends.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from casino.embedded.home import Home, find_home
from casino.embedded.postgres import CARELESS, Postgres
from casino.embedded.redis_server import RedisServer
from tests.support import memory

POSTGRES_PROGRAMS = Path("/usr/lib/postgresql/15/bin")
REDIS_PROGRAM = Path("/usr/bin/redis-server")


@dataclass(frozen=True)
class DebianHome(Home):
    """A home whose servers listen on loopback, as servers on other machines would."""

    @property
    def has_short_path(self) -> bool:
        """Say no: the embedded servers use sockets already."""
        return False


class Postgres15(Postgres):
    """Debian's PostgreSQL, which has no built-in locale yet, and stretches every password alike."""

    version = "15"
    locale_options = ("--locale=C.UTF-8",)
    careless = CARELESS


def main(command: list[str]) -> int:
    """Run a command with both servers; return its exit code."""
    for program in (POSTGRES_PROGRAMS / "postgres", REDIS_PROGRAM):
        if not program.exists():
            sys.stderr.write(f"{program} is missing: apt-get install postgresql-15 redis-server\n")
            return 1
    memory.use_for_temporary_files()
    folder = Path(tempfile.mkdtemp(prefix="brush-debian-"))
    folder.chmod(0o711)
    home = find_home(folder / "data", say=print)
    home = DebianHome(home.data_dir, home.folder, home.account, POSTGRES_PROGRAMS, REDIS_PROGRAM)
    postgres, redis = Postgres15(home, durable=False), RedisServer(home, durable=False)
    servers: list[Postgres15 | RedisServer] = [postgres, redis]
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for server in servers:
            server.prepare()
            processes.append(server.spawn())
            server.wait_until_ready(processes[-1])
        urls = {
            "DATABASE_URL": postgres.url,
            "BRUSH_OWNER_DATABASE_URL": postgres.owner_url,
            "BRUSH_SEALER_DATABASE_URL": postgres.sealer_url,
            "REDIS_URL": redis.url,
        }
        return subprocess.run(command, env=os.environ | urls, check=False).returncode
    finally:
        for server in reversed(servers):
            server.stop_leftover()
        for process in processes:
            process.wait(timeout=10)
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
