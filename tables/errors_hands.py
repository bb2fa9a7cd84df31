"""What of a logged hand cannot be read."""

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
