"""What sheets of paper need in templates."""

from collections.abc import Mapping

from django import template

from casino.text import isolated
from tables.charges import ChargeKind, charge_codes, kind_of

register = template.Library()


@register.filter
def named(person_id: int | None, names: Mapping[int, str]) -> str:
    """Return what somebody is called, "" for nobody."""
    return isolated(names.get(person_id, "")) if person_id else ""


@register.filter
def charge(code: str) -> ChargeKind | None:
    """Return a kind of charge with its words, None where the house has none such any more."""
    return kind_of(code) if code in charge_codes() else None
