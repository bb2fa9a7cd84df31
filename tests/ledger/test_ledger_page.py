"""The ledger page: sums by kind, accounts by place, postings by page and day."""

import io
import zipfile

import pytest
from django.db.models import F
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from casino.cage import services
from casino.cage.models import DrawerSession
from casino.ledger.models import Account
from tests.cage.conftest import desk
from tests.cage.desk import CageDesk
from tests.cage.foreign import notes, rate
from tests.cage.test_paying import buy
from tests.cast import command
from tests.support.owner import as_owner
from tests.taps import at_desktop

__all__ = ["desk"]

pytestmark = pytest.mark.two_houses


@pytest.fixture
def olavi(desk: CageDesk) -> Client:
    return at_desktop(desk.cast.olavi)


def account(kind: str) -> Account:
    return Account.objects.get(owner_kind="drawer", kind=kind)


def test_the_page_adds_up_and_names_the_places(desk: CageDesk, olavi: Client) -> None:
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)

    page = olavi.get("/ledger/").content.decode()

    assert "adds up to zero" in page
    assert "Drawer 1" in page
    assert "Player Lee" in page


def test_an_accounts_postings_come_by_pages_newest_first(desk: CageDesk, olavi: Client) -> None:
    for euros in range(1, 45):
        buy(desk, euros * 100)
    path = f"/ledger/accounts/{account('hands').pk}/"

    first, second = (olavi.get(path, {"page": page}).content.decode() for page in (1, 2))

    assert "Page 1" in first
    assert "Older" in first
    assert "990,00" in first
    assert "Page 2" in second
    assert "Older" not in second
    assert "6,00" in second


def test_the_day_filter_leaves_other_days_out(desk: CageDesk, olavi: Client) -> None:
    buy(desk, 77_00)
    path = f"/ledger/accounts/{account('hands').pk}/"
    day = desk.cast.room.gamingday_set.get()

    assert "77,00" in olavi.get(path, {"day": day.pk}).content.decode()
    assert "Nothing was posted here" in olavi.get(path, {"day": day.pk + 1}).content.decode()


def test_an_address_typed_wrongly_shows_everything(desk: CageDesk, olavi: Client) -> None:
    path = f"/ledger/accounts/{account('hands').pk}/"

    assert olavi.get(path, {"day": "x", "page": "-1"}).status_code == 200
    assert olavi.get("/ledger/accounts/999999/").status_code == 404


def test_a_cashier_does_not_read_the_ledger(desk: CageDesk) -> None:
    assert at_desktop(desk.carla).get("/ledger/").status_code == 403


def test_the_page_asks_few_queries_however_many_accounts(
    desk: CageDesk, olavi: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for player in list(desk.cast.players.values())[:5]:
        services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=player.pk, amount_cents=1_00)

    with django_assert_max_num_queries(10):
        olavi.get("/ledger/")


@pytest.mark.parametrize("pays", [pytest.param(False, marks=pytest.mark.slow), True])
def test_who_pays_out_of_an_open_drawer_reads_its_figures_nowhere(desk: CageDesk, pays: bool) -> None:
    mari, room_id = desk.cast.mari, desk.cast.room.pk
    by, reader = (mari, mari) if pays else (desk.carla, desk.cast.olavi)
    services.buy_in(command(by), drawer_id=desk.drawer_id, amount_cents=137_00, method="cash", player_id=desk.lee.pk)
    rate(desk.cast.mari)
    buy(desk, 87_00, "foreign", foreign=notes((1000, 1)))
    cash = Account.objects.get(owner_kind="drawer", owner_id=desk.drawer_id, kind="cash")
    figure = f"{cash.balance_cents // 100},{cash.balance_cents % 100:02}"[-6:]
    client = at_desktop(reader)

    ledger = client.get("/ledger/").content.decode()
    listed = client.get("/api/v1/ledger/accounts?owner_kind=drawer&kind=cash").json()
    trial = [row for row in client.get("/api/v1/ledger/trial-balance").json() if row["owner_kind"] == "drawer"]
    reads = [client.get(path).status_code
             for path in (f"/ledger/accounts/{cash.pk}/", f"/api/v1/ledger/accounts/{cash.pk}/postings")]  # fmt: skip
    report = client.get("/api/v1/reports/day").json()

    assert (figure in ledger, "counted blind" in ledger) == (not pays, pays)
    assert [row["balance_cents"] for row in listed] == [None if pays else cash.balance_cents]
    assert {row["cents"] is None for row in trial} == {pays}
    assert reads == ([403, 403] if pays else [200, 200])
    assert [report[part] == [] for part in ("trial", "slips", "foreign_notes")] == [pays] * 3
    # Where there is one drawer, what players bought and were paid is what was sold and paid there.
    assert {row["bought_in_cents"] is None for row in report["players"]} == {pays}
    shown, written = (client.get(path).content.decode() for path in ("/reports/", "/reports/day.csv"))
    assert [title in written for title in ("\r\ntrial", "Slips of the cage", "SEK")] == [not pays] * 3
    assert ["Bought in" in shown, ",13700" in written] == [not pays] * 2
    with zipfile.ZipFile(io.BytesIO(client.get("/reports/day.xlsx").content)) as book:
        texts = book.read("xl/sharedStrings.xml").decode()
    assert ("Bought in" in texts) is not pays
    assert {"counted blind" in text for text in (shown, written, report["left_out"], texts)} == {pays}
    # Once it is closed there is nothing to be blind of.
    with as_owner():
        DrawerSession.objects.filter(drawer__room_id=room_id).update(
            closed_at=F("opened_at"), closed_by=mari, closed_day=F("day")
        )
    assert client.get(f"/ledger/accounts/{cash.pk}/").status_code == 200
