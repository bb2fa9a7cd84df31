"""A page's tap and an API call are the same command: what either says is claimed before anything is looked at."""

import re
import uuid
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from casino.audit.models import Event
from casino.cage.models import Slip
from casino.people.models import Player
from casino.waiting.models import Waiting
from tables.api.bodies import BuyInBody
from tables.models import DisputedPot, Hand, Seating
from tables.services.disputes import set_pot_aside
from tables.services.seating import hold_seat, leave_seat, take_back_leaving
from tests.tables.conftest import House
from tests.tables.test_merging_players import Office
from tests.taps import at_desktop, tap

TABLE = "/floor/tables/1/"


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def seat_of(nickname: str) -> Seating:
    return Seating.objects.get(player__nickname=nickname, left_at=None)


def test_a_buy_in_that_is_tapped_again_after_the_player_left_gets_its_first_answer(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    lee, key = seat_of("Lee"), uuid.uuid4()
    path = f"{TABLE}seatings/{lee.pk}/buy-in/"
    tap(floor, path, id=key, amount="100", stack="20")
    tap(floor, f"{TABLE}seatings/{lee.pk}/leave/", stack="20")

    again = tap(floor, path, id=key, amount="100", stack="20")
    anew = tap(floor, path, amount="100", stack="20")

    assert (again.status_code, anew.status_code) == (200, 409)
    assert Slip.objects.count() == 1


def test_a_buy_in_that_is_tapped_again_after_the_player_changed_seats_gets_its_first_answer(
    house: House, floor: Client
) -> None:
    house.open(1, Lee=1, Kai=2)
    lee, key = seat_of("Lee"), uuid.uuid4()
    path = f"{TABLE}seatings/{lee.pk}/buy-in/"
    tap(floor, path, id=key, amount="100", stack="20")
    moved = tap(floor, f"{TABLE}seatings/{lee.pk}/change/", seat_number="5", version=seat_of("Lee").version)
    assert moved.status_code == 200

    again = tap(floor, path, id=key, amount="100", stack="20")

    assert again.status_code == 200
    assert Slip.objects.count() == 1


def test_a_buy_in_that_is_tapped_again_after_the_players_records_were_joined_gets_its_first_answer(
    house: House, floor: Client
) -> None:
    office = Office(house)
    house.open(1, Lee=1, Kai=2)
    tim, key = office.seat(office.tim, 3), uuid.uuid4()
    path = f"{TABLE}seatings/{tim.pk}/buy-in/"
    tap(floor, path, id=key, amount="100", stack="20")
    house.tap(leave_seat, table_id=tim.table_id, seating_id=tim.pk)
    office.merge()
    tim.refresh_from_db()
    assert tim.player == office.timo

    again = tap(floor, path, id=key, amount="100", stack="20")
    anew = tap(floor, path, amount="100", stack="20")

    assert (again.status_code, anew.status_code) == (200, 404)
    assert Slip.objects.count() == 1


def test_who_sits_again_after_their_records_were_joined_buys_chips(house: House, floor: Client) -> None:
    office = Office(house)
    house.open(1, Lee=1, Kai=2)
    tim = office.seat(office.tim, 3)
    house.tap(leave_seat, table_id=tim.table_id, seating_id=tim.pk)
    office.merge()
    tim.refresh_from_db()
    house.tap(take_back_leaving, table_id=tim.table_id, seating_id=tim.pk, version=tim.version)

    answer = tap(floor, f"{TABLE}seatings/{tim.pk}/buy-in/", amount="100", stack="20")

    assert answer.status_code == 200
    assert Slip.objects.get().player == office.timo


def test_money_that_is_tapped_again_for_a_slip_gets_its_first_answer(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    tap(floor, f"{TABLE}seatings/{seat_of('Lee').pk}/buy-in/", amount="100", stack="20")
    slip, key = Slip.objects.get(), uuid.uuid4()
    fields = {"slip_id": slip.pk, "version": slip.version, "drawer_id": house.drawer_id, "method": "cash"}

    first, again = (tap(at_desktop(house.cast.carla), "/cage/1/take/", id=key, **fields) for _ in range(2))

    assert (first.status_code, again.status_code) == (200, 200)
    assert Slip.objects.get().status == "paid"


FIVE = {"Lee": 1, "Kai": 2, "Timo": 3, "Mika": 4, "Pekka": 5}


def corrected(floor: Client, old: Hand, **fields: Any) -> Hand:
    """Correct a hand with what its sheet holds, and these fields changed."""
    sheet = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()
    found = {name: re.search(rf'name="{name}" value="([^"]*)"', sheet) for name in SENT}
    hidden: dict[str, Any] = {name: each[1] for name, each in found.items() if each}
    answer = tap(floor, f"{TABLE}hands/{old.pk}/correct/", **hidden, **fields)
    assert answer.status_code == 200, answer.content.decode()
    return Hand.objects.get(corrects=old)


SENT = ("hand_id", "beyond_initial_deal_at")


def test_a_correction_keeps_every_pot_that_its_sheet_shows(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(40_00, 30_00, 20_00, 10_00, winners=(1,))
    shown = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()

    pots = {"pot_0": "50", "winners_0": [2], "pot_1": "30", "winners_1": [1], "pot_2": "20", "winners_2": [3]}
    new = corrected(floor, old, **pots, pot_3="10", winners_3=[4, 5], reason="wrong_pot")

    assert all(f'name="pot_{index}"' in shown for index in range(5))
    assert 'name="pot_5"' not in shown
    assert [pot.cents for pot in new.pots.order_by("index")] == [50_00, 30_00, 20_00, 10_00]
    assert new.pots.get(index=3).winner_seats == [4, 5]


def test_a_correction_keeps_at_least(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(90_00, winners=(1,), pot_is_at_least=True)
    sheet = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()

    new = corrected(floor, old, pot_0="95", pot_is_at_least="on", winners_0=[1], reason="wrong_pot")

    assert 'name="pot_is_at_least" checked' in sheet
    assert (new.pot_cents, new.pot_is_at_least) == (95_00, True)


@pytest.mark.rule("H1.90")
def test_a_correction_keeps_a_flop_whose_pot_nobody_knows(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(winners=(1,), beyond_initial_deal_at=house.at)

    new = corrected(floor, old, pot_0="", winners_0=[2], reason="wrong_winner")

    assert (new.street, new.pot_cents, new.due("drop")) == ("beyond", None, old.due("drop"))
    assert new.beyond_initial_deal_at == old.beyond_initial_deal_at


def test_side_pots_without_a_main_pot_cannot_be_read(house: House, floor: Client) -> None:
    house.open(1, **FIVE)
    old = house.settle(40_00, winners=(1,))

    fields: dict[str, Any] = {
        "hand_id": uuid.uuid4(),
        "pot_0": "",
        "winners_0": [1],
        "pot_1": "20",
        "reason": "wrong_pot",
    }
    answer = tap(floor, f"{TABLE}hands/{old.pk}/correct/", **fields)

    assert answer.status_code == 400


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        pytest.param("seats/3/", {"chips": "200", "source": "cage"}, id="seat, buying at the cage"),
        pytest.param("seatings/{lee}/over/", {"chips": "200"}, id="play over"),
    ],
)
def test_one_tap_is_one_command_also_with_a_new_player(
    house: House, floor: Client, path: str, fields: dict[str, str]
) -> None:
    table, lee = house.open(1, Lee=1, Kai=2), seat_of("Lee")
    house.tap(hold_seat, table_id=table.pk, seating_id=lee.pk, is_held=True)
    known, key = Event.objects.latest("id").pk, uuid.uuid4()
    arguments = {"player_id": "new", "nickname": "Zed", "full_name": "Zdenek Zeman", **fields}

    answers = [tap(floor, TABLE + path.format(lee=lee.pk), id=key, **arguments) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 200]
    event = Event.objects.get(id__gt=known)
    zed = Player.objects.get(nickname="Zed")
    assert (event.command_id, zed.full_name, seat_of("Zed").player_id) == (key, "Zdenek Zeman", zed.pk)
    assert "Zed" not in event.text
    assert list(Slip.objects.values_list("amount_cents", "about__seating")) == (
        [(200_00, seat_of("Zed").pk)] if "source" in fields else []
    )


def test_a_new_player_joins_a_list_by_one_command(house: House, floor: Client) -> None:
    known = Event.objects.latest("id").pk

    answer = tap(floor, f"/floor/lists/{house.game().pk}/join/", player_id="new", nickname="Zed", is_call_in="1")

    assert answer.status_code == 200
    assert Event.objects.get(id__gt=known).name == "waiting.join_list"
    assert Waiting.objects.get().player.nickname == "Zed"


def test_a_new_player_by_a_name_that_is_taken_sits_nowhere(house: House, floor: Client) -> None:
    house.open(1)

    answer = tap(floor, f"{TABLE}seats/3/", player_id="new", nickname="Lee")

    assert (answer.status_code, "Lee" in answer.content.decode()) == (422, False)
    assert not Seating.objects.exists()


@pytest.mark.parametrize("path", ["open/", "slips/{slip}/cancel/", "seatings/{lee}/take-back/"])
def test_a_tap_that_decides_on_a_version_names_it(house: House, floor: Client, path: str) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = seat_of("Lee")
    tap(floor, f"{TABLE}seatings/{lee.pk}/buy-in/", amount="100", stack="20")
    known = Event.objects.latest("id").pk

    answer = tap(floor, TABLE + path.format(slip=Slip.objects.get().pk, lee=lee.pk), game_id=house.game().pk)

    # In words for who taps: a page from before forms had versions lies open longest where nobody reads headers.
    assert (answer.status_code, 'data-code="page_too_old"' in answer.content.decode()) == (428, True)
    assert not Event.objects.filter(id__gt=known).exists()


def test_a_table_closes_by_a_sheet_that_was_opened_before_something_else_was_tapped_there(
    house: House, floor: Client
) -> None:
    table = house.open(1)
    sheet = floor.get(f"{TABLE}close/sheet/").content.decode()
    tap(floor, f"{TABLE}deck/", colour="blue", set_number="2", why="fault")

    answer = tap(floor, f"{TABLE}close/")

    table.refresh_from_db()
    assert (answer.status_code, table.is_open, 'name="version"' in sheet) == (200, False, False)


def test_what_is_missing_is_named_as_the_screen_names_it(house: House, floor: Client) -> None:
    table, lee = house.open(1, Lee=1, Kai=2, Timo=3), seat_of("Lee")
    old = house.settle(86_00, winners=(1, 2))
    house.tap(set_pot_aside, house.cast.anna, table_id=table.pk)
    pot = DisputedPot.objects.get()
    correction = {"hand_id": uuid.uuid4(), "reason": "wrong_pot", "pot_0": "40"}

    for path, fields, code, says in (
        ("seats/4/", {"player_id": "new", "nickname": " "}, "malformed", "“Nickname”"),
        ("seats/4/", {}, "malformed", "“Player”"),
        (f"seatings/{lee.pk}/buy-in/", {"amount": "", "stack": "20"}, "malformed", "“Amount”"),
        (f"hands/{old.pk}/correct/", correction, "malformed", "“Winner”"),
        (f"pots/{pot.pk}/pay/", {}, "shares_differ", "82\xa0€ lie apart"),
    ):
        page = tap(floor, TABLE + path, **fields).content.decode()
        assert (f'data-code="{code}"' in page, says in page) == (True, True), page


def test_a_screen_that_was_left_open_still_asks_for_another_one() -> None:
    """Its script says "yes" where the page of today says "1"."""
    assert [BuyInBody.of_form(QueryDict(f"amount=50&again={value}"))["again"] for value in ("yes", "1", "")] == [
        True,
        True,
        False,
    ]
