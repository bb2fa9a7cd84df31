"""How every service is carried out: once per command id, whole or not at all, and in the log."""

import json
import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.commands import carrying_out
from casino.commands.carrying_out import Actor, Command, Note, Outcome, forget_answers_of
from casino.commands.errors import CommandIdReused
from casino.commands.models import AnsweredCommand
from casino.commands.tasks import forget_answers
from casino.errors import NotFound, NotPermitted
from casino.people.models import Player
from casino.people.selectors import actor_at_desktop
from casino.people.services import add_player
from casino.rooms.models import GamingDay
from tests.cast import TONIGHT, Cast, command
from tests.commands.conftest import NAME
from tests.support.locks import at_once
from tests.support.owner import as_owner

pytestmark = pytest.mark.smoke


def tap(cast: Cast, *, id: uuid.UUID | None = None, **changes: Any) -> Command:
    by = actor_at_desktop(cast.frans)
    return command(replace(by, may=by.may | {NAME}, **changes), id=id)


def players(nickname: str) -> int:
    return Player.objects.filter(nickname=nickname).count()


def test_a_command_is_carried_out_logged_and_answered(cast, greeting):
    tapped = tap(cast)

    answer = greeting(tapped, nickname="Zoe", times=2)

    event = Event.objects.get(name=NAME)
    logged = json.loads(event.text)
    assert answer.data["times"] == 2
    assert (answer.version, answer.is_replay) == (7, False)
    assert (event.chain, event.result, event.command_id, event.staff_id) == (
        "table.4",
        "done",
        tapped.id,
        cast.frans.pk,
    )
    assert event.audiences == ["floor", "table.4.dealer"]
    assert logged["args"] == {"times": 2}
    assert logged["tapped_at"] == TONIGHT.isoformat()


def test_the_second_time_it_is_the_first_answer_without_what_was_shown_once(cast, greeting):
    tapped = tap(cast)
    first = greeting(tapped, nickname="Zoe")

    again = greeting(tapped, nickname="Zoe")

    assert first.data == {**again.data, "secret": "shown once"}
    assert (again.version, again.is_replay) == (7, True)
    assert (players("Zoe"), Event.objects.filter(name=NAME).count()) == (1, 1)
    assert "shown once" not in Event.objects.get(name=NAME).text + str(
        AnsweredCommand.objects.get(command_id=tapped.id).data
    )


def test_a_refusal_changes_nothing_is_stored_and_said_again(cast, greeting):
    tapped = tap(cast)

    for _ in range(2):
        with pytest.raises(NotFound) as refused:
            greeting(tapped, nickname="Zoe", refuse=True)
        assert refused.value.data == {"what": "table"}

    event = Event.objects.get(name=NAME)
    assert (event.result, event.chain, players("Zoe")) == ("not_found", f"staff.{cast.frans.pk}", 0)


def test_a_note_is_logged_once_beside_what_is_done(cast, greeting, monkeypatch):
    monkeypatch.setattr(carrying_out, "_notes", {"test.noted"})
    tapped, refused = (replace(tap(cast), notes=(Note("test.noted", "table.5", {"ref": ref}),)) for ref in (1, 2))

    greeting(tapped, nickname="Zoe")
    assert greeting(replace(tapped, notes=(Note("test.noted", "table.6", {"ref": 3}),)), nickname="Zoe").is_replay
    with pytest.raises(NotFound):
        greeting(refused, nickname="Yan", refuse=True)

    note = Event.objects.get(name="test.noted")
    logged = json.loads(note.text)
    assert (note.chain, note.result, note.staff_id) == ("table.5", "done", cast.frans.pk)
    assert (logged["data"], logged["part_of"]) == ({"ref": 1}, str(tapped.id))
    assert not AnsweredCommand.objects.filter(command_id=note.command_id).exists()


def test_a_crash_leaves_nothing_and_the_same_id_may_come_again(cast, greeting):
    tapped = tap(cast)
    before = Event.objects.count()

    with pytest.raises(ZeroDivisionError):
        greeting(tapped, nickname="Zoe", crash=True)

    assert (players("Zoe"), Event.objects.count(), AnsweredCommand.objects.filter(command_id=tapped.id).count()) == (
        0,
        before,
        0,
    )
    assert not greeting(tapped, nickname="Zoe").is_replay


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"nickname": "Yan"}, id="another private argument"),
        pytest.param({"times": 3}, id="another argument"),
    ],
)
def test_the_same_id_with_another_body_is_refused(cast, greeting, other):
    tapped = tap(cast)
    greeting(tapped, nickname="Zoe")

    with pytest.raises(CommandIdReused):
        greeting(tapped, **{"nickname": "Zoe", **other})


@pytest.mark.parametrize(
    "name",
    [
        "0002_answers_outlive_the_upgrade",
        "0003_answers_outlive_another_upgrade",
        "0004_a_seat_is_one_argument",
    ],
)
def test_what_was_answered_before_the_upgrade_is_answered_again(cast, greeting, name):
    """The tablet sends the same tap, of which the room of now understands another part."""
    tapped = tap(cast)
    first = greeting(tapped, nickname="Zoe")
    loader = MigrationLoader(connection)
    migration = loader.get_migration("commands", name)

    with as_owner(), connection.schema_editor() as editor:
        migration.apply(loader.project_state(list(migration.dependencies)), editor)
    again = greeting(tapped, nickname="Zoe", times=3)

    assert (again.data["player_id"], again.is_replay) == (first.data["player_id"], True)
    assert players("Zoe") == 1


def test_the_same_id_from_another_person_or_device_is_refused(cast, greeting):
    tapped = tap(cast)
    greeting(tapped, nickname="Zoe")

    for changes in ({"staff_id": cast.mari.pk}, {"device_id": 5}):
        with pytest.raises(CommandIdReused):
            greeting(tap(cast, id=tapped.id, **changes), nickname="Zoe")
    with pytest.raises(CommandIdReused):
        add_player(tapped, nickname="Zoe")
    assert players("Zoe") == 1


def test_who_may_not_is_refused_before_anything_is_claimed(cast, greeting):
    tapped = command(cast.frans)

    with pytest.raises(NotPermitted):
        greeting(tapped, nickname="Zoe")

    assert not AnsweredCommand.objects.filter(command_id=tapped.id).exists()


def test_an_old_answer_is_forgotten_but_its_id_never_works_again(cast, greeting):
    tapped = tap(cast)
    greeting(tapped, nickname="Zoe")

    assert forget_answers_of(room_id=cast.room.pk, before=TONIGHT + timedelta(days=2)) > 0

    with pytest.raises(CommandIdReused):
        greeting(tapped, nickname="Yan")
    assert players("Yan") == 0


# ---- races, with real threads and connections


def test_fifty_of_one_command_id_are_one_effect_and_49_replays(committed_cast, greeting):
    tapped = tap(committed_cast)

    answers: list[Any] = at_once(50, lambda _: greeting(tapped, nickname="Zoe"))

    assert sorted(answer.is_replay for answer in answers) == [False] + [True] * 49
    assert len({answer.data["player_id"] for answer in answers}) == 1
    assert (players("Zoe"), Event.objects.filter(name=NAME).count()) == (1, 1)


def test_fifty_of_one_refused_command_id_are_one_refusal_and_49_of_it_again(committed_cast, greeting):
    tapped = tap(committed_cast)

    answers: list[Any] = at_once(50, lambda _: greeting(tapped, nickname="Zoe", refuse=True))

    assert {type(answer) for answer in answers} == {NotFound}
    assert (players("Zoe"), Event.objects.filter(name=NAME).count()) == (0, 1)


def test_many_commands_on_one_chain_are_numbered_without_a_gap(committed_cast, greeting):
    answers: list[Any] = at_once(20, lambda index: greeting(tap(committed_cast), nickname=f"Player {index}"))

    assert not any(isinstance(answer, Exception) for answer in answers)
    numbers = Event.objects.filter(chain="table.4").order_by("number").values_list("number", flat=True)
    assert list(numbers) == list(range(1, 21))
    assert list(breaks(committed_cast.room.pk)) == []


def test_two_services_cannot_have_one_name():
    with pytest.raises(AssertionError, match=r"people\.add_player"):
        carrying_out.service("people.add_player")(lambda command: Outcome(chain="table.4"))


def test_an_actor_of_nothing_may_nothing(cast):
    nobody = Actor(room_id=cast.room.pk, staff_id=None)

    for service in (add_player,):
        with pytest.raises(NotPermitted):
            service(command(nobody), nickname="Zoe")


def test_answers_are_kept_for_two_gaming_days(cast, greeting):
    for days_ago in reversed(range(4)):
        opened_at = TONIGHT - timedelta(days=days_ago)
        GamingDay.objects.create(
            room=cast.room,
            date=opened_at.date(),
            opened_at=opened_at,
            opened_by_id=1,
            closed_at=opened_at,
            closed_by_id=1,
        )
        greeting(replace(tap(cast), at=opened_at), nickname=f"Zoe {days_ago}")

    forget_answers()

    days = AnsweredCommand.objects.values_list("at", flat=True)
    assert min(days) == TONIGHT - timedelta(days=1)
