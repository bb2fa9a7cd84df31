"""A drawer is counted by denomination, blind and by two; counted again by others; and the ledger proves both."""

import re
from contextlib import nullcontext
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client

from casino.cage import services
from casino.cage.errors import CountedBefore, CountStands, DrawerClosed, OwnDrawer
from casino.cage.errors_days import DayLeavesOpen
from casino.cage.models import Doubt, Drawer, DrawerCount, DrawerSession
from casino.cage.rules import added_up, cents_of, who_counts
from casino.cage.selectors.drawers import drawer_figures
from casino.cage.services import close_day, open_day
from casino.cage.services.counting import NEEDS, Lies, count_signs
from casino.commands.carrying_out import Answer
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.models import Account, Transfer
from casino.ledger.proof import problems
from casino.live.render import fragment
from casino.people.errors import NeedsSecondSignature, SamePerson, SecondMayNot
from casino.people.models import Staff
from casino.rooms.models import GamingDay
from tests.cage.counting import closes, closing, in_form, lying, opens, pieces, recounting, recounts, signed
from tests.cage.desk import FLOAT_CASH, FLOAT_CHIPS, CageDesk, open_desk
from tests.cage.test_paying import buy
from tests.cage.test_voiding import reverse
from tests.cage.test_voiding import signed as by_two
from tests.cast import Cast, actor, command, demo_person
from tests.doors.routes import all_routes
from tests.support.locks import meet, without_lock
from tests.support.owner import as_owner
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses

NONE = {"value_cents": 1_00, "count": 0}


def vault(desk: CageDesk) -> dict[str, int]:
    return dict(Account.objects.filter(owner_kind="house").values_list("kind", "balance_cents"))


def proved(desk: CageDesk) -> list[str]:
    return [each.detail for each in problems(desk.cast.room.pk)]


def extra(desk: CageDesk, username: str, *roles: str) -> Staff:
    """Return one more person on shift, with Frans's PIN."""
    return Staff.objects.create(
        room=desk.cast.room, username=username, display_name=username.capitalize(), roles=list(roles),
        pin=desk.cast.frans.pin, is_on_shift=True, created_at=desk.cast.frans.created_at,
    )  # fmt: skip


# ---- the rules


def test_pieces_come_to_a_sum_and_are_kept_greatest_first() -> None:
    counted = [
        {"value_cents": 5_00, "count": 3},
        {"value_cents": 50_00, "count": 2},
        {"value_cents": 5_00, "count": 1},
        {"value_cents": 20_00, "count": 0},
    ]

    assert cents_of(counted) == 120_00
    assert added_up(counted) == [[50_00, 2], [5_00, 4]]


@pytest.mark.parametrize(("never", "who"), [((), 1), ((1,), 2), ((2,), 1), ((1, 2), None)])
def test_the_asker_counts_or_else_the_second_and_none_who_never_may(never: tuple[int, ...], who: int | None) -> None:
    assert who_counts(1, 2, never=never) == who


# ---- counted once


def test_a_count_keeps_its_pieces_and_its_sums_are_theirs(desk: CageDesk) -> None:
    buy(desk, 200_00)
    counted: dict[str, Any] = {
        "cash": [{"value_cents": 500_00, "count": 10}, {"value_cents": 50_00, "count": 4}, NONE],
        "chips": [{"value_cents": 100_00, "count": 198}],
        "card_slips_cents": 0,
    }
    signs = count_signs(desk.drawer_id, Lies(5_200_00, 19_800_00, 0))
    signing = signed(desk.carla, desk.cast.frans, signs)

    answer = services.close_drawer(signing, drawer_id=desk.drawer_id, **counted, approved_by_id=desk.cast.frans.pk)

    count = DrawerCount.objects.get()
    assert (count.cash_pieces, count.chip_pieces) == ([[500_00, 10], [50_00, 4]], [[100_00, 198]])
    assert (count.cash_cents, count.chips_cents) == (5_200_00, 19_800_00)
    assert (answer.data["money_difference_cents"], answer.data["chips_difference_cents"]) == (0, 0)
    assert Transfer.objects.get(kind="drawer_closed").approved_by_id == desk.cast.frans.pk
    assert proved(desk) == []


@pytest.mark.parametrize(
    ("cash", "chips", "card", "field"),
    [
        ([], [NONE], 0, "cash"),
        ([NONE], [], 0, "chips"),
        ([{"value_cents": 3_00, "count": 1}], [NONE], 0, "cash"),
        ([NONE], [{"value_cents": 50, "count": 1}], 0, "chips"),
        ([{"value_cents": 5_00, "count": -1}], [NONE], 0, "cash"),
        ([NONE], [NONE], -1, "card_slips_cents"),
    ],
    ids=["no cash said", "no chips said", "no such note", "no such chip", "less than none", "less than no slips"],
)
def test_what_cannot_lie_in_a_drawer_is_no_count(desk: CageDesk, cash: Any, chips: Any, card: int, field: str) -> None:
    arguments = {"cash": cash, "chips": chips, "card_slips_cents": card}
    signing = signed(desk.carla, desk.cast.frans, count_signs(desk.drawer_id, Lies.by(**arguments)))

    with pytest.raises(Malformed) as refused:
        services.close_drawer(signing, drawer_id=desk.drawer_id, **arguments, approved_by_id=desk.cast.frans.pk)

    assert refused.value.data["field"] == field
    assert not DrawerCount.objects.exists()


def test_nobody_counts_alone_nor_twice_nor_signs_another_count(desk: CageDesk) -> None:
    arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, **lying(FLOAT_CASH, FLOAT_CHIPS)}
    frans = desk.cast.frans
    other = signed(desk.carla, frans, count_signs(desk.drawer_id, Lies(FLOAT_CASH - 5_00, FLOAT_CHIPS, 0)))

    for signing, second in ((command(desk.carla), frans), (command(desk.carla), desk.carla), (other, frans)):
        with pytest.raises(NeedsSecondSignature):
            services.close_drawer(signing, **arguments, approved_by_id=second.pk)
    with pytest.raises(SamePerson):
        signed(desk.carla, desk.carla, "drawer")
    with pytest.raises(SecondMayNot):
        signed(desk.carla, desk.cast.anna, "drawer")
    assert not DrawerCount.objects.exists()


def test_who_has_paid_stands_by_and_the_other_counts_whoever_asks(desk: CageDesk) -> None:
    buy(desk)

    closes(desk.cast.mari, desk.carla, desk.drawer_id, FLOAT_CASH + 200_00, FLOAT_CHIPS - 200_00)

    count = DrawerCount.objects.get()
    assert (count.counted_by, count.counted_with) == (desk.cast.mari, desk.carla)


def test_who_took_a_slip_back_has_moved_the_drawers_money_and_stands_by(desk: CageDesk) -> None:
    slip = buy(desk)
    reverse(desk, slip, by_two(desk, slip, by=desk.cast.mari), desk.cast.frans)

    with pytest.raises(OwnDrawer):
        closes(desk.cast.mari, desk.carla, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)


# ---- counted again


@pytest.fixture
def short(desk: CageDesk) -> CageDesk:
    """Return a desk whose drawer Frans has counted with Carla by: 20 € of cash and 5 € of chips were not there."""
    buy(desk, 200_00)
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH + 180_00, FLOAT_CHIPS - 205_00)
    return desk


def test_a_recount_moves_vault_and_over_short_by_what_differs_from_the_count_before(short: CageDesk) -> None:
    before = vault(short)

    answer = recounts(short.carla, short.cast.mari, FLOAT_CASH + 195_00, FLOAT_CHIPS - 200_00, 1_00)

    assert (answer.version, answer.data["number"]) == (2, 2)
    assert (answer.data["money_difference_cents"], answer.data["chips_difference_cents"]) == (-4_00, 0)
    figures, after = drawer_figures(short.drawer_id), vault(short)
    assert (figures["over_short"], figures["chips_over_short"]) == (4_00, 0)
    assert (figures["cash"], figures["chips"], figures["card_slips"]) == (0, 0, 0)
    moved = {kind: after[kind] - before[kind] for kind in ("vault_cash", "vault_card_slips", "vault_chips")}
    assert moved == {"vault_cash": 15_00, "vault_card_slips": 1_00, "vault_chips": 5_00}
    first, second = DrawerCount.objects.order_by("number")
    assert (first.cash_cents, second.cash_cents) == (FLOAT_CASH + 180_00, FLOAT_CASH + 195_00)
    assert (second.counted_by, second.counted_with) == (short.cast.mari, short.carla)
    assert second.expected_cash_cents == first.expected_cash_cents == FLOAT_CASH + 200_00
    assert proved(short) == []


def test_a_recount_that_finds_the_same_moves_nothing(short: CageDesk) -> None:
    transfers = Transfer.objects.count()

    recounts(short.carla, short.cast.mari, FLOAT_CASH + 180_00, FLOAT_CHIPS - 205_00)

    assert Transfer.objects.count() == transfers
    assert proved(short) == []


@pytest.mark.parametrize(
    ("cash", "chips", "cents"), [(200_00, -200_00, 0), (180_00, -200_00, 20_00), (210_00, -205_00, 15_00)],
    ids=["gone", "less", "other"],
)  # fmt: skip
def test_the_floor_looks_at_what_the_newest_count_says(short: CageDesk, cash: int, chips: int, cents: int) -> None:
    (old,) = Doubt.objects.filter(judged_at=None)
    assert (old.kind, old.cents) == ("count_differs", 25_00)

    recounts(short.carla, short.cast.mari, FLOAT_CASH + cash, FLOAT_CHIPS + chips)

    assert [each.cents for each in Doubt.objects.filter(judged_at=None)] == ([cents] if cents else [])
    assert ("The count differs" in fragment(short.cast.room.pk, "floor", "en").html) == bool(cents)
    if cents:
        with pytest.raises(DayLeavesOpen):
            close_day(command(short.cast.mari))
    else:
        close_day(command(short.cast.mari))


def test_a_recount_may_raise_what_no_count_had_raised(desk: CageDesk) -> None:
    closes(desk.carla, desk.cast.mari, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    assert not Doubt.objects.exists()

    recounts(desk.cast.mari, desk.cast.frans, FLOAT_CASH - 10_00, FLOAT_CHIPS)

    assert [(each.kind, each.cents) for each in Doubt.objects.all()] == [("count_differs", 10_00)]


def test_others_count_again_than_those_who_did(short: CageDesk) -> None:
    cast, lies = short.cast, (FLOAT_CASH, FLOAT_CHIPS)
    opens(short.carla, cast.frans, short.drawer_id)
    buy(short, 10_00, "card")
    rauha, sanna = extra(short, "rauha", "cashier"), extra(short, "sanna", "floor")

    # Frans has counted; Carla stood by, and has paid. Neither of both counts now, and Frans does not stand by either.
    with pytest.raises(CountedBefore):
        recounts(cast.mari, cast.frans, *lies)
    with pytest.raises(Stale):
        _recounts(rauha, sanna, *lies, version=2)
    _recounts(short.carla, sanna, *lies)
    # Sanna has counted by now, and Mari has not.
    with pytest.raises(CountedBefore):
        _recounts(cast.mari, sanna, *lies, version=2)
    _recounts(short.carla, cast.mari, *lies, version=2)

    counts = DrawerCount.objects.order_by("number").values_list("counted_by__username", "counted_with__username")
    assert list(counts) == [("frans", "carla"), ("sanna", "carla"), ("mari", "carla")]
    assert proved(short) == []


def test_who_paid_from_a_drawer_does_not_count_it_again(desk: CageDesk) -> None:
    buy(desk)
    services.buy_in(command(desk.cast.mari), drawer_id=desk.drawer_id, amount_cents=50_00, method="card")
    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)

    with pytest.raises(OwnDrawer):
        recounts(desk.carla, desk.cast.mari, FLOAT_CASH, FLOAT_CHIPS)


def _recounts(by: Staff, second: Staff, *lies: int, version: int = 1) -> Answer:
    """As `recounts`, signed by somebody who has Frans's PIN, of the first session."""
    from casino.cage.services.counting import recount_drawer, recount_signs
    from casino.people.services import second_person

    session_id, counted, signing = DrawerSession.objects.earliest("id").pk, lying(*lies), command(by)
    pin = demo_person(second.username if second.username == "mari" else "frans").pin
    signs = recount_signs(session_id, version, Lies.by(**counted))
    second_person(signing, username=second.username, pin=pin, needs=NEEDS, signs=signs)
    return recount_drawer(signing, session_id=session_id, version=version, **counted, approved_by_id=second.pk)


def test_an_open_drawer_and_a_closed_day_take_no_recount(desk: CageDesk) -> None:
    session = DrawerSession.objects.get()
    with pytest.raises(NotFound):
        _recounts(desk.cast.mari, desk.cast.frans, FLOAT_CASH, FLOAT_CHIPS)

    closes(desk.carla, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    close_day(command(desk.cast.mari))
    with as_owner():
        GamingDay.objects.update(date="2026-11-01")
    open_day(command(desk.cast.mari))

    with pytest.raises(CountStands):
        recounts(desk.cast.mari, desk.cast.frans, FLOAT_CASH, FLOAT_CHIPS)
    mari = at_desktop(desk.cast.mari)
    assert mari.get(f"/cage/sessions/{session.pk}/recount/").status_code == 404
    assert "/recount/" not in mari.get(f"/cage/sessions/{session.pk}/").content.decode()


# ---- the proofs


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"cash_pieces": [[500_00, 1]]}, {"count_pieces", "event"}),
        ({"chips_cents": 1_00, "chip_pieces": [[1_00, 1]]}, {"count_posted", "event"}),
        ({"counted_with_id": None, "cash_pieces": None, "chip_pieces": None}, {"event"}),
    ],
    ids=["pieces", "sums", "as if nobody had signed"],
)
def test_a_count_that_somebody_touched_is_found(short: CageDesk, changed: dict[str, Any], what: set[str]) -> None:
    recounts(short.carla, short.cast.mari, FLOAT_CASH + 195_00, FLOAT_CHIPS - 200_00)

    with as_owner():
        DrawerCount.objects.filter(number=2).update(**changed)

    assert {each.what for each in problems(short.cast.room.pk)} == what


# ---- at once


@pytest.mark.smoke
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_two_recounts_at_once_are_one_and_the_other_is_told(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    desk, cast = committed_desk, committed_desk.cast
    closes(desk.carla, cast.mari, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)

    # Signed before: who signs is locked too, and the second would wait there.
    first, second = [recounting(cast.mari, cast.frans, FLOAT_CASH - short, FLOAT_CHIPS) for short in (5_00, 10_00)]
    if not is_locked:
        without_lock(monkeypatch, Drawer)

    # The constraint has the last word.
    with pytest.raises(Stale) if is_locked else pytest.raises(IntegrityError, match="numbered_once_per_session"):
        meet(first, second)

    assert DrawerCount.objects.get(number=2).money_difference_cents == -5_00
    assert drawer_figures(desk.drawer_id)["over_short"] == 5_00
    assert proved(desk) == []


@pytest.mark.smoke
@pytest.mark.parametrize("is_sold_first", [True, False])
@pytest.mark.parametrize("is_locked", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_sale_against_the_count_is_before_it_or_finds_the_drawer_closed(
    committed_desk: CageDesk, monkeypatch: pytest.MonkeyPatch, is_sold_first: bool, is_locked: bool
) -> None:
    desk = committed_desk

    def sells() -> None:
        arguments: dict[str, Any] = {"drawer_id": desk.drawer_id, "amount_cents": 100_00, "method": "cash"}
        services.buy_in(command(desk.carla), **arguments)

    counts = closing(desk.cast.mari, desk.cast.frans, desk.drawer_id, FLOAT_CASH, FLOAT_CHIPS)
    if not is_locked:
        without_lock(monkeypatch, Drawer)

    with nullcontext() if is_sold_first or not is_locked else pytest.raises(DrawerClosed):
        meet(*((sells, counts) if is_sold_first else (counts, sells)))

    (count,), short_cents = DrawerCount.objects.all(), 100_00 if is_sold_first and is_locked else 0
    assert (count.money_difference_cents, count.chips_difference_cents) == (-short_cents, short_cents)
    # Without the drawer's lock the count knows nothing of a sale that the drawer, closed and emptied, stands for.
    assert drawer_figures(desk.drawer_id)["chips"] == (0 if is_locked else -100_00)
    assert proved(desk) == []


# ---- on screens


@pytest.mark.helsinki
def test_the_page_shows_each_count_by_denomination_beside_what_was_expected(short: CageDesk) -> None:
    session, carla = DrawerSession.objects.get(), at_desktop(short.carla)
    page = f"/cage/sessions/{session.pk}/"
    form = in_form(FLOAT_CASH + 195_00, FLOAT_CHIPS - 200_00)
    recount = carla.get(f"{page}recount/").content.decode()

    assert "cash_50000" in recount
    for figure in ("5\xa0180", "5\xa0200", "19\xa0795", "19\xa0800"):
        assert figure not in recount
    answer = tap(carla, f"{page}recounted/", **form, username="mari", pin=demo_person("mari").pin, version=1)

    assert answer.headers["HX-Redirect"] == page
    page_html = carla.get(page).content.decode()
    for text in ("Count 1, by Frans", "Count 2, by Mari", "with Carla", "10 ×", "5\xa0195\xa0€", "5\xa0200\xa0€"):
        assert text in page_html, text
    stale = tap(carla, f"{page}recounted/", **form, username="mari", pin=demo_person("mari").pin, version=1)
    assert stale.status_code == 409
    counts = carla.get("/api/v1/cage/counts").json()
    assert [(each["number"], each["cash_cents"]) for each in counts] == [(2, 5_195_00), (1, 5_180_00)]
    assert counts[0]["cash_pieces"] == [[500_00, 10], [100_00, 1], [50_00, 1], [20_00, 2], [5_00, 1]]


@pytest.mark.parametrize("each", [18, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_expected_in_an_open_drawer_is_nowhere_its_cashier_may_look(db: None, each: int) -> None:
    """Every page and call that she may read, and all that is pushed to her: no figure of her open drawer."""
    # Sums that ids and stamps hardly reach.
    desk = open_desk(float_cash=770_000_00, float_chips=880_000_00)
    slip = buy(desk, 137_00)
    buy(desk, 211_00, "card")
    carla, session = at_desktop(desk.carla), DrawerSession.objects.get()
    figures = drawer_figures(desk.drawer_id)
    lies = {figures[kind] for kind in ("cash", "chips")} | {figures["cash"] + figures["card_slips"]}
    ids = {
        "number": 1, "drawer_id": desk.drawer_id, "slip_id": slip.pk, "session_id": session.pk,
        "player_id": desk.lee.pk, "staff_id": desk.carla.pk, "account_id": Account.objects.earliest("id").pk,
    }  # fmt: skip
    looked = _all_she_reads(carla, ids, each)
    looked |= {name: fragment(desk.cast.room.pk, name, "en").html for name in _pushed_to(desk.cast)}

    assert {*THERE, "cage.1"} <= set(looked)
    for where, text in looked.items():
        for cents in lies:
            for written in (str(cents), f"{cents // 100:,}".replace(",", "\xa0"), f"{cents // 100}"):
                # A figure, and not a part of a moment or a digest.
                assert not re.search(rf"(?<!\w){written}(?!\w)", text), f"{where} says {written}"


# Where money of a drawer stands at all.
THERE = ("/cage/1/", "/api/v1/cage/drawers", "/api/v1/cage/slips", "/api/v1/cage/counts")


def _all_she_reads(client: Client, ids: dict[str, int], each: int) -> dict[str, str]:
    """Return every page and call that is read and opens, by its address; of those far from the cage one of so many."""
    found = {}
    for number, route in enumerate(all_routes()):
        if number % each and "cage" not in str(route):
            continue
        path = str(route)
        for name, value in ids.items():
            path = path.replace(f"<int:{name}>", str(value))
        if "<" in path:
            continue
        answer = client.get(path)
        if answer.status_code == 200 and not answer.streaming:
            found[path] = answer.content.decode(errors="replace")
    return found


def _pushed_to(cast: Cast) -> list[str]:
    assert "audience.drawer" in actor(cast.carla).may
    return ["cage", "cage.1"]


def test_the_least_that_a_page_says_is_that_there_is_none(desk: CageDesk) -> None:
    carla = at_desktop(desk.carla)
    who: dict[str, Any] = {"username": "frans", "pin": demo_person("frans").pin}

    unsaid = tap(carla, "/cage/1/close/", cash_100="", chips_100="0", **who)
    assert 'data-code="malformed"' in unsaid.content.decode()
    assert tap(carla, "/cage/1/close/", cash_100="0", chips_100="0", **who).status_code == 200
    assert pieces(0) == [{"value_cents": 1_00, "count": 0}]
    assert DrawerCount.objects.get().cash_pieces == []
