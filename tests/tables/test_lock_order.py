"""Commands that meet lock in one order: none waits for the other in a ring, and what one ended stops no other."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connections, transaction

from casino.commands.carrying_out import Command
from casino.people.models import Device, Exclusion, KeptApart, Player
from casino.people.services import (
    add_player,
    add_shift_dealer,
    ban_player,
    end_shift,
    keep_apart,
    merge_players,
    second_person,
    start_shift,
)
from casino.people.services.locks import lock_player, lock_staff
from casino.rooms.errors import NoOpenDay, WaitsForDay
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day_alone
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list, strike
from casino.waiting.services.state import lock_list
from tables.models import Down, Game, Seating, Table
from tables.services.absence_limits import set_long_break
from tables.services.chips import bring_chips
from tables.services.downs import push_dealer
from tables.services.opening import open_table
from tables.services.state import lock_day_and_table, lock_day_and_table_for_fact, lock_table
from tests.cast import actor, demo_person, owned
from tests.support.locks import meet
from tests.support.owner import as_owner
from tests.support.patience import PATIENCE_SECONDS
from tests.tables.conftest import House, make_house
from tests.tables.test_downs import by_pin, tablet
from tests.tables.test_merging_players import PIN, second_manager

pytestmark = pytest.mark.smoke


@pytest.fixture
def house(committing_db: object) -> House:
    return make_house()


def tap_of(house: House, staff: str = "frans") -> Command:
    return Command(id=uuid.uuid4(), by=actor(house.cast.staff[staff]), tapped_at=house.at, at=house.at)


def signed_merge(house: House, kept: Player, gone: Player) -> Callable[[], Any]:
    second_manager(house)
    tap = tap_of(house, "mari")
    signs = f"merge.{kept.pk}.{gone.pk}"
    signed = second_person(tap, username="miro", pin=PIN, needs="people.approve_merge", signs=signs)
    return partial(merge_players, tap, player_id=kept.pk, gone_id=gone.pk, approved_by_id=signed)


def new_player(house: House, nickname: str) -> Player:
    return Player.objects.get(id=house.tap(add_player, nickname=nickname).data["player_id"])


# ---- rings


def test_the_day_is_locked_before_the_table_in_one_statement_too(house: House) -> None:
    table, waited = house.open(1, Lee=1), []

    def at_table() -> None:
        with transaction.atomic():
            waited.append(lock_day_and_table(tap_of(house), table.pk))

    meet(partial(lock_open_day_alone, house.room_id), at_table, partial(lock_table, tap_of(house), table.pk))

    ((_day, locked),) = waited
    assert locked == table


def test_who_waits_for_a_day_that_is_closed_meanwhile_finds_none(house: House) -> None:
    table, found = house.open(1, Lee=1), []

    def at_table() -> None:
        for lock in (lock_day_and_table, lock_day_and_table_for_fact):
            with pytest.raises((NoOpenDay, WaitsForDay)) as refused, transaction.atomic():
                lock(tap_of(house), table.pk)
            found.append(refused.type)

    def close() -> None:
        days = GamingDay.objects.filter(closed_at=None)
        days.update(closed_at=house.at, closed_by_id=house.cast.staff["mari"].pk, closed_after=0)

    meet(partial(lock_open_day_alone, house.room_id), at_table, close)

    assert found == [NoOpenDay, WaitsForDay]


@pytest.mark.parametrize("what", ["long_break", "short_buy_in"])
def test_a_player_is_locked_before_the_table(house: House, what: str) -> None:
    with as_owner():
        Game.objects.update(structure="pot_limit")
    table, player = house.open(1, Lee=1, Kai=2), house.player("Kai")
    where: dict[str, Any] = {"table_id": table.pk, "seating_id": Seating.objects.get(player=player).pk}
    act = {
        "long_break": partial(set_long_break, tap_of(house), **where),
        "short_buy_in": partial(bring_chips, tap_of(house), chips_cents=60_00, stack="under_blind", **where),
    }[what]

    meet(partial(lock_player, tap_of(house), player.pk), act, partial(lock_table, tap_of(house), table.pk))

    seating = Seating.objects.get(player=player)
    assert seating.long_break_at or seating.short_buy_in_cents


def test_keeping_three_apart_locks_their_tables_by_id(house: House) -> None:
    players = sorted((house.player(name) for name in ("Lee", "Kai", "Timo")), key=lambda player: player.pk)
    low, high = house.open(1), house.open(2)
    for seat, player in enumerate(players, 1):
        house.seat(player.nickname, seat, number=1 if seat == 3 else 2)
    apart = partial(keep_apart, tap_of(house), player_ids=[player.pk for player in players])

    meet(partial(lock_table, tap_of(house), low.pk), apart, partial(lock_table, tap_of(house), high.pk))

    assert KeptApart.objects.count() == 3


def test_a_merge_locks_tables_before_lists(house: House) -> None:
    gone = new_player(house, "Tim")
    table = house.open(1, Lee=1)
    house.tap(keep_apart, player_ids=[house.player("Lee").pk, gone.pk])
    waits = Waiting.objects.get(id=house.tap(join_list, game_id=house.game().pk, player_id=gone.pk).data["waiting"])
    merge = signed_merge(house, house.player("Timo"), gone)

    meet(partial(lock_table, tap_of(house), table.pk), merge, partial(lock_list, tap_of(house), waits.waiting_list_id))

    waits.refresh_from_db()
    assert waits.player == house.player("Timo")


def test_who_is_kept_apart_from_a_merged_record_is_locked_with_it(house: House) -> None:
    gone, lee = new_player(house, "Tim"), house.player("Lee")
    house.tap(keep_apart, player_ids=[lee.pk, gone.pk])

    # Somebody who sits down at this moment has read from whom they are kept apart.
    meet(partial(lock_player, tap_of(house), lee.pk), signed_merge(house, house.player("Timo"), gone))

    pair = KeptApart.objects.get(ended_at=None)
    assert {pair.one_id, pair.other_id} == {lee.pk, house.player("Timo").pk}


def test_a_shift_dealer_who_leaves_is_locked_before_the_down(house: House) -> None:
    house.open(1)
    pia_id = house.tap(add_shift_dealer, display_name="Pia", pin="246813").data["staff_id"]
    by_pin(house, tablet(house), owned(pia_id), "246813")

    meet(
        partial(lock_staff, tap_of(house), pia_id),
        partial(end_shift, tap_of(house), staff_id=pia_id),
        lambda: list(Down.objects.select_for_update(no_key=True).filter(dealer_id=pia_id)),
    )

    assert Down.objects.get().ended_at is not None


def test_who_is_signed_out_of_two_tablets_has_their_tables_locked_by_id(house: House) -> None:
    low, high, anna = house.open(1), house.open(2), house.cast.anna
    assert low.pk < high.pk
    # The other way about than their tables.
    tablets = [tablet(house, number) for number in (2, 1)]
    house.tap(start_shift, staff_id=anna.pk)
    for each in tablets:
        by_pin(house, each, anna, demo_person("anna").pin)
    ends = partial(end_shift, tap_of(house), staff_id=anna.pk)

    # As a move between the two does.
    meet(partial(lock_table, tap_of(house), low.pk), ends, partial(lock_table, tap_of(house), high.pk))

    assert not Down.objects.filter(ended_at=None).exists()
    assert not Device.objects.filter(signed_in=anna).exists()


def test_who_is_pushed_from_one_table_to_another_has_both_locked_by_id(house: House) -> None:
    low, high, anna = house.open(1), house.open(2), house.cast.anna
    house.tap(push_dealer, house.cast.frans, table_id=low.pk, dealer_id=anna.pk)
    pushes = partial(push_dealer, tap_of(house), table_id=high.pk, dealer_id=anna.pk)

    meet(partial(lock_table, tap_of(house), low.pk), pushes, partial(lock_table, tap_of(house), high.pk))

    assert Down.objects.get(ended_at=None).table_id == high.pk


# ---- what has ended meanwhile


@pytest.mark.parametrize("what", ["ban", "merge"])
def test_a_place_that_ends_meanwhile_stops_neither_a_ban_nor_a_merge(house: House, what: str) -> None:
    player = new_player(house, "Tim")
    waits = Waiting.objects.get(id=house.tap(join_list, game_id=house.game().pk, player_id=player.pk).data["waiting"])
    if what == "ban":
        act: Callable[[], Any] = partial(ban_player, tap_of(house), player_id=player.pk)
    else:
        act = signed_merge(house, house.player("Timo"), player)

    meet(partial(strike, tap_of(house), waiting_id=waits.pk, version=waits.version), act)

    waits.refresh_from_db()
    player.refresh_from_db()
    assert (waits.status, waits.ended_why) == ("struck", "by_tap")
    assert Exclusion.objects.exists() if what == "ban" else player.merged_into is not None


def test_a_pin_and_the_opening_that_meet_begin_one_down(house: House) -> None:
    anna, (table, open_now) = house.cast.anna, anna_at_a_closed_table(house)

    meet(partial(by_pin, house, tablet(house, table.number), anna, demo_person("anna").pin), open_now)

    assert [down.table_id for down in Down.objects.filter(ended_at=None)] == [table.pk]


def test_who_is_pushed_in_elsewhere_just_now_begins_no_down_at_a_table_that_opens(house: House) -> None:
    first, (table, open_now) = house.open(1), anna_at_a_closed_table(house)
    by_pin(house, tablet(house, table.number), house.cast.anna, demo_person("anna").pin)

    def opened() -> None:
        try:
            open_now()
        finally:
            connections.close_all()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        push_dealer(tap_of(house), table_id=first.pk, dealer_id=house.cast.anna.pk)
        # The opening waits for nobody: who is pushed in elsewhere deals there.
        pool.submit(opened).result(timeout=PATIENCE_SECONDS)

    assert house.table(table.number).is_open
    assert [down.table_id for down in Down.objects.filter(ended_at=None)] == [first.pk]


def anna_at_a_closed_table(house: House) -> tuple[Table, Callable[[], Any]]:
    """Return table 2, closed, with Anna on shift, and the command that opens it."""
    house.tap(start_shift, staff_id=house.cast.anna.pk)
    table = house.table(2)
    return table, partial(open_table, tap_of(house), table_id=table.pk, game_id=house.game().pk)
