"""
Whether others than this machine reach the house, by what its environment says.

Nothing of Django is needed for it: the supervisor asks before anything is set up, and settings read it from here.
"""

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True)
class Reach:
    """The names and the address under which a house is served, and whether TLS stands before it."""

    is_https: bool
    names: tuple[str, ...]
    phone_url: str
    host: str

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Reach":
        """Read BRUSH_HTTPS, BRUSH_ALLOWED_HOSTS, BRUSH_PHONE_URL and BRUSH_HOST."""
        names = environment.get("BRUSH_ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]").replace(" ", "").split(",")
        # A room that phones cannot reach (a laptop's own address, say) gives no passes, and its lobby says so.
        phone_url = environment.get("BRUSH_PHONE_URL", "").rstrip("/")
        if (name := urlsplit(phone_url).hostname) and name not in names:
            names.append(name)
        is_https = environment.get("BRUSH_HTTPS") == "1"
        return cls(is_https, tuple(names), phone_url, environment.get("BRUSH_HOST") or LOOPBACK)

    @property
    def beyond_this_machine(self) -> str:
        """Return which setting opens the house to others ("BRUSH_HTTPS=1"); "" when only this machine reaches it."""
        if self.is_https:
            return "BRUSH_HTTPS=1"
        if not is_this_machine(self.host):
            return f"BRUSH_HOST={self.host}"
        return next((f"the name {name}" for name in self.names if name and not is_this_machine(name)), "")


def address_for_devices(page: str, *, phone_url: str, names: Sequence[str], is_https: bool) -> str:
    """
    Return where another device on the network reaches the house that this page was asked of; "" when none does.

    `page` is the page's own scheme, host and port ("http://localhost:8000"). A manager at the machine itself asks
    localhost, which on a tablet is the tablet: then it is the address that players' phones use, or the first name of
    this house that others know, on the same port.
    """
    parts = urlsplit(page)
    if not is_this_machine(parts.hostname or ""):
        return page
    if not is_this_machine(urlsplit(phone_url).hostname or ""):
        return phone_url
    for name in names:
        if name != "*" and not name.startswith(".") and not is_this_machine(name):
            return f"https://{name}" if is_https else f"http://{name}:{parts.port or 80}"
    return ""


def is_this_machine(name: str) -> bool:
    """Tell whether a name or an address never leaves the machine; a socket's path and no name at all do not."""
    if not name or name.startswith("/") or name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    # An IPv4 address as a socket that takes both kinds tells it: ::ffff:127.0.0.1.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback
