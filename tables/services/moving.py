"""
Changing tables: the whole stack goes along, by the book (H1.64-H1.67, H2.8, R-§3); and how a move is taken back.

Two tables are locked in the order of their ids; claims to seats come after them.
"""

from typing import Any

from django.db.models.functions import Greatest

from casino.cage.audiences import EVERY_WINDOW
from casino.cage.services.carried import move_requests
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.selectors.accounts import standing_transfer
from casino.ledger.services import reverse
from casino.people.services.playing import lock_for_play
from casino.poker.positions import Entry
from casino.poker.table_change import Brings, brings_on_moving
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day
from casino.rows import Update
from tables.audiences import of_table
from tables.claims import claims
from tables.errors import HandInProgress
from tables.errors_moves import (
    CashedOutSince,
    ChangeNotAllowed,
    HandDealtSince,
    MovesWithStack,
    StackTooShort,
    TableClosedSince,
)
from tables.models import Hand, HandSeat, Opening, Seating, Table, TableChange, TableMove
from tables.rules.entry import entry_on_sitting_down
from tables.rules.newcomers import Why, against
from tables.rules.reasons import OVERRULE_REASONS
from tables.selectors.continued import openings_of_game
from tables.selectors.next_steps import open_tables_by_number
from tables.services.chips import bring_to_seat
from tables.services.penalties import check_no_penalty, still_sits_out
from tables.services.playing_over import comes_back
from tables.services.promised import check_not_promised, check_seat_exists
from tables.services.protection import check_apart, hours_end
from tables.services.seat_buy_ins import follow_to_seat, seat_of
from tables.services.seating import check_free, ends_now, offered
from tables.services.stack_brought_back import to_match
from tables.services.stacks import supply_stack, take_back_stack
from tables.services.state import (
    done,
    lock_table,
    newest_hand_id,
    open_to_newcomers,
    opening_of,
    save_seating,
    seating_of,
)


def lock_tables(command: Command, first_id: int, second_id: int) -> tuple[Table, Table]:
    """
    Lock two tables, always in the order of their ids, and return them in the order asked for.

    :raises Malformed: they are one.
    :raises NotFound: the room has no such table.
    :raises NotPermitted: the tablet stands at another table than one of them.
    """
    if first_id == second_id:
        raise Malformed(field="table")
    locked = {table_id: lock_table(command, table_id) for table_id in sorted((first_id, second_id))}
    return locked[first_id], locked[second_id]


@service("tables.move_player")
def move_player(
    command: Command,
    *,
    table_id: int,
    seating_id: int,
    to_table_id: int,
    seat_number: int,
    stack_cents: int,
    chips_cents: int | None = None,
    entry: str = Entry.WAITS,
    overrule: str = "",
    version: int | None = None,
) -> Outcome:
    """
    Move a player to a seat at another table, with the whole stack as counted.

    `chips_cents` is what lies at the new table, left out: the least that the book asks; what goes beyond the stack
    comes from the player's hands, what is left of it stays there. Whoever comes from a table that closes pays no blind
    where the book says so (R-§3-4); else a mover is a new player (`entry`). `overrule` is why the floor lets somebody
    change whom the book would not (R-§3-2, R-§3-3). Who is away goes on being away, as long as before. What the
    player asked from the cage is asked for the new seat.

    Rules: H1.1, H1.64-H1.67, H2.8, H2.9, H2.11, R-§3.
    :raises SeatEmpty, Stale: the player has left, or the seat changed since the screen showed `version`.
    :raises HandInProgress: the player is dealt into a hand.
    :raises TableClosed, TableCloses: the new table runs nothing, or not for long.
    :raises NoSuchSeat, SeatTaken, SeatPromised, AlreadySeated: the seat is not to be had.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp: the player plays no further hand, wherever.
    :raises PenaltyRuns: a penalty keeps the player out (H1.48).
    :raises PlayersKeptApart: somebody there is kept apart from the player (H1.75).
    :raises ChangeNotAllowed: the book forbids this change (R-§3).
    :raises StackTooShort, MovesWithStack: what is put on the new table is not what the book asks.
    :raises StackNotCounted: the player left that game before, and nobody knows yet with what (H1.64).
    :raises EntryNotOffered: the game knows no such way in.
    """
    if overrule and overrule not in OVERRULE_REASONS:
        raise Malformed(field="overrule")
    day = lock_open_day(command.room_id)
    # Whose it is has to be known before the tables are locked, for players come before them; `seating_of` looks again.
    player_id = Seating.objects.filter(id=seating_id, table_id=table_id).values_list("player_id", flat=True).first()
    player, standing = lock_for_play(command, player_id or 0, day_id=day.pk)
    check_no_penalty(player, at=command.at)
    until = hours_end(command, player, standing, day)
    here, there = lock_tables(command, table_id, to_table_id)
    opening, entered = opening_of(here), open_to_newcomers(there)
    seating = seating_of(here, seating_id, version=version)
    check_between_hands(here, seating)
    check_seat_exists(entered, seat_number)
    check_not_promised(there, seat_number=seat_number, player_id=seating.player_id)
    check_free(there, seat_number=seat_number, player_id=seating.player_id, comes_from=here)
    check_apart(there, seating.player_id, standing)
    why = why_moving(opening, entered)
    if why is Why.TABLE_CHANGE and not overrule:
        check_change(here, there)
    chips = 0
    if stack_cents or seating.chips_in_cents or chips_cents:
        brings = _brings(command, opening, entered, seating, stack_cents=stack_cents, why=why)
        chips = _chips(brings, stack_cents=stack_cents, chips_cents=chips_cents, to=there)

    # Before the new seat is taken: nobody sits in two, and the database sees to it at each statement.
    leave_for_good(command, day, here, seating, stack_cents=stack_cents)
    way = _way_in(there, entered, why, wanted=entry)
    sits = Seating.objects.create(
        room_id=command.room_id, table=there, opening=entered, player_id=seating.player_id, seat_number=seat_number,
        entry=way.value, sat_down_at=command.at, seated_by_id=command.by.staff_id, plays_until=until,
        **_absence(seating),
    )  # fmt: skip
    if chips:
        bring_to_seat(command, day=day, table=there, seating=sits, cents=chips)
    met = claims().met(command, there, entered.game, seating.player_id)
    _note_move(command, seating, sits, why=why, chips_cents=chips, claim_ref=met.ref)

    slips, screens = _requests_follow(command, seating, there, sits, stack_cents=chips)
    # Who decides on the other table's version has to see it too; `done` stores both, and logs in the chain of this one.
    there.version += 1
    data = {
        "seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id, "stack_cents": stack_cents,
        "to_table": there.number, "to_seat": seat_number, "to_seating": sits.pk, "chips_cents": chips,
        "entry": way.value, "why": why, "overrule": overrule, "slips": slips,
    }  # fmt: skip
    audiences = (*of_table(there), *met.screens, *screens)
    return done(here, data=data, audiences=audiences, changes=[Update(there)])


def _brings(command: Command, here: Opening, there: Opening, seating: Seating, *, stack_cents: int, why: Why) -> Brings:
    """:raises StackNotCounted: the player left that game before, and nobody knows yet with what (H1.64)."""
    moving = there.terms.moving
    left_there, left_why = to_match(there, seating.player_id, at=command.at)
    return brings_on_moving(
        stack_cents,
        here=here.terms.stakes,
        there=there.terms.stakes,
        tops_up=why is not Why.CLOSING_TABLE or moving.closed_table_tops_up,
        other_structure_frees_stack=moving.other_structure_frees_stack,
        left_there=left_there,
        left_why=left_why,
    )


def _way_in(there: Table, entered: Opening, why: Why, *, wanted: str) -> Entry:
    """:raises EntryNotOffered: the game knows no such way in."""
    pays_nothing = why is Why.CLOSING_TABLE and not entered.terms.moving.closed_table_pays
    return entry_on_sitting_down(
        first_hand_begun=entered.last is not None or there.hand is not None,
        wanted=Entry.IN if pays_nothing else offered(entered, wanted),
    )


def _note_move(
    command: Command, seating: Seating, sits: Seating, *, why: Why, chips_cents: int, claim_ref: int | None
) -> None:
    """Keep what a move is taken back by, and end the player's wish to change tables."""
    # Not before it was asked, though the clock was set back since.
    TableChange.objects.filter(seating=seating, ended_at=None).update(
        ended_at=Greatest("wished_at", command.at), ended_by_id=command.by.staff_id, ended_why="moved"
    )
    TableMove.objects.create(
        room_id=command.room_id, seating_from=seating, seating_to=sits, why=why, chips_cents=chips_cents,
        moved_at=command.at, moved_by_id=command.by.staff_id, after_hand_id=newest_hand_id(sits.table_id),
        claim_ref=claim_ref,
    )  # fmt: skip


def _requests_follow(
    command: Command, seating: Seating, there: Table, sits: Seating, *, stack_cents: int | None
) -> tuple[list[int], tuple[str, ...]]:
    """
    Have what the player asked from the cage sent to where they sit now; a limit there counts the stack they have.
    Return the ids of the slips that wait now, and the screens to tell.

    It was asked for another game's limits, so the cage asks for these (`anew`).
    """
    seat = seat_of(there, sits, stack=stack_cents, anew=True)
    slips = move_requests(command, destination="seat", seating_id=seating.pk, seat=seat)
    return slips, (*follow_to_seat(command, seating, there, sits), *([EVERY_WINDOW] if slips else []))


def _absence(seating: Seating) -> dict[str, Any]:
    """
    Return what goes along of a player who is away: the stack is moved, and nobody is there (H1.9, H1.10, R-§4).

    A long break's limit does; that it was taken stays written where it began, once in an evening.
    """
    away = ("is_held", "away_since", "away_limit_at", "buttons_passed")
    return {name: getattr(seating, name) for name in away} if seating.is_held else {}


def why_moving(here: Opening, there: Opening) -> Why:
    """Return by what a player goes from one game to the other."""
    if here.is_closing:
        return Why.CLOSING_TABLE
    is_fed = here.feeds_id == there.pk and here.game.is_same_game(there.game)
    return Why.MUST_MOVE if is_fed else Why.TABLE_CHANGE


def check_between_hands(table: Table, seating: Seating) -> None:
    """:raises HandInProgress: the player is dealt into the hand that is being played (H1.1)."""
    if table.hand is not None and HandSeat.objects.filter(hand=table.hand, player=seating.player_id).exists():
        raise HandInProgress(hand_number=table.hand.number)


def check_change(here: Table, there: Table) -> None:
    """:raises ChangeNotAllowed: the book forbids this change between tables of the same limits (R-§3-2, R-§3-3)."""
    opening, entered = opening_of(here), opening_of(there)
    if not opening.terms.stakes.are_those_of(entered.terms.stakes):
        return
    tables = open_tables_by_number(here.room_id, opening.terms.stakes)
    why = against(here.number, there.number, tables, opening.terms.moving)
    if why is not None:
        raise ChangeNotAllowed(table_number=here.number, to_table=there.number, reason=why)


def forbidden_change(here: Table, there: Table) -> str:
    """Return by which code the book forbids a change to that table (R-§3-2, R-§3-3), "" where it does not."""
    if here.opening is None or there.opening is None or why_moving(here.opening, there.opening) is not Why.TABLE_CHANGE:
        return ""
    try:
        check_change(here, there)
    except ChangeNotAllowed as refusal:
        return refusal.code
    return ""


def _chips(brings: Brings, *, stack_cents: int, chips_cents: int | None, to: Table) -> int:
    """:raises StackTooShort, MovesWithStack: not what the book asks."""
    if chips_cents is None:
        if brings.least_cents > stack_cents:
            raise StackTooShort(
                stack_cents=stack_cents,
                needed_cents=brings.least_cents,
                more_cents=brings.least_cents - stack_cents,
                table_number=to.number,
                reason=brings.why,
            )
        return brings.least_cents
    if not brings.allows(chips_cents):
        raise MovesWithStack(stack_cents=brings.least_cents, asked_cents=chips_cents, reason=brings.why)
    return chips_cents


def leave_for_good(command: Command, day: GamingDay, table: Table, seating: Seating, *, stack_cents: int) -> None:
    """End a seating at its locked table with the stack as counted: the chips are in the player's hands then."""
    comes_back(table, seating, at=command.at)
    ends_now(command, table, seating)
    supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)


@service("tables.take_back_move")
def take_back_move(command: Command, *, table_id: int, seating_id: int) -> Outcome:
    """
    Take a move back while nothing was dealt at either table: the player sits in the old seat with the old stack.

    `table_id` and `seating_id` are where the player sits now. A place on a list that ended with the move is the
    player's again, and so is the wish to change tables; for the game of the old table they wait no longer. Who sits
    out a penalty is held out in the old seat too (H1.48).

    :raises NotFound: nobody moved to that seat.
    :raises Stale: the player has left it, or bought chips there.
    :raises HandDealtSince: a hand was begun at one of the tables.
    :raises TableClosedSince, SeatTaken, SeatPromised, AlreadySeated, CashedOutSince: there is nothing to go back to.
    :raises PlayerBanned, PlayerExcludedOwnWish, HoursUsedUp, PlayersKeptApart: as `move_player`.
    """
    day = lock_open_day(command.room_id)
    moves = TableMove.objects.filter(seating_to=seating_id, seating_to__table=table_id, room_id=command.room_id)
    whose = moves.filter(taken_back_at=None).values_list("seating_from__table_id", "seating_from__player_id").first()
    if whose is None:
        raise NotFound(what="seating")
    old_table_id, player_id = whose
    player, standing = lock_for_play(command, player_id, day_id=day.pk)
    until = hours_end(command, player, standing, day)
    there, here = lock_tables(command, table_id, old_table_id)
    # Read anew under the locks: until then somebody else may have taken it back.
    move = moves.select_related("seating_from__opening", "seating_to").get()
    left, sits = move.seating_from, move.seating_to
    if move.taken_back_at or sits.left_at or sits.chips_in_cents != move.chips_cents:
        raise Stale(what="seat", seat_number=sits.seat_number, version=sits.version)
    if here.opening is None or left.opening_id not in openings_of_game(here.opening):
        raise TableClosedSince(table_number=here.number)
    for table, after in ((there, move.after_hand_id), (here, left.left_after_hand_id)):
        if Hand.objects.filter(table=table, id__gt=after or 0).exists():
            raise HandDealtSince(table_number=table.number)
    check_free(here, seat_number=left.seat_number, player_id=left.player_id, comes_from=there)
    check_not_promised(here, seat_number=left.seat_number, player_id=left.player_id)
    check_apart(here, left.player_id, standing)
    game = opening_of(here).game
    met = claims().met_by_going_back(command, here, game, left.player_id, was=move.claim_ref)
    # Read before the chips go back, which makes it an uncounted stack again: the cage asks for a seat with these chips.
    counted = left.left_stack_cents
    _chips_back(command, day, left, sits)
    # The new seat is left before the old one is taken again, as `move_player` does the other way round.
    sits.left_at, sits.left_stack_cents, sits.chips_in_cents = command.ends(sits.sat_down_at), 0, 0
    save_seating(sits)
    left.left_at = left.left_after_hand_id = left.barred_since = None
    left.plays_until, left.opening = until, here.opening
    save_seating(left)
    still_sits_out(player, left, at=command.at)
    move.taken_back_at = command.ends(move.moved_at)
    move.save(update_fields=["taken_back_at"])
    TableChange.objects.filter(seating=left, ended_why="moved").update(ended_at=None, ended_by_id=None, ended_why="")
    slips, screens = _requests_follow(command, sits, here, left, stack_cents=counted)
    here.version += 1
    data = {
        "seating": sits.pk, "player": sits.player_id, "to_table": here.number, "to_seating": left.pk,
        "waiting": met.ref, "slips": slips,
    }  # fmt: skip
    audiences = (*of_table(here), *met.screens, *screens)
    return done(there, data=data, audiences=audiences, changes=[Update(here)])


def _chips_back(command: Command, day: GamingDay, left: Seating, sits: Seating) -> None:
    """:raises CashedOutSince: the chips were counted otherwise since."""
    if left.left_stack_cents is None:
        raise CashedOutSince
    about = {"seating": sits.pk}
    brought = standing_transfer(sits.room_id, kind="chips_brought", about=about, since_day_id=day.pk)
    if brought is not None:
        reverse(
            room_id=sits.room_id, day_id=day.pk, transfer_id=brought.pk, key=f"moved_back.{sits.pk}",
            made_by_id=command.by.staff_id, at=command.at, about=about,
        )  # fmt: skip
    take_back_stack(command, day_id=day.pk, seating=left)
