"""Numbered boxes: what falls into each is what the log put there while it hung, and two count it blind."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from casino import clock
from casino.audit.models import Event
from casino.audit.selectors import breaks
from casino.boxes import services
from casino.boxes.day_end import BOXES_WAIT
from casino.boxes.errors import (
    AnotherSince,
    BoxCounted,
    BoxElsewhere,
    BoxHasChips,
    BoxStillHangs,
    NothingToDrop,
    OwnBox,
    OwnBoxDiffers,
)
from casino.boxes.models import Box, BoxCount
from casino.boxes.selectors.boxes import places_of, waiting_boxes
from casino.boxes.words import box_name
from casino.cage.services import open_day
from casino.errors import Malformed, NotFound, Stale
from casino.ledger.models import Account, Posting, Transfer
from casino.ledger.proof import problems
from casino.ledger.selectors.accounts import house_figures
from casino.people.errors import NeedsSecondSignature
from jackpot.models import Collection
from tables.models import Hand, ToDo
from tables.services.corrections import undo_hand, void_settled_hand
from tests.boxes.hanging import Hanging, pieces_of
from tests.cage.counting import signed
from tests.cast import command, demo_person
from tests.jackpot.beats import SEVEN
from tests.jackpot.test_takings import end_day
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.promotion.kind import registered
from tests.taps import at_desktop, tap

pytestmark = pytest.mark.two_houses


def sound(house: House) -> None:
    assert [each.detail for each in problems(house.room_id)] == []
    assert list(breaks(house.room_id)) == []


def to_judge() -> list[int | None]:
    return list(Box.objects.filter(to_judge=True).order_by("id").values_list("number", flat=True))


def played(house: House, *pots: int) -> list[Hand]:
    """Log hands of seven players, each of which pays rake and drop by the book."""
    return [house.settle(pot, winners=(2,), dealt_in=tuple(SEVEN.values())) for pot in pots]


def taken(hands: list[Hand], charge: str = "rake") -> int:
    """Return how many chips of 1.00 hands have paid."""
    return sum(hand.taken(charge) for hand in hands) // 1_00


@pytest.mark.rule("H1.88")
def test_each_box_has_what_the_log_put_there_while_it_hung_and_what_differs_has_its_own_account(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    first, drops = boxes.hang(7), boxes.hang(7, "drop")
    before = played(house, 60_00, 20_00)
    # Clocks are set back; the places in the log are not.
    house.at -= timedelta(hours=3)
    second = boxes.hang(8)
    after = played(house, 40_00)
    boxes.drop()
    boxes.drop("drop")
    vault = house_figures(house.room_id)["vault_chips"]
    in_first, in_second, dropped = taken(before), taken(after), taken(before + after, "drop")
    counts = [boxes.count(first, in_first - 1), boxes.count(second, in_second + 1), boxes.count(drops, dropped)]

    assert [(each.expected_cents, each.difference_cents) for each in counts] == [
        (in_first * 1_00, -1_00), (in_second * 1_00, 1_00), (dropped * 1_00, 0),
    ]  # fmt: skip
    assert house_figures(house.room_id)["vault_chips"] - vault == (in_first + in_second + dropped) * 1_00
    lies = house.figures()
    assert (lies["rake_box"], lies["jackpot_box"], lies["rake_over_short"], lies["drop_over_short"]) == (0, 0, 0, 0)
    assert to_judge() == [7, 8]
    sound(house)

    # Counted again: the newest holds, and the first stays as it was.
    again = boxes.count(first, in_first)
    assert (again.number, again.difference_cents, house.figures()["rake_over_short"]) == (2, 0, -1_00)
    assert [each.difference_cents for each in first.counts.order_by("number")] == [-1_00, 0]
    assert to_judge() == [8]
    second.refresh_from_db()
    house.tap(services.judge_count, box_id=second.pk, version=second.version)
    assert to_judge() == []
    sound(house)


@pytest.mark.slow
def test_a_box_may_be_counted_the_next_morning_which_names_its_day(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    box = boxes.hang(7, "drop")
    dropped = taken(played(house, 20_00, 20_00), "drop")
    end_day(house)
    box = boxes.drop("drop")
    collected = Collection.objects.get()
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    count = boxes.count(box, dropped - 1)

    transfer = Transfer.objects.get(kind="box_counted")
    assert (count.expected_cents, count.difference_cents, collected.cents) == (dropped * 1_00, -1_00, dropped * 1_00)
    assert count.day_id == transfer.day_id > collected.day_id
    assert (transfer.made_by_id, transfer.approved_by_id) == (house.cast.carla.pk, house.cast.frans.pk)
    assert house.figures()["drop_over_short"] == 1_00
    sound(house)


@pytest.mark.slow
def test_a_table_needs_no_numbered_box_and_what_fell_there_meanwhile_is_counted_by_itself(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    with pytest.raises(NothingToDrop):
        boxes.drop()
    fell = [played(house, 40_00)]
    loose = {(each.kind.code, each.has_loose) for each in places_of(house.room_id) if each.table.number == 1}
    numbered = boxes.hang(7)
    fell.append(played(house, 20_00))
    boxes.drop()
    fell.append(played(house, 60_00))
    unnumbered = boxes.drop()
    waiting = waiting_boxes(house.room_id)
    counts = [boxes.count(each, 3) for each in waiting]

    assert loose == {("rake", True), ("drop", True)}
    assert [(each.pk, each.number) for each in waiting] == [
        (numbered.replaces_id, None), (numbered.pk, 7), (unnumbered.pk, None),
    ]  # fmt: skip
    assert [each.expected_cents for each in counts] == [taken(hands) * 1_00 for hands in fell]
    assert box_name(waiting[0]) == "Rake box, without a number"
    assert house.figures()["rake_box"] == 0
    sound(house)


def test_who_counts_a_box_without_a_number_says_why_it_has_none(boxes: Hanging) -> None:
    house = boxes.house
    house.open(1, **SEVEN)
    lies = taken(played(house, 40_00))
    box = boxes.drop()
    carla, clauses = at_desktop(house.cast.carla), {"second": {"username": "frans", "pin": demo_person("frans").pin}}
    piece = {"value_cents": 1_00, "count": lies}
    form: Any = {
        "version": str(box.version),
        "pieces_100": str(lies),
        "username": "frans",
        "pin": clauses["second"]["pin"],
    }

    def counts(**reason: Any) -> tuple[Any, Any]:
        """Give it by a call, and by the page."""
        call = carla.post(
            f"/api/v1/boxes/{box.pk}/count", {"pieces": [piece], **clauses, **reason}, content_type="application/json",
            headers={"Idempotency-Key": str(uuid.uuid4()), "If-Match": f'"{box.version}"'},
        )  # fmt: skip
        return call, tap(carla, f"/boxes/{box.pk}/count/", **form, **reason)

    with clock.frozen(house.at):
        page = carla.get(f"/boxes/{box.pk}/").content.decode()
        (waits,) = [each for each in carla.get("/api/v1/boxes/").json() if each["id"] == box.pk]
        call, tapped = counts()
        assert (call.status_code, call.json()["code"], tapped.status_code) == (422, "box_reason_needed", 422)
        assert 'data-code="box_reason_needed"' in tapped.content.decode()
        assert BoxCount.objects.count() == 0
        call, tapped = counts(reason="late")
        shown = carla.get(f"/boxes/{box.pk}/").content.decode()

    assert re.search(r'<select id="box-reason" name="reason" required>', page)
    assert waits["needs_reason"] is True
    # The page's is stale by then: the call has counted it.
    assert (call.status_code, tapped.status_code) == (200, 409)
    count = BoxCount.objects.get()
    assert (count.reason, count.difference_cents) == ("late", 0)
    assert "It was logged after the box was taken down" in shown
    (event,) = Event.objects.filter(name="boxes.count_box", result="done")
    assert '"no_number_reason":"late"' in event.text
    sound(house)


def test_a_reason_that_stands_otherwise_than_both_signed_it_is_found(boxes: Hanging) -> None:
    house = boxes.house
    house.open(1, **SEVEN)
    lies = taken(played(house, 40_00))
    count = boxes.count(boxes.drop(), lies // 100)
    sound(house)

    found = []
    with as_owner():
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE boxes_boxcount DISABLE TRIGGER USER")
        for reason in ("late", ""):
            BoxCount.objects.filter(id=count.pk).update(reason=reason)
            found.append([(each.chain, each.number, each.problem) for each in breaks(house.room_id)])

    assert found == [
        [("box_count_reason", count.pk, "it is not what its event says")],
        [("box_count_reason", count.pk, "the log knows it, and it is not there")],
    ]


def test_a_box_that_has_a_number_has_no_reason_for_none(boxes: Hanging) -> None:
    house, cast = boxes.house, boxes.house.cast
    house.open(1, **SEVEN)
    boxes.hang(7)
    box, pieces = boxes.drop(), pieces_of(0)
    signs = services.count_signs(box.pk, version=box.version, cents=0, reason="late")
    signing = signed(cast.carla, cast.frans, signs, needs=services.NEEDS, at=house.at)

    with pytest.raises(Malformed) as refused:
        services.count_box(
            signing, box_id=box.pk, version=box.version, pieces=pieces, approved_by_id=cast.frans.pk, reason="late"
        )

    assert refused.value.data["field"] == "reason"


def test_what_fell_on_days_before_any_box_hung_is_in_no_box_of_now(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    earlier = played(house, 60_00)
    earlier.append(house.settle(40_00, by=house.cast.frans, winners=(2,), dealt_in=tuple(SEVEN.values())))
    end_day(house)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    house.open(1, **SEVEN)
    nobody_asks = [each.has_loose for each in places_of(house.room_id)]
    with pytest.raises(NothingToDrop):
        boxes.drop("drop")
    in_none = taken(played(house, 20_00))
    box = boxes.hang(7)
    in_box = taken(played(house, 80_00))
    boxes.drop()
    before, loose, numbered = waiting_boxes(house.room_id)

    assert nobody_asks == [False, False]
    assert (numbered, numbered.replaces_id, box_name(before)) == (box, loose.pk, "Rake box, of before it had numbers")
    assert [vars(each)["is_last"] for each in (before, loose, numbered)] == [False, False, True]
    assert str(BOXES_WAIT.warning(house.room_id)) == "2 boxes wait to be counted."
    assert [boxes.count(loose, in_none).difference_cents, boxes.count(box, in_box).difference_cents] == [0, 0]
    # The room may count it once, and whoever dealt in all these days may too.
    assert boxes.count(before, taken(earlier)).difference_cents == 0
    assert house.figures()["rake_box"] == 0
    sound(house)


def test_less_than_nothing_that_fell_while_no_box_hung_is_in_the_next_one(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    first = boxes.hang(7)
    (hand,) = played(house, 40_00)
    paid = taken([hand])
    boxes.drop()
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=hand.pk, reason="void")
    rake = next(each for each in places_of(house.room_id) if each.kind.code == "rake")
    with pytest.raises(NothingToDrop):
        boxes.drop()
    second = boxes.hang(8)
    later = played(house, 60_00)
    boxes.drop()

    assert (rake.box, rake.has_loose, [each.number for each in waiting_boxes(house.room_id)]) == (None, False, [7, 8])
    assert boxes.count(first, paid).difference_cents == boxes.count(second, taken(later)).difference_cents == 0
    assert house.figures()["rake_box"] == 0
    sound(house)


def test_a_box_hung_by_mistake_is_taken_back_though_a_hand_was_put_right_while_none_hung(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    boxes.hang(7)
    (hand,) = played(house, 40_00)
    boxes.drop()
    house.at += timedelta(minutes=1)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=hand.hand_id)
    house.settle(40_00, again_of=hand.hand_id)
    house.at += timedelta(minutes=1)

    boxes.take_back(boxes.hang(8))

    assert boxes.hangs() is None
    sound(house)


def test_what_was_done_last_is_taken_back_step_by_step(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    dropped = taken(played(house, 20_00), "drop")
    first = boxes.hang(7)
    dropped += taken(played(house, 40_00), "drop")
    second = boxes.hang(8)
    with pytest.raises(AnotherSince):
        boxes.take_back(first)
    # The second never hung: all that falls now lies in the first.
    boxes.take_back(second)
    assert boxes.hangs() == first
    # What the log has put into a box lies nowhere else, though the hand is taken back again.
    third = boxes.hang(9)
    (hand,) = played(house, 20_00)
    paid, dropped = taken([hand]), dropped + taken([hand], "drop")
    with pytest.raises(BoxHasChips):
        boxes.take_back(third)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=hand.hand_id)
    with pytest.raises(BoxHasChips):
        boxes.take_back(third)
    boxes.drop()
    assert boxes.count(third, paid).difference_cents == 0
    first = boxes.hang(17)
    hands = played(house, 40_00)
    boxes.drop()
    boxes.take_back(first)
    assert boxes.hangs() == first
    boxes.drop()
    assert boxes.count(first, taken(hands)).difference_cents == 0
    with pytest.raises(BoxCounted):
        boxes.take_back(first)
    # A first one was hung by mistake: what lay there in none lies there again.
    third = boxes.hang(9, "drop")
    boxes.take_back(third)
    assert (boxes.hangs("drop"), Box.objects.filter(charge="drop").exclude(Box.WAITS).count()) == (None, 2)
    assert boxes.count(boxes.drop("drop"), dropped + taken(hands, "drop")).difference_cents == 0
    with pytest.raises(NotFound):
        boxes.take_back(third)
    sound(house)


def test_what_a_box_replaced_was_counted_and_is_not_taken_back(boxes: Hanging):
    boxes.house.open(1, **SEVEN)
    first = boxes.hang(7)
    second = boxes.hang(8)
    boxes.count(first, 0)

    with pytest.raises(BoxCounted):
        boxes.take_back(second)

    assert boxes.hangs() == second
    assert BoxCount.objects.get().transfer_id is None
    sound(boxes.house)


def test_a_box_is_in_one_place_until_it_is_counted(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    house.open(2, Noora=1)
    box = boxes.hang(7)
    boxes.hang(7, "drop", table=2)
    for number, table in ((7, 2), (7, 1)):
        with pytest.raises(BoxElsewhere) as refused:
            boxes.hang(number, table=table)
        assert refused.value.data == {"number": 7, "table_number": 1}
    boxes.drop()
    with pytest.raises(BoxElsewhere):
        boxes.hang(7, table=2)
    boxes.count(box, 0)

    assert boxes.hang(7, table=2).table.number == 2
    sound(house)


def test_who_acts_says_what_they_saw_hanging(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    box = boxes.hang(7)
    at: dict[str, Any] = {"table_id": house.table_id(), "charge": "rake"}
    for service, arguments in (
        (services.hang_box, {**at, "number": 8}),
        (services.drop_box, at),
        (services.drop_box, {**at, "charge": "drop", "box_id": box.pk}),
        (services.take_back, {"box_id": box.pk, "version": box.version + 1}),
        (services.judge_count, {"box_id": box.pk, "version": box.version + 1}),
    ):
        with pytest.raises(Stale):
            house.tap(service, **arguments)
    for wrong in ({"charge": "tips", "number": 8}, {"number": 0}, {"number": 10_000}):
        with pytest.raises(Malformed):
            house.tap(services.hang_box, **{**at, "instead_of": box.pk, **wrong})
    with pytest.raises(NotFound):
        house.tap(services.judge_count, box_id=box.pk, version=box.version)


@pytest.mark.parametrize(
    "piece",
    [{"value_cents": 7, "count": 3}, {"value_cents": 10**11, "count": 10**9}, {"value_cents": 1_00, "count": -1}],
    ids=["no such chip", "beyond all sums", "less than none"],
)
def test_a_box_is_counted_by_chips_that_there_are(boxes: Hanging, piece: dict[str, int]):
    house = boxes.house
    house.open(1, **SEVEN)
    boxes.hang(7)
    box, pieces = boxes.drop(), [*pieces_of(2), piece]
    signing = boxes.signed(box, pieces, by=house.cast.carla, second=house.cast.frans)

    with pytest.raises(Malformed) as refused:
        services.count_box(
            signing, box_id=box.pk, version=box.version, pieces=pieces, approved_by_id=house.cast.frans.pk
        )

    assert refused.value.data["field"] == "pieces"


def test_two_count_and_neither_has_dealt_into_the_box(boxes: Hanging):
    house, cast = boxes.house, boxes.house.cast
    house.open(1, **SEVEN)
    box = boxes.hang(7)
    with pytest.raises(BoxStillHangs):
        boxes.count(box, 0)
    # Of a hand without a pot nothing is due, and who deals it is at the box all the same.
    hand = house.settle(by=cast.frans, winners=(2,), dealt_in=tuple(SEVEN.values()))
    assert hand.taken("rake") == 0
    lies = taken(played(house, 20_00))
    boxes.drop()
    for by, second in ((cast.carla, cast.frans), (cast.frans, cast.carla)):
        with pytest.raises(OwnBox):
            boxes.count(box, lies, by=by, second=second)
    version = Box.objects.values_list("version", flat=True).get(id=box.pk)
    arguments: dict[str, Any] = {"box_id": box.pk, "version": version, "pieces": pieces_of(lies)}
    with pytest.raises(NeedsSecondSignature):
        services.count_box(command(cast.carla, at=house.at), **arguments, approved_by_id=cast.mari.pk)
    # They have signed another sum than the one that is counted.
    signing = boxes.signed(box, pieces_of(lies + 1), by=cast.carla, second=cast.mari)
    with pytest.raises(NeedsSecondSignature):
        services.count_box(signing, **arguments, approved_by_id=cast.mari.pk)
    with pytest.raises(Malformed):
        boxes.house.tap(services.count_box, box_id=box.pk, version=version, pieces=[], approved_by_id=cast.mari.pk)
    assert boxes.count(box, lies, by=cast.carla, second=cast.mari).difference_cents == 0

    event = Event.objects.filter(name="boxes.count_box", result="done").get()
    assert '"box_count":{' in event.text
    # Nor is it theirs to judge what it lacks.
    boxes.count(box, 0, by=cast.carla, second=cast.mari)
    box.refresh_from_db()
    with pytest.raises(OwnBoxDiffers):
        house.tap(services.judge_count, cast.frans, box_id=box.pk, version=box.version)
    house.tap(services.judge_count, cast.mari, box_id=box.pk, version=box.version)
    sound(house)


def test_a_hand_that_is_put_right_after_the_change_is_put_right_where_the_log_says_it(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    first = boxes.hang(7)
    (hand,) = played(house, 40_00)
    paid, second = taken([hand]), boxes.hang(8)
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=hand.pk, reason="void")
    boxes.drop()

    # Its chips lie in the first, whatever the log took out of the second, and that is no news of either.
    assert [boxes.count(first, paid).difference_cents, boxes.count(second, 0).difference_cents] == [0, 0]
    assert house.figures()["rake_over_short"] == 0
    sound(house)


@pytest.mark.parametrize("is_there", [True, False], ids=["chips left there", "chips taken out"])
def test_a_count_expects_what_an_undone_hand_left_in_the_box_and_closes_it(boxes: Hanging, is_there: bool) -> None:
    house = boxes.house
    house.open(1, **SEVEN)
    rake, drop = boxes.hang(7), boxes.hang(7, "drop")
    (hand,) = played(house, 40_00)
    paid, dropped = taken([hand]), taken([hand], "drop")
    house.tap(void_settled_hand, table_id=house.table_id(), hand_row_id=hand.pk, reason="void")
    boxes.drop()
    boxes.drop("drop")
    in_play = house.figures()["in_play"]
    count = boxes.count(rake, paid if is_there else 0)
    waits = ToDo.objects.filter(done_at=None).count()
    boxes.count(drop, dropped)

    difference = 0 if is_there else -paid * 1_00
    assert (count.expected_cents, count.difference_cents) == (paid * 1_00, difference)
    assert house.boxes() | {"rake": (0, 0), "drop": (0, 0)} == house.boxes()
    # What its players did not get back is no longer in play, whoever has it now.
    assert (
        house.figures() | {"in_play": in_play - (paid + dropped) * 1_00, "rake_over_short": -difference}
        == house.figures()
    )
    assert (waits, ToDo.objects.filter(done_at=None).count()) == (1, 0)
    sound(house)

    # Counted again, the same is expected; only what is found now moves.
    assert boxes.count(rake, paid).difference_cents == 0
    assert house.figures()["rake_over_short"] == 0
    sound(house)


def test_a_hand_that_is_logged_again_after_the_change_has_its_chips_in_the_box_of_before(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    first = boxes.hang(7)
    (hand,) = played(house, 40_00)
    house.tap(undo_hand, house.cast.anna, table_id=house.table_id(), hand_id=hand.hand_id)
    second = boxes.hang(8)
    counted = boxes.count(first, taken([hand]))
    house.settle(40_00, winners=(2,), dealt_in=tuple(SEVEN.values()), again_of=hand.hand_id)
    boxes.drop()

    assert [counted.difference_cents, boxes.count(second, 0).difference_cents] == [0, 0]
    assert house.boxes()["rake"] == (0, 0)
    sound(house)


def test_a_charge_that_nobody_has_heard_of_has_its_box(boxes: Hanging):
    with registered():
        boxes.house.open(1, **SEVEN)
        played(boxes.house, 60_00)
        box = boxes.hang(7, "promotion")
        assert [each.box for each in places_of(boxes.house.room_id) if each.kind.code == "promotion"] == [box]
        boxes.drop("promotion")
        assert boxes.count(box, 1).difference_cents == 1_00
        assert boxes.house.figures()["promotion_over_short"] == -1_00


def test_the_proofs_find_a_count_a_box_and_a_posting_that_do_not_go_together(boxes: Hanging):
    house = boxes.house
    house.open(1, **SEVEN)
    first = boxes.hang(7)
    paid = taken(played(house, 40_00))
    second = boxes.hang(8)
    count = boxes.count(first, paid + 1)
    first.refresh_from_db()

    def found() -> set[str]:
        return {each.what for each in problems(house.room_id)} - {"event"}

    with as_owner():
        assert found() == set()
        for of, fields, what in (
            (
                Box.objects.filter(id=first.pk),
                {"hung_after": first.dropped_after or 0},
                {"box_expected", "box_in_turn"},
            ),
            (Box.objects.filter(id=second.pk), {"hung_after": 0}, {"box_in_turn"}),
            (Box.objects.filter(id=first.pk), {"is_counted": False}, {"box_in_turn"}),
            (Box.objects.filter(id=first.pk), {"charge": "drop"}, {"box_posted"}),
        ):
            was = {name: getattr(of.get(), name) for name in fields}
            of.update(**fields)
            assert found() >= what, fields
            of.update(**was)
        # A transfer of that kind which no count knows.
        Transfer.objects.create(
            room_id=house.room_id, day_id=count.day_id, kind="box_counted", key="x", at=house.at,
        )  # fmt: skip
        transfer = Transfer.objects.get(key="x")
        accounts = Account.objects.filter(owner_kind="table", owner_id=house.table_id())
        for kind, cents in (("rake_box", -1_00), ("rake_over_short", 1_00)):
            Posting.objects.create(transfer=transfer, account=accounts.get(kind=kind), cents=cents)
        assert "box_posted" in found()
