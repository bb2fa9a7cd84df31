"""A move taken back asks what sitting down asks: exclusions, the player's own hours, pairs kept apart."""

from contextlib import nullcontext
from functools import partial

import pytest

from casino.people.errors import PlayerBanned
from casino.people.models import Player
from casino.people.services import ban_player, keep_apart, set_own_limit
from tables.errors_people import HoursUsedUp, PlayersKeptApart
from tables.models import Seating
from tables.services.moving import take_back_move
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import tap_of
from tests.tables.test_moving import move, sits

pytestmark = pytest.mark.two_houses


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
# The other way about the ban waits for the tables, and finds who moved back.
@pytest.mark.parametrize(
    ("is_banned_first", "is_locked"),
    [(True, True), (False, True), pytest.param(True, False, marks=pytest.mark.slow)],
)
def test_nobody_sits_unmarked_who_was_banned_while_a_move_was_taken_back(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_banned_first: bool, is_locked: bool
) -> None:
    house = make_house()
    new = moved(house)
    bans = partial(ban_player, tap_of(house), player_id=new.player_id)
    takes_back = partial(take_back_move, tap_of(house), table_id=new.table_id, seating_id=new.pk)

    if not is_locked:
        without_lock(monkeypatch, Player)

    with pytest.raises(PlayerBanned) if is_banned_first and is_locked else nullcontext():
        meet(*((bans, takes_back) if is_banned_first else (takes_back, bans)))

    seating = sits(house, "Kai")
    assert seating.table.number == (2 if is_banned_first and is_locked else 1)
    assert (seating.barred_since is not None) == is_locked
