"""Why the floor changes a list, as codes: stored and logged, so nothing free about people is."""

# Why a list's order was changed by hand.
REORDER_REASONS = frozenset({"wrong_order", "house_error", "moved_back", "manager"})
