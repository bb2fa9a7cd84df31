"""Questions about drawers and runners' banks, as they stand now."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from casino.cage.chart import DRAWER
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.notes import counted_values
from casino.errors import NotFound
from casino.ledger.selectors.accounts import figures
from casino.rooms.selectors import books_so_far, rule_book_in_force
from casino.rows import read


@dataclass(frozen=True)
class Values:
    """By which values cash and chips are counted: cents, greatest first."""

    cash: tuple[int, ...]
    chips: tuple[int, ...]


@dataclass(frozen=True)
class Window:
    """One drawer as its window shows it. What is expected in it is no part of this: counts are blind."""

    drawer: Drawer
    session: DrawerSession | None
    slips: list[Slip]
    slips_count: int


def drawers(room_id: int) -> list[Drawer]:
    """Return the room's drawers by number. One query."""
    return list(Drawer.objects.filter(room_id=room_id, place_kind="").order_by("number"))


def windows(room_id: int) -> list[Drawer]:
    """Return the drawers that stand at the cage, by number: no runner's banks. One query."""
    return list(Drawer.objects.filter(room_id=room_id, is_bank=False, place_kind="").order_by("number"))


def drawer_id(room_id: int, number: int) -> int:
    """Return the id of the room's drawer of this number. One query. :raises NotFound: there is none."""
    for drawer in read(Drawer, "WHERE room_id = %s AND number = %s", room_id, number):
        return drawer.pk
    raise NotFound(what="drawer")


def drawer_numbers(ids: Iterable[int]) -> dict[int, str]:
    """Return the numbers of drawers by their ids, for the ledger's page. One query."""
    return {pk: str(number) for pk, number in Drawer.objects.filter(id__in=set(ids)).values_list("id", "number")}


def drawer_figures(drawer_id: int) -> dict[str, int]:
    """Return the balances of one drawer's accounts by kind, in cents: what a count is held against. One query."""
    return figures(DRAWER, drawer_id)


def values_counted(room_id: int, *, at: datetime) -> Values:
    """
    Return by which values a drawer is counted: the currency's notes and coins, and chips of every book so far, for what
    an older one issued comes back. Two queries.
    """
    book = rule_book_in_force(room_id, at=at)[1]
    chips = {value for each in (book, *books_so_far(room_id, at=at)) for value in each.chips_cents}
    return Values(counted_values(book.house.currency), tuple(sorted(chips, reverse=True)))


def window(room_id: int, number: int, *, most: int = 60) -> Window | None:
    """Return one drawer with its newest slips of this session, at most `most`. Four queries."""
    drawer = Drawer.objects.filter(room_id=room_id, number=number, place_kind="").first()
    if drawer is None:
        return None
    session = DrawerSession.objects.filter(drawer=drawer, closed_at=None).select_related("opened_by", "day").first()
    if session is None:
        return Window(drawer, None, [], 0)
    slips = Slip.objects.filter(session=session)
    newest = list(slips.select_related("player").order_by("-number")[:most])
    return Window(drawer, session, newest, slips.count())
