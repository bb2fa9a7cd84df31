"""Whatever is played, put right, claimed, paid and ended: each pool's sum is what came in less what went out."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings

from jackpot.selectors.takings import fed_by
from tables.models import Hand
from tests.hostile.test_machines import DEEP, PLANTING, QUICK, play
from tests.jackpot.books import JACKPOTS_OF_TWO_KINDS
from tests.jackpot.machine import JackpotMachine, open_tables
from tests.tables.conftest import House, make_house

# One transaction is open for the whole file: beside none that asks which are open (tests/live/test_hub.py).
pytestmark = [pytest.mark.xdist_group("a transaction stays open"), pytest.mark.usefixtures("contexts")]
SHORT = settings(QUICK, max_examples=1, stateful_step_count=25)


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return a room with two jackpots and two tables, made once: each example plays in a savepoint of its own."""
    book = tmp_path_factory.mktemp("books") / "two.toml"
    book.write_text(JACKPOTS_OF_TWO_KINDS)
    with django_db_blocker.unblock(), transaction.atomic():
        house = make_house(book=str(book))
        open_tables(house)
        yield house
        transaction.set_rollback(True)


@pytest.mark.rule("H7.17", "H7.33", "L-P41", "L-P43")
def test_each_sum_is_what_came_in_less_what_went_out_in_a_short_evening(made: House) -> None:
    play(JackpotMachine, made, SHORT)


@pytest.mark.slow
def test_each_sum_is_what_came_in_less_what_went_out_in_a_long_night(made: House) -> None:
    JackpotMachine.done.clear()
    play(JackpotMachine, made, DEEP)

    missing = {
        "undo", "void", "correct", "call", "enter", "verify", "dispute", "end called", "end verified", "approve",
        "approve: earlier_claim_waits", "approve: hand_not_settled", "pay", "pay: share_disputed",
        "correct the sum", "recover", "wind down", "close",
    } - set(JackpotMachine.done)  # fmt: skip
    assert not missing, f"never done: {missing}; done: {JackpotMachine.done}"


# Each stands for a slip of the pen in a service.
PLANTED = [
    pytest.param("jackpot.services.takings.cover", lambda *_, **__: None, id="nobody covers what was taken back"),
    pytest.param(
        "jackpot.services.takings.pools_for",
        lambda room_id, day_id, fed, cents, book: [(fed_by(room_id, fed.code, book), cents)],
        id="drops are taken back from whichever pool the game feeds by then",
    ),
    pytest.param(
        "jackpot.selectors.takings.back_from",
        lambda cents, *, had, went: {had: cents},
        id="the house pays back what another pool has got",
    ),
    pytest.param("jackpot.services.approving.top_up_to_seed", lambda *_, **__: None, id="no guarantee after a claim"),
    pytest.param("jackpot.services.approving._check_order", lambda *_, **__: None, id="the later claim is paid first"),
    pytest.param(
        "jackpot.selectors.judging.log_of",
        lambda row: [Hand.objects.get(pk=row)],
        id="a claim stays with a hand that was undone",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("where", "what"), PLANTED)
def test_the_machine_finds_what_is_planted(
    where: str, what: Any, made: House, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    monkeypatch.setattr(where, what)

    with pytest.raises(AssertionError):
        play(JackpotMachine, made, PLANTING)
    record_property("planted defects found", 1)
