"""Sitting down, coming into the blinds, holding a seat, leaving."""

from django.db.models import Q

from casino.cage.selectors import has_cashed_out_since
from casino.commands.frame import Command, Outcome, service
from casino.errors import NotFound, Stale
from casino.ledger.chart import of_table
from casino.ledger.selectors import standing_transfer
from casino.ledger.services import post, reverse
from casino.people.models import Player
from casino.poker.blinds import Entry
from casino.rooms.selectors import lock_open_day, lock_open_day_for_fact
from tables.errors import (
    AlreadySeated,
    CashedOutSince,
    NoSuchSeat,
    NotANewPlayer,
    SeatTaken,
    SeatUsedSince,
    TableClosedSince,
)
from tables.models import Hand, Seating, Table
from tables.rules.buying import check_purchase
from tables.rules.entry import entry_on_coming_back, entry_on_sitting_down
from tables.services.chips import bring_to_seat
from tables.services.state import done, lock_table, opening_of, save_seating, seating_of


@service("tables.seat_player")
def seat_player(
    command: Command,
    *,
    table_id: int,
    seat_number: int,
    player_id: int,
    chips_cents: int = 0,
    wants_to_post: bool = False,
) -> Outcome:
    """
    Sit a player down, with chips from the player's hands or without any yet.

    During a hand this is accepted and holds from the next one (H1.1). Without chips nobody is dealt in
    (H1.60): the player sits and buys in. A new player waits for the big blind or posts (H4.30, H4.31).

    :raises TableClosed: the table runs no game.
    :raises NoSuchSeat: the game has fewer seats (H2.2).
    :raises SeatTaken: somebody is in that seat.
    :raises AlreadySeated: the player sits at this table.
    :raises BuyInUnderMinimum: fewer chips than the game's minimum (H2.14).
    :raises BuyInOverMaximum: more than its maximum (H2.17).
    """
    day = lock_open_day(command.room_id)
    table = lock_table(command, table_id)
    opening = opening_of(table)
    if not 1 <= seat_number <= opening.game.seats:
        raise NoSuchSeat(seats=opening.game.seats)
    _check_free(table, seat_number=seat_number, player_id=player_id)
    if not Player.objects.filter(id=player_id, room_id=command.room_id, erased_at=None).exists():
        raise NotFound(what="player")
    entry = entry_on_sitting_down(
        first_hand_begun=opening.last is not None or table.hand is not None, wants_to_post=wants_to_post
    )
    seating = Seating.objects.create(
        room_id=command.room_id,
        table=table,
        opening=opening,
        player_id=player_id,
        seat_number=seat_number,
        entry=entry.value,
        sat_down_at=command.at,
        seated_by_id=command.by.staff_id,
    )
    if chips_cents:
        check_purchase(opening.game, asked_cents=chips_cents, stack=0, is_first=True)
        bring_to_seat(command, day=day, table=table, seating=seating, cents=chips_cents)
    data = {"seating": seating.pk, "seat": seat_number, "player": player_id, "entry": entry.value}
    return done(table, data={**data, "chips_cents": chips_cents}, audiences=("ledger",) if chips_cents else ())


def _check_free(table: Table, *, seat_number: int, player_id: int) -> None:
    taken = Seating.objects.filter(table=table, left_at=None).values_list("seat_number", "player_id")
    for number, sitting_id in taken:
        if sitting_id == player_id:
            raise AlreadySeated(table_number=table.number, seat_number=number)
    if seat_number in {number for number, _ in taken}:
        raise SeatTaken(seat_number=seat_number)


@service("tables.choose_entry")
def choose_entry(
    command: Command, *, table_id: int, seating_id: int, wants_to_post: bool, version: int | None = None
) -> Outcome:
    """
    Let a new player wait for the big blind (H4.30) or post a new player's blind (H4.31).

    :raises SeatEmpty: the player has left.
    :raises NotANewPlayer: the player is in the blinds already.
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id, version=version)
    if seating.entry == Seating.EntryKind.IN:
        raise NotANewPlayer
    seating.entry = (Entry.POSTS if wants_to_post else Entry.WAITS).value
    save_seating(seating, "entry")
    return done(table, data={"seating": seating.pk, "entry": seating.entry})


@service("tables.hold_seat")
def hold_seat(command: Command, *, table_id: int, seating_id: int, is_held: bool) -> Outcome:
    """
    Hold a seat, or deal it in again: the player is not at the table just now (H1.5). A fact.

    :raises SeatEmpty: the player has left.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    seating.is_held = is_held
    save_seating(seating, "is_held")
    return done(table, data={"seating": seating.pk, "held": is_held})


@service("tables.leave_seat")
def leave_seat(command: Command, *, table_id: int, seating_id: int, stack_cents: int | None = None) -> Outcome:
    """
    Let a player leave with the stack as counted, or not counted. A fact.

    Counted chips go from play into the player's hands. What was not counted is supplied by the player's
    cash-out of the day. Leaving twice leaves once.

    :raises NotFound: that seating is not of this table.
    """
    day = lock_open_day_for_fact(command.room_id)
    table = lock_table(command, table_id)
    seating = Seating.objects.filter(id=seating_id, table=table).first()
    if seating is None:
        raise NotFound(what="seating")
    data = {"seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id, "stack_cents": stack_cents}
    if seating.left_at is not None:
        return done(table, data={**data, "known": True})
    seating.left_at = command.ends(seating.sat_down_at)
    seating.left_after_hand_id = _newest_hand_id(table)
    save_seating(seating, "left_at", "left_after_hand_id")
    if stack_cents is not None:
        supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)
    return done(table, data=data, audiences=("ledger",))


def _newest_hand_id(table: Table) -> int | None:
    return Hand.objects.filter(table=table).order_by("-id").values_list("id", flat=True).first()


@service("tables.take_back_leaving")
def take_back_leaving(command: Command, *, table_id: int, seating_id: int, version: int) -> Outcome:
    """
    Take back that a player left: the wrong seat was tapped, or the player sits down again at once.

    The stack goes back into play if it was counted, and the player is in the blinds as before, or new if a hand was
    begun meanwhile (`entry_on_coming_back`: H4.24, H4.30).

    :raises NotFound: that seating is not of this table.
    :raises Stale: it has changed since the screen showed `version`.
    :raises AlreadySeated: the player has not left, or sits in another seat here.
    :raises SeatTaken, SeatUsedSince: somebody else sits or has sat there, or the player elsewhere here.
    :raises TableClosedSince: what the player left is over.
    :raises CashedOutSince: the chips are no longer the player's.
    """
    day = lock_open_day(command.room_id)
    table = lock_table(command, table_id)
    seating = Seating.objects.select_related("opening").filter(id=seating_id, table=table).first()
    if seating is None:
        raise NotFound(what="seating")
    if version != seating.version:
        raise Stale(what="seat", seat_number=seating.seat_number, version=seating.version)
    if seating.opening_id != table.opening_id:
        raise TableClosedSince(table_number=table.number)
    _check_free(table, seat_number=seating.seat_number, player_id=seating.player_id)
    _check_untouched(seating)
    stack_cents = seating.left_stack_cents
    if stack_cents is not None:
        take_back_stack(command, day_id=day.pk, seating=seating)
    seating.entry = _entry_on_coming_back(seating).value
    seating.left_at = seating.left_after_hand_id = None
    save_seating(seating, "left_at", "left_after_hand_id", "entry")
    data = {"seating": seating.pk, "seat": seating.seat_number, "player": seating.player_id, "entry": seating.entry}
    return done(table, data={**data, "stack_cents": stack_cents}, audiences=("ledger",))


def _check_untouched(seating: Seating) -> None:
    """:raises SeatUsedSince, CashedOutSince: seat, player or chips have gone on since the player left."""
    assert seating.left_at is not None, "whoever still sits is refused before"
    same = Q(seat_number=seating.seat_number) | Q(player_id=seating.player_id)
    later = Seating.objects.filter(same, opening=seating.opening_id, id__gt=seating.pk).order_by("id").first()
    if later is not None:
        raise SeatUsedSince(seat_number=later.seat_number)
    if has_cashed_out_since(seating.room_id, seating.player_id, since=seating.left_at):
        raise CashedOutSince


def _entry_on_coming_back(seating: Seating) -> Entry:
    counted = Hand.objects.filter(opening=seating.opening_id, corrects=None)
    counted = counted.exclude(status__in=[Hand.Status.VOID, Hand.Status.UNDONE])
    # What came late may have been dealt to the player before they left, or before they ever sat down.
    since = counted.filter(id__gt=seating.left_after_hand_id or 0, dealt_at__gte=seating.sat_down_at)
    last = counted.filter(id=seating.left_after_hand_id or 0).exclude(status=Hand.Status.DEALT)
    return entry_on_coming_back(
        Entry(seating.entry),
        missed_a_hand=since.exclude(seats__player=seating.player_id).exists(),
        played_the_last_one=last.filter(seats__player=seating.player_id).exists(),
    )


@service("tables.count_stack")
def count_stack(
    command: Command, *, table_id: int, seating_id: int, stack_cents: int, version: int | None = None
) -> Outcome:
    """
    Supply the stack of a player who left uncounted, because somebody knows it after all.

    A count that was wrong is put right by another one that names the seat's `version`: the first is reversed.

    :raises NotFound: that seating is not of this table, or has not ended.
    :raises Stale: it has been counted already, or changed since the screen showed `version`.
    """
    day = lock_open_day(command.room_id)
    table = lock_table(command, table_id)
    seating = Seating.objects.filter(id=seating_id, table=table, left_at__isnull=False).first()
    if seating is None:
        raise NotFound(what="seating")
    is_counted = seating.left_stack_cents is not None
    if version != seating.version and (is_counted or version is not None):
        raise Stale(what="seat", version=seating.version)
    if is_counted:
        take_back_stack(command, day_id=day.pk, seating=seating)
    supply_stack(command, day_id=day.pk, seating=seating, cents=stack_cents)
    return done(table, data={"seating": seating.pk, "stack_cents": stack_cents}, audiences=("ledger",))


def supply_stack(command: Command, *, day_id: int, seating: Seating, cents: int, slip_id: int | None = None) -> None:
    """
    Write the stack of an uncounted departure and move its chips out of play into the player's hands.

    `slip_id` is the cash-out that supplied it, which takes it along when it is voided.
    """
    seating.left_stack_cents = cents
    save_seating(seating, "left_stack_cents")
    if cents:
        post(
            room_id=seating.room_id,
            day_id=day_id,
            kind="leave",
            lines=[of_table(seating.table_id, "in_play", -cents), of_table(seating.table_id, "hands", cents)],
            key=f"leave.{seating.pk}.{seating.version}",
            made_by_id=command.by.staff_id,
            at=command.at,
            table_id=seating.table_id,
            about={"seating": seating.pk, **({"slip_id": slip_id} if slip_id else {})},
        )


def take_back_stack(command: Command, *, day_id: int, seating: Seating) -> None:
    """Take back what was written of a departure's stack, by reversal: it is uncounted again."""
    seating.left_stack_cents = None
    save_seating(seating, "left_stack_cents")
    about = {"seating": seating.pk}
    counted = standing_transfer(seating.room_id, kind="leave", about=about, since_day_id=seating.opening.day_id)
    if counted is not None:
        reverse(
            room_id=seating.room_id,
            day_id=day_id,
            transfer_id=counted.pk,
            key=f"leave.{seating.pk}.{seating.version}",
            made_by_id=command.by.staff_id,
            at=command.at,
            about=about,
        )
