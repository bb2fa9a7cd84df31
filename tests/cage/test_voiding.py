"""After money was taken: reversed by two, numbered as it was, printed VOID."""

import pytest

from casino.cage import services
from casino.cage.errors import DrawerClosed, NeedsAnotherApprover, NeedsPlayer, SlipNotPaid
from casino.cage.models import Doubt, DrawerSession, Slip
from casino.cage.selectors.blind import held_open, payers_of
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services.voiding import NEEDS
from casino.commands.carrying_out import Command
from casino.errors import Malformed, Stale
from casino.ledger.errors import PromiseTooSmall
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.people.errors import NeedsSecondSignature, SamePerson, SecondMayNot, WrongPin
from casino.people.models import Staff
from casino.people.services import second_person
from tables.owners import table_figures
from tests.cage.counting import closes, opens, recounts
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, SEAT, CageDesk, with_seat
from tests.cage.test_paying import buy
from tests.cast import command, demo_person
from tests.support.owner import as_owner
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def reverse(desk: CageDesk, slip: Slip, by: Command, approver: Staff, **more: object) -> None:
    services.reverse_slip(
        by,
        slip_id=slip.pk,
        reason="wrong_amount",
        approved_by_id=approver.pk,
        **more,  # type: ignore[arg-type]
    )


def signed(desk: CageDesk, slip: Slip, *, by: Staff | None = None, second: Staff | None = None) -> Command:
    return desk.signed(by or desk.carla, second or desk.cast.frans, needs=NEEDS, signs=f"slip.{slip.pk}")


def panel(desk: CageDesk, slip: Slip) -> str:
    return at_desktop(desk.carla).get(f"/cage/slips/{slip.pk}/panel/").content.decode()


def test_a_reversal_mirrors_the_transfer_and_keeps_the_number(desk: CageDesk) -> None:
    slip = buy(desk, player_id=desk.lee.pk)

    reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    slip.refresh_from_db()
    assert (slip.status, slip.number, slip.void_reason) == ("void", 1, "wrong_amount")
    assert (slip.voided_by_id, slip.void_approved_by_id) == (desk.carla.pk, desk.cast.frans.pk)
    figures = drawer_figures(desk.drawer_id)
    assert (figures["cash"], figures["chips"], figures["hands"]) == (FLOAT_CASH, FLOAT_CHIPS, 0)
    assert slip.void_transfer_id is not None
    mirror = Transfer.objects.get(id=slip.void_transfer_id)
    assert (mirror.reverses_id, mirror.approved_by_id) == (slip.transfer_id, desk.cast.frans.pk)
    assert list(problems(desk.cast.room.pk)) == []
    assert buy(desk).number == 2


def test_who_reversed_a_slip_there_reads_the_drawers_figures_no_more(desk: CageDesk) -> None:
    """As little as who paid: either is somebody else than who counts it."""
    dan, slip = desk.cast.dan, buy(desk)
    dan.roles = ["dealer", "cashier"]
    dan.save(update_fields=["roles"])
    assert held_open(desk.cast.room.pk, dan.pk) == set()

    reverse(desk, slip, signed(desk, slip, by=dan), desk.cast.frans)

    assert dan.pk in payers_of(DrawerSession.objects.get(closed_at=None))
    assert held_open(desk.cast.room.pk, dan.pk) == {desk.drawer_id}
    assert held_open(desk.cast.room.pk, desk.cast.frans.pk) == set()


def test_an_id_is_no_signature(desk: CageDesk) -> None:
    slip = buy(desk)

    with pytest.raises(NeedsSecondSignature):
        reverse(desk, slip, command(desk.carla), desk.cast.frans)


def test_a_signature_holds_for_what_was_signed_by_whom(desk: CageDesk) -> None:
    slip, other = buy(desk), buy(desk)

    with pytest.raises(NeedsSecondSignature):
        reverse(desk, slip, signed(desk, other), desk.cast.frans)
    with pytest.raises(NeedsSecondSignature):
        reverse(desk, slip, signed(desk, slip), desk.cast.mari)


def test_who_asks_never_approves(desk: CageDesk) -> None:
    slip = buy(desk)

    with pytest.raises(SamePerson):
        signed(desk, slip, second=desk.carla)
    with pytest.raises(NeedsAnotherApprover):
        reverse(desk, slip, command(desk.carla), desk.carla)


def test_who_paid_never_approves_even_as_a_manager(desk: CageDesk) -> None:
    paid = services.buy_in(command(desk.cast.mari), drawer_id=desk.drawer_id, amount_cents=100_00, method="cash")
    slip = Slip.objects.get(id=paid.data["slip_id"])

    with pytest.raises(NeedsAnotherApprover):
        reverse(desk, slip, signed(desk, slip, second=desk.cast.mari), desk.cast.mari)


def test_the_second_person_needs_the_right_and_the_pin(desk: CageDesk) -> None:
    slip = buy(desk)

    with pytest.raises(SecondMayNot):
        signed(desk, slip, second=desk.cast.dan)
    with pytest.raises(WrongPin):
        second_person(command(desk.carla), username="frans", pin="0000", needs=NEEDS, signs=f"slip.{slip.pk}")
    assert demo_person("frans").pin != "0000"


def test_a_slip_is_reversed_once_and_only_when_paid(desk: CageDesk) -> None:
    slip = buy(desk)
    reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    waiting = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    requested = Slip.objects.get(id=waiting.data["slip_id"])

    with pytest.raises(SlipNotPaid):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    with pytest.raises(SlipNotPaid):
        reverse(desk, requested, signed(desk, requested), desk.cast.frans)
    with pytest.raises(Stale):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans, version=1)


def test_a_reason_is_one_of_the_houses(desk: CageDesk) -> None:
    slip = buy(desk)

    with pytest.raises(Malformed):
        services.reverse_slip(
            signed(desk, slip), slip_id=slip.pk, reason="Lee was rude", approved_by_id=desk.cast.frans.pk
        )


def test_a_deposit_that_was_used_cannot_be_taken_back(desk: CageDesk) -> None:
    kept = services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=300_00)
    buy(desk, 250_00, "deposit", player_id=desk.lee.pk)
    slip = Slip.objects.get(id=kept.data["slip_id"])

    with pytest.raises(PromiseTooSmall):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans)


def test_chips_at_a_seat_are_taken_back_from_there(desk: CageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = with_seat(desk, monkeypatch)
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00, seat=SEAT)
    slip = Slip.objects.get(id=request.data["slip_id"])
    services.take_money(command(desk.carla), slip_id=slip.pk, drawer_id=desk.drawer_id, method="cash")
    seat.refuses = NeedsPlayer()
    with pytest.raises(NeedsPlayer):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    assert table_figures(4)["in_play"] == 200_00

    seat.refuses = None
    reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    assert table_figures(4)["in_play"] == 0


def test_money_goes_back_out_of_an_open_drawer_alone(desk: CageDesk) -> None:
    slip = buy(desk)
    panels = [panel(desk, slip)]
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH + 200_00, FLOAT_CHIPS - 200_00)

    with pytest.raises(DrawerClosed):
        reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    panels.append(panel(desk, slip))
    assert ['data-opens="reverse"' in each for each in panels] == [True, False]
    assert ["Drawer 1 is closed" in each for each in panels] == [False, True]


def test_a_card_slip_of_an_earlier_session_comes_back_out_of_the_vault(desk: CageDesk) -> None:
    slip = buy(desk, 200_00, "card", player_id=desk.know(desk.lee).pk)
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS - 200_00, 200_00)
    opens(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS - 200_00)
    reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    counted = closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS).data

    assert (counted["money_difference_cents"], counted["chips_difference_cents"]) == (0, 0)
    assert not Doubt.objects.exists()
    assert house_figures(desk.cast.room.pk)["vault_card_slips"] == 0
    assert list(problems(desk.cast.room.pk)) == []
    with as_owner():
        Slip.objects.filter(id=slip.pk).update(amount_cents=190_00)
    assert "card_slip_fetched" in {each.what for each in problems(desk.cast.room.pk)}


def test_a_card_slip_that_was_fetched_since_is_not_missing_in_a_recount(desk: CageDesk) -> None:
    slip = buy(desk, 200_00, "card", player_id=desk.know(desk.lee).pk)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS - 201_00, 200_00)
    opens(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS - 201_00)
    reverse(desk, slip, signed(desk, slip), desk.cast.frans)

    page = at_desktop(desk.carla).get(f"/cage/sessions/{slip.session_id}/recount/")
    assert "leave them out" in page.content.decode()
    recounted = recounts(desk.carla, desk.cast.mari, FLOAT_CASH, FLOAT_CHIPS - 200_00).data

    assert (recounted["money_difference_cents"], recounted["chips_difference_cents"]) == (0, 0)
    assert house_figures(desk.cast.room.pk)["vault_card_slips"] == 0
    assert list(problems(desk.cast.room.pk)) == []


def test_a_second_print_is_a_copy(desk: CageDesk) -> None:
    slip = buy(desk)

    for prints in (1, 2):
        assert services.note_print(command(desk.carla), slip_id=slip.pk).data["prints"] == prints
