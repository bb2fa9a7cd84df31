"""Questions about the room."""

import datetime as dt
import hashlib
from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Subquery
from django.db.models.functions import Coalesce
from msgspec.structs import astuple

from casino import seldom
from casino.reading import read_once
from casino.rooms.errors import NoOpenDay, WaitsForDay
from casino.rooms.models import GamingDay, Room, RuleBookVersion
from casino.rows import read, read_seldom
from casino.rulebooks import RuleBook, parse
from casino.rulebooks.clauses import books_with_clauses, clauses

# By version, with whose book it is: "helsinki".
_books: dict[int, tuple[str, RuleBook]] = {}


@read_once
def room_of(room_id: int) -> Room:
    """Return a room that is known to be there. One query."""
    ((room,),) = read_seldom((Room,), "FROM rooms_room WHERE id = %s", room_id)
    found: Room = room
    return found


def lock_room(room_id: int) -> Room:
    """
    Lock the room's row and return it: one at a time makes what the room has once or in order. One query.

    It is locked before the open day. Rows that name the room can be made meanwhile (FOR NO KEY UPDATE).
    """
    return Room.objects.select_for_update(no_key=True).get(id=room_id)


@read_once
def open_day(room_id: int) -> GamingDay | None:
    """Return the room's open gaming day, or None. One query, no lock."""
    days = read_seldom((GamingDay,), "FROM rooms_gamingday WHERE room_id = %s AND closed_at IS NULL", room_id)
    return next((day for (day,) in days), None)


def night_began_after(room_id: int) -> Coalesce:
    """
    Return, for a query, the event id after which all of the log belongs to the night that is on, or is to come.

    That is where the last day closed: what is done before a day opens is done for it. Before a first day has closed it
    is where that one opened, and NULL before there is one.
    """
    days = GamingDay.objects.filter(room_id=room_id)
    closed = days.filter(closed_after__isnull=False).order_by("-id").values("closed_after")[:1]
    return Coalesce(Subquery(closed), Subquery(days.order_by("id").values("opened_after")[:1]))


def lock_open_day(room_id: int) -> GamingDay:
    """
    Return the open gaming day and keep it open until the transaction ends.

    A shared lock: commands never wait for each other here, only closing the day waits for them.

    :raises NoOpenDay: no day is open.
    """
    days = read(GamingDay, "WHERE room_id = %s AND closed_at IS NULL FOR SHARE", room_id)
    if not days:
        raise NoOpenDay
    return days[0]


def lock_open_day_alone(room_id: int) -> GamingDay:
    """
    As `lock_open_day`, against everybody: waits for every command that is just posting, and keeps new ones out.

    For what is rare and must see all that was done. :raises NoOpenDay: no day is open.
    """
    day = GamingDay.objects.select_for_update(no_key=True).filter(room_id=room_id, closed_at=None).first()
    if day is None:
        raise NoOpenDay
    return day


def lock_open_day_for_fact(room_id: int) -> GamingDay:
    """
    As `lock_open_day`, for what has already happened.

    :raises WaitsForDay: no day is open; the tablet keeps the fact and sends it again.
    """
    try:
        return lock_open_day(room_id)
    except NoOpenDay:
        raise WaitsForDay from None


def days_in_log(room_id: int, first: dt.date, last: dt.date) -> tuple[int, int | None] | None:
    """
    Return after which event of the log the first gaming day of these dates began, and which was the last before the day
    after them (None: there is none yet); None where no day has one of these dates. Three queries at most.

    What happened between two days belongs to the one before.
    """
    days = GamingDay.objects.filter(room_id=room_id).order_by("id")
    in_span = list(days.filter(date__gte=first, date__lte=last))
    if not in_span:
        return None
    return in_span[0].opened_after, days.filter(id__gt=in_span[-1].pk).values_list("opened_after", flat=True).first()


def calendar_day(room_id: int, date: dt.date) -> tuple[datetime, datetime]:
    """Return when this date begins on the room's own calendar, and when it is over. One query."""
    midnight = datetime.combine(date, dt.time(), tzinfo=ZoneInfo(room_of(room_id).time_zone))
    return midnight, midnight + dt.timedelta(days=1)


_VERSIONS = "SELECT id, holds_from FROM rooms_rulebookversion WHERE room_id = %s ORDER BY holds_from DESC, id DESC"


def rule_book_in_force(room_id: int, *, at: datetime) -> tuple[int, RuleBook]:
    """
    Return the id and the content of the rule book version that holds at this moment. One query.

    The first one holds also for what was before it: a clock that was fast when the room was made is set back.
    """
    versions = seldom.rows(_VERSIONS, room_id)
    version_id = next((version_id for version_id, holds_from in versions if holds_from <= at), versions[-1][0])
    return version_id, rule_book(version_id)


def rule_books_in_force(room_id: int, moments: Iterable[datetime]) -> dict[datetime, RuleBook]:
    """Return the content of the version that holds at each of some moments, as `rule_book_in_force`. One query."""
    versions = seldom.rows(_VERSIONS, room_id)
    version_ids = {at: next((pk for pk, holds_from in versions if holds_from <= at), versions[-1][0]) for at in moments}
    return {at: rule_book(version_id) for at, version_id in version_ids.items()}


def books_so_far(room_id: int, *, at: datetime) -> list[RuleBook]:
    """Return the content of every version that has held in a room by this moment, the oldest first. One query."""
    versions = RuleBookVersion.objects.filter(room_id=room_id, holds_from__lte=at).order_by("holds_from", "id")
    return [rule_book(version_id) for version_id in versions.values_list("id", flat=True)]


def rule_book(version_id: int) -> RuleBook:
    """Return one version's content; a version never changes, so each process reads it once."""
    return _read(version_id)[1]


def book_name(version_id: int) -> str:
    """Return whose book a version is: "helsinki". No query once the version has been read."""
    return _read(version_id)[0]


def _read(version_id: int) -> tuple[str, RuleBook]:
    if version_id not in _books:
        version = RuleBookVersion.objects.get(id=version_id)
        _books[version_id] = version.book, parse(version.text, source=str(version), kept_as=version.book)
    return _books[version_id]


def known_clauses(room_id: int, *, at: datetime) -> tuple[str, ...]:
    """
    Return the ids of the clauses that hold in a room: its own book's, then the authority's. One query.

    Of a house whose document is not listed they are those that its book names.
    """
    version_id, book = rule_book_in_force(room_id, at=at)
    likely = (each for kind in astuple(book.likely) for each in kind)
    listed = [name for name in (book_name(version_id), "licence") if name in books_with_clauses()]
    known = [entry.id for name in listed for entry in clauses(name)]
    return tuple(dict.fromkeys([*known, *likely, *book.clauses.values()]))


def rule_books_digest(room_id: int) -> tuple[int, str]:
    """
    Return the id of a room's newest version of its rule book, and the SHA-256 of what all of them are: id, number,
    name, digest of the text, and from when each holds, in UTC. One query.
    """
    versions = RuleBookVersion.objects.filter(room_id=room_id).order_by("id")
    rows = versions.values_list("id", "number", "book", "digest", "holds_from")
    lines = [f"{pk},{number},{book},{digest},{since.isoformat()}" for pk, number, book, digest, since in rows]
    return max(pk for pk, *_rest in rows), hashlib.sha256("\n".join(lines).encode()).hexdigest()
