"""A PIN on a tablet: what opens, what counts, what locks, what slows down."""

import importlib.util
import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import get_hashers

from casino.audit.models import Event
from casino.commands.carrying_out import Answer
from casino.errors import NotPermitted
from casino.people.errors import (
    ManagerUnlocks,
    NotOnShift,
    OwnLock,
    PinLocked,
    TooSoon,
    UnlockedTooOften,
    WrongPin,
)
from casino.people.models import Device, SignIn, Staff
from casino.people.selectors import actor_on_device, people_to_sign_in
from casino.people.services import (
    change_own_pin,
    end_shift,
    set_pin,
    sign_in_with_pin,
    sign_out_of_device,
    unlock_person,
)
from tests.cast import TONIGHT, Cast, actor, command, demo_person, enrolled, owned
from tests.people.event_texts import says
from tests.taps import at_desktop

LATER = timedelta(minutes=5)
# At least what OWASP asks of Argon2id: kibibytes, rounds.
HASH_KIB_MIN, HASH_ROUNDS_MIN = 19_456, 2


@pytest.fixture
def tablet(cast: Cast) -> Device:
    return enrolled(cast.room, "table", 4)


def try_pin(tablet: Device, staff: Staff, pin: str = "", *, minute: float = 0, id: uuid.UUID | None = None) -> Answer:
    by = actor_of_tablet(tablet)
    right = demo_person(staff.username).pin
    at = TONIGHT + timedelta(minutes=minute)
    return sign_in_with_pin(command(by, at=at, id=id), staff_id=staff.pk, pin=pin or right)


def actor_of_tablet(tablet: Device):
    fresh = Device.objects.select_related("place", "signed_in").get(pk=tablet.pk)
    return actor_on_device(fresh, staff=fresh.signed_in)


def test_the_houses_own_hashes_are_dear():
    """Tests make theirs as cheap as can be; this reads the house's hasher as a process of the house does."""
    (house,) = get_hashers()
    kind = type(house).__mro__[1]
    # What it costs is Django's alone; Brush adds that few are made at once.
    assert not {"time_cost", "memory_cost", "parallelism"} & vars(type(house)).keys()
    found = importlib.util.find_spec(kind.__module__)
    assert found is not None
    assert found.loader is not None
    untouched = importlib.util.module_from_spec(found)
    found.loader.exec_module(untouched)

    hasher = getattr(untouched, kind.__name__)()
    made = hasher.decode(hasher.encode("1212", hasher.salt()))

    assert made["variety"] == "argon2id"
    assert made["memory_cost"] >= HASH_KIB_MIN
    assert made["time_cost"] >= HASH_ROUNDS_MIN


def test_the_right_pin_signs_in_and_the_next_ones_pin_hands_over(cast, tablet):
    first = try_pin(tablet, cast.anna)
    second = try_pin(tablet, cast.dan, minute=30)

    tablet.refresh_from_db()
    assert (tablet.signed_in, str(tablet.sign_in_id)) == (cast.dan, second.data["sign_in_id"])
    assert second.data["before_id"] == cast.anna.pk
    assert first.data["sign_in_id"] != second.data["sign_in_id"]
    ended = SignIn.objects.get(pk=first.data["sign_in_id"])
    assert ended.ended_at == TONIGHT + timedelta(minutes=30)


def test_a_wrong_pin_is_refused_and_still_counts(cast, tablet):
    with pytest.raises(WrongPin) as refused:
        try_pin(tablet, cast.anna, "9999")

    cast.anna.refresh_from_db()
    tablet.refresh_from_db()
    assert (cast.anna.wrong_pins, tablet.wrong_pins) == (1, 1)
    assert refused.value.data == {"tries_left": 4, "wait_seconds": 1}
    assert tablet.signed_in is None


def test_a_wrong_pin_that_is_sent_again_is_one_more_try_and_waits_like_it(cast, tablet):
    same = uuid.uuid4()

    with pytest.raises(WrongPin):
        try_pin(tablet, cast.anna, "9999", id=same)
    with pytest.raises(TooSoon):
        try_pin(tablet, cast.anna, "9999", id=same)
    with pytest.raises(WrongPin) as third:
        try_pin(tablet, cast.anna, "9999", minute=1, id=same)

    assert third.value.data["tries_left"] == 3


def test_five_wrong_pins_lock_the_person_on_every_tablet(cast, tablet):
    other = enrolled(cast.room, "table", 5)
    for minute in range(4):
        with pytest.raises(WrongPin):
            try_pin(tablet, cast.anna, "9999", minute=minute)
    with pytest.raises(PinLocked):
        try_pin(tablet, cast.anna, "9999", minute=4)

    with pytest.raises(PinLocked):
        try_pin(other, cast.anna, minute=5)

    assert next(person for person in people_to_sign_in(other) if person.id == cast.anna.pk).is_locked


def test_the_floor_unlocks_in_one_tap(cast, tablet):
    Staff.objects.filter(pk=cast.anna.pk).update(wrong_pins=5, locked_at=TONIGHT)

    unlock_person(command(cast.frans), staff_id=cast.anna.pk)

    assert try_pin(tablet, cast.anna).data["accepted"]


def test_the_floor_lifts_no_managers_lock(cast, tablet):
    Staff.objects.filter(pk=cast.mari.pk).update(wrong_pins=5, locked_at=TONIGHT)

    with pytest.raises(ManagerUnlocks):
        unlock_person(command(cast.frans), staff_id=cast.mari.pk)

    cast.mari.refresh_from_db()
    assert cast.mari.locked_at == TONIGHT
    assert 'data-locked="manager"' in at_desktop(cast.frans).get("/people/").content.decode()


def test_the_last_manager_lifts_their_own_lock_at_a_desktop_and_nobody_does_on_a_tablet(cast):
    floor = enrolled(cast.room, "floor")
    for staff in (cast.mari, cast.frans):
        Staff.objects.filter(pk=staff.pk).update(wrong_pins=5, locked_at=TONIGHT)
        with pytest.raises(OwnLock):
            unlock_person(command(staff, device=floor), staff_id=staff.pk)

    unlock_person(command(cast.mari), staff_id=cast.mari.pk)

    assert try_pin(floor, cast.mari).data["accepted"]


def test_a_few_unlocks_a_day_are_all_that_help_whoever_lifts_the_lock(cast, tablet):
    """
    Else four tries, an unlock and four more would learn any PIN within the hour: for who unlocks, or has somebody who
    does, before the first day too, and whatever the book says of signatures.
    """

    def lift(by: Staff, staff: Staff, hours: float = 0) -> None:
        Staff.objects.filter(pk=staff.pk).update(wrong_pins=5, locked_at=TONIGHT)
        unlock_person(command(by, at=TONIGHT + timedelta(hours=hours)), staff_id=staff.pk)

    for hours, by in ((0, cast.mari), (1, cast.frans), (2, cast.mari)):
        lift(by, cast.anna, hours)
    for by in (cast.mari, cast.frans):
        with pytest.raises(UnlockedTooOften):
            lift(by, cast.anna, 23.9)
    # Another's count is their own.
    lift(cast.frans, cast.dan, 3)

    with pytest.raises(PinLocked):
        try_pin(tablet, cast.anna)
    set_pin(command(cast.mari), staff_id=cast.anna.pk, pin="8642")
    owned(cast.anna.pk)
    assert try_pin(tablet, cast.anna, "8642").data["accepted"]
    lift(cast.frans, cast.anna, 24)


def test_whom_nobody_may_unlock_any_more_takes_another_pin_by_their_password(cast):
    for _ in range(3):
        unlock_person(command(cast.mari), staff_id=cast.mari.pk)
    Staff.objects.filter(pk=cast.mari.pk).update(wrong_pins=5, locked_at=TONIGHT)
    with pytest.raises(UnlockedTooOften):
        unlock_person(command(cast.mari), staff_id=cast.mari.pk)

    change_own_pin(command(cast.mari), password=demo_person("mari").password, new_pin="8642")

    assert try_pin(enrolled(cast.room, "floor"), cast.mari, "8642").data["accepted"]


def test_a_right_pin_forgets_the_wrong_ones(cast, tablet):
    with pytest.raises(WrongPin):
        try_pin(tablet, cast.anna, "9999")

    try_pin(tablet, cast.anna, minute=1)

    cast.anna.refresh_from_db()
    tablet.refresh_from_db()
    assert (cast.anna.wrong_pins, tablet.wrong_pins, tablet.pin_not_before_at) == (0, 0, None)


def test_the_tablet_waits_longer_after_each_wrong_pin_whoever_tries(cast, tablet):
    waits, minute = [], 0
    for staff in (cast.anna, cast.dan, cast.frans) * 3:
        with pytest.raises(WrongPin) as refused:
            try_pin(tablet, staff, "9999", minute=minute)
        waits.append(refused.value.data["wait_seconds"])
        minute += 2

    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_ones_own_right_pin_leaves_the_wait_after_anothers_wrong_ones(cast, tablet):
    for minute, wait in ((0, 1), (2, 2), (4, 4)):
        with pytest.raises(WrongPin) as refused:
            try_pin(tablet, cast.frans, "9999", minute=minute)
        assert refused.value.data["wait_seconds"] == wait
        try_pin(tablet, cast.anna, minute=minute + 1)

    try_pin(tablet, cast.frans, minute=6)

    tablet.refresh_from_db()
    assert tablet.wrong_pins == 0


def test_wrong_pins_of_two_wait_for_neither_and_are_forgotten_after_a_while(cast, tablet):
    for minute, staff in ((0, cast.anna), (1, cast.frans)):
        with pytest.raises(WrongPin):
            try_pin(tablet, staff, "9999", minute=minute)
        try_pin(tablet, staff, minute=minute + 0.5)
    tablet.refresh_from_db()
    assert tablet.wrong_pins == 0
    for minute, staff in ((2, cast.anna), (3, cast.frans)):
        with pytest.raises(WrongPin):
            try_pin(tablet, staff, "9999", minute=minute)

    for staff in (cast.anna, cast.frans):
        try_pin(tablet, staff, minute=4)
    tablet.refresh_from_db()
    still = tablet.wrong_pins
    with pytest.raises(WrongPin) as later:
        try_pin(tablet, cast.anna, "9999", minute=20)

    assert (still, later.value.data["wait_seconds"]) == (2, 1)


@pytest.mark.parametrize("ahead", [timedelta(seconds=61), timedelta(hours=3)])
def test_a_clock_that_was_set_back_leaves_no_wait_beyond_its_own_minute(cast, tablet, ahead: timedelta):
    Device.objects.filter(pk=tablet.pk).update(wrong_pins=7, pin_not_before_at=TONIGHT + ahead)

    assert try_pin(tablet, cast.anna).data["accepted"]


def test_a_try_while_the_tablet_waits_is_not_tried_at_all(cast, tablet):
    Device.objects.filter(pk=tablet.pk).update(wrong_pins=6, pin_not_before_at=TONIGHT + timedelta(seconds=20.2))

    with pytest.raises(TooSoon) as refused:
        try_pin(tablet, cast.anna)

    assert refused.value.data == {"wait_seconds": 21}
    cast.anna.refresh_from_db()
    assert cast.anna.wrong_pins == 0


def test_who_is_off_shift_or_without_a_role_there_does_not_sign_in(cast, tablet):
    end_shift(command(cast.frans), staff_id=cast.anna.pk)

    with pytest.raises(NotOnShift):
        try_pin(tablet, cast.anna)
    with pytest.raises(NotPermitted):
        try_pin(tablet, cast.carla)

    assert [person.display_name for person in people_to_sign_in(tablet)] == ["Dan", "Frans", "Mari"]


def test_a_new_pin_unlocks_and_the_old_one_no_longer_opens(cast, tablet):
    Staff.objects.filter(pk=cast.anna.pk).update(wrong_pins=5, locked_at=TONIGHT)

    set_pin(command(cast.mari), staff_id=cast.anna.pk, pin="8642")
    owned(cast.anna.pk)

    with pytest.raises(WrongPin):
        try_pin(tablet, cast.anna)
    assert try_pin(tablet, cast.anna, "8642", minute=1).data["accepted"]


def test_no_sign_in_on_a_tablet_ends_by_time(cast, tablet):
    try_pin(tablet, cast.anna)

    twelve_days_later = actor_of_tablet(tablet)

    assert twelve_days_later.staff_id == cast.anna.pk


def test_signing_out_leaves_the_tablet_to_its_table(cast, tablet):
    try_pin(tablet, cast.anna)

    sign_out_of_device(command(cast.anna, device=tablet))

    left = actor_of_tablet(tablet)
    assert (left.staff_id, left.place) == (None, ("table", 4))
    assert "page.dealer" in left.may
    assert "tables.deal_hand" not in left.may


def test_the_log_knows_each_try_and_never_the_pin(cast, tablet):
    with pytest.raises(WrongPin):
        try_pin(tablet, cast.anna, "9731")
    try_pin(tablet, cast.anna, minute=1)

    tries = Event.objects.filter(name="people.sign_in_on_device").order_by("id")

    assert [('"accepted":false' in each.text, each.device_id) for each in tries] == [
        (True, tablet.pk),
        (False, tablet.pk),
    ]
    pins = "9731", demo_person("anna").pin
    assert not any(says(each.text, pin) for each in tries for pin in pins)


def test_actors_are_what_person_and_place_allow_together(cast, tablet):
    at_table, at_desktop = actor(cast.mari, device=tablet), actor(cast.mari)

    assert "people.set_pin" in at_desktop.may
    assert "people.set_pin" not in at_table.may
    assert "tables.correct_hand" in at_table.may
