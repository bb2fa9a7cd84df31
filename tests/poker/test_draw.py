"""Cards drawn for seats."""

import pytest

from casino.poker.draw import draw_order


@pytest.mark.rule("H2.10")
@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        pytest.param({1: "Kd", 4: "Ac", 6: "2s"}, 4, id="an-ace-is-high"),
        pytest.param({1: "Qh", 4: "Qs", 6: "Qd", 8: "Qc"}, 4, id="ties-by-bridge-rank-order"),
        pytest.param({2: "9s", 3: "10c"}, 3, id="ten-written-out"),
    ],
)
def test_the_highest_card_is_first(cards, winner):
    assert draw_order(cards)[0] == winner


@pytest.mark.rule("H2.10")
def test_the_draw_orders_all_seats():
    assert draw_order({1: "Qh", 2: "3s", 3: "Qs", 4: "Ah", 5: "Qd", 6: "Qc"}) == (4, 3, 1, 5, 6, 2)


@pytest.mark.parametrize("cards", [{}, {1: "Qh", 2: "Qh"}, {1: "QhKh"}, {1: "??"}, {1: "Zz"}, {1: ""}])
def test_what_is_no_draw_is_an_error(cards):
    with pytest.raises(ValueError, match="card"):
        draw_order(cards)
