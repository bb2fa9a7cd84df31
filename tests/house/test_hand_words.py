"""What hands are called."""

import pytest
from django.utils.translation import override

from casino.hand_words import VARIANT_NAMES, hand_words
from casino.poker.cards import cards_of
from casino.poker.ranking import Made, Worth, worth_of
from casino.poker.variants import Variant


@pytest.mark.parametrize(
    ("cards", "english", "finnish", "swedish"),
    [
        ("As Ad Ah Kd Ks", "Full house, aces and kings", "Täyskäsi, ässät ja kuninkaat", "Kåk, ess och kungar"),
        ("Js Jd Jh Jc 2s", "Four of a kind, jacks", "Neljä samaa, jätkät", "Fyrtal, knektar"),
        ("5s 4s 3s 2s As", "Straight flush, five high", "Värisuora, korkein vitonen", "Färgstege, femma högst"),
        ("Ts Js Qs Ks As", "Royal flush", "Kuningasvärisuora", "Royal flush"),
        ("9s 8s 7s 6s 2d", "Four-card flush, nine high", "Neljän väri, korkein ysi", "Fyrkortsfärg, nia högst"),
        ("9s 9d 4s 4d 2d", "Two pair, nines and fours", "Kaksi paria, ysit ja neloset", "Två par, nior och fyror"),
    ],
)
def test_a_hand_has_a_name_in_each_language(cards, english, finnish, swedish):
    worth = worth_of(cards_of(cards), four_card_hands=True)

    names = {}
    for language in ("en", "fi", "sv"):
        with override(language):
            names[language] = hand_words(worth)

    assert names == {"en": english, "fi": finnish, "sv": swedish}


def test_whatever_can_be_made_has_a_name():
    names = {hand_words(Worth(made, (high, 2))) for made in Made for high in range(5, 15)}

    assert len(names) == len(Made) * 10
    assert set(VARIANT_NAMES) == set(Variant)
