"""A table's sheet is signed by one of the floor and by a dealer who dealt there (issue 5, "When Brush was down")."""

import re
from datetime import timedelta
from typing import Any

import pytest

from casino import clock
from casino.audit.models import Event
from casino.errors import Malformed, Refusal
from casino.paper.errors import NoDealerToSign, SignerNotDealer
from casino.paper.models import CaughtUp
from casino.people.models import Staff
from casino.people.selectors import actor_at_desktop
from casino.reports.selectors.exceptions import exception_report
from tables.models import Down
from tables.services.downs import end_down, push_dealer
from tests.cast import demo_person
from tests.paper.catching import DownLine, Outage
from tests.paper.test_catching_up_pages import Form, answer_text
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


@pytest.fixture
def outage(house: House) -> Outage:
    house.open(1, Lee=1, Kai=2)
    return Outage(house)


def pushes(house: House, dealer: Staff, *, table: int = 1) -> None:
    now = Down.objects.filter(table_id=house.table_id(table), ended_at=None).first()
    house.tap(push_dealer, table_id=house.table_id(table), dealer_id=dealer.pk, down_id=now and now.pk)


def goes(house: House) -> None:
    """Have whoever deals at table 1 go, five minutes later, and nobody follow."""
    house.at += timedelta(minutes=5)
    house.tap(
        end_down, table_id=house.table_id(), down_id=Down.objects.get(table_id=house.table_id(), ended_at=None).pk
    )


def refused(outage: Outage, dealer: str, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as found:
        outage.enter(dealer=dealer, hands=1, **more)
    assert not CaughtUp.objects.exists()
    return found.value


def counted(house: House) -> list[tuple[str, int]]:
    """Return whom the exception report names, with how many sheets whose signer the floor named."""
    vera = Staff.objects.create(
        room=house.cast.room, username="vera", display_name="Vera", roles=["compliance"], created_at=house.at
    )
    with clock.frozen(house.at):
        found = exception_report(house.cast.room, actor_at_desktop(vera), None, None)
    (kind,) = [each for each in found.kinds if each.kind.code == "paper_signers_named"]
    return [(each.name, each.figure.count) for each in kind.people if each.figure.count]


def test_who_never_dealt_there_does_not_sign_it_whatever_the_floor_says(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    pushes(house, house.cast.anna)

    why = refused(Outage(house), "dan", overrule="manager")

    assert (type(why), why.data["dealer_ids"]) == (SignerNotDealer, [house.cast.anna.pk])
    assert str(why).endswith("or deals there now: Anna.")


@pytest.mark.parametrize("needless", ["", "manager"])
def test_whom_the_down_slip_names_signs_it_and_that_is_no_exception(
    house: House, outage: Outage, needless: str
) -> None:
    pushes(house, house.cast.anna)
    downs = (DownLine(house.cast.dan.pk, outage.at(0), outage.at(45)),)
    outage.enter(dealer="dan", hands=1, overrule=needless, downs=downs)

    assert CaughtUp.objects.get().dealer_id == house.cast.dan.pk
    assert "overrule" not in CaughtUp.objects.get().figures
    assert counted(house) == []


@pytest.mark.parametrize(("began", "ended"), [(5, 5), (-60, -30)], ids=["no time at all", "before it"])
def test_a_line_of_the_down_slip_that_takes_none_of_the_sheets_time_names_nobody(
    house: House, outage: Outage, began: int, ended: int
) -> None:
    line = DownLine(house.cast.dan.pk, outage.at(began), outage.at(ended))

    assert isinstance(refused(outage, "dan", overrule="", downs=(line,)), NoDealerToSign)


def test_who_deals_there_now_or_did_last_signs_it_and_who_was_relieved_before_does_not(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    pushes(house, house.cast.anna)
    house.at += timedelta(minutes=5)
    pushes(house, house.cast.dan)
    goes(house)
    outage = Outage(house)

    assert isinstance(refused(outage, "anna"), SignerNotDealer)
    outage.enter(dealer="dan", hands=1)


def test_a_down_of_another_table_or_another_night_there_is_none_of_this_sheet(house: House) -> None:
    house.open(2, Jo=1)
    pushes(house, house.cast.dan, table=2)
    pushes(house, house.cast.anna)
    goes(house)
    house.at += timedelta(minutes=1)
    house.open(1, Lee=1, Kai=2)

    outage = Outage(house)

    assert isinstance(refused(outage, "dan", overrule=""), NoDealerToSign)
    assert isinstance(refused(outage, "anna", overrule=""), NoDealerToSign)


def test_where_nobody_is_known_to_have_dealt_the_floor_names_the_dealer_and_says_why(
    house: House, outage: Outage
) -> None:
    assert isinstance(refused(outage, "anna", overrule=""), NoDealerToSign)
    assert isinstance(refused(outage, "anna", overrule="whim"), Malformed)

    outage.enter(dealer="anna", hands=1, overrule="not_signed_in")

    assert CaughtUp.objects.get().figures["overrule"] == "not_signed_in"
    assert '"overrule":"not_signed_in"' in Event.objects.get(name="paper.catch_up", result="done").text
    assert counted(house) == [("Frans", 1)]
    vera = at_desktop(Staff.objects.get(username="vera"))
    with clock.frozen(house.at):
        cases = vera.get(f"/reports/exceptions/cases/?kind=paper_signers_named&staff={house.cast.frans.pk}")
    assert "whom the floor named (Dealt there without being signed in)" in answer_text(cases)


def test_where_whoever_dealt_has_gone_home_the_floor_names_another(house: House) -> None:
    house.open(1, Lee=1, Kai=2)
    pushes(house, house.cast.anna)
    goes(house)
    outage = Outage(house)
    Staff.objects.filter(pk=house.cast.anna.pk).update(is_on_shift=False)

    assert isinstance(refused(outage, "dan", overrule=""), NoDealerToSign)
    outage.enter(dealer="dan", hands=1, overrule="gone_home")

    assert CaughtUp.objects.get().figures["overrule"] == "gone_home"


def test_the_page_offers_who_dealt_alone_and_wants_a_reason_where_that_is_nobody(house: House, outage: Outage) -> None:
    form = Form(house, outage)
    nobody = form.look()
    named = form.look(down_1_dealer=house.cast.dan.pk, down_1_from=form.at(0), down_1_until=form.at(45))

    assert ('name="overrule" required' in answer_text(nobody), 'name="overrule"' in answer_text(named)) == (True, False)
    assert ('value="anna"' in answer_text(nobody), 'value="anna"' in answer_text(named)) == (True, False)
    assert 'value="dan"' in answer_text(named)

    (digest,) = re.findall(r'name="looked" value="(\w+)"', answer_text(nobody))
    assert 'data-code="no_dealer_to_sign"' in answer_text(form.sign(digest))
    assert form.sign(digest, demo_person("anna").pin, overrule="manager").status_code == 200
    assert "the floor named the dealer: The manager decided" in form.opened()
