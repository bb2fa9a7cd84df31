"""A move taken back asks what sitting down asks: exclusions, the player's own hours, pairs kept apart."""

import uuid
from functools import partial

import pytest
from django.db import connection

from casino.commands.carrying_out import Command
from casino.errors import Refusal
from casino.people.errors import PlayerBanned
from casino.people.models import Player
from casino.people.services import add_player, ban_player, keep_apart, set_own_limit
from tables.errors_people import HoursUsedUp, PlayersKeptApart
from tables.models import Seating
from tables.services.moving import take_back_move
from tables.services.seating import leave_seat
from tests.cage.desk import at_once
from tests.cast import actor
from tests.tables.conftest import House, make_house
from tests.tables.test_moving import move, sits

pytestmark = pytest.mark.two_houses

ROUNDS = 3


def moved(house: House) -> Seating:
    """Kai has moved from table 1, where Lee sits, to table 2."""
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1)
    return move(house, "Kai", 5, stack=200_00)


def back(house: House, seating: Seating) -> Seating:
    house.tap(take_back_move, table_id=seating.table_id, seating_id=seating.pk)
    return sits(house, "Kai")


@pytest.mark.helsinki
@pytest.mark.django_db
def test_an_excluded_player_does_not_get_back_into_play_by_a_move_that_is_taken_back(house: House) -> None:
    new = moved(house)
    house.tap(ban_player, player_id=house.player("Kai").pk)

    with pytest.raises(PlayerBanned):
        back(house, new)

    assert sits(house, "Kai").barred_since is not None


@pytest.mark.helsinki
@pytest.mark.django_db
def test_whose_ban_has_run_out_meanwhile_is_dealt_in_again_in_the_old_seat(house: House) -> None:
    new = moved(house)
    Seating.objects.filter(player=house.player("Kai")).update(barred_since=house.at)

    assert back(house, new).barred_since is None


@pytest.mark.helsinki
@pytest.mark.django_db
def test_a_limit_of_hours_that_was_set_since_goes_along_and_refuses_when_it_is_reached(house: House) -> None:
    new = moved(house)
    house.tap(set_own_limit, player_id=house.player("Kai").pk, kind="hours", amount=60)
    assert back(house, new).plays_until is not None

    new = move(house, "Kai", 5, stack=200_00)
    house.tap(set_own_limit, player_id=house.player("Kai").pk, kind="hours", amount=0)
    with pytest.raises(HoursUsedUp):
        back(house, new)


@pytest.mark.helsinki
@pytest.mark.django_db
@pytest.mark.rule("H1.75")
def test_nobody_moves_back_to_whom_they_are_kept_apart_from_since(house: House) -> None:
    new = moved(house)
    house.tap(keep_apart, player_ids=[house.player("Kai").pk, house.player("Lee").pk])

    with pytest.raises(PlayersKeptApart):
        back(house, new)


@pytest.mark.helsinki
@pytest.mark.smoke
def test_nobody_sits_unmarked_who_was_banned_while_a_move_was_taken_back(committing_db: object) -> None:
    house = make_house()
    house.open(1, Lee=1)
    house.open(2, Mika=1)

    def tap_of() -> Command:
        return Command(id=uuid.uuid4(), by=actor(house.cast.frans), tapped_at=house.at, at=house.at)

    def tries(index: int, seating: Seating) -> object:
        if index == 0:
            return ban_player(tap_of(), player_id=seating.player_id)
        return take_back_move(tap_of(), table_id=seating.table_id, seating_id=seating.pk)

    for number in range(ROUNDS):
        nickname = f"Racer {number}"
        player_id = int(house.tap(add_player, nickname=nickname).data["player_id"])
        house.cast.players[nickname] = Player.objects.get(pk=player_id)
        house.seat(nickname, 5)
        new = move(house, nickname, 5, stack=200_00)

        said = at_once(2, partial(tries, seating=new))

        codes = [each.code if isinstance(each, Refusal) else "done" for each in said]
        assert codes[0] == "done", said
        assert codes[1] in {"done", "player_banned"}, said
        seating = sits(house, nickname)
        assert seating.barred_since is not None
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)
    connection.close()
