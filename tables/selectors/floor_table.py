"""One table as the floor sees it: seats, the expected hand, the hands of the day, the ledger's figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import prefetch_related_objects

from casino import clock
from casino.cage.models import Slip
from casino.live.todo import ToDoLine, in_order
from casino.people.selectors import staff_names
from casino.poker.positions import NextHand
from casino.reading import read_once
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import room_of
from tables.charges import ChargeKind, alternatives, charge_kinds
from tables.chart import RACK, RACK_CASH
from tables.claims import claims
from tables.models import Game, Hand, HandPot, HandSeat, Seating, Table
from tables.owners import table_figures
from tables.selectors.absences import answered_wish, lines_of_seats
from tables.selectors.next_hand import next_hand_at, seated
from tables.selectors.penalties import penalties_of
from tables.selectors.running import Dealing, Pace, dealers_by_place, paces
from tables.selectors.todo import todo_lines, with_clauses
from tables.selectors.todo_loose import loose_ends
from tables.selectors.todo_time import time_lines

# The table's page shows the newest hands; the day's page has them all.
HANDS_SHOWN = 30


@dataclass(frozen=True)
class Seat:
    """
    One seat: empty without a `seating`. `marks` are "button", "small_blind", "big_blind" of the next hand; `comes_in`
    where its player still waits for that, or pays beside the two blinds.
    """

    number: int
    seating: Seating | None
    marks: tuple[str, ...]
    comes_in: bool
    requested_cents: int | None


@dataclass(frozen=True)
class ChargeRow:
    """What one kind of charge took from a hand, in cents."""

    kind: ChargeKind
    due_cents: int
    taken_cents: int

    @property
    def differs(self) -> bool:
        return self.due_cents != self.taken_cents


@dataclass(frozen=True)
class HandRow:
    """A hand as the floor reads it. `winners` are nicknames, `dealer` is who logged it ("" for nobody)."""

    hand: Hand
    dealer: str
    winners: tuple[str, ...]

    @property
    def ended_at(self) -> datetime | None:
        return self.hand.settled_at or self.hand.ended_at or self.hand.dealt_at

    @property
    def charges(self) -> Sequence[ChargeRow]:
        """Return what each kind of charge took, also those that took nothing."""
        return [ChargeRow(kind, self.hand.due(kind.code), self.hand.taken(kind.code)) for kind in charge_kinds()]

    @property
    def may_be_corrected(self) -> bool:
        return self.hand.status == Hand.Status.SETTLED

    @property
    def may_be_supplied(self) -> bool:
        return self.hand.status == Hand.Status.NOT_LOGGED


@dataclass(frozen=True)
class Figures:
    """
    The ledger's figures of a table, in cents. What should lie in its boxes and its rack is none of them: whoever may
    count or sign there must not know it, only whether there is a rack (`has_rack`).
    """

    in_play: int
    tip_box: int
    has_rack: bool

    @property
    def beyond_play(self) -> int:
        """Return what was counted beyond what lay in play."""
        return -self.in_play


@dataclass(frozen=True)
class FloorTable:
    """Everything on the floor's page of one table."""

    room: Room
    table: Table
    game: Game | None
    day: GamingDay | None
    seats: Sequence[Seat]
    dealing: Dealing | None
    pace: Pace | None
    todo: Sequence[ToDoLine]
    hands: Sequence[HandRow]
    figures: Figures

    @property
    def filled(self) -> int:
        return sum(seat.seating is not None for seat in self.seats)

    @property
    def is_day_over(self) -> bool:
        """Whether it plays on over its day's end and the next day is not open: what is tapped there waits."""
        return self.table.opening is not None and self.day is not None and self.day.closed_at is not None

    @property
    def hands_left(self) -> int | None:
        return self.table.opening.hands_left(self.table.hand_number) if self.table.opening else None

    @property
    def has_time(self) -> bool:
        """Whether its game charges by the time, or leaves that to its players (H7.18)."""
        game = self.game
        return game is not None and (game.time_charge is not None or bool(alternatives(game.charges)))

    @property
    def keeps_rack(self) -> bool:
        opening = self.table.opening
        return self.figures.has_rack or (opening is not None and opening.terms.dealers.rack.is_kept)

    @property
    def has_begun(self) -> bool:
        opening = self.table.opening
        return opening is not None and (opening.last is not None or self.table.hand_id is not None)


@read_once
def find_table(room_id: int, number: int) -> Table | None:
    """Return a table with what it runs and the hand in progress. One query."""
    tables = Table.objects.select_related("opening__game", "hand")
    return tables.filter(room_id=room_id, number=number).first()


@read_once
def last_day(table: Table) -> GamingDay | None:
    """
    Return the gaming day on which the table was opened last, whether or not it has closed since. One query.

    What a table's page shows hangs on the table's own rows: opening or closing a day changes nothing on it but where
    the table plays on over the day's end.
    """
    return GamingDay.objects.filter(opening__table=table).order_by("-opening__id").first()


def floor_table(room_id: int, table: Table) -> FloorTable:
    """
    Return the floor's page of one table. Fifteen queries at most, however many hands there are; two more where its
    game charges by the time, one where somebody is watched who sits there.
    """
    room = room_of(room_id)
    day = last_day(table)
    seatings = seated(table.pk)
    dealers = dealers_by_place(room_id)
    loose = loose_ends(room_id, table_id=table.pk, day_id=day.pk if day else None)
    opening = table.opening
    is_drawn = opening is not None and (opening.draw, opening.last, table.hand) != (None, None, None)
    next_hand = next_hand_at(opening, seatings) if opening and is_drawn else None
    by_table = {table.pk: seatings}
    sits = (each.player for seating in seatings for each in (seating.holder, seating) if each)
    watched = [player.pk for player in sits if player.is_watched]
    penalties = penalties_of(watched, at=clock.now()) if watched else {}
    seats = lines_of_seats(room, tables=[table], seatings=by_table, penalties=penalties)
    if opening is not None:
        seats += answered_wish(table, seatings, claims().promises_at(table.pk))
    lines = with_clauses(
        in_order(
            todo_lines(room, tables=[table], seatings=by_table, dealers=dealers, loose=loose, more=seats),
            time_lines(room, [table], by_table),
        ),
        [table],
    )
    return FloorTable(
        room=room,
        table=table,
        game=opening.game if opening else None,
        day=day,
        seats=_seats(opening.game, seatings, next_hand, loose.slips) if opening else (),
        dealing=dealers.get(table.place_id),
        pace=paces([table]).get(opening.pk) if opening else None,
        todo=[line for line in lines if line.table_number == table.number and line.how == "sheet"],
        hands=hand_rows(table.pk, day, most=HANDS_SHOWN),
        figures=figures(table.pk),
    )


def departures(table: Table) -> list[Seating]:
    """Return who has left the table on its day, the last one first. Two queries."""
    left = Seating.objects.filter(table=table, left_at__isnull=False, opening__day=last_day(table))
    # Whoever was moved here by mistake and went back has not left.
    left = left.exclude(moved_from__taken_back_at__isnull=False)
    return list(left.select_related("player").order_by("-left_at", "-id"))


def _seats(game: Game, seatings: Sequence[Seating], next_hand: NextHand | None, slips: Sequence[Slip]) -> list[Seat]:
    by_number = {seating.seat_number: seating for seating in seatings}
    waiting = {slip.seat.seating: slip.amount_cents for slip in slips if slip.seat}
    return [
        Seat(
            number=number,
            seating=by_number.get(number),
            marks=marks_of(number, next_hand),
            comes_in=next_hand is None or _comes_in(number, next_hand),
            requested_cents=waiting.get(by_number[number].pk) if number in by_number else None,
        )
        for number in range(1, game.seats + 1)
    ]


def _comes_in(number: int, next_hand: NextHand) -> bool:
    if number not in next_hand.dealt_in:
        return True
    beside = {post.seat_number for post in next_hand.posts} - {next_hand.small_blind, next_hand.big_blind}
    return number in beside


def marks_of(number: int, next_hand: NextHand | None) -> tuple[str, ...]:
    """Return what the next hand brings a seat: "button", "small_blind", "big_blind", "betting_button"."""
    if next_hand is None:
        return ()
    places = {
        "button": next_hand.button,
        "small_blind": next_hand.small_blind,
        "big_blind": next_hand.big_blind,
        "betting_button": next_hand.betting_button,
    }
    return tuple(name for name, seat in places.items() if seat == number)


@read_once
def hand_rows(table_id: int, day: GamingDay | None, *, most: int, before_id: int | None = None) -> list[HandRow]:
    """Return the hands of a day at a table, newest first, at most `most` below `before_id`. Four queries at most."""
    if day is None:
        return []
    logged = Hand.objects.filter(table_id=table_id, day=day)
    if before_id is not None:
        logged = logged.filter(id__lt=before_id)
    hands = list(logged.order_by("-number", "-id")[:most])
    return with_names(hands)


def with_names(hands: Sequence[Hand]) -> list[HandRow]:
    """Return hands with their charges and the names of who dealt and who won them. Four queries at most."""
    if not hands:
        return []
    prefetch_related_objects(hands, "charges")
    dealers = staff_names(hand.dealer_id for hand in hands if hand.dealer_id is not None)
    ids = [hand.pk for hand in hands]
    winners: dict[int, set[int]] = {}
    for hand_id, seats in HandPot.objects.filter(hand_id__in=ids).values_list("hand_id", "winner_seats"):
        winners.setdefault(hand_id, set()).update(seats)
    names = _names_by_seat(hands)
    return [
        HandRow(
            hand=hand,
            dealer=dealers.get(hand.dealer_id, "") if hand.dealer_id else "",
            winners=tuple(names.get((hand.pk, seat), str(seat)) for seat in sorted(winners.get(hand.pk, ()))),
        )
        for hand in hands
    ]


def _names_by_seat(hands: Sequence[Hand]) -> Mapping[tuple[int, int], str]:
    rows = HandSeat.objects.filter(hand__in=[hand.pk for hand in hands])
    names = rows.values_list("hand_id", "seat_number", "player__nickname")
    return {(hand_id, seat): nickname for hand_id, seat, nickname in names}


@read_once
def figures(table_id: int) -> Figures:
    """Return what the ledger says of a table. One query."""
    balances = table_figures(table_id)
    return Figures(
        in_play=balances.get("in_play", 0),
        tip_box=balances.get("tip_box", 0),
        has_rack=bool(balances.get(RACK) or balances.get(RACK_CASH)),
    )
