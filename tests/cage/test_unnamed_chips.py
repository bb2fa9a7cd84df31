"""Chips of a guest without a name are asked about: the answer stays on the slip, and what was paid so is said."""

from typing import Any

import pytest
from playwright.sync_api import expect

from casino import clock
from casino.cage import services
from casino.cage.errors import WhoseChips
from casino.cage.models import Slip
from casino.cage.selectors.slips import UnnamedToday, unnamed_today
from casino.errors import Malformed
from casino.ledger.proof import problems
from casino.ledger.templatetags.money import money
from tests.browser.test_floor_lobby import shot
from tests.cage.desk import CageDesk, open_desk
from tests.cage.test_cage_in_chromium import sit_down
from tests.cage.test_paying import buy
from tests.cast import TONIGHT, command
from tests.support.browser import Chromium
from tests.support.room import BrushServer
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def out(desk: CageDesk, cents: int, **more: Any) -> Slip:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": cents} | more
    return Slip.objects.get(id=services.cash_out(command(desk.carla), **arguments).data["slip_id"])


def test_the_answer_stays_on_the_slip_and_what_was_paid_so_is_added_up(desk: CageDesk) -> None:
    buy(desk, 500_00)
    assert unnamed_today(desk.cast.room.pk) == UnnamedToday(0, 0, None)

    slip = out(desk, 150_00, unnamed="from_another")
    with pytest.raises(WhoseChips):
        out(desk, 50_00)
    out(desk, 50_00, unnamed="gives_no_name")
    out(desk, 100_00, player_id=desk.lee.pk)

    assert slip.about == {"unnamed": "from_another"}
    assert unnamed_today(desk.cast.room.pk) == UnnamedToday(2, 200_00, TONIGHT)
    assert list(problems(desk.cast.room.pk)) == []
    assert "Got from somebody else" in at_desktop(desk.carla).get(f"/cage/slips/{slip.pk}/").content.decode()


@pytest.mark.parametrize("arguments", [{"unnamed": "stole them"}, {"unnamed": "gives_no_name", "player_id": True}])
def test_only_a_guest_without_a_name_answers_and_by_what_there_is(desk: CageDesk, arguments: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        out(desk, 50_00, **(arguments | ({"player_id": desk.lee.pk} if "player_id" in arguments else {})))
    assert not Slip.objects.exists()


def test_the_question_asks_where_nobody_is_named(desk: CageDesk) -> None:
    carla = at_desktop(desk.carla)
    form: dict[str, Any] = {"kind": "cash_out", "amount": "50", "method": "cash"}
    buy(desk, 500_00)
    out(desk, 120_00, unnamed="gives_no_name")
    page = carla.get("/cage/1/check/", form).content.decode()
    assert "Whose chips are these?" in page
    assert f"{money(120_00, desk.cast.room)}, 1 slip" in page
    assert "Whose chips" not in carla.get("/cage/1/check/", {**form, "player_id": str(desk.lee.pk)}).content.decode()
    assert "Whose chips" not in carla.get("/cage/1/check/", {**form, "kind": "buy_in"}).content.decode()

    assert tap(carla, "/cage/1/cash-out/", **form, unnamed="bought_today").status_code == 200

    assert Slip.objects.latest("id").about == {"unnamed": "bought_today"}


@pytest.mark.browser
@pytest.mark.slow
def test_enter_alone_pays_nobody_without_a_name(brush_server: BrushServer, chromium: Chromium) -> None:
    desk = open_desk()
    sold: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 500_00, "method": "cash"}
    services.buy_in(command(desk.carla, at=clock.now()), **sold)
    page = sit_down(chromium)
    page.keyboard.press("F3")
    page.locator("#till-amount").focus()
    page.keyboard.type("50")
    page.keyboard.press("Enter")
    expect(page.locator("#check input[name=unnamed]").first).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    shot(page, "till-unnamed")
    assert not Slip.objects.filter(kind="cash_out").exists()
    page.keyboard.press("Enter")

    expect(page.locator("#slip .number")).to_have_text("1–00002")
    assert Slip.objects.get(kind="cash_out").about == {"unnamed": "of_another_day"}
