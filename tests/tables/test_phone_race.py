"""A phone answers at the very moment at which its call runs out."""

import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection, connections

from casino.commands.carrying_out import Actor, Command
from casino.errors import Refusal
from casino.people.models import PlayerPass
from casino.people.passes import actor_of_pass
from casino.people.permissions import Role, may_of
from casino.people.services import give_pass
from casino.waiting.models import Waiting
from casino.waiting.services.after_call import let_call_run_out
from casino.waiting.services.answers import drop_by_phone
from casino.waiting.services.lists import call_player, join_list
from tests.tables.conftest import make_house

pytestmark = pytest.mark.smoke

PAIRS = 8


@pytest.mark.rule("H2.6")
def test_a_call_ends_once_whether_by_the_player_or_by_time(committing_db: object, settings: object) -> None:
    settings.PHONE_URL = "https://phones.example"  # type: ignore[attr-defined]  # pytest-django's fixture
    house = make_house()
    table = house.open(1)
    mika = house.player("Mika")
    house.tap(give_pass, player_id=mika.pk)
    phone = actor_of_pass(PlayerPass.objects.select_related("room").get())
    time = Actor(room_id=house.room_id, staff_id=None, may=may_of({Role.TIME}))
    entry = house.tap(join_list, game_id=house.game().pk, player_id=mika.pk).data["waiting"]
    house.tap(call_player, waiting_id=entry, table_id=table.pk, seat_number=5)
    at = house.at + timedelta(minutes=4)
    start = Barrier(2 * PAIRS)

    def race(turn: int) -> str:
        by, service = ((phone, drop_by_phone), (time, let_call_run_out))[turn % 2]
        return ended_by(service, Command(id=uuid.uuid4(), by=by, tapped_at=at, at=at))

    def ended_by(service: Callable[..., object], command: Command) -> str:
        start.wait()
        try:
            service(command, waiting_id=entry)
        except Refusal as refused:
            return refused.code
        finally:
            connections.close_all()
        return "ended"

    with ThreadPoolExecutor(2 * PAIRS) as pool:
        ended = list(pool.map(race, range(2 * PAIRS)))

    assert ended.count("ended") == 1
    assert set(ended) <= {"ended", "not_on_list"}
    assert Waiting.objects.get().status in {"struck", "dropped"}
    connection.close()
