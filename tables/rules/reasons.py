"""Why the floor puts a hand right, or overrules the house, as codes that are stored and logged: nothing free is."""

CORRECTION_REASONS = frozenset({"wrong_pot", "wrong_winner", "wrong_taken", "was_no_flop", "side_pots"})
VOID_REASONS = frozenset({"logged_twice", "wrong_table", "void"})
# What was logged by mistake: nothing was dropped into this table's boxes for it.
NEVER_DROPPED = frozenset({"logged_twice", "wrong_table"})
# Why the floor does otherwise than the house's order proposes, or lets somebody do what the book would not.
OVERRULE_REASONS = frozenset({"player_wish", "not_there", "keeps_games_going", "peace", "manager"})

# Why a claim to a seat, or a wish for another table, ended that nobody ended: its evening is over.
DAY_CLOSED = "day_closed"
