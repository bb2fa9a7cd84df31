"""
What was on paper while Brush was down, as steps of the command that catches a table up: hands, and who dealt.

All of it is fact: the caller has locked the table and the players, and looked whether it can be read.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from casino.commands.carrying_out import Command
from casino.rooms.models import GamingDay
from casino.rows import Change, insert, write
from tables.charges import charge_codes
from tables.models import Down, Hand, Opening, Table
from tables.rules.settling import SettledHand, supplied
from tables.services.next_hand import abandoned, moved_on, players_of
from tables.services.settling import apply_settlement, data_of_charges, data_of_hand


@dataclass(frozen=True)
class PaperHand:
    """A hand as a drop slip has it: its button's seat, if anybody wrote it, and what went into the boxes, by kind."""

    number: int
    button: int | None
    taken: Mapping[str, int]
    dealt_at: datetime
    dealer_id: int | None


def enter_hands(
    command: Command,
    hands: Sequence[PaperHand],
    *,
    day: GamingDay,
    table: Table,
    opening: Opening,
    in_play: Hand | None,
    sheet: int,
) -> list[Hand]:
    """
    Record hands of a sheet in order, and post what was taken into the boxes; nobody knows pots, winners or who played.

    `in_play` is the hand that was when Brush went down: the first of them; without any it was never settled. They move
    neither button nor blinds: the sheet says where those are. What is left of `opening` is the caller's to store.
    """
    entered: list[Hand] = []
    changes: list[Change] = []
    row = in_play
    if row is not None and not hands:
        abandoned(row, table=table, opening=opening, at=command.at)
    for hand in hands:
        if row is None:
            row = _new(command, hand, day=day, table=table, opening=opening)
        else:
            # Whoever was dealt into it has come in by it, as with any hand.
            last = row.as_last(players_of(row), betting_button=opening.betting_button)
            moved_on(row, last, table=table, opening=opening, at=hand.dealt_at)
        row.from_sheet = sheet
        settled = SettledHand.supplied(
            supplied(hand.taken, charge_codes()),
            at=hand.dealt_at,
            beyond_initial_deal_at=row.beyond_initial_deal_at,
        )
        changes += apply_settlement(row, settled, day=day, table=table, command=command)
        entered.append(row)
        row = None
    write(*changes)
    return entered


def data_of_paper_hand(row: Hand, hand: PaperHand) -> dict[str, Any]:
    """Return what the log says of a hand of a sheet, who dealt it and what was taken of it too."""
    charges = data_of_charges(supplied(hand.taken, charge_codes()))
    return {**data_of_hand(row), "dealer": row.dealer_id, "at": hand.dealt_at.isoformat(), **charges}


def _new(command: Command, hand: PaperHand, *, day: GamingDay, table: Table, opening: Opening) -> Hand:
    row = Hand(
        room_id=table.room_id,
        table=table,
        opening=opening,
        day=day,
        number=table.hand_number + 1,
        hand_id=uuid.uuid5(command.id, f"hand.{hand.number}"),
        # One hand is in progress at a table: this one is over.
        status=Hand.Status.NOT_LOGGED,
        dealer_id=hand.dealer_id,
        rule_book_version_id=opening.rule_book_version_id,
        dealt_at=hand.dealt_at,
        button_seat=hand.button,
        free_of=opening.free_of(hand.dealt_at),
    )
    insert(row)
    table.hand_number = row.number
    return row


def enter_downs(
    command: Command,
    downs: Sequence[tuple[int, datetime, datetime]],
    *,
    day: GamingDay,
    table: Table,
    opening: Opening,
    sheet: int,
) -> list[Down]:
    """
    Record who dealt, as (person, began, ended); return the rows that are new.

    Whoever deals by Brush still is relieved at the first moment of another one; what has ended there ended when it did.
    A down that Brush has is none anew.
    """
    entered = []
    for dealer_id, began, ended in sorted(downs, key=lambda down: down[1:]):
        there = list(Down.objects.filter(table=table, day=day, began_at__lte=began).order_by("id"))
        here = [down for down in there if down.ended_at is None or down.ended_at > began]
        for down in here:
            if down.dealer_id != dealer_id and down.ended_at is None:
                down.ended_at, down.ended_by_id = began, command.by.staff_id
                down.save(update_fields=["ended_at", "ended_by_id"])
        if any(down.dealer_id == dealer_id for down in here):
            continue
        entered.append(
            Down.objects.create(
                room_id=table.room_id,
                table=table,
                opening=opening,
                day=day,
                dealer_id=dealer_id,
                how=Down.How.FLOOR,
                began_at=began,
                began_by_id=command.by.staff_id,
                ended_at=ended,
                ended_by_id=command.by.staff_id,
                from_sheet=sheet,
            )
        )
    return entered
