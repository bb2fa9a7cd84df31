"""Which notes and coins there are of a currency. (CLDR knows how a currency is rounded, and not what it is paid in.)"""

# In minor units, greatest first; legal tender in 2026. The Danish 1,000 ended in May 2025, Czech hellers in 2008.
_VALUES: dict[str, tuple[int, ...]] = {
    "EUR": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 20, 10, 5, 2, 1),
    "CZK": (5000_00, 2000_00, 1000_00, 500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00),
    "DKK": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50),
    "SEK": (1000_00, 500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00),
}
# Of these the notes alone, and of others whose coins no house counts; in minor units, greatest first.
_NOTES: dict[str, tuple[int, ...]] = {
    "CHF": (1000_00, 200_00, 100_00, 50_00, 20_00, 10_00),
    "CZK": (5000_00, 2000_00, 1000_00, 500_00, 200_00, 100_00),
    "DKK": (500_00, 200_00, 100_00, 50_00),
    "EUR": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00),
    "GBP": (50_00, 20_00, 10_00, 5_00),
    "NOK": (1000_00, 500_00, 200_00, 100_00, 50_00),
    "PLN": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00),
    "SEK": (1000_00, 500_00, 200_00, 100_00, 50_00, 20_00),
    "USD": (100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00),
}


def cash_values(currency: str) -> tuple[int, ...]:
    """Return the values of a currency's notes and coins in minor units, greatest first; of one not listed none."""
    return _VALUES.get(currency, ())


def counted_values(currency: str) -> tuple[int, ...]:
    """Return the values by which a currency's cash is counted, greatest first; of one not listed its unit and cents."""
    return cash_values(currency) or (1_00, 1)


def coin_cents(currency: str) -> int:
    """Return the smallest coin in which a currency is paid out, in minor units."""
    return counted_values(currency)[-1]


def note_values(currency: str) -> tuple[int, ...]:
    """Return the values of a currency's notes in minor units, greatest first; of one not listed none."""
    return _NOTES.get(currency, ())


def quick_sums(currency: str, *, chip_cents: int) -> list[int]:
    """
    Return the sums that are added by a tap, in units of a currency, smallest first: its greatest notes, five at most,
    of those that whole chips can be sold for.
    """
    notes = [value for value in note_values(currency) if value % chip_cents == 0]
    return [value // 100 for value in reversed(notes[:5])]


def foreign_currencies(currency: str) -> list[str]:
    """Return the currencies whose notes can be taken where another is the house's own, by code."""
    return [each for each in _NOTES if each != currency]
