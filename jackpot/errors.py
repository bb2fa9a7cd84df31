"""What keeps a hand from being judged."""

from django.utils.translation import gettext_lazy as _

from casino.errors import Refusal


class NoJackpot(Refusal):
    """The rule book in force has no jackpot, or none of that code."""

    code = "no_jackpot"
    status = 404
    sentence = _("The rule book has no such jackpot.")


class NotACard(Refusal):
    """Something was written where a card belongs."""

    code = "not_a_card"
    status = 400
    sentence = _("“%(text)s” is not a card. Cards are written as Ah or 10s: rank, then suit.")


class CardTwice(Refusal):
    """A card lies in two places."""

    code = "card_twice"
    status = 400
    sentence = _("%(card)s lies in two places.")


class BoardNotDealt(Refusal):
    """The board has other cards than the variant deals."""

    code = "board_not_dealt"
    status = 400
    sentence = _("Cards on the board: %(got)s. There should be %(expected)s.")


class HandNotDealt(Refusal):
    """A player's hand has other cards than the variant deals."""

    code = "hand_not_dealt"
    status = 400
    sentence = _("Cards in hand %(number)s: %(got)s. There should be %(expected)s.")


class MoreHandsThanPlayers(Refusal):
    """More hands than players who took part."""

    code = "more_hands_than_players"
    status = 400
    sentence = _("Hands: %(hands)s. Players who took part: %(players)s.")


class NoPool(Refusal):
    """The jackpot has no pool yet: it opens with a gaming day."""

    code = "no_pool"
    status = 409
    sentence = _("The jackpot %(jackpot)s has no sum yet. It gets one when the gaming day opens.")


class PoolNotOpen(Refusal):
    """The pool was wound down: it pays no claims and takes no drops any more."""

    code = "pool_not_open"
    status = 409
    sentence = _("The jackpot %(jackpot)s has ended.")
