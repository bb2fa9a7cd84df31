"""What a browser keeps to be known again: a device's cookie, and a desktop's session."""

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse

from casino.people.errors import NotOnShift
from casino.people.middleware import DEVICE_COOKIE
from casino.people.models import Staff

# The longest that browsers keep a cookie; every visit of the door begins it anew.
DEVICE_COOKIE_SECONDS = 400 * 24 * 3600


def set_device_cookie(response: HttpResponse, token: str) -> None:
    """Give a device its cookie: out of reach of scripts, and never sent from another site's form."""
    response.set_cookie(
        DEVICE_COOKIE,
        token,
        max_age=DEVICE_COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def begin_session(request: HttpRequest, staff: Staff) -> None:
    """
    Begin a person's session at a desktop, under a new key.

    :raises NotOnShift: by this row, whose number of ended sessions the new one holds, their shift is over.
    """
    if not staff.is_desktop_open:
        raise NotOnShift
    # Over another person's session this flushes that one; over the same person's it would keep the key.
    login(request, staff)
    request.session.cycle_key()
