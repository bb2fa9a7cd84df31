"""What else a gaming day's report tells: time charges, tips, what is noteworthy, and slips that were reversed."""

from datetime import timedelta
from typing import Any

import pytest

from casino.cage.models import Slip
from casino.cage.services import buy_in, open_day, reverse_slip
from casino.cage.services.voiding import NEEDS
from casino.people.models import Staff
from casino.people.services import ban_player
from casino.reports.figures import DayReport, SlipKind
from casino.waiting.services.lists import join_list
from tables.models import TimeTaken
from tables.services import choosing
from tables.services.chips import count_tip_box
from tables.services.disputes import set_pot_aside
from tables.services.incidents import write_incident
from tables.services.time_charges import take_back_time
from tests.cage.counting import signed
from tests.jackpot.beats import Beats
from tests.reports.test_day_report import DAY, SIX, closed, of_table, report
from tests.tables.conftest import House
from tests.tables.test_time_charges import Timed

pytestmark = pytest.mark.two_houses


def reversed_by_two(house: House, slip: Slip, *, by: Staff | None = None) -> None:
    house.at += timedelta(seconds=1)
    frans = house.cast.frans
    signing = signed(by or house.cast.carla, frans, f"slip.{slip.pk}", needs=NEEDS, at=house.at)
    reverse_slip(signing, slip_id=slip.pk, reason="wrong_amount", approved_by_id=frans.pk)


def bought_in(house: House, cents: int, nickname: str) -> Slip:
    arguments: dict[str, Any] = {"drawer_id": house.drawer_id, "amount_cents": cents, "method": "cash"}
    house.tap(buy_in, house.cast.carla, **arguments, player_id=house.player(nickname).pk)
    return Slip.objects.latest("id")


def players(found: DayReport) -> dict[str, int | None]:
    return {each.nickname: each.bought_in_cents for each in found.players}


def test_a_slip_is_of_the_day_that_paid_it_and_its_reversal_of_the_day_that_made_it(house: House) -> None:
    """Kai's 50 € are reversed the same day, Lee's 100 € on the next one."""
    slip = bought_in(house, 100_00, "Lee")
    reversed_by_two(house, bought_in(house, 50_00, "Kai"))
    house.close_drawer()
    house.close_day()
    before = report(house, DAY)
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    house.open_drawer(500_00)
    reversed_by_two(house, slip)
    yesterday, today = report(house, DAY), report(house)

    assert before.slips == yesterday.slips == [SlipKind("buy_in", "cash", 2, 150_00, 1, 50_00, 100_00)]
    assert today.slips == [SlipKind("buy_in", "cash", 0, 0, 1, 100_00, -100_00)]
    assert players(yesterday) == {"Lee": 100_00, "Kai": 0}
    assert players(today) == {"Lee": -100_00}
    assert (before.differs, yesterday.differs, today.differs) == (0, 0, 0)


@pytest.mark.rule("L-G18", "L-G20", "L-O46")
def test_what_is_noteworthy_is_counted_where_it_happened(house: House) -> None:
    house.open(1, **SIX)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Aino").pk)
    house.tap(choosing.seat, table=house.table(), seat_number=7, player_id=house.player("Ville").pk)
    house.open(2, Sara=1)
    table_id = house.table_id()
    hand = house.settle(86_00)
    house.tap(set_pot_aside, table_id=table_id, hand_row_id=hand.pk)
    people = [house.player("Kai").pk]
    house.tap(write_incident, kind="ruling", table_id=house.table_id(2), text="The button stays")
    house.tap(write_incident, kind="warning", player_ids=people, table_id=table_id, text="Talked in a hand")
    house.tap(write_incident, kind="warning", player_ids=people, text="Shouted at the bar")
    house.tap(ban_player, player_id=house.player("Riku").pk, reason="Took a chip")
    house.tap(count_tip_box, table_id=table_id, counted_cents=7_00)
    found = report(house)

    assert of_table(found).notes == {"disputes": 1, "penalties": 1, "overrules": 1}
    assert of_table(found, 2).notes == {"rulings": 1}
    assert found.elsewhere == {"penalties": 1, "restrictions": 1}
    assert (of_table(found).tips_cents, of_table(found, 2).tips_cents) == (7_00, 0)


@pytest.mark.rule("L-G20")
def test_a_jackpot_that_was_hit_is_told_of_the_opening_whose_hand_hit_it(house: House) -> None:
    beats = Beats(house)
    beats.open()
    beats.approved(beats.verified(beats.entered()))

    assert of_table(report(house)).notes == {"jackpot_hits": 1}


def test_time_that_is_paid_is_rake_of_the_table_and_of_no_dealer(house: House) -> None:
    """Three players owe 2 € each for half an hour; a second period was taken by mistake and is taken back."""
    timed = Timed(house)
    house.settle(86_00)
    timed.take(1)
    timed.later(minutes=30)
    timed.take(2)
    again = TimeTaken.objects.latest("id")
    house.tap(take_back_time, table_id=house.table_id(), time_id=again.pk)
    found = report(house)

    taken = TimeTaken.objects.get(taken_back_at=None).paid_cents
    rake = of_table(found).charges["rake"]
    assert (rake.due, rake.taken, rake.posted) == (taken, taken, taken)
    assert taken > 0
    assert [each.taken for each in found.dealers] == [{}]


@pytest.mark.slow
@pytest.mark.parametrize("is_named", [True, False])
def test_a_day_is_read_by_its_date_and_no_other_day_is_in_it(house: House, is_named: bool) -> None:
    house.open(1, **SIX)
    house.settle(86_00)
    closed(house)
    house.close_drawer()
    house.close_day()
    house.at += timedelta(days=1)
    house.tap(open_day, house.cast.mari)
    house.open(2, Lee=1, Kai=2)
    house.settle(86_00, number=2)
    found = report(house, DAY if is_named else None)

    number = 1 if is_named else 2
    assert [(each.table_number, each.hands) for each in found.tables] == [(number, 1)]
    assert found.differs == 0
