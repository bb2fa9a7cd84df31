"""A house that nobody has heard of is a file: it opens a room, deals, takes its rake and refuses in its own words."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import translation

from casino.rooms.models import Room
from casino.rulebooks import load
from casino.rulebooks.checking import what_is_wrong
from tables.errors import BuyInUnderMinimum, ClauseUnknown, NoSuchSeat, SeatTaken
from tables.models import Incident
from tables.services.incidents import write_incident
from tables.services.opening import open_table
from tests.tables.conftest import make_house
from tests.taps import at_desktop

SALONKI = str(Path(__file__).parent / "third_house" / "salonki.toml")

pytestmark = pytest.mark.django_db


def test_its_file_opens_a_room(monkeypatch):
    monkeypatch.setenv("BRUSH_MANAGER_PASSWORD", "a-long-enough-one")

    call_command("open_room", "salonki", book=SALONKI, manager="mari", verbosity=0)

    room = Room.objects.get()
    assert (room.name, room.currency, room.language) == ("Salonki", "SEK", "sv")
    assert what_is_wrong(Path(SALONKI).read_text(encoding="utf-8")) == ()


def test_it_deals_rakes_and_refuses_by_its_own_book():
    house = make_house(book=SALONKI)
    house.tap(open_table, table_id=house.table_id(), game_id=house.game("Hold'em 25/50").pk)
    for seat, nickname in enumerate(("Lee", "Kai", "Timo"), start=1):
        house.seat(nickname, seat, chips=3000_00)

    hand = house.settle(1000_00, winners=(2,))

    assert hand.taken("rake") == 40_00
    with pytest.raises(NoSuchSeat) as beyond:
        house.seat("Mika", 8, chips=3000_00)
    with pytest.raises(BuyInUnderMinimum) as short:
        house.seat("Mika", 4, chips=500_00)
    book, kronor = load(SALONKI), house.cast.room.money_format
    assert beyond.value.text(kronor, book=book) == "Sal-2: This table has seats 1 to 7."
    assert short.value.text(kronor, book=book).startswith("Sal-7: Nobody sits down here with 500")
    with translation.override("sv"):
        assert short.value.text(kronor, book=book).startswith("Sal-7: Ingen sätter sig här med 500")
    # What its book is silent on is said without a clause.
    assert SeatTaken(seat_number=3).text(kronor, book=book) == "Seat 3 is taken."


def test_its_floor_rules_by_its_own_clauses():
    house = make_house(book=SALONKI)
    lee = house.player("Lee").pk
    floor = at_desktop(house.cast.frans)

    sheet = floor.get(reverse("floor_incident_sheet", args=[1]), {"kind": "ruling"})
    house.tap(write_incident, kind="ruling", clause="Sal-9", player_ids=[lee])

    assert Incident.objects.get().clause == "Sal-9"
    assert "Sal-9" in sheet.content.decode()
    with pytest.raises(ClauseUnknown):
        house.tap(write_incident, kind="ruling", clause="H1.81", player_ids=[lee])
