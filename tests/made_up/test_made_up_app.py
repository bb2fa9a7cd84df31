"""
An app of its own folder has its addresses, its tile, its figure, its desk, its permission, its accounts and what keeps
a day open, and is pushed: nothing else knows it, but the list of what is installed.
"""

import importlib
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from uuid import uuid4

import pytest
from django.apps import AppConfig, apps
from django.conf import settings
from django.template.utils import get_app_template_dirs
from django.urls import clear_url_caches
from django.utils.module_loading import autodiscover_modules

import casino.api_urls
import casino.urls
from casino.audit import sentences
from casino.audit.models import Event
from casino.cage import open_items
from casino.cage.errors_days import DayNotFinished
from casino.cage.services import close_day
from casino.commands import carrying_out
from casino.errors import NotPermitted
from casino.ledger.chart import CHART
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import TrialRow, trial_balance
from casino.ledger.services import open_accounts
from casino.live import areas
from casino.live.audiences import heard_by
from casino.live.render import fragment
from casino.people import desks, permissions
from casino.people.models import Staff
from casino.people.selectors import actor_at_desktop
from tests.cast import command, make_cast
from tests.conftest import Database
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop, tap

SCREENS = ("floor", "lobby", "table.2.dealer")


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house with the bar among its apps, as Django sets an installed one up; without it again afterwards."""
    for known in (areas.TILES, areas.WALL, areas.FELT, areas.PERSON):
        monkeypatch.setattr(known, "_givers", [*known._givers])
        monkeypatch.setattr(known, "news", known.news)
    for owner, known_there in (
        (carrying_out, "_services"), (open_items, "_kinds"), (sentences, "_texts"), (apps, "app_configs"),
    ):  # fmt: skip
        monkeypatch.setattr(owner, known_there, {**getattr(owner, known_there)})
    monkeypatch.setitem(CHART, "bar", CHART["house"])
    del CHART["bar"]
    monkeypatch.setattr(desks, "_desks", [*desks._desks])
    for name in ("bar.pour", "page.bar"):
        monkeypatch.setitem(permissions.MAY, name, permissions.FLOOR)
        del permissions.MAY[name]
    bar = AppConfig.create("tests.made_up")
    bar.apps = apps
    apps.app_configs["bar"] = bar
    # What the people's app does for each that is installed; then its own `ready()`, and the project's addresses.
    for module in ("allows", "sentences"):
        # What a test before this one installed is uninstalled by now.
        sys.modules.pop(f"tests.made_up.{module}", None)
    autodiscover_modules("allows")
    autodiscover_modules("sentences")
    bar.ready()
    importlib.import_module("tests.made_up.push").glasses.clear()
    _read_addresses()
    yield make_house()
    del apps.app_configs["bar"]
    _read_addresses()
    permissions._may_of.cache_clear()
    heard_by.cache_clear()


def _read_addresses() -> None:
    """Have the project's lists of addresses be read as they are when a process starts."""
    importlib.reload(casino.api_urls)
    importlib.reload(casino.urls)
    clear_url_caches()
    get_app_template_dirs.cache_clear()  # type: ignore[attr-defined]  # Django caches it


def test_a_made_up_tile_is_shown_and_pushed(house: House) -> None:
    house.open(2, Lee=1)
    open_accounts(house.cast.room, "bar", house.room_id)
    frans = at_desktop(house.cast.frans)
    assert all("0 glasses tonight" in fragment(house.room_id, screen, "en").html for screen in SCREENS)

    assert tap(frans, "/bar/pour/", table_number="2").headers["HX-Redirect"] == "/bar/"

    # Its event names each of the screens that show it, and no other.
    assert set(Event.objects.latest("id").audiences) == {*SCREENS}
    assert all("1 glasses tonight" in fragment(house.room_id, screen, "en").html for screen in SCREENS)
    card = at_desktop(house.cast.carla).get(f"/cage/players/{house.player('Lee').pk}/")
    assert "1 glasses tonight" in card.content.decode()
    log = at_desktop(house.cast.olavi).get("/log/?name=bar.pour").content.decode()
    assert "A glass was poured for table 2." in log


def test_a_made_up_permission_opens_a_page_a_tap_a_call_and_a_desk_to_whom_it_is_given(house: House) -> None:
    from tests.made_up.services import pour

    house.open(2, Lee=1)
    open_accounts(house.cast.room, "bar", house.room_id)
    frans, carla = at_desktop(house.cast.frans), at_desktop(house.cast.carla)

    assert "0 glasses tonight" in frans.get("/bar/").content.decode()
    assert (carla.get("/bar/").status_code, tap(carla, "/bar/pour/", table_number="2").status_code) == (403, 403)
    assert tap(frans, "/bar/pour/", table_number="x").status_code == 400
    call: dict[str, Any] = {"data": {"table_number": 2}, "content_type": "application/json"}
    assert carla.post("/api/v1/bar/pour", **call).status_code == 403
    assert frans.post("/api/v1/bar/pour", **call, headers={"Idempotency-Key": str(uuid4())}).status_code == 200
    assert [desk.path for desk in desks.desks_of(actor_at_desktop(house.cast.frans))].count("/bar/") == 1
    assert "/bar/" not in [desk.path for desk in desks.desks_of(actor_at_desktop(house.cast.carla))]
    with pytest.raises(NotPermitted):
        pour(command(house.cast.carla, at=house.at), table_number=2)


def test_what_a_made_up_app_has_open_and_in_its_till_is_in_the_ledger_and_keeps_the_day_open(house: House) -> None:
    house.open(2, Lee=1)
    open_accounts(house.cast.room, "bar", house.room_id)
    tap(at_desktop(house.cast.frans), "/bar/pour/", table_number="2")

    ledger = at_desktop(house.cast.olavi).get("/ledger/").content.decode()
    assert all(words in ledger for words in ("Bar", "money in the till", "paid for drinks"))
    in_till, drunk = trial_balance(house.room_id)[-2:]
    assert in_till == TrialRow("bar", "till", "money", "EUR", accounts=1, cents=5_00)
    assert drunk == TrialRow("bar", "drunk", "money", "EUR", accounts=1, cents=-5_00)
    assert list(problems(house.room_id)) == []
    with pytest.raises(DayNotFinished) as refused:
        house.tap(close_day, house.cast.mari)
    assert "glasses of table 2" in str(refused.value)


@pytest.mark.slow
def test_an_app_that_is_installed_needs_no_other_line(
    committing_db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real process, whose settings are the house's own but for one more entry of `INSTALLED_APPS`."""
    cast = make_cast()
    server = _WithBar(database_url=committing_db.url, redis_url=os.environ["REDIS_URL"], folder=tmp_path)
    # Sessions that are made here are its own.
    monkeypatch.setattr(settings, "SECRET_KEY", server.env["BRUSH_SECRET_KEY"])
    server.start()
    try:
        assert "0 glasses tonight" in server.read("/bar/", cast.frans)
        assert 'href="/bar/"' in (on_map := server.read("/floor/", cast.frans))
        assert "0 glasses tonight" in on_map
        with pytest.raises(HTTPError, match="403"):
            server.read("/bar/", cast.carla)
        assert "/api/v1/bar/pour" in server.read("/api/schema/", cast.frans)
    finally:
        server.stop()


class _WithBar(BrushServer):
    """A web process of that house: a cold one, for a warm one has its apps already."""

    def _spawn(self, name: str, command: list[str]) -> Any:
        env = self.env | {"BRUSH_PROCESS": name, "DJANGO_SETTINGS_MODULE": "tests.made_up.settings"}
        with self.log_file.open("ab") as log:
            return subprocess.Popen(command, env=env, stdout=log, stderr=log)

    def read(self, path: str, staff: Staff) -> str:
        """Return a page as this person is shown it."""
        session = at_desktop(staff).cookies[settings.SESSION_COOKIE_NAME].value
        request = urllib.request.Request(
            self.url + path, headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}", "Accept-Language": "en"}
        )
        with urllib.request.urlopen(request) as answer:
            return str(answer.read().decode())
