"""A player goes away and comes back: what the tablet shows of the markers, and what it offers."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tables.models import Seating
from tests.browser.dealer_tablet import Tablet, hands, tablet_of
from tests.browser.test_dealer_screens import Shot, house, language, open_table, shot
from tests.tables.conftest import House

__all__ = ["house", "language", "open_table", "shot"]
pytestmark = pytest.mark.browser


def with_markers(house: House, open_table: Callable[..., Tablet]) -> Tablet:
    """Open a table of seven; one hand is played; Mika in seat 5 is away when the big blind comes."""
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5, Pekka=6, Jo=7, Sara=8)
    tablet = open_table()
    tablet.tap("draw")
    tablet.seat(1)
    play(tablet)
    tablet.seat(5)
    tablet.tap("hold")
    play(tablet)
    return tablet


def play(tablet: Tablet) -> None:
    """Deal, and the seat that is dealt in first wins without a flop."""
    tablet.tap("deal")
    tablet.seat(tablet.page.locator('#live [data-pick="win"]').first.evaluate("(seat) => Number(seat.dataset.seat)"))
    tablet.wait_until_sent()
    tablet.wait_until_calm()


@pytest.mark.slow
@pytest.mark.rule("H4.36", "H4.38", "H4.40")
def test_a_returning_player_is_offered_each_way_back_with_its_price(
    house: House, open_table: Callable[..., Tablet], shot: Shot, language: str
) -> None:
    tablet = with_markers(house, open_table)
    expect(tablet.seat_of(5).locator(".mark.missed")).to_have_count(2)
    shot(tablet, "40-away-with-markers")

    tablet.seat(5)
    shot(tablet, "41-ways-back")
    ways = tablet.page.locator('#sheet [data-do="back"]')
    assert [way.get_attribute("data-entry") for way in ways.all()] == ["posts", "waits", "straddles"]
    if language == "en":
        expect(ways.nth(0)).to_contain_text("2 € + 2 € dead")
        expect(ways.nth(2)).to_contain_text("4 €")
    ways.nth(0).tap()

    expect(tablet.seat_of(5)).to_have_attribute("data-state", "in")
    shot(tablet, "42-posts-what-was-missed")
    play(tablet)
    expect(tablet.seat_of(5).locator(".mark.missed")).to_have_count(0)
    posted = hands(house)[-1].seats.get(seat_number=5)
    assert (posted.post, posted.live_cents, posted.dead_cents) == ("missed", 2_00, 2_00)


@pytest.mark.slow
@pytest.mark.rule("H4.18", "H4.19")
def test_a_standing_straddle_is_shown_and_taken_back(
    house: House, open_table: Callable[..., Tablet], shot: Shot
) -> None:
    tablet = with_markers(house, open_table)
    tablet.seat(7)
    tablet.tap("straddle-on")
    tablet.wait_until_sent()

    expect(tablet.page.locator(".expected")).to_contain_text("Jo")
    shot(tablet, "43-straddle")
    tablet.seat(7)
    expect(tablet.page.locator('#sheet [data-do="straddle-off"]')).to_be_visible()
    tablet.tap("straddle-off")
    tablet.wait_until_sent()
    assert not Seating.objects.get(seat_number=7, left_at=None).straddles


@pytest.mark.slow
@pytest.mark.rule("H4.36")
def test_without_a_connection_markers_are_laid_down_as_the_server_will(
    house: House, open_table: Callable[..., Tablet], language: str
) -> None:
    if language != "en":
        pytest.skip("nothing of it is language")
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5, Pekka=6, Jo=7, Sara=8)
    tablet = open_table()
    tablet.tap("draw")
    tablet.seat(1)
    play(tablet)
    tablet.seat(5)
    tablet.tap("hold")
    tablet.wait_until_sent()
    tablet.page.context.set_offline(True)

    tablet.tap("deal")
    expect(tablet.seat_of(5).locator(".mark.missed")).to_have_count(2)
    tablet.seat(tablet.page.locator('#live [data-pick="win"]').first.evaluate("(seat) => Number(seat.dataset.seat)"))
    tablet.tap("deal")
    tablet.page.context.set_offline(False)

    tablet.wait_until_sent()
    assert Seating.objects.get(seat_number=5, left_at=None).missed == "both"
