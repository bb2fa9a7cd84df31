"""The doors in a real browser: what a finger does on the PIN pad, and what a manager is shown once."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Device, Staff
from casino.rooms.models import Room
from tests.cast import demo_person, enrolled
from tests.support.browser import Chromium
from tests.support.room import BrushServer

pytestmark = pytest.mark.browser


def tablet(chromium: Chromium, server: BrushServer, kind: str, number: int = 1, device: str = "dealer") -> Page:
    """Return the browser of an enrolled device."""
    enrolled(Room.objects.get(slug="demo"), kind, number)
    page = chromium.page(device)
    cookie = {"name": DEVICE_COOKIE, "value": f"token-{kind}-{number}", "url": server.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]  # a plain dict will do
    return page


def type_pin(page: Page, name: str, pin: str) -> None:
    page.locator(".pin-person", has_text=name).tap()
    type_digits(page, pin)


def type_digits(page: Page, pin: str) -> None:
    for digit in pin:
        page.locator(f'[data-digit="{digit}"]').tap()
    page.locator("[data-enter]").tap()


def shot(page: Page, name: str) -> None:
    """Keep a picture where BRUSH_SHOTS asks for them."""
    if folder := os.environ.get("BRUSH_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.slow
@pytest.mark.smoke
def test_a_finger_signs_in_on_a_tablet_and_a_wrong_pin_makes_it_wait(live_room, chromium):
    page = tablet(chromium, live_room, "floor", device="floor")
    page.goto("/door/")
    shot(page, "door")

    type_pin(page, "Frans", "9999")
    expect(page.get_by_role("alert")).to_contain_text("not the right PIN")
    expect(page.locator("[data-wait]")).to_be_visible()
    shot(page, "door-wrong")
    expect(page.locator("[data-wait]")).to_be_hidden()
    type_pin(page, "Frans", demo_person("frans").pin)

    page.wait_for_url("**/floor/")
    assert Device.objects.get().signed_in == Staff.objects.get(username="frans")


@pytest.mark.slow
def test_a_finger_changes_its_own_pin_on_the_pad(live_room, chromium):
    page = tablet(chromium, live_room, "floor", device="floor")
    page.goto("/door/")

    page.get_by_role("button", name="Change my PIN").tap()
    type_pin(page, "Frans", demo_person("frans").pin)
    shot(page, "door-new-pin")
    type_digits(page, "8642")
    type_digits(page, "8624")
    expect(page.get_by_text("The two are not the same.")).to_be_visible()
    type_digits(page, "8642")
    type_digits(page, "8642")
    expect(page.get_by_text("Your PIN is changed.")).to_be_visible()
    assert Device.objects.get().signed_in is None

    type_digits(page, "8642")
    page.wait_for_url("**/floor/")


@pytest.mark.slow
def test_a_pin_that_another_set_leads_to_one_s_own_and_on_to_the_screen(live_room, chromium):
    Staff.objects.filter(username="frans").update(pin_set_by=Staff.SetBy.ANOTHER)
    page = tablet(chromium, live_room, "floor", device="floor")
    page.goto("/door/")

    type_pin(page, "Frans", demo_person("frans").pin)
    expect(page.get_by_text("Now a PIN of your own")).to_be_visible()
    shot(page, "door-own-pin")
    type_digits(page, demo_person("frans").pin)
    type_digits(page, demo_person("frans").pin)
    expect(page.get_by_role("alert")).to_contain_text("That is the old one")
    shot(page, "door-own-pin-refused")
    type_digits(page, "8642")
    type_digits(page, "8642")

    page.wait_for_url("**/floor/")
    assert Device.objects.get().signed_in == Staff.objects.get(username="frans")


@pytest.mark.slow
def test_every_key_of_the_pin_pad_is_large_enough_and_nothing_scrolls(live_room, chromium):
    page = tablet(chromium, live_room, "cage")
    page.goto("/door/")

    for box in [each.bounding_box() for each in page.locator(".keypad .button").all()]:
        assert box is not None
        assert min(box["width"], box["height"]) >= 64
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.querySelector('main').scrollHeight <= document.querySelector('main').clientHeight")


@pytest.mark.slow
def test_digits_may_come_from_a_keyboard(live_room, chromium):
    page = tablet(chromium, live_room, "cage", device="cage")
    page.goto("/door/")

    page.locator(".pin-person", has_text="Carla").click()
    page.keyboard.type(demo_person("carla").pin)
    page.keyboard.press("Enter")

    page.wait_for_url("**/cage/**")


def sign_in(page: Page, username: str) -> None:
    page.goto("/sign-in/")
    page.get_by_label("Name").fill(username)
    page.get_by_label("Password").fill(demo_person(username).password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


@pytest.mark.slow
def test_a_manager_enrols_a_tablet_with_a_code_that_is_shown_once(live_room, chromium):
    office, new = chromium.page("cage"), chromium.page("dealer")
    office.on(
        "console",
        lambda message: chromium.problems.append(message.text) if "Content Security" in message.text else None,
    )
    new.goto("/sign-in/")
    shot(new, "sign-in")
    sign_in(office, "mari")
    office.goto("/people/devices/")
    office.get_by_text("Table", exact=True).click()
    office.get_by_label("Number").fill("4")
    office.get_by_label("What the device is called").fill("Tablet 4")
    # As keepers of passwords leave fields behind: the next one of that name gets none of it.
    office.get_by_label("What the device is called").evaluate("field => { field.style.color = 'red'; }")
    office.get_by_role("button", name="Make a code").click()
    code = office.locator(".shown-once .huge").inner_text()
    shot(office, "devices")

    # As a scanner opens it: the code is behind the #, and a finger confirms.
    new.goto(f"/enrol/#{code}")
    expect(new.get_by_label("Code")).to_have_value(code)
    shot(new, "enrol")
    new.get_by_role("button", name="Enrol").click()

    new.wait_for_url("**/tables/4/")
    office.reload()
    expect(office.locator(".shown-once")).to_have_count(0)
    expect(office.locator(".rows .name", has_text="Tablet 4")).to_have_count(1)


@pytest.mark.slow
def test_a_manager_works_on_the_people_page_without_reloading(live_room, chromium):
    page = chromium.page("cage")
    sign_in(page, "mari")
    page.goto("/people/")
    shot(page, "people")

    anna = page.locator(".person", has_text="Anna")
    anna.get_by_role("button", name="End").click()
    expect(anna.get_by_role("button", name="Start shift")).to_be_visible()
    anna.get_by_text("Roles, PIN, password").click()
    shot(page, "people-open")
    anna.get_by_label("New PIN").fill("0000")
    anna.get_by_role("button", name="Set PIN").click()
    # Where the tap was, and not under the roles.
    pin_form = anna.locator("form", has=page.locator("[name=pin][required]"))
    expect(pin_form.get_by_role("alert")).to_contain_text("four to eight digits")
    # Who signs with them is asked only where it is about compliance.
    expect(anna.get_by_label("Second person")).to_be_hidden()
    anna.get_by_text("compliance", exact=True).click()
    expect(anna.get_by_label("Second person")).to_be_visible()
    shot(page, "people-by-two")
    page.goto("/people/players/")
    page.get_by_label("Search players").fill("kai")
    expect(page.locator(".person")).to_have_count(1)
    shot(page, "players")
    page.goto("/log/")
    page.get_by_role("button", name="Prove the last days").click()
    expect(page.get_by_text("the log holds")).to_be_visible()
    shot(page, "log")

    assert not Staff.objects.get(username="anna").is_on_shift
