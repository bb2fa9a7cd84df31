"""What the events of doors, staff, players and devices say in the log, and how people and devices are named there."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from casino.audit.sentences import NAMED_MAX, By, Part, Reader, find_persons, name_codes, name_things, say, say_besides
from casino.people.identity import DOCUMENTS
from casino.people.models import Player, Staff
from casino.people.selectors import device_names, nicknames, staff_names, token_names
from casino.people.words import PLACE_NAMES, ROLE_NAMES
from casino.text import isolated

say(
    {
        "people.sign_in": By(
            "accepted",
            {True: _("{staff_id} signed in at a desktop."), False: _("A wrong password was typed for {staff_id}.")},
        ),
        "people.sign_out": _("{staff_id} signed out at a desktop."),
        "people.sign_in_on_device": By(
            "accepted", {True: _("{staff_id} signed in by PIN."), False: _("A wrong PIN was typed for {staff_id}.")}
        ),
        "people.sign_out_of_device": _("{staff_id} signed out of the device."),
        "people.sign_second": By(
            "accepted",
            {True: _("{staff_id} signed as second person."), False: _("{staff_id} did not sign: wrong PIN.")},
        ),
        "people.change_pin_on_device": By(
            "accepted", {True: _("{staff_id} took another PIN."), False: _("{staff_id} took no other PIN: wrong PIN.")}
        ),
        "people.change_own_pin": By(
            "accepted", {True: _("Took another PIN."), False: _("Took no other PIN: wrong password.")}
        ),
        "people.change_own_password": By(
            "accepted", {True: _("Took another password."), False: _("Took no other password: wrong password.")}
        ),
        "people.add_staff": _("{staff_id} works here now: {roles}."),
        "people.add_shift_dealer": _("{staff_id} was added for one shift: {roles}."),
        "people.change_roles": By(
            "is_signed",
            {
                False: _("The roles of {staff_id} are now: {roles}."),
                True: _("The roles of {staff_id} are now: {roles}; signed by {approved_by_id}."),
            },
        ),
        "people.set_pin": _("{staff_id} was given a PIN."),
        "people.set_password": _("{staff_id} was given a password."),
        "people.start_shift": _("The shift of {staff_id} began."),
        "people.end_shift": _("The shift of {staff_id} ended."),
        "people.unlock_person": _("{staff_id} may try PINs again."),
        "people.deactivate_staff": _("{staff_id} works here no more."),
        "people.make_enrolment_code": _("A code was made for a device at: {kind} {number}."),
        "people.enrol_device": _("Device {device_id} was enrolled."),
        "people.revoke_device": _("Device {device_id} was shut out."),
        "people.issue_api_token": _("A program got a token for {days} days: {roles}."),
        "people.revoke_api_token": _("A program’s token was ended."),
        "people.add_player": _("{player_id} is a player here now."),
        "people.rename_player": _("{player_id} got this name."),
        "people.erase_player": By(
            "identity_kept",
            {
                False: _("{player_id} was erased, as they asked."),
                True: _("{player_id} was erased, as they asked; what was seen of their document stays for its time."),
            },
        ),
        "people.forget_by_time": _("What was kept about people for long enough was removed: {records}."),
        "people.give_data": _("{player_id} was given what is kept about them, by {document}; signed by {signed_by}."),
        "people.open_inquiry": _("What is kept about {player_id} is held for an inquiry."),
        "people.lift_inquiry": By(
            "of",
            {
                "player": _("An inquiry holds {player_id} no more; signed by {signed_by}."),
                "staff": _("An inquiry holds {staff_id} no more; signed by {signed_by}."),
            },
        ),
        "people.open_staff_inquiry": _("What is kept about {staff_id} of the staff is held for an inquiry."),
        "people.give_staff_data": _(
            "{staff_id} of the staff was given what is kept about them, by {document}; signed by {signed_by}."
        ),
        "people.erase_staff": _("{staff_id} of the staff was erased, as they asked."),
        "people.check_identity": _("The identity of {player_id} was checked: {document}."),
        "people.merge_players": _("Player {gone} was merged into {player_id}; signed by {signed_by}."),
        "people.ban_player": _("{player_id} was banned."),
        "people.exclude_by_own_wish": _("{player_id} is excluded by own wish."),
        "people.lift_exclusion": _("What kept {player_id} out was lifted; signed by {signed_by}."),
        "people.set_own_limit": _("{player_id} set a limit."),
        "people.keep_apart": _("{players} are kept apart."),
        "people.end_keeping_apart": _("Two players are kept apart no more."),
        "people.give_pass": _("{player_id} got a pass for the phone."),
        "people.revoke_pass": _("The pass of {player_id} was ended."),
        "people.show_as_number": By(
            "is_number",
            {
                True: _("Screens show {player_id} by a number."),
                False: _("Screens show {player_id} by the nickname again."),
            },
        ),
    }
)
say_besides(
    {
        "shift_dealers": _("Who was here for this day alone works here no more: {shift_dealers}."),
        "api_tokens_ended": _("Programs’ tokens that ended with it: {api_tokens_ended}."),
        "left_devices": _("Signed out of: {left_devices}."),
    }
)
name_codes("roles", {role.value: name for role, name in ROLE_NAMES.items()})
name_codes("document", DOCUMENTS)
name_codes("kind", {kind.value: name for kind, name in PLACE_NAMES.items()})


def _linked(kind: str, names: Mapping[int, str]) -> dict[int, Part]:
    log = reverse("log")
    return {each: Part(isolated(name), f"{log}?person={kind}-{each}") for each, name in names.items()}


def _players(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    return _linked("player", nicknames(ids, room_id=reader.room_id))


def _staff(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    return _linked("staff", staff_names(ids, room_id=reader.room_id))


def _devices(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    return {each: Part(isolated(name)) for each, name in device_names(ids, room_id=reader.room_id).items()}


def _tokens(reader: Reader, ids: set[Any]) -> dict[int, Part]:
    return {each: Part(isolated(name)) for each, name in token_names(ids, room_id=reader.room_id).items()}


def _named(reader: Reader, text: str) -> Iterable[tuple[str, int]]:
    players = Player.objects.filter(room_id=reader.room_id, nickname__icontains=text)
    yield from (("player", each) for each in players.order_by("id").values_list("id", flat=True)[: NAMED_MAX + 1])
    staff = Staff.objects.filter(room_id=reader.room_id, display_name__icontains=text)
    yield from (("staff", each) for each in staff.order_by("id").values_list("id", flat=True)[: NAMED_MAX + 1])


name_things(("player", "player_id", "players", "player_ids", "gone", "gone_id"), _players)
name_things(
    (
        "staff",
        "staff_id",
        "dealer",
        "dealer_id",
        "approved_by_id",
        "signed_by",
        "counted_by_id",
        "counted_with_id",
        "asked_by",
        "decided_by",
        "ended_by",
        "sent_by",
        "holder_id",
        "shift_dealers",
    ),
    _staff,
)
name_things(("device", "device_id", "left_devices"), _devices)
name_things(("api_tokens_ended",), _tokens)
find_persons(_named)
