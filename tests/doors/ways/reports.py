"""The auditor's pack, by both doors."""

from datetime import timedelta

from casino.rooms.models import GamingDay
from tests.doors.way import Way
from tests.tables.conftest import House


def a_day_was_closed(house: House) -> None:
    # Whose drawer is open on these days gets no pack of them, and to the database this day is the newer one.
    house.close_drawer()
    before = house.at - timedelta(days=1)
    GamingDay.objects.create(
        room_id=house.room_id, date=before.date(), opened_at=before, opened_by_id=house.cast.mari.pk,
        closed_at=before + timedelta(hours=8), closed_by_id=house.cast.mari.pk, closed_after=0,
    )  # fmt: skip


DAYS = {"first_date": "2026-11-19", "last_date": "2026-11-19"}

WAYS = [Way("/reports/packs/make/", "reports/pack", DAYS, DAYS, before=a_day_was_closed)]
