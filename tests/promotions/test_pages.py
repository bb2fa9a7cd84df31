"""The promotions' pages: the floor finds what to do next, and everybody reads who leads, without a name."""

import re
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.audit.sentences import Reader, sentences_of
from casino.cage.day_ends import warnings_before
from casino.ledger.templatetags.money import money
from casino.live.render import fragment
from casino.promotions.models import Fund, Period
from casino.promotions.selectors.shown import now_of
from casino.promotions.selectors.shown import running as running_periods
from casino.promotions.services import high_hands
from casino.rooms.models import RuleBookVersion
from tests.promotions.running import HIGH, QUADS, Running, left_out
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

# Of the public page, all told.
MOST = 15
DESK, SHOWN = "/promotions/funds/high-hand/", "/promotions/shown/high-hand/"


def text(browser: Client, path: str) -> str:
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode().replace("\xa0", " ")


def warnings_text(house: House) -> str:
    return " ".join(sentence for sentence, _page in warnings_before(house.room_id)).replace("\xa0", " ")


def prize(house: House) -> str:
    return money(100_00, house.cast.room).replace("\xa0", " ")


def test_a_room_whose_book_has_no_promotion_shows_none(house: House):
    floor = at_desktop(house.cast.frans)
    with clock.frozen(house.at):
        assert "/promotions/" not in text(floor, "/jackpot/")
        assert "No promotions" in text(floor, "/promotions/")
        assert floor.get(DESK).status_code == Client().get(SHOWN).status_code == 404
    assert "lobby-promotion" not in fragment(house.room_id, "lobby", "en").html


@pytest.mark.slow
def test_a_book_that_is_edited_in_mid_period_leaves_the_promised_as_it_was(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = running.opened()
    house.at += timedelta(minutes=1)
    left_out(house)

    with clock.frozen(house.at):
        floor, desk = at_desktop(house.cast.frans), text(at_desktop(house.cast.frans), DESK)
        assert 'value="holdem"' in desk, "what is entered is said by the period's own book"
        assert ">High hand<" in desk
        assert f'placeholder="{house.at.astimezone(ZoneInfo(house.cast.room.time_zone)):%H:%M}"' in desk
        assert "High hand" in text(floor, "/promotions/")
        assert f"wins {prize(house)}" in text(Client(), SHOWN)
    running.entered(period)
    with clock.frozen(house.at):
        entering = text(at_desktop(house.cast.frans), DESK).split('class="promotion-facts"')[0]
    assert "Table 1, seat 1" in entering, "who leads stands where hands are entered"
    assert "Full house, aces and kings" in fragment(house.room_id, "lobby", "en").html
    running.decided(running.ended(period))

    with clock.frozen(house.at):
        assert "This promotion has ended." in text(Client(), SHOWN)
    events = Event.objects.filter(name__startswith="promotions.").order_by("id")
    reader = Reader(house.room_id, currency="EUR", locale="en", may=())
    entered, won = ("".join(part.text for part in parts) for parts in sentences_of(list(events)[-2:], reader))
    assert "Lee" in entered
    assert "Lee" in won


def test_a_period_that_is_over_is_decided_above_where_hands_are_entered(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = running.opened()
    running.ended(period)

    with clock.frozen(house.at):
        desk = text(at_desktop(house.cast.frans), DESK)

    assert desk.count("Decide the period") == 1
    assert desk.index("Decide the period") < desk.index("A hand was shown")
    assert 'href="/jackpot/" aria-current="page"' in desk, "the strip says from which desk one comes here"


def test_the_public_page_asks_no_more_for_more_periods(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    running.entered(running.opened())

    def queries_needed() -> int:
        with clock.frozen(house.at), CaptureQueriesContext(connection) as found:
            text(Client(), SHOWN)
        return len(found)

    first = running.decided(running.ended(Period.objects.get()))
    second = running.opened(begins_at=first.ends_at)
    queries_needed()
    few = queries_needed()
    running.decided(running.ended(second))
    running.opened(6, begins_at=second.ends_at)

    assert queries_needed() == few == MOST


def test_a_period_whose_book_has_no_such_promotion_breaks_no_screen(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    period = running.opened()
    running.entered(period)
    with as_owner():
        Period.objects.update(rule_book_version_id=RuleBookVersion.objects.earliest("number").pk)

    assert "lobby-promotion" in fragment(house.room_id, "lobby", "en").html
    with as_owner():
        Fund.objects.create(room_id=house.room_id, code="bare", made_at=house.at)
    assert "bare" in fragment(house.room_id, "promotions", "en").html
    with clock.frozen(house.at):
        assert text(at_desktop(house.cast.frans), DESK)
        assert text(Client(), SHOWN)


def test_a_period_goes_from_its_opening_to_its_winner_on_the_pages(house: House):
    house.open(1, Lee=1, Kai=2)
    running = Running.begun(house)
    floor, anybody = at_desktop(house.cast.frans), Client()
    with clock.frozen(house.at):
        assert "/promotions/" in text(floor, "/jackpot/")
        shown = text(anybody, SHOWN)
    assert f"wins {prize(house)}" in shown
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
    # A word, and no part of a token.
    assert not re.search(r"\bKai\b", shown)
    wall = fragment(house.room_id, "lobby", "en").html
    assert "Four of a kind, kings · Table 1, seat 2" in wall

    # What the clock makes of it, the screen's own says: from its end on it is to be decided, and the next one is shown.
    ends, following = f'data-from="{period.ends_at.isoformat()}"', running.opened(begins_at=period.ends_at)
    wall, floors = (fragment(house.room_id, name, "en").html for name in ("lobby", "floor"))
    assert f"<span {ends}>· to be decided" in wall
    assert f'<p class="lobby-jackpot lobby-promotion" {ends}>' in wall
    assert ends in floors.partition("The period is over: who has won?")[0].rpartition("<li")[2]
    found = running_periods(house.room_id)
    assert now_of(found, at=period.begins_at)[HIGH].period == period
    assert now_of(found, at=period.ends_at)[HIGH].period == following
    running.called_off(following)

    with clock.frozen(running.ended(period).ends_at):
        assert "the hand that leads has won" in text(floor, DESK)
    assert "Periods of promotions that are not decided: High hand 20:00–20:30." in warnings_text(house)
    running.decided(period)
    assert f"Prizes of promotions that still wait at the cage: Kai {prize(house)}." in warnings_text(house)
    with clock.frozen(house.at):
        assert "waits at the cage" in text(floor, DESK)
        shown = text(anybody, SHOWN)
    assert "Four of a kind, kings (Table 1, seat 2)" in shown
    assert "The ledger says the same." in shown
    assert "lobby-promotion" not in fragment(house.room_id, "lobby", "en").html


def test_a_period_begins_at_the_time_of_the_rooms_clock_that_is_nearest(house: House):
    Running.begun(house)
    here = house.at.astimezone(ZoneInfo(house.cast.room.time_zone)).replace(hour=23, minute=50)
    fields: dict[str, Any] = {"version": Fund.objects.get().version, "number": "1", "begins_at_clock": "00:10"}

    with clock.frozen(here):
        answer = tap(at_desktop(house.cast.frans), f"{DESK}open/", **fields)

    assert answer.status_code == 200, answer.content.decode()
    assert Period.objects.get().begins_at == (here + timedelta(minutes=20)).replace(second=0, microsecond=0)
