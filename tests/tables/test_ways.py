"""The ways between a person's pages, and the way out: nobody at a desktop or a tablet comes to a dead end."""

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tables.services.opening import record_draw
from tables.views.floor import render_table
from tests.cast import enrolled
from tests.tables.conftest import House
from tests.taps import at_desktop, on_device

pytestmark = pytest.mark.two_houses


def ways(client: Client, path: str) -> list[str]:
    """Return where a page's strip leads, the form that signs out included."""
    strip = client.get(path, follow=True).content.decode().split("</header>", 1)[0].split("looks-open")[0]
    return re.findall(r'(?:href|action)="(/[^"]*)"', strip.split("<header", 1)[1])


@pytest.mark.parametrize("path", ["/floor/", "/cage/", "/tables/", "/cage/day/", "/ledger/", "/log/", "/people/"])
def test_from_every_desk_a_manager_comes_to_the_others(house: House, path: str) -> None:
    found = ways(at_desktop(house.cast.mari), path)

    assert {"/floor/", "/cage/day/", "/ledger/", "/people/", "/sign-out/"} <= set(found)


@pytest.mark.parametrize(("name", "path"), [("carla", "/cage/"), ("olavi", "/ledger/"), ("anna", "/tables/")])
def test_everybody_finds_the_way_out(house: House, name: str, path: str) -> None:
    assert "/sign-out/" in ways(at_desktop(house.cast.staff[name]), path)


def test_at_a_desktop_a_table_leads_back_to_the_tables_and_offers_no_pin_pad(house: House) -> None:
    house.open(1)
    anna = at_desktop(house.cast.anna)

    assert ways(anna, "/tables/1/") == ["/tables/"]
    assert "data-push-url" not in anna.get("/tables/1/").content.decode()


def test_a_table_that_is_none_is_not_found(house: House) -> None:
    assert at_desktop(house.cast.anna).get("/tables/0/").status_code == 404


def test_a_table_s_tablet_is_handed_over_or_left(house: House) -> None:
    house.open(1)
    device = enrolled(house.cast.room, "table", 1)
    device.signed_in, device.signed_in_at, device.sign_in_id = house.cast.anna, house.at, house.logged().hand_id
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])
    tablet = on_device("token-table-1")

    assert ways(tablet, "/tables/1/") == []
    assert 'data-push-url="/door/"' in tablet.get("/tables/1/").content.decode()
    assert ways(tablet, "/door/") == ["/tables/1/", "/door/sign-out/"]


def test_the_floor_shows_no_button_before_it_is_drawn(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    assert "BTN" not in render_table(room_id=house.room_id, number=1)

    house.tap(record_draw, table_id=table.pk, seats=[1, 2, 3], winner_seat=2)
    assert "BTN" in render_table(room_id=house.room_id, number=1)


def test_who_has_the_big_blind_next_does_not_wait_for_it(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    house.seat("Mika", 4)
    house.settle(20_00)
    house.seat("Pekka", 6)
    house.seat("Ville", 7, post=True)

    html = render_table(room_id=house.room_id, number=1)

    rows = " ".join(strip_tags(html).split())
    ways = re.findall(r"\d (?:Lee|Kai|Timo|Mika|Pekka|Ville) (.*?) ?put in", rows)
    assert ways == ["", "BTN", "SB", "BB", "waits for BB", "posts"]
