"""What dealers have dealt over a span of days: for pay, and a dealer's own pace."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.db import connection

from casino.people.erased import shown_staff_name
from casino.rooms.models import Room

# The page and the file are asked for a month, at most for a quarter.
SPAN_DAYS_MAX = 100
# Fewer minutes of dealing say nothing of how many hands an hour.
MINUTES_FOR_A_PACE = 20

# A hand belongs to the down in which it ended, at that table by that dealer.
_TIMES = """
SELECT down.id, down.dealer_id, staff.display_name, a_table.number, game.name, day.date, down.began_at, down.ended_at,
    (SELECT count(*) FROM tables_hand hand WHERE hand.room_id = down.room_id AND hand.table_id = down.table_id
        AND hand.dealer_id = down.dealer_id AND hand.status = 'settled' AND hand.corrects_id IS NULL
        AND hand.settled_at >= down.began_at AND hand.settled_at < coalesce(down.ended_at, 'infinity')),
    down.from_sheet
FROM tables_down down
JOIN people_staff staff ON staff.id = down.dealer_id
JOIN tables_table a_table ON a_table.id = down.table_id
LEFT JOIN tables_opening opening ON opening.id = down.opening_id
LEFT JOIN tables_game game ON game.id = opening.game_id
LEFT JOIN rooms_gamingday day ON day.id = down.day_id
WHERE down.room_id = %(room_id)s AND down.began_at >= %(since)s AND down.began_at < %(until)s
    AND (%(dealer_id)s::bigint IS NULL OR down.dealer_id = %(dealer_id)s)
ORDER BY down.began_at, down.id
"""


@dataclass(frozen=True)
class DownTime:
    """
    One down of the span: `ended_at` None while it goes on, `hands` those that ended in it. `from_sheet` is the paper
    sheet from which it was caught up.
    """

    id: int
    dealer_id: int
    dealer: str
    table_number: int
    game: str
    day: date | None
    began_at: datetime
    ended_at: datetime | None
    hands: int
    from_sheet: int | None = None

    @property
    def minutes(self) -> int | None:
        """Return whole minutes, rounded; None while it goes on."""
        return round((self.ended_at - self.began_at).total_seconds() / 60) if self.ended_at else None


@dataclass(frozen=True)
class DealerTime:
    """One dealer's sum over the span. `per_hour` is hands an hour, None where too little was dealt to say."""

    dealer_id: int
    name: str
    downs: int
    minutes: int
    hands: int

    @property
    def per_hour(self) -> int | None:
        return round(self.hands * 60 / self.minutes) if self.minutes >= MINUTES_FOR_A_PACE else None

    @property
    def hours(self) -> str:
        return f"{self.minutes // 60}:{self.minutes % 60:02}"


def down_times(room: Room, *, first: date, last: date, dealer_id: int | None = None) -> list[DownTime]:
    """Return the downs that began on these dates of the room's own calendar, both included. One query."""
    zone = ZoneInfo(room.time_zone)
    since = datetime.combine(first, time.min, zone)
    until = datetime.combine(last + timedelta(days=1), time.min, zone)
    with connection.cursor() as cursor:
        wanted: dict[str, int | datetime | None] = {
            "room_id": room.pk,
            "since": since,
            "until": until,
            "dealer_id": dealer_id,
        }
        cursor.execute(_TIMES, wanted)
        return [
            DownTime(pk, dealer, shown_staff_name(name), number, game or "", day, began_at, ended_at, hands, from_sheet)
            for pk, dealer, name, number, game, day, began_at, ended_at, hands, from_sheet in cursor.fetchall()
        ]


def summed(times: Sequence[DownTime]) -> list[DealerTime]:
    """Return the sums by dealer, by name; a down that goes on counts its hands and no minutes yet."""
    ended: dict[int, list[DownTime]] = {}
    for down in times:
        if down.ended_at is not None:
            ended.setdefault(down.dealer_id, []).append(down)
    sums = [
        DealerTime(
            dealer_id,
            downs[0].dealer,
            len(downs),
            sum(down.minutes or 0 for down in downs),
            sum(down.hands for down in downs),
        )
        for dealer_id, downs in ended.items()
    ]
    return sorted(sums, key=lambda dealer: (dealer.name, dealer.dealer_id))
