"""
Several people tap at the same moment, each on a device of their own.

Which of them is first, nobody draws: it hangs on threads, locks and the network. So that one number still plays one
night, a behaviour that has people meet like this ends on the same felt whoever won: what the wrong one did is
put right again at once (`put_right`), under ids that nothing is drawn for.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier
from typing import TYPE_CHECKING, Any

from casino.simulation.broken import Broken
from casino.simulation.front_door import Answer, Device, Tap
from casino.simulation.table import Table

if TYPE_CHECKING:
    from casino.simulation.night import Night

MEET_SECONDS_MAX = 30.0


@dataclass(frozen=True)
class Given:
    """One of the commands that meet: who gives it, and what it says."""

    device: Device
    path: str
    body: Mapping[str, Any] = field(default_factory=dict)
    version: int | None = None


def at_once(night: "Night", *given: Given, at: Table | None = None) -> list[Answer]:
    """
    Give commands at the same moment and return their answers, in the order in which they are named here.

    All of them are commands `at` one table, if that is said: then each that was carried out has to have made a version
    of its own, so that whoever decides on a version sees every change.
    :raises Broken: they have not.
    """
    before = _version(night, at)
    barrier = Barrier(len(given))
    taps = []
    for each in given:
        headers = each.device.headers_of(night.id(), version=each.version)
        night.write_down(each.device, each.path, each.body, headers["Idempotency-Key"])
        taps.append(Tap(each.path, each.body, headers))
    # Bad Wi-Fi, or a process that is killed, is under the first of them; the others send again until they are answered.
    manner, night.manner = night.manner, None

    def give(number: int) -> Answer:
        def together(device: Device, tap: Tap) -> Answer:
            barrier.wait(MEET_SECONDS_MAX)
            return manner(device, tap) if manner and number == 0 else device.send_until_answered(tap)

        return given[number].device.post(taps[number], manner=together)

    def give_apart(number: int) -> Answer:
        try:
            return give(number)
        finally:
            given[number].device.close()

    with ThreadPoolExecutor(len(given)) as threads:
        others = [threads.submit(give_apart, number) for number in range(1, len(given))]
        # The first one from here: a manner may ask the house more, on connections that this thread keeps and closes.
        answers = [give(0), *(other.result() for other in others)]
    night.look_after(manner)
    night.tally.faults["commands that met"] += len(given)
    carried_out = sum(answer.is_done for answer in answers)
    if at is not None and _version(night, at) != before + carried_out:
        raise Broken(
            "each command makes a version of its own",
            f"table {at.number} was at {before} and is at {_version(night, at)} after {carried_out} commands at once: "
            + _outcomes(given, answers),
        )
    return answers


def only_one(given: Sequence[Given], answers: Sequence[Answer], *, refused: set[str]) -> int:
    """
    Return which of the commands was carried out: one alone can be, and the others are refused with these codes.

    :raises Broken: none was, more than one were, or a refusal says something else.
    """
    done = [number for number, answer in enumerate(answers) if answer.is_done]
    if len(done) != 1 or not {answer.code for answer in answers if not answer.is_done} <= refused:
        raise Broken("of several at once only one is carried out", _outcomes(given, answers))
    return done[0]


def all_done(given: Sequence[Given], answers: Sequence[Answer]) -> list[Answer]:
    """Return the answers of commands that do not stand in each other's way. :raises Broken: one was refused."""
    if not all(answer.is_done for answer in answers):
        raise Broken("what may be done at once is done", _outcomes(given, answers))
    return list(answers)


def put_right(
    night: "Night", device: Device, path: str, body: Mapping[str, Any] | None = None, *, version: int | None = None
) -> Answer:
    """Give a command that only one of the ways needs in which a meeting can end. :raises Broken: it was refused."""
    seed = f"{night.plan.seed} {night.step} {device.name} {path} {json.dumps(body)}"
    headers = device.headers_of(uuid.uuid5(uuid.NAMESPACE_URL, seed), version=version)
    answer = device.post(Tap(path, body or {}, headers), manner=Device.send_until_answered)
    if not answer.is_done:
        raise Broken("what may be done is done", f"POST {path} {body} by {device.name}: {answer.text[:400]}")
    return answer


def _version(night: "Night", table: Table | None) -> int:
    return night.staff.floor.get(table.api).version if table else 0


def _outcomes(given: Sequence[Given], answers: Sequence[Answer]) -> str:
    """Return each command's path, device, status and the beginning of its answer, for a failure's message."""
    pairs = zip(given, answers, strict=True)
    return "; ".join(
        f"{each.path} by {each.device.name}: {answer.status} {answer.text[:160]}" for each, answer in pairs
    )
