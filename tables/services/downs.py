"""
Downs: pushing in, relieving, breaks, and the deck in play.

A push is done at the table, by the next dealer's PIN on its tablet, or noted by the floor with a tap; whichever comes
second finds it done. The table's row owns who deals there; the dealer's own row, locked before it, keeps one person
from two tables.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from casino.audit import held
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.models import Account, Posting
from casino.people.models import Device, Staff
from casino.people.permissions import Role
from casino.people.services.locks import lock_staff
from casino.rooms.models import GamingDay, Place
from casino.rooms.selectors import open_day
from tables.audiences import DEALERS, MAP, dealer_of, floor_of
from tables.chart import OWNER
from tables.errors import NotADealer
from tables.held import DOWN
from tables.models import DeckChange, Down, Table
from tables.services import rack_pushes
from tables.services.state import done, lock_table

SETS_MAX = 99


@service("tables.push_dealer")
def push_dealer(command: Command, *, table_id: int, dealer_id: int, down_id: int | None = None) -> Outcome:
    """
    Note that a dealer has pushed in at a table, which relieves whoever dealt there.

    `down_id` is the down that the screen showed there, None for nobody. Who dealt elsewhere has left that table.

    :raises NotFound: the room has no such table or person.
    :raises NotADealer: the person is not on shift, or does not deal.
    :raises Stale: somebody else deals there by now.
    """
    staff = lock_staff(command, dealer_id)
    if not staff.is_on_shift or Role.DEALER not in staff.roles:
        raise NotADealer
    _lock_with_left(command.room_id, Q(id=table_id), dealer_id)
    # Locked already, along with the one that the dealer leaves, by id; here with what it runs, and for the tablet's
    # place.
    table = lock_table(command, table_id)
    now = Down.objects.filter(table=table, ended_at=None).first()
    if now is not None and now.dealer_id == dealer_id:
        return _done(table, {"dealer": dealer_id, "down": now.pk, "known": True})
    if (now.pk if now else None) != down_id:
        raise Stale(what="down")
    down, left = _begin(command, table, dealer_id, how=Down.How.FLOOR)
    data: dict[str, object] = {"dealer": dealer_id, "down": down.pk, "leaves": now.dealer_id if now else None}
    return _done(table, data, audiences=left)


@service("tables.end_down")
def end_down(command: Command, *, table_id: int, down_id: int) -> Outcome:
    """
    Send a dealer on a break with nobody to follow: the table waits for its next dealer.

    :raises NotFound: the room has no such table, or it never had that down.
    """
    table = lock_table(command, table_id)
    down = Down.objects.filter(table=table, id=down_id).first()
    if down is None:
        raise NotFound(what="down")
    _end(command, Down.objects.filter(id=down_id))
    return _done(table, {"dealer": down.dealer_id, "down": down.pk})


@service("tables.change_deck")
def change_deck(
    command: Command, *, table_id: int, colour: str, set_number: int = 1, why: str = DeckChange.Why.PUSH
) -> Outcome:
    """
    Record which deck comes into play: at the push, or because the one before had a fault (H1.11, H1.12). A fact.

    :raises Malformed: no such colour or reason, or a set beyond `SETS_MAX`.
    """
    if colour not in DeckChange.Colour.values:
        raise Malformed(field="colour")
    if why not in DeckChange.Why.values:
        raise Malformed(field="why")
    if not 1 <= set_number <= SETS_MAX:
        raise Malformed(field="set_number")
    table = lock_table(command, table_id)
    DeckChange.objects.create(
        room_id=table.room_id,
        table=table,
        opening=table.opening,
        colour=colour,
        set_number=set_number,
        why=why,
        at=command.tapped_at,
        by_id=command.by.staff_id,
    )
    return done(table, data={"colour": colour, "set": set_number, "why": why}, audiences=(DEALERS,))


def follow_handover(command: Command, devices: Sequence[Device], before_id: int | None) -> Sequence[str]:
    """
    Open and close downs as dealers sign in and out on tables' tablets. A step of those services.

    Return the screens of the table that the dealer has left by it.
    """
    at_tables = [device for device in devices if device.place.kind == Place.Kind.TABLE]
    if not at_tables:
        return ()
    here, dealer_id = Q(place_id__in=[device.place_id for device in at_tables]), at_tables[0].signed_in_id
    locked = _lock_with_left(command.room_id, here, dealer_id)
    if dealer_id is None:
        # Only here a down of theirs ends.
        _end(command, Down.objects.filter(table__in=locked, dealer_id=before_id or 0))
        return ()
    (device,) = at_tables
    table = next((each for each in locked if each.place_id == device.place_id), None)
    if table is None:
        return ()
    if table.opening_id is None:
        # At a closed table nobody deals: whoever signed in there begins with its opening (`follow_opening`).
        return _screens_left(_end_at(command, table, dealer_id), table)
    if Down.objects.filter(table=table, dealer_id=dealer_id, ended_at=None).exists():
        return ()
    return _begin(command, table, dealer_id, how=Down.How.PIN)[1]


def follow_opening(command: Command, table: Table) -> None:
    """
    Begin the down of who is signed in on the tablet of a table that opens, locked before, or another one of who has
    been pushed in there already: it is of what runs now and of its day. A step of opening it.

    A person's row comes before a table's. Who holds it just now is signing in or out, or being pushed in: whoever does
    so here waits for this table and finds it open, whoever does so elsewhere deals there.
    """
    if _go_on(command, table, open_day(table.room_id)):
        return
    devices = Device.objects.filter(place_id=table.place_id, revoked_at=None, signed_in__isnull=False)
    dealer_id = devices.order_by("-signed_in_at", "-id").values_list("signed_in_id", flat=True).first()
    dealer = Staff.objects.select_for_update(no_key=True, skip_locked=True).filter(id=dealer_id or 0).first()
    if dealer is None:
        return
    # Whoever deals elsewhere by now forgot to sign out here.
    if not Down.objects.filter(room_id=table.room_id, ended_at=None, dealer_id=dealer.pk).exists():
        _begin(command, table, dealer.pk, how=Down.How.PIN)


def go_on_with_day(command: Command, table: Table, day: GamingDay) -> None:
    """
    Have who deals at a table that plays on begin another down, of the day that has just opened. A step of opening it.

    Hours and tips are of a day. Nobody pushes in, so nobody is asked about the rack.
    """
    _go_on(command, table, day)


def _go_on(command: Command, table: Table, day: GamingDay | None) -> bool:
    """Have who deals at a locked table begin another down there; say whether anybody does."""
    goes_on = list(Down.objects.filter(table=table, ended_at=None))
    for down in goes_on:
        _end(command, Down.objects.filter(id=down.pk))
        Down.objects.create(
            room_id=table.room_id,
            table=table,
            opening_id=table.opening_id,
            day=day,
            dealer_id=down.dealer_id,
            how=down.how,
            began_at=_began_at(command, table),
            began_by_id=command.staff_id,
        )
    return bool(goes_on)


def follow_closing(command: Command, table: Table) -> None:
    """End the down at a table that closes. A step of closing it."""
    _end(command, Down.objects.filter(table=table))


def _lock_with_left(room_id: int, here: Q, dealer_id: int | None) -> list[Table]:
    """
    Lock tables and the one where a locked dealer deals, in the order of their ids, and return them. One query.

    A tip that is noted there just now lies before the end of their down or after it, and its place in the log says so.
    """
    dealt = Down.objects.filter(room_id=room_id, dealer_id=dealer_id or 0, ended_at=None).values("table_id")
    tables = Table.objects.select_for_update(no_key=True).filter(here | Q(id__in=dealt), room_id=room_id)
    return list(tables.order_by("id"))


def _begin(command: Command, table: Table, dealer_id: int, *, how: Down.How) -> tuple[Down, tuple[str, ...]]:
    """
    End what goes on at the locked table, and of the locked dealer elsewhere, and begin a down there.

    Return it, and the screens of the table that the dealer has left.
    """
    # Ended first: a table has one down that goes on, and so has a dealer, and the database sees to both at once.
    ended = _end_at(command, table, dealer_id)
    day = open_day(table.room_id)
    down = Down.objects.create(
        room_id=table.room_id,
        table=table,
        opening_id=table.opening_id,
        day=day,
        dealer_id=dealer_id,
        how=how,
        began_at=_began_at(command, table),
        began_by_id=command.by.staff_id or dealer_id,
        counts_rack=rack_pushes.check_at_push(command, table, day),
    )
    return down, _screens_left(ended, table)


def _end_at(command: Command, table: Table, dealer_id: int) -> list[Down]:
    """
    End what goes on at the locked table, and of the locked dealer at another locked one; return what has ended.

    Downs have no lock of their own: who begins or ends one holds its table, all of them in the order of their ids.
    """
    goes_on = Down.objects.filter(Q(table=table) | Q(dealer_id=dealer_id), room_id=table.room_id, ended_at=None)
    ended = list(goes_on.order_by("id"))
    _end(command, Down.objects.filter(id__in=[down.pk for down in ended]))
    return ended


def _screens_left(ended: Sequence[Down], entered: Table) -> tuple[str, ...]:
    left = Table.objects.filter(id__in={down.table_id for down in ended} - {entered.pk})
    return tuple(screen for each in left for screen in (dealer_of(each), floor_of(each)))


def _began_at(command: Command, table: Table) -> datetime:
    # Not before the one before it ended, though the clock was set back since.
    last = Down.objects.filter(table=table).order_by("-id").values_list("ended_at", flat=True).first()
    return max(command.at, last) if last else command.at


def _end(command: Command, downs: QuerySet[Down]) -> None:
    """End what goes on of the downs of locked tables. Two queries where there is any."""
    ending = list(downs.filter(ended_at=None).values_list("id", flat=True))
    if not ending:
        return
    # In whose box a tip lies is told by what was noted before it: clocks are set back, and two notes have one moment.
    noted = Posting.objects.filter(
        account_id=Subquery(
            Account.objects.filter(
                room_id=OuterRef(OuterRef("room_id")),
                owner_kind=OWNER,
                owner_id=OuterRef(OuterRef("table_id")),
                kind="tip_box",
            ).values("id")
        )
    )
    Down.objects.filter(id__in=ending).update(
        ended_at=Greatest("began_at", command.at),
        ended_by_id=command.by.staff_id,
        tips_place=Coalesce(Subquery(noted.order_by("-id").values("id")[:1]), 0),
    )
    for down_id in ending:
        held.note(DOWN.kind, down_id)


def _done(table: Table, data: dict[str, object], *, audiences: Sequence[str] = ()) -> Outcome:
    """Tell the screens that show dealers. The table's version stays: no tap at the table hangs on it."""
    return Outcome(
        chain=table.chain,
        data={"table": table.number, **data},
        version=table.version,
        audiences=(dealer_of(table), floor_of(table), MAP, DEALERS, *audiences),
    )
