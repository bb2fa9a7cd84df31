"""Waiting lists, as acts."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from casino.commands.carrying_out import Command
from casino.people.models import PlayerPass
from casino.people.passes import actor_of_pass
from casino.waiting.models import Waiting, WaitingList
from casino.waiting.services import after_call, answers
from casino.waiting.services import lists as waiting
from casino.waiting.services.closing import wait_with_right
from casino.waiting.tasks import wake_calls, wake_measures
from tables.services import closing
from tests.tables.evening import Acts, Evening


def _about(
    evening: Evening, service: Callable[..., Any], *, needs_version: bool = False, **more: Any
) -> Callable[[], Any]:
    entry = evening.waits(**more)
    arguments: dict[str, Any] = {"version": entry.version} if needs_version else {}
    return lambda: evening.house.tap(service, waiting_id=entry.pk, **arguments)


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
    return lambda: evening.house.tap(after_call.refuse_more_time, waiting_id=Waiting.objects.get().pk)


def _measuring(evening: Evening) -> Callable[[], Any]:
    evening.waits()
    WaitingList.objects.update(seats_opened=6, measured_minutes=120, measured_at=evening.house.at - timedelta(hours=1))
    return lambda: wake_measures(at=evening.house.at)


def _closing_soon(evening: Evening, service: Callable[..., Any], **args: Any) -> Callable[[], Any]:
    evening.at_table(closing.announce_last_orbit)()
    return evening.at_table(service, **args)


ACTS: Acts = {
    "waiting.wait_with_right": lambda evening: _closing_soon(
        evening, wait_with_right, seating_id=evening.sits(2), stack_cents=100_00
    ),
    "waiting.join_list": lambda evening: lambda: evening.waits(),
    "waiting.check_in": lambda evening: _about(evening, waiting.check_in, is_call_in=True),
    "waiting.call_player": lambda evening: evening.at_table(
        waiting.call_player, waiting_id=evening.waits().pk, seat_number=6
    ),
    "waiting.take_back_call": lambda evening: _about(
        evening, waiting.take_back_call, is_called=True, needs_version=True
    ),
    "waiting.strike": lambda evening: _about(evening, waiting.strike, is_called=True, needs_version=True),
    "waiting.take_back_strike": _put_back,
    "waiting.drop_out": lambda evening: _about(evening, waiting.drop_out, is_called=True),
    "waiting.grant_more_time": lambda evening: _about(evening, after_call.grant_more_time, is_called=True),
    "waiting.fetch_chips": lambda evening: _about(evening, after_call.fetch_chips, is_called=True),
    "waiting.reorder_list": _reordering,
    "waiting.refuse_more_time": _refusing,
    "waiting.measure_turnover": _measuring,
    "waiting.say_on_the_way": lambda evening: _by_phone(evening, answers.say_on_the_way),
    "waiting.ask_more_time": lambda evening: _by_phone(evening, answers.ask_more_time),
    "waiting.drop_by_phone": lambda evening: _by_phone(evening, answers.drop_by_phone),
    "waiting.let_call_run_out": _running_out,
}
