"""Twenty people for one seat."""

from collections import Counter
from typing import Any

import pytest
from django.db import IntegrityError

from casino.commands.carrying_out import Answer
from casino.people.services import add_player
from tables.models import Seating, Table
from tables.services.seating import seat_player
from tests.cast import command
from tests.support.locks import at_once, codes, meet, without_lock
from tests.tables.conftest import make_house

pytestmark = pytest.mark.smoke

THREADS = 20


def test_twenty_players_race_for_one_seat_and_one_sits(committing_db: object) -> None:
    house = make_house()
    table = house.open(1)
    players = [house.tap(add_player, nickname=f"Racer {n}").data["player_id"] for n in range(THREADS)]
    sits: dict[str, Any] = {"table_id": table.pk, "seat_number": 5, "chips_cents": 200_00}

    answers = at_once(
        THREADS,
        lambda index: seat_player(command(house.cast.frans, at=house.at), player_id=players[index], **sits),
    )

    assert sorted(codes(answers)) == ["done", *["seat_taken"] * (THREADS - 1)]
    assert Seating.objects.filter(table=table, seat_number=5, left_at=None).count() == 1
    assert house.figures()["in_play"] == 200_00


def test_twenty_taps_with_one_command_id_seat_once(committing_db: object) -> None:
    house = make_house()
    table = house.open(1)
    tap, player_id = command(house.cast.frans, at=house.at), house.player("Lee").pk

    answers = at_once(
        THREADS,
        lambda _: seat_player(tap, table_id=table.pk, seat_number=5, player_id=player_id, chips_cents=200_00),
    )

    assert Counter(each.is_replay if isinstance(each, Answer) else each for each in answers) == {
        False: 1, True: THREADS - 1,
    }  # fmt: skip
    assert house.figures()["in_play"] == 200_00


@pytest.mark.slow
def test_without_the_tables_lock_only_the_database_would_keep_two_from_one_seat(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = make_house()
    table_id = house.open(1).pk
    without_lock(monkeypatch, Table)

    def sits(nickname: str) -> None:
        arguments: dict[str, Any] = {"table_id": table_id, "seat_number": 5, "chips_cents": 200_00}
        seat_player(command(house.cast.frans, at=house.at), player_id=house.player(nickname).pk, **arguments)

    with pytest.raises(IntegrityError, match="seating_one_player_per_seat"):
        meet(lambda: sits("Lee"), lambda: sits("Kai"))

    assert Seating.objects.get().player.nickname == "Lee"
