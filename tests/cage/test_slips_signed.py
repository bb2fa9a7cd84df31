"""What moves a player's deposit is signed by that player on paper, by whatever kind of slip; no day closes without."""

from importlib import import_module
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from casino.cage import open_items, services
from casino.cage.errors import SlipNotToSign
from casino.cage.models import Slip
from casino.cage.services.signing import unsigned
from tests.cage.desk import CageDesk
from tests.cage.test_deposits_held import puts, takes
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import command
from tests.support.owner import as_owner
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def items(desk: CageDesk) -> list[int]:
    return [each.number for each in open_items.may_be_carried(desk.cast.room.pk) if each.kind == "unsigned"]


def cashes(desk: CageDesk, method: str) -> Slip:
    arguments: dict[str, Any] = {"player_id": desk.lee.pk, "amount_cents": 50_00, "method": method}
    answer = services.cash_out(command(desk.carla), drawer_id=desk.drawer_id, **arguments)
    return Slip.objects.get(id=answer.data["slip_id"])


def by_deposit(desk: CageDesk, kind: str) -> Slip:
    """Have chips bought off Lee's deposit, or cashed onto it, beside slips that are signed or need it not."""
    services.note_signature(command(desk.carla), slip_id=puts(desk, 50_00).data["slip_id"])
    buy(desk, 100_00, player_id=desk.lee.pk)
    cashes(desk, "cash")
    return buy(desk, 50_00, "deposit", player_id=desk.lee.pk) if kind == "buy_in" else cashes(desk, "deposit")


@pytest.mark.parametrize(
    ("kind", "line"),
    [("buy_in", "Taken off the deposit, signature"), ("cash_out", "Left with the house, signature")],
)
def test_what_a_deposit_pays_and_what_is_paid_onto_it_is_signed(desk: CageDesk, kind: str, line: str) -> None:
    carla, slip = at_desktop(desk.carla), by_deposit(desk, kind)
    assert items(desk) == [slip.pk]
    panel, page = (carla.get(f"/cage/slips/{slip.pk}/{part}").content.decode() for part in ("panel/", ""))
    assert all(line in shown and "⇧ F10" in shown for shown in (panel, page))
    called = f"/api/v1/cage/slips/{slip.pk}"
    assert carla.get(called).json()["moves_deposit"] is True

    assert carla.post(f"{called}/signature", headers={"Idempotency-Key": str(uuid4())}).status_code == 200

    assert items(desk) == []
    assert carla.get(called).json()["signed_at"]
    assert "⇧ F10" not in carla.get(f"/cage/slips/{slip.pk}/").content.decode()


def test_a_slip_that_was_taken_back_is_signed_by_nobody(desk: CageDesk) -> None:
    slip = by_deposit(desk, "buy_in")

    reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    assert items(desk) == []
    with pytest.raises(SlipNotToSign, match="No player signs"):
        services.note_signature(command(desk.carla), slip_id=slip.pk)
    page = at_desktop(desk.carla).get(f"/cage/slips/{slip.pk}/").content.decode()
    assert "VOID" in page
    assert ", signature" not in page


def test_a_slip_says_of_itself_what_a_query_finds(desk: CageDesk) -> None:
    by_deposit(desk, "buy_in")
    cashes(desk, "deposit")
    takes(desk, 50_00)

    moving = [slip for slip in Slip.objects.order_by("id") if slip.moves_deposit]

    assert [(slip.kind, slip.method) for slip in moving] == [
        ("deposit", "cash"), ("buy_in", "deposit"), ("cash_out", "deposit"), ("withdrawal", "cash"),
    ]  # fmt: skip
    assert list(Slip.objects.filter(Slip.MOVES_DEPOSIT).order_by("id")) == moving
    assert list(unsigned(desk.cast.room.pk).order_by("id")) == moving[1:]


def test_what_was_paid_before_players_signed_it_keeps_no_day_open_and_may_be_signed(desk: CageDesk) -> None:
    """As an upgrade leaves them: `cage.0028`."""
    deposit, slip = puts(desk, 50_00).data["slip_id"], by_deposit(desk, "buy_in")

    with as_owner(), connection.cursor() as cursor:
        cursor.execute(import_module("casino.cage.migrations.0028_signed_by_means").OF_BEFORE)

    assert items(desk) == [deposit]
    services.note_signature(command(desk.carla), slip_id=slip.pk)
    slip.refresh_from_db()
    assert slip.signed.seen_by == desk.carla
    later = cashes(desk, "deposit")
    assert items(desk) == [deposit, later.pk]
