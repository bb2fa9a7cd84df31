"""
An app of its own folder has its tile, its figure, its desk, its permission, its accounts and what keeps a day open, and
is pushed: nothing else knows it.
"""

from importlib import import_module

import pytest
from django.apps import AppConfig

from casino.audit.models import Event
from casino.cage import open_items
from casino.cage.days import close_day
from casino.cage.errors import DayNotFinished
from casino.commands import carrying_out
from casino.errors import NotPermitted
from casino.ledger.chart import CHART
from casino.ledger.proof import problems
from casino.ledger.selectors import TrialRow, trial_balance
from casino.ledger.services import open_accounts
from casino.live import areas
from casino.live.render import fragment
from casino.people import desks, permissions
from casino.people.selectors import actor_at_desktop
from tests.cast import command
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house with the bar in it, as Django sets an app up; without it again afterwards."""
    for known in (areas.TILES, areas.WALL, areas.FELT, areas.PERSON):
        monkeypatch.setattr(known, "_givers", [*known._givers])
        monkeypatch.setattr(known, "news", known.news)
    monkeypatch.setattr(carrying_out, "_services", {**carrying_out._services})
    monkeypatch.setitem(CHART, "bar", CHART["house"])
    del CHART["bar"]
    monkeypatch.setattr(open_items, "_kinds", {**open_items._kinds})
    monkeypatch.setattr(desks, "_desks", [*desks._desks])
    for name in ("bar.pour", "page.bar"):
        monkeypatch.setitem(permissions.MAY, name, permissions.FLOOR)
        del permissions.MAY[name]
    import_module("tests.made_up.allows")
    AppConfig.create("tests.made_up").ready()
    return make_house()


def test_a_made_up_app_is_shown_pushed_and_permitted(house: House) -> None:
    from tests.made_up.services import pour

    house.open(2, Lee=1)
    open_accounts(house.cast.room, "bar", house.room_id)
    screens = ("floor", "lobby", "table.2.dealer")
    assert all("0 glasses tonight" in fragment(house.room_id, screen, "en").html for screen in screens)

    house.tap(pour, table_number=2)

    # Pushed: its event names each of the screens that show it, and no other.
    assert set(Event.objects.latest("id").audiences) == {*screens}
    assert all("1 glasses tonight" in fragment(house.room_id, screen, "en").html for screen in screens)
    card = at_desktop(house.cast.carla).get(f"/cage/players/{house.player('Lee').pk}/")
    assert "1 glasses tonight" in card.content.decode()

    # Permitted, and its desk is there, for whom it declares.
    assert [desk.path for desk in desks.desks_of(actor_at_desktop(house.cast.frans))].count("/bar/") == 1
    assert "/bar/" not in [desk.path for desk in desks.desks_of(actor_at_desktop(house.cast.carla))]
    with pytest.raises(NotPermitted):
        pour(command(house.cast.carla, at=house.at), table_number=2)

    # Its money stands in the ledger by its own words, and what it has open keeps the day open.
    ledger = at_desktop(house.cast.olavi).get("/ledger/").content.decode()
    assert all(words in ledger for words in ("Bar", "money in the till", "paid for drinks"))
    in_till, drunk = trial_balance(house.room_id)[-2:]
    assert in_till == TrialRow("bar", "till", "money", "EUR", accounts=1, cents=5_00)
    assert drunk == TrialRow("bar", "drunk", "money", "EUR", accounts=1, cents=-5_00)
    assert list(problems(house.room_id)) == []
    with pytest.raises(DayNotFinished) as refused:
        house.tap(close_day, house.cast.mari)
    assert "glasses of table 2" in str(refused.value)
