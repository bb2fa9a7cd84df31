"""
A manager closes a bad night in two stages, in a real browser: what is open is carried, boxes are counted, two sign.

With BRUSH_SCREENSHOTS the screens are kept as pictures (`make pictures`), in Finnish too.
"""

import pytest
from playwright.sync_api import Page, expect

from casino.cage.models import CarriedItem, Doubt, DrawerSession
from casino.cage.services import add_drawer, cash_out, judge_doubt
from casino.ledger.proof import problems
from casino.rooms.models import GamingDay
from tests.cage.bad_night import bad_night
from tests.cage.carrying_over import carlas, sells
from tests.cage.counting import opens
from tests.cast import command, demo_person
from tests.support.browser import Chromium
from tests.support.pictures import keep, look, on_paper
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def house(brush_server: BrushServer) -> House:
    return make_house()


def signs_in(chromium: Chromium) -> Page:
    page = chromium.page("cage", "/sign-in/?next=/cage/day/")
    page.fill("#username", "mari")
    page.fill("#password", demo_person("mari").password)
    page.press("#password", "Enter")
    expect(page.locator("#day-checks")).to_be_visible()
    return page


def counts_through(page: Page) -> None:
    """Count table 2 through between two hands, by the sheet on which it would close."""
    page.goto("/floor/tables/2/")
    page.get_by_role("button", name="Close", exact=True).click()
    page.get_by_role("button", name="Plays on over the day’s end: count it through").click()
    stacks = page.locator(".through-stacks .amount")
    expect(stacks).to_have_count(2)
    for stack, euros in zip(stacks.all(), ("180", "215"), strict=True):
        stack.fill(euros)
    keep(page, "0-counting-through")
    page.get_by_role("button", name="Counted through", exact=True).click()
    expect(page.locator("#sheet-content")).to_contain_text("It plays on over the day’s end")
    look(page, "0-counted-through", in_finnish=False)


def test_a_day_closed_in_two_stages(house: House, chromium: Chromium) -> None:
    night = bad_night(house, plays_on=True)
    page = signs_in(chromium)
    expect(page.locator(".checks .is-first")).to_contain_text("table 2")
    counts_through(page)
    page.goto("/cage/day/")
    expect(page.locator(".checks .is-first")).to_have_count(0)
    expect(page.locator(".checks .is-open")).to_have_count(4)
    look(page, "1-checklist")
    on_paper(page, "1-checklist-on-paper")
    page.click("#day-checks .danger")
    # The question is one line, and what it leads to stands under it, a sentence each.
    expect(page.locator("#confirm-question strong")).to_have_text(
        f"Close the gaming day of {night.day.date:%-d.%-m.%Y} for operations?"
    )
    expect(page.locator("#confirm-question span")).to_contain_text("1 table plays on")
    page.click("#confirm [data-yes]")
    expect(page.locator("#day-refusal")).to_contain_text("carry each over with a reason")
    look(page, "2-not-finished", in_finnish=False)

    # What the second look chooses stays chosen, and the next evening begins.
    page.select_option("[name='carry_doubt.1']", "looked_into")
    page.select_option("[name='carry_in_play.1']", "nothing_to_find")
    page.select_option("[name='carry_plays_on.2']", "plays_on")
    page.select_option("[name='carry_over_short.2']", "looked_into")
    page.click("#day-checks .danger")
    page.click("#confirm [data-yes]")
    expect(page.locator("#days-that-wait")).to_be_visible()
    page.get_by_role("button", name="Open the day").click()
    expect(page.locator("#day-checks")).to_be_visible()
    look(page, "3-the-next-day")

    page.get_by_role("link", name=night.day.date.strftime("%-d.%-m.%Y")).first.click()
    expect(page.locator("#day-counts")).to_be_visible()
    look(page, "4-counts")
    on_paper(page, "4-counts-on-paper")
    page.select_option(f"[name='carry_box.{night.waits.pk}']", "under_seal")
    page.select_option("#counts-by", "olavi")
    page.fill("#counts-pin", demo_person("olavi").pin)
    page.get_by_role("button", name="Close it as counted").click()
    page.click("#confirm [data-yes]")
    expect(page.locator("main")).to_contain_text("Closed as counted")
    look(page, "5-counted")
    page.goto(f"/reports/?day={night.day.date}#sheet-carried")
    expect(page.locator("#sheet-carried")).to_contain_text("It lies under seal, and is counted later")
    look(page, "6-report")
    page.emulate_media(media="print")
    # The drawer, the box, the table that plays on, and the slip that never came.
    expect(page.get_by_text("4 counts differ")).to_be_visible()
    page.emulate_media(media="screen")

    opening = house.table(2).opening
    assert opening is not None
    assert opening.day_id != night.day_id
    assert GamingDay.objects.get(id=night.day_id).stage == "counted"
    assert set(CarriedItem.objects.values_list("kind", "reason")) == {
        ("doubt", "looked_into"), ("in_play", "nothing_to_find"), ("box", "under_seal"), ("plays_on", "plays_on"),
        ("over_short", "looked_into"),
    }  # fmt: skip
    assert [each.detail for each in problems(house.room_id)] == []


def test_a_day_closed_over_an_open_drawer_and_its_count_on_the_next(house: House, chromium: Chromium) -> None:
    carlas(house)
    sells(house, 100_00)
    own = add_drawer(command(house.cast.mari, at=house.at), number=2, name="Cage 2").data["drawer_id"]
    opens(house.cast.mari, house.cast.frans, own, 200_00, at=house.at)
    out = {"drawer_id": own, "amount_cents": 150_00, "unnamed": "gives_no_name"}
    house.tap(cash_out, house.cast.mari, **out)
    page = signs_in(chromium)
    # Her drawer, and what she paid out that was never sold.
    expect(page.get_by_text("You had a part in it: somebody else counts or judges it first")).to_have_count(2)
    expect(page.locator('[name="carry_drawer.1"]')).to_be_visible()
    look(page, "drawers-1-open")
    house.close_drawer(own)
    house.tap(judge_doubt, house.cast.frans, doubt_id=Doubt.objects.get().pk)
    page.reload()
    page.select_option('[name="carry_drawer.1"]', "stays_open")
    page.get_by_role("button", name="Close the day for operations").click()
    page.get_by_role("button", name="Close the day", exact=True).click()
    expect(page.get_by_text("No day is open")).to_be_visible()
    first = GamingDay.objects.get()
    page.goto(f"/cage/day/{first.pk}/")
    expect(page.locator(".day-counts").first).to_contain_text("drawer 1")
    look(page, "drawers-2-carried")
    page.goto("/reports/")
    expect(page.locator("#sheet-drawers")).to_contain_text("not counted on this day")
    look(page, "drawers-3-report-without-its-count")
    house.next_day()
    house.close_drawer(short_cents=5_00)
    page.goto("/reports/")
    expect(page.locator("#sheet-drawers")).to_contain_text("from 20.11.2026")
    look(page, "drawers-4-report-with-its-count")
    page.goto(f"/cage/sessions/{DrawerSession.objects.latest('closed_day', 'closed_at').pk}/")
    expect(page.get_by_text("Carried over from the gaming day of 20.11.2026.")).to_be_visible()
    look(page, "drawers-5-count")
