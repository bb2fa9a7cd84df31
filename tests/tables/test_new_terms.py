"""A new version of the book in the middle of the evening: a game stays the same game, whatever its terms."""

import pytest
from django.db.models import F

from casino.audit.models import Event
from casino.cage import fill_places
from casino.waiting.errors import AlreadyOnList
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import join_list
from tables.chart import OWNER
from tables.errors_racks import NoRackKept
from tables.models import Game, PlayerClock, Seating, Table, TipCount
from tables.selectors.closing import closing
from tables.selectors.posted import posted_at_table, posted_in_room
from tables.selectors.work import table_work
from tables.services.clocks import call_clock
from tables.services.closing import announce_last_orbit
from tables.services.moving import take_back_move
from tables.services.opening import open_table
from tables.services.requests import ask_table_change
from tables.services.setup import offer_games
from tables.services.tip_boxes import close_tips
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks
from tests.tables.test_absence import by_orbits, pick_up
from tests.tables.test_missed_blinds import Evening
from tests.tables.test_moving import move, sits
from tests.tables.tipping import take
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def new_terms(house: House) -> None:
    """Have the book offer the same game with other terms; tables that run it go on as they were opened (L-P23)."""
    old = house.game()
    with as_owner():
        Game.objects.filter(pk=old.pk).update(buy_in_max_cents=1000_00)
    house.tap(offer_games, house.cast.mari)
    assert house.game().pk != old.pk


def joins(house: House, *nicknames: str) -> None:
    for nickname in nicknames:
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)


def in_order(house: House) -> list[str]:
    live = Waiting.objects.filter(status__in=Waiting.LIVE).order_by("place", "id")
    return list(live.values_list("player__nickname", flat=True))


@pytest.mark.rule("H2.11", "L-P23")
def test_who_sat_at_a_table_of_the_old_terms_waits_first_on_the_games_one_list(house):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Mika", "Kai")
    new_terms(house)
    table = house.table()
    house.tap(announce_last_orbit, table_id=table.pk, hands=0)

    for nickname in ("Kai", "Lee"):
        seating = sits(house, nickname)
        house.tap(wait_with_right, table_id=table.pk, seating_id=seating.pk, stack_cents=200_00)

    assert WaitingList.objects.count() == 1
    assert in_order(house) == ["Kai", "Lee", "Mika"]
    with pytest.raises(AlreadyOnList):
        joins(house, "Lee")


@pytest.mark.rule("H2.11", "L-P23")
def test_the_first_list_of_a_game_that_changed_is_that_of_its_new_terms(house):
    house.open(1, Lee=1, Kai=2)
    new_terms(house)
    table = house.table()
    house.tap(announce_last_orbit, table_id=table.pk, hands=0)
    house.tap(wait_with_right, table_id=table.pk, seating_id=sits(house, "Lee").pk, stack_cents=200_00)

    joins(house, "Mika")

    assert WaitingList.objects.get().game_id == house.game().pk
    assert in_order(house) == ["Lee", "Mika"]


@pytest.mark.rule("R-§4")
def test_somebody_waits_for_the_new_terms_so_the_stack_is_picked_up_at_the_old(house):
    evening = Evening(house)
    by_orbits(house)
    evening.hold(1, is_held=True)
    new_terms(house)
    joins(house, "Mika")
    for _ in range(9):
        evening.settle()

    pick_up(house, evening.seating(1), 100_00)

    assert not Seating.objects.filter(table=evening.table, seat_number=1, left_at=None).exists()


@pytest.mark.rule("H2.8", "H2.9")
def test_a_move_to_a_table_of_the_old_terms_is_taken_back_with_the_place_on_the_list(house):
    house.open(1, Lee=1, Kai=2)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game("No limit hold'em 5/5").pk)
    house.seat("Mika", 1, number=2, chips=500_00)
    joins(house, "Mika", "Timo")
    new_terms(house)
    moved = move(house, "Mika", 5, stack=500_00, to=1)
    assert in_order(house) == ["Timo"]

    house.tap(take_back_move, table_id=moved.table_id, seating_id=moved.pk)

    assert in_order(house) == ["Mika", "Timo"]


def two_terms(house: House) -> tuple[Table, Table]:
    """Open table 1 under the old terms and table 2 under the new ones."""
    first = house.open(1, Lee=1, Kai=2, Timo=3)
    new_terms(house)
    second = house.open(2, Mika=1)
    return first, second


@pytest.mark.rule("H2.10")
def test_the_draw_is_for_the_seats_of_the_game_under_any_terms(house):
    first, _ = two_terms(house)
    with as_owner():
        Game.objects.filter(pk=house.game().pk).update(seats=3)
    house.tap(announce_last_orbit, table_id=first.pk, hands=0)

    board = closing(house.table())

    assert [(seat.code, seat.game) for seat in board.seats] == [("2/2", ""), ("2/3", "")]
    assert (board.same_game, board.must_draw) == (2, True)


@pytest.mark.rule("H2.8")
def test_a_player_may_ask_for_a_table_of_the_same_game_under_other_terms(house):
    first, second = two_terms(house)
    frans = at_desktop(house.cast.frans)

    page = frans.get(f"/floor/tables/1/seatings/{sits(house, 'Lee').pk}/move/sheet/", headers={"HX-Request": "true"})
    answer = house.tap(ask_table_change, table_id=first.pk, seating_id=sits(house, "Lee").pk, to_table_id=second.pk)

    assert 'name="table_number" value="2"' in page.content.decode()
    assert answer.data["to_table"] == 2


def test_a_must_move_game_of_the_new_terms_feeds_a_table_of_the_old(house):
    first = house.open(1, Lee=1, Kai=2, Timo=3)
    new_terms(house)

    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk, feeds_table_id=first.pk)
    house.seat("Mika", 1, number=2)
    move(house, "Mika", 4, stack=200_00, to=1)

    moved = Event.objects.filter(name="tables.move_player").latest("id")
    assert '"why":"must_move"' in moved.text.replace(" ", "")


@pytest.mark.rule("H2.12")
def test_seating_the_proposed_player_at_a_table_of_the_old_terms_overrules_nobody(house):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Mika", "Timo")
    new_terms(house)
    frans = at_desktop(house.cast.frans)

    answer = tap(frans, "/floor/tables/1/seats/3/", player_id=house.player("Mika").pk, chips="200")

    assert answer.status_code == 200
    assert sits(house, "Mika").seat_number == 3
    assert not Event.objects.filter(name="tables.note_overrule").exists()


@pytest.mark.rule("H1.71", "L-P23")
def test_a_running_table_keeps_the_clock_and_the_breaks_under_which_it_was_opened(house):
    house.open(1, Lee=1, Kai=2)
    old = house.table().opening.terms.timers.clock_seconds
    house.reads("clock_seconds = 45", part="timers")
    house.open(2, Mika=1, Pekka=2)

    for nickname in ("Lee", "Mika"):
        seating = sits(house, nickname)
        house.tap(call_clock, table_id=seating.table_id, seating_id=seating.pk)

    given = PlayerClock.objects.order_by("id").values_list(F("ends_at") - F("called_at"), flat=True)
    assert [each.seconds for each in given] == [old, 45]
    sheets = [posted_at_table(house.room_id, number, at=house.at).timers.clock_seconds for number in (1, 2)]
    assert sheets == [old, 45]
    assert posted_in_room(house.room_id, at=house.at).timers.clock_seconds == 45


@pytest.mark.rule("L-P23")
def test_tips_at_a_running_table_stay_each_dealers_own_where_the_next_book_pools_them(house):
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    house.open(Lee=1, Kai=2)
    racking = Racking(house)
    anna = racking.began(house.cast.anna)
    keeps_racks(house.room_id, is_kept="false", tips="pooled")
    racking.began(house.cast.dan)

    due = table_work(house.room_id, 1).tips
    closed = house.tap(close_tips, table_id=house.table_id(), down_id=anna.pk)

    assert due is not None
    assert due.down_id == anna.pk
    assert closed.data["is_closed"]
    assert table_work(house.room_id, 1).tips is None


@pytest.mark.rule("L-P23")
def test_tips_at_a_running_table_stay_pooled_where_the_next_book_has_each_dealers_own(house):
    keeps_racks(house.room_id, is_kept="false", tips="pooled")
    house.open(Lee=1, Kai=2)
    racking = Racking(house)
    anna = racking.began(house.cast.anna)
    keeps_racks(house.room_id, is_kept="false", tips="per_dealer")
    racking.began(house.cast.dan)

    closed = house.tap(close_tips, table_id=house.table_id(), down_id=anna.pk)
    take(house, 40)

    assert not closed.data["is_closed"]
    assert (TipCount.objects.get().seconds, TipCount.objects.get().dealer_id) == (None, None)


@pytest.mark.rule("L-P23")
def test_a_running_table_keeps_the_rack_under_which_it_was_opened(house):
    keeps_racks(house.room_id)
    house.open(1, Lee=1, Kai=2)
    keeps_racks(house.room_id, is_kept="false")
    house.open(2, Mika=1, Pekka=2)
    float_of = fill_places.of(OWNER)

    Racking(house).fill(100)
    float_of.check_takes(house.table_id(1), at=house.at)
    with pytest.raises(NoRackKept):
        Racking(house).fill(100, table=2)
    with pytest.raises(NoRackKept):
        float_of.check_takes(house.table_id(2), at=house.at)
