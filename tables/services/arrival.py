"""Where a hand belongs that arrives: in which game it was played, and whether newer ones were there before it."""

from dataclasses import dataclass
from datetime import datetime

from casino.commands.carrying_out import Command
from casino.rooms.models import GamingDay
from casino.rows import read
from tables.errors import TableClosed
from tables.models import Hand, Opening, Table
from tables.rules.logged import LoggedHand
from tables.selectors.same_hand import undone_hand
from tables.services.state import lock_day_and_table_for_fact, opening_of

# A correction is no hand of its own. What was dealt later than now was dealt before the clock was set back: it is
# older, whatever it says.
_NEWER = "WHERE opening_id = %s AND corrects_id IS NULL AND dealt_at > %s AND dealt_at <= %s LIMIT 1"
# By their ids: each is found by an index of its own, and of the newer ones the first that there is.
_KNOWN_OR_NEWER = f"""WHERE id IN (
    (SELECT id FROM tables_hand WHERE table_id = %s AND hand_id = %s), (SELECT id FROM tables_hand {_NEWER})
    )"""  # noqa: S608 - texts of our own


@dataclass(frozen=True)
class Arrival:
    """
    A logged hand at its locked table.

    `row` is what the log has of it, None for one that nobody has heard of; `is_over`: it has ended there before.
    `is_late`: hands dealt after it are in the log, or its game has been closed; what it says of button and blinds
    is past, and moves nothing. `again_of` is the undone hand that it logs again: it was dealt when that one was, under
    the same terms.
    """

    day: GamingDay
    table: Table
    opening: Opening
    hand: LoggedHand
    played_at: datetime
    row: Hand | None = None
    is_over: bool = False
    is_late: bool = False
    again_of: Hand | None = None


def arrive(command: Command, table_id: int, hand: LoggedHand) -> Arrival:
    """
    Lock day and table, and find where the hand belongs.

    A tablet without a connection sends its hands when it is back: by then another tablet may have logged newer
    ones, or the table have been closed and opened with another game. The hand says which game its tablet showed,
    whatever its clock said; where it does not, the moment tells.

    :raises TableClosed: the table has never run a game.
    """
    day, table = lock_day_and_table_for_fact(command, table_id)
    played_at = hand.played_at(command.tapped_at)
    row, is_late = _known(table, hand, played_at, now=command.at)
    again_of = undone_hand(table, hand.again_of)
    if row is not None:
        is_over = row.status != Hand.Status.DEALT
        return Arrival(day, table, row.opening, hand, played_at, row, is_over=is_over, again_of=again_of)
    opening = again_of.opening if again_of is not None and hand.fits(again_of.opening.game.seats) else None
    opening = opening or _named(table, hand) or _played_in(table, hand, played_at, now=command.at)
    is_late = is_late or opening.pk != table.opening_id
    # Only now: whether it is late is told by its own moment, for between the undo and this log nothing else was played.
    if again_of is not None and again_of.dealt_at is not None:
        played_at = again_of.dealt_at
    return Arrival(day, table, opening, hand, played_at, is_late=is_late, again_of=again_of)


def _known(table: Table, hand: LoggedHand, at: datetime, *, now: datetime) -> tuple[Hand | None, bool]:
    """
    Return the row that the log has of a hand, None for one that nobody has heard of; and then whether a newer one was
    dealt in what the table runs, as `has_newer` tells. One query, none for the hand in progress.
    """
    if table.hand is not None and table.hand.hand_id == hand.hand_id:
        assert table.opening is not None, "a hand in progress belongs to what the table runs"
        table.hand.opening = table.opening
        return table.hand, False
    found = read(Hand, _KNOWN_OR_NEWER, table.pk, hand.hand_id, table.opening_id, at, now)
    row = next((each for each in found if each.hand_id == hand.hand_id), None)
    return row, row is None and bool(found)


def _named(table: Table, hand: LoggedHand) -> Opening | None:
    """Return the game that a hand names, if this table ran it and it had the seats that the hand names too."""
    if hand.opening_id is None:
        return None
    opening = table.opening
    if opening is None or opening.pk != hand.opening_id:
        opening = Opening.objects.filter(id=hand.opening_id, table=table).select_related("game").first()
    return opening if opening is not None and hand.fits(opening.game.seats) else None


def _played_in(table: Table, hand: LoggedHand, at: datetime, *, now: datetime) -> Opening:
    """
    Return the game in which a hand was played: the one of that moment, unless the hand names a seat that it never had.

    Then the tablet's clock was wrong, and it is a hand of what the table runs now.
    """
    opening = _opening_at(table, at, now=now)
    is_now = table.opening is None or opening.pk == table.opening_id
    return opening if is_now or hand.fits(opening.game.seats) else opening_of(table)


def _opening_at(table: Table, at: datetime, *, now: datetime) -> Opening:
    """
    Return what the table ran at that moment; what it runs or ran last, if it ran nothing before.

    A game that was opened later than now was opened before the clock was set back, and is what the table runs.
    """
    if table.opening is not None and not at < table.opening.opened_at <= now:
        return table.opening
    openings = Opening.objects.filter(table=table).select_related("game").order_by("-id")
    opening = openings.filter(opened_at__lte=at).first() or table.opening or openings.first()
    if opening is None:
        raise TableClosed(table_number=table.number)
    return opening


def has_newer(opening: Opening, at: datetime, *, now: datetime) -> bool:
    """Say whether a hand of this game was dealt after that moment."""
    return bool(read(Hand, _NEWER, opening.pk, at, now))
