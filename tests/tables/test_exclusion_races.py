"""An exclusion that is made while its player sits down, joins a list or buys; and two merges at once."""

from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from casino.cage.errors import OverOwnBuyInLimit
from casino.cage.services import buy_in
from casino.errors import NotFound
from casino.ledger.selectors.accounts import room_figure
from casino.people.errors import PlayerBanned
from casino.people.models import Player
from casino.people.services import ban_player, merge_players, second_person, set_own_limit
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.models import Seating
from tables.services.seating import seat_player
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import tap_of
from tests.tables.test_merging_players import PIN, second_manager

pytestmark = pytest.mark.smoke


@pytest.fixture
def house(committing_db: object) -> House:
    return make_house()


def test_nobody_sits_or_waits_unmarked_who_was_banned_at_the_same_moment(house: House) -> None:
    sits: partial[Any] = partial(seat_player, table_id=house.open(1).pk, seat_number=5, chips_cents=200_00)
    waits: partial[Any] = partial(join_list, game_id=house.game().pk)

    for act, first, second in ((sits, "Lee", "Kai"), (waits, "Timo", "Mika")):
        banned, came = house.player(first).pk, house.player(second).pk
        with pytest.raises(PlayerBanned):
            meet(partial(ban_player, tap_of(house), player_id=banned), partial(act, tap_of(house), player_id=banned))
        meet(partial(act, tap_of(house), player_id=came), partial(ban_player, tap_of(house), player_id=came))

    seating, entry = Seating.objects.get(), Waiting.objects.get()
    assert (seating.player, seating.barred_since is not None) == (house.player("Kai"), True)
    assert (entry.player, entry.status in Waiting.LIVE) == (house.player("Mika"), False)


@pytest.mark.slow
def test_without_the_players_lock_who_is_banned_would_sit_unmarked(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id, player_id = house.open(1).pk, house.player("Lee").pk
    without_lock(monkeypatch, Player)
    sits: dict[str, Any] = {"table_id": table_id, "seat_number": 5, "player_id": player_id, "chips_cents": 200_00}

    meet(
        lambda: seat_player(tap_of(house), **sits),
        lambda: ban_player(tap_of(house), player_id=player_id),
        waits=False,
    )

    assert Seating.objects.get().barred_since is None


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_cashiers_do_not_sell_over_a_players_own_limit(
    house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    lee = house.player("Lee")
    house.tap(set_own_limit, player_id=lee.pk, kind="buy_in", amount=250_00)
    sale: dict[str, Any] = {"amount_cents": 150_00, "method": "cash", "player_id": lee.pk, "again": True}
    if not is_locked:
        without_lock(monkeypatch, Player)

    def sells() -> None:
        buy_in(tap_of(house, "carla"), drawer_id=house.drawer_id, **sale)

    with pytest.raises(OverOwnBuyInLimit) if is_locked else nullcontext():
        meet(sells, sells)

    assert room_figure(house.room_id, "hands") == (150_00 if is_locked else 300_00)


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_merges_at_once_that_cross_one_is_carried_out(
    house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    second_manager(house)
    one, other = house.player("Lee"), house.player("Kai")
    house.at += timedelta(seconds=1)
    merges = []
    for kept, gone in ((one, other), (other, one)):
        tap = tap_of(house, "mari")
        signs = f"merge.{kept.pk}.{gone.pk}"
        signed = second_person(tap, username="miro", pin=PIN, needs="people.approve_merge", signs=signs)
        merges.append(partial(merge_players, tap, player_id=kept.pk, gone_id=gone.pk, approved_by_id=signed))
    if not is_locked:
        without_lock(monkeypatch, Player)

    # The constraint has the last word: each of them would be merged into itself by way of the other.
    with pytest.raises(NotFound) if is_locked else pytest.raises(IntegrityError, match="merged_into_another"):
        meet(*merges)

    assert Player.objects.get(merged_into=one) == other
