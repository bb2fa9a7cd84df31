"""The rule book through the REST interface, and a time charge."""

from casino.poker.time_charge import TimeCharge, time_to_dict
from casino.rooms.models import NextBook
from tables.models import Game, TimeTaken
from tests.api.stage import Stage
from tests.support.owner import as_owner


def test_a_change_is_saved_and_a_stale_one_is_told(stage: Stage):
    text = stage.mari.get("rule-book").body["text"].replace("call_seconds = 180", "call_seconds = 240")

    saved = stage.mari.post("rule-book/edit", {"text": text}, If_Match='"0"')
    again = stage.mari.post("rule-book/edit", {"text": text}, If_Match='"0"')
    wrong = stage.mari.post("rule-book/edit", {"text": text.replace("[timers]", "[timer]")}, If_Match='"1"')

    assert (saved.status, again.status, wrong.status) == (200, 409, 422)
    assert wrong.body["code"] == "book_wrong"
    assert NextBook.objects.get().text == text
    assert stage.mari.get("rule-book").body["next_status"] == "edited"


def test_a_time_charge_is_taken_and_taken_back(stage: Stage):
    charge = time_to_dict(TimeCharge(6_00, 30, chip_cents=1_00))
    with as_owner():
        Game.objects.update(charges={}, time_charge=charge)
    stage.house.open(1, Lee=1, Kai=2)
    stage.house.settle(40_00)

    taken = stage.anna.tap("tables/1/time", {"period": 1, "paid": [{"seat_number": 1, "cents": 6_00}]})
    back = stage.frans.tap(f"tables/1/time/{taken['time']}/take-back", {})

    assert (taken["due_cents"], taken["paid_cents"], back["period"]) == (12_00, 6_00, 1)
    assert TimeTaken.objects.get().taken_back_at is not None
