"""The form of a sheet that is caught up, read as a call says it: times by the room's clock, filled lines."""

import datetime as dt
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.http import QueryDict

from casino.money import cents_from_text
from casino.paper.entered import AWAY
from casino.paper.errors import OtherSinceLooked, UnreadableOnLine

# What each part of the form calls itself where something on it cannot be read.
DROP_SLIP, DOWN_SLIP, CHIPS, SEATS, TIME = "drop_slip", "down_slip", "chip_lines", "seats", "time_of_sheet"
TIME_SLIP, LISTS = "time_slip", "waiting_lists"
# How somebody left: with the stack as counted, not counted, or taken to the cage.
COUNTED, UNCOUNTED, CARRIED = "counted", "uncounted", "carried"
# As ids of people have; Python reads thousands of digits for long.
_DIGITS_MAX = 15
# As people write a time: 21:05, 21.05, 2105.
_TIME = re.compile(r"([01]?[0-9]|2[0-3])[:.]?([0-5][0-9])", re.ASCII)


def check_looked(form: QueryDict, digest: str) -> None:
    """:raises OtherSinceLooked: something else is typed than what was looked at, whose digest the form has."""
    if form.get("looked") not in (None, digest):
        raise OtherSinceLooked


class _Read:
    """A form, and the moments that its times are of: the newest ones that have been, up to `until`."""

    def __init__(self, form: QueryDict, *, zone: str, at: datetime) -> None:
        self.form, self.zone, self.at = form, ZoneInfo(zone), at

    def text(self, name: str) -> str:
        return str(self.form.get(name, "")).strip()

    def number(self, name: str, part: str, line: int) -> int | None:
        text = self.text(name)
        if not text:
            return None
        if not (text.isdecimal() and len(text) <= _DIGITS_MAX):
            raise UnreadableOnLine(field=part, line=line, text=text)
        return int(text)

    def cents(self, name: str, part: str, line: int) -> int | None:
        text = self.text(name)
        try:
            return cents_from_text(text) if text else None
        except ValueError:
            raise UnreadableOnLine(field=part, line=line, text=text) from None

    def moment(self, name: str, part: str, line: int, *, until: datetime | None = None) -> datetime | None:
        """Return the newest moment of that time which is not after another one, now without."""
        text = self.text(name)
        if not text:
            return None
        match = _TIME.fullmatch(text)
        if match is None:
            raise UnreadableOnLine(field=part, line=line, text=text)
        time = dt.time(int(match[1]), int(match[2]))
        last = (until or self.at).astimezone(self.zone)
        moment = datetime.combine(last.date(), time, self.zone)
        return moment if moment <= last else moment - timedelta(days=1)

    def lines(self, prefix: str) -> Iterator[int]:
        """Yield the numbers of the lines that the form has under a prefix, rising."""
        numbers = {name.split("_")[1] for name in self.form if name.startswith(f"{prefix}_")}
        yield from sorted(int(each) for each in numbers if each.isdecimal() and len(each) <= _DIGITS_MAX)


def as_call(form: QueryDict, *, zone: str, at: datetime) -> dict[str, Any]:
    """
    Return what the form says as a call would say it (`bodies.CatchUpBody`), but for who signs.

    :raises UnreadableOnLine: something cannot be read; part and line are named as the sheet has them.
    """
    read = _Read(form, zone=zone, at=at)
    until = read.moment("until", TIME, 1)
    began = read.moment("from", TIME, 1, until=until)
    lines = [line for number in read.lines("line") if (line := _hand(read, number))]
    if (hands := read.number("hands", DROP_SLIP, 0)) is None:
        # Lines are numbered beforehand: the last one is how many hands were dealt.
        hands = max((line["number"] for line in lines), default=0)
    call = {
        "hands": hands,
        "lines": lines,
        "downs": [line for number in read.lines("down") if (line := _down(read, number, until))],
        "chips": [line for number in read.lines("chip") if (line := _chips(read, number, until))],
        "decks": [line for number in read.lines("down") if (line := _deck(read, number, until))],
        "times": [line for number in read.lines("time") if (line := _time(read, number, until))],
        "seats": [line for number in read.lines("seat") if (line := _seat(read, number, until))],
        "button": read.number("button", SEATS, 0),
    }
    return {**call, "from_at": began and began.isoformat(), "until_at": until and until.isoformat()}


def lists_as_call(form: QueryDict, *, zone: str, at: datetime) -> dict[str, Any]:
    """
    Return what the form of the lists says as a call would say it (`bodies_lists.CatchUpListsBody`), but for who signs.

    :raises UnreadableOnLine: as `as_call`.
    """
    read = _Read(form, zone=zone, at=at)
    until = read.moment("until", TIME, 1)
    began = read.moment("from", TIME, 1, until=until)
    lines = [line for number in read.lines("list") if (line := _list(read, number, until))]
    return {"from_at": began and began.isoformat(), "until_at": until and until.isoformat(), "lines": lines}


def _list(read: _Read, number: int, until: datetime | None) -> dict[str, Any] | None:
    name = f"list_{number}"
    nickname, what = read.text(f"{name}_name"), read.text(f"{name}_what")
    at, game = read.moment(f"{name}_at", LISTS, number, until=until), read.number(f"{name}_game", LISTS, number)
    if not (nickname or at or what):
        return None
    if not (nickname and at and what and game):
        raise UnreadableOnLine(field=LISTS, line=number, text="")
    return {
        "number": number,
        "at": at.isoformat(),
        "game_id": game,
        "what": what,
        "nickname": nickname,
        "table": read.number(f"{name}_table", LISTS, number),
        "seat_number": read.number(f"{name}_seat", LISTS, number),
    }


def _hand(read: _Read, number: int) -> dict[str, Any] | None:
    button, taken = read.number(f"line_{number}_button", DROP_SLIP, number), {}
    for name in read.form:
        prefix = f"line_{number}_taken_"
        if name.startswith(prefix):
            cents = read.cents(name, DROP_SLIP, number)
            if cents is not None:
                taken[name.removeprefix(prefix)] = cents
    return {"number": number, "button": button, "taken": taken} if button is not None or taken else None


def _down(read: _Read, number: int, until: datetime | None) -> dict[str, Any] | None:
    dealer = read.number(f"down_{number}_dealer", DOWN_SLIP, number)
    ended = read.moment(f"down_{number}_until", DOWN_SLIP, number, until=until)
    began = read.moment(f"down_{number}_from", DOWN_SLIP, number, until=ended or until)
    if dealer is None:
        return None
    if began is None or ended is None:
        raise UnreadableOnLine(field=DOWN_SLIP, line=number, text="")
    return {"dealer_id": dealer, "began_at": began.isoformat(), "ended_at": ended.isoformat()}


def _deck(read: _Read, number: int, until: datetime | None) -> dict[str, Any] | None:
    """Return the deck of a line of the down slip, which came into play when the line begins."""
    colour, why = read.text(f"down_{number}_deck"), read.text(f"down_{number}_why")
    if not colour:
        return None
    at = read.moment(f"down_{number}_from", DOWN_SLIP, number, until=until)
    if at is None:
        raise UnreadableOnLine(field=DOWN_SLIP, line=number, text="")
    set_number = read.number(f"down_{number}_set", DOWN_SLIP, number) or 1
    return {"number": number, "at": at.isoformat(), "colour": colour, "set_number": set_number, "why": why or "push"}


def _time(read: _Read, number: int, until: datetime | None) -> dict[str, Any] | None:
    name, paid = f"time_{number}", []
    for field in read.form:
        seat = field.removeprefix(f"{name}_paid_")
        if seat != field and seat.isdecimal() and len(seat) <= _DIGITS_MAX:
            cents = read.cents(field, TIME_SLIP, number)
            if cents is not None:
                paid.append({"seat_number": int(seat), "cents": cents})
    at = read.moment(f"{name}_at", TIME_SLIP, number, until=until)
    if not paid and at is None:
        return None
    if at is None:
        raise UnreadableOnLine(field=TIME_SLIP, line=number, text="")
    return {"period": number, "at": at.isoformat(), "paid": paid}


def _chips(read: _Read, number: int, until: datetime | None) -> dict[str, Any] | None:
    name = f"chip_{number}"
    seat, chips = read.number(f"{name}_seat", CHIPS, number), read.cents(f"{name}_chips", CHIPS, number)
    at, stack = read.moment(f"{name}_at", CHIPS, number, until=until), read.cents(f"{name}_stack", CHIPS, number)
    nickname, left, slip = read.text(f"{name}_name"), read.text(f"{name}_left"), read.text(f"{name}_slip")
    if seat is None:
        if nickname or chips or left or stack is not None:
            raise UnreadableOnLine(field=CHIPS, line=number, text="")
        return None
    return {
        "number": number,
        "seat_number": seat,
        "at": at and at.isoformat(),
        "nickname": nickname,
        "chips_cents": chips or 0,
        "paid": read.text(f"{name}_paid") if chips else "",
        "slip": slip if chips else "",
        "left": bool(left),
        "stack_cents": stack if left in (COUNTED, CARRIED) else None,
        "carried": left == CARRIED,
    }


def _seat(read: _Read, number: int, until: datetime | None) -> dict[str, Any] | None:
    stands, missed = read.text(f"seat_{number}_stands"), read.text(f"seat_{number}_missed")
    since = read.moment(f"seat_{number}_since", SEATS, number, until=until) if stands == AWAY else None
    if not (stands or missed):
        return None
    return {
        "seat_number": number,
        "stands": stands,
        "away_since": (since or until or read.at).isoformat() if stands == AWAY else None,
        "missed": {"": None, "none": ""}.get(missed, missed),
    }
