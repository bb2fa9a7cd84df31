"""A dealer's own tips: closed at the push, counted apart, shared where nobody closed them; and the dealer's receipt."""

from datetime import timedelta

import pytest
from django.db import connection

from casino import clock
from casino.cage.selectors.carried_over import carried_of
from casino.errors import NotFound, NotPermitted
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.ledger.templatetags.money import money
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.selectors import open_day as open_day_of
from tables.errors_racks import TipsNotedSince, TipsWentOn, TipsWereCounted, WhoseTips
from tables.models import ClosedTips, Down, TipCount, TipReceipt, TipShare, ToDo
from tables.rules.tips import shares_by_time
from tables.selectors.of_day import tips_taken_on
from tables.selectors.tip_boxes import boxes_apart, noted_in_box, tip_boxes, waiting
from tables.selectors.tips import dealers_there, owed_of, own_tips
from tables.selectors.work import table_work
from tables.services.chips import count_tip_box
from tables.services.downs import end_down
from tables.services.tip_boxes import close_tips
from tables.services.tips import note_tip_receipt
from tests.cast import command
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house
from tests.tables.own_tips import back, begin, close, next_morning, note, sound, todo
from tests.tables.racking import Racking
from tests.tables.tipping import hand_on, take
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


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


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_printings_of_one_receipt_at_once_one_is_the_copy(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    handed(house)
    if not is_locked:
        without_lock(monkeypatch, TipReceipt)
    copies: list[int] = []

    def prints() -> None:
        copies.append(note_tip_receipt(command(house.cast.mari, at=house.at), number=1).data["prints"])

    meet(prints, prints)

    assert copies == ([1, 2] if is_locked else [1, 1])


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

    assert money(20_00, house.cast.room) in anna.get(f"/tables/mine/tips/{mine}/").content.decode()
    assert f"/tables/mine/tips/{mine}/" in anna.get("/tables/mine/").content.decode()
    assert dan.get(f"/tables/mine/tips/{mine}/").status_code == 404
    assert dan.get(f"/tips/receipts/{mine}/").status_code == 403
    with clock.frozen(house.at):
        (day,) = anna.get("/api/v1/tips/own").json()
    assert (day["handed_cents"], day["owed_cents"], day["receipts"]) == (20_00, 0, [mine])

    before = mari.get(f"/tips/receipts/{mine}/").content.decode()
    answer = tap(mari, f"/tips/receipts/{mine}/printed/")
    # The answer is what is printed.
    assert (answer.status_code, "COPY" in answer.content.decode()) == (200, False)
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
