"""Every screen in light and in dark, at its device's size: axe-core finds nothing, and the console stays silent."""

import pytest
from playwright.sync_api import Page

from tests.browser.axe import findings, listen
from tests.browser.languages import Screen, show
from tests.browser.test_floor_lobby import house, shot
from tests.browser.test_languages import busy, page_of, screens
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House

__all__ = ["busy", "house"]
pytestmark = pytest.mark.browser
# What most people look at most of the night; the others are looked at in the slow test.
MAIN = ("map", "seat", "dealer", "lobby", "till", "log", "phone-table")

# Colours are read where they end, and not on their way from one theme to the other.
_THEME = """theme => {
  document.documentElement.dataset.theme = theme;
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
}"""


def faults_of(busy: House, server: BrushServer, chromium: Chromium, shown: list[Screen]) -> list[str]:
    """Return what axe and the consoles say about screens, in both themes."""
    found: list[str] = []
    pages: dict[str, tuple[Page, list[str]]] = {}
    for screen in shown:
        if screen.device not in pages:
            page = page_of(chromium, server, screen.device)
            pages[screen.device] = page, listen(page)
        page = pages[screen.device][0]
        show(page, screen)
        for theme in ("light", "dark"):
            page.evaluate(_THEME, theme)
            shot(page, f"{screen.name}-{theme}")
            found += [f"{screen.name}, {theme}: {each}" for each in findings(page)]
    return found + [each for _, heard in pages.values() for each in heard]


def test_axe_finds_nothing_on_the_main_screens(busy: House, brush_server: BrushServer, chromium: Chromium) -> None:
    shown = [screen for screen in screens() if screen.name in MAIN]
    assert len(shown) == len(MAIN)

    found = faults_of(busy, brush_server, chromium, shown)

    assert not found, "\n".join(found)


@pytest.mark.slow
def test_axe_finds_nothing_on_any_screen(busy: House, brush_server: BrushServer, chromium: Chromium) -> None:
    programs = [Screen("api", "cage", "/api/docs/"), Screen("problems", "cage", "/api/docs/problems/")]

    found = faults_of(busy, brush_server, chromium, [*screens(), *programs])

    assert not found, "\n".join(found)
