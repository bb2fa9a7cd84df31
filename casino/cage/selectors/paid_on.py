"""Which slips were paid on a gaming day: a drawer may be open over several, so a slip's transfer says it."""

from collections.abc import Collection

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import In

from casino.cage.models import DrawerSession, Slip
from casino.ledger.models import Transfer
from casino.rooms.models import GamingDay


def paid_on(room_id: int, day_ids: Collection[int]) -> Q:
    """
    Return what finds the slips that were paid on some of a room's gaming days, those too that were taken back since.

    The days follow each other, and are at least one.
    """
    # Sessions are few and lead to their slips; by transfers alone all slips of a room would be read. The day is a value
    # of each slip: PostgreSQL plans EXISTS as a join, and in a new house that join read all transfers for each slip.
    sessions = DrawerSession.objects.filter(DrawerSession.open_on(room_id, day_ids))
    return Q(In(Subquery(transfer_of_slip().values("day")), list(day_ids)), session__in=sessions)


def transfer_of_slip() -> QuerySet[Transfer]:
    """Return, for a query of slips, the transfer by which each was paid."""
    return Transfer.objects.filter(id=OuterRef("transfer_id"))


def day_of(slip: Slip) -> GamingDay | None:
    """Return the gaming day on which a slip was paid, None while it is not. One query."""
    transfer = Transfer.objects.filter(id=slip.transfer_id or 0).select_related("day").first()
    return transfer.day if transfer else None
