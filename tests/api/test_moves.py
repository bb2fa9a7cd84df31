"""Players change tables and tables close into others, through the REST interface."""

import json

from casino.audit.models import Event
from casino.chance import commitment
from casino.ledger.proof import problems
from casino.waiting.models import Waiting
from tables.models import Game, Seating, Table
from tests.api.stage import Stage


def sits(stage: Stage, nickname: str) -> Seating:
    return Seating.objects.get(player=stage.house.player(nickname), left_at=None)


def moved(stage: Stage, nickname: str, **more: object) -> dict[str, object]:
    body = {"to_table": 2, "seat_number": 5, "stack_cents": 200_00, **more}
    seating = sits(stage, nickname)
    return stage.frans.tap(f"tables/{seating.table.number}/seatings/{seating.pk}/move", body)


def test_a_player_asks_changes_tables_and_moves_back(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.house.open(2, Mika=1)
    own = f"tables/1/seatings/{sits(stage, 'Lee').pk}"
    stage.frans.tap(f"{own}/ask-table", {"to_table": 2})
    assert stage.frans.post(f"{own}/ask-table", {}).code == "already_asked"

    answer = moved(stage, "Lee")

    assert (answer["chips_cents"], answer["why"]) == (200_00, "table_change")
    back = stage.frans.tap(f"tables/2/seatings/{answer['to_seating']}/move-back")
    assert back["to_seating"] == sits(stage, "Lee").pk
    stage.frans.tap(f"{own}/ask-table/end", {"why": "withdrawn"})
    assert not list(problems(stage.house.room_id))


def test_what_a_move_or_a_call_passes_over_is_recorded_with_it(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.house.open(2, Mika=1)
    game = stage.house.game().pk
    first, second = (
        stage.frans.tap(f"lists/{game}/join", {"player_id": stage.house.player(name).pk})["waiting"]
        for name in ("Jo", "Sara")
    )
    body = {"table_number": 2, "seat_number": 2, "overrule": "peace"}

    stage.frans.tap(f"waiting/{second}/call", body)

    noted = [
        json.loads(text)["data"]
        for text in Event.objects.filter(name="tables.note_overrule").values_list("text", flat=True)
    ]
    assert [(each["proposed"]["ref"], each["done"]["ref"], each["reason"]) for each in noted] == [
        (first, second, "peace")
    ]


def test_who_waits_for_a_game_that_the_book_has_dropped_is_still_shown(stage: Stage):
    game = stage.house.game("No limit hold'em 5/5")
    stage.frans.tap(f"lists/{game.pk}/join", {"player_id": stage.house.player("Jo").pk})
    Game.objects.filter(pk=game.pk).update(is_offered=False)

    shown = {each["game_name"]: len(each["waiting"]) for each in stage.frans.get("lists").body}

    assert shown[game.name] == 1


def test_a_must_move_table_opens_for_its_main_game_alone(stage: Stage):
    stage.house.open(1, Lee=1)
    version = stage.frans.get("tables/2").headers["ETag"]

    stage.frans.tap("tables/2/open", {"game_id": stage.house.game().pk, "feeds": 1}, If_Match=version)

    main = Table.objects.get(number=1).opening
    opening = Table.objects.get(number=2).opening
    assert opening is not None
    assert opening.feeds == main


def test_a_table_closes_with_a_draw_and_whoever_finds_no_seat_waits_first(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.house.open(2, Mika=1)
    stage.frans.tap(f"lists/{stage.house.game().pk}/join", {"player_id": stage.house.player("Jo").pk})
    assert stage.frans.tap("tables/1/last-orbit", {})["hands"] == 2
    stage.frans.tap("tables/1/last-orbit/take-back")
    stage.frans.tap("tables/1/last-orbit", {"hands": 0})

    bound = stage.frans.tap("tables/1/seat-draw", {"seats": [1, 2]})
    shown = stage.frans.tap("tables/1/seat-draw/cards")
    assert moved(stage, "Lee")["why"] == "closing_table"
    stage.frans.tap(f"tables/1/seatings/{sits(stage, 'Kai').pk}/wait", {"stack_cents": 200_00})

    assert commitment(shown["seed"]) == bound["commitment"]
    waiting = Waiting.objects.order_by("place").values_list("player__nickname", flat=True)
    assert list(waiting) == ["Kai", "Jo"]
    stage.frans.tap("tables/1/close")
    assert not list(problems(stage.house.room_id))


def test_a_running_table_goes_on_with_other_stakes_when_all_agree(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    lee, kai = sits(stage, "Lee").pk, sits(stage, "Kai").pk
    games = stage.frans.get("games").body
    other = next(game["id"] for game in games if game["id"] != stage.house.game().pk)

    assert stage.frans.post("tables/1/stakes", {"game_id": other, "consents": [lee]}).code == "not_all_consent"
    stage.frans.tap("tables/1/stakes", {"game_id": other, "consents": [lee, kai]})

    assert stage.frans.get("tables/1").body["game"]["id"] == other


def noted(stage: Stage) -> list[tuple[object, object, object]]:
    texts = Event.objects.filter(name="tables.note_overrule").order_by("id").values_list("text", flat=True)
    found = [json.loads(text)["data"] for text in texts]
    return [(each["proposed"]["ref"], each["done"]["ref"], each["reason"]) for each in found]


def test_what_seating_passes_over_is_recorded_with_it_also_by_the_dealer(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    game = stage.house.game().pk
    first = stage.frans.tap(f"lists/{game}/join", {"player_id": stage.house.player("Jo").pk})["waiting"]

    body = {"player_id": stage.house.player("Sara").pk, "overrule": "peace"}
    stage.anna.tap("tables/1/seats/3", body)

    assert noted(stage) == [(first, 0, "peace")]


def test_what_a_change_of_seats_passes_over_is_recorded_with_it(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    lee, kai = sits(stage, "Lee"), sits(stage, "Kai")
    stage.frans.tap(f"tables/1/seatings/{lee.pk}/ask-seat", {"seat_number": 8})

    stage.frans.tap(f"tables/1/seatings/{kai.pk}/change-seat", {"seat_number": 8, "overrule": "peace"})

    assert noted(stage) == [(lee.pk, kai.pk, "peace")]


def test_who_plays_over_while_a_seat_waits_for_them_passes_it_over(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    lee, jo = sits(stage, "Lee"), stage.house.player("Jo").pk
    waiting = stage.frans.tap(f"lists/{stage.house.game().pk}/join", {"player_id": jo})["waiting"]
    stage.house.open(2, Mika=1)
    stage.frans.tap(f"tables/1/seatings/{lee.pk}/hold", {"is_held": True})

    stage.frans.tap(f"tables/1/seatings/{lee.pk}/play-over", {"player_id": jo, "overrule": "peace"})

    assert noted(stage) == [(waiting, waiting, "peace")]
