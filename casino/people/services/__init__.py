"""Every write about people, how they sign in, and their devices."""

from casino.people.services.apart import end_keeping_apart, keep_apart
from casino.people.services.devices import enrol_device, enrol_with_code, make_enrolment_code, revoke_device
from casino.people.services.erasing import erase_player, erase_staff
from casino.people.services.exclusions import ban_player, exclude_by_own_wish, lift_exclusion
from casino.people.services.forgetting import forget_by_time
from casino.people.services.giving_data import give_data, give_staff_data
from casino.people.services.identity import check_identity
from casino.people.services.inquiries import lift_inquiry, open_inquiry, open_staff_inquiry
from casino.people.services.limits import set_own_limit
from casino.people.services.merging import merge_players
from casino.people.services.own import change_own_password, change_own_pin, change_pin_at_door
from casino.people.services.passes import give_pass, revoke_pass, show_as_number
from casino.people.services.players import NewPlayer, add_player, player_meant, rename_player
from casino.people.services.signatures import by_two, second_person, sign_second
from casino.people.services.signing_in import (
    sign_in_at_desktop,
    sign_in_on_device,
    sign_in_with_password,
    sign_in_with_pin,
    sign_out,
    sign_out_of_device,
)
from casino.people.services.staff import (
    add_shift_dealer,
    add_staff,
    change_roles,
    deactivate_staff,
    end_shift,
    end_shift_dealers,
    set_password,
    set_pin,
    start_shift,
    unlock_person,
)
from casino.people.services.tokens import issue_api_token, issue_token, note_use, revoke_api_token

__all__ = [
    "NewPlayer",
    "add_player",
    "add_shift_dealer",
    "add_staff",
    "ban_player",
    "by_two",
    "change_own_password",
    "change_own_pin",
    "change_pin_at_door",
    "change_roles",
    "check_identity",
    "deactivate_staff",
    "end_keeping_apart",
    "end_shift",
    "end_shift_dealers",
    "enrol_device",
    "enrol_with_code",
    "erase_player",
    "erase_staff",
    "exclude_by_own_wish",
    "forget_by_time",
    "give_data",
    "give_pass",
    "give_staff_data",
    "issue_api_token",
    "issue_token",
    "keep_apart",
    "lift_exclusion",
    "lift_inquiry",
    "make_enrolment_code",
    "merge_players",
    "note_use",
    "open_inquiry",
    "open_staff_inquiry",
    "player_meant",
    "rename_player",
    "revoke_api_token",
    "revoke_device",
    "revoke_pass",
    "second_person",
    "set_own_limit",
    "set_password",
    "set_pin",
    "show_as_number",
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
