"""How old a figure is, as screens write it."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

register = template.Library()


@register.filter
def ago(at: datetime | None) -> SafeString:
    """
    Write how long ago something was: `{{ row.seats_at|ago }}`, "2 min ago"; nothing where nothing is known.

    A fragment holds the moment; the browser counts the minutes (clock.js).
    """
    if at is None:
        return SafeString("")
    before, _minutes, after = _("%(minutes)s min ago").partition("%(minutes)s")
    return format_html(
        '<span class="ago">{}<time data-since="{}" data-unit="minutes"></time>{}</span>', before, at.isoformat(), after
    )
