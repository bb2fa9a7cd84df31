"""
Logging hands: progress while they are played, and the settlement that stands alone.

All of these are facts. Whatever the log thinks, the hand was played and the pot was pushed: it is
recorded as it was, and what does not agree goes on the floor's to-do.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from casino.commands.frame import Command, Outcome, service
from casino.errors import Malformed
from casino.poker.blinds import LastHand, NextHand
from casino.rooms.models import GamingDay
from casino.rooms.selectors import lock_open_day
from tables.errors import NoSuchSeat, TableClosed
from tables.models import Hand, HandSeat, Opening, Seating, Table, ToDo
from tables.models.tables import stored_last_hand
from tables.rules.logged import LoggedHand, Positions, differences, positions_asked, positions_on_the_felt
from tables.selectors.asked import asked_hand, seated
from tables.services.settling import post_settlement, settle_row
from tables.services.state import done, leave_to_the_floor, lock_table


@service("tables.deal_hand")
def deal_hand(command: Command, *, table_id: int, hand: LoggedHand) -> Outcome:
    """
    Record that a hand was dealt (H3.1): from now until the pot is pushed its players stand fixed (H1.1).

    Progress only: `hand.winners` and `hand.pots` are not looked at, and nothing is posted.
    """
    day, table, opening = _lock_for_hand(command, table_id)
    if _known(table, hand.hand_id) is not None:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    begun = _begin(command, day=day, table=table, opening=opening, hand=hand)
    row = table.hand = begun.row
    _differs(row, begun.differences, table=table, at=command.at)
    return done(table, "hand", "hand_number", data={"hand": str(hand.hand_id), "number": row.number})


@service("tables.show_flop")
def show_flop(command: Command, *, table_id: int, hand_id: UUID) -> Outcome:
    """Record that the hand went beyond the initial deal: rake and drop become due (H1.90). Progress only."""
    _day, table, _opening = _lock_for_hand(command, table_id)
    if table.hand is not None and table.hand.hand_id == hand_id and table.hand.beyond_initial_deal_at is None:
        table.hand.beyond_initial_deal_at = command.tapped_at
        table.hand.street = "beyond"
        table.hand.save(update_fields=["beyond_initial_deal_at", "street"])
    return done(table, data={"hand": str(hand_id)})


@service("tables.settle_hand")
def settle_hand(command: Command, *, table_id: int, hand: LoggedHand) -> Outcome:
    """
    Settle a hand: who won what, rake and drop into their boxes, button and blinds on to the next hand.

    Never refused, only unreadable (`Malformed`: no winner named, a seat that the table does not have).
    A hand of another day's tablet that comes late is posted today and put on the floor's to-do.

    Rules: H1.82-H1.90, H4.26-H4.29, H7.16.
    """
    day, table, opening = _lock_for_hand(command, table_id)
    _check_readable(opening, hand)
    row = _known(table, hand.hand_id)
    if row is not None and row.status != Hand.Status.DEALT:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    begun = (
        _begin(command, day=day, table=table, opening=opening, hand=hand)
        if row is None
        else _Begun(row, _players(row), differences=[])
    )
    row, players = begun.row, begun.players
    hand = _with_progress(hand, row)
    row.dealer_id = command.by.staff_id
    settlement = settle_row(row, hand, game=opening.game, at=command.tapped_at, participants=len(players))
    post_settlement(row, day=day, table=table, command=command)
    _judge(begun, hand, table=table, at=command.at)
    _move_on(row, players, table=table, opening=opening)
    return done(
        table,
        "hand",
        "hand_number",
        data={
            "hand": str(hand.hand_id),
            "number": row.number,
            "rake_cents": row.rake_taken_cents,
            "drop_cents": row.drop_taken_cents,
            "push_cents": list(settlement.push_by_pot) if settlement else [],
        },
        audiences=("ledger",),
    )


@service("tables.skip_hand")
def skip_hand(command: Command, *, table_id: int, hand: LoggedHand) -> Outcome:
    """
    Record "hand not logged": button and blinds move on; rake and drop are asked for later.

    Only `hand.hand_id` and the positions are looked at.
    """
    day, table, opening = _lock_for_hand(command, table_id)
    row = _known(table, hand.hand_id)
    if row is not None and row.status != Hand.Status.DEALT:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    row = row or _begin(command, day=day, table=table, opening=opening, hand=hand).row
    not_logged(row, table=table, opening=opening, at=command.at, kind=ToDo.Kind.HAND_NOT_LOGGED)
    return done(table, "hand", "hand_number", data={"hand": str(hand.hand_id), "number": row.number})


@service("tables.void_hand")
def void_hand(command: Command, *, table_id: int, hand: LoggedHand, reason: str) -> Outcome:
    """
    Record a misdeal or a void hand: it is dealt again with the same button, blinds and newcomers.

    In the quick log no chips were posted, so none move (H3.19, H3.25). `reason` is "misdeal" or "void".

    :raises Malformed: another reason.
    """
    if reason not in {"misdeal", "void"}:
        raise Malformed(field="reason")
    day, table, opening = _lock_for_hand(command, table_id)
    row = _known(table, hand.hand_id)
    if row is not None and row.status != Hand.Status.DEALT:
        return done(table, data={"hand": str(hand.hand_id), "known": True})
    row = row or _begin(command, day=day, table=table, opening=opening, hand=hand).row
    row.status, row.reason = Hand.Status.VOID, reason
    row.ended_at, row.ended_by_id = command.tapped_at, command.by.staff_id
    row.save(update_fields=["status", "reason", "ended_at", "ended_by_id"])
    table.hand, table.hand_number = None, row.number - 1
    return done(table, "hand", "hand_number", data={"hand": str(hand.hand_id), "number": row.number, "reason": reason})


def _lock_for_hand(command: Command, table_id: int) -> tuple[GamingDay, Table, Opening]:
    """Lock day and table; a table that was closed meanwhile takes late hands on its last opening."""
    day = lock_open_day(command.room_id)
    table = lock_table(command, table_id)
    opening = table.opening
    if opening is None:
        opening = Opening.objects.filter(table=table).order_by("-id").select_related("game").first()
        if opening is None:
            raise TableClosed(table_number=table.number)
        leave_to_the_floor(table, ToDo.Kind.LATE_FACT, at=command.at, data={"command": str(command.id)})
    return day, table, opening


def _check_readable(opening: Opening, hand: LoggedHand) -> None:
    if not hand.winners or not all(hand.winners):
        raise Malformed(field="winners")
    if any(cents < 0 for cents in (*hand.pots, hand.rake_taken_cents or 0, hand.drop_taken_cents or 0)):
        raise Malformed(field="pots")
    named = {seat for seats in hand.winners for seat in seats} | set(hand.dealt_in)
    named |= {seat for seat in (hand.button, hand.small_blind, hand.big_blind) if seat is not None}
    if any(not 1 <= seat <= opening.game.seats for seat in named):
        raise NoSuchSeat(seats=opening.game.seats)


def _known(table: Table, hand_id: UUID) -> Hand | None:
    if table.hand is not None and table.hand.hand_id == hand_id:
        return table.hand
    return Hand.objects.filter(table=table, hand_id=hand_id).first()


@dataclass(frozen=True)
class _Begun:
    """A hand's row, its players' ids by seat, and what did not agree with the log when it was dealt."""

    row: Hand
    players: dict[int, int]
    differences: list[str]


def _players(row: Hand) -> dict[int, int]:
    """Return who was dealt in: player ids by seat."""
    return dict(HandSeat.objects.filter(hand=row).values_list("seat_number", "player_id"))


def _begin(command: Command, *, day: GamingDay, table: Table, opening: Opening, hand: LoggedHand) -> _Begun:
    """Make the row of a hand that nobody has heard of, with the players it was dealt to."""
    if table.hand is not None:
        # Deal was tapped for a hand that never was settled: the felt went on without the log.
        not_logged(table.hand, table=table, opening=opening, at=command.at, kind=ToDo.Kind.HAND_ABANDONED)
    seatings = seated(table.pk)
    asked = asked_hand(opening, opening.game, seatings)
    played = positions_on_the_felt(hand, positions_asked(asked))
    if played is None:
        raise Malformed(field="button")
    by_seat = {seating.seat_number: seating for seating in seatings}
    row = Hand.objects.create(
        room_id=table.room_id,
        table=table,
        opening=opening,
        day=day,
        number=table.hand_number + 1,
        hand_id=hand.hand_id,
        status=Hand.Status.DEALT,
        dealer_id=command.by.staff_id,
        rule_book_version_id=opening.rule_book_version_id,
        dealt_at=hand.dealt_at or command.tapped_at,
        button_seat=played.button,
        small_blind_seat=played.small_blind,
        big_blind_seat=played.big_blind,
        before=_before(opening, table, seatings, played),
    )
    players = _deal_in(row, played, asked, by_seat)
    table.hand_number = row.number
    return _Begun(row, players, differences(played, positions_asked(asked), seated=list(by_seat)))


def _differs(row: Hand, found: list[str], *, table: Table, at: datetime) -> None:
    if found:
        data = {"hand": row.number, "hand_row": row.pk, "what": found}
        leave_to_the_floor(table, ToDo.Kind.HAND_DIFFERS, at=at, data=data)


def _before(opening: Opening, table: Table, seatings: list[Seating], played: Positions) -> dict[str, object]:
    dealt_in = [seating for seating in seatings if seating.seat_number in played.dealt_in]
    newcomers = {seating.pk: seating.entry for seating in dealt_in if seating.entry != Seating.EntryKind.IN}
    return {"last": opening.last, "button_here": opening.button_here, "entries": newcomers}


def _deal_in(row: Hand, played: Positions, asked: NextHand | None, by_seat: dict[int, Seating]) -> dict[int, int]:
    posts = {post.seat_number: post for post in asked.posts} if asked else {}
    seats = []
    for number in played.dealt_in:
        if number not in by_seat:
            continue
        post = posts.get(number)
        seats.append(
            HandSeat(
                room_id=row.room_id,
                hand=row,
                player_id=by_seat[number].player_id,
                seat_number=number,
                post=post.kind.value if post else "",
                live_cents=post.live_cents if post else 0,
                dead_cents=post.dead_cents if post else 0,
            )
        )
    HandSeat.objects.bulk_create(seats)
    return {seat.seat_number: seat.player_id for seat in seats}


def _with_progress(hand: LoggedHand, row: Hand) -> LoggedHand:
    """A Flop that was tapped counts, even where the settlement forgot to say so."""
    if hand.beyond_initial_deal_at is None and row.beyond_initial_deal_at is not None:
        return replace(hand, beyond_initial_deal_at=row.beyond_initial_deal_at)
    return hand


def _judge(begun: _Begun, hand: LoggedHand, *, table: Table, at: datetime) -> None:
    row, found = begun.row, [*begun.differences]
    if not {seat for seats in hand.winners for seat in seats} <= begun.players.keys():
        found.append("winner_not_dealt_in")
    if hand.is_beyond_initial_deal and not hand.pots:
        found.append("pot_missing")
    _differs(row, found, table=table, at=at)
    if (row.rake_taken_cents, row.drop_taken_cents) != (row.rake_due_cents, row.drop_due_cents):
        taken = {
            "hand": row.number,
            "hand_row": row.pk,
            "rake_due_cents": row.rake_due_cents,
            "rake_taken_cents": row.rake_taken_cents,
            "drop_due_cents": row.drop_due_cents,
            "drop_taken_cents": row.drop_taken_cents,
        }
        leave_to_the_floor(table, ToDo.Kind.RAKE_DIFFERS, at=at, data=taken)


def _move_on(row: Hand, players: dict[int, int], *, table: Table, opening: Opening) -> None:
    """Carry button, blinds and newcomers over to the next hand."""
    last = LastHand(
        button_seat=row.button_seat,
        button_player_id=players.get(row.button_seat),
        small_blind_seat=row.small_blind_seat,
        small_blind_player_id=players.get(row.small_blind_seat) if row.small_blind_seat else None,
        big_blind_seat=row.big_blind_seat,
        big_blind_player_id=players.get(row.big_blind_seat, 0),
        was_heads_up=len(players) == 2,
    )
    opening.last = stored_last_hand(last)
    opening.button_here = None
    opening.save(update_fields=["last", "button_here"])
    # Whoever was dealt in has posted what was asked, or the felt let them play: they are in the blinds now.
    newcomers = [int(seating_id) for seating_id in row.before["entries"]]
    if newcomers:
        Seating.objects.filter(id__in=newcomers, left_at=None).update(entry=Seating.EntryKind.IN)
    table.hand = None


def not_logged(row: Hand, *, table: Table, opening: Opening, at: datetime, kind: ToDo.Kind) -> None:
    """End a hand without its pot: button and blinds move on, and the floor is asked for rake and drop."""
    row.status = Hand.Status.NOT_LOGGED
    row.ended_at = at
    row.save(update_fields=["status", "ended_at"])
    leave_to_the_floor(table, kind, at=at, data={"hand": row.number, "hand_row": row.pk})
    _move_on(row, _players(row), table=table, opening=opening)
