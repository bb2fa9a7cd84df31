"""What templates need for live screens: a region that is pushed to, and the server's time."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from casino.live.render import fragment
from casino.live.wire import now_ms

register = template.Library()


@register.simple_tag
def server_now() -> int:
    """Return the house's time in milliseconds since 1970, for pages that have not heard a tick yet."""
    return now_ms()


@register.simple_tag(takes_context=True)
def live_region(context: dict[str, Any], audience: str, id: str = "live", css_class: str = "") -> SafeString:
    """
    Return the element that shows an audience's fragment and is pushed every newer one.

    `{% live_region "floor" %}`; a page with several gives each its own `id`. The room is the page's own.
    """
    shown = fragment(context["room"].pk, audience, get_language() or "en")
    return format_html(
        '<div id="{}" class="{}" data-audience="{}" data-stamp="{}">{}</div>',
        id,
        css_class,
        audience,
        str(shown.stamp),
        mark_safe(shown.html),  # noqa: S308  rendered by a template of ours, escaped there
    )
