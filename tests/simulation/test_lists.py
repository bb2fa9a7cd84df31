"""The floor's paper beside the house's lists: what explains a difference, and what does not."""

from datetime import UTC, datetime

import pytest

from casino.simulation.broken import Broken
from casino.simulation.felt import Player
from casino.simulation.lists import Lists, Says, Wait, WaitRow

GAME = 5
AT = datetime(2026, 11, 20, 20, 0, tzinfo=UTC)


@pytest.fixture
def lists() -> Lists:
    made = Lists()
    for number in (1, 2, 3):
        made.joins(GAME, Wait(number, Player(number * 10, f"Guest {number}")))
    return made


def row(number: int, status: str = "waiting", **more) -> WaitRow:
    kept = {"why": "", "missed_calls": 0, "version": 1, "called_to": None, "until": None, **more}
    return WaitRow(id=number, game=GAME, player=number * 10, status=status, **kept)


def follow(lists: Lists, *rows: WaitRow) -> None:
    lists.follow(rows, ran_out=lambda until: until <= AT)


def order(lists: Lists) -> list[int]:
    return [wait.id for _, wait in lists.live()]


def test_what_agrees_stays_and_a_seat_takes_a_player_off(lists):
    follow(lists, row(1), row(2, "seated", why="table_4"), row(3))

    assert order(lists) == [1, 3]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((row(2), row(1), row(3)), id="two have changed places"),
        pytest.param((row(1), row(3)), id="one is lost"),
        pytest.param((row(1), row(2), row(3), row(4)), id="one has come from nowhere"),
        pytest.param((row(1, "struck", why="by_tap"), row(2), row(3)), id="one is struck and nobody has tapped"),
        pytest.param((row(1, "called", called_to=(4, 2), until=AT), row(2), row(3)), id="one is called by nobody"),
    ],
)
def test_what_nothing_explains_is_broken(lists, rows):
    with pytest.raises(Broken, match="explained"):
        follow(lists, *rows)


@pytest.mark.parametrize(("until", "is_explained"), [(AT, True), (AT.replace(minute=1), False)])
def test_time_strikes_who_was_called_once_the_call_is_over(lists, until, is_explained):
    called = lists.entries[GAME][0]
    called.status, called.called_to, called.until = "called", (4, 2), until
    rows = row(1, "struck", why="call_ran_out"), row(2), row(3)

    if is_explained:
        follow(lists, *rows)
        assert order(lists) == [2, 3]
    else:
        with pytest.raises(Broken):
            follow(lists, *rows)


@pytest.mark.rule("H2.6")
def test_who_goes_to_the_bottom_is_there_on_paper_too(lists):
    called = lists.entries[GAME][0]
    called.status, called.called_to, called.until = "called", (4, 2), AT

    follow(lists, row(2), row(3), row(1, missed_calls=1))

    assert order(lists) == [2, 3, 1]
    assert lists.promised(4) == {}


def test_who_is_put_back_has_the_old_place(lists):
    first = lists.entries[GAME][0]
    first.ends("struck")
    follow(lists, row(2), row(3))

    first.waits_again()

    assert order(lists) == [1, 2, 3]


@pytest.mark.rule("H2.6")
@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"until": AT.replace(minute=9)}, id="nobody has granted more time"),
        pytest.param({"says": Says(is_on_the_way=True)}, id="nobody has said to be on the way"),
        pytest.param({"says": Says(is_refused=True)}, id="nobody has refused more time"),
    ],
)
def test_a_call_that_changes_by_itself_is_broken(lists, more):
    called = lists.entries[GAME][0]
    called.status, called.called_to, called.until = "called", (4, 2), AT
    rest = row(2), row(3)
    follow(lists, row(1, "called", called_to=(4, 2), until=AT), *rest)

    with pytest.raises(Broken, match="as the floor and the player have said"):
        follow(lists, row(1, "called", called_to=(4, 2), **{"until": AT, **more}), *rest)
