"""A table closes into two others, tapped through as the floor would; and a player who changes tables."""

import re

import pytest
from playwright.sync_api import Page, expect

from casino import clock
from casino.ledger.proof import problems
from casino.people.models import Player
from casino.waiting.models import Waiting
from casino.waiting.services.lists import join_list
from tables.models import Opening, Seating, TableMove
from tables.services.closing import announce_last_orbit
from tables.services.seating import leave_seat
from tables.services.setup import add_table
from tests.browser.test_floor_lobby import Opened, fits, house, opened, shot
from tests.tables.conftest import House

__all__ = ["house", "opened"]
pytestmark = pytest.mark.browser


def where() -> dict[str, str]:
    sitting = Seating.objects.filter(left_at=None).select_related("player", "table")
    return {each.player.nickname: f"{each.table.number}/{each.seat_number}" for each in sitting}


@pytest.mark.slow
@pytest.mark.rule("H2.10", "H2.11", "H2.22")
def test_a_table_closes_into_two_others(house: House, opened: Opened) -> None:
    house.at = clock.now()
    house.tap(add_table, house.cast.mari, number=3)
    house.tap(add_table, house.cast.mari, number=4)
    house.open(1, Mika=1, Pekka=2)
    house.open(2, Jo=1)
    house.open(3, Lee=1, Kai=2, Timo=3)
    house.settle(40_00, number=3)
    # Two seats are left in the room for three players.
    for number, from_seat in ((1, 3), (2, 2)):
        for seat in range(from_seat, 10):
            _somebody(house, number, seat)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Sara").pk)
    floor, dealer = opened("floor", "/floor/"), opened("floor", "/floor/tables/3/")

    dealer.get_by_role("button", name="Close").tap()
    expect(dealer.get_by_role("button", name="Last orbit: 3 hands")).to_be_visible()
    shot(dealer, "close-1-announce")
    dealer.get_by_role("button", name="Last orbit: 3 hands").tap()
    expect(dealer.locator(".close-left")).to_have_text("3 more hands")
    line = floor.locator(".todo-line", has_text="closes after 3 more hands")
    expect(line).to_be_visible()
    assert fits(floor)
    shot(floor, "close-2-map")
    for _ in range(3):
        house.settle(40_00, number=3)
    expect(floor.locator(".todo-line", has_text="the last hand is dealt")).to_be_visible()
    floor.locator(".todo-line", has_text="the last hand is dealt").locator("button").tap()

    floor.get_by_role("button", name="These draw for the seats").tap()
    expect(floor.locator(".commitment")).to_have_text(re.compile("[0-9a-f]{64}"))
    shot(floor, "close-3-bound")
    floor.get_by_role("button", name="Draw the cards").tap()
    expect(floor.locator(".card-drawn")).to_have_count(3)
    shot(floor, "close-4-drawn")
    assert _nothing_is_wider_than_the_sheet(floor)

    first = floor.locator(".close-row").first
    name = first.locator(".seat-name").inner_text()
    first.get_by_role("button", name="Move over").tap()
    expect(floor.locator(".close-row")).to_have_count(3)  # the stack is asked for
    first.locator("[name=stack]").fill("240")
    first.get_by_role("button", name="Move over").tap()
    expect(floor.locator(".close-row")).to_have_count(2)
    expect(floor.locator(".waiting-slip", has_text=name)).to_contain_text(re.compile(r"240\s€"))
    shot(floor, "close-5-one-gone")

    floor.locator(".waiting-slip", has_text=name).get_by_role("button", name="Take back").tap()
    expect(floor.locator(".close-row")).to_have_count(3)
    assert where()[name].startswith("3/")
    for _ in range(2):
        first = floor.locator(".close-row").first
        there = first.locator(".seat-name").inner_text()
        first.locator("[name=stack]").fill("240")
        first.get_by_role("button", name="Move over").tap()
        expect(floor.locator(".waiting-slip", has_text=there)).to_be_visible()
    last = floor.locator(".close-row").first
    unlucky = last.locator(".seat-name").inner_text()
    last.locator("[name=stack]").fill("112")
    shot(floor, "close-6-no-seat")
    last.get_by_role("button", name="Waits first").tap()
    expect(floor.get_by_role("button", name="Close the table", exact=True)).to_be_visible()
    shot(floor, "close-7-empty")
    floor.get_by_role("button", name="Close the table", exact=True).tap()
    floor.locator("#confirm [data-yes]").tap()

    expect(floor.locator("#sheet")).not_to_be_visible()
    expect(floor.locator(".entry").first).to_contain_text(unlucky.strip("⁨⁩"))
    shot(floor, "close-8-closed")
    assert Opening.objects.get(table__number=3).closed_at is not None
    assert TableMove.objects.filter(taken_back_at=None).count() == 2
    assert [entry.player.nickname for entry in Waiting.objects.filter(status="waiting").order_by("place")][1] == "Sara"
    assert list(problems(house.room_id)) == []


def _somebody(house: House, number: int, seat: int) -> None:
    nickname = f"Guest {number}{seat}"
    house.cast.players[nickname] = Player.objects.create(room=house.cast.room, nickname=nickname, created_at=house.at)
    house.seat(nickname, seat, number=number)


def _nothing_is_wider_than_the_sheet(page: Page) -> bool:
    return bool(
        page.evaluate(
            "() => { const s = document.getElementById('sheet'); return s.scrollWidth <= s.clientWidth + 1; }"
        )
    )


@pytest.mark.slow
@pytest.mark.rule("H2.8", "H2.13")
def test_a_player_who_asked_is_moved_by_the_line_that_says_so(house: House, opened: Opened) -> None:
    house.at = clock.now()
    house.open(1, Mika=1, Pekka=2)
    house.open(2, Lee=1, Kai=2, Timo=3)
    house.settle(40_00, number=1)
    floor = opened("floor", "/floor/tables/2/")

    floor.locator(".seat-row", has_text="Kai").tap()
    floor.get_by_role("button", name="To another table").tap()
    shot(floor, "move-1-sheet")
    floor.get_by_role("button", name="Any").tap()
    expect(floor.locator("#sheet")).not_to_be_visible()
    floor.goto("/floor/")
    line = floor.locator(".todo-line", has_text="Kai")
    expect(line).to_contain_text("H2.8")
    shot(floor, "move-2-proposed")
    line.locator("button").tap()
    floor.locator("#move-stack").fill("60")
    shot(floor, "move-3-by-the-line")
    floor.locator(".seat-choice.primary").tap()
    expect(floor.locator("#sheet [role=alert]")).to_contain_text("more is needed")
    shot(floor, "move-4-refused")
    floor.locator("#move-stack").fill("260")
    floor.locator(".seat-choice.primary").tap()

    expect(line).to_have_count(0)
    assert where()["Kai"] == "1/3"


@pytest.mark.slow
def test_a_table_changes_its_stakes(house: House, opened: Opened) -> None:
    house.at = clock.now()
    house.open(1, Mika=1, Pekka=2, Jo=3)
    house.settle(40_00)
    floor = opened("floor", "/floor/tables/1/")
    assert fits(floor)

    floor.get_by_role("button", name="Stakes").tap()
    floor.locator("#sheet label", has_text="5/5").tap()
    for nickname in ("Mika", "Pekka", "Jo"):
        floor.locator("#sheet label", has_text=nickname).tap()
    shot(floor, "stakes-1")
    floor.get_by_role("button", name="Change the stakes").tap()

    expect(floor.locator("h1")).to_have_text("No limit hold'em 5/5")
    assert fits(floor)
    shot(floor, "stakes-2")


@pytest.mark.slow
@pytest.mark.rule("H2.22")
def test_the_dealers_tablet_counts_the_last_orbit_down(house: House, opened: Opened) -> None:
    house.at = clock.now()
    house.open(1, Mika=1, Pekka=2, Jo=3)
    house.settle(40_00)
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=2)
    tablet = opened("dealer", "/tables/1/")

    expect(tablet.locator(".last-orbit")).to_contain_text("2")
    shot(tablet, "orbit-1")
    house.settle(40_00)
    house.settle(40_00)
    expect(tablet.locator(".last-orbit")).to_contain_text("The last hand is dealt")
    expect(tablet.locator("#middle")).to_contain_text("The last hand is dealt")
    assert "primary" not in str(tablet.locator("[data-do=deal]").get_attribute("class"))
    shot(tablet, "orbit-2")
    # Also when too few are left for the hand that is not dealt.
    for nickname in ("Pekka", "Jo"):
        seating = Seating.objects.get(player__nickname=nickname, left_at=None)
        house.tap(leave_seat, table_id=house.table_id(), seating_id=seating.pk, stack_cents=None)
    for number in (2, 3):
        expect(tablet.locator(f".seat[data-seat='{number}']")).not_to_contain_text(re.compile("Pekka|Jo"))
    expect(tablet.locator("#middle")).to_have_text("The last hand is dealt. The floor moves the players.")
    shot(tablet, "orbit-3")
