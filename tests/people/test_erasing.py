"""Who asks to be forgotten is: names, documents and texts go; the ledger and the log stay whole, and every page too."""

import json
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.cage.errors import DepositHeld, SlipStillWaits
from casino.cage.models import Slip
from casino.cage.services import buy_in, deposit, request_buy_in
from casino.errors import NotFound, NotPermitted, Refusal
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.money import format_count
from casino.people.erased import ERASED
from casino.people.errors import ExclusionHolds
from casino.people.models import Exclusion, IdentityCheck, KeptApart, Note, Player, PlayerPass
from casino.people.services import ban_player, check_identity, erase_player, keep_apart, open_inquiry, rename_player
from casino.people.tasks import forget
from casino.rooms.models import GamingDay
from casino.rooms.selectors import rule_book_in_force
from casino.waiting.errors import PlayerStillWaits
from casino.waiting.services.lists import join_list
from jackpot.errors_claims import ClaimStillOpen
from tables.errors_people import PlayerStillSits
from tables.models import Seating
from tables.services.incidents import write_incident
from tables.services.seating import leave_seat
from tests.jackpot.beats import Beats
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]

NAME, FULL, DOCUMENT, REMARK = "Zebulon", "Zebulon Virtanen", "XQ7788991", "shouted at the dealer"


def lee(house: House) -> Player:
    return Player.objects.get(pk=house.player("Lee").pk)


def erased(house: House) -> Player:
    house.tap(erase_player, house.cast.mari, player_id=house.player("Lee").pk)
    return lee(house)


def named(house: House) -> None:
    """Have Lee, as Zebulon, everywhere: a document, chips, a hand, a note, a pass, kept out once and kept apart."""
    player_id = house.player("Lee").pk
    house.tap(rename_player, house.cast.mari, player_id=player_id, nickname=NAME, full_name="")
    house.tap(
        check_identity, house.cast.carla, player_id=player_id, full_name=FULL, document="passport", number=DOCUMENT
    )
    PlayerPass.objects.create(
        room=house.cast.room, player_id=player_id, day=GamingDay.objects.get(), token_hash="a" * 64, code_hash="b" * 64,
        given_by_id=house.cast.frans.pk, given_at=house.at,
    )  # fmt: skip
    house.open(1, Kai=2)
    house.seat("Lee", 1)
    house.settle(86_00)
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 100_00, "method": "cash"}
    house.tap(buy_in, house.cast.carla, player_id=player_id, **arguments)
    house.tap(write_incident, kind="ruling", player_ids=[player_id], table_id=house.table_id(), text=REMARK)
    house.tap(keep_apart, player_ids=[player_id, house.player("Timo").pk], reason=REMARK)
    seating = Seating.objects.get(player_id=player_id, left_at=None)
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=10_00)
    Exclusion.objects.create(
        room=house.cast.room, player_id=player_id, kind="ban", began_at=house.at - timedelta(days=9),
        until=house.at - timedelta(days=1), reason=REMARK, made_by_id=house.cast.frans.pk,
    )  # fmt: skip


def test_what_tells_who_somebody_is_goes_and_what_they_did_stays(house: House) -> None:
    named(house)
    slips, events = Slip.objects.count(), Event.objects.count()
    player = erased(house)

    stored = Player.objects.extra(select={"stored": "nickname"}).values_list("stored", "full_name", "erased_at")
    assert stored.get(pk=player.pk) == ("", "", house.at)
    check = IdentityCheck.objects.get(player=player)
    assert (check.number, check.full_name, check.document) == (DOCUMENT, FULL, "passport")
    assert Note.objects.filter(about__contains=[player.pk]).values_list("text", "erased_at").get() == ("", house.at)
    assert Exclusion.objects.get(player=player).reason == ""
    apart = KeptApart.objects.get()
    assert (apart.reason, apart.ended_at) == ("", house.at)
    assert PlayerPass.objects.get().revoked_at == house.at
    assert (Slip.objects.count(), Event.objects.count()) == (slips, events + 1)
    assert list(problems(house.cast.room.pk)) == []
    assert list(breaks(house.cast.room.pk)) == []
    logged = json.loads(Event.objects.latest("id").text)
    assert (logged["args"], logged["data"]) == (
        {"player_id": player.pk},
        {"player_id": player.pk, "records": 1, "identity_kept": True},
    )


@pytest.mark.slow
def test_what_was_seen_of_a_document_outlives_the_wish_for_its_time_and_no_longer(house: House) -> None:
    named(house)
    days = rule_book_in_force(house.cast.room.pk, at=house.at)[1].peoples_data.document_wish_days
    player = erased(house)
    page = at_desktop(house.cast.mari).get(f"/people/players/{house.player('Kai').pk}/").content.decode()
    assert f"stay for {format_count(days, locale=house.cast.room.locale)} days" in page
    for address in (f"/people/players/{player.pk}/", f"/cage/players/{player.pk}/"):
        assert DOCUMENT not in at_desktop(house.cast.mari).get(address).content.decode()

    def left(more: int) -> tuple[str, str]:
        with clock.frozen(house.at + timedelta(days=days + more)):
            forget()
        check = IdentityCheck.objects.get(player=player)
        return check.number, check.full_name

    assert left(-1) == (DOCUMENT, FULL)
    assert left(2) == (ERASED, "")


def test_where_that_time_is_over_the_document_goes_with_the_wish(house: House) -> None:
    named(house)
    days = rule_book_in_force(house.cast.room.pk, at=house.at)[1].peoples_data.document_wish_days
    house.at += timedelta(days=days + 2)

    answer = house.tap(erase_player, house.cast.mari, player_id=house.player("Lee").pk)

    assert answer.data["identity_kept"] is False
    assert IdentityCheck.objects.get().number == ERASED


@pytest.mark.slow
def test_no_page_and_no_call_breaks_or_names_who_was_erased(house: House) -> None:
    named(house)
    slip = Slip.objects.latest("id").pk
    pages = [
        "/log/", f"/log/?person=player-{house.player('Lee').pk}", "/reports/", "/reports/day.csv", "/floor/",
        "/floor/tables/1/", "/floor/tables/1/hands/", "/floor/incidents/", "/floor/dealers/", f"/cage/slips/{slip}/",
        "/cage/1/", "/cage/day/", "/people/players/", "/people/players/?q=e", "/ledger/", "/lobby/", "/floor/paper/",
        "/api/v1/reports/day", "/api/v1/people/players", "/api/v1/cage/slips", "/api/v1/audit/events",
        f"/people/players/{house.player('Timo').pk}/",
    ]  # fmt: skip
    client = at_desktop(house.cast.mari)
    client.cookies["django_language"] = "en"
    with clock.frozen(house.at):
        before = {page: client.get(page) for page in pages}
    erased(house)
    with clock.frozen(house.at):
        after = {page: client.get(page) for page in pages}
        gone = client.get(f"/people/players/{house.player('Lee').pk}/")

    shown = {page: answer.content.decode() for page, answer in after.items()}
    assert {answer.status_code for answer in (*before.values(), *after.values())} == {200}
    assert [
        page for page, text in shown.items() if NAME in text or FULL in text or DOCUMENT in text or REMARK in text
    ] == []
    assert gone.status_code == 404
    naming = [page for page, text in shown.items() if "erased guest" in text]
    assert {"/log/", "/reports/", "/reports/day.csv", f"/cage/slips/{slip}/", "/api/v1/reports/day"} <= set(naming)


def test_a_tablet_names_who_won_its_newest_hand_and_was_erased_since(house: House) -> None:
    named(house)
    erased(house)

    with clock.frozen(house.at):
        assert "poistettu vieras" in fragment(house.room_id, "table.1.dealer", "fi").html


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "words"), [("en", "erased guest"), ("fi", "poistettu vieras"), ("sv", "raderad gäst")]
)
def test_a_page_says_so_in_the_language_of_who_reads(house: House, language: str, words: str) -> None:
    named(house)
    erased(house)
    client = at_desktop(house.cast.mari)
    client.cookies["django_language"] = language
    with clock.frozen(house.at):
        page = client.get(f"/cage/slips/{Slip.objects.latest('id').pk}/", headers={"Accept-Language": language})

    assert words in page.content.decode()


def _excluded(house: House) -> None:
    house.tap(ban_player, player_id=house.player("Lee").pk)


def _deposits(house: House) -> None:
    house.tap(
        check_identity,
        house.cast.carla,
        player_id=house.player("Lee").pk,
        full_name=FULL,
        document="passport",
        number="X1",
    )
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": 30_00}
    house.tap(deposit, house.cast.carla, player_id=house.player("Lee").pk, **arguments)


def _claims(house: House) -> None:
    beats = Beats(house)
    beats.open()
    beats.called()
    seating = Seating.objects.get(player=house.player("Lee"), left_at=None)
    house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=0)


HELD: list[tuple[Callable[[House], Any], type[Refusal]]] = [
    (_excluded, ExclusionHolds),
    (lambda house: house.open(1, Lee=1, Kai=2), PlayerStillSits),
    (lambda house: house.tap(join_list, game_id=house.game().pk, player_id=house.player("Lee").pk), PlayerStillWaits),
    (_deposits, DepositHeld),
    (
        lambda house: house.tap(request_buy_in, player_id=house.player("Lee").pk, amount_cents=50_00),
        SlipStillWaits,
    ),
    (_claims, ClaimStillOpen),
]


@pytest.mark.parametrize(("holds", "refusal"), HELD, ids=[refusal.code for _holds, refusal in HELD])
def test_who_is_held_is_not_erased_and_it_is_said_by_what(house: House, holds, refusal) -> None:
    holds(house)
    client = at_desktop(house.cast.mari)
    with clock.frozen(house.at):
        page = tap(client, f"/people/players/{house.player('Lee').pk}/erase/")
    house.at += timedelta(seconds=1)

    assert page.status_code == refusal.status
    assert str(refusal.sentence).partition("%")[0][:24] in page.content.decode()
    with pytest.raises(refusal):
        house.tap(erase_player, house.cast.mari, player_id=house.player("Lee").pk)
    assert (lee(house).nickname, lee(house).erased_at) == ("Lee", None)


def test_an_erasing_that_is_sent_again_has_its_first_answer(house: House) -> None:
    client, key, page = at_desktop(house.cast.mari), uuid.uuid4(), f"/people/players/{house.player('Mika').pk}/erase/"
    with clock.frozen(house.at):
        first, again = tap(client, page, id=key), tap(client, page, id=key)

    assert (first.status_code, again.status_code) == (200, 200)
    assert Event.objects.filter(name="people.erase_player").count() == 1


def test_records_that_were_merged_go_too_and_a_name_is_free_again(house: House) -> None:
    kept, gone = house.player("Lee"), house.player("Kai")
    Player.objects.filter(pk=gone.pk).update(merged_into=kept, merged_at=house.at)
    erased(house)
    house.tap(rename_player, house.cast.mari, player_id=house.player("Timo").pk, nickname="Lee")

    assert set(Player.objects.filter(erased_at__isnull=False).values_list("id", flat=True)) == {kept.pk, gone.pk}
    assert Player.objects.get(nickname="Lee").pk == house.player("Timo").pk
    with pytest.raises(NotFound):
        house.tap(erase_player, house.cast.mari, player_id=kept.pk)


def test_what_speaks_of_somebody_under_inquiry_too_stays_meanwhile(house: House) -> None:
    named(house)
    lee_id, timo, kai, aino = (house.player(name).pk for name in ("Lee", "Timo", "Kai", "Aino"))
    for other in (kai, aino):
        arguments: dict[str, Any] = {"kind": "warning", "player_ids": [lee_id, other], "table_id": house.table_id()}
        house.tap(write_incident, **arguments, text=REMARK)
    # A note speaks of a record that was merged into the one that the inquiry is about.
    Player.objects.filter(pk=aino).update(merged_into=timo, merged_at=house.at)
    house.tap(open_inquiry, house.cast.mari, player_id=timo)
    erased(house)

    notes = {tuple(sorted(set(about) - {lee_id})): text for about, text in Note.objects.values_list("about", "text")}
    assert notes == {(): "", (kai,): "", (aino,): REMARK}
    pair = KeptApart.objects.get()
    assert (pair.reason, pair.ended_at) == (REMARK, house.at)


def test_only_a_manager_erases_and_nobody_writes_over_a_check_otherwise(house: House) -> None:
    named(house)
    with pytest.raises(NotPermitted):
        house.tap(erase_player, house.cast.frans, player_id=house.player("Lee").pk)
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        IdentityCheck.objects.update(checked_by_id=1)
    # Not even who owns the database, by mistake.
    with as_owner():
        _tried()


def _tried() -> None:
    for change in ({"number": "Y2"}, {"number": ERASED, "document": "driving_licence"}, {"checked_by_id": 1}):
        with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
            IdentityCheck.objects.update(**change)

    with pytest.raises(DatabaseError, match="Cannot delete"), transaction.atomic():
        IdentityCheck.objects.all().delete()
