"""What the floor calls the codes with which hands are put right. Codes are stored; nothing free about people is."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

CORRECTION_REASONS: dict[str, str | Promise] = {
    "wrong_pot": _("Wrong pot"),
    "wrong_winner": _("Wrong winner"),
    "wrong_taken": _("Something else was taken"),
    "was_no_flop": _("There was no flop"),
    "side_pots": _("Side pots were left out"),
}
VOID_REASONS: dict[str, str | Promise] = {
    "logged_twice": _("Logged twice"),
    "wrong_table": _("Belongs to another table"),
    "void": _("The hand was void"),
}
# Why the floor does otherwise than the house's order proposes.
OVERRULE_WORDS: dict[str, str | Promise] = {
    "player_wish": _("The player’s wish"),
    "not_there": _("Not there just now"),
    "keeps_games_going": _("Keeps both games going"),
    "peace": _("Keeps the peace"),
    "manager": _("The manager decided"),
}
