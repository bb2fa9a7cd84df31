"""A runner's bank: given to its runner by two, sold from at the tables, and counted by others than its runner."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from casino.cage import day_counts, open_items, services
from casino.cage.about import AtSeat
from casino.cage.api.banks import sell_by_two
from casino.cage.errors import (
    DrawerClosed,
    DrawerOpen,
    IdentityNeeded,
    IdentityNeededUnseen,
    SlipNotWaiting,
)
from casino.cage.errors_banks import (
    BankCountedSince,
    BankSellsToSeats,
    BankWithoutHolder,
    HoldsABank,
    HoldsNoBank,
    MoneyIsElsewhere,
    NotABank,
    OwnBank,
)
from casino.cage.exception_kinds import SHORT, read
from casino.cage.models import Doubt, DrawerCount, DrawerSession, Slip
from casino.cage.selectors.carriers import carriers
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.selectors.fills import fills_under_way
from casino.cage.selectors.of_day import drawers_of
from casino.errors import NotPermitted, Refusal
from casino.ledger.models import Transfer
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.people.errors import NeedsSecondSignature
from casino.people.exception_report import Span
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from tests.cage.banking import NUMBER, adds_bank, gives_bank
from tests.cage.carrying_over import also
from tests.cage.counting import CHIPS, closes, opens, pieces, recounts
from tests.cage.desk import identity_from
from tests.cage.filling import Filling
from tests.cast import actor, command, demo_person, enrolled
from tests.support.owner import as_owner
from tests.tables.conftest import House, house
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

__all__ = ["house"]


def asks(house: House) -> int:
    """Have Mika at table 1 ask for chips, 200 € of them."""
    if not house.table().opening_id:
        house.open(1)
        house.seat("Mika", 5, chips=0)
    mika = house.table().seating_set.get(left_at=None, seat_number=5)
    seat = AtSeat(table=mika.table_id, table_number=1, seating=mika.pk, seat_number=5)
    request = house.tap(services.request_buy_in, player_id=mika.player_id, amount_cents=200_00, seat=seat, again=True)
    return int(request.data["slip_id"])


def given(house: House, runner: Staff | None = None, *, number: int = NUMBER, chips: int = 5_000_00) -> int:
    """Return a bank that a runner holds, Dan unless somebody else is named."""
    house.at += timedelta(seconds=1)
    bank_id = adds_bank(house.cast, number=number, at=house.at)
    gives_bank(house.cast.carla, runner or house.cast.dan, bank_id, 0, chips, at=house.at)
    return bank_id


def lies(bank_id: int) -> tuple[int, int]:
    figures = drawer_figures(bank_id)
    return figures.get("cash", 0), figures.get("chips", 0)


def proved(house: House) -> list[str]:
    return [each.detail for each in problems(house.room_id)]


def test_its_runner_counts_the_float_and_answers_for_it(house: House) -> None:
    bank_id = given(house)

    session = DrawerSession.objects.get(drawer=bank_id)
    assert (session.holder_id, session.opened_by_id, session.opened_with_id) == (
        house.cast.dan.pk, house.cast.carla.pk, house.cast.dan.pk,
    )  # fmt: skip
    assert lies(bank_id) == (0, 5_000_00)
    assert proved(house) == []


def test_a_seat_gets_its_chips_out_of_it_by_one_pin_at_the_table(house: House) -> None:
    bank_id = given(house)
    slip_id = asks(house)
    anna = actor(house.cast.anna, device=enrolled(house.cast.room, "table", 1))
    dan = {"username": "dan", "pin": demo_person("dan").pin}

    answer = sell_by_two(command(anna, at=house.at), slip_id=slip_id, version=1, second=dan)

    slip = Slip.objects.get(pk=slip_id)
    assert (slip.status, slip.method, slip.number, slip.drawer_id) == ("paid", "cash", 1, bank_id)
    assert (slip.paid_by_id, answer.data["holder_id"]) == (house.cast.dan.pk, house.cast.dan.pk)
    assert lies(bank_id) == (200_00, 4_800_00)
    assert house.figures()["in_play"] == 200_00
    transfer = Transfer.objects.get(pk=slip.transfer_id or 0)
    assert (transfer.made_by_id, transfer.approved_by_id) == (house.cast.anna.pk, house.cast.dan.pk)
    assert proved(house) == []


def test_who_holds_it_sells_by_one_tap_with_what_they_carry(house: House) -> None:
    bank_id = given(house)
    slip_id = asks(house)
    house.tap(services.note_money, house.cast.dan, slip_id=slip_id, money_with="runner")

    with CaptureQueriesContext(connection) as queries:
        house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id, version=1)

    assert Slip.objects.get(pk=slip_id).money.is_held is False
    assert lies(bank_id) == (200_00, 4_800_00)
    assert len([each for each in queries if "cage_" in each["sql"]]) == 10


def test_it_sells_to_seats_alone_and_by_its_runner_alone(house: House) -> None:
    bank_id = given(house)
    cast, slip_id = house.cast, asks(house)
    counter = house.tap(services.request_buy_in, player_id=house.player("Riku").pk, amount_cents=50_00)
    sale: dict[str, Any] = {"slip_id": slip_id}
    elsewhere = actor(cast.dan, device=enrolled(cast.room, "table", 2))
    window = actor(cast.dan, device=enrolled(cast.room, "cage", 1))
    at_bank: dict[str, Any] = {"drawer_id": bank_id, "amount_cents": 50_00, "method": "cash"}
    refused: list[tuple[type[Refusal], Any]] = [
        (HoldsNoBank, lambda: house.tap(services.sell_from_bank, cast.anna, **sale)),
        (NeedsSecondSignature, lambda: house.tap(services.sell_from_bank, approved_by_id=cast.dan.pk, **sale)),
        (BankSellsToSeats, lambda: house.tap(services.sell_from_bank, cast.dan, slip_id=counter.data["slip_id"])),
        (NotPermitted, lambda: services.sell_from_bank(command(elsewhere, at=house.at), **sale)),
        (NotPermitted, lambda: services.sell_from_bank(command(window, at=house.at), **sale)),
        # What else a cashier does with a drawer.
        (BankSellsToSeats, lambda: house.tap(services.buy_in, cast.carla, **at_bank)),
        (BankSellsToSeats, lambda: house.tap(services.cash_out, cast.carla, **at_bank)),
        (
            BankSellsToSeats,
            lambda: house.tap(services.take_money, cast.carla, drawer_id=bank_id, method="cash", **sale),
        ),
    ]

    for refusal, work in refused:
        with pytest.raises(refusal):
            work()

    assert lies(bank_id) == (0, 5_000_00)
    assert Slip.objects.get(pk=slip_id).status == "requested"


def test_what_holds_at_the_cage_holds_at_the_table_and_no_sum_is_read_there(house: House) -> None:
    given(house)
    slip_id = asks(house)
    mika = {
        "player_id": house.player("Mika").pk,
        "amount_cents": identity_from(house.room_id) - 100_00,
        "method": "cash",
    }
    house.tap(services.buy_in, house.cast.carla, drawer_id=house.drawer_id, **mika)

    with pytest.raises(IdentityNeededUnseen):
        house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id)
    # At the cage it is said by how much.
    with pytest.raises(IdentityNeeded, match="With this it is"):
        house.tap(
            services.take_money, house.cast.carla, slip_id=slip_id, drawer_id=house.drawer_id, method="cash", version=1
        )


@pytest.mark.parametrize("holder", ["cage", "another"])
def test_money_that_the_cage_or_another_runner_has_is_in_no_bank(house: House, holder: str) -> None:
    given(house)
    slip_id = asks(house)
    by, money_with = {"cage": (house.cast.carla, "cage"), "another": (house.cast.anna, "runner")}[holder]
    house.tap(services.note_money, by, slip_id=slip_id, money_with=money_with)

    with pytest.raises(MoneyIsElsewhere):
        house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id)


def test_one_runner_holds_one_bank_and_one_bank_has_one_runner(house: House) -> None:
    bank_id = given(house)
    second_id = adds_bank(house.cast, number=12, at=house.at)
    with pytest.raises(HoldsABank):
        gives_bank(house.cast.carla, house.cast.dan, second_id, at=house.at)
    with pytest.raises(DrawerOpen):
        gives_bank(house.cast.carla, house.cast.anna, bank_id, at=house.at)
    # A drawer of the cage is held by nobody, and a bank opens for its runner alone.
    with pytest.raises(NotABank):
        gives_bank(house.cast.carla, house.cast.anna, house.drawer_id, at=house.at)
    with pytest.raises(BankSellsToSeats):
        opens(house.cast.carla, house.cast.frans, second_id, at=house.at)

    closes(house.cast.carla, house.cast.frans, bank_id, 0, 5_000_00, at=house.at)
    gives_bank(house.cast.carla, house.cast.anna, bank_id, at=house.at)

    assert DrawerSession.objects.get(drawer=bank_id, closed_at=None).holder_id == house.cast.anna.pk
    assert proved(house) == []


def test_it_is_counted_blind_by_two_others_and_what_is_missing_points_to_its_runner(house: House) -> None:
    bank_id = given(house)
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=asks(house))
    page = at_desktop(house.cast.carla).get(f"/cage/banks/{NUMBER}/").content.decode()
    assert not any(figure in page for figure in ("4\xa0800\xa0€", '"480000"'))

    closed = closes(house.cast.carla, house.cast.frans, bank_id, 190_00, 4_800_00, at=house.at)

    count = DrawerCount.objects.get(session__drawer=bank_id)
    assert (count.counted_by_id, count.counted_with_id) == (house.cast.carla.pk, house.cast.frans.pk)
    assert (closed.data["money_difference_cents"], closed.data["holder_id"]) == (-10_00, house.cast.dan.pk)
    assert drawer_figures(bank_id)["over_short"] == 10_00
    assert Doubt.objects.get().kind == "count_differs"
    with pytest.raises(OwnBank):
        recounts(house.cast.mari, at_the_cage_too(house), 200_00, 4_800_00, at=house.at)
    recounts(house.cast.mari, house.cast.frans, 200_00, 4_800_00, at=house.at)
    assert drawer_figures(bank_id)["over_short"] == 0
    assert proved(house) == []


def at_the_cage_too(house: House) -> Staff:
    """Return Dan, who works at the cage too."""
    Staff.objects.filter(pk=house.cast.dan.pk).update(roles=["dealer", "cashier"])
    return Staff.objects.get(pk=house.cast.dan.pk)


def test_its_runner_neither_counts_it_nor_stands_by(house: House) -> None:
    bank_id, dan = given(house), at_the_cage_too(house)

    for by, second in ((dan, house.cast.carla), (house.cast.carla, dan)):
        with pytest.raises(OwnBank):
            closes(by, second, bank_id, 0, 5_000_00, at=house.at)

    assert proved(house) == []


def test_its_runner_counts_what_is_brought_into_it_and_hands_over_what_is_taken_out(house: House) -> None:
    bank_id, cast = given(house), house.cast
    filling, at = Filling(cast, at=house.at), ("drawer", NUMBER)
    fill = filling.authorised(0, 100_00, at=at)
    with pytest.raises(BankWithoutHolder):
        filling.sends(fill, 0, 100_00, runner=cast.dan)
    fill = filling.sends(fill, 0, 100_00, runner=cast.anna)
    with pytest.raises(BankWithoutHolder):
        filling.counts(fill, 0, 100_00)
    # Dan deals, and is no cashier: it is his bank all the same.
    filling.counts(fill, 0, 100_00, by=cast.frans, second=cast.dan)
    assert lies(bank_id) == (0, 5_100_00)

    credit = filling.authorised(0, 300_00, kind="credit", at=at)
    with pytest.raises(BankWithoutHolder):
        filling.sends(credit, 0, 300_00, runner=cast.anna)
    credit = filling.sends(credit, 0, 300_00, runner=cast.dan)
    # He brings it back himself, and two others count it.
    filling.counts(credit, 0, 300_00, reason="closed")
    assert lies(bank_id) == (0, 5_100_00)
    assert proved(house) == []


def test_a_sale_is_taken_back_by_two_at_the_cage(house: House) -> None:
    bank_id = given(house)
    slip_id = asks(house)
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id)
    filling = Filling(house.cast, at=house.at)
    signing = filling.signed(house.cast.carla, house.cast.frans, "cage.approve_reversal", f"slip.{slip_id}")

    services.reverse_slip(signing, slip_id=slip_id, reason="wrong_amount", approved_by_id=house.cast.frans.pk)

    assert lies(bank_id) == (0, 5_000_00)
    assert proved(house) == []


@pytest.mark.parametrize("is_open", [True, False])
def test_what_was_counted_since_is_taken_back_out_of_no_other_runners_bank(house: House, is_open: bool) -> None:
    bank_id = given(house)
    slip_id = asks(house)
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id)
    closes(house.cast.carla, house.cast.frans, bank_id, 200_00, 4_800_00, at=house.at)
    if is_open:
        gives_bank(house.cast.carla, house.cast.anna, bank_id, 500_00, at=house.at)
    before, filling = lies(bank_id), Filling(house.cast, at=house.at)
    signing = filling.signed(house.cast.carla, house.cast.frans, "cage.approve_reversal", f"slip.{slip_id}")

    with pytest.raises(BankCountedSince):
        services.reverse_slip(signing, slip_id=slip_id, reason="wrong_amount", approved_by_id=house.cast.frans.pk)

    assert lies(bank_id) == before


def kept_open(house: House) -> set[tuple[str, int]]:
    return {(each.kind, each.number) for each in open_items.may_be_carried(house.room_id)}


def test_an_open_bank_keeps_the_day_open_and_stands_in_its_report(house: House) -> None:
    bank_id = given(house)
    assert {("bank", NUMBER), ("drawer", NUMBER)} & kept_open(house) == {("bank", NUMBER)}
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=asks(house))

    closes(house.cast.carla, house.cast.frans, bank_id, 195_00, 4_800_00, at=house.at)

    assert ("bank", NUMBER) not in kept_open(house)
    day = GamingDay.objects.get()
    named = {each.name: each.money_cents for each in day_counts.counts_of(day)}
    assert named[f"bank {NUMBER}"] == -5_00
    of_bank = next(each for each in drawers_of(day) if each.number == NUMBER)
    assert (of_bank.holder, of_bank.money_over_short_cents) == ("Dan", -5_00)
    counted = [each for each in read(Span(house.room_id, (day,), 0)) if each.code == SHORT]
    assert [(each.staff_id, each.count, each.cents) for each in counted] == [(house.cast.dan.pk, 1, 5_00)]


def test_a_bank_is_never_called_a_drawer(house: House) -> None:
    bank_id = given(house)
    filling = Filling(house.cast, at=house.at + timedelta(seconds=1))
    fill = filling.asks(0, 300_00, at=("drawer", NUMBER))
    assert [each.place for each in fills_under_way(house.room_id)] == ["Bank 11"]
    floor, cage = at_desktop(house.cast.frans), at_desktop(house.cast.carla)
    assert "Bank 11" in fragment(house.room_id, "floor", "en").html
    paper = cage.get(f"/cage/fills/{fill.pk}/").content.decode()
    assert ("Bank 11" in paper, "Drawer 11" in paper) == (True, False)
    assert 'value="drawer.11"' in cage.get("/cage/fills/").content.decode().replace("'", '"')
    with pytest.raises(DrawerOpen, match="Bank 11 is open already"):
        gives_bank(house.cast.carla, house.cast.dan, bank_id, at=house.at)
    (check,) = (each for each in open_items.checklist(house.room_id) if each.kind == "bank")
    assert (check.title, [each.number for each in check.carried]) == ("Runners’ banks are counted and closed", [NUMBER])
    filling.refuses(fill)

    closes(house.cast.carla, house.cast.frans, bank_id, 0, 4_990_00, at=house.at + timedelta(seconds=2))

    (doubt,) = Doubt.objects.all()
    waits = [(each.word, open_items.label(each.kind, each.number)) for each in open_items.may_be_carried(house.room_id)]
    assert ("bank_doubt.11", "what the floor has to judge of bank 11") in waits
    lines = open_items.checklist(house.room_id)
    assert "bank" not in {each.kind for each in lines}
    assert all(each.title for each in lines), "a line of nothing but a check mark"
    with pytest.raises(DrawerClosed, match="Bank 11 is closed"):
        filling.asks(0, 300_00, at=("drawer", NUMBER))
    log = at_desktop(house.cast.olavi).get("/log/").content.decode()
    assert "was counted and closed: money differs" in log
    assert floor.get("/cage/fills/").status_code == 200
    assert doubt.cents == 10_00


def test_who_carries_what_is_one_list(house: House) -> None:
    cage = at_desktop(house.cast.carla)
    assert "Who carries what" not in fragment(house.room_id, "cage", "en").html
    assert "/cage/banks/" not in cage.get("/cage/1/").content.decode()
    given(house, house.cast.mari)
    house.tap(services.note_money, house.cast.dan, slip_id=asks(house), money_with="runner")
    Filling(house.cast, at=house.at + timedelta(seconds=1)).sent(0, 300_00)

    shown = fragment(house.room_id, "cage", "en").html
    found = [(each.name, [one.kind for one in each.carries]) for each in carriers(house.room_id)]

    assert found == [("Dan", ["money", "fill"]), ("Mari", ["bank"])]
    assert all(words in shown for words in ("Who carries what", "fill slip 1 to", "money of", "bank 11"))
    # A fill and a bank are counted blind: nothing of what they come to is said at the cage.
    assert not any(figure in shown for figure in ("300\xa0€", '"30000"', "5\xa0000\xa0€", '"500000"'))
    assert "/cage/banks/" in cage.get("/cage/1/").content.decode()


def test_what_is_expected_in_a_bank_is_read_by_the_books_and_never_by_its_runner(house: House) -> None:
    given(house, house.cast.mari)

    def expected(by: Staff) -> Any:
        answer = at_desktop(by).get("/api/v1/cage/carriers").json()
        return answer[0]["carries"][0]["expected_chips_cents"]

    assert (expected(house.cast.olavi), expected(house.cast.mari)) == (5_000_00, None)


def test_nor_by_whoever_took_a_sale_out_of_it_back(house: House) -> None:
    given(house)
    slip_id, mari, frans = asks(house), house.cast.mari, house.cast.frans
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id, version=1)
    filling = Filling(house.cast, at=house.at)
    signing = filling.signed(also(mari, "cashier"), frans, "cage.approve_reversal", f"slip.{slip_id}")

    services.reverse_slip(signing, slip_id=slip_id, reason="wrong_amount", approved_by_id=frans.pk)

    (dan,) = at_desktop(mari).get("/api/v1/cage/carriers").json()
    assert dan["carries"][0]["expected_chips_cents"] is None


def test_the_page_of_the_table_sells_from_a_bank(house: House) -> None:
    slip_id = asks(house)
    anna = at_desktop(house.cast.anna)
    assert "Bank of" not in anna.get("/cage/money/1/").content.decode()
    given(house)
    assert "Bank of" in anna.get("/cage/money/1/").content.decode()
    assert "Sold from my bank" in at_desktop(house.cast.dan).get("/cage/money/1/").content.decode()

    sheet = "/floor/tables/1/seats/5/sheet/"
    assert "Sell from a bank" in at_desktop(house.cast.frans).get(sheet).content.decode()

    arguments: dict[str, Any] = {"at": "1", "version": "1", "username": "dan", "pin": demo_person("dan").pin}
    assert tap(anna, f"/cage/slips/{slip_id}/bank/", **arguments).status_code == 200

    assert Slip.objects.get(pk=slip_id).status == "paid"
    with pytest.raises(SlipNotWaiting):
        house.tap(services.sell_from_bank, house.cast.dan, slip_id=slip_id)


def test_the_days_page_asks_for_number_and_name_of_a_bank(house: House) -> None:
    page = at_desktop(house.cast.mari).get("/cage/day/").content.decode()

    form = next(each for each in page.split("<form") if "/cage/banks/new/" in each).split("</form>")[0]

    assert all(f'name="{field}"' in form for field in ("number", "name"))


def test_only_the_bank_of_who_carries_the_money_is_offered(house: House) -> None:
    given(house)
    slip_id = asks(house)
    assert "Sold from my bank" in at_desktop(house.cast.dan).get("/cage/money/1/").content.decode()

    house.tap(services.note_money, house.cast.anna, slip_id=slip_id, money_with="runner")

    assert "my bank" not in at_desktop(house.cast.dan).get("/cage/money/1/").content.decode()


def test_a_fill_of_a_bank_is_asked_for_at_any_window(house: House) -> None:
    bank_id = given(house)
    window = actor(house.cast.carla, device=enrolled(house.cast.room, "cage", 1))
    arguments: dict[str, Any] = {"kind": "fill", "place_kind": "drawer", "chips": pieces(100_00, CHIPS)}

    answer = services.request_fill(command(window, at=house.at), **arguments, place_number=NUMBER)

    assert answer.data["place_number"] == NUMBER
    # Another window's drawer is that window's.
    two = house.tap(services.add_drawer, house.cast.mari, number=2, name="Two").data["drawer_id"]
    opens(house.cast.carla, house.cast.frans, two, at=house.at)
    with pytest.raises(NotPermitted):
        services.request_fill(command(window, at=house.at), **arguments, place_number=2)
    assert lies(bank_id) == (0, 5_000_00)


def test_a_closed_bank_sells_nothing(house: House) -> None:
    bank_id = given(house)
    closes(house.cast.carla, house.cast.frans, bank_id, 0, 5_000_00, at=house.at)
    with pytest.raises(HoldsNoBank):
        house.tap(services.sell_from_bank, house.cast.dan, slip_id=asks(house))


def _held_by_nobody(bank_id: int, house: House) -> None:
    DrawerSession.objects.filter(drawer=bank_id).update(holder=None)


def _paid_by_another(bank_id: int, house: House) -> None:
    Slip.objects.filter(drawer=bank_id).update(paid_by=house.cast.anna)


def _paid_by_card(bank_id: int, house: House) -> None:
    Slip.objects.filter(drawer=bank_id).update(method="card")


@pytest.mark.parametrize(
    ("what", "fault"),
    [("banks_held", _held_by_nobody), ("banks_sold", _paid_by_another), ("banks_sold", _paid_by_card)],
)
def test_the_proof_finds_what_was_changed_of_a_bank(house: House, what: str, fault: Any) -> None:
    bank_id = given(house)
    house.tap(services.sell_from_bank, house.cast.dan, slip_id=asks(house))
    assert proved(house) == []

    with as_owner():
        fault(bank_id, house)

    assert what in {each.what for each in problems(house.room_id)}
