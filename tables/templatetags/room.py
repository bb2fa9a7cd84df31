"""How screens of the tables write what a room counts in."""

from django import template

from casino.money import format_cents
from casino.rooms.models import Room

register = template.Library()


@register.filter
def money(cents: int | None, room: Room) -> str:
    """Write cents the room's way: `{{ hand.pot_cents|money:room }}`; nothing where nothing is known."""
    return "" if cents is None else format_cents(cents, currency=room.currency, locale=room.locale)


@register.filter
def signed_money(cents: int | None, room: Room) -> str:
    """Write a difference with its sign: `+5 €`, `−5 €`, `0 €`."""
    if cents is None:
        return ""
    written = format_cents(abs(cents), currency=room.currency, locale=room.locale)
    return f"{'+' if cents > 0 else '−' if cents < 0 else ''}{written}"


@register.filter
def amount(cents: int | None) -> str:
    """Write cents as a form's field takes them: "200", "12.50"."""
    if cents is None:
        return ""
    return str(cents // 100) if cents % 100 == 0 else f"{cents // 100}.{cents % 100:02d}"
