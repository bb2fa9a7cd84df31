"""All that is kept about one person, for that person: as data, and as a page shows it, in the active language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Q
from django.utils.formats import date_format

from casino.money import format_cents
from casino.people.kept import Cents, DataReader, DataTable, Kind, kinds
from casino.people.models import Player, Staff
from casino.rooms.models import Room
from casino.rooms.selectors import room_of, rule_book_in_force


@dataclass(frozen=True)
class KindInFile:
    """What somebody is told of one kind; `days`: for how long it is kept, None for as long as the books."""

    kind: Kind
    days: int | None
    data_tables: Sequence[DataTable]
    room: Room

    def tables(self) -> list[tuple[list[str], list[list[str]]]]:
        """Return heads and rows as they are read."""
        return [
            ([str(head) for head in each.heads], [self._written(row) for row in each.rows]) for each in self.data_tables
        ]

    def _written(self, row: Sequence[Any]) -> list[str]:
        return [_written(value, self.room) for value in row]


@dataclass(frozen=True)
class PersonFile:
    """What somebody is given: of whom, by which room, when, and every kind of which there is something."""

    person: Player | Staff
    room: Room
    at: datetime
    kinds: Sequence[KindInFile]

    def as_data(self) -> dict[str, Any]:
        """Return it as JSON carries it: moments and days in ISO 8601, amounts in minor units."""
        return {
            "room": self.room.name,
            "currency": self.room.currency,
            "staff_id" if isinstance(self.person, Staff) else "player_id": self.person.pk,
            "at": self.at.isoformat(),
            "kinds": [
                {
                    "kind": each.kind.code,
                    "title": str(each.kind.title),
                    "purpose": str(each.kind.purpose),
                    "kept_days": each.days,
                    "tables": [
                        {
                            "heads": [str(head) for head in table.heads],
                            "rows": [[_plain(v) for v in r] for r in table.rows],
                        }
                        for table in each.data_tables
                    ],
                }
                for each in self.kinds
            ],
        }


def person_file(player: Player, *, at: datetime) -> PersonFile:
    """Return what there is of a player and of the records that were merged into theirs. Some twenty queries."""
    records = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player)).order_by("id")
    return _file(player, list(records.values_list("id", flat=True)), lambda kind: kind.player_data, at=at)


def staff_file(staff: Staff, *, at: datetime) -> PersonFile:
    """Return what there is of somebody who works here or did. Some ten queries."""
    return _file(staff, [staff.pk], lambda kind: kind.staff_data, at=at)


def _file(
    person: Player | Staff, ids: Sequence[int], telling: Callable[[Kind], DataReader | None], *, at: datetime
) -> PersonFile:
    room = room_of(person.room_id)
    book = rule_book_in_force(room.pk, at=at)[1].peoples_data
    in_file = []
    for kind in kinds():
        tells = telling(kind)
        data_tables = [each for each in tells(ids) if each.rows] if tells else []
        if data_tables:
            days = kind.retention.days(book) if kind.retention else None
            in_file.append(KindInFile(kind, days, data_tables, room))
    return PersonFile(person, room, at, in_file)


def _plain(value: Any) -> Any:
    if isinstance(value, Cents):
        return value.cents
    if isinstance(value, date | datetime):
        return value.isoformat()
    return value if value is None or isinstance(value, int) else str(value)


def _written(value: Any, room: Room) -> str:
    if value is None:
        return "–"
    if isinstance(value, Cents):
        return format_cents(value.cents, currency=room.currency, locale=room.locale)
    if isinstance(value, datetime):
        return date_format(value.astimezone(ZoneInfo(room.time_zone)), "j.n.Y H:i")
    return date_format(value, "j.n.Y") if isinstance(value, date) else str(value)
