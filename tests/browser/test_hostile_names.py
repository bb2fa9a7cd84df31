"""Names made to break pages, on the real screens: nothing runs, nothing is too wide, amounts read as they should."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from casino.cage.about import AtSeat
from casino.cage.models import Drawer, Slip
from casino.cage.services import buy_in, request_buy_in
from casino.ledger.models import Account
from casino.people.models import Device, Player, Staff
from casino.people.services import check_identity
from tables.models import Hand
from tables.services.seating import leave_seat
from tests.browser.dealer_tablet import TREMBLING_MS, finger_rests, sign_in
from tests.cast import demo_person, enrolled
from tests.conftest import Database
from tests.support.browser import Chromium
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house

pytestmark = pytest.mark.browser

HEBREW, ARABIC = "אבגדה 12", "محمد 12 علي 34"
# Each as long as a nickname may be, or as nasty.
NAMES = {
    "Lee": "<script>struck()</script>",
    "Kai": '"><img src=x onerror=struck()>',
    "Timo": ARABIC,
    "Mika": "😀" * 30,
    "Pekka": "W" * 30,
    "Jo": HEBREW,
    "Sara": "%(stack)s {{7*7}} ${struck()}",
    "Otto": f"{HEBREW}3",
    "Riku": "'-struck()-'\\u003cb>",
}
# Longer than a nickname: names that the house gives its people and things.
STAFF = {
    "mari": "W" * 40,
    "frans": "אבגדהוזחט 12 " + "😀" * 27,
    "anna": "<svg onload=struck()>" + "M" * 19,
    "dan": f"{ARABIC} 5",
    "carla": HEBREW,
}
DRAWER, DEVICE = f"{HEBREW} kassa", f"{HEBREW} {'M' * 30}"

# What a name may not do. `struck` is what the hostile names try to call.
WATCH = """
window.wasStruck = false;
window.struck = () => { window.wasStruck = true; };
"""

FAULTS = """(names) => {
  const faults = [];
  const made = document.querySelector('[src="x"], svg[onload], main script:not([type])');
  if (window.wasStruck || made) faults.push("a name acts");

  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth} wide`);
  for (const box of document.querySelectorAll("main, dialog[open], dialog[open] > *, .panel, .strip")) {
    const { scrollWidth, clientWidth } = box;
    if (scrollWidth > clientWidth + 1) faults.push(`${box.className} shows ${clientWidth} of ${scrollWidth}`);
  }

  // Beside a name from right to left all that is not the name reads from left to right, line by line.
  const turning = /[\\u0590-\\u08ff]/;
  const lines = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let box = node.parentElement;
    if (!box.checkVisibility() || box.closest("script, option, .visually-hidden")) continue;
    while (["inline", "contents"].includes(getComputedStyle(box).display)) box = box.parentElement;
    lines.set(box, [...(lines.get(box) ?? []), node]);
  }
  const isBeside = (one, other) => one.top < other.bottom - 2 && one.bottom > other.top + 2;
  const where = (node, from, to) => {
    const range = document.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter((each) => each.width);
  };
  let beside = 0;
  for (const nodes of lines.values()) {
    const text = nodes.map((node) => node.data).join("");
    if (!turning.test(text) || nodes.some((node) => node.parentElement.closest("pre"))) continue;
    let before = null;
    let said = "";
    for (const node of nodes) {
      for (let at = 0; at < node.data.length; ) {
        const name = names.find((each) => node.data.startsWith(each, at));
        const length = name ? name.length : 1;
        const parts = where(node, at, at + length);
        const shown = node.data.slice(at, at + length);
        at += length;
        if (!parts.length || !shown.trim()) continue;
        const begins = parts.filter((part) => before && isBeside(part, before.line));
        if (begins.length) {
          beside += 1;
          const left = Math.min(...begins.map((part) => part.left));
          if (left < before.right - 2) faults.push(`"${shown}" stands left of "${said}" in "${text.trim()}"`);
        }
        const line = parts.reduce((low, part) => (part.top > low.top + 2 ? part : low));
        const right = Math.max(...parts.filter((part) => isBeside(part, line)).map((part) => part.right));
        before = { line, right };
        said = shown;
      }
    }
  }

  if (matchMedia("(pointer: coarse)").matches) {
    const open = document.querySelector("dialog[open]") ?? document;
    const touched = open.querySelectorAll("button, a.button, input:not([type=hidden], [type=radio], [type=checkbox])");
    for (const target of touched) {
      if (!target.checkVisibility({ visibilityProperty: true }) || target.closest(".visually-hidden")) continue;
      const { width, height } = target.getBoundingClientRect();
      if (width < 47.5 || height < 47.5) faults.push(`"${target.textContent.trim()}" is ${width} by ${height}`);
    }
  }
  return { faults, beside };
}"""


@dataclass
class Screens:
    """Opens the room's screens as its devices do, in one language, and judges each."""

    chromium: Chromium
    host: str
    locale: str
    # Pairs of words on one line, one of them from right to left or beside such a one.
    beside: int = 0
    faults: list[str] = field(default_factory=list)

    def open(self, device: str, path: str, token: str = "") -> Page:
        """Open a page on a device of its own; "" stands for one that nobody enrolled."""
        page = self.chromium.page(device, locale=self.locale)
        page.add_init_script(WATCH)
        problems = self.chromium.problems
        # Nobody answers it: a dialog also stops the test.
        page.on("dialog", lambda dialog: problems.append(f"{path}: {dialog.message}"))
        page.on("console", lambda entry: problems.append(entry.text) if "Content Security" in entry.text else None)
        if token:
            cookie: Any = {"name": "brush_device", "value": token, "domain": self.host, "path": "/"}
            page.context.add_cookies([cookie])
        page.goto(path)
        return page

    def judge(self, page: Page, name: str) -> None:
        """Note what a name does to the screen as it stands. BRUSH_SCREENSHOTS names a folder for pictures."""
        if folder := os.environ.get("BRUSH_SCREENSHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{name}-{self.locale[:2]}.png", animations="disabled")
        found = page.evaluate(FAULTS, sorted([*NAMES.values(), *STAFF.values(), DRAWER, DEVICE], key=len, reverse=True))
        self.faults += [f"{name}: {fault}" for fault in found["faults"]]
        self.beside += found["beside"]


Filling = Callable[[Screens, House], None]


@pytest.fixture
def house(committing_db: Database) -> House:
    """An evening at table 1 with everybody renamed: a shared pot, a buy-in asked for, a departure, a locked dealer."""
    house = make_house()
    for known, name in NAMES.items():
        Player.objects.filter(nickname=known).update(nickname=name, full_name=name)
    for username, name in STAFF.items():
        with as_owner():
            Staff.objects.filter(username=username).update(display_name=name)
    with as_owner():
        Drawer.objects.update(name=DRAWER)
    Staff.objects.filter(username="dan").update(locked_at=house.at, wrong_pins=5)
    for kind, staff in (("table", house.cast.anna), ("floor", house.cast.frans), ("cage", house.cast.carla)):
        sign_in(enrolled(house.cast.room, kind), staff)
    with as_owner():
        Device.objects.update(name=DEVICE)
    table = house.open(1, Lee=1, Kai=2, Timo=3, Mika=4, Pekka=5, Jo=6, Riku=7, Ville=10)
    house.settle(86_00, winners=(2, 3, 4, 6), taken={"rake": 0})
    house.settle(40_00, winners=(3,), taken={"rake": 1_00})
    house.seat("Sara", 8, chips=0)
    for nickname, seat in (("Timo", 3), ("Pekka", 5), ("Sara", 8)):
        seating = table.seating_set.get(seat_number=seat, left_at=None)
        place = AtSeat(table=table.pk, table_number=1, seating=seating.pk, seat_number=seat, stack=10_00)
        arguments = {"player_id": house.player(nickname).pk, "amount_cents": 350_00}
        house.tap(request_buy_in, house.cast.anna, **arguments, seat=place)
    for nickname in ("Jo", "Lee", "Mika"):
        player = house.player(nickname)
        seen = {"full_name": player.nickname, "document": "passport", "number": "XP1234567"}
        house.tap(check_identity, house.cast.carla, player_id=player.pk, **seen)
        bought = {"player_id": player.pk, "amount_cents": 12_345_00, "method": "cash"}
        house.tap(buy_in, house.cast.carla, drawer_id=house.drawer_id, **bought)
    left = house.seat("Otto", 9)
    house.tap(leave_seat, table_id=table.pk, seating_id=left.pk, stack_cents=None)
    return house


def floor(room: Screens, house: House) -> None:
    phone = room.open("phone", "/floor/", "token-floor-1")
    room.judge(phone, "phone-map")
    phone.goto("/floor/tables/1/")
    room.judge(phone, "phone-table")
    page = room.open("floor", "/floor/", "token-floor-1")
    for name, path in (("map", ""), ("dealers", "dealers/"), ("hands", "tables/1/hands/"), ("table", "tables/1/")):
        page.goto(f"/floor/{path}")
        room.judge(page, f"floor-{name}")
    seats = [f"seats/{seat}" for seat in (3, 5, 6, 8)]
    for path in (*seats, f"hands/{Hand.objects.earliest('id').pk}", "draw", "left"):
        with page.expect_response(f"**/{path}/sheet/*"):
            page.locator(f'[hx-get^="/floor/tables/1/{path}/sheet/"]').last.tap()
        expect(page.locator("#sheet")).to_be_visible()
        room.judge(page, f"floor-{path.replace('/', '-')}")
        if path in ("seats/6", "seats/8"):
            page.locator("#leave-stack").fill("240")
            page.locator(".leave-form button").first.tap()
            expect(page.locator("#confirm-question")).to_contain_text("240 €?")
            room.judge(page, f"floor-leave-{path[-1]}")
            page.locator("#confirm [data-no]").tap()
        page.locator("#sheet [data-closes]").first.tap()
    page.locator(".seat-row.free").first.tap()
    page.locator("#q").fill("1")
    expect(page.locator("#candidates")).to_contain_text(NAMES["Otto"])
    room.judge(page, "floor-candidates")


def dealer(room: Screens, house: House) -> None:
    page = room.open("dealer", "/tables/1/", "token-table-1")
    expect(page.locator("html")).to_have_attribute("data-connection", "live")
    room.judge(page, "dealer")
    for seat in (5, 6):
        page.locator(f'#live [data-seat="{seat}"] button').tap()
        room.judge(page, f"dealer-sheet-{seat}")
        page.locator('[data-do="leave-uncounted"]').tap()
        room.judge(page, f"dealer-ask-{seat}")
        page.locator("#confirm [data-no]").tap()
        finger_rests(page, TREMBLING_MS)
        page.locator(f'#live [data-seat="{seat}"] button').tap()
        page.locator('[data-do="leave-counted"]').tap()
        room.judge(page, f"dealer-pad-{seat}")
        page.locator('[data-do="close-pad"]').tap()
    page.locator('[data-do="deal"]').tap()
    room.judge(page, "dealer-hand")
    page.goto("/door/")
    room.judge(page, "dealer-door")


def cage(room: Screens, house: House) -> None:
    page = room.open("cage", "/cage/1/", "token-cage-1")
    room.judge(page, "cage")
    for request in page.locator(".request-take").all():
        request.click()
        expect(page.locator("#player-card .name").first).to_be_visible()
    room.judge(page, "cage-taking")
    page.keyboard.press("Enter")
    expect(page.locator("#check[open]")).to_be_visible()
    room.judge(page, "cage-check")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.locator("#player-search").press_sequentially("1")
    expect(page.locator("#players li").first).to_be_visible()
    room.judge(page, "cage-search")
    for number, slip in enumerate(Slip.objects.exclude(number=None).order_by("id")):
        page.goto(f"/cage/slips/{slip.pk}/")
        room.judge(page, f"slip-{number}")
        page.emulate_media(media="print")
        room.judge(page, f"slip-{number}-printed")
        page.emulate_media(media="screen")


def offices(room: Screens, house: House) -> None:
    mari = demo_person("mari")
    page = room.open("cage", "/sign-in/?next=/ledger/")
    page.fill("[name=username]", mari.username)
    page.fill("[name=password]", mari.password)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/sign-in/" not in url)
    account = Account.objects.get(owner_kind="drawer", owner_id=house.drawer_id, kind="cash")
    for name, path in (
        ("ledger", "/ledger/"), ("account", f"/ledger/accounts/{account.pk}/"), ("log", "/log/"),
        ("people", "/people/"), ("players", "/people/players/"), ("devices", "/people/devices/"),
        ("day", "/cage/day/"), ("drawers", "/cage/"),
    ):  # fmt: skip
        page.goto(path)
        room.judge(page, name)
    wall = room.open("lobby", "/lobby/")
    room.judge(wall, "lobby")


HELD = (floor, dealer, cage)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "desks"),
    [
        pytest.param("en-GB", HELD, id="en"),
        pytest.param("en-GB", (offices,), id="en-offices"),
        pytest.param("fi-FI", (*HELD, offices), id="fi"),
    ],
)
def test_every_screen_bears_every_name(
    house: House, brush_server: BrushServer, chromium: Chromium, locale: str, desks: tuple[Filling, ...]
) -> None:
    room = Screens(chromium, urlsplit(brush_server.url).hostname or "", locale)
    for desk in desks:
        desk(room, house)
    assert not room.faults, "\n".join(room.faults)
    # Names from right to left did stand beside something.
    assert room.beside > 10
