"""The floor's rulings: the incident log, the clock on a player, and disputed pots."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext

from casino import clock as house_clock
from casino.errors import NotFound
from casino.people.http import ActorRequest, actor_of, command_for, done
from casino.people.inputs import arguments_of_form, form_int, form_int_or_none
from casino.rooms.models import GamingDay
from casino.rooms.selectors import room_of, rule_book_in_force
from casino.rulebooks.clauses import clause as clause_of
from casino.text import id_from_text
from tables.api.work import EndClock, PayDisputedPot, SetPotAside, WriteIncident
from tables.incident_words import KINDS
from tables.models import DisputedPot, Hand, HandSeat, Incident, Seating, Table
from tables.rules.incidents import clauses_first
from tables.selectors.incidents import Wanted, incidents, may_be_meant
from tables.selectors.running import tables_of
from tables.services import clocks, disputes
from tables.services import incidents as services
from tables.views.floor import on_the_floor, shown_on, table_for
from tables.views.floor_taps import floor_tap, page_done

_ID_MAX = 2**63 - 1
# The clauses that come first stand as buttons; all others are in a list behind them.
CLAUSES_SHOWN = 5
# What was gained or passed on is a sum.
_WITH_CENTS = (Incident.Kind.GAIN_RETURNED, Incident.Kind.CHIPS_PASSED)


@on_the_floor
def incidents_page(request: ActorRequest) -> HttpResponse:
    """Show the incident log, by day, table, kind and player."""
    room = room_of(actor_of(request).room_id)
    days = list(GamingDay.objects.filter(room_id=room.pk).order_by("-id")[:60])
    tables = tables_of(room.pk)
    wanted = _wanted(request, days, tables)
    context = {"lines": incidents(room.pk, wanted), "wanted": wanted, "days": days, "tables": tables}
    return render(request, "tables/floor_incidents.html", {"room": room, "kinds": KINDS.items(), **context})


def _wanted(request: HttpRequest, days: list[GamingDay], tables: list[Table]) -> Wanted:
    """Return what the form asks for; what it does not know it leaves out."""
    query = request.GET
    kind = query.get("kind", "")
    return Wanted(
        day_id=next((day.pk for day in days if str(day.pk) == query.get("day")), None),
        table_id=next((table.pk for table in tables if str(table.number) == query.get("table")), None),
        kind=kind if kind in KINDS else "",
        nickname=query.get("player", "").strip()[:30],
        is_running=query.get("running") == "1",
    )


@on_the_floor
def incident_sheet(request: ActorRequest, number: int) -> HttpResponse:
    """Ask what happened at a table: the kind first, then who, by which clause, and what to say about it."""
    table = table_for(request, number)
    kind = request.GET.get("kind", "")
    context: dict[str, Any] = {
        "table": table,
        "room": room_of(table.room_id),
        "on": shown_on(request, table),
        "kinds": KINDS.items(),
        "seat": request.GET.get("seat", ""),
        "hand": _hand(table, request.GET.get("hand", "")),
    }
    if kind in KINDS:
        now = house_clock.now()
        likely, known = services.clauses_of_room(table.room_id, kind, at=now)
        timers = rule_book_in_force(table.room_id, at=now)[1].timers
        first = likely[:CLAUSES_SHOWN]
        rest = [each for each in clauses_first(likely, known) if each not in first]
        seatings = Seating.objects.filter(table=table, left_at=None).select_related("player").order_by("seat_number")
        context |= {"kind": kind, "kind_name": KINDS[kind], "clauses": [_in_words(each) for each in first]}
        context |= {"other_clauses": [_in_words(each) for each in rest], "seatings": list(seatings)}
        context["others"] = may_be_meant(table, context["hand"])
        context |= {"minutes": timers.penalty_minutes, "has_cents": kind in _WITH_CENTS}
    return render(request, "tables/floor_sheet_incident.html", context)


@on_the_floor
def incident_players(request: ActorRequest, number: int) -> HttpResponse:
    """Return who else may be meant while a nickname is being typed; whoever was chosen stays."""
    table = table_for(request, number)
    named = map(id_from_text, request.GET.getlist("player_ids")[:12])
    chosen = [each for each in named if each is not None]
    text = request.GET.get("q", "").strip()[:30]
    others = may_be_meant(table, _hand(table, request.GET.get("hand", "")), text=text, chosen=chosen)
    return render(request, "tables/floor_incident_people.html", {"others": others, "chosen": chosen, "text": text})


def _in_words(clause_id: str) -> tuple[str, str]:
    """Return a clause's id and what the floor says of it, "" where it says nothing."""
    try:
        clause = clause_of(clause_id)
    except LookupError:
        # A house of somebody's own: its document is not among those that are listed.
        return clause_id, ""
    return clause_id, gettext(clause.summary) if clause.is_in_every_language else ""


@floor_tap
def write_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Write an incident down."""
    table, arguments = table_for(request, number), arguments_of_form(request, WriteIncident)
    services.write_incident(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def end_penalty_tap(request: ActorRequest, incident_id: int) -> HttpResponse:
    """End a penalty before its time."""
    number = form_int_or_none(request, "table_number", least=1, most=9999)
    services.end_penalty(command_for(request), incident_id=incident_id)
    return done(request, audience=f"table.{number}.floor") if number else done(request, to=reverse("floor_incidents"))


@floor_tap
def clock_tap(request: ActorRequest, number: int) -> HttpResponse:
    """Put a player on the clock."""
    table = table_for(request, number)
    seating_id = form_int(request, "seating_id", most=_ID_MAX)
    clocks.call_clock(command_for(request), table_id=table.pk, seating_id=seating_id)
    return page_done(request, table)


@floor_tap
def end_clock_tap(request: ActorRequest, number: int, clock_id: int) -> HttpResponse:
    """Say how a clock ended."""
    table, arguments = table_for(request, number), arguments_of_form(request, EndClock, clock_id=clock_id)
    clocks.end_clock(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@floor_tap
def aside_tap(request: ActorRequest, number: int, hand_row_id: int) -> HttpResponse:
    """Set the pot of a hand aside."""
    table = table_for(request, number)
    hand = Hand.objects.filter(table=table, id=hand_row_id).first()
    if hand is None:
        raise NotFound(what="hand")
    arguments = arguments_of_form(request, SetPotAside, hand_id=str(hand.hand_id))
    disputes.set_pot_aside(command_for(request), table_id=table.pk, **arguments)
    return page_done(request, table)


@on_the_floor
def pot_sheet(request: ActorRequest, number: int, pot_id: int) -> HttpResponse:
    """Ask who gets a disputed pot."""
    table = table_for(request, number)
    pot = DisputedPot.objects.filter(table=table, id=pot_id).select_related("hand").first()
    if pot is None:
        raise NotFound(what="pot")
    seats = list(HandSeat.objects.filter(hand=pot.hand).select_related("player").order_by("seat_number"))
    still = set(Seating.objects.filter(table=table, left_at=None).values_list("player_id", flat=True))
    claims = {seat for row in pot.hand.pots.all() for seat in row.winner_seats}
    rows = [(seat, seat.player_id in still, seat.seat_number in claims) for seat in seats]
    context = {
        "table": table,
        "room": room_of(table.room_id),
        "on": shown_on(request, table),
        "pot": pot,
        "seats": sorted(rows, key=lambda each: not each[2]),
        "halves": [pot.cents, pot.cents // 2],
    }
    return render(request, "tables/floor_sheet_pot.html", context)


@floor_tap
def pay_tap(request: ActorRequest, number: int, pot_id: int) -> HttpResponse:
    """Pay a disputed pot."""
    table, arguments = table_for(request, number), arguments_of_form(request, PayDisputedPot)
    shares = [disputes.Share(**share) for share in arguments["shares"]]
    disputes.pay_disputed_pot(command_for(request), table_id=table.pk, pot_id=pot_id, shares=shares)
    return page_done(request, table)


@floor_tap
def put_back_tap(request: ActorRequest, number: int, pot_id: int) -> HttpResponse:
    """Put a pot back into play that was set aside by mistake."""
    table = table_for(request, number)
    disputes.put_pot_back(command_for(request), table_id=table.pk, pot_id=pot_id)
    return page_done(request, table)


def _hand(table: Table, text: str) -> Hand | None:
    """Return the hand that is meant: the one named, else the one in play."""
    hand_id = id_from_text(text)
    return table.hand if hand_id is None else Hand.objects.filter(table=table, id=hand_id).first()
