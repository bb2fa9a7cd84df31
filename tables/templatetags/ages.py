"""How old a figure is, as screens write it."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

register = template.Library()


@register.filter
def ago(at: datetime | None) -> SafeString:
    """
    Write how long ago something was: `{{ row.seats_at|ago }}`, "2 min ago", "now"; nothing where nothing is known.

    A fragment holds the moment; the browser counts the minutes (clock.js).
    """
    if at is None:
        return SafeString("")
    return format_html(
        '<time class="ago" data-since="{}" data-unit="minutes" data-says="{}" data-fresh="{}"></time>',
        at.isoformat(),
        _("%(minutes)s min ago"),
        pgettext("how old a figure is", "now"),
    )
