"""Who worked here is given what is kept about them, is erased in time or as they asked, and is held like a player."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage.models import DrawerSession
from casino.cage.services import note_chips
from casino.compliance.models import ComplianceNote
from casino.errors import NotFound, NotPermitted
from casino.ledger.proof import problems
from casino.people.api_kept import give_staff_data_by_two, lift_inquiry_by_two
from casino.people.errors import (
    DataIsNeeded,
    KeptToItsTime,
    NeedsSecondSignature,
    OwnData,
    StillAnswersFor,
    StillWorksHere,
)
from casino.people.kept_shown import kept_data
from casino.people.models import Inquiry, SignIn, Staff
from casino.people.services import deactivate_staff, erase_staff, open_staff_inquiry, start_shift
from casino.people.tasks import forget
from casino.rooms.selectors import rule_book_in_force
from tables.models import Down
from tables.selectors.dealer_times import down_times
from tables.selectors.running import dealers_by_place
from tests.cage.delivering import sends_chips
from tests.cast import demo_person, enrolled
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]


def left(house: House, person: Staff, *, days: int = 0) -> None:
    """Have somebody leave, so many days ago."""
    house.tap(deactivate_staff, house.cast.mari, staff_id=person.pk)
    house.at += timedelta(days=days)


def stored(person: Staff) -> tuple[Any, ...]:
    found = Staff.objects.extra(select={"called": "display_name"}).filter(pk=person.pk)
    return tuple(found.values_list("called", "username", "roles", "pin", "is_active").get())


def erased(house: House, person: Staff) -> None:
    house.tap(erase_staff, house.cast.mari, staff_id=person.pk)


def a_second_manager(house: House) -> None:
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])


def test_who_asks_is_gone_by_name_and_what_they_did_stays_whole(house: House) -> None:
    anna = house.cast.anna
    house.open(1, Lee=1, Kai=2)
    house.settle(86_00)
    down = Down.objects.create(
        room=house.cast.room, table_id=house.table_id(), dealer_id=anna.pk, how="floor", began_at=house.at,
        ended_at=house.at,
    )  # fmt: skip
    left(house, anna, days=400)
    erased(house, anna)

    assert stored(anna) == ("", "", [], "", False)
    assert Staff.objects.get(pk=anna.pk).display_name == "erased employee"
    assert Down.objects.get(pk=down.pk).dealer_id == anna.pk
    assert (list(problems(house.cast.room.pk)), list(breaks(house.cast.room.pk))) == ([], [])
    logged = json.loads(Event.objects.get(name="people.erase_staff").text)
    assert (logged["args"], logged["data"]) == ({"staff_id": anna.pk}, {"staff_id": anna.pk})
    day = (house.at - timedelta(days=400)).date()
    downs = down_times(house.cast.room, first=day - timedelta(days=1), last=day)
    assert {each.dealer for each in downs} == {"erased employee"}
    # Statements of tables' own read it too: who logged the newest hand of what still runs.
    assert {each.name for each in dealers_by_place(house.room_id).values()} == {"erased employee"}
    client = at_desktop(house.cast.mari)
    client.cookies["django_language"] = "en"
    with clock.frozen(house.at):
        people, log = client.get("/people/").content.decode(), client.get("/log/").content.decode()
        assert client.get(f"/people/{anna.pk}/data/").status_code == 404
    assert [anna.display_name in page for page in (people, log)] == [False, False]
    assert ["erased employee" in page for page in (people, log)] == [False, True]
    with pytest.raises(NotFound):
        erased(house, anna)


def test_nobody_erases_themselves_who_works_or_the_last_manager(house: House) -> None:
    with pytest.raises(NotPermitted):
        house.tap(erase_staff, house.cast.frans, staff_id=house.cast.anna.pk)
    house.tap(start_shift, staff_id=house.cast.anna.pk)
    # Mari is the only one; whom she erases works here.
    for person in (house.cast.mari, house.cast.anna):
        with pytest.raises(StillWorksHere):
            erased(house, person)
    client = at_desktop(house.cast.mari)
    with clock.frozen(house.at):
        page = tap(client, f"/people/{house.cast.anna.pk}/erase/")
    assert (page.status_code, "still works here" in page.content.decode()) == (409, True)
    assert stored(house.cast.anna)[0] == house.cast.anna.display_name


def _drawer_open(house: House) -> Staff:
    opened = DrawerSession.objects.get(closed_at=None).opened_by
    return opened


def _deals(house: House) -> Staff:
    Down.objects.create(
        room=house.cast.room, table_id=house.table_id(), dealer_id=house.cast.dan.pk, how="floor", began_at=house.at
    )
    return house.cast.dan


def _brings_chips(house: House) -> Staff:
    house.open(1, Lee=1, Kai=2)
    slip_id = sends_chips(house, house.seat("Mika", 5, chips=0), 200_00)
    house.tap(note_chips, house.cast.dan, slip_id=slip_id, chips_with="runner")
    return house.cast.dan


@pytest.mark.parametrize(
    "in_their_name", [_deals, *(pytest.param(has, marks=pytest.mark.slow) for has in (_drawer_open, _brings_chips))]
)
def test_who_has_something_in_their_name_stays_by_wish_and_by_time(
    house: House, in_their_name: Callable[[House], Staff]
) -> None:
    person = in_their_name(house)
    Staff.objects.filter(pk=person.pk).update(is_active=False, is_on_shift=False, pin="", left_at=house.at)
    house.at += timedelta(days=1_900)

    with pytest.raises(StillAnswersFor):
        erased(house, person)
    with clock.frozen(house.at):
        forget()
    assert stored(person)[0] == person.display_name


def test_the_book_says_for_how_long_who_left_is_known(house: House) -> None:
    days = rule_book_in_force(house.cast.room.pk, at=house.at)[1].peoples_data
    left(house, house.cast.dan, days=days.staff_wish_days - 1)
    with pytest.raises(KeptToItsTime):
        erased(house, house.cast.dan)

    for more, name in ((days.staff_days - days.staff_wish_days, house.cast.dan.display_name), (2, "")):
        house.at += timedelta(days=more)
        with clock.frozen(house.at):
            forget()
        assert stored(house.cast.dan)[0] == name


def test_who_left_by_a_server_of_before_is_kept_from_the_first_look_on(house: House) -> None:
    """It closed their doors and wrote no moment: without one they were kept for ever."""
    anna = house.cast.anna
    left(house, anna)
    Staff.objects.filter(pk=anna.pk).update(left_at=None)
    with clock.frozen(house.at):
        forget()
    assert Staff.objects.get(pk=anna.pk).left_at == house.at
    assert Staff.objects.filter(is_active=True).exclude(left_at=None).count() == 0


def test_an_inquiry_keeps_them_their_sign_ins_and_notes_from_time_and_wish(house: House) -> None:
    a_second_manager(house)
    dan, device = house.cast.dan, enrolled(house.cast.room, "table", 1)
    SignIn.objects.create(id=uuid.uuid4(), device=device, staff=dan, began_at=house.at, ended_at=house.at)
    ComplianceNote.objects.create(
        room=house.cast.room, staff=dan, reason="books", text="Deals for one player", written_at=house.at,
        written_by=house.cast.mari,
    )  # fmt: skip
    left(house, dan)
    held = house.tap(open_staff_inquiry, house.cast.mari, staff_id=dan.pk, reason="Asked for").data["inquiry"]
    house.at += timedelta(days=1_900)
    with pytest.raises(DataIsNeeded):
        erased(house, dan)
    with clock.frozen(house.at):
        forget()
    assert (stored(dan)[0], SignIn.objects.count()) == (dan.display_name, 1)
    assert ComplianceNote.objects.get().text == "Deals for one player"

    Inquiry.objects.filter(pk=held).update(lifted_at=house.at, lifted_by_id=1, lift_signed_by_id=2)
    house.at += timedelta(days=1)
    with clock.frozen(house.at):
        forget()
    assert (stored(dan)[0], SignIn.objects.count(), ComplianceNote.objects.get().text) == ("", 0, "")
    assert Inquiry.objects.get().reason == ""


def test_who_it_is_about_neither_sees_an_inquiry_nor_lifts_nor_signs_it(house: House) -> None:
    a_second_manager(house)
    mari, frans = house.cast.mari, Staff.objects.get(username="frans")
    about = [house.tap(open_staff_inquiry, by, staff_id=of.pk, reason=f"Of {of.username}").data["inquiry"]
             for by, of in ((frans, mari), (mari, frans))]  # fmt: skip
    client = at_desktop(mari)
    with clock.frozen(house.at):
        page = client.get("/people/kept/").content.decode()
        read = client.get("/api/v1/people/inquiries").json()
    second = {"username": "frans", "pin": demo_person("frans").pin}

    assert ("Of mari" in page, "Of frans" in page) == (False, True)
    assert [each["staff_id"] for each in read] == [frans.pk]
    for inquiry, refusal in zip(about, (NotFound, NeedsSecondSignature), strict=True):
        with pytest.raises(refusal):
            house.tap(lift_inquiry_by_two, mari, inquiry_id=inquiry, second=second)
    assert Inquiry.objects.filter(lifted_at=None).count() == 2
    # A number would say what the list keeps from them.
    kinds = kept_data(house.room_id, at=house.at, counts=True).kinds
    assert [each.kept for each in kinds if each.code == "people.inquiries"] == [None]


def test_who_worked_here_has_all_that_is_kept_and_nothing_of_others(house: House) -> None:
    anna, device = house.cast.anna, enrolled(house.cast.room, "table", 1)
    house.tap(start_shift, staff_id=anna.pk)
    SignIn.objects.create(id=uuid.uuid4(), device=device, staff=anna, began_at=house.at, ended_at=house.at)
    house.open(1, Lee=1, Kai=2)
    Down.objects.create(
        room=house.cast.room, table_id=house.table_id(), dealer_id=anna.pk, how="floor", began_at=house.at,
        ended_at=house.at,
    )  # fmt: skip
    left(house, anna)
    arguments = {"document": "passport", "language": "fi"}
    second = {"username": "frans", "pin": demo_person("frans").pin}
    file = house.tap(give_staff_data_by_two, house.cast.mari, staff_id=anna.pk, **arguments, second=second).data["file"]
    data = file.as_data()
    rows = {kind["kind"]: [row for table in kind["tables"] for row in table["rows"]] for kind in data["kinds"]}

    assert data["staff_id"] == anna.pk
    assert rows["people.staff"][0][2:4] == [anna.display_name, anna.username]
    assert (len(rows["people.shifts"]), rows["people.sign_ins"][0][2]) == (2, device.name)
    assert [row[2] for row in rows["tables.downs"]] == [1]
    assert [name for name in ("Lee", "Frans", "Mari") if name in json.dumps(data)] == []
    given = json.loads(Event.objects.get(name="people.give_staff_data").text)["data"]
    assert set(given) == {"staff_id", "document", "language", "signed_by"}


def test_nobody_gives_themselves_their_data_or_signs_them(house: House) -> None:
    arguments = {"document": "passport", "language": "fi"}
    second = {"username": "frans", "pin": demo_person("frans").pin}
    for whose in (house.cast.mari, house.cast.frans):
        with pytest.raises(OwnData):
            house.tap(give_staff_data_by_two, house.cast.mari, staff_id=whose.pk, **arguments, second=second)


def test_their_data_given_again_after_they_were_erased_leads_to_who_works_here(house: House) -> None:
    anna, mari, key = house.cast.anna, at_desktop(house.cast.mari), uuid.uuid4()
    left(house, anna, days=400)
    path, frans = f"/people/{anna.pk}/data/give/", demo_person("frans")
    form = {"document": "passport", "language": "fi", "username": "frans", "pin": frans.pin}

    with clock.frozen(house.at):
        given = tap(mari, path, id=key, **form)
        erased(house, anna)
        again = tap(mari, path, id=key, **form)

    assert (given.status_code, again.status_code, again["HX-Redirect"]) == (200, 200, "/people/")
