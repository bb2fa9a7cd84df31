"""The floor gives a player a pass for the phone, ends it, and says how screens show the player."""

import segno
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse

from casino.errors import NotFound
from casino.people.api_passes import ShowAsNumber
from casino.people.http import ActorRequest, actor_of, command_for, done_there
from casino.people.inputs import arguments_of_form
from casino.people.models import Player
from casino.people.passes import pass_of_player
from casino.people.services import give_pass, revoke_pass, show_as_number
from casino.people.standing import kept_record_of
from tables.views.floor import on_the_floor
from tables.views.floor_taps import floor_tap


def phone_address() -> str:
    """Return where players' phones reach their page, "" where they cannot."""
    return f"{settings.PHONE_URL}{reverse('phone')}" if settings.PHONE_URL else ""


def qr_of(link: str) -> str:
    """Return a link as a QR code: the address of an image."""
    return segno.make(link, error="m", micro=False).svg_data_uri(border=2)


@on_the_floor
def phone_sheet(request: ActorRequest, player_id: int) -> HttpResponse:
    """Show whether a player has a pass, and how screens show the player."""
    player = _player(request, player_id)
    held = pass_of_player(player.room_id, player.pk)
    context = {"player": player, "held": held, "is_off": not settings.PHONE_URL, "room": player.room}
    return render(request, "waiting/phone_sheet.html", context)


@floor_tap
def give_tap(request: ActorRequest, player_id: int) -> HttpResponse:
    """Give a player a pass, and show it this once: to be scanned, typed or printed."""
    answer, room = give_pass(command_for(request), player_id=player_id), request.room
    assert room is not None, "whoever is on the floor belongs to a room"
    player = kept_record_of(room.pk, player_id)
    if player is None:
        # Erased since the tap first came: there is nobody to show it to.
        return done_there(request)
    context: dict[str, object] = {"player": player, "room": room}
    if "token" in answer.data:
        link = f"{phone_address()}?pass={answer.data['token']}"
        context |= {
            "link": link,
            "qr": qr_of(link),
            "code": answer.data["code"],
            "address": short_address(phone_address()),
        }
    return render(request, "waiting/pass_card.html", context)


def short_address(address: str) -> str:
    """Return an address as somebody types it: without the scheme and the last slash."""
    return address.partition("://")[2].rstrip("/")


@floor_tap
def end_tap(request: ActorRequest, player_id: int) -> HttpResponse:
    """End a player's pass."""
    revoke_pass(command_for(request), player_id=player_id)
    return done_there(request)


@floor_tap
def shown_tap(request: ActorRequest, player_id: int) -> HttpResponse:
    """Show a player by a number, or by the nickname again."""
    show_as_number(command_for(request), player_id=player_id, **arguments_of_form(request, ShowAsNumber))
    return done_there(request)


def _player(request: ActorRequest, player_id: int) -> Player:
    """:raises NotFound: the room knows no such player."""
    players = Player.objects.select_related("room").filter(
        room_id=actor_of(request).room_id, erased_at=None, merged_into=None
    )
    player = players.filter(id=player_id).first()
    if player is None:
        raise NotFound(what="player")
    return player
