"""Periods of the time charge, and decks, as a sheet of paper has them: whether they fit, and what records them."""

from datetime import datetime

from casino.commands.carrying_out import Command
from casino.paper.entered import Entered
from casino.paper.errors import DeckChangedSince, NobodyPaid, PeriodAhead, PeriodKnown, clock_time
from casino.poker.time_charge import TimeCharge
from casino.rooms.models import GamingDay
from tables.errors_time import NoTimeCharge, TimeNotDue
from tables.models import DeckChange, Opening, Table, TimeTaken
from tables.rules.time_paid import check_paid
from tables.selectors.next_hand import seated_at
from tables.selectors.time_charges import play_began_at
from tables.services.time_charges import A_MINUTE, put_in_box


def check_time_and_decks(table: Table, opening: Opening, entered: Entered, *, zone: str) -> None:
    """
    Check that what was taken by the time, and the decks, go on from what Brush has.

    :raises NoTimeCharge: the table's game charges nothing by the time.
    :raises PeriodKnown: Brush has that period itself.
    :raises TimeNotDue, PeriodAhead: the period had not begun when the sheet ends.
    :raises NobodyPaid: somebody paid from a seat where nobody sat.
    :raises DeckChangedSince: Brush has a later deck.
    :raises Malformed: an amount or a seat is beyond reason, or a seat is named twice.
    """
    if entered.times:
        _check_times(table, opening, entered, zone=zone)
    if entered.decks:
        first = min(entered.decks, key=lambda line: (line.at, line.number))
        later = DeckChange.objects.filter(table=table, at__gt=first.at).order_by("at", "id").first()
        if later is not None:
            raise DeckChangedSince(line=first.number, since=clock_time(later.at, zone))


def _check_times(table: Table, opening: Opening, entered: Entered, *, zone: str) -> None:
    charge = opening.terms.time_charge
    if charge is None:
        raise NoTimeCharge(table_number=table.number)
    known = TimeTaken.objects.filter(opening=opening, taken_back_at=None).values_list("number", flat=True)
    came = {line.seat_number for line in entered.chips}
    for line in sorted(entered.times, key=lambda line: line.period):
        check_paid(line.paid, period=line.period, seats=opening.game.seats)
        if line.period in known:
            raise PeriodKnown(period=line.period)
        begins_at = _begins_at(charge, opening, entered, line.period)
        if begins_at > entered.until_at:
            until = clock_time(entered.until_at, zone)
            raise PeriodAhead(period=line.period, begins=clock_time(begins_at, zone), until=until)
        sat = came | {each.seat_number for each in seated_at(table.pk, line.at + A_MINUTE, since=line.at)}
        for paid in line.paid:
            if paid.seat_number not in sat:
                raise NobodyPaid(period=line.period, seat_number=paid.seat_number)


def _begins_at(charge: TimeCharge, opening: Opening, entered: Entered, period: int) -> datetime:
    """Return when a period begins: time runs from the first hand, which may be the sheet's."""
    began_at = play_began_at(opening) or (entered.from_at if entered.hands else None)
    if began_at is None:
        raise TimeNotDue
    return charge.begins_at(period, began_at=began_at)


def enter_times(
    command: Command, entered: Entered, *, day: GamingDay, table: Table, opening: Opening, sheet: int
) -> list[TimeTaken]:
    """Record the periods that were paid, in order: what was put in is in the box. A difference is the floor's to do."""
    charge = opening.terms.time_charge
    if charge is None:
        return []
    lines = sorted(entered.times, key=lambda line: line.period)
    return [
        put_in_box(command, day, table, opening, charge, line.period, line.paid, at=line.at, sheet=sheet)
        for line in lines
    ]


def enter_decks(command: Command, entered: Entered, *, table: Table, opening: Opening, sheet: int) -> None:
    """Record the decks that came into play, in the order of their times."""
    DeckChange.objects.bulk_create(
        DeckChange(
            room_id=table.room_id,
            table=table,
            opening=opening,
            colour=line.colour,
            set_number=line.set_number,
            why=line.why,
            at=line.at,
            by_id=command.by.staff_id,
            from_sheet=sheet,
        )
        for line in sorted(entered.decks, key=lambda line: (line.at, line.number))
    )
