"""What the doors refuse."""

from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar

from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal
from casino.money import MoneyFormat
from casino.rulebooks import RuleBook


class NotSignedIn(Refusal):
    """Nobody is signed in here, or the desktop's sign-in has ended."""

    code = "not_signed_in"
    status = 401
    sentence = _("Nobody is signed in here. Sign in first.")


class SignInEnded(Refusal):
    """A tap names a sign-in that is not the device's present one, and is no fact that waited on a table's tablet."""

    code = "sign_in_ended"
    status = 403
    sentence = _("This was tapped under a sign-in that has ended. Sign in, and tap again.")


class SignedInAsAnother(Refusal):
    """A tap from a page that was made for somebody else than who is signed in at this desktop now."""

    code = "signed_in_as_another"
    status = 409
    sentence = _(
        "This page is somebody else’s than who is signed in: another person has signed in in this browser since."
        " Nothing was done."
    )


class WrongPin(Refusal):
    """The name and the PIN do not go together."""

    code = "wrong_pin"
    sentence = _("That is not the right PIN. Tries left: %(tries_left)s.")


class WrongPassword(Refusal):
    """The name and the password do not go together; it is not said which of the two was wrong."""

    code = "wrong_password"
    sentence = _("That name and password do not go together.")


class PinLocked(Refusal):
    """Too many wrong PINs; the floor lifts it in one tap, a manager's only a manager."""

    code = "pin_locked"
    sentence = _("Too many wrong PINs. The floor can unlock this person; a manager is unlocked by a manager.")


class ManagerUnlocks(Refusal):
    """The floor unlocks everybody but those who may do more than the floor."""

    code = "manager_unlocks"
    sentence = _("This is a manager’s lock. A manager lifts it, on the people page or here.")


class UnlockedTooOften(Refusal):
    """Each unlock is worth some tries at the PIN: no more of them within a day, whoever lifts it. A new PIN unlocks."""

    code = "unlocked_too_often"
    sentence = _(
        "This person was unlocked three times within a day. A new PIN helps: a manager gives one, or they take one at a"
        " desktop, by their password."
    )


class OwnLock(Refusal):
    """On a tablet somebody else may have been trying; at a desktop the person has shown their password."""

    code = "own_lock"
    sentence = _("Nobody lifts their own lock on a tablet. Do it at a desktop, with your password, or ask a colleague.")


class TooSoon(Refusal):
    """After wrong tries the next one has to wait; `wait_seconds` travels as Retry-After too."""

    code = "too_soon"
    status = 429
    sentence = _("Too many wrong tries. Try again in %(wait_seconds)s s.")


class NotOnShift(Refusal):
    """Only who is on shift signs in on a tablet, or under what another asks; a dealer or cashier at a desktop too."""

    code = "not_on_shift"
    sentence = _("This person is not on shift. The floor starts the shift.")


class TokenRests(Refusal):
    """Off shift a token opens nothing by its person's role as a dealer or cashier; what it reads is refused too."""

    code = "token_rests"
    status = 403
    sentence = NotOnShift.sentence


class NoProgramSigns(Refusal):
    """A second signature is asked for by a person at a screen: a PIN typed into a program is the program's."""

    code = "no_program_signs"
    sentence = _("A program asks nobody to sign. A person does this, at a screen.")


class SamePerson(Refusal):
    """Who asks never approves, whatever roles they hold."""

    code = "same_person"
    sentence = _("A second person has to sign this: who asks never approves.")


class SecondMayNot(Refusal):
    """Whoever asks may; the person whose name and PIN were given may not sign it."""

    code = "second_may_not"
    sentence = _("That person's role does not allow signing this. Somebody else has to.")


class CodeUnknown(Refusal):
    """The enrolment code is wrong, used or too old."""

    code = "enrolment_code_unknown"
    sentence = _("This code is wrong, used or too old. A manager can make a new one.")


class PhonesOff(Refusal):
    """The room has no address that phones can reach (BRUSH_PHONE_URL)."""

    code = "phones_off"
    sentence = _("Phones are switched off: this room has no address that they can reach.")


class PassEnded(Refusal):
    """No pass, a wrong code, or one that was revoked, replaced or ended with its day; it is not said which."""

    code = "pass_ended"
    status = 401
    sentence = _("This pass is wrong or has ended. Ask the floor for a new one.")


class RolesTooWide(Refusal):
    """A token would have roles that its person lacks: today useless, and on the day they get them a surprise."""

    code = "roles_too_wide"
    sentence = _("A program may no more than the person it speaks for. Choose only roles that they hold.")


class UsernameTaken(Refusal):
    """Another person of this room signs in with that name."""

    code = "username_taken"
    sentence = _("Another person here signs in with that name.")


class NameOnShift(Refusal):
    """Two people of one name on a tablet's door: nobody would know whose PIN is asked."""

    code = "name_on_shift"
    sentence = _("Somebody on shift is called that. Add a letter.")


class NicknameTaken(Refusal):
    """Another player of this room is shown by that nickname."""

    code = "nickname_taken"
    sentence = _("Another player here has that nickname. Add a letter or a number.")


class SecretPublished(Refusal):
    """One of the demo's own people has this in the README, and others than this machine reach the house."""

    code = "secret_published"
    sentence = _("That one is published. Choose another.")


class PinTooSimple(Refusal):
    """Four to eight digits, and not all the same."""

    code = "pin_too_simple"
    sentence = _("A PIN has four to eight digits that are not all the same.")


class PasswordTooSimple(Refusal):
    """The password does not pass the house's validators."""

    code = "password_too_simple"
    sentence = _("This password is too short or too common. Take at least ten characters.")


class SignaturePrepared(Refusal):
    """After what was changed of sign-ins since the last day closed, one person could be both who sign."""

    code = "signature_prepared"
    sentence = _(
        "After today’s changes of sign-ins one person could be both of you. Somebody else signs, or you do once the"
        " gaming day has closed."
    )


class SecretToBeChanged(Refusal):
    """Somebody else knows this PIN or password, having set it: it opens the change of it by its owner alone."""

    code = "secret_to_be_changed"
    status = 403
    sentence = _("Somebody else set this. Choose your own first.")


class SameSecret(Refusal):
    """The new PIN or password is the old one: whoever knew that one would know this one too."""

    code = "same_secret"
    sentence = _("That is the old one. Choose another.")


class NotTheSameTwice(Refusal):
    """A new PIN or password is typed twice, since nobody sees it."""

    code = "not_the_same_twice"
    sentence = _("The two are not the same. Type the new one twice.")


class LastManager(Refusal):
    """The room would be left without anybody who can add a manager."""

    code = "last_manager"
    sentence = _("This is the last manager. Make another one first.")


class OwnRoles(Refusal):
    """Nobody gives or takes a role of their own, nor signs that they have one."""

    code = "own_roles"
    status = 409
    sentence = _("Nobody changes their own roles, or signs for them. Another manager does.")


class ComplianceByTwo(Refusal):
    """Compliance looks at whoever manages too: no one person decides who that is."""

    code = "compliance_by_two"
    status = 409
    sentence = _("Compliance is given by two: add the person first, then change their roles with a second signature.")


class HoldsCompliance(Refusal):
    """Who gives an officer a new secret is the officer, and who has the only one leave is rid of them."""

    code = "holds_compliance"
    status = 409
    sentence = _(
        "This person holds compliance: before a new PIN or password, or leaving, two take that role from them."
    )


class PreconditionMissing(Refusal):
    """
    A REST request has to say on which version it decides.

    RFC 6585 has 428 for the missing If-Match. A failed one answers 409 `stale` with the fresh version,
    not RFC 9110's 412: the screens get the same answer for the same thing.
    """

    code = "precondition_missing"
    status: ClassVar[int] = 428
    sentence = _("Say with If-Match which version this decides on.")


class PageTooOld(Refusal):
    """A form without the version that its command decides on: the page was opened before forms had one."""

    code = "page_too_old"
    status: ClassVar[int] = 428
    sentence = _("This page is old. Open it again and repeat.")


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


class _ToLastDay(Refusal):
    """One that says until when, where there is an end."""

    def text(self, money: MoneyFormat, *, book: RuleBook | None = None) -> str:
        """Return the sentence, with the last day of what it is about."""
        return with_last_day(super().text(money, book=book), self.data)


class PlayerBanned(_ToLastDay):
    """The house has banned the player. `last_day` is ISO 8601, "" where the ban has no end; the reason is not told."""

    code = "player_banned"
    for_eyes = "read.exclusions"
    sentence = _("This player is banned. Nothing is sold to them, and they sit and wait for no game.")


class PlayerExcludedOwnWish(_ToLastDay):
    """The player has excluded themselves; it stands until two persons lift it after its end."""

    code = "player_excluded_own_wish"
    for_eyes = "read.exclusions"
    sentence = _("This player has excluded themselves from play. Nothing is sold to them, and they sit nowhere.")


class ExclusionStands(_ToLastDay):
    """A player's own exclusion is not lifted before its end, by nobody."""

    code = "exclusion_stands"
    sentence = _("The player asked for this exclusion themselves. Nobody lifts it before its end.")


class ExclusionOver(Refusal):
    """It was lifted before, or has ended."""

    code = "exclusion_over"
    status = 409
    sentence = _("This exclusion is over already.")


class LastDayOver(Refusal):
    """An exclusion ends in the future."""

    code = "last_day_over"
    sentence = _("That day is over. Choose the last day on which the player is kept out.")


class DocumentOver(Refusal):
    """A document whose last day has passed proves nothing."""

    code = "document_over"
    sentence = _("This document is no longer valid. Ask for another one.")


class ExclusionHolds(Refusal):
    """What keeps somebody out needs to know who they are, and outlives their wish to be forgotten."""

    code = "exclusion_holds"
    status = 409
    sentence = _("A ban or an exclusion holds. Who it keeps out is known until it has ended or was lifted by two.")


class DataIsNeeded(Refusal):
    """An inquiry holds what is kept about somebody. That it is one is told to nobody here: it may be read aloud."""

    code = "data_is_needed"
    status = 409
    sentence = _("The house has to keep what it knows of this person for now. Ask compliance.")


class StillWorksHere(Refusal):
    """Who works here is not erased: nobody erases themselves, who is on shift, or the last manager."""

    code = "still_works_here"
    status = 409
    sentence = _("This person still works here. Close every door to them first.")


class StillAnswersFor(Refusal):
    """Money, a table or a box is in the name of somebody who left."""

    code = "still_answers_for"
    status = 409
    sentence = _("A drawer, a bank, money, a table or a box is still in this person’s name. Close or count it first.")


class KeptToItsTime(Refusal):
    """Who left is answered for by name for a while, whatever they wish: the house's book says how long."""

    code = "kept_to_its_time"
    status = 409
    sentence = _("Who works here is known by name for %(days)s days after leaving. That is not over yet.")


class OwnData(Refusal):
    """Nobody gives themselves what is kept about them, nor signs it."""

    code = "own_data"
    status = 409
    sentence = _("Nobody gives out their own data, nor signs for it. Two others do.")


class InquiryOver(Refusal):
    """It was lifted before, or has ended."""

    code = "inquiry_over"
    status = 409
    sentence = _("This inquiry is over already.")


class NeedsSecondSignature(Refusal):
    """The second signature is missing, by another person than named, or under something else."""

    code = "needs_second_signature"
    sentence = _("A second person has to sign this with their own name and PIN.")


class AlreadyApart(Refusal):
    """These two are kept apart already."""

    code = "already_apart"
    status = 409
    sentence = _("These players are kept apart already.")


class SamePlayer(Refusal):
    """One record is neither merged into itself nor kept apart from itself."""

    code = "same_player"
    sentence = _("That is one and the same player. Choose another one.")


def with_last_day(sentence: str, data: Mapping[str, Any]) -> str:
    """Return a sentence followed by the last day of an exclusion, in the reader's language."""
    if not (last_day := data.get("last_day")):
        return sentence
    day = date_format(date.fromisoformat(last_day), "DATE_FORMAT")
    return sentence + " " + gettext("The last day is %(day)s.") % {"day": day}
