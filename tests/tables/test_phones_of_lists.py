"""Every list that moves is told to the phones that show it, whatever moved it."""

from collections.abc import Callable

import pytest

from casino.people.services import ban_player, give_pass
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import join_list
from tables.services.closing import announce_last_orbit
from tables.services.moving import take_back_move
from tests.tables.conftest import House
from tests.tables.test_moving import move, sits

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _reachable(settings):
    settings.PHONE_URL = "https://room.example"


def phone_of(house: House, nickname: str) -> str:
    return f"pass.{house.tap(give_pass, player_id=house.player(nickname).pk).data['pass']}"


def waits(house: House, nickname: str) -> None:
    house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)


def finds_no_seat(house: House) -> None:
    kai = sits(house, "Kai")
    house.tap(announce_last_orbit, table_id=kai.table_id, hands=0)
    house.tap(wait_with_right, table_id=kai.table_id, seating_id=kai.pk, stack_cents=200_00)


def moves_and_back(house: House) -> None:
    waits(house, "Kai")
    sat = move(house, "Kai", 5, stack=200_00)
    house.tap(take_back_move, table_id=sat.table_id, seating_id=sat.pk)


def is_banned(house: House) -> None:
    waits(house, "Kai")
    house.tap(ban_player, player_id=house.player("Kai").pk, clause="H1.76")


@pytest.mark.parametrize("happens", [finds_no_seat, moves_and_back, is_banned])
def test_the_phones_on_a_list_hear_of_it(
    house: House, monkeypatch, django_capture_on_commit_callbacks, happens: Callable[[House], None]
):
    house.open(1, Lee=1, Kai=2)
    house.open(2, Jo=1)
    waits(house, "Timo")
    phones = {phone_of(house, name) for name in ("Timo", "Kai")}
    last: list[set[str]] = []
    monkeypatch.setattr(
        "casino.commands.carrying_out.publish", lambda *, room_id, audiences: last.append(set(audiences))
    )

    with django_capture_on_commit_callbacks(execute=True):
        happens(house)

    assert phones <= last[-1]
