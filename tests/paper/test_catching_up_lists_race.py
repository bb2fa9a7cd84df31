"""Real threads, real connections: two who catch up the same sheet of the lists at once."""

import pytest
from django.db import connection

from casino.commands.carrying_out import Answer
from casino.paper.errors import SheetCaughtUp
from casino.paper.models import CaughtUp
from casino.waiting.models import Waiting
from tests.cage.desk import at_once
from tests.paper.test_catching_up_lists import Listed
from tests.tables.conftest import make_house

pytestmark = [pytest.mark.smoke, pytest.mark.slow]


def test_of_two_who_catch_up_the_same_lists_one_is_told_that_it_was_done(committing_db: object) -> None:
    listed = Listed(make_house())

    said = at_once(2, lambda _: listed.enter(listed.line(1, 5, "joined"), line_1="Riku"))

    assert {type(each) for each in said} == {Answer, SheetCaughtUp}
    assert CaughtUp.objects.count() == 1
    assert Waiting.objects.filter(player__nickname="Riku").count() == 1
    connection.close()
