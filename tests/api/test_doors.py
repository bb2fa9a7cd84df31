"""Who gets in: tokens, the device's own page, and whose tap it was."""

import pytest

from casino.audit.models import Event
from tests.api.stage import Caller, Stage, whole_hand


def test_nobody_without_a_token_learns_anything(stage: Stage):
    from django.test import Client

    nobody = Caller(Client())

    for answer in (nobody.get("tables"), nobody.post("tables/1/hands/settle", whole_hand(86_00))):
        assert (answer.status, answer.code) == (401, "token_unknown")
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_wrong_token_opens_nothing(stage: Stage):
    caller = stage.anna
    caller.headers["Authorization"] = "Bearer " + "x" * 40

    assert caller.get("tables").status == 401


def test_a_dealer_may_log_hands_and_may_not_open_tables(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)

    assert stage.anna.post("tables/1/hands/settle", whole_hand(86_00)).status == 200
    refused = stage.anna.post("tables/2/open", {"game_id": 1}, If_Match='"0"')

    assert (refused.status, refused.code) == (403, "not_permitted")


def test_the_page_of_a_tablet_uses_its_cookie_and_the_csrf_header(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    tablet, device = stage.on_tablet("table", 1, stage.house.cast.anna)

    answer = tablet.post("tables/1/hands/settle", whole_hand(86_00))

    assert answer.status == 200, answer.body
    event = Event.objects.get(name="tables.settle_hand")
    assert (event.staff_id, event.device_id) == (stage.house.cast.anna.pk, device.pk)


def test_without_the_csrf_header_a_cookie_is_not_enough(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    tablet, _device = stage.on_tablet("table", 1, stage.house.cast.anna)
    tablet.headers.clear()

    refused = tablet.post("tables/1/hands/settle", whole_hand(86_00))

    assert (refused.status, refused.code) == (403, "form_too_old")
    assert tablet.get("tables").status == 200


def test_a_tablet_of_one_table_cannot_touch_another(stage: Stage):
    stage.house.open(1, Lee=1, Kai=2)
    stage.house.open(2, Timo=1, Mika=2)
    tablet, device = stage.on_tablet("table", 1, stage.house.cast.anna)
    by_token = stage.by_token(stage.house.cast.anna, device=device)

    for caller in (tablet, by_token):
        refused = caller.post("tables/2/hands/settle", whole_hand(86_00))
        assert (refused.status, refused.code) == (403, "not_permitted")
        assert caller.get("tables/2").status == 403
        assert caller.get("tables/2/hands").status == 403
        assert [table["number"] for table in caller.get("tables").body] == [1]


def test_a_tablet_of_one_window_cannot_pay_from_another(stage: Stage):
    stage.mari.post("cage/drawers", {"number": 2, "name": "Cage 2"})
    window, _device = stage.on_tablet("cage", 2, stage.house.cast.carla)

    refused = window.post("cage/drawers/1/buy-ins", {"amount_cents": 50_00, "method": "cash"})

    assert (refused.status, refused.code) == (403, "not_permitted")


@pytest.mark.parametrize("path", ["nowhere", "tables/1/nowhere", "tables/99999999999999999999999"])
def test_an_address_that_is_none_is_a_problem_document_too(stage: Stage, path: str):
    answer = stage.mari.get(path)

    assert (answer.status, answer.code) == (404, "not_found")
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_full_names_are_the_cages_alone(stage: Stage):
    stage.carla.post("people/players", {"nickname": "Aulis", "full_name": "Aulis Virtanen"})

    (cage,) = stage.carla.get("people/players?search=aulis").body
    (floor,) = stage.frans.get("people/players?search=aulis").body

    assert (cage["full_name"], floor["full_name"]) == ("Aulis Virtanen", "")
    # To find somebody by it would tell it too.
    assert len(stage.carla.get("people/players?search=virtanen").body) == 1
    assert stage.frans.get("people/players?search=virtanen").body == []


def test_a_mistake_of_ours_is_a_problem_document_too(stage: Stage, monkeypatch: pytest.MonkeyPatch):
    caller = stage.anna
    monkeypatch.setattr("tables.api.reading.next_hand_at", lambda *_: 1 / 0)
    stage.house.open(1, Lee=1, Kai=2)

    answer = caller.get("tables/1")

    assert (answer.status, answer.code) == (500, "went_wrong")
    assert answer.headers["Content-Type"] == "application/problem+json"
