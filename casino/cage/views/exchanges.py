"""The page of foreign notes in the vault and of exchanges, the paper of each, and both taps by two."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from casino import clock
from casino.cage.api.exchanges import ExchangeNotes, ReverseExchange, exchange_by_two, reverse_by_two
from casino.cage.labels import EXCHANGE_REASONS
from casino.cage.selectors.exchanges import exchange_by_id, exchanges_of, vault_notes
from casino.cage.selectors.foreign import note_texts, pieces_text
from casino.cage.services.exchanges import NEEDS
from casino.commands.methods import require_POST, require_safe
from casino.money import format_cents
from casino.people.http import ActorRequest, actor_of, command_for, done, page
from casino.people.inputs import arguments_of_form
from casino.people.standing import may_sign
from casino.rooms.models import Room
from casino.rooms.selectors import open_day


@page("page.exchanges")
@require_safe
@never_cache
def exchanges_page(request: ActorRequest) -> HttpResponse:
    """What lies in the vault of each currency, with the form by which it goes, and the newest exchanges."""
    assert request.room is not None
    by, room = actor_of(request), request.room
    context = {
        "lying": [
            {
                "currency": each.currency,
                "face": _face(each.face_cents, each.currency, room),
                "cents": each.cents,
                "notes": [
                    (value, text, each.pieces.get(value, 0))
                    for value, _units, text in note_texts(each.currency, room)
                    if each.pieces.get(value)
                ],
            }
            for each in vault_notes(by.room_id)
        ],
        "exchanges": [(each, _face(each.face_cents, each.currency, room)) for each in exchanges_of(by.room_id)],
        "day": open_day(by.room_id),
        "approvers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "cage/exchanges.html", context)


@page("page.exchanges")
@require_safe
@never_cache
def exchange_page(request: ActorRequest, exchange_id: int) -> HttpResponse:
    """One exchange: its paper, and the form that takes it back."""
    assert request.room is not None
    by = actor_of(request)
    exchange = exchange_by_id(by.room_id, exchange_id)
    if exchange is None:
        raise Http404
    context = {
        "exchange": exchange,
        "printed_at": clock.now(),
        "face": _face(exchange.face_cents, exchange.currency, request.room),
        "notes_text": pieces_text(dict(exchange.pieces), exchange.currency, request.room),
        "reason": EXCHANGE_REASONS.get(exchange.reversal_reason, ""),
        "reasons": EXCHANGE_REASONS.items(),
        "day": open_day(by.room_id),
        "approvers": may_sign(by.room_id, needs=NEEDS, without={by.staff_id}),
    }
    return render(request, "cage/exchange.html", context)


@page("page.exchanges")
@require_POST
def exchange(request: ActorRequest) -> HttpResponse:
    """Exchange notes by two; the paper is shown."""
    answer = exchange_by_two(command_for(request), **arguments_of_form(request, ExchangeNotes))
    return done(request, to=reverse("cage_exchange", args=[answer.data["exchange_id"]]))


@page("page.exchanges")
@require_POST
def take_back(request: ActorRequest, exchange_id: int) -> HttpResponse:
    """Take an exchange back by two."""
    reverse_by_two(command_for(request), exchange_id=exchange_id, **arguments_of_form(request, ReverseExchange))
    return done(request, to=reverse("cage_exchange", args=[exchange_id]))


def _face(face_cents: int, currency: str, room: Room) -> str:
    return format_cents(face_cents, currency=currency, locale=room.locale)
