"""Deposits: signed by their players on paper, and listed by how long the money has lain."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.cage import open_items, services
from casino.cage.errors import AlreadySigned, NothingToSign, SlipNotToSign
from casino.cage.errors_days import DayLeavesOpen
from casino.cage.models import SignedPaper, Slip
from casino.cage.selectors.carried_over import carried_of
from casino.cage.selectors.deposits import AgeBand, deposits_after, deposits_by_age
from casino.cage.services import close_day
from casino.commands.carrying_out import Answer
from casino.ledger.proof import problems
from casino.people.models import Player
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from tests.cage.counting import carrying, closes
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import TONIGHT, command
from tests.support.locks import meet, without_lock
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def puts(desk: CageDesk, cents: int, *, at: datetime = TONIGHT, who: Player | None = None) -> Answer:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "player_id": (who or desk.lee).pk, "amount_cents": cents}
    return services.deposit(command(desk.carla, at=at), **arguments)


def takes(desk: CageDesk, cents: int, *, at: datetime = TONIGHT) -> Answer:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "player_id": desk.lee.pk, "amount_cents": cents}
    return services.withdraw(command(desk.carla, at=at), **arguments)


def days(count: int) -> datetime:
    return TONIGHT + timedelta(days=count)


@pytest.mark.parametrize(
    ("moves", "cents", "since", "lay"),
    [
        pytest.param([(0, 100_00)], 100_00, 0, 40, id="one that nobody touched"),
        pytest.param([(0, 100_00), (10, 50_00), (20, -100_00)], 50_00, 10, 30, id="the oldest goes first"),
        pytest.param([(0, 100_00), (10, 50_00), (20, -99_00)], 51_00, 0, 40, id="one euro of the oldest is left"),
        pytest.param([(0, 100_00), (5, -100_00), (30, 20_00)], 20_00, 30, 10, id="begun anew"),
    ],
)
def test_a_deposit_is_as_old_as_its_oldest_part(
    desk: CageDesk, moves: list[tuple[int, int]], cents: int, since: int, lay: int
) -> None:
    for day, moved in moves:
        (puts if moved > 0 else takes)(desk, abs(moved), at=days(day))

    (found,) = deposits_by_age(desk.cast.room, at=days(40))

    assert (found.nickname, found.cents, found.since, found.days) == ("Lee", cents, days(since), lay)
    assert found.moved_at == days(moves[-1][0])


def test_the_oldest_stands_first_and_the_list_asks_two_queries(desk: CageDesk) -> None:
    for number, nickname in enumerate(("Kai", "Sara", "Lee")):
        puts(desk, 10_00, at=days(number), who=desk.cast.players[nickname])

    with CaptureQueriesContext(connection) as queries:
        found = deposits_by_age(desk.cast.room, at=days(100))

    assert [each.nickname for each in found] == ["Kai", "Sara", "Lee"]
    assert len(queries) == 2
    mari = at_desktop(desk.cast.mari)
    with clock.frozen(days(100)):
        shown = mari.get("/cage/deposits/").content.decode()
        called = mari.get("/api/v1/cage/deposits?limit=1&offset=1").json()
    assert shown.index("Kai") < shown.index("Sara") < shown.index("Lee")
    assert [(each["player_id"], each["cents"], each["days"]) for each in called] == [
        (desk.cast.players["Sara"].pk, 10_00, 99)
    ]
    assert at_desktop(desk.carla).get("/cage/deposits/").status_code == 403


def test_a_days_report_has_deposits_by_bands_as_they_were(desk: CageDesk) -> None:
    day = open_day(desk.cast.room.pk)
    assert day is not None
    for ago, cents in ((400, 1_00), (91, 2_00), (90, 3_00), (31, 4_00), (30, 5_00), (0, 6_00)):
        who = Player.objects.create(room=desk.cast.room, nickname=f"P{ago}", created_at=TONIGHT)
        puts(desk, cents, at=days(-ago), who=who)

    assert deposits_after(day) == [
        AgeBand(0, 30, 2, 11_00),
        AgeBand(31, 90, 2, 7_00),
        AgeBand(91, 365, 1, 2_00),
        AgeBand(366, None, 1, 1_00),
    ]


def unsigned_items(room_id: int) -> list[int]:
    return [each.number for each in open_items.may_be_carried(room_id) if each.kind == "unsigned"]


@pytest.mark.slow
def test_a_day_leaves_no_deposit_unsigned_unless_a_manager_carries_it_and_it_may_be_signed_later(
    desk: CageDesk,
) -> None:
    paid = puts(desk, 50_00).data["slip_id"]
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH + 50_00, FLOAT_CHIPS)
    with pytest.raises(DayLeavesOpen):
        close_day(command(desk.cast.mari))
    close_day(command(desk.cast.mari), carrying=carrying(desk.cast.room.pk))
    (item,) = carried_of(GamingDay.objects.get())
    assert (item.name, item.is_open) == ("signature on slip 1–00001", True)
    page = f"/cage/slips/{paid}/"
    assert "⇧ F10" in at_desktop(desk.carla).get(page).content.decode()

    tap(at_desktop(desk.carla), f"{page}signature/")

    (item,) = carried_of(GamingDay.objects.get())
    assert not item.is_open
    assert "⇧ F10" not in at_desktop(desk.carla).get(page).content.decode()


def test_a_player_signs_a_deposit_once_and_nothing_else(desk: CageDesk) -> None:
    paid, bought = puts(desk, 50_00).data["slip_id"], buy(desk, 50_00).pk
    room_id = desk.cast.room.pk
    assert unsigned_items(room_id) == [paid]
    with pytest.raises(NothingToSign):
        services.note_signature(command(desk.carla), slip_id=bought)

    services.note_signature(command(desk.carla), slip_id=paid)

    with pytest.raises(AlreadySigned):
        services.note_signature(command(desk.carla), slip_id=paid)
    assert unsigned_items(room_id) == []
    assert (Slip.objects.get(id=paid).signed.seen_by, list(problems(room_id))) == (desk.carla, [])
    other = Slip.objects.get(id=puts(desk, 20_00).data["slip_id"])
    reverse(desk, other, signed(desk, other), desk.cast.frans)
    with pytest.raises(SlipNotToSign):
        services.note_signature(command(desk.carla), slip_id=other.pk)


def test_the_slip_has_a_line_to_sign_and_says_who_saw_it(desk: CageDesk) -> None:
    carla = at_desktop(desk.carla)
    slip_id = puts(desk, 50_00).data["slip_id"]
    panel = carla.get(f"/cage/slips/{slip_id}/panel/").content.decode()
    assert "Left with the house, signature" in panel
    assert "⇧ F10" in panel

    panel = tap(carla, f"/cage/slips/{slip_id}/signature/").content.decode()

    assert "Signed by the player" in panel
    assert "⇧ F10" not in panel


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_who_note_one_signature_leave_one(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    slip_id = puts(committed_desk, 50_00).data["slip_id"]
    if not is_locked:
        without_lock(monkeypatch, Slip)

    # The constraint has the last word.
    with pytest.raises(AlreadySigned if is_locked else IntegrityError):
        meet(*[lambda: services.note_signature(command(committed_desk.carla), slip_id=slip_id)] * 2)

    assert SignedPaper.objects.count() == 1
