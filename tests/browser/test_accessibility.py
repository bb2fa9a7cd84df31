"""Every screen in light and in dark, at its device's size: axe-core finds nothing, and the console stays silent."""

import pytest
from playwright.sync_api import Page, expect

from tables.models import Hand
from tests.browser.axe import findings, listen
from tests.browser.languages import Screen, show
from tests.browser.test_floor_lobby import house, shot
from tests.browser.test_languages import busy, page_of, screens
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["busy", "house"]
pytestmark = pytest.mark.browser

# Colours are read where they end, and not on their way from one theme to the other.
_THEME = """theme => {
  document.documentElement.dataset.theme = theme;
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
}"""


def faults_of(server: BrushServer, chromium: Chromium, shown: list[Screen]) -> list[str]:
    """Return what axe and the consoles say about screens, in both themes, and what a finger cannot hit there."""
    found: list[str] = []
    pages: dict[str, tuple[Page, list[str]]] = {}
    for screen in shown:
        if screen.device not in pages:
            page = page_of(chromium, server, screen.device)
            pages[screen.device] = page, listen(page)
        page = pages[screen.device][0]
        show(page, screen)
        found += [f"{screen.name}: {each}" for each in page.evaluate(_SMALL)]
        for theme in ("light", "dark"):
            page.evaluate(_THEME, theme)
            shot(page, f"{screen.name}-{theme}")
            found += [f"{screen.name}, {theme}: {each}" for each in findings(page)]
    return found + [each for _, heard in pages.values() for each in heard]


@pytest.mark.slow
def test_axe_finds_nothing_on_any_screen(busy: House, brush_server: BrushServer, chromium: Chromium) -> None:
    # The description of the calls themselves is drawn by Swagger UI, in its own colours.
    problems = Screen("problems", "cage", "/api/docs/problems/")

    found = faults_of(brush_server, chromium, [*screens(), problems])

    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["zoomed", "large text"])
def test_at_150_per_cent_seats_keep_apart_and_what_goes_on_stays_in_sight(
    busy: House, brush_server: BrushServer, chromium: Chromium, way: str
) -> None:
    """Zoomed in as with Ctrl and +, or with the device's own text set larger."""
    settled = Hand.objects.filter(status="settled").latest("id")
    hand = Screen("settled", "floor", "/floor/tables/1/hands/", f"/floor/tables/1/hands/{settled.pk}/sheet/")
    goes_on = {
        "till": "#till-go",
        "settled": "#correct > form > .button.primary",
        # As large as it is: a phone is not zoomed in as well.
        "phone-map": ".strip-clock",
    }
    if way == "zoomed":
        # What is wrapped by the width in ems, which follows the device's own text and not what is set on the page here.
        goes_on |= {"map": ".desks a >> nth=-1", "table": ".table-acts .button >> nth=-1"}
    found = []
    for screen in [hand, *(each for each in screens() if each.name in ("dealer", *goes_on))]:
        page = page_of(chromium, brush_server, screen.device)
        width, height = page.evaluate("[innerWidth, innerHeight]")
        if way == "zoomed" and screen.device != "phone":
            page.set_viewport_size({"width": round(width / 1.5), "height": round(height / 1.5)})
        show(page, screen)
        if way == "large text":
            page.evaluate("document.documentElement.style.setProperty('font-size', '24px')")
        shot(page, f"{screen.name}-{way.replace(' ', '-')}")
        found += [f"{screen.name}: {each}" for each in page.evaluate(_SEATS)]
        if screen.name in goes_on:
            expect(page.locator(goes_on[screen.name])).to_be_in_viewport(ratio=0.9)

    assert not found, "\n".join(found)


# What is tapped and less high than a finger is wide. Links amid a sentence apart; a box counts with its words.
_SMALL = """() => {
  const isInSentence = (each) => each.matches("a") && [...each.parentElement.childNodes].some(
    (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
  const isSmall = (each) => {
    const { width, height } = (each.closest("label") ?? each).getBoundingClientRect();
    return width > 1 && height < 47.5;
  };
  const tapped = [...document.querySelectorAll(
    "main :is(a[href], button, summary, select, input:not([type=hidden]), textarea)")];
  return tapped.filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !isInSentence(each) && isSmall(each))
    .map((each) => `too small for a finger: ${each.outerHTML.slice(0, 90)}`);
}"""

# Which seats lie over one another, or stick out at the left or over the column at the right.
_SEATS = """() => {
  const seats = [...document.querySelectorAll(".seat-card")].map((each) => each.getBoundingClientRect());
  const felt = document.querySelector(".felt")?.getBoundingClientRect();
  const lie = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  return seats.flatMap((one, index) => [
    ...seats.slice(index + 1).filter((other) => lie(one, other)).map(() => `place ${index + 1} lies over another`),
    ...(one.left < felt.left || one.right > felt.right + 1 ? [`place ${index + 1} sticks out`] : []),
  ]);
}"""
