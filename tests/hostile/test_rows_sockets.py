"""What each screen's socket hears on a running process, and what it is refused."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.conf import settings
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from casino.live import notices
from casino.live.audiences import all_audiences
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Device, Player, PlayerPass, Staff
from casino.people.passes import PASS_COOKIE
from casino.people.secrets import digest
from casino.people.services import change_roles, end_shift, revoke_device
from casino.rooms.models import GamingDay
from tests.cast import TONIGHT, command
from tests.hostile.planted import Planted, plant, signed_in_at
from tests.live.reading import fragment_with, fragments_until, frames_until, frames_until_closed, tick_that
from tests.support.room import BrushServer
from tests.taps import at_desktop

ELSEWHERE = "Elsewhere"
LOBBY = {"lobby"}
DEALERS = {"table.1.dealer", "table.2.dealer"}
FLOOR = {"floor", "dealers", "claims", "promotions", "boxes", "table.1.floor", "table.2.floor"}
# Who hears what, of rooms, tables and windows 1 and 2: an audience that nobody listed here fails.
HEARS = {
    "a phone": LOBBY,
    "forged cookies": LOBBY,
    "a phone with pass 1": LOBBY | {"pass.1"},
    "a phone with pass 2": LOBBY | {"pass.2"},
    "display 1": LOBBY,
    "table 1": LOBBY | {"table.1.dealer"},
    "table 1, anna": LOBBY | {"table.1.dealer"},
    "table 1, mari": LOBBY | {"table.1.dealer"},
    "floor 1": LOBBY,
    "floor 1, frans": LOBBY | FLOOR | DEALERS | {"fills"},
    "cage 1": LOBBY,
    "cage 1, carla": LOBBY | {"cage", "cage.1", "boxes", "fills"},
    "frans": LOBBY | FLOOR | DEALERS | {"fills"},
    "mari": LOBBY | FLOOR | DEALERS | {"cage", "cage.1", "cage.2", "jackpots", "fills", "packs"},
    "anna": LOBBY | DEALERS,
    "carla": LOBBY | {"cage", "cage.1", "cage.2", "boxes", "fills"},
    "olavi": LOBBY | {"boxes", "fills", "packs"},
    "without a role": LOBBY,
}


class Screens:
    """A running process, and everybody's cookies."""

    def __init__(self, server: BrushServer, here: Planted) -> None:
        self.server, self.here = server, here
        self.devices: dict[str, Device] = {}
        self.cookies = {"a phone": "", "forged cookies": f"{DEVICE_COOKIE}=made-up; sessionid={'0' * 32}"}
        cast = here.house.cast
        for held, nickname in enumerate(("Lee", "Kai"), 1):
            self.cookies[f"a phone with pass {held}"] = f"{PASS_COOKIE}={pass_of(here, held, nickname)}"
        Staff.objects.create(
            room=cast.room, username="nobody", display_name="Nobody", roles=[], created_at=TONIGHT
        )  # fmt: skip
        for name in HEARS.keys() - self.cookies.keys():
            place, _, person = name.partition(", ") if name[-1].isdigit() or "," in name else ("", "", name)
            username = "nobody" if person == "without a role" else person
            staff = Staff.objects.get(room=cast.room, username=username) if person else None
            if not place:
                client = at_desktop(staff)
                self.cookies[name] = f"{settings.SESSION_COOKIE_NAME}={client.cookies['sessionid'].value}"
                continue
            kind, number = place.split()
            # Everybody at a device of their own: several may stand at one place.
            self.cookies[name], self.devices[name] = device_cookie(here, kind, int(number), staff, name)

    def open(self, who: str, *audiences: str, **options: Any) -> ClientConnection:
        query = "&".join(f"audience={audience}" for audience in audiences)
        headers = {"Cookie": self.cookies[who]} if self.cookies[who] else {}
        origin = options.pop("origin", Origin(self.server.url))
        opened: ClientConnection = connect(
            f"{self.server.socket_url}/live/?{query}", origin=origin, additional_headers=headers, compression=None,
            **options,
        )  # fmt: skip
        return opened

    def is_heard(self, who: str, *audiences: str) -> bool:
        with self.open(who, *audiences) as socket:
            return bool(frames_until(socket, lambda frame: frame["t"] != "tick")[-1]["t"] == "fragment")


def device_cookie(here: Planted, kind: str, number: int, staff: Staff | None, name: str) -> tuple[str, Device]:
    """Return the cookie of a new device at a place, and the device."""
    client, device = signed_in_at(here.room, kind, number, staff, token=name.replace(", ", "-").replace(" ", "-"))
    return f"{DEVICE_COOKIE}={client.cookies[DEVICE_COOKIE].value}", device


def pass_of(here: Planted, number: int, nickname: str) -> str:
    """Return the token of a new pass with this id, so that its audience has the number of the others."""
    token = f"pass-{number}"
    PlayerPass.objects.create(
        id=number, room=here.room, player=here.house.player(nickname),
        day=GamingDay.objects.get(room=here.room, closed_at=None),
        token_hash=digest(token), code_hash=digest(f"code {number}"), given_by_id=1, given_at=TONIGHT,
    )  # fmt: skip
    return token


@pytest.fixture
def screens(brush_server: BrushServer, monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Screens]:
    # What this process publishes reaches the server.
    settings.REDIS_PREFIX, settings.REDIS_URL = brush_server.redis_prefix, brush_server.env["REDIS_URL"]
    # And the sessions made here are the server's too.
    settings.SECRET_KEY = brush_server.env["BRUSH_SECRET_KEY"]
    monkeypatch.setattr(notices, "_client", None)
    monkeypatch.setattr(notices, "_silent_until", 0.0)
    yield Screens(brush_server, plant(slug="demo"))
    if notices._client is not None:
        notices._client.close()


def is_fragment(frame: dict[str, Any]) -> bool:
    return bool(frame["t"] == "fragment")


def names() -> list[str]:
    patterns = [audience.pattern for audience in all_audiences().values()]
    return sorted({pattern.replace("{number}", number) for pattern in patterns for number in "12"})


@pytest.mark.slow
@pytest.mark.smoke
def test_every_screen_hears_its_own_audiences_from_a_page_of_ours_and_is_refused_all_else(screens: Screens):
    assert set().union(*HEARS.values()) == set(names()), "an audience that nobody here hears: list it in HEARS"

    heard = {who: {name for name in names() if screens.is_heard(who, name)} for who in HEARS}

    assert heard == HEARS
    # One that is not theirs spoils the whole list.
    assert not screens.is_heard("display 1", "lobby", "floor")
    assert not screens.is_heard("table 1, anna", "table.1.dealer", "table.2.dealer")
    for origin in (None, "null", "http://evil.example", "file://", "http://127.0.0.1:1"):
        with pytest.raises(InvalidStatus) as refused:
            screens.open("frans", "floor", origin=origin)
        assert refused.value.response.status_code == 403, origin


@pytest.mark.slow
@pytest.mark.smoke
def test_what_a_screen_may_hear_holds_while_others_hear_more_and_who_may_no_longer_hears_no_more(screens: Screens):
    """One house is enough for all of it: who loses a right comes last."""
    news_for_others_does_not_reach_a_display_or_a_tablet(screens)
    a_frame_larger_than_any_screen_sends_ends_its_socket_and_no_other(screens)
    a_screen_of_one_room_is_shown_nothing_of_another(screens)
    a_revoked_devices_socket_is_closed_and_its_cookie_is_anybodys(screens)
    whoever_loses_a_role_or_goes_off_shift_hears_it_no_more(screens)


def news_for_others_does_not_reach_a_display_or_a_tablet(screens: Screens) -> None:
    with screens.open("display 1", "lobby") as display, screens.open("table 1, anna", "table.1.dealer") as tablet:
        fragment_with(display, "")
        fragment_with(tablet, "")
        heard: list[set[str]] = [set(), set()]
        # Two snapshots are rendered at once: what is rendered first has been sent when the third is.
        for _ in range(3):
            notices.publish(room_id=screens.here.room.pk, audiences=names())
            for found, socket in zip(heard, (display, tablet), strict=True):
                found |= {frame["a"] for frame in frames_until(socket, is_fragment) if is_fragment(frame)}

    assert heard == [{"lobby"}, {"table.1.dealer"}]


def a_screen_of_one_room_is_shown_nothing_of_another(screens: Screens) -> None:
    elsewhere = plant(slug="elsewhere", mark=ELSEWHERE)
    theirs, _ = device_cookie(elsewhere, "floor", 1, elsewhere.house.cast.frans, "theirs")
    screens.cookies["theirs"] = theirs

    with screens.open("theirs", "table.1.floor") as there, screens.open("floor 1, frans", "table.1.floor") as ours:
        assert ELSEWHERE in fragment_with(there, "")["html"]
        assert ELSEWHERE not in fragment_with(ours, "")["html"]
        notices.publish(room_id=elsewhere.room.pk, audiences=["table.1.floor"])
        fragment_with(there, "")
        # The next that we are told is our own news.
        Player.objects.filter(room=screens.here.room, nickname="Lee").update(nickname="Renamed")
        notices.publish(room_id=screens.here.room.pk, audiences=["table.1.floor"])

        assert len(fragments_until(ours, "Renamed")) == 1


def a_revoked_devices_socket_is_closed_and_its_cookie_is_anybodys(screens: Screens) -> None:
    with screens.open("table 1, anna", "table.1.dealer") as socket:
        fragment_with(socket, "")

        revoke_device(command(screens.here.house.cast.mari), device_id=screens.devices["table 1, anna"].pk)

        assert frames_until_closed(socket)[-1] == {"t": "refused", "code": "revoked"}
    assert not screens.is_heard("table 1, anna", "table.1.dealer")
    assert screens.is_heard("table 1, anna", "lobby")


def whoever_loses_a_role_or_goes_off_shift_hears_it_no_more(screens: Screens) -> None:
    cast = screens.here.house.cast
    with screens.open("frans", "floor") as floor, screens.open("carla", "cage") as cage:
        fragment_with(floor, "")
        fragment_with(cage, "")

        change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["dealer"])
        end_shift(command(cast.mari), staff_id=cast.carla.pk)

        assert frames_until_closed(floor)[-1] == {"t": "refused", "code": "revoked"}
        assert frames_until_closed(cage)[-1] == {"t": "refused", "code": "revoked"}
    assert not screens.is_heard("frans", "floor")
    assert not screens.is_heard("carla", "cage")


def a_frame_larger_than_any_screen_sends_ends_its_socket_and_no_other(screens: Screens) -> None:
    with screens.open("display 1", "lobby") as quiet, screens.open("a phone", "lobby") as loud:
        fragment_with(quiet, "")
        for text in ('{"t": "join", "a": "floor"}', "floor", "\x00", "[" * 4000):
            quiet.send(text)
        with suppress(ConnectionClosed):
            loud.send("x" * 1_000_000)
        frames_until_closed(loud)

        assert loud.close_code == 1009
        # What a screen sends is read by nobody: it hears no more than it did.
        heard: list[dict[str, Any]] = []
        for _ in range(3):
            notices.publish(room_id=screens.here.room.pk, audiences=["floor", "lobby"])
            heard += frames_until(quiet, lambda frame: frame.get("a") == "lobby")
        heard.append(tick_that(quiet, is_behind=False))

    assert {frame["t"] for frame in heard} == {"fragment", "tick"}
    assert {frame.get("a", "lobby") for frame in heard} == {"lobby"}
