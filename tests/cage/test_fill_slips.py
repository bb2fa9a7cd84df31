"""A fill goes its way as a numbered slip: asked for, authorised, carried, and counted blind by two."""

import uuid
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from casino.cage import services
from casino.cage.errors import (
    AuthorisedByRequester,
    CarriedIt,
    ChipsShort,
    DrawerClosed,
    FillNotAt,
    FillOfNothing,
    FillsInOneStep,
    MoreThanAuthorised,
    OwnFill,
    ReceiverMissing,
)
from casino.cage.errors_days import DayLeavesOpen
from casino.cage.models import Drawer, Slip
from casino.cage.models_fills import FillSlip
from casino.cage.open_items import may_be_carried
from casino.cage.selectors.carried_over import carried_of
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import close_day, open_day
from casino.cage.services.fill_moves import carry_signs, count_signs
from casino.errors import Malformed, NotFound, NotPermitted, Stale
from casino.ledger.errors import AlreadyPosted, VaultShort
from casino.ledger.models import Account, Posting, Transfer
from casino.ledger.selectors.accounts import figures, house_figures
from casino.ledger.templatetags.money import money
from casino.people.errors import NeedsSecondSignature
from casino.people.models import Staff
from casino.people.services import second_person
from casino.reports.selectors.day import day_report
from casino.rooms.models import GamingDay, Room
from tables.errors_racks import NoRackKept
from tables.services.setup import add_table
from tests.cage.counting import carrying, closes, opens
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk
from tests.cage.filling import Filling, filled_at_once, load
from tests.cage.test_counts import extra, proved
from tests.cast import TONIGHT, actor, command, demo_person, enrolled
from tests.support.books import fills_in_one_step, says_in_book
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.tables.racking import keeps_racks
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

AT_TABLE = ("table", 1)


@pytest.fixture
def fills(desk: CageDesk) -> Filling:
    add_table(command(desk.cast.mari), number=1)
    keeps_racks(desk.cast.room.pk)
    return Filling(desk.cast, at=TONIGHT + timedelta(minutes=1))


def vault(desk: CageDesk) -> tuple[int, int]:
    found = house_figures(desk.cast.room.pk)
    return found["vault_cash"], found["vault_chips"]


def carried(runner: Staff) -> dict[str, int]:
    return {kind: cents for kind, cents in figures("runner", runner.pk).items() if cents}


# ---- its way


def test_a_fill_lies_in_the_drawer_only_when_two_have_counted_it(desk: CageDesk, fills: Filling) -> None:
    cash, chips = vault(desk)

    slip = fills.asks(1_000_00, 500_00)
    assert (slip.number, slip.status) == (1, "requested")
    assert (slip.wished_cash, slip.wished_chips) == ([[500_00, 2]], [[500_00, 1]])
    slip = fills.authorises(slip)
    assert Posting.objects.filter(account__owner_kind="runner").count() == 0
    slip = fills.sends(slip, 1_000_00, 500_00)
    assert vault(desk) == (cash - 1_000_00, chips - 500_00)
    assert carried(desk.cast.dan) == {"carried_cash": 1_000_00, "carried": 500_00}
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH
    assert proved(desk) == []

    slip = fills.counts(slip, 1_000_00, 500_00)

    assert (slip.status, slip.unjudged, slip.differences_cents) == ("verified", False, (0, 0))
    # Carla gave it to the runner: the other one counts it.
    assert (slip.ended_by_id, slip.ended_with_id) == (desk.cast.frans.pk, desk.carla.pk)
    assert carried(desk.cast.dan) == {}
    lies = drawer_figures(desk.drawer_id)
    assert (lies["cash"], lies["chips"]) == (FLOAT_CASH + 1_000_00, FLOAT_CHIPS + 500_00)
    assert proved(desk) == []


def test_a_credit_goes_the_other_way(desk: CageDesk, fills: Filling) -> None:
    cash, chips = vault(desk)

    slip = fills.counts(fills.sent(200_00, 300_00, kind="credit"), 200_00, 300_00)

    assert slip.status == "verified"
    assert vault(desk) == (cash + 200_00, chips + 300_00)
    assert drawer_figures(desk.drawer_id)["chips"] == FLOAT_CHIPS - 300_00
    assert proved(desk) == []


def test_a_tables_float_is_filled_and_taken_from_and_its_dealer_signs(desk: CageDesk, fills: Filling) -> None:
    table_id = fills.asks(0, 5_00, at=AT_TABLE, by=desk.cast.frans).place_id

    sent = fills.sent(0, 2_000_00, at=AT_TABLE)
    with pytest.raises(ReceiverMissing):
        fills.counts(sent, 0, 2_000_00, by=desk.carla, second=extra(desk, "sanna", "cashier"))
    fills.counts(sent, 0, 2_000_00, by=desk.cast.frans, second=desk.cast.anna)
    assert figures("table", table_id)["float"] == 2_000_00

    back = fills.sends(fills.authorised(0, 2_500_00, kind="credit", at=AT_TABLE), 0, 2_500_00, by=desk.cast.frans)
    fills.counts(back, 0, 2_500_00)

    # More was counted out of the tray than was ever brought there: a fact.
    assert figures("table", table_id)["float"] == -500_00
    assert proved(desk) == []


def test_no_cash_comes_back_to_a_table_that_gave_none(desk: CageDesk, fills: Filling) -> None:
    slip = fills.sends(fills.authorised(0, 500_00, kind="credit", at=AT_TABLE), 0, 500_00, by=desk.cast.frans)

    with pytest.raises(Malformed):
        fills.counts(slip, 50_00, 450_00, by=desk.carla, second=desk.cast.anna, reason="not_needed")

    assert figures("table", slip.place_id).get("rack_cash", 0) == 0
    assert proved(desk) == []


@pytest.mark.helsinki
def test_no_table_is_filled_whose_house_keeps_no_rack_and_what_lies_there_goes_back(desk: CageDesk) -> None:
    add_table(command(desk.cast.mari), number=1)
    fills = Filling(desk.cast)

    with pytest.raises(NoRackKept):
        fills.asks(0, 5_00, at=AT_TABLE)

    assert fills.asks(0, 5_00, kind="credit", at=AT_TABLE).status == "requested"


def test_the_vault_numbers_all_of_them(fills: Filling) -> None:
    assert [fills.asks(5_00).number, fills.asks(0, 5_00, at=AT_TABLE).number, fills.asks(5_00).number] == [1, 2, 3]


def test_other_pieces_and_less_are_given_and_more_is_another_fill(fills: Filling) -> None:
    slip = fills.authorised(1_000_00)
    with pytest.raises(MoreThanAuthorised):
        fills.sends(slip, 1_000_00, 5_00)
    with pytest.raises(MoreThanAuthorised):
        fills.sends(slip, 1_005_00)

    assert fills.sends(slip, 900_00).sent_cash_cents == 900_00


# ---- what differs


def test_what_is_missing_stands_on_the_runner_and_waits_for_the_floor(desk: CageDesk, fills: Filling) -> None:
    slip = fills.counts(fills.sent(1_000_00, 500_00), 950_00, 505_00)

    assert (slip.differences_cents, slip.unjudged) == ((-50_00, 5_00), True)
    assert carried(desk.cast.dan) == {"over_short": 50_00, "chips_over_short": -5_00}
    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH + 950_00
    assert proved(desk) == []
    services.judge_fill(command(desk.cast.mari), fill_id=slip.pk)
    with pytest.raises(NotFound):
        services.judge_fill(command(desk.cast.mari), fill_id=slip.pk)


def test_who_gave_carried_or_counted_it_judges_nothing_of_it(desk: CageDesk, fills: Filling) -> None:
    authorised = fills.authorised(100_00, by=desk.cast.mari)
    sanna = extra(desk, "sanna", "cashier", "floor")
    slip = fills.sends(authorised, 100_00, by=sanna, runner=desk.cast.frans)
    fills.counts(slip, 95_00, by=desk.carla, second=desk.cast.mari)

    for handled in (sanna, desk.cast.frans, desk.cast.mari):
        with pytest.raises(OwnFill):
            services.judge_fill(command(handled), fill_id=slip.pk)


def test_who_counts_is_shown_neither_what_was_wished_nor_what_was_given(desk: CageDesk, fills: Filling) -> None:
    """On the page, its paper and its list, by REST, and in the answer that goes with it."""
    cashier, slip = at_desktop(desk.carla), fills.authorised(7_500_00)
    shown = money(7_500_00, desk.cast.room)
    assert shown in cashier.get(f"/cage/fills/{slip.pk}/").content.decode()
    counted = load(7_500_00)
    signing = fills.signed(desk.carla, desk.cast.dan, "cage.carry_fill", carry_signs(slip.pk, **counted))

    answer = services.deliver_fill(signing, fill_id=slip.pk, approved_by_id=desk.cast.dan.pk, **counted)

    assert "cash_cents" not in answer.data
    for path in ("/cage/fills/", f"/cage/fills/{slip.pk}/"):
        page = cashier.get(path).content.decode()
        assert "Dan" in page
        assert shown not in page
    body = cashier.get(f"/api/v1/cage/fills/{slip.pk}").json()
    assert {body[name] for name in body if name.startswith(("wished_", "sent_c"))} == {None}
    fills.counts(slip, 7_500_00)
    assert shown in cashier.get(f"/cage/fills/{slip.pk}/").content.decode()


def test_all_of_it_may_be_missing(desk: CageDesk, fills: Filling) -> None:
    fills.counts(fills.sent(1_000_00), 0)

    assert carried(desk.cast.dan) == {"over_short": 1_000_00}
    assert proved(desk) == []


# ---- who


def test_who_asks_never_authorises(desk: CageDesk, fills: Filling) -> None:
    with pytest.raises(AuthorisedByRequester):
        fills.authorises(fills.asks(5_00, by=desk.cast.frans))


def test_who_carried_it_counts_nothing_and_signs_nothing(desk: CageDesk, fills: Filling) -> None:
    slip = fills.sent(5_00)

    for by, second in ((desk.carla, desk.cast.dan), (desk.cast.frans, desk.cast.dan)):
        with pytest.raises(CarriedIt):
            fills.counts(slip, 5_00, by=by, second=second)


def test_nobody_carries_or_counts_by_another_signature(desk: CageDesk, fills: Filling) -> None:
    slip, dan = fills.authorised(10_00), desk.cast.dan
    other = fills.signed(desk.carla, dan, "cage.carry_fill", carry_signs(slip.pk, **load(5_00)))
    for signing, runner in ((command(desk.carla), dan), (other, dan), (command(desk.carla), desk.carla)):
        with pytest.raises(NeedsSecondSignature):
            services.deliver_fill(signing, fill_id=slip.pk, approved_by_id=runner.pk, **load(10_00))
    slip = fills.sends(slip, 10_00)
    # The signature of the one step is none under the next.
    carries = fills.signed(desk.carla, desk.cast.frans, "cage.carry_fill", count_signs(slip.pk, **load(10_00)))
    with pytest.raises(NeedsSecondSignature):
        services.verify_fill(carries, fill_id=slip.pk, approved_by_id=desk.cast.frans.pk, **load(10_00))


def test_a_window_acts_for_its_own_drawer_and_gives_from_the_vault(desk: CageDesk, fills: Filling) -> None:
    window = enrolled(desk.cast.room, "cage", 2)
    with pytest.raises(NotPermitted):
        services.request_fill(
            command(actor(desk.carla, device=window)), kind="fill", place_kind="drawer", place_number=1, **load(5_00)
        )
    slip, loaded = fills.authorised(5_00), load(5_00)
    signing = command(actor(desk.carla, device=window))
    second_person(
        signing,
        username="dan",
        pin=demo_person("dan").pin,
        needs="cage.carry_fill",
        signs=carry_signs(slip.pk, **loaded),
    )
    services.deliver_fill(signing, fill_id=slip.pk, approved_by_id=desk.cast.dan.pk, **loaded)


# ---- refused, called off, brought back


@pytest.mark.parametrize("is_authorised", [False, True])
def test_before_anything_moves_it_is_refused_for_a_reason(desk: CageDesk, fills: Filling, is_authorised: bool) -> None:
    slip = fills.asks(5_00)
    slip = fills.authorises(slip) if is_authorised else slip
    with pytest.raises(Malformed):
        fills.refuses(slip, "because")

    slip = fills.refuses(slip, "wrong_amount", by=desk.carla)

    assert (slip.status, slip.reason, slip.ended_by_id) == ("refused", "wrong_amount", desk.carla.pk)
    with pytest.raises(FillNotAt):
        fills.authorises(slip)
    assert proved(desk) == []


def test_what_cannot_be_delivered_goes_back_where_it_came_from(desk: CageDesk, fills: Filling) -> None:
    before, slip = vault(desk), fills.sent(1_000_00)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    with pytest.raises(DrawerClosed):
        fills.counts(slip, 1_000_00)
    with pytest.raises(FillNotAt):
        fills.refuses(slip)

    slip = fills.counts(slip, 995_00, reason="closed")

    assert (slip.status, slip.reason, slip.unjudged) == ("returned", "closed", True)
    assert vault(desk)[0] == before[0] + FLOAT_CASH - 5_00
    assert carried(desk.cast.dan) == {"over_short": 5_00}
    assert proved(desk) == []


@pytest.mark.slow
def test_one_that_is_under_way_is_carried_over_the_days_end_and_counted_on_the_next(
    desk: CageDesk, fills: Filling
) -> None:
    mari, room = desk.cast.mari, desk.cast.room
    slip = fills.sent(5_00)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    with pytest.raises(DayLeavesOpen, match="fill slip 1"):
        close_day(command(mari))
    link = f'<a href="/cage/fills/{slip.pk}/">fill slip 1</a>'
    assert link in at_desktop(mari).get("/cage/day/").text
    first = GamingDay.objects.latest("id")

    close_day(command(mari), carrying=carrying(room.pk))

    carried_over = [each for each in carried_of(first) if each.word == "fill.1"]
    assert [each.is_open for each in carried_over] == [True]
    fills.at = tomorrow = TONIGHT + timedelta(days=1)
    open_day(command(mari, at=tomorrow))
    opens(desk.carla, desk.cast.frans, desk.drawer_id, at=tomorrow)

    fills.counts(slip, 4_00)

    slip.refresh_from_db()
    assert slip.got_transfer_id is not None
    assert Transfer.objects.get(id=slip.got_transfer_id).day_id == GamingDay.objects.latest("id").pk != first.pk
    assert [each.done_at for each in carried_of(first) if each.word == "fill.1"] == [slip.ended_at]
    # What is missing is of the day on which it was counted.
    short = [(report.runners[0].carried.cash_over_short_cents if report.runners else 0)
             for report in (day_report(room, first.date), day_report(room))]  # fmt: skip
    assert short == [0, -1_00]
    assert day_report(room, first.date).differs == day_report(room).differs == 0
    assert proved(desk) == []


def test_what_a_runner_carries_by_a_slip_is_one_line_and_what_besides_another(desk: CageDesk, fills: Filling) -> None:
    room, dan = desk.cast.room, desk.cast.dan

    def items() -> list[str]:
        return [each.word for each in may_be_carried(room.pk) if each.kind in ("fill", "runner")]

    fills.sent(5_00)
    fills.sent(20_00, 10_00)
    assert items() == ["fill.1", "fill.2"]

    with as_owner():
        Account.objects.filter(owner_kind="runner", owner_id=dan.pk, kind="carried").update(balance_cents=11_00)

    assert items() == ["fill.1", "fill.2", f"runner.{dan.pk}"]


def test_what_differs_is_carried_over_the_days_end(desk: CageDesk, fills: Filling) -> None:
    fills.refuses(fills.asks(5_00))
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    with as_owner():
        FillSlip.objects.update(unjudged=True)
    with pytest.raises(DayLeavesOpen, match="what differs on fill slip 1"):
        close_day(command(desk.cast.mari))

    close_day(command(desk.cast.mari), carrying=[{"item": "fill_differs.1", "reason": "looked_into"}])


# ---- what is no fill


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"kind": "gift"}, Malformed),
        ({"place_kind": "bar"}, Malformed),
        ({"place_number": 9}, NotFound),
        ({"place_kind": "table", "place_number": 9, **load(0, 5_00)}, NotFound),
        (load(), FillOfNothing),
        ({"cash": [{"value_cents": 3_00, "count": 1}]}, Malformed),
        ({"chips": [{"value_cents": 5_00, "count": -1}]}, Malformed),
        ({"place_kind": "table", **load(5_00)}, Malformed),
    ],
    ids=["kind", "place", "drawer", "table", "nothing", "note", "below none", "cash to a float"],
)
def test_what_cannot_be_asked_for(
    desk: CageDesk, fills: Filling, arguments: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        services.request_fill(
            command(desk.carla),
            **{"kind": "fill", "place_kind": "drawer", "place_number": 1, **load(5_00), **arguments},
        )

    assert not FillSlip.objects.exists()


def test_nobody_counts_cash_into_a_float_nor_counts_without_a_word(desk: CageDesk, fills: Filling) -> None:
    slip = fills.sent(0, 5_00, at=AT_TABLE)
    with pytest.raises(Malformed):
        fills.counts(slip, 5_00, 5_00, by=desk.cast.frans, second=desk.cast.anna)
    with pytest.raises(FillOfNothing, match="There is nothing to move"):
        services.verify_fill(command(desk.carla), fill_id=slip.pk, approved_by_id=desk.cast.frans.pk)


@pytest.mark.parametrize("kind", ["fill", "credit"])
def test_nobody_fills_in_one_step_where_the_book_does_not_let_them(desk: CageDesk, kind: str) -> None:
    fills_in_one_step(desk.cast.room.pk, is_so=False)
    before = drawer_figures(desk.drawer_id)

    with pytest.raises(FillsInOneStep, match="Ask for it under Fills"):
        filled_at_once(desk.carla, desk.cast.frans, desk.drawer_id, 50_00, kind=kind)

    assert drawer_figures(desk.drawer_id) == before
    assert not Slip.objects.exists()


@pytest.mark.parametrize("is_so", [True, False], ids=["let", "refused"])
def test_the_window_offers_one_step_only_where_the_book_lets_it(desk: CageDesk, is_so: bool) -> None:
    cites = fills_in_one_step(desk.cast.room.pk, is_so=is_so).text
    says_in_book(desk.cast.room.pk, cites.replace("[clauses]\n", '[clauses]\nfills_in_one_step = "L-P39"\n'))
    carla = at_desktop(desk.carla)

    page = carla.get("/cage/1/").content.decode()
    form: dict[str, Any] = {"direction": "fill", "what": "cash", "amount": "50", "username": "frans"}
    answer = tap(carla, "/cage/1/vault/", **form, pin=demo_person("frans").pin)

    assert ('data-opens="vault"' in page, "data-vault" in page) == (is_so, is_so)
    assert "data-fills" in page
    assert answer.status_code == (200 if is_so else 422)
    assert ("L-P39: By this house’s rule book a fill" in answer.content.decode()) is not is_so


def test_a_form_that_is_sent_again_gets_its_first_answer_though_the_drawer_has_closed(
    desk: CageDesk, fills: Filling
) -> None:
    cashier, once = at_desktop(desk.carla), uuid.uuid4()
    form: dict[str, Any] = {"kind": "fill", "place": "drawer.1", "chips_500": "2"}
    first = tap(cashier, "/cage/fills/ask/", id=once, **form)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)

    again = tap(cashier, "/cage/fills/ask/", id=once, **form)

    assert (first.status_code, again.status_code) == (200, 200)
    assert again.headers["HX-Redirect"] == first.headers["HX-Redirect"]
    assert tap(cashier, "/cage/fills/ask/", **form).status_code == 422
    assert tap(cashier, "/cage/fills/ask/", **{**form, "place": "bar.1"}).status_code == 400


def test_no_more_is_given_than_lies_there(desk: CageDesk, fills: Filling) -> None:
    cash, _chips = vault(desk)
    with pytest.raises(VaultShort):
        fills.sent(cash + 500_00)
    with pytest.raises(ChipsShort):
        fills.sent(0, FLOAT_CHIPS + 500_00, kind="credit")
    assert proved(desk) == []


def test_an_old_screen_is_stale(desk: CageDesk, fills: Filling) -> None:
    slip = fills.authorised(5_00)
    with pytest.raises(Stale):
        services.refuse_fill(command(desk.carla), fill_id=slip.pk, reason="not_needed", version=1)


# ---- two at once


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_of_two_who_count_at_once_one_does(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk, fills, frans = committed_desk, Filling(committed_desk.cast), committed_desk.cast.frans
    slip, counted = fills.sent(1_000_00), load(1_000_00)
    # Signed before: who signs is locked too, and the second would wait there.
    signs = count_signs(slip.pk, **counted)
    signed = [fills.signed(by, frans, "cage.count_fill", signs) for by in (desk.carla, desk.cast.mari)]
    counted |= {"fill_id": slip.pk, "approved_by_id": frans.pk}
    if not is_locked:
        without_lock(monkeypatch, FillSlip)
        # Whoever waits for the drawer finds the slip counted too; what is returned to the vault locks no such row.
        without_lock(monkeypatch, Drawer)

    # The ledger has the last word.
    with pytest.raises(FillNotAt if is_locked else AlreadyPosted):
        meet(*[partial(services.verify_fill, each, **counted) for each in signed])

    assert drawer_figures(desk.drawer_id)["cash"] == FLOAT_CASH + 1_000_00
    assert proved(desk) == []


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_what_is_just_being_called_off_is_not_given(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk, fills = committed_desk, Filling(committed_desk.cast)
    slip, loaded = fills.authorised(1_000_00), load(1_000_00)
    signing = fills.signed(desk.carla, desk.cast.dan, "cage.carry_fill", carry_signs(slip.pk, **loaded))
    if not is_locked:
        without_lock(monkeypatch, FillSlip)

    def gives() -> None:
        # The constraint has the last word.
        with pytest.raises(FillNotAt if is_locked else IntegrityError):
            services.deliver_fill(signing, fill_id=slip.pk, approved_by_id=desk.cast.dan.pk, **loaded)

    meet(lambda: services.refuse_fill(command(desk.cast.mari), fill_id=slip.pk, reason="not_needed"), gives)

    slip.refresh_from_db()
    assert slip.status == "refused"
    assert proved(desk) == []


@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_who_ask_at_once_get_two_numbers(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    fills = Filling(committed_desk.cast)
    if not is_locked:
        without_lock(monkeypatch, Room)

    # The constraint has the last word.
    with nullcontext() if is_locked else pytest.raises(IntegrityError):
        meet(*[partial(fills.asks, 5_00, at=("drawer", number)) for number in (1, 2)])

    assert sorted(FillSlip.objects.values_list("number", flat=True)) == ([1, 2] if is_locked else [1])


# ---- proved


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"wished_cash": [[500_00, 1]]}, "what was wished comes to 50000"),
        ({"got_cash_cents": 950_00, "got_cash": [[50_00, 19]]}, "the slip moves 95000, and 100000 is posted"),
        ({"status": "returned", "reason": "closed"}, "fill_returned"),
        ({"runner": "anna"}, "the slip moves"),
    ],
    ids=["pieces", "another count", "another way", "another runner"],
)
def test_a_slip_that_was_changed_is_found(desk: CageDesk, fills: Filling, change: dict[str, Any], says: str) -> None:
    fills.counts(fills.sent(1_000_00), 1_000_00)
    with as_owner():
        FillSlip.objects.update(**{k: desk.cast.staff[v] if k == "runner" else v for k, v in change.items()})

    assert any(says in each for each in proved(desk))
    assert any("it is not what its event says" in each for each in proved(desk))


def test_what_a_slip_moved_on_another_account_of_the_same_place_is_found(desk: CageDesk, fills: Filling) -> None:
    slip = fills.counts(fills.sent(0, 500_00), 0, 500_00)
    wrong = Account.objects.get(owner_kind="drawer", owner_id=desk.drawer_id, kind="chips_over_short")
    with as_owner(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_posting DISABLE TRIGGER USER")
        Posting.objects.filter(
            transfer_id=slip.got_transfer_id or 0, account__owner_kind="drawer", account__kind="chips"
        ).update(account=wrong)

    assert any(f"in chips_over_short the slip moves 0, and {500_00} is posted" in each for each in proved(desk))


def test_what_a_runner_carries_that_no_slip_says_is_found(desk: CageDesk, fills: Filling) -> None:
    slip = fills.sent(1_000_00)
    with as_owner(), transaction.atomic():
        FillSlip.objects.filter(pk=slip.pk).update(
            status="refused", reason="closed", sent_transfer_id=None, ended_by=desk.carla
        )

    assert any("carried_cash is 100000, and fill slips under way say 0" in each for each in proved(desk))


@pytest.mark.parametrize(
    "change",
    [{"authorised_by": "carla"}, {"runner": "carla"}, {"ended_by": "dan"}, {"ended_by": "carla"}, {"reason": "closed"}],
    ids=["asker authorises", "giver carries", "runner counts", "giver counts", "a reason"],
)
def test_the_database_keeps_two_persons_apart(desk: CageDesk, fills: Filling, change: dict[str, str]) -> None:
    fills.counts(fills.sent(1_000_00), 1_000_00)

    with as_owner(), pytest.raises(IntegrityError), transaction.atomic():
        FillSlip.objects.update(**{k: v if k == "reason" else desk.cast.staff[v] for k, v in change.items()})
