"""Addresses of the waiting lists and of players' phones."""

from django.urls import URLPattern, path

from casino.waiting.views import closing, lists, passes, phone

_waiting = "floor/waiting/<int:waiting_id>/"
_player = "floor/players/<int:player_id>/"

urlpatterns: list[URLPattern] = [
    path("floor/players/", lists.players_found, name="list_players"),
    path(f"{_player}phone/sheet/", passes.phone_sheet, name="player_phone_sheet"),
    path(f"{_player}pass/", passes.give_tap, name="player_pass"),
    path(f"{_player}pass/end/", passes.end_tap, name="player_pass_end"),
    path(f"{_player}shown/", passes.shown_tap, name="player_shown"),
    # the player's own phone
    path("my/", phone.phone_page, name="phone"),
    path("my/<int:waiting_id>/on-the-way/", phone.on_the_way_tap, name="phone_on_the_way"),
    path("my/<int:waiting_id>/more/", phone.more_tap, name="phone_more"),
    path("my/<int:waiting_id>/drop/", phone.drop_tap, name="phone_drop"),
    path("floor/lists/<int:game_id>/sheet/", lists.list_sheet, name="list_sheet"),
    path("floor/lists/<int:game_id>/rest/", lists.rest_sheet, name="list_rest"),
    path("floor/lists/<int:game_id>/join/", lists.join_tap, name="list_join"),
    path(f"{_waiting}sheet/", lists.waiting_sheet, name="waiting_sheet"),
    path(f"{_waiting}call/", lists.call_tap, name="waiting_call"),
    path(f"{_waiting}call/back/", lists.back_tap, name="waiting_call_back"),
    path(f"{_waiting}strike/", lists.strike_tap, name="waiting_strike"),
    path(f"{_waiting}strike/back/", lists.unstrike_tap, name="waiting_strike_back"),
    path(f"{_waiting}drop/", lists.drop_tap, name="waiting_drop"),
    path(f"{_waiting}more/", lists.more_tap, name="waiting_more"),
    path(f"{_waiting}more/no/", lists.no_more_tap, name="waiting_no_more"),
    path(f"{_waiting}chips/", lists.chips_tap, name="waiting_chips"),
    path(f"{_waiting}check-in/", lists.check_in_tap, name="waiting_check_in"),
    path(f"{_waiting}move/", lists.move_tap, name="waiting_move"),
    path("floor/tables/<int:number>/seatings/<int:seating_id>/wait/", closing.wait_tap, name="floor_wait"),
]
