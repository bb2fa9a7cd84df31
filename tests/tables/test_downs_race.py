"""Two of the floor push two dealers in at one table: one deals, the other one is told, and no minute is of both."""

from contextlib import nullcontext
from functools import partial

import pytest
from django.db import IntegrityError, connection

from casino.errors import Stale
from casino.people.models import Staff
from tables.models import Down, Table
from tables.services.downs import push_dealer
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import tap_of


@pytest.fixture
def house(committing_db: object) -> House:
    """Return a house in which Anna and Dan are on shift as dealers."""
    return make_house()


@pytest.mark.parametrize("is_locked", [True, False])
def test_two_dealers_pushed_in_at_once(house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool) -> None:
    table = house.open(1, Lee=1, Kai=2)
    refused: list[type[Exception]] = []
    push = partial(push_dealer, table_id=table.pk)
    first = partial(push, tap_of(house), dealer_id=house.cast.anna.pk)
    second = partial(push, tap_of(house, "mari"), dealer_id=house.cast.dan.pk)
    if not is_locked:
        without_lock(monkeypatch, Table)

    def other() -> None:
        try:
            second()
        except (Stale, IntegrityError) as refusal:
            refused.append(type(refusal))

    meet(first, other)

    # Without the table's lock the database has the last word, and nobody a sentence.
    assert refused == [Stale if is_locked else IntegrityError]
    assert [down.dealer_id for down in Down.objects.filter(ended_at=None)] == [house.cast.anna.pk]
    connection.close()


@pytest.mark.parametrize("is_locked", [True, False])
def test_two_of_the_floor_swap_two_dealers_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    one, two, anna, dan = house.open(1), house.open(2), house.cast.anna, house.cast.dan
    deals = [
        house.tap(push_dealer, table_id=table.pk, dealer_id=dealer.pk).data["down"]
        for table, dealer in ((one, anna), (two, dan))
    ]
    first = partial(push_dealer, tap_of(house), table_id=two.pk, dealer_id=anna.pk, down_id=deals[1])
    second = partial(push_dealer, tap_of(house, "mari"), table_id=one.pk, dealer_id=dan.pk, down_id=deals[0])
    if not is_locked:
        without_lock(monkeypatch, Table)

    # Whoever comes second finds that nobody deals at table 1.
    with pytest.raises(Stale) if is_locked else nullcontext():
        meet(first, second)

    # Without the tables' lock, which is the downs' too, both downs that the first one ended end once more.
    ended = {down.ended_by_id for down in Down.objects.filter(id__in=deals)}
    assert ended == {house.cast.frans.pk if is_locked else house.cast.mari.pk}
    assert Down.objects.filter(ended_at=None).count() == (1 if is_locked else 2)


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_one_dealer_pushed_in_at_two_tables_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    first, second = [
        partial(push_dealer, tap_of(house), table_id=house.open(each).pk, dealer_id=house.cast.anna.pk)
        for each in (1, 2)
    ]
    if not is_locked:
        without_lock(monkeypatch, Staff)

    # Without the dealer's lock the database has the last word.
    with nullcontext() if is_locked else pytest.raises(IntegrityError, match="down_one_table_per_dealer"):
        meet(first, second)

    assert Down.objects.get(ended_at=None).table.number == (2 if is_locked else 1)
