"""How time gives its commands: what is due is done on its own, by nobody's hand."""

import logging
import uuid
from collections.abc import Callable
from datetime import datetime

from casino.commands.carrying_out import Actor, Command
from casino.errors import Refusal
from casino.people.permissions import Role, may_of

logger = logging.getLogger(__name__)


def on_its_own(act: Callable[..., None], *row: object, at: datetime) -> None:
    """Carry out one due act; swallow its refusal and log its failure, so that the other due acts still run."""
    try:
        act(*row, at=at)
    except Refusal:
        # Somebody was faster, or the page says what is wrong.
        return
    except Exception:
        logger.exception("not woken", extra={"act": act.__name__, "row": [str(each) for each in row]})


def command_of_time(room_id: int, command_id: uuid.UUID, at: datetime) -> Command:
    """Return a command that time gives in a room."""
    by = Actor(room_id=room_id, staff_id=None, may=may_of({Role.TIME}))
    return Command(id=command_id, by=by, tapped_at=at, at=at)
