"""An exclusion that is made while its player sits down, joins a list or buys; and two merges at once."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection

from casino.cage.services import buy_in
from casino.people.errors import PlayerBanned
from casino.people.models import Player
from casino.people.services import ban_player, merge_players, second_person, set_own_limit
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.models import Seating
from tables.services.seating import seat_player
from tests.support.locks import at_once, codes, meet, without_lock
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


def test_two_cashiers_do_not_sell_over_a_players_own_limit(house: House) -> None:
    lee = house.player("Lee")
    house.tap(set_own_limit, player_id=lee.pk, kind="buy_in", amount=250_00)

    def buy(_: int) -> object:
        return buy_in(
            tap_of(house, "carla"), drawer_id=house.drawer_id, amount_cents=100_00, method="cash", player_id=lee.pk,
            again=True,
        )  # fmt: skip

    outcomes = codes(at_once(4, buy))

    assert sorted(outcomes) == ["done", "done", "over_own_buy_in_limit", "over_own_buy_in_limit"]
    connection.close()


def test_of_two_merges_at_once_that_cross_one_is_carried_out(house: House) -> None:
    second_manager(house)
    one, other = house.player("Lee"), house.player("Kai")
    house.at += timedelta(seconds=1)
    taps = []
    for kept, gone in ((one, other), (other, one)):
        tap = tap_of(house, "mari")
        signs = f"merge.{kept.pk}.{gone.pk}"
        signed = second_person(tap, username="miro", pin=PIN, needs="people.approve_merge", signs=signs)
        taps.append((tap, kept.pk, gone.pk, signed))

    def merge(index: int) -> object:
        tap, kept, gone, signed = taps[index]
        return merge_players(tap, player_id=kept, gone_id=gone, approved_by_id=signed)

    outcomes = codes(at_once(2, merge))

    assert sorted(outcomes) == ["done", "not_found"]
    assert Player.objects.exclude(merged_into=None).count() == 1
    connection.close()
