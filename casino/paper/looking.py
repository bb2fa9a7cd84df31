"""What catching a table up would record, looked at before anybody signs; and what was recorded. Nothing is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from casino.boxes.models import Box
from casino.paper.catching_up import (
    Place,
    caught_up_before,
    check_kinds,
    check_place,
    check_seats,
    known_by_name,
    place_of,
    sheet_of,
)
from casino.paper.entered import ChipLine, Entered, check_readable, from_json, who_sits
from casino.paper.models import CaughtUp, Sheet
from casino.paper.slips import check_none_waits
from casino.paper.time_and_decks import check_time_and_decks
from casino.people.models import Staff
from casino.people.permissions import Role
from casino.people.selectors import nicknames, staff_names
from casino.rooms.models import Room
from tables.charges import charge_codes
from tables.errors_seats import SitsElsewhere
from tables.models import Hand, Seating, Table
from tables.owners import table_figures


@dataclass(frozen=True)
class Looked:
    """
    What would be recorded: the sheet's place, what was entered with a player for each line, and what comes of it.

    `players` are called so by their ids, `new` are those whom nobody knew (negative ids). `taken` is in cents by kind,
    `boxes` the numbers of those that hang. `before_cents` lay in play at the table, and `after_cents` will. `others`
    are sheets of this table that were caught up for some of the same time, `logged` hands that Brush has of it.
    """

    place: Place
    entered: Entered
    players: Mapping[int, str]
    staff: Mapping[int, str]
    new: frozenset[int]
    sits: Mapping[int, int]
    taken: Mapping[str, int]
    boxes: Mapping[str, int]
    before_cents: int
    after_cents: int
    others: Sequence[int]
    logged: int

    @property
    def first_hand(self) -> int:
        """Return the number that the first hand gets."""
        in_play = self.place.in_play
        return in_play.number if in_play and self.entered.hands else self.place.table.hand_number + 1

    @property
    def last_hand(self) -> int:
        """Return the number that the last hand gets."""
        return self.first_hand + self.entered.hands - 1

    @property
    def sold(self) -> list[ChipLine]:
        """Return what waits at the cage to be confirmed."""
        return [line for line in self.entered.chips if line.paid and line.chips_cents]


def look(room: Room, number: int, entered: Entered, names: Mapping[str, str], *, at: datetime) -> Looked:
    """
    Return what catching up would record. Refuses as the command would, but for what only two at once can meet.

    :raises Refusal: as `catching_up.catch_up`.
    """
    sheet = sheet_of(room.pk, number)
    assert sheet.opening is not None
    check_not_before(sheet, room)
    check_readable(entered, seats=sheet.opening.game.seats, at=at, zone=room.time_zone)
    check_kinds(entered)
    place = place_of(sheet, table_of(sheet), until=entered.until_at, at=at)
    check_place(place, entered, zone=room.time_zone)
    check_time_and_decks(place.table, place.opening, entered, zone=room.time_zone)
    entered, new = _with_names(room.pk, entered, names)
    sits = who_sits(entered.chips, place.players, place.holders)
    check_seats(entered, sits)
    check_none_waits(entered.chips, place.sitting)
    came = {line.player_id for line in entered.chips if line.player_id is not None}
    _check_elsewhere(came, place.table)
    taken, before = entered.taken(charge_codes()), table_figures(place.table.pk).get("in_play", 0)
    put_in = sum(line.chips_cents for line in entered.chips)
    gone = sum(line.stack_cents or 0 for line in entered.chips if line.left)
    span = {"table": place.table, "corrects": None, "from_sheet": None}
    return Looked(
        place=place,
        entered=entered,
        players={**nicknames({*came, *place.players.values(), *place.holders.values()}), **new},
        staff=staff_names({down.dealer_id for down in entered.downs}),
        new=frozenset(new),
        sits=sits,
        taken=taken,
        boxes=_boxes(place.table),
        before_cents=before,
        after_cents=before + put_in - gone - sum(taken.values()) - entered.time_cents,
        others=overlapping(place.table, entered),
        logged=Hand.objects.filter(**span, dealt_at__gt=entered.from_at, dealt_at__lte=entered.until_at).count(),
    )


def check_not_before(sheet: Sheet, room: Room) -> None:
    """:raises SheetCaughtUp: it was caught up before."""
    before = caught_up_of(sheet)
    if before is not None:
        raise caught_up_before(before, zone=room.time_zone)


def caught_up_of(sheet: Sheet) -> CaughtUp | None:
    """Return what was recorded of a sheet, None where it was not caught up. One query."""
    return CaughtUp.objects.filter(sheet=sheet).first()


def overlapping(table: Table, entered: Entered) -> list[int]:
    """Return the sheets of a table that were caught up for some of the same time. One query."""
    same = CaughtUp.objects.filter(sheet__table=table, from_at__lt=entered.until_at, until_at__gt=entered.from_at)
    return list(same.order_by("id").values_list("sheet__number", flat=True))


def table_of(sheet: Sheet) -> Table:
    """Return a sheet's table with what it runs and what is in play. One query."""
    return Table.objects.select_related("opening__game", "hand").get(id=sheet.table_id or 0)


def _boxes(table: Table) -> dict[str, int]:
    hanging = Box.objects.filter(Box.HANGS, table_id=table.pk).order_by("id")
    return {box.charge: box.number for box in hanging if box.number is not None}


def _with_names(room_id: int, entered: Entered, names: Mapping[str, str]) -> tuple[Entered, dict[int, str]]:
    """Return it with a player for each name: whom nobody knows has an id below nought."""
    ids: dict[str, int] = {}
    new: dict[int, str] = {}
    for nickname in names.values():
        key = nickname.casefold()
        if key not in ids:
            known = known_by_name(room_id, nickname)
            ids[key] = known if known is not None else -1 - len(new)
            if known is None:
                new[ids[key]] = nickname
    chips = tuple(
        replace(line, player_id=ids[names[str(line.number)].casefold()]) if str(line.number) in names else line
        for line in entered.chips
    )
    return replace(entered, chips=chips), new


def _check_elsewhere(came: set[int], table: Table) -> None:
    elsewhere = Seating.objects.filter(player_id__in=came, left_at=None).exclude(table=table)
    seat = elsewhere.order_by("id").values_list("table__number", "seat_number").first()
    if seat is not None:
        raise SitsElsewhere(table_number=seat[0], seat_number=seat[1])


@dataclass(frozen=True)
class Recorded:
    """A sheet that was caught up, with what people are called now, by their ids."""

    row: CaughtUp
    entered: Entered
    figures: Mapping[str, Any]
    players: Mapping[int, str]
    staff: Mapping[int, str]
    hands: Sequence[Hand]


def recorded(row: CaughtUp) -> Recorded:
    """Return a caught-up sheet as it is shown. Five queries."""
    entered = from_json(row.entered)
    facts = row.sheet.facts["seats"]
    sat = {seat["player_id"] for seat in facts if seat["player_id"]}
    came = {line.player_id for line in entered.chips if line.player_id is not None}
    dealers = {down.dealer_id for down in entered.downs}
    hands = Hand.objects.filter(table_id=row.sheet.table_id or 0, from_sheet=row.sheet.number, corrects=None)
    return Recorded(
        row,
        entered,
        row.figures,
        nicknames(sat | came),
        staff_names({row.floor_id, row.dealer_id, *dealers}),
        list(hands.prefetch_related("charges").order_by("number")),
    )


def dealers_of(room_id: int) -> list[Staff]:
    """Return everybody who may have dealt, by name. One query."""
    dealers = Staff.objects.filter(room_id=room_id, is_active=True, roles__contains=[Role.DEALER.value])
    return list(dealers.order_by("display_name", "id"))


def names_of(room_id: int, *, most: int) -> list[str]:
    """Return what the players are called who sat down last, for whoever types one. One query."""
    newest = Seating.objects.filter(room_id=room_id, player__erased_at=None, player__merged_into=None).order_by("-id")
    # Twice as many, for who sat down more than once stands there each time.
    names = newest.values_list("player__nickname", flat=True)[: most * 2]
    return list(dict.fromkeys(names))[:most]


def newest_sheets(table_id: int, *, most: int) -> list[tuple[Sheet, CaughtUp | None]]:
    """Return a table's newest sheets, each with what was recorded of it. Two queries."""
    of_table = Sheet.objects.select_related("printing", "opening__game").filter(table_id=table_id)
    sheets = list(of_table.order_by("-id")[:most])
    rows = {row.sheet_id: row for row in CaughtUp.objects.filter(sheet__in=sheets)}
    return [(sheet, rows.get(sheet.pk)) for sheet in sheets]
