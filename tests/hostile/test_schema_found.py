"""What schemathesis found, each by the request that showed it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from casino import clock
from tests.api.document import document
from tests.api.stage import Stage, make_stage
from tests.cast import TONIGHT


@pytest.fixture
def stage(db: None) -> Iterator[Stage]:
    """Return the room, half an hour after it opened."""
    made = make_stage()
    with clock.frozen(TONIGHT + timedelta(minutes=30)):
        yield made


def test_an_empty_moment_of_the_tap_is_none(stage: Stage):
    tablet, _device = stage.on_tablet("table", 1, stage.house.cast.anna)

    for caller in (stage.anna, tablet):
        answer = caller.post("tables/1/tips", {"counted_cents": 5_00}, X_Tapped_At="")
        assert (answer.status, answer.body["data"]) == (400, {"field": "X-Tapped-At"})


@pytest.mark.parametrize("path", ["tables/1/hands?status=", "todos?is_open=", "cage/slips?drawer_number="])
def test_a_choice_said_empty_is_no_choice(stage: Stage, path: str):
    assert stage.mari.get(path).status == 400


def test_any_language_may_be_asked_for():
    for methods in document()["paths"].values():
        for operation in methods.values():
            (language,) = [each for each in operation["parameters"] if each["name"] == "Accept-Language"]
            assert "enum" not in language["schema"]


def test_every_reading_says_that_a_request_may_be_unreadable(stage: Stage):
    tablet, _device = stage.on_tablet("floor", 1, stage.house.cast.frans)

    assert tablet.get("cage/day", X_Tapped_At="yesterday").status == 400
    assert stage.mari.get("cage/day?x=%00").status == 400
    for methods in document()["paths"].values():
        assert all("400" in operation["responses"] for operation in methods.values())
