"""Questions about pools."""

from collections.abc import Iterable

from casino.ledger.models import Account
from jackpot.chart import OWNER
from jackpot.models import Pool


def figures(pool_id: int) -> dict[str, int]:
    """Return the balances of a pool's accounts by kind, in cents (`jackpot.chart`). One query."""
    found = Account.objects.filter(owner_kind=OWNER, owner_id=pool_id)
    return dict(found.values_list("kind", "balance_cents"))


def sum_cents(pool_id: int) -> int:
    """Return the pool's sum, which is displayed and from which a claim is paid (A-H7.6), in cents. One query."""
    return figures(pool_id).get("sum", 0)


def base_sum(room_id: int, code: str) -> int | None:
    """Return the sum of the pool that a jackpot of the book has now, None where it has none yet. Two queries."""
    pool = Pool.objects.filter(room_id=room_id, code=code).exclude(state=Pool.State.CLOSED).first()
    return None if pool is None else sum_cents(pool.pk)


def pool_names(ids: Iterable[int]) -> dict[int, str]:
    """Return the codes of pools by their ids, for the ledger. One query."""
    return dict(Pool.objects.filter(id__in=set(ids)).values_list("id", "code"))
