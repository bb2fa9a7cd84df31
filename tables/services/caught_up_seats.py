"""
Who sits at a table, with what and how, as a sheet of paper has it: steps of the command that catches the table up.

All of it is fact. What the house would have refused is done, and handed back for the floor to look at; whoever may not
play is held out of the next deal, as anybody whom an exclusion catches in a seat.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from casino.cage.models import Slip
from casino.cage.services.amounts import check_amount
from casino.commands.carrying_out import Command
from casino.errors import Refusal
from casino.people.models import Player
from casino.people.services.playing import check_not_excluded
from casino.people.standing import standing_of
from casino.poker.positions import Entry, LastHand
from casino.poker.seats import clockwise
from casino.rooms.models import GamingDay
from casino.rooms.selectors import rule_book_in_force
from casino.rows import relate
from tables.errors_people import HoursUsedUp
from tables.errors_seats import SitsElsewhere
from tables.models import Opening, Seating, Table
from tables.rules.absence import limit_at
from tables.services.buying import check_purchase_at
from tables.services.chips import bring_to_seat
from tables.services.penalties import check_no_penalty, still_sits_out
from tables.services.promised import check_not_promised
from tables.services.protection import check_apart, check_may_buy, hours_end
from tables.services.seating import ends_now, offered
from tables.services.stacks import supply_stack
from tables.services.state import save_seating, sitting

AWAY = "away"
# Nobody writes on paper what lies in front of somebody who buys more.
_NOT_REPORTED = {"stack_needed"}


def sat_down(
    command: Command, *, day: GamingDay, table: Table, opening: Opening, player: Player, seat_number: int,
    at: datetime, sheet: int,
) -> tuple[Seating, list[Refusal]]:  # fmt: skip
    """
    Record that a locked player sat down on paper, and played; return also what the house would have refused.

    :raises SitsElsewhere: by Brush the player sits at another table, which is caught up first.
    """
    elsewhere = Seating.objects.filter(player=player, left_at=None).select_related("table").first()
    if elsewhere is not None:
        raise SitsElsewhere(table_number=elsewhere.table.number, seat_number=elsewhere.seat_number)
    standing = standing_of(player, day_id=day.pk)
    excluded = _refused(lambda: check_not_excluded(standing, room_id=table.room_id, at=command.at))
    refusals: list[Refusal] = [
        *excluded,
        *_refused(lambda: check_no_penalty(player, at=command.at)),
        *_refused(lambda: check_apart(table, player.pk, standing)),
        *_refused(lambda: check_not_promised(table, seat_number=seat_number, player_id=player.pk)),
    ]
    until: datetime | None = command.at
    try:
        until = hours_end(command, player, standing, day)
    except HoursUsedUp as refusal:
        refusals.append(refusal)
    seating = Seating.objects.create(
        room_id=table.room_id,
        table=table,
        opening=opening,
        player=player,
        seat_number=seat_number,
        entry=Entry.IN.value,
        sat_down_at=at,
        seated_by_id=command.by.staff_id,
        plays_until=until,
        barred_since=command.at if excluded else None,
        from_sheet=sheet,
    )
    still_sits_out(player, seating, at=command.at)
    return seating, refusals


def put_in(
    command: Command, *, day: GamingDay, table: Table, opening: Opening, seating: Seating, cents: int, at: datetime,
    is_sold: bool, line: int, sheet: int,
) -> list[Refusal]:  # fmt: skip
    """
    Record that chips were put on the table at a seat, bought on paper or brought: out of players' hands into play.

    Returns what the house refuses: the purchase by the book of `at`, when it was. The cage's slip of what was bought
    there (`is_sold`) puts as much into hands.
    """
    relate(seating, opening=opening)
    is_short = False

    def checks() -> None:
        nonlocal is_short
        if is_sold:
            book = rule_book_in_force(table.room_id, at=at)[1]
            check_amount(table.room_id, Slip.Kind.BUY_IN, cents, book, at=at)
        is_short = check_purchase_at(seating, amount_cents=cents, stack=None, at=at, has_slip=is_sold)

    refusals = [*_refused(lambda: check_may_buy(seating, day_id=day.pk, at=command.at)), *_refused(checks)]
    bring_to_seat(
        command, day=day, table=table, seating=seating, cents=cents, is_short=is_short, line=line, sheet=sheet
    )
    _mark(seating, sheet)
    return [each for each in refusals if each.code not in _NOT_REPORTED]


def got_up(
    command: Command, *, day: GamingDay, table: Table, seating: Seating, stack_cents: int | None, at: datetime,
    sheet: int,
) -> None:  # fmt: skip
    """Record that a player left on paper, with the stack as counted; None: not counted, the cash-out supplies it."""
    ends_now(command, table, seating, at=at)
    if stack_cents is not None:
        supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)
    _mark(seating, sheet)


def stands(
    seating: Seating, *, opening: Opening, how: str, away_since: datetime | None, missed: str | None, sheet: int
) -> None:
    """
    Record how a seat stands: `how` is an `Entry`, "away" since then, or "" as it is; `missed` the markers, None as they
    are. Whoever plays owes none; whoever has one and is to play waits for the big blind (H4.39, H4.41).

    :raises EntryNotOffered: the game knows no such way in.
    """
    if missed is not None:
        seating.missed = missed
    if how == AWAY:
        if not seating.is_held or seating.away_since != away_since:
            seating.away_since, seating.buttons_passed = away_since, 0
            since = away_since
            seating.away_limit_at = limit_at(opening.terms.absence, away_since=since) if since else None
        seating.is_held = True
    elif how:
        seating.is_held, seating.buttons_passed = False, 0
        seating.away_since = seating.away_limit_at = None
        if how == Entry.IN:
            seating.entry, seating.missed = Entry.IN.value, missed or ""
        else:
            seating.entry = offered(opening, how, missed=seating.missed).value
    if seating.missed and seating.entry == Entry.IN:
        seating.entry = Entry.WAITS.value
    seating.from_sheet = sheet
    save_seating(seating)


def button_at(opening: Opening, seat_number: int, seatings: Collection[Seating]) -> None:
    """
    Put the button where the sheet says that it is for the next hand; the caller stores the opening.

    The hand before it is as if it had been dealt one step back among those who play, so that nobody is passed over
    whose turn the paper hands have had (H4.26-H4.29, H4.36).
    """
    opening.button_here = seat_number
    occupants = {each.seat_number: each.occupant for each in seatings}
    plays = {seat for seat, each in occupants.items() if not each.is_held and each.entry is Entry.IN}
    if len(plays) < 2:
        return
    order, before = clockwise(plays, after=seat_number), opening.hand_before
    if len(plays) == 2:
        # With two the button has the small blind (H4.52), and had the big one before.
        button, big = order
        small: int | None = button
    else:
        has_button = seat_number in plays
        button, big = order[-2 if has_button else -1], order[0]
        small = seat_number if has_button else None
    opening.hand_before = LastHand.played(
        {seat: occupants[seat].player_id for seat in plays},
        button=button,
        small_blind=small,
        big_blind=big,
        was_heads_up=len(plays) == 2,
        winner_seats=before.winner_seats if before else (),
        betting_button=before.betting_button_seat if before else None,
    )


def sits_there(table: Table) -> dict[int, Seating]:
    """Return who plays at the locked table, by seat. One query."""
    return {each.seat_number: each for each in sitting(table)}


def _mark(seating: Seating, sheet: int) -> None:
    seating.from_sheet = sheet
    save_seating(seating)


def _refused(check: Callable[[], Any]) -> list[Refusal]:
    try:
        check()
    except Refusal as refusal:
        return [refusal]
    return []
