"""Vouchers: a promise that buys chips once and whole, and is never cashed."""

import re
import uuid
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from playwright.sync_api import expect

from casino import clock
from casino.cage import services
from casino.cage.day_ends import warnings_before
from casino.cage.errors import (
    IdentityNeeded,
    MethodNotTaken,
    TooMuchAtOnce,
    VoucherForTooLong,
    VoucherNeeded,
    VoucherOfOtherAmount,
    VoucherOver,
    VoucherSpent,
    VoucherUnknown,
)
from casino.cage.models import Slip, Voucher
from casino.cage.services import close_day
from casino.cage.services.vouchers import issue_voucher, note_voucher_print, voucher_of_paper
from casino.commands.carrying_out import Answer
from casino.errors import Malformed, NotPermitted
from casino.ledger.errors import NotInChips, PromiseTooSmall
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.money import MoneyFormat, format_count
from casino.people.errors import NeedsSecondSignature
from casino.people.person_file import person_file
from casino.people.services.addresses import CODES_AT_ONE_ADDRESS
from casino.rooms.selectors import rule_book_in_force
from tests.browser.test_floor_lobby import shot
from tests.cage.counting import closes
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk, identity_from, open_desk
from tests.cage.finding import finds
from tests.cage.test_cage_in_chromium import sit_down
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cage.vouchers import LAST, issues, voids
from tests.cast import TONIGHT, actor, command, demo_person
from tests.support.browser import Chromium
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def issued(desk: CageDesk, cents: int = 50_00, **more: Any) -> Voucher:
    return issues(desk.cast.mari, desk.cast.frans, cents, **more)


def takes(desk: CageDesk, voucher: Voucher, cents: int = 50_00, *, drawer: int = 0, **more: Any) -> Answer:
    arguments: dict[str, Any] = {
        "amount_cents": cents,
        "method": "voucher",
        "player_id": desk.lee.pk,
        "again": True,
    } | more
    return services.buy_in(command(desk.carla), drawer_id=desk.drawers[drawer], voucher_id=voucher.pk, **arguments)


def promised(desk: CageDesk) -> tuple[int, int]:
    figures = house_figures(desk.cast.room.pk)
    return figures["vouchers"], figures["vouchers_given"]


def test_a_voucher_is_promised_and_buys_chips_once(desk: CageDesk) -> None:
    first, second = issued(desk), issued(desk, 30_00)
    assert (first.number, second.number, promised(desk)) == (1, 2, (80_00, -80_00))

    slip = Slip.objects.get(id=takes(desk, first).data["slip_id"])

    assert (slip.voucher.pk, slip.method, promised(desk)) == (first.pk, "voucher", (30_00, -30_00))
    for voucher, problem in ((first, VoucherSpent), (second, VoucherOfOtherAmount)):
        with pytest.raises(problem):
            takes(desk, voucher)
    assert list(problems(desk.cast.room.pk)) == []


def test_what_it_has_paid_names_it_on_every_screen_and_paper(desk: CageDesk) -> None:
    voucher = issued(desk)
    slip_id = takes(desk, voucher).data["slip_id"]
    carla, mari = at_desktop(desk.carla), at_desktop(desk.cast.mari)

    printed = tap(carla, f"/cage/slips/{slip_id}/printed/").content.decode()

    # Who reads the books is led to it.
    assert f'<td class="num"><a href="/cage/vouchers/{voucher.pk}/">Voucher 1</a></td>' in (
        mari.get(f"/cage/slips/{slip_id}/").content.decode()
    )
    named = '<td class="num">Voucher 1</td>'
    assert named in printed
    assert named in carla.get(f"/cage/slips/{slip_id}/panel/").content.decode()
    assert carla.get(f"/api/v1/cage/slips/{slip_id}").json()["voucher_number"] == 1
    (money,) = [each for each in person_file(desk.lee, at=TONIGHT).kinds if each.kind.code == "cage.money"]
    assert [row[2] for _heads, rows in money.tables() for row in rows] == ["Voucher 1"]


def test_only_a_manager_issues_one_and_never_alone(desk: CageDesk) -> None:
    with pytest.raises(NotPermitted):
        issues(desk.carla, desk.cast.frans, 50_00)
    arguments: dict[str, Any] = {"amount_cents": 50_00, "origin": "promotion", "last_date": LAST}
    with pytest.raises(NeedsSecondSignature):
        issue_voucher(command(desk.cast.mari), **arguments, approved_by_id=desk.cast.frans.pk)
    for cents, last, problem in (
        (0, LAST, Malformed),
        (50, LAST, NotInChips),
        (10**9, LAST, TooMuchAtOnce),
        (50_00, "2026-11-19", Malformed),
        (50_00, "soon", Malformed),
    ):
        with pytest.raises(problem):
            issued(desk, cents, last_date=last)
    assert not Voucher.objects.exists()


def test_it_is_good_for_no_longer_than_the_book_has_it(desk: CageDesk) -> None:
    most = rule_book_in_force(desk.cast.room.pk, at=TONIGHT)[1].cage.voucher_days_max
    last = TONIGHT.date() + timedelta(days=most)

    with pytest.raises(VoucherForTooLong) as refused:
        issued(desk, last_date=str(last + timedelta(days=1)))

    assert refused.value.data == {"days": most}
    assert f" {format_count(most, locale='fi_FI')} days at most" in refused.value.text(MoneyFormat("EUR", "fi_FI"))
    assert issued(desk, last_date=str(last)).last_date == last


@pytest.mark.parametrize("kind", ["cash_out", "deposit", "withdraw"])
def test_it_is_never_cashed(desk: CageDesk, kind: str) -> None:
    issued(desk)
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 50_00, "player_id": desk.lee.pk}
    if kind == "withdraw":
        form: dict[str, Any] = {"kind": "withdrawal", "method": "voucher", "amount": "50", "player_id": desk.lee.pk}
        assert "data-check-refused" in at_desktop(desk.carla).get("/cage/1/check/", form).content.decode()
        return
    with pytest.raises(MethodNotTaken):
        getattr(services, kind)(command(desk.carla), **arguments, method="voucher")


def test_the_paper_is_named_by_number_and_letters(desk: CageDesk) -> None:
    voucher, by = issued(desk), actor(desk.carla)
    text = voucher.on_paper
    for spelled in (text, text.lower(), f" {text.replace('-', ' ')} "):
        assert voucher_of_paper(by, spelled, at=TONIGHT) == voucher
    for wrong in ("", "1", "1-", "1-AAAA", "x-y", "9" * 19, f"{10**12}-{voucher.check_letters}"):
        with pytest.raises(VoucherUnknown):
            voucher_of_paper(by, wrong, at=TONIGHT)
    assert voucher.check_letters not in at_desktop(desk.cast.mari).get("/api/v1/cage/vouchers").content.decode()


def test_whoever_names_papers_that_are_none_waits_and_nobody_else_does(desk: CageDesk, settings: Any) -> None:
    settings.REDIS_PREFIX = f"{settings.REDIS_PREFIX}-{uuid.uuid4().hex[:8]}"
    voucher, free = issued(desk), CODES_AT_ONE_ADDRESS[0]
    carla, cilla = at_desktop(desk.carla), at_desktop(desk.cast.mari)
    form = {"kind": "buy_in", "amount": "50", "method": "voucher"}
    body: dict[str, Any] = {"amount_cents": 50_00, "method": "voucher"}

    def calls(client: Client, text: str) -> Any:
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        return client.post(
            "/api/v1/cage/drawers/1/buy-ins", body | {"voucher": text}, "application/json", headers=headers
        )

    with clock.frozen(TONIGHT):
        # What can be no paper's is no guess.
        for text in ("12", "x-y"):
            assert calls(carla, text).json()["code"] == "voucher_unknown"
        for number in range(free):
            assert calls(carla, f"{voucher.number}-A{number:03}").status_code == 422
        # The till goes to what is to be mended.
        refused = carla.get("/cage/1/check/", form | {"voucher": "1-AAAA"}).content.decode()
        assert 'data-check-refused="till-voucher"' in refused
        waits, shown = calls(carla, voucher.on_paper), carla.get("/cage/1/check/", form | {"voucher": voucher.on_paper})

        assert (waits.status_code, waits.json()["code"], waits.headers["Retry-After"]) == (429, "too_soon", "1")
        assert "Too many wrong tries" in shown.content.decode()
        assert not Slip.objects.exists()
        assert calls(cilla, f"{voucher.number}-AAAA").json()["code"] == "voucher_unknown"
    assert voucher_of_paper(actor(desk.carla), voucher.on_paper, at=TONIGHT + timedelta(seconds=2)) == voucher
    # The cage goes on while nobody can count.
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert voucher_of_paper(actor(desk.carla), voucher.on_paper, at=TONIGHT) == voucher


def test_it_pays_what_was_asked_for_at_the_till_and_by_a_call(desk: CageDesk) -> None:
    carla, voucher = at_desktop(desk.carla), issued(desk, 200_00)
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    form: dict[str, Any] = {"slip_id": request.data["slip_id"], "version": 1, "method": "voucher"}
    refused = carla.get("/cage/1/check/", form).content.decode()
    assert "data-check-refused" in refused
    assert "number and letters" in refused
    with pytest.raises(VoucherNeeded):
        services.take_money(
            command(desk.carla), slip_id=request.data["slip_id"], drawer_id=desk.drawer_id, method="voucher"
        )
    shown = carla.get("/cage/1/check/", form | {"voucher": voucher.on_paper}).content.decode()
    assert f"Take voucher {voucher.on_paper}" in shown

    assert tap(carla, "/cage/1/take/", **form, voucher=voucher.on_paper).status_code == 200

    assert Voucher.objects.get().state == "taken"


def test_a_reversed_slip_gives_the_voucher_back_and_a_void_one_buys_nothing(desk: CageDesk) -> None:
    voucher = issued(desk)
    slip = Slip.objects.get(id=takes(desk, voucher).data["slip_id"])
    reverse(desk, slip, signed(desk, slip), desk.cast.frans)
    assert (Voucher.objects.get().state, promised(desk)) == ("open", (50_00, -50_00))
    assert list(problems(desk.cast.room.pk)) == []

    voids(desk.cast.mari, desk.cast.frans, voucher)

    for again in (lambda: takes(desk, voucher), lambda: voids(desk.cast.mari, desk.cast.frans, voucher)):
        with pytest.raises(VoucherSpent):
            again()
    assert promised(desk) == (0, 0)
    assert list(problems(desk.cast.room.pk)) == []


def test_a_paper_that_is_printed_again_says_which_copy_it_is(desk: CageDesk) -> None:
    voucher, mari = issued(desk), at_desktop(desk.cast.mari)
    page = f"/cage/vouchers/{voucher.pk}/"
    assert "COPY" not in mari.get(page).content.decode()
    first = tap(mari, f"{page}printed/").content.decode()
    assert "COPY" not in first
    assert voucher.on_paper in first
    # Whoever looks at it again, and prints what is seen, has a copy too.
    assert "COPY" in mari.get(page).content.decode()

    again = [tap(mari, f"{page}printed/").content.decode() for _ in range(2)]

    for number, copy in enumerate(again, start=1):
        assert f"COPY {number}" in copy
        assert re.search(r"Copy, printed again at \d+\.\d+\.\d{4} \d\d:\d\d by .*Mari", copy)
    assert [each.number for each in voucher.printings.order_by("id")] == [1, 2, 3]
    log = at_desktop(desk.cast.olavi).get("/log/").content.decode()
    assert "Voucher 1 was printed again: copy 2." in " ".join(log.split())
    with pytest.raises(NotPermitted):
        note_voucher_print(command(desk.carla), voucher_id=voucher.pk)
    takes(desk, voucher)
    with pytest.raises(VoucherSpent):
        note_voucher_print(command(desk.cast.mari), voucher_id=voucher.pk)


def test_it_ends_with_the_gaming_day_of_its_last_date(desk: CageDesk) -> None:
    room_id, today = desk.cast.room.pk, TONIGHT.date()
    over, good = issued(desk, last_date=str(today)), issued(desk, 30_00)
    assert any("1 voucher is good until this day" in each for each, _page in warnings_before(room_id))
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)

    ended = close_day(command(desk.cast.mari, at=TONIGHT + timedelta(hours=8))).data["ended"]

    assert ended["vouchers"] == [over.pk]
    over.refresh_from_db()
    good.refresh_from_db()
    assert (over.state, good.state, promised(desk)) == ("over", "open", (30_00, -30_00))
    assert list(problems(room_id)) == []


def test_one_that_is_over_is_said_to_be(desk: CageDesk) -> None:
    voucher = issued(desk)
    with as_owner():
        Voucher.objects.update(last_date=TONIGHT.date() - timedelta(days=1))
    with pytest.raises(VoucherOver, match="2026-11-19"):
        takes(desk, voucher)


def test_what_a_voucher_buys_counts_for_the_identity(desk: CageDesk) -> None:
    buy(desk, identity_from(desk.cast.room.pk) - 40_00, player_id=desk.lee.pk)
    with pytest.raises(IdentityNeeded):
        takes(desk, issued(desk))


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_drawers_that_take_one_voucher_at_once_take_it_once(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    voucher = issued(desk)
    if not is_locked:
        without_lock(monkeypatch, Voucher)

    take = partial(takes, desk, voucher, player_id=None)
    # The ledger has the last word.
    with pytest.raises(VoucherSpent if is_locked else PromiseTooSmall):
        meet(take, partial(take, drawer=1))

    assert (Slip.objects.count(), promised(desk)) == (1, (0, 0))
    assert list(problems(desk.cast.room.pk)) == []


@pytest.mark.parametrize(
    ("plant", "found"),
    [
        ("UPDATE cage_voucher SET amount_cents = 60_00", "open vouchers come to 6000"),
        ("UPDATE cage_voucher SET taken_with_id = (SELECT max(id) FROM cage_slip)", "has slip"),
        ("UPDATE cage_slip SET method = 'voucher'", "by a voucher that is not there"),
    ],
)
def test_what_no_command_did_is_found(desk: CageDesk, plant: str, found: str) -> None:
    issued(desk)
    buy(desk, 50_00)
    assert list(problems(desk.cast.room.pk)) == []

    with as_owner(), connection.cursor() as cursor:
        cursor.execute(plant.replace("_00", "00"))

    details = [each.detail for each in problems(desk.cast.room.pk) if each.what == "vouchers"]
    assert any(found in each for each in details), details


def test_the_database_itself_refuses_one_that_is_taken_and_ended(desk: CageDesk) -> None:
    issued(desk)
    slip = buy(desk, 50_00)
    with as_owner(), pytest.raises(IntegrityError), transaction.atomic():
        Voucher.objects.update(taken_with=slip, ended_as="over", ended_at=TONIGHT, end_transfer_id=1)


@pytest.mark.browser
@pytest.mark.slow
def test_the_keyboard_alone_takes_a_voucher(brush_server: BrushServer, chromium: Chromium) -> None:
    desk = open_desk()
    last = (clock.now() + timedelta(days=30)).date()
    voucher = issues(desk.cast.mari, desk.cast.frans, 50_00, last_date=last.isoformat(), at=clock.now())
    page = sit_down(chromium)
    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type("50")
    expect(page.locator("#voucher-field")).to_be_hidden()
    for _ in range(3):
        page.keyboard.press("F9")
    expect(page.locator("#voucher-field")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#till-wrong")).to_contain_text("number and letters")
    shot(page, "till-voucher-asked")

    page.locator("#till-voucher").focus()
    page.keyboard.type(voucher.on_paper.lower())
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    shot(page, "till-voucher-check")
    page.keyboard.press("Enter")

    expect(page.locator("#slip .number")).to_have_text("1–00001")
    expect(page.locator("#voucher-field")).to_be_hidden()
    assert Voucher.objects.get().state == "taken"


# What is seen where the till says why it is not so.
_LIES_OVER = """() => {
  const { left, top, height } = document.getElementById("till-wrong").getBoundingClientRect();
  return document.elementFromPoint(left + 20, top + height / 2)?.id;
}"""


@pytest.mark.browser
@pytest.mark.slow
def test_why_a_voucher_is_not_taken_is_read_above_the_button_however_much_the_till_shows(
    brush_server: BrushServer, chromium: Chromium
) -> None:
    desk = open_desk()
    by, last = (desk.cast.mari, desk.cast.frans), (clock.now() + timedelta(days=30)).date()
    voucher = issues(*by, 50_00, last_date=last.isoformat(), at=clock.now())
    voids(*by, voucher, at=clock.now())
    # The card tells of what was left behind.
    for _ in range(4):
        finds(desk.carla, desk.cast.frans, at=clock.now(), drawer_id=desk.drawer_id, player_id=desk.lee.pk)
    page = sit_down(chromium)
    page.keyboard.type("lee")
    page.locator("#players [role=option]").first.click()
    expect(page.locator("[data-chosen]")).to_be_visible()
    page.fill("#till-amount", "50")
    page.locator("label", has=page.locator("[name=method][value=voucher]")).click()
    page.fill("#till-voucher", voucher.on_paper)
    page.keyboard.press("Enter")

    wrong = page.locator("#till-wrong")
    expect(wrong).to_contain_text("Voucher 1 was taken before")
    shot(page, "till-voucher-again")
    assert page.evaluate(_LIES_OVER) == "till-wrong"


@pytest.mark.browser
@pytest.mark.slow
def test_the_form_that_makes_it_void_lies_beside_its_paper_and_not_below_the_screen(
    brush_server: BrushServer, chromium: Chromium
) -> None:
    desk = open_desk()
    last = (clock.now() + timedelta(days=30)).date()
    voucher = issues(desk.cast.mari, desk.cast.frans, 50_00, last_date=last.isoformat(), at=clock.now())
    page = chromium.page("cage", f"/sign-in/?next=/cage/vouchers/{voucher.pk}/")
    page.fill("[name=username]", "mari")
    page.fill("[name=password]", demo_person("mari").password)
    page.keyboard.press("Enter")

    page.locator("summary", has_text="Make it void").click()

    expect(page.get_by_role("button", name="It is void")).to_be_in_viewport(ratio=1)
    expect(page.locator("#voucher-paper .qr")).to_be_in_viewport(ratio=1)
