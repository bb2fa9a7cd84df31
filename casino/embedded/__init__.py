"""
A real PostgreSQL and a real Redis out of wheels, for a machine that has neither.

What is here only reads: settings ask it where the servers of a data folder are, and importing it
starts nothing and writes nothing. `casino.embedded.servers` starts and stops them.
"""

import json
from pathlib import Path
from urllib.parse import quote

STATE_FILE = "servers.json"
# The roles of the room's database (casino/grants.py).
OWNER, RUNTIME, SEALER = "brush", "brush_runtime", "brush_sealer"


def database_url(data_dir: Path) -> str:
    """Return where the house serves from the PostgreSQL of a data folder, or would if it had ever been started."""
    return _state(data_dir).get("database_url") or postgres_socket_url(data_dir / "servers" / "sockets")


def owner_database_url(data_dir: Path) -> str:
    """Return the URL, as `database_url`, for the owner of the database, who migrates and backs up."""
    kept = _state(data_dir).get("owner_database_url")
    return kept or postgres_socket_url(data_dir / "servers" / "sockets", role=OWNER)


def sealer_database_url(data_dir: Path) -> str:
    """Return the URL, as `database_url`, for the sealer, which alone adds seals."""
    kept = _state(data_dir).get("sealer_database_url")
    return kept or postgres_socket_url(data_dir / "servers" / "sockets", role=SEALER)


def redis_url(data_dir: Path) -> str:
    """Return where the Redis of a data folder listens, or would listen if it had ever been started."""
    return _state(data_dir).get("redis_url") or redis_socket_url(data_dir / "servers" / "sockets")


def postgres_socket_url(folder: Path, *, role: str = RUNTIME, password: str = "") -> str:
    """Return the URL of the room's database behind a socket in `folder`."""
    login = f"{role}:{quote(password)}" if password else role
    return f"postgresql://{login}@/brush?host={quote(str(folder), safe='')}&port=5432"


def redis_socket_url(folder: Path) -> str:
    """Return the URL of Redis behind a socket in `folder`."""
    return f"unix://{quote(str(folder / 'redis'))}?db=0"


def _state(data_dir: Path) -> dict[str, str]:
    try:
        state = json.loads((data_dir / STATE_FILE).read_text())
    except (OSError, ValueError):
        return {}
    # A copied tree brings along the other tree's state, and must not write into the other tree's database.
    return state if state.get("data_dir") == str(data_dir.resolve()) else {}
