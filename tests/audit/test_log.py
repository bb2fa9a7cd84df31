"""The log: PostgreSQL refuses to change it, and changed anyway it shows."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper

from casino import clock
from casino.audit import selectors, services
from casino.audit.models import Chain, Event, Seal
from casino.audit.selectors import LogFilter, audiences_since, breaks, log_page, newest_event_id
from casino.errors import NotPermitted
from casino.people.errors import NicknameTaken
from casino.people.services import add_player, make_enrolment_code, rename_player
from tests.audit.sealing import seal
from tests.cast import TONIGHT, Cast, command, make_cast
from tests.support.locks import meet
from tests.support.owner import as_owner
from tests.taps import at_desktop

pytestmark = [pytest.mark.smoke, pytest.mark.usefixtures("contexts")]


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


def run(sql: str, *values: str | int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


@pytest.fixture
def tamper(db: None):
    """Do what only the database's owner can: change rows behind the triggers' back."""

    def change(sql: str, *values: str | int) -> None:
        with as_owner():
            for table in ("audit_event", "audit_seal"):
                run(f"ALTER TABLE {table} DISABLE TRIGGER USER")
            run(sql, *values)
            for table in ("audit_event", "audit_seal"):
                run(f"ALTER TABLE {table} ENABLE TRIGGER USER")

    return change


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE audit_event SET result = 'done'",
        "DELETE FROM audit_event",
        "TRUNCATE audit_event",
        "UPDATE audit_seal SET signature = ''",
        "DELETE FROM audit_seal",
        "TRUNCATE audit_seal",
    ],
)
def test_postgresql_refuses_to_change_the_log(cast, sql, tmp_path):
    seal(tmp_path)
    before = (Event.objects.count(), Seal.objects.count())

    # Even who owns the log is stopped by its triggers; who serves has not the right (tests/platform/test_grants.py).
    with as_owner(), pytest.raises(DatabaseError, match=r"append-only|Cannot update or delete"), transaction.atomic():
        run(sql)

    assert (Event.objects.count(), Seal.objects.count()) == before


def test_an_untouched_log_is_whole(cast, tmp_path):
    add_player(command(cast.frans), nickname="Zoe")
    with pytest.raises(NicknameTaken):
        add_player(command(cast.frans), nickname="Zoe")
    seal(tmp_path)
    add_player(command(cast.frans), nickname="Yan")

    assert list(breaks(cast.room.pk)) == []
    out = StringIO()
    call_command("audit", "verify", stdout=out)
    assert "The log is whole." in out.getvalue()


def test_a_log_that_goes_on_while_it_is_read_is_whole(committing_db: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers write at any moment: heads and events are those of one moment."""
    cast = make_cast()
    add_player(command(cast.frans), nickname="Zoe")
    first_break = selectors._first_break

    def meanwhile(chain: Chain, first_id: int) -> object:
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(goes_on).result()
        return first_break(chain, first_id)

    def goes_on() -> None:
        add_player(command(cast.frans), nickname=f"Guest {Event.objects.count()}")
        connection.close()

    monkeypatch.setattr(selectors, "_first_break", meanwhile)

    assert list(breaks(cast.room.pk)) == []
    assert Event.objects.filter(name="people.add_player").count() >= 2


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_events_of_one_chain_at_once_follow_each_other(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    cast = make_cast()

    def look(cursor: CursorWrapper, room_id: int, chain: str) -> object:
        cursor.execute("SELECT number, hash FROM audit_chain WHERE room_id = %s AND name = %s", [room_id, chain])
        return cursor.fetchone()

    def logs() -> None:
        # Nothing else is locked by both.
        make_enrolment_code(command(cast.mari), kind="table", number=4, device_name="Tablet 4")

    def comes_late() -> None:
        # The constraint has the last word.
        with nullcontext() if is_locked else pytest.raises(IntegrityError, match="event_numbered_once_per_chain"):
            logs()

    logs()
    if not is_locked:
        monkeypatch.setattr(services, "_head", look)

    meet(logs, comes_late)

    assert Event.objects.filter(name="people.make_enrolment_code").count() == (3 if is_locked else 2)
    assert list(breaks(cast.room.pk)) == []


def rename_twice(cast: Cast) -> str:
    """Give one chain three events; return its name."""
    player_id = add_player(command(cast.frans), nickname="Zoe").data["player_id"]
    for nickname in ("Zoe 2", "Zoe 3"):
        rename_player(command(cast.frans), player_id=player_id, nickname=nickname)
    return f"player.{player_id}"


@pytest.mark.parametrize(
    ("sql", "number"),
    [
        pytest.param("UPDATE audit_event SET text = text || ' ' WHERE chain = %s AND number = 2", 2, id="text"),
        pytest.param("UPDATE audit_event SET staff_id = -1 WHERE chain = %s AND number = 2", 2, id="column"),
        pytest.param("UPDATE audit_event SET at = at + interval '1s' WHERE chain = %s AND number = 1", 1, id="time"),
        pytest.param("DELETE FROM audit_event WHERE chain = %s AND number = 2", 2, id="a missing link"),
        pytest.param("DELETE FROM audit_event WHERE chain = %s AND number = 3", 3, id="a missing end"),
        pytest.param("DELETE FROM audit_chain WHERE name = %s", 1, id="a missing head"),
        pytest.param("UPDATE audit_chain SET hash = repeat('0', 64) WHERE name = %s", 4, id="another head"),
    ],
)  # fmt: skip
def test_tampering_breaks_the_chain_where_it_was_done(cast, tamper, sql, number):
    chain = rename_twice(cast)

    tamper(sql, chain)

    assert [(found.chain, found.number) for found in breaks(cast.room.pk)] == [(chain, number)]
    with pytest.raises(CommandError, match="1 broken"):
        call_command("audit", "verify", stdout=StringIO(), stderr=StringIO())


def test_each_room_has_its_own_log(cast, tamper):
    other = make_cast(slug="other")
    chain = rename_twice(cast)

    tamper("UPDATE audit_event SET text = '{}' WHERE chain = %s AND number = 1", chain)

    assert [found.chain for found in breaks(cast.room.pk)] == [chain]
    assert list(breaks(other.room.pk)) == []


def test_the_log_is_the_outbox_of_news(cast):
    before = newest_event_id()
    add_player(command(cast.frans), nickname="Zoe")

    [(event_id, room_id, audiences, _)] = audiences_since(before)

    assert event_id == newest_event_id()
    assert (room_id, audiences) == (cast.room.pk, ["cage", "floor", "lobby"])


def test_managers_and_auditors_read_the_log_with_names(cast):
    rename_twice(cast)
    page = at_desktop(cast.olavi).get("/log/?name=people.rename_player")
    text = page.content.decode()

    assert text.count("got this name.</p>") == 2
    assert "Frans" in text
    assert at_desktop(cast.frans).get("/log/").status_code == 403


def test_the_page_proves_the_last_days_and_says_since_when(cast):
    client = at_desktop(cast.olavi)
    with clock.frozen(TONIGHT + timedelta(days=4)):
        page = client.get("/log/proof/").content.decode()
    assert "Since 21.11.2026 20:00 the log holds" in page
    assert "is proven by manage.py audit verify" in page


@pytest.mark.parametrize("since_number", [2, 3])
def test_what_is_proven_since_a_moment_is_tied_to_what_was_before(cast, tamper, since_number):
    player_id = add_player(command(cast.frans), nickname="Zoe").data["player_id"]
    hours = [TONIGHT + timedelta(hours=number) for number in (1, 2)]
    for at in hours:
        rename_player(command(cast.frans, at=at), player_id=player_id, nickname=f"Zoe {at:%H}")
    since = hours[since_number - 2]
    assert list(breaks(cast.room.pk, since=since)) == []

    tamper("UPDATE audit_event SET text = text || ' ' WHERE chain = %s AND number = 2", f"player.{player_id}")
    found = [(each.chain, each.number) for each in breaks(cast.room.pk, since=since)]
    # A text from before is the command's to read; what came after it still hangs on its hash.
    assert found == ([(f"player.{player_id}", 2)] if since_number == 2 else [])

    tamper("UPDATE audit_event SET hash = repeat('0', 64) WHERE chain = %s AND number = 2", f"player.{player_id}")
    assert [(each.chain, each.number) for each in breaks(cast.room.pk, since=since)] == [
        (f"player.{player_id}", since_number)
    ]


def test_the_log_page_says_why_something_was_refused(cast):
    with pytest.raises(NicknameTaken):
        add_player(command(cast.frans), nickname="Lee")
    with pytest.raises(NotPermitted):
        add_player(command(cast.olavi), nickname="Zoe")

    shown = at_desktop(cast.mari).get("/log/?result=refused").content.decode()

    assert "Another player here has that nickname" in shown
    assert [event.result for event in log_page(cast.room.pk, LogFilter(result="refused"))] == ["nickname_taken"]


def test_the_log_is_read_page_by_page_in_few_queries(cast, django_assert_max_num_queries):
    client = at_desktop(cast.mari)
    for number in range(60):
        add_player(command(cast.frans), nickname=f"Player {number}")
    # A process reads a rule book once: by it the page says on which clause something was refused.
    client.get("/log/")

    with django_assert_max_num_queries(9):
        first = client.get("/log/?name=people.add_player")
    second = client.get(f"/log/?name=people.add_player&before={first.context['older']}")

    assert (len(first.context["rows"]), len(second.context["rows"]) > 0) == (50, True)
