"""Two managers bring a change of the rule book from the first letter to the signature, and the sheet that is posted."""

import pytest
from playwright.sync_api import expect

from casino.people.models import Staff
from casino.rooms.models import NextBook
from tests.browser.test_floor_lobby import house, shot
from tests.cast import TONIGHT, demo_person
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]
pytestmark = pytest.mark.browser

TYPED_BEFORE_ANY_SCRIPT = """
document.addEventListener("readystatechange", () => {
  const text = document.getElementById("book-text");
  if (text && document.readyState === "interactive") text.value = text.value.replace("seats = 9", "seat = 9");
});
"""


@pytest.mark.slow
def test_a_change_is_typed_checked_asked_for_and_signed(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    Staff.objects.create(
        room=house.cast.room, username="petra", display_name="Petra", roles=["manager"], created_at=TONIGHT,
        pin=house.cast.mari.pin, is_on_shift=True,
    )  # fmt: skip
    page = chromium.page("cage", "/sign-in/?next=/rule-books/")
    # A quick hand is there before the page's scripts are.
    page.add_init_script(TYPED_BEFORE_ANY_SCRIPT)
    page.get_by_label("Name").fill("mari")
    page.get_by_label("Password").fill(demo_person("mari").password)
    page.get_by_role("button", name="Sign in").click()
    text = page.locator("#book-text")
    before = text.evaluate("text => text.defaultValue")
    expect(page.locator("#book-check")).to_contain_text("Did you mean “seats”?")

    text.fill(before.replace("clock_seconds = 30 ", "clock_second = 30 ").replace("seats = 9", "seats = 13"))
    expect(page.locator("#book-check")).to_contain_text("Did you mean “clock_seconds”?")
    shot(page, "books-1-wrong")
    page.get_by_role("button", name="Go to line 20").click()
    assert text.evaluate("text => text.value.slice(text.selectionStart, text.selectionEnd)").startswith("clock_second ")
    text.fill(before.replace("maximum_cents = 12_00", "maximum_cents = 14_00").replace("= 180 ", "= 240 "))
    expect(page.locator("#book-check")).to_contain_text("games › nlh-2-4 › rake › maximum_cents")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".book-next")).to_contain_text("saved by Mari")
    shot(page, "books-2-saved")
    page.get_by_role("button", name="Ask for a signature").click()
    expect(page.locator(".book-sign")).to_contain_text("Asked for by")
    page.locator(".book-pin summary").click()
    page.locator("#sign-pin").fill("9999")
    page.get_by_role("button", name="Sign it").click()
    expect(page.locator("#book-refusal [role=alert]")).to_be_visible()
    shot(page, "books-3-wrong-pin")
    page.locator("#sign-pin").fill("1357")
    page.get_by_role("button", name="Sign it").click()
    expect(page.locator(".book-sign")).to_contain_text("Signed by")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    shot(page, "books-4-signed")

    assert NextBook.objects.get().status == "approved"
    page.goto("/posted/")
    shot(page, "books-5-posted")
