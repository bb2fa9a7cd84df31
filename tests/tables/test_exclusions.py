"""Exclusions: at once, also for who sits; lifted by two, and never before their end."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from casino.people.errors import (
    ExclusionOver,
    ExclusionStands,
    LastDayOver,
    NeedsSecondSignature,
    PlayerBanned,
    PlayerExcludedOwnWish,
)
from casino.people.models import Exclusion
from casino.people.services import (
    lift_exclusion,
    second_person,
)
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list, take_back_strike
from tables.selectors.dealer import dealer_screen
from tables.services.chips import bring_chips
from tables.services.hands import settle_hand
from tables.services.seating import leave_seat, take_back_leaving
from tables.tasks import wake_bans
from tests.cast import actor, command, demo_person
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.desk import YEAR_END, FloorDesk

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def desk(house: House) -> FloorDesk:
    return FloorDesk(house)


# ---- at once, also for one who sits


@pytest.mark.parametrize("how", ["ban", "own_wish"])
def test_an_exclusion_strikes_off_every_list_and_ends_a_call(desk, how):
    game = desk.house.game("No limit hold'em 5/5")
    desk.house.tap(join_list, game_id=game.pk, player_id=desk.id("Timo"))
    waits = desk.join("Timo")
    desk.call(waits)

    getattr(desk, how)("Timo")

    gone = Waiting.objects.filter(player=desk.house.player("Timo"))
    assert {(each.status, each.ended_why, each.table_id) for each in gone} == {("struck", "excluded", None)}
    desk.sit("Mika", 5)
    struck = Waiting.objects.get(id=waits)
    with pytest.raises((PlayerBanned, PlayerExcludedOwnWish)):
        desk.house.tap(take_back_strike, waiting_id=waits, version=struck.version)


def test_who_sits_finishes_the_hand_and_is_the_floors_to_count_and_pay(desk):
    desk.house.seat("Timo", 3)
    for _ in range(3):
        desk.house.settle(20_00, winners=(1,))
    in_play = desk.house.deal()
    desk.ban("Lee")

    screen = dealer_screen(room_id=desk.house.room_id, number=1)
    assert screen.hand is not None
    assert 1 in screen.hand.start.dealt_in
    assert screen.seats[0].sees_floor
    assert all(1 not in start.dealt_in for start in screen.ahead)
    assert desk.todo()[0] == "barred"
    with pytest.raises(PlayerBanned):
        desk.ask(desk.seating("Lee"))
    with pytest.raises(PlayerBanned):
        desk.house.tap(
            bring_chips, table_id=desk.table.pk, seating_id=desk.seating("Lee").pk, chips_cents=1_00, stack=100_00
        )
    desk.house.tap(settle_hand, desk.house.cast.anna, table_id=desk.table.pk, hand=in_play)
    seating = desk.seating("Lee")
    desk.house.tap(leave_seat, table_id=desk.table.pk, seating_id=seating.pk, stack_cents=180_00)
    assert "barred" not in desk.todo()
    seating.refresh_from_db()
    with pytest.raises(PlayerBanned):
        desk.house.tap(take_back_leaving, table_id=desk.table.pk, seating_id=seating.pk, version=seating.version)


def test_a_ban_of_the_wrong_person_is_lifted_by_two_and_the_player_plays_on(desk):
    ban = desk.ban("Lee")
    again = desk.ban("Lee", last_day=YEAR_END)

    desk.lift(ban)
    assert desk.seating("Lee").barred_since is not None
    desk.lift(again)

    assert desk.seating("Lee").barred_since is None
    assert "barred" not in desk.todo()
    with pytest.raises(ExclusionOver):
        desk.lift(ban)


def test_whoever_still_sits_there_when_a_ban_is_over_plays_on(desk):
    desk.ban("Lee", last_day="2026-11-20")
    desk.own_wish("Kai")
    barred = desk.seating("Lee").version
    wake_bans(at=desk.house.at)
    assert desk.seating("Lee").version == barred

    desk.house.at += timedelta(hours=10)
    wake_bans(at=desk.house.at)

    assert desk.seating("Lee").barred_since is None
    assert desk.seating("Kai").barred_since is not None
    assert desk.todo().count("barred") == 1


# ---- lifting


def test_an_own_exclusion_is_lifted_by_nobody_before_its_end_and_by_two_after_it(desk):
    mine = desk.own_wish("Timo", "2026-11-25")

    with pytest.raises(ExclusionStands):
        desk.lift(mine)
    desk.house.at += timedelta(days=5, hours=1)
    with pytest.raises(ExclusionStands):
        desk.lift(mine)
    desk.house.at += timedelta(days=1)
    with pytest.raises(PlayerExcludedOwnWish):
        desk.sit("Timo")
    desk.lift(mine)

    desk.sit("Timo")


def test_a_longer_wish_stands_beside_the_first_and_nothing_shortens_it(desk):
    short, long = desk.own_wish("Timo", "2026-11-22"), desk.own_wish("Timo", YEAR_END)
    desk.house.at += timedelta(days=5)

    desk.lift(short)
    with pytest.raises(ExclusionStands):
        desk.lift(long)
    with pytest.raises(PlayerExcludedOwnWish):
        desk.sit("Timo")
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic(), as_owner():
        Exclusion.objects.filter(id=long).update(until=desk.house.at)


def test_nobody_lifts_alone_nor_with_a_signature_for_something_else(desk):
    one, other = desk.ban("Timo"), desk.ban("Mika")
    tap = command(desk.house.cast.mari, at=desk.house.at)
    second_person(
        tap, username="frans", pin=demo_person("frans").pin, needs="people.approve_lifting", signs=f"exclusion.{one}"
    )

    for exclusion, signer in ((one, desk.house.cast.mari), (other, desk.house.cast.frans)):
        with pytest.raises(NeedsSecondSignature):
            lift_exclusion(
                command(actor(desk.house.cast.mari), id=tap.id if exclusion == other else None, at=desk.house.at),
                exclusion_id=exclusion,
                approved_by_id=signer.pk,
            )


def test_an_exclusion_ends_in_the_future(desk):
    with pytest.raises(LastDayOver):
        desk.ban("Timo", last_day="2026-11-19")
    desk.ban("Timo", last_day="2026-11-20")
    desk.house.at += timedelta(days=1)
    desk.join("Timo")
