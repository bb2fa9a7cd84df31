"""The log in sentences: each kind of event has one, in every language, with names, amounts and links."""

import re
from collections.abc import Iterator
from datetime import timedelta
from string import Formatter

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from casino import clock
from casino.audit import sentences as registered
from casino.audit.models import Event
from casino.audit.sentences import blanks_of, sentences, title_of
from casino.cage.errors_days import DayHasBeen
from casino.commands.carrying_out import event_names, services
from casino.ledger.templatetags.money import money
from casino.people.models import Player
from casino.people.services import rename_player
from tables.models import Hand, Seating
from tables.services.seating import leave_seat
from tests.cast import command, make_cast
from tests.doors.routes import import_all_services
from tests.tables.conftest import House, house
from tests.taps import at_desktop

__all__ = ["house"]

pytestmark = pytest.mark.two_houses
import_all_services()
# Figures, days and colours, which are written as they were logged.
PLAIN = {
    "days", "date", "number", "winner", "seat", "order", "from", "to_seat", "minutes", "seats", "colour", "first_sheet",
    "last_sheet", "hands", "digest", "voucher_number", "unclaimed_number", "exchange_number", "records", "lines",
    "vault_count_number",
    "joined", "called", "seated", "struck", "currency", "rate", "face", "copy", "note",
}  # fmt: skip


def can_be_written(key: str) -> bool:
    """Tell whether something knows how to write what stands under a key, where it is no plain figure."""
    return key.endswith("_cents") or key in registered._things or key in registered._codes


def test_every_kind_of_event_has_a_sentence() -> None:
    assert sorted(event_names() - sentences().keys()) == [], "they are said by no sentences.py"
    assert [
        (name, key, "nothing says how it is written")
        for name in sorted(event_names())
        for text in sentences()[name]
        for key in blanks_of(text)
        if not can_be_written(key) and key not in PLAIN
    ] == []
    assert len(services()) > 100


def test_what_is_said_besides_is_said_of_its_key() -> None:
    assert {key: blanks_of(text) for key, text in registered._besides.items()} == {
        key: [key] for key in registered._besides
    }
    assert all(map(can_be_written, registered._besides))


def test_no_sentence_is_of_a_kind_that_is_not_there() -> None:
    assert sorted(sentences().keys() - event_names()) == []


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_sentences_and_titles_keep_their_blanks_in_every_language(language: str) -> None:
    all_texts = [*sentences().values(), list(registered._besides.values())]
    english = {str(text): sorted(blanks_of(text)) for texts in all_texts for text in texts}
    with translation.override(language):
        for texts in all_texts:
            for text in texts:
                with translation.override("en"):
                    expected = english[str(text)]
                assert sorted(key for _, key, _, _ in Formatter().parse(str(text)) if key) == expected
        assert "{" not in "".join(title_of(name) for name in event_names())


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_two_kinds_are_called_the_same_in_the_list(language: str) -> None:
    called: dict[str, list[str]] = {}
    with translation.override(language):
        for name in sentences():
            called.setdefault(title_of(name), []).append(name)

    assert [names for names in called.values() if len(names) > 1] == []


@pytest.fixture
def olavi(house: House) -> Iterator[Client]:
    """Give the auditor's desktop on that evening, after a hand, a leaving and a refusal at table 1."""
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(86_00, winners=(2,))
    seating = Seating.objects.get(player__nickname="Timo")
    house.tap(leave_seat, house.cast.anna, table_id=house.table_id(), seating_id=seating.pk, stack_cents=150_00)
    with pytest.raises(Exception, match="nickname"):
        rename_player(command(house.cast.frans), player_id=seating.player_id, nickname="Kai")
    with clock.frozen(house.at):
        yield at_desktop(house.cast.olavi)


def log_sentences(client: Client, query: str = "") -> list[str]:
    """Return the sentences of the log's page, as they are read."""
    page = client.get(f"/log/{query}").content.decode()
    found = re.findall(r'<p class="log-sentence">(.*?)</p>', page, re.DOTALL)
    tidy = [re.sub(r"[\u2066-\u2069]", "", re.sub("<[^>]*>", "", each)) for each in found]
    return [each.strip() for each in tidy]


def test_a_hand_is_told_with_amounts_people_and_links(house: House, olavi: Client) -> None:
    hand, lee, room = Hand.objects.get(), house.player("Timo").pk, house.cast.room
    pot, rake, drop, stack = (money(cents, room) for cents in (86_00, hand.taken("rake"), hand.taken("drop"), 150_00))

    page = olavi.get("/log/").content.decode()

    assert f"Hand 1 at table 1 settled: pot {pot}, rake {rake}, jackpot {drop}, to 2 Kai." in log_sentences(olavi)
    assert f"Timo left table 1, seat 3, with {stack}." in log_sentences(olavi)
    assert f'<a href="/floor/tables/1/hands/?hand={hand.pk}">1</a>' in page
    assert f'<a href="/log/?person=player-{lee}">' in page
    assert f'<a href="/log/?person=staff-{house.cast.anna.pk}">' in page
    assert olavi.get(f"/floor/tables/1/hands/?hand={hand.pk}").status_code == 200
    # The command, its ids and the hash are one tap further, inside the row.
    shown = page.partition("<details>")[2]
    assert Event.objects.latest("id").hash in shown


def test_the_log_is_asked_by_person_table_amount_and_day(house: House, olavi: Client) -> None:
    player = house.player("Timo")
    left = f"Timo left table 1, seat 3, with {money(150_00, house.cast.room)}."
    of_timo = [left, "Timo sat down at table 1, seat 3."]

    for query in ("?person=tim", f"?person=player-{player.pk}&day={house.at.date()}"):
        found = log_sentences(olavi, query)
        assert set(of_timo) <= set(found), query
        assert not any("Lee" in each for each in found), query
    assert any("Hand 1" in each for each in log_sentences(olavi, f"?person=staff-{house.cast.anna.pk}"))
    assert "Hand 1 at table 1 settled" in "".join(log_sentences(olavi, "?chain=table.1"))
    assert "opened with" not in "".join(log_sentences(olavi, "?chain=table.1"))
    assert log_sentences(olavi, "?amount=150") == [left]
    assert log_sentences(olavi, "?person=nobody-7") == []
    # A part of more names than are looked for says so.
    crowd = [Player(room=house.cast.room, nickname=f"Qu {number}", created_at=house.at) for number in range(51)]
    for each in crowd[:50]:
        each.save()
    assert b"More than 50 people" not in olavi.get("/log/?person=qu").content
    crowd[50].save()
    assert b"More than 50 people" in olavi.get("/log/?person=qu").content
    assert log_sentences(olavi, "?person=no+such+name") == []
    assert log_sentences(olavi, f"?day={house.at.date() - timedelta(days=9)}") == []
    for query in ("?day=never", "?amount=lots", "?before=x"):
        assert olavi.get(f"/log/{query}").status_code == 400
    # What is done by a clock that was set back is of the day on which it is done.
    day = house.at.date()
    house.at -= timedelta(days=1)
    house.tap(rename_player, player_id=player.pk, nickname="Timothy")
    assert log_sentences(olavi, f"?day={day}")[0] == log_sentences(olavi)[0]


def test_a_refusal_says_what_was_not_done_and_why(olavi: Client) -> None:
    (found,) = log_sentences(olavi, "?result=refused")

    assert found == "… got this name – not done · Timo"
    assert "Another player here has that nickname" in olavi.get("/log/?result=refused").content.decode()


@pytest.mark.parametrize(
    ("query", "status"),
    [("day=9999-12-31", 400), ("day=0001-01-01", 400), ("person=won_by-5", 200), ("person=charged-5", 200)],
)
def test_what_no_link_asks_for_is_no_fault_of_ours(olavi: Client, query: str, status: int) -> None:
    assert olavi.get(f"/log/?{query}").status_code == status


def test_nobody_of_another_room_is_named(house: House, olavi: Client) -> None:
    other = make_cast(slug="other")
    player = Player.objects.filter(room=other.room).order_by("pk")[0]
    Player.objects.filter(pk=player.pk).update(nickname="Sekretzed")

    for person in (f"player-{player.pk}", f"staff-{other.mari.pk}"):
        assert b"Sekretzed" not in olavi.get(f"/log/?person={person}").content


def test_a_refusal_of_before_is_read_still() -> None:
    assert "from 00:00" in str(DayHasBeen(date="2026-11-01"))


def test_a_page_of_sentences_takes_few_statements(
    house: House, olavi: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    olavi.get("/log/")
    for _ in range(12):
        house.settle(40_00, winners=(1,))

    # Session, person, events, chains, seal, lateness, staff and devices, and one for each kind of thing that is named.
    with django_assert_num_queries(14):
        olavi.get("/log/")
