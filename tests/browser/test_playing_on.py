"""
A table plays on while no gaming day is open: its tablet deals nothing new, says why, and loses no tap that it keeps.

With BRUSH_SCREENSHOTS the screens are kept as pictures.
"""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage.services import open_day
from tables.models import Seating
from tables.services.playing_on import count_through
from tests.browser.dealer_tablet import at_table, hands, tablet_of
from tests.browser.test_floor_lobby import house
from tests.cast import demo_person
from tests.support.browser import Chromium
from tests.support.pictures import keep, look
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]
pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_tablet_whose_table_plays_on_waits_for_the_day_and_keeps_its_hand(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    house.at = clock.now() - timedelta(days=2)
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3)
    house.settle(40_00)
    house.close_drawer()
    tablet = at_table(chromium, brush_server, house)
    floor = chromium.page("floor", "/sign-in/?next=/floor/tables/1/")
    floor.fill("#username", "mari")
    floor.fill("#password", demo_person("mari").password)
    floor.press("#password", "Enter")
    floor.get_by_role("button", name="Close", exact=True).click()
    floor.get_by_role("button", name="Plays on over the day’s end: count it through").click()
    stack_fields = floor.locator(".through-stacks .amount")
    expect(stack_fields).to_have_count(3)
    for stack in stack_fields.all():
        stack.fill("1673")
    floor.get_by_role("button", name="Counted through", exact=True).click()
    expect(floor.locator("#sheet-content")).to_contain_text("more than lies in play at this table")
    keep(floor, "through-1-asked")
    floor.get_by_role("button", name="Counted: it is so").click()
    expect(floor.locator("#sheet-content .wrong-text")).to_be_visible()
    keep(floor, "through-2-differs")
    stacks = [{"seating_id": each.pk, "stack_cents": 100_00} for each in Seating.objects.filter(left_at=None)]
    house.tap(count_through, table_id=house.table_id(), version=house.table().version, stacks=stacks)
    # Dealt while the line is gone: the day closes without it.
    tablet.page.context.set_offline(True)
    tablet.tap("deal")
    house.close_day()
    tablet.page.context.set_offline(False)

    floor.goto("/floor/tables/1/")
    expect(floor.locator(".day-closed")).to_contain_text("waits on its tablet until a manager opens the next day")
    look(floor, "plays-on-floor")
    tablet.wait(lambda: bool(tablet.state()["is_day_over"]))
    expect(tablet.middle).to_contain_text("Flop, or tap the winner’s seat")
    tablet.seat(2)
    tablet.wait(lambda: not tablet.state()["hand"])
    tablet.page.reload()
    expect(tablet.middle).to_contain_text("waits on this tablet until a manager opens the next day")
    assert "deal" not in tablet.bright()
    look(tablet.page, "plays-on-tablet")
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    tablet.wait(lambda: len(hands(house)) == 2 and hands(house)[-1].status == "settled")
    tablet.wait(lambda: tablet.bright() == ["deal"])
