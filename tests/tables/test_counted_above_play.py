"""A stack or tips counted above what lies in play: never refused, said before, on the to-do after."""

from functools import partial

import pytest

from casino.cage.errors import TooMuchAtOnce
from casino.cage.services import buy_in
from casino.errors import Refusal
from casino.ledger.errors import NotInChips
from casino.ledger.templatetags.money import money
from casino.live.render import fragment
from tables.errors_counts import MoreThanInHand
from tables.models import Game, Seating, ToDo
from tables.owners import table_figures
from tables.services.chips import bring_chips, count_tip_box
from tables.services.hands import settle_hand
from tables.services.opening import close_table
from tables.services.seating import leave_seat
from tables.services.stacks import count_stack
from tests.cage.desk import limits_of
from tests.support.books import had_halves
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_late_hands import open_todos, tapped
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def leave(house: House, nickname: str, cents: int | None) -> Seating:
    seating = Seating.objects.get(player=house.player(nickname))
    house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=cents)
    seating.refresh_from_db()
    return seating


def waiting() -> list[tuple[str, int]]:
    found = ToDo.objects.filter(done_at=None).order_by("id")
    return [(todo.kind, todo.data["over_cents"]) for todo in found]


def test_a_stack_above_what_lies_in_play_is_a_fact_for_the_floor_to_judge(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    leave(house, "Lee", 400_00)
    assert waiting() == []
    kai = leave(house, "Kai", 150_00)

    assert waiting() == [("stack_above_play", 150_00)]
    assert kai.left_stack_cents == 150_00
    assert table_figures(house.table_id())["in_play"] == -150_00
    html = fragment(house.room_id, "floor", "en").html
    over = money(150_00, house.cast.room)
    assert f"Seat 2: a stack of {over} was counted" in html
    assert f"{over} more than lay in play" in html


def test_a_count_that_is_put_right_takes_it_off_again(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = leave(house, "Lee", 4_000_00)
    assert waiting() == [("stack_above_play", 3_600_00)]

    house.tap(count_stack, table_id=house.table_id(), seating_id=lee.pk, stack_cents=400_00, version=lee.version)

    assert waiting() == []


def test_tips_above_what_lies_in_play_too(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    house.tap(count_tip_box, house.cast.anna, table_id=house.table_id(), counted_cents=400_00)
    assert waiting() == []
    house.tap(count_tip_box, house.cast.anna, table_id=house.table_id(), counted_cents=5_00)

    assert waiting() == [("tips_above_play", 5_00)]
    assert f"Tip box: {money(5_00, house.cast.room)} were counted" in fragment(house.room_id, "floor", "en").html


def test_the_sheets_know_what_lies_in_play(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2)
    frans = at_desktop(house.cast.frans)
    seats = f"/floor/tables/1/seatings/{Seating.objects.get(seat_number=1).pk}"
    counts = [
        frans.get(path).content.decode().count('data-most-cents="40000"')
        for path in (
            "/floor/tables/1/seats/1/sheet/",
            f"{seats}/move/sheet/",
            f"{seats}/pick-up/sheet/",
            "/floor/tables/1/tips/sheet/",
        )
    ]
    # Of who leaves, goes to another table, or is away for too long; and tips.
    assert counts == [2, 1, 1, 1]

    lee = leave(house, "Lee", 150_00)

    sheet = frans.get(f"/floor/tables/1/left/{lee.pk}/sheet/").content.decode()
    assert 'data-most-cents="40000"' in sheet
    leave(house, "Kai", 99_999_00)
    assert 'data-most-cents="0"' in frans.get("/floor/tables/1/tips/sheet/").content.decode()


@pytest.mark.parametrize(("pot", "is_above"), [(400_00, False), (401_00, True), (9_999_999_00, True)])
def test_a_pot_of_more_than_lies_in_play_is_taken_and_looked_at(house: House, pot: int, *, is_above: bool) -> None:
    """A fact: two players with 200 € each cannot have played for more."""
    house.open(1, Lee=1, Kai=2)

    hand = house.settle(pot)

    assert (hand.status, hand.pot_cents) == ("settled", pot)
    assert [todo.data["what"] for todo in ToDo.objects.filter(kind="hand_differs")] == [["pot_above_play"]] * is_above


@pytest.mark.parametrize(("pot", "is_above"), [(600_00, False), (601_00, True)])
def test_a_hand_of_before_players_left_is_held_against_what_lay_in_play_then(
    house: House, pot: int, *, is_above: bool
) -> None:
    """The tablet was away while the floor let them go with their stacks."""
    house.open(1, Lee=1, Kai=2, Timo=3)
    gone_at = house.at
    leave(house, "Lee", 150_00)
    leave(house, "Kai", 250_00)

    tapped(house, settle_hand, gone_at, hand=house.logged(pot, dealt_in=(1, 2, 3)))

    assert ("pot_above_play" in differences()) is is_above


def test_a_hand_of_a_game_that_has_ended_is_held_against_nothing(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    played_at = house.at
    for nickname in ("Lee", "Kai", "Timo"):
        leave(house, nickname, 200_00)
    house.tap(close_table, table_id=house.table_id())

    tapped(house, settle_hand, played_at, hand=house.logged(500_00))

    assert open_todos(house)[-1] == "late_fact"
    assert "pot_above_play" not in differences()


def differences() -> list[str]:
    return [what for todo in ToDo.objects.filter(kind="hand_differs") for what in todo.data["what"]]


@pytest.mark.parametrize(("above_most", "refusal"), [(1_00, TooMuchAtOnce), (-50, NotInChips), (0, MoreThanInHand)])
def test_chips_brought_along_are_what_the_rooms_chips_can_be_and_no_billion(
    house: House, above_most: int, refusal: type[Refusal]
) -> None:
    """Where the game has no maximum, the book's most holds: the one of the cage."""
    house.open(1, Lee=1, Kai=2)
    with as_owner():
        Game.objects.update(buy_in_max_cents=None)
    lee = Seating.objects.get(player=house.player("Lee"))
    most = limits_of(house.room_id).amount_max_cents
    assert most is not None
    cents = most + above_most

    brings = partial(house.tap, bring_chips, table_id=house.table_id(), seating_id=lee.pk, chips_cents=cents)
    sits = partial(house.seat, "Timo", 3, chips=cents)

    for bringing in (brings, sits):
        with pytest.raises(refusal):
            bringing()


def test_how_much_anybody_brings_is_by_the_book_in_force_as_at_the_cage_however_old_the_opening_is(
    house: House,
) -> None:
    house.open(1, Lee=1, Kai=2)
    with as_owner():
        Game.objects.update(buy_in_max_cents=None)
    house.reads("amount_max_cents = 1_000_00", part="cage")
    lee = Seating.objects.get(player=house.player("Lee"))

    with pytest.raises(TooMuchAtOnce) as refused:
        house.tap(bring_chips, table_id=house.table_id(), seating_id=lee.pk, chips_cents=1_500_00)

    assert refused.value.data["limit_cents"] == 1_000_00


def test_chips_of_an_older_book_are_put_on_a_table_too(house: House) -> None:
    """They are in players' pockets, and the cage takes them in."""
    had_halves(house.room_id)
    house.open(1, Lee=1, Kai=2)
    with as_owner():
        Game.objects.update(buy_in_max_cents=None)
    lee = Seating.objects.get(player=house.player("Lee"))
    brings = partial(house.tap, bring_chips, table_id=house.table_id(), seating_id=lee.pk, stack="under_blind")

    brings(chips_cents=100_50)
    with pytest.raises(NotInChips):
        brings(chips_cents=100_25)

    assert house.figures()["in_play"] == 500_50


def test_chips_that_nobody_has_are_asked_about_once_where_no_maximum_refuses_them(house: House) -> None:
    with as_owner():
        Game.objects.update(buy_in_max_cents=None)
    table = house.open(1, Lee=1, Kai=2)
    leave(house, "Kai", 150_00)
    lee = Seating.objects.get(left_at=None)
    bring = partial(house.tap, bring_chips, table_id=table.pk, seating_id=lee.pk)

    with pytest.raises(MoreThanInHand, match="7,777\xa0¤ is more than all players have in hand: 0\xa0¤"):
        bring(chips_cents=7_777_00)
    frans = at_desktop(house.cast.frans)
    refused = tap(frans, f"/floor/tables/1/seatings/{lee.pk}/chips/", amount="7777", version=lee.version)
    assert 'data-again="stands"' in refused.content.decode()
    assert waiting() == []
    bring(chips_cents=7_777_00, stands=True)

    assert waiting() == [("brought_unseen", 7_777_00)]
    html = fragment(house.room_id, "floor", "en").html
    assert f"Seat 1: {money(7_777_00, house.cast.room)} were brought along" in html


def test_chips_that_players_have_are_brought_without_a_question(house: House) -> None:
    with as_owner():
        Game.objects.update(buy_in_max_cents=None)
    table = house.open(1, Lee=1)
    lee = Seating.objects.get()
    for cents in (1_500_00, 500_00):
        house.tap(buy_in, house.cast.carla, drawer_id=house.drawer_id, amount_cents=cents, method="card")
    bring = partial(house.tap, bring_chips, table_id=table.pk, seating_id=lee.pk, stack="under_blind")

    # Lee's 200 € were sold to nobody; the usual buy-in is never asked about.
    bring(chips_cents=1_800_00)
    bring(chips_cents=200_00)
    with pytest.raises(MoreThanInHand):
        bring(chips_cents=201_00)

    assert waiting() == []
