"""
The jackpot drop of a hand (H1.88-H1.90, H7.16). What becomes of it is the jackpot's business, not the game's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from casino.poker.charges import Charge, spread


@dataclass(frozen=True)
class DropPolicy:
    """
    A charge in cents on each hand with at least so many participants. What players may agree to pay by the time
    instead (H7.18) is a `TimeCharge`.

    :raises ValueError: the charge is not positive, or fewer than two participants would do.
    """

    charge_cents: int
    participants_min: int
    kind: ClassVar[str] = "per_hand"
    is_due_without_flop: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.charge_cents <= 0:
            raise ValueError("a drop is more than nothing")
        if self.participants_min < 2:
            raise ValueError("a hand has at least two participants")

    def due_of_unknown_pot(self, *, participants: int, beyond_initial_deal: bool) -> int:
        """
        Return the drop of a hand in cents: it is due by the players and the flop alone.

        `participants` got cards and were at their seats when the initial deal ended; who leaves later still counts
        (A17). `beyond_initial_deal`: a card was dealt after it, betting or not (A18).

        Rules: H1.88-H1.90, H7.16.
        """
        return self.charge_cents if beyond_initial_deal and participants >= self.participants_min else 0

    def is_more_due_above(self, cents: int, *, participants: int, beyond_initial_deal: bool) -> bool:
        """Say no: it is the same of every pot that can bear it."""
        return False

    def due_by_pot(self, pots: Sequence[int], *, participants: int, beyond_initial_deal: bool) -> tuple[int, ...]:
        """
        Return what each pot pays of the drop: the main pot, or the next one that can bear it (A16).

        `pots` are what the rake left, main pot first. Pots that together hold less than the drop pay none of it.

        :raises ValueError: a pot is negative.
        """
        due = self.due_of_unknown_pot(participants=participants, beyond_initial_deal=beyond_initial_deal)
        return spread([Charge(0, due)] if due else [], pots)


def drop_to_dict(policy: DropPolicy) -> dict[str, Any]:
    """Return the policy as plain data for JSON, its kind with it."""
    return {"kind": policy.kind, **asdict(policy)}


def drop_from_dict(data: Mapping[str, Any]) -> DropPolicy:
    """
    Return the policy that `drop_to_dict` wrote.

    :raises ValueError: the kind or a field is unknown, or the values make no policy.
    """
    fields = dict(data)
    if (kind := fields.pop("kind", None)) != DropPolicy.kind:
        raise ValueError(f"unknown drop policy {kind!r}; known: {DropPolicy.kind}")
    try:
        return DropPolicy(**fields)
    except TypeError as error:
        raise ValueError(f"drop policy {kind!r}: {error}") from error
