"""A table's evening through the REST interface."""

import uuid

from django.utils import translation

from casino.ledger.proof import problems
from tables.errors import SeatTaken
from tables.models import Hand, Seating, ToDo
from tests.api.stage import Stage, whole_hand


def test_a_table_opens_plays_a_hand_and_closes(stage: Stage):
    game = next(each for each in stage.frans.get("games").body if each["name"] == "No limit hold'em 2/2")
    version = stage.frans.get("tables/1").headers["ETag"]
    stage.frans.tap("tables/1/open", {"game_id": game["id"]}, If_Match=version)
    lee, kai = (
        stage.frans.tap(f"tables/1/seats/{seat}", {"player_id": stage.house.player(name).pk, "chips_cents": 200_00})
        for seat, name in ((1, "Lee"), (2, "Kai"))
    )
    hand = {"hand_id": str(uuid.uuid4())}
    stage.anna.tap("tables/1/draw", {"winner_seat": 1, "seats": [1, 2], "cards": {"1": "As", "2": "Kd"}})

    assert stage.anna.tap("tables/1/hands/deal", hand)["number"] == 1
    stage.anna.tap("tables/1/hands/flop", hand)
    settled = stage.anna.tap("tables/1/hands/settle", hand | {"winners": [[2]], "pots": [86_00]})
    for seating, stack in ((lee, 155_00), (kai, None)):
        stage.anna.tap(f"tables/1/seatings/{seating['seating']}/leave", {"stack_cents": stack})
    closed = stage.frans.post("tables/1/close")

    assert settled["rake_cents"] > 0
    assert settled["rake_cents"] + settled["drop_cents"] + sum(settled["push_cents"]) == 86_00
    assert closed.status == 200
    assert not list(problems(stage.house.room_id))


def test_a_table_reads_as_it_is(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.anna.tap("tables/1/hands/deal", {"hand_id": str(uuid.uuid4())})

    table = stage.anna.get("tables/1").body

    assert table["hand"]["number"] == 1
    assert [seating["player"]["nickname"] for seating in table["seatings"]] == ["Lee", "Kai"]
    assert table["next_hand"]["dealt_in"] == [1, 2]
    assert table["game"]["structure"] == "no_limit"


def test_a_table_reads_with_two_in_one_box_while_somebody_plays_over(stage: Stage):
    """Who is dealt in is the one who plays over (H4.49)."""
    stage.house.open(1, Lee=1, Kai=2, Timo=3)
    lee = Seating.objects.get(player=stage.house.player("Lee"))
    stage.anna.tap(f"tables/1/seatings/{lee.pk}/hold", {"is_held": True})
    body = {"player_id": stage.house.player("Mika").pk, "chips_cents": 200_00}
    stage.frans.tap(f"tables/1/seatings/{lee.pk}/play-over", body)

    table = stage.anna.get("tables/1").body

    assert sorted(seating["player"]["nickname"] for seating in table["seatings"]) == ["Kai", "Lee", "Mika", "Timo"]
    assert table["next_hand"]["dealt_in"] == [1, 2, 3]


def test_a_buy_in_asked_at_the_table_is_paid_at_the_cage(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    seating = Seating.objects.get(player=stage.house.player("Lee"))
    answer = stage.anna.tap(
        f"tables/1/seatings/{seating.pk}/buy-in", {"amount_cents": 100_00, "stack_cents": 0, "method": None}
    )

    (waiting,) = stage.carla.get("cage/slips?status=requested").body
    slip = stage.carla.get(f"cage/slips/{answer['slip_id']}")
    paid = stage.carla.tap(
        f"cage/slips/{answer['slip_id']}/take-money",
        {"drawer_number": 1, "method": "card"},
        If_Match=slip.headers["ETag"],
    )

    seating.refresh_from_db()
    assert waiting["id"] == answer["slip_id"]
    assert (paid["status"], paid["number"]) == ("paid", 1)
    assert seating.chips_in_cents == 300_00


def test_a_rule_refuses_with_its_clause_and_the_rooms_money(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)

    refused = stage.frans.post(
        "tables/1/seats/3", {"player_id": stage.house.player("Timo").pk, "chips_cents": 5_000_00}
    )

    assert (refused.status, refused.code) == (422, "buy_in_over_maximum")
    assert refused.body["clause"].startswith("H")
    assert refused.body["detail"].startswith(refused.body["clause"])
    assert "€" in refused.body["detail"]
    assert refused.body["data"]["asked_cents"] == 5_000_00


def test_the_same_command_id_gets_the_first_answer_again(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    command_id, body = uuid.uuid4(), whole_hand(86_00)
    anna = stage.anna

    first, second = (anna.post("tables/1/hands/settle", body, id=command_id) for _ in range(2))

    assert (first.body["is_replay"], second.body["is_replay"]) == (False, True)
    assert first.data == second.data
    assert first.body["version"] == second.body["version"]
    assert Hand.objects.count() == 1


def test_a_command_id_is_not_for_two_things(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    command_id, anna = uuid.uuid4(), stage.anna
    anna.tap("tables/1/hands/settle", whole_hand(86_00), id=command_id)

    refused = anna.post("tables/1/hands/settle", whole_hand(96_00), id=command_id)

    assert (refused.status, refused.code) == (422, "command_id_reused")


def test_a_refusal_is_said_again_in_the_language_of_whoever_asks_again(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    command_id, frans = uuid.uuid4(), stage.frans
    body = {"player_id": stage.house.player("Timo").pk}

    first = frans.post("tables/1/seats/2", body, id=command_id)
    again = frans.post("tables/1/seats/2", body, id=command_id, Accept_Language="fi")

    assert (first.status, again.status) == (409, 409)
    assert first.body["data"] == again.body["data"] == {"seat_number": 2}
    assert again.headers["Content-Language"] == "fi"
    with translation.override("fi"):
        assert again.body["detail"] == str(SeatTaken(seat_number=2))


def test_a_command_needs_an_id_and_a_decision_its_version(stage: Stage):
    frans = stage.frans

    for answer, status, code in (
        (frans.post("tables/1/close", id=""), 400, "malformed"),
        (frans.post("tables/1/close", id="x"), 400, "malformed"),
        (frans.post("tables/1/open", {"game_id": stage.house.game().pk}), 428, "precondition_missing"),
        (frans.post("tables/1/open", {"game_id": stage.house.game().pk}, If_Match="soon"), 400, "malformed"),
        (frans.post("tables/1/open", {"game_id": stage.house.game().pk}, If_Match='"999"'), 409, "stale"),
    ):
        assert (answer.status, answer.code) == (status, code), answer.body


def test_a_seat_that_changed_makes_a_decision_about_it_stale(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.house.settle(86_00)
    seating = stage.house.seat("Timo", 3)
    path, frans = f"tables/1/seatings/{seating.pk}", stage.frans
    seen = frans.get(path).headers["ETag"]

    assert frans.post(f"{path}/entry", {"entry": "posts"}, If_Match=seen).status == 200
    refused = frans.post(f"{path}/entry", {"entry": "waits"}, If_Match=seen)

    assert (refused.status, refused.code) == (409, "stale")


def test_a_leaving_is_taken_back(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    seating = Seating.objects.get(seat_number=1)
    path, anna = f"tables/1/seatings/{seating.pk}", stage.anna
    anna.tap(f"{path}/leave", {"stack_cents": 340_00})
    seen = stage.frans.get(path).headers["ETag"]

    assert anna.post(f"{path}/take-back").status == 428
    answer = anna.tap(f"{path}/take-back", If_Match=seen)

    assert (answer["entry"], answer["stack_cents"]) == ("in", 340_00)
    assert anna.post(f"{path}/take-back", If_Match=seen).code == "stale"
    assert not list(problems(stage.house.room_id))


def test_the_dealer_undoes_and_the_floor_corrects_voids_and_supplies(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    anna, frans = stage.anna, stage.frans
    mistyped = whole_hand(86_00)
    anna.tap("tables/1/hands/settle", mistyped)
    anna.tap("tables/1/hands/undo", {"hand_id": mistyped["hand_id"]})
    anna.tap("tables/1/hands/void", whole_hand() | {"reason": "misdeal"})
    anna.tap("tables/1/hands/settle", whole_hand(96_00))
    first = Hand.objects.get(status="settled")
    frans.tap(f"tables/1/hands/{first.pk}/correct", whole_hand(56_00) | {"reason": "wrong_pot"})
    anna.tap("tables/1/hands/skip", {"hand_id": str(uuid.uuid4())})
    skipped = Hand.objects.get(status="not_logged")
    frans.tap(f"tables/1/hands/{skipped.pk}/supply", {"rake_taken_cents": 4_00, "drop_taken_cents": 1_00})
    frans.tap(f"tables/1/hands/{skipped.pk}/void", {"reason": "wrong_table"})

    listed = frans.get("tables/1/hands").body
    voided = frans.get("tables/1/hands?status=void&limit=1&offset=1").body

    assert [hand["status"] for hand in listed] == ["void", "settled", "corrected", "void", "undone"]
    assert [hand["reason"] for hand in voided] == ["misdeal"]
    assert frans.get(f"tables/1/hands/{skipped.pk}").body["reason"] == "wrong_table"
    assert not list(problems(stage.house.room_id))


def test_the_floor_judges_what_a_fact_left_open(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.anna.tap("tables/1/hands/settle", whole_hand(86_00, rake_taken_cents=0))
    (todo,) = stage.frans.get("todos").body

    stage.frans.tap(f"tables/1/todos/{todo['id']}/judge")
    again = stage.frans.post(f"tables/1/todos/{todo['id']}/judge")

    assert todo["kind"] == ToDo.Kind.RAKE_DIFFERS
    assert again.status == 404
    assert stage.frans.get("todos").body == []
    assert len(stage.frans.get("todos?is_open=false").body) == 1


def test_chips_tips_holds_buttons_and_counts(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    lee = Seating.objects.get(player=stage.house.player("Lee"))
    path = f"tables/1/seatings/{lee.pk}"

    stage.anna.tap(f"{path}/chips", {"chips_cents": 50_00, "stack_cents": 100_00})
    stage.anna.tap(f"{path}/hold", {"is_held": True})
    stage.anna.tap("tables/1/button", {"seat_number": 2})
    stage.frans.tap("tables/1/tips", {"counted_cents": 12_00})
    stage.anna.tap(f"{path}/leave", {})
    stage.frans.tap(f"{path}/count", {"stack_cents": 138_00})

    lee.refresh_from_db()
    assert (lee.chips_in_cents, lee.is_held, lee.left_stack_cents) == (250_00, True, 138_00)
    assert stage.house.figures()["tip_box"] == 12_00


def test_a_manager_adds_a_table_and_offers_the_books_games(stage: Stage):
    mari = stage.mari

    mari.tap("tables", {"number": 7})
    offered = mari.tap("games/offer")["games"]

    assert [table["number"] for table in mari.get("tables").body] == [1, 2, 7]
    assert sorted(game["id"] for game in mari.get("games").body) == sorted(offered)


def test_whether_a_count_can_be_is_told_and_what_lies_there_is_not(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)

    bodies = [stage.anna.get(f"tables/1/counted?counted_cents={cents}").body for cents in (400_00, 400_01)]

    assert bodies == [{"is_above_play": False}, {"is_above_play": True}]
    assert stage.anna.get("tables/1/counted?counted_cents=-1").status == 400
