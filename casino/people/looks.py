"""How a device looks: light, dark, or as each screen is made. Its language is Django's own cookie."""

from django.utils.translation import gettext_lazy as _

from casino.rooms.models import Place

THEME_COOKIE = "brush_theme"
# The longest that browsers keep a cookie.
KEPT_SECONDS = 400 * 24 * 3600
# "screen" is as the screen was made: dark at a table and on the wall, else as the device itself is set.
THEMES = {"screen": _("Automatic"), "light": _("Light"), "dark": _("Dark")}


def theme_at(place: Place | None) -> str:
    """Return the theme of pages at a place where no other was chosen: a table's tablet stays dark on each of them."""
    return "dark" if place is not None and place.kind == Place.Kind.TABLE else "auto"


def theme_of(cookies: dict[str, str]) -> str:
    """Return the theme that a device has chosen, "" where it has not."""
    chosen = cookies.get(THEME_COOKIE, "")
    return chosen if chosen in ("light", "dark") else ""
