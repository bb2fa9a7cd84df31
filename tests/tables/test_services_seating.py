"""Sitting down, coming into the blinds, chips, leaving counted and uncounted."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from casino.cage.about import AtSeat
from casino.cage.services import cash_out, request_buy_in, reverse_slip, take_money
from casino.cage.services.voiding import NEEDS
from casino.errors import NotFound, Stale
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import room_figure
from casino.people.services import second_person
from tables.errors import (
    AlreadySeated,
    BuyInOverMaximum,
    BuyInUnderMinimum,
    NoSuchSeat,
    NotANewPlayer,
    SeatEmpty,
    SeatTaken,
    StackNeeded,
    TableClosed,
)
from tables.models import Hand, Seating
from tables.selectors.dealer import dealer_screen
from tables.selectors.next_hand import next_hand_at, seated
from tables.services.chips import bring_chips, count_tip_box
from tables.services.hands import settle_hand
from tables.services.seating import choose_entry, hold_seat, leave_seat, seat_player
from tables.services.stacks import count_stack
from tests.cast import command, demo_person
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


def test_chips_from_the_players_hands_come_into_play(house: House) -> None:
    house.open(1)

    lee = house.seat("Lee", 3, chips=200_00)

    assert (lee.seat_number, lee.chips_in_cents, lee.entry) == (3, 200_00, "in")
    assert house.figures() | {"in_play": 200_00, "hands": -200_00} == house.figures()


def test_a_seat_is_taken_once_and_a_player_sits_once(house: House) -> None:
    house.open(1, Lee=3)

    with pytest.raises(SeatTaken):
        house.seat("Kai", 3)
    with pytest.raises(AlreadySeated) as refused:
        house.seat("Lee", 4)
    assert refused.value.data == {"table_number": 1, "seat_number": 3}


def test_seats_are_those_of_the_game(house: House) -> None:
    house.open(1)

    with pytest.raises(NoSuchSeat):
        house.seat("Lee", 11)


def test_nobody_sits_down_at_a_closed_table(house: House) -> None:
    with pytest.raises(TableClosed):
        house.seat("Lee", 1)


def test_an_unknown_player_is_not_seated(house: House) -> None:
    table = house.open(1)

    with pytest.raises(NotFound):
        house.tap(seat_player, table_id=table.pk, seat_number=1, player_id=10**9)


@pytest.mark.helsinki
@pytest.mark.rule("H2.14", "H2.17", "L-P24")
@pytest.mark.parametrize(("chips", "refusal"), [(99_00, BuyInUnderMinimum), (401_00, BuyInOverMaximum)])
def test_a_new_player_brings_what_the_game_allows(house: House, chips: int, refusal: type[Exception]) -> None:
    house.open(1)

    with pytest.raises(refusal):
        house.seat("Lee", 1, chips=chips)

    assert not Seating.objects.filter(left_at=None).exists()
    assert house.figures()["in_play"] == 0


@pytest.mark.rule("H4.24", "H4.30", "H4.31")
def test_after_the_first_hand_a_player_is_new_and_waits_or_posts(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)

    waits = house.seat("Mika", 5)
    posts = house.seat("Pekka", 6, post=True)

    assert (waits.entry, posts.entry) == ("waits", "posts")


@pytest.mark.rule("H4.30", "H4.31")
def test_a_new_player_may_think_again_and_one_in_the_blinds_may_not(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    mika = house.seat("Mika", 5)

    house.tap(choose_entry, table_id=table.pk, seating_id=mika.pk, entry="posts", version=mika.version)

    mika.refresh_from_db()
    assert mika.entry == "posts"
    with pytest.raises(Stale):
        house.tap(choose_entry, table_id=table.pk, seating_id=mika.pk, entry="waits", version=1)
    lee = Seating.objects.get(table=table, seat_number=1)
    with pytest.raises(NotANewPlayer):
        house.tap(choose_entry, table_id=table.pk, seating_id=lee.pk, entry="posts")


@pytest.mark.rule("H1.60")
def test_without_chips_and_while_held_nobody_is_dealt_in(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    house.seat("Mika", 4, chips=0)
    kai = Seating.objects.get(table=table, seat_number=2)

    house.tap(hold_seat, house.cast.anna, table_id=table.pk, seating_id=kai.pk, is_held=True)

    opening = house.table().opening
    assert opening is not None
    next_hand = next_hand_at(opening, seated(table.pk))
    assert next_hand is not None
    assert sorted(next_hand.dealt_in) == [1, 3]
    assert next_hand.waiting == (2, 4)


@pytest.mark.rule("H1.1")
def test_whoever_sits_down_during_a_hand_plays_from_the_next(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    dealt = house.deal()

    house.seat("Mika", 5, post=True)
    row = Hand.objects.get(hand_id=dealt.hand_id)
    assert sorted(row.seats.values_list("seat_number", flat=True)) == [1, 2, 3]


@pytest.mark.rule("H1.1", "L-P25")
def test_chips_that_come_during_a_hand_are_played_with_from_the_next(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    timo = house.seat("Timo", 3, chips=0)
    hand = house.deal()
    house.tap(bring_chips, table_id=table.pk, seating_id=timo.pk, chips_cents=200_00)

    row = Hand.objects.get(hand_id=hand.hand_id)
    assert sorted(row.seats.values_list("seat_number", flat=True)) == [1, 2]
    house.tap(settle_hand, house.cast.anna, table_id=table.pk, hand=replace(hand, pots=(40_00,)))
    assert 3 in [seat for start in dealer_screen(room_id=house.room_id, number=1).ahead for seat in start.dealt_in]


@pytest.mark.helsinki
@pytest.mark.rule("H2.16", "H2.17")
def test_bringing_more_asks_for_the_stack_and_keeps_to_the_maximum(house: House) -> None:
    table = house.open(1)
    lee = house.seat("Lee", 1)

    def bring(cents: int, **more: Any) -> None:
        house.tap(bring_chips, table_id=table.pk, seating_id=lee.pk, chips_cents=cents, **more)

    with pytest.raises(StackNeeded):
        bring(100_00)
    with pytest.raises(BuyInOverMaximum):
        bring(100_00, stack=350_00)
    bring(100_00, stack=150_00)
    lee.refresh_from_db()
    assert lee.chips_in_cents == 300_00
    assert house.figures()["in_play"] == 300_00


def test_leaving_counted_puts_the_stack_into_the_players_hands(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(table=table, seat_number=1)

    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=320_00)

    lee.refresh_from_db()
    assert lee.left_at == house.at
    assert lee.left_stack_cents == 320_00
    assert house.figures()["in_play"] == 80_00
    assert house.figures()["hands"] == -80_00


def test_leaving_twice_leaves_once(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(table=table, seat_number=1)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=200_00)

    again = house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=200_00)

    assert again.data["known"] is True
    assert house.figures()["in_play"] == 200_00


def test_the_cash_out_of_the_day_supplies_an_uncounted_stack(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(table=table, seat_number=1)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk)
    assert house.figures()["in_play"] == 400_00

    house.tap(
        cash_out,
        house.cast.carla,
        drawer_id=house.drawer_id,
        amount_cents=150_00,
        player_id=house.player("Lee").pk,
    )

    lee.refresh_from_db()
    assert lee.left_stack_cents == 150_00
    assert house.figures()["in_play"] == 250_00
    assert room_figure(house.room_id, "hands") == -400_00


def test_somebody_who_knows_supplies_the_stack_once(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(table=table, seat_number=1)
    with pytest.raises(NotFound):
        house.tap(count_stack, table_id=table.pk, seating_id=lee.pk, stack_cents=90_00)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk)

    house.tap(count_stack, table_id=table.pk, seating_id=lee.pk, stack_cents=90_00)

    assert house.figures()["in_play"] == 310_00
    with pytest.raises(Stale):
        house.tap(count_stack, table_id=table.pk, seating_id=lee.pk, stack_cents=95_00)


def test_a_voided_cash_out_takes_back_the_stack_that_it_supplied(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(table=table, seat_number=1)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk)
    paying: dict[str, Any] = {"drawer_id": house.drawer_id, "player_id": house.player("Lee").pk}
    wrong = house.tap(cash_out, house.cast.carla, amount_cents=15_00, **paying)

    void_slip(house, wrong.data["slip_id"])

    lee.refresh_from_db()
    assert lee.left_stack_cents is None
    assert house.figures()["in_play"] == 400_00
    house.tap(cash_out, house.cast.carla, amount_cents=150_00, **paying)
    lee.refresh_from_db()
    assert lee.left_stack_cents == 150_00
    assert house.figures()["in_play"] == 250_00
    assert room_figure(house.room_id, "hands") == -400_00
    assert list(problems(house.room_id)) == []


def void_slip(house: House, slip_id: int) -> None:
    """Let Carla reverse a slip with the signature of Frans."""
    house.at += timedelta(seconds=1)
    by = command(house.cast.carla, at=house.at)
    second_person(
        by, username=house.cast.frans.username, pin=demo_person("frans").pin, needs=NEEDS, signs=f"slip.{slip_id}"
    )
    reverse_slip(by, slip_id=slip_id, reason="wrong_amount", approved_by_id=house.cast.frans.pk)


def test_a_wrong_count_is_put_right_by_reversal(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(table=table, seat_number=1)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=900_00)
    lee.refresh_from_db()

    right: dict[str, Any] = {"table_id": table.pk, "seating_id": lee.pk, "stack_cents": 90_00}
    house.tap(count_stack, **right, version=lee.version)

    assert house.figures() | {"in_play": 310_00, "hands": -310_00} == house.figures()
    with pytest.raises(Stale):
        house.tap(count_stack, **right, version=lee.version)
    lee.refresh_from_db()
    house.tap(count_stack, table_id=table.pk, seating_id=lee.pk, stack_cents=0, version=lee.version)
    assert house.figures()["in_play"] == 400_00
    assert list(problems(house.room_id)) == []


def test_nothing_is_done_for_a_player_who_has_left(house: House) -> None:
    table = house.open(1, Lee=1)
    lee = Seating.objects.get(table=table, seat_number=1)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=0)

    for service, more in ((hold_seat, {"is_held": True}), (bring_chips, {"chips_cents": 100_00})):
        with pytest.raises(SeatEmpty):
            house.tap(service, table_id=table.pk, seating_id=lee.pk, **more)


def test_money_taken_for_a_seat_puts_chips_there(house: House) -> None:
    table = house.open(1)
    lee = house.seat("Lee", 3, chips=0)
    seat = AtSeat(table=table.pk, table_number=1, seating=lee.pk, seat_number=3)

    request = house.tap(request_buy_in, player_id=house.player("Lee").pk, amount_cents=200_00, seat=seat)
    house.tap(take_money, house.cast.carla, slip_id=request.data["slip_id"], drawer_id=house.drawer_id, method="cash")

    lee.refresh_from_db()
    assert lee.chips_in_cents == 200_00
    assert house.figures()["in_play"] == 200_00
    assert house.figures()["hands"] == 0


def test_tips_are_posted_from_the_chips_in_play_when_they_are_counted(house: House) -> None:
    table = house.open(1, Lee=1)

    house.tap(count_tip_box, table_id=table.pk, counted_cents=17_00)

    assert house.figures() | {"tip_box": 17_00, "in_play": 183_00} == house.figures()
