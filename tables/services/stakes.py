"""Other stakes at a running table: between hands, and only when everybody there agrees."""

from django.db.models.functions import Greatest

from casino.cage.services.fill_slips import FILL_NEWS
from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, Stale
from casino.poker.positions import Entry
from casino.poker.straddles import Straddle
from casino.rooms.selectors import lock_open_day, rule_book_in_force
from tables.audiences import DEALERS, of_table
from tables.charges import alternatives
from tables.claims import claims
from tables.errors import HandInProgress, NoSuchSeat, TableAlreadyOpen
from tables.errors_moves import TableCloses
from tables.errors_seats import SeatPromised
from tables.models import Game, Opening, Seating, Table, TableChange
from tables.services.continuing import (
    check_all_consent,
    check_no_time_owed,
    check_none_to_log_again,
    continued,
    lock_with_linked,
)
from tables.services.must_move import follow_stakes
from tables.services.state import done, opening_of
from tables.services.venue import check_venue


@service("tables.change_stakes")
def change_stakes(
    command: Command, *, table_id: int, game_id: int, consents: list[int], version: int | None = None
) -> Outcome:
    """
    Let a running table go on with another game on offer: `consents` are the seatings whose players agree.

    All stay, with their whole stacks (H1.63: nobody moves, so no limit takes or asks chips), button, blinds and markers
    as they lie; a standing straddle stays where the new game knows one. Hands that were dealt keep their terms; rake,
    drop and limits are the new game's from the next hand, and what was paid by the time runs to its end (L-P23), unless
    it was paid into another purse; what the table pays by the time instead of a charge of its hands it goes on paying
    so, where the new game may (H7.18). The table belongs to the new game's list, from which those who play here come
    off (H2.9); wishes for tables of the old game end. A must-move game rests while its main game runs another one.

    :raises HandInProgress: a hand is being played.
    :raises HandToLogAgain: one was undone and is not logged again yet.
    :raises NotAllConsent: somebody at the table has not agreed.
    :raises NotFound: the room does not offer that game.
    :raises TableAlreadyOpen: the table runs it already.
    :raises TableCloses: its last orbit has been announced.
    :raises AboveVenue, TooManySeats: the game is above what the licence allows at this venue (L-P93, L-P48).
    :raises NoSuchSeat: somebody sits in a seat that the game does not have.
    :raises SeatPromised: somebody is called to a seat here, for the old game.
    :raises TimeOwed: a period of the time charge has begun that was neither taken nor let go.
    :raises Stale: the table has changed since the screen showed `version`, or a must-move link came.
    """
    day = lock_open_day(command.room_id)
    table, others = lock_with_linked(command, table_id)
    old = opening_of(table)
    if version is not None and version != table.version:
        raise Stale(what="table", version=table.version)
    if table.hand is not None:
        raise HandInProgress(hand_number=table.hand.number)
    game = Game.objects.filter(id=game_id, room_id=command.room_id, is_offered=True).first()
    if game is None:
        raise NotFound(what="game")
    if game.pk == old.game_id:
        raise TableAlreadyOpen(table_number=table.number)
    there = list(Seating.objects.filter(table=table, left_at=None).order_by("seat_number", "id"))
    check_all_consent(there, consents)
    book_version_id, book = rule_book_in_force(command.room_id, at=command.at)
    check_venue(book, game)
    _check_may_change(command, table, old, game, there)
    agreed = next((each for each in alternatives(game.charges) if each.is_as(old.agreed)), None)
    table.opening = continued(command, old, day=day, game=game, book_version_id=book_version_id, by_time=agreed)
    _go_on(there, table.opening, game)
    rests = follow_stakes(old, table.opening, others)
    if not game.is_same_game(old.game):
        _wishes_end(command, table)
    # After all that is done to tables, for it locks lists.
    screens = _claims_are_met(command, table, game, there)
    data = {"opening": table.opening.pk, "game": game.pk, "from_game": old.game_id, "consents": sorted(consents)}
    data |= {"players": [seating.player_id for seating in there], "rests": rests}
    # The book in force may keep no rack where the old opening's did.
    audiences = (DEALERS, *FILL_NEWS, *screens, *(name for other in others for name in of_table(other)))
    return done(table, data=data, audiences=audiences)


def _check_may_change(command: Command, table: Table, old: Opening, game: Game, there: list[Seating]) -> None:
    """:raises TableCloses, HandToLogAgain, NoSuchSeat, SeatPromised, TimeOwed: the old game stands against it."""
    if old.is_closing:
        raise TableCloses(table_number=table.number)
    check_none_to_log_again(old)
    if any(seating.seat_number > game.seats for seating in there):
        raise NoSuchSeat(seats=game.seats)
    if promised := claims().promised_at(table.pk):
        raise SeatPromised(seat_number=min(promised))
    check_no_time_owed(old, there, at=command.at)


def _go_on(there: list[Seating], opening: Opening, game: Game) -> None:
    """Let everybody play on: what is put on the table stays there, a stack under the new minimum plays on."""
    seats = Seating.objects.filter(id__in=[seating.pk for seating in there])
    seats.update(opening=opening)
    seats.filter(change_to__gt=game.seats).update(change_to=None)
    if game.straddle == Straddle.OFF:
        seats.update(straddles=False)
    if Entry.STRADDLES not in {way.entry for way in opening.terms.ways_in()}:
        seats.filter(entry=Entry.STRADDLES.value).update(entry=Entry.WAITS.value)


def _wishes_end(command: Command, table: Table) -> None:
    """End who asked for another table of the old game here, and who asked for this one of it (H2.8)."""
    for mine in ({"seating__table": table, "seating__left_at": None}, {"to_table": table}):
        TableChange.objects.filter(ended_at=None, **mine).update(
            ended_at=Greatest("wished_at", command.at), ended_by_id=command.by.staff_id, ended_why="other_stakes"
        )


def _claims_are_met(command: Command, table: Table, game: Game, there: list[Seating]) -> list[str]:
    """
    End the claims of those who play the new game now, as if they had sat down (H2.9); return the screens that show it.

    Who plays over keeps theirs (A40).
    """
    played_over = {seating.seat_number for seating in there if seating.is_played_over}
    mine = [seating for seating in there if seating.is_played_over or seating.seat_number not in played_over]
    return [screen for seating in mine for screen in claims().met(command, table, game, seating.player_id).screens]
