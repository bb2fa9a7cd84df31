"""
Chips and cash that somebody left behind: taken in by two, claimed with a document, kept by the house after its time.

Where they lie is the drawer, as any chips and cash; that the house owes them is `house.unclaimed`, with
`house.unclaimed_held` as its other end. Locks: room, day, player, drawer, then the row itself.
"""

from datetime import datetime
from typing import Any

from casino.cage.errors import ClaimNeedsIdentity, KeptTooSoon, UnclaimedEnded, UnclaimedOfAnother
from casino.cage.models import Unclaimed
from casino.cage.rules import found_lines, unclaimed_lines
from casino.cage.selectors.unclaimed import may_be_kept_from
from casino.cage.services.amounts import check_amount
from casino.cage.services.locks import (
    check_drawer_holds,
    follow_short,
    lock_drawer,
    lock_numbering,
    next_number,
    open_session,
)
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts, post
from casino.people.identity import identity_of
from casino.people.models import Player
from casino.people.services.locks import lock_player
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day, rule_book_in_force

# What the second person must be allowed to do: of what is taken in or given out, and of what the house keeps.
NEEDS, NEEDS_TO_KEEP = "cage.approve_unclaimed", "cage.approve_kept"


def found_signs(*, drawer_id: int, what: str, amount_cents: int, player_id: int | None, **place: Any) -> str:
    """Return what the second person signs under something found: what, how much, whose, into which drawer."""
    return f"unclaimed.{drawer_id}.{what}.{amount_cents}.{player_id or 'nobody'}"


def claim_signs(*, unclaimed_id: int, drawer_id: int, player_id: int) -> str:
    """Return what the second person signs when it is given to somebody."""
    return f"unclaimed.{unclaimed_id}.to.{player_id}.{drawer_id}"


def keep_signs(*, unclaimed_id: int) -> str:
    """Return what the second manager signs when the house keeps it."""
    return f"unclaimed.{unclaimed_id}.kept"


@service("cage.take_in_found")
def take_in_found(
    command: Command,
    *,
    drawer_id: int,
    what: str,
    amount_cents: int,
    where: str,
    approved_by_id: int,
    player_id: int | None = None,
    table_number: int | None = None,
    seat_number: int | None = None,
    found_at: datetime | None = None,
) -> Outcome:
    """
    Take in chips or cash that somebody left behind, into a drawer: from now on the house owes them to their owner.

    `what` is one of `Unclaimed.What`, `where` one of `Unclaimed.Where`, `player_id` whose they are, None where nobody
    knows. `approved_by_id` is the second person, who has signed `found_signs`.

    :raises Malformed: no such amount, thing, place or moment.
    :raises TooMuchAtOnce, NotInChips: no such amount.
    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NotFound: no such player or drawer.
    :raises NoOpenDay, DrawerClosed: nothing is taken in now, or not here.
    """
    if amount_cents <= 0:
        raise Malformed(field="amount_cents")
    if what not in Unclaimed.What.values or where not in Unclaimed.Where.values:
        raise Malformed(field="what" if what not in Unclaimed.What.values else "where")
    if found_at is not None and found_at > command.at:
        raise Malformed(field="found_at")
    signs = found_signs(drawer_id=drawer_id, what=what, amount_cents=amount_cents, player_id=player_id)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    book = rule_book_in_force(command.room_id, at=command.at)[1]
    kind = "cash_out" if what == Unclaimed.What.CHIPS else "deposit"
    check_amount(command.room_id, kind, amount_cents, book, at=command.at)
    room = lock_numbering(command.room_id)
    day = lock_open_day(room.pk)
    if player_id is not None:
        lock_player(command, player_id)
    drawer = lock_drawer(command, drawer_id)
    open_session(drawer)
    number = next_number(Unclaimed.objects.filter(room=room))
    open_accounts(room, "house", room.pk)
    transfer_id = post(
        room_id=room.pk,
        day_id=day.pk,
        kind="unclaimed_found",
        lines=_lines(what, amount_cents, room_id=room.pk, drawer_id=drawer.pk),
        key=f"unclaimed.{number}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"drawer": drawer.number, "unclaimed": number},
    )
    unclaimed = Unclaimed.objects.create(
        room=room,
        number=number,
        what=what,
        amount_cents=amount_cents,
        player_id=player_id,
        where=where,
        table_number=table_number,
        seat_number=seat_number,
        found_at=found_at or command.at,
        drawer=drawer,
        taken_in_at=command.at,
        taken_in_by_id=command.staff_id,
        approved_by_id=approved_by_id,
        transfer_id=transfer_id,
    )
    return _outcome(unclaimed, drawer.number)


@service("cage.give_unclaimed", refused=follow_short)
def give_unclaimed(
    command: Command, *, unclaimed_id: int, drawer_id: int, player_id: int, approved_by_id: int
) -> Outcome:
    """
    Give what lay unclaimed to the player it belongs to, as it was found: chips as chips, cash as cash. By two.

    :raises NeedsSecondSignature: nobody signed `claim_signs`.
    :raises NotFound: no such player, drawer or row.
    :raises UnclaimedEnded: it was given out or kept before.
    :raises UnclaimedOfAnother: it is held for another player by name.
    :raises ClaimNeedsIdentity: no valid document of the player was seen.
    :raises CashShort: the drawer holds less cash: it is filled first.
    :raises DrawerCountedFirst: it did too often.
    :raises NoOpenDay, DrawerClosed: nothing is given out now, or not here.
    """
    signs = claim_signs(unclaimed_id=unclaimed_id, drawer_id=drawer_id, player_id=player_id)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    lock_player(command, player_id)
    drawer = lock_drawer(command, drawer_id)
    session = open_session(drawer)
    unclaimed = _lock(command.room_id, unclaimed_id)
    if unclaimed.player_id is not None and player_id not in _records_of(unclaimed.player_id):
        raise UnclaimedOfAnother
    if identity_of(player_id, on=day.date) is None:
        raise ClaimNeedsIdentity
    lines = _lines(unclaimed.what, -unclaimed.amount_cents, room_id=unclaimed.room_id, drawer_id=drawer.pk)
    check_drawer_holds(drawer, lines, session=session)
    unclaimed.claimed_by_id = player_id
    _end(command, unclaimed, Unclaimed.EndedAs.CLAIMED, lines, day_id=day.pk, approved_by_id=approved_by_id)
    return _outcome(unclaimed, drawer.number)


@service("cage.keep_unclaimed")
def keep_unclaimed(command: Command, *, unclaimed_id: int, approved_by_id: int) -> Outcome:
    """
    Have the house keep what nobody has claimed in the book's `cage.unclaimed_days`. Two managers sign `keep_signs`.

    :raises NeedsSecondSignature: nobody signed it, or not this.
    :raises NotFound: no such row.
    :raises UnclaimedEnded: it was given out or kept before.
    :raises KeptTooSoon: its time is not over.
    :raises NoOpenDay: nothing is posted now.
    """
    check_signed(command, approved_by_id, needs=NEEDS_TO_KEEP, signs=keep_signs(unclaimed_id=unclaimed_id))
    book = rule_book_in_force(command.room_id, at=command.at)[1]
    day = lock_open_day(command.room_id)
    unclaimed = _lock(command.room_id, unclaimed_id)
    if command.at < may_be_kept_from(unclaimed, book):
        raise KeptTooSoon(days=book.cage.unclaimed_days)
    lines = unclaimed_lines(-unclaimed.amount_cents, room_id=unclaimed.room_id)
    _end(command, unclaimed, Unclaimed.EndedAs.KEPT, lines, day_id=day.pk, approved_by_id=approved_by_id)
    return _outcome(unclaimed, None)


def _lines(what: str, amount_cents: int, *, room_id: int, drawer_id: int) -> list[PostingLine]:
    return [
        *found_lines(amount_cents, what, drawer_id=drawer_id),
        *unclaimed_lines(amount_cents, room_id=room_id),
    ]


def _lock(room_id: int, unclaimed_id: int) -> Unclaimed:
    unclaimed = Unclaimed.objects.select_for_update(no_key=True).filter(room_id=room_id, id=unclaimed_id).first()
    if unclaimed is None:
        raise NotFound(what="unclaimed")
    if unclaimed.ended_as:
        raise UnclaimedEnded
    return unclaimed


def _records_of(player_id: int) -> set[int]:
    """Return the record that is kept of a person, by one of their records. One query."""
    player = Player.objects.get(id=player_id)
    return {player.pk, player.merged_into_id or player.pk}


def _end(
    command: Command,
    unclaimed: Unclaimed,
    how: Unclaimed.EndedAs,
    lines: list[PostingLine],
    *,
    day_id: int,
    approved_by_id: int,
) -> None:
    unclaimed.end_transfer_id = post(
        room_id=unclaimed.room_id,
        day_id=day_id,
        kind=f"unclaimed_{how}",
        lines=lines,
        key=f"unclaimed_end.{unclaimed.number}",
        made_by_id=command.staff_id,
        at=command.at,
        approved_by_id=approved_by_id,
        about={"unclaimed": unclaimed.number},
    )
    unclaimed.ended_as, unclaimed.ended_at = how, command.ends(unclaimed.taken_in_at)
    unclaimed.ended_by_id, unclaimed.end_approved_by_id = command.staff_id, approved_by_id
    unclaimed.save(update_fields=list(Unclaimed.may_change))


def _outcome(unclaimed: Unclaimed, drawer: int | None) -> Outcome:
    data = {
        "unclaimed_id": unclaimed.pk,
        "unclaimed_number": unclaimed.number,
        "what_lay": unclaimed.what,
        "amount_cents": unclaimed.amount_cents,
        "player_id": unclaimed.claimed_by_id or unclaimed.player_id,
    }
    return Outcome(chain="unclaimed" if drawer is None else f"drawer.{drawer}", data=data)
