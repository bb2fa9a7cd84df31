"""The pages of a sheet that is caught up: the form, what it would record, what was recorded; and the proof of it."""

import re
from datetime import timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from casino import clock
from casino.cage.models import Slip
from casino.ledger import proof
from casino.ledger.templatetags.money import money
from casino.paper.models import CaughtUp
from tables.models import Hand, HandCharge, Seating
from tests.cast import demo_person
from tests.paper.catching import ChipLine, HandLine, Outage
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

ZONE = ZoneInfo("Europe/Helsinki")


def answer_text(answer: Any) -> str:
    return re.sub(
        r"\s+", " ", unescape(answer.content.decode()).replace("\xa0", " ").replace("\u2068", "").replace("\u2069", "")
    )


class Form:
    """The form of a sheet, as somebody fills it in at the floor's desk."""

    def __init__(self, house: House, outage: Outage) -> None:
        self.house, self.outage = house, outage
        self.floor: Client = at_desktop(house.cast.frans)
        self.path = f"/floor/paper/sheets/{outage.sheet}/"
        self.fields: dict[str, Any] = {"from": self.at(0), "until": self.at(45), "hands": "2"}

    def at(self, minutes: int) -> str:
        return f"{self.outage.at(minutes).astimezone(ZONE):%H:%M}"

    def opened(self) -> str:
        with clock.frozen(self.house.at):
            answer = self.floor.get(self.path)
        assert answer.status_code == 200
        return answer_text(answer)

    def look(self, **more: Any) -> Any:
        with clock.frozen(self.house.at):
            return tap(self.floor, f"{self.path}look/", **{**self.fields, **more})

    def sign(self, looked: str, pin: str = "", **more: Any) -> Any:
        anna = demo_person("anna")
        signed = {"username": "anna", "pin": pin or anna.pin, "looked": looked}
        with clock.frozen(self.house.at):
            return tap(self.floor, f"{self.path}catch-up/", **{**self.fields, **signed, **more})


@pytest.fixture
def form(house: House) -> Form:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    return Form(house, Outage(house))


def filled(form: Form) -> dict[str, Any]:
    return {
        "line_1_button": "1", "line_1_taken_rake": "4", "line_1_taken_drop": "1", "line_2_taken_rake": "2,50",
        "down_1_dealer": form.house.cast.anna.pk, "down_1_from": form.at(0), "down_1_until": form.at(45),
        "chip_1_seat": "5", "chip_1_at": form.at(10), "chip_1_name": "riku", "chip_1_chips": "200",
        "chip_1_paid": "cash", "chip_1_slip": "12",
        "chip_2_seat": "2", "chip_2_left": "counted", "chip_2_stack": "340", "chip_2_paid": "cash",
        "chip_3_paid": "cash", "seat_3_stands": "away", "seat_3_since": form.at(40), "seat_3_missed": "both",
        "button": "5",
    }  # fmt: skip


def test_it_is_looked_at_in_words_and_sums_then_signed_and_shown(form: Form) -> None:
    shown = form.opened()
    assert "Table 1 · sheet" in shown
    assert ['name="line_30_taken_drop"' in shown, 'name="line_31_taken_drop"' in shown] == [True, False]
    fields = filled(form)

    looked = form.look(**fields)
    text = answer_text(looked)

    rake, bought, left = (money(cents, form.house.cast.room).replace("\xa0", " ") for cents in (6_50, 200_00, 340_00))
    assert looked.status_code == 200
    for words in (
        "Hands: 2, numbered 2 to 3", rake, "Anna dealt", "Riku came", f"{bought} bought in cash, slip 12",
        f"left with {left}", "away ", "M M", "Button for the next hand: seat 5", "1 slip waits at the cage",
    ):  # fmt: skip
        assert words in text, (words, text)
    assert not CaughtUp.objects.exists()
    digest = re.search(r'name="looked" value="(\w+)"', looked.content.decode())
    assert digest

    answer = form.sign(digest[1], **fields)

    assert (answer.status_code, answer["HX-Redirect"]) == (200, form.path)
    assert [hand.taken("rake") for hand in Hand.objects.filter(from_sheet=form.outage.sheet).order_by("number")] == [
        4_00, 2_50,
    ]  # fmt: skip
    recorded = form.opened()
    for words in ("signed by Frans and Anna", "played by paper", "Riku came", rake, "data-print"):
        assert words in recorded, words
    page = answer_text(form.floor.get("/floor/tables/1/hands/"))
    assert f"from sheet {form.outage.sheet}" in page


@pytest.mark.slow
def test_something_else_than_what_was_looked_at_is_not_signed(form: Form) -> None:
    digest = re.search(r'name="looked" value="(\w+)"', form.look().content.decode())
    assert digest

    answer = form.sign(digest[1], hands="3")

    assert (answer.status_code, "Look again" in answer_text(answer)) == (409, True)
    assert not CaughtUp.objects.exists()


@pytest.mark.slow
def test_a_wrong_pin_records_nothing(form: Form) -> None:
    digest = re.search(r'name="looked" value="(\w+)"', form.look().content.decode())
    assert digest

    assert form.sign(digest[1], pin="0001").status_code == 422
    assert not CaughtUp.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"line_2_taken_rake": "four"}, "Drop slip, line 2: “four”"),
        ({"line_1_button": "x"}, "Drop slip, line 1: “x”"),
        ({"chip_3_seat": "", "chip_3_chips": "100"}, "Buy-ins, and who came and left, line 3"),
        ({"down_2_dealer": "1", "down_2_from": "", "down_2_until": ""}, "Down slip, line 2"),
        ({"seat_4_since": "25:00", "seat_4_stands": "away"}, "Seats, line 4: “25:00”"),
        ({"hands": "0", "line_1_taken_rake": "2"}, "line 1 is filled in, and 0 hands"),
        ({"from": ""}, "From and until"),
        ({"chip_1_seat": "9", "chip_1_chips": "100"}, "nobody sat in seat 9"),
    ],
)
def test_what_cannot_be_read_is_said_by_its_part_and_line(form: Form, fields: dict[str, Any], words: str) -> None:
    answer = form.look(**fields)

    # What is no form is malformed; what is one, and cannot be, is refused.
    assert answer.status_code == (422 if "nobody sat" in words or "0 hands" in words else 400)
    assert words in answer_text(answer)


@pytest.mark.slow
def test_a_sheet_that_was_caught_up_is_refused_when_it_is_looked_at_again(form: Form) -> None:
    form.outage.enter(hands=1)

    answer = form.look()

    assert answer.status_code == 409
    assert "signed by Frans and Anna" in answer_text(answer)


@pytest.mark.slow
def test_what_somebody_else_entered_of_the_same_time_is_said_before(form: Form) -> None:
    other = Outage(form.house)
    other.from_at, other.until_at = form.outage.from_at, form.outage.until_at
    other.enter(hands=1)

    assert f"Sheet {other.sheet} of this table was caught up for some of the same time" in answer_text(form.look())


@pytest.mark.slow
def test_a_table_has_its_sheets_and_they_say_what_became_of_them(form: Form) -> None:
    form.outage.enter(hands=1)
    form.house.at += timedelta(minutes=1)
    later = Outage(form.house)

    listed = answer_text(form.floor.get("/floor/paper/tables/1/"))
    table = answer_text(form.floor.get("/floor/tables/1/"))

    assert f'href="/floor/paper/sheets/{later.sheet}/"' in listed
    assert "caught up" in listed
    assert 'href="/floor/paper/tables/1/"' in table
    assert form.floor.get("/floor/paper/tables/77/").status_code == 404


@pytest.mark.slow
def test_seats_and_slips_say_that_they_are_from_paper(form: Form) -> None:
    form.outage.enter(chips=(ChipLine(1, 5, chips_cents=200_00, paid="cash", slip="12"),), names={"1": "Riku"})

    seat = answer_text(form.floor.get("/floor/tables/1/seats/5/sheet/"))
    cage = answer_text(at_desktop(form.house.cast.carla).get("/cage/1/"))

    assert f"from sheet {form.outage.sheet}" in seat
    assert "paid on paper, no. 12" in cage
    assert 'data-paid-by="cash"' in cage


@pytest.mark.slow
def test_the_cashier_confirms_and_is_not_asked_to_hand_over_anything(form: Form) -> None:
    form.outage.enter(chips=(ChipLine(1, 1, chips_cents=200_00, paid="card"),))
    slip, carla = Slip.objects.get(), at_desktop(form.house.cast.carla)
    fields: dict[str, Any] = {
        "slip_id": slip.pk, "version": slip.version, "method": "card", "drawer_id": form.house.drawer_id,
    }  # fmt: skip

    with clock.frozen(form.house.at):
        question = answer_text(carla.get("/cage/1/check/", {**fields, "kind": "buy_in", "amount": "200"}))
        done = answer_text(tap(carla, "/cage/1/take/", **fields))

    assert "Chips were handed over" in question
    assert "Was charged to the card" in question
    assert "paid on paper" in done
    assert "Hand over chips" not in done
    assert Slip.objects.get().status == "paid"


@pytest.mark.slow
@pytest.mark.parametrize("who", ["anna", "carla", "olavi"])
def test_nobody_but_the_floor_catches_up(form: Form, who: str) -> None:
    browser = at_desktop(getattr(form.house.cast, who))

    with clock.frozen(form.house.at):
        codes = [browser.get(form.path).status_code, tap(browser, f"{form.path}look/", **form.fields).status_code]
        codes.append(tap(browser, f"{form.path}catch-up/", **form.fields).status_code)

    assert codes == [403, 403, 403]


def test_the_check_of_the_ledger_finds_what_a_sheet_does_not_say(form: Form) -> None:
    form.outage.enter(
        hands=2, lines=(HandLine(1, None, {"rake": 4_00}),), chips=(ChipLine(1, 1, chips_cents=100_00, paid="card"),)
    )
    room_id = form.house.room_id
    assert not list(proof.problems(room_id))

    with as_owner():
        HandCharge.objects.filter(hand__from_sheet=form.outage.sheet).update(taken_cents=5_00)
        Hand.objects.filter(from_sheet=form.outage.sheet).exclude(charges__kind="rake").update(from_sheet=99)
        row = CaughtUp.objects.get()
        CaughtUp.objects.update(figures={**row.figures, "sold_cents": 50_00})

    found = {problem.what for problem in proof.problems(room_id)}
    assert {"paper_charges", "paper_hands", "paper_named", "paper_chips"} <= found


@pytest.mark.slow
@pytest.mark.parametrize("hands", [1, 24])
def test_a_hand_takes_few_statements(form: Form, hands: int, django_assert_max_num_queries: Any) -> None:
    lines = tuple(HandLine(number, 1, {"rake": 4_00, "drop": 1_00}) for number in range(1, hands + 1))

    with django_assert_max_num_queries(75 + 5 * hands):
        form.outage.enter(hands=hands, lines=lines)

    assert Hand.objects.filter(from_sheet=form.outage.sheet).count() == hands
    assert Seating.objects.filter(from_sheet__isnull=False).count() == 0
