"""A slip that nobody carries yet, or whose place is closed: who sees it, and what its page says is to be done first."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from casino.audit.models import Event
from casino.cage.errors import CashShort, DrawerClosed
from casino.cage.errors_vault import VaultCountedFirst
from casino.cage.models_fills import FillSlip
from casino.cage.push import render_fills
from casino.cage.selectors.todo_fills import fill_lines
from casino.cage.services import close_day, open_day
from casino.errors import Refusal
from casino.ledger.errors import VaultShort
from casino.ledger.selectors.accounts import house_figures
from casino.ledger.templatetags.money import money
from casino.live.render import fragment
from casino.live.todo import ToDoLine
from casino.patience import FILL_TAKES
from casino.people.models import Staff
from casino.rooms.errors import NoOpenDay
from tests.cage.counting import carrying, closes, opens
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.filling import Filling
from tests.cage.test_counts import proved
from tests.cast import TONIGHT, command
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

GIVEN, COUNTED, BACK, OFF = "Given to the runner", "Counted: it is here", "Counted: it is back", "Call it off"


@pytest.fixture
def fills(desk: CageDesk) -> Filling:
    return Filling(desk.cast, at=TONIGHT)


def lines(desk: CageDesk) -> list[ToDoLine]:
    return list(fill_lines(room_id=desk.cast.room.pk))


def page_of(slip: FillSlip, by: Staff) -> str:
    return at_desktop(by).get(f"/cage/fills/{slip.pk}/").content.decode()


def stand(slip: FillSlip) -> str:
    """Return how the fills' audience is told that a slip stands."""
    html = fragment(slip.room_id, "fills", "en").html
    return next(each for each in html.split("<span") if f'data-of="{slip.pk}"' in each)


def close_drawer(desk: CageDesk) -> None:
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_what_no_runner_has_yet_is_the_floors_to_do_until_it_goes_or_is_called_off(
    desk: CageDesk, fills: Filling, kind: str
) -> None:
    slip, other = fills.authorised(5_00, kind=kind), fills.authorised(0, 5_00, kind=kind)

    first, second = lines(desk)

    assert first.text == f"Fill slip {slip.number} waits for a runner: Cash {money(5_00, desk.cast.room)}"
    assert first.address == f"/cage/fills/{slip.pk}/"
    assert slip.authorised_at is not None
    assert first.shown_from == second.shown_from == slip.authorised_at + FILL_TAKES
    fills.refuses(other)
    fills.sends(slip, 5_00)
    assert [line.key for line in lines(desk)] == [f"fill_long.{slip.pk}"]


def test_one_that_was_carried_over_the_days_end_still_stands_there(desk: CageDesk, fills: Filling) -> None:
    slip = fills.authorised(5_00)
    close_drawer(desk)
    close_day(command(desk.cast.mari), carrying=carrying(desk.cast.room.pk))
    open_day(command(desk.cast.mari, at=TONIGHT + timedelta(days=1)))

    assert [line.key for line in lines(desk)] == [f"fill_waits.{slip.pk}"]


def _closes_drawer(desk: CageDesk) -> None:
    close_drawer(desk)


def _closes_day(desk: CageDesk) -> None:
    close_drawer(desk)
    close_day(command(desk.cast.mari), carrying=carrying(desk.cast.room.pk))


@pytest.mark.parametrize(
    ("act", "error", "first"),
    [
        (_closes_drawer, DrawerClosed, "Drawer 1 is closed. Open it with its float first."),
        (_closes_day, NoOpenDay, "No gaming day is open. A manager opens the day first."),
    ],
    ids=["drawer", "day"],
)
@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_what_cannot_be_given_now_is_offered_to_nobody_and_says_what_is_to_be_done_first(
    desk: CageDesk, fills: Filling, kind: str, act: Callable[[CageDesk], None], error: type[Refusal], first: str
) -> None:
    slip = fills.authorised(5_00, kind=kind)
    before, page = stand(slip), page_of(slip, desk.carla)
    assert (GIVEN in page, first in page) == (True, False)

    act(desk)

    with pytest.raises(error):
        fills.sends(slip, 5_00)
    page = page_of(slip, desk.carla)
    assert [each in page for each in (GIVEN, first, OFF)] == [False, True, True]
    assert stand(slip) != before
    assert fills.refuses(slip, "closed").status == "refused"
    assert proved(desk) == []


def test_once_the_drawer_is_open_again_it_is_given(desk: CageDesk, fills: Filling) -> None:
    slip = fills.authorised(5_00)
    before = stand(slip)
    close_drawer(desk)
    opens(desk.carla, desk.cast.frans, desk.drawer_id)

    assert GIVEN in page_of(slip, desk.carla)
    assert stand(slip) == before
    assert fills.sends(slip, 5_00).status == "delivered"


@pytest.mark.parametrize(("kind", "offered"), [("fill", [False, True]), ("credit", [True, False])])
def test_what_is_on_its_way_is_counted_at_the_vault_while_its_drawer_is_closed(
    desk: CageDesk, fills: Filling, kind: str, offered: list[bool]
) -> None:
    slip, cash = fills.sent(5_00, kind=kind), FLOAT_CASH - (5_00 if kind == "credit" else 0)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, cash, FLOAT_CHIPS)

    page = page_of(slip, desk.carla)

    assert [each in page for each in (COUNTED, BACK)] == offered
    assert "Drawer 1 is closed." in page
    with pytest.raises(DrawerClosed):
        fills.counts(slip, 5_00, reason="" if kind == "fill" else "closed")
    assert fills.counts(slip, 5_00, reason="closed" if kind == "fill" else "").is_counted


def test_nothing_is_counted_while_no_day_is_open(desk: CageDesk, fills: Filling) -> None:
    slip = fills.sent(5_00)
    _closes_day(desk)

    page = page_of(slip, desk.carla)

    assert [each in page for each in (COUNTED, BACK)] == [False, False]
    assert "No gaming day is open." in page


def test_a_drawer_that_is_counted_first_gives_no_credit_and_takes_a_fill(desk: CageDesk, fills: Filling) -> None:
    slip, fill = fills.authorised(5_00, kind="credit"), fills.authorised(5_00)
    beyond = fills.authorised(FLOAT_CASH + 5_00, kind="credit")
    before = stand(slip), stand(fill)
    for _ in range(desk.limits.short_payouts_most):
        with pytest.raises(CashShort):
            fills.sends(beyond, FLOAT_CASH + 5_00)

    assert [GIVEN in page_of(each, desk.carla) for each in (slip, fill)] == [False, True]
    assert "cage" in Event.objects.latest("id").audiences
    assert (stand(slip) == before[0], stand(fill) == before[1]) == (False, True)


def test_a_vault_that_gives_nothing_gives_no_fill_but_to_who_reads_the_books(desk: CageDesk, fills: Filling) -> None:
    slip, beyond = fills.authorised(5_00), house_figures(desk.cast.room.pk)["vault_cash"] + 500_00
    more, before = fills.authorised(beyond), stand(slip)
    for _ in range(desk.limits.short_payouts_most):
        with pytest.raises(VaultShort):
            fills.sends(more, beyond)

    with pytest.raises(VaultCountedFirst):
        fills.sends(slip, 5_00)
    pages = [page_of(slip, each) for each in (desk.carla, desk.cast.mari)]
    assert [GIVEN in page for page in pages] == [False, True]
    assert "Two count it first" in pages[0]
    assert stand(slip) != before


def test_how_many_slips_are_on_their_way_costs_their_screen_nothing(
    desk: CageDesk, fills: Filling, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    room_id = desk.cast.room.pk
    fills.sent(5_00), fills.authorised(5_00), fills.authorised(5_00, kind="credit")
    with CaptureQueriesContext(connection) as of_few:
        few = render_fills(room_id=room_id)
    for _ in range(3):
        fills.sent(5_00), fills.authorised(5_00), fills.authorised(5_00, kind="credit")

    with django_assert_max_num_queries(len(of_few)):
        many = render_fills(room_id=room_id)

    assert (few.count("data-of"), many.count("data-of")) == (4, 13)
    assert len(of_few) == 6
