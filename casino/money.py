"""
Money at the edges of the house: what a form reads and what a screen or a slip shows.

Inside, an amount is an `int` of minor units named `..._cents`; the currency is the room's or the
account's. Nothing here ever is a float.
"""

import re
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from babel.numbers import format_currency, format_decimal

_AMOUNT = re.compile(r"[0-9]{1,12}(\.[0-9]{1,2})?")


class MoneyFormat(NamedTuple):
    """In which currency (ISO 4217), and by which locale, a room writes amounts. No default: each room has its own."""

    currency: str
    locale: str


# For whom no room is known: whoever asks before the house knows who they are, and a log's traceback. "12.50 ¤".
NO_ROOM = MoneyFormat("XXX", "en")


# Babel takes fifty microseconds, and a screen says the same blinds, buy-ins and sums each time.
@lru_cache(maxsize=4096)
def format_cents(cents: int, *, currency: str, locale: str) -> str:
    """
    Write an amount as its room does: `1 250 €` in Helsinki, without decimals where there are none.

    `cents` are minor units. The locale is the room's, not the reader's language: a receipt must not
    change its figures because somebody chose another language.
    """
    # No line may break between a figure and its currency. A minus is one in every locale, as a difference's is.
    pattern = "#,##0\u00a0¤" if cents % 100 == 0 else "#,##0.00\u00a0¤"
    if cents < 0:
        return "−" + format_cents(-cents, currency=currency, locale=locale)
    return str(format_currency(Decimal(cents) / 100, currency, pattern, locale=locale, currency_digits=False))


def format_difference(cents: int, *, currency: str, locale: str) -> str:
    """Write a difference with its sign, as its room does: `+5 €`, `−5 €`, `0 €`."""
    sign = "+" if cents > 0 else "−" if cents < 0 else ""
    return sign + format_cents(abs(cents), currency=currency, locale=locale)


def format_count(count: int, *, locale: str) -> str:
    """Write how many there are as a room does: `1 826` in Helsinki, `1.826` in Aarhus."""
    return str(format_decimal(count, "#,##0", locale=locale))


def cents_from_text(text: str) -> int:
    """
    Read an amount that a person typed: "200", "12,50", "1 250", "12.5".

    :raises ValueError: it is not an amount, is negative, has more than two decimals, or is beyond all reason.
    """
    tidy = "".join(text.split()).replace("€", "").replace(",", ".")
    if not _AMOUNT.fullmatch(tidy):
        raise ValueError(f"not an amount: {text!r}")
    return int(Decimal(tidy) * 100)
