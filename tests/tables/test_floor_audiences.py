"""
Every service tells the screens that it changes.

A screen that was open before a tap is shown anew when its audience is told. So whatever fragment a
service changes must be among the audiences that its event names: then the open screen equals a fresh page.
"""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from casino.audit.models import Event
from casino.cage.days import open_day
from casino.cage.services import cancel_slip, cash_out, close_drawer, request_buy_in, take_money
from casino.commands.frame import Actor, Command, services
from casino.live.render import fragment
from casino.people.models import Device, PlayerPass, Staff
from casino.people.passes import actor_of_pass
from casino.people.permissions import may_of
from casino.people.selectors import actor_on_device
from casino.people.services import (
    add_player,
    add_shift_dealer,
    ban_player,
    end_shift,
    give_pass,
    revoke_pass,
    second_person,
    show_as_number,
    sign_in_on_device,
    sign_out_of_device,
    start_shift,
    unlock_person,
)
from casino.rooms.models import GamingDay, Place
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services import answers, calls
from casino.waiting.services import lists as waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.tasks import wake_calls, wake_measures
from jackpot.models import Claim
from jackpot.services import claims
from tables.models import DisputedPot, Down, Game, Hand, Incident, PlayerClock, Seating, ToDo
from tables.services import (
    absence,
    chips,
    clocks,
    closing,
    corrections,
    disputes,
    downs,
    floor_calls,
    hands,
    incidents,
    kept_taps,
    moving,
    opening,
    overruling,
    playing_over,
    requests,
    seat_change,
    seating,
    setup,
    stacks,
    stakes,
)
from tables.tasks import wake_bans, wake_penalties
from tests.cast import command, enrolled
from tests.jackpot.beats import BEAT, NO_BEAT, Beats
from tests.support.owner import as_owner
from tests.tables.acts_books import QUIET, book_acts
from tests.tables.conftest import House

SCREENS = ("floor", "lobby", "table.1.floor", "table.2.floor", "table.1.dealer", "table.2.dealer", "cage", "dealers")


def shown(house: House) -> dict[str, str]:
    """Return what every screen shows now, Mika's phone too."""
    return {screen: fragment(house.room_id, screen, "en").html for screen in screens()}


def screens() -> list[str]:
    return [*SCREENS, *(held.audience for held in PlayerPass.objects.all())]


@pytest.fixture(autouse=True)
def phones(settings: Any) -> None:
    settings.PHONE_URL = "https://phones.example"


def changed_and_told(house: House, act: Callable[[], Any]) -> tuple[set[str], set[str]]:
    before = shown(house)
    newest = Event.objects.order_by("-id").values_list("id", flat=True)[0]
    act()
    after = shown(house)
    events = Event.objects.filter(id__gt=newest)
    assert events, "the act was no command"
    told = {name for event in events for name in event.audiences}
    return {screen for screen in before if before[screen] != after[screen]}, told


class Evening:
    """Table 1 in the middle of an evening; each method sets something up and returns the act to be watched."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.table = house.open(1, Lee=1, Kai=2, Timo=3)
        self.hand = house.settle(40_00)
        house.tap(give_pass, player_id=house.player("Mika").pk)

    def at_table(self, service: Callable[..., Any], by: Staff | None = None, **args: Any) -> Callable[[], Any]:
        return lambda: self.house.tap(service, by, table_id=self.table.pk, **args)

    def sits(self, seat: int) -> int:
        return Seating.objects.get(table=self.table, seat_number=seat, left_at=None).pk

    def away(self, seat: int) -> int:
        pk = self.sits(seat)
        self.house.tap(seating.hold_seat, table_id=self.table.pk, seating_id=pk, is_held=True)
        return pk

    def left(self) -> int:
        kai = self.sits(2)
        self.house.tap(seating.leave_seat, table_id=self.table.pk, seating_id=kai)
        return kai

    def asked(self) -> int:
        mika = self.house.seat("Mika", 5, chips=0)
        return self.asks(mika, 200_00)

    def asks(self, sits: Seating, cents: int, **more: Any) -> int:
        about = {"table": self.table.pk, "table_number": 1, "seating": sits.pk, "seat_number": sits.seat_number, **more}
        answer = self.house.tap(
            request_buy_in, player_id=sits.player_id, amount_cents=cents, destination="seat", about=about
        )
        return int(answer.data["slip_id"])

    def waits(self, *, is_called: bool = False, **more: Any) -> Waiting:
        house = self.house
        joined = house.tap(waiting.join_list, game_id=house.game().pk, player_id=house.player("Mika").pk, **more)
        if is_called:
            self.at_table(waiting.call_player, waiting_id=joined.data["waiting"], seat_number=6)()
        return Waiting.objects.get(id=joined.data["waiting"])

    def skipped(self) -> Hand:
        hand = self.house.logged()
        self.house.tap(hands.skip_hand, self.house.cast.anna, table_id=self.table.pk, hand=hand)
        return Hand.objects.get(hand_id=hand.hand_id)


def _elsewhere(evening: Evening) -> None:
    evening.house.open(2, Mika=1)


def _moving(evening: Evening) -> Callable[[], Any]:
    _elsewhere(evening)
    evening.asks(Seating.objects.get(pk=evening.sits(2)), 100_00, stack=50_00)
    to = evening.house.table_id(2)
    return evening.at_table(
        moving.move_player, seating_id=evening.sits(2), to_table_id=to, seat_number=5, stack_cents=200_00
    )


def _moving_back(evening: Evening) -> Callable[[], Any]:
    _moving(evening)()
    table = evening.house.table(2)
    sits = Seating.objects.get(table=table, seat_number=5, left_at=None)
    return lambda: evening.house.tap(moving.take_back_move, table_id=table.pk, seating_id=sits.pk)


def _asking(evening: Evening) -> Callable[[], Any]:
    _elsewhere(evening)
    return evening.at_table(requests.ask_table_change, seating_id=evening.sits(2))


def _asking_no_more(evening: Evening) -> Callable[[], Any]:
    _asking(evening)()
    return evening.at_table(requests.end_table_change, seating_id=evening.sits(2), why="refused")


def _closing_soon(evening: Evening, service: Callable[..., Any], **args: Any) -> Callable[[], Any]:
    evening.at_table(closing.announce_last_orbit)()
    return evening.at_table(service, **args)


def _drawing_seats(evening: Evening) -> Callable[[], Any]:
    _closing_soon(evening, closing.prepare_seat_draw, seats=[1, 2])()
    return evening.at_table(closing.draw_seats)


def _acts(evening: Evening) -> dict[str, Callable[[], Callable[[], Any]]]:
    """Return, by the name of its command, what sets the stage and returns the act."""
    house, cast, at_table = evening.house, evening.house.cast, evening.at_table
    anna, logged = cast.anna, house.logged
    return {
        "tables.add_table": lambda: lambda: house.tap(setup.add_table, cast.mari, number=3),
        "tables.offer_games": lambda: _offering(house),
        "tables.open_table": lambda: (
            lambda: house.tap(opening.open_table, table_id=house.table_id(2), game_id=house.game().pk)
        ),
        "tables.close_table": lambda: _closing(house),
        "jackpot.call_bad_beat": lambda: at_table(claims.call_bad_beat, anna, hand_id=evening.hand.hand_id),
        "jackpot.withdraw_claim": lambda: _claim(house, claims.withdraw_claim, Beats.called),
        "jackpot.enter_hands": lambda: _claim(house, claims.enter_hands, Beats.called, hand=BEAT),
        "jackpot.dispute_claim": lambda: _claim(house, claims.dispute_claim, Beats.called, reason="cards"),
        "jackpot.verify_claim": lambda: _claim(house, claims.verify_claim, lambda beats: beats.walked(beats.entered())),
        "jackpot.refuse_claim": lambda: _claim(
            house, claims.refuse_claim, lambda beats: beats.entered(hand=NO_BEAT), reason="talk"
        ),
        "jackpot.approve_claim": lambda: _approving(house),
        "tables.record_draw": lambda: _drawing(house),
        "tables.button_here": lambda: at_table(opening.button_here, anna, seat_number=3),
        "tables.seat_player": lambda: lambda: house.seat("Mika", 6),
        "tables.choose_entry": lambda: at_table(
            seating.choose_entry, seating_id=house.seat("Mika", 6).pk, entry="posts"
        ),
        "tables.move_player": lambda: _moving(evening),
        "tables.take_back_move": lambda: _moving_back(evening),
        "tables.ask_table_change": lambda: _asking(evening),
        "tables.end_table_change": lambda: _asking_no_more(evening),
        "tables.announce_last_orbit": lambda: at_table(closing.announce_last_orbit),
        "tables.take_back_last_orbit": lambda: _closing_soon(evening, closing.take_back_last_orbit),
        "tables.prepare_seat_draw": lambda: _closing_soon(evening, closing.prepare_seat_draw, seats=[1, 2]),
        "tables.draw_seats": lambda: _drawing_seats(evening),
        "waiting.wait_with_right": lambda: _closing_soon(
            evening, wait_with_right, seating_id=evening.sits(2), stack_cents=100_00
        ),
        "tables.change_stakes": lambda: at_table(
            stakes.change_stakes,
            game_id=house.game("No limit hold'em 5/5").pk,
            consents=[evening.sits(seat) for seat in (1, 2, 3)],
        ),
        "tables.note_overrule": lambda: (
            lambda: at_table(overruling.note_overrule, game_id=house.game().pk, proposed={}, done={}, reason="peace")()
        ),
        "tables.hold_seat": lambda: at_table(seating.hold_seat, anna, seating_id=evening.sits(2), is_held=True),
        "tables.set_straddle": lambda: at_table(seating.set_straddle, anna, seating_id=evening.sits(2), straddles=True),
        "tables.set_long_break": lambda: at_table(absence.set_long_break, anna, seating_id=evening.sits(2)),
        "tables.set_absence_limit": lambda: at_table(absence.set_absence_limit, seating_id=evening.away(2), minutes=9),
        "tables.pick_up_stack": lambda: _picking_up(evening),
        "tables.ask_seat_change": lambda: at_table(seat_change.ask_seat_change, anna, seating_id=evening.sits(2)),
        "tables.change_seat": lambda: at_table(seat_change.change_seat, seating_id=evening.sits(2), seat_number=7),
        "tables.take_back_seat_change": lambda: _changing_back(evening),
        "tables.play_over": lambda: at_table(
            playing_over.play_over, seating_id=evening.away(2), player_id=house.player("Mika").pk
        ),
        "tables.leave_seat": lambda: at_table(seating.leave_seat, anna, seating_id=evening.sits(2)),
        "tables.count_stack": lambda: at_table(stacks.count_stack, seating_id=evening.left(), stack_cents=100_00),
        "tables.take_back_leaving": lambda: at_table(
            seating.take_back_leaving, anna, seating_id=evening.left(), version=3
        ),
        "tables.bring_chips": lambda: at_table(
            chips.bring_chips, seating_id=evening.sits(2), chips_cents=100_00, stack=50_00
        ),
        "tables.count_tip_box": lambda: at_table(chips.count_tip_box, counted_cents=5_00),
        "tables.deal_hand": lambda: at_table(hands.deal_hand, anna, hand=logged()),
        "tables.show_flop": lambda: at_table(hands.show_flop, anna, hand_id=house.deal().hand_id),
        "tables.settle_hand": lambda: at_table(hands.settle_hand, anna, hand=logged(60_00, taken={"rake": 1_00})),
        "tables.skip_hand": lambda: at_table(hands.skip_hand, anna, hand=logged()),
        "tables.void_hand": lambda: at_table(hands.void_hand, anna, hand=house.deal(), reason="misdeal"),
        "tables.undo_hand": lambda: at_table(corrections.undo_hand, anna, hand_id=evening.hand.hand_id),
        "tables.void_settled_hand": lambda: at_table(
            corrections.void_settled_hand, hand_row_id=evening.hand.pk, reason="logged_twice"
        ),
        "tables.correct_hand": lambda: at_table(
            corrections.correct_hand, hand_row_id=evening.hand.pk, hand=logged(80_00), reason="wrong_pot"
        ),
        "tables.supply_hand": lambda: at_table(
            corrections.supply_hand, hand_row_id=evening.skipped().pk, taken={"rake": 1_00, "drop": 0}
        ),
        "tables.judge": lambda: _judging(evening),
        "tables.keep_tap": lambda: lambda: _keeping(evening),
        "tables.enter_tap": lambda: _entering(evening),
        "waiting.join_list": lambda: lambda: evening.waits(),
        "waiting.check_in": lambda: _about(evening, waiting.check_in, is_call_in=True),
        "waiting.call_player": lambda: at_table(waiting.call_player, waiting_id=evening.waits().pk, seat_number=6),
        "waiting.take_back_call": lambda: _about(evening, waiting.take_back_call, is_called=True, needs_version=True),
        "waiting.strike": lambda: _about(evening, waiting.strike, is_called=True, needs_version=True),
        "waiting.take_back_strike": lambda: _put_back(evening),
        "waiting.drop_out": lambda: _about(evening, waiting.drop_out, is_called=True),
        "waiting.grant_more_time": lambda: _about(evening, calls.grant_more_time, is_called=True),
        "waiting.fetch_chips": lambda: _about(evening, calls.fetch_chips, is_called=True),
        "waiting.reorder_list": lambda: _reordering(evening),
        "waiting.refuse_more_time": lambda: _refusing(evening),
        "waiting.measure_turnover": lambda: _measuring(evening),
        "waiting.say_on_the_way": lambda: _by_phone(evening, answers.say_on_the_way),
        "waiting.ask_more_time": lambda: _by_phone(evening, answers.ask_more_time),
        "waiting.drop_by_phone": lambda: _by_phone(evening, answers.drop_by_phone),
        "people.revoke_pass": lambda: lambda: house.tap(revoke_pass, player_id=house.player("Mika").pk),
        "people.show_as_number": lambda: _numbering(evening),
        "waiting.let_call_run_out": lambda: _running_out(evening),
        "cage.request_buy_in": lambda: lambda: evening.asked(),
        "cage.cancel_slip": lambda: _with_slip(evening, lambda slip: house.tap(cancel_slip, slip_id=slip)),
        "cage.take_money": lambda: _with_slip(
            evening,
            lambda slip: house.tap(take_money, cast.carla, slip_id=slip, drawer_id=house.drawer_id, method="cash"),
        ),
        "cage.cash_out": lambda: _cashing_out(evening),
        "cage.close_day": lambda: _closing_day(house),
        "cage.open_day": lambda: _opening_day(house),
        "people.add_player": lambda: lambda: house.tap(add_player, nickname="Somebody new"),
        "people.unlock_person": lambda: _unlocking(house),
        "people.sign_in_on_device": lambda: _signing_in(house),
        "people.sign_out_of_device": lambda: _signing_out(house),
        **_work_acts(evening),
        **book_acts(evening),
    }


def _picking_up(evening: Evening) -> Callable[[], Any]:
    house, pk = evening.house, evening.away(2)
    house.at += timedelta(minutes=30)
    tap = command(house.cast.frans, at=house.at)
    signs = absence.signature(pk, 90_00)
    mari = second_person(tap, username="mari", pin="1357", needs=absence.NEEDS, signs=signs)
    return lambda: absence.pick_up_stack(
        tap, table_id=evening.table.pk, seating_id=pk, stack_cents=90_00, counted_with_id=mari
    )


def _changing_back(evening: Evening) -> Callable[[], Any]:
    pk = evening.sits(2)
    evening.at_table(seat_change.change_seat, seating_id=pk, seat_number=7)()
    return evening.at_table(seat_change.take_back_seat_change, seating_id=pk)


def _work_acts(evening: Evening) -> dict[str, Callable[[], Callable[[], Any]]]:
    """The same for people at work: downs, decks, clocks, penalties, disputed pots, shifts."""
    house, at_table, dan = evening.house, evening.at_table, evening.house.cast.dan

    def on_clock() -> int:
        at_table(clocks.call_clock, seating_id=evening.sits(2))()
        return PlayerClock.objects.get().pk

    def penalty() -> Callable[[], Any]:
        people: dict[str, Any] = {"player_ids": [house.player("Kai").pk], "minutes": 10}
        return at_table(incidents.write_incident, kind="penalty", **people)

    def punished() -> int:
        penalty()()
        return Incident.objects.get().pk

    def apart() -> int:
        at_table(disputes.set_pot_aside)()
        return DisputedPot.objects.get().pk

    def dealt() -> int:
        house.tap(start_shift, staff_id=dan.pk)
        at_table(downs.push_dealer, dealer_id=dan.pk)()
        return Down.objects.get().pk

    def ran_out() -> Callable[[], Any]:
        punished()
        return lambda: wake_penalties(at=house.at + timedelta(minutes=20))

    def ban_over() -> Callable[[], Any]:
        house.tap(ban_player, player_id=house.player("Kai").pk, last_day="2026-11-20")
        return lambda: wake_bans(at=house.at + timedelta(hours=10))

    def pays() -> Callable[[], Any]:
        pot = apart()
        shares = [disputes.Share(house.player("Kai").pk, DisputedPot.objects.get().cents)]
        return at_table(disputes.pay_disputed_pot, pot_id=pot, shares=shares)

    def pushes() -> Callable[[], Any]:
        house.tap(start_shift, staff_id=dan.pk)
        return at_table(downs.push_dealer, dealer_id=dan.pk)

    def starts() -> Callable[[], Any]:
        house.tap(end_shift, staff_id=dan.pk)
        return lambda: house.tap(start_shift, staff_id=dan.pk)

    def ends() -> Callable[[], Any]:
        house.tap(start_shift, staff_id=dan.pk)
        return lambda: house.tap(end_shift, staff_id=dan.pk)

    return {
        "tables.push_dealer": pushes,
        "tables.end_down": lambda: at_table(downs.end_down, down_id=dealt()),
        "tables.change_deck": lambda: at_table(downs.change_deck, colour="blue"),
        "tables.call_floor": lambda: at_table(floor_calls.call_floor, reason="ruling"),
        "tables.call_clock": lambda: at_table(clocks.call_clock, seating_id=evening.sits(2)),
        "tables.end_clock": lambda: at_table(clocks.end_clock, clock_id=on_clock(), how="acted"),
        "tables.write_incident": penalty,
        "tables.end_penalty": lambda: _of(house, incidents.end_penalty, incident_id=punished()),
        "tables.let_penalty_run_out": ran_out,
        "tables.let_ban_end": ban_over,
        "tables.set_pot_aside": lambda: at_table(disputes.set_pot_aside),
        "tables.pay_disputed_pot": pays,
        "tables.put_pot_back": lambda: at_table(disputes.put_pot_back, pot_id=apart()),
        "people.start_shift": starts,
        "people.end_shift": ends,
        "people.add_shift_dealer": lambda: _of(house, add_shift_dealer, display_name="Pia", pin="5871"),
    }


def _of(house: House, service: Callable[..., Any], **args: Any) -> Callable[[], Any]:
    return lambda: house.tap(service, **args)


def _about(
    evening: Evening, service: Callable[..., Any], *, needs_version: bool = False, **more: Any
) -> Callable[[], Any]:
    entry = evening.waits(**more)
    said: dict[str, Any] = {"version": entry.version} if needs_version else {}
    return lambda: evening.house.tap(service, waiting_id=entry.pk, **said)


def _put_back(evening: Evening) -> Callable[[], Any]:
    entry = evening.waits()
    evening.house.tap(waiting.drop_out, waiting_id=entry.pk)
    return lambda: evening.house.tap(waiting.take_back_strike, waiting_id=entry.pk, version=entry.version + 1)


def _reordering(evening: Evening) -> Callable[[], Any]:
    house, first = evening.house, evening.waits()
    last = house.tap(waiting.join_list, game_id=house.game().pk, player_id=house.player("Sara").pk)
    return lambda: house.tap(
        waiting.reorder_list,
        waiting_id=last.data["waiting"],
        before_id=first.pk,
        reason="manager",
        version=last.version,
    )


def _running_out(evening: Evening) -> Callable[[], Any]:
    evening.waits(is_called=True)
    return lambda: wake_calls(at=evening.house.at + timedelta(minutes=10))


def _by_phone(evening: Evening, service: Callable[..., Any]) -> Callable[[], Any]:
    entry = evening.waits(is_called=True)
    phone = actor_of_pass(PlayerPass.objects.select_related("room").get())
    at = evening.house.at
    return lambda: service(Command(id=uuid.uuid4(), by=phone, tapped_at=at, at=at), waiting_id=entry.pk)


def _refusing(evening: Evening) -> Callable[[], Any]:
    _by_phone(evening, answers.ask_more_time)()
    return lambda: evening.house.tap(calls.refuse_more_time, waiting_id=Waiting.objects.get().pk)


def _measuring(evening: Evening) -> Callable[[], Any]:
    evening.waits()
    WaitingList.objects.update(seats_opened=6, measured_minutes=120, measured_at=evening.house.at - timedelta(hours=1))
    return lambda: wake_measures(at=evening.house.at)


def _numbering(evening: Evening) -> Callable[[], Any]:
    evening.waits(is_called=True)
    player_id = evening.house.player("Mika").pk
    return lambda: evening.house.tap(show_as_number, player_id=player_id, is_number=True)


def _claim(
    house: House, service: Callable[..., Any], begin: Callable[[Beats], Claim], **told: Any
) -> Callable[[], Any]:
    beats = Beats(house)
    beats.fill()
    claim = begin(beats)
    return lambda: beats.step(service, claim, **told)


def _approving(house: House) -> Callable[[], Any]:
    beats = Beats(house)
    beats.fill()
    beats.sum(12_345_67)
    claim = beats.verified()
    return lambda: beats.approved(claim)


def _closing(house: House) -> Callable[[], Any]:
    house.open(2)
    return lambda: house.tap(opening.close_table, table_id=house.table_id(2))


def _offering(house: House) -> Callable[[], Any]:
    with as_owner():
        Game.objects.filter(pk=house.game().pk).update(seats=9)
    return lambda: house.tap(setup.offer_games, house.cast.mari)


def _drawing(house: House) -> Callable[[], Any]:
    table = house.open(2, Mika=1, Jo=4, Sara=6)
    return lambda: house.tap(opening.record_draw, table_id=table.pk, winner_seat=4, seats=[1, 4, 6])


def _judging(evening: Evening) -> Callable[[], Any]:
    evening.house.settle(60_00, taken={"rake": 1_00})
    return evening.at_table(corrections.judge, todo_id=ToDo.objects.get(done_at=None).pk)


def _doubtful() -> kept_taps.KeptTap:
    return kept_taps.KeptTap("tables.count_tip_box", {"counted_cents": 5_00}, staff_id=None, doubt="no_proof")


def _keeping(evening: Evening) -> None:
    may = may_of((), Place.Kind.TABLE)
    keeper = Actor(room_id=evening.house.room_id, staff_id=None, may=may, place=(Place.Kind.TABLE, 1))
    kept_taps.keep_tap(command(keeper, at=evening.house.at), table_id=evening.house.table_id(), tap=_doubtful())


def _entering(evening: Evening) -> Callable[[], Any]:
    _keeping(evening)
    return evening.at_table(kept_taps.enter_tap, todo_id=ToDo.objects.get(done_at=None).pk)


def _with_slip(evening: Evening, act: Callable[[int], Any]) -> Callable[[], Any]:
    slip = evening.asked()
    return lambda: act(slip)


def _cashing_out(evening: Evening) -> Callable[[], Any]:
    evening.left()
    house = evening.house
    kai = house.player("Kai").pk
    return lambda: house.tap(cash_out, house.cast.carla, drawer_id=house.drawer_id, amount_cents=150_00, player_id=kai)


def _closing_day(house: House) -> Callable[[], Any]:
    for sits in Seating.objects.filter(left_at=None):
        house.tap(seating.leave_seat, table_id=sits.table_id, seating_id=sits.pk, stack_cents=0)
    house.tap(opening.close_table, table_id=house.table_id())
    nothing = {"cash_cents": 0, "chips_cents": 0, "card_slips_cents": 0}
    house.tap(close_drawer, house.cast.mari, drawer_id=house.drawer_id, **nothing)
    return house.close_day


def _opening_day(house: House) -> Callable[[], Any]:
    _closing_day(house)()
    with as_owner():
        GamingDay.objects.update(date="2026-11-01")
    return lambda: house.tap(open_day, house.cast.mari)


def _unlocking(house: House) -> Callable[[], Any]:
    Staff.objects.filter(pk=house.cast.dan.pk).update(locked_at=house.at, wrong_pins=5)
    return lambda: house.tap(unlock_person, staff_id=house.cast.dan.pk)


def _on_tablet(house: House, service: Callable[..., Any], **args: Any) -> Any:
    device = Device.objects.select_related("place", "signed_in").get(place__kind="table")
    who = actor_on_device(device, staff=device.signed_in)
    return service(Command(id=uuid.uuid4(), by=who, tapped_at=house.at, at=house.at), **args)


def _signing_in(house: House) -> Callable[[], Any]:
    enrolled(house.cast.room, "table", 1)
    return lambda: _on_tablet(house, sign_in_on_device, staff_id=house.cast.anna.pk, pin="1212")


def _signing_out(house: House) -> Callable[[], Any]:
    _signing_in(house)()
    return lambda: _on_tablet(house, sign_out_of_device)


NAMES = [
    *sorted(name for name in services() if name.startswith("tables.")),
    "jackpot.call_bad_beat",
    "jackpot.withdraw_claim",
    "jackpot.enter_hands",
    "jackpot.dispute_claim",
    "jackpot.verify_claim",
    "jackpot.refuse_claim",
    "jackpot.approve_claim",
    "cage.cancel_slip",
    "cage.cash_out",
    "cage.close_day",
    "cage.open_day",
    "cage.request_buy_in",
    "cage.take_money",
    "people.add_player",
    "people.revoke_pass",
    "people.show_as_number",
    "people.add_shift_dealer",
    "people.end_shift",
    "people.start_shift",
    "people.sign_in_on_device",
    "people.sign_out_of_device",
    "people.unlock_person",
]


def test_a_screen_that_was_open_before_equals_a_fresh_page(house: House) -> None:
    evening, wrong = Evening(house), []
    begun = house.at
    for name in NAMES:
        # One evening for all: what an act did is taken back.
        with transaction.atomic():
            house.at = begun
            act = _acts(evening)[name]()
            changed, told = changed_and_told(house, act)
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            transaction.set_rollback(True)
        if changed - told:
            wrong.append(f"{name} changes {sorted(changed - told)} and does not tell them")
        # The stage was set so that something happens: an act that changes no screen would prove nothing.
        if not changed and name not in QUIET | {"people.add_player", "tables.note_overrule", "tables.show_flop"}:
            wrong.append(f"{name} changes no screen")

    assert wrong == []


def test_a_fragment_does_not_change_while_nothing_happens(house: House) -> None:
    evening = Evening(house)
    evening.asked()
    evening.skipped()

    assert shown(house) == shown(house)
