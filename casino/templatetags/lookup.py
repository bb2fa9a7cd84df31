"""What stands under a key, in templates."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def of(values: Mapping[Any, Any], key: Any) -> Any:
    """Return what stands under a key."""
    return values[key]
