"""The promotions' pages: the floor finds what to do next, and everybody reads who leads, without a name."""

from datetime import timedelta

from django.test import Client

from casino import clock
from casino.live.render import fragment
from casino.promotions.services import high_hands
from tests.promotions.running import QUADS, Running
from tests.tables.conftest import House
from tests.taps import at_desktop

DESK, SHOWN = "/promotions/funds/high-hand/", "/promotions/shown/high-hand/"


def text(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode().replace("\xa0", " ")


def test_a_room_whose_book_has_no_promotion_shows_none(house: House):
    floor = at_desktop(house.cast.frans)
    with clock.frozen(house.at):
        assert "/promotions/" not in text(floor, "/jackpot/")
        assert "No promotions" in text(floor, "/promotions/")
        assert floor.get(DESK).status_code == Client().get(SHOWN).status_code == 404
    assert "lobby-promotion" not in fragment(house.room_id, "lobby", "en").html


def test_a_period_goes_from_its_opening_to_its_winner_on_the_pages(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    floor, anybody = at_desktop(house.cast.frans), Client()
    with clock.frozen(house.at):
        assert "/promotions/" in text(floor, "/jackpot/")
        shown = text(anybody, SHOWN)
    assert "wins 100 €" in shown
    assert "Full house, aces and tens" in shown
    assert "2 own cards played" in shown
    period = running.opened()
    wrong = running.entered(period)
    running.entered(period, QUADS)
    house.tap(high_hands.take_back_hand, entry_id=wrong.pk, reason="player")

    with clock.frozen(house.at + timedelta(minutes=5)):
        desk, shown = text(floor, DESK), text(anybody, SHOWN)
    assert "Enter this hand" in desk
    assert "Decide the period" not in desk, "it still runs"
    assert "taken back: It was somebody else’s hand" in desk
    assert "Four of a kind, kings" in shown
    assert "Kai" in desk
    assert "Kai" not in shown
    wall = fragment(house.room_id, "lobby", "en").html
    assert "Four of a kind, kings · Table 1, seat 2" in wall

    with clock.frozen(running.ended(period).ends_at):
        assert "the hand that leads has won" in text(floor, DESK)
    running.decided(period)
    with clock.frozen(house.at):
        assert "waits at the cage" in text(floor, DESK)
        shown = text(anybody, SHOWN)
    assert "Four of a kind, kings (Table 1, seat 2)" in shown
    assert "The ledger says the same." in shown
    assert "lobby-promotion" not in fragment(house.room_id, "lobby", "en").html
