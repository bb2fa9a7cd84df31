"""What a hand keeps that came in its turn, as the database has it for years."""

from tables.rules.in_turn import InTurn

KEPT = {"last": None, "button_here": 4, "entries": {"7": "waits", "8": "in"}, "missed": {"8": ["", "big"]}}
PROMISED = {"passed": [9], "gives_back": {"8": 12}}


def test_it_is_read_as_it_was_kept():
    for kept in (KEPT, {**KEPT, **PROMISED}):
        found = InTurn.read(kept)

        assert found is not None
        assert found.kept() == kept


def test_a_hand_of_before_there_were_markers_laid_none_down():
    found = InTurn.read({"last": None, "button_here": None, "entries": {"7": "waits"}})

    assert found is not None
    assert (found.laid_down, found.entries) == ({}, {7: "waits"})


def test_a_hand_that_came_late_keeps_nothing():
    assert InTurn.read({}) is None
