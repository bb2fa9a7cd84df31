"""What PostgreSQL itself refuses of tables, seats and hands, past every service."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet

from tables.models import Game, Hand, HandSeat, Seating, Table
from tables.services.corrections import correct_hand
from tables.services.seating import leave_seat
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.smoke


def refuses(rows: QuerySet[Model], constraint: str, **values: object) -> None:
    with as_owner(), pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        rows.update(**values)


def test_a_player_is_dealt_into_a_hand_once(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(40_00)

    refuses(HandSeat.objects.filter(seat_number=2), "player_dealt_in_once", player=house.player("Lee"))


def test_a_stack_is_counted_on_leaving(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    refuses(Seating.objects.filter(seat_number=1), "stack_is_counted_on_leaving", left_stack_cents=200_00)


def test_a_hand_is_in_progress_at_an_open_table_only(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.deal()

    refuses(Table.objects.filter(pk=table.pk), "while_it_is_open", opening=None)


def test_a_minimum_buy_in_is_something(house: House) -> None:
    refuses(Game.objects.filter(pk=house.game().pk), "minimum_is_something", buy_in_min_cents=0)


def test_a_correction_deals_nobody_in_twice_who_changed_seats_around_the_deal(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    dealt_at = house.at
    lee = Seating.objects.get(seat_number=1)
    house.tap(leave_seat, table_id=table.pk, seating_id=lee.pk, stack_cents=200_00)
    house.seat("Lee", 5)
    house.at += timedelta(minutes=1)
    old = house.settle(40_00, winners=(2,), dealt_at=dealt_at)
    right = house.logged(60_00, winners=(2,), dealt_in=(1, 2, 3, 5), button=5, small_blind=1, big_blind=2)

    house.tap(correct_hand, table_id=table.pk, hand_row_id=old.pk, hand=right, reason="wrong_pot")

    new = Hand.objects.get(corrects=old)
    assert list(new.seats.order_by("seat_number").values_list("seat_number", "player__nickname")) == [
        (2, "Kai"),
        (3, "Timo"),
        (5, "Lee"),
    ]
