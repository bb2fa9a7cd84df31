"""What a settled hand writes: its row, its charges, its pots, and the postings into the boxes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from casino.commands.frame import Command
from casino.ledger.chart import Line
from casino.ledger.services import open_accounts, post
from casino.poker.settlement import Settlement, settle
from casino.rooms.models import GamingDay, Room
from casino.rows import Change, Insert, Update
from tables.charges import charge_codes, charge_kinds
from tables.models import Hand, HandCharge, HandPot, Table
from tables.rules.logged import LoggedHand


@dataclass(frozen=True)
class Settled:
    """
    What follows from a hand that was logged: its charges, and who gets what of its pots with what was really taken.

    `settlement` is None when it was won in the initial deal, or went beyond it and nobody says how large the pot was.
    """

    settlement: Settlement | None
    charges: Sequence[HandCharge]

    @property
    def differs(self) -> bool:
        """Say whether something else was taken than was due."""
        return any(charge.taken_cents != charge.due_cents for charge in self.charges)

    def taken(self) -> dict[str, int]:
        """Return what was taken of each kind, in cents, also of those that took nothing."""
        return dict.fromkeys(charge_codes(), 0) | {charge.kind: charge.taken_cents for charge in self.charges}

    def due(self) -> dict[str, int]:
        """Return what was due of each kind, as `taken`."""
        return dict.fromkeys(charge_codes(), 0) | {charge.kind: charge.due_cents for charge in self.charges}


def settle_row(row: Hand, hand: LoggedHand, *, at: datetime, participants: int) -> Settled:
    """
    Note on a hand's row how it ended; return what was due and what was taken.

    Where the house takes its rake without a flop too (RA8), a pot is typed and settled also then. Stored is nothing
    yet: that comes with `settled`. Rules: H1.82-H1.90, R-§28.
    """
    dealt_in = len(hand.dealt_in) or participants
    row.status = Hand.Status.SETTLED
    row.settled_at = at
    row.street = "beyond" if hand.is_beyond_initial_deal else "initial"
    if hand.is_beyond_initial_deal and row.beyond_initial_deal_at is None:
        row.beyond_initial_deal_at = hand.beyond_initial_deal_at or at
    row.pot_cents, row.pot_is_at_least = hand.pot_cents, hand.pot_is_at_least
    policies, is_beyond = row.opening.terms.charges, hand.is_beyond_initial_deal
    if not hand.pots:
        unseen = {
            kind: policy.due_of_unknown_pot(participants=dealt_in, beyond_initial_deal=is_beyond)
            for kind, policy in policies.items()
        }
        return Settled(None, _charges(row, hand, unseen))
    due = settle(pots=hand.pots, participants=dealt_in, beyond_initial_deal=is_beyond, charges=policies)
    charges = _charges(row, hand, {kind: due.of(kind) for kind in policies})
    taking = due.taking({charge.kind: charge.taken_cents for charge in charges})
    for charge in charges:
        by_pot = taking.by_pot[charge.kind]
        charge.by_pot = list(by_pot) if any(by_pot) else []
    return Settled(taking, charges)


def _charges(row: Hand, hand: LoggedHand, due: dict[str, int]) -> list[HandCharge]:
    """Return a row for each kind of which something is due or was taken, in the order in which they are taken."""
    found = []
    for kind in charge_codes():
        due_cents = due.get(kind, 0)
        taken_cents = hand.taken.get(kind, due_cents)
        if due_cents or taken_cents:
            found.append(_charge(row, kind, due_cents, taken_cents))
    return found


def _charge(row: Hand, kind: str, due_cents: int, taken_cents: int) -> HandCharge:
    return HandCharge(room_id=row.room_id, hand=row, kind=kind, due_cents=due_cents, taken_cents=taken_cents)


def supplied(row: Hand, taken: dict[str, int]) -> Settled:
    """Return the charges of a hand that nobody logged, of which only what was taken is known."""
    return Settled(None, [_charge(row, kind, cents, cents) for kind, cents in taken.items() if cents])


def settled(row: Hand, hand: LoggedHand, found: Settled) -> list[Change]:
    """Return what is to be stored of a settled hand: its row, its pots and its charges."""
    return [Update(row), Insert(_pots(row, hand)), *stored_charges(found)]


def stored_charges(found: Settled) -> list[Change]:
    """Return what is to be stored of charges."""
    return [Insert(found.charges)] if found.charges else []


def _pots(row: Hand, hand: LoggedHand) -> list[HandPot]:
    return [
        HandPot(
            room_id=row.room_id,
            hand=row,
            index=index,
            cents=hand.pots[index] if hand.pots else None,
            winner_seats=list(hand.winners_of(index)),
        )
        for index in range(max(len(hand.pots), 1))
    ]


def post_settlement(row: Hand, found: Settled, *, day: GamingDay, table: Table, command: Command) -> None:
    """
    Post what was taken, and note the transfer on the row. One statement, and two more for such a box.

    From the chips in play into the box of each charge, in one transfer; none when nothing was taken. A hand of an
    earlier day is posted today and names its day. What was taken of a kind that the hand's game does not charge lies
    there too; its box may never have been opened, and is then.
    """
    taken = found.taken()
    lines = [Line("table", table.pk, kind.box, taken[kind.code]) for kind in charge_kinds() if taken[kind.code]]
    if lines:
        about = {"hand": row.pk, "number": row.number}
        if row.opening.day_id != day.pk:
            about["of_day"] = row.opening.day_id
        if any(taken[kind] for kind in taken.keys() - row.opening.game.charges.keys()):
            open_accounts(Room.objects.get(id=row.room_id), "table", table.pk)
        lines.append(Line("table", table.pk, "in_play", -sum(line.cents for line in lines)))
        row.transfer_id = post(
            room_id=row.room_id,
            day_id=day.pk,
            kind="hand",
            lines=lines,
            key=f"hand.{row.pk}",
            made_by_id=command.by.staff_id,
            at=command.at,
            table_id=table.pk,
            about=about,
        )
