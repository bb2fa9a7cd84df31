"""
The frame around every service: claim the command id, decide, write, log, tell the screens.

Order inside one transaction (design: "One command, from tap to every screen"): claim (room, command
id), or replay what was answered; then the service itself in a savepoint, which locks, checks versions,
asks the rule and writes; then one audit event; then the stored answer. News goes out after commit.
A refusal is an answer too and is stored; a crash is none, and leaves nothing behind.
"""

import functools
import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from casino.audit.services import append, canonical
from casino.commands.errors import CommandIdReused
from casino.commands.models import Claim
from casino.errors import NotPermitted, Refusal, stored_refusal
from casino.live.notices import publish

P = ParamSpec("P")
DONE = "done"
_services: dict[str, "Service"] = {}


@dataclass(frozen=True)
class Actor:
    """
    Who taps, from which device, and what both together may do.

    `may` holds names of commands, pages and audiences as `casino.people.permissions` declares them. A
    device that stands at a place acts for that place alone: `place` is its (kind, number).
    """

    room_id: int
    staff_id: int | None
    device_id: int | None = None
    may: frozenset[str] = frozenset()
    place: tuple[str, int] | None = None


@dataclass(frozen=True)
class Command:
    """One tap: its id made on the tablet, who tapped, when, and when it arrived."""

    id: UUID
    by: Actor
    tapped_at: datetime
    at: datetime

    @property
    def room_id(self) -> int:
        return self.by.room_id

    @property
    def staff_id(self) -> int:
        """The person's id, for services that only persons may call (permissions see to that)."""
        assert self.by.staff_id is not None, "no person gave this command"
        return self.by.staff_id

    def ends(self, began_at: datetime) -> datetime:
        """Return the moment at which this ends what began then: not before it, though the clock was set back since."""
        return max(self.at, began_at)


@dataclass(frozen=True)
class Outcome:
    """
    What a service hands back to its frame.

    `chain` names the log's chain, which belongs to the row the service locked (`table.4`). `data` goes
    into the answer and the log: ids, codes and amounts, never names. `version` is the resulting version
    of the locked row. `audiences` are the screens to tell. `reveal` is added to this one answer and is
    neither stored nor logged (a token that is shown once).
    """

    chain: str
    data: dict[str, Any] = field(default_factory=dict)
    version: int | None = None
    audiences: Sequence[str] = ()
    rule_book_version_id: int | None = None
    reveal: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What the caller of a service gets: the outcome's data and version; `is_replay` on the second asking."""

    data: dict[str, Any]
    version: int | None
    is_replay: bool = False


@dataclass(frozen=True)
class Service:
    """One registered service: its command name, and the arguments that never enter the log."""

    name: str
    function: Callable[..., Outcome]
    private: frozenset[str]


def services() -> dict[str, Service]:
    """Return every registered service by its command name."""
    return dict(_services)


def service(
    name: str, *, private: Sequence[str] = ()
) -> Callable[[Callable[Concatenate[Command, P], Outcome]], Callable[Concatenate[Command, P], Answer]]:
    """
    Make a function the service of the command `name` ("tables.seat_player").

    The function takes the command, then keyword arguments that JSON can carry (dataclasses too), and
    returns an `Outcome`. `private` arguments (names, PINs, free text about people) stay out of the log.

    The wrapped service raises whatever `Refusal` the function raised, after storing it; `NotPermitted`
    when the actor may not give this command; `CommandIdReused` for a recycled id.
    """

    def wrap(function: Callable[Concatenate[Command, P], Outcome]) -> Callable[Concatenate[Command, P], Answer]:
        assert name not in _services, f"two services are named {name}"
        _services[name] = Service(name, function, frozenset(private))

        @functools.wraps(function)
        def run(command: Command, *args: P.args, **kwargs: P.kwargs) -> Answer:
            assert not args, "services take keyword arguments"
            if name not in command.by.may:
                raise NotPermitted
            answer, refusal = _carry_out(name, function, command, kwargs, frozenset(private))
            if refusal is not None:
                raise refusal
            return answer

        return cast(Callable[Concatenate[Command, P], Answer], run)

    return wrap


@transaction.atomic
def _carry_out(
    name: str, function: Callable[..., Outcome], command: Command, args: dict[str, Any], private: frozenset[str]
) -> tuple[Answer, Refusal | None]:
    body_hash = _body_hash(name, command, args)
    if not _claim(command, body_hash):
        return _replay(command, body_hash)
    try:
        with transaction.atomic():
            outcome, refusal = function(command, **args), None
    except Refusal as refused:
        if refused.status == HTTPStatus.SERVICE_UNAVAILABLE:
            # "Not now" is no answer: the same tap is to be tried again, so its id must stay free.
            raise
        outcome, refusal = Outcome(chain=_own_chain(command.by), data=refused.data), refused
    code = refusal.code if refusal else DONE
    _log(name, command, outcome, code, args={key: value for key, value in args.items() if key not in private})
    _store_answer(command, code, outcome)
    if outcome.audiences:
        notice = functools.partial(publish, room_id=command.room_id, audiences=tuple(outcome.audiences))
        transaction.on_commit(notice, robust=True)
    return Answer(data={**outcome.data, **outcome.reveal}, version=outcome.version), refusal


def _body_hash(name: str, command: Command, args: dict[str, Any]) -> str:
    body = canonical({"name": name, "args": args, "staff": command.by.staff_id, "device": command.by.device_id})
    return hmac.new(settings.SECRET_KEY.encode(), body.encode(), hashlib.sha256).hexdigest()


def _claim(command: Command, body_hash: str) -> bool:
    """Take the command id; False when it was taken before. Waits for a twin that is just being carried out."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO commands_claim (room_id, command_id, body_hash, code, data, at)"
            " VALUES (%s, %s, %s, '', '{}'::jsonb, %s) ON CONFLICT (room_id, command_id) DO NOTHING",
            [command.room_id, command.id, body_hash, command.at],
        )
        return bool(cursor.rowcount == 1)


def _replay(command: Command, body_hash: str) -> tuple[Answer, Refusal | None]:
    claim = Claim.objects.get(room_id=command.room_id, command_id=command.id)
    if claim.body_hash != body_hash:
        raise CommandIdReused
    refusal = None if claim.code == DONE else stored_refusal(claim.code, claim.data)
    return Answer(data=claim.data, version=claim.version, is_replay=True), refusal


def _log(name: str, command: Command, outcome: Outcome, code: str, *, args: dict[str, Any]) -> None:
    """Append the event. Its command id is unique for ever: also after the answer has been forgotten."""
    try:
        append(
            room_id=command.room_id,
            chain=outcome.chain,
            name=name,
            result=code,
            command_id=command.id,
            staff_id=command.by.staff_id,
            device_id=command.by.device_id,
            at=command.at,
            audiences=outcome.audiences,
            content={
                "args": args,
                "data": outcome.data,
                "version": outcome.version,
                "tapped_at": command.tapped_at,
                "rule_book_version": outcome.rule_book_version_id,
            },
        )
    except IntegrityError as problem:
        if "command_id" not in str(problem):
            raise
        raise CommandIdReused from None


def _store_answer(command: Command, code: str, outcome: Outcome) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE commands_claim SET code = %s, data = %s::jsonb, version = %s"
            " WHERE room_id = %s AND command_id = %s",
            [code, canonical(outcome.data), outcome.version, command.room_id, command.id],
        )


def _own_chain(by: Actor) -> str:
    """Return the chain for what locked no row: the tablet's, the person's on a desktop, or the door's for nobody."""
    if by.device_id:
        return f"device.{by.device_id}"
    return f"staff.{by.staff_id}" if by.staff_id else "door"


def forget_claims(*, room_id: int, before: datetime) -> int:
    """Delete a room's answers older than `before` (two gaming days back); the log keeps their ids for ever."""
    return Claim.objects.filter(room_id=room_id, at__lt=before).delete()[0]
