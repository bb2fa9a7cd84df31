"""A bad beat from the dealer's tap to the last receipt: tablet, floor, cage and the lobby's wall."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from jackpot.models import Claim, ClaimShare
from tests.browser.dealer_tablet import at_table, sign_in, tablet_of
from tests.browser.languages import faults
from tests.browser.test_floor_lobby import house, shot
from tests.cast import demo_person, enrolled
from tests.jackpot.beats import SEVEN, Beats
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["house"]
# Four screens and seven receipts; what each step does is told in tests/jackpot in a second.
pytestmark = [pytest.mark.browser, pytest.mark.slow]

BOARD, LOSES, WINS = ("As", "Ah", "Kd", "7c", "7d"), ("Ac", "Kc"), ("7h", "7s")


def floor_page(house: House, server: BrushServer, chromium: Chromium) -> Page:
    sign_in(enrolled(house.cast.room, "floor"), house.cast.frans)
    page = chromium.page("floor")
    host = urlsplit(server.url).hostname or ""
    page.context.add_cookies([{"name": "brush_device", "value": "token-floor-1", "domain": host, "path": "/"}])
    page.goto("/floor/")
    return page


def cage_page(chromium: Chromium) -> Page:
    page = chromium.page("cage")
    page.goto("/sign-in/?next=/cage/1/")
    page.fill("[name=username]", "carla")
    page.fill("[name=password]", demo_person("carla").password)
    page.keyboard.press("Enter")
    expect(page.locator("#player-search")).to_be_visible()
    return page


def test_a_bad_beat_is_paid_from_tap_to_last_receipt(
    house: House, brush_server: BrushServer, chromium: Chromium
) -> None:
    beats = Beats(house)
    beats.open(seats=SEVEN)
    beats.sum(2_345_67)
    beats.played()
    tablet_of(house, house.cast.anna)
    tablet = at_table(chromium, brush_server, house)
    sum_at_table = tablet.page.locator(".felt-jackpot b")
    expect(sum_at_table).to_have_text("2\xa0345,67\xa0€")
    floor = floor_page(house, brush_server, chromium)

    # The dealer's tap: the table waits, and the tablet gives no reason.
    tablet.tap("menu")
    shot(tablet.page, "beat-1-menu")
    tablet.tap("table-act")
    shot(tablet.page, "beat-2-asks")
    tablet.yes()
    expect(tablet.page.locator('[data-do="deal"]')).to_be_disabled()
    expect(floor.locator("#live")).to_contain_text("Bad beat called in hand 1")
    shot(tablet.page, "beat-3-waits")
    shot(floor, "beat-4-todo")

    # The cards, judged as they are tapped.
    claim = Claim.objects.get()
    floor.goto(f"/jackpot/claims/{claim.pk}/")
    shot(floor, "beat-5-claim")
    for card in BOARD:
        floor.locator(f'[data-card="{card}"]').tap()
    for seat, cards in ((1, LOSES), (2, WINS)):
        floor.locator(f"#cards-{seat}").tap()
        for card in cards:
            floor.locator(f'[data-card="{card}"]').tap()
    expect(floor.locator("#jackpot-result")).to_contain_text("It qualifies · category 1")
    assert not faults(floor)
    shot(floor, "beat-6-entered")
    floor.get_by_role("button", name="Enter these cards").tap()
    expect(floor.locator(".claim-acts")).to_contain_text("Verify the claim")

    # The checklist, then the floor's word.
    floor.locator("[name=reference]").fill("camera 4, 21:04")
    for item in ("deck", "hands", "surveillance", "witnesses", "identities"):
        floor.locator(f".claim-item:has([value={item}]) button").tap()
        expect(floor.locator(f".claim-item:has([value={item}])")).to_have_count(0)
        if item == "deck":
            floor.locator("[name=reference]").fill("camera 4, 21:04")
        if item == "hands":
            floor.locator("[name=reference]").fill("camera 4, 21:04")
    expect(floor.get_by_role("button", name="Verify the claim")).to_be_in_viewport(ratio=1)
    shot(floor, "beat-7-walked")
    # Somebody else has it open, and is typing there: nothing is taken from under their fingers.
    other = floor.context.new_page()
    other.goto(f"/jackpot/claims/{claim.pk}/")
    other.locator("#at-last").fill("21:0")
    floor.get_by_role("button", name="Verify the claim").tap()
    expect(floor.get_by_role("button", name="Approve and pay")).to_be_visible()
    expect(tablet.page.locator('[data-do="deal"]')).to_be_enabled()
    expect(tablet.page.locator("#middle")).to_contain_text("ready to deal")
    assert beats.sum() == 2_345_67
    expect(sum_at_table).to_have_text("2\xa0345,67\xa0€")
    shot(floor, "beat-8-to-sign")
    expect(other.locator("[data-moved-on]")).to_contain_text("Somebody has gone on with this since.")
    assert other.locator("#at-last").input_value() == "21:0"
    assert not faults(other)
    shot(other, "beat-8-elsewhere")
    other.get_by_role("button", name="Show it as it is").click()
    expect(other.get_by_role("button", name="Approve and pay")).to_be_visible()

    # The manager signs on the same screen: at that moment the sum falls.
    floor.locator("#approve-by").select_option("mari")
    floor.locator("#approve-pin").fill(demo_person("mari").pin)
    floor.get_by_role("button", name="Approve and pay").tap()
    expect(floor.locator(".claim-shares")).to_contain_text("Kai")
    assert beats.sum() == 1_000_00, "what is left is less than the seed"
    expect(sum_at_table).to_have_text("1\xa0000\xa0€")
    assert not faults(floor)
    # And whoever types nothing sees it at once.
    expect(other.locator(".claim-shares")).to_contain_text("Kai")
    shot(floor, "beat-9-approved")

    # The cage pays each as they come.
    cage = cage_page(chromium)
    for nickname in SEVEN:
        pays(cage, nickname)
        expect(cage.locator("#slip")).to_contain_text("Received, signature")
        if nickname == "Kai":
            shot(cage, "beat-10-receipt")
        cage.keyboard.press("Escape")
    expect(floor.locator(".claim-shares .chip.soon")).to_have_count(0)
    shot(floor, "beat-11-paid")
    assert not ClaimShare.objects.filter(paid_at=None).exists()


def pays(cage: Page, nickname: str) -> None:
    """Choose who comes, and pay what waits for them."""
    cage.locator("#player-search").fill(nickname)
    # The list of the search before may still stand there.
    cage.locator("#players [role=option] button").filter(has_text=nickname).first.click()
    request = cage.locator("#player-card [data-request]")
    expect(request).to_be_visible()
    if nickname == "Lee":
        shot(cage, "beat-10-card")
    request.click()
    expect(cage.locator("#till-request")).to_be_visible()
    cage.locator("#till-go").click()
    check = cage.locator("#check")
    expect(check.locator("[data-go]")).to_be_visible()
    if (second := check.locator("[name=username]")).count():
        second.select_option("frans")
        check.locator("[name=pin]").fill(demo_person("frans").pin)
    check.locator("[data-go]").click()
    expect(check).to_be_hidden()
