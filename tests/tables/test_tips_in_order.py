"""In which tip box tips lie, and whose they are: by the order of the log and of downs, whatever the clock is set to."""

from datetime import datetime, timedelta

import pytest

from casino.audit import held
from casino.audit.services import append
from casino.people.models import Staff
from casino.people.services import start_shift
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day as open_day_of
from tables.errors_racks import TipsNotedSince, TipsWentOn
from tables.models import Down, Seating, TipCount
from tables.selectors.tip_boxes import dealt_into, noted_in_box, tip_boxes
from tables.selectors.tips import dealers_there, owed_of
from tables.selectors.work import table_work
from tables.services.caught_up import enter_downs
from tables.services.chips import count_tip_box
from tables.services.downs import end_down
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.own_tips import back, begin, close, next_morning, note, sound, todo
from tests.tables.racking import Racking, keeps_racks
from tests.tables.tipping import take

pytestmark = pytest.mark.two_houses


def noted_at(house: House, at: datetime, euros: int) -> None:
    count_tip_box(command(house.cast.dan, at=at), table_id=house.table_id(), counted_cents=euros * 100)


def test_two_notes_of_one_moment_lie_in_the_boxes_between_which_the_push_came(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    house.tap(start_shift, staff_id=dan.pk)
    pushed_at = house.at + timedelta(minutes=30, seconds=1)
    noted_at(house, pushed_at, 10)
    pushed = racking.push(dan)
    assert pushed.began_at == pushed_at
    noted_at(house, pushed_at, 4)

    closed = close(house, anna, by=dan)

    assert closed is not None
    assert (closed.noted_cents, noted_in_box(house.table())) == (10_00, 4_00)
    # Nobody has noted any since it was said: whoever said it takes it back.
    back(house, closed, dan)
    assert sound(house)


def test_a_clock_that_was_set_back_leaves_tips_in_the_box_in_which_they_were_put(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    pushed = racking.began(dan)
    an_hour_before = pushed.began_at - timedelta(hours=1)
    noted_at(house, an_hour_before, 4)
    house.at += timedelta(seconds=1)

    closed = close(house, anna, by=dan)
    assert closed is not None
    assert (closed.noted_cents, noted_in_box(house.table())) == (0, 4_00)
    # A tap takes a moment to come: it was not kept since before the push.
    tapped = command(dan, at=an_hour_before, tapped_at=an_hour_before - timedelta(milliseconds=300))
    count_tip_box(tapped, table_id=house.table_id(), counted_cents=2_00)

    closed.refresh_from_db()
    assert (closed.noted_cents, noted_in_box(house.table())) == (0, 6_00)
    with pytest.raises(TipsNotedSince):
        back(house, closed, dan)
    assert sound(house)


def test_a_clock_that_was_set_back_keeps_no_box_from_being_taken_along(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    pushed = racking.began(dan)
    note(house, 4)
    house.at -= timedelta(minutes=50)
    third = racking.began(anna)
    work = table_work(house.room_id, 1)
    assert work.tips is not None
    # By the clock Dan has dealt for no time.
    assert (work.tips.dealer_id, work.tips.ended_at) == (dan.pk, pushed.began_at)

    closed = [close(house, anna, down=Down.objects.earliest("id")), close(house, dan)]

    assert [(set(each.dealt), each.until, each.noted_cents) for each in closed if each] == [
        ({anna.pk}, pushed.began_at, 0), ({dan.pk}, third.began_at, 4_00),
    ]  # fmt: skip
    assert (todo(house), close(house, dan), noted_in_box(house.table())) == ([], None, 0)
    assert sound(house)


def test_a_count_that_moves_nothing_came_before_or_after_a_box_whatever_the_clock_says(house: House):
    begin(house)
    anna, frans = house.cast.anna, house.cast.frans
    take(house, 0)
    house.at -= timedelta(minutes=10)
    closed = close(house, anna)
    assert closed is not None
    back(house, closed, frans)
    closed = close(house, anna)
    assert closed is not None
    house.at -= timedelta(minutes=10)
    take(house, 0)

    with pytest.raises(TipsWentOn):
        back(house, closed, frans)
    assert sound(house)


def test_what_was_dealt_before_a_count_is_in_no_box_since_though_the_clock_was_set_back(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    mine = Down.objects.latest("id")
    racking.began(dan)
    house.at -= timedelta(minutes=50)
    take(house, 3, anna)

    assert (todo(house), close(house, anna, down=mine)) == ([], None)
    assert [down.pk for down, _name in tip_boxes(house.table(), at=house.at).unclosed] == []
    assert set(dealt_into(house.table(), until=house.at)) == {dan.pk}


def test_a_box_that_was_never_counted_is_of_the_last_month(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    racking.began(dan)
    house.tap(end_down, table_id=house.table_id(), down_id=Down.objects.latest("id").pk)
    house.at += timedelta(days=32)
    with as_owner():
        GamingDay.objects.update(opened_at=house.at)
        Down.objects.filter(dealer_id=dan.pk).update(began_at=house.at, ended_at=house.at)

    assert set(dealt_into(house.table(), until=house.at)) == {dan.pk}
    with as_owner():
        Down.objects.filter(dealer_id=anna.pk).update(day=None)
    assert [dealer for dealer, _name in dealers_there(house.table())] == [dan.pk]


def on_paper(house: House, dealer: Staff, began: datetime, ended: datetime) -> None:
    """Enter a down as catching up with a sheet does, logged."""
    table, day = house.table(), open_day_of(house.room_id)
    assert table.opening is not None
    assert day is not None
    signing = command(house.cast.frans, at=house.at)
    with held.noting():
        enter_downs(signing, [(dealer.pk, began, ended)], day=day, table=table, opening=table.opening, sheet=7)
        append(
            room_id=house.room_id, chain=table.chain, name="paper.catch_up", result="done", command_id=signing.id,
            staff_id=signing.staff_id, device_id=None, at=signing.at, audiences=(),
            content={"rows": held.as_they_stand()},
        )  # fmt: skip


def test_a_down_of_no_length_that_was_on_paper_is_closed_and_counted(house: House):
    begin(house)
    house.tap(end_down, table_id=house.table_id(), down_id=Down.objects.latest("id").pk)
    take(house, 0)
    dan, at = house.cast.dan, house.at + timedelta(minutes=10)
    house.at += timedelta(minutes=30)
    on_paper(house, dan, at, at)
    # Who deals from that very moment on has dealt into the next box.
    on_paper(house, house.cast.anna, at, at + timedelta(minutes=10))

    closed = close(house, dan)

    assert closed is not None
    assert closed.dealt == {dan.pk: 1}
    take(house, 5, closed_id=closed.pk)
    assert TipCount.objects.get(closed=closed).dealer_id == dan.pk
    assert sound(house)


@pytest.mark.parametrize("is_reopened", [False, True])
def test_whose_tips_are_stays_as_its_table_was_opened_until_they_are_counted(house: House, is_reopened: bool):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    racking.began(dan)
    keeps_racks(house.room_id, is_kept="false", tips="pooled")
    for seating in Seating.objects.filter(left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=195_00)
    house.tap(close_table, table_id=house.table_id())
    if is_reopened:
        house.tap(open_table, table_id=house.table_id(), game_id=house.game().pk)

    closed = close(house, anna, down=Down.objects.earliest("id"))
    assert closed is not None
    assert set(closed.dealt) == {anna.pk}
    take(house, 5)
    take(house, 7, closed_id=closed.pk)
    counts = TipCount.objects.order_by("id").values_list("dealer_id", "seconds")
    assert list(counts) == [(dan.pk, None), (anna.pk, None)]
    assert sound(house)


def test_what_was_counted_after_the_day_closed_is_not_of_its_report_though_the_clock_was_set_back(house: House):
    begin(house)
    closed = close(house, house.cast.anna)
    assert closed is not None
    next_morning(house)
    day = GamingDay.objects.earliest("id")
    assert day.closed_at is not None
    house.at = day.closed_at - timedelta(minutes=5)
    take(house, 40, closed_id=closed.pk)

    assert owed_of(day, at=house.at, as_closed=True).cents == 0
    assert owed_of(day, at=house.at).cents == 40_00


def test_a_down_that_paper_ended_before_a_count_is_in_no_box_since(house: House):
    begin(house)
    anna, dan, mine = house.cast.anna, house.cast.dan, Down.objects.latest("id")
    house.at += timedelta(hours=1)
    take(house, 10)
    counted_at = house.at
    house.at += timedelta(minutes=30)
    on_paper(house, dan, counted_at - timedelta(minutes=30), counted_at + timedelta(minutes=10))

    assert close(house, anna, down=mine) is None
    assert [down.dealer_id for down, _name in tip_boxes(house.table(), at=house.at).unclosed] == [dan.pk]
    assert dealt_into(house.table(), until=house.at) == {dan.pk: 600}
    Racking(house).began(dan)
    assert todo(house) == []
    assert sound(house)


def test_what_lay_in_a_box_is_in_none_after_one_of_paper_though_the_clock_was_set_back(house: House):
    racking, dan = begin(house), house.cast.dan
    racking.began(dan)
    house.at -= timedelta(minutes=20)
    at = house.at
    # Anna's down ends later than that by the clock, and lies in this box.
    assert close(house, dan) is not None
    house.at += timedelta(minutes=10)
    on_paper(house, dan, at + timedelta(minutes=2), at + timedelta(minutes=5))

    closed = close(house, dan)

    assert closed is not None
    assert closed.dealt == {dan.pk: 180}
    # Anna's is in no box after the one in which it lay.
    assert set(dealt_into(house.table(), until=house.at)) == {dan.pk}
    assert sound(house)
