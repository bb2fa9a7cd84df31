"""What people's own tables, and the apps below them, keep about people: what for, for how long, and what then goes."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from casino.audit.models import Chain, Event, Seal, SealKey
from casino.commands.carrying_out import DONE
from casino.commands.models import AnsweredCommand
from casino.errors import Refusal
from casino.people import person_data
from casino.people.erased import EMPTIED, ERASED
from casino.people.kept import KIND_OF_ERASED, Kind, Retention, Rows, about_nobody, keep, was_here_since
from casino.people.models import (
    ApiToken,
    Device,
    EnrolmentCode,
    Exclusion,
    IdentityCheck,
    Inquiry,
    KeptApart,
    Note,
    OwnLimit,
    Player,
    PlayerPass,
    SignIn,
    Staff,
)
from casino.people.services.erasing import check_may_be_erased, check_staff_may_be_erased, empty_records, empty_staff
from casino.rooms.models import GamingDay, NextBook, Room, RuleBookVersion

_SINCE_HERE = _("since the player was last here")
_SINCE_OVER = _("since it ended")
_DOCUMENT_GOES = _(
    "The number, the name and the last day of the document go. That it was seen, when and by whom, stays."
)


# ---- players


def _players_away(room_id: int, before: datetime, *, are_erased: bool = False) -> QuerySet[Player]:
    """Return the players of whom no row of any record of theirs tells that they were here since."""
    here = was_here_since(before)
    records = Player.objects.filter(here, room_id=room_id, merged_into__isnull=False).values("merged_into")
    players = Player.objects.filter(room_id=room_id, erased_at__isnull=not are_erased, merged_into=None)
    return players.exclude(here).exclude(id__in=records)


def _may_be_forgotten(player_id: int, at: datetime) -> bool:
    try:
        check_may_be_erased(_records([player_id]), at=at)
    except Refusal:
        return False
    return True


def _forget_players(player_ids: Sequence[int], at: datetime) -> None:
    empty_records(_records(player_ids), at=at)
    PlayerPass.objects.filter(player_id__in=player_ids, revoked_at=None).update(revoked_at=at)


def _left(room_id: int, before: datetime) -> QuerySet[Staff]:
    return Staff.objects.filter(room_id=room_id, left_at__lt=before, erased_at=None)


def _staff_may_be_forgotten(staff_id: int, at: datetime) -> bool:
    try:
        check_staff_may_be_erased(staff_id, at=at)
    except Refusal:
        return False
    return True


def _records(player_ids: Sequence[int]) -> list[int]:
    players = Player.objects.filter(Q(id__in=player_ids) | Q(merged_into_id__in=player_ids))
    return list(players.order_by("id").values_list("id", flat=True))


def _numbers_due(room_id: int, before: datetime, *, are_erased: bool = False) -> QuerySet[IdentityCheck]:
    away = _players_away(room_id, before, are_erased=are_erased).values("id")
    checks = IdentityCheck.objects.filter(room_id=room_id, checked_at__lt=before).exclude(number=ERASED)
    return checks.filter(Q(player__in=away) | Q(player__merged_into__in=away))


def _checks(room_id: int) -> QuerySet[IdentityCheck]:
    return IdentityCheck.objects.filter(room_id=room_id).exclude(number=ERASED)


def _number_may_go(check_id: int, at: datetime) -> bool:
    player = IdentityCheck.objects.select_related("player").get(pk=check_id).player
    return _may_be_forgotten(player.merged_into_id or player.pk, at)


def _empty_numbers(check_ids: Sequence[int], _at: datetime) -> None:
    IdentityCheck.objects.filter(id__in=check_ids).update(**EMPTIED)


def _empty_reasons(model: Any) -> Any:
    def empty(ids: Sequence[int], _at: datetime) -> None:
        model.objects.filter(id__in=ids).update(reason="")

    return empty


def _exclusions_over(room_id: int, before: datetime) -> QuerySet[Exclusion]:
    # A player's own one holds until it is lifted, whatever its end.
    over = Q(lifted_at__lt=before) | Q(kind=Exclusion.Kind.BAN, until__lt=before)
    return Exclusion.objects.filter(over, room_id=room_id).exclude(reason="")


def _inquiries_over(room_id: int, before: datetime) -> QuerySet[Inquiry]:
    return Inquiry.objects.filter(Q(lifted_at__lt=before) | Q(until__lt=before), room_id=room_id).exclude(reason="")


def _passes_over(room_id: int, before: datetime) -> QuerySet[PlayerPass]:
    over = Q(revoked_at__isnull=False) | Q(day__closed_at__isnull=False)
    return PlayerPass.objects.filter(over, room_id=room_id, given_at__lt=before)


keep(
    Kind(
        "people.player",
        _("Who a player is"),
        purpose=_("To seat them, call them from a list and pay them."),
        rows=(Rows(Player, ("nickname", "full_name", "number", "merged_into"), player="id"),),
        player_data=person_data.names,
        count=lambda room_id: Player.objects.filter(room_id=room_id, erased_at=None, merged_into=None).count(),
        retention=Retention(
            days=lambda book: book.player_days,
            counts_from=_SINCE_HERE,
            removes=_("The player is forgotten, as if they had asked: names, documents and every text about them go."),
            due=_players_away,
            about=("id",),
            may_go=_may_be_forgotten,
            remove=_forget_players,
        ),
    ),
    Kind(
        "people.identity",
        _("Documents that were seen"),
        purpose=_("To know who brings and takes large sums."),
        rows=(Rows(IdentityCheck, ("player", "number", "full_name", "valid_until", "also_of"), at="checked_at"),),
        player_data=person_data.documents,
        count=lambda room_id: _checks(room_id).filter(player__erased_at=None).count(),
        retention=Retention(
            days=lambda book: book.identity_days,
            counts_from=_SINCE_HERE,
            removes=_DOCUMENT_GOES,
            due=_numbers_due,
            may_go=_number_may_go,
            remove=_empty_numbers,
        ),
    ),
    Kind(
        KIND_OF_ERASED,
        _("Documents of erased guests"),
        purpose=_("To know for a while who brought and took large sums, though they wished to be forgotten."),
        rows=(),
        not_given="whoever was erased is found no more",
        count=lambda room_id: _checks(room_id).filter(player__erased_at__isnull=False).count(),
        retention=Retention(
            days=lambda book: book.document_wish_days,
            counts_from=_SINCE_HERE,
            removes=_DOCUMENT_GOES,
            due=partial(_numbers_due, are_erased=True),
            remove=_empty_numbers,
        ),
    ),
    Kind(
        "people.exclusions",
        _("Bans and exclusions"),
        purpose=_("To keep out who is banned, and who wished to be kept out."),
        rows=(Rows(Exclusion, ("player", "reason"), at="began_at"),),
        player_data=person_data.exclusions,
        count=lambda room_id: Exclusion.objects.filter(room_id=room_id).count(),
        retention=Retention(
            days=lambda book: book.exclusion_reason_days,
            counts_from=_SINCE_OVER,
            removes=_("Its reason goes. That it stood, from when to when and by whom, stays."),
            due=_exclusions_over,
            remove=_empty_reasons(Exclusion),
        ),
    ),
    Kind(
        "people.limits",
        _("Players’ own limits"),
        purpose=_("To hold a player to the limits that they set themselves."),
        rows=(Rows(OwnLimit, ("player", "amount"), at="wished_at"),),
        player_data=person_data.limits,
        count=lambda room_id: OwnLimit.objects.filter(room_id=room_id).count(),
    ),
    Kind(
        "people.apart",
        _("Who is kept apart from whom"),
        purpose=_("To seat two players at two tables."),
        rows=(Rows(KeptApart, ("one", "reason"), player="one"), Rows(KeptApart, ("other",), player="other")),
        player_data=person_data.kept_apart,
        count=lambda room_id: KeptApart.objects.filter(room_id=room_id).count(),
        retention=Retention(
            days=lambda book: book.apart_reason_days,
            counts_from=_SINCE_OVER,
            removes=_("Its reason goes. Who was kept apart, and when, stays."),
            due=lambda room_id, before: KeptApart.objects.filter(room_id=room_id, ended_at__lt=before).exclude(
                reason=""
            ),
            about=("one_id", "other_id"),
            remove=_empty_reasons(KeptApart),
        ),
    ),
    Kind(
        "people.notes",
        _("What staff wrote about players"),
        purpose=_("To rule alike on what happens again, and to show how a dispute was decided."),
        rows=(Rows(Note, ("text", "about"), player="about"),),
        player_data=person_data.notes,
        count=lambda room_id: Note.objects.filter(room_id=room_id, erased_at=None).count(),
        retention=Retention(
            days=lambda book: book.note_days,
            counts_from=_("since it was written"),
            removes=_("The text goes. That something was noted, of what kind and under which clause, stays."),
            due=lambda room_id, before: Note.objects.filter(room_id=room_id, written_at__lt=before, erased_at=None),
            about=("about",),
            remove=lambda ids, at: _empty_notes(ids, at),
        ),
    ),
    Kind(
        "people.inquiries",
        _("Inquiries"),
        purpose=_("To keep what an inquiry needs until it is over."),
        rows=(Rows(Inquiry, ("player", "reason")),),
        not_given="who is inquired about is not told",
        # Nobody reads those about themselves: a figure would tell them that there is one.
        count=None,
        retention=Retention(
            days=lambda book: book.inquiry_reason_days,
            counts_from=_SINCE_OVER,
            removes=_("Its reason goes. That there was one, from when to when and by whom, stays."),
            due=_inquiries_over,
            about_staff=("staff_id",),
            remove=_empty_reasons(Inquiry),
        ),
    ),
    Kind(
        "people.passes",
        _("Passes of players’ phones"),
        purpose=_("To show a player their places on their own phone, for one night."),
        rows=(Rows(PlayerPass, ("player", "token_hash", "code_hash"), at="given_at"),),
        player_data=person_data.passes,
        count=lambda room_id: PlayerPass.objects.filter(room_id=room_id).count(),
        retention=Retention(
            days=lambda book: book.pass_days,
            counts_from=_("since it was given"),
            removes=_("All of it goes."),
            due=_passes_over,
            remove=lambda ids, _at: _delete(PlayerPass, ids),
        ),
    ),
    Kind(
        "people.staff",
        _("Staff"),
        purpose=_("To let who works here in, and to say who did what."),
        rows=(
            Rows(Staff, ("username", "display_name", "roles", "pin", "password")),
            Rows(ApiToken, ("name", "roles", "token_hash")),
        ),
        not_given="of no player",
        staff_data=person_data.staff,
        count=lambda room_id: Staff.objects.filter(room_id=room_id, erased_at=None).count(),
        retention=Retention(
            days=lambda book: book.staff_days,
            counts_from=_("since they left"),
            removes=_(
                "Their names and roles go. PIN and password went as they left; what they did stays, by a number."
            ),
            due=_left,
            about=(),
            about_staff=("id",),
            may_go=_staff_may_be_forgotten,
            remove=lambda ids, at: empty_staff(ids, at=at),
        ),
    ),
    Kind(
        "people.shifts",
        _("Shifts of staff"),
        purpose=_("To say who was at work, and whose tap it was."),
        # They stand in the log alone.
        rows=(),
        not_given="of no player",
        staff_data=person_data.shifts,
        count=lambda room_id: Event.objects.filter(
            room_id=room_id, name__in=person_data.SHIFTS_BEGIN, result=DONE
        ).count(),
    ),
    Kind(
        "people.sign_ins",
        _("Sign-ins on devices"),
        purpose=_("To take taps that come late from whoever made them."),
        rows=(Rows(SignIn, ("staff", "proof_hash")),),
        not_given="of no player",
        staff_data=person_data.sign_ins,
        count=lambda room_id: SignIn.objects.filter(staff__room_id=room_id).count(),
        retention=Retention(
            days=lambda book: book.sign_in_days,
            counts_from=_SINCE_OVER,
            removes=_("All of it goes. The log still says who signed in where."),
            due=lambda room_id, before: SignIn.objects.filter(staff__room_id=room_id, ended_at__lt=before),
            about=(),
            about_staff=("staff_id",),
            remove=lambda ids, _at: _delete(SignIn, ids),
        ),
    ),
)


def _empty_notes(note_ids: Sequence[int], at: datetime) -> None:
    Note.objects.filter(id__in=note_ids).update(text="", erased_at=at)


def _delete(model: Any, ids: Sequence[Any]) -> None:
    model.objects.filter(pk__in=ids).delete()


about_nobody(Exclusion, "clause", "a clause of the book")
about_nobody(Device, "name token_hash", "a device of the house")
about_nobody(EnrolmentCode, "device_name code_hash", "a device of the house")
about_nobody(Room, "slug name currency locale language time_zone", "the house itself")
about_nobody(RuleBookVersion, "book text digest", "the house's rules")
about_nobody(NextBook, "text", "the house's rules")
about_nobody(GamingDay, "date balances_seed", "a day of the house")
about_nobody(AnsweredCommand, "body_hash code data", "codes, ids and amounts of an answer, for two gaming days")
about_nobody(Chain, "name hash", "the log: ids alone")
about_nobody(Event, "chain previous_hash hash text name result audiences", "the log: ids alone")
about_nobody(SealKey, "public signature", "keys of the house")
about_nobody(Seal, "heads previous signature mac", "hashes of the log")
