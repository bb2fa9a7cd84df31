"""Time charges: taken period by period from the players' stacks, let go, and taken back (H1.91, L-P21, H7.18)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import NotFound, Stale
from casino.ledger.services import post, reverse
from casino.poker.time_charge import TimeCharge, time_to_dict
from casino.rooms.models import GamingDay
from tables.about import of_time
from tables.charges import kind_of
from tables.chart import of_table
from tables.errors_time import NoTimeCharge, TimeDayClosed, TimeNotDue
from tables.models import Opening, Seating, Table, TimeShare, TimeTaken, ToDo
from tables.rules.time_paid import Paid, check_paid
from tables.selectors.continued import openings_before
from tables.selectors.next_hand import seated_at
from tables.selectors.time_charges import free_until, last_button, next_period, play_began_at, shares_of
from tables.services.state import done, leave_to_the_floor, lock_day_and_table, lock_day_and_table_for_fact, opening_of

# To what a time on paper is written.
A_MINUTE = timedelta(minutes=1)


@service("tables.take_time")
def take_time(
    command: Command, *, table_id: int, opening_id: int, period: int, paid: Sequence[Paid] | None = None
) -> Outcome:
    """
    Record that the time charge of a period was taken: from the stacks into the rake box, or into that of the charge in
    whose stead the table pays it (H7.18, H7.19). A fact.

    `paid` is what each seat put in, None: what it owed. Taken twice, by the floor and the dealer, it counts once. What
    differs from what was due is recorded, and goes on the floor's to-do; so does a period that began when the table no
    longer ran under these terms.

    Only unreadable (`Malformed`, `NoSuchSeat`), `NotFound`: no such opening of this table, or `NoTimeCharge`: its game
    charges nothing by the time.
    """
    day, table = lock_day_and_table_for_fact(command, table_id)
    opening, charge = _charged(table, opening_id)
    check_paid(paid or (), period=period, seats=opening.game.seats)
    if TimeTaken.objects.filter(opening=opening, number=period, taken_back_at=None).exists():
        return done(table, data={"period": period, "known": True})
    row = put_in_box(command, day, table, opening, charge, period, paid, at=command.tapped_at)
    return done(table, data=data_of_period(row))


def data_of_period(row: TimeTaken) -> dict[str, Any]:
    """Return what the log says of a period that was paid, in cents."""
    return {
        "time": row.pk,
        "period": row.number,
        "opening": row.opening_id,
        "charge": row.opening.terms.time_kind,
        "due_cents": row.due_cents,
        "paid_cents": row.paid_cents,
        **_frees(row.table, row.opening),
    }


def put_in_box(
    command: Command, day: GamingDay, table: Table, opening: Opening, charge: TimeCharge, period: int,
    paid: Sequence[Paid] | None, *, at: datetime, sheet: int | None = None,
) -> TimeTaken:  # fmt: skip
    """
    Record a period that was paid at a moment, by a tap or as a `sheet` of paper has it: a step of those commands.

    The table is locked, and the period neither taken nor let go.
    """
    # On paper stand no seconds: who sat down within that minute was there.
    last = at if sheet is None else at + A_MINUTE
    seatings = seated_at(table.pk, min(last, opening.closed_at or last), since=min(at, opening.closed_at or at))
    for each in seatings:
        # On paper is how the seat stood at the end: who has been away only since then was there.
        if sheet is not None and each.away_since is not None and each.away_since > at:
            each.is_held = False
    row = _row(command, day, table, opening, charge, period)
    row.taken_at, row.from_sheet = at, sheet
    shares = _shares(row, charge, seatings, paid, button=last_button(opening))
    row.due_cents = sum(share.due_cents for share in shares)
    row.paid_cents = sum(each.cents for each in paid) if paid is not None else row.due_cents
    row.save()
    TimeShare.objects.bulk_create(shares)
    if row.paid_cents:
        _post(command, day, table, row)
    _runs_out(table, opening)
    # Others may have paid for that time since: the table had gone on otherwise, or closed.
    is_after = opening.closed_at is not None and row.began_at >= opening.closed_at
    if is_after or row.paid_cents != row.due_cents or any(share.due_cents != share.paid_cents for share in shares):
        about: dict[str, Any] = {
            "time": row.pk,
            "number": period,
            "due_cents": row.due_cents,
            "paid_cents": row.paid_cents,
        }
        about |= {"charge": opening.terms.time_kind, "is_after": is_after}
        leave_to_the_floor(table, ToDo.Kind.TIME_DIFFERS, at=command.at, data=about)
    return row


@service("tables.let_time_go")
def let_time_go(command: Command, *, table_id: int, period: int) -> Outcome:
    """
    Take nothing for a period: nobody played, or the house lets it go. The floor's decision, recorded.

    :raises TableClosed: the table runs nothing.
    :raises NoTimeCharge: its game charges nothing by the time.
    :raises TimeNotDue: no hand has been dealt, or the period is still to come.
    :raises Stale: it is not the next one: it was taken or let go meanwhile.
    """
    day, table = lock_day_and_table(command, table_id)
    opening, charge = _charged(table, opening_of(table).pk)
    if period != next_period(opening):
        raise Stale(what="table", version=table.version)
    began_at = play_began_at(opening)
    if began_at is None or charge.begins_at(period, began_at=began_at) > command.at:
        raise TimeNotDue
    row = _row(command, day, table, opening, charge, period)
    row.is_let_go = True
    row.save()
    return done(table, data={"time": row.pk, "period": period})


@service("tables.take_back_time")
def take_back_time(command: Command, *, table_id: int, time_id: int) -> Outcome:
    """
    Take a period back that was recorded by mistake: its posting is reversed, and it can be taken anew.

    :raises NotFound: this table has no such period, or it was taken back.
    :raises TimeDayClosed: it was taken on a day that is closed.
    """
    day, table = lock_day_and_table(command, table_id)
    row = TimeTaken.objects.filter(id=time_id, table=table, taken_back_at=None).first()
    if row is None:
        raise NotFound(what="time")
    if row.day_id != day.pk:
        raise TimeDayClosed(number=row.number)
    if row.transfer_id is not None:
        reverse(
            room_id=table.room_id,
            day_id=day.pk,
            transfer_id=row.transfer_id,
            key=f"time.{row.pk}.reversed",
            made_by_id=command.by.staff_id,
            at=command.at,
            about=of_time(row),
        )
    row.taken_back_at, row.taken_back_by_id = command.ends(row.taken_at), command.staff_id
    row.save(update_fields=["taken_back_at", "taken_back_by_id"])
    _runs_out(table, row.opening)
    ToDo.objects.filter(table=table, done_at=None, kind=ToDo.Kind.TIME_DIFFERS, data__time=row.pk).update(
        done_at=command.at, done_by_id=command.by.staff_id
    )
    data = {"time": row.pk, "period": row.number, "opening": row.opening_id}
    return done(table, data=data | _frees(table, row.opening))


def _charged(table: Table, opening_id: int) -> tuple[Opening, TimeCharge]:
    opening = Opening.objects.filter(id=opening_id, table=table).select_related("game").first()
    if opening is None:
        raise NotFound(what="opening")
    charge = opening.terms.time_charge
    if charge is None:
        raise NoTimeCharge(table_number=table.number)
    return opening, charge


def _row(
    command: Command, day: GamingDay, table: Table, opening: Opening, charge: TimeCharge, number: int
) -> TimeTaken:
    began_at: datetime = play_began_at(opening) or opening.opened_at
    return TimeTaken(
        room_id=table.room_id,
        table=table,
        opening=opening,
        day=day,
        rule_book_version_id=opening.rule_book_version_id,
        number=number,
        began_at=charge.begins_at(number, began_at=began_at),
        charge=time_to_dict(charge),
        taken_at=command.tapped_at,
        taken_by_id=command.by.staff_id,
    )


def _shares(
    row: TimeTaken, charge: TimeCharge, seatings: Sequence[Seating], paid: Sequence[Paid] | None, *, button: int
) -> list[TimeShare]:
    players = {each.seat_number: each.player_id for each in seatings}
    put_in = {each.seat_number: each.cents for each in paid} if paid is not None else None
    return [
        TimeShare(
            room_id=row.room_id,
            time=row,
            player_id=players[share.seat],
            seat_number=share.seat,
            was_away=share.is_away,
            due_cents=share.cents,
            paid_cents=share.cents if put_in is None else put_in.get(share.seat, 0),
        )
        for share in shares_of(charge, seatings, button=button)
    ]


def _runs_out(table: Table, paid: Opening) -> None:
    """Have hands pay again from the end of what was paid before the table went on otherwise, as that is now."""
    now = table.opening
    if now is None or now.pk == paid.pk:
        return
    chain = [now, *openings_before(now)]
    later = list(takewhile(lambda each: each.pk != paid.pk, chain))
    if len(later) == len(chain):
        return
    for index, opening in enumerate(later):
        opening.free_until = free_until(opening, chain[index + 1 :])
        opening.save(update_fields=["free_until"])


def _frees(table: Table, paid: Opening) -> dict[str, str | None]:
    """
    Return what the log says of a period that was paid, or taken back, where the table has gone on otherwise since:
    `free_until`, until when (ISO) its hands owe none of that charge now (`_runs_out`); nothing where it has not.
    """
    now, agreed = table.opening, paid.agreed
    if now is None or agreed is None or now.pk == paid.pk:
        return {}
    return {"free_until": now.free_until.get(agreed.kind)}


def _box(opening: Opening) -> str:
    """Return where time lies that an opening pays: with the rake, or with the charge in whose stead it is paid."""
    kind = opening.terms.time_kind
    return kind_of(kind).box if kind else "rake_box"


def _post(command: Command, day: GamingDay, table: Table, row: TimeTaken) -> None:
    about = of_time(row)
    if row.opening.day_id != day.pk:
        about["of_day"] = row.opening.day_id
    row.transfer_id = post(
        room_id=table.room_id,
        day_id=day.pk,
        kind="time_charge",
        lines=[of_table(table.pk, "in_play", -row.paid_cents), of_table(table.pk, _box(row.opening), row.paid_cents)],
        key=f"time.{row.pk}",
        made_by_id=command.by.staff_id,
        at=command.at,
        table_id=table.pk,
        about=about,
    )
    # A second save: the transfer's key is the row's id, which there is only once it is stored.
    row.save(update_fields=["transfer_id"])
