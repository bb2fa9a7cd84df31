"""A player's sheet on the dealer's tablet, and the rarer taps of the menu."""

import pytest
from playwright.sync_api import expect

from casino.cage.models import Slip
from casino.waiting.services.lists import call_player, join_list
from tables.models import Hand, Opening, Seating
from tests.browser.dealer_tablet import Tablet, at_table, tablet_of
from tests.conftest import Database
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House, make_house


@pytest.fixture
def house(committing_db: Database) -> House:
    return make_house()


@pytest.fixture
def tablet(house: House, brush_server: BrushServer, chromium: Chromium) -> Tablet:
    tablet_of(house, house.cast.anna)
    house.open(Lee=1, Kai=2, Timo=3, Mika=5)
    house.settle(winners=(1,))
    house.seat("Ville", 7, chips=0)
    return at_table(chromium, brush_server, house)


def seating(house: House, nickname: str) -> Seating:
    return Seating.objects.filter(player=house.player(nickname)).latest("id")


@pytest.mark.slow
@pytest.mark.rule("H2.14", "H2.17")
def test_a_buy_in_is_asked_of_the_cage_and_a_limit_is_said_where_the_tap_was(tablet: Tablet) -> None:
    expect(tablet.seat_of(7)).to_contain_text("no chips")
    tablet.seat(7)
    tablet.tap("buy-in")
    tablet.type("9")
    tablet.tap("send-pad")
    expect(tablet.page.locator("#side [role=alert]")).to_contain_text("H2.14")
    tablet.type("00")
    tablet.tap("send-pad")
    expect(tablet.page.locator("#side [role=alert]")).to_contain_text("H2.17")
    tablet.page.locator('[data-key="back"]').tap()
    tablet.page.locator('[data-key="back"]').tap()
    tablet.page.locator('[data-key="back"]').tap()
    # The usual buy-ins are one tap: a hundred big blinds between the minimum and the maximum.
    expect(tablet.page.locator('[data-key^="="]')).to_have_text(["100 €", "200 €", "400 €"])
    tablet.page.locator('[data-key="=20000"]').tap()
    tablet.tap("send-pad")

    expect(tablet.middle).to_contain_text("200 € for seat 7")
    slip = Slip.objects.get()
    assert (slip.amount_cents, slip.about["seat_number"]) == (200_00, 7)
    # The same within seconds is asked about, and sent once more only by its own word.
    dialog = tablet.page.locator("#confirm")
    for answer, slips in (("No, once", 1), ("Yes, another one", 2)):
        tablet.seat(7)
        tablet.tap("buy-in")
        tablet.type("200")
        tablet.tap("send-pad")
        dialog.get_by_role("button", name=answer).tap()
        expect(dialog).to_be_hidden()
        if slips == 2:
            expect(tablet.middle).to_contain_text("200 € for seat 7")
        assert Slip.objects.count() == slips


@pytest.mark.slow
def test_a_stack_is_asked_for_only_where_a_limit_hangs_on_it(tablet: Tablet) -> None:
    tablet.seat(2)
    tablet.tap("buy-in")
    tablet.type("300")
    tablet.tap("send-pad")
    assert not Slip.objects.exists()
    tablet.tap("stack-count")
    tablet.type("50")
    tablet.tap("send-pad")

    expect(tablet.middle).to_contain_text("300 € for seat 2")
    assert Slip.objects.get().about["stack"] == 50_00


@pytest.mark.slow
def test_a_full_stack_buys_nothing_more(tablet: Tablet) -> None:
    tablet.seat(2)
    tablet.tap("buy-in")
    tablet.type("100")
    tablet.tap("send-pad")
    tablet.tap("stack-full")
    expect(tablet.page.locator("#side [role=alert]")).to_contain_text("H2.17")
    tablet.tap("stack-under")

    expect(tablet.middle).to_contain_text("100 € for seat 2")
    assert Slip.objects.get().about["stack"] == "under_blind"


@pytest.mark.slow
def test_seats_are_held_and_dealt_in_again(tablet: Tablet) -> None:
    tablet.seat(5)
    tablet.tap("hold")
    expect(tablet.seat_of(5)).to_contain_text("away")
    tablet.wait_until_sent()
    assert seating(tablet.house, "Mika").is_held

    tablet.seat(5)
    tablet.tap("back")
    tablet.wait(lambda: not seating(tablet.house, "Mika").is_held)
    expect(tablet.seat_of(5)).not_to_contain_text("away")


@pytest.mark.slow
def test_a_stack_that_cannot_be_is_asked_about_before_it_is_said(tablet: Tablet) -> None:
    tablet.seat(2)
    tablet.tap("leave-counted")
    tablet.type("99000")
    tablet.tap("send-pad")
    expect(tablet.page.locator("#confirm-question")).to_contain_text("more than lies in play")
    tablet.page.click("#confirm [data-no]")
    expect(tablet.page.locator("#side [data-do=send-pad]")).to_be_visible()
    assert seating(tablet.house, "Kai").left_at is None

    tablet.tap("send-pad")
    tablet.yes()
    tablet.wait(lambda: seating(tablet.house, "Kai").left_at is not None)
    assert seating(tablet.house, "Kai").left_stack_cents == 99_000_00


@pytest.mark.slow
def test_a_pot_of_more_than_lies_in_play_is_asked_about_once(tablet: Tablet) -> None:
    tablet.tap("deal")
    tablet.tap("flop")
    tablet.tap("pot")
    tablet.type("99000")
    tablet.seat(2)
    expect(tablet.page.locator("#confirm-question")).to_contain_text("more than lies in play")
    tablet.page.click("#confirm [data-no]")
    assert not Hand.objects.filter(pot_cents=99_000_00).exists()
    expect(tablet.page.locator("[data-entered]")).to_contain_text("99 000")

    tablet.seat(2)
    tablet.yes()
    tablet.wait(lambda: Hand.objects.filter(pot_cents=99_000_00).exists())


@pytest.mark.slow
def test_players_leave_with_their_stack_counted_or_not(tablet: Tablet) -> None:
    tablet.seat(2)
    tablet.tap("leave-counted")
    tablet.type("340")
    tablet.tap("send-pad")
    expect(tablet.seat_of(2)).to_contain_text("free")
    tablet.seat(3)
    tablet.tap("leave-uncounted")
    tablet.yes()
    expect(tablet.seat_of(3)).to_contain_text("free")

    tablet.wait(lambda: seating(tablet.house, "Timo").left_at is not None)
    assert seating(tablet.house, "Kai").left_stack_cents == 340_00
    assert seating(tablet.house, "Timo").left_stack_cents is None


@pytest.mark.slow
def test_the_button_is_where_the_felt_has_it(tablet: Tablet) -> None:
    tablet.tap("menu")
    tablet.tap("move-button")
    tablet.seat(5)
    expect(tablet.seat_of(5)).to_contain_text("BTN")
    tablet.wait_until_sent()

    assert Opening.objects.get().button_here == 5


@pytest.mark.slow
def test_a_players_sheet_opens_in_a_hand_without_naming_a_winner(tablet: Tablet) -> None:
    tablet.tap("deal")
    tablet.tap("menu")
    tablet.tap("player")
    tablet.seat(2)

    expect(tablet.page.locator("#sheet")).to_contain_text("2 · Kai")
    tablet.wait_until_sent()
    assert tablet.state()["hand"] is not None


@pytest.mark.slow
@pytest.mark.rule("H2.6", "H4.45")
def test_a_seat_that_a_call_promises_is_not_offered_for_a_change(house: House, tablet: Tablet) -> None:
    joined = house.tap(join_list, game_id=house.game().pk, player_id=house.player("Sara").pk)
    house.tap(call_player, waiting_id=joined.data["waiting"], table_id=house.table_id(), seat_number=6)
    expect(tablet.seat_of(6)).to_contain_text("called")

    tablet.seat(2)
    tablet.tap("another-seat")

    expect(tablet.page.locator('#sheet [data-to="4"]')).to_be_visible()
    expect(tablet.page.locator('#sheet [data-to="6"]')).to_have_count(0)
