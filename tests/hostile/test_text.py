"""Names that nobody should type: refused with a sentence, or shown harmlessly on every screen that shows them."""

import html
import json
import re
import uuid
from collections.abc import Iterator
from datetime import timedelta
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client

from casino import clock
from casino.live.audiences import all_audiences
from casino.live.render import fragment
from casino.people.models import ApiToken, Device, EnrolmentCode, Player, Staff
from casino.rooms.models import Room
from casino.text import is_seen, isolated, tidy
from tests.api.test_bad_input import Calls
from tests.cast import TONIGHT, Cast, make_cast
from tests.hostile import planted
from tests.hostile.planted import Planted, browse, by_token, call, filled, parameters, plant, variants
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

# Each fits where a nickname does. The mark tells it from every text of ours.
MARK = "Qz9"
SHOWN = {
    "a variable and a script": f"{MARK}{{{{7*7}}}}<script>a</script>",
    "an image and a tag": f"{MARK}'\"><img onerror=a>{{% x %}}",
    "the end of an island and entities": f"{MARK}</script><b>-->&lt;&#60;",
    "placeholders and a line of JSON": f'{MARK}%(name)s %s{{0}}","x":"\\u003c',
    "right to left, and letters apart": f"אבג{MARK}דהו 12 A\u030a\u0327lvo",
    "emoji": f"{MARK}" + "😀" * 27,
}
# One of each way to break a page: these are shown to every device, the others to the first that may see a page.
OFTEN = {"a variable and a script", "the end of an island and entities", "right to left, and letters apart"}
REFUSED = {
    "300 emoji": "😀" * 300,
    "10,000 letters": "x" * 10_000,
    "an override": "Lee\u202eKai",
    "an isolate": "Lee\u2066Kai",
    "no width": "Le\u200be",
    "a joiner": "Le\u200de",
    "a filler": "Lee\u3164",
    "another filler": "\uffa0",
    "a blank of Braille": "\u2800",
    "a grapheme joiner": "Le\u034fe",
    "a soft hyphen": "Le\u00ade",
    "a byte order mark": "\ufeffLee",
    "a NUL": "Le\x00e",
    "a line break": "Le\r\nX-Injected: 1",
    "a tabulator": "Le\te",
    "a heap of accents": "L" + "\u0301\u0302\u0303\u0304\u0306\u0307" * 3,
    "an accent on nothing": "\u0336\u0337",
    "a language tag": "Lee\U000e0041",
    "nothing": "   ",
}
NO_NAME = {"300 emoji", "10,000 letters", "nothing"}


@pytest.fixture
def cast(db: None) -> Cast:
    return make_cast(with_secrets=True)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_seen_or_is_too_long_is_refused_with_a_sentence_at_every_door(cast: Cast, name: str):
    text, mari = REFUSED[name], at_desktop(cast.mari)
    known = set(Player.objects.values_list("nickname", flat=True))

    forms = [
        tap(mari, "/people/players/add/", nickname=text),
        tap(mari, "/people/add/", username="n", display_name=text, roles="dealer"),
        tap(mari, "/people/devices/code/", kind="table", number="4", device_name=text),
        tap(mari, "/people/tokens/add/", name=text, roles="dealer", staff_id=str(cast.anna.pk), days="9", pin="1212"),
        tap(mari, "/cage/players/new/", q=text),
        tap(mari, "/cage/day/drawers/", number="9", name=text),
        tap(mari, f"/people/players/{cast.players['Lee'].pk}/rename/", nickname=text),
    ]
    calls = [
        call(mari, "/api/v1/people/players", "post", {"nickname": text}),
        call(mari, "/api/v1/people/enrolment-codes", "post", {"kind": "table", "number": 4, "device_name": text}),
        call(mari, "/api/v1/cage/drawers", "post", {"number": 9, "name": text}),
    ]

    for answer in (*map(planted.read, forms), *calls):
        assert answer.what == (400, "malformed" if name in NO_NAME else "unseen_characters"), answer
    assert set(Player.objects.values_list("nickname", flat=True)) == known


def test_names_that_look_the_same_are_the_same(cast: Cast):
    headers = by_token(cast.mari)

    def add(nickname: str) -> tuple[int, str]:
        return call(Client(), "/api/v1/people/players", "post", {"nickname": nickname}, **headers).what

    assert add("\u00c5ke  Heart \u2665\ufe0f") == (200, "")
    for same in ("A\u030ake Heart \u2665", "\u212bke Heart \u2665", " \u00e5ke Heart  \u2665 "):
        assert add(same) == (422, "nickname_taken"), same
    assert Player.objects.filter(nickname="\u00c5ke Heart \u2665").exists()
    found = call(Client(), "/api/v1/people/players?search=A%CC%8Ake", "get", None, **headers)
    assert "Heart" in found.text


@pytest.mark.parametrize("name", SHOWN)
def test_what_can_be_seen_is_kept(name: str):
    assert is_seen(tidy(SHOWN[name]))


class Reader(HTMLParser):
    """Reads a page as a browser does: its tags, and whatever could act."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name.startswith("on") or name == "style" or MARK.lower() in name or "<" in name:
                self.wrong.append(f"{tag} {name}={value}")
            if name in ("href", "src", "action") and value and value.strip().lower().startswith("javascript:"):
                self.wrong.append(f"{tag} {name}={value}")
        if tag == "img" and dict(attrs).get("src") == "x":
            self.wrong.append("img")
        if tag == "script" and not ({"src", "type"} & dict(attrs).keys()):
            self.wrong.append("script")


@pytest.fixture
def here(db: None) -> Iterator[Planted]:
    room = plant(slug="demo")
    with clock.frozen(TONIGHT + timedelta(minutes=30)):
        yield room


def name_everything(here: Planted, text: str) -> None:
    """Give everybody and everything that a person may name this very name."""
    for number, player in enumerate(Player.objects.order_by("id")):
        # Nicknames are unique: all but the end of it is the same.
        Player.objects.filter(pk=player.pk).update(nickname=text[: 30 - len(str(number))] + str(number))
    Player.objects.update(full_name=text)
    with as_owner():
        Staff.objects.update(display_name=text)
        Device.objects.update(name=text)
        ApiToken.objects.update(name=text)
        EnrolmentCode.objects.update(device_name=text)
        Room.objects.update(name=text)


def screens(here: Planted, *, to_each: bool) -> Iterator[tuple[str, str]]:
    """Yield every page, sheet and fragment of the room, with its name; pages as each device sees them, or the first."""
    mari, own = at_desktop(here.house.cast.mari), {"number": 1, "seat_number": 1}
    tablet, _ = planted.signed_in_at(here.room, "table", 1, here.house.cast.anna)
    window, _ = planted.signed_in_at(here.room, "cage", 1, here.house.cast.carla)
    with as_owner():
        Device.objects.update(name=Staff.objects.all()[0].display_name)
    seen = set()
    for ids in variants(here.at_first):
        for route in planted.pages():
            address = "/" + filled(route.pattern, own | ids)
            if address in seen:
                continue
            seen.add(address)
            for client in (mari, tablet, window):
                answer = browse(client, address, "GET")
                assert answer.status < 500, route
                # A file for spreadsheets is no page: nothing in it acts, and each name has a field of its own.
                if answer.status == 200 and answer.is_html:
                    yield str(route), answer.text
                    if not to_each:
                        break
    found = browse(mari, f"/cage/players/?q={MARK}", "GET")
    question = browse(
        mari, "/cage/1/check/", "GET", kind="deposit", method="cash", amount="20", player_id=ids["player_id"]
    )
    yield from [("found", found.text), ("asked", question.text)]
    for audience in all_audiences().values():
        for language in ("en", "fi"):
            name = audience.pattern.replace("{number}", "1")
            yield name, fragment(here.room.pk, name, language).html


def loose(page: str) -> list[str]:
    """Return what stands before each name from right to left that does not keep to itself in its sentence."""
    found = []
    for name in re.finditer(r"אבג", page):
        before = page[max(name.start() - 400, 0) : name.start()]
        in_field = re.search(r'value="[^"]*$', before)
        # Alone in its element, a cell or a box that is laid out by itself.
        if not in_field and not before.endswith((">", "\u2068", "\\u2068")):
            found.append(before[-40:])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_every_screen_shows_a_name_and_does_nothing_with_it(here: Planted, name: str):
    text = SHOWN[name]
    name_everything(here, text)
    shown_on, start = set(), html.escape(text)[:12]
    for screen, page in screens(here, to_each=name in OFTEN):
        reader = Reader()
        reader.feed(page)
        assert reader.wrong == [], (screen, reader.wrong)
        assert loose(page) == [], screen
        assert f"{MARK}49" not in page, screen
        for each in re.findall(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL):
            json.loads(each)
        if MARK in page:
            shown_on.add(screen)
            # Never as it was typed where a tag could begin.
            assert not re.search(re.escape(MARK) + r"[^&\s]{0,9}<(script|img|/script)", page), screen
    assert start
    assert {
        "/people/", "/people/players/", "/people/devices/", "/floor/tables/<int:number>/", "/tables/<int:number>/",
        "/cage/slips/<int:slip_id>/", "/log/", "/ledger/accounts/<int:account_id>/", "table.1.dealer",
        "table.1.floor", "cage", "found", "asked", "/door/", "/cage/sessions/<int:session_id>/",
        "/floor/tables/<int:number>/seats/<int:seat_number>/sheet/",
    } <= shown_on  # fmt: skip


@pytest.mark.slow
def test_the_api_gives_a_name_as_it_is(here: Planted):
    headers = by_token(here.house.cast.mari)
    for name in sorted(OFTEN):
        name_everything(here, SHOWN[name])
        own = {"number": 1, "seat_number": 1} | here.at_first
        for path, method, _operation in Calls():
            if method == "get" and "rest" not in parameters(path):
                answer = call(Client(), filled(path, own), method, None, **headers)
                assert answer.status < 500, path
                if MARK in answer.text:
                    assert "\u2068" not in answer.text
                    json.loads(answer.text)


def test_names_that_read_from_left_to_right_are_left_alone():
    assert [isolated(name) for name in ("Lee", "Åke 2", "", "😀")] == ["Lee", "Åke 2", "", "😀"]
    assert isolated("אבג 12") == "\u2068אבג 12\u2069"


def test_a_command_id_shown_again_is_the_forms_own(cast: Cast):
    """What was typed wrongly at the sign-in comes back as text and as nothing else."""
    typed = SHOWN["an image and a tag"]
    body = {"username": typed, "password": "x", "next": typed, "command_id": str(uuid.uuid4())}

    page: Any = at_desktop().post("/sign-in/", body)
    reader = Reader()
    reader.feed(page.content.decode())

    assert reader.wrong == []
    assert html.escape(typed) in page.content.decode()
