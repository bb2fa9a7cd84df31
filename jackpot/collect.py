"""The jackpot drop of each hand: it lands in the table's jackpot box until the day's end adds it to the jackpot."""

from tables.models import Hand


def jackpot_drop(hand: Hand) -> tuple[str, int]:
    """Return the account of the drop and what was dropped, in cents (H1.88, H7.16)."""
    return "jackpot_box", hand.drop_taken_cents
