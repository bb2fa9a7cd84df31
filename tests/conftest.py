"""
What tests of every area share. Areas add fixtures of their own in `tests/<area>/conftest.py`.

    db              the usual one: the test runs in a transaction that is rolled back
    committing_db   a database of the test's own, for what commits, races or starts processes
    brush_server    a real web process on such a database; `.start_worker()` adds worker and beat
    live_room       the same, with the demo room in it
    demo_in         the demo room without a process, in a database of the test's own
    open_folder     a folder in which embedded servers can live, whoever runs them
    chromium        a real browser; `chromium.page("dealer", "/")` opens a page at a device's size

No test flushes: what the house appends only cannot be truncated either, and a new copy of the
template is faster anyway.
"""

import contextlib
import functools
import gc
import itertools
import logging
import os
import shutil
import tempfile
import threading
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import pytest
import redis
from _pytest.nodeid import NodeId
from django.conf import settings as django_settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.core.management import call_command
from django.db import connection, connections
from django.template import Template
from django.test.utils import _TestState
from psycopg._preparing import PrepareManager
from pytest_django import DjangoDbBlocker

from casino.simulation import machines
from tests.support import memory, servers, warm
from tests.support.browser import Chromium, chromium_for_a_test
from tests.support.browser import running as running_browser
from tests.support.costs import Costs
from tests.support.room import BrushServer
from tests.support.two_houses import in_two_houses

# A machine that is busy for a moment is not a wrong answer. `make test-all` asks for the thorough ones.
for _profile, _examples in (("quick", 15), ("thorough", 100)):
    hypothesis.settings.register_profile(
        _profile, max_examples=_examples, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
hypothesis.settings.load_profile("quick")

# What is imported and collected stays. Looking through it again and again took a sixth of all that tests took.
gc.disable()

_running = ExitStack()
# A thousand tests leave 25 MB in the log's table alone: a request took a seventh more then. To sweep takes 0.2 s.
SWEPT_AFTER = 200
_rolled_back = itertools.count(1)
# What has the demo room in the test's own database.
HAVE_DEMO = {"live_room", "demo_in"}
_INSTEAD = {"transactional_db": "committing_db", "live_server": "brush_server", "django_db_serialized_rollback": "db"}


@dataclass(frozen=True)
class Database(machines.Database):
    """A database of a test's own."""

    name: str = ""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run know what it may take."""
    parser.addoption("--budget-seconds", type=float, default=0, help="say at the end which files cost most, and more")


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers, and point settings and the processes that tests start at them."""
    if getattr(config.option, "numprocesses", None):
        # The controller collects nothing.
        gc.enable()
    if config.option.help or config.option.collectonly:
        return
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Costs(config.option.budget_seconds))
    # A line for each request would bury what a failing test has to say.
    logging.getLogger("httpx").setLevel(logging.WARNING)
    memory.use_for_temporary_files()
    # In an xdist worker the environment already says where the controller's servers are.
    os.environ |= _running.enter_context(servers.running_servers())
    if getattr(config.option, "numprocesses", None):
        # Its seconds pass while the workers import and collect.
        template = threading.Thread(target=servers.template_database)
        template.start()
        _running.callback(template.join)
    django_settings.REDIS_URL = os.environ["REDIS_URL"]
    django_settings.REDIS_PREFIX = f"test-{os.getpid()}"
    # Each test client has middleware of its own: reading all static files anew for it would take most of its time.
    django_settings.WHITENOISE_AUTOREFRESH = True
    # A hash says itself how dear it was to make: what tests make is cheap for whoever checks it, servers too.
    Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 8, 1
    # A rollback ends each test, and with it psycopg would forget what a connection has prepared, for a table may be
    # another now. Here none is: what changes tables has a database and connections of its own.
    PrepareManager.clear = lambda self: False  # type: ignore[method-assign]
    PrepareManager.prepared_max = 1000
    # WhiteNoise warns when it is missing, and warnings are errors here.
    django_settings.STATIC_ROOT = servers.DATA_DIR / "static"
    django_settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    from casino import settings as brush_settings

    # Signed in as the owner and reduced to the role that serves: `tests.support.owner` is the way back for a moment. A
    # test's own transaction may lie idle for as long as it thinks of something; processes keep the house's bound.
    database = brush_settings.database_at(os.environ["BRUSH_OWNER_DATABASE_URL"])
    role = urlsplit(os.environ["DATABASE_URL"]).username
    database["OPTIONS"]["options"] += f" -c role={role} -c idle_in_transaction_session_timeout=0"
    for alias in connections:
        connections[alias].settings_dict |= database


def pytest_unconfigure() -> None:
    """Clear this run's keys away and stop the servers if nobody else uses them."""
    if "REDIS_URL" in os.environ:
        with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
            for key in client.scan_iter(f"test-{os.getpid()}*"):
                client.delete(key)
    running_browser.stop()
    warm.ancestor.stop()
    _running.close()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    in_two_houses(metafunc)


# Last, when it is known which of them run.
@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse fixtures that flush, and name the one to use; say what begins first, and what runs in one process."""
    if shares := _shares_beside_the_whole(items):
        config.hook.pytest_deselected(items=shares)
        items[:] = [item for item in items if item not in shares]
    items.sort(key=_turn)
    for item in items:
        if HAVE_DEMO & set(getattr(item, "fixturenames", ())) and not item.get_closest_marker("xdist_group"):
            # With the live players (tests/simulation/test_live.py): one process makes the demo room, not each.
            item.add_marker(pytest.mark.xdist_group("supervisor"))
    if getattr(config.option, "loadgroup", False):
        _name_groups(items)
    for item in items:
        marker = item.get_closest_marker("django_db")
        wanted = set(getattr(item, "fixturenames", ())) & _INSTEAD.keys()
        if marker and marker.kwargs.get("transaction"):
            wanted.add("transactional_db")
        for name in wanted:
            raise pytest.UsageError(f"{item.nodeid}: no test here flushes; use {_INSTEAD[name]} instead of {name}")


def _shares_beside_the_whole(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return who would ask a share (`each` or `share` says one in how many) where the same test asks all as well."""
    asking: dict[tuple[Path, str], dict[pytest.Item, int]] = {}
    for item in items:
        callspec = getattr(item, "callspec", None)
        parameters: dict[str, Any] = callspec.params if callspec else {}
        for name in {"each", "share"} & parameters.keys():
            asking.setdefault((item.path, item.name.partition("[")[0]), {})[item] = parameters[name]
    return {item for shares in asking.values() for item, share in shares.items() if share != 1 and 1 in shares.values()}


def _name_groups(items: list[pytest.Item]) -> None:
    """Say in each id which group its test belongs to: xdist says it where pytest 9 does not look any more."""
    for item in items:
        if (group := item.get_closest_marker("xdist_group")) and not item.nodeid.endswith(f"@{group.args[0]}"):
            item._id = NodeId.parse(f"{item.nodeid}@{group.args[0]}")


def _turn(item: pytest.Item) -> int:
    """Return which turn a test has: what has no database while a new template is made, then what takes longest."""
    names = set(getattr(item, "fixturenames", ()))
    if not item.get_closest_marker("django_db") and not names & {"db", "django_db_setup"}:
        return 0
    return 1 if item.get_closest_marker("longest") else 2


def pytest_collection_finish() -> None:
    """Have the collector of garbage look at what tests make, and no more often than it pays."""
    gc.freeze()
    gc.set_threshold(5000, 20, 20)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """After so many tests with a database clear away what they have left there, through which all others search."""
    result = yield
    if "db" in getattr(item, "fixturenames", ()) and next(_rolled_back) % SWEPT_AFTER == 0:
        servers.sweep(connection.settings_dict["NAME"])
    return result


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
    """Let deferred triggers judge before the rollback, while the test can still fail for it."""
    result = yield
    has_database = "db" in pyfuncitem.fixturenames or pyfuncitem.get_closest_marker("django_db")
    if has_database and connection.in_atomic_block and not connection.needs_rollback:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return result


@pytest.fixture(autouse=True)
def _no_code_was_tried() -> None:
    """Forget how many wrong codes came from this machine: to Redis all tests are one quarter of an hour."""
    # By pattern: whoever the house knows is counted by name.
    if keys := list(_redis().scan_iter(f"{django_settings.REDIS_PREFIX}:code:*", count=1000)):
        _redis().delete(*keys)


@pytest.fixture(scope="session", autouse=True)
def _telling(django_test_environment: None) -> Any:
    """
    Draw templates as the house does, and return how Django's tests draw them.

    They copy the context of each, at which hardly a test here looks.
    """
    telling = Template._render  # type: ignore[attr-defined]
    Template._render = _TestState.saved_data.template_render  # type: ignore[attr-defined]
    return telling


@pytest.fixture
def contexts(_telling: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test look at `response.context`."""
    monkeypatch.setattr(Template, "_render", _telling)


@functools.cache
def _redis() -> redis.Redis:
    return redis.Redis.from_url(os.environ["REDIS_URL"])


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Give this test process a copy of the template instead of running the migrations."""
    with servers.clone(servers.template_database()) as name:
        with django_db_blocker.unblock():
            _use(name)
        yield
        with django_db_blocker.unblock():
            _use("")


@pytest.fixture(scope="session")
def demo_template(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[str]:
    """Return the name of a database that holds the demo room, made once in this test process, for copies of it."""
    with django_db_blocker.unblock(), servers.clone(servers.template_database()) as name:
        before = connection.settings_dict["NAME"]
        _use(name)
        call_command("demo", verbosity=0)
        # Nobody may be connected to what is copied.
        _use(before)
        yield name


@pytest.fixture
def committing_db(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Database]:
    """Give a test a database of its own, in which it may commit; it is dropped afterwards."""
    if "db" in request.fixturenames or request.node.get_closest_marker("django_db"):
        pytest.fail("A test has either `db` or `committing_db` (also through brush_server).", pytrace=False)
    has_demo = bool(HAVE_DEMO & set(request.fixturenames))
    template = request.getfixturevalue("demo_template") if has_demo else servers.template_database()
    with django_db_blocker.unblock(), servers.clone(template) as name:
        before = connection.settings_dict["NAME"]
        _use(name)
        try:
            url = servers.with_database(os.environ["DATABASE_URL"], name)
            sealer_url = servers.with_database(os.environ["BRUSH_SEALER_DATABASE_URL"], name)
            yield Database(url=url, owner_url=servers.owner_url(name), sealer_url=sealer_url, name=name)
        finally:
            _use(before)


@pytest.fixture
def demo_in(committing_db: Database) -> None:
    """Have the demo room in the test's own database: for this `committing_db` copies `demo_template`."""


@pytest.fixture
def brush_server(committing_db: Database, tmp_path: Path) -> Iterator[BrushServer]:
    """Run a real web process; the test's own queries see its database."""
    server = BrushServer(database_url=committing_db.url, redis_url=os.environ["REDIS_URL"], folder=tmp_path)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def live_room(committing_db: Database, tmp_path: Path) -> Iterator[BrushServer]:
    """Run a real web process in the demo room; `committing_db` then holds it."""
    server = BrushServer(database_url=committing_db.url, redis_url=os.environ["REDIS_URL"], folder=tmp_path)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """
    Make a folder with a short path that other users can pass through, for embedded servers to live in.

    pytest's own are private: where tests run as root, the user who runs the servers could not reach them.
    """
    folder = Path(tempfile.mkdtemp(prefix="brush-"))
    folder.chmod(0o711)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder for embedded servers to live in."""
    with short_folder() as folder:
        yield folder


@pytest.fixture
def chromium(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chromium]:
    """Give a test new devices in a real browser, with the address of its server, if it has one, as base."""
    server = next((name for name in ("brush_server", "live_room") if name in request.fixturenames), None)
    base_url = request.getfixturevalue(server).url if server else None
    # Playwright's loop runs in this thread.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with chromium_for_a_test(base_url) as browser:
        yield browser
        # While that loop runs Django keeps another connection than before it; its database is dropped next.
        connections.close_all()


def _use(name: str) -> None:
    """Have this process talk to another database from now on, whose ids are its own; "" stands for none."""
    from casino.rooms import selectors

    selectors._books.clear()
    connections.close_all()
    connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL's own, and we have no other
    connection.settings_dict["NAME"] = name
