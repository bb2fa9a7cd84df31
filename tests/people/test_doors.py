"""The doors over HTTP: cookies, sessions, enrolment, and who is led where."""

import json
import uuid
from datetime import datetime, timedelta

import pytest
from django.conf import settings
from django.test import Client

from casino import clock
from casino.audit.models import Event
from casino.people import keys
from casino.people.errors import WrongPassword
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Device, EnrolmentCode, Staff
from casino.people.permissions import MAY, QUEUED, STAFF
from casino.people.selectors import anyone_in
from casino.people.services import (
    change_roles,
    end_shift,
    make_enrolment_code,
    revoke_device,
    set_password,
    sign_in_at_desktop,
)
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled
from tests.doors.routes import all_routes
from tests.taps import at_desktop, on_device, tap


@pytest.fixture(autouse=True)
def _tonight():
    with clock.frozen(TONIGHT):
        yield


def sign_in(client: Client, username: str, password: str, **fields: str):
    body = {"username": username, "password": password, "command_id": str(uuid.uuid4()), **fields}
    return client.post("/sign-in/", body)


# ---- desktops


def test_a_password_signs_in_and_leads_to_the_first_desk(cast: Cast):
    client = at_desktop()

    answer = sign_in(client, "Carla", demo_person("carla").password)

    assert (answer.status_code, answer["Location"]) == (302, client.get("/")["Location"])
    assert client.get("/people/").status_code == 200


def test_a_wrong_password_is_said_where_it_was_typed(cast: Cast):
    client = at_desktop()

    answer = sign_in(client, "carla", "not-at-brush")

    assert answer.status_code == 422
    assert "do not go together" in answer.content.decode()
    assert client.get("/people/").status_code == 302
    assert '"accepted":false' in Event.objects.get(name="people.sign_in").text


def test_an_unknown_name_gets_the_same_answer_and_leaves_nothing(cast: Cast):
    answer = sign_in(at_desktop(), "mallory", "not-at-brush")

    assert answer.status_code == 422
    assert "do not go together" in answer.content.decode()
    assert not Event.objects.filter(name="people.sign_in").exists()


def test_after_three_wrong_passwords_the_next_one_waits_and_the_right_one_too(cast: Cast):
    client = at_desktop()
    for _ in range(4):
        sign_in(client, "carla", "not-at-brush")

    answer = sign_in(client, "carla", demo_person("carla").password)

    assert answer.status_code == 429
    with clock.frozen(TONIGHT + timedelta(seconds=2)):
        assert sign_in(client, "carla", demo_person("carla").password).status_code == 302


def test_signing_in_makes_a_new_session_key(cast: Cast):
    client = at_desktop()
    client.force_login(cast.frans)
    before = client.session.session_key

    sign_in(client, "frans", demo_person("frans").password)

    assert client.session.session_key != before


def test_a_planted_session_key_is_not_taken_over(cast: Cast):
    client = at_desktop()
    client.cookies[settings.SESSION_COOKIE_NAME] = "planted0planted0planted0planted0"

    sign_in(client, "frans", demo_person("frans").password)

    assert client.cookies[settings.SESSION_COOKIE_NAME].value != "planted0planted0planted0planted0"


def test_signing_in_over_another_session_leaves_nothing_of_it(cast: Cast):
    client = at_desktop(cast.mari)
    session = client.session
    session["left"] = "behind"
    session.save()

    sign_in(client, "carla", demo_person("carla").password)

    assert "left" not in client.session
    assert client.get("/people/devices/").status_code == 403


def test_a_page_that_refuses_does_not_ask_for_ever_whether_its_sign_in_has_ended(cast: Cast):
    carla = at_desktop(cast.carla)
    pages = {path: carla.get(path) for path in ("/people/devices/", "/nowhere/", "/people/players/")}

    assert [page.status_code for page in pages.values()] == [403, 404, 200]
    assert ["brush/signed_in" in page.content.decode() for page in pages.values()] == [False, False, True]


def test_forms_without_the_csrf_token_are_refused(cast: Cast):
    client = at_desktop(cast.mari, enforce_csrf_checks=True)

    answer = tap(client, f"/people/{cast.anna.pk}/shift/", on_shift="0")
    page = client.post("/sign-in/", {"username": "mari", "password": "x"})

    assert answer.status_code == page.status_code == 403
    assert 'data-code="form_too_old"' in answer.content.decode()
    cast.anna.refresh_from_db()
    assert cast.anna.is_on_shift


def test_where_to_go_after_signing_in_stays_in_this_house(cast: Cast):
    good = sign_in(at_desktop(), "mari", demo_person("mari").password, next="/people/players/")
    bad = sign_in(at_desktop(), "mari", demo_person("mari").password, next="https://evil.example/")

    assert good["Location"] == "/people/players/"
    assert "evil" not in bad["Location"]


def test_signing_out_ends_the_session(cast: Cast):
    client = at_desktop(cast.mari)

    answer = tap(client, "/sign-out/")

    assert answer["HX-Redirect"] == "/sign-in/"
    assert client.get("/people/").status_code == 302


def test_a_new_password_ends_the_sessions_and_leaving_does_too(cast: Cast):
    client, other = at_desktop(cast.frans), at_desktop(cast.carla)

    set_password(command(cast.mari), staff_id=cast.frans.pk, password="another-long-one")
    Staff.objects.filter(pk=cast.carla.pk).update(is_active=False, is_on_shift=False)

    assert client.get("/people/").status_code == other.get("/people/").status_code == 302


def test_the_end_of_a_shift_ends_the_sessions_and_the_password_opens_none_before_the_next_shift(cast: Cast):
    client, manager = at_desktop(cast.carla), at_desktop(cast.mari)
    assert client.get("/people/").status_code == 200

    for staff in (cast.carla, cast.mari):
        end_shift(command(cast.mari), staff_id=staff.pk)

    assert client.get("/people/").status_code == manager.get("/people/").status_code == 302
    assert tap(client, "/people/players/add/", nickname="Late").status_code == 401
    password, fresh = demo_person("carla").password, at_desktop()
    with pytest.raises(WrongPassword):
        sign_in_at_desktop(command(anyone_in(cast.room)), username="carla", password="not-at-brush")
    refused = sign_in(fresh, "carla", password)
    assert (refused.status_code, "not_on_shift" in refused.content.decode()) == (422, True)
    assert fresh.get("/people/").status_code == 302
    # Who works no shift comes in all the same, and starts the others'.
    assert sign_in(manager, "mari", demo_person("mari").password).status_code == 302
    assert tap(manager, f"/people/{cast.carla.pk}/shift/", on_shift="1").status_code == 200
    assert sign_in(fresh, "carla", password).status_code == 302
    assert fresh.get("/people/").status_code == 200
    # What the ended session held is not brought back by another shift.
    assert client.get("/people/").status_code == 302


def test_a_session_begins_by_the_row_that_says_whether_the_shift_goes_on(cast: Cast, monkeypatch):
    """The shift ends between the password and the session."""
    begin = keys.begin_session

    def late(request, staff):
        end_shift(command(cast.mari), staff_id=cast.carla.pk)
        begin(request, Staff.objects.get(pk=staff.pk))

    monkeypatch.setattr("casino.people.views.signing_in.begin_session", late)
    client = at_desktop()

    assert "not_on_shift" in sign_in(client, "carla", demo_person("carla").password).content.decode()
    assert client.get("/people/").status_code == 302


def test_roles_count_from_the_next_tap_and_one_that_is_taken_away_ends_the_session(cast: Cast):
    client = at_desktop(cast.frans)
    assert client.get("/people/").status_code == 200

    change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["floor", "manager"])
    assert client.get("/people/devices/").status_code == 200
    # Off shift: a cashier's password would open no desktop now, and so no session of before goes on either.
    Staff.objects.filter(pk=cast.frans.pk).update(is_on_shift=False)
    change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["cashier"])

    assert client.get("/people/").status_code == 302
    assert tap(client, "/people/players/add/", nickname="Late").status_code == 401


# ---- tablets


def code_for(cast: Cast, kind: str = "table", number: int = 4) -> str:
    made = make_enrolment_code(command(cast.mari), kind=kind, number=number, device_name="Tablet 4")
    return str(made.data["code"])


def enrol(client: Client, code: str):
    return client.post("/enrol/", {"code": code, "command_id": str(uuid.uuid4())})


def test_a_code_enrols_one_device_at_its_place(cast: Cast):
    code, client = code_for(cast), at_desktop(cast.mari)

    answer = enrol(client, code.lower().replace("-", " "))

    cookie = client.cookies[DEVICE_COOKIE]
    device = Device.objects.get()
    assert answer.status_code == 302
    assert (device.place.kind, device.place.number, device.enrolled_by_id) == ("table", 4, cast.mari.pk)
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie.value not in (device.token_hash, "")
    # Whoever enrolled it is not signed in on it, and nobody reaches the desktop's pages from there.
    assert client.get("/people/").status_code == 302


def test_a_code_works_once_and_not_too_late(cast: Cast):
    used, old = code_for(cast), code_for(cast)
    enrol(at_desktop(), used)

    again = enrol(at_desktop(), used)
    with clock.frozen(TONIGHT + timedelta(minutes=16)):
        late = enrol(at_desktop(), old)

    assert again.status_code == late.status_code == 422
    assert 'data-code="enrolment_code_unknown"' in late.content.decode()
    assert Device.objects.count() == 1


def test_a_tablet_that_is_enrolled_again_moves(cast: Cast):
    client = at_desktop()
    enrol(client, code_for(cast))

    enrol(client, code_for(cast, "cage", 1))

    moved = Device.objects.get(revoked_at=None)
    assert (moved.place.kind, Device.objects.count()) == ("cage", 2)


def test_codes_and_tokens_are_stored_hashed_and_not_in_the_log(cast: Cast):
    code, client = code_for(cast), at_desktop()
    enrol(client, code)

    token = client.cookies[DEVICE_COOKIE].value
    kept = f"{EnrolmentCode.objects.values().get()} {Device.objects.values().get()}"
    logged = " ".join(Event.objects.values_list("text", flat=True))
    assert token not in kept + logged
    assert code not in kept + logged
    assert code.replace("-", "") not in kept + logged


def test_a_tablet_signs_in_by_pin_and_goes_to_its_table(cast: Cast):
    device, client = enrolled(cast.room, "table", 4), on_device("token-table-4")

    answer = tap(client, "/door/sign-in/", staff_id=cast.anna.pk, pin=demo_person("anna").pin)

    device.refresh_from_db()
    assert (answer.status_code, device.signed_in) == (200, cast.anna)
    assert answer["HX-Redirect"] == "/tables/4/"


def test_a_wrong_pin_says_how_long_this_tablet_waits(cast: Cast):
    enrolled(cast.room, "table", 4)
    client = on_device("token-table-4")
    wrong = tap(client, "/door/sign-in/", staff_id=cast.anna.pk, pin="9999")

    soon = tap(client, "/door/sign-in/", staff_id=cast.anna.pk, pin=demo_person("anna").pin)

    assert (wrong.status_code, wrong["Retry-After"]) == (422, "1")
    assert (soon.status_code, soon["Retry-After"]) == (429, "1")
    assert 'role="alert"' in soon.content.decode()


def test_a_pin_is_nothing_without_an_enrolled_tablet(cast: Cast):
    stranger, forged = at_desktop(), on_device("token-nobody-made")

    for client in (stranger, forged):
        answer = tap(client, "/door/sign-in/", staff_id=cast.anna.pk, pin=demo_person("anna").pin)
        assert answer.status_code == 401
    assert forged.cookies[DEVICE_COOKIE].value == ""


def test_a_revoked_tablet_is_out_with_its_next_tap(cast: Cast):
    device, client = enrolled(cast.room, "floor"), on_device("token-floor-1")
    tap(client, "/door/sign-in/", staff_id=cast.frans.pk, pin=demo_person("frans").pin)
    assert client.get("/people/").status_code == 200

    revoke_device(command(cast.mari), device_id=device.pk)

    assert client.get("/people/").status_code == 302
    device.refresh_from_db()
    assert device.signed_in is None


def test_a_sign_out_that_is_sent_again_is_the_same_command(cast: Cast):
    enrolled(cast.room, "table", 4)
    client, sign_out = on_device("token-table-4"), uuid.uuid4()
    tap(client, "/door/sign-in/", staff_id=cast.anna.pk, pin=demo_person("anna").pin)

    answers = [tap(client, "/door/sign-out/", id=sign_out) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    (left,) = Event.objects.filter(name="people.sign_out_of_device")
    assert f'"staff_id":{cast.anna.pk}' in left.text


def test_the_pages_of_a_tablet_are_those_of_its_place(cast: Cast):
    enrolled(cast.room, "table", 4)
    client = on_device("token-table-4")
    tap(client, "/door/sign-in/", staff_id=cast.mari.pk, pin=demo_person("mari").pin)

    for path in ("/people/", "/people/players/", "/people/devices/", "/log/"):
        assert client.get(path).status_code == 403
    assert client.get("/door/").status_code == 200


def test_a_pages_tap_comes_under_no_sign_in_that_has_ended(cast: Cast):
    """What waits without a connection is the tablet's queue alone (tests/tables/test_kept_taps.py)."""
    device, client = enrolled(cast.room, "floor"), on_device("token-floor-1")
    tap(client, "/door/sign-in/", staff_id=cast.frans.pk, pin=demo_person("frans").pin)
    device.refresh_from_db()
    franss = {"X-Sign-In": str(device.sign_in_id)}
    added = Event.objects.filter(name="people.add_player")
    before = added.count()
    assert tap(client, "/people/players/add/", headers=franss, nickname="Now").status_code == 200
    with clock.frozen(TONIGHT + timedelta(minutes=5)):
        tap(client, "/door/sign-in/", staff_id=cast.mari.pk, pin=demo_person("mari").pin)
        for headers in (franss, {"X-Sign-In": str(uuid.uuid4())}):
            tapped = {**headers, "X-Tapped-At": (TONIGHT + timedelta(minutes=1)).isoformat()}
            refused = tap(client, "/people/players/add/", headers=tapped, nickname="Late")
            assert (refused.status_code, "sign_in_ended" in refused.content.decode()) == (403, True)

    assert added.count() == before + 1


def test_at_a_desktop_no_tap_of_a_page_goes_out_under_somebody_else_who_signed_in_there_since(cast: Cast):
    """
    Every page and every call of the house asks whose the page was that a tap comes from, before anything else.

    A fact at a table alone is neither refused nor hers (tests/tables/test_kept_taps.py).
    """
    marias, carlas = ({"X-Sign-In": f"staff.{staff.pk}", "HX-Request": "true"} for staff in (cast.mari, cast.carla))
    client = at_desktop(cast.carla)
    logged = Event.objects.count()
    for route in all_routes():
        name = route.needs("POST")
        if name is None or not MAY[name] & STAFF:
            continue
        if route.api_view is not None and (name in QUEUED or "POST" not in route.methods):
            continue
        answer = client.post(route.path, headers=marias)
        assert (answer.status_code, "signed_in_as_another" in answer.content.decode()) == (409, True), route
    opened = client.get("/api/v1/door", headers=marias)
    assert (opened.status_code, opened.json()["code"]) == (409, "signed_in_as_another")
    assert client.get("/api/v1/door", headers=carlas).status_code == 403
    # Nor does the sheet over somebody's page take over who is signed in.
    form = {"username": "mari", "password": demo_person("mari").password}
    over = client.post("/api/v1/sign-in", form, headers={**marias, "Idempotency-Key": str(uuid.uuid4())})
    assert (over.status_code, over.json()["code"]) == (409, "signed_in_as_another")

    assert Event.objects.count() == logged
    page = client.get("/people/players/").content.decode()
    assert f'data-sign-in="staff.{cast.carla.pk}"' in page
    assert tap(client, "/people/players/add/", headers=carlas, nickname="Carla’s").status_code == 200


def test_a_tablet_whose_clock_is_wrong_taps_within_its_sign_in_and_now(cast: Cast):
    enrolled(cast.room, "floor")
    client = on_device("token-floor-1")
    tap(client, "/door/sign-in/", staff_id=cast.frans.pk, pin=demo_person("frans").pin)

    with clock.frozen(TONIGHT + timedelta(minutes=5)):
        for hours in (-3, 3):
            headers = {"X-Tapped-At": (TONIGHT + timedelta(hours=hours)).isoformat()}
            tap(client, "/people/players/add/", headers=headers, nickname=f"{hours} h off")

    events = Event.objects.filter(name="people.add_player", staff_id=cast.frans.pk).order_by("id")
    recorded = [datetime.fromisoformat(json.loads(event.text)["tapped_at"]) for event in events]
    assert recorded == [TONIGHT, TONIGHT + timedelta(minutes=5)]


@pytest.mark.parametrize(("ago", "kept"), [(4, 4), (6, 0), (600, 0)])
def test_a_desktop_tells_no_moment_of_long_ago(cast: Cast, ago: int, kept: int):
    client, at = at_desktop(cast.frans), TONIGHT + timedelta(minutes=700)

    with clock.frozen(at):
        headers = {"X-Tapped-At": (at - timedelta(minutes=ago)).isoformat()}
        tap(client, "/people/players/add/", headers=headers, nickname="Zoe")

    event = json.loads(Event.objects.filter(name="people.add_player").latest("id").text)
    assert event["tapped_at"] == (at - timedelta(minutes=kept)).isoformat()


def test_everybody_is_led_to_their_own_screen(cast: Cast):
    enrolled(cast.room, "table", 4)
    enrolled(cast.room, "cage", 1)
    enrolled(cast.room, "display", 1)

    assert at_desktop().get("/")["Location"] == "/sign-in/"
    assert on_device("token-table-4").get("/")["Location"] == "/tables/4/"
    assert on_device("token-cage-1").get("/")["Location"] == "/door/"
    assert on_device("token-display-1").get("/")["Location"] == "/lobby/"


def test_the_door_costs_a_tablet_one_query(cast: Cast, django_assert_num_queries):
    enrolled(cast.room, "table", 4)
    client = on_device("token-table-4")

    with django_assert_num_queries(1):
        client.get("/")


def test_a_tap_without_a_command_id_is_malformed(cast: Cast):
    client = at_desktop(cast.mari)

    answer = client.post(f"/people/{cast.anna.pk}/shift/", {"on_shift": "0"}, headers={"HX-Request": "true"})

    assert answer.status_code == 400
    assert 'data-code="malformed"' in answer.content.decode()


def test_a_door_speaks_the_language_that_was_tapped(cast: Cast):
    client = at_desktop()

    answer = client.post("/i18n/setlang/", {"language": "fi", "next": "/sign-in/"})

    assert answer["Location"] == "/sign-in/"
    assert '<html lang="fi"' in client.get("/sign-in/").content.decode()
    assert client.cookies["django_language"]["max-age"], "a television speaks it after a night switched off, too"


def test_a_device_keeps_its_light_and_its_language_whoever_signs_in(cast: Cast):
    enrolled(cast.room, "table", 4)
    tablet = on_device("token-table-4")
    assert 'data-theme="dark"' in tablet.get("/door/").content.decode()

    chosen = tablet.post("/theme/", {"theme": "light", "next": "/door/"})
    tablet.post("/i18n/setlang/", {"language": "fi", "next": "/door/"})
    pin = {"staff_id": cast.anna.pk, "pin": demo_person("anna").pin}
    tablet.post("/door/sign-in/", pin | {"command_id": str(uuid.uuid4())})

    assert chosen["Location"] == "/door/"
    for path in ("/door/", "/lobby/"):
        shown = tablet.get(path).content.decode()
        assert 'data-theme="light"' in shown
        assert '<html lang="fi"' in shown
    tablet.post("/theme/", {"theme": "screen"})
    for path in ("/lobby/", "/cage/money/4/"):
        assert 'data-theme="dark"' in tablet.get(path).content.decode()
    assert 'data-theme="auto"' in at_desktop(cast.frans).get("/cage/money/4/").content.decode()
    assert tablet.post("/theme/", {"theme": "pink"}).status_code == 400
    assert tablet.post("/theme/", {"theme": "dark", "next": "https://elsewhere.example/"})["Location"] == "/"


# ---- addresses that no page of ours has


@pytest.mark.parametrize(
    "path",
    [
        "/?room=%00",
        "/people/players/?q=%00",
        "/log/?chain=%00",
        "/cage/players/?q=%00",
        "/api/v1/people/players?room=%00",
    ],
)
def test_a_nul_in_an_address_is_malformed(cast: Cast, path: str):
    answer = at_desktop(cast.mari).get(path)

    assert answer.status_code == 400


def test_the_floor_finds_nobody_by_a_full_name_and_no_name_has_characters_that_nobody_sees(cast: Cast):
    tap(at_desktop(cast.carla), "/people/players/add/", nickname="Aulis", full_name="Aulis Virtanen")

    assert "Aulis" in at_desktop(cast.carla).get("/people/players/?q=virtanen").content.decode()
    assert "Aulis" not in at_desktop(cast.frans).get("/people/players/?q=virtanen").content.decode()
    for name in ("Au\u202elis", "Au\nlis", "Au\x07lis"):
        assert tap(at_desktop(cast.carla), "/people/players/add/", nickname=name).status_code == 400


def test_another_houses_name_is_refused_in_words(cast: Cast):
    page = at_desktop(cast.mari).get("/", headers={"Host": "elsewhere.example"})
    call = at_desktop(cast.mari).get("/api/v1/tables", headers={"Host": "elsewhere.example"})

    assert (page.status_code, call.status_code) == (400, 400)
    assert "BRUSH_ALLOWED_HOSTS" in page.content.decode()
    assert "Content-Security-Policy" in page.headers
    assert call.json()["code"] == "host_unknown"


def test_a_form_with_more_fields_than_any_of_ours_is_malformed(cast: Cast):
    answer = at_desktop(cast.mari).post("/people/players/add/", {f"field{number}": "1" for number in range(2000)})

    assert answer.status_code == 400
    assert 'data-code="malformed"' in answer.content.decode()
