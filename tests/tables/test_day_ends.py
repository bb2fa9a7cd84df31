"""The gaming day closes: who still waits waits no more, said before, recorded, and not to be put back."""

import json
import re
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from casino import clock
from casino.audit.models import Event
from casino.cage.errors_days import DayHasBeen, DayLeavesOpen, DayNotFinished
from casino.cage.models import CarriedItem
from casino.cage.services import close_day, open_day
from casino.ledger.templatetags.money import money
from casino.people.services import give_pass
from casino.rooms.models import GamingDay
from casino.waiting.errors import NotOnList
from casino.waiting.models import Waiting
from casino.waiting.selectors.games import games_on_map
from casino.waiting.selectors.lists import struck_lately
from casino.waiting.selectors.phones import phone
from casino.waiting.services.lists import call_player, join_list, strike, take_back_strike
from tables.models import Seating, TableChange
from tables.services.opening import close_table
from tables.services.requests import ask_table_change
from tables.services.seating import leave_seat
from tests.cage.counting import carried
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_moving import sits
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def joins(house: House, nickname: str, game: str = "No limit hold'em 2/2", *, is_call_in: bool = False) -> int:
    answer = house.tap(
        join_list, game_id=house.game(game).pk, player_id=house.player(nickname).pk, is_call_in=is_call_in
    )
    return int(answer.data["waiting"])


def all_leave(house: House, *, short_cents: int = 0) -> None:
    for seating in Seating.objects.filter(left_at=None):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=200_00)
    for number in (1, 2):
        if house.table(number).is_open:
            house.tap(close_table, table_id=house.table_id(number))
    house.close_drawer(short_cents=short_cents)


def next_evening(house: House) -> None:
    house.at += timedelta(hours=20)
    house.tap(open_day, house.cast.mari)


def test_who_waits_or_has_called_in_is_off_every_list_when_the_day_closes(house):
    house.open(1, Lee=1, Kai=2)
    waits = [joins(house, "Timo"), joins(house, "Timo", "No limit hold'em 5/5"), joins(house, "Mika", is_call_in=True)]
    struck = joins(house, "Ville")
    house.tap(strike, waiting_id=struck, version=1)
    all_leave(house)

    answer = house.tap(close_day, house.cast.mari)

    assert sorted(answer.data["ended"]["waiting"]) == sorted(waits)
    ended = Waiting.objects.filter(id__in=waits)
    assert {(entry.status, entry.ended_why, entry.ended_by_id) for entry in ended} == {
        ("dropped", "day_closed", house.cast.mari.pk)
    }
    assert Waiting.objects.get(id=struck).ended_why == "by_tap"
    data = json.loads(Event.objects.get(name="cage.close_day").text)["data"]
    assert data["ended"]["waiting"] == answer.data["ended"]["waiting"]
    assert not any(offer.waiting.waiting for offer in games_on_map(house.room_id))


def test_a_call_in_countdown_keeps_its_table_open_and_ends_with_it(house):
    """So nobody is called any more when the day closes: a day with open tables does not."""
    table = house.open(1, Lee=1, Kai=2)
    timo = joins(house, "Timo")
    house.tap(call_player, waiting_id=timo, table_id=table.pk, seat_number=5)
    with pytest.raises(DayNotFinished):
        house.tap(close_day, house.cast.mari)
    assert Waiting.objects.get(id=timo).status == "called"

    all_leave(house)

    assert Waiting.objects.get(id=timo).status == "waiting"
    house.tap(close_day, house.cast.mari)
    assert Waiting.objects.get(id=timo).ended_why == "day_closed"


def test_wishes_and_phones_end_with_the_day(house, settings):
    settings.PHONE_URL = "https://room.example"
    house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    kai = sits(house, "Kai")
    house.tap(ask_table_change, table_id=kai.table_id, seating_id=kai.pk)
    joins(house, "Timo")
    given = house.tap(give_pass, player_id=house.player("Timo").pk).data["pass"]
    all_leave(house)

    answer = house.tap(close_day, house.cast.mari)

    wish = TableChange.objects.get()
    assert (wish.ended_why, wish.ended_at) == ("day_closed", house.at)
    assert answer.data["ended"]["table_changes"] == [wish.pk]
    assert phone(house.room_id, given).player is None


def test_the_manager_is_told_before_how_many_wait(house):
    mari = at_desktop(house.cast.mari)
    assert "their places end" not in mari.get("/cage/day/").text
    joins(house, "Timo")
    assert "1 player still waits: the place ends with the day." in mari.get("/cage/day/").text
    joins(house, "Timo", "No limit hold'em 5/5")
    joins(house, "Mika")

    page = mari.get("/cage/day/").text

    assert page.count("2 players still wait: their places end with the day.") == 2


def test_what_is_not_finished_is_carried_with_a_reason_for_each_and_recorded(house):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1)
    for number, stack in ((1, 166_00), (2, None)):
        for seating in Seating.objects.filter(table_id=house.table_id(number)):
            house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=stack)
    sheet = at_desktop(house.cast.frans).get(reverse("floor_close_sheet", args=[1]) + "?on=floor")
    assert money(68_00, house.cast.room) in sheet.text
    closed = house.tap(close_table, table_id=house.table_id(1))
    assert closed.data["in_play_cents"] == 68_00
    all_leave(house, short_cents=5_00)
    mari = at_desktop(house.cast.mari)
    words = ["doubt.1", "uncounted.2", "in_play.1", "in_play.2"]

    with pytest.raises(DayLeavesOpen, match="chips in play at table 1, where nobody sits") as refused:
        house.tap(close_day, house.cast.mari)
    left = refused.value.data["still_open"]
    assert (refused.value.status, left) == (409, [["doubt", 1], ["uncounted", 2], ["in_play", 1], ["in_play", 2]])
    page = mari.get("/cage/day/").text
    assert re.findall(r'name="carry_([^"]+)"', page) == words
    with pytest.raises(DayLeavesOpen) as one_more:
        house.tap(
            close_day, house.cast.mari, carrying=[carried(word) for word in [*words[:2], "in_play.2", "in_play.9"]]
        )
    assert one_more.value.data["still_open"] == [["in_play", 1]]

    chosen: dict[str, Any] = {f"carry_{word}": "no_time" for word in words}
    assert tap(mari, "/cage/day/close/", **chosen).status_code == 200
    data = json.loads(Event.objects.filter(name="cage.close_day").latest("id").text)["data"]
    kept = CarriedItem.objects.filter(id__in=data["carried"]).order_by("id")
    assert [[each.kind, each.number] for each in kept] == left
    assert {(each.reason, each.stage, each.carried_by_id) for each in kept} == {
        ("no_time", "operations", house.cast.mari.pk)
    }


def test_a_closed_day_says_what_happens_next(house):
    all_leave(house)
    house.tap(close_day, house.cast.mari)

    with clock.frozen(house.at):
        page = at_desktop(house.cast.mari).get("/cage/day/").text
    with pytest.raises(DayHasBeen, match="open from 00:00"):
        house.tap(open_day, house.cast.mari)

    assert "does not open again" in page
    assert "can be opened from 21.11. at 00:00" in page
    assert "/cage/day/open/" not in page


def test_nobody_is_put_back_into_an_evening_that_is_over(house):
    dropped, struck = joins(house, "Timo"), joins(house, "Mika")
    house.tap(strike, waiting_id=struck, version=1)
    all_leave(house)
    house.tap(close_day, house.cast.mari)
    may_be_put_back = struck_lately(house.game(), at=house.at)
    next_evening(house)

    assert not may_be_put_back
    for each in (dropped, struck):
        with pytest.raises(NotOnList):
            house.tap(take_back_strike, waiting_id=each, version=Waiting.objects.get(id=each).version)
    assert Waiting.objects.get(id=joins(house, "Timo")).status == "waiting"


def test_an_evening_goes_on_though_the_clock_was_set_back_to_before_it_opened(house, settings):
    settings.PHONE_URL = "https://room.example"
    house.at -= timedelta(hours=1)
    struck = joins(house, "Mika")
    house.tap(strike, waiting_id=struck, version=1)
    given = house.tap(give_pass, player_id=house.player("Mika").pk).data["pass"]
    seen = phone(house.room_id, given)

    assert [entry.pk for entry in struck_lately(house.game(), at=house.at)] == [struck]
    assert [place.entry.pk for place in seen.ended] == [struck]
    house.tap(take_back_strike, waiting_id=struck, version=2)
    assert Waiting.objects.get(id=struck).status == "waiting"


def test_days_of_before_find_their_place_in_the_log_though_the_clock_was_set_back(house):
    """As an upgrade fills it in: `cage.0006`."""
    all_leave(house)
    house.tap(close_day, house.cast.mari)
    next_evening(house)
    house.at -= timedelta(hours=30)
    joins(house, "Timo")
    ends = _ends_of_days()
    assert [closed is None for _, closed in ends] == [False, True]

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("UPDATE rooms_gamingday SET opened_after = 0, closed_after = NULL")
        cursor.execute(import_module("casino.cage.migrations.0006_days_in_the_log").FROM_THE_LOG)

    assert _ends_of_days() == ends


def _ends_of_days() -> list[tuple[int, int | None]]:
    """Return how many events of the log stand before each day's opening, and before its close."""
    ends = GamingDay.objects.order_by("id").values_list("opened_after", "closed_after")

    def before(event_id: int | None) -> int | None:
        return None if event_id is None else Event.objects.filter(id__lte=event_id).count()

    return [(before(opened) or 0, before(closed)) for opened, closed in ends]
