"""Whoever waited for a device's lock finds it where it stands now."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connection, connections, transaction

from casino.people.models import Device
from casino.people.services.locks import lock_device
from casino.rooms.models import Place
from tests.cast import Cast, command, enrolled, make_cast
from tests.support.locks import until_somebody_waits
from tests.support.owner import as_owner
from tests.support.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.smoke


def _place_found(cast: Cast, device_id: int) -> int:
    with transaction.atomic():
        number = lock_device(command(cast.mari), device_id).place.number
    connections.close_all()
    return number


def test_a_device_that_was_waited_for_stands_where_its_place_is_now(committing_db: object) -> None:
    cast = make_cast()
    device_id = enrolled(cast.room, "table", 1).pk
    is_moved, may_commit = Event(), Event()

    def move() -> None:
        with transaction.atomic():
            device = Device.objects.select_for_update(no_key=True).get(pk=device_id)
            # A change of the row that is waited for, so that the waiting query looks at it again.
            with as_owner():
                Device.objects.filter(pk=device_id).update(name="Moved")
                Place.objects.filter(pk=device.place_id).update(number=9)
            is_moved.set()
            assert may_commit.wait(PATIENCE_SECONDS)
        connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        moved = pool.submit(move)
        assert is_moved.wait(PATIENCE_SECONDS)
        found = pool.submit(_place_found, cast, device_id)
        until_somebody_waits()
        may_commit.set()
        moved.result(timeout=PATIENCE_SECONDS)

        assert found.result(timeout=PATIENCE_SECONDS) == 9
    connection.close()
