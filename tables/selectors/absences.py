"""Who is away and for how long yet, and who would like another seat: what of it the floor has to do."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils.translation import gettext as _

from casino.live.todo import ToDoLine
from casino.people.standing import ids_of
from casino.rooms.models import Room
from casino.rulebooks.absence import Absence
from casino.text import isolated
from tables.models import Incident, Opening, Seating, Table
from tables.selectors.todo import seat_name


@dataclass(frozen=True)
class Away:
    """
    A player who is away, as the sheet shows it.

    `had_long_break`: this evening, here or elsewhere, or the house knows no such break (H1.9).
    """

    seating: Seating
    terms: Absence
    had_long_break: bool

    @property
    def is_on_long_break(self) -> bool:
        return self.seating.is_on_long_break

    @property
    def buttons_left(self) -> int:
        return max(self.terms.buttons_max - self.seating.buttons_passed, 0)


def away_of(seating: Seating, opening: Opening) -> Away:
    """Return what the sheet says of a player's absence. One query."""
    tonight = Seating.objects.filter(ids_of(seating.player_id), opening__day=opening.day_id)
    had = not opening.terms.timers.long_break_minutes or tonight.filter(long_break_at__isnull=False).exists()
    return Away(seating, opening.terms.absence, had)


def lines_of_seats(
    room: Room,
    *,
    tables: Sequence[Table],
    seatings: Mapping[int, Sequence[Seating]],
    penalties: Mapping[int, Incident],
    waited_for: Mapping[str, Collection[int]] | None = None,
) -> list[ToDoLine]:
    """
    Return the floor's lines about players who are away, and who are dealt in although one of the `penalties` runs, by
    player (H1.48); in the active language. No query, once each rule book has been read.

    Nobody's absence is too long while a penalty keeps them out. `waited_for` are the players who wait for each game, by
    its name, None where nobody has looked.
    """
    lines: list[ToDoLine] = []
    for table in tables:
        if table.opening is None:
            continue
        sitting = seatings.get(table.pk, ())
        terms = table.opening.terms.absence
        for each in sitting:
            seating = each.holder or each
            if each.player_id in penalties and each.may_be_dealt_in:
                lines.append(_dealt_in(room, table, each, penalties[each.player_id]))
            if seating.away_since is None or seating.player_id in penalties:
                continue
            # As `services.absence_limits`: the absent player's own place on the list takes nothing from them.
            others = waited_for is None or {*waited_for.get(table.opening.game.name, ())} - {seating.player_id}
            if others or not terms.only_with_list:
                lines += _away(room, table, seating, terms)
    return lines


def _away(room: Room, table: Table, seating: Seating, terms: Absence) -> Iterable[ToDoLine]:
    assert seating.away_since is not None
    limit = seating.away_limit_at
    who = {"player": isolated(str(seating.player))}
    if limit is not None:
        until = f"{limit.astimezone(ZoneInfo(room.time_zone)):%H:%M}"
        warned = limit - timedelta(minutes=terms.warning_minutes)
        if warned < limit:
            reason = _("The seat is held until %(time)s.") % {"time": until}
            cited = ("seat_held", reason)
            yield _line(table, seating, "soon", _("%(player)s is away") % who, cited, since=warned, until=limit)
        cited = ("away_too_long", _("The limit was %(time)s. More time, or pick up the stack.") % {"time": until})
        yield _line(table, seating, "wrong", _("%(player)s is away too long") % who, cited, since=limit)
    elif terms.buttons_max and seating.buttons_passed >= terms.buttons_max:
        reason = _("The button has passed, and somebody waits. Two count the stack and pick it up.")
        yield _line(table, seating, "wrong", _("%(player)s is away too long") % who, ("button_passed", reason))
    elif terms.buttons_max and seating.buttons_passed == terms.buttons_max - 1:
        reason = _("When the button passes once more, the stack is picked up.")
        yield _line(table, seating, "soon", _("%(player)s is away") % who, ("button_passes_again", reason))


def _dealt_in(room: Room, table: Table, seating: Seating, penalty: Incident) -> ToDoLine:
    assert penalty.ends_at is not None, "a penalty has an end"
    values = {
        "player": isolated(str(seating.player)),
        "time": f"{penalty.ends_at.astimezone(ZoneInfo(room.time_zone)):%H:%M}",
    }
    return ToDoLine(
        key=f"dealt_in.{seating.pk}",
        table_number=table.number,
        urgency=1,
        tone="wrong",
        where=seat_name(table.number, seating.seat_number),
        text=_("%(player)s is dealt in, with a penalty until %(time)s") % values,
        cited="dealt_in_with_penalty",
        reason=_("Hold the seat from the next hand on, or end the penalty."),
        at=penalty.at,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table.number, seating.seat_number]),
        label=_("Look"),
        shown_until=penalty.ends_at,
    )


def _line(
    table: Table,
    seating: Seating,
    tone: str,
    text: str,
    cited: tuple[str, str],
    *,
    since: datetime | None = None,
    until: datetime | None = None,
) -> ToDoLine:
    assert seating.away_since is not None
    return ToDoLine(
        key=f"away.{tone}.{seating.pk}",
        table_number=table.number,
        urgency=2 if tone == "wrong" else 4,
        tone=tone,
        where=seat_name(table.number, seating.seat_number),
        text=text,
        cited=cited[0],
        reason=cited[1],
        at=seating.away_since,
        how="sheet",
        address=reverse("floor_seat_sheet", args=[table.number, seating.seat_number]),
        label=_("Look"),
        shown_from=since,
        shown_until=until,
    )


def wishes(sitting: Sequence[Seating]) -> list[Seating]:
    """Return who would like another seat of the table, the first who asked first."""
    wishing = [each for each in sitting if each.change_wished_at is not None]
    return sorted(wishing, key=lambda each: (each.change_wished_at, each.pk))


def answered_wish(table: Table, sitting: Sequence[Seating], promised: Collection[int]) -> Iterable[ToDoLine]:
    """Yield the first wish that a free seat of the table would answer; the next one comes when it is done."""
    assert table.opening is not None
    taken = {*promised, *(each.seat_number for each in sitting)}
    free = [number for number in range(1, table.opening.game.seats + 1) if number not in taken]
    for seating in wishes(sitting):
        seats = [seat for seat in free if seating.change_to in {None, seat}]
        if seats and seating.holder is None:
            yield wish_line(table, seating, seat_number=seats[0])
            return


def wish_line(table: Table, seating: Seating, *, seat_number: int) -> ToDoLine:
    """Return the line about a wish that this free seat answers; the tap opens the sheet that says what it costs."""
    assert seating.change_wished_at is not None
    values = {"player": isolated(str(seating.player)), "seat": seat_number}
    return ToDoLine(
        key=f"change.{seating.pk}",
        table_number=table.number,
        urgency=2,
        tone="soon",
        where=seat_name(table.number, seating.seat_number),
        text=_("%(player)s would like seat %(seat)s, which is free") % values
        if seating.change_to
        else _("%(player)s would like another seat; seat %(seat)s is free") % values,
        cited="seat_change",
        reason=_("Seats are changed with the floor’s leave, in the order of asking."),
        at=seating.change_wished_at,
        how="sheet",
        address=reverse("floor_change_sheet", args=[table.number, seating.pk]),
        label=_("Look"),
    )
