"""Who may open a socket, and what it hears."""

import pytest
from django.test import override_settings
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from casino.live import admission
from casino.live.audiences import Audience, Scope, Visitor, cookies_of, find, heard_by, may_join, register
from tests.live.reading import fragment_with, fragments, frames_so_far, frames_until_closed


@pytest.fixture(autouse=True)
def _known_audiences(monkeypatch):
    monkeypatch.setattr("casino.live.audiences._audiences", {})
    for name, pattern in (("board", "board"), ("dealer", "table.{number}.dealer"), ("lobby", "lobby")):
        register(Audience(name=name, pattern=pattern, render=lambda **_: ""))
    yield
    heard_by.cache_clear()


def test_news_reach_every_audience_that_hears_them_and_no_other():
    tiles = ("people.players", "doors.table.{number}")
    register(Audience(name="map", pattern="map", render=lambda **_: "", hears=tiles))
    register(Audience(name="tablet", pattern="tablet.{number}", render=lambda **_: "", hears=("doors.table.{number}",)))

    assert heard_by("people.players") == ("map",)
    assert heard_by("doors.table.4") == ("map", "tablet.4")
    # An audience by its own name is that one, and whoever hears that it changes; what nobody hears is no audience.
    assert heard_by("table.4.dealer") == ("table.4.dealer",)
    register(Audience(name="hall", pattern="hall", render=lambda **_: "", hears=("board",)))
    assert heard_by("board") == ("board", "hall")
    assert heard_by("doors.cage.4") == ()


def scope(origin: str | None, host: str = "room.example:8000") -> Scope:
    headers = [(b"host", host.encode())]
    return {"headers": headers if origin is None else [*headers, (b"origin", origin.encode())]}


@pytest.mark.parametrize(
    ("origin", "host", "is_ours"),
    [
        ("http://room.example:8000", "room.example:8000", True),
        ("https://room.example", "room.example", True),
        ("https://room.example", "room.example:443", True),
        ("https://ROOM.example", "room.example", True),
        ("http://room.example:9000", "room.example:8000", False),
        ("http://evil.example", "room.example", False),
        ("http://evil.example", "evil.example", False),
        ("http://room.example.evil.example", "room.example", False),
        ("null", "room.example", False),
        (None, "room.example", False),
        ("file://", "room.example", False),
        ("http://[::1", "room.example", False),
    ],
)
@override_settings(ALLOWED_HOSTS=["room.example"], HTTPS=False, CSRF_TRUSTED_ORIGINS=[])
def test_a_socket_is_opened_only_from_a_page_of_this_house(origin, host, is_ours):
    assert admission.origin_is_ours(scope(origin, host)) is is_ours


@override_settings(ALLOWED_HOSTS=["room.example"], HTTPS=True, CSRF_TRUSTED_ORIGINS=["https://room.example"])
def test_behind_a_proxy_that_ends_tls_the_trusted_origin_counts_whatever_host_it_hands_on():
    assert admission.origin_is_ours(scope("https://room.example", "10.0.0.7:8000"))
    assert not admission.origin_is_ours(scope("http://room.example", "room.example"))


def test_a_tablet_hears_its_own_table_and_no_other():
    tablet = Visitor(room_id=1, may=frozenset({"audience.dealer"}), place=("table", 4))

    assert may_join(tablet, "table.4.dealer")
    assert not may_join(tablet, "table.5.dealer")
    assert not may_join(tablet, "lobby")


def test_a_person_without_a_place_hears_every_table_that_the_role_may_hear():
    floor = Visitor(room_id=1, may=frozenset({"audience.dealer"}))

    assert may_join(floor, "table.4.dealer")
    assert may_join(floor, "table.12.dealer")


@pytest.mark.parametrize(
    "name", ["", "table.dealer", "table.04.dealer", "table.0.dealer", "table.-1.dealer", "table.4.dealer.x", "boards"]
)
def test_what_is_no_audience_is_found_by_nobody(name):
    assert find(name) is None
    assert not may_join(Visitor(room_id=1, may=frozenset({"audience.board", "audience.dealer"})), name)


def test_cookies_are_read_as_browsers_send_them():
    headers = [(b"host", b"x"), (b"cookie", b"brush_device=abc-123_x; sessionid=q1; csrftoken=z")]

    assert cookies_of({"headers": headers}) == {"brush_device": "abc-123_x", "sessionid": "q1", "csrftoken": "z"}


class TestOnTheStage:
    """The same, at the door of a running process."""

    def refusal(self, socket) -> tuple[str, int]:
        frame = frames_until_closed(socket)[-1]
        assert frame["t"] == "refused"
        return str(frame["code"]), socket.close_code

    def test_a_cross_origin_socket_is_refused_before_it_opens(self, stage):
        with pytest.raises(InvalidStatus) as refused:
            stage.open("lobby", origin="http://evil.example")
        assert refused.value.response.status_code == 403

    @pytest.mark.parametrize("names", [("nonsense",), ("board", "nonsense"), ()], ids=["unknown", "one of two", "none"])
    def test_an_unknown_audience_is_refused(self, stage, names):
        with stage.open(*names) as socket:
            assert self.refusal(socket) == ("not_permitted", 4403)

    def test_nobody_hears_nothing(self, stage):
        with stage.open("lobby", who="") as socket:
            assert self.refusal(socket) == ("nobody", 4401)

    def test_a_display_hears_its_audience_and_no_other(self, stage):
        with stage.open("board", who="display") as socket:
            assert self.refusal(socket) == ("not_permitted", 4403)
        with stage.open("lobby", who="display") as display, stage.open("floor") as floor:
            fragment_with(display, "Stage")
            fragment_with(floor, "Stage")
            stage.rename("Not for the lobby", audiences=("board", "table.4.dealer"))
            # Found in the log, after what was heard and with what was logged before it.
            stage.rename("For the floor", audiences=("floor",), heard=False)
            fragment_with(floor, "For the floor")
            assert not fragments(frames_so_far(display))

    def test_a_tablet_is_shown_its_own_table(self, stage):
        with stage.open("table.4.dealer", who="table") as socket:
            assert fragment_with(socket, "dealer 4")["a"] == "table.4.dealer"
        with stage.open("table.5.dealer", who="table") as socket:
            assert self.refusal(socket) == ("not_permitted", 4403)

    def test_another_path_opens_nothing(self, stage):
        with pytest.raises(InvalidStatus):
            connect(f"{stage.socket_url}/elsewhere/", origin=stage.url)

    def test_whoever_is_shown_out_is_out_even_if_the_notice_is_lost(self, stage):
        with stage.open("lobby", who="display") as socket:
            fragment_with(socket, "Stage")
            stage.notes.sadd(f"{stage.redis_prefix}:stage:shown out", "display")
            # The half minute until the door is asked again is cut short by a gap in what was heard.
            stage.break_subscription()
            assert self.refusal(socket) == ("revoked", 4401)
