"""What the compliance officer is shown of some days: findings, what they rest on, and how many queries they take."""

import csv
import io
import re
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.cage import fill_places
from casino.cage.models import Drawer, Slip, Unclaimed
from casino.cage.selectors.identity import crossed
from casino.compliance.errors import (
    NotOneFinding,
    OwnSuspicion,
)
from casino.compliance.selectors.findings import findings_of, notes_on
from casino.compliance.services import write_note
from casino.ledger.templatetags.money import money
from casino.people.models import Staff
from casino.people.selectors import actor_at_desktop
from casino.reports.errors import NoDayInSpan
from casino.rooms.models import GamingDay, RuleBookVersion
from casino.rooms.selectors import rule_book_in_force
from tests.cage.desk import identity_from
from tests.cage.finding import finds, gives
from tests.cage.foreign import notes, rate
from tests.cast import TONIGHT
from tests.compliance.findings import (
    NOTE_TEXT,
    below,
    buys,
    carla_reads,
    cashes,
    findings_shown,
    known,
    marks,
    reads,
)
from tests.reports.test_exceptions import Officer
from tests.support.owner import as_owner
from tests.tables.conftest import House

pytestmark = pytest.mark.two_houses

# Days (3), the book, the snapshot, days before, slips, claims, merged records, hands, notes, their slips, names in them
# (2), corrections.
QUERIES = 15


@pytest.mark.smoke
def test_what_was_kept_below_the_sum_over_two_days_is_found_with_its_slips(house: House, vera: Officer) -> None:
    slip_ids, sum_cents, room = below(house), identity_from(house.room_id), house.cast.room
    buys(house, sum_cents - 150_00, None)
    buys(house, sum_cents - 50_00, None)
    unnamed, lees = 2 * (sum_cents - 100_00), 2 * (sum_cents - 200_00)

    page = vera.get("/compliance/").content.decode()
    call = vera.get("/api/v1/compliance/findings").json()
    rows = list(csv.reader(io.StringIO(vera.get("/compliance/findings.csv").content.decode())))

    assert findings_shown(vera) == [("unnamed", "", "new", unnamed), ("just_below", "Lee", "new", lees)]
    assert all(f'href="/cage/slips/{slip}/"' in page for slip in slip_ids)
    assert f"Lee brought just below {money(sum_cents, room)} 2 times: {money(lees, room)} in all" in page
    assert [slip["id"] for slip in call["findings"][1]["slips"]] == slip_ids
    assert call["findings"][1]["player_id"] == house.player("Lee").pk
    assert [row[:4] for row in rows if row[:2] == ["Several just below the sum", "Lee"]] == [
        ["Several just below the sum", "Lee", "new", str(lees)]
    ]
    assert vera.get(f"/cage/slips/{slip_ids[0]}/").status_code == 200


def test_chips_that_were_bought_and_cashed_again_unplayed_are_found_and_played_ones_are_not(
    house: House, vera: Officer
) -> None:
    house.open(1, Lee=1, Kai=2)
    much = identity_from(house.room_id) // 2
    for nickname in ("Lee", "Timo"):
        known(house, nickname)
        buys(house, much + 100_00, nickname)
        cashes(house, much, nickname)
    few = findings_shown(vera)
    for _ in range(11):
        house.settle(20_00)

    assert few == [("little_played", "Timo", "new", much), ("little_played", "Lee", "new", much)]
    assert findings_shown(vera) == [("little_played", "Timo", "new", much)]


def test_foreign_notes_are_what_they_were_worth_as_at_the_till(house: House, vera: Officer) -> None:
    # By which a note of 1,000 kr is worth 6 % of the sum.
    sum_cents = identity_from(house.room_id)
    rate(house.cast.mari, sum_cents * 3 // 5, at=house.at)
    house.close_drawer()
    house.open_drawer(5_000_00, 5_000_00)
    known(house)
    # 84 % of the sum are just below it, though what they buy is not.
    worth = 2 * sum_cents * 84 // 100
    for permille in (785, 795):
        buys(house, sum_cents * permille // 1000, method="foreign", foreign=notes((1000, 14)))

    today = crossed(house.player("Lee").pk, GamingDay.objects.get(room_id=house.room_id, closed_at=None))

    assert today.brought_cents == worth
    assert findings_shown(vera) == [("just_below", "Lee", "new", worth)]
    # At the sum the till needed a document: it is no part below it, though what it bought would be.
    buys(house, sum_cents * 995 // 1000, method="foreign", foreign=notes((1000, 17)))
    assert findings_shown(vera) == [("just_below", "Lee", "new", worth)]


def test_claimed_cash_was_paid_as_at_the_till_and_is_marked_with_its_finding(house: House, vera: Officer) -> None:
    lee, carla, frans = known(house), house.cast.carla, house.cast.frans
    sum_cents = identity_from(house.room_id)
    items = [
        finds(carla, frans, at=house.at, drawer_id=house.drawer_id, what="cash", amount_cents=cents)
        for cents in (sum_cents - 300_00, 900_00)
    ]
    gives(carla, frans, items[0], at=house.at, drawer_id=house.drawer_id, player_id=lee.pk)
    alone = findings_shown(vera)
    buys(house, 500_00)
    cashes(house, 500_00)
    slip = Slip.objects.latest("id").pk

    today = crossed(lee.pk, GamingDay.objects.get(room_id=house.room_id, closed_at=None))

    # Alone it was below the sum, and it came as the cash that it went as.
    assert alone == []
    assert today.paid_cents == sum_cents + 200_00
    assert findings_shown(vera) == [("together", "Lee", "new", sum_cents + 200_00)]
    page, call = vera.get("/compliance/").content.decode(), vera.get("/api/v1/compliance/findings").json()
    (found,) = call["findings"]
    assert "Found and unclaimed · 1" in page
    assert f'name="claim_ids" value="{items[0].pk}"' in page
    assert f'<a href="/cage/unclaimed/{items[0].pk}/">Found and unclaimed · 1</a>' in page
    assert ([each["id"] for each in found["slips"]], [each["id"] for each in found["claims"]]) == (
        [slip],
        [items[0].pk],
    )
    marks(vera, [slip], kind="together", claim_ids=[items[0].pk])
    assert findings_shown(vera) == [("together", "Lee", "looked_at", sum_cents + 200_00)]
    with pytest.raises(NotOneFinding):
        marks(vera, [], kind="together")
    # Of what was not claimed there is no finding.
    with pytest.raises(NotOneFinding):
        marks(vera, [slip], kind="together", claim_ids=[items[1].pk])

    gives(carla, frans, items[1], at=house.at, drawer_id=house.drawer_id, player_id=lee.pk)

    assert findings_shown(vera) == [("together", "Lee", "grown", sum_cents + 1_100_00)]
    # Frans signed under the claims alone: whoever handled one handles no finding on it.
    officer = carla_reads(house, frans)
    assert (reads(officer).shown, reads(officer).own) == ([], True)
    assert notes_on(house.cast.room, actor_at_desktop(officer.staff))[1] == []
    with pytest.raises(OwnSuspicion):
        marks(officer, [slip], kind="together")


def test_an_officer_reads_a_claim_under_a_finding_and_does_nothing_there(house: House, vera: Officer) -> None:
    found = finds(house.cast.carla, house.cast.frans, at=house.at, drawer_id=house.drawer_id, what="cash")

    page = vera.get(f"/cage/unclaimed/{found.pk}/").content.decode()

    assert 'hx-post="/cage/' not in page
    # Back is where they may go: the list of what was found is the cage's and the books'.
    assert '<a class="strip-back" href="/" data-back-out>Back</a>' in page
    assert vera.get("/cage/unclaimed/").status_code == HTTPStatus.FORBIDDEN


def test_lost_cash_that_the_house_kept_was_paid_to_nobody_and_is_no_finding(house: House, vera: Officer) -> None:
    found = finds(house.cast.carla, house.cast.frans, at=house.at, drawer_id=house.drawer_id, what="cash")
    days = rule_book_in_force(house.room_id, at=house.at)[1].cage.unclaimed_days
    house.at += timedelta(days=days + 1)
    other = Staff.objects.create(
        room=house.cast.room, username="otto", display_name="Otto", roles=["manager"], created_at=TONIGHT
    )
    with as_owner():
        Unclaimed.objects.filter(pk=found.pk).update(
            ended_as="kept", ended_at=house.at, ended_by=house.cast.mari, end_approved_by=other, end_transfer_id=1
        )

    with pytest.raises(NotOneFinding):
        marks(vera, [], kind="unnamed", claim_ids=[found.pk])


def test_a_house_that_asks_for_no_identity_and_one_without_a_finding_say_so(house: House, vera: Officer) -> None:
    nothing = vera.get("/compliance/").content.decode()
    now = RuleBookVersion.objects.filter(room_id=house.room_id).latest("number")
    text = re.sub(r"(?m)^identity_from_cents = .*$", "identity_from_cents = 0", now.text)
    RuleBookVersion.objects.create(
        room_id=house.room_id, book=now.book, number=now.number + 1, digest="x", holds_from=house.at, text=text
    )

    assert "Nothing in these days looks like structuring" in nothing
    assert "asks for nobody’s identity" in vera.get("/compliance/").content.decode()


def test_it_asks_as_often_whatever_there_was(house: House, vera: Officer) -> None:
    def queries_needed() -> int:
        with clock.frozen(house.at), CaptureQueriesContext(connection) as queries:
            findings_of(house.cast.room, actor_at_desktop(vera.staff))
        return len(queries)

    known(house)
    slip_ids = below(house)
    cashes(house, 1_500_00)
    marks(vera, slip_ids)
    few = queries_needed()
    for nickname in ("Kai", "Timo", "Mika"):
        known(house, nickname)
        for _ in range(3):
            # As nobody may at one window: whatever there is.
            buys(house, 600_00, nickname, again=True)
        cashes(house, 1_500_00, nickname)
        house.tap(write_note, vera.staff, player_id=house.player(nickname).pk, text=NOTE_TEXT)

    assert (few, queries_needed()) == (QUERIES, QUERIES)


def test_a_rack_is_called_its_table_in_the_readers_words(house: House, vera: Officer) -> None:
    for less in (150_00, 50_00):
        buys(house, identity_from(house.room_id) - less, None)
    with as_owner():
        Drawer.objects.update(place_kind="table", place_id=1, place_number=7, name="Pöydän 7 räkki")

    page = vera.get("/compliance/").content.decode()

    assert (fill_places.label("table", 7) in page, "Pöydän" in page) == (True, False)


def test_many_findings_are_read_page_by_page(house: House, vera: Officer, monkeypatch: pytest.MonkeyPatch) -> None:
    below(house)
    for less in (150_00, 50_00):
        buys(house, identity_from(house.room_id) - less, None)
    monkeypatch.setattr("casino.compliance.views.PAGE", 1)

    first, second = (vera.get(f"/compliance/?offset={offset}").content.decode() for offset in (0, 1))
    call = vera.get("/api/v1/compliance/findings?limit=1&offset=1").json()

    assert ("1 to 1 of 2" in first, "offset=1" in first, "Lee brought" in first) == (True, True, False)
    # Paper says too that there are more.
    assert "no-print" not in first[: first.index("1 to 1 of 2")].rpartition("<p")[2]
    assert ("2 to 2 of 2" in second, "offset=0" in second, "Lee brought" in second) == (True, True, True)
    assert (call["count"], [each["kind"] for each in call["findings"]]) == (2, ["just_below"])
    assert vera.get("/compliance/?offset=x").status_code == 400


def test_days_that_are_no_span_are_refused_in_words(house: House, vera: Officer) -> None:
    query = "from=2025-01-01&to=2025-01-02"

    assert vera.get(f"/compliance/?{query}").status_code == NoDayInSpan.status
    assert vera.get(f"/api/v1/compliance/findings?{query.replace('from', 'first').replace('to', 'last')}").json()[
        "code"
    ] == (NoDayInSpan.code)
    assert vera.get("/compliance/?from=x").status_code == 400
