"""What staff do with the jackpots, and what other services do to a pool inside their own transaction."""
