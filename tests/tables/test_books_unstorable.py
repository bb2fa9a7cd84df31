"""A signed rule book that the database cannot keep stops itself and nothing else; what it cannot keep is said early."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import CharField

from casino import clock
from casino.audit.models import Event
from casino.rooms.models import RuleBookVersion
from casino.rulebooks.checking import what_is_wrong
from tables import tasks
from tables.errors_books import GamesNotKept
from tables.models import Game
from tables.services.incidents import due_penalties, let_penalty_run_out, write_incident
from tables.services.setup import game_fields, offer_games
from tests.tables.conftest import House
from tests.tables.test_books import Office
from tests.tables.test_books_page import text_of
from tests.taps import at_desktop

NAME = "No limit hold'em 2/2"
# What each constraint of a game refuses, as somebody would type it.
REFUSED = {
    "game_offered_once_per_room": ("hold'em 2/4\"", "hold'em 2/2\""),
    "game_has_two_to_twelve_seats": ("seats = 9", "seats = 13"),
    "game_charges_in_one_way": (
        "seats = 10\n",
        "seats = 10\ntime_charge = { charge_cents = 6_00, period_minutes = 30 }\n",
    ),
    "game_big_blind_is_not_under_the_small": ("big_blind_cents = 2_00", "big_blind_cents = 1_00"),
    "game_buy_in_minimum_is_something": ("buy_in_min_cents = 100_00", "buy_in_min_cents = 0"),
    "game_buy_in_limits_leave_room": ("buy_in_min_cents = 100_00", "buy_in_min_cents = 500_00"),
}


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


def test_each_constraint_of_a_game_is_said_where_the_book_is_typed(office: Office) -> None:
    assert {each.name for each in Game._meta.constraints} == set(REFUSED)

    for name, (old, new) in REFUSED.items():
        assert old in office.text, name
        assert what_is_wrong(office.text.replace(old, new, 1)), name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (NAME, "N" * 61),
        (NAME, r"N\u0000"),
        (
            "small_blind_cents = 2_00\nbig_blind_cents = 2_00",
            f"small_blind_cents = 2_00\nbig_blind_cents = {2 * 10**19}",
        ),
        ("call_seconds = 180", "call_seconds = 1_000_000_000_000"),
        ("long_break_minutes = 30", "long_break_minutes = 100_000_000"),
    ],
)
def test_what_no_column_holds_is_said_where_the_book_is_typed(office: Office, old: str, new: str) -> None:
    assert isinstance(Game._meta.get_field("name"), CharField)
    assert Game._meta.get_field("name").max_length == 60
    assert old in office.text

    assert [each.code for each in what_is_wrong(office.text.replace(old, new, 1))] == ["value"]


def test_a_book_that_cannot_be_kept_is_refused_and_the_managers_read_why(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Something that the schema lets pass and a table does not, whatever the next one is.
    monkeypatch.setattr("tables.services.setup.game_fields", lambda entry: {**game_fields(entry), "seats": 13})
    office.edit()
    office.ask(hours=1)
    office.approve()

    office.hours_pass(2)
    office.hours_pass(0.1)

    assert RuleBookVersion.objects.count() == 1
    assert office.next.status == "approved"
    # Tried once, however often its second comes.
    refused = Event.objects.filter(name="tables.let_book_hold")
    assert [event.result for event in refused] == ["games_not_kept"]
    with clock.frozen(office.house.at):
        page = text_of(at_desktop(office.petra).get("/rule-books/"))
    assert "The games of this book cannot be kept" in page
    with pytest.raises(GamesNotKept):
        office.house.tap(offer_games, office.mari)


def test_one_thing_that_is_due_and_fails_holds_up_nothing_else(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    house = office.house
    for name in ("Lee", "Kai"):
        people: dict[str, Any] = {"player_ids": [house.player(name).pk], "table_id": None}
        house.tap(write_incident, kind="penalty", clause="", text="", minutes=5, **people)
    first = min(due_penalties(at=house.at + timedelta(hours=1)))
    let_go = let_penalty_run_out

    def breaks(*_: object, **row: object) -> None:
        if row.get("incident_id") in {None, first}:
            raise RuntimeError

    def breaks_for_one(command: object, *, incident_id: int) -> object:
        breaks(incident_id=incident_id)
        return let_go(command, incident_id=incident_id)  # type: ignore[arg-type]

    monkeypatch.setattr(tasks, "due_books", breaks)
    monkeypatch.setattr(tasks, "let_penalty_run_out", breaks_for_one)
    with clock.frozen(house.at + timedelta(hours=1)):
        tasks.wake()

    assert due_penalties(at=house.at + timedelta(hours=1)) == [first]
