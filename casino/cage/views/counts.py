"""Drawers counted and closed, the page of what was counted in one, and its recount."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.drawers import CloseDrawer, RecountDrawer, close_by_two, recount_by_two
from casino.cage.labels import KINDS, METHODS
from casino.cage.models import DrawerCount, NotesCounted
from casino.cage.selectors.counts import closed_session
from casino.cage.selectors.drawers import values_counted
from casino.cage.selectors.foreign import note_texts, rates_of
from casino.cage.selectors.slips import session_sums
from casino.cage.services.counting import NEEDS
from casino.cage.services.voiding import fetched_cents
from casino.cage.views.slips import drawer_id_of
from casino.commands.methods import require_POST, require_safe
from casino.money import format_cents
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.models import Room


@dataclass(frozen=True)
class Part:
    """
    What lies in a drawer of one kind, as its counts found it: for each value how many, and together; cents.

    There is one figure for each count, None where it was not counted by pieces; beside each sum by how much it differs.
    `faces` is what foreign notes say, in their own money, and `expected_face` what was taken.
    """

    label: str
    values: list[tuple[str, list[int | None]]]
    sums: list[int]
    expected: int
    faces: Sequence[str] = ()
    expected_face: str = ""

    @property
    def judged(self) -> list[tuple[int, int]]:
        """Return each count's sum, and by how much it differs: cash and slips may make up for each other."""
        return [(cents, cents - self.expected) for cents in self.sums]


@page("page.cage")
@require_POST
def close_drawer(request: ActorRequest, number: int) -> HttpResponse:
    """Count a drawer by two and close it; what was expected is shown afterwards."""
    arguments, drawer_id = arguments_of_form(request, CloseDrawer), drawer_id_of(request, number)
    answer = close_by_two(command_for(request), drawer_id=drawer_id, **arguments)
    return done(request, to=reverse("cage_session", args=[answer.data["session_id"]]))


@page("page.slips")
@require_safe
@never_cache
def session_page(request: ActorRequest, session_id: int) -> HttpResponse:
    """A closed drawer's day: counted, expected, the difference. An open one is not shown: counts are blind."""
    closed = closed_session(actor_of(request).room_id, session_id)
    if closed is None:
        raise Http404
    session, counts = closed
    sums = [(KINDS[kind], METHODS[method], count, cents) for kind, method, count, cents in session_sums(session)]
    assert request.room is not None
    parts = [*_parts(counts, request.room), *_foreign_parts(counts, request.room)]
    context = {"session": session, "counts": counts, "parts": parts, "sums": sums}
    return render(request, "cage/session.html", context)


@page("page.cage")
@require_safe
@never_cache
def recount_page(request: ActorRequest, session_id: int) -> HttpResponse:
    """The form that counts a closed drawer again. It shows nothing of what was counted or expected."""
    by = actor_of(request)
    closed = closed_session(by.room_id, session_id)
    if closed is None or closed[0].day.closed_at is not None:
        raise Http404
    session, counts = closed
    values = values_counted(by.room_id, at=clock.now())
    assert request.room is not None
    context = {
        "session": session,
        "version": counts[-1].number,
        "has_fetched": fetched_cents(session) > 0,
        "note_values": values.cash,
        "chip_values": values.chips,
        "foreign_counted": [(each.currency, note_texts(each.currency, request.room)) for each in rates_of(by.room_id)],
        "counters": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "cage/recount.html", context)


@page("page.cage")
@require_POST
def recount(request: ActorRequest, session_id: int) -> HttpResponse:
    """Count a closed drawer again, by two on the same screen; all counts are shown afterwards."""
    recount_by_two(command_for(request), session_id=session_id, **arguments_of_form(request, RecountDrawer))
    return done(request, to=reverse("cage_session", args=[session_id]))


def _parts(counts: Sequence[DrawerCount], room: Room) -> list[Part]:
    first, currency = counts[0], room.currency
    return [
        Part(
            _("Cash"),
            _by_value([each.cash_pieces for each in counts], currency, room),
            [each.cash_cents for each in counts],
            first.expected_cash_cents,
        ),
        Part(_("Card slips"), [], [each.card_slips_cents for each in counts], first.expected_card_slips_cents),
        Part(
            _("Chips"),
            _by_value([each.chip_pieces for each in counts], currency, room),
            [each.chips_cents for each in counts],
            first.expected_chips_cents,
        ),
    ]


def _foreign_parts(counts: Sequence[DrawerCount], room: Room) -> list[Part]:
    """Return what was found of each currency's notes; a count that says nothing of one found none."""
    by_currency = [{each.currency: each for each in count.notes.all()} for count in counts]
    parts = []
    for currency in sorted({currency for each in by_currency for currency in each}):
        rows = [each.get(currency, NotesCounted(pieces=[], face_cents=0, cents=0)) for each in by_currency]
        expected = max((each[currency] for each in by_currency if currency in each), key=lambda row: row.expected_cents)
        parts.append(
            Part(
                _("Foreign notes, %(currency)s") % {"currency": currency},
                _by_value([row.pieces for row in rows], currency, room),
                [row.cents for row in rows],
                expected.expected_cents,
                [format_cents(row.face_cents, currency=currency, locale=room.locale) for row in rows],
                format_cents(expected.expected_face_cents, currency=currency, locale=room.locale),
            )
        )
    return parts


def _by_value(
    counted: Sequence[list[list[int]] | None], currency: str, room: Room
) -> list[tuple[str, list[int | None]]]:
    by_value = [None if pieces is None else {piece[0]: piece[1] for piece in pieces} for pieces in counted]
    values = sorted({value for pieces in by_value for value in pieces or ()}, reverse=True)
    return [
        (
            format_cents(value, currency=currency, locale=room.locale),
            [None if pieces is None else pieces.get(value, 0) for pieces in by_value],
        )
        for value in values
    ]
