"""Which notes and coins there are of a currency. (CLDR knows how a currency is rounded, and not what it is paid in.)"""

# In minor units, greatest first; legal tender in 2026. The Danish 1,000 ended in May 2025, Czech hellers in 2008.
_VALUES: dict[str, tuple[int, ...]] = {
    "EUR": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50, 20, 10, 5, 2, 1),
    "CZK": (5000_00, 2000_00, 1000_00, 500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00),
    "DKK": (500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00, 50),
    "SEK": (1000_00, 500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 2_00, 1_00),
}


def cash_values(currency: str) -> tuple[int, ...]:
    """Return the values of a currency's notes and coins in minor units, greatest first; of one not listed none."""
    return _VALUES.get(currency, ())


def counted_values(currency: str) -> tuple[int, ...]:
    """Return the values by which a currency's cash is counted, greatest first; of one not listed its unit and cents."""
    return cash_values(currency) or (1_00, 1)
