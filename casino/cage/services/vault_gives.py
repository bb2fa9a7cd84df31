"""
What the vault gives: what lies in it and no more.

Its count is blind, so that whoever may not look up what lies there learns it by no sums that are tried: after the
book's `cage.short_payouts_most` of a night that it was too short for, it gives them nothing until it was counted.
"""

from collections.abc import Iterable

from django.db.models import QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from casino.audit.models import Event
from casino.cage.errors_vault import VaultCountedFirst
from casino.commands.carrying_out import DONE, Command
from casino.ledger.chart import VAULT, PostingLine
from casino.ledger.errors import VaultShort
from casino.ledger.services import check_vault_gave
from casino.people.models import Staff
from casino.people.permissions import MAY
from casino.rooms.selectors import lock_room, night_began_after, rule_book_in_force

# Whoever may do this can look up what lies in the vault.
KNOWS = "read.ledger"


def check_vault_gives(command: Command, lines: Iterable[PostingLine]) -> None:
    """
    Let the vault give what a transfer of these lines, just posted, has taken out of it. Two queries, where it gave
    something, or a few. Each refusal is a try (`follow_short`).

    :raises VaultCountedFirst: it was too short too often, and whoever asks may not look up what lies there.
    :raises VaultShort: it held less.
    """
    lines = list(lines)
    if any(line.owner_kind == "house" and line.kind in VAULT and line.cents < 0 for line in lines):
        _check_tries(command)
    check_vault_gave(command.room_id, lines)


def follow_vault_short(command: Command) -> None:
    """
    Count a try, in the transaction that logs it: the log is what they are counted by, under the room's lock.

    :raises VaultCountedFirst: others came first, at the same moment.
    """
    lock_room(command.room_id)
    _check_tries(command)


def _check_tries(command: Command) -> None:
    most = rule_book_in_force(command.room_id, at=command.at)[1].cage.short_payouts_most
    if _tries(command.room_id) >= most and not _readers(command.room_id).filter(pk=command.staff_id).exists():
        raise VaultCountedFirst


def _tries(room_id: int) -> int:
    """Return how often the vault was too short tonight for whoever may not look, since its last count. One query."""
    tonight = Event.objects.filter(room_id=room_id, id__gt=night_began_after(room_id))
    counted = tonight.filter(name="cage.count_vault", result=DONE).order_by("-id").values("id")[:1]
    tries = tonight.filter(result=VaultShort.code, id__gt=Coalesce(Subquery(counted), Value(0)))
    return tries.exclude(staff_id__in=_readers(room_id).values("id")).count()


def _readers(room_id: int) -> QuerySet[Staff]:
    return Staff.objects.filter(room_id=room_id, roles__overlap=[role.value for role in MAY[KNOWS]])
