"""Absence where the house is not Helsinki's: no long break, and its own clauses read aloud."""

import pytest

from casino.live.areas import TODO
from casino.rooms.models import RuleBookVersion
from casino.rulebooks import text_of
from tables.errors_houses import NoLongBreak
from tables.models import Opening
from tables.selectors.absences import away_of
from tables.selectors.dealer import dealer_screen
from tables.services.absence_limits import set_long_break
from tables.services.closing import announce_last_orbit
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_absence import later
from tests.tables.test_missed_blinds import Evening
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.django_db


def run_by(house: House, book: str) -> None:
    """Have the room, and what is open there, run by another house's book; its games stay."""
    room = house.cast.room
    number = RuleBookVersion.objects.filter(room=room).latest("number").number + 1
    version = RuleBookVersion.objects.create(
        room=room, book=book, number=number, text=text_of(book), digest="0" * 64, holds_from=house.at
    )
    with as_owner():
        Opening.objects.update(rule_book_version_id=version.pk)


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


@pytest.mark.parametrize(("book", "clause"), [("royal", "R-§4"), ("unibet", "U35")])
@pytest.mark.rule("R-§4", "U35", "U34")
def test_a_house_without_a_long_break_offers_none_and_refuses_by_its_own_clause(evening, book, clause):
    house = evening.house
    run_by(house, book)
    seating = evening.seating(4)
    frans = at_desktop(house.cast.frans)

    with pytest.raises(NoLongBreak):
        house.tap(set_long_break, table_id=evening.table.pk, seating_id=seating.pk)
    answer = tap(frans, f"/floor/tables/1/seatings/{seating.pk}/long-break/", has_break="1", on="floor")
    sheet = frans.get("/floor/tables/1/seats/4/sheet/", headers={"HX-Request": "true"}).content.decode()

    assert answer.status_code == 422
    assert clause in answer.content.decode()
    assert "H1.9" not in answer.content.decode()
    assert "long-break" not in sheet
    assert not dealer_screen(room_id=house.room_id, number=1).has_long_break
    assert away_of(seating, house.table().opening).had_long_break
    evening.seating(4).refresh_from_db()
    assert not evening.seating(4).is_held


def test_the_to_do_says_whose_clause_limits_an_absence(evening):
    house = evening.house
    run_by(house, "unibet")
    evening.hold(4, is_held=True)
    later(house, 11)

    reasons = [line.reason for line in TODO.gather(room_id=house.room_id) if line.key.startswith("away.")]

    assert {reason.partition(":")[0] for reason in reasons} == {"U35"}


def test_helsinki_has_its_long_break(evening):
    sheet = at_desktop(evening.house.cast.frans).get("/floor/tables/1/seats/4/sheet/", headers={"HX-Request": "true"})

    assert "long-break" in sheet.content.decode()
    assert dealer_screen(room_id=evening.house.room_id, number=1).has_long_break


def test_sheets_cite_the_house_whose_table_it_is(evening):
    house = evening.house
    run_by(house, "royal")
    evening.hold(4, is_held=True)
    frans = at_desktop(house.cast.frans)

    def sheet(path: str) -> str:
        return frans.get(f"/floor/tables/1/{path}", headers={"HX-Request": "true"}).content.decode()

    over = sheet(f"seatings/{evening.seating(4).pk}/over/sheet/")
    house.tap(announce_last_orbit, table_id=evening.table.pk, hands=0)
    close, free = sheet("close/sheet/"), sheet("seats/9/sheet/")

    assert "With the floor’s leave" in over
    assert "The last orbit is announced" in free
    assert not any(clause in html for html in (over, close, free) for clause in ("H4.48:", "H2.22:", "H2.10:"))
