"""A database that can store nothing: every tap is told so, nothing is half done, and later the same tap is done."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from casino.audit.models import Event
from casino.commands.models import AnsweredCommand
from casino.people.models import Player
from casino.simulation.disk import empty_disk, fill_disk
from tests.cast import Cast
from tests.conftest import Database
from tests.taps import at_desktop

pytestmark = pytest.mark.smoke


@contextmanager
def full_disk(database: Database) -> Iterator[None]:
    fill_disk(database.owner_url)
    try:
        yield
    finally:
        empty_disk(database.owner_url)


def stored() -> tuple[int, int, int]:
    return Player.objects.count(), Event.objects.count(), AnsweredCommand.objects.count()


def test_a_full_disk_is_said_nothing_is_stored_and_the_same_tap_is_done_later(committing_db, committed_cast: Cast):
    frans, headers = at_desktop(committed_cast.frans), {"Idempotency-Key": str(uuid.uuid4())}
    before = stored()

    with full_disk(committing_db):
        refused = frans.post("/api/v1/people/players", {"nickname": "Zoe"}, "application/json", headers=headers)
        assert stored() == before
    done = frans.post("/api/v1/people/players", {"nickname": "Zoe"}, "application/json", headers=headers)

    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (503, "disk_full", "1")
    assert "disk is full" in refused.json()["detail"]
    assert done.status_code == 200
    assert not done.json()["is_replay"]
    assert Player.objects.filter(nickname="Zoe").count() == 1


@pytest.mark.parametrize("is_tap", [True, False])
def test_a_full_disk_is_said_on_the_screen_too(committing_db, committed_cast: Cast, is_tap: bool):
    headers = {"Idempotency-Key": str(uuid.uuid4())} | ({"HX-Request": "true"} if is_tap else {})

    with full_disk(committing_db):
        refused = at_desktop(committed_cast.mari).post("/people/players/add/", {"nickname": "Zoe"}, headers=headers)

    assert refused.status_code == 503
    assert 'data-code="disk_full"' in refused.content.decode()
    assert ("<html" in refused.content.decode()) is not is_tap


def test_the_disk_has_room_again_afterwards(committing_db):
    with full_disk(committing_db):
        pass

    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_trigger WHERE tgname = 'disk_full'")
        assert cursor.fetchone() == (0,)
