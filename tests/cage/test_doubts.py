"""What cannot be so is done all the same, said before, and waits for the floor after."""

import re
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from casino.cage import services
from casino.cage.day_counts import counts_of
from casino.cage.errors import OwnDoubt
from casino.cage.models import Doubt, Slip
from casino.commands.carrying_out import Answer
from casino.errors import NotFound
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import chips_out
from casino.ledger.templatetags.money import difference, money
from casino.live.render import fragment
from casino.rooms.models import GamingDay
from tests.cage.counting import closes
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import command
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def cash_out(desk: CageDesk, cents: int) -> Answer:
    return services.cash_out(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=cents, player_id=desk.lee.pk)


@pytest.mark.parametrize(("cents", "over"), [(300_00, 0), (301_00, 1_00), (1_000_00, 700_00)])
def test_more_chips_than_were_sold_are_paid_and_noted_by_how_much(desk: CageDesk, cents: int, over: int) -> None:
    buy(desk, 300_00)

    slip_id = cash_out(desk, cents).data["slip_id"]

    found = list(Doubt.objects.values_list("kind", "slip_id", "cents"))
    assert found == ([("more_than_sold", slip_id, over)] if over else [])
    assert list(problems(desk.cast.room.pk)) == []


def test_each_of_several_is_noted_by_its_own_part(desk: CageDesk) -> None:
    buy(desk, 100_00)

    for cents in (300_00, 50_00):
        cash_out(desk, cents)

    assert list(Doubt.objects.order_by("id").values_list("cents", flat=True)) == [200_00, 50_00]
    assert chips_out(desk.cast.room.pk) == -250_00


def test_the_floor_judges_it_once_and_a_void_takes_it_away(desk: CageDesk) -> None:
    first, second = (Slip.objects.get(id=cash_out(desk, 100_00).data["slip_id"]) for _ in range(2))
    doubt = Doubt.objects.get(slip=first)

    services.judge_doubt(command(desk.cast.frans), doubt_id=doubt.pk)
    with pytest.raises(NotFound):
        services.judge_doubt(command(desk.cast.frans), doubt_id=doubt.pk)
    reverse(desk, second, signed(desk, second), desk.cast.frans)

    assert not Doubt.objects.filter(judged_at=None).exists()


def test_who_paid_judges_neither_the_slip_nor_what_their_drawer_lacks(desk: CageDesk) -> None:
    mari, frans = desk.cast.mari, desk.cast.frans
    services.cash_out(command(mari), drawer_id=desk.drawer_id, amount_cents=100_00, unnamed="gives_no_name")
    closes(desk.carla, frans, desk.drawer_id, FLOAT_CASH - 150_00, FLOAT_CHIPS + 100_00)
    doubts = list(Doubt.objects.values_list("id", flat=True))
    assert len(doubts) == 2

    for doubt_id in doubts:
        with pytest.raises(OwnDoubt):
            services.judge_doubt(command(mari), doubt_id=doubt_id)
        services.judge_doubt(command(frans), doubt_id=doubt_id)


def test_a_drawer_that_gave_more_chips_than_lay_there_says_so_at_its_count(desk: CageDesk) -> None:
    buy(desk, FLOAT_CHIPS + 70_00, "card", player_id=desk.know(desk.lee).pk)

    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH, card=FLOAT_CHIPS + 70_00)

    doubt = Doubt.objects.get()
    assert (doubt.kind, doubt.cents, doubt.slip_id) == ("below_nothing", 70_00, None)


@pytest.mark.parametrize(
    ("cash", "chips", "words"),
    [(-5_00, 0, "Cash {cash}"), (2_00, -1_00, "Cash {cash}, Chips {chips}"), (0, 0, "")],
)
def test_a_drawer_that_was_short_waits_for_the_floor(desk: CageDesk, cash: int, chips: int, words: str) -> None:
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH + cash, FLOAT_CHIPS + chips)

    room = desk.cast.room
    html = fragment(room.pk, "floor", "en").html
    differs = words.format(cash=difference(cash, room), chips=difference(chips, room))
    assert (f"The count differs: {differs}" in html) if words else ("differs" not in html)
    assert list(Doubt.objects.values_list("kind", "cents")) == (
        [("count_differs", abs(cash) + abs(chips))] if words else []
    )


def test_card_slips_that_lie_there_for_cash_leave_the_money_whole_and_both_differ(desk: CageDesk) -> None:
    buy(desk, 100_00, "card", player_id=desk.know(desk.lee).pk)

    # A card slip of 100 € was taken out, and as much cash put in.
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH + 100_00, FLOAT_CHIPS - 100_00, card=0)

    assert Doubt.objects.get().cents == 200_00
    room = desk.cast.room
    both = f"Cash {difference(100_00, room)}, Card slips {difference(-100_00, room)}"
    assert both in fragment(room.pk, "floor", "en").html
    (counted,) = counts_of(GamingDay.objects.get(room=room))
    assert (counted.money_cents, counted.differs) == (0, True)


def test_the_log_says_so_too_where_the_money_is_not_whole_to_the_cent(desk: CageDesk) -> None:
    buy(desk, 105_00, "card", player_id=desk.know(desk.lee).pk)

    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH + 100_00, FLOAT_CHIPS - 105_00, card=0)

    page = at_desktop(desk.cast.olavi).get("/log/").content.decode()
    text = " ".join(re.sub("<[^>]*>", "", page).replace("\xa0", " ").split())
    five, hundred = (money(cents, desk.cast.room).replace("\xa0", " ") for cents in (5_00, 100_00))
    assert re.search(f"money differs by .?{five}, {hundred} besides lies there as other money than it should", text)


def test_a_doubt_is_about_one_thing(desk: CageDesk) -> None:
    cash_out(desk, 100_00)

    with as_owner(), pytest.raises(IntegrityError, match="doubt_is_about"), transaction.atomic():
        Doubt.objects.update(kind="below_nothing")


def test_the_sheet_says_it_before_and_the_floors_to_do_after(desk: CageDesk) -> None:
    carla: Client = at_desktop(desk.carla)
    buy(desk, 300_00)
    form: dict[str, Any] = {"kind": "cash_out", "amount": "300", "method": "cash", "player_id": desk.lee.pk}

    assert "than the house has sold" not in carla.get("/cage/1/check/", form).content.decode()
    form["amount"] = "400"
    page = carla.get("/cage/1/check/", form).content.decode()
    assert "than the house has sold" in page
    assert "data-closes data-first" in page
    assert tap(carla, "/cage/1/cash-out/", **form, drawer_id=desk.drawer_id).status_code == 200

    more = money(100_00, desk.cast.room)
    assert f"Slip 2: {more} more came back than was sold" in fragment(desk.cast.room.pk, "floor", "en").html
    frans = at_desktop(desk.cast.frans)
    assert tap(frans, f"/cage/doubts/{Doubt.objects.get().pk}/").status_code == 200
    assert "more came back" not in fragment(desk.cast.room.pk, "floor", "en").html
