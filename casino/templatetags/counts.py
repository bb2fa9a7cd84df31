"""How screens write how many there are: the room's way, whoever reads it."""

from django import template

from casino.money import format_count
from casino.rooms.models import Room

register = template.Library()


@register.filter
def count(many: int | None, room: Room) -> str:
    """Write a count: `{{ each.days|count:room }}`; nothing where nothing is known. A number that names is none."""
    return "" if many is None else format_count(many, locale=room.locale)
