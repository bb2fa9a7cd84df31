"""A phone answers at the very moment at which its call runs out."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError

from casino.commands.carrying_out import Actor, Command
from casino.people.models import PlayerPass
from casino.people.passes import actor_of_pass
from casino.people.permissions import Role, may_of
from casino.people.services import give_pass
from casino.waiting.errors import NotOnList
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services.after_call import let_call_run_out
from casino.waiting.services.answers import drop_by_phone
from casino.waiting.services.lists import call_player, join_list
from tests.support.locks import meet, without_lock
from tests.tables.conftest import make_house

pytestmark = pytest.mark.smoke


@dataclass
class Call:
    """Mika is called to seat 5, and his call has just run out."""

    waiting_id: int
    phone: Actor
    at: datetime

    def ends(self, *, by_time: bool) -> None:
        """Let him say by phone that he does not come, or else time end his call."""
        time = Actor(room_id=self.phone.room_id, staff_id=None, may=may_of({Role.TIME}))
        by, service = (time, let_call_run_out) if by_time else (self.phone, drop_by_phone)
        service(Command(id=uuid.uuid4(), by=by, tapped_at=self.at, at=self.at), waiting_id=self.waiting_id)


@pytest.fixture
def call(committing_db: object, settings: object) -> Call:
    settings.PHONE_URL = "https://phones.example"  # type: ignore[attr-defined]  # pytest-django's fixture
    house = make_house()
    table = house.open(1)
    mika = house.player("Mika")
    house.tap(give_pass, player_id=mika.pk)
    phone = actor_of_pass(PlayerPass.objects.select_related("room").get())
    entry = house.tap(join_list, game_id=house.game().pk, player_id=mika.pk).data["waiting"]
    house.tap(call_player, waiting_id=entry, table_id=table.pk, seat_number=5)
    return Call(entry, phone, house.at + timedelta(minutes=4))


@pytest.mark.rule("H2.6")
@pytest.mark.parametrize(("by_time_first", "status"), [(False, "dropped"), (True, "struck")])
def test_a_call_ends_once_whether_by_the_player_or_by_time(call: Call, by_time_first: bool, status: str) -> None:
    with pytest.raises(NotOnList):
        meet(lambda: call.ends(by_time=by_time_first), lambda: call.ends(by_time=not by_time_first))

    assert Waiting.objects.get().status == status


@pytest.mark.slow
def test_without_the_lists_lock_only_the_database_would_end_it_once(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_lock(monkeypatch, WaitingList)

    with pytest.raises(IntegrityError, match="waiting_ends_once"):
        meet(lambda: call.ends(by_time=False), lambda: call.ends(by_time=True))
