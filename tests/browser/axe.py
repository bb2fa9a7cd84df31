"""What axe-core finds on a page, out of the package that brings it along."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import ConsoleMessage, Page

_AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
# Said to the browser's own policy check and not to us: axe reads styles of other origins, and there are none.
_RUN = """async () =>
  (await axe.run(document, { resultTypes: ["violations"] })).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`))
"""
_STILL = """() => Promise.allSettled(
  document.getAnimations().filter(each => isFinite(each.effect.getComputedTiming().endTime)).map(each => each.finished)
)"""


def findings(page: Page) -> list[str]:
    """Return each rule that a part of the page breaks, with where and why."""
    if page.evaluate("() => !window.axe"):
        page.evaluate(_AXE)
    # A sheet that still fades in has other colours than when it stands.
    page.evaluate(_STILL)
    return list(page.evaluate(_RUN))


def listen(page: Page) -> list[str]:
    """Return a list that gets whatever the page's console calls an error from now on."""
    heard: list[str] = []

    def hear(message: ConsoleMessage) -> Any:
        if message.type == "error":
            heard.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    return heard
