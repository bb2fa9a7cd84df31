"""
Cash plays on the dealer's tablet: chips out of the rack with two taps, and the cash is counted with it.

With BRUSH_SCREENSHOTS the screens are kept as pictures (`make pictures`), the office's in Finnish too.
"""

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage.models import Slip
from casino.cage.services import request_buy_in
from casino.people.services import start_shift
from tables.models import RackCheck
from tables.services.seat_buy_ins import seat_of
from tests.browser.dealer_tablet import at_table, tablet_of
from tests.browser.test_floor_lobby import house, shot
from tests.cast import demo_person
from tests.support.browser import DEVICES, Chromium
from tests.support.pictures import look
from tests.support.room import BrushServer
from tests.tables.conftest import House
from tests.tables.racking import Racking, keeps_racks

__all__ = ["house"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def seen_by_a_manager(chromium: Chromium) -> None:
    """Look at the checklist, which waits for the cash, at the rack and at what was sold."""
    office = chromium.page("cage", "/sign-in/?next=/cage/day/")
    office.fill("#username", "mari")
    office.fill("#password", demo_person("mari").password)
    office.press("#password", "Enter")
    expect(office.locator(".checks .is-first", has_text="rack")).to_contain_text("No cash lies in racks")
    look(office, "cash-3-checklist")
    office.goto("/floor/tables/1/rack/")
    look(office, "cash-4-rack")
    office.goto("/cage/slips/")
    expect(office.get_by_role("link", name="Rack of table 1")).to_be_visible()
    look(office, "cash-5-sold")


def test_a_dealer_sells_out_of_the_rack_and_the_next_one_counts_chips_and_cash(
    house: House, brush_server: BrushServer, chromium: Chromium, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.at = clock.now() - timedelta(hours=2)
    keeps_racks(house.room_id, sells="true")
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3)
    mika = house.seat("Mika", 5, chips=0)
    arguments: dict[str, Any] = {"player_id": mika.player_id, "seat": seat_of(mika.table, mika)}
    slip_id = house.tap(request_buy_in, house.cast.anna, amount_cents=200_00, **arguments).data["slip_id"]
    racking = Racking(house)
    racking.fill(500)
    tablet = at_table(chromium, brush_server, house)
    page, sheet = tablet.page, tablet.page.locator("#sheet")

    tablet.seat(5)
    tablet.tap("buy-in")
    taps = tablet.taps
    tablet.type("200")
    shot(page, "cash-0-pad")
    tablet.tap("send-sold")
    expect(tablet.middle).to_contain_text("from the rack for seat 5")
    assert tablet.taps == taps + 1
    shot(page, "cash-1-sold")
    tablet.wait(lambda: house.figures().get("rack_cash", 0) > 0)
    cash = house.figures()["rack_cash"]
    # It is what the seat waited for, as the tablet showed it, and no second one.
    assert list(Slip.objects.filter(destination="seat", about__seating=mika.pk).values_list("id", "status")) == [
        (slip_id, "paid")
    ]

    seen_by_a_manager(chromium)

    racking.push(house.cast.dan, draws=True, monkeypatch=monkeypatch)
    page.goto("/door/")
    tablet.sign_in("dan")
    expect(sheet.locator(".rack-count")).to_be_visible()
    chips = 500 - cash // 100
    values = sheet.locator("[data-do='rack-value']")
    values.filter(has_text="25 €").tap()
    tablet.type(str(chips // 25))
    sheet.get_by_role("group", name="Cash").locator("button", has_text="100 €").tap()
    tablet.type(str(cash // 100_00))
    # What sends it is in sight, however many coins there are.
    send = sheet.locator("[data-do='rack-send']").bounding_box()
    assert send is not None
    assert send["y"] + send["height"] <= DEVICES["dealer"]["viewport"]["height"]
    shot(page, "cash-2-counted")
    tablet.tap("rack-send")
    tablet.wait_until_sent()

    check = RackCheck.objects.get()
    assert (check.cents, check.cash_cents, check.differs) == (chips * 100, cash, False)
