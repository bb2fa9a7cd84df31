"""Why the floor puts a hand right, as codes: they are stored and logged, so nothing free about people is."""

CORRECTION_REASONS = frozenset({"wrong_pot", "wrong_winner", "wrong_taken", "was_no_flop", "side_pots"})
VOID_REASONS = frozenset({"logged_twice", "wrong_table", "void"})
# What was logged by mistake: nothing was dropped into this table's boxes for it.
NEVER_DROPPED = frozenset({"logged_twice", "wrong_table"})
