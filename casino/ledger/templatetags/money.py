"""How screens write money: the room's way, whoever reads it."""

from django import template

from casino.money import format_cents, format_difference
from casino.rooms.models import Room

register = template.Library()


@register.filter
def money(cents: int | None, room: Room) -> str:
    """Write cents the room's way: `{{ slip.amount_cents|money:room }}`; nothing where nothing is known."""
    return "" if cents is None else format_cents(cents, currency=room.currency, locale=room.locale)


@register.filter
def difference(cents: int | None, room: Room) -> str:
    """Write a difference with its sign: `+5 €`, `−5 €`, `0 €`."""
    return "" if cents is None else format_difference(cents, currency=room.currency, locale=room.locale)


@register.filter
def figure(cents: int) -> str:
    """Write cents as a ledger's column does: always two decimals, a true minus, no currency."""
    whole, rest = divmod(abs(cents), 100)
    grouped = f"{whole:,}".replace(",", "\u202f")
    return f"{'−' if cents < 0 else ''}{grouped},{rest:02d}"
