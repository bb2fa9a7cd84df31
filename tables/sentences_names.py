"""How the log's sentences name hands, seats, tables and games, each as a link to what it is about."""

from collections.abc import Collection, Iterable
from datetime import date
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import Part, Reader, also_as, name_chains, name_things
from casino.money import format_cents
from casino.text import isolated
from tables.charges import charge_kinds
from tables.models import Game, Hand, HandSeat, Seating, Table


def register() -> None:
    """Register how the log names what the tables' commands noted by id: hands, seats, tables and the like."""
    name_things(("hand", "hand_row_id", "hand_id"), _hands)
    name_things(("won_by",), _winners)
    name_things(("charged",), _charges)
    name_things(("seating", "seating_id", "holder", "to_seating", "seatings_came", "seatings_left"), _seatings)
    name_things(("table", "to_table"), _numbers)
    name_things(("table_id", "to_table_id"), _tables)
    name_things(("game", "game_id", "from_game", "games"), _games)
    name_things(("gaming_day",), _gaming_days)
    also_as("player", _seats_of)
    name_chains("table", _("Table {number}"))


def _gaming_days(reader: Reader, dates: set[Any]) -> dict[Any, Part]:
    return {each: Part(date_format(date.fromisoformat(each), "j.n.Y")) for each in dates}


def _person(player_id: int, nickname: str) -> Part:
    return Part(isolated(nickname), f"{reverse('log')}?person=player-{player_id}")


def _hands(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    """Name hands by their number; the log knows them by the id that the tablet made, or by their row."""
    rows, made = {each for each in ids if isinstance(each, int)}, {each for each in ids if isinstance(each, str)}
    hands = Hand.objects.filter(table__room_id=reader.room_id)
    named = hands.filter(id__in=rows) | hands.filter(hand_id__in=made)
    parts: dict[Any, Part] = {}
    for pk, hand_id, number, table in named.values_list("id", "hand_id", "number", "table__number"):
        url = f"{reverse('floor_hands', args=[table])}?hand={pk}" if "page.hands" in reader.may else ""
        parts[pk] = parts[str(hand_id)] = Part(str(number), url)
    return parts


def _winners(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    """Name winners ("hand:seat") by seat and nickname."""
    hands = {each.partition(":")[0] for each in ids if ":" in each}
    seats = HandSeat.objects.filter(room_id=reader.room_id, hand__hand_id__in=hands)
    rows = seats.values_list("hand__hand_id", "seat_number", "player_id", "player__nickname")
    return {
        f"{hand_id}:{seat}": Part(f"{seat} {isolated(nickname)}", _person(player_id, nickname).url)
        for hand_id, seat, player_id, nickname in rows
    }


def _charges(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    """Name what was charged ("kind:cents") by the word for its kind, with the amount."""
    kinds = {kind.code: kind.words.name for kind in charge_kinds()}
    parts = {}
    for each in ids:
        code, _colon, cents = each.partition(":")
        if code in kinds:
            amount = format_cents(int(cents), currency=reader.currency, locale=reader.locale)
            parts[each] = Part(f"{kinds[code]} {amount}")
    return parts


def _seatings(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    seatings = Seating.objects.filter(room_id=reader.room_id, id__in=ids)
    rows = seatings.values_list("id", "player_id", "player__nickname")
    return {each: _person(player_id, nickname) for each, player_id, nickname in rows}


def _numbers(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    return {each: Part(str(each), f"{reverse('log')}?chain=table.{each}") for each in ids}


def _tables(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    numbers = Table.objects.filter(room_id=reader.room_id, id__in=ids).values_list("id", "number")
    return {each: Part(str(number), f"{reverse('log')}?chain=table.{number}") for each, number in numbers}


def _games(reader: Reader, ids: set[Any]) -> dict[Any, Part]:
    games = Game.objects.filter(room_id=reader.room_id, id__in=ids).values_list("id", "name")
    return {each: Part(isolated(name)) for each, name in games}


def _seats_of(player_ids: Collection[int]) -> Iterable[tuple[str, int]]:
    seatings = Seating.objects.filter(player_id__in=player_ids).order_by("-id")
    return (("seating", each) for each in seatings.values_list("id", flat=True)[:500])
