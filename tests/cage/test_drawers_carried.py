"""A drawer or a bank that is open when the gaming day closes is carried over its end, and counted on a later day."""

import io
import json
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection

from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage import services
from casino.cage.day_counts import counts_of
from casino.cage.errors import CountStands, DrawerOpen
from casino.cage.errors_days import CarriesOwn, DayLeavesOpen
from casino.cage.exception_carried import PUT_OFF
from casino.cage.exception_carried import read as read_carried
from casino.cage.exception_kinds import DRAWERS, SHORT, SLIPS
from casino.cage.exception_kinds import read as read_exceptions
from casino.cage.models import CarriedItem, DrawerSession, NotesBrought, Slip
from casino.cage.selectors.carried_over import carried_of
from casino.cage.selectors.exchanges import vault_notes
from casino.cage.selectors.identity import crossed
from casino.cage.selectors.of_day import drawers_of, notes_of
from casino.cage.selectors.slips import unnamed_today
from casino.cage.services import close_day
from casino.cage.services.buyers import bought_cents
from casino.cage.services.counting import Lies, close_drawer, count_signs
from casino.cage.services.signing import unsigned
from casino.cage.services.voiding import NEEDS, reversal_signs
from casino.compliance.selectors.findings import _crossings
from casino.errors import Malformed
from casino.ledger.proof import problems
from casino.people.exception_report import Counted, Span
from casino.people.models import Staff
from casino.reports.errors import PackOfOwnDrawer
from casino.reports.figures import DayReport
from casino.reports.selectors.day import day_report
from casino.reports.services import pack_of_days
from casino.reports.sheets import sheets_of
from casino.rooms.errors import NoOpenDay
from casino.rooms.models import GamingDay
from tables.models import Seating
from tables.services.seating import leave_seat
from tests.cage.banking import NUMBER
from tests.cage.carrying_over import also, carlas, carries, sells
from tests.cage.counting import carried, closes, lying, recounts, signed
from tests.cage.desk import identity_from
from tests.cage.foreign import notes, rate
from tests.cage.test_banks import asks, given
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop

__all__ = ["house"]

pytestmark = pytest.mark.two_houses


def sound(house: House) -> None:
    assert [each.detail for each in problems(house.room_id)] == []
    assert list(breaks(house.room_id)) == []


def reported(house: House, day: GamingDay, **arguments: Any) -> DayReport:
    """Return a day's report without its moment, and without what became of what it carried."""
    report = day_report(house.cast.room, day.date, **arguments)
    assert report.differs == 0
    return replace(report, at=day.opened_at, carried=())


def exceptions(house: House, day: GamingDay) -> set[Counted]:
    following = GamingDay.objects.filter(room_id=house.room_id, id__gt=day.pk).order_by("id").first()
    span = Span(house.room_id, (day,), following.opened_after if following else None)
    return {replace(each, thing=None) for each in (*read_exceptions(span), *read_carried(span))}


def rows_of(report: DayReport, name: str) -> list[dict[str, Any]]:
    return [dict(row) for sheet in sheets_of(report) if sheet.name == name for row in sheet.rows]


def test_a_carried_drawer_goes_on_and_its_difference_stands_on_the_day_of_its_count(house: House) -> None:
    carlas(house)
    sells(house, 100_00)
    first = carries(house, "drawer.1")
    was = reported(house, first)
    with pytest.raises(NoOpenDay):
        sells(house, 20_00)
    second = house.next_day()
    with pytest.raises(DrawerOpen):
        house.open_drawer()
    sells(house, 50_00)

    house.close_drawer(short_cents=5_00)

    session, zone = DrawerSession.objects.latest("id"), ZoneInfo(house.cast.room.time_zone)
    assert session.closed_at is not None
    opened, closed = (f"{each.astimezone(zone):%-d.%-m. %H:%M}" for each in (session.opened_at, session.closed_at))
    page = at_desktop(house.cast.mari).get(f"/cage/sessions/{session.pk}/").content.decode()
    assert f"Open from {opened} to {closed}" in page, "hours of two days stand with their dates"
    (*_opened, over), (into,) = drawers_of(first), drawers_of(second)
    assert (over.is_carried, over.closed_at, over.counts, over.cash_cents) == (True, None, 0, None)
    assert (into.carried_from, into.is_carried, into.counts) == (first.date, False, 1)
    assert (into.float_cash_cents, into.cash_cents, into.money_over_short_cents) == (1_000_00, 1_145_00, -5_00)
    # The closed day stays as it was, and says of the drawer that it was carried and since when it is not any more.
    assert reported(house, first) == was
    (item,) = carried_of(first)
    assert (item.name, item.reason, item.by) == ("drawer 1", "It stays open into the next day", "Mari")
    assert (item.is_open, item.done_at, item.cents) == (False, house.at, None)
    for day, sold, short, says in ((first, 100_00, 0, "not counted on this day"), (second, 50_00, -5_00, None)):
        report = day_report(house.cast.room, day.date)
        assert [(each.method, each.paid_cents) for each in report.slips if each.kind == "buy_in"] == [("cash", sold)]
        assert [each.posted_cents for each in report.drawer_sums if each.unit == "money"] == [short]
        row = rows_of(report, "drawers")[-1]
        assert row["carried"] == (says or f"from {first.date:%-d.%-m.%Y}")
    carla, mari = house.cast.carla.pk, house.cast.mari.pk
    one, other = exceptions(house, first), exceptions(house, second)
    assert {Counted(SLIPS, carla, 1), Counted(PUT_OFF, mari, 1)} <= one
    assert {Counted(SLIPS, carla, 1), Counted(DRAWERS, carla, 1), Counted(SHORT, carla, 1, 5_00)} <= other
    assert Counted(SHORT, carla, 1, 5_00) not in one
    data = json.loads(Event.objects.get(name="cage.close_drawer", text__contains="opened_on").text)["data"]
    assert (data["opened_on"], data["money_difference_cents"]) == (first.date.isoformat(), -5_00)
    sound(house)


@pytest.mark.slow
def test_a_cash_out_at_a_carried_drawer_supplies_a_stack_that_was_left_uncounted(house: House) -> None:
    carlas(house)
    carries(house, "drawer.1")
    house.next_day()
    house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(player=house.player("Lee"))
    house.tap(leave_seat, table_id=house.table_id(), seating_id=lee.pk, stack_cents=None)

    out = {"drawer_id": house.drawer_id, "player_id": lee.player_id, "amount_cents": 150_00}
    house.tap(services.cash_out, house.cast.carla, **out)

    lee.refresh_from_db()
    assert lee.left_stack_cents == 150_00
    sound(house)


@pytest.mark.slow
def test_it_may_be_carried_over_several_days_and_each_closes_as_counted_without_it(house: House) -> None:
    carlas(house)
    first = carries(house, "drawer.1", reason="under_seal")
    assert [each.counts for each in counts_of(first)] == [1]
    second = house.next_day()
    assert [(each.name, each.counts) for each in counts_of(second)] == [("drawer 1", 0)]
    second = carries(house, "drawer.1")
    assert counts_of(second) == []
    third = house.next_day()
    house.close_drawer(short_cents=1_00)
    session = DrawerSession.objects.latest("id")
    carries(house)

    (count,) = counts_of(third)
    assert (count.name, count.money_cents) == ("drawer 1", -1_00)
    assert (session.day_id, session.closed_day_id) == (first.pk, third.pk)
    assert [each.carried_from for each in drawers_of(third)] == [first.date]
    assert [(each.is_carried, each.carried_from) for each in drawers_of(second)] == [(True, first.date)]
    house.next_day()
    with pytest.raises(CountStands):
        recounts(house.cast.carla, house.cast.frans, 1_000_00, 2_000_00, at=house.at)
    sound(house)


def test_a_carried_bank_sells_on_and_is_short_where_it_is_counted(house: House) -> None:
    bank_id = given(house, chips=1_000_00)
    house.close_drawer()
    with pytest.raises(DayLeavesOpen, match=f"bank {NUMBER}"):
        house.tap(close_day, house.cast.mari)
    for wrong in ("plays_on", "not_found"):
        with pytest.raises(Malformed):
            house.tap(close_day, house.cast.mari, carrying=[carried(f"bank.{NUMBER}", wrong)])
    first = carries(house, f"bank.{NUMBER}", reason="no_time")
    second = house.next_day()
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=asks(house))

    closes(house.cast.carla, house.cast.frans, bank_id, 195_00, 800_00, at=house.at)

    (*_drawer, over), (into,) = drawers_of(first), drawers_of(second)
    assert (over.holder, over.is_carried, over.money_over_short_cents) == ("Dan", True, None)
    assert (into.holder, into.carried_from, into.money_over_short_cents) == ("Dan", first.date, -5_00)
    assert [(each.name, each.is_open) for each in carried_of(first)] == [(f"bank {NUMBER}", False)]
    assert Counted(SHORT, house.cast.dan.pk, 1, 5_00) in exceptions(house, second)
    sound(house)


@pytest.mark.parametrize("did", ["opened", "holds", "sold", "nothing"])
def test_nobody_carries_what_they_are_counted_for_themselves(house: House, did: str) -> None:
    mari, number = house.cast.mari, 1
    if did != "opened":
        carlas(house)
    if did == "holds":
        given(house, mari)
        number = NUMBER
    if did == "sold":
        sells(house, 10_00, by=mari)
    word = f"bank.{number}" if did == "holds" else f"drawer.{number}"
    page = at_desktop(mari).get("/cage/day/").content.decode()

    if did == "nothing":
        carries(house, word)
    else:
        with pytest.raises(CarriesOwn, match=word.replace(".", " ")):
            carries(house, word)

    assert CarriedItem.objects.exists() == (did == "nothing")
    assert (f'name="carry_{word}"' in page) == (did == "nothing")
    assert ("You had a part in it" in page) == (did != "nothing")


def test_what_was_paid_counts_on_its_own_day_though_the_drawer_is_the_same(house: House) -> None:
    carlas(house, cash=3_000_00)
    lee, mika, below = house.player("Lee"), house.player("Mika"), identity_from(house.room_id) - 100_00
    sells(house, below)
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 40_00}
    house.tap(services.cash_out, house.cast.carla, **arguments, unnamed="gives_no_name")
    house.tap(services.deposit, house.cast.carla, player_id=mika.pk, **arguments)
    first = carries(house, "drawer.1")
    assert (crossed(lee.pk, None).brought_cents, unnamed_today(house.room_id).cents) == (0, 0)
    assert not unsigned(house.room_id).exists()
    second = house.next_day()

    # From the sum on the house has to know who it is: what was bought yesterday is no part of today's.
    sells(house, 200_00)

    assert [crossed(lee.pk, day).brought_cents for day in (first, second)] == [below, 200_00]
    assert [bought_cents(lee.pk, day=day) for day in (first, second)] == [below, 200_00]
    assert unnamed_today(house.room_id).count == unsigned(house.room_id).count() == 0
    new, old = Slip.objects.filter(player=lee).order_by("-id")
    papers = [at_desktop(house.cast.carla).get(f"/cage/slips/{slip.pk}/").content.decode() for slip in (old, new)]
    for paper, day in zip(papers, (first, second), strict=True):
        assert f'Gaming day</th><td class="num">{day.date:%-d.%-m.%Y}<' in paper
    read = _crossings(house.room_id, {first.pk: 7, second.pk: 8})
    days = {shown.row.id: shown.row.day for shown in read.slips.values()}
    assert (days[old.pk], days[new.pk]) == (7, 8)


def test_who_moved_something_in_it_reads_no_sum_of_either_day_until_it_is_counted(house: House) -> None:
    carlas(house)
    sells(house, 100_00)
    first = carries(house, "drawer.1")
    carla, olavi, room = also(house.cast.carla, "auditor"), house.cast.olavi, house.cast.room

    def blind(by: Staff) -> list[bool]:
        reports = [day_report(room, on, shown_to=by.pk) for on in (first.date, None)]
        return [not (each.trial or each.slips) for each in reports]

    def packs(by: Staff) -> None:
        date = first.date.isoformat()
        pack_of_days(command(by, at=house.at), first_date=date, last_date=date, file=io.BytesIO())

    # Before the next day is open, and on it.
    assert (blind(carla), blind(olavi)) == ([True, True], [False, False])
    house.next_day()
    assert (blind(carla), blind(olavi)) == ([True, True], [False, False])
    with pytest.raises(PackOfOwnDrawer):
        packs(carla)
    packs(olavi)
    house.close_drawer()
    assert blind(carla) == [False, False]
    packs(carla)


def test_a_later_drawer_of_somebody_blinds_no_day_before_it(house: House) -> None:
    house.close_drawer()
    first = carries(house)
    house.next_day()
    house.open_drawer(1_000_00)

    assert day_report(house.cast.room, first.date, shown_to=house.cast.carla.pk).trial
    assert day_report(house.cast.room, shown_to=house.cast.carla.pk).is_blind


def test_who_reversed_a_slip_there_on_the_day_before_stands_behind_its_count(house: House) -> None:
    carlas(house)
    slip_id = sells(house, 100_00).data["slip_id"]
    signing = signed(
        also(house.cast.frans, "cashier"), house.cast.mari, reversal_signs(slip_id), at=house.at, needs=NEEDS
    )
    services.reverse_slip(signing, slip_id=slip_id, reason="wrong_amount", approved_by_id=house.cast.mari.pk)
    first = carries(house, "drawer.1")
    second = house.next_day()

    house.close_drawer(short_cents=5_00)

    behind = {each.staff_id for each in exceptions(house, second) if each.code == SHORT}
    assert behind == {house.cast.carla.pk, house.cast.frans.pk}
    assert not {each for each in exceptions(house, first) if each.code == SHORT}


def test_foreign_notes_go_on_with_their_drawer_into_the_vault_of_the_later_day(house: House) -> None:
    carlas(house)
    rate(house.cast.mari, at=house.at)
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "method": "foreign", "player_id": house.player("Lee").pk}
    house.tap(services.buy_in, house.cast.carla, amount_cents=87_00, foreign=notes((1000, 1)), **arguments)
    first = carries(house, "drawer.1")
    assert not NotesBrought.objects.exists()
    second = house.next_day()
    house.tap(services.buy_in, house.cast.carla, amount_cents=43_00, foreign=notes((500, 1)), **arguments)
    lies = {**lying(1_000_00, 1_870_00), "foreign": [notes((1000, 1), (500, 1))]}
    signing = signed(house.cast.mari, house.cast.frans, count_signs(house.drawer_id, Lies.by(**lies)), at=house.at)

    close_drawer(signing, drawer_id=house.drawer_id, **lies, approved_by_id=house.cast.frans.pk)

    carries(house)
    house.next_day()
    assert [(each.face_cents, each.counted_face_cents) for each in notes_of(first)] == [(1000_00, None)]
    assert [(each.face_cents, each.counted_face_cents) for each in notes_of(second)] == [(1500_00, 1500_00)]
    assert list(NotesBrought.objects.values_list("day_id", "face_cents")) == [(second.pk, 1500_00)]
    assert [each.pieces for each in vault_notes(house.room_id)] == [{1000_00: 1, 500_00: 1}]
    sound(house)


def test_the_check_finds_a_drawer_that_nobody_carried_and_a_count_of_another_day(house: House) -> None:
    carlas(house)
    sells(house, 100_00)
    first = carries(house, "drawer.1")
    house.next_day()
    house.close_drawer()
    sound(house)

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE cage_carrieditem DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM cage_carrieditem")
        cursor.execute("ALTER TABLE cage_carrieditem ENABLE TRIGGER USER")
    session = DrawerSession.objects.latest("id")
    uncarried = f"session {session.pk}: drawer 1 was open when day {first.pk} closed, and nobody carried it"
    assert uncarried in [each.detail for each in problems(house.room_id) if each.what == "over_days"]
    with as_owner():
        DrawerSession.objects.filter(id=session.pk).update(closed_day=first)
    assert "says that it was counted on day" in str(list(problems(house.room_id)))
