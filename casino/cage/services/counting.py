"""
A drawer counted by denomination, blind and by two: when it closes, and again as long as its day is open.

A count is a fact: no amount is refused, and what was expected is in the answer, after it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from casino.cage.audiences import at_window
from casino.cage.chart import of_drawer
from casino.cage.errors import CountedBefore, CountStands, OwnDrawer
from casino.cage.errors_banks import OwnBank
from casino.cage.models import DrawerCount, DrawerSession, NotesCounted
from casino.cage.rules import added_up, cents_of, who_counts
from casino.cage.selectors.blind import payers_of
from casino.cage.selectors.counts import counted_in
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import foreign as notes_of
from casino.cage.services.amounts import Pieces, check_pieces
from casino.cage.services.doubts import DOUBT_NEWS, doubt_count, doubt_recount
from casino.cage.services.drawers import changed, post_unless_nothing
from casino.cage.services.locks import BANK_PLACES, lock_drawer, open_session
from casino.cage.services.voiding import fetched_cents
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.chart import PostingLine, of_house
from casino.people.services.signatures import check_signed
from casino.rooms.selectors import lock_open_day, rule_book_in_force

# What the second person under a count must be allowed to do.
NEEDS = "cage.count_drawer"


@dataclass(frozen=True)
class Lies:
    """What lies somewhere by a count, in cents; foreign notes by their face, as they are signed."""

    cash_cents: int
    chips_cents: int
    card_slips_cents: int
    foreign: str = ""

    @classmethod
    def by(cls, cash: Pieces, chips: Pieces, card_slips_cents: int, foreign: Sequence[notes_of.Notes] = ()) -> "Lies":
        """Return what pieces, card slips and foreign notes come to."""
        return cls(cents_of(cash), cents_of(chips), card_slips_cents, notes_of.counted_signs(foreign))

    @property
    def signed(self) -> str:
        """Return what lies there as the second person signs it: three sums in cents, and the foreign notes."""
        return f"{self.cash_cents}.{self.chips_cents}.{self.card_slips_cents}{self.foreign}"


def count_signs(drawer_id: int, lies: Lies) -> str:
    """Return what the second person signs when a drawer is counted and closed: which one, and what lies there."""
    return f"drawer.{drawer_id}.{lies.signed}"


def recount_signs(session_id: int, version: int, lies: Lies) -> str:
    """Return what the second person signs under a recount: of which session, after which count, and what lies there."""
    return f"session.{session_id}.{version}.{lies.signed}"


@service("cage.close_drawer")
def close_drawer(
    command: Command,
    *,
    drawer_id: int,
    cash: Pieces,
    chips: Pieces,
    card_slips_cents: int,
    approved_by_id: int,
    foreign: Sequence[notes_of.Notes] = (),
) -> Outcome:
    """
    Count a drawer and close it: what was counted goes to the vault, the difference to over/short, both on the open day,
    also where the drawer was carried over from an earlier one.

    `cash` and `chips`: how many there are of each value, as `cents_of`; where there is none, 0 of something. `foreign`
    are the notes of each other currency of which there are some; they are worth what they were taken for.
    `approved_by_id` is the second person, who has signed `count_signs` with their own PIN
    (`people.services.second_person`, before this command). Who of both counts has not paid from the drawer: the
    asker, or else the second person; where both have, the asker counts if the rule book lets that be
    (`signing.own_drawer`). Neither of them has held it, where it is a runner's bank.

    :raises Malformed: of cash or of chips nobody says anything; there is no such piece, or less than none of it.
    :raises NeedsSecondSignature: the second person is not a second one, or has not signed this.
    :raises NoOpenDay, DrawerClosed: there is nothing to count.
    :raises OwnDrawer, OwnBank: both have paid from it, and the rule book does not let that be; one of them holds it.
    """
    lies = read_counted(command, cash, chips, card_slips_cents, foreign)
    check_signed(command, approved_by_id, needs=NEEDS, signs=count_signs(drawer_id, lies))
    day = lock_open_day(command.room_id)
    drawer = lock_drawer(command, drawer_id, bank_at=BANK_PLACES)
    session = open_session(drawer)
    _check_not_held(session, command.staff_id, approved_by_id)
    # Under the drawer's lock: who pays out of it just now is one of them, or comes after the count.
    paid = payers_of(session)
    counter_id = who_counts(command.staff_id, approved_by_id, never=paid) or _counts_own(command)
    # Under the drawer's lock: what is paid out of it at this moment comes whole before the count, or after it.
    expected = drawer_figures(drawer.pk)
    count = _counted(
        command,
        session,
        (counter_id, approved_by_id),
        (cash, chips),
        lies,
        notes_of.counted_notes(command.room_id, session, foreign),
        number=1,
        expected_cash_cents=expected["cash"],
        expected_chips_cents=expected["chips"],
        expected_card_slips_cents=expected["card_slips"],
        # A drawer of before has no account for them.
        expected_foreign_cents=expected.get("foreign_notes", 0),
    )
    post_unless_nothing(
        command,
        kind="drawer_closed",
        key=f"drawer_closed.{session.pk}",
        day_id=day.pk,
        drawer=drawer,
        lines=_to_the_vault(command.room_id, drawer.pk, count),
        approved_by_id=approved_by_id,
    )
    audiences = DOUBT_NEWS if doubt_count(command, count, drawer) else ()
    session.closed_at, session.closed_by_id = command.ends(session.opened_at), command.by.staff_id
    session.closed_day = day
    session.save(update_fields=["closed_at", "closed_by", "closed_day"])
    # What is missing in a bank is its runner's to explain.
    held_by = {} if session.holder_id is None else {"holder_id": session.holder_id}
    carried = {} if session.day_id == day.pk else {"opened_on": session.day.date.isoformat()}
    return changed(drawer, session, {**_event_data(count), **held_by, **carried, **_own(count, paid)}, audiences)


@service("cage.recount_drawer")
def recount_drawer(
    command: Command,
    *,
    session_id: int,
    version: int,
    cash: Pieces,
    chips: Pieces,
    card_slips_cents: int,
    approved_by_id: int,
    foreign: Sequence[notes_of.Notes] = (),
) -> Outcome:
    """
    Count what was in a closed drawer once more: the newest count holds, and the earlier ones stay as they are.

    The vault and the drawer's over/short are moved by what differs from the count before, and the floor looks at what
    differs now. Card slips that were fetched out of the vault since, for their sales were reversed, lie there no more:
    they are added to what was counted. `version` is the number of the count that was the newest when this one began;
    the rest is as in `close_drawer`, with `recount_signs`. Who counts has neither counted it before, nor stood by, nor
    paid from it (but as in `close_drawer`); who stands by has not counted it before.

    :raises Malformed, NeedsSecondSignature, NoOpenDay: as `close_drawer`.
    :raises NotFound: there is no such session, or its drawer is still open.
    :raises CountStands: it was counted on a day that is over.
    :raises Stale: it was counted again since.
    :raises OwnDrawer, OwnBank, CountedBefore: nobody of both may count it.
    """
    lies = read_counted(command, cash, chips, card_slips_cents, foreign)
    signs = recount_signs(session_id, version, lies)
    check_signed(command, approved_by_id, needs=NEEDS, signs=signs)
    day = lock_open_day(command.room_id)
    session = DrawerSession.objects.filter(drawer__room_id=command.room_id, id=session_id).first()
    if session is None:
        raise NotFound(what="count")
    drawer = session.drawer = lock_drawer(command, session.drawer_id, bank_at=BANK_PLACES)
    _check_not_held(session, command.staff_id, approved_by_id)
    before = counted_in(session)
    if not before:
        raise NotFound(what="count")
    if session.closed_day_id != day.pk:
        raise CountStands
    last = before[-1]
    if last.number != version:
        raise Stale(what="count", version=last.number)
    paid = payers_of(session)
    counter_id = _counter_again(command, approved_by_id, before, paid)
    # Only now: both have signed what they saw, and these were not there.
    lies = replace(lies, card_slips_cents=lies.card_slips_cents + fetched_cents(session))
    count = _counted(
        command,
        session,
        (counter_id, approved_by_id),
        (cash, chips),
        lies,
        notes_of.counted_notes(command.room_id, session, foreign),
        number=last.number + 1,
        expected_cash_cents=last.expected_cash_cents,
        expected_chips_cents=last.expected_chips_cents,
        expected_card_slips_cents=last.expected_card_slips_cents,
        expected_foreign_cents=last.expected_foreign_cents,
    )
    post_unless_nothing(
        command,
        kind="drawer_recounted",
        key=f"drawer_recounted.{session.pk}.{count.number}",
        day_id=day.pk,
        drawer=drawer,
        lines=_beyond(command.room_id, drawer.pk, last, count),
        approved_by_id=approved_by_id,
    )
    doubt_recount(command, count, drawer)
    data = {"drawer_id": drawer.pk, "session_id": session.pk, "number": count.number, **_event_data(count)}
    data |= _own(count, paid)
    if session.holder_id is not None:
        data["holder_id"] = session.holder_id
    audiences = (*at_window(drawer.number), *DOUBT_NEWS)
    return Outcome(chain=f"drawer.{drawer.number}", data=data, version=count.number, audiences=audiences)


def read_counted(
    command: Command, cash: Pieces, chips: Pieces, card_slips_cents: int, foreign: Sequence[notes_of.Notes]
) -> Lies:
    """Return what was counted. :raises Malformed: it cannot be, of such pieces."""
    check_pieces(command.room_id, cash=cash, chips=chips, at=command.at)
    if card_slips_cents < 0:
        raise Malformed(field="card_slips_cents")
    notes_of.check_counted(command.room_id, foreign)
    return Lies.by(cash, chips, card_slips_cents, foreign)


def _check_not_held(session: DrawerSession, *by: int) -> None:
    """:raises OwnBank: one of those who count a bank held it."""
    if session.holder_id in by:
        raise OwnBank


def _counts_own(command: Command) -> int:
    """
    Return who asks as who counts, though both have paid from the drawer.

    :raises OwnDrawer: the room's rule book does not let it be.
    """
    _, book = rule_book_in_force(command.room_id, at=command.at)
    if book.signing.own_drawer == "refused":
        raise OwnDrawer
    return command.staff_id


def _own(count: DrawerCount, paid: Collection[int]) -> dict[str, bool]:
    """Return what an exception adds to a count's data: nothing, or that who counted had paid from the drawer."""
    return {"own_drawer": True} if count.counted_by_id in paid else {}


def _counter_again(command: Command, second_id: int, before: Sequence[DrawerCount], paid: Collection[int]) -> int:
    asker_id, counted = command.staff_id, {each.counted_by_id for each in before}
    if {asker_id, second_id} & counted:
        raise CountedBefore
    if who_counts(asker_id, second_id, never=paid) is None:
        _counts_own(command)
        # Both have paid from it, and the book lets that be: left out are only those who counted or stood by before.
        paid = ()
    stood_by = {each.counted_with_id for each in before if each.counted_with_id is not None}
    counter_id = who_counts(asker_id, second_id, never={*paid, *stood_by})
    if counter_id is None:
        raise CountedBefore
    return counter_id


def _counted(
    command: Command,
    session: DrawerSession,
    by: tuple[int, int],
    pieces: tuple[Pieces, Pieces],
    lies: Lies,
    notes: Sequence[NotesCounted],
    **more: int,
) -> DrawerCount:
    """Keep a count; `by` is who counted, and who signed; `pieces` are of cash and of chips, `notes` foreign ones."""
    foreign_cents = sum(each.cents for each in notes)
    count = DrawerCount.objects.create(
        session=session, foreign_cents=foreign_cents, **counted_by_two(command, by, pieces, lies), **more
    )
    notes_of.keep_counted(notes, count)
    return count


def counted_by_two(command: Command, by: tuple[int, int], pieces: tuple[Pieces, Pieces], lies: Lies) -> dict[str, Any]:
    """
    Return the fields that a count of a drawer and one of the vault share: when, by whom, which pieces, how much.

    `by` is who counted, and who signed; the asker stood by where they are one. `pieces` are of cash and of chips.
    """
    counter_id, approved_by_id = by
    cash, chips = pieces
    return {
        "counted_at": command.at,
        "counted_by_id": counter_id,
        "counted_with_id": command.staff_id if counter_id == approved_by_id else approved_by_id,
        "cash_pieces": added_up(cash),
        "chip_pieces": added_up(chips),
        "cash_cents": lies.cash_cents,
        "chips_cents": lies.chips_cents,
        "card_slips_cents": lies.card_slips_cents,
    }


def _event_data(count: DrawerCount) -> dict[str, Any]:
    return {
        "count_id": count.pk,
        "counted_by_id": count.counted_by_id,
        "counted_with_id": count.counted_with_id,
        "money_difference_cents": count.money_difference_cents,
        "chips_difference_cents": count.chips_difference_cents,
        **({"swapped_cents": swapped} if (swapped := _swapped(count)) else {}),
        # Part of what money differs by; where that is nothing, as much else was too much.
        **({"foreign_difference_cents": notes} if (notes := count.foreign_difference_cents) else {}),
    }


def _swapped(count: DrawerCount) -> int:
    """Return how much of a count's money was too much of one kind and missing of another. A query with notes."""
    parts = count.money_differs_by()
    return (sum(map(abs, parts)) - abs(sum(parts))) // 2


def _to_the_vault(room_id: int, drawer_id: int, count: DrawerCount) -> list[PostingLine]:
    """Return the lines that empty a drawer: as expected out of it, as counted into the vault, the rest over/short."""
    return [
        of_drawer(drawer_id, "cash", -count.expected_cash_cents),
        of_house(room_id, "vault_cash", count.cash_cents),
        of_drawer(drawer_id, "card_slips", -count.expected_card_slips_cents),
        of_house(room_id, "vault_card_slips", count.card_slips_cents),
        of_drawer(drawer_id, "foreign_notes", -count.expected_foreign_cents),
        of_house(room_id, "vault_foreign_notes", count.foreign_cents),
        of_drawer(drawer_id, "over_short", -count.money_difference_cents),
        of_drawer(drawer_id, "chips", -count.expected_chips_cents),
        of_house(room_id, "vault_chips", count.chips_cents),
        of_drawer(drawer_id, "chips_over_short", -count.chips_difference_cents),
    ]


def _beyond(room_id: int, drawer_id: int, last: DrawerCount, count: DrawerCount) -> list[PostingLine]:
    """Return the lines that move vault and over/short from what one count found to what the next one does."""
    cash, chips = count.cash_cents - last.cash_cents, count.chips_cents - last.chips_cents
    card_slips, notes = count.card_slips_cents - last.card_slips_cents, count.foreign_cents - last.foreign_cents
    return [
        of_house(room_id, "vault_cash", cash),
        of_house(room_id, "vault_card_slips", card_slips),
        of_house(room_id, "vault_foreign_notes", notes),
        of_drawer(drawer_id, "over_short", -cash - card_slips - notes),
        of_house(room_id, "vault_chips", chips),
        of_drawer(drawer_id, "chips_over_short", -chips),
    ]
