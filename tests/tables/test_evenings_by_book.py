"""A whole evening in a room that runs by another book than Helsinki's: every cent is there at the end of it."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from casino.cage.models import Slip
from casino.cage.services import buy_in, cash_out, take_money
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import room_figure
from casino.waiting.models import Waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.services.lists import call_player, join_list
from tables.errors import EntryNotOffered, NobodyWaits, StillInTime
from tables.errors_houses import NoLongBreak
from tables.errors_moves import ChangeNotAllowed, StackToBring, TableCloses
from tables.models import Hand, Seating
from tables.selectors.closing import closing
from tables.selectors.dealer import dealer_screen
from tables.services.absence_limits import set_long_break
from tables.services.closing import announce_last_orbit, draw_seats, prepare_seat_draw
from tables.services.moving import move_player, take_back_move
from tables.services.opening import close_table, open_table
from tables.services.seating import hold_seat, leave_seat
from tests.tables.conftest import House, make_house
from tests.tables.test_absence import pick_up
from tests.tables.test_moving import sits

pytestmark = [pytest.mark.django_db, pytest.mark.smoke]


class Night:
    """An evening that keeps the felt's own truth: what lies before each player, and what the house took."""

    def __init__(self, book: str) -> None:
        self.house: House = make_house(book=book)
        self.stacks: dict[str, int] = {}
        self.bought = self.paid = self.taken = 0

    def open(self, number: int, game: str) -> None:
        self.house.tap(open_table, table_id=self.house.table_id(number), game_id=self.house.game(game).pk)

    def sits_down(self, nickname: str, seat: int, cents: int, *, number: int = 1, **more: Any) -> Seating:
        """Buy at the cage what is not in the player's hands yet, and sit down with it."""
        player, had = self.house.player(nickname), self.stacks.get(nickname, 0)
        if cents > had:
            about = {"drawer_id": self.house.drawer_id, "amount_cents": cents - had, "method": "cash"}
            self.house.tap(buy_in, self.house.cast.carla, player_id=player.pk, **about)
            self.bought += cents - had
        self.stacks[nickname] = cents
        return self.house.seat(nickname, seat, number=number, chips=cents, **more)

    def plays(self, cents_each: int, winner: str, *, number: int = 1) -> Hand:
        """Play the next hand as it is asked, everybody in it putting in as much."""
        seat, dealt_in = sits(self.house, winner).seat_number, self.positions(number)
        hand = self.house.settle(cents_each * len(dealt_in), number=number, winners=(seat,))
        for played in hand.seats.select_related("player"):
            self.stacks[played.player.nickname] -= cents_each
        took = hand.taken("rake") + hand.taken("drop")
        self.stacks[winner] += cents_each * len(dealt_in) - took
        self.taken += took
        return hand

    def positions(self, number: int = 1) -> tuple[int, ...]:
        screen = dealer_screen(room_id=self.house.room_id, number=number)
        return screen.ahead[0].dealt_in if screen.ahead else ()

    def away(self, nickname: str, *, is_held: bool = True, **more: Any) -> Seating:
        seating = sits(self.house, nickname)
        self.house.tap(hold_seat, table_id=seating.table_id, seating_id=seating.pk, is_held=is_held, **more)
        return sits(self.house, nickname)

    def joins(self, nickname: str, game: str) -> int:
        player, wanted = self.house.player(nickname), self.house.game(game)
        return int(self.house.tap(join_list, game_id=wanted.pk, player_id=player.pk).data["waiting"])

    def moves(self, nickname: str, number: int, seat: int, **more: Any) -> Seating:
        seating = sits(self.house, nickname)
        answer = self.house.tap(
            move_player, table_id=seating.table_id, seating_id=seating.pk, to_table_id=self.house.table_id(number),
            seat_number=seat, stack_cents=self.stacks[nickname], **more,
        )  # fmt: skip
        return Seating.objects.get(id=answer.data["to_seating"])

    def leaves(self, nickname: str) -> None:
        seating = sits(self.house, nickname)
        stack = self.stacks[nickname]
        self.house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=stack)

    def cashes_out(self, nickname: str) -> None:
        cents = self.stacks.pop(nickname)
        if cents:
            about = {"drawer_id": self.house.drawer_id, "amount_cents": cents}
            self.house.tap(cash_out, self.house.cast.carla, player_id=self.house.player(nickname).pk, **about)
        self.paid += cents

    def ends(self) -> None:
        """Let everybody leave and cash out, close the tables, and ask ledger and log."""
        for seating in Seating.objects.filter(left_at=None).select_related("player"):
            self.leaves(seating.player.nickname)
        for nickname in list(self.stacks):
            self.cashes_out(nickname)
        for number in (1, 2):
            if self.house.table(number).is_open:
                self.house.tap(close_table, table_id=self.house.table_id(number))
            assert self.house.figures(number)["in_play"] == 0
        assert self.bought == self.paid + self.taken
        assert room_figure(self.house.room_id, "hands") == 0
        assert list(problems(self.house.room_id)) == []
        call_command("audit", "verify", stdout=StringIO())

    def waiting(self) -> list[str]:
        live = Waiting.objects.filter(status__in=Waiting.LIVE).order_by("place", "id")
        return list(live.values_list("player__nickname", flat=True))


NLH = "No limit hold'em 20/50"


@pytest.mark.rule("R-§2-2", "R-§3-1", "R-§3-2", "R-§3-3", "R-§3-5", "R-§4", "R2")
def test_an_evening_in_aarhus():
    night = Night("royal")
    house = night.house
    night.open(1, NLH)
    night.open(2, NLH)
    for seat, nickname in enumerate(("Lee", "Kai", "Timo"), 1):
        night.sits_down(nickname, seat, 2000_00)
    for seat, nickname in enumerate(("Mika", "Ville", "Aino"), 1):
        night.sits_down(nickname, seat, 2000_00, number=2)
    # The rake goes by the size of the pot, table by table.
    assert night.plays(300_00, "Lee").taken("rake") == 20_00
    assert night.plays(500_00, "Kai").taken("rake") == 30_00
    night.plays(100_00, "Aino", number=2)

    # Nobody has a long break; the stack is taken at the second button, while somebody waits.
    timo = night.away("Timo")
    with pytest.raises(NoLongBreak):
        house.tap(set_long_break, table_id=timo.table_id, seating_id=timo.pk)
    while sits(house, "Timo").buttons_passed < 2:
        with pytest.raises(StillInTime):
            pick_up(house, sits(house, "Timo"), night.stacks["Timo"])
        night.plays(50_00, "Lee")
    with pytest.raises(NobodyWaits):
        pick_up(house, sits(house, "Timo"), night.stacks["Timo"])
    night.joins("Pekka", NLH)
    pick_up(house, sits(house, "Timo"), night.stacks["Timo"])
    slip = Slip.objects.get(kind="cash_out", status="requested")
    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="cash")
    night.paid += night.stacks.pop("Timo")

    # Away for a blind, back with it.
    night.away("Ville")
    for _ in range(3):
        night.plays(50_00, "Aino", number=2)
    assert sits(house, "Ville").missed
    night.away("Ville", is_held=False, entry="posts")
    night.plays(50_00, "Aino", number=2)

    # Two play at table 1 and three at table 2: one may go over, and the other way nobody may.
    with pytest.raises(ChangeNotAllowed) as refused:
        night.moves("Lee", 2, 5)
    assert refused.value.data["reason"] == "leaves_two_fewer"
    moved = night.moves("Mika", 1, 5)
    assert moved.chips_in_cents == night.stacks["Mika"]
    house.tap(take_back_move, table_id=moved.table_id, seating_id=moved.pk)
    night.moves("Mika", 1, 5)

    # Table 2 closes: all draw, the highest card goes first; who finds no seat to their liking waits first.
    table = house.table(2)
    house.tap(announce_last_orbit, table_id=table.pk, hands=0)
    with pytest.raises(TableCloses):
        night.sits_down("Pekka", 7, 1000_00, number=2)
    assert closing(house.table(2)).must_draw
    house.tap(prepare_seat_draw, table_id=table.pk, seats=[2, 3])
    house.tap(draw_seats, table_id=table.pk)
    first, last = (leaver.seating.player.nickname for leaver in closing(house.table(2)).leavers)
    moved = night.moves(first, 1, 7)
    assert (moved.entry, moved.chips_in_cents) == ("in", night.stacks[first])
    seating = sits(house, last)
    house.tap(wait_with_right, table_id=table.pk, seating_id=seating.pk, stack_cents=night.stacks[last])
    house.tap(close_table, table_id=table.pk)
    assert night.waiting() == [last, "Pekka"]
    waits = Waiting.objects.get(player=house.player(last), status="waiting")
    house.tap(call_player, waiting_id=waits.pk, table_id=house.table_id(), seat_number=8)
    night.sits_down(last, 8, night.stacks[last])
    night.plays(50_00, first)

    night.ends()


NL50, BANZAI = "No limit hold'em 0.25/0.50", "Banzai hold'em 0.25/0.50"


@pytest.mark.rule("U4", "U5", "U6", "U12", "U13", "U34", "U35", "U36", "U43", "U46")
def test_an_evening_by_unibets_rules():
    night = Night("unibet")
    house = night.house
    night.open(1, NL50)
    night.open(2, BANZAI)
    night.sits_down("Lee", 1, 50_00)
    night.sits_down("Kai", 2, 50_00)
    assert night.positions() == ()
    night.sits_down("Timo", 3, 50_00)
    # 5.5 % of 15.00 is 0.83; with three players at most, half of the maximum.
    assert night.plays(5_00, "Lee").taken("rake") == 83
    assert night.plays(20_00, "Lee").taken("rake") == 1_50
    # Whoever is new waits for the big blind, and posts nothing.
    with pytest.raises(EntryNotOffered):
        night.sits_down("Mika", 5, 40_00, post=True)
    night.stacks["Mika"], night.bought = 40_00, night.bought
    night.sits_down("Mika", 5, 40_00)
    assert 5 not in night.positions() or dealer_screen(room_id=house.room_id, number=1).ahead[0].big_blind == 5

    # Sitting out: no cards, no blinds; ten minutes, and the stack is picked up, whoever waits.
    night.away("Timo")
    with pytest.raises(NoLongBreak):
        house.tap(set_long_break, table_id=house.table_id(), seating_id=sits(house, "Timo").pk)
    for _ in range(3):
        assert 3 not in night.positions()
        night.plays(50, "Mika")
    timo = sits(house, "Timo")
    assert [way.entry for way in timo.opening.terms.ways_in(timo.missed)] == ["waits"]
    with pytest.raises(StillInTime):
        pick_up(house, sits(house, "Timo"), night.stacks["Timo"])
    house.at += timedelta(minutes=10)
    pick_up(house, sits(house, "Timo"), night.stacks["Timo"])
    slip = Slip.objects.get(kind="cash_out", status="requested")
    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="cash")
    night.paid += night.stacks.pop("Timo")

    # Two who are left play one hand more.
    night.leaves("Kai")
    assert len(night.positions()) == 2
    night.plays(50, "Lee")
    assert night.positions() == ()
    night.sits_down("Kai", 6, night.stacks["Kai"])
    assert len(night.positions()) >= 2

    # Banzai: a stack above ten big blinds comes back whole within half an hour.
    for seat, nickname in enumerate(("Ville", "Aino", "Pekka"), 1):
        night.sits_down(nickname, seat, 5_00, number=2)
    night.plays(2_00, "Ville", number=2)
    night.leaves("Ville")
    more = night.stacks["Ville"]
    assert more > 5_00
    house.at += timedelta(minutes=20)
    with pytest.raises(StackToBring) as refused:
        house.seat("Ville", 5, number=2, chips=5_00)
    assert refused.value.data["reason"] == "stack_above_maximum_comes_back"
    night.sits_down("Ville", 5, more, number=2)

    # The Banzai table closes; who waits by right is called to nothing else and goes home.
    house.tap(announce_last_orbit, table_id=house.table_id(2), hands=0)
    seating = sits(house, "Aino")
    stack = night.stacks["Aino"]
    house.tap(wait_with_right, table_id=seating.table_id, seating_id=seating.pk, stack_cents=stack)
    assert night.waiting() == ["Aino"]

    night.ends()
