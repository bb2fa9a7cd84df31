"""Changing the seat at one table: asked for in order, done with the floor's leave between two hands (H4.45-H4.47)."""

from casino.commands.carrying_out import Command, Outcome, service
from casino.poker.seat_change import is_further_from_the_blinds, moved
from tables.claims import claims
from tables.errors import EntryNotOffered, HandInProgress, NothingToTakeBack, SeatNotFree, SeatTaken
from tables.models import Seating, Table
from tables.selectors.absences import wishes
from tables.selectors.next_hand import occupants
from tables.services.promised import check_not_promised, check_seat_exists
from tables.services.seat_buy_ins import follow_to_seat
from tables.services.state import done, lock_table, opening_of, save_seating, seating_of, sitting


@service("tables.ask_seat_change")
def ask_seat_change(
    command: Command, *, table_id: int, seating_id: int, asks: bool = True, seat_number: int | None = None
) -> Outcome:
    """
    Note that a player would like another seat, a certain one or any; or no more. Whoever asked first comes first, and
    keeps that place when the wish changes (H2.13).

    :raises SeatEmpty: the player has left.
    :raises NoSuchSeat: the game has fewer seats.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    if asks and seat_number is not None:
        check_seat_exists(opening_of(table), seat_number)
    seating.change_to = seat_number if asks else None
    seating.change_wished_at = (seating.change_wished_at or command.at) if asks else None
    save_seating(seating)
    return done(table, data={"seating": seating.pk, "asks": asks, "seat": seating.change_to})


@service("tables.change_seat")
def change_seat(
    command: Command,
    *,
    table_id: int,
    seating_id: int,
    seat_number: int,
    posts: bool = False,
    version: int | None = None,
) -> Outcome:
    """
    Let a player change to a free seat of the table, with the floor's leave (H4.45).

    Who plays over gets a seat of their own by that, and waits for this game no longer: the old one is its holder's
    alone again (H4.48, A40). That is not taken back.

    Further from the blinds they post a big blind, live, with `posts`, or wait for it (H4.46); closer costs nothing, and
    `posts` is not looked at (H4.47). Markers move along (A39); a small blind missed alone is posted beside the big one,
    dead. Who had asked before is named in the log.

    :raises SeatEmpty: the player has left.
    :raises HandInProgress: nobody changes during a hand (H1.1).
    :raises NoSuchSeat: the game has fewer seats.
    :raises SeatTaken, SeatPromised: somebody sits there, or is called to it.
    :raises SeatNotFree: somebody plays over in the player's own seat.
    :raises EntryNotOffered: everybody waits for the big blind at this game (U11).
    :raises Stale: the seat has changed since the screen showed `version`.
    """
    table = lock_table(command, table_id)
    opening = opening_of(table)
    seating = seating_of(table, seating_id, version=version)
    check_seat_exists(opening, seat_number)
    there = sitting(table)
    _check_free(table, seating, there, seat_number=seat_number)
    occupant = seating.occupant
    is_further = is_further_from_the_blinds(
        occupants(there), opening.hand_before, from_seat=seating.seat_number, to_seat=seat_number
    )
    if is_further and posts and not opening.game.may_post_to_come_in:
        raise EntryNotOffered(reason="waits_to_come_in")
    before = [each.pk for each in wished_before(there, seating, seat_number=seat_number)]
    left = {
        "seat": seating.seat_number, "entry": seating.entry, "missed": seating.missed, "hand_number": table.hand_number,
    }  # fmt: skip
    holder = next(each.holder for each in there if each.pk == seating.pk)
    seating.changed_from = left if holder is None else None
    then = moved(occupant, to_seat=seat_number, is_further=is_further, posts=posts)
    seating.seat_number, seating.entry, seating.missed = seat_number, then.entry.value, then.missed.value
    seating.change_wished_at = seating.change_to = None
    save_seating(seating)
    data = {"seating": seating.pk, "from": left["seat"], "seat": seat_number, "entry": seating.entry}
    screens: tuple[str, ...] = ()
    if holder is not None:
        # Only now: until the other is stored in another seat, two would sit in one for the database.
        holder.is_played_over = False
        save_seating(holder)
        met = claims().met(command, table, opening.game, seating.player_id)
        data["waiting"], screens = met.ref, met.screens
    audiences = (*screens, *follow_to_seat(command, seating, table, seating))
    return done(table, data={**data, "further": is_further, "wished_before": before}, audiences=audiences)


def wished_before(there: list[Seating], seating: Seating, *, seat_number: int) -> list[Seating]:
    """Return who has asked for this seat, or any, before that player did, the first one first."""
    others = [each for each in wishes(there) if each.pk != seating.pk and each.change_to in {None, seat_number}]
    own = seating.change_wished_at
    return [each for each in others if own is None or (each.change_wished_at and each.change_wished_at < own)]


@service("tables.take_back_seat_change")
def take_back_seat_change(command: Command, *, table_id: int, seating_id: int) -> Outcome:
    """
    Put a player back who changed seats by mistake, as they were in the blinds, until the next hand is dealt.

    :raises SeatEmpty: the player has left.
    :raises NothingToTakeBack: a hand was dealt since.
    :raises SeatTaken, SeatPromised: somebody else has the old seat.
    """
    table = lock_table(command, table_id)
    seating = seating_of(table, seating_id)
    was = seating.changed_from
    if was is None or was["hand_number"] != table.hand_number or table.hand is not None:
        raise NothingToTakeBack
    _check_free(table, seating, sitting(table), seat_number=was["seat"])
    seating.seat_number, seating.entry, seating.missed = was["seat"], was["entry"], was["missed"]
    seating.changed_from = None
    save_seating(seating)
    data = {"seating": seating.pk, "seat": seating.seat_number, "entry": seating.entry}
    return done(table, data=data, audiences=follow_to_seat(command, seating, table, seating))


def _check_free(table: Table, seating: Seating, there: list[Seating], *, seat_number: int) -> None:
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)
    if seating.is_played_over:
        raise SeatNotFree(seat_number=seating.seat_number)
    if any(each.seat_number == seat_number for each in there):
        raise SeatTaken(seat_number=seat_number)
    check_not_promised(table, seat_number=seat_number, player_id=seating.player_id)
