"""
Where the chips of a buy-in go or a prize comes from, and who else has a say when chips come back.

The cage has one destination of its own, the player's hands, and a name for that of chips for a seat (`AtSeat`). Other
apps register theirs in their AppConfig, that of a seat too, and the cage calls them inside its own transaction:

    lock(slip)             before the drawer is locked: rows of tables come before rows of the cage
    check(slip, at=...)    raise the refusal, if the rules have one: when it is asked and again before it is paid
    prize_lines(slip)      of a prize, where the promise comes from that is paid: lines that sum to zero
    line(slip)             the account that the chips go to, as a `PostingLine` of plus `amount_cents`
    delivered(slip, ...)   the chips are there: change your own rows
    taken_back(slip, ...)  the slip is voided: change them back, or raise a refusal
    check_cancelled(slip)  raise the refusal, if one person may not take the slip away while it waits
    audiences(slip)        the screens that show it, from its asking on
    stake_cents(slip)      the smallest forced bet of what is played there, None where nothing is
    label(slip)            what a slip and the cage's list call it ("Table 7 seat 3"), in the active language
    paid_by(slip)          the means by which it was paid already, where it was (`was_paid`)
"""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _

from casino.cage.chart import of_drawer
from casino.cage.models import Slip
from casino.commands.carrying_out import Command
from casino.ledger.chart import PostingLine

# Of which slips a destination is asked before they are paid, and told when they are or are taken back.
HAVE_A_SAY = (Slip.Kind.BUY_IN, Slip.Kind.PRIZE)

HANDS, SEAT = "hands", "seat"
_destinations: dict[str, "Destination"] = {}


class Destination:
    """
    Where chips go. The base does nothing by itself; override what the place needs.

    `tells_floor`: the place's own app puts a slip that waits too long on the floor's to-do; else the cage does.
    `was_paid`: the money was taken before Brush knew of it, so the slip is a fact, and no rule refuses its paying.
    """

    tells_floor = False
    was_paid = False

    def lock(self, slip: Slip) -> None:
        """Lock the rows that own this place."""

    def check(self, slip: Slip, *, at: datetime) -> None:
        """
        Ask the rules whether these chips may come here now.

        :raises Refusal: they may not.
        """

    def line(self, slip: Slip) -> PostingLine:
        """Return where the chips go, as a line of plus `slip.amount_cents`; `slip.drawer_id` is known."""
        raise NotImplementedError

    def prize_lines(self, slip: Slip) -> Sequence[PostingLine]:
        """Return what a prize is paid from, as lines that sum to zero beside those of the drawer."""
        raise NotImplementedError

    def delivered(self, slip: Slip, command: Command) -> None:
        """Note that the chips are there. The transfer is posted; `slip.transfer_id` is known."""

    def taken_back(self, slip: Slip, command: Command) -> None:
        """
        Note that a paid slip is being voided; its transfer is mirrored after this.

        :raises Refusal: the chips can no longer be taken from there.
        """

    def check_cancelled(self, slip: Slip) -> None:
        """
        Ask whether one person may take this slip away while it waits.

        :raises Refusal: they may not.
        """

    def audiences(self, slip: Slip) -> Sequence[str]:
        """Return the room-relative names of the screens that show this slip, besides the cage's."""
        return ()

    def stake_cents(self, slip: Slip) -> int | None:
        """Return the smallest forced bet of the game that the chips are for, in cents, where one is played there."""
        return None

    def label(self, slip: Slip) -> str:
        """Return what people call this place, in the active language."""
        return ""

    def paid_by(self, slip: Slip) -> str:
        """Return by which means a slip was paid before Brush knew of it, "" where nobody knows."""
        return ""


class Hands(Destination):
    """Across the counter: chips in players' hands, the shard of the drawer that sold them."""

    def line(self, slip: Slip) -> PostingLine:
        """Return the drawer's shard of chips in players' hands."""
        assert slip.drawer_id is not None
        return of_drawer(slip.drawer_id, "hands", slip.amount_cents)

    def label(self, slip: Slip) -> str:
        """Return what the cage calls the counter."""
        return _("at the counter")


class CashOutHook:
    """
    Somebody who wants to know that a player has cashed out.

    A stack that left a table "not counted" is supplied by the cash-out of the day: `tables` posts it as
    a transfer of its own.
    """

    def lock(self, slip: Slip) -> bool:
        """Lock what must be locked before the drawer; return whether to be told. `slip.player_id` may be None."""
        return False

    def cashed_out(self, slip: Slip, command: Command) -> Sequence[str]:
        """Note the cash-out, which is posted; return further screens to tell."""
        return ()

    def lock_taken_back(self, slip: Slip) -> bool:
        """Lock what must be locked before the drawer when a paid cash-out is voided; return whether to be told."""
        return False

    def taken_back(self, slip: Slip, command: Command) -> Sequence[str]:
        """Note that the cash-out is voided; return further screens to tell."""
        return ()


on_cash_out: list[CashOutHook] = []


def register(name: str, destination: Destination) -> None:
    """Make a destination known, once, from an AppConfig."""
    assert name not in _destinations, f"two destinations are named {name}"
    _destinations[name] = destination


def destination(name: str) -> Destination:
    """
    Return the destination of this name.

    :raises KeyError: nobody registered it.
    """
    return _destinations[name]


def is_known(name: str) -> bool:
    """Say whether chips can be sent there."""
    return name in _destinations


def of(slip: Slip) -> Destination:
    """Return where this slip's chips go."""
    return _destinations[slip.destination]


register(HANDS, Hands())
