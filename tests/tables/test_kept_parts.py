"""What is pushed is put together from what was kept and what changed, and equals a page that was read anew."""

import gc
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import cycle, product
from threading import Event, Thread
from typing import Any
from weakref import ReferenceType, ref

import pytest
from django.db import DataError, connection
from django.template.loader import render_to_string

from casino import seldom
from casino.cage.models import Slip
from casino.cage.services import cancel_slip
from casino.live.render import fragment, one_snapshot
from casino.people.models import Player
from casino.people.services import ban_player, show_as_number, start_shift
from casino.reading import Kept, keeping
from casino.waiting.models import Waiting
from casino.waiting.selectors import wall
from casino.waiting.selectors.lists import lists_by_game
from casino.waiting.services import lists as waiting
from tables.models import Game, Seating, Table, ToDo
from tables.selectors import floor, running
from tables.services import closing, corrections, moving, requests, seating
from tests.acts import ACTS
from tests.support.owner import as_owner
from tests.support.patience import PATIENCE_SECONDS
from tests.tables.conftest import House, make_house
from tests.tables.evening import Evening
from tests.taps import at_desktop, tap

SCREENS = ("floor", "lobby", "table.1.floor", "table.1.dealer", "dealers")


def pushed(house: House, screen: str, language: str) -> str:
    with one_snapshot(house.room_id, from_kept=True) as fragment_of:
        return fragment_of(screen, language).html


def holds(house: House, *languages: str) -> None:
    for screen in SCREENS:
        for language in languages or ("en", "fi"):
            assert pushed(house, screen, language) == fragment(house.room_id, screen, language).html, screen


@pytest.fixture
def house(committing_db: object) -> Iterator[House]:
    yield make_house()
    connection.close()


def test_a_push_equals_a_fresh_page_after_whatever_happened(house: House) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.open(2, Mika=1, Jo=2)
    holds(house)

    def sits(seat: int, number: int = 1) -> int:
        return Seating.objects.get(table__number=number, seat_number=seat, left_at=None).pk

    def tap(service: Callable[..., Any], **args: Any) -> None:
        house.tap(service, **args)

    def at_table(service: Callable[..., Any], number: int = 1, **args: Any) -> None:
        tap(service, table_id=house.table_id(number), **args)

    def by_hand() -> None:
        Player.objects.filter(nickname="Timo").update(nickname="Timothy")
        with as_owner():
            Game.objects.filter(pk=house.game().pk).update(seats=9)

    nobody = house.player("Sara").pk
    acts = (
        lambda: house.settle(40_00),
        lambda: house.settle(60_00, taken={"rake": 1_00}),
        lambda: at_table(corrections.judge, todo_id=ToDo.objects.get(done_at=None).pk),
        lambda: tap(waiting.join_list, game_id=house.game().pk, player_id=nobody),
        lambda: tap(show_as_number, player_id=nobody, is_number=True),
        lambda: at_table(requests.ask_table_change, seating_id=sits(2)),
        lambda: at_table(seating.hold_seat, seating_id=sits(2), is_held=True),
        lambda: at_table(
            moving.move_player, seating_id=sits(3), to_table_id=house.table_id(2), seat_number=5, stack_cents=200_00
        ),
        lambda: tap(ban_player, player_id=house.player("Lee").pk, last_day="2026-11-20"),
        lambda: at_table(closing.announce_last_orbit, 2),
        # What a seat without chips waits for is asked for and taken back at the cage, where no table changes.
        lambda: house.seat("Ville", 6, chips=100_00, chips_from=seating.CAGE),
        lambda: tap(cancel_slip, slip_id=Slip.objects.get(status="requested").pk),
        lambda: at_table(seating.leave_seat, 2, seating_id=sits(1, 2)),
        # Nobody sits there any more.
        lambda: at_table(seating.leave_seat, 2, seating_id=sits(2, 2)),
        lambda: at_table(seating.leave_seat, 2, seating_id=sits(5, 2)),
        lambda: tap(start_shift, staff_id=house.cast.dan.pk),
        by_hand,
    )
    # What is kept is kept in each language: one is asked after each act, and so the other finds what two acts changed.
    for act, language in zip(acts, cycle(("en", "fi")), strict=False):
        house.at += timedelta(minutes=1)
        act()
        holds(house, language)
    holds(house)


def test_a_push_reads_and_draws_anew_only_what_changed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Jo=2)
    for screen in ("floor", "lobby"):
        pushed(house, screen, "en")
    read: list[object] = []
    drawn: list[str] = []
    sitting = running._sitting

    def note_read(tail: Any, *table_ids: Any) -> Any:
        read.append(table_ids)
        return sitting(tail, *table_ids)

    def note_drawn(name: str, shown: Any) -> str:
        drawn.append(name)
        return render_to_string(name, shown)

    monkeypatch.setattr(running, "_sitting", note_read)
    monkeypatch.setattr("casino.live.templatetags.live.render_to_string", note_drawn)
    monkeypatch.setattr("casino.waiting.parts.render_to_string", note_drawn)
    made: list[int] = []

    def note_made(make: Callable[..., Any]) -> Callable[..., Any]:
        def making(table: Table, *rest: Any) -> Any:
            made.append(table.number)
            return make(table, *rest)

        return making

    monkeypatch.setattr(floor, "Tile", note_made(floor.Tile))
    monkeypatch.setattr(wall, "_OpenTable", note_made(wall._OpenTable))

    house.settle(40_00)
    pushed(house, "floor", "en")
    # The lists, their tables and who is called next are as they were, and nobody's seat is another. Of the table that
    # dealt the tile alone: as many sit in the room as before.
    assert read == []
    assert (made, drawn) == ([1], ["tables/floor_tile.html"])

    pushed(house, "lobby", "en")
    assert made == [1, 1]

    kai = Seating.objects.get(table__number=1, seat_number=2)
    house.tap(seating.hold_seat, table_id=kai.table_id, seating_id=kai.pk, is_held=True)
    pushed(house, "floor", "en")
    assert read == [(kai.table_id,)]

    house.tap(waiting.join_list, game_id=house.game().pk, player_id=house.player("Sara").pk)
    drawn.clear()
    pushed(house, "floor", "en")
    assert drawn.count("waiting/floor_game.html") == 1


def test_the_answer_to_a_tap_is_made_of_what_was_kept(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Jo=2)
    floor = at_desktop(house.cast.frans)
    kai = Seating.objects.get(table__number=1, seat_number=2)
    read: list[object] = []
    sitting = running._sitting

    def note_read(tail: Any, *table_ids: Any) -> Any:
        read.append(table_ids)
        return sitting(tail, *table_ids)

    def holds_kai(is_held: str) -> str:
        path = f"/floor/tables/1/seatings/{kai.pk}/hold/"
        answer = tap(floor, path, on="floor", is_held=is_held)
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    holds_kai("true")
    monkeypatch.setattr(running, "_sitting", note_read)

    answer = holds_kai("")

    assert read == [(kai.table_id,)]
    assert fragment(house.room_id, "floor", "en").html in answer


def test_a_value_is_kept_for_its_version_and_its_database_alone() -> None:
    kept: Kept[int, list[int]] = Kept()
    made: list[int] = []

    def make(keys: Any) -> dict[int, list[int]]:
        made.extend(keys)
        return {key: [key] for key in keys}

    with keeping((7, 1)):
        first = kept.of({1: "a", 2: "a"}, make)
        assert kept.of({1: "a", 2: "b"}, make)[1] is first[1]
    assert made == [1, 2, 2]
    # After a restore numbers may begin again; outside of pushes everything is read.
    with keeping((8, 1)):
        kept.of({1: "a"}, make)
    kept.of({1: "a"}, make)
    assert made == [1, 2, 2, 1, 1]


class Value:
    """What can be seen to be gone."""


def test_what_is_shown_no_more_makes_room() -> None:
    """Openings come and go all year while a process stands."""
    kept: Kept[int, Value] = Kept(most=10)
    made: list[ReferenceType[Value]] = []

    def make() -> Value:
        value = Value()
        made.append(ref(value))
        return value

    with keeping((7, 1)):
        for opening_id in range(100):
            first = kept.one(opening_id, "a", make)
            assert kept.one(opening_id, "a", make) is first

    assert len(made) == 100
    assert 5 <= sum(value() is not None for value in made) <= 10


@pytest.mark.slow
def test_room_is_made_though_another_thread_keeps_something_while_garbage_is_collected() -> None:
    kept: Kept[object, int] = Kept(most=3000)
    goes, is_done = Event(), Event()

    class Garbage:
        def __del__(self) -> None:
            goes.set()
            is_done.wait(PATIENCE_SECONDS)

    def another() -> None:
        goes.wait(PATIENCE_SECONDS)
        with keeping((7, 1)):
            kept.one("another's", 1, lambda: 1)
        is_done.set()

    def last() -> int:
        garbage = Garbage()
        garbage.itself = garbage  # type: ignore[attr-defined]
        # It is collected 200 new objects later: what goes through them with the entries may be stopped there.
        gc.set_threshold(gc.get_count()[0] + 200, *thresholds[1:])
        gc.enable()
        return 1

    thread, thresholds = Thread(target=another), gc.get_threshold()
    thread.start()
    with keeping((7, 1)):
        kept.of(dict.fromkeys(range(3000), 1), lambda keys: dict.fromkeys(keys, 1))
        # So many are at hand that no pair is a new object.
        in_use = [(each, each) for each in range(3000)]
        gc.collect()
        gc.disable()
        try:
            assert kept.one("last", 1, last) == 1
        finally:
            gc.enable()
            gc.set_threshold(*thresholds)
            goes.set()
            thread.join()
        assert [kept.one(key, 1, lambda: 2) for key in ("last", 2999, 0)] == [1, 1, 2]
    assert in_use


# What is kept is kept in each language by itself: one for each act, in turn.
@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), [*zip(sorted(ACTS), cycle(("en", "fi")), strict=False)])
def test_each_act_of_the_house_is_pushed_as_a_fresh_page_shows_it(
    house: House, name: str, language: str, settings: Any
) -> None:
    settings.PHONE_URL = "https://phones.example"
    act = ACTS[name](Evening(house))
    for screen in SCREENS:
        pushed(house, screen, language)

    act()

    holds(house, language)


def test_whether_what_seldom_changes_has_changed_is_asked_in_one_trip(
    house: House, django_assert_num_queries: Any
) -> None:
    house.open(1, Lee=1, Kai=2)
    house.open(2, Mika=1, Jo=2)
    for _ in range(3):
        house.settle(40_00)
        pushed(house, "floor", "en")
        pushed(house, "table.1.dealer", "en")
        pushed(house, "lobby", "en")
    house.settle(40_00)

    # Of the tablet: the same ends; one for the jackpot's sum, its book, the room, seats, who is called, and what is
    # beside the game; the table, its newest hand, and who was dealt in.
    with django_assert_num_queries(7):
        assert "felt-jackpot" in pushed(house, "table.1.dealer", "en")

    # The transaction's two ends and its moment; the prints of what seldom changes, with those of tables and
    # lists; the table that dealt, and how fast.
    with django_assert_num_queries(6):
        pushed(house, "floor", "en")

    # What one tap stirs, from one snapshot: of the three screens, in any number of languages, it is a question each,
    # and all come with the snapshot.
    def push_all() -> None:
        screens = ("table.1.dealer", "floor", "lobby")
        with one_snapshot(house.room_id, from_kept=True, audiences=screens) as fragment_of:
            for screen, language in product(screens, ("en", "fi")):
                fragment_of(screen, language)

    house.settle(40_00)
    push_all()
    house.settle(40_00)
    with django_assert_num_queries(10):
        push_all()

    # Where that fails each screen asks for itself from the next push on: the others are there.
    usual = seldom._usual[house.room_id, "lobby"]
    seldom._usual[house.room_id, "lobby"] = [*usual, seldom.Statement("SELECT 1 / 0 AS n", (), False)]
    with pytest.raises(DataError):
        push_all()
    push_all()

    # What the last push did not read is read, and asked about from then on.
    house.tap(start_shift, staff_id=house.cast.frans.pk)
    holds(house)


def test_the_tablets_of_any_tables_ask_by_the_same_texts(house: House) -> None:
    """Or PostgreSQL would plan a text of its own for each set of tables that a busy moment pushes together."""
    house.open(1, Lee=1)
    house.open(2, Kai=1)

    def texts(*numbers: int) -> list[str]:
        screens, seen = [f"table.{number}.dealer" for number in numbers], []

        def note(execute: Any, sql: str, *rest: Any) -> Any:
            seen.append(sql)
            return execute(sql, *rest)

        with connection.execute_wrapper(note), one_snapshot(house.room_id, from_kept=True, audiences=screens) as of:
            for screen in screens:
                of(screen, "en")
        return [sql for sql in seen if "string_agg" in sql]

    # Each as its socket opens.
    for number in (1, 2):
        texts(number)

    together = texts(1, 2)

    assert len(together) == 2
    assert texts(2, 1) == together
    assert texts(2) == texts(1) == together[:1]


def test_lists_whose_first_places_are_alike_stand_in_one_order(house: House) -> None:
    games = [*Game.objects.order_by("-name")]
    for game in games:
        house.tap(waiting.join_list, game_id=game.pk, player_id=house.player("Sara").pk)
    assert len(games) > 1
    assert len(set(Waiting.objects.values_list("place", flat=True))) == 1

    with one_snapshot(house.room_id, from_kept=True):
        kept = [*lists_by_game(house.room_id)]

    assert kept == [*lists_by_game(house.room_id)] == [game.name for game in games]
