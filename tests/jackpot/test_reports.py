"""Reports of the jackpots: what was, came and went adds up, in the history and in the ledger, and two sign it."""

import csv
import io
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import connection, connections, transaction
from django.db.utils import DatabaseError
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage.services import open_day
from casino.errors import Refusal
from casino.ledger.models import Posting
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Staff
from casino.people.selectors import staff_names
from jackpot.api_reports import changed_since, kept_of
from jackpot.chart import OWNER
from jackpot.errors_reports import FiguresMoved, NoDayInSpan, SpanAhead, SpanBackwards
from jackpot.models import ClaimShare, Movement, SignedReport
from jackpot.selectors import reconciling
from jackpot.selectors.reconciling import FIGURES, Report, reconciled
from jackpot.services.reporting import NEEDS, report_signs, sign_report
from tests.cast import TONIGHT, make_cast
from tests.jackpot.beats import Beats
from tests.jackpot.books import JACKPOTS_OF_TWO_KINDS, second_pool
from tests.jackpot.test_takings import end_day, minute
from tests.support.owner import as_owner
from tests.support.patience import PATIENCE_SECONDS
from tests.tables.conftest import House, make_house
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses

TODAY = TONIGHT.date()
TOMORROW = TODAY + timedelta(days=1)


@pytest.fixture
def beats(house: House) -> Beats:
    return Beats(house)


def report(house: House, first: date = TODAY, last: date = TODAY) -> Report:
    with clock.frozen(house.at):
        return reconciled(house.cast.room, first, last)


def figures_of(found: Report) -> dict[str, dict[str, int]]:
    """What a report says of each jackpot, without what is nothing."""
    return {pool.code: {name: cents for name, cents in pool.history.items() if cents} for pool in found.pools}


def two_days(beats: Beats) -> None:
    """
    On the first day three drops of 1.00 for the small jackpot, which they join each minute. The third hand is won of
    the 1,002.00 of before: 80 %, of which the loser's 400.80 are paid. On the second day two correct it to 1,500.00,
    take 100.00 of seed back, and move it to the other.
    """
    house = beats.house
    second_pool(house, JACKPOTS_OF_TWO_KINDS)
    beats.open()
    for _ in range(2):
        beats.played()
    minute(house)
    claim = beats.approved(beats.verified(beats.entered()), sum_cents=1_002_00)
    minute(house)
    beats.pay(ClaimShare.objects.get(claim=claim, role="loser"))
    house.close_drawer()
    end_day(house)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    beats.corrected(1_500_00, "complaint", code="small")
    beats.recovered(100_00, code="small")
    beats.wound_down("small", "bad-beat")


FIRST = {
    "bad-beat": {"seed": 1_000_00, "closing": 1_000_00},
    "small": {
        "takings": 3_00, "seed": 1_799_60, "claims": -801_60, "closing": 1_001_00,
        "won": 801_60, "paid": -400_80, "owed_closing": 400_80, "dropped": 3_00, "joined": -3_00,
    },
}  # fmt: skip
SECOND = {
    "bad-beat": {"opening": 1_000_00, "moved_in": 1_400_00, "closing": 2_400_00},
    "small": {
        "opening": 1_001_00, "corrections": 499_00, "seed_recovered": -100_00, "moved_out": -1_400_00,
        "owed_opening": 400_80, "owed_closing": 400_80,
    },
}  # fmt: skip
BOTH = {
    "bad-beat": {"seed": 1_000_00, "moved_in": 1_400_00, "closing": 2_400_00},
    "small": {
        "takings": 3_00, "seed": 1_799_60, "claims": -801_60, "corrections": 499_00, "seed_recovered": -100_00,
        "moved_out": -1_400_00, "won": 801_60, "paid": -400_80, "owed_closing": 400_80, "dropped": 3_00,
        "joined": -3_00,
    },
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.helsinki
@pytest.mark.rule("H7.17", "H7.33", "L-P41", "L-P43")
def test_of_any_span_what_was_came_and_went_adds_up_to_what_is_in_history_and_ledger(beats: Beats) -> None:
    two_days(beats)
    house = beats.house
    spans = {(TODAY, TODAY): FIRST, (TOMORROW, TOMORROW): SECOND, (TODAY, TOMORROW): BOTH}
    found = {span: report(house, *span) for span in spans}
    with CaptureQueriesContext(connection) as queries:
        both = report(house, TODAY, TOMORROW)

    assert {span: figures_of(each) for span, each in found.items()} == spans
    assert all(each.agrees for each in found.values())
    assert [(each.days, each.has_open_day) for each in found.values()] == [(1, False), (1, True), (2, True)]
    assert len(queries) == 7
    assert both.seen == found[TODAY, TOMORROW].seen != found[TODAY, TODAY].seen
    # A span that begins before the house did says the same, and of no jackpot that had no money yet.
    assert figures_of(report(house, TODAY - timedelta(days=30), TODAY)) == FIRST


@pytest.mark.parametrize(
    ("first", "last", "refusal"),
    [
        pytest.param(TOMORROW, TODAY, SpanBackwards, id="backwards"),
        pytest.param(TODAY, TOMORROW, SpanAhead, id="to come"),
        pytest.param(TODAY - timedelta(days=9), TODAY - timedelta(days=8), NoDayInSpan, id="no day"),
    ],
)
def test_a_span_that_cannot_be_is_refused_in_words_at_every_door(
    house: House, first: date, last: date, refusal: type[Refusal]
) -> None:
    with pytest.raises(refusal), clock.frozen(house.at):
        reconciled(house.cast.room, first, last)
    client = at_desktop(house.cast.mari)
    with clock.frozen(house.at):
        page = client.get("/jackpot/reports/", {"from": str(first), "to": str(last)})
        file = client.get("/jackpot/reports/report.csv", {"from": str(first), "to": str(last)})
        call = client.get("/api/v1/jackpot/report", {"first_date": str(first), "last_date": str(last)})
        unreadable = client.get("/jackpot/reports/", {"from": "2026-02-31"})

    assert str(refusal.sentence) in page.content.decode()
    assert (page.status_code, file.status_code, call.status_code, call.json()["code"]) == (400, 400, 400, refusal.code)
    assert unreadable.status_code == 400


def test_a_house_that_has_opened_no_day_yet_has_no_report_and_nobody_typed_anything_wrong(db: None) -> None:
    page = at_desktop(make_cast().mari).get("/jackpot/reports/")

    assert page.status_code == 200
    assert str(NoDayInSpan.sentence) in page.content.decode()


def test_what_the_history_and_the_ledger_say_otherwise_is_shown(beats: Beats) -> None:
    """Rows that no service writes: a correction that the ledger knows nothing of."""
    made, seed = Movement.objects.get(pool__code="bad-beat"), beats.jackpot.seed_cents
    with as_owner():
        made.pk, made.number, made.cents, made.sum_after_cents = None, 2, 5_00, seed + 5_00
        made.save(force_insert=True)
    found = report(beats.house).pools[0]

    assert not found.agrees
    assert (found.history["closing"], found.ledger["closing"]) == (seed + 5_00, seed)
    with clock.frozen(beats.house.at):
        page = at_desktop(beats.house.cast.mari).get("/jackpot/reports/").content.decode()
    assert "does not agree with the ledger" in page


def test_what_is_written_while_a_report_is_read_is_in_all_of_it_or_in_none(
    committing_db: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    beats = Beats(make_house())
    posted = reconciling._posted

    def corrected() -> None:
        try:
            beats.corrected(1_500_00, "complaint")
        finally:
            connections.close_all()

    def posted_after_a_correction(*args: Any) -> Any:
        with ThreadPoolExecutor(1) as another:
            another.submit(corrected).result(timeout=PATIENCE_SECONDS)
        return posted(*args)

    with monkeypatch.context() as patched:
        patched.setattr(reconciling, "_posted", posted_after_a_correction)
        read_meanwhile = report(beats.house)
    read_after = report(beats.house)

    assert read_meanwhile.agrees
    assert [figures_of(each)["bad-beat"]["closing"] for each in (read_meanwhile, read_after)] == [1_000_00, 1_500_00]
    connection.close()


class Signing:
    """Mari asks, and Olavi, who looks into the books, signs."""

    def __init__(self, beats: Beats) -> None:
        self.beats = beats
        self.mari, self.olavi = beats.house.cast.mari, beats.house.cast.staff["olavi"]
        Staff.objects.filter(pk=self.olavi.pk).update(is_on_shift=True)

    def __call__(self, *, seen: str = "", first: date = TODAY, last: date = TODAY, signs: str = "") -> SignedReport:
        seen = seen or report(self.beats.house, first, last).seen
        days: dict[str, Any] = {"first_date": str(first), "last_date": str(last), "seen": seen}
        signing = self.beats.signed(self.mari, self.olavi, signs=signs or report_signs(**days), needs=NEEDS)
        with clock.frozen(self.beats.house.at):
            answer = sign_report(signing, approved_by_id=self.olavi.pk, **days)
        return SignedReport.objects.get(pk=answer.data["report"])


def test_a_report_is_signed_by_two_as_both_have_seen_it_and_shows_what_changes_later(beats: Beats) -> None:
    house, sign, seed = beats.house, Signing(beats), beats.jackpot.seed_cents
    before = report(house).seen
    beats.corrected(seed + 500_00, "complaint")
    with pytest.raises(FiguresMoved):
        sign(seen=before)
    with pytest.raises(NeedsSecondSignature):
        sign(signs=report_signs(str(TODAY), str(TOMORROW), seen=report(house).seen))
    row = sign()
    client = at_desktop(sign.olavi)
    address = f"/jackpot/reports/{row.pk}/"
    with clock.frozen(house.at):
        unchanged = client.get(address).content.decode()
    beats.corrected(seed + 400_00, "drops")
    with clock.frozen(house.at):
        _row, kept, now = kept_of(house.room_id, row.pk)
        page, call = client.get(address).content.decode(), client.get(f"/api/v1/jackpot/signed-reports/{row.pk}").json()
        rows = list(csv.DictReader(io.StringIO(client.get(f"{address}report.csv").content.decode())))
        listed = client.get("/api/v1/jackpot/signed-reports").json()

    assert (row.made_by_id, row.approved_by_id, row.agrees) == (sign.mari.pk, sign.olavi.pk, True)
    assert figures_of(kept) == {"bad-beat": {"seed": seed, "corrections": 500_00, "closing": seed + 500_00}}
    assert kept.seen == row.seen
    since = {"bad-beat": {"corrections": -100_00, "closing": -100_00}}
    assert changed_since(kept, now) == call["since"] == since
    assert "changed since it was signed" in page
    assert "changed since it was signed" not in unchanged
    assert "A complaint was upheld" in unchanged
    assert "not counted" in page
    figures = {each["figure"]: (each["cents"], each["changed_since_cents"]) for each in rows}
    assert (figures["closing"], figures["corrections"], figures["counted"]) == (
        (str(seed + 500_00), "-10000"),
        ("50000", "-10000"),
        ("", ""),
    )
    assert [each["id"] for each in listed] == [row.pk]
    assert {(each["report"], each["signed_at"], each["agrees_now"]) for each in rows} == {
        (str(row.pk), f"{row.at.astimezone(ZoneInfo(house.cast.room.time_zone)):%Y-%m-%d %H:%M}", "yes")
    }
    names = staff_names({sign.mari.pk, sign.olavi.pk})
    assert {(each["made_by"], each["signed_by"]) for each in rows} == {(names[sign.mari.pk], names[sign.olavi.pk])}
    assert (call["report"]["seen"], call["is_as_signed"], call["disagrees_now"]) == (row.seen, True, [])
    event = Event.objects.filter(name="jackpot.sign_report", result="done").get()
    assert row.seen in event.text
    with pytest.raises(DatabaseError), transaction.atomic(), as_owner():
        SignedReport.objects.filter(pk=row.pk).update(figures={})


def test_a_signed_report_says_what_no_longer_agrees_with_the_ledger_and_what_opened_since(beats: Beats) -> None:
    """Rows that no service writes: a posting that the history knows nothing of."""
    house, row = beats.house, Signing(beats)()
    second_pool(house)
    posting = Posting.objects.filter(account__owner_kind=OWNER, account__kind="sum").order_by("id")[0]
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_posting DISABLE TRIGGER USER")
        cursor.execute("UPDATE ledger_posting SET cents = cents + 700 WHERE id = %s", [posting.pk])
        cursor.execute("ALTER TABLE ledger_posting ENABLE TRIGGER USER")
    client, address = at_desktop(house.cast.mari), f"/jackpot/reports/{row.pk}/"
    with clock.frozen(house.at):
        page, call = client.get(address).content.decode(), client.get(f"/api/v1/jackpot/signed-reports/{row.pk}").json()
        rows = list(csv.DictReader(io.StringIO(client.get(f"{address}report.csv").content.decode())))

    assert "does not agree with the ledger now" in page
    assert call["disagrees_now"] == ["bad-beat"]
    assert {(each["jackpot"], each["agrees_now"]) for each in rows} == {("bad-beat", "no"), ("small", "yes")}


def test_a_signed_report_that_was_changed_behind_the_house_is_found(beats: Beats) -> None:
    sign, room_id = Signing(beats), beats.house.room_id
    row = sign()
    whole = list(breaks(room_id))

    with as_owner(), connection.cursor() as cursor:
        # What the test itself did is judged now: a table with judgements to come cannot be altered.
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE jackpot_signedreport DISABLE TRIGGER USER")
        cursor.execute("UPDATE jackpot_signedreport SET figures = '{}' WHERE id = %s", [row.pk])
        cursor.execute("ALTER TABLE jackpot_signedreport ENABLE TRIGGER USER")

    assert whole == []
    assert [(each.chain, each.number, each.problem) for each in breaks(room_id)] == [
        ("report", row.pk, "it is not what its event says")
    ]


def test_the_books_are_read_by_those_who_look_into_them_and_signed_by_a_manager_first(beats: Beats) -> None:
    cast = beats.house.cast
    with clock.frozen(beats.house.at):
        pages = {
            name: at_desktop(cast.staff[name]).get("/jackpot/reports/") for name in ("mari", "olavi", "frans", "carla")
        }

    assert {name: page.status_code for name, page in pages.items()} == {
        "mari": 200, "olavi": 200, "frans": 403, "carla": 403,
    }  # fmt: skip
    assert "Sign this report" in pages["mari"].content.decode()
    assert "Sign this report" not in pages["olavi"].content.decode()
    # Whose name a manager would sign with is not tried for who may not ask.
    with clock.frozen(beats.house.at):
        tap = at_desktop(cast.staff["olavi"]).post(
            "/jackpot/reports/sign/", {}, headers={"Idempotency-Key": str(uuid4()), "HX-Request": "true"}
        )
    assert tap.status_code == 403
    # Who has no other page of the jackpots finds this one among their desks.
    assert 'href="/jackpot/reports/" aria-current="page"' in pages["olavi"].content.decode()
    assert 'href="/jackpot/" aria-current="page"' in pages["mari"].content.decode()
    assert set(FIGURES) == set(report(beats.house).pools[0].history)
