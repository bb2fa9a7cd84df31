"""The floor's pages and taps over HTTP, as a browser sends them."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from casino.cage.models import Slip
from casino.floor.views import render_map
from casino.live.render import fragment
from casino.people.models import Player, Staff
from casino.reading import reading_once
from tables.models import BoxDifference, Hand, Seating, ToDo
from tables.services.corrections import undo_hand, void_settled_hand
from tables.services.hands import skip_hand
from tables.services.seating import leave_seat
from tables.views.floor import render_table
from tests.cast import enrolled
from tests.tables.conftest import House
from tests.taps import at_desktop, on_device, tap

pytestmark = pytest.mark.two_houses

TABLE = "/floor/tables/1/"


@pytest.fixture
def floor(house: House) -> Client:
    return at_desktop(house.cast.frans)


def seat_of(nickname: str) -> Seating:
    return Seating.objects.get(player__nickname=nickname, left_at=None)


@pytest.mark.parametrize("path", ["/floor/", TABLE, f"{TABLE}hands/", "/floor/dealers/"])
def test_the_floor_s_pages_are_the_floor_s(house: House, path: str) -> None:
    assert at_desktop(house.cast.frans).get(path).status_code == 200
    assert at_desktop(house.cast.mari).get(path).status_code == 200
    assert at_desktop(house.cast.anna).get(path).status_code == 403
    reads = 200 if path.endswith("hands/") else 403
    assert at_desktop(house.cast.olavi).get(path).status_code == reads
    assert at_desktop().get(path).status_code == 302


def test_who_audits_the_house_reads_hands_and_corrects_none(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    for pot in (40_00, 86_00):
        house.settle(pot, winners=(1,))
    first, second = Hand.objects.order_by("number")
    olavi, sheet = at_desktop(house.cast.olavi), f"{TABLE}hands/{first.pk}/sheet/"

    read, from_first = olavi.get(sheet).content.decode(), olavi.get(f"{TABLE}hands/?hand={first.pk}").content.decode()

    assert "Replace the hand" in floor.get(sheet).content.decode()
    assert "<form" not in read
    assert "Lee" in read
    assert f"hands/{first.pk}/sheet" in from_first
    assert f"hands/{second.pk}/sheet" not in from_first
    for does in ("correct", "void"):
        assert tap(olavi, f"{TABLE}hands/{first.pk}/{does}/", reason="pot_misread").status_code == 403


def test_a_table_that_is_not_there_is_not_found(floor: Client) -> None:
    assert floor.get("/floor/tables/77/").status_code == 404
    assert floor.get("/floor/tables/77/seats/1/sheet/").status_code == 404


def test_page_and_push_are_the_same_partial(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)

    for path, audience in (("/floor/", "floor"), (TABLE, "table.1.floor"), ("/lobby/", "lobby")):
        assert fragment(house.room_id, audience, "en").html in floor.get(path).content.decode()


def test_a_fragment_says_nothing_of_who_looks(house: House) -> None:
    house.open(1, Lee=1, Kai=2)

    for audience in ("floor", "table.1.floor", "lobby"):
        html = fragment(house.room_id, audience, "en").html
        assert "csrf" not in html.lower()
        assert "Frans" not in html


@pytest.mark.parametrize("tables", [1, 2])
def test_the_map_asks_the_same_number_of_queries_for_any_number_of_tables(
    house: House, django_assert_num_queries: object, tables: int
) -> None:
    for number in range(1, tables + 1):
        house.open(number)
    house.seat("Lee", 1)
    house.seat("Kai", 2)
    house.settle(40_00, taken={"rake": 1_00})

    with reading_once(), django_assert_num_queries(30):  # type: ignore[operator]  # pytest-django's fixture
        render_map(room_id=house.room_id)


def test_one_table_asks_the_same_number_of_queries_for_any_number_of_hands(
    house: House, django_assert_num_queries: object
) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    for _ in range(3):
        house.settle(40_00)

    with django_assert_num_queries(17):  # type: ignore[operator]  # pytest-django's fixture
        render_table(room_id=house.room_id, number=1)


def test_a_tap_opens_a_table_and_answers_with_the_fresh_map(house: House, floor: Client) -> None:
    sheet = floor.get(f"{TABLE}open/sheet/?on=floor").content.decode()
    assert f'name="game_id" value="{house.game().pk}"' in sheet

    answer = tap(floor, f"{TABLE}open/", game_id=house.game().pk, version=house.table().version, on="floor")

    assert answer.status_code == 200
    assert answer["HX-Trigger"] == "brush:done"
    assert "[data-audience='floor']" in answer.content.decode()
    assert house.table().is_open


def test_a_tap_on_an_older_table_is_refused_where_it_was(house: House, floor: Client) -> None:
    answer = tap(floor, f"{TABLE}open/", game_id=house.game().pk, version=99)

    assert answer.status_code == 409
    assert 'role="alert"' in answer.content.decode()
    assert not house.table().is_open


def test_a_player_is_seated_and_the_cage_is_asked_in_one_tap(house: House, floor: Client) -> None:
    house.open(1)

    answer = tap(floor, f"{TABLE}seats/3/", player_id=house.player("Lee").pk, chips="200", source="cage")

    assert answer.status_code == 200
    lee = seat_of("Lee")
    slip = Slip.objects.get()
    assert (lee.seat_number, lee.chips_in_cents) == (3, 0)
    assert (slip.amount_cents, slip.about["seating"], slip.status) == (200_00, lee.pk, "requested")


@pytest.mark.rule("H2.14")
def test_a_buy_in_that_the_game_refuses_seats_nobody(house: House, floor: Client) -> None:
    opened = house.open(1).opening
    assert opened is not None

    answer = tap(floor, f"{TABLE}seats/3/", player_id="new", nickname="Zed", chips="50", source="cage")

    assert answer.status_code == 422
    assert opened.book.clauses["buy_in_first"] in answer.content.decode()
    assert not Seating.objects.exists()
    assert not Player.objects.filter(nickname="Zed").exists()


def test_a_new_player_takes_two_fields_and_no_second_tap(house: House, floor: Client) -> None:
    house.open(1)
    key = uuid.uuid4()

    fields: dict[str, Any] = {"player_id": "new", "nickname": "Zed", "chips": "200", "source": "hands"}
    first = tap(floor, f"{TABLE}seats/3/", id=key, **fields)
    again = tap(floor, f"{TABLE}seats/3/", id=key, **fields)

    assert (first.status_code, again.status_code) == (200, 200)
    assert Player.objects.filter(nickname="Zed").count() == 1
    assert seat_of("Zed").chips_in_cents == 200_00


def test_typing_finds_players_and_leaves_out_who_sits_here(house: House, floor: Client) -> None:
    house.open(1, Lee=1)
    house.open(2, Kai=1)

    def found(text: str) -> str:
        return floor.get(f"{TABLE}players/", {"q": text}).content.decode()

    assert "Lee" not in found("")
    assert "at table 2" in found("kai")
    assert "Pekka" in found("PEK")
    assert 'value="Nobody Known"' in found("Nobody Known")


@pytest.mark.parametrize("seat", [1, 5])
def test_a_tap_on_a_seat_opens_what_can_be_done_there(house: House, floor: Client, seat: int) -> None:
    house.open(1, Lee=1)

    sheet = floor.get(f"{TABLE}seats/{seat}/sheet/").content.decode()

    assert ("Leaves with this stack" in sheet) == (seat == 1)
    assert ("Sit down in seat 5" in sheet) == (seat == 5)


def test_a_page_of_before_an_upgrade_asks_in_whole_words_before_a_player_leaves(house: House, floor: Client) -> None:
    """Its script fills in the stack alone; the one of now fills in the player too, whatever they are called."""
    house.open(1, Lee=1)

    sheet = floor.get(f"{TABLE}seats/1/sheet/").content.decode()

    assert 'data-confirm-with="Lee leaves seat 1 with %(stack)s?"' in sheet
    assert 'data-question="%(player)s leaves seat 1 with %(stack)s?"' in sheet


def test_entry_hold_chips_and_leaving(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    house.settle(20_00)
    mika = house.seat("Mika", 5)
    base = f"{TABLE}seatings/{mika.pk}/"

    tap(floor, f"{base}entry/", entry="posts", version=mika.version)
    tap(floor, f"{base}hold/", is_held="1")
    tap(floor, f"{base}chips/", amount="100", stack="120")
    tap(floor, f"{base}buy-in/", amount="100", stack_word="under_blind")

    mika.refresh_from_db()
    assert (mika.entry, mika.is_held, mika.chips_in_cents) == ("posts", True, 300_00)
    assert Slip.objects.get().about["stack"] == "under_blind"
    tap(floor, f"{TABLE}slips/{Slip.objects.get().pk}/cancel/", version=Slip.objects.get().version)
    assert Slip.objects.get().status == "cancelled"
    tap(floor, f"{base}leave/", stack="290,50")
    mika.refresh_from_db()
    assert mika.left_stack_cents == 290_50


@pytest.mark.helsinki
@pytest.mark.rule("H2.17")
def test_chips_are_brought_with_a_word_about_the_stack_where_a_limit_hangs_on_it(house: House, floor: Client) -> None:
    house.open(1, Lee=1)
    lee = seat_of("Lee")

    refused = tap(floor, f"{TABLE}seatings/{lee.pk}/chips/", amount="100")

    assert (refused.status_code, seat_of("Lee").chips_in_cents) == (422, 200_00)
    assert 'data-code="stack_needed"' in refused.content.decode()


def test_leaving_with_an_empty_field_is_a_mistake_and_uncounted_is_said(house: House, floor: Client) -> None:
    house.open(1, Lee=1)
    lee = seat_of("Lee")

    assert tap(floor, f"{TABLE}seatings/{lee.pk}/leave/", stack="").status_code == 400
    assert tap(floor, f"{TABLE}seatings/{lee.pk}/leave/", uncounted="1").status_code == 200
    assert tap(floor, f"{TABLE}seatings/{lee.pk}/count/", stack="0").status_code == 200

    lee.refresh_from_db()
    assert lee.left_stack_cents == 0


def test_a_wrong_count_is_corrected_and_a_leaving_taken_back(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    lee = seat_of("Lee")
    assert "Nobody has left yet" in floor.get(f"{TABLE}left/sheet/").content.decode()
    tap(floor, f"{TABLE}seatings/{lee.pk}/leave/", stack="900")
    lee.refresh_from_db()
    seen = lee.version

    listed = floor.get(f"{TABLE}left/sheet/?on=floor").content.decode()
    sheet = floor.get(f"{TABLE}left/{lee.pk}/sheet/").content.decode()
    corrected = tap(floor, f"{TABLE}seatings/{lee.pk}/count/", stack="90", version=seen)
    lee.refresh_from_db()

    assert f"{TABLE}left/{lee.pk}/sheet/?on=floor" in listed
    assert "Correct the count" in sheet
    assert "Take back the leaving" in sheet
    assert (corrected.status_code, lee.left_stack_cents) == (200, 90_00)
    assert tap(floor, f"{TABLE}seatings/{lee.pk}/take-back/", version=seen).status_code == 409
    assert tap(floor, f"{TABLE}seatings/{lee.pk}/take-back/", version=lee.version).status_code == 200
    assert seat_of("Lee").pk == lee.pk
    assert house.figures()["in_play"] == 400_00


def test_what_was_left_at_another_game_is_corrected_but_not_taken_back(house: House, floor: Client) -> None:
    house.open(1, Lee=1)
    lee = seat_of("Lee")
    tap(floor, f"{TABLE}seatings/{lee.pk}/leave/", stack="200")
    tap(floor, f"{TABLE}close/", version=house.table().version)

    sheet = floor.get(f"{TABLE}left/{lee.pk}/sheet/").content.decode()

    assert f"{TABLE}left/sheet/" in floor.get(TABLE).content.decode()
    assert "Correct the count" in sheet
    assert "Take back the leaving" not in sheet


def test_draw_button_tips_and_closing(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)

    tap(floor, f"{TABLE}draw/", winner_seat=2, seats=[1, 2])
    tap(floor, f"{TABLE}tips/", counted="12")
    opening = house.table().opening
    assert opening is not None
    assert opening.draw is not None
    assert opening.draw["winner"] == 2
    house.settle(20_00)
    tap(floor, f"{TABLE}button/", seat_number=1)
    assert house.table().opening.button_here == 1  # type: ignore[union-attr]  # the table is open
    assert house.figures()["tip_box"] == 12_00
    assert tap(floor, f"{TABLE}close/", version=house.table().version).status_code == 409
    for seating in Seating.objects.filter(left_at=None):
        house.tap(leave_seat, table_id=seating.table_id, seating_id=seating.pk, stack_cents=100_00)
    assert tap(floor, f"{TABLE}close/", version=house.table().version).status_code == 200


@pytest.mark.rule("H1.68", "L-O23")
def test_a_hand_is_corrected_with_side_pots_and_then_voided(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    old = house.settle(40_00, winners=(1,))
    assert "Replace the hand" in floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()

    answer = tap(
        floor,
        f"{TABLE}hands/{old.pk}/correct/",
        hand_id=uuid.uuid4(),
        reason="side_pots",
        pot_0="24",
        winners_0=[2],
        pot_1="16",
        winners_1=[1, 3],
        rake_taken="2",
        drop_taken="0",
    )

    assert answer.status_code == 200
    new = Hand.objects.get(corrects=old)
    assert list(new.pots.order_by("index").values_list("cents", "winner_seats")) == [(24_00, [2]), (16_00, [1, 3])]
    # What was replaced still says who had won.
    replaced = floor.get(f"{TABLE}hands/{old.pk}/sheet/").content.decode()
    assert ("Replace the hand" in replaced, re.search(r"1 .?Lee", replaced) is not None) == (False, True)
    assert tap(floor, f"{TABLE}hands/{new.pk}/void/", reason="gossip").status_code == 400
    assert tap(floor, f"{TABLE}hands/{new.pk}/void/", reason="void").status_code == 200
    assert BoxDifference.objects.get().cents == 2_00


def test_a_page_that_nobody_pushes_to_is_loaded_anew_after_a_tap(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    hand = house.settle(40_00)

    on_hands = tap(floor, f"{TABLE}hands/{hand.pk}/void/", reason="void", headers={"X-Shown-On": ""})

    assert (on_hands.headers["HX-Refresh"], on_hands.content) == ("true", b"")
    answer = tap(floor, f"{TABLE}close/", version=house.table().version, headers={"X-Shown-On": "table.1.floor"})
    assert "HX-Refresh" not in answer.headers


@pytest.mark.helsinki
def test_a_hand_corrected_to_no_flop_has_no_flop(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2, Timo=3)
    old = house.settle(40_00, winners=(1,))

    tap(
        floor,
        f"{TABLE}hands/{old.pk}/correct/",
        hand_id=uuid.uuid4(),
        reason="was_no_flop",
        pot_0="40",
        no_flop="on",
        winners_0=[1],
        rake_taken="2",
        drop_taken="0",
    )

    new = Hand.objects.get(corrects=old)
    assert (new.street, new.pot_cents, new.beyond_initial_deal_at) == ("initial", None, None)
    assert (new.due("rake"), new.taken("rake")) == (0, 2_00)


def test_a_correction_without_a_winner_cannot_be_read(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    old = house.settle(40_00)

    assert (
        tap(floor, f"{TABLE}hands/{old.pk}/correct/", hand_id=uuid.uuid4(), reason="wrong_pot", pot_0="30").status_code
        == 400
    )


def test_what_was_not_logged_is_supplied_from_its_line(house: House, floor: Client) -> None:
    table = house.open(1, Lee=1, Kai=2)
    hand = house.logged()
    house.tap(skip_hand, house.cast.anna, table_id=table.pk, hand=hand)
    row = Hand.objects.get(hand_id=hand.hand_id)
    todo = ToDo.objects.get()

    sheet = floor.get(reverse("floor_todo_sheet", args=[1, todo.pk])).content.decode()
    answer = tap(floor, f"{TABLE}hands/{row.pk}/supply/", rake_taken="3", drop_taken="0", pot="")

    assert "Supply the hand" in sheet
    assert answer.status_code == 200
    row.refresh_from_db()
    assert (row.status, row.taken("rake")) == ("settled", 3_00)
    # Its pot is nobody's knowledge still, and the hand can be looked at and corrected all the same.
    assert "Correct the hand" in floor.get(f"{TABLE}hands/{row.pk}/sheet/").content.decode()
    assert "seen to this already" in floor.get(reverse("floor_todo_sheet", args=[1, todo.pk])).content.decode()


def test_what_differs_is_judged(house: House, floor: Client) -> None:
    house.open(1, Lee=1, Kai=2)
    house.settle(40_00, taken={"rake": 3_00})
    todo = ToDo.objects.get()

    sheet = floor.get(f"{TABLE}todo/{todo.pk}/sheet/").content.decode()
    answer = tap(floor, f"{TABLE}todo/{todo.pk}/judge/", on="floor")

    assert "Seen, it stays as it is" in sheet
    assert answer.status_code == 200
    todo.refresh_from_db()
    assert todo.done_by_id == house.cast.frans.pk


def test_the_floor_lifts_a_lock_in_one_tap(house: House, floor: Client) -> None:
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)
    address = reverse("people_unlock", args=[house.cast.dan.pk])
    assert address in floor.get("/floor/").content.decode()

    answer = tap(floor, address, on="floor")
    assert answer.status_code == 200
    assert address not in answer.content.decode()
    assert 'data-audience="floor"' in answer.content.decode()

    house.cast.dan.refresh_from_db()
    assert house.cast.dan.locked_at is None


def test_taps_are_the_floor_s_too(house: House) -> None:
    house.open(1, Lee=1)
    lee = seat_of("Lee")

    answer = tap(at_desktop(house.cast.anna), f"{TABLE}seatings/{lee.pk}/leave/", stack="100")

    assert answer.status_code == 403
    lee.refresh_from_db()
    assert lee.left_at is None


def test_hands_come_a_page_at_a_time(house: House, floor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tables.views.floor.HANDS_ON_A_PAGE", 2)
    house.open(1, Lee=1, Kai=2)
    first = house.settle(20_00)
    house.settle(40_00)
    house.settle(60_00)

    page = floor.get(f"{TABLE}hands/").content.decode()

    assert "Earlier hands" in page
    assert f"hands/{first.pk}/sheet/" not in page
    before = Hand.objects.order_by("-id")[1].pk
    assert f"hands/{first.pk}/sheet/" in floor.get(f"{TABLE}hands/?before={before}").content.decode()


def test_the_dealers_page_says_nothing_of_how_their_logs_look(house: House, floor: Client) -> None:
    table = house.open(1, Lee=1, Kai=2)
    house.settle()
    undone = house.settle(20_00)
    house.tap(undo_hand, house.cast.anna, table_id=table.pk, hand_id=undone.hand_id)
    house.tap(void_settled_hand, table_id=table.pk, hand_row_id=house.settle(20_00).pk, reason="void")

    for client in (floor, at_desktop(house.cast.mari)):
        page = client.get("/floor/dealers/").content.decode()
        assert "/floor/tables/1/push/" in page
        assert [word for word in ("No flop", "Undone", "Void", "Not logged", "differs") if word in page] == []


def test_the_floor_s_tablet_opens_the_floor(house: House) -> None:
    device = enrolled(house.cast.room, "floor")
    device.signed_in, device.signed_in_at = house.cast.frans, house.at
    device.sign_in_id = uuid.uuid4()
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])

    assert on_device("token-floor-1").get("/floor/").status_code == 200
