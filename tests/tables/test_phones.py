"""Players' phones: the pass, what it shows, what it may answer, and all that it may not."""

import uuid
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from casino.audit.models import Event
from casino.commands.carrying_out import Answer, Command
from casino.errors import NotFound, NotPermitted
from casino.floor.views import render_map
from casino.live.audiences import may_join
from casino.live.render import fragment
from casino.lobby.views import render_lobby
from casino.people.errors import PassEnded, PhonesOff
from casino.people.models import Player, PlayerPass
from casino.people.passes import actor_of_pass, cookie_of, pass_by_code, pass_by_key
from casino.people.services import give_pass, revoke_pass, show_as_number
from casino.people.socket_visitors import visitor_of
from casino.rooms.models import GamingDay
from casino.waiting.errors import MoreTimeNotRequested, NotCalled
from casino.waiting.models import Waiting
from casino.waiting.selectors.phones import phone
from casino.waiting.services.after_call import grant_more_time, refuse_more_time
from casino.waiting.services.answers import ask_more_time, drop_by_phone, say_on_the_way
from casino.waiting.services.lists import call_player, join_list, strike, take_back_call
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

PHONES = "https://phones.example"


@pytest.fixture(autouse=True)
def phones(settings: Any) -> None:
    settings.PHONE_URL = PHONES


class Phone:
    """A player's phone, with the pass that the floor gave."""

    def __init__(self, house: House, nickname: str) -> None:
        self.house, self.player = house, house.player(nickname)
        answer = house.tap(give_pass, player_id=self.player.pk)
        self.id, self.token, self.code = answer.data["pass"], answer.data["token"], answer.data["code"]

    @property
    def cookie(self) -> dict[str, Any]:
        return {"headers": [(b"cookie", f"brush_pass={self.token}".encode())]}

    def tap(self, service: Callable[..., Answer], waiting_id: int) -> Answer:
        held = PlayerPass.objects.select_related("room").get(pk=self.id)
        at = self.house.at
        command = Command(id=uuid.uuid4(), by=actor_of_pass(held), tapped_at=at, at=at)
        return service(command, waiting_id=waiting_id)

    def browser(self) -> Client:
        client = at_desktop()
        client.get(f"/my/?pass={self.token}")
        return client

    def html(self) -> str:
        return fragment(self.house.room_id, f"pass.{self.id}", "en").html


def waits(house: House, nickname: str, **more: Any) -> int:
    joined = house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk, **more)
    return int(joined.data["waiting"])


def called(house: House, nickname: str, seat: int = 5) -> int:
    waiting = waits(house, nickname)
    house.tap(call_player, waiting_id=waiting, table_id=house.table_id(), seat_number=seat)
    return waiting


# ---- the pass


def test_a_pass_opens_by_link_and_by_typed_code_and_nothing_of_it_is_kept_or_logged(house: House):
    mika = Phone(house, "Mika")

    typed = mika.code.lower().replace("-", " ")
    by_link, by_code = pass_by_key(mika.token), pass_by_code(typed, address="192.0.2.7", at=house.at)

    assert by_link == by_code == pass_by_key(cookie_of(by_code)) == PlayerPass.objects.get()
    # A cookie with a code in it would be a try that nobody counts.
    assert pass_by_key(mika.code) is pass_by_key(f"{by_code.pk}:{'A' * 43}") is None
    assert not {mika.token, mika.code} & set(PlayerPass.objects.values_list().get())
    assert not any(mika.token in event.text or mika.code in event.text for event in Event.objects.all())


def test_a_new_pass_ends_the_old_one(house: House):
    old = Phone(house, "Mika")
    new = Phone(house, "Mika")

    assert pass_by_key(old.token) is None
    assert pass_by_key(new.token) is not None
    assert "This pass has ended" in old.html()


def test_a_pass_ends_at_once_when_the_floor_says_so_and_with_its_day(house: House):
    mika, jo = Phone(house, "Mika"), Phone(house, "Jo")

    house.tap(revoke_pass, player_id=mika.player.pk)
    assert pass_by_key(mika.token) is None
    assert "This pass has ended" in mika.html()
    with pytest.raises(NotFound):
        house.tap(revoke_pass, player_id=mika.player.pk)

    GamingDay.objects.update(closed_at=house.at)
    assert pass_by_key(jo.token) is None
    assert "This pass has ended" in jo.html()


def test_a_room_that_phones_cannot_reach_gives_none_and_its_lobby_says_so(house: House, settings: Any):
    mika = Phone(house, "Mika")
    assert "switched off" not in at_desktop().get("/lobby/").content.decode()
    settings.PHONE_URL = ""

    with pytest.raises(PhonesOff):
        Phone(house, "Jo")

    assert "Phones are switched off" in at_desktop().get("/lobby/").content.decode()
    assert "Phones are switched off" in mika.browser().get("/my/").content.decode()
    assert (
        "Phones are switched off" in floor(house).get(f"/floor/players/{mika.player.pk}/phone/sheet/").content.decode()
    )


def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def test_the_floor_shows_a_pass_once_to_be_scanned_typed_or_printed(house: House):
    mika, frans = house.player("Mika"), floor(house)
    tap = {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}

    card = frans.post(f"/floor/players/{mika.pk}/pass/", headers=tap).content.decode()
    again = frans.post(f"/floor/players/{mika.pk}/pass/", headers=tap).content.decode()

    assert "data:image/svg+xml" in card
    assert "phones.example/my" in card
    assert "data-prints" in card
    assert "was shown already" in again
    assert "Pass given at" in frans.get(f"/floor/players/{mika.pk}/phone/sheet/").content.decode()


def test_the_link_leads_to_a_clean_address_and_a_wrong_code_says_no_more_than_that(house: House):
    waits(house, "Mika")
    mika, guest = Phone(house, "Mika"), at_desktop()

    wrong = guest.post("/my/", {"code": "AAAA-CCCC"})
    right = guest.post("/my/", {"code": mika.code})

    assert (wrong.status_code, "is wrong or has ended" in wrong.content.decode()) == (401, True)
    assert (right.status_code, right.headers["Location"]) == (302, "/my/")
    assert right.cookies["brush_pass"]["httponly"]
    assert "your place on the list" in guest.get("/my/").content.decode()
    assert mika.browser().get("/my/").status_code == 200


# ---- what it shows


@pytest.mark.rule("U6")
def test_a_phone_shows_its_own_places_and_nobody_else(house: House):
    house.open(1, Lee=1, Kai=2)
    waits(house, "Timo")
    waits(house, "Mika")
    mika = Phone(house, "Mika")

    shown = phone(house.room_id, mika.id)

    assert [(own.game, own.place, own.wait) for own in shown.waits] == [("No limit hold'em 2/2", 2, None)]
    assert "no estimate" in mika.html()
    assert not any(name in mika.html() for name in ("Timo", "Lee", "Kai"))


def test_who_has_called_in_takes_no_place_from_who_is_there(house: House):
    called_in = Waiting.objects.get(pk=waits(house, "Timo", is_call_in=True))
    waits(house, "Mika")

    assert phone(house.room_id, Phone(house, "Mika").id).waits[0].place == 1
    assert phone(house.room_id, Phone(house, "Timo").id).waits[0].place is None
    assert called_in.check_in_by is not None
    by = f"{called_in.check_in_by.astimezone(ZoneInfo(house.cast.room.time_zone)):%H:%M}"
    assert f"You called in. Be here by {by}" in Phone(house, "Timo").html()


@pytest.mark.rule("H2.5", "H2.6")
def test_a_called_player_reads_the_seat_and_the_time_left(house: House):
    house.open(1, Lee=1, Kai=2)
    entry = Waiting.objects.get(pk=called(house, "Mika"))

    html = Phone(house, "Mika").html()

    assert "Table 1, seat 5" in html
    assert entry.call_expires_at is not None
    assert f'data-deadline="{entry.call_expires_at.isoformat()}"' in html


def test_a_phone_says_what_became_of_a_place(house: House):
    house.open(1, Lee=1, Kai=2)
    mika, jo = Phone(house, "Mika"), Phone(house, "Jo")
    called(house, "Mika")
    house.seat("Mika", 5)
    struck = waits(house, "Jo")
    house.tap(strike, waiting_id=struck, version=1)

    assert "you were seated at table 1" in mika.html()
    assert "you were taken off the list" in jo.html()


def test_the_page_asks_few_queries(house: House, django_assert_num_queries: Any):
    house.open(1, Lee=1, Kai=2)
    called(house, "Mika")
    waits(house, "Timo")
    mika = Phone(house, "Mika")

    with django_assert_num_queries(4):
        phone(house.room_id, mika.id)


def test_a_list_that_moves_tells_the_phones_that_show_it_and_no_others(house: House):
    house.open(1, Lee=1, Kai=2)
    first, second, elsewhere = (Phone(house, name) for name in ("Timo", "Mika", "Sara"))
    entry = waits(house, "Timo")
    waits(house, "Mika")

    house.tap(call_player, waiting_id=entry, table_id=house.table_id(), seat_number=5)
    audiences = set(Event.objects.order_by("-id")[0].audiences)
    assert {f"pass.{first.id}", f"pass.{second.id}"} <= audiences
    assert f"pass.{elsewhere.id}" not in audiences

    house.seat("Timo", 5)
    audiences = set(Event.objects.order_by("-id")[0].audiences)
    assert {f"pass.{first.id}", f"pass.{second.id}"} <= audiences


# ---- what it may


@pytest.mark.rule("H2.6")
def test_on_my_way_is_shown_to_the_floor_and_the_call_runs_on(house: House):
    house.open(1, Lee=1, Kai=2)
    entry = called(house, "Mika")
    mika, until = Phone(house, "Mika"), Waiting.objects.get().call_expires_at

    mika.tap(say_on_the_way, entry)

    assert Waiting.objects.get().call_expires_at == until
    assert "on the way" in render_map(room_id=house.room_id)
    event = Event.objects.order_by("-id")[0]
    assert (event.staff_id, event.name) == (None, "waiting.say_on_the_way")
    assert f'"pass":{mika.id}' in event.text


@pytest.mark.rule("H2.6")
def test_more_time_is_asked_by_the_player_and_given_by_the_floor_or_not(house: House):
    house.open(1, Lee=1, Kai=2)
    entry = called(house, "Mika")
    mika, until = Phone(house, "Mika"), Waiting.objects.get().call_expires_at
    with pytest.raises(MoreTimeNotRequested):
        house.tap(refuse_more_time, waiting_id=entry)

    mika.tap(ask_more_time, entry)
    assert Waiting.objects.get().call_expires_at == until
    assert "asks for more time" in render_map(room_id=house.room_id)

    house.tap(refuse_more_time, waiting_id=entry)
    assert Waiting.objects.get().call_expires_at == until
    assert "cannot give you more time" in mika.html()
    mika.tap(ask_more_time, entry)
    assert Waiting.objects.get().asks_more_at is None

    house.tap(grant_more_time, waiting_id=entry)
    granted = Waiting.objects.get()
    assert granted.call_expires_at is not None
    assert until is not None
    assert granted.call_expires_at > until
    assert not granted.is_more_refused


@pytest.mark.rule("U6")
def test_drop_me_frees_the_seat(house: House):
    house.open(1, Lee=1, Kai=2)
    entry = called(house, "Mika")

    Phone(house, "Mika").tap(drop_by_phone, entry)

    dropped = Waiting.objects.get()
    assert (dropped.status, dropped.ended_why, dropped.table_id) == ("dropped", "by_phone", None)
    house.seat("Jo", 5)


def test_who_is_not_called_is_on_no_way(house: House):
    entry = waits(house, "Mika")

    with pytest.raises(NotCalled):
        Phone(house, "Mika").tap(say_on_the_way, entry)


# ---- what it may not


@pytest.mark.parametrize("service", [say_on_the_way, ask_more_time, drop_by_phone])
def test_a_phone_answers_for_nobody_else_and_not_once_its_pass_has_ended(house: House, service: Callable[..., Answer]):
    house.open(1, Lee=1, Kai=2)
    theirs, own = called(house, "Timo"), called(house, "Mika", seat=6)
    mika = Phone(house, "Mika")

    with pytest.raises(NotFound):
        mika.tap(service, theirs)
    house.tap(revoke_pass, player_id=mika.player.pk)
    with pytest.raises(PassEnded):
        mika.tap(service, own)
    assert Waiting.objects.filter(status="called").count() == 2


def test_a_phone_may_nothing_that_the_floor_may(house: House):
    house.open(1, Lee=1, Kai=2)
    entry = called(house, "Mika")
    mika = Phone(house, "Mika")

    for service in (grant_more_time, take_back_call, strike):
        with pytest.raises(NotPermitted):
            mika.tap(service, entry)
    assert mika.browser().get("/floor/").status_code == 302


def test_a_phones_socket_hears_its_own_page_and_what_anybody_hears(house: House):
    mika, jo = Phone(house, "Mika"), Phone(house, "Jo")
    visitor = visitor_of(mika.cookie)

    assert visitor is not None
    heard = [name for name in (f"pass.{mika.id}", f"pass.{jo.id}", "lobby", "floor") if may_join(visitor, name)]
    assert heard == [f"pass.{mika.id}", "lobby"]
    house.tap(revoke_pass, player_id=mika.player.pk)
    assert not may_join(visitor_of(mika.cookie), f"pass.{mika.id}")  # type: ignore[arg-type]  # there is a room


def test_taps_on_the_page_are_the_players_own_whoever_else_uses_the_browser(house: House):
    house.open(1, Lee=1, Kai=2)
    entry = called(house, "Mika")
    both = at_desktop(house.cast.frans)
    both.get(f"/my/?pass={Phone(house, 'Mika').token}")

    tap = {"HX-Request": "true", "Idempotency-Key": str(uuid.uuid4())}
    answer = both.post(f"/my/{entry}/on-the-way/", headers=tap)

    assert answer.status_code == 200
    assert Event.objects.order_by("-id")[0].staff_id is None
    assert at_desktop().post(f"/my/{entry}/drop/", headers=tap).status_code == 401


# ---- shown as a number


def test_a_player_is_shown_in_the_lobby_by_a_number_of_their_own(house: House):
    house.open(1, Lee=1, Kai=2)
    waits(house, "Mika")
    called(house, "Timo")
    for nickname in ("Mika", "Timo"):
        house.tap(show_as_number, player_id=house.player(nickname).pk, is_number=True)

    wall = render_lobby(room_id=house.room_id)
    assert "No. 1" in wall
    assert "No. 2" in wall
    assert "Mika" not in wall
    assert "Timo" not in wall
    assert "Mika" in render_map(room_id=house.room_id)

    house.tap(show_as_number, player_id=house.player("Mika").pk, is_number=False)
    assert "Mika" in render_lobby(room_id=house.room_id)
    assert Player.objects.get(nickname="Mika").number == 1


# ---- the table's own tablet


@pytest.mark.rule("H2.6")
def test_the_dealer_sees_who_was_called_to_a_free_seat_and_until_when(house: House):
    house.open(1, Lee=1, Kai=2)
    called(house, "Timo")
    until = Waiting.objects.get().call_expires_at

    html = fragment(house.room_id, "table.1.dealer", "en").html

    assert until is not None
    assert f'data-deadline="{until.isoformat()}"' in html
    assert "Timo" in html
