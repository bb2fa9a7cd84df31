"""Who has the money of a request: it changes hands by whoever takes it, and nobody answers for cash they never took."""

import json
import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from casino import clock
from casino.audit.models import Event
from casino.cage import open_items, services
from casino.cage.about import AtSeat
from casino.cage.api.slips import note_money_by_two
from casino.cage.errors import SlipNotWaiting, SlipStillWaits
from casino.cage.models import RequestMoney, Slip
from casino.cage.selectors import money, refused
from casino.cage.whereabouts import AtTheCage
from casino.errors import Malformed, NotPermitted
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.people.models import Staff
from tables.models import Seating
from tables.services.moving import move_player
from tables.services.seat_change import change_seat
from tests.browser.test_floor_lobby import shot
from tests.cage.desk import open_desk
from tests.cage.foreign import notes, rate
from tests.cage.test_cage_in_chromium import sit_down
from tests.cast import actor, command, demo_person, enrolled
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]


def asks(house: House) -> int:
    """Have a seat ask the cage for 200 € at table 1."""
    house.open(1)
    mika = house.seat("Mika", 5, chips=0)
    seat = AtSeat(table=mika.table_id, table_number=1, seating=mika.pk, seat_number=5)
    request = house.tap(services.request_buy_in, player_id=mika.player_id, amount_cents=200_00, seat=seat)
    return int(request.data["slip_id"])


def takes(house: House, slip_id: int, by: Staff, money_with: str, **more: Any) -> Any:
    return house.tap(services.note_money, by, slip_id=slip_id, money_with=money_with, **more)


def held() -> tuple[str, str | None, bool]:
    money = RequestMoney.objects.select_related("staff").get()
    return money.money_with, money.staff.username if money.staff else None, money.is_held


def test_where_it_is_asked_for_and_goes_back_follows_who_moves(house: House) -> None:
    slip_id, cast = asks(house), house.cast
    house.open(2)
    seating = Seating.objects.get(player__nickname="Mika", left_at=None)
    takes(house, slip_id, cast.anna, "dealer")
    house.tap(change_seat, table_id=house.table_id(), seating_id=seating.pk, seat_number=7)
    assert "Seat 7: 200" in fragment(house.room_id, "table.1.dealer", "en").html
    assert "Table 1, seat 7" in fragment(house.room_id, "cage", "en").html

    to = {"to_table_id": house.table_id(2), "seat_number": 4, "overrule": "manager"}
    arguments: dict[str, Any] = {**to, "stack_cents": 0}
    house.tap(move_player, table_id=house.table_id(), seating_id=seating.pk, **arguments)

    # It is over, and what the dealer has goes back to where its player sits.
    (line,) = money.lines(room_id=house.room_id)
    assert (line.key, line.table_number, line.where) == (f"owed_back.{slip_id}", 2, "Table 2, seat 4")
    # Who has it may still be at the table that was left.
    for number in (1, 2):
        assert f"/slips/{slip_id}/" in at_desktop(cast.frans).get(f"/cage/money/{number}/").text
    at_table_1 = actor(cast.anna, device=enrolled(cast.room, "table", 1))
    services.note_money(command(at_table_1, at=house.at), slip_id=slip_id, money_with="player")
    assert owed_back(house) == []
    assert Slip.objects.get(status="requested").moved_to is None


def test_a_refusal_is_told_at_the_seat_where_its_player_sits(house: House) -> None:
    slip_id = asks(house)
    house.tap(services.refuse_request, house.cast.carla, slip_id=slip_id, reason="no_money")
    seating = Seating.objects.get(player__nickname="Mika", left_at=None)

    house.tap(change_seat, table_id=house.table_id(), seating_id=seating.pk, seat_number=7)

    assert [line.where for line in refused.lines(room_id=house.room_id)] == ["Table 1, seat 7"]


def owed_back(house: House) -> list[int]:
    return [each.number for each in open_items.may_be_carried(house.room_id) if each.kind == "owed_back"]


def test_it_goes_from_the_felt_to_a_runner_to_the_cage_and_pays(house: House) -> None:
    slip_id = asks(house)
    cast = house.cast
    assert "with the player" in fragment(house.room_id, "table.1.dealer", "en").html
    for by, money_with in ((cast.anna, "dealer"), (cast.dan, "runner"), (cast.carla, "cage")):
        answer = takes(house, slip_id, by, money_with)
        assert (answer.data["money_with"], answer.data["money_staff_id"]) == (money_with, by.pk)
        assert held() == (money_with, by.username, True)
        assert f"{by.display_name}" in fragment(house.room_id, "cage", "en").html
    # What the cashier decides on has not changed under their hands.
    assert Slip.objects.get(pk=slip_id).version == 1
    event = Event.objects.filter(name="cage.note_money").latest("id")
    assert (event.staff_id, json.loads(event.text)["data"]["money_with"], event.at) == (cast.carla.pk, "cage", house.at)

    paid = house.tap(
        services.take_money, cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="cash", version=1
    )

    assert (paid.data["money_with"], held()) == ("cage", ("cage", "carla", False))
    assert (
        f"at the cage: {cast.carla.display_name}"
        in at_desktop(cast.carla).get(f"/cage/slips/{slip_id}/").content.decode()
    )
    with pytest.raises(SlipNotWaiting):
        takes(house, slip_id, cast.anna, "player")
    assert list(problems(house.room_id)) == []


def test_the_floor_is_told_where_it_waits_and_players_read_no_name(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.dan, "dealer")

    floor = fragment(house.room_id, "floor", "en").html
    assert "The dealer has the money: somebody carries it to the cage." in floor
    felt = fragment(house.room_id, "table.1.dealer", "en").html
    assert "with the dealer" in felt
    assert house.cast.dan.display_name not in felt
    sheet = at_desktop(house.cast.frans).get("/floor/tables/1/seats/5/sheet/").content.decode()
    assert "with the dealer: " in sheet
    assert tap(at_desktop(house.cast.frans), f"/cage/slips/{slip_id}/money/", money_with="runner").status_code == 200
    assert held() == ("runner", "frans", True)


def test_who_asks_may_have_it_already(house: House) -> None:
    request = house.tap(
        services.request_buy_in,
        house.cast.frans,
        player_id=house.player("Riku").pk,
        amount_cents=50_00,
        money_with="runner",
    )
    assert (request.data["money_with"], held()) == ("runner", ("runner", "frans", True))
    with pytest.raises(Malformed):
        house.tap(services.request_buy_in, player_id=house.player("Riku").pk, amount_cents=70_00, money_with="cage")
    # Whoever is at no table is no dealer of it.
    with pytest.raises(NotPermitted):
        house.tap(services.request_buy_in, player_id=house.player("Riku").pk, amount_cents=70_00, money_with="dealer")


def test_each_takes_it_where_they_stand(house: House) -> None:
    slip_id = asks(house)
    cast = house.cast
    for by, money_with in ((cast.anna, "cage"), (cast.olavi, "runner")):
        with pytest.raises(NotPermitted):
            takes(house, slip_id, by, money_with)
    with pytest.raises(Malformed):
        takes(house, slip_id, cast.anna, "pocket")
    elsewhere = command(actor(cast.anna, device=enrolled(cast.room, "table", 2)), at=house.at)
    with pytest.raises(NotPermitted):
        services.note_money(elsewhere, slip_id=slip_id, money_with="dealer")
    floor = command(actor(cast.frans, device=enrolled(cast.room, "floor")), at=house.at)
    with pytest.raises(NotPermitted):
        services.note_money(floor, slip_id=slip_id, money_with="dealer")
    assert not RequestMoney.objects.exists()


def test_whoever_has_it_gives_it_back_or_the_floor(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.dan, "runner")
    with pytest.raises(NotPermitted):
        takes(house, slip_id, house.cast.anna, "player")

    for by in (house.cast.dan, house.cast.frans):
        takes(house, slip_id, house.cast.dan, "runner")
        takes(house, slip_id, by, "player")
        assert held() == ("player", None, False)
    takes(house, slip_id, house.cast.mari, "cage")
    takes(house, slip_id, house.cast.carla, "player")


def test_it_takes_few_statements(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.dan, "runner")

    with CaptureQueriesContext(connection) as queries:
        takes(house, slip_id, house.cast.carla, "cage")

    assert len([each for each in queries if "cage_" in each["sql"] or "tables_" in each["sql"]]) == 6


def test_no_push_takes_the_focus_off_a_button_of_what_waits(house: House) -> None:
    carried, dan = asks(house), house.cast.dan
    takes(house, carried, dan, "runner")
    back = house.tap(services.request_buy_in, player_id=house.player("Lee").pk, amount_cents=50_00).data["slip_id"]
    takes(house, back, house.cast.carla, "cage")
    house.tap(services.refuse_request, house.cast.carla, slip_id=back, reason="own_limit")

    shown = fragment(house.room_id, "cage", "en").html

    assert all(words in shown for words in ("Received", "Given back", "✕", "Who carries what"))
    # It is given back by id (`live.js`); where there is none, the next Enter does nothing.
    tags = re.findall(r"<(?:a|button|summary|input(?! type=.hidden))\b[^>]*>", shown)
    assert [tag for tag in tags if " id=" not in tag] == []


def test_the_key_that_receives_stands_at_the_first_that_is_carried(house: House) -> None:
    first, dan = asks(house), house.cast.dan
    second = house.tap(services.request_buy_in, player_id=house.player("Lee").pk, amount_cents=50_00).data["slip_id"]

    def has_key() -> list[int]:
        shown = fragment(house.room_id, "cage", "en").html.split('data-received="')[1:]
        return [int(each.partition('"')[0]) for each in shown if "⇧ F9" in each]

    takes(house, second, dan, "runner")
    assert has_key() == [second]
    takes(house, first, dan, "runner")
    assert has_key() == [first]


def test_a_runner_signs_on_the_tablet_of_the_table(house: House) -> None:
    slip_id = asks(house)
    anna = actor(house.cast.anna, device=enrolled(house.cast.room, "table", 1))
    second = {"username": "dan", "pin": demo_person("dan").pin}
    with pytest.raises(Malformed):
        services.note_money(
            command(anna, at=house.at), slip_id=slip_id, money_with="dealer", approved_by_id=house.cast.dan.pk
        )

    answer = note_money_by_two(command(anna, at=house.at), slip_id=slip_id, money_with="runner", second=second)

    assert (held(), answer.data["approved_by_id"]) == (("runner", "dan", True), house.cast.dan.pk)


def test_what_was_taken_for_nothing_goes_back(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.dan, "runner")
    house.tap(services.refuse_request, house.cast.carla, slip_id=slip_id, reason="own_limit")

    assert "go back to Mika" in fragment(house.room_id, "floor", "en").html
    assert owed_back(house) == [slip_id]
    with pytest.raises(SlipNotWaiting):
        takes(house, slip_id, house.cast.carla, "cage")
    tapped = tap(at_desktop(house.cast.frans), f"/cage/slips/{slip_id}/money/", on="floor", money_with="player")

    assert tapped.status_code == 200
    assert held() == ("player", None, False)
    assert "go back to Mika" not in fragment(house.room_id, "floor", "en").html
    assert owed_back(house) == []


def test_the_cage_and_the_dealer_say_what_they_gave_back_where_they_stand(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.carla, "cage")
    house.tap(services.refuse_request, house.cast.carla, slip_id=slip_id, reason="own_limit")

    assert "go back to Mika" in fragment(house.room_id, "cage", "en").html
    shown = at_desktop(house.cast.carla).get("/cage/money/1/").content.decode()
    assert ("Given back" in shown, "I carry it" in shown) == (True, False)
    takes(house, slip_id, house.cast.carla, "player")

    assert "go back to Mika" not in fragment(house.room_id, "cage", "en").html
    assert owed_back(house) == []


def test_paid_by_card_the_cash_is_still_owed(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.dan, "runner")

    house.tap(services.take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="card")

    assert held() == ("runner", "dan", True)
    with pytest.raises(SlipStillWaits):
        AtTheCage().erasing([house.player("Mika").pk])
    assert "go back to Mika" in fragment(house.room_id, "floor", "en").html


def test_paid_with_the_foreign_notes_that_somebody_carried_nothing_is_owed(house: House) -> None:
    slip_id = asks(house)
    takes(house, slip_id, house.cast.dan, "runner")
    rate(house.cast.mari, at=house.at)

    house.tap(
        services.take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="foreign",
        foreign=notes((1000, 2), (500, 1)),
    )  # fmt: skip

    assert held() == ("runner", "dan", False)
    assert owed_back(house) == []
    assert "go back to Mika" not in fragment(house.room_id, "floor", "en").html


@pytest.mark.browser
@pytest.mark.slow
def test_the_keyboard_alone_receives_what_a_runner_brings(brush_server: BrushServer, chromium: Chromium) -> None:
    desk = open_desk()
    arguments: dict[str, Any] = {"player_id": desk.lee.pk, "amount_cents": 200_00, "money_with": "runner"}
    services.request_buy_in(command(desk.cast.frans, at=clock.now()), **arguments)
    page = sit_down(chromium)
    page.keyboard.press("F8")
    expect(page.locator("#till-request")).to_contain_text("Lee")

    page.keyboard.press("Shift+F9")

    expect(page.locator("[data-received]")).to_have_count(0)
    expect(page.locator(".request-money")).to_contain_text("at the cage: Carla")
    # What was taken into the till is as it was, and Enter goes on with it.
    expect(page.locator("#till-go")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#check")).to_be_visible()
    shot(page, "till-money-received")
    page.keyboard.press("Enter")
    expect(page.locator("#slip article")).to_contain_text("at the cage: Carla")
    shot(page, "till-money-slip")
