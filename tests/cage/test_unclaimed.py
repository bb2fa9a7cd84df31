"""What somebody left behind: taken in by two, given to its owner with a document, kept by the house after its time."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino import clock
from casino.cage.errors import (
    CashShort,
    ClaimNeedsIdentity,
    KeptTooSoon,
    PropertyHeld,
    UnclaimedEnded,
    UnclaimedOfAnother,
)
from casino.cage.models import Unclaimed
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.selectors.identity import crossed
from casino.cage.services.unclaimed import take_in_found
from casino.errors import Malformed
from casino.ledger.errors import AlreadyPosted
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Player
from casino.people.services import erase_player
from casino.rooms.selectors import open_day
from tests.cage.counting import closes
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.finding import finds, gives, giving, keeps
from tests.cage.test_paying import buy
from tests.cast import TONIGHT, command
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def found(desk: CageDesk, **more: Any) -> Unclaimed:
    return finds(desk.carla, desk.cast.frans, **{"drawer_id": desk.drawer_id, **more})


def given(desk: CageDesk, item: Unclaimed) -> None:
    gives(desk.carla, desk.cast.frans, item, drawer_id=desk.drawer_id, player_id=desk.lee.pk)


def owed(desk: CageDesk) -> tuple[int, int]:
    figures = house_figures(desk.cast.room.pk)
    return figures["unclaimed"], figures["unclaimed_held"]


@pytest.mark.parametrize(
    ("what", "account", "lay"), [("chips", "chips", FLOAT_CHIPS - 500_00), ("cash", "cash", FLOAT_CASH + 500_00)]
)
def test_what_was_found_lies_in_the_drawer_and_is_owed_until_it_is_given(
    desk: CageDesk, what: str, account: str, lay: int
) -> None:
    buy(desk, 500_00)
    item = found(desk, what=what, player_id=desk.lee.pk, table_number=4, seat_number=3)
    assert (drawer_figures(desk.drawer_id)[what], owed(desk)) == (lay + 125_00, (125_00, -125_00))
    assert list(problems(desk.cast.room.pk)) == []
    with pytest.raises(ClaimNeedsIdentity):
        given(desk, item)
    desk.know(desk.lee)

    given(desk, item)

    assert (drawer_figures(desk.drawer_id)[what], owed(desk)) == (lay, (0, 0))
    with pytest.raises(UnclaimedEnded):
        given(desk, item)
    assert list(problems(desk.cast.room.pk)) == []


def test_cash_that_is_claimed_was_paid_to_whoever_claims_it_and_two_have_signed_it(desk: CageDesk) -> None:
    desk.know(desk.lee)
    day = open_day(desk.cast.room.pk)
    given(desk, found(desk, what="chips"))
    given(desk, found(desk, what="cash", amount_cents=1_900_00))
    given(desk, found(desk, what="cash", player_id=desk.lee.pk))
    found(desk, what="cash", player_id=desk.lee.pk)

    with CaptureQueriesContext(connection) as queries:
        today = crossed(desk.lee.pk, day)

    assert (today.paid_cents, today.paid_alone_cents, today.brought_cents) == (2_025_00, 0, 0)
    assert len(queries) == 1
    other = desk.cast.players["Kai"]
    assert crossed(other.pk, day).paid_cents == 0
    with as_owner():
        Player.objects.filter(pk=desk.lee.pk).update(merged_into=other, merged_at=TONIGHT)
    assert crossed(other.pk, day).paid_cents == 2_025_00


@pytest.mark.helsinki
def test_who_stands_at_the_till_is_told_what_lies_there_in_their_name(desk: CageDesk) -> None:
    carla, mari = at_desktop(desk.carla), at_desktop(desk.cast.mari)
    item, _nobodys = found(desk, player_id=desk.lee.pk), found(desk)

    def is_shown() -> list[bool]:
        pages = [(carla, f"/cage/players/{desk.lee.pk}/"), (mari, f"/people/players/{desk.lee.pk}/")]
        return ["125\xa0€ (chips)" in by.get(page).content.decode() for by, page in pages]

    assert is_shown() == [True, True]
    assert f"/cage/unclaimed/{item.pk}/" in carla.get(f"/cage/players/{desk.lee.pk}/").content.decode()
    of_lee = carla.get("/api/v1/cage/unclaimed", {"player_id": desk.lee.pk}).json()
    assert [each["id"] for each in of_lee] == [item.pk]
    assert len(carla.get("/api/v1/cage/unclaimed").json()) == 2
    desk.know(desk.lee)

    given(desk, item)

    assert is_shown() == [False, False]


def test_each_print_of_a_paper_that_stays_here_says_when_and_by_whom(desk: CageDesk) -> None:
    item, carla = found(desk), at_desktop(desk.carla)
    for at, printed in ((TONIGHT, "20:00:00"), (TONIGHT + timedelta(minutes=5), "20:05:00")):
        with clock.frozen(at):
            page = carla.get(f"/cage/unclaimed/{item.pk}/").content.decode()
        assert re.search(rf"{printed} by \W*Carla", page), printed
    # The paper that comes out has the moment of the tap, not that of the page.
    button = re.search(r"<button[^>]*data-print-answer[^>]*>", page)
    assert button is not None
    assert f'hx-get="/cage/unclaimed/{item.pk}/"' in button[0]


def test_two_sign_and_only_what_can_be_found_is_taken_in(desk: CageDesk) -> None:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "what": "chips", "amount_cents": 5_00, "where": "floor"}
    with pytest.raises(NeedsSecondSignature):
        take_in_found(command(desk.carla), **arguments, approved_by_id=desk.cast.frans.pk)
    for wrong in ({"what": "coat"}, {"where": "moon"}, {"amount_cents": 0}, {"found_at": TONIGHT + timedelta(hours=1)}):
        with pytest.raises(Malformed):
            found(desk, **wrong)
    assert not Unclaimed.objects.exists()


def test_what_is_held_by_name_is_given_to_nobody_else(desk: CageDesk) -> None:
    kai = desk.cast.players["Kai"]
    item = found(desk, player_id=kai.pk)
    desk.know(desk.lee)
    with pytest.raises(UnclaimedOfAnother):
        given(desk, item)

    kai.merged_into, kai.merged_at = desk.lee, TONIGHT
    kai.save(update_fields=["merged_into", "merged_at"])
    given(desk, item)

    assert Unclaimed.objects.get().claimed_by == desk.lee


def test_a_drawer_gives_no_cash_that_it_lacks(desk: CageDesk) -> None:
    item = found(desk, what="cash", amount_cents=FLOAT_CASH)
    desk.know(desk.lee)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_account SET balance_cents = 0 WHERE owner_kind = 'drawer' AND kind = 'cash'")
    with pytest.raises(CashShort):
        given(desk, item)


def test_the_house_keeps_it_after_the_books_time_by_two_managers(desk: CageDesk) -> None:
    item, mari, frans = found(desk), desk.cast.mari, desk.cast.frans
    frans.roles = ["manager"]
    frans.save(update_fields=["roles"])
    with pytest.raises(KeptTooSoon, match="365"):
        keeps(mari, frans, item, at=TONIGHT + timedelta(days=364))

    keeps(mari, frans, item, at=TONIGHT + timedelta(days=365))

    item.refresh_from_db()
    assert (item.ended_as, owed(desk)) == ("kept", (0, 0))
    assert list(problems(desk.cast.room.pk)) == []


def test_the_pages_say_whose_and_where(desk: CageDesk) -> None:
    item = found(desk, player_id=desk.lee.pk, table_number=4, seat_number=3)
    carla = at_desktop(desk.carla)
    assert "Lee" in carla.get("/cage/unclaimed/").content.decode()
    shown = carla.get(f"/cage/unclaimed/{item.pk}/", {"q": "lee"}).content.decode()
    assert "4/3" in shown
    assert f'value="{desk.lee.pk}"' in shown
    assert "The house keeps it" not in shown
    assert "20.11.2027" in at_desktop(desk.cast.mari).get(f"/cage/unclaimed/{item.pk}/").content.decode()


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_drawers_that_give_it_to_two_players_at_once_give_it_once(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk = committed_desk
    item = found(desk)
    # One player's own lock would keep them apart, and so would who signs twice.
    players = [desk.know(desk.cast.players[name]) for name in ("Lee", "Kai")]
    first, second = [
        giving(desk.carla, desk.cast.frans, item, drawer_id=drawer_id, player_id=player.pk)
        for drawer_id, player in zip(desk.drawers, players, strict=True)
    ]
    if not is_locked:
        without_lock(monkeypatch, Unclaimed)

    # The ledger has the last word.
    with pytest.raises(UnclaimedEnded if is_locked else AlreadyPosted):
        meet(first, second)

    assert Unclaimed.objects.get().claimed_by == players[0]
    assert list(problems(desk.cast.room.pk)) == []


def test_what_no_command_did_is_found(desk: CageDesk) -> None:
    found(desk)
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("UPDATE cage_unclaimed SET amount_cents = 100")

    assert {each.what for each in problems(desk.cast.room.pk)} == {"unclaimed", "event"}


def test_who_took_something_in_or_gave_it_out_never_counts_that_drawer(desk: CageDesk) -> None:
    buyer = desk.cast.mari
    finds(buyer, desk.cast.frans, drawer_id=desk.drawer_id)

    answer = closes(buyer, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS + 125_00)

    assert answer.data["counted_by_id"] == desk.cast.frans.pk


def test_nobody_is_erased_whose_property_the_cage_holds(desk: CageDesk) -> None:
    found(desk, player_id=desk.lee.pk)

    with pytest.raises(PropertyHeld):
        erase_player(command(desk.cast.mari), player_id=desk.lee.pk)
