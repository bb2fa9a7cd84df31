"""What people's own tables tell somebody about themselves, in the active language; of others nothing."""

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from casino.audit.models import Event
from casino.commands.carrying_out import DONE
from casino.people.erased import ERASED
from casino.people.identity import DOCUMENTS
from casino.people.kept import Cents, DataTable
from casino.people.models import (
    ApiToken,
    Exclusion,
    IdentityCheck,
    KeptApart,
    Note,
    OwnLimit,
    Player,
    PlayerPass,
    SignIn,
    Staff,
)
from casino.people.permissions import Role
from casino.people.words import ROLE_NAMES

SHIFTS_BEGIN = ("people.start_shift", "people.add_shift_dealer")
EXCLUSIONS = {Exclusion.Kind.BAN.value: _("Ban"), Exclusion.Kind.OWN.value: _("Excluded by own wish")}


def names(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell the names of each record, and since when there is one."""
    players = Player.objects.filter(id__in=player_ids).order_by("id")
    yield DataTable(
        (_("Since"), _("Nickname"), _("Full name"), _("Number")),
        list(players.values_list("created_at", "nickname", "full_name", "number")),
    )


def documents(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell which documents were seen; a number that has gone is none."""
    checks = IdentityCheck.objects.filter(player_id__in=player_ids).order_by("id")
    rows = checks.values_list("checked_at", "document", "number", "full_name", "valid_until")
    yield DataTable(
        (_("When"), _("Document"), _("Number"), _("Full name"), _("Valid until")),
        [(at, DOCUMENTS[document], "" if no == ERASED else no, name, until) for at, document, no, name, until in rows],
    )


def exclusions(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell what kept the player out, from when to when and why."""
    of_player = Exclusion.objects.filter(player_id__in=player_ids).order_by("id")
    rows = of_player.values_list("kind", "began_at", "until", "lifted_at", "clause", "reason")
    yield DataTable(
        (_("Kind"), _("From"), _("Until"), _("Lifted"), _("Clause"), _("Reason")),
        [(EXCLUSIONS[kind], *row) for kind, *row in rows],
    )


def limits(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell the player's wishes about limits: an amount, or minutes of play; None took one away."""
    wishes = OwnLimit.objects.filter(player_id__in=player_ids).order_by("id")
    money = wishes.filter(kind=OwnLimit.Kind.BUY_IN).values_list("wished_at", "amount")
    yield DataTable(
        (_("When"), _("Buy-ins a day")), [(at, None if amount is None else Cents(amount)) for at, amount in money]
    )
    hours = wishes.filter(kind=OwnLimit.Kind.HOURS).values_list("wished_at", "amount")
    yield DataTable((_("When"), _("Minutes a day")), list(hours))


def kept_apart(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell that the player was kept apart from somebody: from whom and why is about them too."""
    pairs = KeptApart.objects.filter(Q(one_id__in=player_ids) | Q(other_id__in=player_ids)).order_by("id")
    yield DataTable((_("From"), _("Until")), list(pairs.values_list("made_at", "ended_at")))


def notes(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell what was written about the player alone, and when something was about others too."""
    written = Note.objects.filter(about__overlap=list(player_ids), erased_at=None).order_by("id")
    own, others = set(player_ids), _("It speaks of others too, and is not told.")
    rows = written.values_list("written_at", "about", "text")
    yield DataTable((_("When"), _("Note")), [(at, text if set(about) <= own else others) for at, about, text in rows])


def passes(player_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell when the player's phone was given a pass."""
    of_player = PlayerPass.objects.filter(player_id__in=player_ids).order_by("id")
    yield DataTable((_("From"), _("Until")), list(of_player.values_list("given_at", "revoked_at")))


def staff(staff_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell the names and roles of somebody who works here or did, since when and until when, and their tokens."""
    colleagues = Staff.objects.filter(id__in=staff_ids).order_by("id")
    rows = colleagues.values_list("created_at", "left_at", "display_name", "username", "roles")
    yield DataTable(
        (_("Since"), _("Until"), _("Shown as"), _("Signs in as"), _("Roles")),
        [(*row, ", ".join(str(ROLE_NAMES[Role(role)]) for role in roles)) for *row, roles in rows],
    )
    tokens = ApiToken.objects.filter(staff__in=staff_ids).order_by("id")
    yield DataTable(
        (_("From"), _("Until"), _("Token")),
        [(made, revoked or ends, name) for made, ends, revoked, name in
         tokens.values_list("made_at", "ends_at", "revoked_at", "name")],
    )  # fmt: skip


def shifts(staff_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell when somebody's shifts began and ended, as the log has it."""
    words = {**dict.fromkeys(SHIFTS_BEGIN, _("Shift began")), "people.end_shift": _("Shift ended")}
    chains = [f"staff.{each}" for each in staff_ids]
    events = Event.objects.filter(chain__in=chains, name__in=words, result=DONE).order_by("id")
    yield DataTable((_("When"), _("What")), [(at, words[name]) for at, name in events.values_list("at", "name")])


def sign_ins(staff_ids: Sequence[int]) -> Iterable[DataTable]:
    """Tell on which devices somebody was signed in, from when to when."""
    of_staff = SignIn.objects.filter(staff__in=staff_ids).order_by("began_at", "id")
    yield DataTable(
        (_("From"), _("Until"), _("Device")), list(of_staff.values_list("began_at", "ended_at", "device__name"))
    )
