"""The time charge on the dealer's tablet: when it falls due, who pays, and one tap into the rake box."""

from datetime import timedelta

import pytest
from playwright.sync_api import Route, expect

from casino import clock
from casino.poker.time_charge import TimeCharge, time_to_dict
from tables.models import Game, Hand, Opening, Seating, TimeTaken
from tables.services.by_time import pay_by_hand, pay_by_time
from tests.browser.dealer_tablet import TREMBLING_MS, at_table, finger_rests, tablet_of
from tests.browser.test_dealer_taps import SEVEN, house
from tests.browser.test_floor_lobby import shot
from tests.support.browser import Chromium
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]


@pytest.mark.slow
@pytest.mark.rule("H1.91", "L-P21", "H7.18")
def test_the_dealer_takes_the_time_charge_with_two_taps(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    charge = time_to_dict(TimeCharge(6_00, 30, chip_cents=1_00))
    with as_owner():
        Game.objects.filter(room=house.cast.room).update(charges={}, time_charge=charge)
    house.at = clock.now() - timedelta(minutes=40)
    tablet_of(house, house.cast.anna)
    house.open(**SEVEN)
    house.settle(86_00, winners=(1,))
    tablet = at_table(chromium, brush_server, house)
    side = tablet.page.locator("#side")
    expect(side).to_contain_text("Time charge: take 42 €")
    shot(tablet.page, "time-1-due")

    # A tap that comes before the sheet's script waits for it.
    scripts: list[Route] = []
    tablet.page.route("**/dealer/time_sheet.js", lambda route: scripts.append(route), times=1)
    tablet.page.reload()
    tablet.tap("time")
    tablet.wait(lambda: bool(scripts))
    scripts[0].continue_()
    tablet.page.locator('#sheet [data-do="time-seat"][data-seat="3"]').tap()
    expect(tablet.page.locator("#sheet")).to_contain_text("did not pay")
    shot(tablet.page, "time-2-sheet")
    # The same seat at once would be a finger that trembles.
    finger_rests(tablet.page, TREMBLING_MS)
    tablet.page.locator('#sheet [data-do="time-seat"][data-seat="3"]').tap()
    tablet.tap("time-take")

    expect(tablet.middle).to_contain_text("Time charge 1: 42 € is in the rake box.")
    # The second period has begun ten minutes ago.
    expect(side).to_contain_text("Time charge: take 42 €")
    tablet.wait_until_sent()
    tablet.tap("time")
    tablet.page.locator('#sheet [data-do="time-seat"][data-seat="3"]').tap()
    tablet.tap("time-take")
    expect(side).to_contain_text("Time charge at")
    shot(tablet.page, "time-3-taken")
    tablet.wait_until_sent()
    assert [(row.number, row.due_cents, row.paid_cents) for row in TimeTaken.objects.order_by("number")] == [
        (1, 42_00, 42_00), (2, 42_00, 36_00),
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule("H7.18")
def test_a_table_that_pays_the_jackpot_by_the_hour_drops_nothing_until_what_was_paid_has_run_out(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(minutes=50)
    tablet_of(house, house.cast.anna)
    house.open(**SEVEN)
    everybody = list(Seating.objects.filter(left_at=None).values_list("id", flat=True))
    house.tap(pay_by_time, table_id=house.table_id(), kind="drop", minutes=60, consents=everybody)
    house.settle(86_00, winners=(1,))
    house.at = clock.now()
    tablet = at_table(chromium, brush_server, house)
    side = tablet.page.locator("#side")
    expect(side).to_contain_text("jackpot: paid by the time")
    expect(side).to_contain_text("Time charge: take 40 €")
    shot(tablet.page, "by-time-1-due")
    tablet.tap("time")
    expect(tablet.page.locator("#sheet")).to_contain_text("40 € into the jackpot box")
    shot(tablet.page, "by-time-2-sheet")
    tablet.tap("time-take")
    expect(tablet.middle).to_contain_text("Time charge 1: 40 € is in the jackpot box.")
    tablet.wait_until_sent()
    assert house.figures()["jackpot_box"] == 40_00

    # Ten minutes of the hour are left when the table goes back to the hand.
    house.tap(pay_by_hand, table_id=house.table_id())
    expect(side).not_to_contain_text("Time charge")
    expect(side).to_contain_text("jackpot: paid by the time")
    shot(tablet.page, "by-time-3-run-out")
    tablet.tap("pot")
    tablet.type("86")
    tablet.seat(2)
    expect(tablet.middle).to_contain_text("82 €")
    tablet.wait_until_sent()
    hand = Hand.objects.latest("id")
    assert (hand.due("drop"), hand.taken("drop"), hand.taken("rake")) == (0, 0, 4_00)

    # Logged again when the hour is over it is still free, and the tablet takes nothing more of it.
    assert hand.dealt_at is not None
    with as_owner():
        ends = (hand.dealt_at + timedelta(milliseconds=1)).isoformat()
        Opening.objects.filter(id=hand.opening_id).update(free_until={"drop": ends})
    tablet.page.reload()
    tablet.tap("undo")
    tablet.yes()
    tablet.wait_until_sent()
    tablet.page.reload()
    expect(tablet.middle.locator(".take")).to_have_count(1)
    expect(tablet.middle.locator(".take")).not_to_contain_text("jackpot")
    shot(tablet.page, "by-time-4-again")
    tablet.seat(3)
    expect(tablet.middle).to_contain_text("82 €")
    tablet.wait_until_sent()
    again = Hand.objects.latest("id")
    assert (again.again_of_id, again.due("drop"), again.taken("drop")) == (hand.pk, 0, 0)
