"""An inquiry that is opened while time removes what is due."""

from datetime import timedelta

import pytest

from casino import clock
from casino.people.models import Inquiry, Note, Player
from casino.people.services import open_inquiry
from casino.people.tasks import forget
from tables.services.incidents import write_incident
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.smoke
REMARK = "threw the cards"


@pytest.fixture
def house(committing_db: object) -> House:
    return make_house()


def left_of_the_note(house: House) -> str:
    """Have time remove what is due while an inquiry is open and not yet committed; return what then is left."""
    house.open(1, Lee=1, Kai=2)
    player_id = house.player("Lee").pk
    house.tap(write_incident, kind="ruling", player_ids=[player_id], table_id=house.table_id(), text=REMARK)
    house.at += timedelta(days=1_900)

    with clock.frozen(house.at):
        # The task waits for nobody: it skips whom another has locked.
        meet(lambda: house.tap(open_inquiry, house.cast.mari, player_id=player_id), forget, waits=False)

    assert Inquiry.objects.get().player_id == player_id
    return Note.objects.get().text


def test_nothing_goes_of_whom_an_inquiry_is_just_being_opened_about(house: House) -> None:
    assert left_of_the_note(house) == REMARK


def test_without_the_players_lock_it_would(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    without_lock(monkeypatch, Player)

    assert left_of_the_note(house) == ""
