"""What the floor chooses otherwise than the house's order proposes is recorded in the same tap."""

from collections.abc import Callable

from django.http import HttpRequest

from casino.commands.frame import Answer, Command
from casino.errors import Malformed
from tables.models import Table
from tables.rules.newcomers import Why
from tables.rules.reasons import OVERRULE_REASONS
from tables.services import overruling


def chosen(
    request: HttpRequest,
    command: Command,
    table: Table,
    seat_number: int,
    give: Callable[[], Answer],
    *,
    game_id: int,
    whose: tuple[bool, int],
    weakest: Why = Why.WAITING_LIST,
) -> Answer:
    """Let the floor give a seat, as `overruling.chosen`. The form's `overrule` says why."""
    reason = overrule_of(request)
    return overruling.chosen(
        command, table, seat_number, give, game_id=game_id, whose=whose, reason=reason, weakest=weakest
    )


def overrule_of(request: HttpRequest) -> str:
    """Return the form's reason, "" where none is given. :raises Malformed: it is none of `OVERRULE_REASONS`."""
    reason = request.POST.get("overrule", "")
    if reason and reason not in OVERRULE_REASONS:
        raise Malformed(field="overrule")
    return reason
