"""Money one way, chips the other: buy-ins, cash-outs, deposits, and slips that waited."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.cage import deliveries, services
from casino.cage.errors import (
    DrawerClosed,
    MethodNotTaken,
    NeedsPlayer,
    SlipNotWaiting,
)
from casino.cage.models import Slip
from casino.cage.selectors.drawers import drawer_figures
from casino.commands.carrying_out import Answer, Command
from casino.errors import Malformed, NotFound, NotPermitted, Refusal, Stale
from casino.ledger.errors import PromiseTooSmall
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import deposit_cents, room_figure
from tables.owners import table_figures
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, SEAT, CageDesk, new_id, with_seat
from tests.cast import command, enrolled

pytestmark = pytest.mark.two_houses


def buy(desk: CageDesk, cents: int = 200_00, method: str = "cash", **more: Any) -> Slip:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": cents, "method": method, "again": True}
    answer = services.buy_in(command(desk.carla), **arguments, **more)
    return Slip.objects.get(id=int(answer.data["slip_id"]))


def test_a_buy_in_moves_cash_in_and_chips_into_the_players_hands(desk: CageDesk) -> None:
    slip = buy(desk, player_id=desk.lee.pk)

    figures = drawer_figures(desk.drawer_id)
    assert (figures["cash"], figures["chips"]) == (FLOAT_CASH + 200_00, FLOAT_CHIPS - 200_00)
    assert (figures["outside"], figures["hands"]) == (-200_00, 200_00)
    assert (slip.status, slip.number) == ("paid", 1)
    assert slip.transfer_id is not None
    assert Transfer.objects.get(id=slip.transfer_id).about == {
        "drawer": 1, "slip": 1, "player": desk.lee.pk, "method": "cash",
    }  # fmt: skip


def test_a_card_leaves_a_slip_in_the_drawer_and_a_deposit_pays_without_cash(desk: CageDesk) -> None:
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)
    buy(desk, 100_00, "card", player_id=desk.lee.pk)
    buy(desk, 250_00, "deposit", player_id=desk.lee.pk)

    figures = drawer_figures(desk.drawer_id)
    assert (figures["cash"], figures["card_slips"]) == (FLOAT_CASH + 300_00, 100_00)
    assert figures["hands"] == 350_00
    assert deposit_cents(desk.lee.pk) == 50_00 == -figures["deposits_held"]
    assert list(problems(desk.cast.room.pk)) == []


def test_chips_come_back_for_cash_or_onto_the_deposit(desk: CageDesk) -> None:
    buy(desk, 500_00)
    services.cash_out(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=150_00, unnamed="bought_today")
    services.cash_out(
        command(desk.carla), drawer_id=desk.drawer_id, amount_cents=100_00, method="deposit", player_id=desk.lee.pk
    )

    assert room_figure(desk.cast.room.pk, "hands") == 250_00
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH + 350_00
    assert deposit_cents(desk.lee.pk) == 100_00


def test_a_withdrawal_pays_what_is_there_and_no_more(desk: CageDesk) -> None:
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)
    services.withdraw(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=299_99)

    with pytest.raises(PromiseTooSmall):
        services.withdraw(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=2)

    assert deposit_cents(desk.lee.pk) == 1
    assert Slip.objects.count() == 2


def test_slips_are_numbered_without_a_gap_also_after_a_refusal(desk: CageDesk) -> None:
    buy(desk)
    with pytest.raises(PromiseTooSmall):
        buy(desk, method="deposit", player_id=desk.lee.pk)
    buy(desk)

    assert list(Slip.objects.order_by("id").values_list("number", flat=True)) == [1, 2]


@pytest.mark.parametrize(
    ("refusal", "what"),
    [
        (Malformed, {"amount_cents": 0}),
        (MethodNotTaken, {"method": "promise"}),
        (NeedsPlayer, {"method": "deposit"}),
        (NotFound, {"player_id": 0}),
        (NotFound, {"drawer_id": 0}),
    ],
)
def test_what_a_buy_in_refuses(desk: CageDesk, refusal: type[Refusal], what: dict[str, Any]) -> None:
    args: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 100_00, "method": "cash"} | what

    with pytest.raises(refusal):
        services.buy_in(command(desk.carla), **args)

    assert not Slip.objects.exists()


def test_a_card_neither_takes_chips_nor_pays_a_deposit_out(desk: CageDesk) -> None:
    with pytest.raises(MethodNotTaken):
        services.cash_out(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=100, method="card")


def test_nothing_is_paid_from_a_closed_drawer(desk: CageDesk) -> None:
    closed = services.add_drawer(command(desk.cast.mari), number=2, name="Cage 2").data["drawer_id"]

    with pytest.raises(DrawerClosed, match="Drawer 2 is closed"):
        services.buy_in(command(desk.carla), drawer_id=closed, amount_cents=100_00, method="cash")


def test_a_window_pays_from_its_own_drawer_alone(desk: CageDesk) -> None:
    other = enrolled(desk.cast.room, "cage", 2)

    with pytest.raises(NotPermitted):
        services.buy_in(command(desk.carla, device=other), drawer_id=desk.drawer_id, amount_cents=100_00, method="cash")


def test_a_request_waits_until_money_is_taken(desk: CageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = with_seat(desk, monkeypatch)
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00, seat=SEAT)
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH
    assert seat.calls == ["lock", "check"]

    services.take_money(
        command(desk.carla),
        slip_id=request.data["slip_id"],
        drawer_id=desk.drawer_id,
        method="cash",
        version=request.version,
    )

    slip = Slip.objects.get()
    assert (slip.status, slip.number, slip.requested_by_id) == ("paid", 1, desk.cast.anna.pk)
    assert table_figures(4)["in_play"] == 200_00
    assert seat.calls[2:] == ["lock", "check", "delivered"]


def test_what_a_slip_of_before_is_about_is_read_still() -> None:
    plain = {"table": 4, "table_number": 4, "seating": 9, "seat_number": 3}
    about = {**plain, "stack": "under_blind", "anew": True, "is_short": True}

    assert Slip(about={}).seat is None
    assert Slip(about={"claim": 1, "share": 2, "table": 4, "hand": 17}).seat is None
    assert Slip(about=plain).seat == SEAT
    assert Slip(about={**plain, "of_an_older_version": 1}).seat == SEAT
    seat = Slip(about=about).seat
    assert seat == replace(SEAT, stack="under_blind", anew=True, is_short=True)
    # As a slip has it, answers and the log's fingerprint have it: nothing is said that was not said before.
    assert (SEAT.to_json(), seat.to_json(), replace(SEAT, stack=0).to_json()) == (plain, about, {**plain, "stack": 0})


def test_a_destinations_refusal_holds_at_the_asking_and_at_the_paying(
    desk: CageDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = with_seat(desk, monkeypatch)
    ask: dict[str, Any] = {"player_id": desk.lee.pk, "amount_cents": 200_00, "seat": SEAT}
    waiting = services.request_buy_in(command(desk.cast.anna), **ask)
    seat.refuses = NeedsPlayer()

    with pytest.raises(NeedsPlayer):
        services.request_buy_in(command(desk.cast.anna), **ask)
    with pytest.raises(NeedsPlayer):
        services.take_money(
            command(desk.carla), slip_id=waiting.data["slip_id"], drawer_id=desk.drawer_id, method="cash"
        )

    assert Slip.objects.get().status == "requested"
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH


def test_before_money_is_taken_a_slip_can_be_cancelled_and_then_no_more(desk: CageDesk) -> None:
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    slip_id = request.data["slip_id"]
    services.cancel_slip(command(desk.cast.frans), slip_id=slip_id, version=1)

    with pytest.raises(SlipNotWaiting):
        services.take_money(command(desk.carla), slip_id=slip_id, drawer_id=desk.drawer_id, method="cash")
    with pytest.raises(SlipNotWaiting):
        services.cancel_slip(command(desk.carla), slip_id=slip_id)
    paid = buy(desk)
    with pytest.raises(SlipNotWaiting):
        services.cancel_slip(command(desk.carla), slip_id=paid.pk)


def test_a_tap_on_an_older_state_of_the_slip_is_stale(desk: CageDesk) -> None:
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    services.cancel_slip(command(desk.cast.frans), slip_id=request.data["slip_id"])

    with pytest.raises(Stale):
        services.take_money(
            command(desk.carla), slip_id=request.data["slip_id"], drawer_id=desk.drawer_id, method="cash", version=1
        )


def test_a_cash_out_tells_whoever_waits_for_it(desk: CageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    class Uncounted(deliveries.CashOutHook):
        calls: list[object] = []

        def lock(self, slip: Slip) -> bool:
            self.calls.append("lock")
            return slip.player_id is not None

        def cashed_out(self, slip: Slip, command: Any) -> tuple[str, ...]:
            self.calls.append((slip.player_id, slip.amount_cents, slip.transfer_id is not None))
            return ("table.4.floor",)

    monkeypatch.setattr(deliveries, "on_cash_out", [Uncounted()])
    services.cash_out(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=80_00, player_id=desk.lee.pk)
    services.cash_out(command(desk.carla), drawer_id=desk.drawer_id, amount_cents=50_00, unnamed="bought_today")

    assert Uncounted.calls == ["lock", (desk.lee.pk, 80_00, True), "lock"]


def test_the_same_tap_again_pays_once(desk: CageDesk) -> None:
    same = new_id()
    ask: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 200_00, "method": "cash"}

    first = services.buy_in(command(desk.carla, id=same), **ask)
    second = services.buy_in(command(desk.carla, id=same), **ask)

    assert second.is_replay
    assert second.data == first.data
    assert Slip.objects.count() == 1


@pytest.mark.parametrize(
    ("what", "most"), [("buy_in", 15), ("buy_in by deposit", 17), ("cash_out", 17), ("take_money", 17)]
)
def test_a_movement_over_the_counter_asks_few_statements(desk: CageDesk, what: str, most: int) -> None:
    """Claim, book, day, player, drawer, session, day's sum, figures, number, post, slip, mark, chips, event, answer."""
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    buy(desk, 100_00)
    args: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 100_00, "player_id": desk.lee.pk}
    works: dict[str, Callable[[Command], Answer]] = {
        "buy_in": lambda by: services.buy_in(by, **args, method="cash"),
        "buy_in by deposit": lambda by: services.buy_in(by, **args, method="deposit"),
        "cash_out": lambda by: services.cash_out(by, **args),
        "take_money": lambda by: services.take_money(
            by, slip_id=request.data["slip_id"], drawer_id=desk.drawer_id, method="cash"
        ),
    }
    by = command(desk.carla)

    with CaptureQueriesContext(connection) as queries:
        works[what](by)

    # The outermost savepoint is a transaction in real life; here it stands inside the test's own.
    assert len(queries) - 2 <= most, "\n".join(query["sql"][:150] for query in queries)
