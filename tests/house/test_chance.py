"""Draws: bound before, shown after, and computed again by anyone."""

import hashlib

from casino.chance import commitment, deck, new_seed


def test_a_seed_deals_every_card_once_and_always_the_same_way():
    seed = new_seed()

    assert len(set(deck(seed))) == 52
    assert deck(seed) == deck(seed)
    assert deck(seed) != deck(new_seed())


def test_anyone_computes_commitment_and_deck_again():
    seed = "00" * 32
    order = sorted(deck(seed), key=lambda card: hashlib.sha256(f"{seed}:{card}".encode()).hexdigest())

    assert commitment(seed) == hashlib.sha256(seed.encode()).hexdigest()
    assert tuple(order) == deck(seed)
