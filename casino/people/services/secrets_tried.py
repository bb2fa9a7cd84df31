"""
What a try at a PIN or a password does to the counters.

A wrong try is a fact, and facts are kept: what tries a secret (a service's `proof`) *returns* it as an outcome
(`accepted` false, and why) instead of raising, since what a refused service wrote is rolled back.
The services' callers turn that outcome into the refusal. So each wrong PIN that comes is counted and stands in the log,
under whatever command id it comes; a right one whose answer was lost gets the first answer again.
"""

from datetime import datetime, timedelta

from casino.commands.carrying_out import Answer, Outcome
from casino.errors import Refusal, stored_refusal
from casino.people.errors import PinLocked, SecretToBeChanged, TooSoon, WrongPassword, WrongPin
from casino.people.models import Device, Staff
from casino.people.secrets import pin_agrees

WRONG_PINS_MAX = 5
WAIT_SECONDS_MAX = 60
# Passwords are not locked: whoever knows a name could lock its owner out. The wait grows instead.
FREE_PASSWORD_TRIES = 3
# A device forgets wrong PINs when none has come for so long: no more can be tried like this than by waiting each time.
FORGOTTEN_AFTER = timedelta(minutes=15)
_DEVICE_FIELDS = ["wrong_pins", "wrong_pins_of_id", "pin_not_before_at"]


def wait_seconds(wrong_tries: int) -> int:
    """Return how long to wait after so many wrong tries in a row: 1, 2, 4 … 60 seconds."""
    doublings = min(max(wrong_tries - 1, 0), 10)
    return min(1 << doublings, WAIT_SECONDS_MAX)


def ask_to_wait(not_before_at: datetime | None, at: datetime) -> None:
    """
    Refuse a try that comes too early. A moment further ahead than any wait was set by a clock that was wrong: no wait.

    :raises TooSoon: with the seconds that are left, rounded up.
    """
    if not_before_at is not None and at < not_before_at <= at + timedelta(seconds=WAIT_SECONDS_MAX):
        raise TooSoon(wait_seconds=-((at - not_before_at) // timedelta(seconds=1)))


def pin_refusal(
    staff: Staff, device: Device | None, pin: str, at: datetime, *, changes_it: bool = False
) -> Refusal | None:
    """
    Try a PIN and count; return why not, or None when it opens. Both rows are locked by the caller, and saved here.

    One that somebody else set opens only what `changes_it`.

    :raises PinLocked: five wrong ones before; nothing is tried.
    :raises TooSoon: this device has to wait; nothing is tried.
    """
    if device is not None:
        ask_to_wait(device.pin_not_before_at, at)
    if staff.locked_at is not None:
        raise PinLocked
    if pin_agrees(pin, staff.pin):
        _count(staff, device, right=True, at=at)
        return SecretToBeChanged() if staff.is_pin_to_be_changed and not changes_it else None
    _count(staff, device, right=False, at=at)
    if staff.locked_at is not None:
        return PinLocked()
    wait = {"wait_seconds": wait_seconds(device.wrong_pins)} if device else {}
    return WrongPin(tries_left=WRONG_PINS_MAX - staff.wrong_pins, **wait)


def password_refusal(staff: Staff, password: str, at: datetime) -> Refusal | None:
    """
    Try a password and count; return why not, or None when it opens. The row is locked by the caller, and saved here;
    a place among the passwords was taken before it (`hashing.among_passwords`).

    :raises TooSoon: after wrong tries the next one waits; nothing is tried.
    """
    ask_to_wait(staff.password_not_before_at, at)
    # Without a password it takes as long as with one.
    right = staff.check_password(password)
    staff.wrong_passwords = 0 if right else staff.wrong_passwords + 1
    late = staff.wrong_passwords - FREE_PASSWORD_TRIES
    staff.password_not_before_at = at + timedelta(seconds=wait_seconds(late)) if late > 0 else None
    staff.save(update_fields=["wrong_passwords", "password_not_before_at"])
    return None if right else WrongPassword()


def _count(staff: Staff, device: Device | None, *, right: bool, at: datetime) -> None:
    staff.wrong_pins = 0 if right else staff.wrong_pins + 1
    staff.locked_at = at if staff.wrong_pins >= WRONG_PINS_MAX else None
    staff.save(update_fields=["wrong_pins", "locked_at"])
    if device is None:
        return
    if not right:
        _count_wrong(device, staff.pk, at)
    elif device.wrong_pins_of_id == staff.pk:
        device.wrong_pins, device.wrong_pins_of_id, device.pin_not_before_at = 0, None, None
    # Wrong ones at another's name stay: one's own PIN between two guesses would take the wait away.
    device.save(update_fields=_DEVICE_FIELDS)


def count_at_nobody(device: Device, at: datetime) -> int:
    """Count a wrong PIN at a name that nobody has; return how long the device waits now. Locked by the caller."""
    _count_wrong(device, None, at)
    device.save(update_fields=_DEVICE_FIELDS)
    return wait_seconds(device.wrong_pins)


def _count_wrong(device: Device, staff_id: int | None, at: datetime) -> None:
    if device.pin_not_before_at is not None and at - device.pin_not_before_at >= FORGOTTEN_AFTER:
        device.wrong_pins = 0
    is_theirs = device.wrong_pins == 0 or device.wrong_pins_of_id == staff_id
    device.wrong_pins_of_id = staff_id if is_theirs else None
    device.wrong_pins += 1
    device.pin_not_before_at = at + timedelta(seconds=wait_seconds(device.wrong_pins))


def not_accepted(why: Refusal, *, chain: str, staff_id: int, audiences: tuple[str, ...] = ()) -> Outcome:
    """Return the outcome of a wrong try."""
    data = {"accepted": False, "staff_id": staff_id, "why": why.code, "why_data": why.data}
    return Outcome(chain=chain, data=data, audiences=audiences)


def or_refusal(answer: Answer) -> Answer:
    """Return the answer of a try that was accepted, else raise the refusal that it carries."""
    if not answer.data["accepted"]:
        raise stored_refusal(answer.data["why"], answer.data["why_data"])
    return answer
