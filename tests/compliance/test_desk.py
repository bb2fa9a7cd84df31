"""The compliance officer's desk: who sees it, notes and marks, and where none of it is told."""

import io
import json
import zipfile
from collections import Counter
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import translation

from casino import clock
from casino.audit.models import Event
from casino.commands.models import AnsweredCommand
from casino.compliance.errors import (
    CorrectsStanding,
    NoteOfOneThing,
    NotOneFinding,
    OwnSuspicion,
    ReportedLater,
    ReportHasItsDay,
)
from casino.compliance.models import ComplianceNote
from casino.compliance.rules import SLIP, ids_in
from casino.compliance.selectors.findings import findings_of, notes_on
from casino.compliance.services import mark_finding, write_note
from casino.errors import NotFound
from casino.people.kept_shown import kept_data
from casino.people.models import Staff
from casino.people.person_file import person_file
from casino.people.selectors import actor_at_desktop
from casino.people.services import erase_player, open_inquiry
from casino.people.tasks import forget
from tests.api.stage import Stage
from tests.audit.sealing import seal
from tests.cage.desk import identity_from
from tests.cast import TONIGHT, command, make_cast
from tests.compliance.findings import (
    NOTE_TEXT,
    below,
    buys,
    carla_reads,
    findings_shown,
    marks,
    next_day,
    reads,
)
from tests.reports.packing import packed
from tests.reports.test_exceptions import Officer, somebody
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

# ---- who


def test_who_handled_a_slip_handles_no_finding_that_rests_on_it(house: House, vera: Officer) -> None:
    slip_ids = below(house)
    carla = carla_reads(house)
    wrong = marks(vera, slip_ids)
    on_carla = house.tap(write_note, vera.staff, staff_id=carla.staff.pk, text="Paid both herself").data["note"]

    seen = reads(carla)
    page = carla.get("/compliance/").content.decode()

    assert (list(seen.shown), seen.own) == ([], True)
    assert notes_on(house.cast.room, actor_at_desktop(carla.staff))[1] == []
    assert NOTE_TEXT not in page
    assert "Paid both" not in page
    # As of a note that there is none of: a number tells nobody that a note is on them.
    for hidden in (wrong, on_carla):
        with pytest.raises(NotFound):
            house.tap(write_note, carla.staff, corrects_id=hidden, text=NOTE_TEXT)
    for refused in (
        lambda: marks(carla, slip_ids),
        lambda: house.tap(write_note, carla.staff, staff_id=carla.staff.pk, text=NOTE_TEXT),
        lambda: notes_on(house.cast.room, actor_at_desktop(carla.staff), staff_id=carla.staff.pk),
    ):
        with pytest.raises(OwnSuspicion):
            refused()
    assert carla.get(f"/compliance/staff/{carla.staff.pk}/").status_code == 403
    assert "Carla" not in carla.get("/compliance/found/?q=Carla").content.decode()


def test_no_number_tells_an_officer_that_there_is_a_note_on_them(
    house: House, vera: Officer, monkeypatch: pytest.MonkeyPatch
) -> None:
    carla, slip_ids = carla_reads(house), below(house)
    lee = house.tap(write_note, vera.staff, player_id=house.player("Lee").pk, text=NOTE_TEXT).data["note"]
    marks(vera, slip_ids)
    house.tap(write_note, vera.staff, staff_id=carla.staff.pk, text="Paid both herself")
    monkeypatch.setattr("casino.compliance.selectors.findings.NOTES_MAX", 1)

    notes = notes_on(house.cast.room, actor_at_desktop(carla.staff))[1]

    assert [each.note.pk for each in notes] == [lee]
    # Whoever reads no notes finds in the log that some were written.
    log, call = "/log/?name=compliance.write_note", "/api/v1/audit/events?chain=compliance"
    with clock.frozen(house.at):
        mari = at_desktop(house.cast.mari)
        for reader, is_listed in ((carla, False), (vera, False), (mari, True)):
            assert ("&quot;compliance&quot;" in reader.get(log).content.decode()) == is_listed
        assert (len(carla.get(call).json()), len(mari.get(call).json())) == (0, 3)


@pytest.mark.slow
def test_what_time_removed_is_no_number_that_tells_of_notes(
    house: House, vera: Officer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.people.services.forgetting.BATCH", 1)
    carla, lee = carla_reads(house), house.player("Lee").pk
    house.tap(open_inquiry, vera.staff, player_id=lee, reason="Asked for")
    for about in ({"player_id": lee}, {"staff_id": carla.staff.pk}, {"staff_id": house.cast.dan.pk}):
        house.tap(write_note, vera.staff, text=NOTE_TEXT, **about)
    with clock.frozen(house.at + timedelta(days=1_827)):
        forget()
        logged = [json.loads(each.text)["data"] for each in Event.objects.filter(chain="kept_data").order_by("id")]
        found = kept_data(house.room_id, at=clock.now(), counts=True)

    # All went but what an inquiry holds, however few a batch has.
    assert list(ComplianceNote.objects.order_by("id").values_list("text", flat=True)) == [NOTE_TEXT, "", ""]
    assert logged
    assert [each for each in logged if "compliance.notes" in json.dumps(each)] == []
    assert [each["records"] for each in logged] == [sum(each["removed"].values()) for each in logged]
    assert found.removed == sum(each.removed or 0 for each in found.kinds)
    # Nor is what the log had of them before.
    monkeypatch.setattr(
        "casino.people.kept_shown._last_removed", lambda _room_id: (house.at, Counter({"compliance.notes": 2}))
    )
    assert kept_data(house.room_id, at=house.at).removed == 0


def test_days_that_leave_out_a_slip_that_the_reader_handled_show_nothing_of_what_was_written_on_it(
    house: House, vera: Officer
) -> None:
    carla, other = carla_reads(house), somebody(house, "cilla", "cashier")
    cents = identity_from(house.room_id) - 200_00
    slip_ids = [buys(house, cents)]
    next_day(house)
    slip_ids.append(buys(house, cents + 1_00, by=other))
    next_day(house)
    next_day(house)
    slip_ids.append(buys(house, cents + 2_00, by=other))
    today = house.at.date()

    def shown() -> tuple[list[frozenset[int]], bool]:
        with clock.frozen(house.at):
            found = findings_of(house.cast.room, actor_at_desktop(carla.staff), today, today)
        return [ids_in(each.finding.sources, SLIP) for each in found.shown], found.own

    before = shown()
    marks(vera, slip_ids)

    assert before == ([frozenset(slip_ids[1:])], False)
    assert shown() == ([], True)
    with pytest.raises(OwnSuspicion):
        marks(carla, slip_ids[1:])


# ---- notes and marks


def test_a_finding_stands_as_its_newest_mark_says_until_a_slip_more_comes(house: House, vera: Officer) -> None:
    slip_ids = below(house)
    states = []

    def noted(mark: str, **more: Any) -> None:
        marks(vera, slip_ids, mark, **more)
        states.append(findings_shown(vera)[0][2])

    noted("noted")
    noted("looked_at")
    noted("reopened")
    noted("explained")
    noted("noted")
    noted("reported", reported_on=house.at.date().isoformat(), reference="FIU 7")
    next_day(house)
    slip_ids.append(buys(house, identity_from(house.room_id) - 200_00))
    states.append(findings_shown(vera)[0][2])
    noted("looked_at")

    assert states == ["new", "looked_at", "reopened", "explained", "explained", "reported", "grown", "looked_at"]


def test_a_mark_that_was_corrected_holds_no_more(house: House, vera: Officer) -> None:
    slip_ids = below(house)
    states = []
    for mark in ("looked_at", "explained"):
        wrong = marks(vera, slip_ids, mark)
    for _ in range(2):
        house.tap(write_note, vera.staff, corrects_id=wrong, text="It was of another finding")
        states.append(findings_shown(vera)[0][2])
        wrong = ComplianceNote.objects.earliest("id").pk

    assert states == ["looked_at", "new"]


def test_what_is_new_stands_first(house: House, vera: Officer) -> None:
    marks(vera, below(house))
    lee, sum_cents = findings_shown(vera), identity_from(house.room_id)
    for less in (299_00, 298_00):
        buys(house, sum_cents - less, None)

    assert lee == [("just_below", "Lee", "looked_at", 2 * (sum_cents - 200_00))]
    assert [each[2] for each in findings_shown(vera)] == ["new", "looked_at"]


@pytest.mark.smoke
def test_a_note_is_corrected_by_another_once_and_never_changed(house: House, vera: Officer) -> None:
    lee = house.player("Lee").pk
    wrong = house.tap(write_note, vera.staff, player_id=lee, text="It was Kai", reason="told").data["note"]
    house.tap(write_note, vera.staff, corrects_id=wrong, text=NOTE_TEXT)

    name, notes = notes_on(house.cast.room, actor_at_desktop(vera.staff), player_id=lee)

    assert name == "Lee"
    assert [(each.note.text, each.note.reason, each.corrected_by is None) for each in notes] == [
        (NOTE_TEXT, "corrects", True),
        ("It was Kai", "told", False),
    ]
    with pytest.raises(CorrectsStanding):
        house.tap(write_note, vera.staff, corrects_id=wrong, text="Another")
    for change in (
        {"kind": "unnamed"}, {"reason": "books"}, {"written_at": house.at}, {"text": "x"}, {"reference": "x"},
        {"text": "x", "erased_at": house.at},
    ):  # fmt: skip
        with as_owner(), pytest.raises(DatabaseError, match="compliance_note_stands"), transaction.atomic():
            ComplianceNote.objects.filter(pk=wrong).update(**change)
    erased: dict[str, Any] = {"text": "", "erased_at": house.at}
    with as_owner():
        ComplianceNote.objects.filter(pk=wrong).update(**erased)
        with pytest.raises(DatabaseError, match="compliance_note_stands"), transaction.atomic():
            ComplianceNote.objects.filter(pk=wrong).update(text="Again", erased_at=None)


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_who_correct_one_note_at_once_correct_it_once(
    committing_db: object, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    house = make_house()
    Staff.objects.filter(pk=house.cast.frans.pk).update(roles=["floor", "compliance"])
    house.cast.frans.refresh_from_db()
    writes = partial(write_note, player_id=house.player("Lee").pk, text="It was Kai", reason="told")
    wrong = writes(command(house.cast.frans, at=house.at)).data["note"]
    if not is_locked:
        without_lock(monkeypatch, ComplianceNote)

    def corrects() -> None:
        write_note(command(house.cast.frans, at=house.at), corrects_id=wrong, text=NOTE_TEXT)

    # The constraint has the last word.
    last = pytest.raises(IntegrityError, match="compliance_note_corrected_once")
    with pytest.raises(CorrectsStanding) if is_locked else last:
        meet(corrects, corrects)

    assert ComplianceNote.objects.filter(corrects=wrong).count() == 1


def test_a_note_is_about_one_thing_that_is_there(house: House, vera: Officer) -> None:
    other = make_cast(slug="other")
    for arguments, refusal in (
        ({}, NoteOfOneThing),
        ({"player_id": 1, "staff_id": 1}, NoteOfOneThing),
        ({"player_id": 1, "reason": "corrects"}, NoteOfOneThing),
        ({"player_id": 10**9}, NotFound),
        ({"player_id": other.players["Lee"].pk}, NotFound),
        ({"staff_id": other.anna.pk}, NotFound),
        ({"staff_id": 10**9}, NotFound),
        ({"corrects_id": 10**9}, NotFound),
    ):
        with pytest.raises(refusal):
            house.tap(write_note, vera.staff, text=NOTE_TEXT, **arguments)


def test_a_mark_is_on_one_finding_and_a_report_has_its_day(house: House, vera: Officer) -> None:
    slip_ids = below(house)
    kai = buys(house, 100_00, "Kai")
    waits: dict[str, Any] = {"text": NOTE_TEXT, "kind": "just_below", "mark": "reported"}

    for wrong, refusal in (
        ({"slip_ids": [*slip_ids, kai], "mark": "looked_at"}, NotOneFinding),
        ({"slip_ids": [10**9], "mark": "looked_at"}, NotOneFinding),
        ({"slip_ids": slip_ids, "mark": "looked_at", "kind": "unnamed"}, NotOneFinding),
        ({"slip_ids": slip_ids}, ReportHasItsDay),
        ({"slip_ids": slip_ids, "reported_on": "2026-11-20"}, ReportHasItsDay),
        ({"slip_ids": slip_ids, "mark": "explained", "reported_on": "2026-11-20", "reference": "7"}, ReportHasItsDay),
        ({"slip_ids": slip_ids, "reported_on": "2027-11-20", "reference": "7"}, ReportedLater),
    ):
        with pytest.raises(refusal):
            house.tap(mark_finding, vera.staff, **{**waits, **wrong})
    assert not ComplianceNote.objects.exists()


def test_the_page_s_forms_write_what_was_typed_and_show_it(house: House, vera: Officer) -> None:
    slip_ids, lee = below(house), house.player("Lee").pk
    with clock.frozen(house.at):
        client = at_desktop(vera.staff)
        here = f"/compliance/players/{lee}/"
        form: dict[str, Any] = {"player_id": str(lee), "text": "Two\nlines", "reason": "told", "next": here}
        noted = tap(client, "/compliance/notes/write/", **form)
        sent: dict[str, Any] = {
            "kind": "just_below",
            "mark": "reported",
            "text": NOTE_TEXT,
            "reported_on": "2026-11-20",
            "reference": "F7",
        }
        marked = tap(client, "/compliance/findings/mark/", slip_ids=[str(each) for each in slip_ids], **sent)
        page, person = client.get("/compliance/").content.decode(), client.get(here).content.decode()
        elsewhere = tap(client, "/compliance/notes/write/", **{**form, "next": "https://evil.example/"})
        calls = client.get(f"/api/v1/compliance/notes?player_id={lee}").json()

    assert noted["HX-Redirect"] == here
    assert marked["HX-Redirect"] == elsewhere["HX-Redirect"] == "/compliance/"
    assert "Two lines" in person
    assert "Reported on 20.11.2026: F7" in page
    assert [each["mark"] for each in calls] == ["noted", "reported", "noted"]


# ---- where none of it is told


def test_no_log_no_answer_and_no_file_of_the_player_tells_of_a_suspicion(house: House, vera: Officer) -> None:
    slip_ids, lee = below(house), house.player("Lee")
    at = house.at
    before = person_file(lee, at=at).as_data()
    house.tap(write_note, vera.staff, player_id=lee.pk, text=NOTE_TEXT)
    marks(vera, slip_ids, "reported", reported_on="2026-11-20", reference="FIU 7")

    events = Event.objects.filter(name__startswith="compliance.").order_by("id")
    written = [json.loads(each.text) for each in events]
    with clock.frozen(house.at):
        mari = at_desktop(house.cast.mari)
        seen = "".join(
            mari.get(path).content.decode()
            for path in ("/log/?name=compliance.write_note", f"/people/players/{lee.pk}/", "/people/kept/", "/lobby/")
        )

    assert [(each["args"], each["data"]) for each in written] == [({}, {}), ({}, {})]
    assert {each.staff_id for each in events} == {vera.staff.pk}
    assert {each.chain for each in events} == {"compliance"}
    assert [each.data for each in AnsweredCommand.objects.filter(command_id__in=[e.command_id for e in events])] == [
        {},
        {},
    ]
    assert "A compliance note was written" in seen
    assert NOTE_TEXT not in seen
    assert "FIU 7" not in seen
    assert person_file(lee, at=at).as_data() == before


@pytest.mark.slow
def test_the_auditor_s_pack_has_that_a_note_was_written_and_nothing_of_it(
    house: House, vera: Officer, tmp_path: Path
) -> None:
    sealer = seal(tmp_path)
    slip_ids = [buys(house, identity_from(house.room_id) - less, None) for less in (300_00, 200_00)]
    marks(vera, slip_ids, kind="unnamed")
    next_day(house)
    seal(tmp_path, sealer)
    with zipfile.ZipFile(io.BytesIO(packed(house, TONIGHT.date(), TONIGHT.date()))) as pack:
        texts = [pack.read(name).decode() for name in pack.namelist()]

    assert any("compliance.mark_finding" in text for text in texts)
    assert not any(NOTE_TEXT in text or ("just_below" in text and "slip_ids" in text) for text in texts)


def test_no_token_opens_what_a_manager_could_read_by_it(house: House, vera: Officer) -> None:
    with clock.frozen(house.at):
        read = Stage(house).by_token(vera.staff, roles=["compliance"]).get("compliance/findings")

    assert read.status == 403
    assert vera.get("/api/v1/compliance/findings").status_code == 200


@pytest.mark.slow
def test_notes_outlive_their_player_s_erasure_go_by_time_and_are_held_by_an_inquiry(
    house: House, vera: Officer
) -> None:
    lee, kai = house.player("Lee").pk, house.player("Kai").pk
    for about in ({"player_id": lee}, {"player_id": kai}, {"staff_id": house.cast.dan.pk}):
        house.tap(write_note, vera.staff, text=NOTE_TEXT, **about)
    house.tap(open_inquiry, vera.staff, player_id=kai, reason="Asked for")
    house.tap(erase_player, house.cast.mari, player_id=lee)
    kept = set(ComplianceNote.objects.values_list("text", flat=True))
    desk, opened = (vera.get(path).content.decode() for path in ("/compliance/", f"/compliance/players/{lee}/"))
    with clock.frozen(house.at + timedelta(days=1_827)):
        forget()
    left = dict(ComplianceNote.objects.order_by("id").values_list("id", "text"))
    with clock.frozen(house.at + timedelta(days=1_827)), translation.override("en"):
        of_notes = next(
            each
            for each in kept_data(house.room_id, at=clock.now(), counts=True).kinds
            if each.code == "compliance.notes"
        )

    assert kept == {NOTE_TEXT}
    assert f'<a href="/compliance/players/{lee}/">erased guest' in desk
    assert "Notes on erased guest" in opened
    assert NOTE_TEXT in opened
    assert list(left.values()) == ["", NOTE_TEXT, ""]
    # A figure would tell officers how many there are on themselves.
    assert (of_notes.days, of_notes.kept, of_notes.due, of_notes.removed) == (1_826, None, None, None)
