"""The lobby: which games run, where seats are free, how old each figure is, and nobody's name."""

from datetime import timedelta

from casino.live.render import fragment
from tables.models import Seating
from tables.selectors.lobby import RUNS_AFTER_A_HAND, Lobby, lobby
from tables.selectors.running import paces
from tables.services.hands import skip_hand
from tables.views.lobby import render_lobby
from tests.cast import enrolled
from tests.tables.conftest import House
from tests.taps import at_desktop, on_device


def wall(house: House) -> Lobby:
    return lobby(house.room_id)


def test_everybody_reads_the_lobby_and_so_does_the_television(house: House) -> None:
    enrolled(house.cast.room, "display")

    assert at_desktop().get("/lobby/").status_code == 200
    assert on_device("token-display-1").get("/lobby/").status_code == 200
    assert on_device("token-display-1").get("/floor/").status_code in {302, 403}


def test_games_show_tables_seated_and_free_seats(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1)
    house.settle(20_00)

    (row,) = wall(house).games

    assert (row.game.name, row.tables, row.seated, row.free) == (house.game().name, 2, 3, 17)
    assert [game.name for game in wall(house).on_request] == ["No limit hold'em 2/4", "No limit hold'em 5/5"]


def test_a_game_that_was_only_opened_does_not_run_yet(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    (row,) = wall(house).games

    assert not row.has_begun
    assert wall(house).free == 0
    assert "opening: players are being seated" in render_lobby(room_id=house.room_id)


def test_a_game_runs_for_a_while_after_its_last_hand_and_as_long_as_somebody_deals(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(20_00)

    (row,) = wall(house).games
    assert hand.settled_at is not None
    assert row.runs_until == hand.settled_at + RUNS_AFTER_A_HAND
    device = enrolled(house.cast.room, "table", 1)
    device.signed_in, device.signed_in_at = house.cast.anna, house.at
    device.sign_in_id = hand.hand_id
    device.save()

    (row,) = wall(house).games
    assert (row.has_dealer, row.runs_until) == (True, None)


def test_every_figure_carries_its_age(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(20_00)

    (row,) = wall(house).games

    assert row.newest_hand_at == hand.settled_at
    assert "last hand 20:00" in render_lobby(room_id=house.room_id)


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

    with django_assert_num_queries(6):  # type: ignore[operator]  # pytest-django's fixture
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
