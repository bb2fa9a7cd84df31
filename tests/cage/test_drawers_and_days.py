"""The day opens, drawers open with their float, are counted blind by another, and the day closes."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from casino.cage import services
from casino.cage.errors import DrawerOpen, OwnDrawer
from casino.cage.errors_banks import NumberOfRacks
from casino.cage.errors_days import DayAlreadyOpen, DayHasBeen, DayLeavesOpen, DayNotFinished
from casino.cage.models import DrawerCount
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import close_day, open_day
from casino.commands.carrying_out import Answer
from casino.errors import Malformed, Stale
from casino.ledger.models import Account, Transfer
from casino.ledger.proof import problems
from casino.ledger.services import NEEDS as NEEDS_TO_STOCK
from casino.ledger.services import stock_vault, vault_signs
from casino.money import NO_ROOM
from casino.people.errors import NeedsSecondSignature, SecondMayNot
from casino.people.models import Staff
from casino.rooms.errors import NoOpenDay
from casino.rooms.selectors import open_day as day_that_is_open
from casino.rooms.selectors import rule_book_in_force
from tests.cage.counting import closes, opens
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_paying import buy
from tests.cast import TONIGHT, command

pytestmark = [pytest.mark.smoke, pytest.mark.two_houses]


def vault(desk: CageDesk) -> dict[str, int]:
    return dict(Account.objects.filter(owner_kind="house").values_list("kind", "balance_cents"))


def count(desk: CageDesk, by: Staff, cash: int, chips: int, card: int = 0, second: Staff | None = None) -> Answer:
    """Have drawer 1 counted and closed by two, the floor being the second."""
    return closes(by, second or desk.cast.frans, desk.drawer_id, cash, chips, card)


def test_a_drawer_opens_with_its_float_out_of_the_vault(desk: CageDesk) -> None:
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH
    assert vault(desk)["vault_cash"] == 5_000_000 - FLOAT_CASH
    assert vault(desk)["vault_chips"] == 20_000_000 - FLOAT_CHIPS
    assert vault(desk)["chips_issued"] == -20_000_000


def test_an_open_drawer_does_not_open_again_and_an_old_screen_is_stale(desk: CageDesk) -> None:
    with pytest.raises(DrawerOpen):
        opens(desk.carla, desk.cast.frans, desk.drawer_id)
    with pytest.raises(Stale):
        opens(desk.carla, desk.cast.frans, desk.drawer_id, version=1)


def test_a_count_goes_to_the_vault_as_counted_and_the_difference_to_over_short(desk: CageDesk) -> None:
    buy(desk, 200_00)
    buy(desk, 100_00, "card")

    answer = count(desk, desk.cast.mari, FLOAT_CASH + 190_00, FLOAT_CHIPS - 300_00 + 5_00, 100_00)

    assert (answer.data["money_difference_cents"], answer.data["chips_difference_cents"]) == (-10_00, 5_00)
    figures = drawer_figures(desk.drawer_id)
    assert (figures["cash"], figures["chips"], figures["card_slips"]) == (0, 0, 0)
    assert (figures["over_short"], figures["chips_over_short"]) == (10_00, -5_00)
    assert vault(desk)["vault_cash"] == 5_000_000 + 190_00
    assert vault(desk)["vault_card_slips"] == 100_00
    kept = DrawerCount.objects.get()
    assert (kept.cash_cents, kept.expected_cash_cents) == (FLOAT_CASH + 190_00, FLOAT_CASH + 200_00)
    assert list(problems(desk.cast.room.pk)) == []


@pytest.mark.parametrize(("cash", "chips"), [(0, 0), (99_999_900, 99_999_900), (FLOAT_CASH, FLOAT_CHIPS)])
def test_no_count_is_ever_refused(desk: CageDesk, cash: int, chips: int) -> None:
    assert count(desk, desk.carla, cash, chips).data["money_difference_cents"] == cash - FLOAT_CASH


def test_who_paid_never_counts_their_own_drawer(desk: CageDesk) -> None:
    buy(desk)
    services.buy_in(command(desk.cast.mari), drawer_id=desk.drawer_id, amount_cents=50_00, method="card")

    with pytest.raises(OwnDrawer):
        count(desk, desk.carla, 1_00, 1_00, second=desk.cast.mari)
    assert not DrawerCount.objects.exists()

    answer = count(desk, desk.carla, FLOAT_CASH + 200_00, FLOAT_CHIPS - 200_00)

    assert answer.data["counted_by_id"] == desk.cast.frans.pk
    kept = DrawerCount.objects.get()
    assert (kept.counted_by_id, kept.counted_with_id) == (desk.cast.frans.pk, desk.carla.pk)


def test_a_drawer_opens_again_and_its_slips_go_on_counting(desk: CageDesk) -> None:
    buy(desk)
    count(desk, desk.cast.mari, FLOAT_CASH + 200_00, FLOAT_CHIPS - 200_00)
    opens(desk.carla, desk.cast.frans, desk.drawer_id, 100_00, 100_00)

    assert buy(desk, 50_00).number == 2


def test_a_drawer_number_is_given_once(desk: CageDesk) -> None:
    with pytest.raises(Malformed):
        services.add_drawer(command(desk.cast.mari), number=1, name="Another")


@pytest.mark.parametrize("add", [services.add_drawer, services.add_bank])
def test_racks_number_their_slips_where_no_drawer_does(desk: CageDesk, add: Any) -> None:
    with pytest.raises(NumberOfRacks, match="after 1000"):
        add(command(desk.cast.mari), number=1001, name="Another")
    assert add(command(desk.cast.mari), number=1000, name="Another").data["drawer_id"]


def test_a_day_closes_when_nothing_of_it_is_open(desk: CageDesk) -> None:
    services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=100_00)

    with pytest.raises(DayNotFinished, match="drawer 1") as refused:
        close_day(command(desk.cast.mari))
    assert refused.value.data["still_open"] == [["drawer", 1]]
    own = {"clauses": {"carries_own": "X 1"}, "sentences": {"en": {"carries_own": "First: %(items)s."}}}
    book = replace(rule_book_in_force(desk.cast.room.pk, at=TONIGHT)[1], **own)
    assert refused.value.text(NO_ROOM, book=book) == "X 1: First: drawer 1."

    count(desk, desk.carla, FLOAT_CASH, FLOAT_CHIPS)
    with pytest.raises(DayLeavesOpen, match="request") as unsaid:
        close_day(command(desk.cast.mari))
    ((_kind, slip_id),) = unsaid.value.data["still_open"]
    services.cancel_slip(command(desk.cast.frans), slip_id=slip_id)
    close_day(command(desk.cast.mari))
    assert day_that_is_open(desk.cast.room.pk) is None


def test_a_closed_day_stays_closed_and_the_next_one_opens_on_its_own_date(desk: CageDesk) -> None:
    count(desk, desk.carla, FLOAT_CASH, FLOAT_CHIPS)
    close_day(command(desk.cast.mari))

    with pytest.raises(NoOpenDay):
        services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=100_00)
    with pytest.raises(NoOpenDay):
        close_day(command(desk.cast.mari))
    with pytest.raises(DayHasBeen, match="2026-11-20"):
        open_day(command(desk.cast.mari))

    # 23:30 UTC on the 20th is 01:30 on the 21st in Helsinki: the room's own calendar names the day.
    opened = open_day(command(desk.cast.mari, at=TONIGHT + timedelta(hours=5, minutes=30)))
    assert opened.data["date"] == "2026-11-21"
    with pytest.raises(DayAlreadyOpen):
        open_day(command(desk.cast.mari, at=TONIGHT + timedelta(hours=6)))


def test_the_vault_is_stocked_on_an_open_day_alone(desk: CageDesk) -> None:
    with pytest.raises(Malformed):
        stock_vault(command(desk.cast.mari), cash_cents=0, chips_cents=0)

    stocked(desk, cash_cents=-100_00, chips_cents=0)

    assert vault(desk)["vault_cash"] == 5_000_000 - FLOAT_CASH - 100_00


def stocked(desk: CageDesk, **cents: int) -> None:
    """Stock the vault as two do: Mari, and Frans who has signed."""
    stock_vault(
        desk.signed(desk.cast.mari, desk.cast.frans, needs=NEEDS_TO_STOCK, signs=vault_signs(**cents)),
        approved_by_id=desk.cast.frans.pk,
        **cents,
    )


def test_chips_come_from_nowhere_by_two_alone_but_for_the_first(desk: CageDesk) -> None:
    before, mari = vault(desk), desk.cast.mari
    cents = {"cash_cents": 0, "chips_cents": 1_000_00}
    for arguments in ({}, {"approved_by_id": mari.pk}, {"approved_by_id": desk.cast.frans.pk}):
        with pytest.raises(NeedsSecondSignature):
            stock_vault(command(mari), **cents, **arguments)
    other = desk.signed(
        mari, desk.cast.frans, needs=NEEDS_TO_STOCK, signs=vault_signs(cash_cents=0, chips_cents=500_00)
    )
    with pytest.raises(NeedsSecondSignature):
        stock_vault(other, **cents, approved_by_id=desk.cast.frans.pk)
    with pytest.raises(SecondMayNot):
        desk.signed(mari, desk.carla, needs=NEEDS_TO_STOCK, signs=vault_signs(**cents))
    assert vault(desk) == before

    stocked(desk, **cents)

    # The first one of a room, which may have nobody else yet, is how the desk was opened.
    signers = Transfer.objects.filter(kind="vault_stocked").order_by("id").values_list("made_by_id", "approved_by_id")
    assert list(signers) == [(mari.pk, None), (mari.pk, desk.cast.frans.pk)]
