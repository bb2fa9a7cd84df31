"""Pictures of screens for docs/screens: taken where BRUSH_SCREENSHOTS names a folder (`make pictures`)."""

import os
from pathlib import Path

from playwright.sync_api import Page

FOLDER = os.environ.get("BRUSH_SCREENSHOTS")


def look(page: Page, name: str, *, in_finnish: bool = True) -> None:
    """Judge whether what is shown fits its screen, and keep a picture of it; in Finnish as a fresh page shows it."""
    fits(page)
    if not FOLDER:
        return
    keep(page, name)
    if in_finnish and page.context.browser is not None:
        again = page.context.browser.new_context(
            locale="fi-FI", storage_state=page.context.storage_state(), viewport=page.viewport_size
        )
        fresh = again.new_page()
        fresh.goto(page.url)
        fits(fresh)
        keep(fresh, f"{name}-fi")
        again.close()


def on_paper(page: Page, name: str) -> None:
    """Keep a picture of what a page prints."""
    if FOLDER:
        page.emulate_media(media="print")
        keep(page, name, full_page=True)
        page.emulate_media(media="screen")


def keep(page: Page, name: str, *, full_page: bool = False) -> None:
    """Keep a picture of what is shown, as it stands."""
    if FOLDER:
        Path(FOLDER).mkdir(parents=True, exist_ok=True)
        # What glows or slides in is drawn as it ends.
        page.screenshot(path=Path(FOLDER) / f"{name}.png", full_page=full_page, animations="disabled")


def fits(page: Page) -> None:
    """Fail where a page is wider than its screen, or the way between its desks than what is left for it."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} is {wide} px wider than the screen"
    hidden = page.evaluate(
        "[...document.querySelectorAll('.desks')].some((each) => each.scrollWidth > each.clientWidth + 1)"
    )
    assert not hidden, f"{page.url} hides a part of the way between desks"
