"""The PIN pad, for pages of tablets that show more than the door."""

from typing import Any

from django import template

from casino.people.selectors import people_at_door

register = template.Library()


@register.inclusion_tag("people/pin_pad.html", takes_context=True)
def pin_pad(context: dict[str, Any]) -> dict[str, Any]:
    """
    Show who may sign in on this tablet now, and the keys for the PIN.

    `{% load door %}{% pin_pad %}` on a page of an enrolled device, with `brush/door.css` and
    `brush/door.js`; at a desktop it shows nothing.
    """
    device = context.get("device")
    return {"people": people_at_door(device) if device else [], "device": device, "staff": context.get("staff")}
