"""Two records of one person become one: what public screens call them, and which phone still shows their places."""

import pytest

from casino.people.models import Player, PlayerPass
from casino.people.passes import pass_of_player
from casino.people.services import add_player, give_pass, show_as_number
from casino.waiting.selectors.phones import phone
from tests.tables.conftest import House
from tests.tables.test_merging_players import Office

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _reachable(settings):
    settings.PHONE_URL = "https://room.example"


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


def numbered(office: Office, player: Player, *, is_number: bool = True) -> None:
    office.house.tap(show_as_number, player_id=player.pk, is_number=is_number)


def passes(office: Office, player: Player) -> int:
    return int(office.house.tap(give_pass, player_id=player.pk).data["pass"])


def numbers(office: Office) -> list[tuple[int | None, bool]]:
    found = (Player.objects.get(pk=player.pk) for player in (office.timo, office.tim))
    return [(player.number, player.is_shown_as_number) for player in found]


@pytest.mark.parametrize(
    ("timo", "tim", "expected"),
    [
        pytest.param(False, True, [(1, True), (None, False)], id="the other record's number goes along"),
        pytest.param(True, False, [(1, True), (None, False)], id="the kept record has the only one"),
        pytest.param(True, True, [(1, True), (2, False)], id="of two the kept record's"),
    ],
)
def test_a_number_is_given_once_and_the_person_is_shown_by_it(office, timo, tim, expected):
    for player, has_one in ((office.timo, timo), (office.tim, tim)):
        if has_one:
            numbered(office, player)

    office.merge()

    assert numbers(office) == expected
    added = office.house.tap(add_player, nickname="Next").data["player_id"]
    numbered(office, Player.objects.get(id=added))
    given = list(Player.objects.filter(number__isnull=False).values_list("number", flat=True))
    assert len(given) == len(set(given))


def test_a_number_nobody_wants_shown_any_more_stays_off_the_screens(office):
    numbered(office, office.tim)
    numbered(office, office.tim, is_number=False)

    office.merge()

    assert [shown for _, shown in numbers(office)] == [False, False]


def test_the_kept_records_phone_goes_on_and_the_other_one_ends(office):
    kept, gone = passes(office, office.timo), passes(office, office.tim)
    numbered(office, office.tim)
    office.join(office.tim)
    office.join(office.timo, "No limit hold'em 5/5")

    office.merge()

    room = office.house.room_id
    found = pass_of_player(room, office.timo.pk)
    assert found is not None
    assert found.pk == kept
    assert not PlayerPass.objects.filter(player=office.tim, revoked_at=None).exists()
    assert phone(room, gone).player is None
    shown = phone(room, kept)
    assert (len(shown.waits), str(shown.player.public_name if shown.player else "")) == (2, "No. 1")


def test_the_kept_records_phone_is_told_of_the_places_that_came_along(
    office, monkeypatch, django_capture_on_commit_callbacks
):
    kept = passes(office, office.timo)
    office.join(office.tim)
    heard: list[str] = []
    monkeypatch.setattr("casino.commands.carrying_out.publish", lambda *, room_id, audiences: heard.extend(audiences))

    with django_capture_on_commit_callbacks(execute=True):
        office.merge()

    assert f"pass.{kept}" in heard
