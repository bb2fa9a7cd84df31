"""What of a logged hand cannot be read, and what keeps the next one from being dealt."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class WinnersOfEachPot(Refusal):
    """As many lists of winners as pots, or one for all: else some pot has none, or the wrong ones."""

    code = "winners_of_each_pot"
    status = 400
    sentence = _("Name who won each pot, the main pot first, or one list for all: %(lists)s lists for %(pots)s pots.")


class WinnerNamedTwice(Refusal):
    """Nobody shares a pot with themselves."""

    code = "winner_named_twice"
    status = 400
    sentence = _("Seat %(seat_number)s is named twice among the winners of one pot.")


class TableHeld(Refusal):
    """Something holds the hand before (a claim, say): nothing is dealt until the floor has decided."""

    code = "table_held"
    status = 409
    sentence = _("The hand before waits for the floor. See the floor.")
