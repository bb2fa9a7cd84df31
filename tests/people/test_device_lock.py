"""Whoever waited for a device's lock finds it where it stands now."""

import pytest
from django.db import transaction

from casino.people.models import Device
from casino.people.services.locks import lock_device
from casino.rooms.models import Place
from tests.cast import command, enrolled, make_cast
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner

pytestmark = pytest.mark.smoke


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_device_that_was_waited_for_stands_where_its_place_is_now(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    cast = make_cast()
    device_id = enrolled(cast.room, "table", 1).pk
    found = []

    def moves() -> None:
        device = Device.objects.select_for_update(no_key=True).get(pk=device_id)
        # A change of the row that is waited for, so that the waiting query looks at it again.
        with as_owner():
            Device.objects.filter(pk=device_id).update(name="Moved")
            Place.objects.filter(pk=device.place_id).update(number=9)

    def finds() -> None:
        with transaction.atomic():
            found.append(lock_device(command(cast.mari), device_id).place.number)

    if not is_locked:
        without_lock(monkeypatch, Device)
    meet(moves, finds, waits=is_locked)

    assert found == [9 if is_locked else 1]
