"""Racks: filled by two, taken over at pushes, counted where it was drawn, and whose a difference is."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.cage.services import close_day
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.people.errors import NeedsSecondSignature
from casino.people.services import start_shift
from casino.rooms.selectors import open_day
from tables.errors_racks import NoRackKept
from tables.models import Down, RackCheck, Seating, ToDo
from tables.rules.racks import Push, drawn_among
from tables.services import rack_pushes
from tables.services.downs import end_down
from tables.services.opening import close_table
from tables.services.racks import check_rack, count_rack, fill_rack
from tables.services.seating import leave_seat
from tests.cage.counting import carrying
from tests.cage.filling import Filling
from tests.cast import command
from tests.support.books import fills_in_one_step
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks, pieces_of
from tests.tables.test_playing_on import counts_through

pytestmark = pytest.mark.two_houses


@pytest.fixture
def racking(house: House) -> Racking:
    return Racking(house)


def to_judge(house: House) -> list[ToDo]:
    kinds = (ToDo.Kind.RACK_DIFFERS, ToDo.Kind.RACK_NOT_COUNTED)
    return list(ToDo.objects.filter(room_id=house.room_id, kind__in=kinds, done_at=None).order_by("id"))


def sound(house: House) -> bool:
    return [each.detail for each in problems(house.room_id)] == []


# ---- The draw ---------------------------------------------------------------------------------------------

LEFT, DREW, MISSED = Push(False, False), Push(True, True), Push(True, False)


@pytest.mark.parametrize(
    ("pushes", "is_closing", "expected"),
    [
        pytest.param([], False, 6, id="the-first-push-is-one-of-six"),
        pytest.param([LEFT] * 3, False, 3, id="each-push-left-makes-it-likelier"),
        pytest.param([LEFT] * 5, False, 1, id="the-last-of-them-is-certain"),
        pytest.param([LEFT, DREW], False, 6, id="after-a-count-it-begins-anew"),
        pytest.param([DREW, Push(False, True)], False, 5, id="a-count-of-ones-own-will-is-no-draw"),
        pytest.param([LEFT, MISSED], False, 1, id="what-was-drawn-and-not-counted-is-drawn-again"),
        pytest.param([LEFT], True, 1, id="a-closing-table-that-had-none-counts"),
        pytest.param([DREW], True, 6, id="a-closing-table-that-had-one-goes-on-as-before"),
    ],
)
def test_among_how_many_pushes_the_next_one_is_drawn(pushes: list[Push], is_closing: bool, expected: int):
    assert drawn_among(pushes, within=6, per_day=1, is_closing=is_closing) == expected


@pytest.mark.parametrize("within", [1, 2, 6])
def test_of_each_span_of_pushes_every_one_is_as_likely(within: int):
    """The chance of the first count at push n is 1 / within, for each n: nothing tells which it will be."""
    chances, reached = [], 1.0
    for pushes in range(within):
        now = reached / drawn_among([LEFT] * pushes, within=within, per_day=0, is_closing=False)
        chances.append(now)
        reached -= now

    assert chances == pytest.approx([1 / within] * within)


# ---- Whether anybody is asked -----------------------------------------------------------------------------


def test_a_house_without_racks_asks_nobody_and_fills_none(house: House):
    racking = Racking(house)
    keeps_racks(house.room_id, is_kept="false")
    house.open(Lee=1, Kai=2)
    house.tap(start_shift, staff_id=house.cast.anna.pk)

    assert racking.push(house.cast.anna).counts_rack is None
    with pytest.raises(NoRackKept):
        racking.fill(200)


def test_where_nothing_lies_in_the_rack_nobody_is_asked(racking: Racking):
    keeps_racks(racking.house.room_id)
    racking.house.open(Lee=1, Kai=2)
    racking.house.tap(start_shift, staff_id=racking.house.cast.anna.pk)

    assert racking.push(racking.house.cast.anna).counts_rack is None


def test_a_push_costs_a_house_without_racks_one_query(house: House):
    keeps_racks(house.room_id, is_kept="false")
    table = house.open(Lee=1, Kai=2)
    day = open_day(house.room_id)
    with CaptureQueriesContext(connection) as queries:
        rack_pushes.check_at_push(command(house.cast.frans, at=house.at), table, day)

    assert len(queries) == 1


# ---- Pushes -----------------------------------------------------------------------------------------------


def test_as_left_moves_nothing_and_is_said_once(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    racking.begin()
    down = racking.push(racking.house.cast.anna, draws=False, monkeypatch=monkeypatch)

    check = racking.check(down, by=racking.house.cast.anna)
    again = racking.check(down, by=racking.house.cast.anna)

    assert (check.kind, check.cents, check.transfer_id, check.pk) == ("push", None, None, again.pk)
    assert racking.house.figures()["float"] == 200_00
    assert to_judge(racking.house) == []
    assert sound(racking.house)


def test_a_count_that_agrees_is_a_row_and_no_more(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    racking.begin()
    down = racking.push(racking.house.cast.anna, draws=True, monkeypatch=monkeypatch)

    check = racking.check(down, 200, by=racking.house.cast.anna)

    assert down.counts_rack is True
    assert (check.kind, check.expected_cents, check.difference_cents, check.transfer_id) == (
        "unannounced", 200_00, 0, None,
    )  # fmt: skip
    assert check.pieces == [[100_00, 2]]
    assert to_judge(racking.house) == []


def test_a_difference_is_the_down_s_when_both_pushes_were_counted(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    cast = racking.house.cast
    racking.begin()
    annas = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)
    racking.check(annas, 200, by=cast.anna)
    dans = racking.push(cast.dan, draws=True, monkeypatch=monkeypatch)

    check = racking.check(dans, 195, by=cast.dan)

    assert (check.first_down_id, check.last_down_id, check.dealer_id) == (annas.pk, annas.pk, cast.anna.pk)
    assert racking.house.figures() | {"float": 195_00, "rack_over_short": 5_00} == racking.house.figures()
    (todo,) = to_judge(racking.house)
    assert todo.data == {"check": check.pk, "difference_cents": -5_00, "dealers": [cast.anna.pk]}
    assert sound(racking.house)


def test_a_difference_is_of_all_downs_since_the_last_count(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    cast = racking.house.cast
    racking.begin()
    first = racking.push(cast.anna, draws=False, monkeypatch=monkeypatch)
    racking.check(first, by=cast.anna)
    second = racking.push(cast.dan, draws=False, monkeypatch=monkeypatch)
    racking.check(second, by=cast.dan)
    third = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)

    check = racking.check(third, 203, by=cast.anna)

    assert (check.first_down_id, check.last_down_id) == (first.pk, second.pk)
    (todo,) = to_judge(racking.house)
    assert (todo.data["difference_cents"], todo.data["dealers"]) == (3_00, [cast.anna.pk, cast.dan.pk])


def test_who_has_dealt_before_counting_is_one_of_them(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    cast = racking.house.cast
    racking.begin()
    annas = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)
    racking.check(annas, 200, by=cast.anna)
    dans = racking.push(cast.dan, draws=True, monkeypatch=monkeypatch)
    racking.house.settle(20_00)

    check = racking.check(dans, 199, by=cast.dan)

    assert (check.first_down_id, check.last_down_id) == (annas.pk, dans.pk)


def test_the_floors_count_in_the_middle_of_a_down_splits_it(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    cast = racking.house.cast
    racking.begin()
    annas = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)
    racking.check(annas, 200, by=cast.anna)
    found = racking.count(198)
    dans = racking.push(cast.dan, draws=True, monkeypatch=monkeypatch)

    check = racking.check(dans, 197, by=cast.dan)

    assert (found.first_down_id, found.last_down_id, found.difference_cents) == (annas.pk, annas.pk, -2_00)
    assert (check.first_down_id, check.last_down_id, check.difference_cents) == (annas.pk, annas.pk, -1_00)


def test_the_floors_count_is_one_of_now_whatever_its_tablets_clock_says(racking: Racking) -> None:
    house = racking.house
    racking.begin()
    house.at += timedelta(minutes=5)
    signing = command(house.cast.frans, at=house.at, tapped_at=house.at - timedelta(hours=3))

    answer = count_rack(signing, table_id=house.table_id(), kind="floor", pieces=pieces_of(198))

    check = RackCheck.objects.get(id=answer.data["check"])
    assert (check.expected_cents, check.difference_cents, check.at, check.is_late) == (200_00, -2_00, house.at, False)


@pytest.mark.slow
@pytest.mark.parametrize("minutes", [-90, -40, 0])
def test_whoever_dealt_since_the_floors_count_is_told_though_the_clock_was_set_back(
    racking: Racking, monkeypatch: pytest.MonkeyPatch, minutes: int
):
    racking.begin()
    cast = racking.house.cast
    racking.push(cast.dan, draws=False, monkeypatch=monkeypatch)
    annas = racking.push(cast.anna, draws=False, monkeypatch=monkeypatch)
    racking.house.at += timedelta(minutes=min(minutes, 0))
    racking.count(200)
    racking.house.at += timedelta(minutes=minutes)
    dans = racking.push(cast.dan, draws=False, monkeypatch=monkeypatch)

    check = racking.check(dans, 195, by=cast.dan)

    assert (check.first_down_id, check.last_down_id) == (annas.pk, annas.pk)


def test_who_dealt_before_the_floor_counted_at_a_closed_table_has_nothing_to_do_with_what_is_missing(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    racking.begin()
    cast = racking.house.cast
    annas = racking.push(cast.anna, draws=False, monkeypatch=monkeypatch)
    racking.house.tap(end_down, table_id=racking.house.table_id(), down_id=annas.pk)
    racking.house.at -= timedelta(minutes=12)
    racking.count(200)
    racking.count(200)
    dans = racking.push(cast.dan, draws=False, monkeypatch=monkeypatch)
    racking.house.at += timedelta(minutes=5)

    check = racking.count(195)

    assert (check.first_down_id, check.last_down_id) == (dans.pk, dans.pk)


def test_who_dealt_before_the_rack_was_filled_or_counted_has_nothing_to_do_with_it(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    house, cast = racking.house, racking.house.cast
    for person in (cast.anna, cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    keeps_racks(house.room_id)
    house.open(Lee=1, Kai=2)
    for person in (cast.anna, cast.dan):
        down = racking.push(person)
        house.at += timedelta(minutes=5)
        house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    house.at += timedelta(minutes=5)
    racking.fill(200)
    racking.count(200)
    annas = racking.push(cast.anna, draws=False, monkeypatch=monkeypatch)
    # What Dan dealt on paper before that count is caught up after it.
    dans = racking.push(cast.dan, draws=False, monkeypatch=monkeypatch)
    house.tap(end_down, table_id=house.table_id(), down_id=dans.pk)
    with as_owner():
        Down.objects.filter(pk=dans.pk).update(
            from_sheet=1, began_at=down.began_at, ended_at=down.began_at + timedelta(minutes=2)
        )

    check = racking.count(195)

    assert (check.first_down_id, check.last_down_id) == (annas.pk, annas.pk)


def test_a_miscount_that_is_counted_again_leaves_nothing_missing(racking: Racking):
    racking.begin()

    racking.count(20)
    racking.count(200)

    assert racking.house.figures() | {"float": 200_00, "rack_over_short": 0} == racking.house.figures()
    assert sound(racking.house)


def test_a_count_that_was_drawn_and_never_made_goes_to_the_floor_and_is_drawn_again(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    cast = racking.house.cast
    racking.begin()
    annas = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)
    racking.check(annas, by=cast.anna)
    monkeypatch.undo()

    dans = racking.push(cast.dan)

    assert dans.counts_rack is True
    (todo,) = to_judge(racking.house)
    assert (todo.kind, todo.data) == ("rack_not_counted", {"down": annas.pk, "dealer": cast.anna.pk})


def test_within_so_many_pushes_one_is_always_counted(racking: Racking):
    cast = racking.house.cast
    racking.begin(counted_within_pushes=3)
    for dealer in [cast.anna, cast.dan] * 6:
        down = racking.push(dealer)
        racking.check(down, 200 if down.counts_rack else None, by=dealer)

    drawn = list(Down.objects.order_by("id").values_list("counts_rack", flat=True))
    assert all(any(drawn[at : at + 3]) for at in range(10))
    assert to_judge(racking.house) == []


def test_a_table_that_closes_without_its_count_is_said_to_the_floor(racking: Racking, monkeypatch: pytest.MonkeyPatch):
    racking.begin()
    down = racking.push(racking.house.cast.anna, draws=False, monkeypatch=monkeypatch)
    racking.check(down, by=racking.house.cast.anna)
    for seating in Seating.objects.filter(left_at=None).order_by("id"):
        racking.house.tap(leave_seat, table_id=racking.house.table_id(), seating_id=seating.pk, stack_cents=200_00)

    racking.house.tap(close_table, table_id=racking.house.table_id())

    question, todo = to_judge(racking.house)
    assert todo.data == {"done": 0, "needed": 1, "plays_on": False}
    assert list(question.data) == ["closing"]


def test_where_nobody_pushed_all_day_a_table_that_played_has_no_count_either(racking: Racking):
    house = racking.house
    racking.begin()
    house.settle(40_00)
    racking.count(200)
    for seating in Seating.objects.filter(left_at=None).order_by("id"):
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=200_00)

    house.tap(close_table, table_id=house.table_id())

    assert [todo.data["done"] for todo in to_judge(house) if "needed" in todo.data] == [0]


@pytest.mark.slow
def test_a_table_that_plays_on_without_its_count_is_said_to_the_floor_as_the_day_opens(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    house = racking.house
    racking.begin()
    racking.push(house.cast.anna, draws=False, monkeypatch=monkeypatch)
    house.settle(40_00)
    racking.count(200)
    house.close_drawer()
    counts_through(house)
    house.tap(close_day, house.cast.mari, carrying=carrying(house.room_id))

    house.next_day(hours=8)

    assert [todo.data for todo in to_judge(house) if "needed" in todo.data] == [
        {"done": 0, "needed": 1, "plays_on": True}
    ]


# ---- Counts that come late ---------------------------------------------------------------------------------


def counts_late(racking: Racking, down: Down, euros: int, *, tapped_at: datetime) -> RackCheck:
    """Have a count arrive now that a tablet without a connection had waiting since `tapped_at`."""
    house = racking.house
    house.at += timedelta(minutes=1)
    signing = command(house.cast.dan, at=house.at, tapped_at=tapped_at)
    answer = check_rack(signing, table_id=down.table_id, down_id=down.pk, pieces=pieces_of(euros))
    return RackCheck.objects.get(id=answer.data["check"])


def test_a_count_that_comes_late_is_held_against_the_rack_of_its_moment(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    racking.begin()
    down = racking.push(racking.house.cast.dan, draws=True, monkeypatch=monkeypatch)
    tapped_at = racking.house.at + timedelta(minutes=1)
    racking.house.at += timedelta(minutes=5)
    racking.fill(100)

    check = counts_late(racking, down, 195, tapped_at=tapped_at)
    another = counts_late(racking, down, 194, tapped_at=tapped_at + timedelta(minutes=1))

    assert (check.expected_cents, check.difference_cents) == (200_00, -5_00)
    assert (another.expected_cents, another.difference_cents) == (195_00, -1_00)
    assert racking.house.figures() | {"float": 294_00, "rack_over_short": 6_00} == racking.house.figures()
    assert sound(racking.house)


def test_what_a_late_count_found_is_not_posted_twice_where_the_rack_was_counted_since(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    cast = racking.house.cast
    racking.begin()
    annas = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)
    racking.check(annas, 200, by=cast.anna)
    dans = racking.push(cast.dan, draws=True, monkeypatch=monkeypatch)
    tapped_at = racking.house.at
    racking.house.at += timedelta(minutes=5)
    racking.count(193)

    late = counts_late(racking, dans, 195, tapped_at=tapped_at)
    between = counts_late(racking, dans, 194, tapped_at=tapped_at + timedelta(minutes=1))

    # Five of the seven that the floor found missing were missing when Anna went.
    assert (late.difference_cents, late.first_down_id, late.last_down_id) == (-5_00, annas.pk, annas.pk)
    assert (between.difference_cents, late.transfer_id, between.transfer_id) == (-1_00, None, None)
    assert racking.house.figures() | {"float": 193_00, "rack_over_short": 7_00} == racking.house.figures()
    assert sound(racking.house)
    assert racking.count(193).difference_cents == 0


def test_whoever_counted_before_their_first_hand_is_not_named_though_it_comes_after_it(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    cast = racking.house.cast
    racking.begin()
    annas = racking.push(cast.anna, draws=True, monkeypatch=monkeypatch)
    racking.check(annas, 200, by=cast.anna)
    dans = racking.push(cast.dan, draws=True, monkeypatch=monkeypatch)
    tapped_at = racking.house.at
    racking.house.settle(20_00)

    late = counts_late(racking, dans, 195, tapped_at=tapped_at)

    assert (late.first_down_id, late.last_down_id) == (annas.pk, annas.pk)


def test_a_count_that_is_older_than_the_clock_once_was_is_taken_as_one_of_now(
    racking: Racking, monkeypatch: pytest.MonkeyPatch
):
    racking.begin()
    down = racking.push(racking.house.cast.dan, draws=True, monkeypatch=monkeypatch)
    racking.house.at += timedelta(hours=1)
    racking.count(200)
    racking.house.at -= timedelta(hours=1)
    tapped_at = racking.house.at
    racking.house.at += timedelta(minutes=5)
    racking.fill(100)

    late = counts_late(racking, down, 295, tapped_at=tapped_at)

    assert (late.is_late, late.difference_cents) == (False, -5_00)
    assert sound(racking.house)


# ---- Vault ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("is_one_step", "kind"), [(True, "closing"), (False, "at_closing")])
def test_a_fill_comes_out_of_the_vault_and_what_the_closing_counted_goes_back(
    racking: Racking, is_one_step: bool, kind: str
):
    fills_in_one_step(racking.house.room_id, is_so=is_one_step)
    vault = house_figures(racking.house.room_id)["vault_chips"]
    racking.begin()

    check = racking.clear(198)

    figures = racking.house.figures()
    assert (figures["float"], figures["rack_over_short"]) == (0, 2_00)
    assert house_figures(racking.house.room_id)["vault_chips"] == vault - 2_00
    assert (check.kind, check.approved_by_id) == (kind, racking.house.cast.mari.pk)
    assert sound(racking.house)


def test_nobody_fills_or_closes_a_rack_alone(racking: Racking):
    racking.begin()
    arguments: dict[str, Any] = {"table_id": racking.house.table_id(), "pieces": pieces_of(25)}

    with pytest.raises(NeedsSecondSignature):
        racking.house.tap(fill_rack, **arguments, approved_by_id=racking.house.cast.mari.pk)


# ---- The proof --------------------------------------------------------------------------------------------


def planted(racking: Racking, statement: str) -> set[str]:
    """Return what the ledger's proof finds once the owner of the database has changed something behind its back."""
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE tables_rackcheck DISABLE TRIGGER USER")
        cursor.execute("ALTER TABLE tables_rackfill DISABLE TRIGGER USER")
        cursor.execute(statement)
    return {each.what for each in problems(racking.house.room_id)} - {"event"}


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE tables_rackcheck SET expected_cents = expected_cents + 100", {"rack_expected", "rack_posted"}),
        ("UPDATE tables_rackcheck SET cents = cents + 100", {"table_pieces", "rack_posted"}),
        ("UPDATE tables_rackfill SET cents = cents + 100", {"table_pieces", "rack_posted"}),
        ("DELETE FROM tables_rackcheck", {"rack_posted"}),
    ],
)
def test_the_proof_finds_what_was_planted(racking: Racking, statement: str, found: set[str]):
    fills_in_one_step(racking.house.room_id)
    racking.begin()
    racking.count(195)
    assert sound(racking.house)

    assert planted(racking, statement) == found


def test_who_dealt_before_any_chips_lay_there_has_nothing_to_do_with_what_is_missing(house: House) -> None:
    racking = Racking(house)
    keeps_racks(house.room_id)
    house.open(Lee=1, Kai=2)
    racking.began(house.cast.anna)
    down = racking.began(house.cast.dan)
    # By a runner of the cage: a fill slip is no fill of the floor's.
    filling = Filling(house.cast, at=house.at + timedelta(minutes=1))
    slip = filling.sends(filling.authorised(0, 100_00, at=("table", 1)), 0, 100_00, runner=house.cast.mari)
    filling.counts(slip, 0, 100_00, by=house.cast.frans, second=house.cast.dan)
    house.at += timedelta(minutes=5)

    check = racking.count(90)

    assert (check.difference_cents, check.first_down_id, check.last_down_id) == (-10_00, down.pk, down.pk)
    assert {each.detail for each in problems(house.room_id)} == set()
