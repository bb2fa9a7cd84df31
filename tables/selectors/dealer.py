"""The dealer's tablet: one table as its dealer sees it, and what the tablet needs to go on alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString, NamedTuple
from zoneinfo import ZoneInfo

from django.db import connection

from casino.cage.selectors.money import for_seats
from casino.errors import NotFound
from casino.people.erased import shown_nickname
from casino.poker.missed import Missed
from casino.poker.positions import ButtonRule, NextHand
from casino.poker.seats import clockwise
from casino.poker.straddles import Straddle
from casino.reading import answer_ahead, read_once
from casino.rooms.models import GamingDay
from casino.rooms.selectors import room_of
from casino.rows import read_beside, read_joined
from casino.text import isolated
from tables.acts import acts_of
from tables.charges import on_tablet
from tables.claims import claims
from tables.models import Game, Hand, Opening, Seating, Table
from tables.selectors.coming import Coming, coming_after
from tables.selectors.continued import openings_of_game
from tables.selectors.dealer_shown import (
    DealerScreen,
    HandStart,
    Holder,
    InProgress,
    LaidDown,
    Last,
    Offer,
    PostShown,
    PotsAndCharges,
    Requested,
    Seat,
    Undone,
    WayIn,
)
from tables.selectors.next_hand import seated
from tables.selectors.places import before_of, held_on, places_of, seatings_of
from tables.selectors.played_over import missed_before_paid, way_back
from tables.selectors.time_charges import time_due
from tables.terms import Terms

# More hands than a table deals in half an hour: no connection stays away longer unnoticed.
HANDS_AHEAD = 30


_TABLE = """FROM tables_table
    LEFT JOIN tables_opening ON tables_opening.id = tables_table.opening_id
    LEFT JOIN tables_game ON tables_game.id = tables_opening.game_id
    LEFT JOIN tables_hand ON tables_hand.id = tables_table.hand_id
    LEFT JOIN rooms_gamingday ON rooms_gamingday.id = tables_opening.day_id
    WHERE tables_table.room_id = %s AND tables_table.number = ANY(%s)"""
_DEALT = """
    SELECT seat.hand_id, seat.seat_number, seat.player_id, seat.post, seat.live_cents, seat.dead_cents, player.nickname
    FROM tables_handseat seat JOIN people_player player ON player.id = seat.player_id
    WHERE seat.hand_id = ANY(%s) ORDER BY seat.seat_number"""


class _DealtSeat(NamedTuple):
    """A seat that was dealt into a hand (its row's id), with what it posted and who sat there, as it is stored."""

    hand_id: int
    seat_number: int
    player_id: int
    post: str
    live_cents: int
    dead_cents: int
    nickname: str


@read_once
def dealer_screen(*, room_id: int, number: int) -> DealerScreen:
    """
    Return the dealer's screen of a table. Six queries at most, one more where it went on otherwise, one where the
    rack sells, two more where the game charges by the time, and five where both; two more for each player who is
    played over. Three or four fewer where `read_tables` has read them.

    :raises NotFound: the room has no such table.
    """
    stored = _one_as_stored(room_id, number)
    if stored is None:
        raise NotFound(what="table")
    table, day, newest, dealt = stored.table, stored.day, stored.newest, stored.dealt
    opening, room = table.opening, room_of(room_id)
    seatings = seated(table.pk) if opening else []
    players = {seat.seat_number: seat.player_id for seat in dealt[table.hand.pk]} if table.hand else {}
    coming = coming_after(opening, seatings, table.hand, players) if opening else None
    ahead = _ahead(coming) if coming else ()
    button = opening.game.button if opening else ""
    seats = seatings_of(seatings)
    return DealerScreen(
        table=table.number,
        version=table.version,
        opening_id=table.opening_id,
        currency=room.currency,
        locale=room.locale,
        hand_number=table.hand_number,
        offer=_offer(opening) if opening else None,
        seats=_seats(coming, table, seatings, ZoneInfo(room.time_zone)) if coming else (),
        hand=_in_progress(table.hand, dealt, seatings) if table.hand else None,
        last=_last(newest, dealt, seats) if newest else None,
        undone=_undone(table, opening, newest),
        ahead=ahead,
        places=places_of(opening, seats) if opening else None,
        is_draw_due=opening is not None and opening.draw is None and opening.last is None and table.hand is None,
        time=time_due(opening, seatings) if opening else None,
        is_first=opening is not None and opening.last is None,
        won_button=opening.button_lies_at if opening and button == ButtonRule.TO_THE_WINNER else None,
        betting_button=_betting_button(opening, ahead) if opening and button == ButtonRule.TWO_BUTTONS else None,
        warning_minutes=opening.terms.absence.warning_minutes if opening else 0,
        has_long_break=opening is not None and opening.terms.timers.long_break_minutes > 0,
        is_held=bool(table.held_for),
        is_day_over=day is not None and day.closed_at is not None,
        last_hand_number=opening.last_hand_number if opening else None,
        requested=_requested(room_id, table) if opening and opening.terms.dealers.rack.sells else (),
    )


def read_tables(*, room_id: int, shown: Sequence[Mapping[str, int]]) -> None:
    """
    Read what the tablets of these tables (`{"number": 4}`) show of them, for the snapshot that is being read: three
    queries for all, one more for each that went on otherwise.
    """
    numbers = [each["number"] for each in shown]
    stored = _as_stored(room_id, numbers)
    for number in numbers:
        answer_ahead(_one_as_stored, stored.get(number), room_id, number)


@read_once
def _one_as_stored(room_id: int, number: int) -> "_AsStored | None":
    return _as_stored(room_id, [number]).get(number)


def _as_stored(room_id: int, numbers: Sequence[int]) -> "dict[int, _AsStored]":
    tables, days = {}, {}
    rows = read_joined((Table, Opening, Game, Hand, GamingDay), _TABLE, room_id, list(numbers))
    for table, opening, game, table.hand, day in rows:
        if opening is not None:
            table.opening, opening.game = opening, game
        tables[table.number], days[table.number] = table, day
    newest = _newest_hands([table.opening for table in tables.values() if table.opening])
    dealt = _dealt([*(table.hand for table in tables.values()), *(each.hand for each in newest.values())])
    return {number: _AsStored(table, days[number], newest.get(table.pk), dealt) for number, table in tables.items()}


def _requested(room_id: int, table: Table) -> tuple[Requested, ...]:
    """Return what the table's seats wait for from the cage, oldest first. One query, which the felt asks too."""
    at_table = [(slip, slip.seat) for slip in for_seats(room_id) if slip.seat and slip.seat.table == table.pk]
    return tuple(Requested(seat.seating, slip.pk, slip.version, slip.amount_cents) for slip, seat in at_table)


def _betting_button(opening: Opening, ahead: Sequence[HandStart]) -> int | None:
    # Before the first hand it lies where the other one does.
    return opening.betting_button or (ahead[0].button if ahead else None)


# Beside a hand: its pots, the main pot first, and what was taken of each kind of charge.
_LOGGED: LiteralString = """(
    SELECT json_agg(json_build_object('cents', cents, 'winner_seats', winner_seats) ORDER BY index)
    FROM tables_handpot WHERE hand_id = tables_hand.id
), (
    SELECT json_object_agg(kind, taken_cents ORDER BY id) FROM tables_handcharge WHERE hand_id = tables_hand.id
)"""

# Of the game without a break (`openings_of_game`): the newest hand that stands. Beside it whether anything was dealt
# since, and the newest that was undone after it. What came late is neither the newest hand nor a next one: it is the
# floor's. What was caught up from paper is a next one, and no more.
_SINCE = """FROM tables_hand since WHERE since.table_id = tables_hand.table_id AND since.id > tables_hand.id
    AND since.corrects_id IS NULL AND (since.before <> '{}' OR since.from_sheet IS NOT NULL)"""
_BESIDE_NEWEST = f"""{_LOGGED}, EXISTS (SELECT {_SINCE}), (
    SELECT since.id {_SINCE} AND since.opening_id = ANY(%s) AND since.status = 'undone' ORDER BY since.id DESC LIMIT 1
)"""
# Of each opening by the index, whose first row it is: an evening's hands would be read through for each push.
_NEWEST = """WHERE tables_hand.id = ANY(ARRAY(
    SELECT DISTINCT ON (of_game.table_id) newest.id
    FROM unnest(%s::bigint[], %s::bigint[]) AS of_game (table_id, opening_id) CROSS JOIN LATERAL (
        SELECT id, number FROM tables_hand
        WHERE opening_id = of_game.opening_id AND status IN ('settled', 'not_logged') AND before <> '{}'
        ORDER BY number DESC, id DESC LIMIT 1
    ) newest ORDER BY of_game.table_id, newest.number DESC, newest.id DESC
))"""


@dataclass(frozen=True)
class _Newest:
    """
    The newest hand that stands, with what was logged of it; `undone_id` is the newest that was undone after it.

    `is_old`: something was dealt since, or the table goes on otherwise: the floor corrects it.
    """

    hand: Hand
    pots_and_charges: PotsAndCharges
    winner_seats: Sequence[int]
    is_old: bool
    undone_id: int | None


@dataclass(frozen=True)
class _AsStored:
    """What is stored of a table and of the day it runs in, and who was dealt into its hands, by hand's row."""

    table: Table
    day: GamingDay | None
    newest: _Newest | None
    dealt: Mapping[int, Sequence[_DealtSeat]]


def _newest_hands(openings: Sequence[Opening]) -> dict[int, _Newest]:
    """Return the newest hand that stands at each table that runs one of these, but before the first. One query."""
    if not openings:
        return {}
    now = {opening.table_id: opening.pk for opening in openings}
    of_game = [(opening.table_id, each) for opening in openings for each in openings_of_game(opening)]
    found = {}
    for hand, pots, taken, is_followed, undone_id in read_beside(
        Hand, _BESIDE_NEWEST, _NEWEST, list(now.values()), *map(list, zip(*of_game, strict=True))
    ):
        is_old = is_followed or hand.opening_id != now[hand.table_id] or hand.from_sheet is not None
        won = sorted({number for pot in pots or () for number in pot["winner_seats"]})
        found[hand.table_id] = _Newest(hand, _pots_and_charges(hand, pots, taken), won, is_old, undone_id)
    return found


_LEFT_UNDONE = """WHERE opening_id = %s AND status = 'undone' AND number = %s AND (%s::bigint IS NULL OR id = %s)
    ORDER BY id DESC LIMIT 1"""


def _undone(table: Table, opening: Opening | None, newest: _Newest | None) -> Undone | None:
    """Return the undone hand that is still to be logged again, by its number. No query where none was undone."""
    if opening is None or (newest is not None and newest.undone_id is None):
        return None
    number, undone_id = table.hand_number + (0 if table.hand else 1), newest.undone_id if newest else None
    for hand, pots, taken in read_beside(Hand, _LOGGED, _LEFT_UNDONE, opening.pk, number, undone_id, undone_id):
        return Undone(str(hand.hand_id), hand.number, _pots_and_charges(hand, pots, taken), _dealt_at(hand))
    return None


def _dealt_at(hand: Hand) -> str | None:
    return hand.dealt_at.isoformat() if hand.dealt_at else None


def _dealt(hands: Iterable[Hand | None]) -> dict[int, list[_DealtSeat]]:
    """Return who was dealt into these hands, by hand's row, in the order of the seats. One query."""
    dealt: dict[int, list[_DealtSeat]] = {hand.pk: [] for hand in hands if hand is not None}
    if dealt:
        # Of twenty rows each push uses half a dozen values: models of hand and player would take as long as the rest.
        with connection.cursor() as cursor:
            cursor.execute(_DEALT, [list(dealt)])
            for seat in map(_DealtSeat._make, cursor.fetchall()):
                dealt[seat.hand_id].append(seat)
    return dealt


def _seats(coming: Coming, table: Table, seatings: Sequence[Seating], zone: ZoneInfo) -> tuple[Seat, ...]:
    opening, called = coming.opening, claims().promises_at(table.pk)
    terms = opening.terms.absence
    by_seat = {
        number: Seat(
            number,
            called=isolated(promise.player.nickname),
            called_until=promise.until.isoformat() if promise.until else "",
        )
        for number, promise in called.items()
    }
    by_seat |= {
        seating.seat_number: Seat(
            number=seating.seat_number,
            seating=seating.pk,
            version=seating.version,
            name=isolated(seating.player.nickname),
            entry=seating.entry,
            missed=Missed(seating.missed).markers,
            straddles=seating.straddles,
            is_held=seating.is_held,
            away=_away(seating, zone),
            until=_until(seating),
            late=_late(seating, buttons_max=terms.buttons_max),
            has_chips=seating.chips_in_cents > 0,
            sees_floor=seating.barred_since is not None,
            wants_seat_change=seating.change_wished_at is not None,
            holder=_holder(seating, zone, buttons_max=terms.buttons_max),
            joins_hand=None if (joins := coming.joins(seating)) is None else table.hand_number + 1 + joins,
        )
        for seating in seatings
    }
    return tuple(by_seat.get(number, Seat(number)) for number in range(1, opening.game.seats + 1))


def _away(seating: Seating, zone: ZoneInfo) -> str:
    return f"{seating.away_since.astimezone(zone):%H:%M}" if seating.away_since else ""


def _until(seating: Seating) -> str:
    return seating.away_limit_at.isoformat() if seating.away_limit_at else ""


def _late(seating: Seating, *, buttons_max: int) -> str:
    if not seating.is_held or seating.away_limit_at is not None or not buttons_max:
        return ""
    left = buttons_max - seating.buttons_passed
    return "over" if left <= 0 else "soon" if left == 1 else ""


def _holder(over: Seating, zone: ZoneInfo, *, buttons_max: int) -> Holder | None:
    if (holder := over.holder) is None:
        return None
    paid = missed_before_paid(holder, over)
    missed = way_back(holder, over, paid)
    return Holder(
        seating=holder.pk,
        version=holder.version,
        name=isolated(holder.player.nickname),
        missed=None if missed is None else missed.markers,
        entry=holder.entry,
        markers=Missed(holder.missed).markers,
        paid=None if paid is None else paid.markers,
        straddles=holder.straddles,
        is_held=holder.is_held,
        away=_away(holder, zone),
        until=_until(holder),
        late=_late(holder, buttons_max=buttons_max),
        has_chips=holder.chips_in_cents > 0,
        sees_floor=holder.barred_since is not None,
    )


def _ahead(coming: Coming) -> tuple[HandStart, ...]:
    hands = coming.hands(coming.occupants, count=HANDS_AHEAD)
    # They go round: mostly the same ten, three times.
    starts = {id(hand): _start(hand) for hand in {id(hand): hand for hand in hands}.values()}
    return tuple(starts[id(hand)] for hand in hands)


def _start(hand: NextHand) -> HandStart:
    posts = tuple(PostShown(post.seat_number, post.kind.value, post.live_cents, post.dead_cents) for post in hand.posts)
    laid_down = tuple(LaidDown(seat, missed.markers) for seat, missed in hand.missed)
    return HandStart(hand.button, hand.small_blind, hand.big_blind, hand.dealt_in, posts, laid_down)


def _played(hand: Hand, dealt: Sequence[_DealtSeat], laid_down: tuple[LaidDown, ...] = ()) -> HandStart:
    posts = tuple(
        PostShown(seat.seat_number, seat.post, seat.live_cents, seat.dead_cents) for seat in dealt if seat.post
    )
    # The dealing order, the button last (H4.1).
    numbers = [seat.seat_number for seat in dealt]
    order = clockwise(numbers, after=hand.button_seat or 0)
    return HandStart(hand.button_seat, hand.small_blind_seat, hand.big_blind_seat, order, posts, laid_down)


def _in_progress(hand: Hand, dealt: Mapping[int, Sequence[_DealtSeat]], seatings: Sequence[Seating]) -> InProgress:
    kept = hand.in_turn
    missed = kept.laid_down if kept else {}
    laid_down = tuple(LaidDown(s.seat_number, Missed(missed[s.pk]).markers) for s in seatings if s.pk in missed)
    players = {seat.seat_number: seat.player_id for seat in dealt[hand.pk]}
    seats = seatings_of(seatings)
    return InProgress(
        hand_id=str(hand.hand_id),
        number=hand.number,
        is_beyond=hand.beyond_initial_deal_at is not None,
        start=_played(hand, dealt[hand.pk], laid_down),
        dealt_at=_dealt_at(hand),
        beyond_at=hand.beyond_initial_deal_at.isoformat() if hand.beyond_initial_deal_at else None,
        held=held_on(hand.as_last(players), seats),
        names=_names(dealt[hand.pk]),
        seatings=tuple(seats[player] for player in players.values() if player in seats),
        before=before_of(hand, seats),
        gives_back=tuple((holder, over or 0) for holder, over in kept.gives_back.items()) if kept else (),
    )


def _names(dealt: Sequence[_DealtSeat]) -> dict[int, str]:
    return {seat.seat_number: isolated(shown_nickname(seat.nickname)) for seat in dealt}


def _last(newest: _Newest, dealt: Mapping[int, Sequence[_DealtSeat]], seatings: Mapping[int, int]) -> Last:
    hand = newest.hand
    names = _names(dealt[hand.pk])
    return Last(
        hand_id=str(hand.hand_id),
        number=hand.number,
        dealt_at=_dealt_at(hand),
        status=hand.status,
        dealer_id=hand.dealer_id,
        pot=hand.pot_cents,
        is_at_least=hand.pot_is_at_least,
        winners=tuple(names.get(number, str(number)) for number in newest.winner_seats),
        start=_played(hand, dealt[hand.pk]),
        can_undo=not newest.is_old,
        logged=newest.pots_and_charges,
        before=None if newest.is_old else before_of(hand, seatings),
    )


def _pots_and_charges(
    hand: Hand, pots: Sequence[Mapping[str, Any]] | None, taken: Mapping[str, int] | None
) -> PotsAndCharges:
    return PotsAndCharges(
        pots=tuple(pot["cents"] for pot in pots or () if pot["cents"] is not None),
        is_at_least=hand.pot_is_at_least,
        is_without_flop=hand.street == "initial",
        taken=tuple((taken or {}).items()),
    )


def _ways(terms: Terms, missed: Missed) -> tuple[WayIn, ...]:
    return tuple(WayIn(way.entry.value, way.live_cents, way.dead_cents) for way in terms.ways_in(missed))


def _offer(opening: Opening) -> Offer:
    game = opening.game
    return Offer(
        name=game.name,
        structure=game.structure,
        small_blind=game.small_blind_cents,
        big_blind=game.big_blind_cents,
        buy_in_min=game.buy_in_min_cents,
        buy_in_max=game.buy_in_max_cents,
        buy_ins=opening.terms.quick_buy_ins,
        chip=game.chip_cents,
        has_straddles=game.straddle != Straddle.OFF,
        straddle=game.straddle,
        button=game.button,
        players_min=game.players_min,
        may_two_go_on=game.may_two_go_on,
        ways=tuple(_ways(opening.terms, missed) for missed in Missed),
        charges=on_tablet(game.charges, by_time=opening.terms.time_kind, free_until=opening.free_until),
        acts=acts_of(game),
        sells=opening.terms.dealers.rack.sells,
    )
