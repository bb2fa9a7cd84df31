"""The dealer's tablet: the page, and the fragment that is pushed to it."""

from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from casino.errors import NotPermitted
from casino.live.render import fragment
from casino.money import format_cents
from casino.people.http import DoorRequest, actor_of, page
from casino.poker.blinds import Entry, PostKind
from casino.rooms.models import Place
from tables import errors
from tables.selectors.dealer import Asked, DealerScreen, Seat, dealer_screen
from tables.views.dealer_words import words

# What a table may hear: these refusals speak of the game, the rest of "see the floor" (players read this screen).
_SAYABLE = [
    errors.BuyInUnderMinimum, errors.BuyInOverMaximum, errors.StackNeeded, errors.SeatEmpty, errors.NotANewPlayer,
    errors.NothingToUndo, errors.NotYourHand, errors.TableClosed, errors.HandInProgress,
]  # fmt: skip


@dataclass(frozen=True)
class Face:
    """One seat as it is drawn: who sits there, which buttons lie before it, what stands under the name."""

    seat: Seat
    state: str
    marks: tuple[str, ...]
    note: str


@page("page.dealer")
@require_safe
def dealer(request: DoorRequest, number: int) -> HttpResponse:
    """
    Show a table to its dealer.

    :raises NotFound: the room has no such table.
    :raises NotPermitted: the tablet stands at another table.
    """
    actor = actor_of(request)
    if actor.place is not None and actor.place[0] == Place.Kind.TABLE and actor.place[1] != number:
        raise NotPermitted
    shown = fragment(actor.room_id, f"table.{number}.dealer", get_language() or "en")
    context = {
        "number": number,
        "fragment": shown,
        "words": words(),
        "sayable": " ".join(refusal.code for refusal in _SAYABLE),
        "may_count_tips": "tables.count_tip_box" in actor.may,
    }
    return render(request, "tables/dealer.html", context)


def render_table(*, room_id: int, number: int) -> str:
    """Return the fragment of one table's tablet: its rows, and nothing of who looks."""
    screen = dealer_screen(room_id=room_id, number=number)
    faces = [face(seat, screen) for seat in screen.seats]
    return render_to_string("tables/dealer_ring.html", {"screen": screen, "faces": faces, "data": screen.as_json()})


def face(seat: Seat, screen: DealerScreen) -> Face:
    """
    Return how a seat is drawn. The tablet draws the same while it goes on alone: static/brush/dealer/ring.js.
    """
    asked = screen.asked
    return Face(
        seat, _state(seat, asked), _marks(seat.number, None if screen.is_draw_due else asked), _note(seat, screen)
    )


def _state(seat: Seat, asked: Asked | None) -> str:
    if seat.is_free:
        return "free"
    if seat.is_held or not seat.has_chips:
        return "away"
    return "in" if asked and seat.number in asked.dealt_in else "out"


def _marks(number: int, asked: Asked | None) -> tuple[str, ...]:
    if asked is None:
        return ()
    held = (("btn", asked.button), ("sb", asked.small_blind), ("bb", asked.big_blind))
    return tuple(mark for mark, seat in held if seat == number)


def _note(seat: Seat, screen: DealerScreen) -> str:
    if seat.is_free:
        return _("free")
    if seat.is_held:
        return _("held")
    if not seat.has_chips:
        return _("no chips")
    if amount := _newcomers_post(seat.number, screen.asked):
        return _("posts %(amount)s") % {"amount": _money(amount, screen)}
    if screen.asked is None or seat.number in screen.asked.dealt_in:
        return ""
    if seat.entry == Entry.POSTS and screen.offer is not None:
        return _("posts %(amount)s") % {"amount": _money(screen.offer.big_blind, screen)}
    return _("waits for BB") if seat.entry == Entry.WAITS else _("next hand")


def _newcomers_post(number: int, asked: Asked | None) -> int:
    posts = asked.posts if asked else ()
    return sum(post.live + post.dead for post in posts if post.seat == number and post.kind == PostKind.NEW_PLAYER)


def _money(cents: int, screen: DealerScreen) -> str:
    return format_cents(cents, currency=screen.currency, locale=screen.locale)
