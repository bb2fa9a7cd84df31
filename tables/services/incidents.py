"""
The incident log: rulings, warnings, penalties, inspected hands, gains returned, chips passed between players.

What is free text goes to people's data (`Note`); the log's event and the incident's row hold ids, codes and amounts.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from casino.commands.carrying_out import Command, Outcome, service
from casino.errors import Malformed, NotFound
from casino.people.models import Note, Player
from casino.people.services.exclusions import watch
from casino.people.services.locks import lock_players
from casino.rooms.errors import NoOpenDay
from casino.rooms.models import GamingDay
from casino.rooms.selectors import known_clauses, lock_open_day, rule_book_in_force
from tables.audiences import of_table
from tables.errors import ClauseUnknown, PenaltyTooLong
from tables.models import Hand, Incident, IncidentPlayer, Seating, Table
from tables.services.penalties import hold_out, lets_back
from tables.services.protection import lock_tables_of


@service("tables.write_incident", private=["text"])
def write_incident(
    command: Command,
    *,
    kind: str,
    player_ids: Sequence[int] = (),
    table_id: int | None = None,
    hand_row_id: int | None = None,
    clause: str = "",
    text: str = "",
    minutes: int | None = None,
    cents: int | None = None,
) -> Outcome:
    """
    Write an incident down: its kind, the people, the table and the hand, the clause it stands on.

    `minutes` is how long a penalty runs (H1.48), and nothing else has it. `cents` is what was returned (H1.79) or
    passed on. While a penalty runs its players sit down nowhere; whoever sits is held out from the next hand on.

    :raises Malformed: no such kind, or a penalty without its time.
    :raises PenaltyTooLong: for longer than the book in force has it; that is a ban, and a manager's.
    :raises ClauseUnknown: the room's books have no such clause.
    :raises NotFound: no such table, hand or player here.
    """
    if kind not in Incident.Kind.values:
        raise Malformed(field="kind")
    if (kind == Incident.Kind.PENALTY) != (minutes is not None):
        raise Malformed(field="minutes")
    if minutes is not None:
        _check_minutes(command, minutes)
    if cents is not None and cents < 0:
        raise Malformed(field="cents")
    if clause and clause not in known_clauses(command.room_id, at=command.at):
        raise ClauseUnknown(wanted=clause)
    day = _keep_day_open(command)
    table = _table(command, table_id)
    ends_at = command.at + timedelta(minutes=minutes) if minutes else None
    people = _players(command, player_ids) if ends_at is None else _sit_out(command, player_ids, until=ends_at)
    incident = Incident.objects.create(
        room_id=command.room_id,
        kind=kind,
        clause=clause,
        day=day,
        table=table,
        hand=_hand(command, table, hand_row_id),
        note=_note(command, text, people),
        cents=cents,
        at=command.at,
        by_id=command.staff_id,
        ends_at=ends_at,
    )
    seats = _seats(table, people)
    IncidentPlayer.objects.bulk_create(
        IncidentPlayer(room_id=command.room_id, incident=incident, player_id=player, seat_number=seats.get(player))
        for player in people
    )
    return _about(incident, players=people, has_text=bool(text), **_place(incident))


def _keep_day_open(command: Command) -> GamingDay | None:
    """Return the open day, locked, so that its log has what is of it; None between two days."""
    try:
        return lock_open_day(command.room_id)
    except NoOpenDay:
        return None


def _place(incident: Incident) -> dict[str, int | None]:
    """Return of which day an incident is, and of which table and opening: by these the day's report counts it."""
    return {
        "day": incident.day_id,
        "table": incident.table.number if incident.table else None,
        "opening": incident.hand.opening_id if incident.hand else None,
    }


def _check_minutes(command: Command, minutes: int) -> None:
    most = rule_book_in_force(command.room_id, at=command.at)[1].timers.penalty_minutes_max
    if not 0 < minutes <= most:
        raise PenaltyTooLong(most=most)


@service("tables.end_penalty")
def end_penalty(command: Command, *, incident_id: int) -> Outcome:
    """
    End a penalty before its time. The seat stays held until the player is back.

    :raises NotFound: it does not run, or no longer.
    """
    return _ended(command, _running(command, incident_id))


@service("tables.let_penalty_run_out")
def let_penalty_run_out(command: Command, *, incident_id: int) -> Outcome:
    """
    End a penalty whose time is over. Time's own command: it looks again whether that is so.

    :raises NotFound: it is not due, or runs no longer.
    """
    incident = _running(command, incident_id)
    assert incident.ends_at is not None, "a penalty has an end"
    if incident.ends_at > command.at:
        raise NotFound(what="penalty")
    return _ended(command, incident)


def due_penalties(*, at: datetime) -> list[int]:
    """Return the penalties whose time is over, the oldest first."""
    due = Incident.objects.filter(ends_at__lte=at, ended_at=None)
    return list(due.order_by("ends_at", "id").values_list("id", flat=True))


def clauses_of_room(room_id: int, kind: str, *, at: datetime) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the clauses that a kind of incident is likeliest about in a room, and all that hold there. Two queries."""
    _, book = rule_book_in_force(room_id, at=at)
    known = known_clauses(room_id, at=at)
    return tuple(each for each in getattr(book.likely, kind) if each in known), known


def _table(command: Command, table_id: int | None) -> Table | None:
    if table_id is None:
        return None
    table = Table.objects.filter(id=table_id, room_id=command.room_id).first()
    if table is None:
        raise NotFound(what="table")
    return table


def _players(command: Command, player_ids: Sequence[int]) -> list[int]:
    wanted = list(dict.fromkeys(player_ids))
    if Player.objects.filter(id__in=wanted, room_id=command.room_id, erased_at=None, merged_into=None).count() < len(
        wanted
    ):
        raise NotFound(what="player")
    return wanted


def _sit_out(command: Command, player_ids: Sequence[int], *, until: datetime) -> list[int]:
    """Lock the players of a penalty, so that nobody sits down meanwhile, and hold the seats that they have."""
    people = lock_players(command, player_ids)
    for player in people.values():
        watch(player)
    hold_out(lock_tables_of(people), until=until, at=command.at)
    return list(dict.fromkeys(player_ids))


def _hand(command: Command, table: Table | None, hand_row_id: int | None) -> Hand | None:
    if hand_row_id is None:
        return None
    hand = Hand.objects.filter(id=hand_row_id, room_id=command.room_id, table=table).first()
    if hand is None:
        raise NotFound(what="hand")
    return hand


def _note(command: Command, text: str, about: list[int]) -> Note | None:
    if not text:
        return None
    return Note.objects.create(
        room_id=command.room_id, text=text, about=about, written_at=command.at, written_by_id=command.staff_id
    )


def _seats(table: Table | None, people: list[int]) -> dict[int, int]:
    sitting = (
        Seating.objects.filter(table=table, left_at=None, player_id__in=people) if table else Seating.objects.none()
    )
    return dict(sitting.values_list("player_id", "seat_number"))


def _running(command: Command, incident_id: int) -> Incident:
    """Return a penalty that runs, locked. :raises NotFound: there is none."""
    # A tap and time may end it at one moment: the second finds that it runs no longer.
    rows = Incident.objects.select_for_update(no_key=True).filter(id=incident_id, room_id=command.room_id)
    incident = rows.filter(ends_at__isnull=False, ended_at=None).first()
    if incident is None:
        raise NotFound(what="penalty")
    return incident


def _ended(command: Command, incident: Incident) -> Outcome:
    seatings = lock_tables_of(incident.players.values_list("player_id", flat=True))
    incident.ended_at, incident.ended_by_id = command.ends(incident.at), command.by.staff_id
    incident.save(update_fields=["ended_at", "ended_by_id"])
    lets_back(seatings, ran=incident, at=command.at)
    return _about(incident, ended_by=incident.ended_by_id)


def _about(incident: Incident, **data: object) -> Outcome:
    """Say what was written. Penalties show at every table where the player may sit, so all of those are told."""
    tables = [incident.table] if incident.table else []
    people = [each.player_id for each in incident.players.all()]
    elsewhere = Table.objects.filter(seating__player_id__in=people, seating__left_at=None).distinct()
    audiences = {name for table in (*tables, *elsewhere) for name in of_table(table)}
    return Outcome(
        chain="incidents",
        data={"incident": incident.pk, "kind": incident.kind, "clause": incident.clause, **data},
        audiences=sorted(audiences),
        rule_book_version_id=None,
    )
