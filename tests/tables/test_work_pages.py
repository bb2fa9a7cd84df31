"""The pages of people at work over HTTP: dealers, their times, the incident log; what each costs and who sees it."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.errors import Stale
from casino.live.areas import TODO
from casino.people.models import Staff
from casino.people.services import add_shift_dealer, start_shift
from casino.rulebooks.dealers import Dealers
from tables.models import Down, Incident
from tables.selectors.dealer_times import DealerTime, DownTime, summed
from tables.selectors.incidents import Wanted, incidents
from tables.selectors.rotation import dealers_screen
from tables.services.disputes import set_pot_aside
from tables.services.downs import push_dealer
from tables.services.incidents import write_incident
from tables.services.seating import leave_seat
from tests.people.event_texts import says
from tests.support.locks import meet
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house
from tests.tables.test_lock_order import tap_of
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

DEALERS = "/floor/dealers/"


def evening(house: House, tables: int = 1) -> House:
    """Anna deals at table 1 and is relieved by Dan after half an hour; she logged twelve hands in it."""
    for person in (house.cast.anna, house.cast.dan):
        house.tap(start_shift, staff_id=person.pk)
    table = house.open(1, Lee=1, Kai=2)
    house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.anna.pk)
    for _ in range(12):
        house.settle(20_00)
    house.at += timedelta(minutes=30)
    house.tap(push_dealer, table_id=table.pk, dealer_id=house.cast.dan.pk, down_id=Down.objects.get(ended_at=None).pk)
    return house


def dealers_of(house: House) -> Dealers:
    """Return what the book says of who deals at table 1."""
    opening = house.table().opening
    assert opening is not None
    return opening.book.dealers


def test_who_has_dealt_where_who_is_next_and_when(house: House):
    evening(house)

    shown = dealers_screen(house.room_id)

    (line,) = shown.tables
    anna, dan = sorted(shown.dealers, key=lambda dealer: dealer.name)
    assert (line.dealer, line.next_name) == ("Dan", "Anna")
    assert line.due_at == Down.objects.get(ended_at=None).began_at + timedelta(minutes=dealers_of(house).down_minutes)
    assert (anna.table_number, dan.table_number) == (None, 1)
    assert [stretch.table_number for stretch in anna.stretches] == [1]


def test_the_page_asks_the_same_number_of_queries_for_any_number_of_tables(
    house: House, django_assert_num_queries: Any
):
    evening(house)
    with django_assert_num_queries(6):
        dealers_screen(house.room_id)
    house.tap(add_shift_dealer, display_name="Pia", pin="5871")
    house.open(2, Mika=1, Pekka=2)
    with django_assert_num_queries(6):
        dealers_screen(house.room_id)


def test_each_push_is_one_tap_and_an_old_screen_is_told_so(house: House):
    evening(house)
    floor = at_desktop(house.cast.frans)
    shown = Down.objects.get(ended_at=None)
    fields: dict[str, Any] = {"dealer_id": house.cast.anna.pk, "down_id": shown.pk}

    assert tap(floor, "/floor/tables/1/push/", **fields).status_code == 200
    assert tap(floor, "/floor/tables/1/push/", **{**fields, "dealer_id": house.cast.dan.pk}).status_code == 409
    assert Down.objects.get(ended_at=None).dealer_id == house.cast.anna.pk
    page = floor.get(DEALERS).content.decode()
    assert "Anna" in page
    assert "Dan pushes in" in page


def test_times_are_the_managers_and_add_up_down_by_down(house: House):
    house.reads("shows_pace = true", part="dealers")
    evening(house)
    span = "?from=2026-11-20&to=2026-11-20"

    with clock.frozen(house.at):
        assert at_desktop(house.cast.frans).get(f"{DEALERS}times/{span}").status_code == 403
        assert at_desktop(house.cast.anna).get(f"{DEALERS}times.csv{span}").status_code == 403
        mari = at_desktop(house.cast.mari)
        page = mari.get(f"{DEALERS}times/{span}").content.decode()
        rows = list(csv.DictReader(io.StringIO(mari.get(f"{DEALERS}times.csv{span}").content.decode())))
        assert mari.get(f"{DEALERS}times/?from=2026-11-20&to=2027-11-20").status_code == 400
        assert mari.get(f"{DEALERS}times/?from=never").status_code == 400

    assert [(row["dealer"], row["table"], row["minutes"], row["hands"]) for row in rows] == [
        ("Anna", "1", "30", "12"),
        ("Dan", "1", "", "0"),
    ]
    assert rows[0]["from"] == "2026-11-20 20:00"
    assert "Hands per hour" in page
    # Twelve hands in half an hour.
    assert ">24<" in page


def test_a_dealer_sees_their_own_downs_and_pace_and_nobody_elses(house: House):
    house.reads("shows_pace = true", part="dealers")
    evening(house)
    with as_owner():
        Staff.objects.filter(pk=house.cast.dan.pk).update(display_name="Dan Denholm")

    with clock.frozen(house.at):
        own = at_desktop(house.cast.anna).get("/tables/mine/").content.decode()
        assert at_desktop(house.cast.carla).get("/tables/mine/").status_code == 403
        house.reads("shows_pace = false", part="dealers")
        silent = at_desktop(house.cast.anna).get("/tables/mine/").content.decode()

    assert "hands per hour" in own
    assert "Dan Denholm" not in own
    assert "hands per hour" not in silent


def test_a_name_is_no_formula_in_the_file(house: House):
    house.tap(add_shift_dealer, display_name="=1+1", pin="5871")
    table = house.open(1)
    pia = Staff.objects.get(display_name="=1+1")
    house.tap(push_dealer, table_id=table.pk, dealer_id=pia.pk)

    with clock.frozen(house.at):
        page = at_desktop(house.cast.mari).get(f"{DEALERS}times.csv").content.decode()

    assert ",'=1+1," in page


def test_a_short_time_at_a_table_says_nothing_about_pace():
    at = clock.now()
    short = DownTime(1, 7, "Anna", 1, "", None, at, at + timedelta(minutes=10), 9)

    assert summed([short]) == [DealerTime(7, "Anna", 1, 10, 9)]
    assert summed([short])[0].per_hour is None
    assert summed([DownTime(1, 7, "Anna", 1, "", None, at, None, 9)]) == []


def test_a_dealer_from_the_pit_is_added_with_two_fields(house: House):
    floor = at_desktop(house.cast.frans)

    assert tap(floor, f"{DEALERS}add/", display_name="Pia", pin="5871").status_code == 200
    assert tap(floor, f"{DEALERS}add/", display_name="Pia", pin="5871").status_code == 422
    assert tap(floor, f"{DEALERS}add/", display_name="Pio", pin="").status_code == 400
    assert Staff.objects.get(display_name="Pia").roles == ["dealer"]
    assert not says(str(Staff.objects.filter(display_name="Pia").values()), "5871")


def written(house: House) -> None:
    table, other = house.open(1, Lee=1, Kai=2), house.open(2, Mika=1)
    house.tap(write_incident, kind="warning", table_id=table.pk, player_ids=[house.player("Kai").pk])
    people = [house.player("Kai").pk, house.player("Lee").pk]
    house.tap(write_incident, kind="penalty", minutes=20, table_id=table.pk, player_ids=people, text="Late again")
    house.tap(write_incident, kind="ruling", table_id=other.pk, player_ids=[house.player("Mika").pk])


def test_what_is_due_and_what_is_disputed_is_on_the_floors_to_do(house: House):
    evening(house)
    house.tap(set_pot_aside, table_id=house.table_id())

    lines = {line.key.split(".")[0]: line for line in TODO.gather(room_id=house.room_id)}

    assert "Dan" in lines["push"].text
    down = timedelta(minutes=dealers_of(house).down_minutes)
    assert lines["push"].shown_from == Down.objects.get(ended_at=None).began_at + down
    assert "hand 12" in lines["pot"].text
    assert lines["pot"].how == "sheet"


def test_a_dealer_is_due_a_break_after_so_many_downs_in_a_row(house: House):
    evening(house)
    dealers, tables = dealers_of(house), (house.open(2, Mika=1).pk, house.table_id())
    down, most = timedelta(minutes=dealers.down_minutes), dealers.downs_before_break

    def due() -> dict[str, Any]:
        return {line.text: line for line in TODO.gather(room_id=house.room_id) if "Dan is due" in line.text}

    began = Down.objects.get(ended_at=None).began_at
    assert due()["Dan is due to be relieved"].shown_until == began + most * down
    assert due()["Dan is due a break"].shown_from == began + most * down
    for table_id in tables[: most - 1]:
        house.at += down - timedelta(minutes=1)
        house.tap(push_dealer, table_id=table_id, dealer_id=house.cast.dan.pk, down_id=None)

    (line,) = due().values()
    assert line.text == "Dan is due a break"
    assert line.reason == f"That makes {most} downs in a row. See who is free."
    assert line.shown_from == Down.objects.get(ended_at=None).began_at + down


def test_the_dealers_page_goes_by_the_book_of_each_table_as_the_to_do_does(house: House):
    evening(house)
    house.reads("down_minutes = 45\ndowns_before_break = 2", part="dealers")
    house.open(2, Mika=1, Pekka=2)
    house.tap(push_dealer, table_id=house.table_id(2), dealer_id=house.cast.anna.pk)

    first, second = dealers_screen(house.room_id).tables

    assert first.since is not None
    assert second.since is not None
    down = dealers_of(house).down_minutes
    assert first.due_at == first.since + timedelta(minutes=down)
    assert second.due_at == second.since + timedelta(minutes=45)
    todo = {line.key: line.shown_from for line in TODO.gather(room_id=house.room_id)}
    assert (todo["push.1"], todo["break.2"]) == (first.due_at, second.due_at)
    is_due = {dealer.name: dealer.is_due_for_break for dealer in dealers_screen(house.room_id).dealers}
    assert (is_due["Anna"], is_due["Dan"]) == (True, False)
    assert f"a push every {down}, 45 min" in at_desktop(house.cast.frans).get(DEALERS).content.decode()


@pytest.mark.slow
def test_who_comes_from_a_table_of_another_book_has_dealt_as_long_as_the_down_lasted(house: House):
    house.reads("down_minutes = 40", part="dealers")
    evening(house)
    house.reads("down_minutes = 15\ndowns_before_break = 2\nbreak_minutes = 10", part="dealers")
    house.open(2, Mika=1, Pekka=2)

    first, second = dealers_screen(house.room_id).tables

    # Dan deals forty minutes at table 1: three downs by the book of table 2, where he would rest first.
    dan = next(dealer for dealer in dealers_screen(house.room_id).dealers if dealer.name == "Dan")
    assert (dan.dealt.in_a_row[first.turns], dan.dealt.in_a_row[second.turns]) == (1, 3)


@pytest.mark.rule("H1.48", "H1.81")
def test_the_log_is_read_by_day_table_kind_and_player(house: House, django_assert_num_queries: Any):
    written(house)
    table, day = house.table(1), Incident.objects.all()[0].day_id

    def kinds(**wanted: Any) -> list[str]:
        return [line.incident.kind for line in incidents(house.room_id, Wanted(**wanted))]

    assert kinds() == ["ruling", "penalty", "warning"]
    assert kinds(table_id=table.pk) == ["penalty", "warning"]
    assert kinds(nickname="kai") == ["penalty", "warning"]
    assert kinds(kind="ruling", day_id=day) == ["ruling"]
    assert kinds(is_running=True) == ["penalty"]
    assert kinds(day_id=0) == []
    with django_assert_num_queries(3):
        incidents(house.room_id, Wanted())


def test_the_log_is_the_floors_and_its_filters_take_anything(house: House):
    written(house)
    floor = at_desktop(house.cast.frans)

    assert "Late again" in floor.get("/floor/incidents/?player=Lee").content.decode()
    assert "Late again" not in floor.get("/floor/incidents/?player=Mika&table=2").content.decode()
    assert floor.get("/floor/incidents/?day=x&table=999999999999999999999&kind=gossip&player=%25").status_code == 200
    assert at_desktop(house.cast.anna).get("/floor/incidents/").status_code == 403


@pytest.mark.helsinki
def test_a_sheet_offers_the_clauses_of_the_rooms_own_book(house: House):
    house.open(1, Lee=1, Kai=2)
    floor = at_desktop(house.cast.frans)

    sheet = floor.get("/floor/tables/1/incident/sheet/?kind=returned&seat=2").content.decode()
    assert "H1.79" in sheet
    assert "L-P11" in sheet
    assert "R-§" not in sheet
    assert "Kai" in sheet
    answer = tap(floor, "/floor/tables/1/incident/", kind="returned", clause="H1.79", other_clause="", amount="81")
    assert answer.status_code == 200
    assert Incident.objects.get().cents == 81_00


def test_an_incident_names_who_has_left_who_was_dealt_in_and_whoever_is_found(house: House):
    """Who sits there has boxes of their own; the others come below them, and whoever is chosen stays chosen."""
    table = house.open(1, Lee=1, Kai=2)
    hand = house.settle(86_00, winners=(2,))
    house.tap(leave_seat, table_id=table.pk, seating_id=table.seating_set.get(seat_number=2).pk, stack_cents=300_00)
    floor, kai, timo = at_desktop(house.cast.frans), house.player("Kai").pk, house.player("Timo").pk

    sheet = floor.get(f"/floor/tables/1/incident/sheet/?kind=returned&hand={hand.pk}").content.decode()
    assert f'value="{kai}"' in sheet
    assert f'value="{timo}"' not in sheet
    with CaptureQueriesContext(connection) as queries:
        found = floor.get("/floor/tables/1/incident/players/", {"q": "Tim", "player_ids": [str(kai), "x"]})
    assert len(queries) <= 10
    assert f'value="{kai}" checked' in found.content.decode()
    assert f'value="{timo}">' in found.content.decode()
    assert "Nobody is called so" in floor.get("/floor/tables/1/incident/players/?q=Lee").content.decode()
    arguments: dict[str, Any] = {
        "kind": "returned",
        "amount": "81",
        "hand_row_id": hand.pk,
        "player_ids": [kai, timo],
    }
    assert tap(floor, "/floor/tables/1/incident/", **arguments).status_code == 200
    named = Incident.objects.get().players.values_list("player__nickname", "seat_number")
    assert sorted(named) == [("Kai", None), ("Timo", None)]


def test_two_floors_push_at_once_and_nobody_deals_twice(committing_db: object) -> None:
    house = make_house()
    anna, dan = dealers = [house.cast.anna.pk, house.cast.dan.pk]
    for dealer_id in dealers:
        house.tap(start_shift, staff_id=dealer_id)
    one, two = house.open(1).pk, house.open(2).pk

    def pushes(table_id: int, dealer_id: int) -> Callable[[], Any]:
        return partial(push_dealer, tap_of(house), table_id=table_id, dealer_id=dealer_id)

    meet(pushes(one, anna), pushes(one, anna))
    meet(pushes(two, anna), pushes(one, anna))
    with pytest.raises(Stale):
        meet(pushes(two, dan), pushes(two, anna))

    assert list(Down.objects.order_by("id").values_list("table", "dealer_id")) == [
        (one, anna), (two, anna), (one, anna), (two, dan),
    ]  # fmt: skip
    assert Down.objects.filter(ended_at=None).count() == 2
