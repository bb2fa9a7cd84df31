"""A gaming day closes for operations, with what is carried over its end, and by two as counted."""

import json
import re
import zoneinfo
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.boxes.errors import BoxOnReport
from casino.boxes.models import Box, BoxCount
from casino.cage import open_items
from casino.cage.day_counts import counts_of
from casino.cage.errors import CountStands
from casino.cage.errors_days import CountsAreClosed, CountsMissing, DayLeavesOpen, DayStillOpen, DropFirst
from casino.cage.models import CarriedItem, Doubt
from casino.cage.selectors.carried_over import carried_of
from casino.cage.selectors.days import days_that_wait
from casino.cage.selectors.todo import counts_lines
from casino.cage.services import cancel_slip, close_day, judge_doubt, open_day, request_buy_in
from casino.errors import Malformed, Stale
from casino.ledger.chart import of_house
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.ledger.services import post
from casino.ledger.templatetags.money import difference, money
from casino.live.render import fragment
from casino.people.errors import SamePerson, SecondMayNot
from casino.people.permissions import MAY
from casino.rooms.models import GamingDay
from tests.boxes.hanging import Hanging
from tests.cage.bad_night import BadNight, all_go, bad_night
from tests.cage.counting import carried, carrying, recounts
from tests.jackpot.beats import SEVEN
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

__all__ = ["house"]


@pytest.fixture
def night(house: House) -> BadNight:
    return bad_night(house)


@pytest.mark.slow
def test_what_is_of_another_day_says_of_which_on_the_floors_to_do_and_on_the_checklist(house: House) -> None:
    """A manager who reads "23:40" in the morning would take it for tonight's."""
    house.close_drawer(short_cents=5_00)
    first = GamingDay.objects.get()

    def shown() -> tuple[set[str], str]:
        with clock.frozen(house.at):
            page = at_desktop(house.cast.mari).get("/cage/day/").content.decode()
        times = re.findall(r'<time class="todo-at"[^>]*>([^<]+)<', fragment(house.room_id, "floor", "en").html)
        line = page.partition("what the floor has to judge of drawer 1")[2].partition("<select")[0]
        return set(times), unescape(re.sub(r"(\s*<[^>]+>)+\s*", " ", line)).strip()

    at = timezone.localtime(Doubt.objects.get().raised_at, zoneinfo.ZoneInfo(house.cast.room.time_zone))
    five = money(5_00, house.cast.room)
    assert shown() == ({f"{at:%H:%M}"}, f"·\xa0{five}")

    house.close_day()
    assert shown()[0] == {f"{at:%-d.%-m. %H:%M}"}
    next_evening(house)

    assert shown() == ({f"{at:%-d.%-m. %H:%M}"}, f"·\xa0{five} carried over from {first.date:%-d.%-m.}")


def sound(house: House) -> None:
    assert [each.detail for each in problems(house.room_id)] == []
    assert list(breaks(house.room_id)) == []


def next_evening(house: House) -> GamingDay:
    """Open the next day, a day later."""
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    return GamingDay.objects.get(closed_at=None)


def test_what_is_open_is_carried_with_a_reason_and_the_report_says_what_became_of_it(night: BadNight) -> None:
    house = night.house
    slip_id = house.tap(request_buy_in, house.cast.anna, player_id=house.player("Lee").pk, amount_cents=100_00).data[
        "slip_id"
    ]
    with pytest.raises(DayLeavesOpen, match=r"request .*; what the floor has to judge of drawer 1"):
        house.tap(close_day, house.cast.mari)
    for wrong in ([carried("doubt.1", "under_seal")], [carried("doubt.1"), carried("doubt.1")]):
        with pytest.raises(Malformed):
            house.tap(close_day, house.cast.mari, carrying=wrong)
    assert not CarriedItem.objects.exists()

    carries = [carried(f"request.{slip_id}", "somebody_gone"), *(each for each in carrying(house.room_id)
            if not each["item"].startswith("request"))]  # fmt: skip
    house.tap(close_day, house.cast.mari, carrying=carries)

    day = night.day
    assert day.stage == "operations"
    found = {each.item.kind: each for each in carried_of(day)}
    assert found["request"].reason == "Whoever knows has gone home"
    assert (found["doubt"].name, found["doubt"].by) == ("what the floor has to judge of drawer 1", "Mari")
    assert all(each.is_open for each in found.values())
    next_evening(house)
    house.tap(cancel_slip, slip_id=slip_id)
    house.tap(judge_doubt, doubt_id=Doubt.objects.get(judged_at=None).pk)
    became = {each.item.kind: (each.is_open, each.done_at) for each in carried_of(day)}
    assert became["request"] == (False, house.at - timedelta(seconds=1))
    assert became["doubt"] == (False, house.at)
    # A later doubt of the same drawer is another one.
    assert became["in_play"] == (True, None)
    sound(house)


def test_a_day_closes_as_counted_by_two_once_its_boxes_are_counted_or_carried(night: BadNight) -> None:
    house = night.house
    with pytest.raises(DayStillOpen):
        night.close_counts()
    house.close_day()
    assert [day.pk for day in days_that_wait(house.room_id)] == [night.day_id]
    with pytest.raises(CountsMissing, match=r"Jackpot box 8 \(table 1\)"):
        night.close_counts()
    with pytest.raises(SamePerson):
        night.close_counts(second=house.cast.mari)
    with pytest.raises(SecondMayNot):
        night.close_counts(second=house.cast.frans)
    with pytest.raises(Malformed):
        night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "somebody_gone")])

    answer = night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])

    day = night.day
    assert (day.stage, day.counted_by_id, day.counted_with_id) == ("counted", house.cast.mari.pk, house.cast.olavi.pk)
    assert (answer.data["money_difference_cents"], answer.data["chips_difference_cents"]) == (-5_00, -1_00)
    assert days_that_wait(house.room_id) == []
    with pytest.raises(CountsAreClosed):
        night.close_counts()
    sound(house)


def test_days_wait_for_their_counts_while_the_next_ones_run(night: BadNight) -> None:
    house, first = night.house, night.day_id
    house.close_day()
    second = next_evening(house)
    house.close_day()
    third = next_evening(house)
    assert [day.pk for day in days_that_wait(house.room_id)] == [first, second.pk]
    lines = list(counts_lines(room_id=house.room_id))
    assert [line.key for line in lines] == [f"counts.{first}", f"counts.{second.pk}"]
    assert lines[0].text == f"The counts of {night.day.date:%-d.%-m.%Y} wait"

    # A later one closes before an earlier one, whose box is counted on the day that is open then, and names its own.
    later = BadNight(house, night.counted, night.waits, second.pk)
    later.close_counts()
    Hanging(house).count(night.waits, 1)
    count = BoxCount.objects.latest("id")
    assert count.day_id == third.pk
    data = json.loads(Event.objects.filter(name="boxes.count_box").latest("id").text)["data"]
    assert data["of_days"] == [night.day.date.isoformat()]
    assert Transfer.objects.get(id=count.transfer_id or 0).about["of_days"] == data["of_days"]
    night.close_counts()

    assert days_that_wait(house.room_id) == []
    sound(house)


def test_what_is_found_about_a_counted_day_is_posted_today_and_a_drawers_count_stands(night: BadNight) -> None:
    house = night.house
    house.close_day()
    today = next_evening(house)
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "not_found")])
    before = Transfer.objects.filter(day_id=night.day_id).count()

    Hanging(house).count(night.waits, 1)
    with pytest.raises(CountStands):
        recounts(house.cast.carla, house.cast.frans, 5_000_00, 20_000_00, at=house.at)

    assert Transfer.objects.filter(day_id=night.day_id).count() == before
    assert BoxCount.objects.latest("id").day_id == today.pk
    (box,) = (each for each in carried_of(night.day) if each.item.kind == "box")
    assert (box.is_open, box.done_at) == (False, house.at)
    sound(house)


def test_a_count_meanwhile_makes_the_list_that_both_have_seen_an_old_one(night: BadNight) -> None:
    night.house.close_day()
    next_evening(night.house)
    seen = 5
    Hanging(night.house).count(night.waits, 1)

    with pytest.raises(Stale):
        night.close_counts(version=seen)


def test_what_lies_in_no_box_is_taken_down_first_and_stays_a_box_once_it_is_carried(house: House) -> None:
    boxes = Hanging(house)
    house.open(1, **SEVEN)
    boxes.hang(7)
    for _ in range(2):
        house.settle(60_00, winners=(2,), dealt_in=tuple(SEVEN.values()))
        if boxes.hangs():
            boxes.drop()
    all_go(house)
    house.close_drawer()
    house.close_day()
    night = BadNight(house, Box(), Box(), GamingDay.objects.get().pk)
    with pytest.raises(DropFirst, match="in no box at table 1"):
        night.close_counts()

    loose = boxes.drop()
    first = Box.objects.get(number=7)
    night.close_counts(carrying=[carried(f"box.{loose.pk}", "under_seal"), carried(f"box.{first.pk}", "not_found")])

    with pytest.raises(BoxOnReport):
        boxes.take_back(loose)
    sound(house)


def test_a_closed_day_takes_no_posting_in_either_stage(night: BadNight) -> None:
    house = night.house
    house.close_day()
    next_evening(house)

    def posts() -> None:
        with transaction.atomic():
            post(
                room_id=house.room_id, day_id=night.day_id, kind="fill", key=f"late.{night.day.stage}",
                lines=[of_house(house.room_id, "vault_cash", 1_00), of_house(house.room_id, "house_money", -1_00)],
                made_by_id=house.cast.mari.pk, at=house.at,
            )  # fmt: skip

    with pytest.raises(DatabaseError, match="takes no posting"):
        posts()
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
    with pytest.raises(DatabaseError, match="takes no posting"):
        posts()


@pytest.mark.parametrize(
    "change",
    [
        # Counted by one alone.
        lambda day, who: {
            "counts_wait": False, "counted_at": day.closed_at, "counted_by_id": who, "counted_with_id": who,
        },
        # Counted before it was closed.
        lambda day, who: {
            "counts_wait": False, "counted_at": day.opened_at - timedelta(hours=1), "counted_by_id": who,
            "counted_with_id": who + 1,
        },
        # Waiting for nothing any more, though nobody counted.
        lambda day, who: {"counts_wait": False},
        # Open again.
        lambda day, who: {"closed_at": None, "counts_wait": False},
    ],
)  # fmt: skip
def test_the_database_knows_the_stages(night: BadNight, change: Callable[..., dict[str, object]]) -> None:
    night.house.close_day()
    day = night.day

    with pytest.raises(DatabaseError), transaction.atomic(), as_owner():
        GamingDay.objects.filter(id=day.pk).update(**change(day, night.house.cast.mari.pk))


def test_counting_is_final_and_no_day_is_counted_that_did_not_wait(night: BadNight) -> None:
    mari, olavi = night.house.cast.mari.pk, night.house.cast.olavi.pk
    counted = {"counts_wait": False, "counted_by_id": mari, "counted_with_id": olavi}
    with pytest.raises(IntegrityError), transaction.atomic():
        GamingDay.objects.filter(id=night.day_id).update(counted_at=night.house.at, **counted)
    night.house.close_day()
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])

    for undone in ({"counted_at": None, "counted_by_id": None, "counted_with_id": None}, {"counted_by_id": olavi + 9}):
        with pytest.raises(DatabaseError), transaction.atomic():
            GamingDay.objects.filter(id=night.day_id).update(**undone)
    with pytest.raises(DatabaseError), transaction.atomic(), as_owner():
        CarriedItem.objects.update(reason="no_time")


def test_a_days_page_asks_as_often_whatever_is_counted_and_carried(night: BadNight) -> None:
    house = night.house
    asks = {"player_id": house.player("Lee").pk, "amount_cents": 100_00}
    slip_id = house.tap(request_buy_in, house.cast.anna, **asks).data["slip_id"]
    house.close_day()

    def queries_needed() -> int:
        with CaptureQueriesContext(connection) as queries:
            carried_of(night.day)
            counts_of(night.day)
        return len(queries)

    once = queries_needed()
    with as_owner():
        for number in range(3):
            CarriedItem.objects.create(
                room_id=house.room_id, day_id=night.day_id, stage="operations", kind="request", number=10**6 + number,
                rows=[slip_id], reason="no_time", carried_at=house.at, carried_by_id=house.cast.mari.pk,
            )  # fmt: skip

    assert len(carried_of(night.day)) == 6
    assert queries_needed() == once


def test_the_check_finds_a_counted_day_with_a_box_that_nobody_counted_or_carried(night: BadNight) -> None:
    house = night.house
    house.close_day()
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
    sound(house)

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE cage_carrieditem DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM cage_carrieditem WHERE kind = 'box'")
        cursor.execute("ALTER TABLE cage_carrieditem ENABLE TRIGGER USER")

    found = {each.what: each.detail for each in problems(house.room_id)}
    assert f"box {night.waits.pk} is of the day {night.day.date}" in found["box_of_counted_day"]
    assert "carried" in found["event"]


def test_each_kind_of_what_is_open_leads_to_a_page_that_there_is() -> None:
    pages = {kind: open_items.page_of(kind) for kind in open_items._kinds}

    assert [kind for kind, page in pages.items() if page is None] == []
    assert [page for page in pages.values() if page and page.needs not in MAY] == []
    alone = {page.name for page in pages.values() if page and page.made_of is open_items.one_for_all}
    assert all(reverse(page.name, args=[] if page.name in alone else [7]) for page in pages.values() if page)


def test_the_pages_say_in_which_stage_each_day_is(night: BadNight) -> None:
    house, room = night.house, night.house.cast.room
    mari = at_desktop(house.cast.mari)
    open_page = mari.get("/cage/day/").text
    house.close_day()
    with clock.frozen(house.at):
        waits, own = mari.get("/cage/day/").text, mari.get(f"/cage/day/{night.day_id}/").text
        night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])
        after = mari.get(f"/cage/day/{night.day_id}/").text
        report = mari.get(f"/reports/?day={night.day.date}").text

    seal = "It lies under seal, and is counted later"
    to_judge = '<a href="/floor/">what the floor has to judge of drawer 1'
    for page, words in (
        (
            open_page,
            ["Drawers are counted and closed", 'name="carry_doubt.1"', to_judge, '<a href="/boxes/">1 box waits'],
        ),
        (waits, ["Days whose counts wait", f"/cage/day/{night.day_id}/"]),
        (own, [f'name="carry_box.{night.waits.pk}"', difference(-5_00, room), difference(-1_00, room), to_judge]),
        (after, ["Closed as counted", seal, f'<a href="/boxes/{night.waits.pk}/">']),
        (report, ["closed as counted", seal]),
    ):
        assert [each for each in words if each not in page] == []
