"""What a queued tap says, in words: for the floor, who decides whether it was so."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from casino.money import format_cents
from casino.rooms.models import Room
from tables.acts import all_acts
from tables.models import Down, ToDo


def tap_words(room: Room, data: Mapping[str, Any]) -> str:
    """Return a kept tap (`tables.services.kept_taps`) as a few words with its seats and amounts. No query."""
    arguments = data["arguments"]
    hand = arguments.get("hand", {})
    return _words(data["tap"], arguments) % {
        "seat": data.get("seat") or arguments.get("seat_number") or arguments.get("winner_seat") or "?",
        "seats": " · ".join(sorted({str(seat) for winners in hand.get("winners", ()) for seat in winners})),
        "money": _money(room, arguments, hand),
        "period": arguments.get("period"),
    }


def dealer_then(todo: ToDo) -> int | None:
    """
    Return whose down it was at the table when a kept tap says that it was made, on the day it came. One query.

    None for nobody's, and for taps that were kept before they said their day.
    """
    at = datetime.fromisoformat(todo.data["tapped_at"])
    downs = Down.objects.filter(table_id=todo.table_id, day_id=todo.data.get("day") or 0, began_at__lte=at)
    going_on = downs.exclude(ended_at__lte=at).order_by("-began_at")
    return going_on.values_list("dealer_id", flat=True).first()


def _money(room: Room, arguments: Mapping[str, Any], hand: Mapping[str, Any]) -> str:
    named = (arguments.get(name) for name in ("stack_cents", "counted_cents", "cents"))
    pieces = sum(each["value_cents"] * each["count"] for each in arguments.get("pieces") or ())
    cents = next((each for each in named if each is not None), sum(hand.get("pots", ())) + pieces)
    return format_cents(cents, currency=room.currency, locale=room.locale)


def _words(name: str, arguments: Mapping[str, Any]) -> str:
    if name == "tables.settle_hand":
        pots = arguments["hand"].get("pots")
        return _("hand settled, pot %(money)s, seat %(seats)s") if pots else _("hand settled, no pot, seat %(seats)s")
    if name == "tables.leave_seat":
        return (
            _("seat %(seat)s left with %(money)s")
            if arguments.get("stack_cents") is not None
            else _("seat %(seat)s left")
        )
    if name == "tables.hold_seat":
        return _("seat %(seat)s held") if arguments.get("is_held") else _("seat %(seat)s dealt in again")
    if name == "tables.set_straddle":
        return _("seat %(seat)s straddles") if arguments.get("straddles") else _("seat %(seat)s straddles no more")
    if name == "tables.check_rack":
        return _("rack taken as it was left") if arguments.get("pieces") is None else _("rack counted, %(money)s")
    for act in all_acts():
        if act.command == name:
            return str(act.label)
    return {
        "tables.deal_hand": _("hand dealt"),
        "tables.show_flop": _("flop dealt"),
        "tables.skip_hand": _("hand played and not logged"),
        "tables.void_hand": _("hand void, dealt again"),
        "tables.undo_hand": _("newest hand taken back"),
        "tables.record_draw": _("button draw, seat %(seat)s"),
        "tables.button_here": _("button at seat %(seat)s"),
        "tables.count_tip_box": _("tip box counted, %(money)s"),
        "tables.take_time": _("time charge %(period)s taken"),
        "tables.close_tips": _("a dealer’s tips closed, the box taken along"),
        "tables.change_deck": _("deck changed"),
        "tables.call_floor": _("floor called"),
        "tables.set_pot_aside": _("disputed pot set aside, %(money)s"),
        "tables.call_clock": _("seat %(seat)s put on the clock"),
        "tables.end_clock": _("clock ended"),
        "tables.choose_entry": _("seat %(seat)s posts or waits"),
    }[name]
