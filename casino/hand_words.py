"""What a hand of cards is called in the reader's language: "Full house, aces and kings"."""

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from casino.poker.ranking import Made, Worth
from casino.poker.variants import Variant

# One card of a rank: "flush, king high". Several of it: "four of a kind, kings".
_ONE = {
    2: pgettext_lazy("card", "two"),
    3: pgettext_lazy("card", "three"),
    4: pgettext_lazy("card", "four"),
    5: pgettext_lazy("card", "five"),
    6: pgettext_lazy("card", "six"),
    7: pgettext_lazy("card", "seven"),
    8: pgettext_lazy("card", "eight"),
    9: pgettext_lazy("card", "nine"),
    10: pgettext_lazy("card", "ten"),
    11: pgettext_lazy("card", "jack"),
    12: pgettext_lazy("card", "queen"),
    13: pgettext_lazy("card", "king"),
    14: pgettext_lazy("card", "ace"),
}
_MANY = {
    2: pgettext_lazy("cards", "twos"),
    3: pgettext_lazy("cards", "threes"),
    4: pgettext_lazy("cards", "fours"),
    5: pgettext_lazy("cards", "fives"),
    6: pgettext_lazy("cards", "sixes"),
    7: pgettext_lazy("cards", "sevens"),
    8: pgettext_lazy("cards", "eights"),
    9: pgettext_lazy("cards", "nines"),
    10: pgettext_lazy("cards", "tens"),
    11: pgettext_lazy("cards", "jacks"),
    12: pgettext_lazy("cards", "queens"),
    13: pgettext_lazy("cards", "kings"),
    14: pgettext_lazy("cards", "aces"),
}
_SENTENCES = {
    Made.HIGH_CARD: gettext_lazy("%(one)s high"),
    Made.PAIR: gettext_lazy("a pair, %(many)s"),
    Made.FOUR_STRAIGHT: gettext_lazy("four-card straight, %(one)s high"),
    Made.FOUR_FLUSH: gettext_lazy("four-card flush, %(one)s high"),
    Made.TWO_PAIR: gettext_lazy("two pair, %(many)s and %(more)s"),
    Made.THREE: gettext_lazy("three of a kind, %(many)s"),
    Made.STRAIGHT: gettext_lazy("straight, %(one)s high"),
    Made.FLUSH: gettext_lazy("flush, %(one)s high"),
    Made.FULL_HOUSE: gettext_lazy("full house, %(many)s and %(more)s"),
    Made.FOUR: gettext_lazy("four of a kind, %(many)s"),
    Made.STRAIGHT_FLUSH: gettext_lazy("straight flush, %(one)s high"),
}
# Of a least hand that leaves its second rank open.
_OPEN = {
    Made.TWO_PAIR: gettext_lazy("two pair, %(many)s and any other"),
    Made.FULL_HOUSE: gettext_lazy("full house, %(many)s and any pair"),
}
VARIANT_NAMES = {
    Variant.HOLDEM: gettext_lazy("Texas hold’em"),
    Variant.OMAHA: gettext_lazy("Omaha"),
    Variant.OMAHA_HI_LO: gettext_lazy("Omaha hi-lo"),
    Variant.OMAHA_5: gettext_lazy("Omaha 5"),
    Variant.COURCHEVEL: gettext_lazy("Courchevel"),
    Variant.STUD: gettext_lazy("Seven card stud"),
    Variant.STUD_HI_LO: gettext_lazy("Seven card stud hi-lo"),
    Variant.SOKO: gettext_lazy("Sökö"),
    Variant.AVIATION: gettext_lazy("Helsinki hold’em"),
    Variant.PINEAPPLE: gettext_lazy("Pineapple"),
    Variant.CRAZY_PINEAPPLE: gettext_lazy("Crazy pineapple"),
}


def hand_words(worth: Worth) -> str:
    """
    Return what a hand is called, in the active language: "Full house, aces and kings".

    Of a least hand with fewer ranks those that it leaves open are called any: "Full house, aces and any pair".
    """
    first, *rest = worth.ranks
    if worth.made is Made.STRAIGHT_FLUSH and first == max(_ONE):
        return _("Royal flush")
    sentence = _SENTENCES[worth.made] if rest else _OPEN.get(worth.made, _SENTENCES[worth.made])
    return capfirst(sentence % {"one": _ONE[first], "many": _MANY[first], "more": _MANY[rest[0] if rest else first]})
