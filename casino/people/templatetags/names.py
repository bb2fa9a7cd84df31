"""How names stand in sentences. Known to every template (settings: builtins)."""

from django import template

from casino import text

register = template.Library()


@register.filter
def isolated(name: object) -> str:
    """Return a name that turns nothing beside it, whatever it is written in; nothing for none."""
    return text.isolated(str(name)) if name else ""
