"""
Where fills go and credits come from, besides the vault.

The cage knows its drawers. Other apps register theirs in their AppConfig (`tables` registers a table's float), and the
cage calls them inside its own transaction.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from casino.cage.chart import of_drawer
from casino.cage.errors import DrawerClosed, DrawerCountedFirst
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.rules import CASH, CHIPS
from casino.cage.selectors.drawers import drawer_id
from casino.cage.services.locks import check_drawer_holds, open_session
from casino.commands.carrying_out import Actor, Command
from casino.errors import Refusal
from casino.ledger.chart import PostingLine
from casino.rooms.models import Place


@dataclass(frozen=True)
class Counted:
    """Cash and chips that were counted, [[value in cents, how many], ...]."""

    cash: Sequence[Sequence[int]] = ()
    chips: Sequence[Sequence[int]] = ()


@dataclass(frozen=True)
class Standing:
    """
    What a place refuses now, whatever is typed, None where nothing: anything that goes into it or out of it, being
    filled, and giving anything at all.
    """

    moves: Refusal | None = None
    takes: Refusal | None = None
    gives: Refusal | None = None


class FillPlace:
    """
    A kind of place. `holds` is what it is filled with, `receives` what one of the two who count there has to be
    allowed, and `stands_at` the kind of place in the room whose device acts for the one of its number.
    """

    holds: Collection[str]
    receives: str
    stands_at: str

    def numbers(self, room_id: int) -> list[int]:
        """Return the numbers of those that can be filled now. One query."""
        raise NotImplementedError

    def id_of(self, room_id: int, number: int) -> int:
        """Return the id of the one of this number. One query. :raises NotFound: there is none."""
        raise NotImplementedError

    def lock(self, place_id: int) -> None:
        """Lock the row that owns it, after the gaming day and before the slip's. :raises Refusal: it is not open."""
        raise NotImplementedError

    def standings(self, place_ids: Collection[int], *, at: datetime) -> Mapping[int, Standing]:
        """Return how these stand, by id, without locking them. As many queries for many as for one."""
        raise NotImplementedError

    def holder_id(self, place_id: int) -> int | None:
        """Return who holds the locked place and sees all that goes in and out of it; None where nobody does."""
        return None

    def line(self, place_id: int, what: str, cents: int) -> PostingLine:
        """Return a line on its account of cash or chips."""
        raise NotImplementedError

    def label(self, number: int, *, is_bank: bool = False) -> str:
        """Return what people call it, in the active language; `is_bank`: it is a runner's bank."""
        raise NotImplementedError

    def to_choose(self, room_id: int) -> list[tuple[int, str]]:
        """Return those that can be filled now, as (number, label). One query."""
        return [(number, self.label(number)) for number in self.numbers(room_id)]

    def is_at(self, stands: tuple[str, int], number: int, *, room_id: int) -> bool:
        """Say whether a device that stands there acts for the one of this number."""
        return stands == (self.stands_at, number)

    def check_takes(self, place_id: int, *, at: datetime) -> None:
        """Ask whether it is filled at all by the book that holds there. :raises Refusal: it is not."""

    def screens(self, number: int) -> tuple[str, ...]:
        """Return the audiences that are shown what becomes of a fill there, besides the fills' own page."""
        return ()

    def check_holds(self, place_id: int, lines: Sequence[PostingLine]) -> None:
        """
        Ask whether it is known to hold what these lines take out of it; where nobody knows, what is counted is a fact.

        :raises Refusal: it holds less.
        """

    def gives_cash(self, place_id: int) -> bool:
        """Say whether a credit may take cash from it."""
        return CASH in self.holds

    def lies_as_counted(self, place_id: int, by: Actor) -> Counted:
        """
        Return what a count has found there that still lies there, as far as this reader may know it: what a credit of
        all of it asks for. Nothing where nobody counts but as it closes.
        """
        return Counted()

    def chain(self, number: int) -> str:
        """Return the log's chain that belongs to the row which `lock` locks; of places that sell."""
        raise NotImplementedError

    def sale_lines(self, place_id: int, cents: int) -> list[PostingLine]:
        """Return the lines that take chips out of it and put the cash there that they are sold for."""
        raise NotImplementedError

    def check_sells(self, place_id: int, lines: Sequence[PostingLine]) -> None:
        """
        Let the locked place give the chips, or the cash, that these lines take out of it, and make its accounts ready.

        :raises Refusal: it holds less.
        """
        raise NotImplementedError

    def check_takes_back(self, slip: Slip) -> None:
        """
        Let a sale out of the locked place be taken back as it came.

        :raises Refusal: what it moved is no longer told apart there.
        """
        raise NotImplementedError

    def never_sold_lines(self, slip: Slip) -> list[PostingLine]:
        """
        Return the lines that take a sale which never was out of what counts of the locked place have found since.

        :raises Refusal: no count has seen it, or those that did say that it was.
        """
        raise NotImplementedError

    def follow_never_sold(self, command: Command, slip: Slip) -> tuple[str, ...]:
        """Take what a slip explains that was just said to have never been off the to-do; return the screens to tell."""
        raise NotImplementedError


class DrawerPlace(FillPlace):
    """A drawer of the cage, while it is open."""

    holds = (CASH, CHIPS)
    receives = "cage.receive_at_drawer"
    stands_at = Place.Kind.CAGE

    def numbers(self, room_id: int) -> list[int]:
        """Return the numbers of the open drawers."""
        sessions = DrawerSession.objects.filter(drawer__room_id=room_id, closed_at=None).order_by("drawer__number")
        return list(sessions.values_list("drawer__number", flat=True))

    def id_of(self, room_id: int, number: int) -> int:
        """Return a drawer's id."""
        return drawer_id(room_id, number)

    def lock(self, place_id: int) -> None:
        """Lock the drawer. :raises DrawerClosed: it is not open."""
        open_session(Drawer.objects.select_for_update(no_key=True).get(id=place_id))

    def standings(self, place_ids: Collection[int], *, at: datetime) -> Mapping[int, Standing]:
        """Say of each whether it is closed, or counted before it gives anything. Two queries."""
        open_now = DrawerSession.objects.filter(drawer_id__in=place_ids, closed_at=None)
        sessions = {session.drawer_id: session for session in open_now}
        drawers = Drawer.objects.filter(id__in=place_ids)
        return {drawer.pk: _standing_of(drawer, sessions.get(drawer.pk)) for drawer in drawers}

    def holder_id(self, place_id: int) -> int | None:
        """Return the runner who holds it, where it is a bank. One query."""
        holders = DrawerSession.objects.filter(drawer_id=place_id, closed_at=None).values_list("holder_id", flat=True)
        return holders.first()

    def line(self, place_id: int, what: str, cents: int) -> PostingLine:
        """Return a line on the drawer's cash or chips."""
        return of_drawer(place_id, what, cents)

    def label(self, number: int, *, is_bank: bool = False) -> str:
        """Return "Drawer 1", or "Bank 11"."""
        return (_("Bank %(number)s") if is_bank else _("Drawer %(number)s")) % {"number": number}

    def to_choose(self, room_id: int) -> list[tuple[int, str]]:
        """Return the open drawers and banks."""
        sessions = DrawerSession.objects.filter(drawer__room_id=room_id, closed_at=None).order_by("drawer__number")
        numbers = sessions.values_list("drawer__number", "drawer__is_bank")
        return [(number, self.label(number, is_bank=is_bank)) for number, is_bank in numbers]

    def is_at(self, stands: tuple[str, int], number: int, *, room_id: int) -> bool:
        """
        Say whether a device that stands there acts for this drawer: at the drawer's own window, and for a runner's
        bank, which stands at none, at any of the cage's. A query for a bank.
        """
        if super().is_at(stands, number, room_id=room_id):
            return True
        banks = Drawer.objects.filter(room_id=room_id, number=number, is_bank=True)
        return stands[0] == self.stands_at and banks.exists()

    def check_holds(self, place_id: int, lines: Sequence[PostingLine]) -> None:
        """:raises CashShort, ChipsShort, DrawerCountedFirst: it holds less, or did too often."""
        check_drawer_holds(Drawer.objects.get(id=place_id), lines, chips_too=True)


def _standing_of(drawer: Drawer, session: DrawerSession | None) -> Standing:
    if session is None:
        return Standing(moves=DrawerClosed(**drawer.called))
    return Standing(gives=DrawerCountedFirst(**drawer.called) if session.is_counted_first else None)


DRAWER = "drawer"
_places: dict[str, FillPlace] = {DRAWER: DrawerPlace()}


def register(kind: str, place: FillPlace) -> None:
    """Make a kind of place known, once, from an AppConfig."""
    assert kind not in _places, f"two kinds of places are called {kind}"
    _places[kind] = place


def kinds() -> list[str]:
    """Return all kinds of places."""
    return list(_places)


def of(kind: str) -> FillPlace:
    """Return the kind of this name. :raises KeyError: nobody registered it."""
    return _places[kind]


def to_choose(room_id: int) -> list[tuple[str, int, str]]:
    """Return what can be filled now, as (kind, number, label). One query for each kind."""
    return [(kind, number, text) for kind, place in _places.items() for number, text in place.to_choose(room_id)]


def label(kind: str, number: int, *, is_bank: bool = False) -> str:
    """Return what people call a place, in the active language; `is_bank`: it is a runner's bank."""
    return of(kind).label(number, is_bank=is_bank)
