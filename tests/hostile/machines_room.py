"""
What the stateful machines share: a room for each example, taps that may be refused, and rows to compare.

The room is made once, in a transaction of the module's; each example runs in a savepoint of its own that is rolled
back when the example ends, after PostgreSQL has judged whatever it judges at commit.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, TypeVar

from django.db import connection, transaction
from hypothesis.stateful import RuleBasedStateMachine

from casino.commands.carrying_out import Answer, Command
from casino.errors import Refusal
from casino.ledger.proof import problems
from tests.tables.conftest import House

T = TypeVar("T")


class RoomMachine(RuleBasedStateMachine):
    """A room that somebody plays with; `house` is the one that each example finds as it was."""

    made: House

    def __init__(self) -> None:
        super().__init__()
        self._example = transaction.atomic()
        self._example.__enter__()
        self.house = copy(self.made)

    def teardown(self) -> None:
        """Let deferred constraints judge and the ledger be proved, then take everything back."""
        try:
            if not connection.needs_rollback:
                with connection.cursor() as cursor:
                    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
                    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
                assert list(problems(self.house.room_id)) == []
        finally:
            transaction.set_rollback(True)
            self._example.__exit__(None, None, None)

    def tap(
        self, service: Callable[..., Answer], expected: str = "", *, signed: Command | None = None, **args: Any
    ) -> Answer | None:
        """
        Give a command and hold it to what the model expects: "" for done, else the refusal's code.

        A refusal says a sentence and changes nothing. `signed` is a command that a second person has signed.
        """
        before, answer, refused = self.rows() if expected else None, None, None
        try:
            answer = service(signed, **_without_by(args)) if signed else self.house.tap(service, **args)
        except Refusal as refusal:
            refused = refusal
        code = refused.code if refused else ""
        assert code == expected, f"{service.__name__}: {code or 'done'} {refused or ''}; expected {expected or 'done'}"
        if refused:
            assert len(str(refused)) > 10
            assert self.rows() == before, f"{service.__name__} refused with {code} and changed something"
        return answer

    def rows(self) -> Any:
        """Return everything that a refusal must leave as it is."""
        raise NotImplementedError


def _without_by(args: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in args.items() if name != "by"}


def one_of(found: Sequence[T], index: int) -> T | None:
    """Return the one that a drawn number means, None where there is none."""
    return found[index % len(found)] if found else None
