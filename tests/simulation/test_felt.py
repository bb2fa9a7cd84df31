"""The felt's own count of chips."""

import pytest

from casino.simulation.broken import Broken
from casino.simulation.felt import TableFelt


def test_what_lies_in_a_box_too_much_comes_back_into_the_pot_and_no_more() -> None:
    felt = TableFelt(1)
    felt.middle = 20_00
    felt.drop(rake=3_00, drop=1_00)

    felt.drop(rake=-1_00, drop=0)

    assert (felt.middle, felt.rake_box, felt.jackpot_box) == (17_00, 2_00, 1_00)
    for rake, drop in ((-3_00, 0), (0, -2_00), (17_00, 1_00)):
        with pytest.raises(Broken):
            felt.drop(rake=rake, drop=drop)
    assert (felt.middle, felt.rake_box, felt.jackpot_box) == (17_00, 2_00, 1_00)
