"""
How every service is carried out: claim the command id, decide, write, log, tell the screens.

Order inside one transaction (docs/architecture.md, "From a tap to every screen"): claim (room, command
id), or replay what was answered; then the service itself, which locks, checks versions, asks the rule
and writes; then one audit event; then the stored answer. News goes out after commit. A refusal is an
answer too: it undoes the whole transaction, and is claimed, logged and stored in one of its own. A crash
is none, and leaves nothing behind.

A command that bears a secret (a PIN, a password, a code) is never answered from the store alone: the secret is tried
and counted anew each time that it comes, and is no part of what a repeated command is compared by. A try that was not
accepted leaves its id free, and stands in the log under an id of its own. The id that the caller knows stands beside it
(`part_of`), as beside a second signature.
"""

import functools
import hashlib
import hmac
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, Concatenate, ParamSpec, cast
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, transaction

from casino.audit import held
from casino.audit.hashes import canonical
from casino.audit.models import DONE as DONE
from casino.audit.services import append
from casino.commands.errors import CommandIdReused
from casino.commands.models import AnsweredCommand
from casino.errors import NotPermitted, Refusal, stored_refusal
from casino.live.audiences import heard_by
from casino.live.notices import publish
from casino.pipelines import sent_together

P = ParamSpec("P")
Proof = Callable[..., "Outcome | None"]
# What a refusal leaves behind; called with the command, the refusal and the command's arguments. Returns whom to tell.
Afterwards = Callable[..., Sequence[str]]
_services: dict[str, "Service"] = {}
_names: dict[Callable[..., "Answer"], str] = {}
_notes: set[str] = set()


@dataclass(frozen=True)
class Actor:
    """
    Who taps, from which device, and what both together may do.

    `may` holds names of commands, pages and audiences as `casino.people.permissions` declares them. A
    device that stands at a place acts for that place alone: `place` is its (kind, number). `sent_by_id`: under whom the
    tap was sent, where its own sign-in had ended by then. `token_id` names the token by which a program came.
    """

    room_id: int
    staff_id: int | None
    device_id: int | None = None
    may: frozenset[str] = frozenset()
    place: tuple[str, int] | None = None
    sent_by_id: int | None = None
    token_id: int | None = None


@dataclass(frozen=True)
class Note:
    """
    What is logged beside a command's own event once it is done: in the chain that it says, as an event that names the
    command as what it is a part of. `name` is one that `add_note` made known; `data` as an outcome's.
    """

    name: str
    chain: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Command:
    """
    One tap: its id made on the tablet, who tapped, when, and when it arrived.

    `part_of` is the id under which the caller sent what this is a part of: another command, or a try that was not
    accepted. `notes` were seen as the tap came, before anything was locked; a repeated tap sees others, so they are no
    part of what it is compared by.
    """

    id: UUID
    by: Actor
    tapped_at: datetime
    at: datetime
    part_of: UUID | None = None
    notes: tuple[Note, ...] = ()

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
    What a service hands back to what carries it out.

    `chain` names the log's chain, which belongs to the row the service locked (`table.4`). `data` goes
    into the answer and the log: ids, codes and amounts, never names. `version` is the resulting version
    of the locked row. `audiences` are the screens to tell, by name or by the news that they hear; the
    log has their names (`_with_all_who_hear`). `reveal` is added to
    this one answer and is neither stored nor logged (a token that is shown once).
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
    """
    One registered service: its command name, and which arguments stay where they are.

    `private` ones never enter the log; `secret` ones are, besides, no part of what a repeated command is compared by.
    `proof` tries the secrets. `refused` keeps what a refusal leaves behind.
    """

    name: str
    function: Callable[..., Outcome]
    private: frozenset[str]
    secret: frozenset[str] = frozenset()
    proof: Proof | None = None
    refused: Afterwards | None = None


def services() -> dict[str, Service]:
    """Return every registered service by its command name."""
    return dict(_services)


def name_of(work: Callable[..., Answer]) -> str:
    """Return the command name of a service."""
    return _names[work]


def add_note(name: str) -> None:
    """Make the name of a kind of note known."""
    _notes.add(name)


def event_names() -> frozenset[str]:
    """Return what the log's events are called: as the commands, and as the notes beside them."""
    return frozenset(_services) | _notes


def service(
    name: str,
    *,
    private: Sequence[str] = (),
    secret: Sequence[str] = (),
    proof: Proof | None = None,
    refused: Afterwards | None = None,
) -> Callable[[Callable[Concatenate[Command, P], Outcome]], Callable[Concatenate[Command, P], Answer]]:
    """
    Make a function the service of the command `name` ("tables.seat_player").

    The function takes the command, then keyword arguments that JSON can carry (dataclasses too), and
    returns an `Outcome`. `private` arguments (names, free text about people) stay out of the log. `secret` ones (PINs,
    passwords, codes) do too, and a repeated command is the same one whatever they are. `proof` tries them: called with
    the same arguments before the function, and before an answer is given again, in the same transaction. It returns
    None for the right ones, or the outcome of a wrong try, which is logged and committed with what it counted; or it
    raises what refuses even to try. Without it the secrets are new ones, which the command sets. `refused` is called
    once for each refusal, after all that the function did is undone, in the transaction that logs it: what it writes
    stays. What it raises before it wrote anything is the refusal instead: of tries at the same moment each is counted
    there, under a lock. It does not go with `proof`, whose command's id stays free.

    The wrapped service raises whatever `Refusal` the function raised, after storing it; `NotPermitted`
    when the actor may not give this command; `CommandIdReused` for a recycled id.
    """

    def wrap(function: Callable[Concatenate[Command, P], Outcome]) -> Callable[Concatenate[Command, P], Answer]:
        assert name not in _services, f"two services are named {name}"
        assert secret or proof is None, f"{name} has nothing to prove"
        assert refused is None or proof is None, f"{name} keeps nothing of a refusal whose id stays free"
        registered = _services[name] = Service(name, function, frozenset(private), frozenset(secret), proof, refused)

        @functools.wraps(function)
        def run(command: Command, *args: P.args, **kwargs: P.kwargs) -> Answer:
            assert not args, "services take keyword arguments"
            # Before the id is claimed: what is not permitted stays in its tablet's queue, and may come again under it.
            if name not in command.by.may:
                raise NotPermitted
            answer, refusal = _carry_out(_Call(registered, command, kwargs))
            if refusal is not None:
                # The log says why; this screen may not.
                raise refusal.for_reader(command.by.may)
            return answer

        _names[run] = name
        return cast(Callable[Concatenate[Command, P], Answer], run)

    return wrap


@dataclass(frozen=True)
class _Call:
    """One service as it is called: the command and the arguments."""

    service: Service
    command: Command
    args: dict[str, Any]

    @functools.cached_property
    def body_hash(self) -> str:
        by = self.command.by
        args = {name: _as_compared(value) for name, value in self.args.items() if name not in self.service.secret}
        body = canonical({"name": self.service.name, "args": args, "staff": by.staff_id, "device": by.device_id})
        # Keyed, for names are in it: whoever reads the table alone could else try them until one fits.
        return hmac.new(settings.SECRET_KEY.encode(), body.encode(), hashlib.sha256).hexdigest()

    def logged_args(self) -> dict[str, Any]:
        unsaid = self.service.private | self.service.secret
        return {name: value for name, value in self.args.items() if name not in unsaid}

    def by_another_id(self) -> "_Call":
        """Return the same call under an id that nobody sent."""
        command = self.command
        return replace(self, command=replace(command, id=uuid.uuid4(), part_of=command.part_of or command.id))


def _as_compared(value: object) -> object:
    """
    Return an argument as a command is compared by it: a dataclass without its fields that are marked `looked_up`, which
    were found for the command and may be others when it is sent again.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value) if "looked_up" not in each.metadata}
    return value


class _Refused(Exception):
    """Carries a refusal out of the transaction that it undoes."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


def _carry_out(call: _Call) -> tuple[Answer, Refusal | None]:
    try:
        return _decide(call)
    except _Refused as refused:
        # No savepoint, which every command would pay for. A twin that waited for the claim may decide in between: then
        # its answer is this command's too.
        return _refuse(call, refused.refusal)


@held.noting()
@transaction.atomic
def _decide(call: _Call) -> tuple[Answer, Refusal | None]:
    is_new, service = _claim(call), call.service
    # Before the id is compared with anything: whoever guesses learns of a guess alone, and it is counted.
    wrong = _unless_refused(call, service.proof) if service.proof else None
    if wrong is not None:
        return _not_accepted(call, wrong, is_new=is_new), None
    if not is_new:
        return _replay(call)
    outcome = _unless_refused(call, service.function)
    assert outcome is not None, f"{service.name} has no outcome"
    return _answer(call, DONE, outcome), None


def _unless_refused(call: _Call, function: Callable[..., Outcome | None]) -> Outcome | None:
    try:
        return function(call.command, **call.args)
    except Refusal as refusal:
        if refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
            # "Not now" is no answer: the same tap is to be tried again, so its id must stay free.
            raise
        raise _Refused(refusal) from refusal


# Noting anew: the rows of what was refused are undone with it, and its event must not name them.
@held.noting()
@transaction.atomic
def _refuse(call: _Call, refusal: Refusal) -> tuple[Answer, Refusal | None]:
    chain, audiences = _own_chain(call.command.by), cast(Sequence[str], ())
    if call.service.proof is not None:
        return _only_logged(call, refusal.code, Outcome(chain=chain, data=refusal.data)), refusal
    if not _claim(call):
        return _replay(call)
    if call.service.refused is not None:
        try:
            audiences = call.service.refused(call.command, refusal, **call.args)
        except Refusal as instead:
            refusal = instead
    return _answer(call, refusal.code, Outcome(chain=chain, data=refusal.data, audiences=audiences)), refusal


def _not_accepted(call: _Call, outcome: Outcome, *, is_new: bool) -> Answer:
    """Log a try with a wrong PIN or password, and free the command's id: the same tap may come with the right one."""
    if is_new:
        AnsweredCommand.objects.filter(room_id=call.command.room_id, command_id=call.command.id).delete()
    return _only_logged(call, DONE, outcome)


def _only_logged(call: _Call, code: str, outcome: Outcome) -> Answer:
    outcome = _with_all_who_hear(outcome)
    _log(call.by_another_id(), outcome, code)
    _tell(call.command, outcome)
    return Answer(data=outcome.data, version=None)


def _answer(call: _Call, code: str, outcome: Outcome) -> Answer:
    """Log what became of the command, store it for whoever asks again, and tell the screens once it is committed."""
    command, outcome = call.command, _with_all_who_hear(outcome)
    try:
        with sent_together():
            _log(call, outcome, code)
            if code == DONE:
                _log_notes(command)
            _store_answer(command, code, outcome)
    except IntegrityError as problem:
        # An event's command id is unique for ever, and its answer is forgotten after two gaming days: then it can be
        # claimed anew.
        if "command_id" not in str(problem):
            raise
        raise CommandIdReused from None
    _tell(command, outcome)
    return Answer(data={**outcome.data, **outcome.reveal}, version=outcome.version)


def _with_all_who_hear(outcome: Outcome) -> Outcome:
    """Name the screens that hear the news: the log is read again for who has to look, and knows audiences alone."""
    heard = (audience for name in outcome.audiences for audience in heard_by(name))
    return replace(outcome, audiences=tuple(dict.fromkeys(heard)))


def _tell(command: Command, outcome: Outcome) -> None:
    if outcome.audiences:
        # Robust: Redis may be away, and the command is done all the same. What was lost so is found in the log within a
        # second (`casino/live/outbox.py`).
        notice = functools.partial(publish, room_id=command.room_id, audiences=tuple(outcome.audiences))
        transaction.on_commit(notice, robust=True)


def _claim(call: _Call) -> bool:
    """Take the command id; False when it was taken before. Waits for a twin that is just being carried out."""
    command = call.command
    # Nobody looks first: of fifty twins at once each would find nothing. Here they wait for the one that was faster.
    with connection.cursor() as cursor:
        # Not sent together with the transaction's beginning: psycopg waits for that one first, in a pipeline too.
        cursor.execute(
            "INSERT INTO commands_claim (room_id, command_id, body_hash, code, data, at)"
            " VALUES (%s, %s, %s, '', '{}'::jsonb, %s) ON CONFLICT (room_id, command_id) DO NOTHING",
            [command.room_id, command.id, call.body_hash, command.at],
        )
        return bool(cursor.rowcount == 1)


def was_done(command: Command) -> bool:
    """Tell whether a command of this id was carried out before, while it is claimed: then it is to be replayed."""
    return AnsweredCommand.objects.filter(room_id=command.room_id, command_id=command.id, code=DONE).exists()


def was_answered(command: Command) -> bool:
    """Tell whether a command of this id has its answer, done or refused: sent again, it gets that one. One query."""
    return AnsweredCommand.objects.filter(room_id=command.room_id, command_id=command.id).exists()


def _replay(call: _Call) -> tuple[Answer, Refusal | None]:
    answered = AnsweredCommand.objects.get(room_id=call.command.room_id, command_id=call.command.id)
    # Without one it was answered before an upgrade, when the same tap had arguments of another shape.
    if answered.body_hash and answered.body_hash != call.body_hash:
        raise CommandIdReused
    refusal = None if answered.code == DONE else stored_refusal(answered.code, answered.data)
    return Answer(data=answered.data, version=answered.version, is_replay=True), refusal


def _log(call: _Call, outcome: Outcome, code: str) -> None:
    """Append the event."""
    command = call.command
    rows = held.as_they_stand()
    append(
        room_id=command.room_id,
        chain=outcome.chain,
        name=call.service.name,
        result=code,
        command_id=command.id,
        staff_id=command.by.staff_id,
        device_id=command.by.device_id,
        at=command.at,
        audiences=outcome.audiences,
        content={
            "args": call.logged_args(),
            "data": outcome.data,
            "version": outcome.version,
            "tapped_at": command.tapped_at,
            "rule_book_version": outcome.rule_book_version_id,
            **({"part_of": command.part_of} if command.part_of else {}),
            **({"rows": rows} if rows else {}),
            **({"sent_by": command.by.sent_by_id} if command.by.sent_by_id else {}),
            **({"token": command.by.token_id} if command.by.token_id is not None else {}),
        },
    )


def _log_notes(command: Command) -> None:
    """Append an event for each note, under an id that nobody sent: the log knows the command's own id once."""
    for note in command.notes:
        assert note.name in _notes, f"nobody made {note.name} known"
        append(
            room_id=command.room_id,
            chain=note.chain,
            name=note.name,
            result=DONE,
            command_id=uuid.uuid4(),
            staff_id=command.by.staff_id,
            device_id=command.by.device_id,
            at=command.at,
            audiences=(),
            content={"args": {}, "data": note.data, "tapped_at": command.tapped_at, "part_of": command.id},
        )


def _store_answer(command: Command, code: str, outcome: Outcome) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE commands_claim SET code = %s, data = %s::jsonb, version = %s"
            " WHERE room_id = %s AND command_id = %s",
            [code, canonical(outcome.data), outcome.version, command.room_id, command.id],
        )


def _own_chain(by: Actor) -> str:
    """Return the chain for what locked no row: the tablet's, a desktop person's, or "door" where nobody is known."""
    if by.device_id:
        return f"device.{by.device_id}"
    return f"staff.{by.staff_id}" if by.staff_id else "door"


def forget_answers_of(*, room_id: int, before: datetime) -> int:
    """Delete a room's answers older than `before` (two gaming days back); the log keeps their ids for ever."""
    return AnsweredCommand.objects.filter(room_id=room_id, at__lt=before).delete()[0]
