"""Staff, players, devices, tokens and the second signature."""

import json
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from casino.audit.models import Event
from casino.cage.services import close_day, open_day
from casino.commands.carrying_out import Answer
from casino.errors import Malformed, NotFound, NotPermitted, Refusal
from casino.people import demo
from casino.people.errors import (
    ComplianceByTwo,
    HoldsCompliance,
    LastManager,
    NeedsSecondSignature,
    NicknameTaken,
    OwnRoles,
    PasswordTooSimple,
    PinLocked,
    PinTooSimple,
    SamePerson,
    SecondMayNot,
    UsernameTaken,
    WrongPin,
)
from casino.people.models import ApiToken, Device, Player, Staff
from casino.people.published import STAFF
from casino.people.selectors import actor_of_token, api_token, find_players
from casino.people.services import (
    add_player,
    add_shift_dealer,
    add_staff,
    change_roles,
    deactivate_staff,
    end_shift,
    issue_token,
    rename_player,
    revoke_api_token,
    revoke_device,
    second_person,
    set_password,
    set_pin,
    sign_in_with_pin,
)
from casino.people.services.staff import NEEDS_FOR_COMPLIANCE, roles_signs
from tests.cage.counting import signed
from tests.cast import TONIGHT, Cast, command, demo_person, enrolled, make_cast
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.smoke

NEEDS = "cage.approve_reversal"


def test_two_people_never_sign_in_with_one_name(cast: Cast):
    with pytest.raises(UsernameTaken):
        add_staff(command(cast.mari), username="ANNA", display_name="Anna B", roles=["dealer"])

    assert Staff.objects.filter(username__iexact="anna").count() == 1


@pytest.mark.parametrize("pin", ["123", "0000", "12a4", "123456789", ""])
def test_a_pin_has_four_to_eight_digits(cast: Cast, pin: str):
    with pytest.raises(PinTooSimple):
        set_pin(command(cast.mari), staff_id=cast.anna.pk, pin=pin)


def test_a_password_is_long_and_uncommon(cast: Cast):
    for password in ("short", "password123", ""):
        with pytest.raises(PasswordTooSimple):
            set_password(command(cast.mari), staff_id=cast.anna.pk, password=password)


def test_the_last_manager_stays(cast: Cast):
    with pytest.raises(LastManager):
        deactivate_staff(command(cast.mari), staff_id=cast.mari.pk)

    change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["floor", "manager"])
    with pytest.raises(OwnRoles):
        change_roles(command(cast.mari), staff_id=cast.mari.pk, roles=["floor"])
    change_roles(command(Staff.objects.get(pk=cast.frans.pk)), staff_id=cast.mari.pk, roles=["floor"])
    assert Staff.objects.get(pk=cast.mari.pk).roles == ["floor"]


def _officer(by: Staff, second: Staff, staff: Staff, *roles: str) -> Answer:
    """Have somebody's roles changed, signed by two."""
    arguments: dict[str, Any] = {"staff_id": staff.pk, "roles": list(roles)}
    signing = signed(by, second, roles_signs(**arguments), needs=NEEDS_FOR_COMPLIANCE)
    return change_roles(signing, **arguments, approved_by_id=second.pk)


def test_compliance_is_given_and_taken_by_two_and_nobody_gives_it_themselves(cast: Cast):
    mari, frans, carla, anna = cast.mari, cast.frans, cast.carla, cast.anna
    with pytest.raises(OwnRoles):
        change_roles(command(mari), staff_id=mari.pk, roles=[*mari.roles, "compliance"])
    with pytest.raises(NeedsSecondSignature):
        change_roles(command(mari), staff_id=carla.pk, roles=["cashier", "compliance"])
    with pytest.raises(ComplianceByTwo):
        add_staff(command(mari), username="vera", display_name="Vera", roles=["compliance"])
    with pytest.raises(OwnRoles):
        _officer(mari, frans, frans, "floor", "compliance")

    # One manager alone: the floor signs, and the log says who.
    given = _officer(mari, frans, carla, "cashier", "compliance")
    assert given.data["approved_by_id"] == frans.pk
    # Now there is somebody who may sign it, and the floor no more.
    with pytest.raises(SecondMayNot):
        _officer(mari, frans, anna, "dealer", "compliance")
    assert Staff.objects.get(pk=anna.pk).roles == ["dealer"]
    _officer(mari, carla, anna, "dealer", "compliance")
    with pytest.raises(NeedsSecondSignature):
        change_roles(command(mari), staff_id=anna.pk, roles=["dealer"])
    # What is another's alone goes on by one.
    change_roles(command(mari), staff_id=frans.pk, roles=["floor", "cashier"])


@pytest.mark.parametrize("how", ["by the floor", "by the day"])
def test_a_shift_dealer_who_was_given_compliance_does_not_leave_with_the_shift(cast: Cast, how: str):
    open_day(command(cast.mari))
    pia = Staff.objects.get(pk=add_shift_dealer(command(cast.frans), display_name="Pia", pin="5871").data["staff_id"])
    _officer(cast.mari, cast.frans, pia, "dealer", "compliance")

    if how == "by the floor":
        end_shift(command(cast.frans), staff_id=pia.pk)
    else:
        close_day(command(cast.mari))

    pia.refresh_from_db()
    assert (pia.is_active, pia.left_at, pia.roles) == (True, None, ["dealer", "compliance"])
    _officer(cast.mari, cast.frans, pia, "dealer")
    end_shift(command(cast.frans), staff_id=pia.pk)
    pia.refresh_from_db()
    assert (pia.is_active, pia.is_on_shift) == (False, False)


@pytest.mark.parametrize("how", ["demoted", "left"])
def test_who_takes_the_other_manager_away_has_the_floor_sign_nothing_tonight(cast: Cast, how: str):
    mari, frans, carla, anna = cast.mari, cast.frans, cast.carla, cast.anna
    Staff.objects.filter(pk=carla.pk).update(roles=["manager"])
    if how == "demoted":
        change_roles(command(mari), staff_id=carla.pk, roles=["cashier"])
    else:
        deactivate_staff(command(mari), staff_id=carla.pk)

    with pytest.raises(SecondMayNot):
        _officer(mari, frans, anna, "dealer", "compliance")


def test_the_people_page_offers_for_compliance_who_may_sign_it(cast: Cast):
    def offered() -> str:
        page = at_desktop(cast.mari).get("/people/").content.decode()
        assert page.count('value="compliance"') == Staff.objects.count() - 1
        return page.split(f'id="roles-by-{cast.anna.pk}"')[1].split("</select>")[0]

    assert 'value="frans"' in offered()
    Staff.objects.filter(pk=cast.carla.pk).update(roles=["manager"])
    assert 'value="frans"' not in offered()
    assert 'value="carla"' in offered()


def test_one_manager_alone_is_no_officer_and_rid_of_none(cast: Cast):
    mari, anna = cast.mari, cast.anna
    _officer(mari, cast.frans, anna, "dealer", "compliance")
    for refused in (
        lambda: set_pin(command(mari), staff_id=anna.pk, pin="8642"),
        lambda: set_password(command(mari), staff_id=anna.pk, password="nine tables tonight"),
        lambda: deactivate_staff(command(mari), staff_id=anna.pk),
    ):
        with pytest.raises(HoldsCompliance):
            refused()
    assert Staff.objects.filter(pk=anna.pk, pin=anna.pin, is_active=True).exists()
    assert f"/people/{anna.pk}/pin/" not in at_desktop(mari).get("/people/").content.decode()

    _officer(mari, cast.frans, anna, "dealer")
    deactivate_staff(command(mari), staff_id=anna.pk)


def test_who_may_not_change_roles_tries_nobody_s_pin(cast: Cast):
    at_window = at_desktop(cast.carla)

    for _ in range(5):
        refused = tap(at_window, f"/people/{cast.anna.pk}/roles/", roles=["dealer"], username="mari", pin="9999")
        assert refused.status_code == 403

    assert Staff.objects.filter(username="mari", wrong_pins=0, locked_at=None).exists()


def test_unknown_roles_are_malformed_and_the_database_agrees(cast: Cast):
    with pytest.raises(Malformed):
        change_roles(command(cast.mari), staff_id=cast.anna.pk, roles=["emperor"])
    with pytest.raises(IntegrityError, match="staff_roles_are_known"), transaction.atomic():
        Staff.objects.filter(pk=cast.anna.pk).update(roles=["display"])


def test_whoever_leaves_is_out_of_every_tablet(cast: Cast):
    device = enrolled(cast.room, "table", 4)
    sign_in_with_pin(command(cast.anna, device=device), staff_id=cast.anna.pk, pin=demo_person("anna").pin)
    assert Device.objects.get().signed_in == cast.anna

    deactivate_staff(command(cast.mari), staff_id=cast.anna.pk)

    assert Device.objects.get().signed_in is None
    with pytest.raises(NotFound):
        sign_in_with_pin(command(cast.mari, device=device), staff_id=cast.anna.pk, pin=demo_person("anna").pin)


def test_nobody_reaches_into_another_room(cast: Cast):
    other = make_cast(slug="other")

    with pytest.raises(NotFound):
        set_pin(command(other.mari), staff_id=cast.anna.pk, pin="8642")
    with pytest.raises(NotFound):
        rename_player(command(other.mari), player_id=cast.players["Lee"].pk, nickname="Eel")
    with pytest.raises(NotFound):
        revoke_device(command(other.mari), device_id=enrolled(cast.room, "table", 4).pk)


def test_a_nickname_is_one_players_and_may_change(cast: Cast):
    with pytest.raises(NicknameTaken):
        add_player(command(cast.frans), nickname="lee")
    with pytest.raises(NicknameTaken):
        rename_player(command(cast.frans), player_id=cast.players["Kai"].pk, nickname="LEE")

    rename_player(command(cast.carla), player_id=cast.players["Kai"].pk, nickname="Kai 2", full_name="Kai Nieminen")

    assert Player.objects.get(pk=cast.players["Kai"].pk).full_name == "Kai Nieminen"


def test_who_may_not_read_a_full_name_neither_finds_it_nor_writes_over_it(cast: Cast):
    kai = cast.players["Kai"]
    rename_player(command(cast.carla), player_id=kai.pk, nickname="Kai", full_name="Kai Nieminen")

    with pytest.raises(NotPermitted):
        rename_player(command(cast.frans), player_id=kai.pk, nickname="Kai", full_name="")
    rename_player(command(cast.frans), player_id=kai.pk, nickname="Kai 2")

    assert Player.objects.get(pk=kai.pk).full_name == "Kai Nieminen"
    assert find_players(cast.room.pk, "nieminen") == []
    assert find_players(cast.room.pk, "nieminen", by_full_name=True) == [kai]


def test_whoever_may_no_longer_look_is_shown_out_at_once(cast: Cast, monkeypatch, django_capture_on_commit_callbacks):
    shown_out: list[int] = []
    monkeypatch.setattr("casino.people.services.staff.revoke", lambda *, staff_id: shown_out.append(staff_id))

    with django_capture_on_commit_callbacks(execute=True):
        change_roles(command(cast.mari), staff_id=cast.frans.pk, roles=["dealer"])
        set_password(command(cast.mari), staff_id=cast.carla.pk, password="nine tables tonight")
        deactivate_staff(command(cast.mari), staff_id=cast.anna.pk)
        end_shift(command(cast.mari), staff_id=cast.dan.pk)

    assert shown_out == [cast.frans.pk, cast.carla.pk, cast.anna.pk, cast.dan.pk]


@as_owner()
def test_an_erased_player_keeps_no_name(cast: Cast):
    lee = cast.players["Lee"]
    Player.objects.filter(pk=lee.pk).update(full_name="Lee Korhonen")

    with pytest.raises(IntegrityError, match="player_erased_has_no_full_name"), transaction.atomic():
        Player.objects.filter(pk=lee.pk).update(nickname="", erased_at=TONIGHT)

    assert Player.objects.filter(pk=lee.pk).update(nickname="", full_name="", erased_at=TONIGHT) == 1


# ---- the second signature


def sign(
    cast: Cast, by: Staff, username: str, pin: str = "", *, id: uuid.UUID | None = None, needs: str = NEEDS
) -> int:
    pin = pin or demo_person(username).pin
    return second_person(command(by, id=id), username=username, pin=pin, needs=needs, signs="slip.17")


def test_a_second_person_signs_by_their_own_pin_and_the_log_names_both(cast: Cast):
    command_id = uuid.uuid4()

    assert sign(cast, cast.carla, "frans", id=command_id) == cast.frans.pk

    event = Event.objects.get(name="people.sign_second")
    logged = json.loads(event.text)
    assert (event.staff_id, logged["args"]["staff_id"], logged["args"]["signs"]) == (
        cast.carla.pk,
        cast.frans.pk,
        "slip.17",
    )
    assert event.command_id == uuid.uuid5(command_id, "second person")


def test_who_asks_never_approves_whatever_roles_they_hold(cast: Cast):
    with pytest.raises(SamePerson):
        sign(cast, cast.mari, "mari")


def test_a_second_person_needs_the_permission(cast: Cast):
    with pytest.raises(SecondMayNot):
        sign(cast, cast.carla, "anna")


def test_wrong_pins_under_a_signature_lock_too(cast: Cast):
    for _ in range(4):
        with pytest.raises(WrongPin):
            sign(cast, cast.carla, "frans", "9999")
    with pytest.raises(PinLocked):
        sign(cast, cast.carla, "frans", "9999")
    with pytest.raises(PinLocked):
        sign(cast, cast.carla, "frans")


@pytest.mark.parametrize("kind", ["", "cage"])
def test_an_unknown_name_signs_nothing_and_is_told_what_a_known_one_is(cast: Cast, kind: str, caplog):
    device = enrolled(cast.room, kind) if kind else None
    # Redis remembers names from one test to the next.
    refusals: dict[str, list[object]] = {name: [] for name in ("frans", uuid.uuid4().hex, uuid.uuid4().hex)}
    logged = set()
    for username, heard in refusals.items():
        for tried in range(6):
            # Longer than any wait; the last one comes at once.
            at = TONIGHT + timedelta(minutes=2 * min(tried, 4))
            by = command(cast.carla, device=device, at=at)
            with pytest.raises(Refusal) as refused:
                second_person(by, username=username, pin="9999", needs=NEEDS, signs="slip.17")
            heard.append((refused.value.code, refused.value.data))
        logged.add(Event.objects.count())
        # A tablet's wait is everybody's.
        Device.objects.update(wrong_pins=0, wrong_pins_of_id=None, pin_not_before_at=None)

    assert refusals["frans"][0] == ("wrong_pin", {"tries_left": 4} | ({"wait_seconds": 1} if kind else {}))
    assert all(heard == refusals["frans"] for heard in refusals.values())
    # Strangers do not fill the log; the server's own tells who asked.
    assert len(logged) == 1
    records = [record for record in caplog.records if record.name.endswith(".strangers")]
    assert [vars(record)["staff"] for record in records] == [cast.carla.pk] * 12


def test_without_redis_an_unknown_name_is_only_wrong(cast: Cast, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1"

    for _ in range(6):
        with pytest.raises(WrongPin) as refused:
            sign(cast, cast.carla, "mallory", "1234")
        assert refused.value.data == {"tries_left": 4}


# ---- tokens of the REST interface


def token_for(cast: Cast, roles: list[str], **whose: int) -> str:
    owner = Staff.objects.get(pk=whose.get("staff_id", cast.mari.pk))
    pin = demo_person(owner.username).pin
    return str(issue_token(command(cast.mari), name="till", roles=roles, days=30, pin=pin, **whose).data["token"])


def living(token: str) -> ApiToken:
    found = api_token(token, at=TONIGHT)
    assert found is not None
    return found


def test_a_token_may_what_its_roles_and_its_person_may_both(cast: Cast):
    token = token_for(cast, ["floor"], staff_id=cast.mari.pk)
    actor = actor_of_token(living(token))

    assert (actor.staff_id, "people.set_pin" in actor.may, "people.start_shift" in actor.may) == (
        cast.mari.pk,
        False,
        True,
    )
    Staff.objects.filter(pk=cast.mari.pk).update(roles=["manager"])
    assert "people.push_dealer" not in actor_of_token(living(token)).may


def test_a_devices_token_speaks_for_whoever_is_signed_in_there(cast: Cast):
    device = enrolled(cast.room, "table", 4)
    token = token_for(cast, ["dealer"], device_id=device.pk)
    assert actor_of_token(living(token)).staff_id is None

    sign_in_with_pin(command(cast.anna, device=device), staff_id=cast.anna.pk, pin=demo_person("anna").pin)

    actor = actor_of_token(living(token))
    assert (actor.staff_id, actor.place, "tables.deal_hand" in actor.may) == (cast.anna.pk, ("table", 4), True)


def test_a_token_dies_when_it_is_revoked_or_its_device_is(cast: Cast):
    device = enrolled(cast.room, "table", 4)
    first, second = token_for(cast, ["floor"], staff_id=cast.mari.pk), token_for(cast, ["floor"], device_id=device.pk)
    assert living(first) != living(second)

    revoke_api_token(command(cast.mari), api_token_id=living(first).pk)
    revoke_device(command(cast.mari), device_id=device.pk)

    assert api_token(first, at=TONIGHT) is api_token(second, at=TONIGHT) is None
    assert ApiToken.objects.filter(token_hash__in=[first, second]).count() == 0


def test_a_revoked_device_holds_nobody(cast: Cast):
    device = enrolled(cast.room, "table", 4)
    sign_in_with_pin(command(cast.anna, device=device), staff_id=cast.anna.pk, pin=demo_person("anna").pin)

    with pytest.raises(IntegrityError, match="device_revoked_holds_nobody"), transaction.atomic():
        Device.objects.filter(pk=device.pk).update(revoked_at=TONIGHT)


# ---- the log holds ids


def test_no_name_pin_or_free_text_about_people_enters_the_log(cast: Cast):
    add_staff(
        command(cast.mari),
        username="wilhelmiina",
        display_name="Wilhelmiina",
        roles=["dealer"],
        pin="8642",
        password="a-very-long-one",
    )
    player_id = add_player(command(cast.frans), nickname="Zorro", full_name="Diego de la Vega").data["player_id"]
    rename_player(command(cast.carla), player_id=player_id, nickname="Batman", full_name="Bruce Wayne")
    token_for(cast, ["floor"], staff_id=cast.mari.pk)

    logged = " ".join(Event.objects.values_list("text", flat=True)).lower()

    names = ["wilhelmiina", "zorro", "diego", "batman", "bruce", "8642", "very-long", "till"]
    names += [person.username for person in STAFF] + [name.lower() for name in demo.NICKNAMES if len(name) > 3]
    assert [name for name in names if f'"{name}' in logged or f"{name} " in logged] == []


def test_the_demo_room_is_seeded_once(cast: Cast):
    again = demo.seed_people(cast.room, at=TONIGHT, with_secrets=False)

    assert again.staff == cast.staff
    assert again.players == cast.players
