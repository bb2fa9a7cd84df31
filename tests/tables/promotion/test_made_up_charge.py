"""A made-up charge touches its own folder alone: registered, it is due, taken, posted, counted and shown."""

import pytest
from django.test import Client

from casino import clock
from casino.rulebooks import RuleBookError, parse
from casino.rulebooks.checking import what_is_wrong
from casino.rulebooks.reading import text_of
from tables import charges
from tables.models import BoxDifference, ToDo
from tables.selectors.dealer import dealer_screen
from tables.selectors.todo_judging import todo_words
from tables.services.corrections import correct_hand, undo_hand
from tables.services.setup import offer_games
from tables.views.dealer_words import words
from tests.api.stage import Stage, whole_hand
from tests.tables.conftest import House
from tests.tables.promotion.kind import IN_BOOK
from tests.taps import at_desktop, tap


def euros(whole: int) -> str:
    return f"{whole}\N{NO-BREAK SPACE}€"


SIX = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5, "Jo": 6}


@pytest.fixture
def promoted(house: House, promotion: None) -> House:
    """Return a house that was there before the promotion was thought of, and offers its games with it now."""
    house.reads(IN_BOOK, part="[games]")
    house.tap(offer_games, house.cast.mari)
    house.open(1, **SIX)
    return house


def test_its_terms_are_read_from_the_book_and_a_wrong_one_is_refused_with_a_sentence(promotion: None) -> None:
    text = text_of("helsinki").replace("[[games]]\n", f"[[games]]\n{IN_BOOK}\n")

    assert charges.charges_in_book(parse(text, source="x").games[0])["promotion"] == {
        "over_cents": 50_00,
        "chip_cents": 1_00,
    }
    for right, wrong_text, refusal in (
        ("over_cents = 50_00, ", "", r"charges\.promotion: .*lacks `over_cents`"),
        ("over_cents = 50_00", "over_cents = 0", r"charges\.promotion\.over_cents: Expected `int` >= 1"),
        ("over_cents", "above_cents", r"charges\.promotion: .*unknown field `above_cents`"),
        ("charges.promotion", "charges.bonus", r"charges\.bonus is none of .*; there are: promotion"),
    ):
        text_of_it = text.replace(right, wrong_text)
        with pytest.raises(RuleBookError, match=refusal):
            parse(text_of_it, source="x")
        wrong, *_ = what_is_wrong(text_of_it)
        assert (wrong.code, wrong.key) == ("value", "games[0]")


def test_it_is_settled_posted_and_told(promoted: House) -> None:
    before = promoted.figures()
    assert before["promotion_box"] == 0

    hand = promoted.settle(86_00, winners=(2,))
    small = promoted.settle(20_00, winners=(2,))

    paid = {charge.kind: (charge.due_cents, charge.taken_cents, charge.by_pot) for charge in hand.charges.all()}
    assert paid == {"rake": (4_00, 4_00, [4_00]), "drop": (1_00, 1_00, [1_00]), "promotion": (1_00, 1_00, [1_00])}
    assert small.taken("promotion") == 0
    log = at_desktop(promoted.cast.olavi).get("/log/").content.decode()
    assert f"pot {euros(86)}, rake {euros(4)}, jackpot {euros(1)}, promotion {euros(1)}, to" in log
    after = promoted.figures()
    moved = {kind: after[kind] - before[kind] for kind in ("rake_box", "jackpot_box", "promotion_box", "in_play")}
    assert moved == {"rake_box": 5_00, "jackpot_box": 2_00, "promotion_box": 1_00, "in_play": -8_00}


def test_what_was_put_into_a_box_that_no_game_asks_for_lies_there(house: House, promotion: None) -> None:
    """The house has not offered its games anew, yet chips lie in the box: a fact, whoever says it."""
    house.open(1, **SIX)
    anna = Stage(house).by_token(house.cast.anna)

    with clock.frozen(house.at):
        answer = anna.tap("tables/1/hands/settle", whole_hand(86_00, promotion_taken_cents=1_00))

    assert answer["promotion_cents"] == 1_00
    assert house.figures()["promotion_box"] == 1_00
    assert ToDo.objects.get(kind=ToDo.Kind.RAKE_DIFFERS).data["promotion_due_cents"] == 0


def test_the_tablet_is_told_by_data_alone(promoted: House) -> None:
    offer = dealer_screen(room_id=promoted.room_id, number=1).offer
    assert offer is not None

    assert [charge.kind for charge in offer.charges] == ["rake", "drop", "promotion"]
    assert offer.charges[-1] == charges.on_tablet(promoted.game().charges)[-1]
    assert (words()["charge_promotion"], words()["charge_promotion_none"]) == ("promotion", "no promotion")


def test_calls_say_and_take_it_by_its_name(promoted: House) -> None:
    anna = Stage(promoted).by_token(promoted.cast.anna)

    with clock.frozen(promoted.at):
        answer = anna.tap("tables/1/hands/settle", whole_hand(86_00, promotion_taken_cents=0))
        (shown,) = anna.get("tables/1/hands").body

    assert answer | {"rake_cents": 4_00, "promotion_cents": 0} == answer
    todo = ToDo.objects.get(kind=ToDo.Kind.RAKE_DIFFERS)
    assert (todo.data["promotion_due_cents"], todo.data["promotion_taken_cents"]) == (1_00, 0)
    assert todo_words(promoted.cast.room, todo)[1] == f"Promotion {euros(1)} was due, {euros(0)} was taken."
    charges = {name: shown[name] for name in ("rake_due_cents", "promotion_due_cents", "promotion_taken_cents")}
    assert charges == {"rake_due_cents": 4_00, "promotion_due_cents": 1_00, "promotion_taken_cents": 0}
    assert shown["pots"][0] | {"rake_cents": 4_00, "promotion_cents": 0} == shown["pots"][0]


def test_the_count_of_its_box_knows_what_was_undone_and_put_right(promoted: House) -> None:
    undone = promoted.settle(86_00)
    promoted.tap(undo_hand, promoted.cast.anna, table_id=promoted.table_id(), hand_id=undone.hand_id)
    hand = promoted.settle(86_00)
    corrected = promoted.logged(20_00)
    promoted.tap(correct_hand, table_id=promoted.table_id(), hand_row_id=hand.pk, hand=corrected, reason="wrong_pot")

    assert BoxDifference.objects.get(kind="promotion").cents == 1_00
    boxes = promoted.boxes()
    assert boxes == {"rake": (4_00, 4_00), "drop": (1_00, 1_00), "promotion": (1_00, 1_00)}


def test_the_floor_and_the_posted_sheet_show_it(promoted: House) -> None:
    hand, floor = promoted.settle(86_00), at_desktop(promoted.cast.frans)

    page = floor.get("/floor/tables/1/").content.decode()
    sheet = floor.get(f"/floor/tables/1/hands/{hand.pk}/sheet/").content.decode()
    answer = tap(floor, f"/floor/tables/1/hands/{hand.pk}/void/", reason="void")
    posted = Client().get("/posted/1/").content.decode()

    # What its hands paid, and not what its box should hold: who may count it reads this page.
    assert (">Promotion</th>" in page, "Promotion box" in page) == (True, False)
    assert ("Promotion due · taken" in sheet, 'name="promotion_taken"' in sheet) == (True, True)
    assert answer.status_code == 200
    assert BoxDifference.objects.filter(kind="promotion").count() == 1
    assert f"Promotion: {euros(1)} a hand." in posted
