"""
A real Chromium, found on the machine or out of Playwright's own install, at the sizes of our devices.

It stays up for as long as the test process; each test gets devices of its own, with nothing kept from the last test.
"""

import asyncio
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, ViewportSize, expect, sync_playwright

from tests.support.patience import PATIENCE_SECONDS

# First the one without windows, which takes two thirds of the time of the whole one.
CHROMIUM_NAMES = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
)  # fmt: skip
PATIENCE_MS = PATIENCE_SECONDS * 1000
# What `expect` awaits; pages wait as long, see `Chromium.context`.
expect.set_options(timeout=PATIENCE_MS)
# As root a sandbox cannot be had, and none of the rest may ask the world outside for anything.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
DEVICES: dict[str, dict[str, Any]] = {
    "dealer": {"viewport": ViewportSize(width=1280, height=800), "has_touch": True},
    "floor": {"viewport": ViewportSize(width=1180, height=820), "has_touch": True},
    "cage": {"viewport": ViewportSize(width=1366, height=768)},
    "lobby": {"viewport": ViewportSize(width=1920, height=1080)},
    "phone": {
        "viewport": ViewportSize(width=390, height=844),
        "has_touch": True,
        "is_mobile": True,
        "device_scale_factor": 2,
    },
}


# What slides in or fades has come to its end; what pulses for as long as it is there does not.
STANDS_STILL = """document.getAnimations().every(
  (each) => each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity)"""


def until(page: Page, is_so: Callable[[], Any] | str, or_say: Callable[[], str] | None = None) -> None:
    """
    Return as soon as something is so, or an expression true in the page, which lives on meanwhile.

    Playwright's own way evaluates text in the page, which its policy forbids.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _is_so_now(page, is_so):
        assert time.monotonic() < deadline, or_say() if or_say else f"never true: {is_so}"
        page.wait_for_timeout(20)


def _is_so_now(page: Page, is_so: Callable[[], Any] | str) -> bool:
    try:
        return bool(page.evaluate(is_so) if isinstance(is_so, str) else is_so())
    except Error as problem:
        # The page was on its way to the next one: that is asked then.
        if "because of a navigation" not in str(problem):
            raise
        return False


class Chromium:
    """A running browser that opens pages as the devices of a room do, each with cookies of its own."""

    def __init__(self, browser: Browser, base_url: str | None) -> None:
        self.browser = browser
        self._base_url = base_url
        self.problems: list[str] = []

    def context(self, device: str, **options: Any) -> BrowserContext:
        """Return a new device: "dealer", "floor", "cage", "lobby" or "phone"."""
        settings = {"base_url": self._base_url, "locale": "en-GB"} | DEVICES[device] | options
        context = self.browser.new_context(**settings)
        context.set_default_timeout(PATIENCE_MS)
        return context

    def page(self, device: str, path: str | None = None, **options: Any) -> Page:
        """Return a page on a new device, opened at `path`; uncaught errors of its scripts fail the test."""
        page = self.context(device, **options).new_page()
        page.on("pageerror", lambda error: self.problems.append(f"{device}: {error}"))
        if path is not None:
            page.goto(path)
        return page


class _Running:
    """
    The browser of this test process.

    Playwright keeps an event loop running in this thread, in which neither async tests nor Django's database calls
    would work: between tests it is hidden, which nobody but a loop's own keeper does.
    """

    def __init__(self) -> None:
        self._opened = ExitStack()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._browser: Browser | None = None

    @contextmanager
    def browser(self) -> Iterator[Browser]:
        """Yield the browser, started now if there is none or it has crashed."""
        asyncio._set_running_loop(self._loop)
        try:
            if self._browser is None or not self._browser.is_connected():
                self._browser = self._start()
                self._loop = asyncio.get_running_loop()
            try:
                yield self._browser
            finally:
                for context in self._browser.contexts:
                    context.close()
        finally:
            asyncio._set_running_loop(None)

    def stop(self) -> None:
        """Close the browser, if there is one."""
        asyncio._set_running_loop(self._loop)
        try:
            self._opened.close()
        finally:
            asyncio._set_running_loop(None)

    def _start(self) -> Browser:
        self._opened.close()
        # A new Playwright refuses to begin beside the loop of the one that is gone.
        asyncio._set_running_loop(None)
        playwright = self._opened.enter_context(sync_playwright())
        program = program_path() or playwright.chromium.executable_path
        if not Path(program).exists():
            reason = (
                "NO BROWSER: there is no Chromium on this machine, and Playwright has none either; install one "
                "(Debian: apt-get install chromium-headless-shell; else: "
                ".venv/bin/python -m playwright install chromium)"
            )
            if os.environ.get("BRUSH_REQUIRE_BROWSER") == "1":
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        self._opened.callback(browser.close)
        return browser


running = _Running()


@contextmanager
def chromium_for_a_test(base_url: str | None) -> Iterator[Chromium]:
    """Lend the browser to one test; skip it where none can be had, unless BRUSH_REQUIRE_BROWSER=1 forbids that."""
    with running.browser() as browser:
        chromium = Chromium(browser, base_url)
        yield chromium
        assert not chromium.problems, "\n".join(chromium.problems)


def program_path() -> str | None:
    """Return the machine's own Chromium, or the one that BRUSH_CHROMIUM names."""
    if named := os.environ.get("BRUSH_CHROMIUM"):
        return named
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
