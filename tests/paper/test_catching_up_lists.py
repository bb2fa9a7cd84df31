"""The waiting lists' sheet: who came on, was called and was struck on paper, in order and with the written times."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from html import unescape
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.audit.sentences import pattern_of
from casino.commands.carrying_out import Answer
from casino.errors import NotFound, Refusal
from casino.ledger import proof
from casino.paper.catching_up_lists import NEEDS, catch_up_lists, catch_up_lists_signs
from casino.paper.errors import SheetCaughtUp
from casino.paper.lists_entered import ListLine, ListsEntered
from casino.paper.models import CaughtUp, Sheet
from casino.paper.services import print_sheets
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Player
from casino.people.services import ban_player, second_person
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, drop_out, join_list
from tests.cast import command, demo_person
from tests.paper.catching import ChipLine, Outage
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

ZONE = ZoneInfo("Europe/Helsinki")


class Listed:
    """Lee and Kai play at table 1; Timo, Mika and Jo wait, and Timo is called to seat 3. Then Brush is down."""

    def __init__(self, house: House) -> None:
        self.house, self.by = house, house.cast.frans
        house.open(1, Lee=1, Kai=2)
        house.at += timedelta(minutes=1)
        for name in ("Timo", "Mika", "Jo"):
            self.joins(name)
        timo = Waiting.objects.get(player__nickname="Timo")
        house.tap(call_player, waiting_id=timo.pk, table_id=house.table_id(), seat_number=3)
        self.breaks_down()

    def breaks_down(self) -> None:
        house = self.house
        self.printing = house.tap(print_sheets).data["printing"]
        self.sheet = Sheet.objects.get(printing=self.printing, table=None).number
        self.from_at = house.at + timedelta(seconds=1)
        house.at += timedelta(minutes=46)
        self.until_at = self.from_at + timedelta(minutes=45)

    def joins(self, name: str) -> None:
        self.house.tap(join_list, game_id=self.house.game().pk, player_id=self.house.player(name).pk)

    def at(self, minutes: float) -> datetime:
        return self.from_at + timedelta(minutes=minutes)

    def line(self, number: int, minutes: float, what: str, **to: int) -> ListLine:
        return ListLine(number, self.at(minutes), self.house.game().pk, what, **to)

    def enter(self, *lines: ListLine, **names: str) -> Answer:
        """Enter lines, whose players are named by `line_<number>`; the floor does, and somebody else signs."""
        return self.signed(*lines, **names)()

    def signed(self, *lines: ListLine, **names: str) -> Callable[[], Answer]:
        """Have lines signed; return what enters them."""
        house = self.house
        house.at += timedelta(seconds=1)
        given = command(self.by, at=house.at)
        arguments: dict[str, Any] = {
            "number": self.sheet, "entered": ListsEntered(self.from_at, self.until_at, lines),
            "names": {number.removeprefix("line_"): name for number, name in names.items()},
        }  # fmt: skip
        person = demo_person("anna")
        signed = second_person(
            given, username=person.username, pin=person.pin, needs=NEEDS, signs=catch_up_lists_signs(**arguments)
        )
        return lambda: catch_up_lists(given, **arguments, approved_by_id=signed)

    def stands(self) -> list[tuple[str, str]]:
        live = Waiting.objects.filter(status__in=Waiting.LIVE).order_by("place", "id")
        return list(live.values_list("player__nickname", "status"))

    def ended(self, name: str) -> tuple[str, datetime | None, int | None]:
        entry = Waiting.objects.get(player__nickname=name)
        return entry.status, entry.ended_at, entry.from_sheet


@pytest.fixture
def listed(house: House) -> Listed:
    return Listed(house)


def test_the_lists_as_docs_have_them_are_all_there_afterwards(listed: Listed) -> None:
    """The third example of docs/on-paper.md."""
    enter = listed.signed(
        listed.line(1, 5, "seated"),
        listed.line(2, 20, "dropped"),
        listed.line(3, 10, "joined"),
        listed.line(4, 15, "called_in"),
        listed.line(5, 44.9, "called", table=1, seat_number=4),
        line_1="timo", line_2="mika", line_3="Riku", line_4="Vera", line_5="jo",
    )  # fmt: skip
    with CaptureQueriesContext(connection) as queries:
        answer = enter()

    assert len(queries) <= 65
    assert listed.stands() == [("Jo", "called"), ("Riku", "waiting"), ("Vera", "waiting")]
    assert listed.ended("Timo") == ("seated", listed.at(5), listed.sheet)
    assert listed.ended("Mika") == ("dropped", listed.at(20), listed.sheet)
    riku, vera = (Waiting.objects.get(player__nickname=name) for name in ("Riku", "Vera"))
    assert (riku.joined_at, riku.is_there, riku.from_sheet) == (listed.at(10), True, listed.sheet)
    assert (vera.joined_at, vera.is_there) == (listed.at(15), False)
    jo = Waiting.objects.get(player__nickname="Jo")
    assert (jo.seat_number, jo.called_at, jo.from_sheet) == (4, listed.at(44.9), listed.sheet)
    assert jo.call_expires_at is not None
    assert jo.call_expires_at > listed.house.at
    row = CaughtUp.objects.get()
    assert (row.floor_id, row.dealer_id, row.figures["joined"]) == (
        listed.house.cast.frans.pk, listed.house.cast.anna.pk, 1,
    )  # fmt: skip
    assert (answer.data["lines"], answer.data["called"], answer.data["dropped"]) == (5, 1, 1)
    event = Event.objects.filter(name="paper.catch_up_lists").latest("id")
    assert "Riku" not in event.text
    waiting_list = riku.waiting_list_id
    assert answer.data["became"][1] == {"line": 3, "what": "joined", "player": riku.player_id, "list": waiting_list}
    assert Event.objects.filter(id=event.pk, text__regex=pattern_of([("player", vera.player_id)])).exists()
    assert not Event.objects.filter(id=event.pk, text__regex=pattern_of([("player", 99_999_999)])).exists()
    assert not list(proof.problems(listed.house.room_id))


@pytest.mark.slow
def test_who_came_on_by_an_earlier_sheet_may_have_gone_in_brush_before_the_next(listed: Listed) -> None:
    listed.enter(listed.line(1, 10, "joined"), line_1="Riku")
    listed.breaks_down()
    riku = Waiting.objects.get(player__nickname="Riku")
    listed.house.tap(drop_out, waiting_id=riku.pk)

    listed.enter(listed.line(1, 5, "dropped"), listed.line(2, 6, "struck"), line_1="Riku", line_2="Jo")

    assert listed.ended("Jo")[0] == "struck"
    assert listed.ended("Riku")[0] == "dropped"


def test_who_is_here_after_the_call_keeps_the_promised_seat(listed: Listed) -> None:
    listed.enter(
        listed.line(1, 15, "called_in"),
        listed.line(2, 44.9, "called", table=1, seat_number=4),
        listed.line(3, 44.9, "here"),
        line_1="Vera", line_2="Vera", line_3="Vera",
    )  # fmt: skip

    vera = Waiting.objects.get(player__nickname="Vera")
    assert (vera.status, vera.seat_number, vera.called_at) == ("called", 4, listed.at(44.9))


@pytest.mark.slow
def test_a_call_ends_on_its_list_whatever_terms_the_game_had_on_the_line(listed: Listed) -> None:
    called = listed.line(1, 5, "called", table=1, seat_number=4)
    with as_owner():
        before = listed.house.game()
        before.pk, before.is_offered = None, False
        before.save()

    listed.enter(replace(called, game_id=before.pk, table=99), listed.line(2, 9, "struck"), line_1="Jo", line_2="Jo")

    assert listed.ended("Jo")[0] == "struck"


def test_whoever_joined_in_brush_since_comes_behind_the_paper(listed: Listed) -> None:
    listed.joins("Pekka")

    listed.enter(listed.line(1, 10, "joined"), listed.line(2, 11, "joined"), line_1="Riku", line_2="Vera")

    assert [name for name, _ in listed.stands()] == ["Timo", "Mika", "Jo", "Riku", "Vera", "Pekka"]


@pytest.mark.slow
def test_what_does_not_fit_is_refused_by_its_line_and_nothing_is_recorded(listed: Listed) -> None:
    line, house = listed.line, listed.house
    banned = house.player("Ville")
    house.tap(ban_player, house.cast.mari, player_id=banned.pk, reason="", clause="")
    before = listed.stands()
    cases: list[tuple[list[ListLine], dict[str, str], str]] = [
        ([], {}, "Nothing is entered"),
        ([line(1, 5, "joined")], {"line_1": "Mika"}, "line 1: that player was on the list"),
        ([line(1, 5, "struck")], {"line_1": "Nobody"}, "line 1: nobody of that name"),
        ([line(1, 5, "struck")], {"line_1": "Kai"}, "line 1: nobody of that name"),
        ([line(1, 5, "missed")], {"line_1": "Mika"}, "line 1: that player was not called"),
        ([line(1, 5, "called", table=1, seat_number=4)], {"line_1": "Timo"}, "line 1: that player was called already"),
        ([line(1, 5, "called")], {"line_1": "Mika"}, "line 1: to which table and seat"),
        ([line(1, 5, "called", table=1, seat_number=4)], {"line_1": "Mika"}, "line 1: that call ran out at"),
        ([line(1, 44.5, "called", table=1, seat_number=1)], {"line_1": "Mika"}, "Seat 1 is taken"),
        ([line(1, 50, "struck")], {"line_1": "Mika"}, "line 1: .* is not between"),
        ([line(1, 5, "struck"), line(1, 6, "joined")], {"line_1": "Mika"}, "line 1 is entered twice"),
        ([line(1, 9, "joined"), line(2, 5, "joined")], {"line_1": "A", "line_2": "B"}, "first stands first"),
        ([line(1, 5, "joined")], {"line_1": "Ville"}, "may not play|banned"),
    ]

    for lines, names, words in cases:
        with pytest.raises(Refusal, match=words):
            listed.enter(line(0, 1, "joined"), *lines, line_0="New", **names) if lines else listed.enter()
    assert listed.stands() == before
    assert not CaughtUp.objects.exists()
    assert not Player.objects.filter(nickname="New").exists()


@pytest.mark.slow
@pytest.mark.helsinki
@pytest.mark.rule("H2.6")
def test_who_did_not_come_goes_as_the_book_says(listed: Listed) -> None:
    listed.enter(
        listed.line(1, 3, "missed"),
        listed.line(2, 4, "called", table=1, seat_number=3),
        listed.line(3, 8, "missed"),
        line_1="Timo", line_2="Mika", line_3="Mika",
    )  # fmt: skip

    # Helsinki's book strikes whoever does not come.
    assert listed.stands() == [("Jo", "waiting")]
    assert listed.ended("Mika")[:2] == ("struck", listed.at(8))


@pytest.mark.slow
def test_who_sat_down_by_the_sheet_of_the_table_is_not_missed_on_that_of_the_lists(listed: Listed) -> None:
    outage = Outage(listed.house)
    outage.enter(chips=(ChipLine(1, 3, chips_cents=100_00),), names={"1": "Timo"})

    listed.enter(listed.line(1, 5, "seated"), listed.line(2, 9, "struck"), line_1="Timo", line_2="Jo")

    assert listed.stands() == [("Mika", "waiting")]
    assert listed.ended("Timo")[0] == "seated"


@pytest.mark.slow
def test_lists_are_caught_up_once_and_signed_by_two(listed: Listed) -> None:
    first = listed.enter(listed.line(1, 5, "struck"), line_1="Jo")

    listed.by = listed.house.cast.mari
    with pytest.raises(SheetCaughtUp, match="signed by Frans and Anna"):
        listed.enter(listed.line(1, 5, "struck"), line_1="Mika")
    with pytest.raises(NeedsSecondSignature):
        listed.house.tap(
            catch_up_lists, number=listed.sheet, names={}, approved_by_id=listed.house.cast.anna.pk,
            entered=ListsEntered(listed.from_at, listed.until_at, (listed.line(1, 5, "struck"),)),
        )  # fmt: skip
    assert first.data["struck"] == 1
    listed.sheet += 1
    with pytest.raises(NotFound):
        listed.enter(listed.line(1, 5, "struck"), line_1="Mika")


def answer_text(answer: Any) -> str:
    text = unescape(answer.content.decode()).replace("\xa0", " ").replace("\u2068", "").replace("\u2069", "")
    return re.sub(r"\s+", " ", text)


@pytest.mark.slow
def test_it_is_looked_at_as_the_lists_would_stand_then_signed_and_shown(listed: Listed) -> None:
    house, floor = listed.house, at_desktop(listed.house.cast.frans)
    path = f"/floor/paper/lists/{listed.sheet}/"

    def clock_at(minutes: float) -> str:
        return f"{listed.at(minutes).astimezone(ZONE):%H:%M}"

    fields: dict[str, Any] = {
        "from": clock_at(0), "until": clock_at(45),
        "list_1_at": clock_at(10), "list_1_game": house.game().pk, "list_1_name": "Newcomer", "list_1_what": "joined",
        "list_2_at": clock_at(12), "list_2_game": house.game().pk, "list_2_name": "Mika", "list_2_what": "struck",
        "list_3_game": house.game().pk,
    }  # fmt: skip
    with clock.frozen(house.at):
        opened, printed = answer_text(floor.get(path)), answer_text(floor.get(f"/floor/paper/{listed.printing}/"))
        wrong = tap(floor, f"{path}look/", **{**fields, "list_3_name": "Jo"})
        looked = tap(floor, f"{path}look/", **fields)

    assert 'name="list_40_seat"' in opened
    assert f'href="{path}"' in printed
    assert "Called to" in printed
    assert "Waiting lists, line 3" in answer_text(wrong)
    text = re.sub(r"<[^>]+>", "", answer_text(looked))
    assert re.search(r"Timo.*Jo.*Newcomer", text)
    assert "Mika" not in text
    assert not Player.objects.filter(nickname="Newcomer").exists()
    digest = re.search(r'name="looked" value="(\w+)"', looked.content.decode())
    assert digest
    signed = {**fields, "username": "anna", "pin": demo_person("anna").pin, "looked": digest[1]}
    with clock.frozen(house.at):
        other = tap(floor, f"{path}catch-up/", **{**signed, "list_2_what": "dropped"})
        answer = tap(floor, f"{path}catch-up/", **signed)
        shown = answer_text(floor.get(path))
        sheet = answer_text(floor.get(f"/floor/waiting/{Waiting.objects.get(player__nickname='Newcomer').pk}/sheet/"))
    assert other.status_code == 409
    assert (answer.status_code, answer["HX-Redirect"]) == (200, path)
    for words in ("signed by Frans and Anna", "Newcomer", "struck", "data-print"):
        assert words in shown
    assert f"from sheet {listed.sheet}" in sheet


@pytest.mark.slow
def test_the_check_of_the_ledger_finds_a_place_that_names_no_sheet(listed: Listed) -> None:
    with as_owner():
        Waiting.objects.filter(player__nickname="Jo").update(from_sheet=99)

    assert "paper_lists" in {problem.what for problem in proof.problems(listed.house.room_id)}
