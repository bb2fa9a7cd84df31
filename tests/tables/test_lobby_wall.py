"""The lobby: which games run, where seats are free, how old each figure is, and nobody's name."""

import json
import re
import uuid
from datetime import timedelta
from html import unescape

import pytest
from django.utils.html import strip_tags

from casino.live.render import fragment
from casino.lobby.views import render_lobby
from casino.reading import reading_once
from casino.waiting.selectors.wall import RUNS_AFTER_A_HAND, RUNS_AFTER_A_PUSH, Lobby, lobby
from tables.models import Seating
from tables.selectors.running import paces
from tables.services.hands import skip_hand
from tests.cast import enrolled
from tests.tables.conftest import House
from tests.taps import at_desktop, on_device

pytestmark = pytest.mark.two_houses


def wall(house: House) -> Lobby:
    return lobby(house.room_id)


def on_the_wall(house: House) -> list[str]:
    """Return what is shown of each table: its free seats, or that nobody confirms it beside another."""
    html = render_lobby(room_id=house.room_id)
    rows = re.findall(r'"lobby-table( rests-alone)?">(.*?) <b>(.*?)</b><i>(.*?)</i>', html)
    return [f"{table} {unconfirmed if rests else seats}" for rests, table, seats, unconfirmed in rows]


def test_everybody_reads_the_lobby_and_so_does_the_television(house: House) -> None:
    enrolled(house.cast.room, "display")

    assert at_desktop().get("/lobby/").status_code == 200
    assert on_device("token-display-1").get("/lobby/").status_code == 200
    assert on_device("token-display-1").get("/floor/").status_code == 403


def test_games_show_tables_seated_and_free_seats(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1, Mika=2)
    house.settle(20_00)
    house.settle(20_00, number=2)

    (row,) = wall(house).games

    assert (row.game.name, row.tables, row.seated, row.free) == (house.game().name, 2, 4, 16)
    assert on_the_wall(house) == ["Table 1 8 free", "Table 2 8 free"]
    assert [game.name for game, _ in wall(house).on_request] == ["No limit hold'em 2/4", "No limit hold'em 5/5"]
    html = render_lobby(room_id=house.room_id)
    # What a player cannot use is no player's business.
    assert "last hand" not in html
    assert re.findall(r'data-figure="(\w+)"[^>]*>(\d+)<', html) == [("tables", "2"), ("seated", "4"), ("free", "16")]


@pytest.mark.helsinki
def test_games_show_what_they_are_entered_with(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(20_00)

    words = unescape(" ".join(strip_tags(render_lobby(room_id=house.room_id)).split()))

    assert re.search(
        r"No limit hold'em 2/2 buy-in 100\s€ – 400\s€ not confirmed · seats as of Table .* 1 2 8 full", words
    ), words
    assert "No limit hold'em 2/4not open yet · buy-in 200" in words
    assert "No limit hold'em 5/5not open yet · buy-in from 500" in words


def test_a_table_that_nobody_confirms_offers_no_seats_because_another_one_runs(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(20_00)
    house.open(2, Timo=1)

    (row,) = wall(house).games

    assert (row.tables, row.seated, row.free) == (1, 2, 8)
    assert wall(house).free == 8
    assert on_the_wall(house) == ["Table 1 8 free", "Table 2 not confirmed"]
    # The screen counts again by itself when a table comes to rest.
    confirmed, other = row.each
    assert confirmed.runs_until is not None
    assert json.loads(row.by_table) == [
        {"until": confirmed.runs_until.isoformat(), "seated": 2, "free": 8},
        {"until": None, "seated": 1, "free": 9},
    ]
    assert other.runs_until is None


def test_a_game_that_was_only_opened_does_not_run_yet(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    (row,) = wall(house).games

    assert not row.has_begun
    assert wall(house).free == 0
    assert "opening: players are being seated" in render_lobby(room_id=house.room_id)


def test_a_game_runs_for_a_while_after_its_last_hand(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(20_00)

    (row,) = wall(house).games

    assert hand.settled_at is not None
    assert row.runs_until == hand.settled_at + RUNS_AFTER_A_HAND


def test_a_dealer_who_pushed_in_confirms_a_game_until_the_next_push_is_long_due(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    pushed_in(house)

    (row,) = wall(house).games

    assert row.runs_until == house.at + RUNS_AFTER_A_PUSH
    assert "opening" not in render_lobby(room_id=house.room_id)


def test_a_dealer_alone_confirms_no_game(house: House) -> None:
    house.open(1, Lee=1)
    house.seat("Kai", 2, chips=0)
    pushed_in(house)

    (row,) = wall(house).games

    assert (row.runs_until, wall(house).free) == (None, 0)
    assert "not confirmed" in render_lobby(room_id=house.room_id)


def pushed_in(house: House) -> None:
    device = enrolled(house.cast.room, "table", 1)
    device.signed_in, device.signed_in_at, device.sign_in_id = house.cast.anna, house.at, uuid.uuid4()
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])


def test_every_figure_carries_its_age(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(20_00)

    (row,) = wall(house).games
    assert hand.settled_at is not None
    assert row.newest_hand_at == row.seats_at == hand.settled_at
    assert render_lobby(room_id=house.room_id).count(f'data-since="{hand.settled_at.isoformat()}"') == 1

    mika = house.seat("Mika", 3)
    (row,) = wall(house).games
    assert row.seats_at == mika.sat_down_at
    assert f'data-since="{mika.sat_down_at.isoformat()}"' in render_lobby(room_id=house.room_id)


def test_a_hand_that_was_not_logged_was_played_too(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=house.logged())

    assert wall(house).games[0].has_begun


def test_no_player_is_named_on_the_wall(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(20_00)

    html = fragment(house.room_id, "lobby", "en").html

    assert not any(seating.player.nickname in html for seating in Seating.objects.select_related("player"))


def test_an_empty_room_says_what_to_do(house: House) -> None:
    html = render_lobby(room_id=house.room_id)

    assert "ask the floor" in html
    assert "not open yet" in html


def test_the_wall_asks_the_same_number_of_queries_for_any_number_of_tables(
    house: House, django_assert_num_queries: object
) -> None:
    for number in (1, 2):
        house.open(number)
    house.seat("Lee", 1)
    house.seat("Kai", 2)
    house.settle(20_00)

    with reading_once(), django_assert_num_queries(10):  # type: ignore[operator]  # pytest-django's fixture
        render_lobby(room_id=house.room_id)


def test_the_pace_is_the_hands_of_the_hour_up_to_the_last_one(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    for _ in range(5):
        house.at += timedelta(minutes=3)
        house.settle(20_00)
    assert table.opening_id is not None
    assert paces([table])[table.opening_id].per_hour is None

    for _ in range(15):
        house.at += timedelta(minutes=2)
        house.settle(20_00)

    pace = paces([table])[table.opening_id]
    assert pace.newest_at == house.at
    assert pace.per_hour is not None
    assert 25 <= pace.per_hour <= 30
