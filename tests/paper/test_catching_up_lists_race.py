"""Real threads, real connections: two who catch up the same sheet of the lists at once, and what the lock is for."""

import pytest
from django.db import IntegrityError, connection

from casino.commands.carrying_out import Answer
from casino.paper.errors import SheetCaughtUp
from casino.paper.models import CaughtUp, SheetNumbers
from casino.waiting.models import Waiting
from tests.paper.test_catching_up_lists import Listed
from tests.support.locks import at_once, meet, without_lock
from tests.tables.conftest import make_house

pytestmark = [pytest.mark.smoke, pytest.mark.slow]


def test_of_two_who_catch_up_the_same_lists_one_is_told_that_it_was_done(committing_db: object) -> None:
    listed = Listed(make_house())

    answers = at_once(2, lambda _: listed.enter(listed.line(1, 5, "joined"), line_1="Riku"))

    assert {type(each) for each in answers} == {Answer, SheetCaughtUp}
    assert CaughtUp.objects.count() == 1
    assert Waiting.objects.filter(player__nickname="Riku").count() == 1
    connection.close()


def test_without_the_lock_nobody_would_be_told_that_it_was_done(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Listed(make_house())
    one, other = (listed.signed(listed.line(1, 5, "here"), line_1="Jo") for _ in range(2))
    without_lock(monkeypatch, SheetNumbers)

    # The table of sheets that were caught up has the last word.
    with pytest.raises(IntegrityError):
        meet(one, other)

    assert CaughtUp.objects.count() == 1
    connection.close()
