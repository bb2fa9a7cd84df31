"""What a program says of a hand: each part by itself, or it is told why it cannot be read."""

import uuid

import pytest

from tables.models import Hand, HandPot, ToDo
from tables.rules.reasons import CORRECTION_REASONS, VOID_REASONS
from tests.api.document import document
from tests.api.stage import Stage, whole_hand
from tests.support.owner import as_owner

FOUR = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4}


@pytest.mark.parametrize(
    ("positions", "played"),
    [
        ({"button": 3}, (3, 2, 3)),
        ({"small_blind": 4}, (1, 4, 3)),
        ({"big_blind": 4}, (1, 2, 4)),
        ({"big_blind": 2}, (1, None, 2)),
        ({"button": 2, "big_blind": 4}, (2, None, 4)),
        ({"button": 1, "small_blind": 2, "big_blind": 3}, (1, 2, 3)),
    ],
)
def test_each_position_said_is_taken_by_itself_and_the_others_as_asked(
    stage: Stage, positions: dict[str, int], played: tuple[int | None, ...]
):
    """The felt wins; asked are button 1, small blind 2 and big blind 3."""
    stage.house.open(1, **FOUR)
    stage.anna.tap("tables/1/draw", {"winner_seat": 1, "seats": [1, 2, 3, 4]})

    stage.anna.tap("tables/1/hands/settle", whole_hand(40_00) | positions)

    row = Hand.objects.get()
    assert (row.button_seat, row.small_blind_seat, row.big_blind_seat) == played
    assert [todo.data["what"] for todo in ToDo.objects.all()] == ([] if played == (1, 2, 3) else [["positions"]])
    assert stage.anna.get("tables/1").body["next_hand"]["dealt_in"]


@pytest.mark.parametrize(
    ("pots", "winners", "code"),
    [
        ([40_00, 20_00, 10_00], [[1], [2]], "winners_of_each_pot"),
        ([40_00], [[1], [2]], "winners_of_each_pot"),
        ([], [[1], [2]], "winners_of_each_pot"),
        ([40_00, 20_00], [[1], [2, 3, 2]], "winner_named_twice"),
    ],
)
def test_winners_that_go_with_no_pot_cannot_be_read(stage: Stage, pots: list[int], winners: list[list[int]], code: str):
    stage.house.open(1, **FOUR)
    body = whole_hand(*pots, winners=winners)
    first = stage.house.settle(20_00)

    settled = stage.anna.post("tables/1/hands/settle", body)
    corrected = stage.frans.post(f"tables/1/hands/{first.pk}/correct", {**body, "reason": "wrong_pot"})

    assert [(answer.status, answer.code) for answer in (settled, corrected)] == [(400, code)] * 2
    assert settled.body["detail"].endswith(".")
    assert Hand.objects.get().status == "settled"


def test_pots_read_in_the_order_in_which_they_were_formed(stage: Stage):
    """Rake and drop follow it (H1.85), whatever order PostgreSQL finds them in."""
    stage.house.open(1, **FOUR)
    stage.anna.tap("tables/1/hands/settle", whole_hand(60_00, 40_00, 20_00, winners=[[1], [2], [3]]))
    row = Hand.objects.get()
    with as_owner():
        pots = list(HandPot.objects.order_by("-index"))
        HandPot.objects.all().delete()
        HandPot.objects.bulk_create(pots)

    read = [stage.anna.get(f"tables/1/hands/{row.pk}").body, *stage.anna.get("tables/1/hands").body]

    assert [[pot["cents"] for pot in hand["pots"]] for hand in read] == [[60_00, 40_00, 20_00]] * 2


@pytest.mark.rule("H5.37")
def test_a_hand_of_before_that_names_a_winner_twice_is_read_as_naming_them_once(stage: Stage):
    stage.house.open(1, **FOUR)
    stage.anna.tap("tables/1/hands/settle", whole_hand(20_00, winners=[[2, 3]]))
    with as_owner():
        HandPot.objects.update(winner_seats=[2, 3, 2])

    (hand,) = stage.anna.get("tables/1/hands").body

    (pot,) = hand["pots"]
    assert sorted(share["seat_number"] for share in pot["shares"]) == [2, 3]
    assert sum(share["cents"] for share in pot["shares"]) == pot["push_cents"]


def test_a_reason_is_one_of_those_that_the_description_names(stage: Stage):
    stage.house.open(1, **FOUR)
    row = stage.house.settle(40_00)
    schemas = document()["components"]["schemas"]

    refused = [
        stage.frans.post(f"tables/1/hands/{row.pk}/void", {"reason": "wrong_pot"}),
        stage.frans.post(f"tables/1/hands/{row.pk}/correct", whole_hand(20_00, reason="void")),
    ]

    assert set(schemas["HandVoidReason"]["enum"]) == VOID_REASONS
    assert set(schemas["HandCorrectionReason"]["enum"]) == CORRECTION_REASONS
    assert [answer.status for answer in refused] == [400, 400]


def test_a_hand_whose_button_nobody_told_has_none(stage: Stage):
    house = stage.house
    house.open(1)
    house.seat("Lee", 1, chips=0)

    stage.anna.tap("tables/1/hands/settle", {"hand_id": str(uuid.uuid4()), "winners": [[1]], "pots": [40_00]})

    (hand,) = stage.anna.get("tables/1/hands").body
    assert (hand["button_seat"], hand["small_blind_seat"], hand["big_blind_seat"]) == (None, None, None)
    assert ToDo.objects.get(kind="hand_differs").data["what"] == ["positions_unsaid", "winner_not_dealt_in"]


@pytest.mark.rule("H5.36", "H5.37", "H5.42")
def test_each_winners_share_is_told_and_all_adds_up_to_the_pots_with_what_was_taken(stage: Stage):
    """Due are 3 € rake: 2 € of the main pot, 1 € of the side pot; 1 € was taken, of the pot that pays first (H1.85)."""
    stage.house.open(1, **FOUR)
    body = whole_hand(43_00, 23_00, winners=[[1, 2, 4], [4]], rake_taken_cents=1_00, button=2)

    settled = stage.anna.tap("tables/1/hands/settle", body)
    (hand,) = stage.anna.get("tables/1/hands").body

    main, side = hand["pots"]
    assert settled["push_cents"] == [main["push_cents"], side["push_cents"]] == [42_00, 23_00]
    assert settled["shares"] == [main["shares"], side["shares"]]
    # The smallest chip is 1 €; one left over goes to the next after the button, seat 4.
    assert [(share["seat_number"], share["cents"]) for share in main["shares"]] == [(4, 14_00), (1, 14_00), (2, 14_00)]
    assert [(pot["rake_cents"], pot["drop_cents"]) for pot in hand["pots"]] == [(1_00, 0), (0, 0)]
    assert sum(settled["push_cents"]) + hand["rake_taken_cents"] + hand["drop_taken_cents"] == 66_00


@pytest.mark.rule("H5.37")
def test_odd_chips_go_to_the_next_after_the_button(stage: Stage):
    stage.house.open(1, **FOUR)

    settled = stage.anna.tap("tables/1/hands/settle", whole_hand(45_00, winners=[[1, 2, 4]], button=2))

    assert settled["shares"] == [
        [{"seat_number": 4, "cents": 15_00}, {"seat_number": 1, "cents": 14_00}, {"seat_number": 2, "cents": 14_00}]
    ]


@pytest.mark.rule("H1.83")
@pytest.mark.parametrize(("cents", "is_doubtful"), [(199_00, True), (200_00, False)])
def test_a_pot_of_at_least_so_much_below_the_maximum_is_looked_at(stage: Stage, cents: int, *, is_doubtful: bool):
    """From 200 € on the maximum of 10 € is due, however much it was; below nobody knows what is."""
    stage.house.open(1, **FOUR)

    settled = stage.anna.tap("tables/1/hands/settle", whole_hand(cents, pot_is_at_least=True))

    assert [todo.data["what"] for todo in ToDo.objects.all()] == [["pot_at_least_below_maximum"]] * is_doubtful
    # What nobody counted nobody can divide.
    assert (settled["push_cents"], settled["shares"]) == ([], [])
    (pot,) = stage.anna.get("tables/1/hands").body[0]["pots"]
    assert (pot["push_cents"], pot["shares"]) == (None, [])
