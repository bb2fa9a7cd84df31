"""Dealers as the house has them: their turns, the rack that they take over, whose the tips are."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct


class Rack(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    Whether chips lie in the dealer's rack, and how it is checked at pushes; no source says any of it.

    `is_kept`: a rack is brought to tables. A book that leaves it out keeps none, and nobody is asked about one. At each
    push the next dealer counts the rack or takes it as it was left; at one that is drawn, after at most
    `counted_within_pushes`, it is counted. `counted_pushes_per_day` is how many such counts a table has in a gaming day
    before it closes; 0: as many as are drawn. `sells`: a table may have cash plays, as it is opened: the dealer sells
    chips out of the rack for cash that lies there until the cage has changed it. `never_sold_over_percent`: where
    counts have found all of one half of a sale that never was, its chips or its cash, and more than this share of the
    other, two may say so once the floor has judged the rest; never half or less of it, for then the rack does not say
    it. A rack that was too short for `short_sales_max` sales since its count is counted at the next push: each such
    sale says something of what lies there.
    """

    is_kept: bool = False
    counted_pushes_per_day: Annotated[int, Meta(ge=0, le=24)] = 1
    counted_within_pushes: Annotated[int, Meta(gt=0, le=48)] = 6
    sells: bool = False
    never_sold_over_percent: Annotated[int, Meta(ge=50, le=99)] = 50
    short_sales_max: Annotated[int, Meta(gt=0, le=24)] = 3

    def __post_init__(self) -> None:
        if self.sells and not self.is_kept:
            raise ValueError("sells is true and is_kept is not: there is no rack to sell out of")


class Tips(StrEnum):
    """Whose the tips are: shared by the time that each dealer has dealt on the gaming day, or the dealer's own."""

    POOLED = "pooled"
    PER_DEALER = "per_dealer"


class Dealers(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """
    How dealers take turns; no source says any of it. A dealer pushes after `down_minutes` and rests after
    `downs_before_break` in a row; less than `break_minutes` away from a table is no break. `shows_pace`: a dealer's
    hands per hour are shown to the manager and that dealer. `rack` is what they take over at a push,
    `tips` whose the tips are.
    """

    down_minutes: Annotated[int, Meta(gt=0, le=240)] = 30
    downs_before_break: Annotated[int, Meta(gt=0, le=12)] = 3
    break_minutes: Annotated[int, Meta(gt=0, le=240)] = 15
    shows_pace: bool = True
    rack: Rack = Rack()
    tips: Tips = Tips.POOLED

    def __post_init__(self) -> None:
        if self.break_minutes > self.down_minutes:
            raise ValueError("break_minutes is above down_minutes: nobody would be back for the next push")
