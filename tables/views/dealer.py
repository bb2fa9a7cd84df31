"""The dealer's tablet: the page, and the fragment that is pushed to it."""

from dataclasses import dataclass
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from casino import clock
from casino.cage.errors import SameBuyIn, SlipNotWaiting
from casino.commands.methods import require_safe
from casino.errors import NotPermitted, Stale
from casino.live.areas import FELT
from casino.live.render import fragment
from casino.money import format_cents
from casino.people.earlier import proof_of
from casino.people.http import ActorRequest, actor_of, page
from casino.poker.positions import Entry, PostKind
from casino.rooms.models import Place
from casino.rooms.selectors import room_of
from tables import errors, errors_hands, errors_racks, errors_seats
from tables.acts import all_acts
from tables.floor_calls import FLOOR_CALLS
from tables.models import Table
from tables.selectors.dealer import dealer_screen
from tables.selectors.dealer_shown import DealerScreen, HandStart, PostShown, Seat
from tables.selectors.work import table_work
from tables.terms import dealers_at
from tables.views.dealer_words import words

# What a table may hear: these refusals speak of the game, the rest of "see the floor" (players read this screen).
_SAYABLE = [
    errors.BuyInUnderMinimum, errors.BuyInOverMaximum, errors.StackNeeded, errors.SeatEmpty, errors.NotANewPlayer,
    errors.NothingToUndo, errors.HandBeforeChange, errors.NotYourHand, errors.TableClosed, errors.HandInProgress,
    errors.LongBreakTaken, errors.SeatTaken, errors_seats.SeatPromised, errors.SeatNotFree, errors.OverPlayerPosts,
    SameBuyIn, SlipNotWaiting, Stale, errors_hands.TableHeld, errors_racks.RackShortUnseen,
]  # fmt: skip


class _Dense(DjangoJSONEncoder):
    """JSON without its spaces, of which a table has a tenth: it is sent with each tap at the table."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**options, "separators": (",", ":")})


@dataclass(frozen=True)
class FaceShown:
    """What the ring shows of one seat: plain values, so that a seat that stayed the same is not drawn anew."""

    number: int
    name: str
    state: str
    marks: tuple[str, ...]
    note: str
    called: str
    called_until: str


@dataclass(frozen=True)
class Face:
    """One seat as it is drawn: who sits there, which buttons lie before it, what stands under the name."""

    seat: Seat
    state: str
    marks: tuple[str, ...]
    note: str

    @property
    def shown(self) -> FaceShown:
        seat = self.seat
        return FaceShown(seat.number, seat.name, self.state, self.marks, self.note, seat.called, seat.called_until)


@page("page.dealer")
@require_safe
def dealer(request: ActorRequest, number: int) -> HttpResponse:
    """
    Show a table to its dealer.

    :raises NotFound: the room has no such table.
    :raises NotPermitted: the tablet stands at another table.
    """
    actor = actor_of(request)
    if actor.place is not None and actor.place[0] == Place.Kind.TABLE and actor.place[1] != number:
        raise NotPermitted
    felt = fragment(actor.room_id, f"table.{number}.dealer", get_language() or "en")
    table = Table.objects.select_related("opening__game").get(room_id=actor.room_id, number=number)
    context = {
        "number": number,
        "fragment": felt,
        "words": words(),
        "proof": proof_of(request.device) if request.device else "",
        "sayable": " ".join(refusal.code for refusal in _SAYABLE),
        "down_minutes": dealers_at(table, at=clock.now()).down_minutes,
        "floor_calls": {code: str(text) for code, text in FLOOR_CALLS.items()},
        "acts": {act.code: act.path.format(number=number) for act in all_acts()},
        "may_count_tips": "tables.count_tip_box" in actor.may,
    }
    return render(request, "tables/dealer.html", context)


def render_table(*, room_id: int, number: int) -> str:
    """Return the fragment of one table's tablet: its rows, and nothing of who looks."""
    screen = dealer_screen(room_id=room_id, number=number)
    faces = [face(seat, screen) for seat in screen.seats]
    work, room = table_work(room_id, number), room_of(room_id)
    data = json_script(screen.as_json(), "dealer-data", encoder=_Dense)
    context = {"screen": screen, "faces": [each.shown for each in faces], "data": data, "work": work, "room": room}
    context["parts"] = FELT.gather(room_id=room_id, number=number)
    return render_to_string("tables/dealer_ring.html", context)


def face(seat: Seat, screen: DealerScreen) -> Face:
    """
    Return how a seat is drawn. The tablet draws the same while it goes on alone: static/brush/dealer/ring.js.
    """
    start = screen.start
    marks = _marks(seat.number, None if screen.is_draw_due else start)
    betting = ("bet",) if not screen.is_draw_due and screen.betting_button == seat.number else ()
    return Face(seat, _state(seat, start), (*marks, *betting, *_markers(seat, screen)), _note(seat, screen))


def _state(seat: Seat, start: HandStart | None) -> str:
    if seat.is_free:
        return "free"
    is_in = start is not None and seat.number in start.dealt_in
    # Whoever may not play any more finishes the hand they are in.
    if seat.is_held or not seat.has_chips or (seat.sees_floor and not is_in):
        return "away"
    return "in" if is_in else "out"


def _marks(number: int, start: HandStart | None) -> tuple[str, ...]:
    if start is None:
        return ()
    held = (("btn", start.button), ("sb", start.small_blind), ("bb", start.big_blind))
    return tuple(mark for mark, seat in held if seat == number)


def _markers(seat: Seat, screen: DealerScreen) -> tuple[str, ...]:
    # What is laid down with the hand in progress lies there already.
    laid_down = {each.seat: each.missed for each in screen.hand.start.laid_down} if screen.hand else {}
    return ("missed",) * laid_down.get(seat.number, seat.missed)


def _note(seat: Seat, screen: DealerScreen) -> str:
    if seat.is_free:
        return _("free")
    if seat.sees_floor:
        return pgettext("note at a seat", "see the floor")
    if seat.is_held:
        return _("away %(time)s") % {"time": seat.away} if seat.away else _("held")
    if not seat.has_chips:
        return _("no chips")
    if post := _post(seat.number, screen.start):
        words = _("straddles %(amount)s") if post.kind == PostKind.STRADDLE else _("posts %(amount)s")
        return words % {"amount": _money(post.live + post.dead, screen)}
    if screen.start is None or seat.number in screen.start.dealt_in:
        return _("over for %(name)s") % {"name": seat.holder.name} if seat.holder else ""
    ways = screen.offer.ways[seat.missed] if screen.offer and seat.entry != Entry.IN else ()
    way = next((way for way in ways if way.entry == seat.entry), None)
    if way and way.entry == Entry.POSTS:
        return _("posts %(amount)s") % {"amount": _money(way.live + way.dead, screen)}
    return _("waits for BB") if way else _("next hand")


def _post(number: int, start: HandStart | None) -> PostShown | None:
    """Return what a seat puts in beside the two blinds."""
    blinds = {PostKind.SMALL_BLIND, PostKind.BIG_BLIND}
    posts = start.posts if start else ()
    return next((post for post in posts if post.seat == number and post.kind not in blinds), None)


def _money(cents: int, screen: DealerScreen) -> str:
    return format_cents(cents, currency=screen.currency, locale=screen.locale)
