"""At the table: other seats, the long break, playing over, and the winner's button while the tablet is alone."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.poker.positions import ButtonRule
from tables.models import Game, Seating
from tables.selectors.dealer import dealer_screen
from tables.services.playing_over import play_over
from tables.services.seat_change import ask_seat_change, change_seat
from tables.services.seating import hold_seat
from tests.browser.dealer_tablet import Tablet, hands, tablet_of
from tests.browser.test_coming_back import play
from tests.browser.test_dealer_screens import Shot, house, language, open_table, shot
from tests.browser.test_floor_lobby import Opened, fits, opened
from tests.browser.test_floor_lobby import shot as floor_shot
from tests.support.owner import as_owner
from tests.tables.conftest import House

__all__ = ["house", "language", "open_table", "opened", "shot"]
pytestmark = pytest.mark.browser


def seat_of(nickname: str) -> Seating:
    return Seating.objects.get(player__nickname=nickname, left_at=None)


@pytest.mark.slow
@pytest.mark.rule("H4.45", "H4.46", "H1.9")
def test_a_player_takes_another_seat_and_then_the_long_break(
    house: House, open_table: Callable[..., Tablet], shot: Shot
) -> None:
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5, Pekka=6, Jo=7)
    house.settle(20_00)
    tablet = open_table()

    tablet.seat(3)
    shot(tablet, "44-a-seats-acts")
    tablet.tap("another-seat")
    shot(tablet, "45-other-seats")
    tablet.page.locator('#sheet [data-do="wish"][data-to="8"]').tap()
    # A wish changes nothing in the ring that could be waited for.
    tablet.wait(lambda: seat_of("Timo").change_to == 8)
    timo = seat_of("Timo")
    assert timo.seat_number == 3
    # The floor's leave is the floor's tap.
    house.at = clock.now()
    house.tap(change_seat, table_id=timo.table_id, seating_id=timo.pk, seat_number=8)
    expect(tablet.seat_of(8)).to_have_attribute("data-state", "out")
    tablet.seat(8)
    tablet.tap("post")
    tablet.wait_until_sent()
    assert (seat_of("Timo").seat_number, seat_of("Timo").entry) == (8, "posts")

    tablet.seat(8)
    tablet.tap("long-break")
    expect(tablet.seat_of(8)).to_have_attribute("data-state", "away")
    Seating.objects.filter(pk=seat_of("Timo").pk).update(away_limit_at=clock.now() - timedelta(minutes=1))
    house.at = clock.now()
    house.tap(ask_seat_change, table_id=seat_of("Kai").table_id, seating_id=seat_of("Kai").pk)
    expect(tablet.seat_of(8)).to_have_attribute("data-late", "over")
    shot(tablet, "46-away-too-long")

    tablet.seat(8)
    tablet.page.locator('#sheet [data-do="back"][data-entry="waits"]').tap()
    tablet.wait_until_sent()
    tablet.seat(8)
    tablet.tap("long-break")
    expect(tablet.page.locator("#refusal")).to_contain_text("H1.9")
    shot(tablet, "47-had-the-long-break")


@pytest.mark.slow
@pytest.mark.rule("H4.48", "H4.49")
def test_the_seat_goes_back_when_its_holder_does(
    house: House, open_table: Callable[..., Tablet], shot: Shot, language: str
) -> None:
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    house.settle(20_00)
    kai = seat_of("Kai")
    house.tap(hold_seat, table_id=kai.table_id, seating_id=kai.pk, is_held=True)
    # The big blind passes Kai's seat.
    house.settle(20_00)
    sara = house.player("Sara").pk
    house.tap(play_over, table_id=kai.table_id, seating_id=kai.pk, player_id=sara, chips_cents=200_00)
    tablet = open_table()

    play(tablet)
    if language == "en":
        expect(tablet.seat_of(2)).to_contain_text("over for")
    shot(tablet, "48-over")
    tablet.seat(2)
    shot(tablet, "49-over-sheet")
    ways = tablet.page.locator('#sheet [data-do="holder-back"]')
    assert [way.get_attribute("data-entry") for way in ways.all()] == ["posts", "waits", "straddles"]
    if language == "en":
        expect(ways.nth(0)).to_contain_text("Kai is back: posts 2 €")
    ways.nth(0).tap()

    expect(tablet.seat_of(2)).not_to_contain_text("Sara")
    tablet.wait_until_sent()
    assert Seating.objects.get(player_id=sara).left_at is not None
    assert seat_of("Kai").entry == "posts"


@pytest.mark.slow
@pytest.mark.rule("H4.15", "H4.17")
def test_the_winners_button_is_exact_without_a_connection(
    house: House, open_table: Callable[..., Tablet], shot: Shot, language: str
) -> None:
    if language != "en":
        pytest.skip("nothing of it is language")
    with as_owner():
        Game.objects.update(button=ButtonRule.TO_THE_WINNER)
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5, Pekka=6)
    tablet = open_table()
    tablet.tap("draw")
    tablet.seat(1)
    tablet.wait_until_sent()
    tablet.page.context.set_offline(True)

    for winner in (5, 3):
        tablet.tap("deal")
        tablet.seat(winner)
        expect(tablet.seat_of(winner).locator(".mark.btn")).to_have_count(1)
        tablet.wait_until_calm()
    tablet.seat(6)
    tablet.tap("hold")
    shot(tablet, "50-winners-button-alone")
    tablet.tap("deal")
    tablet.seat(2)
    alone = [tablet.page.locator(f".mark.{mark}").locator("xpath=ancestor::li").get_attribute("data-seat")
             for mark in ("btn", "sb", "bb")]  # fmt: skip
    tablet.page.context.set_offline(False)

    tablet.wait_until_sent()
    played = [(hand.button_seat, hand.small_blind_seat, hand.big_blind_seat) for hand in hands(house)]
    assert played == [(1, 2, 3), (5, 6, 1), (3, 5, 1)]
    expected = dealer_screen(room_id=house.room_id, number=1).ahead[0]
    assert (
        alone == [str(seat) for seat in (expected.button, expected.small_blind, expected.big_blind)] == ["2", "3", "5"]
    )


@pytest.mark.slow
@pytest.mark.rule("H1.8", "H4.46", "H4.48")
def test_the_floor_s_sheets_of_a_seat(house: House, opened: Opened) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=5)
    house.settle(20_00)
    house.at = clock.now() - timedelta(minutes=17)
    kai = seat_of("Kai")
    house.tap(hold_seat, table_id=kai.table_id, seating_id=kai.pk, is_held=True)
    house.tap(ask_seat_change, table_id=kai.table_id, seating_id=seat_of("Timo").pk, seat_number=9)
    floor = opened("floor", "/floor/tables/1/")
    floor_shot(floor, "floor-60-to-do")

    floor.locator("#seats button").nth(1).tap()
    expect(floor.locator("#sheet")).to_contain_text("held until")
    floor_shot(floor, "floor-61-away")
    floor.get_by_role("button", name="Pick up the stack…").tap()
    expect(floor.locator("#pick-up-pin")).to_be_visible()
    floor_shot(floor, "floor-62-pick-up")
    floor.keyboard.press("Escape")
    floor.locator("#seats button").nth(1).tap()
    floor.get_by_role("button", name="Somebody plays over…").tap()
    expect(floor.locator("#candidates")).to_be_visible()
    floor_shot(floor, "floor-63-over")
    floor.keyboard.press("Escape")
    floor.locator("#seats button").nth(2).tap()
    floor_shot(floor, "floor-64-seat")
    floor.get_by_role("button", name="Another seat…").tap()
    floor_shot(floor, "floor-65-another-seat")
    floor.get_by_role("button", name="Changes seats").tap()

    expect(floor.locator("#seats button").nth(8)).to_contain_text("Timo")
    assert fits(floor)
