"""The ledger page: sums by kind, accounts by place, postings by page and day."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from casino.cage import services
from casino.ledger.models import Account
from tests.cage.desk import CageDesk, open_desk
from tests.cage.test_paying import buy
from tests.cast import command
from tests.taps import at_desktop


@pytest.fixture
def desk(db: None) -> CageDesk:
    return open_desk()


@pytest.fixture
def olavi(desk: CageDesk) -> Client:
    return at_desktop(desk.cast.olavi)


def account(kind: str) -> Account:
    return Account.objects.get(owner_kind="drawer", kind=kind)


def test_the_page_adds_up_and_names_the_places(desk: CageDesk, olavi: Client) -> None:
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)

    said = olavi.get("/ledger/").content.decode()

    assert "adds up to zero" in said
    assert "Drawer 1" in said
    assert "Player Lee" in said


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
