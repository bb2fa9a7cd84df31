"""What a settlement writes: its hand's row, its charges, its pots, and the postings into the boxes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine
from casino.ledger.services import open_accounts, post
from casino.rooms.models import GamingDay, Room
from casino.rows import Change, Insert, Update
from tables.about import of_hand
from tables.charges import cents_name, charge_kinds, due_name
from tables.models import Hand, HandCharge, HandPot, Table
from tables.rules.settling import HandSettlement, SettledHand


def counts_from(row: Hand, tapped_at: datetime, day: GamingDay) -> datetime:
    """
    Return when a hand counts as settled, on an open day: at its tap, or, where its own day is over, not before this one
    opened. What that day was when it closed is told by this moment (`selectors.of_day`).
    """
    return tapped_at if row.day_id == day.pk else max(tapped_at, day.opened_at)


def apply_settlement(
    row: Hand, settled: SettledHand, *, day: GamingDay, table: Table, command: Command
) -> list[Change]:
    """
    Post what was taken, and note on a hand's row how it ended; return what of it is still to be stored.

    One statement, none where nothing was taken, and two more for a box that was never opened.
    """
    row.status, row.settled_at = Hand.Status.SETTLED, settled.at
    row.street = "beyond" if settled.is_beyond_initial_deal else "initial"
    row.beyond_initial_deal_at = settled.beyond_initial_deal_at
    row.pot_cents, row.pot_is_at_least = settled.pot_cents, settled.pot_is_at_least
    _post(row, settled.settlement.taken(), day=day, table=table, command=command)
    return [Update(row), *_inserted(_pots(row, settled)), *_inserted(_charges(row, settled.settlement))]


def _inserted(rows: Sequence[HandPot] | Sequence[HandCharge]) -> list[Change]:
    return [Insert(rows)] if rows else []


def _pots(row: Hand, settled: SettledHand) -> list[HandPot]:
    return [
        HandPot(room_id=row.room_id, hand=row, index=index, cents=cents, winner_seats=list(winners))
        for index, (cents, winners) in enumerate(settled.pots)
    ]


def _charges(row: Hand, settlement: HandSettlement) -> list[HandCharge]:
    """Return a row for each kind of which something is due or was taken."""
    return [
        HandCharge(
            room_id=row.room_id,
            hand=row,
            kind=charge.kind,
            due_cents=charge.due_cents,
            taken_cents=charge.taken_cents,
            by_pot=list(charge.by_pot),
        )
        for charge in settlement.charges
        if charge.due_cents or charge.taken_cents
    ]


def data_of_hand(row: Hand, *, is_late: bool = False) -> dict[str, Any]:
    """
    Return what the log says of a hand, so that who reads it without the database knows which it was, of which opening
    and which gaming day. One that `is_late` ended no other.
    """
    late = {"late": True} if is_late else {}
    data = {"hand": str(row.hand_id), "number": row.number, "opening": row.opening_id, "day": row.day_id}
    return {**data, **late}


def data_of_charges(settlement: HandSettlement) -> dict[str, int]:
    """Return what the log says of a hand's charges: what was taken and what was due of each kind, in cents."""
    taken = {cents_name(kind): cents for kind, cents in settlement.taken().items()}
    return taken | {due_name(kind): cents for kind, cents in settlement.due().items()}


def _post(row: Hand, taken: dict[str, int], *, day: GamingDay, table: Table, command: Command) -> None:
    """
    Post from the chips in play into the box of each charge, in one transfer; none when nothing was taken.

    A hand of an earlier day is posted today and names its day. What was taken of a kind that the hand's game does not
    charge lies there too; its box may never have been opened, and is then.
    """
    lines = [PostingLine("table", table.pk, kind.box, taken[kind.code]) for kind in charge_kinds() if taken[kind.code]]
    if lines:
        about = of_hand(row)
        if row.opening.day_id != day.pk:
            about["of_day"] = row.opening.day_id
        if any(taken[kind] for kind in taken.keys() - row.opening.game.charges.keys()):
            open_accounts(Room.objects.get(id=row.room_id), "table", table.pk)
        lines.append(PostingLine("table", table.pk, "in_play", -sum(line.cents for line in lines)))
        row.transfer_id = post(
            room_id=row.room_id,
            day_id=day.pk,
            kind="hand",
            lines=lines,
            # Unique in the database: whatever else goes wrong, no hand is posted twice.
            key=f"hand.{row.pk}",
            made_by_id=command.by.staff_id,
            at=command.at,
            table_id=table.pk,
            about=about,
        )
