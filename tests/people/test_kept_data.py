"""What is kept about people has a purpose and a time, and time obeys it; ledger and log stay whole."""

import base64
import json
import re
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage.services import buy_in
from casino.commands.models import AnsweredCommand
from casino.errors import NotPermitted
from casino.ledger.proof import problems
from casino.money import format_count
from casino.people import kept
from casino.people.api_kept import give_data_by_two, lift_inquiry_by_two
from casino.people.erased import EMPTIED, ERASED
from casino.people.errors import DataIsNeeded, InquiryOver
from casino.people.identity import identity_of
from casino.people.inquiries import inquiries_of
from casino.people.kept_shown import kept_data
from casino.people.models import Exclusion, IdentityCheck, Inquiry, Note, Player, PlayerPass, SignIn, Staff
from casino.people.services import (
    ban_player,
    check_identity,
    erase_player,
    keep_apart,
    open_inquiry,
)
from casino.people.tasks import forget
from casino.rooms.models import GamingDay
from casino.rooms.selectors import rule_book_in_force
from tables.models import Seating
from tables.services.incidents import write_incident
from tables.services.seating import leave_seat
from tests.cast import demo_person, enrolled
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]

REMARK, DOCUMENT = "threw the cards at Anna", "XQ7788991"
COLUMNS = (models.CharField, models.TextField, models.JSONField, models.BinaryField, models.FileField, ArrayField)


def lee(house: House) -> int:
    return house.player("Lee").pk


def played(house: House) -> None:
    """Have Lee shown a document, play a hand, buy chips, be ruled on and leave."""
    player_id = lee(house)
    house.tap(
        check_identity, house.cast.carla, player_id=player_id, full_name="Lee L", document="passport", number=DOCUMENT
    )
    PlayerPass.objects.create(
        room=house.cast.room, player_id=player_id, day=GamingDay.objects.get(), token_hash="a" * 64, code_hash="b" * 64,
        given_by_id=house.cast.frans.pk, given_at=house.at, revoked_at=house.at,
    )  # fmt: skip
    house.open(1, Lee=1, Kai=2)
    house.settle(86_00)
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 100_00, "method": "cash"}
    house.tap(buy_in, house.cast.carla, player_id=player_id, **arguments)
    house.tap(write_incident, kind="ruling", player_ids=[player_id], table_id=house.table_id(), text=REMARK)
    for seating in Seating.objects.filter(left_at=None):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=10_00)


def after(house: House, days: int) -> datetime:
    return house.at + timedelta(days=days)


def seen_again(player_id: int, *, at: datetime) -> None:
    with as_owner():
        Seating.objects.filter(player_id=player_id).update(sat_down_at=at, left_at=at)


def forgotten(house: House, *, at: datetime) -> dict[str, int]:
    """Have time remove what is due, and return how much of each kind went, but for what none went of."""
    with clock.frozen(at):
        forget()
    texts = Event.objects.filter(name="people.forget_by_time", at=at).values_list("text", flat=True)
    return {kind: n for text in texts for kind, n in json.loads(text)["data"]["removed"].items() if n}


def held(house: House, **more: Any) -> int:
    return int(
        house.tap(open_inquiry, house.cast.mari, player_id=lee(house), reason="Asked for", **more).data["inquiry"]
    )


def lifted_by(house: House, inquiry_id: int) -> None:
    """Have Mari lift an inquiry, and Frans sign it, who is a manager too."""
    second = {"username": "frans", "pin": demo_person("frans").pin}
    house.tap(lift_inquiry_by_two, house.cast.mari, inquiry_id=inquiry_id, second=second)


# ---- what is declared


def may_tell_of_a_person(field: "models.Field[Any, Any]") -> bool:
    """Say whether a column can hold something about a person; who on staff did something is one kind, the people's."""
    if field.is_relation:
        return field.related_model is Player
    if field.choices or isinstance(field, models.DateTimeField):
        return False
    return isinstance(field, (*COLUMNS, models.DateField)) or field.name in {"player_id", "players"}


def columns() -> Iterator[tuple[type[models.Model], str]]:
    for model in apps.get_models(include_auto_created=True):
        if not model.__module__.startswith("django.") and model._meta.app_label != "made_up":
            yield from ((model, field.name) for field in model._meta.concrete_fields if may_tell_of_a_person(field))


def test_every_column_that_may_tell_of_a_person_is_of_a_kind_or_about_nobody() -> None:
    declared = [(model, column) for model, column, _kind in kept.declared()]

    assert sorted(f"{model._meta.label}.{column}" for model, column in set(columns()) - set(declared)) == []
    assert [each for each in declared if not hasattr(each[0], each[1])] == []
    # What is of a kind is not about nobody besides.
    assert len(declared) == len(set(declared))


def test_each_kind_is_told_to_its_player_or_says_why_not() -> None:
    assert [kind.code for kind in kept.kinds() if bool(kind.player_data) == bool(kind.not_given)] == []


def test_a_new_column_is_of_no_kind_until_somebody_says_so() -> None:
    added = models.CharField(max_length=90)
    added.set_attributes_from_name("eye_colour")

    assert may_tell_of_a_person(added)
    assert not may_tell_of_a_person(Player._meta.get_field("is_watched"))


# ---- time removes


def test_what_is_past_its_time_goes_and_ledger_and_log_stay_whole(house: House) -> None:
    played(house)
    player_id = lee(house)
    days = rule_book_in_force(house.cast.room.pk, at=house.at)[1].peoples_data
    # To the day: a minute before, nothing goes but the pass, whose month is long over.
    early = forgotten(house, at=after(house, days.player_days) - timedelta(minutes=30))
    late = forgotten(house, at=after(house, days.player_days + 1))

    assert early == {"people.passes": 1}
    assert late["people.player"] >= 2  # Lee and Kai, and whom the room knew besides
    assert Player.objects.extra(select={"stored": "nickname"}).values_list("stored", flat=True).get(pk=player_id) == ""
    assert IdentityCheck.objects.get().number == ERASED
    assert (Note.objects.get().text, PlayerPass.objects.count()) == ("", 0)
    assert list(problems(house.cast.room.pk)) == []
    assert list(breaks(house.cast.room.pk)) == []
    assert REMARK not in "".join(Event.objects.values_list("text", flat=True))


def test_it_is_done_once_a_day_however_often_it_is_asked_for(house: House) -> None:
    played(house)
    at = after(house, 40)

    first, again = forgotten(house, at=at), forgotten(house, at=at + timedelta(minutes=5))

    assert (first, again) == ({"people.passes": 1}, {})
    assert Event.objects.filter(name="people.forget_by_time").count() == 1
    tomorrow = forgotten(house, at=at + timedelta(days=1))
    assert (tomorrow, Event.objects.filter(name="people.forget_by_time").count()) == ({}, 2)


def test_whoever_was_here_again_or_is_held_stays_known(house: House) -> None:
    played(house)
    kai = house.player("Kai").pk
    seen_again(kai, at=after(house, 900))
    house.tap(ban_player, player_id=house.player("Timo").pk)

    forgotten(house, at=after(house, 1_900))

    known = set(Player.objects.filter(erased_at=None).values_list("id", flat=True))
    assert known == {kai, Exclusion.objects.get().player_id}


@pytest.mark.slow
def test_the_number_of_whom_something_holds_stays(house: House) -> None:
    played(house)
    house.tap(ban_player, player_id=lee(house))

    assert "people.identity" not in forgotten(house, at=after(house, 1_900))
    assert IdentityCheck.objects.get().number == DOCUMENT


@pytest.mark.slow
def test_a_record_that_was_merged_is_of_who_was_here(house: House) -> None:
    played(house)
    gone = house.player("Kai").pk
    Player.objects.filter(pk=gone).update(merged_into=house.player("Aino"), merged_at=house.at)
    seen_again(gone, at=after(house, 900))

    forgotten(house, at=after(house, 1_900))

    assert set(Player.objects.filter(erased_at=None).values_list("nickname", flat=True)) == {"Aino", "Kai"}


def test_reasons_go_when_what_they_stand_under_has_long_ended(house: House) -> None:
    player_id = lee(house)
    for over in (True, False):
        Exclusion.objects.create(
            room=house.cast.room, player_id=player_id, kind="ban", began_at=house.at - timedelta(days=9),
            until=house.at - timedelta(days=1) if over else None, reason=REMARK, made_by_id=house.cast.frans.pk,
        )  # fmt: skip

    assert forgotten(house, at=after(house, 363)) == {}
    assert forgotten(house, at=after(house, 366)) == {"people.exclusions": 1}
    assert list(Exclusion.objects.order_by("id").values_list("reason", flat=True)) == ["", REMARK]


def test_a_number_that_went_proves_nobody_any_more(house: House) -> None:
    played(house)
    player_id = lee(house)
    with as_owner():
        IdentityCheck.objects.update(**EMPTIED)

    assert identity_of(player_id, on=house.at.date()) is None


def test_sign_ins_go_and_the_one_that_is_on_stays(house: House) -> None:
    device = enrolled(house.cast.room, "table", 1)
    for ended_at in (house.at, None):
        SignIn.objects.create(
            id=uuid.uuid4(), device=device, staff=house.cast.anna, began_at=house.at, ended_at=ended_at
        )

    assert forgotten(house, at=after(house, 91)) == {"people.sign_ins": 1}
    assert SignIn.objects.get().ended_at is None


@pytest.mark.slow
def test_more_than_a_batch_goes_by_several_commands(
    house: House, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr("casino.people.services.forgetting.BATCH", 2)
    device = enrolled(house.cast.room, "table", 1)
    for _ in range(5):
        SignIn.objects.create(
            id=uuid.uuid4(), device=device, staff=house.cast.anna, began_at=house.at, ended_at=house.at
        )

    forgotten(house, at=after(house, 91))

    # However much is kept, nobody counts it who does not ask: then each kind once, and what is due of it once more.
    with django_assert_max_num_queries(3):
        shown = kept_data(house.cast.room.pk, at=after(house, 91))
    assert {(each.kept, each.due) for each in shown.kinds} == {(None, None)}
    with django_assert_max_num_queries(33):
        shown = kept_data(house.cast.room.pk, at=after(house, 91), counts=True)
    (of_sign_ins,) = [each for each in shown.kinds if each.code == "people.sign_ins"]
    assert SignIn.objects.count() == 0
    assert Event.objects.filter(name="people.forget_by_time").count() == 3
    assert (shown.removed_at, shown.removed, of_sign_ins.removed) == (after(house, 91), 5, 5)


def test_a_batch_ends_however_many_rows_are_held_and_the_next_goes_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.people.services.forgetting.BATCH", 2)
    held(house)
    for n, name in enumerate(("Lee", "Lee", "Lee", "Kai", "Kai", "Lee", "Kai")):
        PlayerPass.objects.create(
            room=house.cast.room, player=house.player(name), day=GamingDay.objects.get(),
            token_hash=f"{n:064}", code_hash=f"{n:064}",
            given_by_id=house.cast.frans.pk, given_at=house.at, revoked_at=house.at,
        )  # fmt: skip

    forgotten(house, at=after(house, 40))

    assert set(PlayerPass.objects.values_list("player", flat=True)) == {lee(house)}
    assert Event.objects.filter(name="people.forget_by_time").count() == 4


# ---- a player's own file


def test_a_player_has_all_that_is_kept_in_their_language_and_nothing_of_others(house: House) -> None:
    played(house)
    lee_id, kai = lee(house), house.player("Kai")
    pair = sorted([lee_id, kai.pk])
    house.tap(keep_apart, player_ids=pair, reason="Kai owes money")
    house.tap(write_incident, kind="warning", player_ids=pair, table_id=house.table_id(), text="Kai and Lee shouted")
    held(house)
    arguments = {"player_id": lee_id, "document": "passport", "language": "fi"}
    second = {"username": "frans", "pin": demo_person("frans").pin}
    answer = house.tap(give_data_by_two, house.cast.mari, **arguments, second=second)

    with translation.override("fi"):
        file = answer.data.pop("file").as_data()
    rows = {kind["kind"]: [row for table in kind["tables"] for row in table["rows"]] for kind in file["kinds"]}
    assert rows["people.player"] == [[Player.objects.get(pk=lee_id).created_at.isoformat(), "Lee", "Lee L", None]]
    assert rows["people.identity"][0][1:] == ["passi", DOCUMENT, "Lee L", None]
    assert [row[1] for row in rows["people.notes"]] == [REMARK, "Se puhuu muistakin, eikä sitä kerrota."]
    assert (len(rows["people.apart"]), rows["cage.money"][0][3]) == (1, 100_00)
    assert rows["tables.play"][0][2:] == [1, 1, 10_00]
    text = json.dumps(file)
    assert [word for word in ("Kai", "owes", "inquir", "Asked for") if word in text] == []
    # Nothing of it is stored, or stands in the log.
    given = Event.objects.get(name="people.give_data")
    assert set(json.loads(given.text)["data"]) == {"player_id", "document", "language", "signed_by"}
    assert "Lee L" not in "".join(str(each) for each in AnsweredCommand.objects.values_list("data", flat=True))


@pytest.mark.slow
def test_at_the_desk_it_is_a_page_to_print_with_the_same_as_a_file(house: House) -> None:
    played(house)
    form = {"document": "passport", "language": "fi", "username": "frans", "pin": demo_person("frans").pin}
    fields = {**form, "command_id": str(uuid.uuid4())}
    manager, floor = at_desktop(house.cast.mari), at_desktop(house.cast.frans)
    with clock.frozen(house.at):
        page = manager.post(f"/people/players/{lee(house)}/data/", fields)
        assert floor.post(f"/people/players/{lee(house)}/data/", fields).status_code == 403
        again = manager.post(f"/people/players/{lee(house)}/data/", fields)
        player = manager.get(again.headers["Location"]).content.decode()
    text = page.content.decode()

    assert (page.status_code, DOCUMENT in text, 'lang="fi"' in text) == (200, True, True)
    (encoded,) = re.findall(r"base64,([A-Za-z0-9+/=]+)", text)
    assert json.loads(base64.b64decode(encoded))["player_id"] == lee(house)
    assert "no-store" in page.headers["Cache-Control"]
    # Loaded once more it is sent again, and that gives nothing twice.
    assert (again.status_code, "were given already" in player) == (302, True)


# ---- an inquiry holds


def test_an_inquiry_keeps_everything_from_time_and_from_the_players_own_wish(house: House) -> None:
    played(house)
    inquiry = held(house)
    with pytest.raises(DataIsNeeded):
        house.tap(erase_player, house.cast.mari, player_id=lee(house))

    forgotten(house, at=after(house, 1_900))
    assert (IdentityCheck.objects.get().number, Note.objects.get().text) == (DOCUMENT, REMARK)
    assert PlayerPass.objects.count() == 1

    with as_owner():
        Inquiry.objects.filter(pk=inquiry).update(lifted_at=house.at, lifted_by_id=1, lift_signed_by_id=2)
    forgotten(house, at=after(house, 1_901))
    assert (IdentityCheck.objects.get().number, Note.objects.get().text) == (ERASED, "")


def test_two_persons_lift_it_and_nobody_else_reads_of_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])
    inquiry = held(house)
    with pytest.raises(NotPermitted):
        house.tap(open_inquiry, house.cast.anna, player_id=lee(house))
    manager, cashier = at_desktop(house.cast.mari), at_desktop(house.cast.carla)
    with clock.frozen(house.at):
        page, counted = (manager.get(f"/people/kept/{more}").content.decode() for more in ("", "?count"))
        calls = [manager.get(f"/api/v1/people/kept-data{more}").json()["kinds"][0] for more in ("", "?count=true")]
        card = cashier.get(f"/people/players/{lee(house)}/").content.decode()
        elsewhere = [card, *(manager.get(path).content.decode() for path in ("/log/", "/floor/"))]
        assert cashier.get("/people/kept/").status_code == 403
        assert cashier.get("/api/v1/people/inquiries").status_code == 403
    assert "Asked for" in page
    days = rule_book_in_force(house.room_id, at=house.at)[1].peoples_data.player_days
    assert f"{format_count(days, locale=house.cast.room.locale)} days, " in page
    assert ("Count what there is" in page, "Count what there is" in counted) == (True, False)
    assert [each["kept"] is None for each in calls] == [True, False]
    assert "Asked for" not in "".join(elsewhere)
    # A tap renders the inquiries' part alone: the rest of the page counts the whole house.
    monkeypatch.setattr("casino.people.views.kept.kept_data", None)
    with clock.frozen(house.at):
        fresh = tap(manager, "/people/inquiries/open/", other_id=lee(house), reason="Also").content.decode()
    assert ("Also" in fresh, "Asked for" in fresh, "kept-data" in fresh) == (True, True, False)
    # Not that there is one, either.
    assert "inquiry" not in card.lower()

    frans = Staff.objects.get(username="frans")
    lifted_by(house, inquiry)

    lifted = Inquiry.objects.get(pk=inquiry)
    assert (lifted.lifted_by_id, lifted.lift_signed_by_id) == (house.cast.mari.pk, frans.pk)


def test_all_inquiries_that_hold_are_listed_however_many_are_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("casino.people.inquiries.OVER_SHOWN", 1)
    standing = [held(house), held(house)]
    over = [held(house), held(house)]
    Inquiry.objects.filter(pk__in=over).update(lifted_at=house.at, lifted_by_id=1, lift_signed_by_id=2)

    found = inquiries_of(house.cast.room.pk, zone=ZoneInfo("UTC"), at=house.at)

    assert [(each.id, each.holds) for each in found] == [(standing[1], True), (standing[0], True), (over[1], False)]


def test_one_with_an_end_ends_by_itself(house: House) -> None:
    Staff.objects.filter(username="frans").update(roles=["floor", "manager"])
    inquiry = held(house, last_day=(house.at + timedelta(days=2)).date().isoformat())
    house.at = after(house, 4)

    with pytest.raises(InquiryOver):
        lifted_by(house, inquiry)
    house.tap(erase_player, house.cast.mari, player_id=lee(house))
    assert Inquiry.objects.get().reason == ""
