"""Time charges and decks of a sheet: what was put in is in the box, by player; what does not fit is refused whole."""

import re
from typing import Any

import pytest

from casino.errors import Refusal
from casino.ledger import proof
from casino.ledger.templatetags.money import money
from casino.paper.models import CaughtUp
from tables.errors_time import NoTimeCharge
from tables.models import DeckChange, TimeShare, TimeTaken, ToDo
from tables.services.downs import change_deck
from tests.paper.catching import ChipLine, DeckLine, Outage, Paid, SeatLine, TimeLine
from tests.paper.test_catching_up_pages import Form, answer_text
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_time_charges import Timed

pytestmark = pytest.mark.two_houses


@pytest.fixture
def timed(house: House) -> Timed:
    """Lee, Kai and Timo pay 6 for each half hour at table 1; the first period was taken by Brush."""
    found = Timed(house)
    house.settle(0)
    found.take(1)
    return found


def all_paid(*seats: int) -> tuple[Paid, ...]:
    return tuple(Paid(seat, 6_00) for seat in seats)


@pytest.mark.rule("H1.91")
def test_time_that_was_taken_on_paper_is_in_the_box_by_player(timed: Timed) -> None:
    """The second example of docs/on-paper.md."""
    house, outage = timed.house, Outage(timed.house)
    before = house.figures()

    answer = outage.enter(
        hands=8,
        chips=(
            ChipLine(1, 4, at=outage.at(10), chips_cents=200_00),
            ChipLine(2, 2, at=outage.at(40), left=True, stack_cents=150_00),
        ),
        names={"1": "Riku"},
        seats=(SeatLine(3, stands="away", away_since=outage.at(42)),),
        times=(TimeLine(2, outage.at(31), all_paid(1, 2, 3, 4)),),
    )

    row = TimeTaken.objects.get(number=2)
    assert (row.due_cents, row.paid_cents, row.taken_at, row.from_sheet) == (
        24_00, 24_00, outage.at(31), outage.sheet,
    )  # fmt: skip
    shares = TimeShare.objects.filter(time=row).order_by("seat_number")
    assert list(shares.values_list("player__nickname", "paid_cents")) == [
        ("Lee", 6_00), ("Kai", 6_00), ("Timo", 6_00), ("Riku", 6_00),
    ]  # fmt: skip
    now = house.figures()
    assert now["rake_box"] == before["rake_box"] + 24_00
    assert now["in_play"] == before["in_play"] + 200_00 - 150_00 - 24_00
    assert (answer.data["time_cents"], answer.data["periods"]) == (24_00, 1)
    assert not ToDo.objects.filter(kind="time_differs").exists()
    assert not list(proof.problems(house.room_id))
    # The next period is Brush's again.
    assert timed.due().number == 3


@pytest.mark.slow
def test_what_was_put_in_and_was_not_due_is_the_floors_to_judge(timed: Timed) -> None:
    outage = Outage(timed.house)

    outage.enter(times=(TimeLine(2, outage.at(31), all_paid(1, 2)),))

    row = TimeTaken.objects.get(number=2)
    assert (row.due_cents, row.paid_cents) == (18_00, 12_00)
    assert ToDo.objects.get(kind="time_differs").data["time"] == row.pk


def test_time_that_does_not_fit_is_refused_and_nothing_is_recorded(timed: Timed) -> None:
    outage = Outage(timed.house)
    cases: list[tuple[tuple[TimeLine, ...], str]] = [
        ((TimeLine(1, outage.at(5), all_paid(1)),), "Brush has period 1 itself"),
        ((TimeLine(2, outage.at(31)), TimeLine(2, outage.at(32))), "period 2 is entered twice"),
        ((TimeLine(9, outage.at(31), all_paid(1)),), "period 9 begins at"),
        ((TimeLine(2, outage.at(50), all_paid(1)),), "period 2: .* is not between"),
        ((TimeLine(2, outage.at(31), all_paid(1, 6)),), "period 2: nobody sat in seat 6"),
        ((TimeLine(2, outage.at(31), (Paid(99, 6_00),)),), "There is no seat 99"),
    ]

    for times, words in cases:
        with pytest.raises(Refusal, match=words):
            outage.enter(hands=1, times=times)
    assert not CaughtUp.objects.exists()
    assert TimeTaken.objects.count() == 1


@pytest.mark.slow
def test_a_table_that_charges_no_time_has_none_on_paper(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)

    with pytest.raises(NoTimeCharge):
        outage.enter(times=(TimeLine(1, outage.at(5), all_paid(1)),))


@pytest.mark.slow
def test_a_deck_that_brush_has_since_stays_in_play(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)
    house.tap(change_deck, house.cast.anna, table_id=house.table_id(), colour="green")

    with pytest.raises(Refusal, match="line 2: Brush has another deck since"):
        outage.enter(hands=1, decks=(DeckLine(2, outage.at(10), "blue"),))
    with pytest.raises(Refusal, match=r"Line 2: .* is not between"):
        outage.enter(hands=1, decks=(DeckLine(2, outage.at(60), "blue"),))
    outage.enter(hands=1)

    assert DeckChange.objects.get().colour == "green"


@pytest.mark.slow
def test_decks_go_on_from_brushs_with_the_earliest_on_the_sheet(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    outage = Outage(house)
    house.at = outage.at(20)
    house.tap(change_deck, house.cast.anna, table_id=house.table_id(), colour="green")
    house.at = outage.until_at

    with pytest.raises(Refusal, match="line 2: Brush has another deck since"):
        outage.enter(hands=1, decks=(DeckLine(1, outage.at(30), "red"), DeckLine(2, outage.at(10), "blue")))


@pytest.mark.slow
def test_both_are_typed_in_looked_at_and_shown(timed: Timed) -> None:
    form = Form(timed.house, Outage(timed.house))
    shown = form.opened()
    assert 'name="time_2_paid_3"' in shown
    assert 'name="time_1_at"' not in shown
    fields: dict[str, Any] = {
        "time_2_at": form.at(31), "time_2_paid_1": "6", "time_2_paid_2": "6", "time_2_paid_3": "6",
        "down_3_from": form.at(20), "down_3_deck": "blue", "down_3_set": "4", "down_3_why": "fault",
    }  # fmt: skip

    assert "Time slip, line 2" in answer_text(form.look(**{**fields, "time_2_at": ""}))
    assert "Down slip, line 3" in answer_text(form.look(**{**fields, "down_3_from": ""}))
    looked = form.look(**fields)
    text = answer_text(looked)

    paid = money(18_00, timed.house.cast.room).replace("\xa0", " ")
    for words in (f"period 2 of the time charge, {paid}", "Deck blue 4, the deck has a fault"):
        assert words in text, (words, text)
    digest = re.search(r'name="looked" value="(\w+)"', looked.content.decode())
    assert digest
    assert form.sign(digest[1], **fields, overrule="not_signed_in").status_code == 200
    assert TimeTaken.objects.get(number=2).paid_cents == 18_00
    for words in (f"period 2 of the time charge, {paid}", "Deck blue 4", f"Time charge {paid}"):
        assert words in re.sub(r"<[^>]+>", " ", form.opened()).replace("  ", " ")
    assert f"from sheet {form.outage.sheet}" in answer_text(form.floor.get("/floor/tables/1/time/sheet/"))
    assert f"from sheet {form.outage.sheet}" in answer_text(form.floor.get("/floor/tables/1/push/sheet/"))


def test_the_printed_sheet_has_where_to_write_them(timed: Timed) -> None:
    outage = Outage(timed.house)
    form = Form(timed.house, outage)

    page = answer_text(form.floor.get(f"/floor/paper/{outage.printing}/"))

    for words in ("Time slip", "what each seat put in", "New deck, set"):
        assert words in page
    assert re.search(r'paper-count">2</td><td class="num">\d\d:\d\d', page)


@pytest.mark.slow
def test_the_check_of_the_ledger_finds_time_and_decks_that_a_sheet_does_not_say(timed: Timed) -> None:
    outage = Outage(timed.house)
    outage.enter(
        times=(TimeLine(2, outage.at(31), all_paid(1, 2, 3)),), decks=(DeckLine(1, outage.at(1), "blue"),)
    )  # fmt: skip
    assert not list(proof.problems(timed.house.room_id))

    with as_owner():
        DeckChange.objects.all().delete()

    assert "paper_time" in {problem.what for problem in proof.problems(timed.house.room_id)}
