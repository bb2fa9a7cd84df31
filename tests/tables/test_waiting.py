"""Waiting lists: joining, calls that run out, and the seat that a call promises."""

import uuid
from datetime import datetime, timedelta

import pytest

from casino.commands.carrying_out import Answer
from casino.live.areas import TODO
from casino.waiting.errors import AlreadyCalled, AlreadyOnList, ChipsFetched, NotCalled, NotOnList, NotThereYet
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.selectors.games import games_on_map
from casino.waiting.selectors.lists import struck_lately
from casino.waiting.selectors.wall import lobby
from casino.waiting.services.after_call import fetch_chips, grant_more_time
from casino.waiting.services.lists import (
    call_player,
    check_in,
    drop_out,
    join_list,
    reorder_list,
    strike,
    take_back_call,
    take_back_strike,
)
from casino.waiting.tasks import wake_calls
from tables.errors import AlreadySeated, SeatTaken
from tables.errors_seats import OtherGame, SeatPromised
from tables.models import Game
from tables.selectors.floor import room_on_map
from tables.services.opening import open_table
from tables.services.seating import leave_seat
from tables.services.setup import offer_games
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


class ListDesk:
    """The floor's desk: two players sit at table 1, and more want to."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open(Lee=1, Kai=2)

    def join(self, nickname: str, *, game: str = "No limit hold'em 2/2", is_call_in: bool = False) -> int:
        answer = self.house.tap(
            join_list,
            game_id=self.house.game(game).pk,
            player_id=self.house.player(nickname).pk,
            is_call_in=is_call_in,
        )
        return int(answer.data["waiting"])

    def call(self, waiting: int, seat: int = 5, *, table: int = 1) -> Answer:
        return self.house.tap(call_player, waiting_id=waiting, table_id=self.house.table_id(table), seat_number=seat)

    def entry(self, waiting: int) -> Waiting:
        return Waiting.objects.get(id=waiting)

    def waiting(self) -> list[str]:
        live = Waiting.objects.filter(status__in=Waiting.LIVE).select_related("player")
        return [entry.player.nickname for entry in live.order_by("place", "id")]

    def later(self, **span: int) -> None:
        self.house.at += timedelta(**span)

    def time_passes(self) -> None:
        """Let time do what it triggers."""
        wake_calls(at=self.house.at)


@pytest.fixture
def desk(house: House) -> ListDesk:
    return ListDesk(house)


@pytest.mark.rule("H2.3", "H2.4", "H2.7")
def test_players_wait_in_the_order_of_joining_for_several_games_and_while_seated(desk):
    desk.join("Timo")
    desk.join("Mika")
    desk.join("Lee", game="No limit hold'em 5/5")
    desk.join("Timo", game="No limit hold'em 5/5")

    lists = {each.game.name: each for each in WaitingList.objects.select_related("game")}
    names = {
        name: [entry.player.nickname for entry in each.entries.select_related("player").order_by("place")]
        for name, each in lists.items()
    }
    assert names == {"No limit hold'em 2/2": ["Timo", "Mika"], "No limit hold'em 5/5": ["Lee", "Timo"]}


def test_nobody_waits_twice_for_one_game(desk):
    desk.join("Timo")

    with pytest.raises(AlreadyOnList):
        desk.join("Timo")


@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
def test_a_call_promises_the_seat_for_three_minutes(desk):
    timo = desk.join("Timo")

    desk.call(timo)

    entry = desk.entry(timo)
    assert (entry.status, entry.seat_number, entry.table_id) == ("called", 5, desk.table.pk)
    assert entry.call_expires_at == desk.house.at + timedelta(minutes=3)
    with pytest.raises(SeatPromised):
        desk.house.seat("Mika", 5)


@pytest.mark.rule("H2.6")
def test_a_promised_seat_is_nowhere_counted_as_free(desk):
    before = room_on_map(desk.house.room_id).open_seats

    desk.call(desk.join("Timo"))

    shown = room_on_map(desk.house.room_id)
    assert shown.open_seats == sum(offer.open_seats for offer in games_on_map(desk.house.room_id)) == before - 1


@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
@pytest.mark.parametrize(("reading", "from_call"), [("", True), ("seat_opening", False)])
def test_the_three_minutes_run_from_the_call_or_by_the_other_reading_from_the_opening_of_the_seat(
    desk, reading, from_call
):
    """A21: each who is called has the whole three minutes, however late the desk calls and however many before."""
    if reading:
        desk.house.reads(f'call_runs_from = "{reading}"')
    timo = desk.join("Timo")
    desk.house.tap(
        leave_seat,
        table_id=desk.table.pk,
        seating_id=desk.house.table().seating_set.get(seat_number=2).pk,
        stack_cents=0,
    )
    opened_at = desk.house.at
    desk.later(seconds=60)

    desk.call(timo, seat=2)

    entry = desk.entry(timo)
    assert entry.seat_opened_at == opened_at
    assert entry.call_expires_at == (desk.house.at if from_call else opened_at) + timedelta(minutes=3)


@pytest.mark.helsinki
@pytest.mark.rule("H2.6", "H2.9")
def test_a_call_that_runs_out_strikes_the_player_and_frees_the_seat(desk):
    timo = desk.join("Timo")
    desk.call(timo)

    desk.later(minutes=2, seconds=59)
    desk.time_passes()
    assert desk.entry(timo).status == "called"

    desk.later(seconds=2)
    desk.time_passes()
    entry = desk.entry(timo)
    assert (entry.status, entry.ended_why, entry.table_id) == ("struck", "call_ran_out", None)
    desk.house.seat("Mika", 5)


@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
def test_by_the_other_reading_who_misses_a_call_goes_to_the_bottom_once(desk):
    desk.house.reads('missed_call = "bottom"')
    timo, _ = desk.join("Timo"), desk.join("Mika")

    for expected in (["Mika", "Timo"], ["Mika"]):
        desk.call(timo)
        desk.later(minutes=4)
        desk.time_passes()
        assert desk.waiting() == expected


@pytest.mark.rule("H2.5")
def test_who_sits_down_in_time_is_off_the_list(desk):
    timo = desk.join("Timo")
    desk.call(timo)

    desk.house.seat("Timo", 5)

    assert desk.entry(timo).status == "seated"
    desk.later(minutes=5)
    desk.time_passes()
    assert desk.entry(timo).status == "seated"


def test_a_player_seated_elsewhere_at_the_same_game_is_off_its_list_too(desk):
    timo = desk.join("Timo")
    desk.call(timo, seat=5)

    desk.house.seat("Timo", 6)

    assert desk.entry(timo).status == "seated"
    desk.house.seat("Mika", 5)


def test_nobody_is_called_to_two_seats_nor_two_to_one(desk):
    timo, mika = desk.join("Timo"), desk.join("Mika")
    also = desk.join("Timo", game="No limit hold'em 5/5")
    desk.call(timo)

    with pytest.raises(SeatPromised):
        desk.call(mika)
    with pytest.raises(AlreadyCalled):
        desk.call(timo, seat=6)
    desk.house.tap(open_table, table_id=desk.house.table_id(2), game_id=desk.house.game("No limit hold'em 5/5").pk)
    with pytest.raises(AlreadyCalled):
        desk.call(also, table=2)


def test_a_call_is_to_a_free_seat_of_the_lists_own_game(desk):
    timo, lee = desk.join("Timo"), desk.join("Lee")
    other = desk.join("Mika", game="No limit hold'em 5/5")

    with pytest.raises(SeatTaken):
        desk.call(timo, seat=2)
    with pytest.raises(OtherGame):
        desk.call(other)
    with pytest.raises(AlreadySeated):
        desk.call(lee)


def test_a_call_taken_back_leaves_the_player_where_they_were(desk):
    timo, _ = desk.join("Timo"), desk.join("Mika")
    desk.call(timo)

    desk.house.tap(take_back_call, waiting_id=timo, version=desk.entry(timo).version)

    assert desk.waiting() == ["Timo", "Mika"]
    assert desk.entry(timo).status == "waiting"
    with pytest.raises(NotCalled):
        desk.house.tap(take_back_call, waiting_id=timo, version=desk.entry(timo).version)


@pytest.mark.rule("H2.9")
def test_who_is_struck_by_mistake_is_put_back_in_the_old_place(desk):
    timo, _ = desk.join("Timo"), desk.join("Mika")
    desk.house.tap(strike, waiting_id=timo, version=desk.entry(timo).version)
    assert desk.waiting() == ["Mika"]

    desk.house.tap(take_back_strike, waiting_id=timo, version=desk.entry(timo).version)

    assert desk.waiting() == ["Timo", "Mika"]


@pytest.mark.rule("H2.9")
def test_who_was_seated_by_mistake_is_put_back_in_the_old_place(desk):
    timo, _ = desk.join("Timo"), desk.join("Mika")
    desk.call(timo)
    sits = desk.house.seat("Timo", 5, chips=0)
    again = {"waiting_id": timo, "version": desk.entry(timo).version}
    with pytest.raises(AlreadySeated):
        desk.house.tap(take_back_strike, **again)
    assert struck_lately(desk.house.game(), at=desk.house.at) == []
    desk.house.tap(leave_seat, table_id=desk.table.pk, seating_id=sits.pk, stack_cents=0)

    assert [entry.pk for entry in struck_lately(desk.house.game(), at=desk.house.at)] == [timo]
    desk.house.tap(take_back_strike, **again)

    assert desk.waiting() == ["Timo", "Mika"]


@pytest.mark.rule("H2.9")
def test_who_has_played_and_left_has_no_old_place(desk):
    timo = desk.join("Timo")
    sits = desk.house.seat("Timo", 5, post=True)
    desk.house.settle(20_00)
    desk.house.tap(leave_seat, table_id=desk.table.pk, seating_id=sits.pk, stack_cents=0)

    assert struck_lately(desk.house.game(), at=desk.house.at) == []
    with pytest.raises(NotOnList):
        desk.house.tap(take_back_strike, waiting_id=timo, version=desk.entry(timo).version)


def test_the_old_place_is_kept_also_at_the_end_of_the_list(desk):
    """Those who join after a strike come after the struck, and one put back later is still before them."""
    desk.join("Timo")
    mika, aino = desk.join("Mika"), desk.join("Aino")
    for struck in (mika, aino):
        desk.house.tap(strike, waiting_id=struck, version=desk.entry(struck).version)
    desk.join("Kai")

    desk.house.tap(take_back_strike, waiting_id=aino, version=desk.entry(aino).version)

    assert desk.waiting() == ["Timo", "Aino", "Kai"]


def test_who_has_joined_again_is_not_put_back_as_well(desk):
    timo = desk.join("Timo")
    desk.house.tap(drop_out, waiting_id=timo)
    desk.join("Timo")

    with pytest.raises(AlreadyOnList):
        desk.house.tap(take_back_strike, waiting_id=timo, version=desk.entry(timo).version)


def test_who_has_left_the_list_is_not_called(desk):
    timo = desk.join("Timo")
    desk.house.tap(drop_out, waiting_id=timo)

    with pytest.raises(NotOnList):
        desk.call(timo)


@pytest.mark.helsinki
@pytest.mark.rule("H2.5")
def test_who_calls_in_is_called_once_they_are_there(desk):
    timo = desk.join("Timo", is_call_in=True)
    assert desk.entry(timo).check_in_by == desk.house.at + timedelta(minutes=60)

    with pytest.raises(NotThereYet):
        desk.call(timo)
    desk.house.tap(check_in, waiting_id=timo)
    desk.call(timo)


@pytest.mark.helsinki
def test_more_time_is_the_floors_to_grant(desk):
    timo = desk.join("Timo")
    desk.call(timo)
    until = desk.entry(timo).call_expires_at
    assert until is not None

    desk.house.tap(grant_more_time, waiting_id=timo)
    desk.later(minutes=4)
    desk.time_passes()

    assert desk.entry(timo).call_expires_at == until + timedelta(minutes=5)
    assert desk.entry(timo).status == "called"


@pytest.mark.helsinki
def test_the_promised_seat_waits_for_who_fetches_chips_but_not_for_ever(desk):
    timo = desk.join("Timo")
    desk.call(timo)
    desk.house.tap(fetch_chips, waiting_id=timo)

    desk.later(minutes=9)
    desk.time_passes()
    assert desk.entry(timo).status == "called"

    desk.later(minutes=2)
    desk.time_passes()
    assert desk.entry(timo).status == "struck"


@pytest.mark.helsinki
def test_more_time_counts_from_the_end_of_the_fetching_and_every_screen_shows_the_later_moment(desk):
    timo = desk.join("Timo")
    desk.call(timo)
    fetched = desk.house.tap(fetch_chips, waiting_id=timo).data["until"]

    granted = desk.house.tap(grant_more_time, waiting_id=timo).data["until"]

    assert desk.entry(timo).holds_until.isoformat() == granted
    assert datetime.fromisoformat(granted) == datetime.fromisoformat(fetched) + timedelta(minutes=5)
    desk.later(minutes=14)
    desk.time_passes()
    assert desk.entry(timo).status == "called"


def test_a_seat_is_kept_for_the_cage_once_a_call(desk):
    timo = desk.join("Timo")
    desk.call(timo)
    desk.house.tap(fetch_chips, waiting_id=timo)

    with pytest.raises(ChipsFetched):
        desk.house.tap(fetch_chips, waiting_id=timo)

    desk.house.tap(take_back_call, waiting_id=timo, version=desk.entry(timo).version)
    desk.call(timo)
    desk.house.tap(fetch_chips, waiting_id=timo)


@pytest.mark.parametrize(
    ("moved", "before", "expected"),
    [
        pytest.param("Mika", "Timo", ["Mika", "Timo", "Ville"], id="to-the-top"),
        pytest.param("Ville", "Mika", ["Timo", "Ville", "Mika"], id="between-two"),
        pytest.param("Timo", None, ["Mika", "Ville", "Timo"], id="to-the-end"),
    ],
)
def test_the_floor_changes_the_order_with_a_reason(desk, moved, before, expected):
    entries = {name: desk.join(name) for name in ("Timo", "Mika", "Ville")}
    version = WaitingList.objects.get().version

    desk.house.tap(
        reorder_list,
        waiting_id=entries[moved],
        before_id=entries.get(before),
        reason="wrong_order",
        version=version,
    )

    assert desk.waiting() == expected


# ---- new terms, and what the lists leave to do


@pytest.mark.rule("H2.3", "H2.5")
def test_a_list_goes_on_when_its_game_is_offered_with_new_terms(desk):
    old = desk.house.game()
    timo, _ = desk.join("Timo"), desk.join("Mika")
    with as_owner():
        Game.objects.filter(pk=old.pk).update(seats=9)
    desk.house.tap(offer_games, desk.house.cast.mari)
    new = desk.house.game()

    assert new.pk != old.pk
    assert WaitingList.objects.get().game_id == new.pk
    assert desk.waiting() == ["Timo", "Mika"]
    (offer,) = (offer for offer in games_on_map(desk.house.room_id) if offer.game.name == new.name)
    assert offer.next_seat is not None
    assert (len(offer.tiles), offer.next_seat.table_number) == (1, 1)
    assert [row.waiting.version for row in lobby(desk.house.room_id).games] == [WaitingList.objects.get().version]

    # Table 1 still runs the old terms, and is called to and sat down at as before.
    desk.call(timo)
    desk.house.seat("Timo", 5)
    desk.house.seat("Mika", 6)
    assert desk.waiting() == []


def test_a_game_that_is_taken_off_keeps_its_list_in_the_floors_sight(desk):
    desk.join("Timo", game="No limit hold'em 5/5")
    Game.objects.filter(name="No limit hold'em 5/5").update(is_offered=False)

    names = [offer.game.name for offer in games_on_map(desk.house.room_id)]

    assert "No limit hold'em 5/5" in names


@pytest.mark.helsinki
@pytest.mark.rule("H2.5")
def test_a_free_seat_and_the_first_who_is_there_are_one_tap_on_the_to_do(desk):
    desk.join("Jo", is_call_in=True)
    mika = desk.join("Mika")

    (line,) = (line for line in TODO.gather(room_id=desk.house.room_id) if line.key.startswith("call."))

    assert line.text.endswith("Mika")
    assert (line.where, line.reason.partition(":")[0]) == ("Table 1, seat 3", "H2.5")
    answer = at_desktop(desk.house.cast.frans).post(
        line.address, dict(line.values), headers={"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}
    )
    assert answer.status_code == 200
    assert desk.entry(mika).status == "called"
    assert desk.entry(mika).seat_number == 3


def test_who_called_in_and_did_not_come_in_time_is_for_the_floor_to_judge(desk):
    jo = desk.join("Jo", is_call_in=True)

    (line,) = (line for line in TODO.gather(room_id=desk.house.room_id) if line.key.startswith("call_in."))

    assert line.shown_from == desk.entry(jo).check_in_by
    desk.house.tap(check_in, waiting_id=jo)
    assert not any(line.key.startswith("call_in.") for line in TODO.gather(room_id=desk.house.room_id))


@pytest.mark.helsinki
def test_who_sits_down_the_moment_the_call_runs_out_sits_all_the_same(desk):
    timo = desk.join("Timo")
    desk.call(timo)
    desk.later(minutes=4)
    desk.time_passes()

    desk.house.seat("Timo", 5)

    assert desk.entry(timo).status == "struck"
