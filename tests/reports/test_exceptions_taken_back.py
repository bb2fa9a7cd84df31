"""
What is taken back, and what is carried over uncounted, is in the exception report: no command with such a name, or that
says so of itself, is left out but for a reason (docs/readings.md).
"""

import re
from collections.abc import Callable
from inspect import getdoc, signature
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from casino.audit.models import Event
from casino.commands.carrying_out import services
from casino.people.exception_report import exception_kinds
from casino.people.models import Staff
from tests.acts import ACTS
from tests.cage.bad_night import bad_night
from tests.cage.counting import carried
from tests.cage.several_open import undone
from tests.doors.routes import import_all_services
from tests.reports.test_exceptions import Officer, cases_by_name, of, vera
from tests.tables.conftest import House
from tests.tables.evening import Evening

__all__ = ["vera"]

pytestmark = pytest.mark.two_houses

# What is read otherwise than as events of one command, by the kind that reads it.
READ = {
    "cage.close_day": "drawers_put_off",
    "cage.close_counts": "boxes_put_off",
    "cage.close_drawer": "drawers_short",
    "paper.catch_up": "paper_signers_named",
    "tables.move_player": "overruled",
}
NAMES = re.compile(r"(^|_)(back|undo|void|revers\w*|correct|overrule|withdraw|cancel|call_off|carry)(_|$)")
WORDS = re.compile(
    r"\b(tak(e|es|en|ing)( \w+){0,6} back|put( \w+){0,6} back|undo(es|ne)?|void|revers\w+|correct\w*|overrul\w+"
    r"|withdr\w+|called off|call it off|carr(y|ied) over|by mistake|not meant)\b",
    re.IGNORECASE,
)
ARGUMENTS = {"carrying", "overrule"}
LEFT_OUT = re.compile(r"^\| `(\w+\.\w+)` \| \S.*\|$", re.MULTILINE)


def takes_back(name: str, function: Callable[..., object]) -> bool:
    """Return whether a command says that it takes something back, or leaves it to a later day."""
    says = (getdoc(function) or "").split("\n\n")[0].replace("\n", " ")
    has = ARGUMENTS & set(signature(function).parameters)
    return bool(NAMES.search(name.partition(".")[2]) or WORDS.search(says) or has)


def left_out() -> set[str]:
    readings = (Path(settings.BASE_DIR) / "docs" / "readings.md").read_text(encoding="utf-8")
    section = readings.split("## What the exception report leaves out", 1)[1].split("\n## ", 1)[0]
    return set(LEFT_OUT.findall(section))


def test_whatever_takes_something_back_is_counted_or_left_out_for_a_reason() -> None:
    import_all_services()
    ours = {
        name: each.function for name, each in services().items() if not each.function.__module__.startswith("tests.")
    }
    kinds = {kind.code: kind for kind in exception_kinds()}
    counted = {kind.command for kind in kinds.values()} | set(READ)
    taking_back = {name for name, function in ours.items() if takes_back(name, function)}

    assert set(READ.values()) <= set(kinds)
    assert taking_back - counted == left_out(), "count them in an `exception_kinds.py`, or say why not in the readings"


@pytest.mark.slow
def test_each_command_that_takes_something_back_is_counted_by_who_gave_it(
    house: House, vera: Officer, settings: Any
) -> None:
    settings.PHONE_URL = "https://phones.example"
    # The exchange, the voucher and the sale are taken back in tests of their own.
    kinds = {kind.command: kind.code for kind in exception_kinds() if kind.command in ACTS and kind.may}
    names = dict(Staff.objects.values_list("id", "display_name"))
    evening = Evening(house)
    found, done = {}, {}
    for command, code in kinds.items():
        at = house.at
        with undone():
            ACTS[command](evening)()
            events = Event.objects.filter(name=command, result="done")
            done[command] = {names[event.staff_id or 0]: 1 for event in events}
            found[command] = {name: count for name, (count, *_rest) in cases_by_name(vera.reads(), code).items()}
        house.at = at

    assert found == done
    assert all(len(each) == 1 for each in done.values()), done
    assert set(kinds) >= {
        "boxes.take_back", "cage.cancel_slip", "jackpot.correct_sum", "jackpot.withdraw_claim",
        "promotions.take_back_decision", "promotions.take_back_hand", "promotions.take_back_splash",
        "promotions.call_off_period", "tables.put_pot_back", "tables.take_back_closed_tips",
        "tables.take_back_leaving", "tables.take_back_move", "tables.take_back_seat_change",
        "waiting.take_back_call", "waiting.take_back_strike",
    }  # fmt: skip


@pytest.mark.slow
def test_a_box_that_is_carried_uncounted_is_an_exception_of_both_who_closed_over_it(
    house: House, vera: Officer
) -> None:
    night = bad_night(house)
    night.house.close_day()
    assert cases_by_name(vera.reads(), "boxes_put_off") == {}
    night.close_counts(carrying=[carried(f"box.{night.waits.pk}", "under_seal")])

    found = vera.reads()
    assert {name: count for name, (count, *_rest) in cases_by_name(found, "boxes_put_off").items()} == {
        "Mari": 1,
        "Olavi": 1,
    }
    # It is one box, whoever signed.
    assert of(found, "boxes_put_off").room.count == 1
    for who in (house.cast.mari, house.cast.olavi):
        (case,) = vera.behind("boxes_put_off", who)
        assert case.words == "Jackpot box 8 (table 1), not counted: It lies under seal, and is counted later"
        assert (case.at, case.chain) == (house.at, "day")
    assert vera.behind("boxes_put_off", house.cast.frans) == []
    file = vera.get("/reports/exceptions/exceptions.csv").content.decode()
    assert "boxes_put_off,Boxes carried over uncounted" in file


def test_a_new_command_that_takes_something_back_would_be_seen() -> None:
    def plain() -> None:
        """Note a roll."""

    def says_so() -> None:
        """Take a roll that was noted back."""

    def carries(*, carrying: str = "") -> None:
        """Note a roll."""

    for name in ("take_back_roll", "undo_roll", "void_roll", "roll_back", "correct_roll", "reverse_roll"):
        assert takes_back(f"tables.{name}", plain)
    assert takes_back("tables.roll", says_so)
    assert takes_back("tables.roll", carries)
    assert not takes_back("tables.note_backing", plain)
