"""Players, people who work here and their devices, by both doors."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.test import Client

from casino.commands.carrying_out import Command
from casino.people.models import ApiToken, Device, EnrolmentCode, Exclusion, Inquiry, KeptApart, Staff
from casino.people.secrets import code_digest
from casino.people.selectors import actor_on_device
from casino.people.services import (
    ban_player,
    end_shift,
    give_pass,
    issue_token,
    keep_apart,
    make_enrolment_code,
    open_inquiry,
    sign_in_with_pin,
    start_shift,
)
from tests.cast import demo_person, enrolled
from tests.doors.way import Finders, NewestOf, Way
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop, on_device

P, PEOPLE = "/people/players/{riku}/", "people/players/{riku}/"
DAN, STAFF = "/people/{dan}/", "people/staff/{dan}/"
NEWEST: NewestOf = {"exclusion": Exclusion, "inquiry": Inquiry, "pair": KeptApart, "device": Device, "token": ApiToken}
CODE = "RW4K9XTD"
NAMES: Finders = {
    "mari": lambda house: house.cast.mari.pk,
    "mari_pin": lambda house: demo_person("mari").pin,
    "mari_password": lambda house: demo_person("mari").password,
    "anna": lambda house: house.cast.anna.pk,
    "anna_pin": lambda house: demo_person("anna").pin,
}


def _player(service: Callable[..., Any], **arguments: Any) -> Callable[[House], Any]:
    return lambda house: house.tap(service, player_id=house.player("Riku").pk, **arguments)


def _dan(service: Callable[..., Any]) -> Callable[[House], Any]:
    return lambda house: house.tap(service, staff_id=house.cast.dan.pk)


def _banned(house: House) -> None:
    _second_manager(house)
    _player(ban_player, last_day="2026-12-31")(house)


def _inquired(house: House) -> None:
    _second_manager(house)
    house.tap(open_inquiry, house.cast.mari, player_id=house.player("Riku").pk)


def _apart(house: House) -> None:
    house.tap(keep_apart, player_ids=[house.player("Riku").pk, house.player("Aino").pk])


def _second_manager(house: House) -> None:
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])


def _dan_left(house: House) -> None:
    left = {"is_active": False, "is_on_shift": False, "left_at": house.at - timedelta(days=400)}
    Staff.objects.filter(pk=house.cast.dan.pk).update(**left, pin="")


def _locked(house: House) -> None:
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)


def _standing(house: House) -> None:
    enrolled(house.cast.room, "table", 1)


def _issued(house: House) -> None:
    mari = house.cast.mari
    arguments = {"roles": ["floor"], "days": 9, "pin": demo_person("mari").pin, "staff_id": mari.pk, "device_id": None}
    house.tap(issue_token, mari, name="wall", **arguments)


def _code_made(house: House) -> None:
    house.tap(make_enrolment_code, house.cast.mari, kind="table", number=9, device_name="Tablet 9")
    with as_owner():
        EnrolmentCode.objects.update(code_hash=code_digest(CODE), expires_at=house.at + timedelta(hours=1))


def _anybody(house: House) -> Client:
    return at_desktop()


def _tablet(house: House) -> Client:
    return on_device("token-table-1")


def _mari(house: House) -> Client:
    """Return a browser of its own, for its session ends with the tap."""
    return at_desktop(house.cast.mari)


def _anna_signed_in(house: House) -> None:
    device = enrolled(house.cast.room, "table", 1)
    asks = Command(id=uuid.uuid4(), by=actor_on_device(device, staff=None), at=house.at, tapped_at=house.at)
    sign_in_with_pin(asks, staff_id=house.cast.anna.pk, pin=demo_person("anna").pin)


WAYS = [
    Way(
        "/people/players/add/",
        "people/players",
        {"nickname": " Zed", "full_name": "Zed Zander"},
        {"nickname": "Zed ", "full_name": "Zed Zander"},
    ),
    Way(P + "erase/", PEOPLE + "erase"),
    Way(P + "rename/", PEOPLE + "rename", {"nickname": "Riku L."}, {"nickname": "Riku L."}),
    Way(
        P + "rename/",
        PEOPLE + "rename",
        {"nickname": "Riku", "full_name": ""},
        {"nickname": "Riku", "full_name": ""},
        id="the full name taken away",
    ),
    Way(
        P + "exclude/",
        PEOPLE + "ban",
        {"kind": "ban", "last_day": "2026-12-31", "clause": "H1.76", "reason": "Marked cards"},
        {"last_day": "2026-12-31", "clause": "H1.76", "reason": "Marked cards"},
    ),
    Way(
        P + "exclude/",
        PEOPLE + "ban",
        {"kind": "ban", "last_day": "", "clause": "", "reason": ""},
        {"last_day": None},
        id="until two lift it",
    ),
    Way(
        P + "exclude/",
        PEOPLE + "own-exclusion",
        {"kind": "own", "last_day": "2026-12-31", "reason": ""},
        {"last_day": "2026-12-31"},
    ),
    Way(
        "/people/exclusions/{exclusion}/lift/",
        "people/exclusions/{exclusion}/lift",
        {"username": "frans", "pin": "{pin}"},
        {"second": {"username": "frans", "pin": "{pin}"}},
        before=_banned,
    ),
    Way(
        P + "data/",
        PEOPLE + "data",
        {"document": "passport", "language": "fi", "username": "frans", "pin": "{pin}"},
        {"document": "passport", "language": "fi", "second": {"username": "frans", "pin": "{pin}"}},
    ),
    Way(
        "/people/inquiries/open/",
        PEOPLE + "inquiries",
        {"other_id": "{riku}", "last_day": "2026-12-31", "reason": "Asked for by the authority"},
        {"last_day": "2026-12-31", "reason": "Asked for by the authority"},
    ),
    Way(
        "/people/inquiries/open-staff/",
        STAFF + "inquiries",
        {"staff_id": "{dan}", "last_day": "2026-12-31", "reason": "Asked for by the authority"},
        {"last_day": "2026-12-31", "reason": "Asked for by the authority"},
    ),
    Way(
        "/people/inquiries/{inquiry}/lift/",
        "people/inquiries/{inquiry}/lift",
        {"username": "frans", "pin": "{pin}"},
        {"second": {"username": "frans", "pin": "{pin}"}},
        before=_inquired,
    ),
    Way(P + "limit/", PEOPLE + "limits", {"kind": "buy_in", "amount": "200,50"}, {"kind": "buy_in", "amount": 200_50}),
    Way(P + "limit/", PEOPLE + "limits", {"kind": "hours", "amount": "3,5"}, {"kind": "hours", "amount": 210}, id="h"),
    Way(P + "limit/", PEOPLE + "limits", {"kind": "hours", "amount": ""}, {"kind": "hours", "amount": None}, id="none"),
    Way(
        P + "apart/",
        "people/kept-apart",
        {"other_id": "{aino}", "reason": "They quarrel"},
        {"player_ids": ["{riku}", "{aino}"], "reason": "They quarrel"},
    ),
    Way(P + "apart/{pair}/end/", "people/kept-apart/{pair}/end", before=_apart),
    Way(
        P + "merge/",
        PEOPLE + "merge",
        {"other_id": "{aino}", "username": "frans", "pin": "{pin}"},
        {"gone_id": "{aino}", "second": {"username": "frans", "pin": "{pin}"}},
        before=_second_manager,
    ),
    Way("/floor/players/{riku}/pass/", PEOPLE + "pass"),
    Way("/floor/players/{riku}/pass/end/", PEOPLE + "pass/revoke", before=_player(give_pass)),
    Way("/floor/players/{riku}/shown/", PEOPLE + "shown", {"is_number": "1"}, {"is_number": True}),
    Way(
        "/people/add/",
        "people/staff",
        {"username": "zoe", "display_name": "Zoe", "roles": ["dealer", "floor"], "pin": "2468", "password": ""},
        {"username": "zoe", "display_name": "Zoe", "roles": ["dealer", "floor"], "pin": "2468"},
    ),
    Way(
        "/floor/dealers/add/",
        "people/staff/shift-dealers",
        {"display_name": "Pia", "pin": "5871"},
        {"display_name": "Pia", "pin": "5871"},
    ),
    Way(DAN + "roles/", STAFF + "roles", {"roles": ["dealer", "floor"]}, {"roles": ["dealer", "floor"]}),
    Way(DAN + "roles/", STAFF + "roles", {}, {"roles": []}, id="none"),
    Way(
        DAN + "roles/",
        STAFF + "roles",
        {"roles": ["dealer", "compliance"], "username": "frans", "pin": "{pin}"},
        {"roles": ["dealer", "compliance"], "second": {"username": "frans", "pin": "{pin}"}},
        id="officer",
    ),
    Way(DAN + "pin/", STAFF + "pin", {"pin": "8642"}, {"pin": "8642"}),
    Way(
        DAN + "password/",
        STAFF + "password",
        {"password": " nine tables tonight "},
        {"password": " nine tables tonight "},
    ),
    Way(DAN + "shift/", STAFF + "start-shift", {"on_shift": "1"}, before=_dan(end_shift)),
    Way(DAN + "shift/", STAFF + "end-shift", before=_dan(start_shift)),
    Way(DAN + "unlock/", STAFF + "unlock", before=_locked),
    Way(DAN + "deactivate/", STAFF + "deactivate"),
    Way(DAN + "erase/", STAFF + "erase", before=_dan_left),
    Way(
        DAN + "data/give/",
        STAFF + "data",
        {"document": "passport", "language": "fi", "username": "frans", "pin": "{pin}"},
        {"document": "passport", "language": "fi", "second": {"username": "frans", "pin": "{pin}"}},
    ),
    Way(
        "/people/devices/code/",
        "people/enrolment-codes",
        {"kind": "table", "number": "9", "device_name": "Tablet 9"},
        {"kind": "table", "number": 9, "device_name": "Tablet 9"},
    ),
    Way("/people/devices/{device}/revoke/", "people/devices/{device}/revoke", before=_standing),
    Way(
        "/people/tokens/add/",
        "people/tokens",
        {"name": "wall", "roles": ["floor"], "days": "90", "pin": "{mari_pin}", "staff_id": "{mari}", "device_id": ""},
        {"name": "wall", "roles": ["floor"], "days": 90, "pin": "{mari_pin}", "staff_id": "{mari}"},
    ),
    Way("/people/tokens/{token}/revoke/", "people/tokens/{token}/revoke", before=_issued),
    Way(
        "/my-sign-in/pin/",
        "my-sign-in/pin",
        {"password": "{mari_password}", "new_pin": "9753", "again": "9753"},
        {"password": "{mari_password}", "new_pin": "9753"},
    ),
    Way(
        "/my-sign-in/password/",
        "my-sign-in/password",
        {"password": "{mari_password}", "new_password": "ten tables tomorrow", "again": "ten tables tomorrow"},
        {"password": "{mari_password}", "new_password": "ten tables tomorrow"},
        by=_mari,
    ),
    Way(
        "/sign-in/",
        "sign-in",
        {"username": "mari", "password": "{mari_password}"},
        {"username": "mari", "password": "{mari_password}"},
        by=_anybody,
    ),
    Way("/sign-out/", "sign-out", by=_mari),
    Way("/enrol/", "enrol", {"code": f" {CODE}"}, {"code": CODE}, before=_code_made, by=_anybody),
    Way(
        "/door/sign-in/",
        "door/sign-in",
        {"staff_id": "{anna}", "pin": "{anna_pin}"},
        {"staff_id": "{anna}", "pin": "{anna_pin}"},
        before=_standing,
        by=_tablet,
    ),
    Way(
        "/door/pin/",
        "door/pin",
        {"staff_id": "{anna}", "pin": "{anna_pin}", "new_pin": "9753"},
        {"staff_id": "{anna}", "pin": "{anna_pin}", "new_pin": "9753"},
        before=_standing,
        by=_tablet,
    ),
    Way("/door/sign-out/", "door/sign-out", before=_anna_signed_in, by=_tablet),
]
