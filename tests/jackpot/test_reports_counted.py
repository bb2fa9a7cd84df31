"""Beside the logged drops a report has what was counted in the drop boxes, over or short, and what is still to be."""

import csv
import io
from datetime import timedelta
from typing import Any

import pytest

from casino import clock
from casino.audit.selectors import breaks
from casino.boxes.models import Box
from casino.cage.services import open_day
from casino.ledger.proof import problems
from jackpot.selectors.counted import _shared
from jackpot.selectors.reconciling import COUNTED
from tests.boxes.hanging import Hanging
from tests.jackpot.beats import Beats
from tests.jackpot.books import JACKPOTS_OF_TWO_KINDS, second_pool
from tests.jackpot.test_reports import TODAY, Signing, report
from tests.jackpot.test_takings import end_day
from tests.tables.conftest import House
from tests.taps import at_desktop

pytestmark = pytest.mark.two_houses


def counted_of(house: House, code: str = "bad-beat") -> dict[str, int] | None:
    (pool,) = (pool for pool in report(house).pools if pool.code == code)
    if pool.counted is not None:
        assert (
            pool.history["dropped"] + pool.counted["over_short"] == pool.counted["counted"] + pool.counted["uncounted"]
        )
    return dict(pool.counted) if pool.counted is not None else None


def figures(*cents: int) -> dict[str, int]:
    return dict(zip(COUNTED, cents, strict=True))


@pytest.mark.slow
@pytest.mark.rule("H7.17", "L-P41")
def test_counts_of_the_next_morning_stand_beside_the_drops_of_their_day_and_after_its_signing(house: House) -> None:
    beats, boxes = Beats(house), Hanging(house)
    beats.open()
    first = boxes.hang(7, "drop")
    drop, _ = (beats.played().taken("drop") for _ in range(2))
    boxes.hang(8, "drop")
    for _ in range(3):
        beats.played()
    # One whose drops are in no numbered box.
    boxes.drop("drop")
    beats.played()
    end_day(house)
    nobody = counted_of(house)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    boxes.count(first, 1)
    some = counted_of(house)
    sign = Signing(beats)
    row = sign(first=TODAY, last=TODAY)
    second = Box.objects.get(charge="drop", number=8)
    boxes.count(second, 4)
    client, address = at_desktop(sign.olavi), f"/jackpot/reports/{row.pk}/"
    with clock.frozen(house.at):
        page = client.get(address).content.decode()
        call: dict[str, Any] = client.get(f"/api/v1/jackpot/signed-reports/{row.pk}").json()
        rows = list(csv.DictReader(io.StringIO(client.get(f"{address}report.csv").content.decode())))

    # 1.00 of two drops, then 4.00 of three more; of one there is no count yet.
    at_first, since = (1_00, 1_00 - 2 * drop, 4 * drop), (4_00, 4_00 - 3 * drop, -3 * drop)
    assert (nobody, some) == (None, figures(*at_first))
    assert counted_of(house) == figures(5_00, 5_00 - 5 * drop, drop)
    assert call["since"] == {"bad-beat": figures(*since)}
    (pool,) = call["report"]["pools"]
    assert (pool["counted_cents"], pool["over_short_cents"], pool["uncounted_cents"]) == at_first
    assert (pool["agrees"], call["is_as_signed"]) == (True, True)
    by_figure = {each["figure"]: (each["cents"], each["changed_since_cents"]) for each in rows}
    assert [by_figure[name] for name in COUNTED] == [
        (str(was), str(more)) for was, more in zip(at_first, since, strict=True)
    ]
    assert "Not counted yet" in page
    assert "changed since it was signed" in page
    # The pool follows the log, whatever is counted.
    assert [each.detail for each in problems(house.room_id)] == []
    assert list(breaks(house.room_id)) == []


def test_a_count_again_holds_and_each_jackpot_has_its_own_boxes(house: House) -> None:
    beats, boxes = Beats(house), Hanging(house)
    second_pool(house, JACKPOTS_OF_TWO_KINDS)
    beats.open()
    box = boxes.hang(7, "drop")
    beats.played()
    boxes.drop("drop")
    boxes.count(box, 3)
    # Counted before the day's close: it has no pool yet.
    with clock.frozen(house.at):
        early = [pool.counted for pool in report(house).pools]
    boxes.count(box, 1)
    end_day(house)

    assert early == [None] * len(early)
    assert counted_of(house, "small") == figures(1_00, 0, 0)
    assert counted_of(house) is None


@pytest.mark.parametrize(
    ("cents", "pools", "shares"),
    [
        (300, {1: 100, 2: 200}, {1: 100, 2: 200}),
        (150, {1: 100, 2: 200}, {1: 100, 2: 50}),
        (500, {1: 100, 2: 200}, {1: 100, 2: 200}),
        (50, {1: -100, 2: 200}, {1: -100, 2: 150}),
        (-50, {1: 100}, {1: 0}),
        (100, {}, {}),
    ],
)
def test_what_was_counted_of_two_jackpots_is_the_first_one_s_first(
    cents: int, pools: dict[int, int], shares: dict[int, int]
) -> None:
    assert _shared(cents, pools) == shares
