"""The simulation's own reckoning of the vault, and of chips that are on their way to a seat."""

from collections import Counter

import pytest

from casino.simulation.broken import Broken
from casino.simulation.deliveries import RUNNER, Deliveries, Delivery
from casino.simulation.felt import Felt, Player, Sitter, TableFelt
from casino.simulation.foreign import Exchange, Notes
from casino.simulation.vault import Vault, VaultCount


def counted(number: int, *, day: int, **missing: int) -> VaultCount:
    return VaultCount(number, number, day, "carla", "frans", Counter(), Counter(missing), [])


def test_what_leaves_the_vault_unsaid_is_missing_there_and_no_more_than_lies_there_does() -> None:
    felt = Felt(vault_cash=100_00, vault_chips=500_00)

    felt.leaves_vault("cash", 50_00)
    felt.leaves_vault("chips", -5_00)

    assert (felt.vault_cash, felt.vault_chips) == (50_00, 505_00)
    assert felt.vault_missing == {"cash": 50_00, "chips": -5_00}
    with pytest.raises(Broken):
        felt.leaves_vault("cash", 50_01)


def test_counts_of_the_vault_add_up_what_they_find_missing_of_money_and_of_chips() -> None:
    vault = Vault()
    vault.is_counted(counted(1, day=1, cash=50_00, foreign=8_71, chips=-5_00))
    vault.is_counted(counted(2, day=1))

    assert vault.short() == (58_71, -5_00)
    assert [each.is_open for each in vault.counts] == [True, False]
    assert (vault.knew(1), vault.knew(2)) == ({"carla", "frans"}, set())
    assert (vault.is_counted_since(1), vault.is_counted_since(2)) == (True, False)


def test_a_note_that_is_gone_from_the_vault_costs_what_all_of_them_stood_at_on_average() -> None:
    notes = Notes(in_vault=Counter({("SEK", 500_00): 3}), stands_at=Counter(SEK=130_00))

    notes.is_gone_from_vault(("SEK", 500_00))
    # One that goes to the bank meanwhile leaves as if all three lay there.
    notes.goes(Exchange(1, "SEK", {500_00: 1}, notes.worth_in_vault("SEK", 500_00), 40_00))
    (found,) = notes.found_in_vault()

    assert (found.face, found.taken_face, found.cents, found.taken_cents) == (500_00, 1000_00, 43_33, 86_67)
    notes.are_counted_in_vault()
    assert (notes.vault, notes.expected_in_vault("SEK")) == (43_33, {500_00: 1})
    assert notes.pieces_in_vault() == [{"currency": "SEK", "pieces": [{"value_cents": 500_00, "count": 1}]}]


def test_a_stack_grows_by_what_comes_and_what_was_taken_on_the_way_is_still_in_the_books_there() -> None:
    table, sitter, deliveries = TableFelt(1), Sitter(Player(1, "Lee"), seating=1, seat=3), Deliveries()
    delivery = Delivery(7, table, sitter, 200_00, "carla", 200_00)
    deliveries.is_sent(delivery)
    delivery.goes_to("dan", RUNNER)
    delivery.confirm("anna", 0)
    delivery.confirm("frans", 0)
    delivery.is_robbed(25_00)
    assert (sitter.stack, table.not_come, deliveries.chips, delivery.gone) == (0, 200_00, 175_00, 25_00)
    assert (delivery.confirmed_by, delivery.is_wrong, deliveries.waits(sitter)) == ("anna", True, True)

    deliveries.come_first(sitter)

    assert (sitter.stack, table.not_come, deliveries.chips, delivery.is_wrong) == (175_00, 25_00, 0, False)
