"""What a slip is about, as types: whoever writes a slip and whoever reads it name the same fields (`Slip.about`)."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from django.db.models import Q


@dataclass(frozen=True, kw_only=True)
class About:
    """What a slip says beyond its amount: ids, numbers and codes, never a name. Each destination has its own."""

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> Self:
        """Return what `Slip.about` keeps as one of this class; keys of older versions are passed over."""
        known = {each.name for each in fields(cls)}
        return cls(**{name: value for name, value in kept.items() if name in known})

    def to_json(self) -> dict[str, Any]:
        """Return the fields as `Slip.about` keeps them and answers name them: what is None or False is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None and value is not False}


@dataclass(frozen=True, kw_only=True)
class AtSeat(About):
    """
    A seat at a table that chips are for, or that a stack was taken from; `table` and `seating` are ids.

    `stack` is what lay there when chips were asked for, as somebody said it: cents, "under_blind", "full", or None.
    `anew`: the player moved here after asking, so what was looked at then is looked at again. `is_short`: the slip is
    the evening's short buy-in (H2.19).
    """

    table: int
    table_number: int
    seating: int
    # Where they sit just now: nobody tells it, and a tap that is sent again after they changed seats is still that tap.
    seat_number: int = field(metadata={"looked_up": True})
    stack: int | str | None = None
    anew: bool = False
    is_short: bool = False

    @staticmethod
    def of_seating(seating_id: int) -> Q:
        """Return the condition for slips about a seating."""
        return Q(about__seating=seating_id)

    @staticmethod
    def of_seatings(seating_ids: Collection[int]) -> Q:
        """Return the condition for slips about one of some seatings."""
        return Q(about__seating__in=list(seating_ids))

    @staticmethod
    def of_table(table_id: int) -> Q:
        """Return the condition for slips about a seat at a table."""
        return Q(about__table=table_id)


@dataclass(frozen=True, kw_only=True)
class Unnamed(About):
    """Chips that were bought back from a guest without a name: what was answered when they were asked about."""

    unnamed: str
