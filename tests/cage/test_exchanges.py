"""Foreign notes that leave the vault: at what they were taken for, by two, and taken back by two."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from casino.cage.errors import ExchangeTakenBack, NotesNeeded, NotesNotThere
from casino.cage.models import NotesBrought
from casino.cage.rules import exchange_lines
from casino.cage.selectors.exchanges import vault_notes
from casino.cage.services import close_day, open_day
from casino.errors import Malformed
from casino.ledger.errors import AlreadyPosted, AlreadyReversed, VaultShort
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.ledger.services import stock_vault, vault_signs
from casino.reports.selectors.day import day_report
from casino.reports.sheets import sheets_of
from casino.rooms.models import Room
from tests.cage.counting import recounts
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.exchanging import brings, exchanges, exchanging, takes_back, taking_back
from tests.cage.foreign import KRONOR_WORTH, notes, rate
from tests.cage.test_paying import buy
from tests.cast import TONIGHT, command
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def vault(desk: CageDesk) -> CageDesk:
    """Return a cage whose vault holds 2,500 kr, taken for what they are worth."""
    return filled(desk)


def filled(desk: CageDesk) -> CageDesk:
    rate(desk.cast.mari)
    buy(desk, 217_00, "foreign", foreign=notes((1000, 2), (500, 1)))
    cash, chips = FLOAT_CASH - (KRONOR_WORTH[desk.cast.room.currency] - 217_00), FLOAT_CHIPS - 217_00
    brings(desk.carla, desk.cast.frans, desk.drawer_id, (1000, 2), (500, 1), cash=cash, chips=chips)
    return desk


def moved(desk: CageDesk, before: dict[str, int]) -> tuple[int, int, int]:
    after = house_figures(desk.cast.room.pk)
    kinds = ("vault_foreign_notes", "vault_cash", "exchange_difference")
    return tuple(after.get(kind, 0) - before.get(kind, 0) for kind in kinds)  # type: ignore[return-value] # three


def test_notes_leave_at_what_they_were_taken_for_and_come_back_whole(vault: CageDesk) -> None:
    mari, frans, room = vault.cast.mari, vault.cast.frans, vault.cast.room
    # What is taken today says nothing of what lies there.
    rate(mari, 100_000)
    before, whole = house_figures(room.pk), KRONOR_WORTH[room.currency]
    part = whole * 1000 // 2500

    first = exchanges(mari, frans, (1000, 1), got=86_00)
    second = exchanges(mari, frans, (1000, 1), (500, 1), got=131_00)

    assert (first.number, first.worth_cents, first.difference_cents, second.number) == (1, part, 86_00 - part, 2)
    # Nothing is left of what the rounding of the first left.
    rest = second.worth_cents
    assert rest == whole - part
    assert moved(vault, before) == (-whole, 217_00, whole - 217_00)
    assert vault_notes(room.pk) == []
    assert list(problems(room.pk)) == []

    takes_back(mari, frans, second)

    assert moved(vault, before) == (-part, 86_00, part - 86_00)
    (lies,) = vault_notes(room.pk)
    assert (lies.pieces, lies.face_cents, lies.cents) == ({1000_00: 1, 500_00: 1}, 1500_00, rest)
    assert list(problems(room.pk)) == []
    with pytest.raises(ExchangeTakenBack):
        takes_back(mari, frans, second)
    report = day_report(room)
    rows = [dict(row) for sheet in sheets_of(report) if sheet.name == "exchanges" for row in sheet.rows]
    assert [(row["exchange"], row["face"], row["worth"], row["got"], row["difference"]) for row in rows] == [
        ("1", 1000, part, 86_00, 86_00 - part), ("2", 1500, rest, 131_00, 131_00 - rest),
        ("2 · taken back", -1500, -rest, -131_00, rest - 131_00),
    ]  # fmt: skip
    assert report.differs == 0


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_who_bring_the_same_notes_away_at_once_bring_them_once(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    vault = filled(committed_desk)
    first, second = [exchanging(vault.cast.mari, vault.cast.frans, (1000, 2), got=170_00) for _ in range(2)]
    if not is_locked:
        without_lock(monkeypatch, Room)

    # The ledger has the last word.
    with pytest.raises(NotesNotThere if is_locked else AlreadyPosted):
        meet(first, second)

    (lies,) = vault_notes(vault.cast.room.pk)
    assert lies.pieces == {500_00: 1}
    assert list(problems(vault.cast.room.pk)) == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_an_exchange_is_taken_back_once_by_the_rooms_lock(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    vault = filled(committed_desk)
    mari, frans = vault.cast.mari, vault.cast.frans
    exchange = exchanges(mari, frans, (1000, 2), got=170_00)
    first, second = [taking_back(mari, frans, exchange, reason="not_taken") for _ in range(2)]
    if not is_locked:
        without_lock(monkeypatch, Room)

    # The ledger has the last word.
    with pytest.raises(ExchangeTakenBack if is_locked else AlreadyReversed):
        meet(first, second)

    assert list(problems(vault.cast.room.pk)) == []


def test_only_notes_that_lie_there_go(vault: CageDesk) -> None:
    mari, frans = vault.cast.mari, vault.cast.frans
    for counts, more, refused in (
        ([(1000, 3)], {}, NotesNotThere),
        # As much in all, and not of this note.
        ([(100, 10)], {}, NotesNotThere),
        ([(50, 1)], {"currency": "GBP"}, NotesNotThere),
        ([(1000, 0)], {}, NotesNeeded),
        ([(10, 1)], {}, Malformed),
        ([(1000, -1)], {}, Malformed),
        ([(1000, 1)], {"got": -1}, Malformed),
    ):
        arguments: dict[str, Any] = {"got": 1_00, **more}
        with pytest.raises(refused):
            exchanges(mari, frans, *counts, **arguments)
    assert vault_notes(vault.cast.room.pk)[0].face_cents == 2500_00


def test_what_is_counted_again_after_the_notes_went_is_a_fact(vault: CageDesk) -> None:
    exchanges(vault.cast.mari, vault.cast.frans, (1000, 2), (500, 1), got=0)
    whole = KRONOR_WORTH[vault.cast.room.currency]
    recounts(vault.carla, vault.cast.mari, FLOAT_CASH + 217_00 - whole, FLOAT_CHIPS - 217_00)
    (lies,) = vault_notes(vault.cast.room.pk)
    assert (lies.face_cents, lies.cents) == (-2500_00, -whole)
    assert list(problems(vault.cast.room.pk)) == []


def test_what_counts_brought_is_kept_with_the_day_and_added_up_no_more(
    vault: CageDesk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mari, frans, room = vault.cast.mari, vault.cast.frans, vault.cast.room
    first, whole = exchanges(mari, frans, (500, 1), got=43_00), KRONOR_WORTH[room.currency]
    close_day(command(mari))
    (kept,) = NotesBrought.objects.all()
    assert (kept.pieces, kept.face_cents, kept.cents) == ([[1000_00, 2], [500_00, 1]], 2500_00, whole)
    tomorrow = TONIGHT + timedelta(days=1)
    open_day(command(mari, at=tomorrow))

    with django_assert_num_queries(1):
        (lies,) = vault_notes(room.pk)

    assert (lies.pieces, lies.face_cents) == ({1000_00: 2}, 2000_00)
    takes_back(mari, frans, first)
    assert vault_notes(room.pk)[0].face_cents == 2500_00
    assert list(problems(room.pk)) == []
    # A day on which nothing was counted keeps nothing anew; and of what was kept nothing is read any more.
    close_day(command(mari, at=tomorrow))
    assert NotesBrought.objects.count() == 1
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE cage_notesbrought DISABLE TRIGGER USER")
        cursor.execute("UPDATE cage_notesbrought SET cents = cents - 5")
    assert vault_notes(room.pk)[0].cents == whole - 5
    details = [each.detail for each in problems(room.pk) if each.what == "exchanges"]
    assert any(
        f"{whole - 5} of 250000 SEK is kept, and counts brought {whole} of 250000" in each for each in details
    ), details


def test_it_is_taken_back_out_of_cash_that_is_there(vault: CageDesk) -> None:
    mari, frans, room_id = vault.cast.mari, vault.cast.frans, vault.cast.room.pk
    exchange = exchanges(mari, frans, (1000, 1), got=86_00)
    out = {"cash_cents": -house_figures(room_id)["vault_cash"], "chips_cents": 0}
    signing = vault.signed(mari, frans, needs="ledger.approve_vault", signs=vault_signs(**out))
    stock_vault(signing, **out, approved_by_id=frans.pk)
    with pytest.raises(VaultShort):
        takes_back(mari, frans, exchange)


@pytest.mark.helsinki
def test_the_page_has_them_and_each_has_its_paper(vault: CageDesk) -> None:
    mari = at_desktop(vault.cast.mari)
    shown = mari.get("/cage/exchanges/").content.decode()
    assert all(each in shown for each in ('name="foreign_SEK_100000"', 'name="foreign_SEK_50000"', "217,75"))
    exchange = exchanges(vault.cast.mari, vault.cast.frans, (1000, 1), got=86_50)
    paper = mari.get(f"/cage/exchanges/{exchange.pk}/").content.decode()
    assert 'id="printed"' in paper
    assert all(each in paper for each in ("00001", "87,10", "86,50", "0,60", "Frans"))
    takes_back(vault.cast.mari, vault.cast.frans, exchange)
    assert "They were not taken there" in mari.get(f"/cage/exchanges/{exchange.pk}/").content.decode()
    assert "1000 SEK" in mari.get("/log/").content.decode()
    assert mari.get("/cage/exchanges/999/").status_code == 404
    assert tap(at_desktop(vault.carla), "/cage/exchanges/new/").status_code == 403


def test_lines_come_to_nothing() -> None:
    assert sum(line.cents for line in exchange_lines(87_10, 90_00, room_id=1)) == 0


PLANTS = [
    ("UPDATE cage_notesexchanged SET face_cents = face_cents + 100", "come to 100000 and say 100100"),
    ("UPDATE cage_notesexchanged SET got_cents = got_cents + 5", "of vault_cash an exchange moves 8605, and 8600"),
    ("DELETE FROM cage_notesexchanged", "should hold foreign notes for {whole}, and {left} lies there"),
    ("UPDATE cage_notesexchanged SET reversal_transfer_id = 1", "that it was taken back by transfer 1"),
]


def test_what_no_command_did_is_found(vault: CageDesk) -> None:
    exchanges(vault.cast.mari, vault.cast.frans, (1000, 1), got=86_00)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE cage_notesexchanged DISABLE TRIGGER USER")
        cursor.execute("ALTER TABLE cage_notesexchanged DROP CONSTRAINT notes_exchanged_taken_back_by_two")

    whole = KRONOR_WORTH[vault.cast.room.currency]
    for plant, found in PLANTS:
        with as_owner(), connection.cursor() as cursor:
            cursor.execute("SAVEPOINT planted")
            cursor.execute(plant)
        details = [each.detail for each in problems(vault.cast.room.pk) if each.what == "exchanges"]
        assert any(found.format(whole=whole, left=whole * 3 // 5) in each for each in details), details
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK TO SAVEPOINT planted")
