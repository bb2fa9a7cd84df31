"""Time charges at the table: taken from the stacks, shared, let go, taken back; and nothing from pots."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.sentences import Reader
from casino.commands.carrying_out import Answer
from casino.errors import Malformed, NotFound, NotPermitted, Stale
from casino.ledger.proof import problems
from casino.ledger.templatetags.money import money
from casino.people.exception_report import cases_of, counted_in, kind_of
from casino.poker.time_charge import Payer, TimeCharge, time_to_dict
from casino.reports.selectors.exceptions import span_of
from tables.errors import NoSuchSeat
from tables.errors_time import NoTimeCharge, TimeNotDue
from tables.exception_kinds import TIME_UNDER_DUE
from tables.models import Game, Table, TimeTaken, ToDo
from tables.rules.time_paid import Paid
from tables.selectors.dealer import dealer_screen
from tables.selectors.todo_judging import todo_words
from tables.services.opening import close_table
from tables.services.seating import hold_seat, leave_seat
from tables.services.time_charges import let_time_go, take_back_time, take_time
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop, on_device, tap

pytestmark = pytest.mark.two_houses

HALF_HOURLY = TimeCharge(6_00, 30, chip_cents=1_00)


class Timed:
    """Table 1 charges by the time: Lee, Kai and Timo play there."""

    def __init__(self, house: House, charge: TimeCharge = HALF_HOURLY) -> None:
        self.house = house
        with as_owner():
            Game.objects.filter(room=house.cast.room).update(charges={}, time_charge=time_to_dict(charge))
        house.open(1, Lee=1, Kai=2, Timo=3)

    @property
    def table(self) -> Table:
        return self.house.table()

    def take(self, period: int = 1, paid: list[Paid] | None = None, **more: Any) -> Answer:
        opening_id = more.pop("opening_id", self.table.opening_id)
        return self.house.tap(
            take_time, self.house.cast.anna, table_id=self.table.pk, opening_id=opening_id, period=period, paid=paid
        )

    def later(self, **span: int) -> None:
        self.house.at += timedelta(**span)

    def due(self) -> Any:
        return dealer_screen(room_id=self.house.room_id, number=1).time


@pytest.fixture
def timed(house: House) -> Timed:
    return Timed(house)


@pytest.mark.rule("H1.91", "L-P21")
def test_each_player_pays_for_the_period_and_nothing_is_taken_from_pots(timed):
    assert timed.house.settle(86_00).taken("rake") == 0
    before = timed.house.figures()

    answer = timed.take()

    assert answer.data["paid_cents"] == 18_00
    after = timed.house.figures()
    assert (after["rake_box"], after["in_play"]) == (18_00, before["in_play"] - 18_00)
    row = TimeTaken.objects.get()
    assert [(share.seat_number, share.due_cents, share.paid_cents) for share in row.shares.order_by("seat_number")] == [
        (1, 6_00, 6_00), (2, 6_00, 6_00), (3, 6_00, 6_00),
    ]  # fmt: skip
    assert row.rule_book_version_id == timed.table.opening.rule_book_version_id
    assert not list(problems(timed.house.room_id))


@pytest.mark.rule("H7.18")
def test_time_runs_from_the_first_hand_and_each_started_period_falls_due(timed):
    assert timed.due().begins_at is None
    with pytest.raises(TimeNotDue):
        timed.house.tap(let_time_go, table_id=timed.table.pk, period=1)
    hand = timed.house.settle(86_00)

    assert (timed.due().number, timed.due().begins_at) == (1, hand.dealt_at)
    timed.take(1)
    # Late or early, the next one begins on its minute.
    timed.later(minutes=7)
    assert (timed.due().number, timed.due().begins_at) == (2, hand.dealt_at + timedelta(minutes=30))


@pytest.mark.rule("H1.91", "H1.5")
def test_who_is_away_pays_nothing(timed):
    timed.house.settle(86_00)
    seating = timed.table.seating_set.get(seat_number=2)
    timed.house.tap(hold_seat, timed.house.cast.anna, table_id=timed.table.pk, seating_id=seating.pk, is_held=True)

    timed.take()

    row = TimeTaken.objects.get()
    assert (row.paid_cents, row.shares.get(seat_number=2).was_away) == (12_00, True)
    assert not ToDo.objects.exists()


@pytest.mark.rule("H7.18", "L-P21")
def test_a_tables_charge_is_shared_and_adds_up(house: House):
    timed = Timed(house, TimeCharge(40_00, 60, Payer.TABLE, chip_cents=1_00))
    house.settle(86_00)

    timed.take()

    shares = TimeTaken.objects.get().shares.order_by("seat_number").values_list("paid_cents", flat=True)
    assert (sorted(shares), sum(shares)) == ([13_00, 13_00, 14_00], 40_00)


def test_what_differs_from_what_was_owed_is_recorded_and_left_to_the_floor(timed):
    timed.house.settle(86_00)

    timed.take(paid=[Paid(1, 6_00), Paid(2, 5_00)])

    row, todo = TimeTaken.objects.get(), ToDo.objects.get()
    assert (row.due_cents, row.paid_cents, row.shares.get(seat_number=3).paid_cents) == (18_00, 11_00, 0)
    assert timed.house.figures()["rake_box"] == 11_00
    text, reason = todo_words(timed.house.cast.room, todo)
    assert text == "Time charge 1: not what was owed"
    owed, lies = (money(cents, timed.house.cast.room) for cents in (18_00, 11_00))
    assert reason == f"{owed} was owed, {lies} lies in the rake box."


def test_a_period_taken_by_the_floor_and_the_dealer_counts_once(timed):
    timed.house.settle(86_00)

    timed.take(1)
    again = timed.take(1)

    assert again.data["known"] is True
    assert timed.house.figures()["rake_box"] == 18_00
    row = TimeTaken.objects.get()
    row.pk = None
    with pytest.raises(IntegrityError, match="time_taken_once_per_period"), transaction.atomic():
        row.save()


def test_taken_back_its_chips_return_and_it_can_be_taken_anew(timed):
    timed.house.settle(86_00)
    timed.take(1, paid=[Paid(1, 6_00)])
    row = TimeTaken.objects.get()

    timed.house.tap(take_back_time, table_id=timed.table.pk, time_id=row.pk)

    assert timed.house.figures()["rake_box"] == 0
    assert not ToDo.objects.filter(done_at=None).exists()
    assert timed.due().number == 1
    with pytest.raises(NotFound):
        timed.house.tap(take_back_time, table_id=timed.table.pk, time_id=row.pk)
    timed.take(1)
    assert timed.house.figures()["rake_box"] == 18_00
    assert not list(problems(timed.house.room_id))


def test_the_floor_lets_a_period_go(timed):
    timed.house.settle(86_00)

    timed.house.tap(let_time_go, table_id=timed.table.pk, period=1)

    assert (timed.due().number, timed.house.figures()["rake_box"]) == (2, 0)
    with pytest.raises(Stale):
        timed.house.tap(let_time_go, table_id=timed.table.pk, period=1)
    with pytest.raises(TimeNotDue):
        timed.house.tap(let_time_go, table_id=timed.table.pk, period=2)
    with pytest.raises(NotPermitted):
        timed.house.tap(let_time_go, timed.house.cast.anna, table_id=timed.table.pk, period=2)


def test_a_tap_that_comes_after_the_table_closed_still_counts(timed):
    timed.house.settle(86_00)
    opening_id = timed.table.opening_id
    for seating in timed.table.seating_set.all():
        timed.house.tap(leave_seat, table_id=timed.table.pk, seating_id=seating.pk, stack_cents=100_00)
    timed.house.tap(close_table, table_id=timed.table.pk)

    timed.take(1, paid=[Paid(1, 6_00)], opening_id=opening_id)

    assert TimeTaken.objects.get().paid_cents == 6_00
    assert ToDo.objects.filter(kind="time_differs").exists()


def test_what_cannot_be_read_is_refused(timed):
    with pytest.raises(NoSuchSeat):
        timed.take(paid=[Paid(11, 6_00)])
    with pytest.raises(Malformed):
        timed.take(paid=[Paid(1, 6_00), Paid(1, 6_00)])
    with pytest.raises(Malformed):
        timed.take(0)
    with pytest.raises(NotFound):
        timed.take(opening_id=10**9)
    with as_owner():
        Game.objects.update(time_charge=None)
    with pytest.raises(NoTimeCharge):
        timed.take()


def test_the_floor_takes_it_by_its_sheet(timed):
    timed.house.settle(86_00)
    floor = at_desktop(timed.house.cast.frans)
    with clock.frozen(timed.house.at):
        sheet = floor.get("/floor/tables/1/time/sheet/").content.decode()
        assert 'name="paid_3"' in sheet
        taken = tap(floor, "/floor/tables/1/time/take/", period="1", paid_1="6", paid_2="6", paid_3="6")
        sheet = floor.get("/floor/tables/1/time/sheet/").content.decode()

    assert taken.status_code == 200
    assert TimeTaken.objects.get().paid_cents == 18_00
    assert "Period 2 begins at" in sheet
    assert "time/sheet/" in floor.get("/floor/tables/1/").content.decode()


def test_the_dealers_screen_asks_two_questions_more(timed):
    timed.house.settle(86_00)

    with CaptureQueriesContext(connection) as queries:
        dealer_screen(room_id=timed.house.room_id, number=1)

    assert len(queries) <= 9


def test_the_posted_sheet_says_the_time_charge(timed):
    text = " ".join(on_device("none").get("/posted/1/").content.decode().split())

    charge = " ".join(money(6_00, timed.house.cast.room).split())
    assert f"{charge} from each player for each started 30 minutes" in text
    assert "Who is away does not pay." in text
    assert "Nothing is taken from pots." in text


def test_time_that_was_not_taken_let_go_or_taken_back_is_an_exception_of_whoever_did_it(timed):
    house = timed.house
    house.settle(86_00)
    timed.take(1, paid=())
    timed.later(minutes=35)
    house.tap(let_time_go, house.cast.frans, table_id=timed.table.pk, period=2)
    timed.later(minutes=30)
    timed.take(3)
    house.tap(take_back_time, house.cast.frans, table_id=timed.table.pk, time_id=TimeTaken.objects.latest("id").pk)

    with clock.frozen(house.at):
        span = span_of(house.cast.room, None, None)
        found = {(each.code, each.staff_id, each.count, each.cents) for each in counted_in(span)}
        kind = kind_of(TIME_UNDER_DUE)
        assert kind is not None
        (case,) = cases_of(
            kind, span, house.cast.anna.pk, Reader(house.room_id, house.cast.room.currency, "en", frozenset())
        )

    anna, frans = house.cast.anna.pk, house.cast.frans.pk
    expected = {(TIME_UNDER_DUE, anna, 1, 18_00), ("time_let_go", frans, 1, 0), ("time_taken_back", frans, 1, 0)}
    assert expected <= found
    assert case.words.endswith(f"{money(0, house.cast.room)} of {money(18_00, house.cast.room)}")
