"""Downs: who deals where, by PIN or by the floor's tap; shift dealers; the deck in play."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.cage.services import close_day, open_day
from casino.errors import Malformed, Stale
from casino.people.errors import NameOnShift, PinTooSimple
from casino.people.models import ApiToken, Device, Staff
from casino.people.selectors import actor_on_device, people_to_sign_in
from casino.people.services import (
    add_shift_dealer,
    end_shift,
    issue_token,
    sign_in_with_pin,
    sign_out_of_device,
    start_shift,
)
from tables.errors import NotADealer
from tables.models import DeckChange, Down
from tables.services.downs import change_deck, end_down, push_dealer
from tables.services.opening import close_table, open_table
from tests.cast import TONIGHT, command, demo_person, enrolled, make_cast, owned
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


@pytest.fixture
def house(house: House) -> House:
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    return house


def tablet(house: House, number: int = 1) -> Device:
    return Device.objects.select_related("place").get(pk=enrolled(house.cast.room, "table", number).pk)


def by_pin(house: House, device: Device, person: Staff, pin: str) -> None:
    house.at += timedelta(minutes=30)
    device = Device.objects.select_related("place", "signed_in").get(pk=device.pk)
    sign_in_with_pin(command(actor_on_device(device, staff=device.signed_in), at=house.at), staff_id=person.pk, pin=pin)


def downs(house: House) -> list[tuple[int, str, bool]]:
    rows = Down.objects.filter(room_id=house.room_id).order_by("id")
    names = dict(Staff.objects.values_list("id", "display_name"))
    return [(down.table.number, names[down.dealer_id], down.ended_at is None) for down in rows]


def test_the_next_dealers_pin_ends_one_down_and_begins_the_next(house: House):
    house.open(Lee=1, Kai=2)
    device = tablet(house)
    by_pin(house, device, house.cast.anna, demo_person("anna").pin)
    by_pin(house, device, house.cast.dan, demo_person("dan").pin)

    assert downs(house) == [(1, "Anna", False), (1, "Dan", True)]
    first, second = Down.objects.order_by("id")
    assert first.ended_at == second.began_at
    assert first.opening == house.table().opening


def test_the_table_that_a_dealer_left_hears_of_it(house: House):
    first, _second = house.open(1), house.open(2)
    house.tap(push_dealer, table_id=first.pk, dealer_id=house.cast.anna.pk)

    by_pin(house, tablet(house, 2), house.cast.anna, demo_person("anna").pin)
    signed_in = Event.objects.latest("id")
    house.tap(push_dealer, table_id=first.pk, dealer_id=house.cast.anna.pk)
    pushed = Event.objects.latest("id")

    assert (signed_in.name, pushed.name) == ("people.sign_in_on_device", "tables.push_dealer")
    assert {"table.1.dealer", "table.1.floor"} <= set(signed_in.audiences)
    assert {"table.2.dealer", "table.2.floor"} <= set(pushed.audiences)


def test_who_signs_in_elsewhere_has_left_the_table_before(house: House):
    house.open(1)
    house.open(2)
    by_pin(house, tablet(house, 1), house.cast.anna, demo_person("anna").pin)
    by_pin(house, tablet(house, 2), house.cast.anna, demo_person("anna").pin)

    assert downs(house) == [(1, "Anna", False), (2, "Anna", True)]


def test_signing_out_ends_a_down(house: House):
    house.open(1)
    device = tablet(house)
    by_pin(house, device, house.cast.anna, demo_person("anna").pin)
    device = Device.objects.select_related("place", "signed_in").get(pk=device.pk)
    sign_out_of_device(command(actor_on_device(device, staff=device.signed_in), at=house.at))

    assert downs(house) == [(1, "Anna", False)]


@pytest.mark.parametrize("how", ["signs_out", "signs_in_elsewhere", "is_pushed_elsewhere"])
def test_no_tip_is_noted_while_a_dealer_leaves_a_table(house: House, how: str):
    anna, pin = house.cast.anna, demo_person("anna").pin
    house.open(1)
    house.open(2)
    device, other = tablet(house, 2), tablet(house)
    by_pin(house, device, anna, pin)
    device = Device.objects.select_related("place", "signed_in").get(pk=device.pk)
    ways = {
        "signs_out": lambda: sign_out_of_device(command(actor_on_device(device, staff=anna), at=house.at)),
        "signs_in_elsewhere": lambda: by_pin(house, other, anna, pin),
        "is_pushed_elsewhere": lambda: house.tap(
            push_dealer, table_id=house.table_id(), dealer_id=anna.pk, down_id=None
        ),
    }

    with CaptureQueriesContext(connection) as queries:
        ways[how]()

    statements = [query["sql"] for query in queries]
    (ends,) = [n for n, sql in enumerate(statements) if sql.startswith('UPDATE "tables_down"')]
    locks = [sql for sql in statements[:ends] if 'FROM "tables_table"' in sql and "FOR NO KEY UPDATE" in sql]
    # Who signs out leaves the table of that tablet.
    assert [f'"dealer_id" = {anna.pk}' in sql for sql in locks] == [how != "signs_out"]
    assert Down.objects.get(dealer_id=anna.pk, table__number=2).ended_at is not None


def test_the_floors_push_and_the_pin_after_it_are_one_push(house: House):
    table = house.open(1)
    device = tablet(house)
    by_pin(house, device, house.cast.anna, demo_person("anna").pin)
    (shown,) = Down.objects.all()
    house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.dan.pk, down_id=shown.pk)
    by_pin(house, device, house.cast.dan, demo_person("dan").pin)

    assert downs(house) == [(1, "Anna", False), (1, "Dan", True)]


def test_a_push_decided_on_an_old_screen_is_stale(house: House):
    table = house.open(1)
    house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.anna.pk)

    with pytest.raises(Stale):
        house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.dan.pk, down_id=None)


def test_only_who_deals_tonight_is_pushed_in(house: House):
    table = house.open(1)
    house.tap(end_shift, staff_id=house.cast.dan.pk)

    with pytest.raises(NotADealer):
        house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.dan.pk)
    with pytest.raises(NotADealer):
        house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.carla.pk)


def test_two_dealers_swap_tables(house: House):
    one, two = house.open(1), house.open(2)
    house.tap(push_dealer, table_id=one.pk, dealer_id=house.cast.anna.pk)
    house.tap(push_dealer, table_id=two.pk, dealer_id=house.cast.dan.pk)
    down = Down.objects.get(table=one)
    house.tap(push_dealer, table_id=one.pk, dealer_id=house.cast.dan.pk, down_id=down.pk)
    house.tap(push_dealer, table_id=two.pk, dealer_id=house.cast.anna.pk)

    assert downs(house)[2:] == [(1, "Dan", True), (2, "Anna", True)]


def test_a_pin_at_a_closed_table_begins_no_down_before_it_opens(house: House):
    by_pin(house, tablet(house), house.cast.anna, demo_person("anna").pin)
    assert downs(house) == []

    house.open(1)

    assert downs(house) == [(1, "Anna", True)]


def test_who_signs_in_at_a_closed_table_has_left_the_one_before(house: House):
    house.open(1)
    by_pin(house, tablet(house, 1), house.cast.anna, demo_person("anna").pin)
    by_pin(house, tablet(house, 2), house.cast.anna, demo_person("anna").pin)
    signed_in = Event.objects.latest("id")
    assert downs(house) == [(1, "Anna", False)]
    assert {"table.1.dealer", "table.1.floor"} <= set(signed_in.audiences)

    house.open(2)

    assert downs(house) == [(1, "Anna", False), (2, "Anna", True)]


def test_a_break_and_a_closed_table_end_a_down_and_opening_begins_one(house: House):
    table = house.open(1)
    by_pin(house, tablet(house), house.cast.anna, demo_person("anna").pin)
    house.tap(close_table, table_id=table.pk)
    assert downs(house) == [(1, "Anna", False)]
    house.tap(open_table, table_id=table.pk, game_id=house.game().pk)
    assert downs(house)[-1] == (1, "Anna", True)
    house.tap(end_down, table_id=table.pk, down_id=Down.objects.get(ended_at=None).pk)

    assert downs(house)[-1] == (1, "Anna", False)


@pytest.mark.rule("H1.11", "H1.12")
def test_each_deck_that_comes_into_play_is_recorded(house: House):
    table = house.open(1)
    house.tap(change_deck, house.cast.anna, table_id=table.pk, colour="blue")
    house.tap(change_deck, house.cast.anna, table_id=table.pk, colour="red", set_number=2, why="fault")

    rows = DeckChange.objects.filter(table=table).order_by("id")
    assert [(row.colour, row.set_number, row.why) for row in rows] == [("blue", 1, "push"), ("red", 2, "fault")]
    with pytest.raises(Malformed):
        house.tap(change_deck, table_id=table.pk, colour="plaid")


def test_a_dealer_from_the_pit_deals_within_the_minute_until_the_shift_ends(house: House):
    house.open(1)
    answer = house.tap(add_shift_dealer, display_name="Pit Pia", pin="5871")
    pia = owned(answer.data["staff_id"])
    device = tablet(house)
    by_pin(house, device, pia, "5871")

    assert downs(house) == [(1, "Pit Pia", True)]
    house.tap(end_shift, staff_id=pia.pk)
    pia.refresh_from_db()
    device.refresh_from_db()
    assert (pia.is_active, pia.pin, device.signed_in_id) == (False, "", None)
    assert downs(house) == [(1, "Pit Pia", False)]
    assert pia.pk not in [person.id for person in people_to_sign_in(device)]


@pytest.mark.django_db
def test_a_shift_dealer_leaves_with_the_gaming_day():
    cast = make_cast()
    open_day(command(cast.mari))
    pia = owned(add_shift_dealer(command(cast.frans), display_name="Pit Pia", pin="5871").data["staff_id"])
    issue_token(command(cast.mari), name="Pia’s board", roles=["dealer"], days=30, staff_id=pia.pk, pin="5871")
    tablet = enrolled(cast.room, "table")
    sign_in_with_pin(command(pia, device=tablet), staff_id=pia.pk, pin="5871")
    closed = close_day(command(cast.mari))

    pia.refresh_from_db()
    assert (pia.is_active, pia.is_on_shift, pia.pin) == (False, False, "")
    token = ApiToken.objects.get()
    assert token.revoked_at is not None
    # The event of the day names whom and what it ended, by words that the log's page finds the person by.
    ended = [closed.data[key] for key in ("shift_dealers", "api_tokens_ended", "left_devices")]
    assert ended == [[pia.pk], [token.pk], [tablet.pk]]
    with clock.frozen(TONIGHT):
        page = at_desktop(cast.mari).get(f"/log/?person=staff-{pia.pk}").content.decode()
    text = re.sub(r"<[^>]+>", "", page)
    assert "no more: Pit Pia. Programs’ tokens that ended with it: Pia’s board. Signed out of: table 1." in text


def test_a_shift_dealer_has_a_name_of_their_own_and_a_pin(house: House):
    with pytest.raises(NameOnShift):
        house.tap(add_shift_dealer, display_name="anna", pin="5871")
    with pytest.raises(PinTooSimple):
        house.tap(add_shift_dealer, display_name="Pia", pin="")
