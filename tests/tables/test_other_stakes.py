"""
Stakes change at a running table, crossed with all else that may hold there: docs/other-stakes.md, line by line.

Hands of before that come late are in `test_own_game.py`.
"""

import json
from datetime import timedelta
from typing import Any

import pytest

from casino.audit.models import Event
from casino.poker.time_charge import TimeCharge, time_to_dict
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.errors import BuyInOverMaximum, BuyInUnderMinimum, HandInProgress, NoSuchSeat, OverPlayerPosts
from tables.errors_books import AboveVenue
from tables.errors_moves import NotAllConsent, TableCloses
from tables.errors_seats import SeatPromised
from tables.errors_time import TimeOwed
from tables.models import Game, Hand, Opening, Seating, TableChange, TimeTaken
from tables.selectors.dealer import dealer_screen
from tables.selectors.next_steps import steps_by_game
from tables.services.chips import bring_chips
from tables.services.closing import announce_last_orbit
from tables.services.moving import why_moving
from tables.services.opening import open_table
from tables.services.playing_over import play_over
from tables.services.requests import ask_table_change
from tables.services.seat_change import ask_seat_change
from tables.services.seating import choose_entry, hold_seat, leave_seat, set_straddle
from tables.services.stakes import change_stakes
from tables.services.time_charges import let_time_go, take_back_time, take_time
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]

LOW, HIGH = "No limit hold'em 2/2", "No limit hold'em 5/5"


def sits(house: House, nickname: str) -> Seating:
    return Seating.objects.get(player=house.player(nickname), left_at=None)


def change(house: House, game: str = HIGH, *, number: int = 1, without: tuple[str, ...] = ()) -> dict[str, Any]:
    table = house.table(number)
    there = Seating.objects.filter(table=table, left_at=None).exclude(player__nickname__in=without)
    consents = list(there.order_by("seat_number").values_list("id", flat=True))
    return house.tap(change_stakes, table_id=table.pk, game_id=house.game(game).pk, consents=consents).data


def away(house: House, nickname: str, *, is_held: bool = True) -> None:
    seating = sits(house, nickname)
    house.tap(hold_seat, table_id=seating.table_id, seating_id=seating.pk, is_held=is_held)


# ---- who agrees


@pytest.mark.rule("L-P23")
def test_stakes_change_when_all_agree_and_hands_keep_their_terms(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    before = house.settle(40_00)
    button = house.table().opening.last["button_seat"]

    change(house)

    opening = house.table().opening
    assert (opening.game.name, opening.last["button_seat"]) == ("No limit hold'em 5/5", button)
    hand = house.settle(40_00)
    assert Hand.objects.select_related("opening__game").get(pk=before.pk).opening.game.name == "No limit hold'em 2/2"
    assert hand.opening_id == opening.pk
    assert set(hand.seats.values_list("live_cents", flat=True)) == {0, 5_00}
    assert Seating.objects.filter(left_at=None, opening=opening).count() == 3
    consents = json.loads(Event.objects.get(name="tables.change_stakes").text)["data"]
    assert len(consents["consents"]) == len(consents["players"]) == 3


def test_stakes_stay_while_somebody_has_not_agreed_or_a_hand_runs(house):
    house.open(1, Lee=1, Kai=2, Timo=3)

    with pytest.raises(NotAllConsent):
        change(house, without=("Timo",))
    house.deal()
    with pytest.raises(HandInProgress):
        change(house)


# ---- who is away, and who plays in their seat


@pytest.mark.rule("H1.5", "H1.10")
def test_who_is_away_is_asked_too_and_is_held_as_long_as_before(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    away(house, "Timo")
    before = sits(house, "Timo")

    with pytest.raises(NotAllConsent, match="1"):
        change(house, without=("Timo",))
    change(house)

    timo = sits(house, "Timo")
    assert (timo.is_held, timo.away_since, timo.away_limit_at) == (True, before.away_since, before.away_limit_at)
    assert house.settle(40_00).seats.count() == 2


@pytest.mark.rule("H4.48", "H4.50")
def test_whose_seat_is_played_over_is_asked_as_well_and_both_go_on(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    away(house, "Timo")
    holder = sits(house, "Timo")
    house.tap(
        play_over, table_id=holder.table_id, seating_id=holder.pk, player_id=house.player("Mika").pk, chips_cents=100_00
    )
    house.tap(join_list, game_id=house.game(HIGH).pk, player_id=house.player("Mika").pk)

    for nickname in ("Timo", "Mika"):
        with pytest.raises(NotAllConsent, match="1"):
            change(house, without=(nickname,))
    players = change(house)["players"]

    assert len(players) == 4
    opening = house.table().opening
    assert Seating.objects.filter(opening=opening, left_at=None).count() == 4
    # A40: who plays over keeps the place on the lists, also on that of the game that is played now.
    assert Waiting.objects.get(player=house.player("Mika")).status == "waiting"
    with pytest.raises(OverPlayerPosts):
        house.tap(choose_entry, table_id=house.table_id(), seating_id=sits(house, "Mika").pk, entry="waits")
    house.settle(40_00)
    away(house, "Timo", is_held=False)
    assert not Seating.objects.filter(player=house.player("Mika"), left_at=None).exists()


# ---- blinds


@pytest.mark.rule("H4.36", "H4.40", "H4.42")
def test_markers_lie_as_they_lay_and_cost_the_blinds_of_now(house):
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4)
    house.settle(40_00)
    away(house, "Timo")
    for _ in range(4):
        house.settle(40_00)
    markers = sits(house, "Timo").missed
    assert markers == "both"

    change(house)
    away(house, "Timo", is_held=False)

    timo = sits(house, "Timo")
    assert (timo.missed, timo.entry) == ("both", "waits")
    house.tap(choose_entry, table_id=house.table_id(), seating_id=timo.pk, entry="posts")
    seat = house.settle(40_00).seats.get(player=timo.player)
    assert (seat.live_cents, seat.dead_cents) == (5_00, 5_00)


@pytest.mark.rule("H4.18", "H4.34")
def test_a_straddle_stands_where_the_new_game_knows_it_and_else_is_cancelled(house):
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4)
    house.settle(40_00)
    house.seat("Jo", 5)
    lee = sits(house, "Lee")
    house.tap(set_straddle, table_id=lee.table_id, seating_id=lee.pk, straddles=True)
    house.tap(choose_entry, table_id=lee.table_id, seating_id=sits(house, "Jo").pk, entry="straddles")

    change(house)
    assert (sits(house, "Lee").straddles, sits(house, "Jo").entry) == (True, "straddles")

    with as_owner():
        Game.objects.filter(id=house.game("No limit hold'em 2/4").pk).update(straddle="off")
    change(house, "No limit hold'em 2/4")
    assert (sits(house, "Lee").straddles, sits(house, "Jo").entry) == (False, "waits")


# ---- chips


@pytest.mark.rule("H1.63")
def test_nobody_takes_chips_off_or_adds_any_because_the_stakes_changed(house):
    """H1.66 and H1.67 are about moving: here nobody moves, so whole stacks stay, under and above the limits (H1.63)."""
    house.open(1, Lee=1, Kai=2)
    before = house.figures()
    with as_owner():
        Game.objects.filter(id=house.game(HIGH).pk).update(structure="pot_limit")

    change(house)
    assert house.figures() == before
    change(house, LOW)

    assert house.figures() == before
    assert house.settle(40_00).seats.count() == 2


@pytest.mark.helsinki
@pytest.mark.rule("H2.14", "H2.15", "H2.16", "H2.17")
def test_what_is_bought_next_is_bought_by_the_new_limits(house):
    house.open(1, Lee=1, Kai=2)
    lee = sits(house, "Lee")
    lees = {"table_id": lee.table_id, "seating_id": lee.pk}
    house.tap(bring_chips, **lees, chips_cents=10_00, stack=4_00)

    change(house)
    # Four euros are less than the big blind of now: out of chips, by the minimum of now.
    with pytest.raises(BuyInUnderMinimum, match="500"):
        house.tap(bring_chips, **lees, chips_cents=100_00, stack=4_00)
    house.tap(bring_chips, **lees, chips_cents=1_000_00, stack=4_00, stands=True)
    with pytest.raises(BuyInUnderMinimum, match="500"):
        house.seat("Timo", 3)
    change(house, LOW)

    with pytest.raises(BuyInOverMaximum, match="100"):
        house.tap(bring_chips, **lees, chips_cents=200_00, stack=300_00)
    house.tap(bring_chips, **lees, chips_cents=100_00, stack=300_00)


# ---- what is charged by the time


HALF_HOURLY = TimeCharge(6_00, 30, chip_cents=1_00)
HOURLY = TimeCharge(20_00, 60, chip_cents=1_00)


@pytest.fixture
def timed(house: House) -> House:
    """Return a house where 2/2 pays 6 € each half an hour and 5/5 20 € an hour; table 1 plays 2/2."""
    for name, charge in ((LOW, HALF_HOURLY), (HIGH, HOURLY)):
        with as_owner():
            Game.objects.filter(id=house.game(name).pk).update(charges={}, time_charge=time_to_dict(charge))
    house.open(1, Lee=1, Kai=2, Timo=3)
    return house


def time_of(house: House) -> Any:
    return dealer_screen(room_id=house.room_id, number=1).time


def take(house: House, period: int = 1) -> None:
    table = house.table()
    house.tap(take_time, table_id=table.pk, opening_id=table.opening_id, period=period)


@pytest.mark.rule("H1.91", "L-P23")
def test_time_that_has_begun_is_paid_or_let_go_before_the_stakes_change(timed):
    timed.settle(86_00)

    with pytest.raises(TimeOwed):
        change(timed)
    take(timed)
    timed.at += timedelta(minutes=31)
    with pytest.raises(TimeOwed, match="2"):
        change(timed)
    timed.tap(let_time_go, table_id=timed.table().pk, period=2)
    change(timed)


@pytest.mark.rule("H1.91", "L-P23")
def test_time_of_before_that_is_taken_late_is_owed_by_who_sat_there_at_its_end(timed):
    timed.settle(86_00)
    opening_id = timed.table().opening_id
    take(timed)
    change(timed)
    timed.tap(take_back_time, table_id=timed.table_id(), time_id=TimeTaken.objects.get().pk)
    timed.tap(leave_seat, table_id=timed.table_id(), seating_id=sits(timed, "Timo").pk, stack_cents=100_00)

    timed.tap(take_time, table_id=timed.table_id(), opening_id=opening_id, period=1)

    assert TimeTaken.objects.get(taken_back_at=None).due_cents == 18_00


@pytest.mark.rule("H7.18", "L-P23")
def test_what_was_paid_runs_to_its_end_and_the_new_charge_begins_there(timed):
    began = timed.settle(86_00).dealt_at
    take(timed)
    timed.at += timedelta(minutes=5)

    change(timed)
    assert time_of(timed).begins_at is None
    timed.settle(86_00)

    due = time_of(timed)
    assert (due.number, due.begins_at, due.minutes) == (1, began + timedelta(minutes=30), 60)
    timed.at += timedelta(minutes=5)
    change(timed, LOW)
    timed.settle(86_00)
    assert time_of(timed).begins_at == began + timedelta(minutes=30)


@pytest.mark.rule("H7.18")
def test_after_a_pause_longer_than_what_was_paid_time_runs_from_the_first_hand(timed):
    timed.settle(86_00)
    take(timed)
    timed.at += timedelta(minutes=29)
    change(timed)
    timed.at += timedelta(minutes=20)

    first = timed.settle(86_00)

    assert time_of(timed).begins_at == first.dealt_at


@pytest.mark.helsinki
@pytest.mark.rule("L-P17")
def test_a_game_that_takes_a_rake_takes_it_from_the_next_hand(timed):
    timed.settle(86_00)
    take(timed)

    change(timed, "No limit hold'em 2/4")

    assert timed.settle(86_00).taken("rake") == 4_00
    assert time_of(timed) is None


# ---- a must-move game


def fed_by(house: House, main: int, number: int) -> bool:
    """Say whether the players of one table must move on to another one."""
    here, there = house.table(number).opening, house.table(main).opening
    assert here is not None
    assert there is not None
    claims = [step.claim.why for steps in steps_by_game(house.room_id).values() for step in steps]
    assert (why_moving(here, there) == "must_move") == ("must_move" in claims)
    return "must_move" in claims


@pytest.fixture
def chain(house: House) -> House:
    """Return a house where table 2 is the must-move game of table 1."""
    house.open(1, Lee=1, Kai=2)
    house.tap(open_table, table_id=house.table_id(2), game_id=house.game().pk, feeds_table_id=house.table_id())
    for seat, nickname in enumerate(("Mika", "Pekka", "Jo"), 1):
        house.seat(nickname, seat, number=2)
    assert fed_by(house, 1, 2)
    return house


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_must_move_game_rests_while_the_stakes_differ_and_goes_on_when_they_are_the_same(chain, order):
    first, second = order

    assert change(chain, number=first)["rests"] == [second]
    assert not fed_by(chain, 1, 2)

    assert change(chain, number=second)["rests"] == []
    assert fed_by(chain, 1, 2)


def test_a_must_move_game_goes_on_when_the_main_game_comes_back(chain):
    change(chain)
    change(chain, LOW)

    assert fed_by(chain, 1, 2)


def test_both_tables_of_a_chain_have_a_new_version(chain):
    before = chain.table(2).version

    change(chain)

    assert chain.table(2).version == before + 1


# ---- lists and wishes


@pytest.mark.rule("H2.3", "H2.7", "H2.9")
def test_who_waited_for_the_new_game_plays_it_now_and_all_others_keep_their_places(house):
    house.open(1, Lee=1, Kai=2)
    for nickname, game in (("Kai", HIGH), ("Mika", HIGH), ("Kai", "No limit hold'em 2/4"), ("Pekka", LOW)):
        house.tap(join_list, game_id=house.game(game).pk, player_id=house.player(nickname).pk)

    change(house)

    found = Waiting.objects.order_by("id").values_list("player__nickname", "waiting_list__game__name", "status")
    assert list(found) == [
        ("Kai", HIGH, "seated"), ("Mika", HIGH, "waiting"), ("Kai", "No limit hold'em 2/4", "waiting"),
        ("Pekka", LOW, "waiting"),
    ]  # fmt: skip


@pytest.mark.rule("H2.8")
def test_wishes_for_tables_of_the_old_game_end_and_others_stay(house):
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1, Pekka=2)
    for nickname, to in (("Lee", None), ("Kai", 2), ("Mika", 1), ("Pekka", None)):
        seating = sits(house, nickname)
        house.tap(
            ask_table_change,
            table_id=seating.table_id,
            seating_id=seating.pk,
            to_table_id=house.table_id(to) if to else None,
        )

    change(house)

    wishes = TableChange.objects.order_by("id").values_list("seating__player__nickname", "ended_why")
    assert list(wishes) == [("Lee", "other_stakes"), ("Kai", "other_stakes"), ("Mika", "other_stakes"), ("Pekka", "")]


@pytest.mark.rule("H2.13")
def test_a_wish_for_a_seat_that_the_new_game_does_not_have_is_one_for_any(house):
    house.open(1, Lee=1, Kai=2)
    for nickname, seat in (("Lee", 10), ("Kai", 5)):
        seating = sits(house, nickname)
        house.tap(ask_seat_change, table_id=seating.table_id, seating_id=seating.pk, asks=True, seat_number=seat)

    change(house)

    assert [(sits(house, who).change_to, sits(house, who).change_wished_at is None) for who in ("Lee", "Kai")] == [
        (None, False), (5, False),
    ]  # fmt: skip


# ---- what is refused


def test_nobody_is_left_in_a_seat_that_the_new_game_does_not_have(house):
    house.open(1, Lee=1, Kai=10)

    with pytest.raises(NoSuchSeat, match="9"):
        change(house)


@pytest.mark.rule("H2.6")
def test_a_seat_promised_for_the_old_game_holds_the_change_up(house):
    table = house.open(1, Lee=1, Kai=2)
    joined = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    house.tap(call_player, waiting_id=joined.data["waiting"], table_id=table.pk, seat_number=5)

    with pytest.raises(SeatPromised):
        change(house)


@pytest.mark.rule("H2.22")
def test_a_table_that_is_about_to_close_changes_nothing(house):
    house.open(1, Lee=1, Kai=2)
    house.tap(announce_last_orbit, table_id=house.table_id())

    with pytest.raises(TableCloses):
        change(house)


def test_a_clock_that_was_set_back_stops_no_change(house):
    house.open(1, Lee=1, Kai=2)
    lee = sits(house, "Lee")
    house.tap(ask_table_change, table_id=lee.table_id, seating_id=lee.pk)
    house.at -= timedelta(hours=1)

    change(house)

    wish = TableChange.objects.get()
    assert wish.ended_at == wish.wished_at


@pytest.mark.helsinki
@pytest.mark.rule("L-P93")
def test_no_table_changes_to_a_game_above_what_the_licence_allows_here(house):
    house.open(1, Lee=1, Kai=2)
    with as_owner():
        Game.objects.filter(id=house.game(HIGH).pk).update(big_blind_cents=30_000_00)

    with pytest.raises(AboveVenue):
        change(house)


def test_the_old_opening_ends_when_the_new_one_begins(house):
    house.open(1, Lee=1, Kai=2)

    change(house)

    old, new = Opening.objects.filter(table=house.table()).order_by("id")
    assert (old.closed_at, new.continues_id) == (new.opened_at, old.pk)
