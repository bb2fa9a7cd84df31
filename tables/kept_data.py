"""What tables keep about people: where somebody sat, which hands they were dealt, and what was ruled."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from casino.people.kept import Cents, DataTable, Kind, Rows, about_nobody, keep
from tables.incident_words import KINDS
from tables.models import (
    BoxDifference,
    ClosedTips,
    CountedThrough,
    DisputedShare,
    Down,
    Game,
    Hand,
    HandCharge,
    HandPot,
    HandSeat,
    Incident,
    IncidentPlayer,
    Opening,
    RackCheck,
    RackFill,
    SeatDraw,
    Seating,
    Table,
    TableChange,
    TableMove,
    TimeShare,
    TimeTaken,
    TipCount,
    TipPayroll,
    TipShare,
    ToDo,
)


def _play(player_ids: Sequence[int]) -> Iterable[DataTable]:
    sat = Seating.objects.filter(player_id__in=player_ids).order_by("id")
    seatings = sat.values_list("sat_down_at", "left_at", "table__number", "seat_number", "left_stack_cents")
    yield DataTable(
        (_("From"), _("Until"), _("Table"), _("Seat"), _("Stack")),
        [(*row, stack if stack is None else Cents(stack)) for *row, stack in seatings],
    )
    dealt = HandSeat.objects.filter(player_id__in=player_ids).order_by("id")
    hands = dealt.values_list("hand__settled_at", "hand__table__number", "hand__number", "seat_number")
    yield DataTable((_("When"), _("Table"), _("Hand"), _("Seat")), list(hands))
    by_time = TimeShare.objects.filter(player_id__in=player_ids).order_by("id")
    shares = [
        (at, Cents(due), Cents(paid))
        for at, due, paid in by_time.values_list("time__taken_at", "due_cents", "paid_cents")
    ]
    if shares:
        yield DataTable((_("When"), _("Charge by the time"), _("Paid")), shares)


def _incidents(player_ids: Sequence[int]) -> Iterable[DataTable]:
    # The text is among what staff wrote; of whom else it speaks is theirs.
    named = IncidentPlayer.objects.filter(player_id__in=player_ids).order_by("id").select_related("incident")
    yield DataTable(
        (_("When"), _("Kind"), _("Clause")),
        [(each.incident.at, KINDS.get(each.incident.kind, ""), each.incident.clause) for each in named],
    )


def _downs(staff_ids: Sequence[int]) -> Iterable[DataTable]:
    downs = Down.objects.filter(dealer_id__in=staff_ids).order_by("began_at", "id")
    yield DataTable(
        (_("From"), _("Until"), _("Table")), list(downs.values_list("began_at", "ended_at", "table__number"))
    )


def _tips(staff_ids: Sequence[int]) -> Iterable[DataTable]:
    counted = TipCount.objects.filter(dealer_id__in=staff_ids).order_by("id")
    yield DataTable(
        (_("Counted"), _("Table"), _("Tips")),
        [(at, number, Cents(cents)) for at, number, cents in counted.values_list("at", "table__number", "cents")],
    )
    shares = TipShare.objects.filter(dealer_id__in=staff_ids).order_by("id")
    yield DataTable(
        (_("To payroll"), _("Day"), _("Tips")),
        [
            (at, day, Cents(cents))
            for at, day, cents in shares.values_list("payroll__at", "payroll__day__date", "cents")
        ],
    )


keep(
    Kind(
        "tables.downs",
        _("Downs of dealers"),
        purpose=_("To pay dealers, to share tips, and to say who dealt a hand."),
        rows=(Rows(Down, ("dealer_id",)),),
        not_given="of no player",
        staff_data=_downs,
        count=lambda room_id: Down.objects.filter(room_id=room_id).count(),
    ),
    Kind(
        "tables.tips",
        _("Tips of dealers"),
        purpose=_("To hand dealers’ tips to payroll, and to show how they were shared."),
        rows=(
            Rows(TipCount, ("dealer_id", "seconds")),
            Rows(TipPayroll, ("seconds",)),
            Rows(TipShare, ("dealer_id",)),
            Rows(ClosedTips, ("seconds",)),
        ),
        not_given="of no player",
        staff_data=_tips,
        count=lambda room_id: TipShare.objects.filter(room_id=room_id).count(),
    ),
    Kind(
        "tables.play",
        _("Seats and hands"),
        purpose=_("To charge hands rightly, to decide disputes, and to pay jackpots to who was dealt in."),
        rows=(
            Rows(Seating, ("player", "changed_from"), at="sat_down_at"),
            Rows(HandSeat, ("player", "post")),
            Rows(HandPot, ("winner_seats",), player="hand__seats__player"),
            Rows(DisputedShare, ("player",)),
            Rows(TimeShare, ("player",)),
        ),
        player_data=_play,
        count=lambda room_id: Seating.objects.filter(room_id=room_id).count(),
    ),
    Kind(
        "tables.incidents",
        _("Rulings, warnings and penalties"),
        purpose=_("To rule alike on what happens again, and to keep what the licence has recorded."),
        rows=(Rows(IncidentPlayer, ("player",), at="incident__at"),),
        player_data=_incidents,
        count=lambda room_id: Incident.objects.filter(room_id=room_id).count(),
    ),
)
about_nobody(Game, "name variant family straddle button players_min charges time_charge", "a game of the house")
about_nobody(Table, "held_for", "a code")
about_nobody(Opening, "draw last by_time free_until", "seats and terms of a game")
about_nobody(CountedThrough, "stacks", "amounts by seat")
about_nobody(Hand, "street before free_of reason", "a button, seats and codes")
about_nobody(HandCharge, "kind by_pot", "codes and amounts")
about_nobody(BoxDifference, "kind reason", "codes")
about_nobody(Incident, "clause", "a clause of the book; the text is a note, of the people's own")
about_nobody(TableChange, "ended_why", "a code; whose wish it is says its seat")
about_nobody(TableMove, "why", "a code")
about_nobody(SeatDraw, "commitment seed seats cards order", "a draw")
about_nobody(RackFill, "pieces", "counts of chips")
about_nobody(RackCheck, "pieces cash_pieces", "counts of chips and cash")
about_nobody(TipCount, "pieces", "counts of chips")
about_nobody(TimeTaken, "charge", "terms and amounts")
about_nobody(ToDo, "kind data", "codes, ids and amounts")
