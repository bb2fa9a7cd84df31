"""A dealer's own tips: closed at the push, counted apart, shared where nobody closed them; and the dealer's receipt."""

from datetime import datetime, timedelta

import pytest
from django.db import connection

from casino import clock
from casino.cage.carried import carried_of
from casino.cage.days import open_day
from casino.errors import NotFound, NotPermitted
from casino.ledger.proof import problems
from casino.ledger.selectors import house_figures
from casino.people.models import Staff
from casino.people.services import start_shift
from casino.reports.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day as open_day_of
from tables.errors_racks import TipsNotedSince, TipsWentOn, TipsWereCounted, WhoseTips
from tables.models import ClosedTips, Down, Seating, TipCount, TipReceipt, TipShare, ToDo
from tables.rules.tips import shares_by_time
from tables.selectors.floor import todo_of_room
from tables.selectors.of_day import tips_taken_on
from tables.selectors.tip_boxes import boxes_apart, dealt_into, noted_in_box, tip_boxes, waiting
from tables.selectors.tips import dealers_there, owed_of, own_tips
from tables.selectors.work import table_work
from tables.services.caught_up import enter_downs
from tables.services.chips import count_tip_box
from tables.services.downs import end_down
from tables.services.opening import close_table, open_table
from tables.services.seating import leave_seat
from tables.services.tip_boxes import close_tips, take_back_closed_tips
from tables.services.tips import note_tip_receipt
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks
from tests.tables.tipping import hand_on, take
from tests.taps import at_desktop, tap


def begin(house: House) -> Racking:
    """Have a house whose tips are each dealer's own open table 1, where Anna deals."""
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    house.open(Lee=1, Kai=2)
    racking = Racking(house)
    racking.began(house.cast.anna)
    return racking


def close(house: House, dealer: Staff, by: Staff | None = None, down: Down | None = None) -> ClosedTips | None:
    down = down or Down.objects.filter(table_id=house.table_id(), dealer_id=dealer.pk).latest("id")
    answer = house.tap(close_tips, by, table_id=house.table_id(), down_id=down.pk)
    return ClosedTips.objects.get(id=answer.data["closed"]) if answer.data["is_closed"] else None


def note(house: House, euros: int) -> None:
    house.tap(count_tip_box, table_id=house.table_id(), counted_cents=euros * 100)


def next_morning(house: House) -> None:
    """Have everybody leave, and the day end."""
    for seating in Seating.objects.filter(left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=195_00)
    house.tap(close_table, table_id=house.table_id())
    house.close_drawer()
    house.close_day()
    house.at += timedelta(hours=12)
    house.tap(open_day, house.cast.mari)


def todo(house: House) -> list[str]:
    return [line.key for line in todo_of_room(house.room_id) if line.key.startswith("tips.")]


def sound(house: House) -> bool:
    return [each.detail for each in problems(house.room_id)] == []


def test_a_box_taken_along_is_its_dealers_alone_and_the_next_one_begins_at_nothing(house: House):
    racking = begin(house)
    note(house, 10)
    pushed = racking.began(house.cast.dan)
    # Noted after the push, before anybody said that the box was taken along: it is the next dealer's.
    note(house, 4)

    closed = close(house, house.cast.anna, by=house.cast.dan)

    assert closed is not None
    assert (closed.until, closed.noted_cents) == (pushed.began_at, 10_00)
    dealt = pushed.began_at - Down.objects.earliest("id").began_at
    assert closed.dealt == {house.cast.anna.pk: dealt.total_seconds()}
    house.at += timedelta(minutes=20)
    take(house, 6)
    take(house, 11, closed_id=closed.pk)
    counts = list(TipCount.objects.order_by("id").values_list("dealer_id", "cents", "noted_cents"))
    assert counts == [(house.cast.dan.pk, 6_00, 4_00), (house.cast.anna.pk, 11_00, 10_00)]
    assert house.figures()["tip_box"] == 0
    assert house_figures(house.room_id)["tips"] == 17_00
    assert not ToDo.objects.filter(kind=ToDo.Kind.TIPS_DIFFER).exists()
    assert sound(house)
    with pytest.raises(TipsWereCounted):
        take(house, 11, closed_id=closed.pk)
    with pytest.raises(NotFound):
        take(house, 11, closed_id=0)


def test_what_nobody_closed_waits_for_the_floor_and_is_shared_by_the_time_dealt_in_between(house: House):
    racking = begin(house)
    assert (todo(house), table_work(house.room_id, 1).tips) == ([], None)
    racking.began(house.cast.dan)

    assert todo(house) == ["tips.1"]
    work = table_work(house.room_id, 1)
    assert work.tips is not None
    assert work.tips.dealer_id == house.cast.anna.pk
    house.at += timedelta(minutes=9)
    take(house, 40)

    count = TipCount.objects.get()
    assert count.seconds is not None
    assert (count.dealer_id, set(count.seconds)) == (None, {str(house.cast.anna.pk), str(house.cast.dan.pk)})
    assert todo(house) == []
    house.tap(end_down, table_id=house.table_id(), down_id=Down.objects.latest("id").pk)
    hand_on(house, 40_00)
    shared = shares_by_time(40_00, {int(dealer): seconds for dealer, seconds in count.seconds.items()})
    assert dict(TipShare.objects.values_list("dealer_id", "cents")) == shared
    assert shared[house.cast.anna.pk] > 3 * shared[house.cast.dan.pk]
    assert sound(house)


def test_the_floor_closes_later_what_was_taken_along_at_the_push(house: House):
    anna, dan = house.cast.anna, house.cast.dan
    racking, before = begin(house), Down.objects.latest("id")
    racking.began(dan)
    third = racking.began(anna)

    first = close(house, anna, down=before)
    assert first is not None
    assert set(first.dealt) == {anna.pk}
    assert todo(house) == ["tips.1"]
    second = close(house, dan)

    assert second is not None
    assert (set(second.dealt), second.until) == ({dan.pk}, third.began_at)
    assert todo(house) == []
    # Said again, or of a push before, it changes nothing; a dealer may close theirs while they deal.
    assert (close(house, anna, down=before), close(house, dan)) == (None, None)
    assert close(house, anna, by=anna) is not None
    assert sound(house)


@pytest.mark.helsinki
def test_where_tips_are_pooled_nobody_closes_theirs(house: House):
    house.open(Lee=1, Kai=2)
    racking = Racking(house)
    racking.began(house.cast.anna)
    down = racking.began(house.cast.dan)

    assert (todo(house), table_work(house.room_id, 1).tips) == ([], None)
    assert close(house, house.cast.anna) is None
    assert not ClosedTips.objects.exists()
    with pytest.raises(NotFound):
        house.tap(close_tips, table_id=house.table_id(2), down_id=down.pk)


def handed(house: House) -> None:
    """Have Anna's 20 euros and Dan's 12 go to payroll."""
    racking = begin(house)
    down = racking.began(house.cast.dan)
    take(house, 20, house.cast.anna)
    house.at += timedelta(minutes=10)
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    take(house, 12)
    hand_on(house, 32_00)


def test_each_share_has_its_receipt_which_prints_as_a_copy_from_the_second_time_on(house: House):
    handed(house)

    receipts = {each.share.dealer_id: each for each in TipReceipt.objects.select_related("share")}

    assert {dealer: each.share.cents for dealer, each in receipts.items()} == {
        house.cast.anna.pk: 20_00, house.cast.dan.pk: 12_00,
    }  # fmt: skip
    assert sorted(each.number for each in receipts.values()) == [1, 2]
    mine = receipts[house.cast.anna.pk]
    answer = house.tap(note_tip_receipt, house.cast.mari, number=mine.number)
    assert answer.data == {"number": mine.number, "prints": 1}
    with pytest.raises(NotFound):
        house.tap(note_tip_receipt, house.cast.mari, number=0)


def test_a_dealer_reads_their_own_tips_and_the_report_those_of_all(house: House):
    handed(house)
    take(house, 3, house.cast.anna)

    (own,) = own_tips(house.room_id, house.cast.anna.pk, at=house.at)

    assert (own.cents, own.handed_cents, own.owed_cents, len(own.receipts)) == (23_00, 20_00, 3_00, 1)
    assert own_tips(house.room_id, house.cast.mari.pk, at=house.at) == []
    with clock.frozen(house.at):
        report = day_report(house.cast.room)
    (sheet,) = (each for each in sheets_of(report) if each.name == "tips")
    assert [(row["dealer"], row["share"], row["handed"], row["owed"]) for row in sheet.rows] == [
        (house.cast.anna.display_name, 23_00, 20_00, 3_00), (house.cast.dan.display_name, 12_00, 12_00, 0),
    ]  # fmt: skip
    assert sheet.total is not None
    assert (sheet.total["share"], sheet.total["owed"]) == (35_00, 3_00)


def test_a_receipt_is_shown_to_the_office_and_to_its_dealer_alone(house: House):
    handed(house)
    mine = TipReceipt.objects.get(share__dealer_id=house.cast.anna.pk).number
    anna, dan, mari = (at_desktop(each) for each in (house.cast.anna, house.cast.dan, house.cast.mari))

    assert "20\xa0€" in anna.get(f"/tables/mine/tips/{mine}/").content.decode()
    assert f"/tables/mine/tips/{mine}/" in anna.get("/tables/mine/").content.decode()
    assert dan.get(f"/tables/mine/tips/{mine}/").status_code == 404
    assert dan.get(f"/tips/receipts/{mine}/").status_code == 403
    with clock.frozen(house.at):
        (day,) = anna.get("/api/v1/tips/own").json()
    assert (day["handed_cents"], day["owed_cents"], day["receipts"]) == (20_00, 0, [mine])

    before = mari.get(f"/tips/receipts/{mine}/").content.decode()
    answer = tap(mari, f"/tips/receipts/{mine}/printed/")
    # The page stays, and is printed as it stands.
    assert (answer.status_code, "HX-Redirect" in answer.headers) == (200, False)
    after = mari.get(f"/tips/receipts/{mine}/").content.decode()

    assert ("COPY" in before, "COPY" in after) == (False, True)
    assert mari.get(f"/api/v1/tips/receipts/{mine}").json()["prints"] == 1


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE tables_closedtips SET noted_cents = noted_cents + 100", {"tips_closed"}),
        ("UPDATE tables_closedtips SET seconds = '{\"0\": 60}'; UPDATE tables_down SET day_id = NULL", {"tips_closed"}),
        ("UPDATE tables_closedtips SET until = until - interval '1 day' WHERE number = 2", {"tips_closed"}),
        ("UPDATE tables_closedtips SET waits = NOT waits", {"tips_closed"}),
        ("DELETE FROM tables_tipreceipt", {"tip_receipts"}),
    ],
)
def test_the_proof_finds_what_was_planted(house: House, statement: str, found: set[str]):
    racking = begin(house)
    note(house, 10)
    down = racking.began(house.cast.dan)
    closed = close(house, house.cast.anna)
    assert closed is not None
    take(house, 11, closed_id=closed.pk)
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    close(house, house.cast.dan)
    hand_on(house, 11_00)
    assert sound(house)

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_closedtips DISABLE TRIGGER USER")
        cursor.execute(statement)

    assert {each.what for each in problems(house.room_id)} - {"event"} == found


def test_a_box_taken_along_before_the_day_changes_is_closed_the_morning_after(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    note(house, 10)
    mine = Down.objects.latest("id")
    house.tap(end_down, table_id=house.table_id(), down_id=mine.pk)
    next_morning(house)
    house.open(Lee=1, Kai=2)
    racking.began(dan)

    assert todo(house) == ["tips.1"]
    assert [down.pk for down, _name in tip_boxes(house.table(), at=house.at).unclosed] == [mine.pk]
    with pytest.raises(WhoseTips):
        take(house, 1, house.cast.mari)
    closed = close(house, anna, down=mine)

    assert closed is not None
    assert (set(closed.dealt), closed.noted_cents) == ({anna.pk}, 10_00)
    house.at += timedelta(minutes=10)
    take(house, 3)
    assert TipCount.objects.latest("id").dealer_id == dan.pk
    assert todo(house) == []
    # She left her box after all, says somebody; the one that hangs now is not hers.
    with pytest.raises(WhoseTips):
        take(house, 2, anna)
    assert sound(house)


def test_a_box_that_hung_over_the_night_may_be_said_to_be_anybodys_who_has_dealt_into_it(house: House):
    begin(house)
    house.tap(end_down, table_id=house.table_id(), down_id=Down.objects.latest("id").pk)
    next_morning(house)

    assert [dealer for dealer, _name in dealers_there(house.table())] == [house.cast.anna.pk]
    take(house, 5, house.cast.anna)

    assert TipCount.objects.get().dealer_id == house.cast.anna.pk


def test_a_box_that_the_wrong_one_was_said_to_have_taken_is_counted_as_who_dealt_there_says(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    racking.began(dan)
    closed = close(house, anna)
    assert closed is not None

    with pytest.raises(WhoseTips):
        take(house, 9, house.cast.mari, closed_id=closed.pk)
    take(house, 9, dan, closed_id=closed.pk)

    count = TipCount.objects.get()
    assert (count.dealer_id, count.seconds, count.closed_id) == (dan.pk, None, closed.pk)
    assert sound(house)


def test_tips_that_were_noted_before_the_push_lie_in_the_box_of_before_whenever_the_tablet_sends_them(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    before = house.at
    racking.began(dan)
    house.at += timedelta(seconds=1)
    late = command(anna, at=house.at, tapped_at=before)
    count_tip_box(late, table_id=house.table_id(), counted_cents=8_00)
    note(house, 3)

    closed = close(house, anna)

    assert closed is not None
    assert closed.noted_cents == 8_00
    assert noted_in_box(house.table()) == 3_00


def test_a_box_that_is_counted_the_day_after_is_of_the_day_on_which_it_was_closed(house: House):
    begin(house)
    table = house.table_id()
    house.tap(end_down, table_id=house.table_id(), down_id=Down.objects.latest("id").pk)
    take(house, 2)
    hand_on(house, 2_00)
    Racking(house).began(house.cast.dan)
    closed = close(house, house.cast.dan)
    assert closed is not None
    house.tap(end_down, table_id=house.table_id(), down_id=closed.down_id)
    next_morning(house)
    (box,) = (each for each in carried_of(closed.day) if each.item.kind == "tip_box")
    assert (box.item.number, box.is_open) == (1, True)

    take(house, 7, closed_id=closed.pk)

    (box,) = (each for each in carried_of(closed.day) if each.item.kind == "tip_box")
    assert (box.is_open, box.done_at) == (False, house.at)

    assert TipCount.objects.latest("id").day_id == closed.day_id
    today = open_day_of(house.room_id)
    assert today is not None
    assert (tips_taken_on(closed.day), tips_taken_on(today)) == ([(table, 2_00)], [(table, 7_00)])
    assert owed_of(today, at=house.at).cents == 0
    assert owed_of(closed.day, at=house.at).shares == {house.cast.dan.pk: 7_00}
    hand_on(house, 7_00, closed.day)
    share = TipShare.objects.select_related("payroll").latest("id")
    assert (share.dealer_id, share.payroll.day_id, share.payroll.posted_on_id) == (
        house.cast.dan.pk, closed.day_id, today.pk,
    )  # fmt: skip
    assert sound(house)


def back(house: House, closed: ClosedTips, by: Staff) -> None:
    house.tap(take_back_closed_tips, by, table_id=house.table_id(), closed_id=closed.pk)


def test_what_was_said_by_mistake_is_taken_back_and_the_box_hangs_there_as_before(house: House):
    racking, anna, dan, frans = begin(house), house.cast.anna, house.cast.dan, house.cast.frans
    note(house, 10)
    racking.began(dan)
    closed = close(house, anna, by=dan)
    assert closed is not None
    assert noted_in_box(house.table()) == 0

    with pytest.raises(NotPermitted):
        back(house, closed, anna)
    with clock.frozen(house.at):
        assert "Tip box of" in at_desktop(dan).get("/tables/mine/").content.decode()
        assert "Tip box of" not in at_desktop(anna).get("/tables/mine/").content.decode()
    back(house, closed, dan)

    assert (noted_in_box(house.table()), boxes_apart(house.room_id), todo(house)) == (10_00, [], ["tips.1"])
    with pytest.raises(NotFound):
        back(house, closed, dan)
    with pytest.raises(NotFound):
        take(house, 10, closed_id=closed.pk)
    # Now it is so, at the same moment.
    again = close(house, anna, by=dan)
    assert again is not None
    assert (again.number, again.until, again.noted_cents) == (2, closed.until, 10_00)
    note(house, 1)
    with pytest.raises(TipsNotedSince):
        back(house, again, dan)
    back(house, again, frans)
    assert noted_in_box(house.table()) == 11_00
    house.at += timedelta(minutes=9)
    take(house, 11)
    assert sound(house)


def test_it_is_not_taken_back_after_the_next_count_though_the_clock_was_set_back(house: House):
    begin(house)
    note(house, 10)
    closed = close(house, house.cast.anna)
    assert closed is not None
    house.at -= timedelta(hours=1)
    take(house, 5, house.cast.anna)

    with pytest.raises(TipsWentOn):
        back(house, closed, house.cast.frans)


@pytest.mark.parametrize("noted", [10, 0])
def test_it_is_taken_back_where_the_box_was_counted_before_it(house: House, noted: int):
    begin(house)
    if noted:
        note(house, noted)
    house.at += timedelta(minutes=1)
    take(house, 5)
    house.at += timedelta(minutes=1)
    closed = close(house, house.cast.anna)
    assert closed is not None

    back(house, closed, house.cast.frans)

    assert boxes_apart(house.room_id) == []


def test_it_is_not_taken_back_once_something_came_of_it(house: House):
    racking, anna, dan, frans = begin(house), house.cast.anna, house.cast.dan, house.cast.frans
    racking.began(dan)
    first = close(house, anna)
    assert first is not None
    racking.began(anna)
    second = close(house, dan)
    assert second is not None
    with pytest.raises(TipsWentOn):
        back(house, first, frans)
    take(house, 2, closed_id=second.pk)
    with pytest.raises(TipsWereCounted):
        back(house, second, frans)
    take(house, 3)
    assert sound(house)


def test_tips_that_come_after_their_box_was_closed_lie_in_it_until_it_is_counted(house: House):
    racking, anna, dan = begin(house), house.cast.anna, house.cast.dan
    before = house.at
    racking.began(dan)
    closed = close(house, anna)
    assert closed is not None
    for euros in (8, 2):
        house.at += timedelta(seconds=1)
        late = command(anna, at=house.at, tapped_at=before)
        count_tip_box(late, table_id=house.table_id(), counted_cents=euros * 100)
        if euros == 8:
            assert (noted_in_box(house.table()), ClosedTips.objects.get().noted_cents) == (0, 8_00)
            take(house, 8, closed_id=closed.pk)
    # Nobody opens a box again: what comes later than its count is the next one's, and the floor sees that it is short.
    assert noted_in_box(house.table()) == 2_00
    assert sound(house)


def test_boxes_that_wait_are_found_by_an_index_of_their_own(house: House):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    for found in (waiting(house.room_id), waiting(house.room_id, house.table())):
        assert "closed_tips_that_wait" in found.order_by("until", "id").explain()


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
    table, day = house.table(), open_day_of(house.room_id)
    assert table.opening is not None
    assert day is not None
    said = command(house.cast.frans, at=house.at)
    enter_downs(said, [(dealer.pk, began, ended)], day=day, table=table, opening=table.opening, sheet=7)


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
