"""Whoever changed another's sign-in tonight has no signature of theirs, in neither direction."""

import json
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from casino.audit.models import Event
from casino.audit.selectors import newest_event_id
from casino.people.errors import NotOnShift, SignaturePrepared
from casino.people.models import Staff
from casino.people.rules.signing import SignInChange, is_prepared
from casino.people.selectors import prepared_signatures
from casino.people.services import (
    change_roles,
    end_shift,
    second_person,
    set_password,
    set_pin,
    start_shift,
    unlock_person,
)
from casino.people.standing import may_sign
from casino.rooms.models import GamingDay
from tests.cast import TONIGHT, Cast, command, demo_person, owned
from tests.support.books import adds_to_book

NEEDS = "cage.approve_reversal"
PIN = "8642"


@pytest.fixture
def day(cast: Cast) -> GamingDay:
    return GamingDay.objects.create(room=cast.room, date=TONIGHT.date(), opened_at=TONIGHT, opened_by_id=cast.mari.pk)


def sign(by: Staff, second: Staff, *, pin: str = "", at: datetime = TONIGHT, id: uuid.UUID | None = None) -> int:
    pin = pin or demo_person(second.username).pin
    return second_person(command(by, at=at, id=id), username=second.username, pin=pin, needs=NEEDS, signs="slip.17")


CHANGES: dict[str, Callable[[Cast, Staff], Any]] = {
    "pin": lambda cast, staff: set_pin(command(cast.mari), staff_id=staff.pk, pin=PIN),
    "password": lambda cast, staff: set_password(command(cast.mari), staff_id=staff.pk, password="nine tables tonight"),
    "roles": lambda cast, staff: change_roles(command(cast.mari), staff_id=staff.pk, roles=["floor", "dealer"]),
    "unlock": lambda cast, staff: unlock_person(command(cast.mari), staff_id=staff.pk),
}


@pytest.mark.parametrize("given", [{"pin": ""}, {"pin_set_by": Staff.SetBy.ANOTHER}, {"locked_at": TONIGHT}])
def test_who_could_only_be_refused_is_not_offered_as_the_second(cast: Cast, given: dict[str, Any]):
    Staff.objects.filter(pk=cast.frans.pk).update(**given)

    assert may_sign(cast.room.pk, needs=NEEDS, without={cast.carla.pk}) == [cast.mari]


@pytest.mark.parametrize("change", CHANGES)
def test_what_the_asker_changed_of_the_other_s_sign_in_is_no_second_signature(cast: Cast, day, change: str):
    CHANGES[change](cast, cast.frans)
    owned(cast.frans.pk)
    pin = PIN if change == "pin" else ""

    with pytest.raises(SignaturePrepared):
        sign(cast.mari, cast.frans, pin=pin)

    assert sign(cast.carla, cast.frans, pin=pin) == cast.frans.pk


def test_who_gave_the_asker_a_pin_does_not_sign_for_them(cast: Cast, day):
    set_pin(command(cast.mari), staff_id=cast.carla.pk, pin=PIN)
    owned(cast.carla.pk)

    with pytest.raises(SignaturePrepared):
        sign(cast.carla, cast.mari)

    assert sign(cast.carla, cast.frans) == cast.frans.pk


def test_nobody_is_both_by_way_of_a_third():
    def gave(by_id: int, of_id: int) -> SignInChange:
        return SignInChange(by_id, of_id, gives_secret=True)

    asker, signer, third, fourth = 1, 2, 3, 4
    unlocked = SignInChange(third, signer, gives_secret=False)

    assert is_prepared([gave(asker, third), gave(third, signer)], asker_id=asker, signer_id=signer)
    assert is_prepared([gave(asker, third), unlocked], asker_id=asker, signer_id=signer)
    assert is_prepared([gave(third, asker), gave(third, signer)], asker_id=asker, signer_id=signer)
    assert not is_prepared([gave(third, asker), gave(fourth, signer)], asker_id=asker, signer_id=signer)
    assert not is_prepared([gave(third, asker), unlocked], asker_id=asker, signer_id=signer)
    assert not is_prepared([gave(asker, asker), gave(asker, third)], asker_id=asker, signer_id=signer)


def test_a_shift_that_is_begun_and_an_unlock_by_the_signer_prepare_nothing(cast: Cast, day):
    start_shift(command(cast.mari), staff_id=cast.frans.pk)
    unlock_person(command(cast.frans), staff_id=cast.carla.pk)

    assert sign(cast.mari, cast.frans) == sign(cast.carla, cast.frans) == cast.frans.pk


def test_who_has_gone_home_signs_nothing(cast: Cast, day):
    end_shift(command(cast.mari), staff_id=cast.frans.pk)

    with pytest.raises(NotOnShift):
        sign(cast.carla, cast.frans)


def test_it_is_over_with_the_day_and_what_is_done_before_a_day_opens_is_done_for_it(cast: Cast, day):
    def close(one: GamingDay, at: datetime) -> None:
        one.closed_at, one.closed_by_id, one.closed_after = at, cast.mari.pk, newest_event_id()
        one.save(update_fields=["closed_at", "closed_by_id", "closed_after"])

    unlock_person(command(cast.mari), staff_id=cast.frans.pk)
    close(day, TONIGHT + timedelta(hours=10))
    assert sign(cast.mari, cast.frans, at=TONIGHT + timedelta(hours=11)) == cast.frans.pk

    # By a clock that was set back to before the close: the log knows what came after it.
    unlock_person(command(cast.mari, at=TONIGHT + timedelta(hours=9)), staff_id=cast.frans.pk)
    morrow = TONIGHT + timedelta(days=1)
    GamingDay.objects.create(room=cast.room, date=morrow.date(), opened_at=morrow, opened_by_id=cast.mari.pk)
    with pytest.raises(SignaturePrepared):
        sign(cast.mari, cast.frans, at=morrow)


def test_a_room_too_small_for_it_counts_each_use(cast: Cast, day):
    adds_to_book(cast.room.pk, '\n[signing]\nprepared = "counted"\n')
    unlock_person(command(cast.mari), staff_id=cast.frans.pk)

    assert sign(cast.mari, cast.frans) == cast.frans.pk
    sign(cast.carla, cast.frans)

    assert prepared_signatures(cast.room.pk) == 1
    logged = [json.loads(each.text)["data"] for each in Event.objects.filter(name="people.sign_second").order_by("id")]
    assert [data.get("prepared", False) for data in logged] == [True, False]


def test_looking_for_it_costs_one_statement(cast: Cast, day, django_assert_max_num_queries):
    same = command(cast.carla)
    with django_assert_max_num_queries(100) as before:
        second_person(same, username="frans", pin=demo_person("frans").pin, needs=NEEDS, signs="slip.17")

    statements = [each["sql"] for each in before.captured_queries if "rooms_gamingday" in each["sql"]]
    assert len(statements) == 1
    assert not [each for each in before.captured_queries if "rulebookversion" in each["sql"]]
