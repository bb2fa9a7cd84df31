"""The cage over REST: the gaming day, drawers, slips. Amounts are cents."""
