"""From the book's sum on in a day the house knows who it is: over every window, by every means, each euro once."""

import re
from contextlib import nullcontext
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import expect

from casino import clock
from casino.audit.models import Event
from casino.cage import services
from casino.cage.errors import IdentityNeeded, TooMuchUnnamed
from casino.cage.models import Slip
from casino.cage.selectors.identity import Crossed, crossed
from casino.errors import Malformed
from casino.live.render import fragment
from casino.money import NO_ROOM, format_cents
from casino.people.errors import DocumentOver
from casino.people.identity import also_shown_for, identity_of, others_with_document
from casino.people.models import IdentityCheck, Player
from casino.people.services import check_identity
from casino.rooms.models import RuleBookVersion
from casino.rooms.selectors import open_day, rule_book_in_force
from casino.rulebooks.reading import load, shipped
from tests.browser.test_floor_lobby import shot
from tests.cage.desk import CageDesk, identity_from, open_desk
from tests.cage.filling import Filling
from tests.cage.test_cage_in_chromium import sit_down
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse, signed
from tests.cast import TONIGHT, command
from tests.support.browser import Chromium
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def out(desk: CageDesk, cents: int, method: str = "cash", **more: Any) -> None:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": cents, "method": method} | more
    services.cash_out(command(desk.carla), **({"player_id": desk.lee.pk} | arguments))


def put(desk: CageDesk, cents: int) -> None:
    services.deposit(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=cents)


def take(desk: CageDesk, cents: int) -> None:
    services.withdraw(command(desk.carla), drawer_id=desk.drawer_id, player_id=desk.lee.pk, amount_cents=cents)


def in_text(cents: int) -> str:
    """Return an amount as a refusal has it that is read without a room."""
    return format_cents(cents, **NO_ROOM._asdict())


def document(desk: CageDesk, **more: Any) -> None:
    seen: dict[str, Any] = {"full_name": "Lee Virtanen", "document": "passport", "number": "XP1234567"} | more
    check_identity(command(desk.carla), player_id=desk.lee.pk, **seen)


def with_book(desk: CageDesk, change: Any) -> None:
    version, _book = rule_book_in_force(desk.cast.room.pk, at=TONIGHT)
    text = change(RuleBookVersion.objects.get(pk=version).text)
    with as_owner():
        RuleBookVersion.objects.create(room=desk.cast.room, number=9, text=text, holds_from=TONIGHT)


def test_below_the_sum_nobody_is_asked_and_at_it_a_document_is(desk: CageDesk) -> None:
    from_cents = identity_from(desk.cast.room.pk)
    buy(desk, from_cents - 500_00, player_id=desk.lee.pk)
    buy(desk, 499_00, "card", player_id=desk.lee.pk)

    with pytest.raises(IdentityNeeded, match=rf"{in_text(from_cents)} today.*{in_text(from_cents)} on") as refused:
        buy(desk, 1_00, player_id=desk.lee.pk)

    assert (refused.value.status, refused.value.data) == (422, {"from_cents": from_cents, "total_cents": from_cents})
    assert Slip.objects.count() == 2
    document(desk)
    buy(desk, 1_00, player_id=desk.lee.pk)
    buy(desk, 5_000_00, player_id=desk.lee.pk)


@pytest.mark.helsinki
def test_what_is_paid_counts_apart_from_what_is_brought_unless_the_book_links_them(desk: CageDesk) -> None:
    buy(desk, 1_900_00, player_id=desk.lee.pk)
    out(desk, 1_900_00)
    with pytest.raises(IdentityNeeded):
        out(desk, 100_00)

    with_book(desk, lambda text: text.replace("[cage]", "[cage]\nidentity_linked = true"))

    with pytest.raises(IdentityNeeded, match="3,801"):
        buy(desk, 1_00, player_id=desk.lee.pk)


def test_a_book_that_says_no_sum_has_two_thousand(desk: CageDesk) -> None:
    """So nobody leaves it out by mistake, nor has a book from before there was the key none."""
    with_book(desk, lambda text: re.sub(r"\nidentity_from_cents = .*", "", text))
    buy(desk, 1_999_00, "card", player_id=desk.lee.pk)

    with pytest.raises(IdentityNeeded) as refused:
        buy(desk, 1_00, "card", player_id=desk.lee.pk)

    assert refused.value.data == {"from_cents": 2_000_00, "total_cents": 2_000_00}


def test_a_book_that_says_nought_asks_nobody(desk: CageDesk) -> None:
    with_book(desk, lambda text: re.sub(r"\nidentity_from_cents = .*", "\nidentity_from_cents = 0", text))

    buy(desk, 15_000_00, "card")
    buy(desk, 15_000_00, "card", player_id=desk.lee.pk)


@pytest.mark.parametrize(
    ("cents", "brought", "paid"),
    [
        ({}, 0, 0),
        ({("deposit", "cash"): 1_000, ("buy_in", "deposit"): 600}, 1_000, 0),
        ({("deposit", "cash"): 1_000, ("buy_in", "deposit"): 1_600, ("buy_in", "card"): 50}, 1_650, 0),
        ({("cash_out", "deposit"): 1_000, ("withdrawal", "cash"): 400}, 0, 1_000),
        ({("prize", "deposit"): 700, ("cash_out", "cash"): 300, ("withdrawal", "cash"): 900}, 0, 1_200),
        ({("fill", "cash"): 9_000}, 0, 0),
    ],
)
def test_a_euro_that_crosses_the_counter_counts_once_each_way(
    cents: dict[tuple[str, str], int], brought: int, paid: int
) -> None:
    both = Crossed(cents)

    assert (both.brought_cents, both.paid_cents) == (brought, paid)


@pytest.mark.helsinki
def test_every_means_counts_and_what_was_reversed_does_not(desk: CageDesk) -> None:
    put(desk, 1_200_00)
    buy(desk, 1_200_00, "deposit", player_id=desk.lee.pk)
    buy(desk, 700_00, "card", player_id=desk.lee.pk)
    with pytest.raises(IdentityNeeded):
        put(desk, 100_00)
    out(desk, 1_500_00, "deposit")
    take(desk, 1_500_00)
    out(desk, 499_00)
    for refused in (lambda: out(desk, 1_00), lambda: out(desk, 1_00, "deposit")):
        with pytest.raises(IdentityNeeded):
            refused()
    last = Slip.objects.filter(kind="cash_out").latest("id")
    reverse(desk, last, signed(desk, last), desk.cast.frans)

    out(desk, 499_00)


def test_who_brings_so_much_has_a_name(desk: CageDesk) -> None:
    from_cents = identity_from(desk.cast.room.pk)
    buy(desk, from_cents - 1_00, "card")
    for pay in (lambda: buy(desk, from_cents), lambda: out(desk, from_cents, player_id=None)):
        with pytest.raises(TooMuchUnnamed, match=in_text(from_cents)):
            pay()
    assert Slip.objects.count() == 1


def test_a_document_holds_to_its_last_day_and_the_newest_counts(desk: CageDesk) -> None:
    tonight = TONIGHT.date()
    with pytest.raises(DocumentOver):
        document(desk, valid_until=date.fromordinal(tonight.toordinal() - 1).isoformat())
    for wrong in ({"document": "library card"}, {"number": ""}, {"full_name": ""}, {"valid_until": "soon"}):
        with pytest.raises(Malformed):
            document(desk, **wrong)
    assert not IdentityCheck.objects.exists()

    document(desk, valid_until=tonight.isoformat(), document="identity_card", full_name="Lee Maija Virtanen")

    assert Player.objects.get(pk=desk.lee.pk).full_name == "Lee Maija Virtanen"
    seen = identity_of(desk.lee.pk, on=tonight)
    assert seen is not None
    assert (seen.document, seen.checked_by_id) == ("identity_card", desk.carla.pk)
    assert identity_of(desk.lee.pk, on=date.fromordinal(tonight.toordinal() + 1)) is None


@pytest.mark.slow
def test_one_document_on_two_records_is_told_until_they_are_one(desk: CageDesk) -> None:
    kai, carla = desk.cast.players["Kai"], at_desktop(desk.carla)
    document(desk)

    def is_shown() -> list[bool]:
        with clock.frozen(TONIGHT):
            pages = [carla.get(f"/cage/players/{each.pk}/").content.decode() for each in (desk.lee, kai)]
            pages += [at_desktop(desk.cast.mari).get(f"/people/players/{kai.pk}/").content.decode()]
        return [
            *("same document was shown for" in page for page in pages),
            "showed one document" in fragment(desk.cast.room.pk, "floor", "en").html,
        ]

    def kai_shows(number: str) -> int | None:
        document = {"full_name": "Kai Laine", "document": "passport", "number": number}
        answer = check_identity(command(desk.carla), player_id=kai.pk, **document)
        also_of: int | None = answer.data["also_of_id"]
        return also_of

    assert kai_shows("ZZ1") is None
    assert is_shown() == [False] * 4
    assert kai_shows("xp 1234567") == desk.lee.pk
    assert is_shown() == [True] * 4
    assert "XP1234567" not in Event.objects.latest("id").text.upper().replace(" ", "")
    # Noted wrongly, and then as it is.
    assert kai_shows("ZZ1") is None
    assert is_shown() == [False] * 4
    kai_shows("XP1234567")
    with as_owner():
        Player.objects.filter(pk=kai.pk).update(merged_into=desk.lee, merged_at=TONIGHT)
    assert "showed one document" not in fragment(desk.cast.room.pk, "floor", "en").html
    # The same person's other record is nobody else.
    again = check_identity(
        command(desk.carla), player_id=desk.lee.pk, full_name="L", document="passport", number="XP1234567"
    )
    assert again.data["also_of_id"] is None


def test_what_was_noted_again_tells_of_nobody_and_another_kind_of_paper_ends_nothing(desk: CageDesk) -> None:
    kai = desk.cast.players["Kai"]

    def shows(player: Player, number: str, document: str = "passport") -> list[str]:
        seen = {"full_name": "L", "document": document, "number": number}
        check_identity(command(desk.carla), player_id=player.pk, **seen)
        return list(others_with_document(desk.cast.room.pk, kai.pk))

    shows(desk.lee, "XP1")
    shows(desk.lee, "XP2")
    assert shows(kai, "XP1") == []
    assert shows(kai, "XP2") == ["Lee"]
    assert shows(kai, "D1", "driving_licence") == ["Lee"]
    assert shows(desk.lee, "XP3") == []


def test_whose_document_it_is_is_found_by_its_number(desk: CageDesk) -> None:
    desk.know(desk.lee)
    seen = IdentityCheck.objects.get()
    first = {field.attname: getattr(seen, field.attname) for field in seen._meta.concrete_fields if field.name != "id"}
    # Among a few rows any index serves, and which one hangs on what was counted.
    IdentityCheck.objects.bulk_create(IdentityCheck(**first | {"number": f"N{number}"}) for number in range(2000))
    with CaptureQueriesContext(connection) as queries:
        also_shown_for(desk.lee, document="passport", number="xp 1")
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {queries[0]['sql']}")
        plan = str(cursor.fetchall())

    assert "identity_check_by_number" in plan


def test_a_days_sum_takes_each_slips_transfer_by_its_id_however_new_the_house(desk: CageDesk) -> None:
    day = open_day(desk.cast.room.pk)
    with CaptureQueriesContext(connection) as queries:
        crossed(desk.lee.pk, day)
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {queries[0]['sql']}")
        plan = [line for (line,) in cursor.fetchall()]

    # Planned for empty tables: a join would look through all transfers of the day, or all players, for each slip.
    above = [
        plan[index - 1].strip()
        for index, line in enumerate(plan)
        if " on ledger_transfer " in line or " on people_player " in line
    ]
    # Of slips, and of cash that was left behind and claimed.
    assert len(above) == 4
    assert all(line.startswith(("SubPlan", "InitPlan")) for line in above), plan


def test_two_records_of_one_person_are_one_sum_and_one_document(desk: CageDesk) -> None:
    other, most_of_it = desk.cast.players["Kai"], identity_from(desk.cast.room.pk) * 3 // 5
    buy(desk, most_of_it, player_id=desk.lee.pk)
    buy(desk, most_of_it, player_id=other.pk)
    other.merged_into, other.merged_at = desk.lee, TONIGHT
    other.save(update_fields=["merged_into", "merged_at"])
    with pytest.raises(IdentityNeeded, match=in_text(2 * most_of_it + 1_00)):
        buy(desk, 1_00, player_id=desk.lee.pk)

    with as_owner():
        IdentityCheck.objects.create(
            room=desk.cast.room, player=other, document="passport", number="XP1", checked_at=TONIGHT, checked_by_id=1
        )

    buy(desk, 1_00, player_id=desk.lee.pk)


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_windows_at_once_do_not_pass_the_sum_together(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    sale: dict[str, Any] = {"amount_cents": 1_200_00, "method": "cash", "player_id": desk.lee.pk, "again": True}
    first, second = [partial(services.buy_in, command(desk.carla), drawer_id=each, **sale) for each in desk.drawers[:2]]
    if not is_locked:
        without_lock(monkeypatch, Player)

    with pytest.raises(IdentityNeeded) if is_locked else nullcontext():
        meet(first, second, waits=is_locked)

    assert crossed(desk.lee.pk, open_day(desk.cast.room.pk)).brought_cents == (1_200_00 if is_locked else 2_400_00)


@pytest.mark.helsinki
def test_the_card_shows_the_sums_that_the_identity_is_judged_by(desk: CageDesk) -> None:
    put(desk, 1_800_00)
    buy(desk, 50_00, player_id=desk.lee.pk)
    out(desk, 300_00, "deposit")

    def shown() -> dict[str, str]:
        card = at_desktop(desk.carla).get(f"/cage/players/{desk.lee.pk}/").content.decode()
        return dict(re.findall(r"<dt>([^<]*today)</dt><dd>([^<]*)</dd>", card.replace("\xa0", " ")))

    assert shown() == {"in today": "1 850 € of 2 000 €", "out today": "300 € of 2 000 €"}
    page = at_desktop(desk.cast.mari).get(f"/people/players/{desk.lee.pk}/").content.decode()
    assert "1\xa0850\xa0€ brought today, 300\xa0€ paid" in page

    with_book(desk, lambda text: text.replace("[cage]", "[cage]\nidentity_linked = true"))
    assert shown() == {"in and out today": "2 150 € of 2 000 €"}

    document(desk)
    assert shown() == {"in and out today": "2 150 €"}


@pytest.mark.helsinki
def test_the_till_says_it_before_enter_and_the_sheet_mends_it(desk: CageDesk) -> None:
    carla: Client = at_desktop(desk.carla)
    filling = Filling(desk.cast)
    filling.counts(filling.sent(20_000_00), 20_000_00)
    buy(desk, 1_900_00, player_id=desk.lee.pk)
    card = carla.get(f"/cage/players/{desk.lee.pk}/").content.decode()
    assert 'data-brought="190000"' in card
    assert "⇧ F7" in card
    form: dict[str, Any] = {"kind": "buy_in", "amount": "100", "method": "cash", "player_id": desk.lee.pk}
    page = carla.get("/cage/1/check/", form).content.decode()
    assert "data-check-refused" in page
    assert "2\xa0000\xa0€ today" in page
    assert "data-check-refused" not in carla.get("/cage/1/check/", form | {"amount": "99"}).content.decode()
    refused = tap(carla, "/cage/1/buy-in/", **form)
    assert (refused.status_code, 'data-code="identity_needed"' in refused.content.decode()) == (422, True)
    sheet = f"/cage/players/{desk.lee.pk}/identity/"
    assert 'name="valid_until"' in carla.get(sheet).content.decode()
    wrong = tap(carla, sheet, document="passport", full_name="Lee Virtanen", number="XP1", valid_until="31.12.2030")
    assert wrong.status_code == 400
    assert "Valid until" in wrong.content.decode()

    shown: dict[str, Any] = {
        "document": "passport",
        "full_name": "Lee Virtanen",
        "number": "XP1234567",
        "valid_until": "2031-05-31",
    }
    card = tap(carla, sheet, **shown).content.decode()

    assert "passport" in card
    assert "XP1234567" not in card
    assert "data-known" in card
    assert tap(carla, "/cage/1/buy-in/", **form).status_code == 200


def test_every_book_names_its_sum() -> None:
    sums = {book: load(book).cage.identity_from_cents for book in shipped()}

    assert sums == {"helsinki": 2_000_00, "unibet": 2_000_00, "royal": 15_000_00, "czech": 50_000_00}


@pytest.mark.browser
@pytest.mark.slow
def test_the_keyboard_alone_checks_an_identity(brush_server: BrushServer, chromium: Chromium) -> None:
    desk = open_desk()
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 1_900_00, "method": "cash"}
    services.buy_in(command(desk.carla, at=clock.now()), player_id=desk.lee.pk, **arguments)
    page = sit_down(chromium)
    needed = page.locator("#identity-needed")
    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    page.keyboard.type("99")
    running = page.locator("#running")
    expect(running).to_have_text(
        re.compile(r"^\s*in today\s+1 900 € → 1 999 € of 2 000 €$".replace(" ", r"\s")), use_inner_text=True
    )
    expect(needed).to_be_hidden()
    page.keyboard.press("F3")
    expect(running).to_have_text(
        re.compile(r"^\s*out today\s+0 € → 99 € of 2 000 €$".replace(" ", r"\s")), use_inner_text=True
    )
    page.keyboard.press("F2")
    page.keyboard.press("Control+A")
    page.keyboard.type("100")
    expect(needed).to_be_visible()
    shot(page, "till-identity-needed")
    page.keyboard.press("Enter")
    expect(page.locator("#till-wrong")).to_contain_text("identity")
    shot(page, "till-identity-refused")

    page.keyboard.press("Shift+F7")
    expect(page.locator("#identity-name")).to_be_focused()
    page.keyboard.type("Lee Virtanen")
    page.keyboard.press("Tab")
    page.keyboard.type("XP1234567")
    shot(page, "till-identity-sheet")
    page.keyboard.press("Enter")

    expect(page.locator("#identity")).to_be_hidden()
    expect(page.locator("#player-card")).to_contain_text("passport")
    expect(page.locator("#till-amount")).to_be_focused()
    expect(page.locator("#till-amount")).to_have_value("100")
    expect(needed).to_be_hidden()
    assert "XP1234567" not in page.content()
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#slip .number")).to_have_text("1–00002")
