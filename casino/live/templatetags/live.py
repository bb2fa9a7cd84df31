"""What templates need for live screens: a region that is pushed to, and the server's time."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from casino.live.render import fragment
from casino.live.wire import now_ms
from casino.reading import is_keeping
from casino.static_files import files_state

register = template.Library()

# The parts of a full house's screens in each language, several times over.
PARTS_KEPT = 4096


@register.simple_tag
def server_now() -> int:
    """Return the house's time in milliseconds since 1970, for pages that have not heard a tick yet."""
    return now_ms()


@register.simple_tag
def files() -> str:
    """Return which state of scripts and style sheets a page is of; each tick says the server's."""
    return files_state()


@register.simple_tag(takes_context=True)
def live_region(context: dict[str, Any], audience: str, id: str = "live", css_class: str = "") -> SafeString:
    """
    Return the element that shows an audience's fragment and is pushed every newer one.

    `{% live_region "floor" %}`; a page with several gives each its own `id`. The room is the page's own.
    """
    drawn = fragment(context["room"].pk, audience, get_language() or "en")
    return format_html(
        '<div id="{}" class="{}" data-audience="{}" data-stamp="{}">{}</div>',
        id,
        css_class,
        audience,
        str(drawn.stamp),
        mark_safe(drawn.html),  # noqa: S308  rendered by a template of ours, escaped there
    )


@register.simple_tag
def part(name: str, **context: Hashable) -> SafeString:
    """
    Draw one of many parts of a fragment; pushes and answers to taps take it as it was: a tap changes one of forty.

    `{% part "tables/floor_tile.html" tile=tile %}`: the template sees nothing else, so what it shows is what it is kept
    by. That is why only plain values are allowed, and frozen dataclasses of them: a row of the database stays equal to
    itself while it changes.
    """
    return _drawing()(name, tuple(context.items()), get_language() or "en")


@register.simple_tag
def parts(name: str, each: str, of: Iterable[Hashable], **context: Hashable) -> SafeString:
    """
    Draw a part for each of many: `{% parts "tables/floor_chip.html" "chip" chips %}`, as `part` with `chip=…` and what
    all of them are shown besides. One tag for forty of them costs as much as one for one.
    """
    drawn = part_of_each(name, each, of, **context)
    return mark_safe("".join(drawn))  # noqa: S308  rendered by templates of ours, escaped there


def part_of_each(name: str, each: str, of: Iterable[Hashable], **context: Hashable) -> list[SafeString]:
    """Draw a part for each of many, as `parts`, and return them one by one."""
    language, beside, draw = get_language() or "en", tuple(context.items()), _drawing()
    return [draw(name, ((each, one), *beside), language) for one in of]


def _drawing() -> Callable[[str, tuple[tuple[str, Hashable], ...], str], SafeString]:
    """Return what draws a part: anew on pages, so that what checks a push by them finds also what was kept wrongly."""
    return _kept if is_keeping() else _drawn


def _drawn(name: str, context: tuple[tuple[str, Hashable], ...], language: str) -> SafeString:
    assert _is_plain(context), f"{name} may show something else the next time"
    return render_to_string(name, dict(context))


_kept = lru_cache(PARTS_KEPT)(_drawn)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    if is_dataclass(value):
        return all(_is_plain(getattr(value, field.name)) for field in fields(value))
    return value is None or isinstance(value, str | int | datetime)
