"""Cards as texts."""

import pytest

from casino.poker.cards import DECK, NoCard, SameCard, cards_of, must_differ


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("AsKd", ("As", "Kd")),
        ("as 10D, tc", ("As", "Td", "Tc")),
        ("A♠10♥ t♦2♣", ("As", "Th", "Td", "2c")),
        (" 2h,\t2s ", ("2h", "2s")),
        ("", ()),
    ],
)
def test_cards_are_read_however_they_are_typed(text, cards):
    assert cards_of(text) == cards


@pytest.mark.parametrize(("text", "part"), [("As1d", "1d"), ("A", "A"), ("Asx", "x"), ("As Kz", "Kz"), ("ååå", "ååå")])
def test_what_is_no_card_is_named(text, part):
    with pytest.raises(NoCard) as wrong:
        cards_of(text)

    assert wrong.value.text == part


@pytest.mark.rule("L-P49")
def test_a_card_lies_in_one_place():
    assert len(set(DECK)) == 52

    must_differ(DECK)
    with pytest.raises(SameCard) as wrong:
        must_differ((*DECK, "7h"))

    assert wrong.value.card == "7h"
