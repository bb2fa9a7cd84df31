"""What is kept of the documents of guests who wished to be forgotten: compliance reads it, and nobody else."""

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.money import format_count
from casino.people.kept_documents import kept_documents
from casino.people.models import Player
from casino.people.person_file import person_file
from casino.people.services import check_identity, erase_player
from casino.people.tasks import forget
from casino.rooms.selectors import rule_book_in_force
from tests.reports.test_exceptions import Officer
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

FULL, NUMBER = "Zebulon Virtanen", "PA1234567"
# The book, the documents, how many there are, whose they are, their records, who saw them.
QUERIES = 6


def shown(house: House, nickname: str = "Lee", number: str = NUMBER) -> int:
    """Have somebody show a passport; return them."""
    player_id = house.player(nickname).pk
    seen: dict[str, Any] = {"full_name": FULL, "document": "passport", "number": number, "valid_until": "2031-05-04"}
    house.tap(check_identity, house.cast.carla, player_id=player_id, **seen)
    return player_id


def forgotten(house: House, nickname: str = "Lee", number: str = NUMBER) -> int:
    player_id = shown(house, nickname, number)
    house.tap(erase_player, house.cast.mari, player_id=player_id)
    return player_id


@pytest.mark.slow
@pytest.mark.smoke
def test_an_officer_reads_what_is_kept_of_whom_until_when_and_what_for(house: House, vera: Officer) -> None:
    empty = vera.get("/compliance/documents/").content.decode()
    days = rule_book_in_force(house.room_id, at=house.at)[1].peoples_data.document_wish_days
    zone = ZoneInfo(house.cast.room.time_zone)
    player_id = forgotten(house)

    page, call = vera.get("/compliance/documents/").content.decode(), vera.get("/api/v1/compliance/documents").json()

    assert "No document of an erased guest is kept." in empty
    until = (house.at + timedelta(days=days)).astimezone(zone).date()
    for text in (FULL, NUMBER, "passport", "4.5.2031", "Carla", f"{until:%-d.%-m.%Y}", "brought and took large sums"):
        assert text in page
    assert f"{format_count(days, locale=house.cast.room.locale)} days, since the player was last here" in page
    assert f'href="/compliance/players/{player_id}/"' in page
    (row,) = call
    assert (row["player_id"], row["number"], row["full_name"], row["kept_until"]) == (
        player_id,
        NUMBER,
        FULL,
        until.isoformat(),
    )
    assert 'href="/compliance/documents/"' in vera.get("/compliance/").content.decode()
    # As the daily task does it: on that day it still there, and two days after it is not.
    for more, is_there in ((-1, True), (2, False)):
        with clock.frozen(house.at + timedelta(days=days + more)):
            forget()
            kept = kept_documents(house.cast.room, at=clock.now())
        assert (kept.count, len(kept.shown)) == (int(is_there), int(is_there))


def test_nobody_without_compliance_reads_them(house: House, vera: Officer) -> None:
    forgotten(house)

    for staff in (house.cast.mari, house.cast.frans, house.cast.carla):
        desk = at_desktop(staff)
        with clock.frozen(house.at):
            assert desk.get("/compliance/documents/").status_code in (403, 404)
            assert desk.get("/api/v1/compliance/documents").status_code == 403


def test_of_merged_records_it_is_kept_from_when_any_of_them_was_last_here(house: House, vera: Officer) -> None:
    lee = shown(house)
    later = house.at + timedelta(days=9)
    with as_owner():
        Player.objects.filter(pk=house.player("Kai").pk).update(merged_into=lee, merged_at=house.at, created_at=later)
    house.tap(erase_player, house.cast.mari, player_id=lee)

    kept = kept_documents(house.cast.room, at=house.at)

    zone = ZoneInfo(house.cast.room.time_zone)
    assert [each.kept_until for each in kept.shown] == [(later + timedelta(days=kept.days)).astimezone(zone).date()]


def test_it_asks_as_often_whatever_there_is_and_shows_a_part(house: House, vera: Officer) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            kept_documents(house.cast.room, at=house.at, most=1)
        return len(queries)

    forgotten(house)
    few = count()
    last = forgotten(house, "Kai", "PB7")

    assert (few, count()) == (QUERIES, QUERIES)
    (newest,) = vera.get("/api/v1/compliance/documents?limit=1").json()
    (before,) = vera.get("/api/v1/compliance/documents?limit=1&offset=1").json()
    assert (newest["player_id"], newest["number"], before["number"]) == (last, "PB7", NUMBER)


def test_who_is_still_a_guest_reads_theirs_in_their_own_file_and_stands_not_among_these(house: House) -> None:
    lee = shown(house)

    (kept,) = [each for each in person_file(Player.objects.get(pk=lee), at=house.at).as_data()["kinds"]
               if each["kind"] == "people.identity"]  # fmt: skip
    assert kept["tables"][0]["rows"][0][1:4] == ["passport", NUMBER, FULL]
    assert kept_documents(house.cast.room, at=house.at).count == 0
