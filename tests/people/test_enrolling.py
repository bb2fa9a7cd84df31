"""Where a new device is sent to enrol: to an address that it reaches, as text and as a QR code."""

import uuid
from typing import Any

import pytest
import segno

from casino.reach import address_for_devices
from tests.cast import demo_person, make_cast
from tests.taps import at_desktop, tap


@pytest.mark.parametrize(
    ("address", "phone_url", "names", "is_https", "sent_to"),
    [
        ("https://brush.example", "", ("brush.example",), True, "https://brush.example"),
        ("http://192.168.1.20:8000", "", ("192.168.1.20",), False, "http://192.168.1.20:8000"),
        ("http://localhost:8000", "https://brush.example", (), False, "https://brush.example"),
        ("http://localhost:8000", "", ("localhost", "192.168.1.20"), False, "http://192.168.1.20:8000"),
        ("http://127.0.0.1:8000", "", ("brush.example",), True, "https://brush.example"),
        ("http://localhost:8000", "http://localhost:8000", ("localhost", "*", ".example"), False, ""),
        ("http://[::1]:8000", "", ("localhost",), False, ""),
    ],
)
def test_devices_are_sent_where_they_reach_the_house(address, phone_url, names, is_https, sent_to):
    assert address_for_devices(address, phone_url=phone_url, names=names, is_https=is_https) == sent_to


def test_a_code_comes_as_a_qr_code_where_a_device_reaches_the_house(db: None, settings):
    manager = at_desktop(make_cast().mari)
    new: dict[str, Any] = {"kind": "table", "number": "4", "device_name": "Tablet 4"}

    settings.ALLOWED_HOSTS = ["localhost"]
    manager.defaults["SERVER_NAME"] = "localhost"
    alone = tap(manager, "/people/devices/code/", **new).content.decode()
    settings.ALLOWED_HOSTS = ["localhost", "brush.example"]
    reached = tap(manager, "/people/devices/code/", **new).content.decode()

    assert "enrol-qr" not in alone
    assert "Only this machine reaches that address" in alone
    code = reached.partition('huge mono">')[2].partition("<")[0]
    assert "open http://brush.example:80/enrol/ there" in reached
    qr = segno.make(f"http://brush.example:80/enrol/#{code}", error="m", micro=False).svg_data_uri(border=2)
    assert qr.replace("'", "&#x27;") in reached


def test_who_has_no_sign_in_yet_is_led_to_the_room_whose_page_it_was(db: None, settings: Any) -> None:
    """Where a house has several rooms each address that anybody may open names the one it is of, but for the first."""
    make_cast()
    other = make_cast(slug="upstairs", with_secrets=True)
    manager = at_desktop(other.mari)
    manager.defaults["SERVER_NAME"] = "brush.example"
    settings.ALLOWED_HOSTS = ["brush.example"]

    page = manager.get("/people/players/").content.decode()
    made = tap(manager, "/people/devices/code/", kind="table", number="4", device_name="Tablet 4").content.decode()
    code = made.partition('huge mono">')[2].partition("<")[0]
    left = manager.post("/sign-out/", headers={"Idempotency-Key": str(uuid.uuid4())})
    body = {"username": "mari", "password": demo_person("mari").password}
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    over = manager.post("/api/v1/sign-in?room=upstairs", body, content_type="application/json", headers=headers)

    assert 'data-room="upstairs"' in page
    assert "/sign-in/?room=upstairs&amp;next=/people/players/" in page
    enrols_at = "http://brush.example/enrol/?room=upstairs"
    assert f"open {enrols_at} there" in made
    qr = segno.make(f"{enrols_at}#{code}", error="m", micro=False).svg_data_uri(border=2)
    assert qr.replace("'", "&#x27;") in made
    assert left["Location"] == "/sign-in/?room=upstairs"
    assert over.json()["data"]["staff_id"] == other.mari.pk
    sign_in = manager.get("/sign-in/?room=upstairs").content.decode()
    assert "/enrol/?room=upstairs" in sign_in
    assert "/sign-in/?room=upstairs" in manager.get("/enrol/?room=upstairs").content.decode()
