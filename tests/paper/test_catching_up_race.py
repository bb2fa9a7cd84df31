"""Real threads, real connections: two who catch up the same sheet at once, and one who comes while a hand is logged."""

import pytest
from django.db import IntegrityError, connection

from casino.commands.carrying_out import Answer
from casino.ledger import proof
from casino.paper.errors import SheetCaughtUp
from casino.paper.models import CaughtUp
from tables.models import Hand, Table
from tests.paper.catching import HandLine, Outage
from tests.support.locks import at_once, meet, without_lock
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke


@pytest.fixture
def racing(committing_db: object) -> House:
    house = make_house()
    house.open(1, Lee=1, Kai=2)
    return house


@pytest.mark.slow
def test_of_two_who_catch_up_the_same_sheet_one_is_told_that_it_was_done(racing: House) -> None:
    outage = Outage(racing)
    staff, dealers = [racing.cast.frans, racing.cast.mari], ["anna", "dan"]
    lines = (HandLine(1, 1, {"rake": 4_00}), HandLine(2, 2, {"rake": 2_00}))

    answers = at_once(2, lambda index: outage.enter(by=staff[index], dealer=dealers[index], hands=2, lines=lines))

    assert {type(each) for each in answers} == {Answer, SheetCaughtUp}
    assert CaughtUp.objects.count() == 1
    assert Hand.objects.filter(from_sheet=outage.sheet).count() == 2
    assert racing.boxes()["rake"][0] == 6_00
    assert not list(proof.problems(racing.room_id))
    connection.close()


@pytest.mark.slow
def test_without_the_tables_lock_only_the_database_would_keep_its_hands_from_being_entered_twice(
    racing: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    outage, line = Outage(racing), HandLine(1, 1, {"rake": 4_00})
    without_lock(monkeypatch, Table)

    with pytest.raises(IntegrityError, match="hand_numbered_once_per_table"):
        meet(
            lambda: outage.enter(hands=1, lines=(line,)),
            lambda: outage.enter(by=racing.cast.mari, dealer="dan", hands=1, lines=(line,)),
        )

    assert CaughtUp.objects.count() == 1
    connection.close()
