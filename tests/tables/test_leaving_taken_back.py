"""A leaving taken back: the seat, the chips and the blinds as they were, or the sentence that says why not."""

import json
from datetime import timedelta
from typing import Any

import pytest

from casino.audit.models import Event
from casino.cage.services import cash_out
from casino.errors import NotFound, Stale
from casino.ledger.proof import problems
from casino.waiting.models import Waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import call_player, join_list
from tables.errors import AlreadySeated, SeatTaken
from tables.errors_moves import CashedOutSince, SeatUsedSince, TableClosedSince
from tables.errors_seats import SeatPromised
from tables.models import Seating
from tables.selectors.next_hand import next_hand_at, seated
from tables.services.closing import announce_last_orbit
from tables.services.corrections import undo_hand
from tables.services.hands import settle_hand
from tables.services.moving import move_player, take_back_move
from tables.services.opening import close_table, open_table
from tables.services.seat_change import change_seat
from tables.services.seating import leave_seat, take_back_leaving
from tables.services.stacks import count_stack
from tests.cast import command
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


def leaves(house: House, nickname: str, **more: Any) -> Seating:
    """Let a player leave; return the seating as a screen shows it then."""
    seating = Seating.objects.get(player__nickname=nickname, left_at=None)
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, **more)
    seating.refresh_from_db()
    return seating


def comes_back(house: House, seating: Seating) -> Seating:
    house.tap(
        take_back_leaving,
        house.cast.anna,
        table_id=seating.table_id,
        seating_id=seating.pk,
        version=seating.version,
    )
    seating.refresh_from_db()
    return seating


def asks(house: House) -> Any:
    table = house.table()
    assert table.opening is not None
    return next_hand_at(table.opening, seated(table.pk))


@pytest.mark.rule("H4.26")
@pytest.mark.parametrize("stack", [None, 0, 340_00])
def test_seat_chips_and_blinds_are_as_if_nobody_had_left(house: House, stack: int | None) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    before, next_hand = house.figures(), asks(house)

    lee = comes_back(house, leaves(house, "Lee", stack_cents=stack))

    assert (lee.left_at, lee.left_stack_cents, lee.entry) == (None, None, "in")
    assert (house.figures(), asks(house)) == (before, next_hand)
    assert list(problems(house.room_id)) == []


def test_a_count_that_was_corrected_is_taken_back_whole(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = leaves(house, "Lee", stack_cents=900_00)
    right: dict[str, Any] = {"table_id": table.pk, "seating_id": lee.pk, "stack_cents": 90_00}
    house.tap(count_stack, **right, version=lee.version)
    lee.refresh_from_db()

    comes_back(house, lee)

    assert house.figures() | {"in_play": 400_00, "hands": -400_00} == house.figures()
    assert leaves(house, "Lee", stack_cents=150_00).left_stack_cents == 150_00
    assert house.figures()["in_play"] == 250_00
    assert list(problems(house.room_id)) == []


@pytest.mark.rule("H4.24", "H4.30")
def test_whoever_missed_a_hand_comes_back_as_a_new_player(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    lee = leaves(house, "Lee", stack_cents=200_00)
    house.settle(40_00, winners=(2,))

    assert comes_back(house, lee).entry == "waits"


@pytest.mark.rule("H4.31")
def test_whoever_was_new_stays_as_they_were(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    house.seat("Mika", 5, post=True)
    mika = leaves(house, "Mika")
    house.settle(40_00)

    assert comes_back(house, mika).entry == "posts"


@pytest.mark.rule("H3.19")
def test_a_hand_that_does_not_count_was_not_missed(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    lee = leaves(house, "Lee")
    hand = house.settle(40_00, winners=(2,))
    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=hand.hand_id)

    assert comes_back(house, lee).entry == "in"


@pytest.mark.rule("H1.1", "H4.30")
def test_the_hand_during_which_a_player_leaves_is_not_missed(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    house.seat("Mika", 5, post=True)
    hand = house.deal(winners=(5,))
    mika = leaves(house, "Mika")
    assert comes_back(house, mika).entry == "posts"
    mika = leaves(house, "Mika")
    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=hand)

    assert comes_back(house, mika).entry == "in"


@pytest.mark.rule("H4.30")
def test_hands_of_a_tablet_that_was_away_are_missed_whenever_they_say_they_were_dealt(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    dealt_at = house.at + timedelta(minutes=1)
    house.at += timedelta(minutes=9)
    lee = leaves(house, "Lee")
    away = command(house.cast.anna, at=house.at)
    settle_hand(away, table_id=table.pk, hand=house.logged(40_00, winners=(2,), dealt_at=dealt_at))

    assert comes_back(house, lee).entry == "waits"


@pytest.mark.rule("H4.30")
def test_a_hand_that_comes_late_but_was_dealt_to_the_player_was_not_missed(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    dealt_at = house.at
    house.at += timedelta(minutes=5)
    house.settle(40_00)
    lee = leaves(house, "Lee")
    late = house.logged(60_00, dealt_at=dealt_at, dealt_in=(1, 2, 3), button=1, small_blind=2, big_blind=3)
    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=late)

    assert comes_back(house, lee).entry == "in"


def test_a_seat_that_went_on_is_not_given_back(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = leaves(house, "Lee")
    house.seat("Timo", 1)

    with pytest.raises(SeatTaken):
        comes_back(house, lee)
    leaves(house, "Timo")
    with pytest.raises(SeatUsedSince) as refused:
        comes_back(house, lee)
    assert refused.value.data == {"seat_number": 1}


@pytest.mark.parametrize("set_back", [timedelta(0), timedelta(minutes=12)])
def test_who_had_left_before_the_player_changed_to_the_seat_has_not_used_it_since(
    house: House, set_back: timedelta
) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3, Mika=4)
    house.settle(20_00)
    leaves(house, "Timo")
    house.at += timedelta(minutes=1)
    house.settle(20_00)
    house.at -= set_back
    lee = Seating.objects.get(player__nickname="Lee")
    house.tap(change_seat, table_id=table.pk, seating_id=lee.pk, seat_number=3)

    assert comes_back(house, leaves(house, "Lee")).seat_number == 3


def test_who_used_the_seat_since_is_found_though_the_clock_was_set_back(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    lee = leaves(house, "Lee")
    house.at -= timedelta(minutes=12)
    house.seat("Mika", 1)
    house.settle(20_00)
    leaves(house, "Mika")

    with pytest.raises(SeatUsedSince):
        comes_back(house, lee)


def test_who_sat_down_earlier_and_changed_to_the_seat_has_used_it(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    timo = leaves(house, "Timo")
    lee = Seating.objects.get(player__nickname="Lee")
    house.tap(change_seat, table_id=table.pk, seating_id=lee.pk, seat_number=3)
    leaves(house, "Lee")

    with pytest.raises(SeatUsedSince):
        comes_back(house, timo)


def test_a_player_who_went_on_elsewhere_at_the_table_does_not_come_back(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = leaves(house, "Lee", stack_cents=200_00)
    house.seat("Lee", 6)

    with pytest.raises(AlreadySeated) as refused:
        comes_back(house, lee)
    assert refused.value.data == {"table_number": 1, "seat_number": 6}
    leaves(house, "Lee")
    with pytest.raises(SeatUsedSince):
        comes_back(house, lee)


def test_what_is_over_is_not_taken_back(house: House) -> None:
    table = house.open(1, Lee=1)
    lee = leaves(house, "Lee", stack_cents=200_00)
    house.tap(close_table, table_id=table.pk)

    with pytest.raises(TableClosedSince):
        comes_back(house, lee)
    house.open(1)
    with pytest.raises(TableClosedSince):
        comes_back(house, lee)


@pytest.mark.parametrize("stack", [None, 200_00])
def test_chips_that_became_money_do_not_come_back(house: House, stack: int | None) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = leaves(house, "Lee", stack_cents=stack)
    paying: dict[str, Any] = {"drawer_id": house.drawer_id, "player_id": lee.player_id}
    house.tap(cash_out, house.cast.carla, amount_cents=200_00, **paying)
    lee.refresh_from_db()

    with pytest.raises(CashedOutSince):
        comes_back(house, lee)
    assert list(problems(house.room_id)) == []


def test_only_what_was_seen_is_taken_back(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = leaves(house, "Lee")
    old: dict[str, Any] = {"table_id": table.pk, "seating_id": lee.pk, "version": lee.version}
    comes_back(house, lee)

    with pytest.raises(Stale):
        house.tap(take_back_leaving, **old)
    with pytest.raises(AlreadySeated):
        comes_back(house, lee)
    with pytest.raises(NotFound):
        house.tap(take_back_leaving, table_id=house.table_id(2), seating_id=lee.pk, version=lee.version)


@pytest.mark.rule("H2.6")
def test_a_seat_that_is_promised_since_is_not_given_back(house):
    house.open(1, Lee=1, Kai=2)
    seating = leaves(house, "Lee", stack_cents=200_00)
    waits = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Jo").pk).data["waiting"]
    house.tap(call_player, waiting_id=waits, table_id=house.table_id(), seat_number=1)

    with pytest.raises(SeatPromised):
        comes_back(house, seating)


def test_who_changed_to_a_seat_that_somebody_had_left_comes_back_to_it(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    leaves(house, "Kai", stack_cents=200_00)
    lee = Seating.objects.get(player__nickname="Lee")
    house.tap(change_seat, table_id=lee.table_id, seating_id=lee.pk, seat_number=2)
    seating = leaves(house, "Lee", stack_cents=200_00)

    assert comes_back(house, seating).seat_number == 2


@pytest.mark.rule("H2.9")
def test_who_sits_again_waits_for_that_game_no_longer(house):
    table = house.open(1, Lee=1, Kai=2)
    old = leaves(house, "Kai", stack_cents=200_00)
    mika, kai = (
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(name).pk).data["waiting"]
        for name in ("Mika", "Kai")
    )
    other = house.game("No limit hold'em 5/5")
    also = house.tap(join_list, game_id=other.pk, player_id=house.player("Kai").pk).data["waiting"]
    house.tap(call_player, waiting_id=kai, table_id=table.pk, seat_number=5)

    house.tap(take_back_leaving, table_id=table.pk, seating_id=old.pk, version=old.version)

    ended = Waiting.objects.get(id=kai)
    assert (ended.status, ended.ended_why, ended.table_id) == ("seated", "table_1", None)
    assert {Waiting.objects.get(id=each).status for each in (mika, also)} == {"waiting"}
    data = json.loads(Event.objects.filter(name="tables.take_back_leaving").latest("id").text)["data"]
    assert data["waiting"] == kai
    house.seat("Mika", 5)


@pytest.mark.rule("H2.11")
def test_who_sits_again_at_a_closing_table_gives_the_right_to_a_seat_back(house):
    table = house.open(1, Lee=1, Kai=2)
    house.tap(announce_last_orbit, table_id=table.pk)
    kai = Seating.objects.get(player=house.player("Kai"), left_at=None)
    house.tap(wait_with_right, table_id=table.pk, seating_id=kai.pk, stack_cents=200_00)
    kai.refresh_from_db()

    house.tap(take_back_leaving, table_id=table.pk, seating_id=kai.pk, version=kai.version)

    assert not Waiting.objects.filter(player=kai.player_id, status__in=Waiting.LIVE).exists()


def test_who_goes_back_to_the_table_they_came_from_waits_for_its_game_no_longer(house):
    house.open(1, Lee=1, Kai=2)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game("No limit hold'em 5/5").pk)
    for_other = house.tap(join_list, game_id=house.table(2).opening.game_id, player_id=house.player("Kai").pk)
    kai = Seating.objects.get(player=house.player("Kai"), left_at=None)
    moved = house.tap(
        move_player, table_id=kai.table_id, seating_id=kai.pk, to_table_id=house.table_id(2), seat_number=4,
        stack_cents=200_00, chips_cents=500_00,
    )  # fmt: skip
    since = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Kai").pk).data["waiting"]

    house.tap(take_back_move, table_id=house.table_id(2), seating_id=moved.data["to_seating"])

    assert Waiting.objects.get(id=since).status == "seated"
    assert Waiting.objects.get(id=for_other.data["waiting"]).status == "waiting"
