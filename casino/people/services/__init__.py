"""Every write about people, their doors and their devices."""

from casino.people.services.devices import enrol_device, enrol_with_code, make_enrolment_code, revoke_device
from casino.people.services.doors import (
    sign_in_at_desktop,
    sign_in_on_device,
    sign_in_with_password,
    sign_in_with_pin,
    sign_out,
    sign_out_of_device,
)
from casino.people.services.players import add_player, rename_player
from casino.people.services.signatures import second_person, sign_second
from casino.people.services.staff import (
    add_staff,
    change_roles,
    deactivate_staff,
    end_shift,
    set_password,
    set_pin,
    start_shift,
    unlock_person,
)
from casino.people.services.tokens import issue_api_token, revoke_api_token

__all__ = [
    "add_player",
    "add_staff",
    "change_roles",
    "deactivate_staff",
    "end_shift",
    "enrol_device",
    "enrol_with_code",
    "issue_api_token",
    "make_enrolment_code",
    "rename_player",
    "revoke_api_token",
    "revoke_device",
    "second_person",
    "set_password",
    "set_pin",
    "sign_in_at_desktop",
    "sign_in_on_device",
    "sign_in_with_password",
    "sign_in_with_pin",
    "sign_out",
    "sign_out_of_device",
    "sign_second",
    "start_shift",
    "unlock_person",
]
