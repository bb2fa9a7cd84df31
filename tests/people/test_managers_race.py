"""Two managers who take each other's role at the same moment: one of them stays."""

from contextlib import nullcontext

import pytest
from django.db import connection

from casino.people.errors import LastManager
from casino.people.models import Staff
from casino.people.services import deactivate_staff
from tests.cast import Cast, command, make_cast
from tests.support.locks import meet, without_lock

pytestmark = pytest.mark.smoke


@pytest.fixture
def cast(committing_db: object) -> Cast:
    """Return a cast with two managers."""
    cast = make_cast()
    Staff.objects.filter(pk=cast.frans.pk).update(roles=["floor", "manager"])
    cast.frans.refresh_from_db()
    return cast


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_managers_who_close_each_others_doors_at_once_leave_one(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    if not is_locked:
        without_lock(monkeypatch, Staff)

    def closes_too() -> None:
        with pytest.raises(LastManager) if is_locked else nullcontext():
            deactivate_staff(command(cast.mari), staff_id=cast.frans.pk)

    meet(lambda: deactivate_staff(command(cast.frans), staff_id=cast.mari.pk), closes_too, waits=is_locked)

    assert Staff.objects.filter(roles__contains=["manager"], is_active=True).count() == is_locked
    connection.close()
