"""What the exception report counts at the tables: hands of a dealer, and what the floor changed of them."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, F, QuerySet, Sum
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.audit.models import Event
from casino.audit.sentences import Reader
from casino.money import format_cents
from casino.people.exception_report import (
    CASES_MAX,
    SHIFTS,
    Basis,
    Case,
    Counted,
    ExceptionKind,
    Span,
    add_bases,
    add_cases,
    add_kinds,
    add_reader,
    as_cases,
    by_shifts,
)
from tables.charges import charge_kinds
from tables.errors_racks import RackShort
from tables.models import Hand, TimeTaken, ToDo

HANDS, LOGGED = "hands", "logged_hands"
NO_FLOP, UNDER_DUE, STACKS = "no_flop", "under_due", "stacks_above_play"
RACK_REFUSED, TIME_UNDER_DUE = "racks_asked_for_more", "time_under_due"
# Every hand that was dealt and ended, whatever became of it; a correction is the same hand once more. A flop is known
# of logged ones alone.
_HANDS = """
    SELECT dealer_id, count(*) FILTER (WHERE status NOT IN ('dealt', 'corrected')),
        count(*) FILTER (WHERE status = 'settled'), count(*) FILTER (WHERE status = 'settled' AND street = 'initial')
    FROM tables_hand WHERE room_id = %(room)s AND day_id = ANY(%(days)s) GROUP BY 1
"""
_UNDER_DUE = """
    SELECT hand.dealer_id, count(DISTINCT hand.id), sum(charge.due_cents - charge.taken_cents)::bigint
    FROM tables_hand hand JOIN tables_handcharge charge ON charge.hand_id = hand.id
        AND charge.taken_cents < charge.due_cents
    WHERE hand.room_id = %(room)s AND hand.day_id = ANY(%(days)s) AND hand.status = 'settled' GROUP BY 1
"""
# Who dealt there when a stack was counted that could not be; nobody is named where nobody was pushed in, and where the
# floor counted all of them through.
_STACKS = """
    SELECT (
        SELECT dealer_id FROM tables_down WHERE table_id = todo.table_id AND began_at <= todo.raised_at
            AND (ended_at IS NULL OR ended_at >= todo.raised_at) AND NOT todo.data ? 'opening'
        ORDER BY began_at DESC LIMIT 1
    ), todo.raised_at, tables_table.number, (todo.data ->> 'over_cents')::bigint
    FROM tables_todo todo JOIN tables_table ON tables_table.id = todo.table_id
    WHERE todo.room_id = %(room)s AND todo.kind = ANY(%(kinds)s) AND todo.raised_at >= %(since)s
        AND (%(until)s::timestamptz IS NULL OR todo.raised_at < %(until)s)
    ORDER BY todo.id DESC
"""


def read(span: Span) -> Iterator[Counted]:
    """
    Count hands and what was out of line with them, periods of which less was taken than was due, and what racks were
    too short for, by dealer. Five queries.
    """
    params: dict[str, Any] = {"room": span.room_id, "days": span.day_ids}
    with connection.cursor() as cursor:
        cursor.execute(_HANDS, params)
        for dealer_id, dealt, logged, no_flop in cursor.fetchall():
            yield Counted(HANDS, dealer_id, dealt)
            yield Counted(LOGGED, dealer_id, logged)
            yield Counted(NO_FLOP, dealer_id, no_flop)
        cursor.execute(_UNDER_DUE, params)
        for dealer_id, count, cents in cursor.fetchall():
            yield Counted(UNDER_DUE, dealer_id, count, cents)
    for dealer_id, _at, _number, cents in _stacks(span):
        yield Counted(STACKS, dealer_id, 1, cents)
    short = _short_times(span).values_list("taken_by_id").order_by("taken_by_id")
    for dealer_id, count, cents in short.annotate(count=Count("id"), cents=Sum(F("due_cents") - F("paid_cents"))):
        yield Counted(TIME_UNDER_DUE, dealer_id, count, cents)
    refused = _refused_sales(span).values_list("staff_id").annotate(count=Count("id")).order_by("staff_id")
    for dealer_id, count in refused:
        yield Counted(RACK_REFUSED, dealer_id, count)


def _refused_sales(span: Span) -> QuerySet[Event]:
    """Return the sales for which a rack was too short: sum by sum they tell what lies there, before its blind count."""
    return Event.objects.filter(**{**span.bounds(), "result": RackShort.code}, name="tables.sell_from_rack")


def _refused_sale_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    refused = _refused_sales(span).filter(staff_id=staff_id).order_by("-id")
    return as_cases(list(refused[:CASES_MAX]), reader)


def _short_times(span: Span) -> QuerySet[TimeTaken]:
    """Return the periods of time charges of which less was taken than was due (H1.91), but for those let go."""
    taken = TimeTaken.objects.filter(room_id=span.room_id, day_id__in=span.day_ids, taken_back_at=None, is_let_go=False)
    return taken.filter(paid_cents__lt=F("due_cents"))


def _short_time_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    short = _short_times(span).filter(taken_by_id=staff_id).select_related("table").order_by("-id")
    for taken in short[:CASES_MAX]:
        about = {
            "table": taken.table.number,
            "taken": _money(taken.paid_cents, reader),
            "due": _money(taken.due_cents, reader),
        }
        words = _("Time charge at table %(table)s: %(taken)s of %(due)s") % about
        yield Case(taken.taken_at, words, taken.table.chain)


def _stacks(span: Span) -> list[tuple[int | None, datetime, int, int]]:
    params: dict[str, Any] = {
        "room": span.room_id,
        "kinds": [ToDo.Kind.STACK_ABOVE_PLAY.value, ToDo.Kind.TIPS_ABOVE_PLAY.value],
        "since": span.days[0].opened_at,
        "until": span.days[-1].closed_at,
    }
    with connection.cursor() as cursor:
        cursor.execute(_STACKS, params)
        return list(cursor.fetchall())


def _hands_of(span: Span, dealer_id: int) -> QuerySet[Hand]:
    hands = Hand.objects.filter(room_id=span.room_id, day_id__in=span.day_ids, dealer_id=dealer_id)
    return hands.filter(status=Hand.Status.SETTLED).select_related("table").order_by("-id")


def _as_case(hand: Hand, words: str, reader: Reader) -> Case:
    at = hand.settled_at or hand.dealt_at
    assert at is not None, "a settled hand has its moment"
    number = hand.table.number
    url = f"{reverse('floor_hands', args=[number])}?hand={hand.pk}" if "page.hands" in reader.may else ""
    return Case(at, words, hand.table.chain, url)


def _no_flops(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    for hand in _hands_of(span, staff_id).filter(street="initial")[:CASES_MAX]:
        about: dict[str, Any] = {"hand": hand.number, "table": hand.table.number}
        if hand.pot_cents is None:
            words = _("Hand %(hand)s at table %(table)s: no flop") % about
        else:
            about["pot"] = _money(hand.pot_cents, reader)
            words = _("Hand %(hand)s at table %(table)s: no flop, pot %(pot)s") % about
        yield _as_case(hand, words, reader)


def _under_dues(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    names = {kind.code: kind.words.title for kind in charge_kinds()}
    hands = _hands_of(span, staff_id).filter(id__in=_short_ids(span, staff_id)).prefetch_related("charges")
    for hand in hands:
        charge_texts = [
            _("%(charge)s %(taken)s of %(due)s")
            % {
                "charge": names[charge.kind],
                "taken": _money(charge.taken_cents, reader),
                "due": _money(charge.due_cents, reader),
            }
            for charge in hand.charges.all()
            if charge.taken_cents < charge.due_cents
        ]
        about = {"hand": hand.number, "table": hand.table.number, "charges": ", ".join(charge_texts)}
        yield _as_case(hand, _("Hand %(hand)s at table %(table)s: %(charges)s") % about, reader)


def _short_ids(span: Span, dealer_id: int) -> list[int]:
    statement = """
        SELECT DISTINCT hand.id FROM tables_hand hand JOIN tables_handcharge charge ON charge.hand_id = hand.id
            AND charge.taken_cents < charge.due_cents
        WHERE hand.room_id = %s AND hand.day_id = ANY(%s) AND hand.status = 'settled' AND hand.dealer_id = %s
        ORDER BY hand.id DESC LIMIT %s
    """
    with connection.cursor() as cursor:
        cursor.execute(statement, [span.room_id, span.day_ids, dealer_id, CASES_MAX])
        return [pk for (pk,) in cursor.fetchall()]


def _stack_cases(span: Span, staff_id: int, reader: Reader) -> Iterable[Case]:
    mine = [each for each in _stacks(span) if each[0] == staff_id]
    for _dealer, at, number, cents in mine[:CASES_MAX]:
        about = {"table": number, "amount": _money(cents, reader)}
        yield Case(at, _("Table %(table)s: %(amount)s more was counted than lay in play") % about, f"table.{number}")


def _money(cents: int, reader: Reader) -> str:
    return format_cents(cents, currency=reader.currency, locale=reader.locale)


def register() -> None:
    """Add the tables' bases and kinds to the exception report."""
    a_hundred = gettext_lazy("per 100 hands")
    add_bases(
        Basis(HANDS, gettext_lazy("Hands dealt"), scale=100, rate=a_hundred),
        Basis(LOGGED, gettext_lazy("Hands logged"), scale=100, rate=a_hundred),
    )
    add_kinds(
        ExceptionKind("undone", gettext_lazy("Hands undone by their dealer"), HANDS, "tables.undo_hand"),
        ExceptionKind("misdealt", gettext_lazy("Misdeals"), HANDS, "tables.void_hand"),
        ExceptionKind("skipped", gettext_lazy("Hands not logged"), HANDS, "tables.skip_hand"),
        ExceptionKind(
            NO_FLOP,
            gettext_lazy("Hands without a flop"),
            LOGGED,
            note=gettext_lazy("Some games play differently: compare dealers of the same games."),
        ),
        ExceptionKind(UNDER_DUE, gettext_lazy("Less taken than was due"), LOGGED, has_cents=True),
        ExceptionKind(
            STACKS,
            gettext_lazy("Counts above what lay in play"),
            HANDS,
            has_cents=True,
            note=gettext_lazy("By who dealt there when a stack or the tips were counted."),
        ),
        ExceptionKind(
            RACK_REFUSED,
            gettext_lazy("Sales that the rack was too short for"),
            SHIFTS,
            may="tables.sell_from_rack",
            note=gettext_lazy("Sum by sum they tell how many chips lie in a rack that is counted blind."),
        ),
        ExceptionKind(
            TIME_UNDER_DUE,
            gettext_lazy("Time charges not taken whole"),
            SHIFTS,
            may="tables.take_time",
            has_cents=True,
        ),
        by_shifts("time_let_go", gettext_lazy("Time not charged for"), "tables.let_time_go"),
        by_shifts("time_taken_back", gettext_lazy("Time charges taken back"), "tables.take_back_time"),
        by_shifts("voided", gettext_lazy("Logged hands voided"), "tables.void_settled_hand"),
        by_shifts("corrected", gettext_lazy("Hands corrected"), "tables.correct_hand"),
        by_shifts("pots_put_back", gettext_lazy("Disputed pots put back into play"), "tables.put_pot_back"),
        by_shifts("leavings_taken_back", gettext_lazy("Players put back into their seats"), "tables.take_back_leaving"),
        by_shifts("moves_taken_back", gettext_lazy("Moves to another table taken back"), "tables.take_back_move"),
        by_shifts("seat_changes_taken_back", gettext_lazy("Seat changes taken back"), "tables.take_back_seat_change"),
        by_shifts("stated", gettext_lazy("Table differences stated"), "tables.state_difference"),
        # Dealers seat by what the floor said; it is the floor that chooses.
        ExceptionKind(
            "overruled",
            gettext_lazy("Done otherwise than proposed"),
            SHIFTS,
            "tables.note_overrule",
            "page.table_floor",
        ),
    )
    add_reader(read)
    add_cases(NO_FLOP, _no_flops)
    add_cases(UNDER_DUE, _under_dues)
    add_cases(STACKS, _stack_cases)
    add_cases(TIME_UNDER_DUE, _short_time_cases)
    add_cases(RACK_REFUSED, _refused_sale_cases)
