"""The simulation's own reckoning of papers that players sign."""

from casino.simulation.papers import Papers


def test_a_day_waits_for_what_is_neither_signed_nor_taken_back() -> None:
    papers = Papers()
    first, second, other_days = (papers.is_paid(slip, day) for slip, day in ((7, 1), (8, 1), (9, 2)))

    first.is_signed = True
    papers.is_taken_back(8)
    papers.is_taken_back(6)

    assert (papers.unsigned(1), papers.unsigned(2), papers.unsigned()) == ([], [other_days], [other_days])
    assert (second.is_void, other_days.is_void) == (True, False)
