"""Places on a list never run out, however often somebody is put before the same player."""

import random

import pytest

from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.lists import drop_out, join_list, reorder_list, take_back_strike
from casino.waiting.services.state import STEP
from tests.tables.conftest import House
from tests.tables.test_closing import announce, gets_in_line

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]
NAMES = ("Timo", "Mika", "Ville", "Aino", "Pekka")


def joins(house: House, *nicknames: str) -> dict[str, int]:
    game_id = house.game().pk
    return {
        name: house.tap(join_list, game_id=game_id, player_id=house.player(name).pk).data["waiting"]
        for name in nicknames
    }


def puts(house: House, waiting: int, before: int | None) -> None:
    version = WaitingList.objects.get().version
    house.tap(reorder_list, waiting_id=waiting, before_id=before, reason="wrong_order", version=version)


def order(house: House) -> list[str]:
    live = Waiting.objects.filter(status__in=Waiting.LIVE).select_related("player").order_by("place", "id")
    return [entry.player.nickname for entry in live]


def test_two_change_places_before_a_third_for_as_long_as_they_like(house):
    entries = joins(house, "Timo", "Mika", "Ville")

    for turn in range(60):
        first, second = ("Timo", "Mika") if turn % 2 else ("Mika", "Timo")
        puts(house, entries[second], entries["Ville"])
        assert order(house) == [first, second, "Ville"]


def test_an_order_changed_at_random_is_what_the_paper_says(house):
    entries, paper, rng = joins(house, *NAMES), list(NAMES), random.Random(20261121)
    places = {name: STEP * 9 + number for number, name in enumerate(NAMES)}
    for name, place in places.items():
        Waiting.objects.filter(id=entries[name]).update(place=place)
    WaitingList.objects.update(places_given=10)

    for _ in range(40):
        before = rng.choice(NAMES[:2])
        moved = rng.choice([name for name in NAMES if name != before])
        paper.remove(moved)
        to_end = rng.random() < 0.1
        paper.insert(len(paper) if to_end else paper.index(before), moved)
        puts(house, entries[moved], None if to_end else entries[before])
        assert order(house) == paper


def test_who_has_gone_keeps_the_old_place_when_room_is_made(house):
    entries = joins(house, *NAMES)
    for number, name in enumerate(NAMES):
        Waiting.objects.filter(id=entries[name]).update(place=number)
    house.tap(drop_out, waiting_id=entries["Ville"])
    versions = dict(Waiting.objects.values_list("id", "version"))

    puts(house, entries["Timo"], entries["Aino"])

    assert order(house) == ["Mika", "Timo", "Aino", "Pekka"]
    assert Waiting.objects.get(id=entries["Pekka"]).version == versions[entries["Pekka"]]
    house.tap(take_back_strike, waiting_id=entries["Ville"], version=Waiting.objects.get(id=entries["Ville"]).version)
    assert set(order(house)[1:3]) == {"Timo", "Ville"}
    joins(house, "Sara")
    assert order(house)[-1] == "Sara"


@pytest.mark.rule("H2.11")
def test_rights_too_find_room_where_places_lie_close(house):
    house.open(1, Lee=1, Kai=2)
    entries = joins(house, "Timo", "Mika", "Ville")
    for number, name in enumerate(("Timo", "Mika", "Ville")):
        Waiting.objects.filter(id=entries[name]).update(place=number)
    announce(house, hands=0)
    gets_in_line(house, "Lee")
    puts(house, Waiting.objects.get(player=house.player("Lee")).pk, entries["Ville"])
    Waiting.objects.filter(player=house.player("Lee")).update(place=0)
    Waiting.objects.filter(id=entries["Timo"]).update(place=1)
    Waiting.objects.filter(id=entries["Mika"]).update(place=1)

    gets_in_line(house, "Kai")

    assert order(house) == ["Lee", "Kai", "Timo", "Mika", "Ville"]
