"""
The only source of draws: seeded from the system, committed to before the draw, shown after it.

The commitment (SHA-256 of the seed) is shown before anybody's card; afterwards the seed is shown, and anyone can
compute the same deck: each card's place is the SHA-256 of "seed:card", the smallest hash on top.
A number is the SHA-256 of "seed:what it is for" modulo how many there are.
"""

import hashlib
import secrets

RANKS, SUITS = "23456789TJQKA", "cdhs"


def new_seed() -> str:
    """Return a seed that nobody can foresee: 256 bits in hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """Return what is shown before the draw: it binds the house to the seed and tells nothing of it."""
    return _sha256(seed)


def deck(seed: str) -> tuple[str, ...]:
    """Return the 52 cards ("As", "Td") in the order in which this seed deals them."""
    cards = [rank + suit for rank in RANKS for suit in SUITS]
    return tuple(sorted(cards, key=lambda card: _sha256(f"{seed}:{card}")))


def number(seed: str, what: str, below: int) -> int:
    """Return the number from 0 to just below `below` that this seed draws for "what": the SHA-256 of "seed:what"."""
    return int(_sha256(f"{seed}:{what}"), 16) % below


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
