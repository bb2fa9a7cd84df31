"""What is printed to play on by paper: the numbers of the sheets, and what stands on them."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.paper.facts import EntryFacts, lists_facts, table_facts
from casino.paper.models import Printing, Sheet
from casino.paper.selectors import last_printings, printed, room_on_paper
from casino.paper.services import print_sheets
from casino.people.models import Player, Staff
from casino.waiting.models import Waiting
from casino.waiting.services.lists import call_player, join_list
from tables.models import Seating, Table, TimeTaken
from tables.services.closing import announce_last_orbit
from tables.services.downs import push_dealer
from tables.services.requests import ask_table_change
from tables.services.seating import hold_seat
from tests.boxes.hanging import Hanging
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def printing(house: House) -> Printing:
    return Printing.objects.get(id=house.tap(print_sheets).data["printing"])


def join(house: House, *nicknames: str) -> None:
    for nickname in nicknames:
        house.tap(join_list, game_id=house.game().pk, player_id=house.player(nickname).pk)


def opened(house: House, by: Staff, address: str) -> str:
    with clock.frozen(house.at):
        answer = at_desktop(by).get(address)
    assert answer.status_code == 200, answer
    return unescape(answer.content.decode()).replace("\xa0", " ")


def test_one_sheet_has_the_lists_and_each_open_table_one_of_its_own(house: House) -> None:
    house.open(1)
    house.open(2)

    answer = house.tap(print_sheets)

    first = answer.data["first_sheet"]
    assert answer.data["sheets"] == [
        {"number": first, "table": None},
        {"number": first + 1, "table": 1},
        {"number": first + 2, "table": 2},
    ]
    assert answer.data["last_sheet"] == first + 2
    kept = Sheet.objects.filter(printing=answer.data["printing"]).order_by("number")
    assert [(each.number, each.table and each.table.number) for each in kept] == [
        (first, None), (first + 1, 1), (first + 2, 2),
    ]  # fmt: skip


def test_a_sheet_names_who_deals_there_without_a_tablet_and_has_a_line_to_write_on_where_nobody_is_known(
    house: House,
) -> None:
    house.open(1)
    house.open(2)
    anna = house.cast.anna
    house.tap(push_dealer, table_id=house.table_id(1), dealer_id=anna.pk)

    page = opened(house, house.cast.frans, f"/floor/paper/{printing(house).pk}/")
    known, unknown = (
        re.sub(r"\s+", " ", dd) for dd in re.findall(r"<dt>Dealer</dt>\s*<dd>(.*?)</dd>", page, re.DOTALL)
    )

    assert anna.display_name in known
    assert "paper-blank" not in known
    assert unknown.strip() == '<span class="paper-blank"></span>'


def test_a_number_never_comes_again(house: House) -> None:
    house.open(1)

    answers = [house.tap(print_sheets) for _ in range(3)]

    numbers = [each["number"] for answer in answers for each in answer.data["sheets"]]
    assert sorted(set(numbers)) == numbers


def test_numbers_go_on_though_the_sheets_are_gone(house: House) -> None:
    last = house.tap(print_sheets).data["last_sheet"]
    with as_owner():
        Sheet.objects.all().delete()
        Printing.objects.all().delete()

    assert house.tap(print_sheets).data["first_sheet"] == last + 1


def test_a_room_without_an_open_table_prints_its_lists(house: House) -> None:
    assert [each["table"] for each in house.tap(print_sheets).data["sheets"]] == [None]


def test_a_seat_says_all_that_is_needed_to_go_on(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3, Mika=4)
    house.settle(20_00)
    timo = Seating.objects.get(player__nickname="Timo")
    house.tap(hold_seat, table_id=house.table_id(), seating_id=timo.pk, is_held=True)
    for _ in range(5):
        house.settle(20_00)

    ((_table, opening, facts),) = room_on_paper(house.room_id).tables

    lee, kai, timo_now, mika, *free = facts.seats
    timo = Seating.objects.get(id=timo.pk)
    assert [seat.player_id for seat in (lee, kai, timo_now, mika)] == [
        house.player(name).pk for name in ("Lee", "Kai", "Timo", "Mika")
    ]
    assert all(seat.player_id is None for seat in free)
    assert len(facts.seats) == opening.game.seats
    assert timo_now.away_since == timo.away_since is not None
    assert timo_now.missed == timo.missed == "both"
    assert (timo_now.live_cents, timo_now.dead_cents) == (opening.game.big_blind_cents, opening.game.small_blind_cents)
    assert lee.chips_in_cents == Seating.objects.get(player__nickname="Lee").chips_in_cents > 0
    marks = sorted(mark for seat in facts.seats for mark in seat.marks)
    assert marks == ["big_blind", "button", "small_blind"]
    assert (facts.hand_number, facts.is_in_hand) == (Table.objects.get(number=1).hand_number, False)


def test_a_table_says_who_deals_what_hangs_and_that_it_closes(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.tap(push_dealer, table_id=house.table_id(), dealer_id=house.cast.anna.pk)
    Hanging(house).hang(17)
    house.deal()
    house.tap(announce_last_orbit, table_id=house.table_id(), hands=4)

    ((_table, _opening, facts),) = room_on_paper(house.room_id).tables

    assert facts.dealer_id == house.cast.anna.pk
    assert facts.boxes == (("rake", 17),)
    assert facts.is_in_hand
    assert facts.hands_left is not None
    assert "rake" in facts.charges


def test_who_would_like_another_table_is_on_the_sheet(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2)
    lee, kai = Seating.objects.order_by("seat_number")
    house.tap(ask_table_change, table_id=house.table_id(), seating_id=lee.pk, to_table_id=house.table_id(2))
    house.tap(ask_table_change, table_id=house.table_id(), seating_id=kai.pk)

    facts = room_on_paper(house.room_id).tables[0][2]

    assert [seat.wishes_table for seat in facts.seats[:3]] == [2, 0, None]


def test_a_time_charge_says_which_period_was_taken_last(house: House) -> None:
    opening = house.open(1, Lee=1, Kai=2).opening
    assert opening is not None
    common: dict[str, Any] = {
        "room_id": house.room_id, "table_id": opening.table_id, "opening": opening, "day_id": opening.day_id,
        "rule_book_version_id": opening.rule_book_version_id, "charge": {}, "taken_at": house.at, "is_let_go": True,
    }  # fmt: skip
    with as_owner():
        for number in (1, 2):
            TimeTaken.objects.create(number=number, began_at=house.at + timedelta(minutes=30 * number), **common)
        gone = house.at + timedelta(hours=3)
        TimeTaken.objects.create(number=3, began_at=gone, taken_back_at=gone, **common)

    facts = room_on_paper(house.room_id).tables[0][2]

    assert (facts.time_number, facts.time_began_at) == (2, house.at + timedelta(minutes=60))


def test_the_lists_have_places_calls_and_moments(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    join(house, "Jo", "Sara", "Riku")
    first = Waiting.objects.earliest("place")
    house.tap(call_player, waiting_id=first.pk, table_id=house.table_id(), seat_number=9)
    first.refresh_from_db()

    found = room_on_paper(house.room_id)

    (of_game,) = found.lists.lists
    assert (of_game.game, of_game.tables) == (house.game().name, (1,))
    assert of_game.called == (
        EntryFacts(
            first.player_id, first.joined_at, table=1, seat=9, called_at=first.called_at, until=first.holds_until
        ),
    )
    assert [entry.player_id for entry in of_game.waiting] == [house.player(name).pk for name in ("Sara", "Riku")]
    ((_table, _opening, facts),) = found.tables
    assert (facts.seats[8].called_id, facts.seats[8].called_until) == (first.player_id, first.holds_until)


def test_a_sheet_keeps_what_stood_on_it_without_names(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    join(house, "Jo")
    stood = room_on_paper(house.room_id)
    sheets = printing(house).sheets.order_by("number")
    house.open(2)
    join(house, "Sara")

    lists, table = sheets

    assert lists_facts(lists.facts) == stood.lists
    assert table_facts(table.facts) == stood.tables[0][2]
    assert not any(name in f"{lists.facts} {table.facts}" for name in ("Lee", "Kai", "Jo"))


def test_a_sheet_calls_people_as_they_are_called_now(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    row = printing(house)
    Player.objects.filter(nickname="Lee").update(nickname="Leeroy")

    shown = opened(house, house.cast.frans, f"/floor/paper/{row.pk}/")

    assert "Leeroy" in shown


def test_the_page_has_a_sheet_with_its_number_for_the_lists_and_each_table(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2)
    join(house, "Jo")
    row = printing(house)
    numbers = list(row.sheets.order_by("number").values_list("number", flat=True))

    shown = opened(house, house.cast.mari, f"/floor/paper/{row.pk}/")

    assert all(shown.count(f'id="sheet-{number}"') == 1 for number in numbers)
    assert all(words in shown for words in ("Lee", "Kai", "Jo", "Down slip", "Drop slip", "Frans", "Table 2"))
    assert "data-print-at-once" in shown
    assert "COPY" not in shown


def test_sheets_that_are_opened_later_are_copies_and_print_nothing_by_themselves(house: House) -> None:
    house.open(1, Lee=1)
    row = printing(house)
    house.at += timedelta(minutes=3)

    shown = opened(house, house.cast.frans, f"/floor/paper/{row.pk}/")

    assert "COPY" in shown
    assert "data-print" not in shown
    assert "/floor/paper/print/" in shown


def test_the_tap_leads_to_the_sheets_and_the_page_lists_them(house: House) -> None:
    house.open(1, Lee=1)
    with clock.frozen(house.at):
        answer = at_desktop(house.cast.frans).post("/floor/paper/print/", headers={"Idempotency-Key": _ID})
    row = Printing.objects.get()

    listed = opened(house, house.cast.mari, "/floor/paper/")

    assert (answer.status_code, answer["Location"]) == (302, f"/floor/paper/{row.pk}/")
    (shown,) = last_printings(house.room_id, most=5)
    assert (shown.last, shown.by) == (shown.first + 1, "Frans")
    assert f"/floor/paper/{row.pk}/" in listed
    assert f"sheets {shown.first} to {shown.last}" in listed


_ID = "6f1c2d1e-3a5b-4c7d-8e9f-0a1b2c3d4e5f"


def test_the_floor_finds_it_on_its_map(house: House) -> None:
    assert 'href="/floor/paper/"' in opened(house, house.cast.frans, "/floor/")


@pytest.mark.parametrize("who", ["anna", "carla", "olavi"])
def test_nobody_else_prints_or_reads_it(house: House, who: str) -> None:
    row = printing(house)
    browser: Client = at_desktop(getattr(house.cast, who))

    with clock.frozen(house.at):
        pages = [browser.get(path).status_code for path in ("/floor/paper/", f"/floor/paper/{row.pk}/")]
        tap = browser.post("/floor/paper/print/", headers={"Idempotency-Key": _ID})

    assert (pages, tap.status_code) == ([403, 403], 403)
    assert Printing.objects.count() == 1


def test_a_printing_that_is_not_there_is_not_found(house: House) -> None:
    assert printed(house.room_id, 0) is None
    assert at_desktop(house.cast.frans).get("/floor/paper/0/").status_code == 404


def test_the_log_says_who_printed_which_sheets_and_when(house: House) -> None:
    house.open(1)
    data = house.tap(print_sheets).data

    event = Event.objects.latest("id")
    log = opened(house, house.cast.mari, "/log/")

    assert (event.name, event.chain) == ("paper.print_sheets", "paper")
    assert f"sheets {data['first_sheet']} to {data['last_sheet']}" in log


def forty(house: House, tables: int) -> None:
    """Open so many tables with two players each; no tap is needed for what is only read."""
    house.open(1, Lee=1, Kai=2)
    table = Table.objects.select_related("opening", "place").get(number=1)
    seatings = list(Seating.objects.filter(table=table))
    with as_owner():
        for number in range(101, 100 + tables):
            _same(table, seatings, number)


def _same(table: Table, seatings: list[Seating], number: int) -> None:
    def another(row: Any, **changed: Any) -> Any:
        fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
        del fields["id"]
        return type(row).objects.create(**{**fields, **changed})

    place = another(table.place, number=number)
    copy = another(table, place_id=place.pk, number=number, opening_id=None)
    copy.opening = another(table.opening, table_id=copy.pk)
    copy.save(update_fields=["opening"])
    for seating in seatings:
        player = another(seating.player, nickname=f"{seating.player.nickname}{number}", number=None)
        another(seating, table_id=copy.pk, opening_id=copy.opening_id, player_id=player.pk)


def queries_for(house: House, tables: int, queries: CaptureQueriesContext) -> tuple[int, int]:
    """Return how many queries the reading takes and the page of what was printed, beside who asks."""
    forty(house, tables)
    room_on_paper(house.room_id)
    with queries:
        assert len(room_on_paper(house.room_id).tables) == tables
    reading = len(queries)
    row = printing(house)
    with queries:
        shown = printed(house.room_id, row.pk)
    assert shown is not None
    assert len(shown.tables) == tables
    return reading, len(queries)


@pytest.mark.parametrize("tables", [1, 40])
def test_forty_tables_take_no_more_queries_than_one(house: House, tables: int) -> None:
    from django.db import connection

    assert queries_for(house, tables, CaptureQueriesContext(connection)) == (9, 4)


@pytest.mark.slow
def test_the_page_of_forty_tables_asks_as_much_as_of_one(house: House, django_assert_num_queries: Any) -> None:
    forty(house, 40)
    row = printing(house)
    browser = at_desktop(house.cast.frans)
    with clock.frozen(house.at):
        browser.get(f"/floor/paper/{row.pk}/")
        with django_assert_num_queries(7):
            browser.get(f"/floor/paper/{row.pk}/")
