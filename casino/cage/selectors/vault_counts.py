"""Questions about the vault's counts, and whether the vault gives anything."""

from datetime import datetime
from functools import lru_cache

from django.db.models import Max, Q, QuerySet, Subquery, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Coalesce

from casino import seldom
from casino.audit.models import Event
from casino.cage.chart import IN_VAULT
from casino.cage.errors_vault import VaultCountedFirst
from casino.cage.models import VaultCount
from casino.commands.carrying_out import DONE
from casino.ledger.models import Posting
from casino.people.models import Staff
from casino.people.permissions import MAY
from casino.reading import read_once
from casino.rooms.selectors import night_began_after, rule_book_in_force

# Who is told of a count.
NEWS = "cage.vault"
# Whoever may do this can look up what lies in the vault.
KNOWS = "read.ledger"


def vault_version(room_id: int) -> int:
    """Return what goes up with whatever goes into the vault or out of it, by which a count knows that. One query."""
    moved = Posting.objects.filter(account__room_id=room_id, account__owner_kind="house", account__kind__in=IN_VAULT)
    return moved.aggregate(last=Max("id"))["last"] or 0


def vault_counts_of(room_id: int, *, offset: int = 0, most: int = 100) -> list[VaultCount]:
    """Return the counts of the vault, newest first, with their day and notes. Two queries."""
    counts = VaultCount.objects.filter(room_id=room_id).select_related("day")
    return list(counts.prefetch_related("notes").order_by("-number")[offset : offset + most])


def vault_count_by_id(room_id: int, count_id: int) -> VaultCount | None:
    """Return one with everybody whom its paper names. Two queries."""
    counts = VaultCount.objects.filter(room_id=room_id, id=count_id)
    people = counts.select_related("counted_by", "counted_with", "judged_by", "day")
    return people.prefetch_related("notes").first()


def last_counted(room_id: int) -> datetime | None:
    """Return when the vault was last counted, None for never. One query."""
    newest = VaultCount.objects.filter(room_id=room_id).order_by("-number")
    return newest.values_list("counted_at", flat=True).first()


def readers(room_id: int) -> QuerySet[Staff]:
    """Return who can look up what lies in the vault."""
    return Staff.objects.filter(room_id=room_id, roles__overlap=[role.value for role in MAY[KNOWS]])


def counted_first_since(room_id: int, *, at: datetime) -> datetime | None:
    """
    Return since when the vault gives nothing to whoever may not look up what lies there, until two have counted it;
    None where it gives. One query, and the book's where it was too short tonight.
    """
    tries = _tries(room_id)
    if not tries:
        return None
    most = rule_book_in_force(room_id, at=at)[1].cage.short_payouts_most
    return tries[most - 1] if len(tries) >= most else None


def why_not_given(room_id: int, staff_id: int | None, *, at: datetime) -> VaultCountedFirst | None:
    """
    Return what refuses everything that the vault would give to somebody, None where nothing does. One query, or a few
    where it was too short tonight.
    """
    if counted_first_since(room_id, at=at) and not readers(room_id).filter(pk=staff_id or 0).exists():
        return VaultCountedFirst()
    return None


def check_not_counted_first(room_id: int, staff_id: int | None, *, at: datetime) -> None:
    """
    Let the vault give something to somebody, whatever it is. Queries as `why_not_given`.

    :raises VaultCountedFirst: it was too short too often, and they may not look up what lies there.
    """
    if refusal := why_not_given(room_id, staff_id, at=at):
        raise refusal


@read_once
def _tries(room_id: int) -> list[datetime]:
    """Return when the vault was too short tonight for whoever may not look, since its last count, in order."""
    return [at for (at,) in seldom.rows(*_tries_statement(room_id))]


@lru_cache(maxsize=64)
def _tries_statement(room_id: int) -> tuple[str, ...]:
    """Return the statement of `_tries` and its values. It is made once, for each push of the floor's to-do has it."""
    tonight = Event.objects.filter(room_id=room_id, id__gt=night_began_after(room_id))
    counted = tonight.filter(name="cage.count_vault", result=DONE).order_by("-id").values("id")[:1]
    # As a literal, for a plan that is made once knows no values, and only so uses the index of what was refused.
    short = RawSQL("'vault_short'", ())
    tries = tonight.filter(result=short, id__gt=Coalesce(Subquery(counted), Value(0)))
    moments = tries.exclude(staff_id__in=readers(room_id).values("id")).order_by("id").values_list("at")
    text, values = moments.query.sql_with_params()
    return (text, *values)


def own_counts(room_id: int, staff_id: int) -> QuerySet[VaultCount]:
    """Return those that somebody counted, or stood by: what differs is not theirs to judge."""
    return VaultCount.objects.filter(Q(counted_by=staff_id) | Q(counted_with=staff_id), room_id=room_id)
