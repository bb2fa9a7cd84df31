"""Every refusal has a code and a sentence fit to read aloud."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from inspect import Parameter

import msgspec
import pytest

import casino
import jackpot
import tables
from casino.commands.problems import body_of
from casino.errors import Malformed, Refusal, all_refusals, stored_refusal
from casino.money import MoneyFormat
from casino.rulebooks import load
from tables.errors import BuyInUnderMinimum, SeatTaken


def _all_error_modules():
    for package in (casino, tables, jackpot):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.rpartition(".")[2] == "errors":
                importlib.import_module(module.name)


_all_error_modules()
EUROS = MoneyFormat("EUR", "fi_FI")


def test_a_refusal_has_a_sentence_and_a_status_of_its_kind():
    statuses = {400, 401, 403, 404, 405, 409, 413, 422, 428, 429, 500, 503}
    # What the web framework itself refuses says so in its own sentence.
    unsaid = [
        code
        for code, refusal in all_refusals().items()
        if not str(refusal.sentence).strip().endswith((".", "?", "!")) and refusal.sentence != "%(why)s"
    ]

    assert unsaid == []
    assert [code for code, refusal in all_refusals().items() if refusal.status not in statuses] == []
    assert len(all_refusals()) > 100


def test_a_refusal_cites_its_clause_and_writes_money_as_the_room_does():
    refusal = BuyInUnderMinimum(minimum_cents=100_00, asked_cents=12_50, reason="buy_in_first")

    assert (
        refusal.text(EUROS, book=load("helsinki"))
        == "H2.14: At least 100\u00a0€ must be bought now; 12,50\u00a0€ is too little."
    )


def test_whoever_says_a_refusal_names_the_rooms_money():
    """No default: in Aarhus whoever forgot it would say euros. Without a room, nobody's currency is named."""
    kinds: list[type[Refusal]] = [Refusal, *all_refusals().values()]
    says: list[Callable[..., object]] = [*(each.text for each in kinds), body_of]
    refusal = BuyInUnderMinimum(minimum_cents=1_250_00, asked_cents=12_50)

    assert {inspect.signature(each).parameters["money"].default for each in says} == {Parameter.empty}
    assert "1.250\u00a0kr." in refusal.text(MoneyFormat("DKK", "da_DK"))
    assert "1,250\u00a0¤" in str(refusal)


def test_a_stored_refusal_says_the_same_again():
    assert str(stored_refusal("seat_taken", {"seat_number": 3})) == str(SeatTaken(seat_number=3)) == "Seat 3 is taken."


@pytest.mark.parametrize("own", ["Bara %(minimun)s.", "Minst %d", "100% ok", "Minst 50 % av det."])
def test_a_sentence_that_nothing_can_fill_is_said_in_our_words(own):
    """A version from before sentences were read may hold it, and refuses by it until the next one holds."""
    book = msgspec.structs.replace(load("helsinki"), sentences={"en": {"buy_in_first": own}})
    refusal = BuyInUnderMinimum(minimum_cents=100_00, asked_cents=12_50, reason="buy_in_first")

    assert refusal.text(EUROS, book=book) == refusal.text(EUROS, book=load("helsinki"))


@pytest.mark.parametrize(
    ("field", "says"),
    [
        ("second.pin", "PIN"),
        ("amount_cents", "Amount"),
        ("shares.0.cents", "Amount"),
        ("winners.0", "Winner"),
        ("Idempotency-Key", "Idempotency-Key"),
        ("If-Match", "If-Match"),
    ],
)
def test_a_field_is_named_as_screens_call_it_and_its_data_as_calls_do(field, says):
    refusal = Malformed(field=field)

    assert (str(refusal), refusal.data) == (f"“{says}” is missing or cannot be read.", {"field": field})
