"""What axe-core finds on a page, out of the package that brings it along."""

from importlib.resources import files
from typing import Any

from playwright.sync_api import ConsoleMessage, Page

_AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
# Said to the browser's own policy check and not to us: axe reads styles of other origins, and there are none.
_RUN = """async (rules) => (await axe.run(document, {
  resultTypes: ["violations"], ...(rules.length && {runOnly: {type: "rule", values: rules}}),
})).violations.flatMap(({id, nodes}) =>
  nodes.map(({target, failureSummary}) => `${id}: ${target.join(" ")} ${failureSummary}`))"""
# What another theme may change: it is colours alone.
_OF_COLOURS = ["color-contrast", "link-in-text-block"]
_STILL = """() => Promise.allSettled(
  document.getAnimations().filter(each => isFinite(each.effect.getComputedTiming().endTime)).map(each => each.finished)
)"""


def findings(page: Page, *, of_colours_alone: bool = False) -> list[str]:
    """Return each rule (or each rule about colours) that a part of the page breaks, with where and why."""
    page.evaluate(_AXE)
    # A sheet that still fades in has other colours than when it stands.
    page.evaluate(_STILL)
    return list(page.evaluate(_RUN, _OF_COLOURS if of_colours_alone else []))


def listen(page: Page) -> list[str]:
    """Return a list that gets whatever the page's console calls an error from now on."""
    heard: list[str] = []

    def hear(message: ConsoleMessage) -> Any:
        if message.type == "error":
            heard.append(f"{page.url}: {message.text}")

    page.on("console", hear)
    return heard
