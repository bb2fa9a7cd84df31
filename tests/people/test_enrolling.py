"""Where a new device is sent to enrol: to an address that it reaches, as text and as a QR code."""

from typing import Any

import pytest
import segno

from casino.reach import address_for_devices
from tests.cast import make_cast
from tests.taps import at_desktop, tap


@pytest.mark.parametrize(
    ("asked", "phone_url", "names", "is_https", "sent_to"),
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
def test_devices_are_sent_where_they_reach_the_house(asked, phone_url, names, is_https, sent_to):
    assert address_for_devices(asked, phone_url=phone_url, names=names, is_https=is_https) == sent_to


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
