"""No command is told otherwise than before an upgrade without a word to what was kept of it."""

from tests.commands.arguments import MIGRATE, as_it_is, as_recorded, what_differs


def test_commands_are_told_what_was_recorded() -> None:
    now = as_it_is()

    assert what_differs(as_recorded(), now) == ""
    # Of chips that are brought 0003 told; of a seat's, whose type is written out, 0004.
    assert any(line.startswith("tables.bring_chips: ") and "seating_id int" in line for line in now)
    assert any(line.startswith("AtSeat: ") and "stack int | str | None" in line for line in now)


def test_what_changed_asks_for_a_migration_and_what_is_new_for_its_record() -> None:
    recorded = ["0004", "cage.buy_in: amount_cents int", "cage.cash_out: amount_cents int"]

    assert what_differs(recorded, recorded) == ""
    # A migration is no change of what commands are told.
    assert what_differs(recorded, ["0005", *recorded[1:]]) == ""
    assert "cage.tip" in (added := what_differs(recorded, [*recorded, "cage.tip: cents int"]))
    assert MIGRATE not in added
    assert what_differs(recorded, [*recorded[:2], "cage.cash_out: cents int"]).endswith(MIGRATE)
    assert what_differs(recorded, recorded[:2]).endswith(MIGRATE)
