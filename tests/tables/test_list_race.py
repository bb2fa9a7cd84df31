"""Two who join a list at once get places of their own: whoever comes second waits for the list."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.lists import join_list
from tests.cast import command
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house

pytestmark = [pytest.mark.smoke, pytest.mark.rule("H2.4")]


@pytest.fixture
def house(committing_db: object) -> House:
    """Return a house in which Timo waits already."""
    house = make_house()
    joining(house, "Timo")()
    return house


def joining(house: House, nickname: str) -> Callable[[], object]:
    arguments: dict[str, Any] = {"game_id": house.game().pk, "player_id": house.player(nickname).pk}
    return lambda: join_list(command(house.cast.frans, at=house.at), **arguments)


def places() -> list[int]:
    return list(Waiting.objects.order_by("id").values_list("place", flat=True))


def test_two_who_join_at_once_stand_one_behind_the_other(house: House) -> None:
    meet(joining(house, "Mika"), joining(house, "Jo"))

    timo, mika, jo = places()
    assert timo < mika < jo
    connection.close()


def test_without_the_lists_lock_they_would_stand_at_one_place(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    without_lock(monkeypatch, WaitingList)

    meet(joining(house, "Mika"), joining(house, "Jo"))

    timo, mika, jo = places()
    assert timo < mika == jo
    connection.close()
