"""The cage's pages over HTTP: the question before money moves, the slip after it, blind counts."""

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from casino.cage import services
from casino.cage.models import Drawer, DrawerSession, Slip
from casino.cage.services import open_day
from casino.ledger.templatetags.money import difference, money
from casino.live.audiences import all_audiences
from casino.people.models import Player
from tests.cage.counting import closes, in_form
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.test_paying import buy
from tests.cast import command, demo_person, enrolled, make_cast
from tests.taps import at_desktop, on_device, tap

pytestmark = pytest.mark.two_houses


@pytest.fixture
def carla(desk: CageDesk) -> Client:
    return at_desktop(desk.carla)


@pytest.fixture
def mari(desk: CageDesk) -> Client:
    return at_desktop(desk.cast.mari)


def text(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined, no-any-return]


def test_the_cage_leads_to_its_only_window(desk: CageDesk, carla: Client) -> None:
    assert carla.get("/cage/").headers["Location"] == "/cage/1/"


def test_a_window_leads_to_its_own_drawer_wherever_it_looks(desk: CageDesk) -> None:
    services.add_drawer(command(desk.cast.mari), number=2, name="Cage 2")
    device = enrolled(desk.cast.room, "cage", 2)
    device.signed_in, device.signed_in_at, device.sign_in_id = desk.carla, device.enrolled_at, uuid.uuid4()
    device.save(update_fields=["signed_in", "signed_in_at", "sign_in_id"])
    client = on_device("token-cage-2")

    assert client.get("/cage/").headers["Location"] == "/cage/2/"
    assert client.get("/cage/1/").headers["Location"] == "/cage/"


def test_the_question_moves_nothing_and_says_what_will_move(desk: CageDesk, carla: Client) -> None:
    answer = carla.get(
        "/cage/1/check/", {"kind": "buy_in", "amount": "236", "method": "cash", "player_id": str(desk.lee.pk)}
    )

    page = text(answer)
    assert "Take in cash" in page
    assert "236" in page
    assert not Slip.objects.exists()


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"kind": "buy_in", "amount": "", "method": "cash"}, "cannot be read"),
        ({"kind": "buy_in", "amount": "-5", "method": "cash"}, "cannot be read"),
        ({"kind": "buy_in", "amount": "5", "method": "iou"}, "cannot be read"),
        ({"kind": "loan", "amount": "5", "method": "cash"}, "cannot be read"),
        ({"kind": "deposit", "amount": "5", "method": "cash"}, "Choose the player first"),
        ({"kind": "buy_in", "amount": "5", "method": "cash", "q": "Le"}, "Choose the player first"),
        ({"kind": "buy_in", "amount": "5", "method": "cash", "player_id": "0"}, "cannot be read"),
        ({"kind": "buy_in", "amount": "5", "method": "cash", "player_id": "999999999"}, "does not exist here"),
        ({"slip_id": "999999999", "method": "cash"}, "does not exist here"),
    ],
)
def test_what_cannot_be_asked_is_said_at_the_till(
    desk: CageDesk, carla: Client, form: dict[str, str], says: str
) -> None:
    answer = carla.get("/cage/1/check/", form)

    assert answer.status_code == 200
    assert says in text(answer)
    assert "hx-post" not in text(answer)


@pytest.mark.parametrize("amount", ["", "-5", "12,345", "150 000 000", "9" * 11, "9" * 14])
def test_the_question_refuses_what_the_tap_refuses_and_says_the_same(
    desk: CageDesk, carla: Client, amount: str
) -> None:
    form: dict[str, Any] = {"kind": "buy_in", "amount": amount, "method": "cash"}

    page = text(carla.get("/cage/1/check/", form))
    tapped = text(tap(carla, "/cage/1/buy-in/", **form))

    (sentence,) = re.findall(r'<p class="refusal-sentence">(.*?)</p>', tapped)
    assert sentence in page


def test_a_buy_in_answers_with_the_slip_and_the_fresh_window(desk: CageDesk, carla: Client) -> None:
    answer = tap(
        carla, "/cage/1/buy-in/", kind="buy_in", amount="200", method="cash",
        player_id=desk.lee.pk, drawer_id=desk.drawer_id,
    )  # fmt: skip

    page = text(answer)
    assert answer.headers["HX-Trigger"] == "brush:done"
    assert "1–00001" in page
    assert "Hand over chips" in page
    assert "data-audience='cage.1'" in page
    assert "data:image/svg+xml" in page


@pytest.mark.parametrize(
    ("path", "kind", "method"), [("cash-out", "cash_out", "deposit"), ("deposit", "deposit", "card")]
)
def test_every_movement_has_its_tap(desk: CageDesk, carla: Client, path: str, kind: str, method: str) -> None:
    buy(desk, 500_00)

    answer = tap(
        carla, f"/cage/1/{path}/", kind=kind, amount="100", method=method,
        player_id=desk.lee.pk, drawer_id=desk.drawer_id,
    )  # fmt: skip

    assert answer.status_code == 200
    assert Slip.objects.filter(kind=kind, status="paid").exists()


def test_a_withdrawal_over_the_deposit_is_refused_where_the_tap_was(desk: CageDesk, carla: Client) -> None:
    answer = tap(
        carla, "/cage/1/withdraw/", kind="withdrawal", amount="100", method="cash",
        player_id=desk.lee.pk, drawer_id=desk.drawer_id,
    )  # fmt: skip

    assert answer.status_code == 422
    assert 'data-code="promise_too_small"' in text(answer)


def test_a_waiting_slip_is_paid_at_its_own_amount_whatever_the_form_says(desk: CageDesk, carla: Client) -> None:
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)

    answer = tap(
        carla, "/cage/1/take/", slip_id=request.data["slip_id"], version=1, method="card",
        amount="1", kind="deposit", drawer_id=desk.drawer_id,
    )  # fmt: skip

    assert answer.status_code == 200
    assert (Slip.objects.get().amount_cents, Slip.objects.get().kind) == (200_00, "buy_in")


def test_how_many_wait_is_said_where_not_all_are_seen_at_once(desk: CageDesk, carla: Client) -> None:
    for cents in (100_00, 200_00, 300_00):
        services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=cents)
    assert "waiting-count" not in text(carla.get("/cage/1/"))

    services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=400_00)

    assert '<li class="waiting-count num">4 wait</li>' in text(carla.get("/cage/1/"))


def test_a_request_is_cancelled_with_the_version_it_was_seen_at(desk: CageDesk, carla: Client) -> None:
    request = services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=200_00)
    path = f"/cage/slips/{request.data['slip_id']}/cancel/"

    assert tap(carla, path, version=7).status_code == 409
    assert tap(carla, path, version=1).status_code == 200
    assert Slip.objects.get().status == "cancelled"


def test_a_slip_prints_with_its_number_then_as_a_copy_then_void(desk: CageDesk, carla: Client) -> None:
    slip = buy(desk, player_id=desk.lee.pk)
    page = f"/cage/slips/{slip.pk}/"
    assert "COPY" not in text(carla.get(page))

    printed = [text(tap(carla, f"{page}printed/")) for _ in range(2)]
    assert ["COPY" in paper for paper in printed] == [False, True]
    assert "COPY" in text(carla.get(page))

    frans = demo_person("frans")
    answer = tap(carla, f"{page}reverse/", reason="wrong_amount", username="frans", pin=frans.pin, version=slip.version)
    assert answer.status_code == 200
    slip_text = text(carla.get(page))
    assert "VOID" in slip_text
    assert "1–00001" in slip_text
    assert "Carla, Frans" in slip_text


def test_a_reversal_with_a_wrong_pin_changes_nothing(desk: CageDesk, carla: Client) -> None:
    slip = buy(desk)

    arguments: dict[str, Any] = {"reason": "wrong_amount", "username": "frans", "pin": "0000", "version": slip.version}
    answer = tap(carla, f"/cage/slips/{slip.pk}/reverse/", **arguments)

    assert 'data-code="wrong_pin"' in text(answer)
    assert Slip.objects.get().status == "paid"


def test_the_counts_of_an_open_drawer_have_no_page(desk: CageDesk, carla: Client) -> None:
    # That its figures stand nowhere else either: `test_counts`.
    session = DrawerSession.objects.get()
    assert carla.get(f"/cage/sessions/{session.pk}/").status_code == 404


def test_after_the_count_counted_and_expected_stand_side_by_side(desk: CageDesk, carla: Client) -> None:
    buy(desk, 100_00)
    form: dict[str, Any] = in_form(5_090_00, 19_900_00)

    assert 'data-code="malformed"' in text(tap(carla, "/cage/1/close/", **form))
    answer = tap(carla, "/cage/1/close/", **form, username="frans", pin=demo_person("frans").pin)

    page = text(carla.get(answer.headers["HX-Redirect"]))
    assert difference(-10_00, desk.cast.room) in page
    assert money(5_100_00, desk.cast.room) in page
    assert "Count 1, by Frans" in page
    _the_auditor_reads_it_all(desk, answer.headers["HX-Redirect"])


def _the_auditor_reads_it_all(desk: CageDesk, counted: str) -> None:
    """Who audits the house reads what was paid and counted, by page and by program, and finds nothing to press."""
    olavi, slip = at_desktop(desk.cast.olavi), Slip.objects.get()
    assert difference(-10_00, desk.cast.room) in text(olavi.get(counted))
    assert "data-print" not in text(olavi.get(f"/cage/slips/{slip.pk}/"))
    day = text(olavi.get("/cage/day/"))
    assert f'href="{counted}"' in day
    assert "hx-post" not in day.partition("<main")[2]
    for path in (f"slips/{slip.pk}", "slips", "drawers", "drawers/1"):
        assert olavi.get(f"/api/v1/cage/{path}").status_code == 200, path
    for path in ("/cage/1/", "/cage/", f"/cage/slips/{slip.pk}/panel/"):
        assert olavi.get(path).status_code == 403, path
    for path in ("/cage/day/close/", "/cage/day/open/", f"/cage/slips/{slip.pk}/printed/"):
        assert tap(olavi, path).status_code == 403, path


def test_a_closed_drawer_asks_for_its_float(desk: CageDesk, carla: Client) -> None:
    closes(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    assert 'id="open-drawer"' in text(carla.get("/cage/1/"))

    version = Drawer.objects.get().version
    float_: dict[str, Any] = {"cash_50000": "2", "chips_50000": "10", "version": version}
    alone = tap(carla, "/cage/1/open/", **float_, username="carla", pin=demo_person("carla").pin)
    answer = tap(carla, "/cage/1/open/", **float_, username="frans", pin=demo_person("frans").pin)

    assert alone.status_code == 422
    assert answer.headers["HX-Redirect"] == "/cage/1/"
    assert 'id="till"' in text(carla.get("/cage/1/"))


def test_the_type_ahead_finds_offers_a_new_one_and_chooses(desk: CageDesk, carla: Client) -> None:
    page = text(carla.get("/cage/players/", {"q": "le"}))
    assert "Lee" in page
    assert "New player “le”" in page
    assert "New player" not in text(carla.get("/cage/players/", {"q": "LEE"}))
    assert text(carla.get("/cage/players/", {"q": " "})).strip() == ""

    answer = tap(carla, "/cage/players/new/", q="Leena")
    assert f'data-chosen="{Player.objects.get(nickname="Leena").pk}"' in text(answer)
    buy(desk, 120_00, player_id=desk.lee.pk)
    assert 'data-brought="12000"' in text(carla.get(f"/cage/players/{desk.lee.pk}/"))


def test_the_manager_opens_and_closes_the_day(desk: CageDesk, mari: Client, carla: Client) -> None:
    assert carla.get("/cage/day/").status_code == 403
    assert "drawer 1" in text(mari.get("/cage/day/"))

    refused = tap(mari, "/cage/day/close/")
    assert "for you had a part in it: drawer 1" in text(refused)

    tap(mari, "/cage/1/close/", **in_form(5_000_00, 20_000_00), username="frans", pin=demo_person("frans").pin)
    assert tap(mari, "/cage/day/close/").status_code == 200
    assert "No gaming day is open" in text(carla.get("/cage/1/"))
    assert "Open the day" in text(mari.get("/cage/day/"))


def test_the_manager_stocks_the_vault_and_adds_drawers(desk: CageDesk, mari: Client) -> None:
    arguments: dict[str, Any] = {"cash": "100", "chips": ""}
    assert "needs_second_signature" in tap(mari, "/cage/day/vault/", **arguments).content.decode()
    signed: dict[str, Any] = {"username": "frans", "pin": demo_person("frans").pin}
    assert tap(mari, "/cage/day/vault/", **arguments, **signed).status_code == 200
    assert 'name="pin"' in text(mari.get("/cage/day/"))
    assert money(45_100_00, desk.cast.room) in text(mari.get("/cage/day/"))

    assert tap(mari, "/cage/day/drawers/", number=2, name="Cage 2").status_code == 200
    assert "Cage 2" in text(mari.get("/cage/"))
    assert tap(mari, "/cage/day/drawers/", number=2, name="Twin").status_code == 400


def test_a_new_rooms_vault_is_stocked_by_its_one_manager_once(db: None) -> None:
    cast = make_cast(with_secrets=True)
    open_day(command(cast.mari))
    mari = at_desktop(cast.mari)
    assert "this first time nobody else signs" in text(mari.get("/cage/day/"))

    arguments: dict[str, Any] = {"cash": "100", "chips": "500"}
    codes = [tap(mari, "/cage/day/vault/", **arguments).status_code for _ in range(2)]

    assert codes == [200, 422]
    assert "this first time" not in text(mari.get("/cage/day/"))


@pytest.mark.parametrize(
    "page", ["/cage/slips/999999999/", "/cage/99/", "/cage/players/999999999/", "/cage/sessions/999999999/"]
)
def test_what_is_not_there_is_not_found(desk: CageDesk, carla: Client, page: str) -> None:
    assert carla.get(page).status_code == 404


def test_a_window_asks_few_queries_however_many_slips_it_shows(
    desk: CageDesk, carla: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(5):
        buy(desk, player_id=desk.lee.pk)
    services.request_buy_in(command(desk.cast.anna), player_id=desk.lee.pk, amount_cents=100_00)

    with django_assert_max_num_queries(30):
        carla.get("/cage/1/")


def test_the_cages_audiences_are_known(desk: CageDesk) -> None:
    assert {"cage", "drawer"} <= set(all_audiences())
