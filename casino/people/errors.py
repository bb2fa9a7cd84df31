"""What the doors refuse."""

from typing import ClassVar

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NotSignedIn(Refusal):
    """Nobody is signed in here, or the desktop's sign-in has ended."""

    code = "not_signed_in"
    status = 401
    sentence = _("Nobody is signed in here. Sign in first.")


class SignInUnknown(Refusal):
    """A tap names a sign-in that was never on this device, or had already ended when it was tapped."""

    code = "sign_in_unknown"
    status = 403
    sentence = _("This was tapped under a sign-in that this tablet does not know. See the floor.")


class WrongPin(Refusal):
    """The name and the PIN do not go together."""

    code = "wrong_pin"
    sentence = _("That is not the right PIN. Tries left: %(tries_left)s.")


class WrongPassword(Refusal):
    """The name and the password do not go together; it is not said which of the two was wrong."""

    code = "wrong_password"
    sentence = _("That name and password do not go together.")


class PinLocked(Refusal):
    """Too many wrong PINs; the floor lifts it in one tap."""

    code = "pin_locked"
    sentence = _("Too many wrong PINs. The floor can unlock this person.")


class TooSoon(Refusal):
    """After wrong tries the next one has to wait; `wait_seconds` travels as Retry-After too."""

    code = "too_soon"
    status = 429
    sentence = _("Too many wrong tries. Try again in %(wait_seconds)s s.")


class NotOnShift(Refusal):
    """Only who is on shift signs in on a tablet."""

    code = "not_on_shift"
    sentence = _("This person is not on shift. The floor starts the shift.")


class SamePerson(Refusal):
    """Who asks never approves, whatever roles they hold."""

    code = "same_person"
    sentence = _("A second person has to sign this: who asks never approves.")


class CodeUnknown(Refusal):
    """The enrolment code is wrong, used or too old."""

    code = "enrolment_code_unknown"
    sentence = _("This code is wrong, used or too old. A manager can make a new one.")


class UsernameTaken(Refusal):
    """Another person of this room signs in with that name."""

    code = "username_taken"
    sentence = _("Another person here signs in with that name.")


class NicknameTaken(Refusal):
    """Another player of this room is shown by that nickname."""

    code = "nickname_taken"
    sentence = _("Another player here has that nickname. Add a letter or a number.")


class PinTooSimple(Refusal):
    """Four to eight digits, and not all the same."""

    code = "pin_too_simple"
    sentence = _("A PIN has four to eight digits that are not all the same.")


class PasswordTooSimple(Refusal):
    """The password does not pass the house's validators."""

    code = "password_too_simple"
    sentence = _("This password is too short or too common. Take at least ten characters.")


class LastManager(Refusal):
    """The room would be left without anybody who can add a manager."""

    code = "last_manager"
    sentence = _("This is the last manager. Make another one first.")


class PreconditionMissing(Refusal):
    """
    A REST request has to say on which version it decides.

    RFC 6585 has 428 for the missing If-Match. A failed one answers 409 `stale` with the fresh version,
    not RFC 9110's 412: the screens get the same answer for the same thing.
    """

    code = "precondition_missing"
    status: ClassVar[int] = 428
    sentence = _("Say with If-Match which version this decides on.")


class FormTooOld(Refusal):
    """The form carries no token of this browser: another site sent it, or the page is from before a sign-in."""

    code = "form_too_old"
    status = 403
    sentence = _("This page is too old, or did not come from here. Load it again and repeat.")


class HostUnknown(Refusal):
    """The address in the browser is not one of this house's: a new name that nobody told it, or a forged one."""

    code = "host_unknown"
    status = 400
    sentence = _("The room is not open under this address. Whoever runs it can add the name to BRUSH_ALLOWED_HOSTS.")
