"""Foreign notes: taken for chips at a recorded rate, counted by their face, and never paid out."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect

from casino import clock
from casino.cage import deliveries, services
from casino.cage.chart import of_drawer
from casino.cage.day_counts import counts_of
from casino.cage.errors import (
    CashShort,
    ChangeTooMuch,
    ForeignNotTaken,
    IdentityNeeded,
    MethodNotTaken,
    NotesInVault,
    NotesNeeded,
    NotesTooFew,
    NoteTooMany,
    NotTakenOnPaper,
    TooMuchUnnamed,
)
from casino.cage.exception_kinds import SHORT, read
from casino.cage.models import Doubt, DrawerCount, NoteRate, NotesTaken, Slip
from casino.cage.rules import foreign_in, worth, worth_found
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.selectors.identity import crossed
from casino.cage.selectors.of_day import slips_of
from casino.cage.selectors.slips import waiting_slips
from casino.cage.services.counting import Lies, close_drawer, count_signs, recount_drawer, recount_signs
from casino.errors import Malformed, NotPermitted, Stale
from casino.ledger.chart import PostingLine, of_house
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.ledger.services import post
from casino.ledger.templatetags.money import money
from casino.live.render import fragment
from casino.people.exception_report import Span
from casino.people.models import Staff
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay
from casino.rooms.selectors import open_day
from tests.browser.test_floor_lobby import shot
from tests.cage.counting import lying, opens, signed
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk, open_desk
from tests.cage.foreign import KRONOR_WORTH, RATE, notes, rate
from tests.cage.test_cage_in_chromium import sit_down
from tests.cage.test_large_payouts import pay
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse
from tests.cage.test_voiding import signed as signed_reversal
from tests.cast import TONIGHT, command
from tests.support.browser import Chromium
from tests.support.owner import as_owner
from tests.support.room import BrushServer
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

# 2,500 kr.
KRONOR = notes((1000, 2), (500, 1))
FORM: dict[str, Any] = {
    "method": "foreign",
    "foreign_currency": "SEK",
    "foreign_SEK_100000": "2",
    "foreign_SEK_50000": "1",
}


@pytest.fixture
def takes(desk: CageDesk) -> CageDesk:
    """Return a cage that takes kronor."""
    rate(desk.cast.mari)
    return desk


def by_notes(desk: CageDesk, cents: int = 217_00, foreign: dict[str, Any] | None = KRONOR, **more: Any) -> Slip:
    return buy(desk, cents, "foreign", foreign=foreign, **more)


def worth_of_kronor(desk: CageDesk) -> int:
    return KRONOR_WORTH[desk.cast.room.currency]


def change_of(desk: CageDesk) -> int:
    """Return what goes back in cash where they buy chips for 217."""
    return worth_of_kronor(desk) - 217_00


def figures(desk: CageDesk) -> tuple[int, int, int]:
    found = drawer_figures(desk.drawer_id)
    return found["foreign_notes"], found["cash"] - FLOAT_CASH, found["chips"] - FLOAT_CHIPS


def short_of(desk: CageDesk, day: GamingDay) -> list[int]:
    """Return by how much a day's counts of the cashier's drawers were short, in cents."""
    counted = [each for each in read(Span(desk.cast.room.pk, (day,), 0)) if each.code == SHORT]
    return [each.cents for each in counted if each.staff_id == desk.carla.pk]


def the_log(desk: CageDesk) -> str:
    """Return the log's page as it is read."""
    page = at_desktop(desk.cast.olavi).get("/log/").content.decode()
    return " ".join(re.sub("<[^>]*>", "", page).replace("\xa0", " ").split())


def counts(by: Staff, second: Staff, desk: CageDesk, *foreign: dict[str, Any], cash: int, chips: int) -> DrawerCount:
    arguments = {**lying(cash, chips), "foreign": foreign}
    signing = signed(by, second, count_signs(desk.drawer_id, Lies.by(**arguments)))
    answer = close_drawer(signing, drawer_id=desk.drawer_id, **arguments, approved_by_id=second.pk)
    return DrawerCount.objects.get(id=answer.data["count_id"])


def test_notes_buy_chips_at_the_recorded_rate_and_the_rest_goes_back_in_cash(takes: CageDesk) -> None:
    slip = by_notes(takes, player_id=takes.lee.pk)

    kept = NotesTaken.objects.get()
    assert (kept.slip_id, kept.face, kept.value_cents, kept.rate.rate_millionths) == (
        slip.pk,
        "2500 SEK",
        worth_of_kronor(takes),
        RATE,
    )
    assert kept.pieces == [[1000_00, 2], [500_00, 1]]
    assert figures(takes) == (worth_of_kronor(takes), -change_of(takes), -217_00)
    assert drawer_figures(takes.drawer_id)["outside"] == -217_00
    assert list(problems(takes.cast.room.pk)) == []


def test_what_was_asked_for_is_paid_with_change_but_for_a_note_that_is_not_needed(takes: CageDesk) -> None:
    by_notes(takes, 200_00)
    assert figures(takes) == (worth_of_kronor(takes), 200_00 - worth_of_kronor(takes), -200_00)
    for cents, foreign, problem in (
        (218_00, KRONOR, NotesTooFew),
        (174_00, KRONOR, NoteTooMany),
        # A big note is not changed: 1000 kr are worth 87.
        (43_00, notes((1000, 1)), ChangeTooMuch),
        (217_00, {**KRONOR, "rate_id": 10**6}, Stale),
        (217_00, None, NotesNeeded),
        (217_00, notes((500, 0)), NotesNeeded),
        (217_00, notes((10, 250)), Malformed),
        (217_00, notes((500, -1), (1000, 3)), Malformed),
        (217_00, notes((50, 10), currency="GBP"), ForeignNotTaken),
    ):
        with pytest.raises(problem):
            by_notes(takes, cents, foreign)
    with pytest.raises(Malformed):
        buy(takes, 200_00, "cash", foreign=KRONOR)
    assert Slip.objects.count() == NotesTaken.objects.count() == 1


def test_only_a_manager_records_a_rate_and_the_newest_one_holds(desk: CageDesk) -> None:
    with pytest.raises(NotPermitted):
        rate(desk.carla)
    for currency, millionths in ((desk.cast.room.currency, RATE), ("XXX", RATE), ("SEK", 0), ("SEK", -1)):
        with pytest.raises(Malformed):
            rate(desk.cast.mari, millionths, currency=currency)
    for act in (lambda: rate(desk.cast.mari, None), lambda: by_notes(desk)):
        with pytest.raises(ForeignNotTaken):
            act()
    rate(desk.cast.mari)
    by_notes(desk)
    rate(desk.cast.mari, 90_000)
    assert by_notes(desk, 225_00).notes.value_cents == 225_00
    rate(desk.cast.mari, None)
    with pytest.raises(ForeignNotTaken):
        by_notes(desk)
    assert [each.rate_millionths for each in NoteRate.objects.order_by("id")] == [RATE, 90_000, None]


@pytest.mark.parametrize("kind", ["cash_out", "deposit"])
def test_nothing_is_paid_out_or_kept_in_them(takes: CageDesk, kind: str) -> None:
    arguments: dict[str, Any] = {"drawer_id": takes.drawer_id, "amount_cents": 50_00, "player_id": takes.lee.pk}
    with pytest.raises(MethodNotTaken):
        getattr(services, kind)(command(takes.carla), **arguments, method="foreign")


@pytest.mark.helsinki
def test_what_is_brought_counts_for_the_identity_and_not_what_it_buys(takes: CageDesk) -> None:
    rate(takes.cast.mari, 1_050_000, currency="CHF")
    swiss = notes((1000, 2), currency="CHF")
    form: dict[str, Any] = {
        "kind": "buy_in",
        "amount": "1999",
        "method": "foreign",
        "foreign_currency": "CHF",
        "foreign_CHF_100000": "2",
    }
    for whose in ({}, {"player_id": takes.lee.pk}):
        with pytest.raises(TooMuchUnnamed if not whose else IdentityNeeded):
            by_notes(takes, 1_999_00, swiss, **whose)
        assert "data-check-refused" in at_desktop(takes.carla).get("/cage/1/check/", form | whose).content.decode()
    buy(takes, 500_00, player_id=takes.lee.pk)

    by_notes(takes, 1_000_00, notes((1000, 1), currency="CHF"), player_id=takes.lee.pk)

    today = crossed(takes.lee.pk, open_day(takes.cast.room.pk))
    assert (today.brought_cents, today.bought_cents) == (1_550_00, 1_500_00)


def test_change_is_given_of_cash_that_is_there(takes: CageDesk) -> None:
    buy(takes, FLOAT_CASH, "card", player_id=takes.know(takes.lee).pk)
    pay(takes, services.cash_out, FLOAT_CASH, second=takes.cast.frans)
    with pytest.raises(CashShort):
        by_notes(takes, 200_00)


@pytest.mark.helsinki
def test_the_smallest_sum_that_a_note_buys_is_said(takes: CageDesk) -> None:
    with pytest.raises(ChangeTooMuch) as refused:
        by_notes(takes, 20_00, notes((1000, 1)))
    assert refused.value.data == {"worth_cents": 87_10, "least_cents": 44_00}

    by_notes(takes, 44_00, notes((1000, 1)))

    assert day_report(takes.cast.room).differs == 0


def test_what_a_slip_posted_is_never_the_change(takes: CageDesk) -> None:
    by_notes(takes, 44_00, notes((1000, 1)))
    # As before, when any note was changed.
    day, lines = open_day(takes.cast.room.pk), foreign_in(20_00, value_cents=87_10, drawer_id=takes.drawer_id)
    assert day is not None
    chips = [of_drawer(takes.drawer_id, kind, cents) for kind, cents in (("chips", -20_00), ("hands", 20_00))]
    transfer_id = post(
        room_id=takes.cast.room.pk, day_id=day.pk, kind="buy_in", lines=[*lines, *chips], key="before",
        made_by_id=takes.carla.pk, at=TONIGHT,
    )  # fmt: skip
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE cage_slip DISABLE TRIGGER USER")
        cursor.execute("UPDATE cage_slip SET amount_cents = 2000, transfer_id = %s", [transfer_id])

    (found,) = slips_of(day)

    assert (found.cents, found.posted_cents) == (20_00, 20_00)


def test_a_rate_that_changed_after_the_sheet_pays_nothing(takes: CageDesk) -> None:
    carla = at_desktop(takes.carla)
    sheet = carla.get("/cage/1/check/", {"kind": "buy_in", "player_id": takes.lee.pk, "amount": "", **FORM})
    shown = re.search('name="foreign_rate" value="([0-9]+)"', sheet.content.decode())
    assert shown is not None
    form: dict[str, Any] = {"kind": "buy_in", "player_id": takes.lee.pk, "amount": "217.00", **FORM}
    rate(takes.cast.mari, 90_000)

    refused = tap(carla, "/cage/1/buy-in/", **form, foreign_rate=shown[1])
    assert refused.status_code == 409, refused.content.decode()

    assert not Slip.objects.exists()


def test_a_drawer_that_an_older_version_added_takes_them_too(takes: CageDesk) -> None:
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_account DISABLE TRIGGER USER")
        cursor.execute("DELETE FROM ledger_account WHERE owner_kind = 'drawer' AND kind = 'foreign_notes'")

    by_notes(takes)

    assert figures(takes)[0] == worth_of_kronor(takes)


def test_what_was_sold_on_paper_was_not_paid_by_them(takes: CageDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    request = services.request_buy_in(command(takes.cast.anna), player_id=takes.lee.pk, amount_cents=217_00)
    slip = Slip.objects.get(pk=request.data["slip_id"])
    offers = [each.methods for each in waiting_slips(takes.cast.room.pk)]
    assert offers == ["cash card deposit voucher foreign"]
    monkeypatch.setattr(type(deliveries.of(slip)), "was_paid", True)
    for method in ("foreign", "voucher"):
        with pytest.raises(NotTakenOnPaper):
            services.take_money(
                command(takes.carla), slip_id=slip.pk, drawer_id=takes.drawer_id, method=method, foreign=KRONOR
            )
    assert 'data-methods="cash card deposit">' in fragment(takes.cast.room.pk, "cage", "en").html
    form = {"slip_id": slip.pk, "version": 1, **FORM}
    assert "on paper" in at_desktop(takes.carla).get("/cage/1/check/", form).content.decode()


def test_it_costs_five_statements_more_than_cash(takes: CageDesk) -> None:
    buy(takes)
    counts = []
    for act in (lambda: buy(takes), lambda: by_notes(takes, 218_00, notes((1000, 2), (500, 1), (20, 1)))):
        with CaptureQueriesContext(connection) as queries:
            act()
        counts.append(len(queries))
    # The rate, the notes, what the drawer holds in cash for the change, whether it has an account for them; and the
    # log's own of what is held.
    assert counts[1] - counts[0] == 5


def test_a_reversal_gives_the_same_notes_back(takes: CageDesk) -> None:
    slip = by_notes(takes)

    reverse(takes, slip, signed_reversal(takes, slip), takes.cast.frans)

    assert figures(takes) == (0, 0, 0)
    assert list(problems(takes.cast.room.pk)) == []
    assert "was reversed, 2500 SEK in notes given back" in the_log(takes)


def test_notes_that_went_to_the_vault_come_back_to_nobody(takes: CageDesk) -> None:
    slip, (mari, frans) = by_notes(takes), (takes.cast.mari, takes.cast.frans)
    counts(mari, frans, takes, KRONOR, cash=FLOAT_CASH - change_of(takes), chips=FLOAT_CHIPS - 217_00)
    opens(mari, frans, takes.drawer_id, 100_00)

    with pytest.raises(NotesInVault):
        reverse(takes, slip, signed_reversal(takes, slip), frans)


@pytest.mark.helsinki
def test_a_count_finds_what_is_missing_at_the_rate_at_which_it_was_taken(takes: CageDesk) -> None:
    by_notes(takes)
    rate(takes.cast.mari, 100_000)
    rate(takes.cast.mari, 1_150_000, currency="GBP")
    carla, mari, frans = takes.carla, takes.cast.mari, takes.cast.frans

    count = counts(
        carla, frans, takes, notes((1000, 2)), notes((10, 1), currency="GBP"),
        cash=FLOAT_CASH - change_of(takes), chips=FLOAT_CHIPS - 217_00,
    )  # fmt: skip

    found = {each.currency: (each.face_cents, each.expected_face_cents, each.cents) for each in count.notes.all()}
    assert found == {"SEK": (2000_00, 2500_00, 174_20), "GBP": (10_00, 0, 11_50)}
    assert count.money_difference_cents == 174_20 + 11_50 - 217_75
    assert figures(takes)[0] == 0
    assert house_figures(takes.cast.room.pk)["vault_foreign_notes"] == 185_70
    assert list(problems(takes.cast.room.pk)) == []

    # Others find the note that was missing; the newest count holds.
    arguments = {**lying(FLOAT_CASH - change_of(takes), FLOAT_CHIPS - 217_00), "foreign": [KRONOR]}
    signing = signed(carla, mari, recount_signs(count.session_id, 1, Lies.by(**arguments)))
    again = recount_drawer(signing, session_id=count.session_id, version=1, **arguments, approved_by_id=mari.pk)
    assert again.data["money_difference_cents"] == 0
    assert house_figures(takes.cast.room.pk)["vault_foreign_notes"] == 217_75
    assert list(problems(takes.cast.room.pk)) == []
    shown = at_desktop(mari).get(f"/cage/sessions/{count.session_id}/").content.decode()
    assert "Foreign notes, SEK" in shown


@pytest.mark.helsinki
def test_notes_taken_for_cash_out_of_the_same_drawer_leave_its_money_whole_and_both_differ(takes: CageDesk) -> None:
    by_notes(takes)
    mari, frans, room_id = takes.cast.mari, takes.cast.frans, takes.cast.room.pk

    # 2,500 kr went for 217.75 € of the house's cash.
    count = counts(mari, frans, takes, cash=FLOAT_CASH - 75 + 217_75, chips=FLOAT_CHIPS - 217_00)

    assert (count.money_difference_cents, count.differences_cents) == (0, (217_75, 0, -217_75, 0))
    doubt = Doubt.objects.get()
    assert (doubt.kind, doubt.cents) == ("count_differs", 435_50)
    shown = fragment(room_id, "floor", "en").html.replace("\xa0", " ")
    assert "Cash +217,75 €, Foreign notes −217,75 €" in shown
    (day,) = GamingDay.objects.all()
    assert short_of(takes, day) == [217_75]
    assert re.search("money differs by 0.*of which foreign notes by .?217,75", the_log(takes))


@pytest.mark.helsinki
def test_notes_of_one_currency_for_those_of_another_differ_both(takes: CageDesk) -> None:
    by_notes(takes)
    rate(takes.cast.mari, 1_088_750, currency="GBP")
    pounds = notes((20, 10), currency="GBP")

    count = counts(
        takes.cast.mari, takes.cast.frans, takes, pounds, cash=FLOAT_CASH - change_of(takes), chips=FLOAT_CHIPS - 217_00
    )

    assert (count.foreign_difference_cents, sorted(count.money_differs_by()[2:])) == (0, [-217_75, 217_75])
    assert Doubt.objects.get().cents == 435_50
    (day,) = GamingDay.objects.all()
    assert [each.differs for each in counts_of(day)] == [True]
    shown = fragment(takes.cast.room.pk, "floor", "en").html.replace("\xa0", " ")
    assert "notes of one currency for another 217,75 €" in shown
    assert short_of(takes, day) == [217_75]
    assert re.search("217,75.* of its money lies there as other money", the_log(takes))


def test_no_count_is_of_notes_that_there_are_not(takes: CageDesk) -> None:
    for foreign in ([notes((10, 1))], [notes((500, 1), currency="GBP")], [KRONOR, KRONOR]):
        with pytest.raises(Malformed):
            counts(takes.cast.mari, takes.cast.frans, takes, *foreign, cash=FLOAT_CASH, chips=FLOAT_CHIPS)


def test_the_report_of_the_day_has_them_by_face_and_by_worth(takes: CageDesk) -> None:
    slip, room = by_notes(takes), takes.cast.room
    reverse(takes, slip, signed_reversal(takes, slip), takes.cast.frans)
    by_notes(takes)

    report = day_report(room)

    sheets = {sheet.name: sheet for sheet in sheets_of(report)}
    assert dict(sheets["foreign_notes"].rows[0]) == {
        "drawer": "1", "currency": "SEK", "slips": 1, "face": 2500, "amount": worth_of_kronor(takes),
        "counted_face": None, "counted": None, "over_short": None,
    }  # fmt: skip
    (kind,) = [each for each in report.slips if each.method == "foreign"]
    assert (kind.paid_cents, kind.back_cents, kind.posted_cents, report.differs) == (434_00, 217_00, 217_00, 0)

    count = counts(
        takes.cast.mari, takes.cast.frans, takes, cash=FLOAT_CASH - change_of(takes), chips=FLOAT_CHIPS - 217_00
    )
    report = day_report(room)
    assert count.money_difference_cents == -worth_of_kronor(takes)
    assert (report.foreign_notes[0].counted_face_cents, report.foreign_notes[0].counted_cents) == (0, 0)
    assert report.differs == 0


def test_a_room_without_rates_sees_nothing_of_it(desk: CageDesk) -> None:
    carla = at_desktop(desk.carla)
    assert "foreign" not in carla.get("/cage/1/").content.decode().replace(
        'data-methods="cash card deposit voucher foreign"', ""
    )
    assert "foreign_notes" not in {sheet.name for sheet in sheets_of(day_report(desk.cast.room))}


@pytest.mark.helsinki
def test_the_till_asks_says_what_they_are_worth_and_prints_it(takes: CageDesk) -> None:
    carla = at_desktop(takes.carla)
    window = carla.get("/cage/1/").content.decode().replace("\xa0", " ")
    assert '<span>1 000</span><input name="foreign_SEK_100000"' in window
    assert 'name="foreign_SEK_50000"' in window
    form: dict[str, Any] = {"kind": "buy_in", "player_id": takes.lee.pk, "amount": "", **FORM}
    for wrong, words in (
        ({"foreign_SEK_100000": "", "foreign_SEK_50000": ""}, "how many there are of each note"),
        ({"foreign_currency": "GBP"}, "how many there are of each note"),
        ({"foreign_SEK_50000": "x"}, "cannot be read"),
        ({"amount": "300"}, "They buy chips for 217"),
        ({"foreign_SEK_100000": "", "foreign_SEK_50000": "", "foreign_SEK_2000": "1", "amount": "100"}, "worth 1,74"),
    ):
        refused = carla.get("/cage/1/check/", form | wrong).content.decode()
        assert "data-check-refused" in refused
        assert words in refused, refused
    shown = carla.get("/cage/1/check/", form).content.decode()
    assert all(each in shown for each in ("217,75", "0,75", "217", "2\u00a0×\u00a01"))

    paid = tap(carla, "/cage/1/buy-in/", kind="buy_in", player_id=takes.lee.pk, amount="217.00", **FORM)

    assert paid.status_code == 200
    assert all(each in paid.content.decode() for each in ("0,0871 EUR", "217,75", "Notes taken"))
    assert "with 2500 SEK in notes, worth 217,75 € at 0.0871; 0,75 € went back in cash" in the_log(takes)


def test_they_pay_what_was_asked_for_at_a_table(takes: CageDesk) -> None:
    request = services.request_buy_in(command(takes.cast.anna), player_id=takes.lee.pk, amount_cents=200_00)
    form: dict[str, Any] = {"slip_id": request.data["slip_id"], "version": 1, **FORM}
    assert (
        money(worth_of_kronor(takes) - 200_00, takes.cast.room)
        in at_desktop(takes.carla).get("/cage/1/check/", form).content.decode()
    )

    assert tap(at_desktop(takes.carla), "/cage/1/take/", **form).status_code == 200

    assert Slip.objects.get().notes.value_cents == worth_of_kronor(takes)


PLANTS = [
    ("UPDATE cage_notestaken SET face_cents = face_cents + 100", "come to 250000 and say 250100"),
    ("UPDATE cage_notestaken SET value_cents = value_cents + 500", "are worth"),
    ("UPDATE cage_slip SET method = 'cash'", "has foreign notes and was paid by cash"),
    ("DELETE FROM cage_notestaken", "by foreign notes that are not there"),
    ("DELETE FROM cage_notestaken", "took foreign notes for 0, and {worth} lies there"),
]


@pytest.mark.parametrize(("plant", "found"), PLANTS)
def test_what_no_command_did_is_found(takes: CageDesk, plant: str, found: str) -> None:
    by_notes(takes)
    assert list(problems(takes.cast.room.pk)) == []

    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in ("cage_notestaken", "cage_slip"):
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(plant)

    details = [each.detail for each in problems(takes.cast.room.pk) if each.what == "foreign_notes"]
    assert any(found.format(worth=worth_of_kronor(takes)) in each for each in details), details


def test_a_posting_that_no_slip_made_is_found(takes: CageDesk) -> None:
    by_notes(takes)
    day, room_id = open_day(takes.cast.room.pk), takes.cast.room.pk
    assert day is not None
    lines = [PostingLine("drawer", takes.drawer_id, "foreign_notes", -10_00), of_house(room_id, "vault_cash", 10_00)]
    post(
        room_id=room_id, day_id=day.pk, kind="fill", lines=lines, key="planted", made_by_id=takes.carla.pk,
        at=TONIGHT + timedelta(hours=1),
    )  # fmt: skip

    details = [each.detail for each in problems(room_id) if each.what == "foreign_notes"]
    worth = worth_of_kronor(takes)
    assert details == [f"drawer 1 took foreign notes for {worth}, and {worth - 10_00} lies there"]


def test_a_count_that_says_something_else_than_its_notes_is_found(takes: CageDesk) -> None:
    by_notes(takes)
    carla, frans = takes.carla, takes.cast.frans
    counts(carla, frans, takes, KRONOR, cash=FLOAT_CASH - change_of(takes), chips=FLOAT_CHIPS - 217_00)
    assert list(problems(takes.cast.room.pk)) == []
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE cage_notescounted DISABLE TRIGGER USER")
        cursor.execute("UPDATE cage_notescounted SET cents = cents - 1")

    details = {each.what: each.detail for each in problems(takes.cast.room.pk)}
    worth = worth_of_kronor(takes)
    assert (
        f"its foreign notes come to {worth - 1} of {worth} and it says {worth} of {worth}" in details["foreign_notes"]
    )
    assert "event" in details


@given(face=st.integers(1, 10**9), millionths=st.integers(1, 10**10), coin=st.sampled_from([1, 5, 50, 100]))
def test_notes_are_never_worth_more_than_their_rate_says(face: int, millionths: int, coin: int) -> None:
    cents = worth(face, millionths, coin_cents=coin)
    assert cents % coin == 0
    assert 0 <= face * millionths - cents * 10**6 < coin * 10**6


@given(taken=st.integers(1, 10**9), value=st.integers(0, 10**9), found=st.integers(0, 10**9))
def test_all_that_was_taken_is_found_at_what_it_was_taken_for(taken: int, value: int, found: int) -> None:
    assert worth_found(taken, (taken, value), 1) == value
    assert worth_found(0, (taken, value), 1) == 0
    assert (worth_found(found, (taken, value), 1) <= value) or found > taken


@pytest.mark.browser
@pytest.mark.slow
def test_the_keyboard_alone_takes_foreign_notes(brush_server: BrushServer, chromium: Chromium) -> None:
    desk = open_desk()
    rate(desk.cast.mari, at=clock.now())
    rate(desk.cast.mari, 1_150_000, currency="GBP", at=clock.now())
    page = sit_down(chromium)
    page.keyboard.type("lee")
    expect(page.locator("#players [role=option]").first).to_contain_text("Lee")
    page.keyboard.press("Enter")
    expect(page.locator("#till-amount")).to_be_focused()
    expect(page.locator("#foreign-field")).to_be_hidden()
    for _ in range(4):
        page.keyboard.press("F9")
    expect(page.locator("#foreign-field")).to_be_visible()
    # On to the second currency, and to its notes.
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    page.keyboard.press("Tab")
    page.keyboard.type("1")
    expect(page.locator("#foreign-worth")).to_contain_text("217,75")
    expect(page.locator("#till-amount")).to_have_value("217")
    shot(page, "till-foreign")
    page.keyboard.press("Enter")
    expect(page.locator("#check [data-go]")).to_be_focused()
    expect(page.locator("#check")).to_contain_text("0,75")
    shot(page, "till-foreign-check")
    page.keyboard.press("Enter")

    expect(page.locator("#slip .number")).to_have_text("1–00001")
    shot(page, "till-foreign-slip")
    expect(page.locator("#foreign-field")).to_be_hidden()
    assert NotesTaken.objects.get().face == "2500 SEK"
