"""The screens of signing in and of the people page."""

from casino.people.views import kept, player
from casino.people.views.devices import (
    devices_page,
    issue_token_view,
    make_code_view,
    revoke_device_view,
    revoke_token_view,
)
from casino.people.views.home import bad_request, csrf_failure, home, not_found, not_permitted, went_wrong
from casino.people.views.looks import theme_view
from casino.people.views.own import door_pin_view, my_sign_in_page, own_password_view, own_pin_view
from casino.people.views.players import add_player_view, players_page, rename_player_view
from casino.people.views.signing_in import door_page, enrol_page, hand_over, leave_door, sign_in_page, sign_out_view
from casino.people.views.staff import (
    add_staff_view,
    deactivate_view,
    password_view,
    pin_view,
    roles_view,
    shift_view,
    staff_page,
    unlock_view,
)

__all__ = [
    "add_player_view",
    "add_staff_view",
    "bad_request",
    "csrf_failure",
    "deactivate_view",
    "devices_page",
    "door_page",
    "door_pin_view",
    "enrol_page",
    "hand_over",
    "home",
    "issue_token_view",
    "kept",
    "leave_door",
    "make_code_view",
    "my_sign_in_page",
    "not_found",
    "not_permitted",
    "own_password_view",
    "own_pin_view",
    "password_view",
    "pin_view",
    "player",
    "players_page",
    "rename_player_view",
    "revoke_device_view",
    "revoke_token_view",
    "roles_view",
    "shift_view",
    "sign_in_page",
    "sign_out_view",
    "staff_page",
    "theme_view",
    "unlock_view",
    "went_wrong",
]
