"""
Bytes over the wire, and the time until the first tap is possible, of every screen at its device's size.

The processor is slowed four times in Chromium. Bytes are what Chromium counts as received: pages, files and their
headers, and what the socket brought until the screen was usable. A screen is usable when its content is painted, its
scripts have run, its socket is live (where it has one), and what is tapped first is there. "Cold" is a device that
was never here; "warm" comes back to the same screen.

    .venv/bin/python -m bench.screens --rounds 7
"""

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.evening import Evening, instance, opened, settlement
from bench.report import Row, show
from tests.support.browser import DEVICES, FLAGS, program_path

SLOWER = 4
TABLES, PLAYERS, HANDS = 6, 8, 5
DEALER_BYTES_MAX, DEALER_MS_MAX = 80_000, 1000
USABLE_SECONDS_MAX = 30

# Notes, after the frame that painted it, when the page became usable: milliseconds since the navigation began.
WATCH = """
(() => {
  const look = () => {
    const there = document.readyState === "complete" && document.querySelector(%r);
    if (!there) return requestAnimationFrame(look);
    requestAnimationFrame(() => { window.brushUsableMs = performance.now(); });
  };
  requestAnimationFrame(look);
})();
"""


@dataclass(frozen=True)
class Screen:
    """A screen: whose size it has, its address, who opens it, and what must be there for the first tap."""

    name: str
    size: str
    path: str
    who: str
    usable: str


LIVE = 'html[data-connection="live"]'
SCREENS = [
    Screen("dealer tablet", "dealer", "/tables/1/", "tablet", f'{LIVE} #bar [data-do="deal"]:enabled'),
    Screen("floor", "floor", "/floor/", "floor", f"{LIVE} #live .tile"),
    Screen("floor, one table", "floor", "/floor/tables/1/", "floor", f"{LIVE} #live .seat-row"),
    Screen("cage", "cage", "/cage/1/", "cage", f"{LIVE} .till input"),
    Screen("lobby", "lobby", "/lobby/", "lobby", f"{LIVE} #live"),
    Screen("lobby on a phone", "phone", "/lobby/", "", f"{LIVE} #live"),
    Screen("ledger", "cage", "/ledger/", "desktop", ".ledger-table tfoot"),
    Screen("sign-in", "cage", "/sign-in/", "", "#password"),
]


@dataclass
class Load:
    """One visit: what it cost."""

    ms: float
    received: int
    requests: int


@dataclass
class Wire:
    """What Chromium's own count says of a page's traffic."""

    received: int = 0
    requests: int = 0
    pending: set[str] = field(default_factory=set)

    def listen(self, cdp: Any) -> None:
        """Count from now on."""
        cdp.on("Network.requestWillBeSent", self._sent)
        cdp.on("Network.loadingFinished", self._finished)
        cdp.on("Network.webSocketFrameReceived", self._frame)
        cdp.send("Network.enable")

    def _sent(self, event: Mapping[str, Any]) -> None:
        self.pending.add(event["requestId"])

    def _finished(self, event: Mapping[str, Any]) -> None:
        self.pending.discard(event["requestId"])
        self.received += int(event["encodedDataLength"])
        # Out of the cache nothing was received.
        self.requests += event["encodedDataLength"] > 0

    def _frame(self, event: Mapping[str, Any]) -> None:
        self.received += len(event["response"]["payloadData"].encode())


def visit(page: Page, screen: Screen) -> Load:
    """Open the screen and wait until it is usable and nothing is on its way any more."""
    cdp = page.context.new_cdp_session(page)
    wire = Wire()
    wire.listen(cdp)
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(screen.path)
    deadline = time.monotonic() + USABLE_SECONDS_MAX
    # Asked from outside, seldom: asking is work for the page too.
    while (ms := page.evaluate("window.brushUsableMs ?? 0")) == 0 or wire.pending:
        if time.monotonic() > deadline:
            raise RuntimeError(f"{screen.name} did not become usable: {page.url}, waits for {wire.pending}")
        page.wait_for_timeout(100)
    cdp.detach()
    return Load(ms, wire.received, wire.requests)


def device(browser: Browser, screen: Screen, evening: Evening) -> BrowserContext:
    """Return a device of the screen's size, with an empty cache and what opens the door for it."""
    staff = evening.staff
    known = {"tablet": staff.tablets[1], "floor": staff.floor, "cage": staff.cage, "lobby": staff.lobby}
    who = {**known, "desktop": staff.desktop}.get(screen.who)
    context = browser.new_context(base_url=evening.url, locale="en-GB", **DEVICES[screen.size])
    for name, value in (who.cookies if who else {}).items():
        context.add_cookies([{"name": name, "value": value, "url": evening.url}])
    context.add_init_script(WATCH % screen.usable)
    return context


def measured(browser: Browser, screen: Screen, evening: Evening, *, rounds: int) -> tuple[list[Load], list[Load]]:
    """Return cold and warm visits."""
    cold, warm = [], []
    for _ in range(rounds):
        context = device(browser, screen, evening)
        page = context.new_page()
        cold.append(visit(page, screen))
        page.goto("about:blank")
        warm.append(visit(page, screen))
        context.close()
    return cold, warm


def rows(name: str, cold: list[Load], warm: list[Load], *, is_dealer: bool) -> list[Row]:
    """Return a screen's lines of the table; only the dealer's tablet has a goal."""
    most_bytes, most_ms = (DEALER_BYTES_MAX / 1000, DEALER_MS_MAX) if is_dealer else (None, None)
    requests = max(load.requests for load in cold)
    return [
        Row(f"{name}: all bytes, cold ({requests} requests)", "kB", kilobytes(cold), better="less", goal=most_bytes),
        Row(f"{name}: usable, cold", "ms", [load.ms for load in cold], better="less", goal=most_ms),
        Row(f"{name}: all bytes, warm", "kB", kilobytes(warm), better="less", goal=most_bytes),
        Row(f"{name}: usable, warm", "ms", [load.ms for load in warm], better="less", goal=most_ms),
    ]


def kilobytes(loads: list[Load]) -> list[float]:
    """Return what each visit received."""
    return [load.received / 1000 for load in loads]


def play_a_little(evening: Evening) -> None:
    """Log some hands everywhere: an empty room's screens would be lighter than a real one's."""
    for number, tablet in evening.staff.tablets.items():
        for hand in range(HANDS):
            body = settlement(pot_cents=(20 + 10 * hand) * 100)
            evening.done(tablet, f"/api/v1/tables/{number}/hands/settle", body)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="screens whose name begins so")
    arguments = parser.parse_args()
    found: list[Row] = []
    with instance() as ours, sync_playwright() as playwright:
        evening = opened(ours, tables=TABLES, players_a_table=PLAYERS)
        play_a_little(evening)
        program = program_path() or playwright.chromium.executable_path
        if not Path(program).exists():
            raise SystemExit("There is no Chromium on this machine, and without one no screen can be measured.")
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for screen in SCREENS:
            if screen.name.startswith(arguments.only):
                cold, warm = measured(browser, screen, evening, rounds=arguments.rounds)
                found += rows(screen.name, cold, warm, is_dealer=screen.name == "dealer tablet")
        browser.close()
        evening.staff.go_home()
    show(f"Screens, the processor slowed {SLOWER} times", found)


if __name__ == "__main__":
    main()
