"""The managers' page about the rule book, and the sheet that is posted: as a browser asks for them."""

import json
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.poker.rake import rake_by_pot
from casino.rooms.models import NextBook, Room, RuleBookVersion
from casino.rulebooks import load, shipped
from casino.rulebooks import text_of as shipped_text
from tables.charges import policies_of
from tables.models import Game
from tables.selectors.posted import posted_game
from tables.services.books import withdraw_book
from tables.services.setup import game_fields
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_books import Office
from tests.taps import at_desktop, tap

PAGE = "/rule-books/"


@pytest.fixture
def office(house: House) -> Office:
    return Office(house)


@pytest.fixture
def mari(office: Office) -> Client:
    return at_desktop(office.mari)


@pytest.fixture
def petra(office: Office) -> Client:
    return at_desktop(office.petra)


def text_of(answer: object) -> str:
    html = answer.content.decode()  # type: ignore[attr-defined]
    plain = re.sub(r"</?(?:b|i|strong|code|span)\b[^>]*>", "", html)
    return " ".join(re.sub(r"<[^>]+>", " ", plain).replace("\xa0", " ").replace("&#x27;", "'").split())


def test_from_the_first_edit_to_the_moment_it_holds(office: Office, mari: Client, petra: Client) -> None:
    with clock.frozen(office.house.at):
        assert "It begins as the book in force" in text_of(mari.get(PAGE))
        typed = office.text.replace("maximum_cents = 10_00", "maximum_cents = 8_00").replace("\n", "\r\n")

        checked = text_of(tap(mari, f"{PAGE}check/", text=typed))
        assert "games › nlh-2-2 › rake › maximum_cents 10 € 8 €" in checked
        saved = tap(mari, f"{PAGE}edit/", text=typed, version="0")
        assert saved.status_code == 200
        # Saved as it would stand in a file: forms send line ends of their own.
        assert "\r" not in NextBook.objects.get().text

        answer = tap(mari, f"{PAGE}ask/", version=str(office.next.version), holds_from="2026-11-21T06:00")
        assert "Another manager signs here" in text_of(answer)
        assert "Sign it" in text_of(petra.get(PAGE))
        signed = tap(petra, f"{PAGE}approve/", **read(office))
        assert "Signed by Petra" in text_of(signed)
    office.hours_pass(24)

    assert "Version 2" in text_of(mari.get(PAGE))
    assert "asked for by Mari, signed by Petra" in text_of(mari.get(f"{PAGE}2/"))
    assert RuleBookVersion.objects.order_by("-number")[0].text == typed.replace("\r\n", "\n")


def test_what_is_wrong_is_listed_while_it_is_typed_and_refused_when_it_is_saved(office: Office, mari: Client) -> None:
    typed = office.text.replace("clock_seconds = 30 ", "clock_second = 30 ")

    checked, saved = (tap(mari, f"{PAGE}{act}/", text=typed, version="0") for act in ("check", "edit"))

    sentence = "there is no key “timers.clock_second”. Did you mean “clock_seconds”?"
    assert checked.status_code == 200
    assert sentence in text_of(checked)
    assert saved.status_code == 422
    assert sentence in text_of(saved)
    assert not NextBook.objects.exists()


def test_who_saves_over_another_managers_change_is_told(office: Office, mari: Client, petra: Client) -> None:
    tap(petra, f"{PAGE}edit/", text=office.text.replace("180", "240"), version="0")

    answer = tap(mari, f"{PAGE}edit/", text=office.text.replace("180", "300"), version="0")

    assert (answer.status_code, NextBook.objects.get().edited_by_id) == (409, office.petra.pk)


def test_a_second_manager_signs_at_the_askers_screen(office: Office, mari: Client) -> None:
    office.edit()
    office.ask()
    shown = read(office)
    with clock.frozen(office.house.at):
        assert f'name="next_book_id" value="{office.next.pk}"' in mari.get(PAGE).content.decode()
        wrong = tap(mari, f"{PAGE}approve/", **shown, username="petra", pin="9999")
        nobody = tap(mari, f"{PAGE}approve/", **shown)
        right = tap(mari, f"{PAGE}approve/", **shown, username="petra", pin="1357")

    assert [answer.status_code for answer in (wrong, nobody, right)] == [422, 422, 200]
    assert (office.next.status, office.next.decided_by_id) == ("approved", office.petra.pk)


def test_an_auditor_reads_and_changes_nothing(office: Office) -> None:
    office.edit()
    olavi = at_desktop(office.house.cast.olavi)

    page = olavi.get(PAGE).content.decode()

    assert "textarea" not in page
    assert "maximum_cents" in page
    assert tap(olavi, f"{PAGE}edit/", text=office.text, version="2").status_code == 403


def test_who_may_not_sign_tries_nobodys_pin_and_nor_does_who_signs_nothing(office: Office, mari: Client) -> None:
    olavi = at_desktop(office.house.cast.olavi)
    fields: dict[str, Any] = {"next_book_id": "1", "version": "1", "username": "petra", "pin": "9999"}

    without_request = tap(mari, f"{PAGE}approve/", **fields)
    office.edit()
    office.ask()
    reader = tap(olavi, f"{PAGE}approve/", **fields)

    assert (without_request.status_code, reader.status_code) == (409, 403)
    office.petra.refresh_from_db()
    assert office.petra.wrong_pins == 0


def test_a_signature_that_is_sent_again_has_its_first_answer_at_both_doors(office: Office, mari: Client) -> None:
    office.edit()
    office.ask()
    key, shown = str(uuid.uuid4()), read(office)

    def page() -> int:
        return int(tap(mari, f"{PAGE}approve/", id=uuid.UUID(key), **shown, username="petra", pin="1357").status_code)

    def call() -> tuple[int, bool]:
        answer = approve_call(mari, key, shown, "1357")
        return answer.status_code, answer.json()["is_replay"]

    with clock.frozen(office.house.at):
        assert (page(), page()) == (200, 200)
        office.house.tap(withdraw_book, office.mari, version=office.next.version)
        office.ask()
        key, shown = str(uuid.uuid4()), read(office)
        assert (call(), call()) == ((200, False), (200, True))


def test_a_call_that_signs_nothing_tries_nobodys_pin(office: Office, mari: Client) -> None:
    with clock.frozen(office.house.at):
        answer = approve_call(mari, str(uuid.uuid4()), {"next_book_id": "1", "version": "1"}, "9999")

    assert (answer.status_code, answer.json()["code"]) == (409, "book_not_asked")
    office.petra.refresh_from_db()
    assert office.petra.wrong_pins == 0


def read(office: Office) -> dict[str, Any]:
    """Return what the page says of the book that is read there."""
    return {"next_book_id": str(office.next.pk), "version": str(office.next.version)}


def approve_call(client: Client, key: str, shown: dict[str, str], pin: str) -> Any:
    body = json.dumps({"next_book_id": int(shown["next_book_id"]), "second": {"username": "petra", "pin": pin}})
    headers = {"Idempotency-Key": key, "If-Match": f'"{shown["version"]}"'}
    address = "/api/v1/rule-book/approve"
    return client.post(address, body, content_type="application/json", headers=headers)


def test_a_version_of_a_number_beyond_all_is_not_there(mari: Client) -> None:
    assert mari.get(f"{PAGE}99999999999/").status_code == 404


def test_the_page_asks_so_many_questions_however_many_versions_there_are(office: Office, mari: Client) -> None:
    office.change()
    office.edit(("call_seconds = 180", "call_seconds = 240"))
    mari.get(PAGE)

    with CaptureQueriesContext(connection) as queries:
        mari.get(PAGE)

    # Session, staff and room; then the version in force, the versions, the next one, two times names.
    assert len(queries) <= 9, [query["sql"][:90] for query in queries]


# ---- the sheet


@pytest.mark.rule("L-P22", "L-P102", "H1.83", "H1.85", "L-O44")
def test_anybody_reads_what_is_charged(office: Office) -> None:
    office.house.open(Lee=1)

    for path in ("/posted/", "/posted/1/"):
        page = text_of(Client().get(path))
        assert "1 € for each full 20 € of all pots together, at most 10 € a hand" in page
        assert "from 200 €: 10 €" in page
        assert "Jackpot drop: 1 € from each hand with a flop and 6 players or more." in page
        assert "No flop, no rake." in page
    assert Client().get("/posted/2/").status_code == 404


@pytest.mark.rule("L-P22", "L-P23", "L-G21")
def test_a_tables_sheet_is_that_of_the_book_it_was_opened_under(office: Office) -> None:
    office.house.open(Lee=1)
    office.change()

    with clock.frozen(office.house.at):
        table, room = (text_of(Client().get(path)) for path in ("/posted/1/", "/posted/"))

    assert ("at most 10 € a hand" in table, "Rule book version 1," in table) == (True, True)
    assert ("at most 8 € a hand" in room, "Rule book version 2," in room) == (True, True)


@pytest.mark.rule("L-P22")
@pytest.mark.parametrize("name", shipped())
def test_what_is_posted_is_what_is_computed(db: None, name: str) -> None:
    for entry in load(name).games:
        posted = posted_game(Game(name=entry.name, **game_fields(entry)), load(name))
        policy = entry.rake_policy
        assert policy is not None
        assert posted.is_due_without_flop == policy.is_due_without_flop
        drop = posted.game.charges.get("drop")
        assert policies_of({"drop": drop} if drop else {}).get("drop") == (entry.drop.policy() if entry.drop else None)
        for rake in posted.rakes:
            way = policy.at(rake.participants_max or 12)
            if rake.share is not None:
                assert rake.share == way
                assert (rake.maximum_cents,) == rake_by_pot([10_000_000_00], way=way)
                continue
            for (pot, cents), before in zip(rake.rows, [0, *(cents for _, cents in rake.rows)], strict=False):
                assert rake_by_pot([pot], way=way) == (cents,)
                assert rake_by_pot([pot - 1], way=way) == (before,)


@pytest.mark.parametrize("name", ["royal", "unibet"])
def test_every_house_has_a_sheet(house: House, name: str) -> None:
    book = load(name)
    Game.objects.all().update(is_offered=False)
    with as_owner():
        Room.objects.update(currency=book.house.currency)
    RuleBookVersion.objects.create(
        room=house.cast.room, number=2, text=shipped_text(name), holds_from=house.at - timedelta(hours=1)
    )
    for entry in book.games:
        Game.objects.create(room=house.cast.room, name=entry.name, **game_fields(entry))

    page = text_of(Client().get("/posted/"))

    expected = {
        "royal": ["The rake is taken without a flop too.", "by all pots together, as below, at most 200 DKK a hand"],
        "unibet": ["5.5 % of all pots together, at least 0,01 €, at most 3 € a hand", "With 3 players or fewer:"],
    }[name]
    assert [sentence for sentence in expected if sentence not in page] == []
