"""What staff do with the jackpots, and what other services do to a pool inside their own transaction."""

from jackpot.services.pool import (
    lock_pool,
    pay_share,
    release,
    reserve_for_claim,
    share_lines,
    top_up_to_seed,
)

__all__ = ["lock_pool", "pay_share", "release", "reserve_for_claim", "share_lines", "top_up_to_seed"]
