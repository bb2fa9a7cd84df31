"""Amounts at the edges: what people type, and what a slip shows."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis.strategies import integers

from casino.money import cents_from_text, format_cents, format_count
from casino.rulebooks.units import Language
from tests.support.scripts import run_script

WRITTEN = """async (cases) => {
  const { money } = await import("/static/brush/money.js");
  return cases.map(([cents, currency, locale]) => {
    globalThis.document = { documentElement: { dataset: { currency, locale } } };
    return money(cents);
  });
}"""


@pytest.mark.parametrize(
    ("text", "cents"),
    [("200", 200_00), ("12,50", 12_50), ("12.5", 12_50), ("1 250", 1_250_00), ("1\u00a0250 €", 1_250_00), ("0", 0)],
)
def test_an_amount_is_read_as_people_type_it(text, cents):
    assert cents_from_text(text) == cents


@pytest.mark.parametrize("text", ["", "abc", "-5", "1.234", "NaN", "Infinity", "1e400", "٣x"])
def test_what_is_no_amount_is_refused(text):
    with pytest.raises(ValueError, match="not an amount"):
        cents_from_text(text)


def test_money_is_written_as_the_room_writes_it():
    assert format_cents(1_250_00, currency="EUR", locale="fi_FI") == "1\u00a0250\u00a0€"
    assert format_cents(12_50, currency="EUR", locale="fi_FI") == "12,50\u00a0€"
    assert format_cents(1_250_00, currency="DKK", locale="da_DK") == "1.250\u00a0kr."
    assert format_cents(-12_50, currency="EUR", locale="fi_FI") == "−12,50\u00a0€"


def test_how_many_there_are_is_written_as_the_room_writes_it():
    assert [format_count(1_826, locale=locale) for locale in ("fi_FI", "da_DK", "en")] == [
        "1\u00a0826",
        "1.826",
        "1,826",
    ]


def test_a_browser_writes_money_as_the_server_does():
    cases = [
        (cents, currency, locale)
        for cents in (0, 5, 12_50, 999_00, 1_250_00, 1_234_567_89, -7_50)
        for currency in ("EUR", "DKK", "SEK", "CZK", "PLN", "GBP")
        for locale in (*get_args(Language), "fi_FI")
    ]

    written = run_script(WRITTEN, cases)

    assert written == [format_cents(cents, currency=currency, locale=locale) for cents, currency, locale in cases]


@given(integers(0, 10**12))
def test_what_is_written_reads_back_as_the_same_amount(cents):
    assert cents_from_text(format_cents(cents, currency="EUR", locale="fi_FI")) == cents
