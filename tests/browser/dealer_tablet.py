"""A dealer's tablet in a real browser: table 1 of the tests' house, with its taps counted."""

import math
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, expect

from casino.people.models import Device, SignIn, Staff
from tables.models import Hand, Table
from tests.cast import TONIGHT, demo_person, enrolled
from tests.support.browser import Chromium, until
from tests.support.room import BrushServer
from tests.tables.conftest import House

TOKEN = "token-table-1"
# A little more than AGAIN_MS in dealer.js.
TREMBLING_MS = 450
# A little more than its namesake in hands.js.
CALM_MS = 750


def finger_rests(page: Page, milliseconds: float) -> None:
    """
    Do not touch the tablet for so long, as a dealer's finger does not by itself.

    The page shows to nobody when such a moment ends, and its scripts run on their own, so no state tells of it.
    """
    if milliseconds > 0:
        page.wait_for_timeout(milliseconds)


def tablet_of(house: House, staff: Staff | None, number: int = 1) -> Device:
    """Return the table's enrolled tablet with this person signed in on it, or nobody."""
    device = enrolled(house.cast.room, "table", number)
    if staff is not None:
        sign_in(device, staff)
    return device


def sign_in(device: Device, staff: Staff) -> None:
    began_at = TONIGHT - timedelta(minutes=17)
    SignIn.objects.filter(device=device, ended_at=None).update(ended_at=TONIGHT)
    found = SignIn.objects.create(id=uuid.uuid4(), device=device, staff=staff, began_at=began_at)
    Device.objects.filter(pk=device.pk).update(signed_in=staff, signed_in_at=began_at, sign_in_id=found.pk)


@dataclass
class Tablet:
    """The page on the tablet. `taps` counts what the dealer touched, digits apart."""

    page: Page
    house: House
    taps: int = 0
    digits: int = 0
    answers: list[dict[str, Any]] = field(default_factory=list)
    tapped_at: dict[str, float] = field(default_factory=dict)

    def tap(self, what: str) -> None:
        """Tap a button of the bar, a sheet or the panel by what it does."""
        self._tap(self.page.locator(f'[data-do="{what}"]'), what)

    def seat(self, number: int) -> None:
        self._tap(self.page.locator(f'#live [data-seat="{number}"] button'), f"seat {number}")

    def type(self, amount: str) -> None:
        """Type an amount on the keypad."""
        for digit in amount:
            self.page.locator(f'[data-key="{digit}"]').tap()
            self.digits += 1

    def yes(self) -> None:
        self._tap(self.page.locator("#confirm [data-yes]"), "yes")

    def _tap(self, target: Locator, what: str) -> None:
        """Tap as a finger does that means it, also when it means the same once more: the page swallows trembling."""
        expect(target).to_be_enabled()
        since_ms = (time.monotonic() - self.tapped_at.get(what, -math.inf)) * 1000
        finger_rests(self.page, TREMBLING_MS - since_ms)
        target.tap()
        self.tapped_at[what] = time.monotonic()
        self.taps += 1

    @property
    def middle(self) -> Locator:
        return self.page.locator("#middle")

    def seat_of(self, number: int) -> Locator:
        return self.page.locator(f'#live [data-seat="{number}"]')

    def bright(self) -> list[str]:
        """Return what the bright buttons of the bar do."""
        return [str(each.get_attribute("data-do")) for each in self.page.locator("#bar .primary:enabled").all()]

    def wait_until_sent(self) -> None:
        """
        Wait until the server has answered every tap and the screen shows what it made of them.

        The ring then shows what the tablet by itself had shown before.
        """
        foreseen = self.ring()
        self.wait(lambda: self.page.evaluate(WAITING) == 0)
        version = Table.objects.get(room_id=self.house.room_id, number=1).version
        self.wait(lambda: self.state()["version"] >= version)
        # Between the fragment's arrival and the tablet's own drawing there is a moment.
        self.wait(lambda: self.ring() == foreseen, or_say=lambda: f"{self.ring()} and not {foreseen}")

    def ring(self) -> list[str]:
        """Return what each seat says: name, button, blinds, note."""
        return ["".join(text.split()) for text in self.page.locator("#live .seat").all_inner_texts()]

    def wait(
        self,
        is_so: Callable[[], bool],
        *,
        or_say: Callable[[], str] = lambda: "it never came to be",
    ) -> None:
        """Wait until something is so."""
        until(self.page, is_so, or_say)

    def sign_in(self, username: str) -> None:
        """Sign somebody in at the PIN pad, which is open or on its way."""
        # The pad listens once its script has run.
        self.page.wait_for_url(lambda url: "/door/" in url)
        staff = self.house.cast.staff[username]
        self.page.locator(f'input[name="staff_id"][value="{staff.pk}"]').check(force=True)
        for digit in demo_person(username).pin:
            self.page.locator(f'[data-digit="{digit}"]').tap()
        self.page.locator("[data-enter]").tap()
        self.page.wait_for_url(lambda url: "/tables/" in url)

    def wait_until_calm(self) -> None:
        """Wait what is left of the moment after a pot was won, in which a seat's tap is a finger that trembles."""
        since_ms = (time.monotonic() - max(self.tapped_at.values(), default=-math.inf)) * 1000
        finger_rests(self.page, CALM_MS - since_ms)

    def state(self) -> dict[str, Any]:
        """Return what the server's last fragment says."""
        return dict(self.page.evaluate("JSON.parse(document.getElementById('dealer-data').textContent)"))


WAITING = """() => new Promise((resolve) => {
  const opening = indexedDB.open("brush-queue");
  opening.onsuccess = () => {
    const count = opening.result.transaction("items").objectStore("items").count();
    count.onsuccess = () => { opening.result.close(); resolve(count.result); };
  };
  opening.onerror = () => resolve(-1);
})"""


# The hashes of the secrets that the tablet keeps.
PROOFS = """() => new Promise((resolve) => {
  const opening = indexedDB.open("brush-queue");
  opening.onsuccess = () => {
    const keys = opening.result.transaction("proofs").objectStore("proofs").getAllKeys();
    keys.onsuccess = () => { opening.result.close(); resolve(keys.result); };
  };
})"""


def at_table(chromium: Chromium, server: BrushServer, house: House, *, number: int = 1, **options: Any) -> Tablet:
    """Open the table's page on its tablet."""
    context: BrowserContext = chromium.context("dealer", **options)
    host = urlsplit(server.url).hostname
    context.add_cookies([{"name": "brush_device", "value": f"token-table-{number}", "domain": str(host), "path": "/"}])
    page = context.new_page()
    page.on("pageerror", lambda error: chromium.problems.append(f"dealer: {error}"))
    page.on("console", lambda entry: chromium.problems.append(entry.text) if "Content Security" in entry.text else None)
    page.goto(f"/tables/{number}/")
    tablet = Tablet(page, house)
    expect(page.locator("html")).to_have_attribute("data-connection", "live")
    return tablet


def hands(house: House, number: int = 1) -> list[Hand]:
    """Return the hands of a table as they were logged, oldest first."""
    table = Table.objects.get(room_id=house.room_id, number=number)
    return list(Hand.objects.filter(table=table).order_by("id").prefetch_related("pots", "seats"))
