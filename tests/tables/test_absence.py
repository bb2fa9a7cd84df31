"""Players who are away: the limit, the long break, buttons that pass, and the stack that two pick up."""

from datetime import timedelta

import pytest

from casino.cage.errors import SlipNotWaiting
from casino.cage.models import Slip
from casino.cage.services import take_money
from casino.ledger.selectors.accounts import deposit_cents
from casino.live.areas import TODO
from casino.people.errors import NeedsSecondSignature
from casino.people.services import second_person
from casino.rooms.models import RuleBookVersion
from casino.rulebooks import text_of
from casino.waiting.services.lists import join_list
from tables.errors import HandInProgress, LongBreakTaken, NobodyWaits, NotAway, StillInTime
from tables.errors_houses import SeatHeldTooLong
from tables.models import Opening, Seating
from tables.services.absence_limits import NEEDS, pick_up_stack, set_absence_limit, set_long_break, signature
from tables.services.corrections import undo_hand
from tables.services.seating import take_back_leaving
from tests.cast import command
from tests.support.owner import as_owner
from tests.tables.conftest import House
from tests.tables.test_missed_blinds import Evening

pytestmark = [pytest.mark.django_db, pytest.mark.two_houses]


@pytest.fixture
def evening(house: House) -> Evening:
    return Evening(house)


def by_orbits(house: House) -> None:
    """Have the house count buttons, as in Aarhus, from now on."""
    helsinki, aarhus = (text_of(book).split("[absence]")[1].split("\n\n")[0] for book in ("helsinki", "royal"))
    for version in RuleBookVersion.objects.filter(room_id=house.room_id):
        text = version.text.replace(helsinki, aarhus)
        new = RuleBookVersion.objects.create(
            room_id=house.room_id,
            book="orbits",
            number=version.number + 100,
            text=text,
            digest="0" * 64,
            holds_from=house.at,
        )
        with as_owner():
            Opening.objects.update(rule_book_version_id=new.pk)


def later(house: House, minutes: int) -> None:
    house.at += timedelta(minutes=minutes)


def pick_up(house: House, seating: Seating, cents: int, *, pin: str = "1357") -> None:
    """Frans counts, Mari counts with him and signs."""
    house.at += timedelta(seconds=1)
    tap = command(house.cast.frans, at=house.at)
    signs = signature(seating.pk, cents)
    second = second_person(tap, username=house.cast.mari.username, pin=pin, needs=NEEDS, signs=signs)
    pick_up_stack(tap, table_id=seating.table_id, seating_id=seating.pk, stack_cents=cents, counted_with_id=second)


@pytest.mark.helsinki
@pytest.mark.rule("H1.8", "H1.10")
def test_a_seat_is_held_until_the_houses_limit_or_the_floors(evening):
    evening.hold(4, is_held=True)
    away = evening.seating(4)
    assert away.away_limit_at == away.away_since + timedelta(minutes=20)

    evening.house.tap(set_absence_limit, table_id=evening.table.pk, seating_id=away.pk, minutes=45)

    assert evening.seating(4).away_limit_at == evening.house.at + timedelta(minutes=45)
    evening.hold(4, is_held=False)
    assert evening.seating(4).away_limit_at is None


@pytest.mark.rule("H1.10")
def test_the_floor_holds_a_seat_for_no_longer_than_the_book_has_it(evening):
    evening.hold(4, is_held=True)
    most = evening.house.table().opening.terms.absence.floor_minutes_max
    arguments = {"table_id": evening.table.pk, "seating_id": evening.seating(4).pk}

    with pytest.raises(SeatHeldTooLong) as refused:
        evening.house.tap(set_absence_limit, **arguments, minutes=most + 1)
    evening.house.tap(set_absence_limit, **arguments, minutes=most)

    assert refused.value.data == {"most": most}
    assert evening.seating(4).away_limit_at == evening.house.at + timedelta(minutes=most)


def test_who_is_there_has_no_limit(evening):
    with pytest.raises(NotAway):
        evening.house.tap(set_absence_limit, table_id=evening.table.pk, seating_id=evening.seating(4).pk, minutes=5)


@pytest.mark.helsinki
@pytest.mark.rule("H1.9")
def test_the_long_break_is_half_an_hour_and_once_an_evening(evening):
    evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=evening.seating(4).pk)
    away = evening.seating(4)
    assert (away.is_held, away.away_limit_at) == (True, away.away_since + timedelta(minutes=30))
    evening.hold(4, is_held=False)

    with pytest.raises(LongBreakTaken):
        evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=away.pk)


@pytest.mark.helsinki
@pytest.mark.rule("H1.9")
def test_a_long_break_that_was_not_meant_is_still_to_be_had(evening):
    seating = evening.seating(4)
    evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=seating.pk)

    evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=seating.pk, has_break=False)

    away = evening.seating(4)
    assert away.away_limit_at == away.away_since + timedelta(minutes=20)
    evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=seating.pk)


@pytest.mark.helsinki
@pytest.mark.rule("H1.9")
def test_a_long_break_that_is_over_is_not_had_again_by_a_later_absence(evening):
    seating = evening.seating(4)
    evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=seating.pk)
    evening.hold(4, is_held=False)
    evening.hold(4, is_held=True)

    assert not evening.seating(4).is_on_long_break
    for has_break in (False, True):
        with pytest.raises(LongBreakTaken):
            evening.house.tap(set_long_break, table_id=evening.table.pk, seating_id=seating.pk, has_break=has_break)


@pytest.mark.helsinki
@pytest.mark.rule("H1.8", "U35")
def test_two_count_a_stack_that_is_picked_up_and_it_goes_onto_the_deposit(evening):
    house = evening.house
    evening.hold(4, is_held=True)
    away = evening.seating(4)
    in_play = house.figures()["in_play"]
    later(house, 20)

    pick_up(house, away, 180_00)

    away.refresh_from_db()
    assert (away.left_at, away.left_stack_cents) == (house.at, 180_00)
    assert house.figures()["in_play"] == in_play - 180_00
    slip = Slip.objects.get(kind="cash_out", status="requested")
    assert (slip.player_id, slip.amount_cents, slip.about["seat_number"]) == (away.player_id, 180_00, 4)
    house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="deposit")
    assert deposit_cents(away.player_id) == 180_00
    house.seat("Mika", 4)


@pytest.mark.helsinki
def test_a_stack_picked_up_by_mistake_comes_back_and_the_cage_waits_for_nothing(evening):
    house = evening.house
    evening.hold(4, is_held=True)
    away = evening.seating(4)
    in_play = house.figures()["in_play"]
    later(house, 20)
    pick_up(house, away, 180_00)
    away.refresh_from_db()

    house.tap(take_back_leaving, table_id=evening.table.pk, seating_id=away.pk, version=away.version)

    assert house.figures()["in_play"] == in_play
    slip = Slip.objects.get(kind="cash_out")
    assert slip.status == "cancelled"
    with pytest.raises(SlipNotWaiting):
        house.tap(take_money, house.cast.carla, slip_id=slip.pk, drawer_id=house.drawer_id, method="deposit")


@pytest.mark.helsinki
@pytest.mark.rule("H1.10", "H1.1")
def test_no_stack_is_picked_up_before_the_limit_nor_during_a_hand(evening):
    house = evening.house
    evening.hold(4, is_held=True)
    away = evening.seating(4)
    with pytest.raises(StillInTime):
        pick_up(house, away, 180_00)

    later(house, 20)
    house.deal()
    with pytest.raises(HandInProgress):
        pick_up(house, away, 180_00)


def test_one_person_alone_picks_up_nothing(evening):
    house = evening.house
    evening.hold(4, is_held=True)
    later(house, 30)

    with pytest.raises(NeedsSecondSignature):
        house.tap(
            pick_up_stack,
            table_id=evening.table.pk,
            seating_id=evening.seating(4).pk,
            stack_cents=180_00,
            counted_with_id=house.cast.mari.pk,
        )


@pytest.mark.helsinki
def test_a_seat_without_chips_sends_nothing_to_the_cage(evening):
    evening.hold(4, is_held=True)
    later(evening.house, 30)
    pick_up(evening.house, evening.seating(4), 0)

    assert not Slip.objects.filter(kind="cash_out").exists()


@pytest.mark.rule("R-§4")
def test_the_second_button_takes_the_stack_while_somebody_waits(evening):
    house = evening.house
    by_orbits(house)
    evening.hold(1, is_held=True)
    for _ in range(5):
        evening.settle()
    assert evening.seating(1).buttons_passed == 1
    with pytest.raises(StillInTime) as early:
        pick_up(house, evening.seating(1), 100_00)
    assert early.value.data["reason"] == "still_in_time_by_button"
    for _ in range(4):
        evening.settle()
    assert evening.seating(1).buttons_passed == 2

    # The player's own place and somebody on the telephone are nobody for whom the seat would be free.
    house.tap(join_list, game_id=house.game().pk, player_id=evening.seating(1).player_id)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Noora").pk, is_call_in=True)
    with pytest.raises(NobodyWaits):
        pick_up(house, evening.seating(1), 100_00)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    pick_up(house, evening.seating(1), 100_00)

    assert not Seating.objects.filter(table=evening.table, seat_number=1, left_at=None).exists()


@pytest.mark.rule("R-§4")
def test_the_to_do_asks_for_no_pick_up_for_whom_the_seat_would_be_taken_away(evening):
    house = evening.house
    by_orbits(house)
    evening.hold(1, is_held=True)
    Seating.objects.filter(pk=evening.seating(1).pk).update(buttons_passed=2)

    def is_offered() -> bool:
        return any(line.key.startswith("away.wrong.") for line in TODO.gather(room_id=house.room_id))

    house.tap(join_list, game_id=house.game().pk, player_id=evening.seating(1).player_id)
    assert not is_offered()
    with pytest.raises(NobodyWaits):
        pick_up(house, evening.seating(1), 100_00)
    house.tap(join_list, game_id=house.game().pk, player_id=house.player("Mika").pk)
    assert is_offered()


@pytest.mark.rule("R-§4")
def test_an_undo_takes_the_buttons_pass_back(evening):
    by_orbits(evening.house)
    evening.hold(2, is_held=True)
    hand = evening.settle()
    while not evening.seating(2).buttons_passed:
        hand = evening.settle()

    evening.house.tap(undo_hand, evening.house.cast.anna, table_id=evening.table.pk, hand_id=hand.hand_id)

    assert evening.seating(2).buttons_passed == 0


@pytest.mark.helsinki
def test_a_tap_told_twice_picks_up_once(evening):
    house = evening.house
    evening.hold(4, is_held=True)
    later(house, 30)
    away = evening.seating(4)
    tap = command(house.cast.frans, at=house.at)
    second = second_person(
        tap, username=house.cast.mari.username, pin="1357", needs=NEEDS, signs=signature(away.pk, 90_00)
    )
    args = {"table_id": away.table_id, "seating_id": away.pk, "stack_cents": 90_00, "counted_with_id": second}

    first = pick_up_stack(tap, **args)
    again = pick_up_stack(tap, **args)

    assert again.is_replay
    assert first.data == again.data
    assert Slip.objects.filter(kind="cash_out").count() == 1
