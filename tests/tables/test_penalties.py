"""What a running penalty holds: the seat out of the deal, and its player from every other seat (H1.48)."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from casino import clock
from casino.audit.models import Event
from casino.errors import NotFound
from casino.live.areas import TODO
from casino.live.todo import ToDoLine
from casino.people.models import Player
from casino.waiting.services.lists import call_player, join_list
from tables.errors import StillInTime
from tables.errors_people import PenaltyRuns
from tables.models import Incident, Seating
from tables.selectors.floor_table import floor_table
from tables.services.absence_limits import set_absence_limit, set_long_break
from tables.services.corrections import undo_hand
from tables.services.incidents import end_penalty, write_incident
from tables.services.moving import move_player, take_back_move
from tables.services.penalties import check_no_penalty
from tables.services.playing_over import play_over
from tables.services.seating import hold_seat, seat_player
from tables.tasks import wake_penalties
from tables.views.floor import render_table
from tests.support.locks import meet, without_lock
from tests.tables.conftest import House, make_house
from tests.tables.test_absence import by_orbits, later, pick_up
from tests.tables.test_floor_seats import words
from tests.tables.test_leaving_taken_back import comes_back, leaves
from tests.tables.test_lock_order import tap_of
from tests.tables.test_moving import move, sits
from tests.tables.test_next_steps import joins
from tests.tables.test_who_is_called_next import called_next

pytestmark = pytest.mark.two_houses


def penalise(house: House, nickname: str, minutes: int = 20, *, clause: str = "H1.48") -> int:
    arguments: dict[str, Any] = {"kind": "penalty", "clause": clause, "minutes": minutes}
    return int(house.tap(write_incident, player_ids=[house.player(nickname).pk], **arguments).data["incident"])


def away(house: House, nickname: str) -> Seating:
    house.tap(hold_seat, table_id=sits(house, nickname).table_id, seating_id=sits(house, nickname).pk, is_held=True)
    return sits(house, nickname)


def dealt_in(house: House) -> list[ToDoLine]:
    return [line for line in todo_at(house) if line.key.startswith("dealt_in.")]


def away_lines(house: House) -> list[ToDoLine]:
    return [line for line in todo_at(house) if line.key.startswith("away.")]


def todo_at(house: House) -> list[ToDoLine]:
    with clock.frozen(house.at):
        return list(TODO.gather(room_id=house.room_id))


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_who_sits_is_held_out_of_the_deal_and_back_with_a_tap_when_it_has_ended(house: House):
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    penalise(house, "Kai")
    ends_at = house.at + timedelta(minutes=20)
    kai = sits(house, "Kai")
    assert (kai.is_held, kai.away_limit_at) == (True, ends_at)
    hand = house.settle(20_00, winners=(1,))
    assert sorted(hand.seats.values_list("player__nickname", flat=True)) == ["Lee", "Timo"]

    # From its end on the player has the time that whoever is away has; nobody is dealt in who may not be there.
    wake_penalties(at=ends_at)
    kai = sits(house, "Kai")
    assert (kai.is_held, kai.away_since) == (True, ends_at)
    assert kai.away_limit_at is None or kai.away_limit_at > ends_at
    house.tap(hold_seat, table_id=table.pk, seating_id=kai.pk, is_held=False)
    assert not sits(house, "Kai").is_held


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_who_is_away_already_has_until_its_end_and_a_longer_one_holds_on(house: House):
    table = house.open(1, Lee=1, Kai=2)
    house.tap(hold_seat, table_id=table.pk, seating_id=sits(house, "Kai").pk, is_held=True)
    gone = sits(house, "Kai").away_since
    penalise(house, "Kai", 30)
    penalise(house, "Lee", 10)
    first = sits(house, "Lee").away_limit_at
    penalise(house, "Lee", 60)

    assert sits(house, "Kai").away_since == gone
    assert first is not None
    wake_penalties(at=first)
    lee = sits(house, "Lee")
    assert lee.away_limit_at is not None
    assert lee.away_limit_at > first
    with pytest.raises(PenaltyRuns):
        check_no_penalty(lee.player, at=first)


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_nobody_is_seated_moved_or_called_while_a_penalty_runs(house: House):
    house.open(1, Lee=1, Kai=2)
    there = house.open(2, Mika=1)
    (waiting,) = joins(house, "Timo")
    timo, kai = house.player("Timo").pk, sits(house, "Kai")
    house.tap(hold_seat, table_id=there.pk, seating_id=sits(house, "Mika").pk, is_held=True)
    running = [penalise(house, "Timo"), penalise(house, "Kai")]
    tries: list[tuple[Any, dict[str, Any]]] = [
        (seat_player, {"table_id": there.pk, "seat_number": 3, "player_id": timo}),
        (play_over, {"table_id": there.pk, "seating_id": sits(house, "Mika").pk, "player_id": timo}),
        (call_player, {"waiting_id": waiting, "table_id": there.pk, "seat_number": 3}),
        (
            move_player,
            {
                "table_id": kai.table_id,
                "seating_id": kai.pk,
                "to_table_id": there.pk,
                "seat_number": 4,
                "stack_cents": 0,
            },
        ),
    ]
    for service, arguments in tries:
        with pytest.raises(PenaltyRuns) as refused:
            house.tap(service, **arguments)
        assert refused.value.status == 422
        assert str(refused.value).startswith("H1.48: This player sits out until ")

    # Ended by the floor, it keeps nobody from anything.
    for incident in running:
        house.tap(end_penalty, incident_id=incident)
    house.tap(call_player, waiting_id=waiting, table_id=there.pk, seat_number=3)
    house.seat("Timo", 3, number=2)


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_who_sits_out_is_passed_over_by_proposals_and_costs_nobody_else_a_query(house: House):
    house.open(1, Lee=1, Kai=2)
    joins(house, "Timo", "Jo")
    assert called_next(house) == "Timo"
    incident = penalise(house, "Timo")
    assert called_next(house) == "Jo"
    house.tap(end_penalty, incident_id=incident)
    assert called_next(house) == "Timo"

    with CaptureQueriesContext(connection) as queries:
        check_no_penalty(house.player("Jo"), at=house.at)
    assert len(queries) == 0


@pytest.mark.rule("H1.48")
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_nobody_sits_down_undealt_with_who_is_penalised_at_the_same_moment(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    table, lee, kai = house.open(1), house.player("Lee").pk, house.player("Kai").pk

    def both(player_id: int, seat: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
        penalises = partial(write_incident, tap_of(house), kind="penalty", minutes=20, player_ids=[player_id])
        sits_down = partial(seat_player, tap_of(house), table_id=table.pk, seat_number=seat, player_id=player_id)
        return penalises, sits_down

    if not is_locked:
        without_lock(monkeypatch, Player)

    with pytest.raises(PenaltyRuns) if is_locked else nullcontext():
        meet(*both(lee, 5), waits=is_locked)
    meet(*reversed(both(kai, 6)), waits=is_locked)

    seated = [(each.player_id, each.is_held) for each in Seating.objects.order_by("id")]
    assert seated == ([(kai, True)] if is_locked else [(lee, False), (kai, False)])


@pytest.mark.helsinki
@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_penalty_that_two_end_at_once_ends_once(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    house.open(1)
    incident = penalise(house, "Lee")
    if not is_locked:
        without_lock(monkeypatch, Incident)

    def ends() -> None:
        end_penalty(tap_of(house), incident_id=incident)

    with pytest.raises(NotFound) if is_locked else nullcontext():
        meet(ends, ends)

    assert Event.objects.filter(name="tables.end_penalty", result="done").count() == (1 if is_locked else 2)
    connection.close()


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_a_leaving_or_a_move_that_is_taken_back_leads_to_a_seat_that_is_held_out(house: House):
    table = house.open(1, Lee=1, Kai=2, Timo=3, Jo=4)
    house.open(2, Mika=1)
    house.settle(20_00)
    left = leaves(house, "Kai")
    penalise(house, "Kai", 30)
    kai_until = house.at + timedelta(minutes=30)
    moved = move(house, "Timo", 5, stack=200_00)
    penalise(house, "Timo", 40)
    timo_until = house.at + timedelta(minutes=40)

    comes_back(house, left)
    house.tap(take_back_move, table_id=moved.table_id, seating_id=moved.pk)

    for nickname, until in (("Kai", kai_until), ("Timo", timo_until)):
        seating = sits(house, nickname)
        assert (seating.table_id, seating.is_held, seating.away_limit_at) == (table.pk, True, until)
    hand = house.settle(20_00, winners=(1,))
    assert sorted(hand.seats.values_list("player__nickname", flat=True)) == ["Jo", "Lee"]
    wake_penalties(at=kai_until)
    assert sits(house, "Kai").away_since == kai_until


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_who_is_dealt_in_although_a_penalty_runs_is_for_the_floor_to_see(house: House):
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    incident = penalise(house, "Kai", 30)
    until = house.at + timedelta(minutes=30)
    assert dealt_in(house) == []

    house.tap(hold_seat, house.cast.anna, table_id=table.pk, seating_id=sits(house, "Kai").pk, is_held=False)

    assert "Kai" in house.settle(20_00, winners=(1,)).seats.values_list("player__nickname", flat=True)
    (line,) = dealt_in(house)
    assert "Kai" in line.text
    assert f"{until.astimezone(ZoneInfo(house.cast.room.time_zone)):%H:%M}" in line.text
    assert line.reason.startswith("H1.48: ")
    assert (line.where, line.tone, line.shown_until) == ("Table 1, seat 2", "wrong", until)
    assert line.address == reverse("floor_seat_sheet", args=[1, 2])
    with clock.frozen(house.at):
        assert line.text in words(render_table(room_id=house.room_id, number=1))

    house.tap(hold_seat, table_id=table.pk, seating_id=sits(house, "Kai").pk, is_held=True)
    assert dealt_in(house) == []
    house.tap(hold_seat, table_id=table.pk, seating_id=sits(house, "Kai").pk, is_held=False)
    house.tap(end_penalty, incident_id=incident)
    assert dealt_in(house) == []


@pytest.mark.helsinki
@pytest.mark.rule("H1.48", "H4.48")
def test_while_somebody_plays_over_the_absent_holders_penalty_keeps_the_seat(house: House):
    house.open(1, Lee=1, Kai=2)
    kai = away(house, "Kai")
    house.tap(play_over, table_id=kai.table_id, seating_id=kai.pk, player_id=house.player("Jo").pk)
    assert len(away_lines(house)) == 2
    penalise(house, "Kai", 60)
    assert away_lines(house) == []
    with clock.frozen(house.at):
        assert "is away" not in render_table(room_id=house.room_id, number=1)


@pytest.mark.helsinki
def test_a_tables_page_asks_for_penalties_only_where_somebody_is_watched(house: House):
    house.open(1, Lee=1, Kai=2)
    away(house, "Kai")

    def queries_needed() -> int:
        with CaptureQueriesContext(connection) as queries:
            floor_table(house.room_id, house.table())
        return len(queries)

    before = queries_needed()
    penalise(house, "Kai")
    penalise(house, "Lee")
    assert queries_needed() == before + 1


@pytest.mark.rule("H1.48", "R-§4")
def test_no_button_counts_against_who_sits_out_and_nobody_takes_their_stack(house: House):
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    by_orbits(house)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Noora").pk)
    away(house, "Kai")
    house.settle(20_00)
    while not sits(house, "Kai").buttons_passed:
        last = house.settle(20_00)
    incident = penalise(house, "Kai", 60, clause="")
    for _ in range(4):
        last = house.settle(20_00)
    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=last.hand_id)
    assert sits(house, "Kai").buttons_passed == 1
    Seating.objects.filter(pk=sits(house, "Kai").pk).update(buttons_passed=2)
    assert away_lines(house) == []
    with pytest.raises(PenaltyRuns):
        pick_up(house, sits(house, "Kai"), 200_00)

    # What the absence was before, it is again.
    house.tap(end_penalty, incident_id=incident)
    (line,) = away_lines(house)
    assert line.tone == "wrong"
    pick_up(house, sits(house, "Kai"), 200_00)


@pytest.mark.helsinki
@pytest.mark.rule("H1.48")
def test_of_two_penalties_the_one_that_still_runs_holds_the_seat(house: House):
    house.open(1, Lee=1, Kai=2)
    long = penalise(house, "Kai", 60)
    penalise(house, "Kai", 30)
    until = house.at + timedelta(minutes=30)
    later(house, 5)
    house.tap(end_penalty, incident_id=long)
    assert sits(house, "Kai").away_limit_at == until
    later(house, 24)
    with pytest.raises(PenaltyRuns):
        pick_up(house, sits(house, "Kai"), 200_00)
    assert away_lines(house) == []

    wake_penalties(at=until)
    assert (sits(house, "Kai").away_since, sits(house, "Kai").away_limit_at) == (until, until + timedelta(minutes=20))


@pytest.mark.helsinki
@pytest.mark.rule("H1.48", "H1.9", "H1.10")
@pytest.mark.parametrize("how", ["break", "limit", "back and gone"])
def test_no_shorter_limit_takes_the_seat_while_a_penalty_runs_or_at_its_end(house: House, how: str):
    table = house.open(1, Lee=1, Kai=2)
    penalise(house, "Kai", 60)
    until = house.at + timedelta(minutes=60)
    there: dict[str, Any] = {"table_id": table.pk, "seating_id": sits(house, "Kai").pk}
    if how == "break":
        house.tap(set_long_break, **there)
    elif how == "limit":
        house.tap(set_absence_limit, **there, minutes=5)
    else:
        house.tap(hold_seat, **there, is_held=False)
        house.tap(hold_seat, **there, is_held=True)
    limit = sits(house, "Kai").away_limit_at
    assert limit is not None
    assert limit < until
    house.at = until - timedelta(seconds=5)
    with pytest.raises(PenaltyRuns):
        pick_up(house, sits(house, "Kai"), 200_00)

    wake_penalties(at=until)
    house.at = until
    with pytest.raises(StillInTime):
        pick_up(house, sits(house, "Kai"), 200_00)


@pytest.mark.helsinki
@pytest.mark.rule("H1.48", "H1.8", "H1.9")
def test_an_absence_is_after_a_penalty_that_was_not_meant_what_it_was_before(house: House):
    table = house.open(1, Lee=1, Kai=2, Timo=3)
    away(house, "Kai")
    later(house, 25)
    house.tap(set_long_break, table_id=table.pk, seating_id=sits(house, "Timo").pk)
    columns = ("is_held", "away_since", "away_limit_at", "buttons_passed", "long_break_at")
    before = {name: [getattr(sits(house, name), each) for each in columns] for name in ("Kai", "Timo")}

    running = [penalise(house, "Kai", 30), penalise(house, "Timo", 30)]
    for incident in running:
        house.tap(end_penalty, incident_id=incident)

    assert {name: [getattr(sits(house, name), each) for each in columns] for name in before} == before
    assert sits(house, "Timo").is_on_long_break
    pick_up(house, sits(house, "Kai"), 200_00)


@pytest.mark.helsinki
@pytest.mark.rule("H1.48", "H1.10")
def test_a_limit_that_comes_while_a_penalty_runs_moves_by_the_time_that_it_ran(house: House):
    house.open(1, Lee=1, Kai=2)
    kai = away(house, "Kai")
    assert kai.away_limit_at is not None
    penalise(house, "Kai", 30)
    until = house.at + timedelta(minutes=30)

    wake_penalties(at=until)

    now = sits(house, "Kai")
    assert (now.away_since, now.away_limit_at) == (kai.away_since, kai.away_limit_at + timedelta(minutes=30))
