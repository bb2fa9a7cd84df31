"""The floor bans somebody who sits: the page asks once, the tablet says "see the floor", the to-do what is left."""

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.people.models import Exclusion
from casino.people.services import keep_apart, set_own_limit
from tables.models import Seating
from tests.browser.test_floor_lobby import Opened, house, opened, shot
from tests.tables.conftest import House

__all__ = ["house", "opened"]
pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_the_floor_bans_a_seated_player_and_ends_what_they_play(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.at = clock.now()
    timo = house.player("Timo")
    house.tap(set_own_limit, player_id=timo.pk, kind="buy_in", amount=300_00)
    house.tap(set_own_limit, player_id=timo.pk, kind="buy_in", amount=500_00)
    house.tap(keep_apart, player_ids=[timo.pk, house.player("Mika").pk])
    tablet = opened("dealer", "/tables/1/")
    floor = opened("floor", "/floor/")

    page = opened("floor", "/floor/")
    page.goto(f"/people/players/{timo.pk}/")
    shot(page, "player-10")
    page.locator("summary", has_text="Ban").tap()
    page.locator("#ban-clause").fill("H1.76")
    page.locator("#ban-why").fill("Marked cards")
    shot(page, "player-11-ban")
    page.get_by_role("button", name="Ban").tap()
    expect(page.locator("#confirm")).to_contain_text("Ban Timo from now on?")
    shot(page, "player-12-confirm")
    page.get_by_role("button", name="Yes, ban").tap()
    expect(page.locator(".player-head")).to_contain_text("banned")
    page.locator("summary", has_text="Keep apart from somebody").tap()
    page.locator("#apart-q").fill("a")
    expect(page.locator("#apart-others label").first).to_be_visible()
    shot(page, "player-13-banned")
    page.locator("#apart-others label").first.tap()
    page.get_by_role("button", name="Keep apart").tap()
    expect(page.locator(".player-head")).to_contain_text("kept apart from 2")

    assert Exclusion.objects.get().clause == "H1.76"
    expect(tablet.locator('[data-seat="3"] .seat-note')).to_have_text("see the floor")
    expect(tablet.locator("body")).not_to_contain_text("H1.76")
    shot(tablet, "dealer-14-see-the-floor")
    expect(floor.get_by_text("Timo may not play any more")).to_be_visible()
    shot(floor, "floor-15-todo")
    floor.get_by_text("Timo may not play any more").tap()
    shot(floor, "floor-16-seat")
    floor.locator("#leave-stack").fill("180")
    floor.get_by_role("button", name="Leaves with this stack").tap()
    floor.get_by_role("button", name="Leaves", exact=True).tap()
    expect(floor.get_by_text("Timo may not play any more")).to_have_count(0)
    assert Seating.objects.get(player=timo).left_stack_cents == 180_00
