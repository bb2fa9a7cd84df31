"""A desktop whose sign-in has ended says so at once, keeps what was typed, and goes on when its person is back."""

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from casino.cage.models import Slip
from casino.people.models import Staff
from tests.cage.desk import CageDesk
from tests.cage.test_cage_in_chromium import desk as desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cast import demo_person
from tests.support.browser import Chromium

pytestmark = pytest.mark.browser


def sign_in_over(page: Page, username: str) -> None:
    expect(page.locator("#again-password")).to_be_focused()
    page.keyboard.type(demo_person(username).password)
    page.keyboard.press("Enter")
    expect(page.locator("#sign-in-again")).to_be_hidden()


@pytest.mark.smoke
@pytest.mark.slow
def test_the_till_says_so_at_once_keeps_what_was_typed_and_goes_on(desk: CageDesk, chromium: Chromium) -> None:
    page = sit_down(chromium)
    page.keyboard.press("Enter")
    page.keyboard.type("200")
    elsewhere = page.context.new_page()
    elsewhere.goto("/cage/1/")
    elsewhere.click(".sign-out button")

    sheet = page.locator("#sign-in-again")
    expect(sheet).to_contain_text("Your sign-in has ended")
    expect(page.locator("[data-connection-word]")).to_have_text("signed out")
    page.keyboard.press("Escape")
    expect(sheet).to_be_visible()
    page.keyboard.type("not hers at all")
    page.keyboard.press("Enter")
    expect(sheet.locator("[role=alert]")).to_contain_text("do not go together")
    expect(page.locator("#again-password")).to_have_value("")
    sign_in_over(page, "carla")

    expect(page.locator("[data-connection-word]")).to_have_text("live")
    expect(page.locator("#till-amount")).to_be_focused()
    expect(page.locator("#till-amount")).to_have_value("200")
    # By time: nobody says so, and the next tap does.
    Session.objects.all().delete()
    page.keyboard.press("Enter")
    expect(page.locator("[data-connection-word]")).to_have_text("signed out")
    sign_in_over(page, "carla")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    Session.objects.all().delete()
    page.keyboard.press("Enter")
    sign_in_over(page, "carla")
    expect(page.locator("#check [role=alert]")).to_have_count(0)
    page.click("#check [data-go]")
    expect(page.locator("#slip .number")).to_have_text("1–00001")
    assert Slip.objects.get().amount_cents == 200_00


@pytest.mark.slow
def test_a_page_of_the_office_that_hears_nothing_asks_when_it_is_looked_at(desk: CageDesk, chromium: Chromium) -> None:
    page = chromium.page("cage", "/sign-in/?next=/cage/day/")
    page.fill("#username", "mari")
    page.fill("#password", demo_person("mari").password)
    page.press("#password", "Enter")
    page.fill("#drawer-name", "Second")
    Session.objects.all().delete()

    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    sign_in_over(page, "mari")

    expect(page.locator("#drawer-name")).to_have_value("Second")


@pytest.mark.slow
def test_what_another_tab_did_to_the_sign_in_is_said_and_nothing_goes_out_under_the_others_name(
    desk: CageDesk, chromium: Chromium
) -> None:
    page = sit_down(chromium)
    page.keyboard.press("Enter")
    page.keyboard.type("200")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    elsewhere = page.context.new_page()
    elsewhere.goto("/sign-in/?next=/cage/1/")
    elsewhere.fill("#username", "mari")
    elsewhere.fill("#password", demo_person("mari").password)
    elsewhere.press("#password", "Enter")
    elsewhere.wait_for_url("**/cage/1/")

    page.keyboard.press("Enter")
    sheet = page.locator("#signed-in-as-another")
    expect(sheet).to_contain_text("Somebody else has signed in")
    assert not Slip.objects.exists()
    elsewhere.click(".sign-out button")
    elsewhere.wait_for_url("**/sign-in/**")
    # The page may have looked by itself already, and then the next sheet lies over it.
    sheet.get_by_role("button", name="Look again", include_hidden=True).evaluate("button => button.click()")
    expect(sheet).to_be_hidden()
    sign_in_over(page, "carla")

    expect(page.locator("#till-amount")).to_have_value("200")
    page.click("#check [data-go]")
    expect(page.locator("#slip .number")).to_have_text("1–00001")
    assert Slip.objects.get().paid_by_id == Staff.objects.get(username="carla").pk
