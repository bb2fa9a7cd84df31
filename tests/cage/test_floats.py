"""A drawer opens with a float that two have counted by denomination; what opened before by one stays as it was."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from casino.cage import services
from casino.cage.models import DrawerSession
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services.opening import float_signs
from casino.commands.carrying_out import Command
from casino.errors import Malformed
from casino.ledger.models import Transfer
from casino.people.errors import NeedsSecondSignature
from tests.cage.counting import closes, opens, signed
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_counts import proved
from tests.cast import command
from tests.support.owner import as_owner

pytestmark = pytest.mark.two_houses

NONE = {"value_cents": 1_00, "count": 0}


@pytest.fixture
def closed(desk: CageDesk) -> CageDesk:
    """Return a desk whose drawer 1 is closed."""
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    return desk


def float_of(desk: CageDesk, **arguments: Any) -> dict[str, Any]:
    return {"drawer_id": desk.drawer_id, "cash": [NONE], "chips": [NONE], **arguments}


def signed_float(desk: CageDesk, arguments: dict[str, Any]) -> Command:
    signs = float_signs(desk.drawer_id, cash=arguments["cash"], chips=arguments["chips"])
    return signed(desk.carla, desk.cast.frans, signs)


def test_a_float_keeps_its_pieces_and_who_counted_them(closed: CageDesk) -> None:
    arguments = float_of(
        closed,
        cash=[{"value_cents": 50_00, "count": 4}, {"value_cents": 5_00, "count": 2}, NONE],
        chips=[{"value_cents": 100_00, "count": 30}],
    )

    services.open_drawer(signed_float(closed, arguments), **arguments, approved_by_id=closed.cast.frans.pk)

    session = DrawerSession.objects.latest("id")
    assert (session.float_cash_pieces, session.float_chip_pieces) == ([[50_00, 4], [5_00, 2]], [[100_00, 30]])
    assert (session.float_cash_cents, session.float_chips_cents) == (210_00, 3_000_00)
    assert (session.opened_by_id, session.opened_with_id) == (closed.carla.pk, closed.cast.frans.pk)
    figures = drawer_figures(closed.drawer_id)
    assert (figures["cash"], figures["chips"]) == (210_00, 3_000_00)
    assert Transfer.objects.filter(kind="drawer_opened").latest("id").approved_by_id == closed.cast.frans.pk
    assert proved(closed) == []


def test_a_drawer_may_open_with_nothing_and_two_say_so(closed: CageDesk) -> None:
    opens(closed.carla, closed.cast.frans, closed.drawer_id)

    session = DrawerSession.objects.latest("id")
    assert (session.float_cash_pieces, session.float_cash_cents) == ([], 0)
    assert proved(closed) == []


@pytest.mark.parametrize(
    ("pieces", "field"),
    [
        ({"cash": []}, "cash"),
        ({"chips": []}, "chips"),
        ({"cash": [{"value_cents": 3_00, "count": 1}]}, "cash"),
        ({"chips": [{"value_cents": 5_00, "count": -1}]}, "chips"),
    ],
    ids=["no cash said", "no chips said", "no such note", "less than none"],
)
def test_what_cannot_be_counted_opens_nothing(closed: CageDesk, pieces: dict[str, Any], field: str) -> None:
    arguments = float_of(closed, **pieces)

    with pytest.raises(Malformed) as refused:
        services.open_drawer(signed_float(closed, arguments), **arguments, approved_by_id=closed.cast.frans.pk)

    assert refused.value.data["field"] == field


def test_nobody_opens_a_drawer_alone_nor_signs_another_float(closed: CageDesk) -> None:
    arguments, frans = float_of(closed), closed.cast.frans
    other = signed_float(closed, float_of(closed, cash=[{"value_cents": 5_00, "count": 1}]))

    for signing, second in ((command(closed.carla), frans), (other, frans), (command(closed.carla), closed.carla)):
        with pytest.raises(NeedsSecondSignature):
            services.open_drawer(signing, **arguments, approved_by_id=second.pk)

    assert not DrawerSession.objects.filter(closed_at=None).exists()


def test_the_database_takes_no_float_by_one_person_twice(desk: CageDesk) -> None:
    with as_owner(), pytest.raises(IntegrityError, match="opened_by_pieces_and_by_two"), transaction.atomic():
        DrawerSession.objects.update(opened_with=desk.cast.mari)


def test_a_float_that_was_changed_is_found(desk: CageDesk) -> None:
    with as_owner():
        DrawerSession.objects.update(float_cash_pieces=[[500_00, 9]])
    assert sum("its float comes to 450000 in cash" in each for each in proved(desk)) == 1

    with as_owner():
        DrawerSession.objects.update(float_cash_pieces=[[500_00, 9]], float_cash_cents=4_500_00)

    assert sum("the float is 450000, and 500000 is posted" in each for each in proved(desk)) == 1


def test_what_one_person_opened_before_stays_closes_and_is_proved(desk: CageDesk) -> None:
    with as_owner():
        DrawerSession.objects.update(float_cash_pieces=None, float_chip_pieces=None, opened_with=None)
    before = proved(desk)

    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)

    # The log knew it as one that two had counted; nothing else is wrong, and closing it adds nothing.
    assert proved(desk) == before
    assert len(before) == 1
