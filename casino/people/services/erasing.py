"""
A player, or somebody who worked here, asks to be forgotten: what tells who they are goes, what they did stays under an
id that says nothing.

Postings, slips, hands and the log hold ids alone, so that ledger and chains are whole afterwards. What holds a player
comes first: who is kept from playing, sits, waits or is owed something is not erased until that has ended.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from django.db.models import Q

from casino.commands.carrying_out import Command, Outcome, service
from casino.people.elsewhere import everywhere
from casino.people.erased import EMPTIED, ERASED
from casino.people.errors import DataIsNeeded, ExclusionHolds, KeptToItsTime, StillWorksHere
from casino.people.inquiries import held_by_inquiry, staff_held_by_inquiry
from casino.people.kept import was_here_since
from casino.people.models import ApiToken, Exclusion, IdentityCheck, Inquiry, KeptApart, Note, Player, Staff
from casino.people.rules.exclusions import Excluded, holds
from casino.people.services.exclusions import about
from casino.people.services.locks import lock_player, lock_staff_ever
from casino.people.services.passes import end_pass
from casino.people.standing import persons_of
from casino.rooms.selectors import rule_book_in_force


@service("people.erase_player")
def erase_player(command: Command, *, player_id: int) -> Outcome:
    """
    Erase a player, and the records that were merged into theirs, as the player asked. It is not taken back.

    Names and every free text about them go at once, and what the house saw of their documents too, but for whom it has
    to be known by the book's `identity_wish_days`, counted from when they were last here: time removes that later
    (`kept_data`). That they were checked, kept out or kept apart stays, with who did it and when.

    The answer's data: `identity_kept` says whether what was seen of a document stays meanwhile.

    :raises NotFound: not of this room, erased already, or merged into another record.
    :raises DataIsNeeded: an inquiry needs what is kept about them.
    :raises ExclusionHolds: a ban or an exclusion does, and what enforces it is kept to its end.
    :raises Refusal: what the other apps refuse: the player sits, waits, or has money here.
    """
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    player = lock_player(command, player_id)
    ids = [player.pk, *Player.objects.filter(merged_into=player).order_by("id").values_list("id", flat=True)]
    check_may_be_erased(ids, at=command.at)
    audiences = end_pass(command, player)
    is_kept = _must_be_known(ids, at=command.at, days=book.peoples_data.document_wish_days)
    empty_records(ids, at=command.at, by_id=command.by.staff_id, with_identity=not is_kept)
    return replace(about(player, audiences, records=len(ids), identity_kept=is_kept), rule_book_version_id=version_id)


def _must_be_known(player_ids: Sequence[int], *, at: datetime, days: int) -> bool:
    """Say whether a document of theirs was seen, and they were here within so many days. Two queries at most."""
    was_seen = IdentityCheck.objects.filter(player_id__in=player_ids).exclude(number=ERASED).exists()
    here = was_here_since(at - timedelta(days=days))
    return was_seen and Player.objects.filter(here, id__in=player_ids).exists()


def empty_records(
    player_ids: Sequence[int], *, at: datetime, by_id: int | None = None, with_identity: bool = True
) -> None:
    """
    Empty what tells who these records of locked players are, and every free text about them; `with_identity` what was
    seen of their documents too. A few statements.

    A text that speaks besides of somebody whom an inquiry holds stays, until its own time is over.
    """
    held = _held_besides(player_ids, at=at)
    Player.objects.filter(id__in=player_ids).update(
        nickname="", full_name="", number=None, is_shown_as_number=False, erased_at=at
    )
    notes = Note.objects.filter(about__overlap=list(player_ids), erased_at=None)
    notes.exclude(about__overlap=held).update(text="", erased_at=at)
    for texts in (Exclusion, Inquiry):
        texts.objects.filter(player_id__in=player_ids).exclude(reason="").update(reason="")
    pairs = KeptApart.objects.filter(Q(one_id__in=player_ids) | Q(other_id__in=player_ids))
    pairs.exclude(reason="").exclude(Q(one_id__in=held) | Q(other_id__in=held)).update(reason="")
    pairs.filter(ended_at=None).update(ended_at=at, ended_by_id=by_id)
    if with_identity:
        IdentityCheck.objects.filter(player_id__in=player_ids).exclude(number=ERASED).update(**EMPTIED)


def _held_besides(player_ids: Sequence[int], *, at: datetime) -> list[int]:
    """Return the records that texts about these players speak of too, and that an inquiry holds. Four queries."""
    notes = Note.objects.filter(about__overlap=list(player_ids), erased_at=None).values_list("about", flat=True)
    pairs = KeptApart.objects.filter(Q(one_id__in=player_ids) | Q(other_id__in=player_ids)).exclude(reason="")
    spoken_of = {each for ids in (*notes, *pairs.values_list("one_id", "other_id")) for each in ids}
    persons = persons_of(spoken_of.difference(player_ids))
    held = held_by_inquiry(persons.values(), at=at)
    return [each for each, person in persons.items() if person in held]


def check_may_be_erased(player_ids: Sequence[int], *, at: datetime) -> None:
    """
    Let somebody be erased whom nothing holds; their records are `player_ids`. A few queries.

    :raises DataIsNeeded: an inquiry does.
    :raises ExclusionHolds: a ban or an exclusion does.
    :raises Refusal: what the other apps refuse.
    """
    if held_by_inquiry(player_ids, at=at):
        raise DataIsNeeded
    standing = Exclusion.objects.filter(player_id__in=player_ids, lifted_at=None)
    if any(holds(Excluded(each.kind, each.until, each.clause), at) for each in standing):
        raise ExclusionHolds
    for app in everywhere():
        app.erasing(player_ids)


@service("people.erase_staff")
def erase_staff(command: Command, *, staff_id: int) -> Outcome:
    """
    Erase somebody who worked here, as they asked. It is not taken back.

    Names, roles and what their programs' tokens are called go; what they did stays under their number. So nobody erases
    themselves, who is on shift or the last manager: their doors are closed first.

    :raises NotFound: nobody of this room, or erased already.
    :raises StillWorksHere: every door is to be closed to them first.
    :raises KeptToItsTime: the book keeps who left known for longer.
    :raises DataIsNeeded: an inquiry needs what is kept about them.
    :raises StillAnswersFor: money, a table or a box is in their name.
    """
    version_id, book = rule_book_in_force(command.room_id, at=command.at)
    staff = lock_staff_ever(command, staff_id)
    if staff.left_at is None:
        raise StillWorksHere
    days = book.peoples_data.staff_wish_days
    if command.at < staff.left_at + timedelta(days=days):
        raise KeptToItsTime(days=days)
    check_staff_may_be_erased(staff.pk, at=command.at)
    empty_staff([staff.pk], at=command.at)
    return Outcome(chain=f"staff.{staff.pk}", data={"staff_id": staff.pk}, rule_book_version_id=version_id)


def check_staff_may_be_erased(staff_id: int, *, at: datetime) -> None:
    """
    Let somebody who left be erased whom nothing holds. A few queries.

    :raises DataIsNeeded: an inquiry does.
    :raises StillAnswersFor: money, a table or a box does.
    """
    if staff_held_by_inquiry([staff_id], at=at):
        raise DataIsNeeded
    for app in everywhere():
        app.erasing_staff(staff_id)


def empty_staff(staff_ids: Sequence[int], *, at: datetime) -> None:
    """Empty what tells who these locked members of staff were, who left, and why they were inquired about."""
    Staff.objects.filter(id__in=staff_ids).update(username="", display_name="", roles=[], erased_at=at)
    ApiToken.objects.filter(staff__in=staff_ids).update(name=ERASED)
    Inquiry.objects.filter(staff__in=staff_ids).exclude(reason="").update(reason="")
