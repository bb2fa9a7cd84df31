"""A service of the tests' own, and the cast."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from casino.commands import carrying_out
from casino.commands.carrying_out import Answer, Command, Outcome, service
from casino.errors import NotFound
from casino.people.models import Player
from tests.cast import Cast, make_cast

NAME = "test.greet"


def greet(command: Command, *, nickname: str, times: int = 1, refuse: bool = False, crash: bool = False) -> Outcome:
    """Add a player, then refuse or crash if asked to, after having written."""
    player = Player.objects.create(room_id=command.room_id, nickname=nickname, created_at=command.at)
    if refuse:
        raise NotFound(what="table")
    if crash:
        raise ZeroDivisionError
    return Outcome(
        chain="table.4",
        data={"player_id": player.pk, "times": times},
        version=7,
        audiences=("floor", "table.4.dealer"),
        reveal={"secret": "shown once"},
    )


@pytest.fixture
def greeting() -> Iterator[Callable[..., Answer]]:
    run: Any = service(NAME, private=["nickname"])(greet)
    yield run
    del carrying_out._services[NAME]


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast()


@pytest.fixture
def committed_cast(committing_db: object) -> Cast:
    return make_cast()
