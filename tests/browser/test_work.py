"""People at work, on the floor's tablet and the dealer's: pushes, the clock, penalties, a disputed pot."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.people.services import start_shift
from tables.floor_calls import FLOOR_CALLS
from tables.models import DeckChange, DisputedPot, Down, Incident, PlayerClock, ToDo
from tables.services.clocks import call_clock
from tables.services.downs import push_dealer
from tests.browser.dealer_tablet import at_table, tablet_of
from tests.browser.test_floor_lobby import Opened, fits, house, opened, shot
from tests.support.browser import Chromium
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house", "opened"]
pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.rule("H1.11")
def test_the_floor_pushes_dealers_with_a_tap_each_and_adds_one_from_the_pit(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1, Pekka=2, Jo=3)
    house.at = clock.now() - timedelta(minutes=5)
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    house.tap(push_dealer, table_id=house.table_id(1), dealer_id=house.cast.anna.pk)
    floor = opened("floor", "/floor/dealers/")

    floor.get_by_role("button", name="Add from the pit").tap()
    floor.locator("#display_name").fill("Pia")
    floor.locator("#pin").fill("5871")
    shot(floor, "work-10-add-dealer")
    floor.get_by_role("button", name="Deals from now on").tap()
    expect(floor.locator("#dealers")).to_contain_text("Pia")
    shot(floor, "work-11-dealers")

    # The table without a dealer comes first in turn; each push is one tap.
    floor.locator(".down", has_text="2/2").nth(1).get_by_role("button", name="pushes in").tap()
    expect(floor.locator("[data-glow='down-2']")).to_have_text("Dan")
    floor.locator(".down").first.get_by_role("button", name="Pia pushes in").tap()
    expect(floor.locator("[data-glow='down-1']")).to_have_text("Pia")
    floor.locator(".down").first.get_by_role("button", name="The blue deck").tap()
    expect(floor.locator(".down").first.get_by_role("button", name="The red deck")).to_be_visible()
    assert fits(floor)
    shot(floor, "work-12-pushed")
    floor.locator(".down").first.get_by_role("button", name="Another dealer").tap()
    shot(floor, "work-13-push-sheet")
    floor.get_by_role("button", name="takes a break").tap()
    expect(floor.locator("[data-glow='down-1']")).to_have_text("no dealer")

    assert list(DeckChange.objects.values_list("colour", "why")) == [("blue", "push")]
    assert Down.objects.filter(ended_at=None).count() == 1


@pytest.mark.slow
@pytest.mark.rule("H1.11", "H1.70", "H1.71", "H1.72", "L-P11")
def test_a_clock_a_deck_and_a_disputed_pot_on_the_dealers_tablet(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    tablet = at_table(chromium, brush_server, house)
    page = tablet.page
    shot(page, "work-20-deck-due")
    tablet.tap("deck")
    expect(page.locator("[data-do=deck]")).to_have_count(0)

    tablet.tap("no-draw" if page.locator("[data-do=no-draw]").count() else "menu")
    page.locator("[data-do=no-draw]").tap()
    tablet.seat_of(2).locator("button").click(button="right")
    shot(page, "work-21-seat-in-hand")
    before = tablet.taps
    tablet.tap("clock")
    expect(page.locator(".clock-left")).to_contain_text("0:2")
    shot(page, "work-22-clock")
    tablet.tap("clock-acted")
    expect(page.locator(".player-clock")).to_have_count(0)
    assert tablet.taps - before == 2
    assert PlayerClock.objects.get().how == "acted"

    # One that was called half a minute ago has run out: the prompt says what that means.
    house.at = clock.now()
    house.tap(call_clock, table_id=house.table_id(), seating_id=house.table().seating_set.get(seat_number=3).pk)
    with as_owner():
        PlayerClock.objects.filter(ended_at=None).update(ends_at=house.at)
    page.reload()
    expect(page.locator(".clock-over")).to_be_visible()
    shot(page, "work-23-time-is-up")
    tablet.tap("clock-out")
    expect(page.locator(".player-clock")).to_have_count(0)

    tablet.tap("flop")
    tablet.tap("pot")
    tablet.type("86")
    tablet.tap("split")
    tablet.seat(1)
    tablet.seat(2)
    tablet.tap("split")
    tablet.wait_until_sent()
    tablet.tap("menu")
    shot(page, "work-24-menu")
    tablet.tap("aside")
    expect(page.locator(".beside")).to_contain_text("pot of hand 1")
    expect(tablet.middle).to_contain_text("lies apart")
    shot(page, "work-25-aside")
    assert DisputedPot.objects.get().cents == 82_00
    tablet.tap("deal")
    expect(page.locator("#middle")).to_contain_text("Hand 2")

    tablet.tap("floor")
    expect(page.locator("[data-do=floor-call]")).to_have_text([str(each) for each in FLOOR_CALLS.values()])
    shot(page, "work-26-floor-call")
    page.locator("[data-reason=chips]").tap()
    tablet.wait_until_sent()
    assert ToDo.objects.get(kind=ToDo.Kind.FLOOR_CALLED).data == {"reason": "chips"}


@pytest.mark.slow
@pytest.mark.rule("H1.48", "H1.71", "L-P11")
def test_the_floor_writes_a_penalty_and_pays_a_disputed_pot(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(86_00, winners=(1, 2))
    house.at = clock.now()
    floor = opened("floor", "/floor/tables/1/")

    floor.get_by_role("button", name="Incident", exact=True).tap()
    shot(floor, "work-30-kinds")
    floor.get_by_role("button", name="Penalty").tap()
    floor.locator("#sheet label", has_text="Kai").tap()
    # Somebody who sits nowhere is found by nickname, and stays chosen while the next one is looked for.
    floor.locator("#q").fill("Mik")
    floor.locator("#others label", has_text="Mika").tap()
    floor.locator("#q").fill("Jo")
    expect(floor.locator("#others label", has_text="Jo")).to_be_visible()
    expect(floor.locator("#others label", has_text="Mika").locator("input")).to_be_checked()
    shot(floor, "work-30-found")
    floor.locator("#sheet label", has_text="20 min").tap()
    # A keyboard's search key writes nothing down.
    floor.locator("#q").press("Enter")
    floor.locator("#text").fill("Threw the cards at the dealer")
    shot(floor, "work-31-penalty")
    assert not Incident.objects.exists()
    floor.get_by_role("button", name="Write it down").tap()
    expect(floor.locator(".table-work")).to_contain_text("sits out until")
    incident = Incident.objects.get()
    assert incident.clause == "H1.48"
    assert set(incident.players.values_list("player__nickname", flat=True)) == {"Kai", "Mika"}

    floor.locator("#seats .seat-row", has_text="Timo").tap()
    floor.locator("#sheet").get_by_role("button", name="Clock").tap()
    expect(floor.locator(".clock-line time")).to_contain_text("0:2")

    floor.locator("#hands .hand-tap").first.tap()
    shot(floor, "work-32-hand-sheet")
    floor.get_by_role("button", name="Set it aside").tap()
    expect(floor.locator(".table-work")).to_contain_text("82 €")
    assert fits(floor)
    shot(floor, "work-33-table")
    floor.get_by_role("button", name="Decide").tap()
    floor.locator(".pot-share", has_text="Kai").get_by_role("button").first.tap()
    shot(floor, "work-34-decide")
    floor.get_by_role("button", name="Pay it").tap()
    expect(floor.locator(".table-work")).not_to_contain_text("82 €")
    assert DisputedPot.objects.get().shares.get().cents == 82_00

    floor.goto("/floor/incidents/?player=Kai")
    expect(floor.locator(".incident")).to_have_count(1)
    expect(floor.locator(".incident")).to_contain_text("Threw the cards")
    shot(floor, "work-35-log")
    floor.get_by_role("button", name="End").tap()
    expect(floor.locator(".incident")).to_contain_text("sat out until")
