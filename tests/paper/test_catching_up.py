"""A table that was played by paper is caught up from its sheet: hands, boxes, seats, chips, button, who dealt."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import Sum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.audit.models import Event
from casino.cage.models import Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.selectors.slips import waiting_slips
from casino.cage.services import take_money
from casino.errors import NotFound, NotPermitted, Refusal, Stale
from casino.ledger import proof
from casino.ledger.models import Account
from casino.ledger.selectors.accounts import room_figure
from casino.paper import catching_up
from casino.paper.catching_up import catch_up, catch_up_signs
from casino.paper.errors import BuyInWaits, PlayedOnSince, SheetCaughtUp
from casino.paper.looking import look
from casino.paper.models import CaughtUp
from casino.paper.signers import NEEDS
from casino.people.errors import NeedsSecondSignature, SamePerson, SecondMayNot
from casino.people.models import Player
from casino.people.services import ban_player, second_person
from tables.errors import NothingToUndo
from tables.errors_seats import SitsElsewhere
from tables.models import DeckChange, Down, Game, Hand, Seating, ToDo
from tables.selectors.dealer import _newest_hands
from tables.selectors.rotation import decks_in_play
from tables.selectors.todo_judging import todo_words
from tables.services.corrections import correct_hand, undo_hand
from tables.services.downs import end_down, push_dealer
from tables.services.opening import close_table
from tables.services.seat_buy_ins import ask_for_seat
from tables.services.seating import leave_seat
from tables.services.state import opening_of
from tests.cast import command, demo_person
from tests.paper.catching import ChipLine, DeckLine, DownLine, HandLine, Outage, SeatLine
from tests.support.books import had_halves
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses


def sits(house: House) -> dict[int, str]:
    found = Seating.objects.filter(table__number=1, left_at=None).order_by("seat_number")
    return dict(found.values_list("seat_number", "player__nickname"))


def charges(house: House) -> tuple[int, int]:
    boxes = house.boxes()
    return boxes["rake"][0], boxes["drop"][0]


def test_a_sheet_as_docs_have_it_is_all_there_afterwards(house: House) -> None:
    """The example of docs/on-paper.md."""
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=6)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    house.settle(20_00)
    before, figures, number = charges(house), house.figures(), house.table().hand_number
    outage = Outage(house)

    answer = outage.enter(
        hands=5,
        lines=(
            HandLine(1, 1, {"rake": 4_00, "drop": 1_00}),
            HandLine(2, 2, {"rake": 2_00, "drop": 1_00}),
            HandLine(4, None, {"rake": 3_00, "drop": 1_00}),
            HandLine(5, 4, {"rake": 6_00, "drop": 1_00}),
        ),
        downs=(
            DownLine(house.cast.anna.pk, outage.at(0), outage.at(20)),
            DownLine(house.cast.dan.pk, outage.at(20), outage.at(45)),
        ),
        chips=(
            ChipLine(1, 2, at=outage.at(10), left=True, stack_cents=340_00),
            ChipLine(2, 2, at=outage.at(15), chips_cents=200_00, paid="cash", slip="7"),
            ChipLine(3, 4, at=outage.at(30), chips_cents=100_00),
        ),
        names={"2": "Riku"},
        seats=(SeatLine(3, stands="away", away_since=outage.at(40), missed="both"),),
        button=6,
        decks=(
            DeckLine(2, outage.at(20), "blue", set_number=3),
            DeckLine(3, outage.at(35), "red", set_number=4, why="fault"),
        ),
    )

    assert (answer.data["first_hand"], answer.data["last_hand"]) == (number + 1, number + 5)
    hands = Hand.objects.filter(from_sheet=outage.sheet).order_by("number")
    assert [(hand.status, hand.button_seat, hand.taken("rake"), hand.taken("drop")) for hand in hands] == [
        ("settled", 1, 4_00, 1_00), ("settled", 2, 2_00, 1_00), ("settled", None, 0, 0), ("settled", None, 3_00, 1_00),
        ("settled", 4, 6_00, 1_00),
    ]  # fmt: skip
    assert charges(house) == (before[0] + 15_00, before[1] + 4_00)
    assert house.figures()["in_play"] == figures["in_play"] - 15_00 - 4_00 + 200_00 + 100_00 - 340_00
    assert sits(house) == {1: "Lee", 2: "Riku", 3: "Timo", 4: "Mika", 6: "Pekka"}
    timo = Seating.objects.get(player__nickname="Timo", left_at=None)
    assert (timo.is_held, timo.away_since, timo.missed, timo.entry) == (True, outage.at(40), "both", "waits")
    assert house.positions() == (6, 1, 2)
    kai = Seating.objects.get(player__nickname="Kai")
    assert (kai.left_at, kai.left_stack_cents, kai.from_sheet) == (outage.at(10), 340_00, outage.sheet)
    downs = list(Down.objects.order_by("id").values_list("dealer_id", "ended_at", "from_sheet"))
    assert downs == [
        (house.cast.anna.pk, outage.at(20), None), (house.cast.dan.pk, outage.at(45), outage.sheet),
    ]  # fmt: skip
    assert [hand.dealer_id for hand in hands][-1] == house.cast.dan.pk
    assert not ToDo.objects.filter(kind="caught_up").exists()
    decks = DeckChange.objects.order_by("id").values_list("colour", "set_number", "why", "at", "from_sheet")
    assert list(decks) == [
        ("blue", 3, "push", outage.at(20), outage.sheet), ("red", 4, "fault", outage.at(35), outage.sheet),
    ]  # fmt: skip
    assert decks_in_play(house.room_id)[house.table_id()].from_sheet == outage.sheet
    row = CaughtUp.objects.get()
    assert (row.floor_id, row.dealer_id, row.sheet.number) == (house.cast.frans.pk, house.cast.anna.pk, outage.sheet)
    connection.check_constraints()


def chips_of_the_house(house: House) -> int:
    """Return all chips wherever they are: a sum that nothing at a table or a till changes."""
    return int(
        Account.objects.filter(room_id=house.room_id, unit="chips").aggregate(Sum("balance_cents"))[
            "balance_cents__sum"
        ]
    )


def test_what_was_sold_on_paper_is_in_play_at_once_and_confirmed_by_the_cashier(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    hands, drawer = room_figure(house.room_id, "hands"), drawer_figures(house.drawer_id)
    outage = Outage(house)

    outage.enter(chips=(ChipLine(1, 3, chips_cents=200_00, paid="card", slip="7"),), names={"1": "Jo"})

    assert Seating.objects.get(seat_number=3).chips_in_cents == 200_00
    assert room_figure(house.room_id, "hands") == hands - 200_00
    slip = Slip.objects.get()
    assert (slip.status, slip.destination, slip.amount_cents) == ("requested", "paper", 200_00)
    waiting = waiting_slips(house.room_id)[0]
    assert (waiting.label, waiting.paid_by) == ("Table 1, seat 3: paid on paper, no. 7", "card")

    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="card")

    assert room_figure(house.room_id, "hands") == hands
    now = drawer_figures(house.drawer_id)
    assert now["chips"] == drawer["chips"] - 200_00
    assert now.get("card_slips", 0) == drawer.get("card_slips", 0) + 200_00


def test_a_request_that_waits_for_the_seat_is_not_sold_again_on_paper(house: House) -> None:
    table = house.open(1, Lee=1, Kai=2)
    seating = Seating.objects.get(seat_number=1)
    signing = command(house.cast.anna, at=house.at)
    slip = ask_for_seat(signing, table=table, seating_id=seating.pk, amount_cents=100_00, stack=20_00).data["slip_id"]
    outage = Outage(house)
    sold: dict[str, Any] = {"chips": (ChipLine(1, 1, chips_cents=100_00, paid="cash"),)}

    with pytest.raises(BuyInWaits, match="Line 1"):
        look(house.cast.room, outage.sheet, outage.written(**sold), {}, at=house.at)
    with pytest.raises(BuyInWaits):
        outage.enter(**sold)

    assert Seating.objects.get(pk=seating.pk).chips_in_cents == 200_00
    outage.enter(chips=(ChipLine(1, 2, chips_cents=100_00, paid="cash"),))
    assert set(Slip.objects.values_list("id", "destination")) >= {(slip, "seat")}


def test_who_sits_down_while_a_sheet_is_caught_up_is_looked_at_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open(1, Lee=1)
    outage = Outage(house)
    lock_players = catching_up._lock_players

    def then_one_comes(*args: Any, **arguments: Any) -> Any:
        locked = lock_players(*args, **arguments)
        house.seat("Kai", 2)
        return locked

    monkeypatch.setattr(catching_up, "_lock_players", then_one_comes)
    with pytest.raises(Stale):
        outage.enter(chips=(ChipLine(1, 1, chips_cents=100_00, paid="cash"),))


@pytest.mark.slow
def test_what_the_house_would_have_refused_is_recorded_and_stands_on_the_to_do(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    riku = house.player("Riku")
    house.tap(ban_player, house.cast.mari, player_id=riku.pk, reason="", clause="")
    outage = Outage(house)

    answer = outage.enter(
        chips=(
            ChipLine(1, 3, chips_cents=5_00, paid="cash"),
            ChipLine(2, 1, chips_cents=9_000_00, paid="cash"),
            ChipLine(3, 2, left=True, stack_cents=99_999_00),
        ),
        names={"1": "riku"},
    )  # fmt: skip

    assert sits(house) == {1: "Lee", 3: "Riku"}
    assert Seating.objects.get(player=riku).barred_since is not None
    todo = ToDo.objects.get(kind="caught_up")
    found = [(each["seat"], each["code"]) for each in todo.data["against"]]
    assert (3, "player_banned") in found
    assert (3, "buy_in_under_minimum") in found
    assert answer.data["to_judge"] == len(found)
    text, reason = todo_words(house.cast.room, todo)
    assert str(outage.sheet) in text
    assert "Seat 3" in reason
    # What no stack can have been is the floor's too, as with any count.
    assert ToDo.objects.filter(kind="stack_above_play").exists()
    slip = Slip.objects.get(player=riku)
    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="cash")
    assert Slip.objects.get(pk=slip.pk).status == "paid"


@pytest.mark.parametrize("paid", ["cash", ""])
def test_chips_that_were_sold_on_paper_are_of_that_evenings_book_and_brought_ones_of_any(
    house: House, paid: str
) -> None:
    had_halves(house.room_id)
    house.open(1, Lee=1, Kai=2)

    Outage(house).enter(chips=(ChipLine(1, 1, chips_cents=150_50, paid=paid),))

    against = [each["code"] for todo in ToDo.objects.filter(kind="caught_up") for each in todo.data["against"]]
    assert ("not_in_chips" in against) == bool(paid)


@pytest.mark.parametrize("is_of_that_evening", [True, False])
def test_what_was_bought_on_paper_is_judged_by_the_book_of_that_evening(house: House, is_of_that_evening: bool) -> None:
    house.open(1, Lee=1, Kai=2)
    with as_owner():
        Game.objects.update(buy_in_max_cents=None)
    if is_of_that_evening:
        house.reads("amount_max_cents = 1_000_00", part="cage")
    outage = Outage(house)
    if not is_of_that_evening:
        house.reads("amount_max_cents = 1_000_00", part="cage")

    outage.enter(chips=(ChipLine(1, 1, chips_cents=1_500_00, paid="cash"),))

    against = [each["code"] for todo in ToDo.objects.filter(kind="caught_up") for each in todo.data["against"]]
    assert ("too_much_at_once" in against) == is_of_that_evening


@pytest.mark.slow
def test_the_hand_that_was_in_play_is_the_first_line(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    house.deal()
    number = house.table().hand_number
    outage = Outage(house)

    outage.enter(hands=2, lines=(HandLine(1, None, {"rake": 5_00}),))

    assert house.table().hand is None
    first, second = Hand.objects.filter(from_sheet=outage.sheet).order_by("number")
    assert (first.number, first.taken("rake"), first.status) == (number, 5_00, "settled")
    assert (second.number, second.taken("rake")) == (number + 1, 0)
    assert not ToDo.objects.filter(kind="hand_abandoned").exists()


@pytest.mark.slow
def test_a_hand_in_play_of_which_nothing_is_on_paper_is_left_to_the_floor(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.deal()
    outage = Outage(house)

    outage.enter(button=2)

    assert house.table().hand is None
    assert ToDo.objects.filter(kind="hand_abandoned").exists()
    assert house.positions()[0] == 2


@pytest.mark.slow
@pytest.mark.parametrize("is_in_play", [False, True])
def test_nothing_from_before_the_paper_is_undone_afterwards(house: House, is_in_play: bool) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    last = house.settle(20_00)
    if is_in_play:
        last = Hand.objects.get(hand_id=house.deal().hand_id)
    outage = Outage(house)
    outage.enter(by=house.cast.frans, hands=1)

    (newest,) = _newest_hands([opening_of(house.table())]).values()
    assert newest.is_old
    with pytest.raises(NothingToUndo):
        house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=last.hand_id)


@pytest.mark.slow
def test_the_next_hand_passes_nobody_over_whose_turn_was_on_paper(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=6)
    house.settle(20_00)
    outage = Outage(house)
    outage.enter(
        hands=20, seats=(SeatLine(2, stands="away", away_since=outage.at(5), missed="small"),), button=6
    )  # fmt: skip

    assert house.positions() == (6, 1, 3)
    house.settle(20_00)

    # The big blind went past seat 2 with that hand, and past nobody else.
    kai = Seating.objects.get(player__nickname="Kai")
    assert kai.missed == "both"
    assert set(Seating.objects.exclude(pk=kai.pk).values_list("missed", flat=True)) == {""}
    assert house.positions() == (1, 3, 4)


@pytest.mark.slow
def test_two_who_are_left_go_on_with_the_button_of_the_sheet(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(20_00)
    outage = Outage(house)

    outage.enter(hands=7, button=2)

    assert house.positions() == (2, 2, 1)


def test_of_a_table_that_has_gone_on_hands_and_boxes_alone_are_entered(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    outage = Outage(house)
    since = house.settle(20_00)
    before, places = charges(house), house.positions()

    with pytest.raises(PlayedOnSince) as refused:
        outage.enter(hands=1, button=3)
    answer = outage.enter(
        hands=2,
        lines=(HandLine(2, 1, {"rake": 3_00}),),
        downs=(DownLine(house.cast.anna.pk, outage.at(0), outage.at(9)),),
    )

    assert "Table 1" in str(refused.value)
    assert (answer.data["first_hand"], answer.data["last_hand"]) == (since.number + 1, since.number + 2)
    assert charges(house) == (before[0] + 3_00, before[1])
    assert house.positions() == places
    (newest,) = _newest_hands([opening_of(house.table())]).values()
    assert newest.hand == since


@pytest.mark.slow
def test_hands_of_a_table_that_was_closed_since_are_of_the_game_that_ran_there(house: House) -> None:
    opening = house.open(1, Lee=1).opening
    outage = Outage(house)
    house.tap(leave_seat, table_id=house.table_id(), seating_id=Seating.objects.get().pk, stack_cents=200_00)
    house.tap(close_table, table_id=house.table_id())

    outage.enter(hands=1, lines=(HandLine(1, None, {"rake": 2_00}),))

    assert Hand.objects.get().opening == opening
    assert charges(house) == (2_00, 0)


@pytest.mark.slow
def test_who_changed_seats_on_paper_leaves_one_and_comes_to_the_other(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)

    outage.enter(
        chips=(
            ChipLine(1, 2, left=True, stack_cents=150_00),
            ChipLine(2, 5, chips_cents=150_00),
            ChipLine(3, 2, chips_cents=100_00, left=True, stack_cents=40_00),
        ),
        names={"2": "Kai", "3": "Passing by"},
    )

    assert sits(house) == {1: "Lee", 5: "Kai"}
    assert Player.objects.get(nickname="Passing by").seating_set.get().left_stack_cents == 40_00
    assert house.figures()["in_play"] == 200_00 + 200_00 - 150_00 + 150_00 + 100_00 - 40_00


@pytest.mark.slow
def test_a_stack_that_was_taken_to_the_cage_waits_there(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)

    outage.enter(chips=(ChipLine(1, 2, left=True, stack_cents=150_00, carried=True),))

    slip = Slip.objects.get()
    assert (slip.kind, slip.destination, slip.amount_cents, slip.status) == (
        "cash_out", "picked_up", 150_00, "requested",
    )  # fmt: skip


@pytest.mark.slow
def test_a_caught_up_hand_is_corrected_like_any_other(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    outage = Outage(house)
    outage.enter(hands=1, lines=(HandLine(1, 1, {"rake": 4_00}),))
    old = Hand.objects.get(from_sheet=outage.sheet)

    hand = house.logged(80_00, winners=(2,), dealt_in=(1, 2, 3), button=1, big_blind=3)
    house.tap(correct_hand, table_id=house.table_id(), hand_row_id=old.pk, hand=hand, reason="wrong_pot")

    new = Hand.objects.get(corrects=old)
    assert (new.pot_cents, new.from_sheet, new.taken("rake")) == (80_00, outage.sheet, 4_00)
    assert charges(house)[0] == 4_00


@pytest.mark.slow
def test_a_down_that_brush_has_is_none_anew(house: House) -> None:
    house.open(1, Lee=1)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    outage = Outage(house)

    outage.enter(downs=(DownLine(house.cast.anna.pk, outage.at(0), outage.at(44)),))

    down = Down.objects.get()
    assert (down.ended_at, down.from_sheet) == (None, None)


def test_a_down_that_has_ended_in_brush_stays_as_long_as_it_was(house: House) -> None:
    house.open(1, Lee=1)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    outage = Outage(house)
    down = Down.objects.get()
    house.tap(end_down, table_id=house.table_id(), down_id=down.pk)
    ended_at = Down.objects.get().ended_at

    outage.enter(downs=(DownLine(house.cast.dan.pk, outage.at(10), outage.at(44)),))

    before, entered = Down.objects.order_by("id")
    assert (before.ended_at, entered.dealer_id, entered.from_sheet) == (ended_at, house.cast.dan.pk, outage.sheet)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("on_it", "code", "data"),
    [
        ({}, "nothing_on_paper", {}),
        ({"hands": 3, "lines": (HandLine(2), HandLine(2))}, "line_twice", {"line": 2}),
        ({"hands": 3, "lines": (HandLine(4),)}, "line_beyond", {"line": 4, "hands": 3}),
        ({"button": 11}, "no_seat_on_sheet", {"seat_number": 11, "seats": 10}),
        ({"hands": 1, "lines": (HandLine(1, 12),)}, "no_seat_on_sheet", {"seat_number": 12, "seats": 10}),
        ({"seats": (SeatLine(1), SeatLine(1))}, "seat_twice", {"seat_number": 1}),
        ({"seats": (SeatLine(9, "in"),)}, "nobody_in_seat", {"seat_number": 9}),
        ({"seats": (SeatLine(1, "in", missed="both"),)}, "marker_and_plays", {"seat_number": 1}),
        ({"chips": (ChipLine(1, 1), ChipLine(1, 2))}, "chip_line_twice", {"line": 1}),
        ({"chips": (ChipLine(1, 9, chips_cents=1_00),)}, "nobody_on_line", {"line": 1, "seat_number": 9}),
        ({"hands": 1, "lines": (HandLine(1, None, {"tips": 1_00}),)}, "malformed", {"field": "lines"}),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_by_its_line_and_nothing_is_written(
    house: House, on_it: dict[str, Any], code: str, data: dict[str, Any]
) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)

    with pytest.raises(Refusal) as refused:
        outage.enter(**on_it)

    assert (refused.value.code, refused.value.data) == (code, data)
    assert str(refused.value)
    assert not CaughtUp.objects.exists()
    assert not Hand.objects.exists()


@pytest.mark.slow
def test_two_in_one_seat_and_one_in_two_are_said_by_their_line(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Timo=1)
    outage = Outage(house)

    with pytest.raises(Refusal, match="Line 2: somebody sat in seat 1"):
        outage.enter(chips=(ChipLine(2, 1),), names={"2": "Jo"})
    with pytest.raises(Refusal, match="Line 3: that player sat in seat 2"):
        outage.enter(chips=(ChipLine(3, 5),), names={"3": "Kai"})
    with pytest.raises(SitsElsewhere):
        outage.enter(chips=(ChipLine(1, 5),), names={"1": "Timo"})
    with pytest.raises(Refusal, match="Line 1: "):
        outage.enter(chips=(ChipLine(1, 1, at=outage.at(60), left=True),))
    assert not CaughtUp.objects.exists()


def test_a_sheet_is_caught_up_once_and_says_by_whom(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)
    id = uuid.uuid4()
    first = outage.enter(hands=1, id=id)

    house.at -= timedelta(seconds=1)
    again = outage.enter(hands=1, id=id)
    with pytest.raises(SheetCaughtUp) as refused:
        outage.enter(hands=1, by=house.cast.mari)

    assert (again.is_replay, again.data) == (True, first.data)
    assert refused.value.status == 409
    assert "signed by Frans and Anna" in str(refused.value)
    assert Hand.objects.count() == 1


def test_it_takes_a_dealer_and_another_person(house: House) -> None:
    house.open(1, Lee=1)
    outage = Outage(house)

    with pytest.raises(SamePerson):
        outage.enter(hands=1, by=house.cast.anna, dealer="anna")
    with pytest.raises(SecondMayNot):
        outage.enter(hands=1, dealer="carla")
    with pytest.raises(NeedsSecondSignature):
        house.tap(
            catch_up, number=outage.sheet, entered=outage.written(hands=1), names={},
            approved_by_id=house.cast.anna.pk,
        )  # fmt: skip
    with pytest.raises(NotPermitted):
        outage.enter(hands=1, by=house.cast.carla)


@pytest.mark.slow
def test_what_the_dealer_signed_is_all_that_is_entered(house: House) -> None:
    house.open(1, Lee=1)
    outage = Outage(house)
    given = command(house.cast.frans, at=house.at)
    arguments: dict[str, Any] = {"number": outage.sheet, "entered": outage.written(hands=1), "names": {}}
    anna = demo_person("anna")
    second_person(given, username="anna", pin=anna.pin, needs=NEEDS, signs=catch_up_signs(**arguments))

    more = replace(arguments["entered"], hands=2)
    with pytest.raises(NeedsSecondSignature):
        catch_up(given, number=outage.sheet, entered=more, names={}, approved_by_id=house.cast.anna.pk)


@pytest.mark.slow
def test_sheets_of_the_lists_and_none_at_all_are_not_found(house: House) -> None:
    house.open(1, Lee=1)
    outage = Outage(house)

    for number in (outage.sheet - 1, 999):
        with pytest.raises(NotFound):
            outage.enter(hands=1, sheet=number)


@pytest.mark.slow
def test_names_stay_out_of_the_log(house: House) -> None:
    house.open(1, Lee=1)
    outage = Outage(house)

    outage.enter(chips=(ChipLine(1, 4, chips_cents=100_00, paid="cash"),), names={"1": "Secretive"})

    event = Event.objects.filter(name="paper.catch_up").latest("id")
    assert event.chain == "table.1"
    assert "Secretive" not in event.text
    assert f'"sheet":{outage.sheet}' in event.text
    assert str(house.cast.anna.pk) in event.text


@pytest.mark.slow
@given(
    taken=st.lists(st.tuples(st.integers(0, 20_00), st.integers(0, 5_00)), max_size=4),
    bought=st.lists(st.tuples(st.integers(0, 500_00), st.sampled_from(["", "cash", "card"])), max_size=3),
    stack=st.none() | st.integers(0, 900_00),
)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_chips_are_conserved_whatever_is_on_a_sheet(
    conserved: tuple[House, Outage], taken: list[tuple[int, int]], bought: list[tuple[int, str]], stack: int | None
) -> None:
    house, outage = conserved
    before, in_play = chips_of_the_house(house), house.figures()["in_play"]
    chips = [
        ChipLine(index, 1, chips_cents=cents, paid=paid) for index, (cents, paid) in enumerate(bought, start=1)
    ] + [ChipLine(9, 2, left=True, stack_cents=stack)]
    lines = tuple(
        HandLine(number, None, {"rake": rake, "drop": drop}) for number, (rake, drop) in enumerate(taken, start=1)
    )
    point = transaction.savepoint()

    outage.enter(hands=len(taken), lines=lines, chips=tuple(chips))

    gone = sum(map(sum, taken)) + (stack or 0)
    assert house.figures()["in_play"] == in_play - gone + sum(cents for cents, _ in bought)
    assert chips_of_the_house(house) == before
    assert not list(proof.problems(house.room_id))
    transaction.savepoint_rollback(point)


@pytest.fixture
def conserved(house: House) -> tuple[House, Outage]:
    house.open(1, Lee=1, Kai=2)
    return house, Outage(house)
