"""The vault, counted blind and by two: what differs, who may count and judge it, and what a day says of it."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.cage import open_items
from casino.cage.api.answers_vault import SUMS
from casino.cage.day_counts import counts_of
from casino.cage.day_ends import warnings_before
from casino.cage.errors_days import DayLeavesOpen
from casino.cage.errors_vault import BothReadBooks, OwnVaultCount, VaultCountedBefore, VaultMoved
from casino.cage.exception_kinds import read as exceptions_of
from casino.cage.models import CarriedItem, VaultCount
from casino.cage.rules import worth
from casino.cage.selectors.exchanges import VaultNotes, vault_notes
from casino.cage.selectors.foreign import last_rates
from casino.cage.selectors.todo import doubt_lines
from casino.cage.selectors.todo_vault import vault_lines
from casino.cage.selectors.vault_counts import vault_version
from casino.cage.services import close_day, fills, open_day
from casino.cage.services.counting import Lies
from casino.cage.services.vault_counts import NEEDS, _notes, count_vault, judge_vault, vault_count_signs
from casino.errors import NotFound
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.ledger.templatetags.money import difference, money
from casino.people.exception_report import Span
from casino.people.models import Staff
from casino.reports.selectors.day import day_report
from casino.reports.selectors.exceptions import exception_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import GamingDay, Room
from casino.rooms.selectors import open_day as day_that_is_open
from tests.cage.counting import carried, closes, counts_vault, lying, signed
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.exchanging import brings
from tests.cage.foreign import KRONOR_WORTH, notes, rate
from tests.cage.test_identity import with_book
from tests.cage.test_paying import buy
from tests.cast import TONIGHT, actor, command
from tests.support.books import fills_in_one_step
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

KINDS = ("vault_cash", "vault_card_slips", "vault_foreign_notes", "vault_chips")


@pytest.fixture
def vault(desk: CageDesk) -> CageDesk:
    """Return a cage whose vault holds what its only drawer left there: cash, card slips, 2,500 kr and chips."""
    rate(desk.cast.mari)
    buy(desk, 217_00, "foreign", foreign=notes((1000, 2), (500, 1)))
    cash, chips = FLOAT_CASH - (KRONOR_WORTH[desk.cast.room.currency] - 217_00), FLOAT_CHIPS - 217_00
    brings(desk.carla, desk.cast.frans, desk.drawer_id, (1000, 2), (500, 1), cash=cash, chips=chips)
    return desk


def lies(vault: CageDesk) -> tuple[int, ...]:
    found = house_figures(vault.cast.room.pk)
    return tuple(found[kind] for kind in (*KINDS, "vault_missing", "vault_chips_missing"))


def count(
    vault: CageDesk,
    *by: Staff,
    cash: int = 0,
    chips: int = 0,
    kronor: Sequence[tuple[int, int]] = (),
    currency: str = "SEK",
    **more: Any,
) -> VaultCount:
    """Have the vault counted, by how much it differs from what lies there; kronor are what is there."""
    found = house_figures(vault.cast.room.pk)
    first, second = by or (vault.carla, vault.cast.frans)
    foreign = [notes(*kronor, currency=currency)] if kronor else []
    return counts_vault(
        first, second, found["vault_cash"] + cash, found["vault_chips"] + chips, foreign=foreign, **more
    )


def other_cashier(vault: CageDesk) -> Staff:
    """Return Dan, who is a cashier too."""
    dan = vault.cast.dan
    dan.roles = ["dealer", "cashier"]
    dan.save(update_fields=["roles"])
    return dan


ALL_KRONOR = ((1000, 2), (500, 1))


def test_a_count_moves_what_differs_to_the_vaults_own_over_short(vault: CageDesk) -> None:
    before, room = lies(vault), vault.cast.room

    short = count(vault, cash=-50_00, chips=5_00, kronor=((1000, 2),))

    assert (short.number, short.counted_by, short.counted_with) == (1, vault.carla, vault.cast.frans)
    note = KRONOR_WORTH[room.currency] // 5
    assert short.differences_cents == (-50_00, 0, -note, 5_00)
    moved = tuple(after - was for after, was in zip(lies(vault), before, strict=True))
    assert moved == (-50_00, 0, -note, 5_00, 50_00 + note, -5_00)
    (kronor,) = vault_notes(room.pk)
    assert (kronor.pieces, kronor.face_cents, kronor.cents) == ({1000_00: 2}, 2000_00, 4 * note)
    assert list(problems(room.pk)) == []

    # The next one finds what this one left; where nothing differs nothing is posted and nobody asked.
    again = count(vault, other_cashier(vault), vault.cast.frans, kronor=((1000, 2),))

    assert (again.number, again.differences_cents, again.transfer_id, again.unjudged) == (2, (0, 0, 0, 0), None, False)
    assert list(problems(room.pk)) == []


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_what_is_just_leaving_the_vault_is_not_counted_there(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    carla, frans, room = desk.carla, desk.cast.frans, desk.cast.room
    fills_in_one_step(room.pk)
    there, version = house_figures(room.pk), vault_version(room.pk)
    counted: dict[str, Any] = lying(there["vault_cash"], there["vault_chips"])
    counting = signed(carla, frans, vault_count_signs(version, Lies.by(**counted)), needs=NEEDS)
    fill: dict[str, Any] = {"drawer_id": desk.drawer_id, "what": "cash", "amount_cents": 100_00}
    filling = desk.signed(carla, frans, needs=fills.NEEDS, signs=fills.signs_for("fill", **fill))
    if not is_locked:
        without_lock(monkeypatch, GamingDay)

    def counts() -> None:
        with pytest.raises(VaultMoved) if is_locked else nullcontext():
            count_vault(counting, version=version, **counted, approved_by_id=frans.pk)

    meet(lambda: fills.fill_drawer(filling, **fill, approved_by_id=frans.pk), counts)

    # What was counted before it left would be too much by it.
    assert house_figures(room.pk)["vault_missing"] == (0 if is_locked else -100_00)


def test_notes_of_one_currency_for_another_differ(vault: CageDesk) -> None:
    rate(vault.cast.mari, 87_100, currency="NOK")
    found = count(vault, kronor=((500, 5),), currency="NOK")
    # What they were taken for was rounded down to a coin, what is found by a count is not.
    assert found.money_difference_cents == 217_75 - KRONOR_WORTH[vault.cast.room.currency]
    assert found.unjudged
    assert [each.currency for each in vault_notes(vault.cast.room.pk)] == ["NOK"]
    assert list(problems(vault.cast.room.pk)) == []


def test_one_of_both_does_not_read_the_books_and_counts(vault: CageDesk) -> None:
    mari, olavi, carla = vault.cast.mari, vault.cast.olavi, vault.carla
    Staff.objects.filter(id=olavi.pk).update(roles=["auditor", "floor"], is_on_shift=True)
    with pytest.raises(BothReadBooks):
        count(vault, mari, olavi, kronor=ALL_KRONOR)
    assert count(vault, mari, carla, kronor=ALL_KRONOR).counted_by == carla


def test_a_manager_reads_the_books_at_a_device_that_does_not_too(vault: CageDesk) -> None:
    """What they cannot look up at the cage they have read in the office."""
    mari, olavi = vault.cast.mari, vault.cast.olavi
    Staff.objects.filter(id=olavi.pk).update(roles=["auditor", "floor"], is_on_shift=True)
    arguments = {**lying(0, 0, 0), "foreign": []}
    signing = signed(mari, olavi, vault_count_signs(0, Lies.by(**arguments)), needs=NEEDS)
    signing = replace(signing, by=replace(signing.by, may=signing.by.may - {"read.ledger"}))
    with pytest.raises(BothReadBooks):
        count_vault(signing, version=0, **arguments, approved_by_id=olavi.pk)


def test_who_counted_last_on_the_day_does_not_count_the_next_time(vault: CageDesk) -> None:
    """Both have read what was expected; either may stand by, and on the next day count again."""
    carla, frans, mari, dan = vault.carla, vault.cast.frans, vault.cast.mari, other_cashier(vault)
    count(vault, carla, frans, cash=-5_00, kronor=ALL_KRONOR)
    for by in ((carla, frans), (carla, mari)):
        with pytest.raises(VaultCountedBefore):
            count(vault, *by, kronor=ALL_KRONOR)

    assert count(vault, carla, dan, kronor=ALL_KRONOR).counted_by == dan

    tomorrow = TONIGHT + timedelta(days=1)
    with clock.frozen(tomorrow):
        close_day(command(mari, at=tomorrow), carrying=[carried("vault_differs.1", "no_time")])
        open_day(command(mari, at=tomorrow))
    assert count(vault, carla, dan, kronor=ALL_KRONOR, at=tomorrow).counted_by == carla


def test_notes_found_where_less_than_none_lies_are_worth_what_they_are_taken_at(
    vault: CageDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else was counted."""
    less = [VaultNotes("SEK", -500_00, -43_55)]
    monkeypatch.setattr("casino.cage.services.vault_counts.vault_notes", lambda _room_id: less)
    foreign = [notes(*ALL_KRONOR, currency="SEK")]
    (found,) = _notes(vault.cast.room.pk, foreign)
    assert found.cents == worth(2500_00, last_rates(vault.cast.room.pk)["SEK"], coin_cents=1) > 0


def test_what_moved_since_a_count_began_is_no_part_of_one(vault: CageDesk) -> None:
    began = vault_version(vault.cast.room.pk)
    count(vault, cash=5_00, kronor=ALL_KRONOR)
    with pytest.raises(VaultMoved):
        count(vault, cash=-5_00, kronor=ALL_KRONOR, version=began)
    assert VaultCount.objects.count() == 1


def test_who_counted_does_not_judge(vault: CageDesk) -> None:
    found = count(vault, vault.carla, vault.cast.frans, cash=-5_00, kronor=ALL_KRONOR)
    (line,) = vault_lines(room_id=vault.cast.room.pk)
    assert line.text == f"The count differs: Cash {difference(-5_00, vault.cast.room)}"
    assert list(doubt_lines(room_id=vault.cast.room.pk)) == []
    with pytest.raises(OwnVaultCount):
        judge_vault(command(vault.cast.frans), vault_count_id=found.pk)
    judge_vault(command(vault.cast.mari), vault_count_id=found.pk)
    assert list(vault_lines(room_id=vault.cast.room.pk)) == []
    with pytest.raises(NotFound):
        judge_vault(command(vault.cast.mari), vault_count_id=found.pk)


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_count_is_judged_once_by_the_rooms_lock(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    found = count(desk, desk.carla, desk.cast.frans, cash=-5_00)
    first, second = command(desk.cast.mari), command(desk.cast.mari)
    if not is_locked:
        without_lock(monkeypatch, Room)

    def judges_too() -> None:
        with pytest.raises(NotFound) if is_locked else nullcontext():
            judge_vault(second, vault_count_id=found.pk)

    meet(lambda: judge_vault(first, vault_count_id=found.pk), judges_too)

    judged = Event.objects.filter(name="cage.judge_vault", result="done")
    assert judged.count() == (1 if is_locked else 2)


def test_the_page_says_nothing_of_what_lies_there_and_the_paper_does_afterwards(vault: CageDesk) -> None:
    carla = at_desktop(vault.carla)
    page = carla.get("/cage/vault/").content.decode()
    for cents in (*lies(vault)[:4], vault_notes(vault.cast.room.pk)[0].face_cents):
        amount, _space, _currency = money(cents, vault.cast.room).rpartition("\u00a0")
        assert not cents or amount not in page
    found = count(vault, cash=-5_00, kronor=ALL_KRONOR)
    paper = carla.get(f"/cage/vault/{found.pk}/").content.decode()
    assert 'id="printed"' in paper
    assert "Carla" in paper
    assert "Frans" in paper
    # What lies there only whoever reads the books reads: the others count it the next time.
    in_books = at_desktop(vault.cast.mari).get(f"/cage/vault/{found.pk}/").content.decode()
    for cents in (found.cash_cents, found.expected_cash_cents, found.chips_cents):
        amount = money(cents, vault.cast.room)
        assert (amount in paper, amount in in_books) == (False, True)
    (called,) = carla.get("/api/v1/cage/vault/counts").json()
    (in_full,) = at_desktop(vault.cast.mari).get("/api/v1/cage/vault/counts").json()
    assert {name for name, value in called.items() if value is None} >= {*SUMS}
    assert (called["money_difference_cents"], in_full["cash_cents"]) == (-5_00, found.cash_cents)
    assert at_desktop(vault.cast.olavi).get("/cage/vault/").status_code == 200
    assert at_desktop(vault.cast.dan).get("/cage/vault/").status_code == 403
    judged = tap(at_desktop(vault.cast.mari), f"/cage/vault/{found.pk}/judge/")
    assert judged.status_code == 200, judged.content
    assert carla.get("/cage/vault/9999/").status_code == 404


def test_a_day_says_what_was_counted_and_the_report_agrees_with_the_ledger(vault: CageDesk) -> None:
    room = vault.cast.room
    with clock.frozen(TONIGHT):
        assert "The vault was never counted." in [sentence for sentence, _address in warnings_before(room.pk)]
    count(vault, vault.carla, vault.cast.frans, cash=-50_00, kronor=ALL_KRONOR)
    count(vault, other_cashier(vault), vault.cast.mari, chips=-5_00, kronor=ALL_KRONOR)
    with clock.frozen(TONIGHT):
        assert not any("vault" in sentence for sentence, _address in warnings_before(room.pk))

    report = day_report(room)
    (sheet,) = [each for each in sheets_of(report) if each.name == "vault_counts"]
    rows = [(row["count"], row["money_over_short"], row["money_posted"], row["chips_posted"]) for row in sheet.rows]
    assert rows == [("1", -50_00, -50_00, 0), ("2", 0, 0, -5_00)]
    assert report.differs == 0
    assert at_desktop(vault.cast.mari).get("/reports/").status_code == 200
    day = day_that_is_open(room.pk)
    assert day is not None
    counted = [(each.word, each.money_cents, each.chips_cents) for each in counts_of(day) if each.kind == "vault"]
    assert [each[1:] for each in counted] == [(-50_00, 0), (0, -5_00)]
    differ = [each.word for each in open_items.may_be_carried(room.pk) if each.kind == "vault_differs"]
    assert differ == ["vault_differs.1", "vault_differs.2"]


def test_a_short_vault_is_everybodys_who_moved_something_there(vault: CageDesk) -> None:
    """And of nobody who only counted it."""
    dan = other_cashier(vault)
    count(vault, dan, vault.cast.mari, cash=-50_00, kronor=ALL_KRONOR)
    day = day_that_is_open(vault.cast.room.pk)
    assert day is not None
    counted = exceptions_of(Span(vault.cast.room.pk, (GamingDay.objects.get(pk=day.pk),)))
    short = {each.staff_id: each.cents for each in counted if each.code == "vault_short"}
    # Mari said what lay there at first; Carla's drawer was opened and counted, and Frans signed for both.
    assert short == dict.fromkeys((vault.cast.mari.pk, vault.carla.pk, vault.cast.frans.pk), 50_00)
    with clock.frozen(TONIGHT):
        found = exception_report(vault.cast.room, actor(vault.cast.mari))
    (kind,) = [each for each in found.kinds if each.kind.code == "vault_short"]
    # One count: the room has it once.
    assert (kind.room.count, kind.cents) == (1, 50_00)


def test_a_house_that_has_it_counted_daily_closes_no_day_without(vault: CageDesk) -> None:
    with_book(vault, lambda text: text.replace("[cage]", "[cage]\nvault_counted_daily = true"))
    mari, room = vault.cast.mari, vault.cast.room
    with clock.frozen(TONIGHT):
        with pytest.raises(DayLeavesOpen) as refused:
            close_day(command(mari))
        assert refused.value.data["still_open"] == [["vault", 1]]
        close_day(command(mari), carrying=[carried("vault.1", "no_time")])
    tomorrow = TONIGHT + timedelta(days=1)
    with clock.frozen(tomorrow):
        open_day(command(mari, at=tomorrow))
        (item,) = CarriedItem.objects.all()
        day = GamingDay.objects.earliest("id")
        assert open_items.done_of("vault", item.rows, day.pk) == {}
        count(vault, kronor=ALL_KRONOR, at=tomorrow)
        assert open_items.done_of("vault", item.rows, day.pk) == {day.pk: tomorrow}
        assert open_items.may_be_carried(room.pk) == []


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("cash_pieces = '[[50000, 1]]'", {"vault_count_pieces"}),
        (
            "expected_cash_cents = expected_cash_cents - 5, cash_cents = cash_cents - 5",
            {"vault_count_pieces", "vault_count_expected"},
        ),
        ("transfer_id = NULL", {"vault_count_posted"}),
        ("after_transfer_id = after_transfer_id - 1", {"vault_count_expected"}),
    ],
)
def test_the_proof_finds_what_was_changed(vault: CageDesk, planted: str, found: set[str]) -> None:
    count(vault, cash=-50_00, kronor=ALL_KRONOR)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(f"UPDATE cage_vaultcount SET {planted}")
    assert {each.what for each in problems(vault.cast.room.pk)} >= {*found, "event"}


def test_a_count_costs_few_statements(vault: CageDesk) -> None:
    with CaptureQueriesContext(connection) as queries:
        count(vault, cash=-5_00, kronor=ALL_KRONOR)
    assert len(queries) == 39, [each["sql"][:90] for each in queries]


def test_a_drawer_that_is_counted_moves_the_vault(desk: CageDesk) -> None:
    began = vault_version(desk.cast.room.pk)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    with pytest.raises(VaultMoved):
        count(desk, version=began)
