"""People and the devices they sign in on. Names live here and nowhere else; everything else holds ids."""

import uuid

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils.translation import gettext

from casino.people.erased import DisplayName, Nickname
from casino.people.models_identity import IdentityCheck
from casino.people.models_protection import Exclusion, Inquiry, KeptApart, OwnLimit
from casino.people.notes import Note
from casino.people.permissions import SHIFT_ROLES, STAFF_ROLES
from casino.rooms.models import GamingDay, Place, Room

__all__ = [
    "ApiToken",
    "Device",
    "EnrolmentCode",
    "Exclusion",
    "IdentityCheck",
    "Inquiry",
    "KeptApart",
    "Note",
    "OwnLimit",
    "Player",
    "PlayerPass",
    "SignIn",
    "Staff",
]

_ROLE_VALUES = [role.value for role in STAFF_ROLES]
_SET_BY = ["owner", "another", "published"]
_TOKEN_IS_HASHED = Q(token_hash__regex=r"^[0-9a-f]{64}$")  # noqa: S106  # the shape of a hash, no secret


class Staff(AbstractBaseUser):
    """
    A person who works in the room.

    `display_name` is what screens show, also those that players read: a first name or a nickname. `pin`
    and `password` are Argon2 hashes; an empty `pin` opens no tablet, and what somebody else has set opens only the
    change of it by its owner. Who works for one gaming day alone has it in `for_day`: their doors close with their
    shift, or with the day. `left_at` is when the doors of who is not active were closed; `erased_at`: names are gone,
    and the row stays for what names it.
    """

    class SetBy(models.TextChoices):
        """Who chose a PIN or a password; `PUBLISHED`: the demo's, which everybody may read in the README."""

        OWNER = "owner"
        ANOTHER = "another"
        PUBLISHED = "published"

    # Django would write the time of the last sign-in past the house's clock; the log knows it anyway.
    last_login = None

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    username = models.CharField(max_length=40)
    display_name = DisplayName(max_length=40)
    roles = ArrayField(models.CharField(max_length=10), default=list)
    pin = models.CharField(max_length=128, default="", blank=True)
    pin_set_by = models.CharField(max_length=10, choices=SetBy, default=SetBy.OWNER)
    password_set_by = models.CharField(max_length=10, choices=SetBy, default=SetBy.OWNER)
    is_active = models.BooleanField(default=True)
    is_on_shift = models.BooleanField(default=False)
    wrong_pins = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField(null=True)
    wrong_passwords = models.PositiveSmallIntegerField(default=0)
    password_not_before_at = models.DateTimeField(null=True)
    # How often their sessions at desktops were ended while the password stayed.
    sessions_ended = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)
    for_day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, null=True, related_name="+")

    USERNAME_FIELD = "username"

    may_change = (
        "password", "password_set_by", "roles", "pin", "pin_set_by", "is_active", "is_on_shift", "wrong_pins",
        "locked_at", "wrong_passwords", "password_not_before_at", "sessions_ended", "left_at", "username",
        "display_name", "erased_at",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "room", Lower("username"), condition=Q(erased_at__isnull=True), name="staff_username_once_per_room"
            ),
            models.CheckConstraint(condition=Q(roles__contained_by=_ROLE_VALUES), name="staff_roles_are_known"),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=False) | ~Q(username="") & ~Q(display_name=""), name="staff_has_a_name"
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True)
                | Q(is_active=False, left_at__isnull=False, username="", display_name="", pin="", roles=[]),
                name="staff_erased_has_left_without_a_name",
            ),
            models.CheckConstraint(condition=Q(is_active=True) | Q(is_on_shift=False), name="staff_on_shift_is_active"),
            models.CheckConstraint(
                condition=Q(pin_set_by__in=_SET_BY, password_set_by__in=_SET_BY),
                name="staff_secrets_were_set_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return self.display_name

    @property
    def is_pin_to_be_changed(self) -> bool:
        """Whether the PIN opens only the change of it."""
        return _is_to_be_changed(self.pin_set_by)

    @property
    def is_password_to_be_changed(self) -> bool:
        """Whether the password opens only the change of it."""
        return _is_to_be_changed(self.password_set_by)

    @property
    def is_desktop_open(self) -> bool:
        """Whether a password opens a desktop: to a dealer or cashier during their shift alone."""
        return self.is_on_shift or not SHIFT_ROLES.issuperset(self.roles)

    def get_session_auth_hash(self) -> str:
        """Return what a session at a desktop holds as long as it opens anything: another after each end of them."""
        of_password = super().get_session_auth_hash()
        return f"{of_password}.{self.sessions_ended}" if self.sessions_ended else of_password


def _is_to_be_changed(set_by: str) -> bool:
    # What everybody may read is good enough while nobody but this machine can come.
    return set_by == Staff.SetBy.ANOTHER or (set_by == Staff.SetBy.PUBLISHED and bool(settings.OPEN_BY))


class Player(models.Model):
    """
    A guest. `nickname` is chosen by the player and public; `full_name` is the cage's. Both are gone once the player was
    erased, and the row stays for what names it.

    `is_watched`: there are, or were, exclusions, limits, pairs or penalties of this player to be looked at; nobody else
    costs a statement. A record that was merged points to the one that was kept, and is nobody's any more. `number` is
    given once, to who first wished to be shown by it; the lobby shows `public_name`.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    nickname = Nickname(max_length=30)
    full_name = models.CharField(max_length=120, default="", blank=True)
    number = models.PositiveIntegerField(null=True)
    is_shown_as_number = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    created_by_id = models.BigIntegerField(null=True)
    erased_at = models.DateTimeField(null=True)
    is_watched = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="merged")
    merged_at = models.DateTimeField(null=True)

    may_change = (
        "nickname", "full_name", "number", "is_shown_as_number", "is_watched", "merged_into", "merged_at", "erased_at",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "room",
                Lower("nickname"),
                condition=Q(erased_at__isnull=True, merged_into__isnull=True),
                name="player_nickname_once_per_room",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True, merged_at__isnull=True)
                | Q(merged_into__isnull=False, merged_at__isnull=False) & ~Q(merged_into=F("id")),
                name="player_merged_into_another",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(full_name=""), name="player_erased_has_no_full_name"
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=False) | ~Q(nickname=""), name="player_has_a_nickname"
            ),
            models.UniqueConstraint(
                fields=["room", "number"], condition=Q(number__isnull=False), name="player_number_once_per_room"
            ),
            models.CheckConstraint(
                condition=Q(is_shown_as_number=False) | Q(number__isnull=False), name="player_shown_as_number_has_one"
            ),
        ]
        indexes = [
            # Lists of players without a text are its beginning: else each would sort all who ever came.
            models.Index(
                fields=["room", "nickname", "id"], condition=Q(erased_at__isnull=True), name="player_by_nickname"
            )
        ]

    def __str__(self) -> str:
        return self.nickname

    @property
    def public_name(self) -> str:
        """Return what the lobby shows: the nickname, or "No. 17" in the active language."""
        return gettext("No. %(number)s") % {"number": self.number} if self.is_shown_as_number else self.nickname


class PlayerPass(models.Model):
    """
    A player's pass for one gaming day: the link in a QR code, or the code typed by hand, opens their page on a phone.

    Of both only hashes are kept, so a pass is shown once; a new one replaces it. It ends with the day.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    player = models.ForeignKey(Player, on_delete=models.PROTECT)
    day = models.ForeignKey(GamingDay, on_delete=models.PROTECT)
    token_hash = models.CharField(max_length=64, unique=True)
    code_hash = models.CharField(max_length=64, unique=True)
    given_by_id = models.BigIntegerField()
    given_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    may_change = ("revoked_at",)
    may_be_deleted = True

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_TOKEN_IS_HASHED, name="player_pass_token_is_hashed"),
            models.UniqueConstraint(
                fields=["player"], condition=Q(revoked_at__isnull=True), name="player_pass_one_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"pass {self.pk}"

    @property
    def audience(self) -> str:
        """Return the audience of the phone that holds it: nobody else's."""
        return f"pass.{self.pk}"


class Device(models.Model):
    """
    A tablet, desktop or television that a manager enrolled, bound to a place.

    Its cookie holds a random token of which only the SHA-256 is kept. `sign_in_id` changes with every
    sign-in: a tap waiting on the tablet carries it, so that it is never sent as the next person's.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    place = models.ForeignKey(Place, on_delete=models.PROTECT)
    name = models.CharField(max_length=40)
    token_hash = models.CharField(max_length=64, unique=True)
    enrolled_by_id = models.BigIntegerField()
    enrolled_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    signed_in = models.ForeignKey(Staff, null=True, on_delete=models.PROTECT, related_name="+")
    signed_in_at = models.DateTimeField(null=True)
    sign_in_id = models.UUIDField(null=True)
    wrong_pins = models.PositiveSmallIntegerField(default=0)
    # At whose name all of them were tried; null: at several people's.
    wrong_pins_of_id = models.BigIntegerField(null=True)
    pin_not_before_at = models.DateTimeField(null=True)

    may_change = (
        "revoked_at", "signed_in", "signed_in_at", "sign_in_id", "wrong_pins", "wrong_pins_of_id", "pin_not_before_at",
    )  # fmt: skip

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_TOKEN_IS_HASHED, name="device_token_is_hashed"),
            models.CheckConstraint(
                condition=Q(signed_in__isnull=True, signed_in_at__isnull=True, sign_in_id__isnull=True)
                | Q(signed_in__isnull=False, signed_in_at__isnull=False, sign_in_id__isnull=False),
                name="device_sign_in_is_whole",
            ),
            models.CheckConstraint(
                condition=Q(revoked_at__isnull=True) | Q(signed_in__isnull=True), name="device_revoked_holds_nobody"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SignIn(models.Model):
    """
    One person's time on one device. It has no end by time: the next sign-in ends it, signing out, or whatever takes the
    person's right to it away.

    `proof_hash` is the SHA-256 of a secret that the page made when the PIN was typed and that never left the device: a
    tap that arrives after the end proves with it that its tapper was there ("" where the page could make none).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    device = models.ForeignKey(Device, on_delete=models.PROTECT)
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT)
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    proof_hash = models.CharField(max_length=64, default="")

    may_change = ("ended_at",)
    may_be_deleted = True

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["device"], condition=Q(ended_at__isnull=True), name="sign_in_one_at_a_time_per_device"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True) | Q(ended_at__gte=F("began_at")), name="sign_in_ends_after_it_begins"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)


class EnrolmentCode(models.Model):
    """A code that enrols one device at one place, once, within its minutes."""

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    place = models.ForeignKey(Place, on_delete=models.PROTECT)
    device_name = models.CharField(max_length=40)
    code_hash = models.CharField(max_length=64, unique=True)
    made_by_id = models.BigIntegerField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    device = models.OneToOneField(Device, null=True, on_delete=models.PROTECT)

    may_change = ("used_at", "device")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(used_at__isnull=True, device__isnull=True) | Q(used_at__isnull=False, device__isnull=False),
                name="enrolment_code_is_used_by_a_device",
            ),
            models.CheckConstraint(
                condition=Q(used_at__isnull=True) | Q(used_at__lte=F("expires_at")),
                name="enrolment_code_is_used_in_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device_name} ({self.pk})"


class ApiToken(models.Model):
    """
    A token for the REST interface, with the roles that it may use.

    Every command has somebody who answers for it: the token's own person, or, for a token of a device
    alone, whoever is signed in there. It never may more than that person may.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT)
    name = models.CharField(max_length=40)
    roles = ArrayField(models.CharField(max_length=10), default=list)
    token_hash = models.CharField(max_length=64, unique=True)
    staff = models.ForeignKey(Staff, null=True, on_delete=models.PROTECT)
    device = models.ForeignKey(Device, null=True, on_delete=models.PROTECT)
    made_by_id = models.BigIntegerField()
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    # To the minute.
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    may_change = ("revoked_at", "last_used_at", "name")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=_TOKEN_IS_HASHED, name="api_token_is_hashed"),
            models.CheckConstraint(condition=Q(ends_at__gt=F("made_at")), name="api_token_ends_after_it_was_made"),
            models.CheckConstraint(condition=Q(roles__contained_by=_ROLE_VALUES), name="api_token_roles_are_known"),
            models.CheckConstraint(
                condition=Q(staff__isnull=False) | Q(device__isnull=False), name="api_token_belongs_to_somebody"
            ),
        ]

    def __str__(self) -> str:
        return self.name
